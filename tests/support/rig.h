// What the tests of the TLM interfaces share: initiators driven by the test's own code, a rig of one vector
// unit and its Dst, and of plain_rig.h instruction words and comparison of complete state.
//
// No model waits inside a transport call, so the initiators need no process: a test elaborates with start(),
// calls sockets, and lets simulated time pass with sc_start().
#pragma once

#include "payload.h"
#include "plain_rig.h"
#include "protocol_checker.h"

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

namespace sfpu::test {

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

// --- state ----------------------------------------------------------------------------------------------

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
