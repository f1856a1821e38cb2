// What a recorder keeps for vector types.
#pragma once

#include "vector_direct.h"
#include "vector_step.h"

#include <sfpu/kernel_recorder/vector/graph.h>

namespace sfpu::kernel_recorder::vector {

struct session {
    session(architecture arch, std::uint64_t which)
        : number(which), graph(arch), registers(arch), emitter(arch) {}

    /// A word that the replay buffer issues.
    void played(std::uint32_t word) {
        graph.follow(word);
        registers.overwritten(word);
    }

    std::uint64_t number;
    vector::graph graph;
    register_allocator registers;
    vector::emitter emitter;
    direct_execution execution;
};

} // namespace sfpu::kernel_recorder::vector
