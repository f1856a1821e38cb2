// What the tests of the TLM interfaces share: initiators driven by the test's own code, a rig of one vector
// unit and its Dst, instruction words, comparison of complete state.
//
// No model waits inside a transport call, so the initiators need no process: a test elaborates with start(),
// calls sockets, and lets simulated time pass with sc_start().
#pragma once

#include "payload.h"
#include "protocol_checker.h"
#include "tensix_words.h"

#include <sfpu/dst/dst_memory.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
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

// --- time --------------------------------------------------------------------------------------------------

inline sc_core::sc_time period() {
    return sc_core::sc_time(static_cast<double>(parameters{}.period_ps()), sc_core::SC_PS);
}
inline sc_core::sc_time time_of(std::int64_t cycle) { return period() * static_cast<double>(cycle); }
/// Elaborates; sockets may be called from now on.
inline void start() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
/// Lets simulated time pass up to the beginning of a cycle.
inline void run_to(std::int64_t cycle) { sc_core::sc_start(time_of(cycle) - sc_core::sc_time_stamp()); }

// --- initiators --------------------------------------------------------------------------------------------

/// Pushes instruction words; keeps its own local time as an offset to simulated time.
class word_pusher : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<word_pusher> isock{"isock"};
    tlm::tlm_generic_payload trans;
    sc_core::sc_time delay;                                          ///< the annotated delay of the next push
    std::vector<std::pair<tlm::tlm_phase, sc_core::sc_time>> phases; ///< that came back, and when

    explicit word_pusher(const sc_core::sc_module_name& name) : sc_module(name) {
        isock.register_nb_transport_bw(this, &word_pusher::answer);
    }

    /// Sets up `trans` for a push of these words.
    void prepare(std::vector<std::uint32_t> words) {
        words_ = std::move(words);
        fill(trans, tlm::TLM_WRITE_COMMAND, 0, words_.data(), static_cast<unsigned>(4 * words_.size()));
        trans.set_streaming_width(4);
    }
    tlm::tlm_response_status send() {
        isock->b_transport(trans, delay);
        return trans.get_response_status();
    }
    /// With four phases, not from a process: lets simulated time pass up to the response.
    tlm::tlm_response_status send_in_phases() {
        phases.clear();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        EXPECT_EQ(isock->nb_transport_fw(trans, phase, delay), tlm::TLM_ACCEPTED);
        sc_core::sc_start();
        EXPECT_EQ(phases.size(), 2u);
        delay = sc_core::SC_ZERO_TIME;
        return trans.get_response_status();
    }
    tlm::tlm_response_status push(std::vector<std::uint32_t> words) {
        prepare(std::move(words));
        return send();
    }
    /// The absolute cycle up to which the delay has come.
    std::int64_t cycle() const {
        return static_cast<std::int64_t>((sc_core::sc_time_stamp() + delay).value() / period().value());
    }
    void set_cycle(std::int64_t cycle) { delay = time_of(cycle) - sc_core::sc_time_stamp(); }

private:
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& after) {
        phases.emplace_back(phase, sc_core::sc_time_stamp() + after);
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }

    std::vector<std::uint32_t> words_;
};

/// Reads and writes raw Dst storage.
class memory_driver : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<memory_driver> isock{"isock"};
    tlm::tlm_generic_payload trans;
    sc_core::sc_time delay;
    /// DMI ranges that were taken back: start and inclusive end.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

    explicit memory_driver(const sc_core::sc_module_name& name) : sc_module(name) {
        isock.register_invalidate_direct_mem_ptr(this, &memory_driver::invalidate);
    }
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated.emplace_back(start, end); }

    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                    unsigned length) {
        fill(trans, command, address, data, length);
        isock->b_transport(trans, delay);
        return trans.get_response_status();
    }
    tlm::tlm_response_status read(std::uint64_t address, void* data, unsigned length) {
        return access(tlm::TLM_READ_COMMAND, address, data, length);
    }
    tlm::tlm_response_status write(std::uint64_t address, void* data, unsigned length) {
        return access(tlm::TLM_WRITE_COMMAND, address, data, length);
    }
    unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
        fill(trans, command, address, data, length);
        return isock->transport_dbg(trans);
    }
    /// A 16-bit cell, read without side effects.
    std::uint16_t debug_cell(unsigned row, unsigned column) {
        std::uint16_t cell = 0xdead;
        EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, row * 32 + column * 2, &cell, 2), 2u);
        return cell;
    }
};

/// Both slice ports of a Dst, driven without a vector unit.
struct slice_driver : sc_core::sc_module {
    slice_sender load{"load_isock", tlm::TLM_READ_COMMAND};
    slice_sender store{"store_isock", tlm::TLM_WRITE_COMMAND};

    explicit slice_driver(const sc_core::sc_module_name& name) : sc_module(name) {}

    void write(const dst::slice& where, const lanes& data) { store.store(where, data); }
    lanes read(const dst::slice& where) {
        lanes data;
        load.load(where, data);
        return data;
    }
};

// --- platforms ---------------------------------------------------------------------------------------------

/// A Dst with nothing but test drivers.
struct dst_rig : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    slice_driver slices{"slices"};
    memory_driver memory{"memory"};
    checked_bindings checked;

    explicit dst_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        slices.load.socket.bind(dst.load_tsock);
        slices.store.socket.bind(dst.store_tsock);
        checked.bind(memory.isock, dst.mem_tsock);
    }
};

/// A vector unit with its Dst, as an integrator would wire them.
struct unit_rig : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu;
    memory_driver memory{"memory"};
    std::vector<std::unique_ptr<word_pusher>> ports;
    checked_bindings checked;

    explicit unit_rig(const sc_core::sc_module_name& name = "rig", unsigned push_ports = 1)
        : sc_module(name), sfpu("sfpu", push_ports) {
        for (unsigned port = 0; port < push_ports; ++port) {
            ports.push_back(std::make_unique<word_pusher>(fmt::format("pusher_{}", port).c_str()));
            checked.bind(ports.back()->isock, sfpu.insn_tsock(port));
        }
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        checked.bind(memory.isock, dst.mem_tsock);
        dst.attach(sfpu);
    }

    word_pusher& port(unsigned index = 0) { return *ports[index]; }
    void reset(const parameters& config, const vector_unit::listeners& to = {}) {
        sfpu.reset(config, to);
        dst.reset(config, &sfpu.state().reporter);
    }
    /// Gives every column one sequence and MiscLoadMacroConfig. Between reset() and the first push.
    void set_macro(unsigned index, std::uint32_t sequence, std::uint32_t misc) {
        for (isa::macro_configuration& column : sfpu.state().vector.macro) {
            column.sequence[index] = sequence;
            column.misc = misc;
        }
        ++sfpu.state().vector.macro_version;
    }
};

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
    EXPECT_EQ(a.stalls, b.stalls);
    EXPECT_EQ(a.reports, b.reports);
    EXPECT_EQ(a.macros_launched, b.macros_launched);
    EXPECT_EQ(a.macros_forgotten, b.macros_forgotten);
    EXPECT_EQ(a.macro_max_outstanding, b.macro_max_outstanding);
    EXPECT_EQ(a.dst_reads, b.dst_reads);
    EXPECT_EQ(a.dst_writes, b.dst_writes);
}

/// Compares everything that a unit and its Dst show to the outside, apart from who observes.
/// A rig has a vector_unit `sfpu` and a dst_memory `dst`.
template <class Rig>
void expect_same_rigs(const Rig& a, const Rig& b) {
    const unit_state &x = a.sfpu.state(), &y = b.sfpu.state();
    expect_same_state(x.vector, y.vector);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        expect_same_thread(x.threads[thread], y.threads[thread]);
    EXPECT_EQ(x.reporter.counts(), y.reporter.counts());
    EXPECT_EQ(x.config.arch, y.config.arch);
    EXPECT_EQ(x.counters.words, y.counters.words);
    EXPECT_EQ(x.counters.instructions, y.counters.instructions);
    EXPECT_EQ(x.counters.issued, y.counters.issued);
    EXPECT_EQ(x.counters.scheduled, y.counters.scheduled);
    EXPECT_EQ(x.counters.discarded, y.counters.discarded);
    EXPECT_EQ(x.counters.stalls, y.counters.stalls);
    EXPECT_EQ(x.counters.macros_launched, y.counters.macros_launched);
    EXPECT_EQ(x.counters.macros_forgotten, y.counters.macros_forgotten);
    EXPECT_EQ(x.counters.macro_max_outstanding, y.counters.macro_max_outstanding);
    EXPECT_EQ(a.sfpu.busy(), b.sfpu.busy());
    EXPECT_EQ(a.sfpu.cycles_used(), b.sfpu.cycles_used());
    EXPECT_EQ(a.sfpu.now(), b.sfpu.now());
    EXPECT_EQ(a.sfpu.last_effect(), b.sfpu.last_effect());
    EXPECT_EQ(a.sfpu.issue().first_issue(), b.sfpu.issue().first_issue());
    EXPECT_EQ(a.sfpu.issue().next_free(), b.sfpu.issue().next_free());
    EXPECT_EQ(a.dst.reads(), b.dst.reads());
    EXPECT_EQ(a.dst.writes(), b.dst.writes());
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            ASSERT_EQ(a.dst.storage().cell(row, column), b.dst.storage().cell(row, column))
                << "row " << row << ", column " << column;
}

} // namespace sfpu::test
