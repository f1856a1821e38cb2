// How a run of a tile ended.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/riscv/hart_ports.h>

#include <cstdint>
#include <string>

namespace sfpu::platform {

struct tile_result {
    enum class outcome : std::uint8_t {
        ended,       ///< the program stored a non-zero word to `tohost`
        trapped,     ///< a trap without a handler
        cycle_limit, ///< no end before the limit
        hung,        ///< a hart waits for what nobody will do, as a push behind a semaphore that nobody posts
        interrupted, ///< by tile_listeners::stop
    };
    outcome why = outcome::cycle_limit;
    unsigned hart = 0;          ///< which one ended the run: 0 to 2, or tile::b_core
    std::uint32_t tohost = 0;   ///< the word; 1 means success
    riscv::unhandled_trap trap; ///< if one ended the run
    std::string
        trap_reason; ///< what the TensorLoad engine has to say about it, if it refused the instruction
    std::string host_waits_for = {}; ///< in words; empty if there is no host, or it waits for nothing
    std::uint32_t pc = 0;            ///< of that hart: its next instruction, or the one in which it hangs
    cycles cycles_run{};             ///< from reset until that hart stopped
    cycles last_cycle{}; ///< the last cycle in which anything happened, words that were still queued included
};

} // namespace sfpu::platform
