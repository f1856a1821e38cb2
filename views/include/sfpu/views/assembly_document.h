// The assembly language (isa/assembler.h): `info --assembly`, and docs/assembly.md.
#pragma once

#include <sfpu/views/page.h>

#include <string>

namespace sfpu::views {

/// JSON: {"directives": [...], "instructions": [...], "types": [...]}. Text: directives, then instructions.
page assembly_page();
/// The text of docs/assembly.md.
std::string assembly_markdown();

} // namespace sfpu::views
