// Whole programs on the oracle: one word after the other, and cycle by cycle as the chips do it.
#pragma once

#include "oracle_instruction.h"

namespace sfpu::oracle {

/// The words that reach the vector unit, with those of REPLAY in their places. Slots that nobody recorded
/// hold SFPNOP.
std::vector<std::uint32_t> without_replay(const std::vector<std::uint32_t>& words);

/// Every instruction takes effect before the next one begins. An SFPLOADMACRO only loads.
void run_in_sequence(const std::vector<std::uint32_t>& words, unit_state& state, const surroundings& around);

/// On the chip of `around.arch`, with macros, stalls and discards, from the timing contract (T1 to T19).
/// `idle` has the cycles without issue before each word; missing ones are 0.
void run_on_chip(const std::vector<std::uint32_t>& words, const std::vector<unsigned>& idle,
                 unit_state& state, const surroundings& around);

} // namespace sfpu::oracle
