// How long words of the Scalar Unit (ThCon) and of the Configuration Unit take. Pure C++.
//
// Source: tt-isa-documentation, ScalarUnit, ConfigurationUnit and the pages of the instructions; they are
// written for Wormhole, and nothing else is published for Blackhole.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/types.h>

#include <algorithm>
#include <cstdint>

namespace sfpu::frontend {

/// A time with its source. "At least" is taken to be that much: nothing here contends for memory.
struct backend_time {
    cycles value{};
    evidence basis{};
    const char* source = "";
};
namespace backend_times {
constexpr backend_time move{cycles{1}, evidence::documented, "ScalarUnit: SETDMAREG, DMANOP"};
constexpr backend_time flop{cycles{2}, evidence::documented, "ScalarUnit: REG2FLOP, FLUSHDMA, at least"};
/// One more if two GPRs are read that are not in the same aligned group of four.
constexpr backend_time arithmetic{cycles{3}, evidence::documented, "ADDDMAREG and its family, Performance"};
constexpr backend_time memory{cycles{3}, evidence::documented,
                              "ScalarUnit: LOADIND, LOADREG, STOREIND, STOREREG, ATSWAP, ATINCGET, at least"};
/// From one ATSWAP or ATINCGET to the next.
constexpr backend_time atomic_interval{cycles{12}, evidence::documented,
                                       "ATINCGET, ATSWAP: throughput at best"};
constexpr backend_time round_trip{cycles{15}, evidence::documented,
                                  "ScalarUnit: ATCAS, ATINCGETPTR, at least"};
/// WRCFG and RDCFG: RMWCIB and RDCFG of no thread are issued before their end.
constexpr backend_time config_by_gpr{cycles{2}, evidence::documented,
                                     "ConfigurationUnit: latency, throughput"};
} // namespace backend_times

/// Until when the units are occupied, for all threads.
struct backend_occupancy {
    cycles scalar_free{}, atomic_free{}, config_free{};
};

constexpr bool is_scalar(std::uint32_t word) {
    const std::uint32_t code = word >> 24;
    return (code >= 0x45 && code <= 0x49) || (code >= 0x58 && code <= 0x5d) || (code >= 0x60 && code <= 0x68);
}
constexpr bool is_wrcfg(std::uint32_t word) { return word >> 24 == 0xb0; }
constexpr bool is_rdcfg(std::uint32_t word) { return word >> 24 == 0xb1; }
constexpr bool is_rmwcib(std::uint32_t word) { return word >> 24 >= 0xb3 && word >> 24 <= 0xb6; }
/// Whether the word occupies one of the units in a way that others feel.
constexpr bool is_for_backend(std::uint32_t word) {
    return is_scalar(word) || is_wrcfg(word) || is_rdcfg(word) || is_rmwcib(word);
}

/// For how long a word of the Scalar Unit occupies it, and holds its thread.
constexpr cycles scalar_time(std::uint32_t word) {
    switch (word >> 24) {
    case 0x46: // FLUSHDMA
    case 0x48: // REG2FLOP
        return backend_times::flop.value;
    case 0x49: // LOADIND
    case 0x61: // ATINCGET
    case 0x63: // ATSWAP
    case 0x66: // STOREIND
    case 0x67: // STOREREG
    case 0x68: // LOADREG
        return backend_times::memory.value;
    case 0x62: // ATINCGETPTR
    case 0x64: // ATCAS
        return backend_times::round_trip.value;
    default: break;
    }
    if (word >> 24 < 0x58 || word >> 24 > 0x5d) return backend_times::move.value;
    const bool is_immediate = word >> 23 & 1u;
    const bool same_group = (word >> 2 & 15u) == (word >> 8 & 15u); // GPRs in bits 5:0 and 11:6
    return backend_times::arithmetic.value + (is_immediate || same_group ? cycles{} : one_cycle);
}
constexpr bool is_paced_atomic(std::uint32_t word) { return word >> 24 == 0x61 || word >> 24 == 0x63; }

/// The first cycle in which the units take the word.
inline cycles backend_free(std::uint32_t word, const backend_occupancy& of) {
    if (is_scalar(word))
        return is_paced_atomic(word) ? std::max(of.scalar_free, of.atomic_free) : of.scalar_free;
    return is_rdcfg(word) || is_rmwcib(word) ? of.config_free : cycles{};
}
/// The word passes in this cycle. Returns the first cycle in which its thread goes on.
inline cycles occupy_backend(std::uint32_t word, cycles at, backend_occupancy& of) {
    if (is_scalar(word)) {
        of.scalar_free = at + scalar_time(word);
        if (is_paced_atomic(word)) of.atomic_free = at + backend_times::atomic_interval.value;
        return of.scalar_free;
    }
    if (is_wrcfg(word) || is_rdcfg(word)) of.config_free = at + backend_times::config_by_gpr.value;
    return at + one_cycle;
}

} // namespace sfpu::frontend
