// What tests of the vector unit share with and without SystemC: instruction words, logs of events, comparison
// of state.
#pragma once

#include "tensix_words.h"

#include <sfpu/common/report.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/unit_counters.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace sfpu {

/// How GoogleTest shows cycles.
inline void PrintTo(cycles value, std::ostream* to) { *to << "cycle " << value.count(); }

} // namespace sfpu

namespace sfpu::test {

// --- instruction words (Blackhole) -------------------------------------------------------------------------

using namespace tensix_words;

constexpr std::uint32_t sfpnop = 0x8f000000u;
constexpr std::uint32_t sfploadi(unsigned lreg, std::uint32_t imm16, unsigned mode = 2 /* USHORT */) {
    return 0x71000000u | lreg << 20 | mode << 16 | imm16;
}
constexpr std::uint32_t sfpload(unsigned lreg, unsigned mode, unsigned address) {
    return 0x70000000u | lreg << 20 | mode << 16 | address;
}
constexpr std::uint32_t sfpstore(unsigned lreg, unsigned mode, unsigned address) {
    return 0x72000000u | lreg << 20 | mode << 16 | address;
}
constexpr std::uint32_t sfpmad(unsigned a, unsigned b, unsigned c, unsigned dest) {
    return 0x84000000u | a << 16 | b << 12 | c << 8 | dest << 4;
}
constexpr std::uint32_t sfpswap(unsigned c, unsigned dest) { return 0x92000000u | c << 8 | dest << 4; }
constexpr std::uint32_t sfploadmacro(unsigned macro, unsigned lreg, unsigned mode, unsigned address) {
    return 0x93000000u | macro << 22 | (lreg & 3u) << 20 | mode << 16 | (address & ~1u) | lreg >> 2;
}

/// Mod0 of loads and stores.
constexpr unsigned mode_int32 = 4, mode_uint16 = 6, mode_zero = 11;
/// MiscLoadMacroConfig: all sub-units count instructions, or all count cycles.
constexpr std::uint32_t misc_counts_instructions = 0xf00u, misc_counts_cycles = 0x000u;
/// MiscLoadMacroConfig: a store uses the Mod0 of its SFPLOADMACRO, in all macros.
constexpr std::uint32_t misc_load_mod_for_store = 0x0f0u;
/// A sequence that schedules an SFPSTORE of the loaded register, `delay` ticks later; of L0, if `l0`.
constexpr std::uint32_t store_after(unsigned delay, bool l0 = false) {
    return ((l0 ? 0x80u : 0u) | delay << 3 | 3u) << 24;
}

// --- observers ---------------------------------------------------------------------------------------------

/// Keeps one line for every event of a run.
struct event_log : probe::pipeline_observer {
    std::vector<std::string> lines;

    void executed(const probe::execution_event& e) override {
        lines.push_back(fmt::format("{}..{} {} {:08x} vd{} vb{} vc{} word {}{}{} dst {:x} lanes {:08x}",
                                    e.begin.count(), e.end.count(), isa::to_string(e.unit), e.insn.word,
                                    e.insn.vd, e.insn.vb, e.insn.vc, e.word,
                                    e.from == probe::origin::macro ? " macro" : "",
                                    e.discarded ? " discarded" : "", e.dst_address, e.lanes));
    }
    void stalled(const probe::stall_event& e) override {
        lines.push_back(fmt::format("{} stall {} word {}", e.at.count(), probe::to_string(e.cause), e.word));
    }
    void forgotten(const probe::forgotten_event& e) override {
        lines.push_back(fmt::format("{} forgotten word {}", e.at.count(), e.word));
    }
    void counters_changed(const probe::counters_event& e) override {
        lines.push_back(fmt::format("{} rwc {} {} {}", e.at.count(), e.dst, e.dst_cr, e.sp));
    }
    void diagnosed(const diagnostic& e) override {
        lines.push_back(fmt::format("{} {} word {}", e.at.count(), describe(e.id).name, e.word));
    }
};

/// Keeps the cycle and the immediate of every issued SFPLOADI: words that can be told apart and never stall.
struct immediate_log : probe::pipeline_observer {
    struct entry {
        std::int64_t cycle;
        std::uint32_t immediate;
        friend bool operator==(const entry& a, const entry& b) {
            return a.cycle == b.cycle && a.immediate == b.immediate;
        }
        friend std::ostream& operator<<(std::ostream& to, const entry& e) {
            return to << fmt::format("{:#x} in cycle {}", e.immediate, e.cycle);
        }
    };
    std::vector<entry> entries;

    void executed(const probe::execution_event& e) override {
        if (e.insn.is(isa::opcode::sfploadi))
            entries.push_back({e.begin.count(), static_cast<std::uint32_t>(e.insn.imm)});
    }
};

// --- state -------------------------------------------------------------------------------------------------

inline bool same(const lanes& a, const lanes& b) { return std::equal(a.v, a.v + lane_count, b.v); }

/// Compares all that instructions can change except Dst, field by field; names what differs.
inline void expect_same_state(const isa::vector_state& a, const isa::vector_state& b) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        EXPECT_TRUE(same(a.lreg[lreg], b.lreg[lreg])) << "L" << lreg;
    EXPECT_EQ(a.flags, b.flags);
    EXPECT_EQ(a.use_flags, b.use_flags);
    ASSERT_EQ(a.stack.depth(), b.stack.depth());
    for (unsigned i = 0; i < a.stack.held(); ++i) {
        EXPECT_EQ(a.stack.from_bottom(i).flags, b.stack.from_bottom(i).flags) << "stack entry " << i;
        EXPECT_EQ(a.stack.from_bottom(i).use_flags, b.stack.from_bottom(i).use_flags) << "stack entry " << i;
    }
    for (unsigned column = 0; column < column_count; ++column) {
        EXPECT_EQ(a.config.column(column), b.config.column(column)) << "LaneConfig " << column;
        EXPECT_EQ(a.macro[column], b.macro[column]) << "LoadMacroConfig " << column;
    }
    EXPECT_TRUE(same(a.prng, b.prng));
    EXPECT_TRUE(same(a.shuffle_source, b.shuffle_source));
}

inline void expect_same_thread(const isa::thread_state& a, const isa::thread_state& b) {
    EXPECT_EQ(a.rwc.dst, b.rwc.dst);
    EXPECT_EQ(a.rwc.dst_cr, b.rwc.dst_cr);
    EXPECT_EQ(a.rwc.sp, b.rwc.sp);
    EXPECT_EQ(a.backend().fp32_enabled, b.backend().fp32_enabled);
    EXPECT_EQ(a.backend().srcb_format, b.backend().srcb_format);
    EXPECT_EQ(a.backend().dest_regw_base, b.backend().dest_regw_base);
    EXPECT_EQ(a.backend().dest_sp_base, b.backend().dest_sp_base);
    EXPECT_EQ(a.backend().rows.remap_addrs, b.backend().rows.remap_addrs);
    EXPECT_EQ(a.backend().rows.swizzle_32b, b.backend().rows.swizzle_32b);
    for (unsigned i = 0; i < isa::thread_state::register_count; ++i)
        EXPECT_EQ(a.config_register(i), b.config_register(i)) << "thread configuration register " << i;
}

inline void expect_same_counters(const probe::unit_counters& a, const probe::unit_counters& b) {
    EXPECT_EQ(a.words, b.words);
    EXPECT_EQ(a.instructions, b.instructions);
    EXPECT_EQ(a.issued, b.issued);
    EXPECT_EQ(a.scheduled, b.scheduled);
    EXPECT_EQ(a.discarded, b.discarded);
    EXPECT_EQ(a.busy, b.busy);
    EXPECT_EQ(a.stalls, b.stalls);
    EXPECT_EQ(a.stalls_by_thread, b.stalls_by_thread);
    EXPECT_EQ(a.reports, b.reports);
    EXPECT_EQ(a.macros_launched, b.macros_launched);
    EXPECT_EQ(a.macros_forgotten, b.macros_forgotten);
    EXPECT_EQ(a.macro_max_outstanding, b.macro_max_outstanding);
    EXPECT_EQ(a.dst_reads, b.dst_reads);
    EXPECT_EQ(a.dst_writes, b.dst_writes);
    EXPECT_EQ(a.not_modelled, b.not_modelled);
}

} // namespace sfpu::test
