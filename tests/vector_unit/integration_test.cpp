// What the vector unit owes a platform beside its sockets: clear reports about wrong wiring and wrong time
// resolution, and nothing left undone when the simulation is stopped.
#include "forked.h"
#include "rig.h"

#include <sfpu/traces/vcd_writer.h>

#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace sfpu::test {
namespace {

/// The SystemC report that `action` throws; type and text empty if it throws none.
struct thrown_report {
    std::string type, text;
};
thrown_report report_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const sc_core::sc_report& report) {
        return {report.get_msg_type(), report.get_msg()};
    }
    return {};
}

parameters with_period(unsigned period_ps) {
    parameters config;
    config.clock_period_ps = period_ps;
    return config;
}

TEST(time_resolution, that_rounds_the_clock_period_is_reported_at_the_end_of_elaboration) {
    for (const double resolution_ns : {1.0, 10.0, 1000.0}) {
        in_child([=] {
            sc_core::sc_set_time_resolution(resolution_ns, sc_core::SC_NS);
            unit_rig rig;
            const thrown_report report = report_of([] { start(); });
            EXPECT_EQ(report.type, "/sfpu/clock/resolution");
            EXPECT_NE(report.text.find("rig.sfpu"), std::string::npos) << report.text;
            EXPECT_NE(report.text.find("741 ps"), std::string::npos) << report.text;
        });
    }
}

TEST(time_resolution, that_rounds_the_clock_period_is_reported_at_reset) {
    in_child([] {
        sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
        unit_rig rig;
        rig.reset(with_period(2000));
        start();
        EXPECT_EQ(report_of([&] { rig.reset(with_period(1500)); }).type, "/sfpu/clock/resolution");
        EXPECT_EQ(report_of([&] { rig.reset(with_period(100)); }).type, "/sfpu/clock/resolution");
        EXPECT_EQ(report_of([&] { rig.reset(with_period(3000)); }).type, "");
        EXPECT_EQ(rig.port().push({sfpnop, sfpnop}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.port().delay, sc_core::sc_time(6, sc_core::SC_NS));
    });
}

TEST(time_resolution, finer_than_the_default_is_accepted) {
    in_child([] {
        sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
        unit_rig rig;
        EXPECT_EQ(report_of([] { start(); }).type, "");
        EXPECT_EQ(rig.port().push({sfpnop}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.port().delay, sc_core::sc_time(741, sc_core::SC_PS));
    });
}

TEST(end_of_simulation, lets_scheduled_instructions_of_the_past_execute) {
    in_child([] {
        unit_rig rig;
        start();
        rig.reset(parameters{});
        rig.set_macro(0, store_after(3), misc_counts_cycles | misc_load_mod_for_store);
        rig.dst.storage().set_cell(0, 0, 0x1234);
        EXPECT_EQ(rig.port().push({sfploadmacro(0, 0, mode_uint16, 0)}), tlm::TLM_OK_RESPONSE);
        run_to(20);
        EXPECT_EQ(rig.dst.writes(), 0u); // nobody asked yet
        sc_core::sc_stop();
        EXPECT_EQ(rig.dst.writes(), 1u);
        EXPECT_FALSE(rig.sfpu.busy());
    });
}

/// A waveform that a platform of somebody's writes without ever calling finish().
struct traced_rig {
    std::ostream& out;
    traces::vcd_writer writer{out, {}};
    unit_rig rig;

    explicit traced_rig(std::ostream& to) : out(to) {}
    void execute_a_nop() {
        rig.reset(parameters{}, {&writer, nullptr, hazard_policy::warn});
        EXPECT_EQ(rig.port().push({sfpnop}), tlm::TLM_OK_RESPONSE);
        run_to(20);
    }
};
/// It begins as waveforms do, shows the SFPNOP in cycle 0, and ends at the end of a cycle.
bool is_whole(const std::string& vcd) {
    return vcd.find("$enddefinitions") != std::string::npos && vcd.find("\n#0\n") != std::string::npos &&
           vcd.find("sfpnop") != std::string::npos && vcd.find("\n#1000") != std::string::npos &&
           vcd.back() == '\n';
}

TEST(end_of_simulation, ends_the_waveform_at_sc_stop) {
    in_child([] {
        std::ostringstream out;
        auto* const platform = new traced_rig(out); // nobody destroys it before the file is looked at
        start();
        platform->execute_a_nop();
        EXPECT_FALSE(is_whole(out.str()));
        sc_core::sc_stop();
        EXPECT_PRED1(is_whole, out.str());
        delete platform;
    });
}

TEST(end_of_simulation, leaves_a_whole_waveform_behind_a_return_an_exception_and_an_error_report) {
    const std::function<void()> ends[] = {
        [] {}, [] { throw std::runtime_error("of the platform"); },
        [] { SC_REPORT_ERROR("/platform/wrong", "an error report throws"); }};
    for (const auto& end : ends)
        in_child([&] {
            std::ostringstream out;
            try {
                traced_rig platform(out);
                start();
                platform.execute_a_nop();
                end();
            } catch (const std::exception&) {
            }
            EXPECT_PRED1(is_whole, out.str());
        });
}

/// A target that understands no slices.
struct refusing_target : sc_core::sc_module, dst::slice_fw_if {
    dst::slice_target_socket tsock{"tsock"};

    explicit refusing_target(const sc_core::sc_module_name& name) : sc_module(name) { tsock.bind(*this); }
    void b_transport(dst::slice_payload& trans, sc_core::sc_time&) override {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(dst::slice_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(dst::slice_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(dst::slice_payload&) override { return 0; }
};

TEST(dst_ports, report_a_target_that_refuses_slices) {
    in_child([] {
        vector_unit sfpu("sfpu");
        word_pusher pusher("pusher");
        refusing_target loads("loads"), stores("stores");
        pusher.isock.bind(sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(loads.tsock);
        sfpu.dst_store_isock().bind(stores.tsock);
        start();
        for (const std::uint32_t word : {sfpload(0, mode_int32, 8), sfpstore(0, mode_int32, 8)}) {
            const thrown_report report = report_of([&] { pusher.push({word}); });
            EXPECT_EQ(report.type, "/sfpu/dst/refused");
            EXPECT_NE(report.text.find("rows 8 to 11"), std::string::npos) << report.text;
        }
    });
}

} // namespace
} // namespace sfpu::test
