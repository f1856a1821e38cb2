// Pipeline events made by hand, for tests of the sinks.
#pragma once

#include <sfpu/isa/table.h>
#include <sfpu/probe/observer.h>

#include <cstdint>

namespace sfpu::test {

constexpr auto bh = architecture::blackhole;
constexpr std::int64_t period_ps = 741; ///< in the default trace_options

// Words and their assembly.
constexpr std::uint32_t load_l1 = 0x7014e040;      // sfpload L1, INT32, ADDR_MOD_7, 64
constexpr std::uint32_t macro_0_l1 = 0x9314e000;   // sfploadmacro 0, L1, INT32, ADDR_MOD_7, 0
constexpr std::uint32_t mad_l1_to_l2 = 0x84019a20; // sfpmad L1, L9, L10, L2, 0
constexpr std::uint32_t mad_l1_to_l3 = 0x84019a30; // sfpmad L1, L9, L10, L3, 0
constexpr std::uint32_t abs_l2_to_l4 = 0x7d000240; // sfpabs 0, L2, L4, INT
constexpr std::uint32_t swap_l1_l2 = 0x92000121;   // sfpswap 0, L1, L2, VEC_MIN_MAX
constexpr std::uint32_t store_l1 = 0x7214e080;     // sfpstore L1, INT32, ADDR_MOD_7, 128
constexpr std::uint32_t nop = 0x8f000000;          // sfpnop
constexpr std::uint32_t set_config = 0xb2010005;   // setc16 1, 5

/// An event in the sub-unit that the word names, in all lanes. `latency` is in cycles.
inline probe::execution_event issued(std::int64_t begin, std::int64_t word, std::uint32_t encoded,
                                     int latency = 1) {
    probe::execution_event e;
    e.insn = isa::decode(encoded, bh);
    e.unit = e.insn.unit;
    e.begin = cycles{begin};
    e.end = cycles{begin + latency - 1};
    e.word = word;
    e.takes_effect = e.insn.latency != isa::latency_class::none;
    e.lanes = all_lanes;
    return e;
}

/// The same, placed by the macro with this word and with the VD that the macro gave it.
inline probe::execution_event scheduled(std::int64_t begin, std::int64_t word, std::uint32_t encoded,
                                        std::uint8_t vd, int latency = 1) {
    probe::execution_event e = issued(begin, word, encoded, latency);
    e.from = probe::origin::macro;
    e.insn.flags |= isa::is_scheduled;
    e.insn.vd = vd;
    isa::refresh(e.insn, bh);
    return e;
}

inline probe::execution_event discarded(probe::execution_event e) {
    e.discarded = true;
    e.takes_effect = false;
    return e;
}

inline void stall(probe::pipeline_observer& sink, std::int64_t at, std::int64_t word) {
    sink.stalled({cycles{at}, probe::stall_cause::mad_dependence, word});
}

} // namespace sfpu::test
