// What the debugger answers, as text for people.
#pragma once

#include <sfpu/analysis/debug_language.h>

#include <string>

namespace sfpu::views {

/// Lines that end with a newline each; empty if there is nothing to say.
std::string to_text(const analysis::debug::any_answer& answer);

/// The table of all commands of the debugger.
std::string debugger_help();
/// What is said at the start.
std::string debugger_greeting(const analysis::debug::debugger& of);

} // namespace sfpu::views
