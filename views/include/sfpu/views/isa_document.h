// The catalogue of the instruction set (isa_catalogue.h): `info --isa`, and docs/isa.md.
#pragma once

#include <sfpu/views/page.h>

#include <string>

namespace sfpu::views {

/// JSON: an array with one object for each architecture, opcode and modifier. Text: a line for each.
page isa_page();
/// The text of docs/isa.md.
std::string isa_markdown();

} // namespace sfpu::views
