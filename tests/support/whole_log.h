// Everything that observers and listeners to diagnostics hear, values included, as lines.
#pragma once

#include "plain_rig.h"
#include "random_loops.h"

#include <cstdint>

namespace sfpu::test {

/// Mixes bytes to a number that differs if they do (FNV).
inline std::uint64_t digest(const void* data, std::size_t size, std::uint64_t seed = 0xcbf29ce484222325u) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) seed = (seed ^ bytes[i]) * 0x100000001b3u;
    return seed;
}

struct whole_log : event_log {
    void executed(const probe::execution_event& e) override {
        event_log::executed(e);
        lines.push_back(fmt::format("thread {} effect {} result {:x} cells {:x}", e.thread, e.takes_effect,
                                    e.result ? digest(e.result, sizeof *e.result) : 0,
                                    e.cells ? digest(e.cells, sizeof *e.cells) : 0));
    }
    void slots_changed(const probe::slots_event& e) override {
        lines.push_back(fmt::format("{} slots {} {} {} {}", e.at.count(), e.outstanding[0], e.outstanding[1],
                                    e.outstanding[2], e.outstanding[3]));
    }
    void cycle_begins(const probe::cycle_event& e) override {
        std::uint64_t registers = digest(&e.state->flags, sizeof e.state->flags);
        for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
            registers = digest(&e.lreg(lreg), sizeof(lanes), registers);
        lines.push_back(fmt::format("{} begins {:x}", e.at.count(), registers));
    }
    void diagnosed(const diagnostic& e) override {
        lines.push_back(
            fmt::format("{} {} word {}: {}", e.at.count(), describe(e.id).name, e.word, e.message));
    }
};

} // namespace sfpu::test
