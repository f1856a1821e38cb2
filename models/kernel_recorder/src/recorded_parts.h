// Pieces of recorded words.
#pragma once

#include <sfpu/kernel_recorder/recorder.h>

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/registers.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfpu::kernel_recorder {

recorded_words part_of(const recorded_words& all, std::size_t from, std::size_t to);
inline bool is_nop(std::uint32_t word) { return word >> 24 == isa::opcode::sfpnop; }

void append(recorded_words& to, const recorded_words& what);

/// L0 to L7 as far as words read them before they write them. SFPLOADI of one half, which keeps the other, is
/// taken for the first of two.
isa::register_set reads_first(const std::vector<std::uint32_t>& words, architecture arch);

} // namespace sfpu::kernel_recorder
