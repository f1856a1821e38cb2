// A platform around a tile, as somebody else would build it: a master on the target socket, a memory behind
// the initiator socket, pins. Checkers of the base protocol sit on all sockets, those inside the tile
// included.
#pragma once

#include "payload.h"
#include "protocol_checker.h"

#include <sfpu/memory/bus.h>
#include <sfpu/memory/ram.h>
#include <sfpu/tile/tile.h>

#include <gtest/gtest.h>

#include <tlm_utils/tlm_quantumkeeper.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sfpu::test {

/// Runs a function in a thread of its own, which calls the socket in both ways.
class master : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<master, 32> isock{"isock"};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;
    std::function<void(master&)> program;

    explicit master(const sc_core::sc_module_name& name) : sc_module(name) {
        isock.register_nb_transport_bw(this, &master::answer);
        isock.register_invalidate_direct_mem_ptr(this, &master::invalidate);
        SC_HAS_PROCESS(master);
        SC_THREAD(run);
        set_stack_size(0x100000);
    }

    /// A blocking access of which the annotated delay is waited for.
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                    unsigned length) {
        tlm::tlm_generic_payload trans;
        fill(trans, command, address, data, length);
        return send(trans);
    }
    tlm::tlm_response_status send(tlm::tlm_generic_payload& trans) {
        sc_core::sc_time delay;
        isock->b_transport(trans, delay);
        if (delay != sc_core::SC_ZERO_TIME) wait(delay);
        return trans.get_response_status();
    }
    tlm::tlm_response_status store(std::uint64_t address, std::uint32_t value) {
        return access(tlm::TLM_WRITE_COMMAND, address, &value, 4);
    }
    std::uint32_t load(std::uint64_t address) {
        std::uint32_t value = 0xdeadbeef;
        EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, &value, 4), tlm::TLM_OK_RESPONSE)
            << std::hex << address;
        return value;
    }
    void copy_to(std::uint64_t address, std::vector<std::uint32_t> words) {
        EXPECT_EQ(
            access(tlm::TLM_WRITE_COMMAND, address, words.data(), static_cast<unsigned>(4 * words.size())),
            tlm::TLM_OK_RESPONSE);
    }
    /// With four phases; comes back after END_REQ, with the response after BEGIN_RESP, which is awaited if
    /// `whole`.
    tlm::tlm_response_status send_in_phases(tlm::tlm_command command, std::uint64_t address, void* data,
                                            unsigned length, bool whole = true) {
        if (is_responding_) wait(responded_);
        fill(phased_, command, address, data, length);
        return begin(phased_, whole);
    }
    /// The same with a payload of the caller's, until the response.
    tlm::tlm_response_status send_in_phases(tlm::tlm_generic_payload& trans) {
        if (is_responding_) wait(responded_);
        return begin(trans, true);
    }
    unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
        tlm::tlm_generic_payload trans;
        fill(trans, command, address, data, length);
        return isock->transport_dbg(trans);
    }
    bool direct(std::uint64_t address, tlm::tlm_dmi& dmi) {
        tlm::tlm_generic_payload trans;
        fill(trans, tlm::TLM_READ_COMMAND, address, nullptr, 4);
        return isock->get_direct_mem_ptr(trans, dmi);
    }

private:
    /// The payload lives longer than the transaction.
    struct memory_manager : tlm::tlm_mm_interface {
        void free(tlm::tlm_generic_payload*) override {}
    };

    tlm::tlm_response_status begin(tlm::tlm_generic_payload& trans, bool whole) {
        trans.set_mm(&manager_);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        is_requested_ = is_responding_ = true;
        if (isock->nb_transport_fw(trans, phase, delay) == tlm::TLM_COMPLETED) {
            is_requested_ = is_responding_ = false;
            return trans.get_response_status();
        }
        if (is_requested_) wait(request_ended_);
        if (whole && is_responding_) wait(responded_);
        return trans.get_response_status();
    }
    void run() {
        if (!program) return;
        program(*this);
        if (--running() == 0) sc_core::sc_stop();
    }
    void start_of_simulation() override { running() += program ? 1 : 0; }
    /// Masters whose programs are not done.
    static unsigned& running() {
        static unsigned count = 0;
        return count;
    }
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        is_requested_ = false;
        request_ended_.notify(sc_core::SC_ZERO_TIME);
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        is_responding_ = false;
        responded_.notify(sc_core::SC_ZERO_TIME);
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated.emplace_back(first, last); }

    memory_manager manager_;
    tlm::tlm_generic_payload phased_;
    bool is_requested_ = false, is_responding_ = false;
    sc_core::sc_event request_ended_{"request_ended"}, responded_{"responded"};
};

/// Addresses of a tile that its users need.
namespace at {
constexpr std::uint32_t exit_code = 0xffb10000, interrupt_out = 0xffb10004, software_interrupt = 0xffb10008;
constexpr std::uint32_t soft_reset = 0xffb121b0, disable_reset = 0xffb12224, t0_start = 0xffb12228,
                        start_override = 0xffb12234, wall_clock = 0xffb121f0;
constexpr std::uint32_t push = 0xffe40000, pc_buffer = 0xffe80000, done_check = 0xffe80004,
                        semaphores = 0xffe80020, mailboxes = 0xffec0000, config = 0xffef0000,
                        dst_window = 0xffbd8000, mop_config = 0xffb80000;
constexpr std::uint32_t shared = 0x40000000; ///< the memory outside
} // namespace at
constexpr std::uint32_t all_held = 0x47800, bit_b = 1u << 11, bit_t0 = 1u << 12, bit_t1 = 1u << 13;

struct tile_platform : sc_core::sc_module {
    checked_bindings checked;
    sfpu::tile dut;
    master host{"host"};
    memory::bus outside;
    memory::ram shared{"shared", 0x10000};
    sc_core::sc_signal<bool> rst{"rst"}, external{"external"}, timer{"timer"}, software{"software"},
        interrupt_out{"interrupt_out"};

    explicit tile_platform(const parameters& config = {}, const sc_core::sc_module_name& name = "platform")
        : sc_module(name), dut("tile", config, &checked),
          outside("outside", {{at::shared, 0x10000, "shared", "memory outside the tile"}}) {
        checked.bind(host.isock, dut.tsock);
        checked.bind(dut.isock, outside.tsock());
        checked.bind(outside.isock("shared"), shared.tsock);
        shared.reset();
        dut.rst.bind(rst);
        dut.external_interrupt.bind(external);
        dut.timer_interrupt.bind(timer);
        dut.software_interrupt.bind(software);
        dut.interrupt_out.bind(interrupt_out);
    }
    /// Simulates until the functions of all masters, in their threads, are done.
    void run(std::function<void(master&)> program) {
        host.program = std::move(program);
        sc_core::sc_start();
    }
    /// The host lets a core begin at an address.
    void boot(master& by, std::uint32_t address) {
        by.store(at::t0_start, address);
        by.store(at::start_override, 1);
        by.store(at::soft_reset, all_held & ~bit_t0);
    }
    void wait_for_end() {
        sc_core::wait(sc_core::sc_time(1, sc_core::SC_MS), dut.done_event());
        EXPECT_EQ(dut.status().now, tile_status::state::ended);
    }
};

inline void set_quantum(const sc_core::sc_time& quantum) { tlm::tlm_global_quantum::instance().set(quantum); }

} // namespace sfpu::test
