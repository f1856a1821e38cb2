// What a thread's pipeline counts. Pure C++.
#pragma once

#include <cstdint>

namespace sfpu::frontend {

struct pipeline_counters {
    std::uint64_t words_in = 0;         ///< pushed by the T core
    std::uint64_t b_words_in = 0;       ///< pushed by the B core
    std::uint64_t words_out = 0;        ///< handed to the vector unit
    std::uint64_t mops = 0;             ///< MOP words
    std::uint64_t mop_words = 0;        ///< what they became
    std::uint64_t replays = 0;          ///< REPLAY words that play
    std::uint64_t replay_words = 0;     ///< what they became
    std::uint64_t loaded_words = 0;     ///< words that only went into the replay buffer
    std::uint64_t collisions = 0;       ///< words of the T core that were lost to words of the B core
    std::uint64_t full_cycles = 0;      ///< cycles for which pushes waited because the FIFO was full
    std::uint64_t wait_gate_cycles = 0; ///< cycles for which a wait held a word
};

} // namespace sfpu::frontend
