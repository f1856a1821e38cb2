// How long TensorLoad instructions take: beats on the memory ports, occupancy of a sub-engine, latency of the
// result, bank conflicts of the transpose buffer. Source: tensorload.md A8.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/tensorload/semantics.h>

#include <vector>

namespace sfpu::tensorload {

/// `occupancy`: cycles from one start to the next in a sub-engine. `latency`: cycles from the start to the
/// first cycle in which another instruction can use the result.
struct cost {
    cycles occupancy{1};
    cycles latency{1};

    friend cost operator+(cost of, cycles extra) { return {of.occupancy + extra, of.latency + extra}; }
};

/// Where stores go, with by_architecture resolved.
l0m_binding store_binding(const parameters& config);
/// Whether stores go to the Dst window element by element.
bool stores_elements(const parameters& config);
memory_space load_space(const parameters& config);
/// Depends on the element: the Dst window shows only 16 KiB of 8-bit elements.
memory_space store_space(const parameters& config, unsigned element_bits);

/// A part of a slice that goes over a memory port at once.
struct beat {
    std::uint32_t offset = 0; ///< in the memory space
    unsigned register_byte = 0;
    unsigned bytes = 0;
    unsigned slice = 0; ///< number in the plan's list of enabled slices
    cycles duration{1}; ///< of the port
};
std::vector<beat> load_beats(const transfer_plan& plan, const parameters& config);
std::vector<beat> store_beats(const transfer_plan& plan, const parameters& config);

cost load_cost(const std::vector<beat>& beats, const parameters& config);
cost store_cost(const std::vector<beat>& beats, const parameters& config);
/// tl.addi, tl.concat, tl.merge: `bytes` of the result, from one or two sources.
cost compute_cost(std::uint64_t bytes, unsigned sources, const tensorload_parameters& config);
/// `from` is gather() of the plan.
cost xpose_cost(const std::vector<std::uint16_t>& from, unsigned element_bits,
                const tensorload_parameters& config);

/// The bank of 128 in which a transpose buffer keeps the byte at `address` (0 to 2047). Flip-flops have no
/// banks.
unsigned bank_of(unsigned address, xpose_buffer layout);
/// Cycles that the buffer takes to drain: for every beat of 128 bytes, the most bytes that one bank must
/// give.
unsigned drain_cycles(const std::vector<std::uint16_t>& from, unsigned element_bits, xpose_buffer layout);

} // namespace sfpu::tensorload
