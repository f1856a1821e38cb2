// Parameters of a RISC-V hart.
#pragma once

#include <cstdint>

namespace sfpu {

/// A property that the two chips differ in, and that may be set.
enum class by_chip : std::uint8_t { by_architecture, on, off };

/// fixed: backward branches and returns are taken, forward branches are not. perfect and none are the bounds.
enum class branch_predictor : std::uint8_t { fixed, perfect, none };

/// What a load or store does whose address is no multiple of its size.
enum class misaligned_access : std::uint8_t {
    by_architecture, ///< bytes on Blackhole, round_down on Wormhole
    bytes,           ///< byte by byte in memory; traps at devices
    round_down,      ///< at the aligned address below
    trap,
};

struct hart_parameters {
    unsigned count = 1;  ///< T cores of a tile, threads 0 and up
    bool b_core = false; ///< whether a tile has its B core, too

    by_chip zaamo = by_chip::by_architecture;
    by_chip zba = by_chip::by_architecture;
    by_chip zbb = by_chip::by_architecture;
    by_chip fuse_tensix_words = by_chip::by_architecture;
    bool zero_word_is_illegal = true;
    misaligned_access misaligned = misaligned_access::by_architecture;

    unsigned latency_alu = 1;
    unsigned latency_multiply = 2;
    by_chip pipelined_multiply = by_chip::by_architecture;
    unsigned latency_divide_trivial = 2;
    unsigned latency_divide_least = 6;
    unsigned latency_divide_most = 33;
    unsigned latency_csr = 2;

    unsigned latency_local = 2;
    unsigned latency_sync = 3;
    unsigned latency_config = 4;
    unsigned latency_dst = 4;
    unsigned latency_control = 7;
    unsigned latency_l1 = 8;
    unsigned latency_ram = 2;
    unsigned latency_atomic_extra = 4;

    unsigned far_loads = 0; ///< 0: by architecture
    unsigned store_queue = 4;
    branch_predictor predictor = branch_predictor::fixed;
    unsigned mispredict_penalty = 0; ///< 0: by architecture
    unsigned icache_bytes = 0;       ///< 0: by architecture
    unsigned icache_miss_cycles = 0; ///< 0: fetches never miss
};

} // namespace sfpu
