// One instruction: `info --isa NAME`.
#pragma once

#include <sfpu/views/page.h>

#include <sfpu/common/parameters.h>

#include <string>

namespace sfpu::views {

/// One instruction of the machine.
/// What it reads, writes and means in each mode, its latency with evidence, and what it makes others wait
/// for; from the instruction table. `name` is a mnemonic in either case, with or without "sfp"; `width` that
/// of lines of text, 0: as long as sentences are. Throws user_error if there is no such instruction.
page instruction_page(const std::string& name, const parameters& config, std::size_t width = 0);

} // namespace sfpu::views
