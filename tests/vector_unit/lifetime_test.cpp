// What is destroyed leaves nothing behind, however often; and nothing that an initiator or a platform can say
// makes a model crash: it gets a response or a report.
#include "allocated_bytes.h"
#include "bench_record.h"
#include "forked.h"
#include "random_program.h"
#include "rig.h"

#include <sfpu/platform/tile_run.h>

namespace sfpu::test {
namespace {

#ifdef SFPU_INSTRUMENTED
constexpr unsigned many_times = 500;
#else
constexpr unsigned many_times = 10000;
#endif

/// Does something often and expects that memory does not grow by it: the allocator may keep a little, and
/// once.
template <class Act>
void expect_flat(unsigned times, Act act) {
    for (unsigned i = 0; i < 50; ++i) act(); // what is kept for ever is there now
    const std::size_t before = allocated_bytes();
    for (unsigned i = 0; i < times; ++i) act();
    const std::size_t after = allocated_bytes();
    EXPECT_LT(after, before + 4 * times + 8192)
        << "bytes more each time: " << static_cast<double>(after - before) / times;
}

parameters three_harts() {
    parameters config;
    config.hart.count = 3;
    return config;
}

/// The SystemC report that `action` throws; empty if it throws none.
template <class Action>
std::string report_of(Action action) {
    try {
        action();
    } catch (const sc_core::sc_report& report) {
        return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return {};
}

// --- lifetime ----------------------------------------------------------------------------------------------

TEST(lifetime, vector_units_that_are_destroyed_before_elaboration_leave_nothing) {
    in_child([] { expect_flat(many_times, [] { unit_rig rig("rig", 2); }); });
}
TEST(lifetime, benches_that_are_destroyed_before_elaboration_leave_nothing) {
    in_child([] { expect_flat(many_times, [] { platform::sfpu_bench bench; }); });
}
TEST(lifetime, tiles_that_are_destroyed_before_elaboration_leave_nothing) {
    in_child([] { expect_flat(many_times / 10, [] { platform::tile_run tile("tile", three_harts()); }); });
}

TEST(lifetime, what_was_destroyed_before_elaboration_does_not_disturb_what_is_elaborated) {
    in_child([] {
        for (unsigned i = 0; i < 3; ++i) {
            platform::sfpu_bench bench;
            platform::tile_run tile("tile", three_harts());
            unit_rig rig("rig", 3);
        }
        platform::sfpu_bench bench;
        random_programs programs(81);
        for (unsigned i = 0; i < 5; ++i) bench.run(programs.next());
    });
}

TEST(lifetime, a_bench_that_was_destroyed_after_its_run_does_not_disturb_the_others) {
    in_child([] {
        auto first = std::make_unique<platform::sfpu_bench>();
        auto never_run = std::make_unique<platform::sfpu_bench>();
        platform::sfpu_bench stays;
        random_programs programs(82);
        const platform::run_request program = programs.next();
        const bench_record before = run(stays, program);
        first->run(program);
        first.reset();
        never_run.reset();
        expect_same(before, run(stays, program));
    });
}

TEST(lifetime, a_tile_that_was_destroyed_after_elaboration_does_not_disturb_the_others) {
    in_child([] {
        auto tile = std::make_unique<platform::tile_run>("tile", three_harts());
        platform::sfpu_bench stays;
        random_programs programs(83);
        const platform::run_request program = programs.next();
        const bench_record before = run(stays, program);
        tile.reset();
        expect_same(before, run(stays, program));
    });
}

TEST(lifetime, a_bench_that_is_built_too_late_is_told_so) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(84);
        bench.run(programs.next());
        EXPECT_NE(report_of([] { platform::sfpu_bench late; }), "");
        bench.run(programs.next());
    });
}

TEST(lifetime, runs_and_resets_do_not_let_memory_grow) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(85);
        std::vector<platform::run_request> requests;
        for (unsigned i = 0; i < 10; ++i) requests.push_back(programs.next());
        unsigned number = 0;
        expect_flat(many_times, [&] { bench.run(requests[number++ % requests.size()]); });
    });
}

TEST(lifetime, a_tile_that_is_reset_often_does_not_grow) {
    in_child([] {
        platform::tile_run tile("tile", three_harts());
        start();
        expect_flat(many_times / 50, [&] {
            tile.reset({});
            // An endless loop at the entry, which is address 0: jal x0, 0.
            const unsigned char loop[] = {0x6f, 0, 0, 0};
            EXPECT_TRUE(tile.write(0, loop, sizeof loop));
            EXPECT_EQ(tile.run(cycles{100}).why, platform::tile_result::outcome::cycle_limit);
        });
    });
}

// --- nothing that can be said crashes ----------------------------------------------------------------------

TEST(robustness, an_issue_order_without_its_array_is_served_on_one_port_and_on_two) {
    for (const unsigned ports : {1u, 2u})
        in_child([=] {
            unit_rig rig("rig", ports);
            start();
            issue_order order;
            order.index = 0;
            rig.port().prepare({sfploadi(0, 7), sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4)});
            rig.port().trans.set_extension(&order);
            EXPECT_EQ(rig.port().send(), tlm::TLM_OK_RESPONSE);
            rig.port().trans.clear_extension(&order);
            EXPECT_EQ(order.taken, 3u);
            const std::array<unsigned char, 4> nop{0, 0, 0, 0x8f};
            order.start = rig.sfpu.issue().next_free();
            EXPECT_LE(rig.sfpu.foresee(nop.data(), 1, order), 1u);
            rig.sfpu.drain();
            EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 7u);
        });
}

TEST(robustness, an_issue_order_of_a_thread_that_does_not_exist_is_refused) {
    in_child([] {
        unit_rig rig;
        start();
        issue_order order;
        order.index = 0;
        order.thread = isa::thread_count;
        rig.port().prepare({incrwc(1), sfpload(0, mode_int32, 0)});
        rig.port().trans.set_extension(&order);
        EXPECT_EQ(rig.port().send(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        rig.port().trans.clear_extension(&order);
        EXPECT_EQ(rig.sfpu.state().counters.words, 0u);
    });
}

TEST(robustness, a_push_without_data_is_refused) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().prepare({sfpnop});
        rig.port().trans.set_data_ptr(nullptr);
        EXPECT_EQ(rig.port().send(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(rig.sfpu.state().counters.words, 0u);
    });
}

TEST(robustness, a_dst_access_without_data_is_refused) {
    in_child([] {
        unit_rig rig;
        start();
        EXPECT_EQ(rig.memory.read(0, nullptr, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(rig.memory.write(0, nullptr, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(rig.memory.debug(tlm::TLM_READ_COMMAND, 0, nullptr, 4), 0u);
        EXPECT_EQ(rig.memory.debug(tlm::TLM_WRITE_COMMAND, 0, nullptr, 4), 0u);
    });
}

TEST(robustness, a_unit_can_be_brought_to_the_end_of_time) {
    for (const unsigned ports : {1u, 2u})
        in_child([=] {
            unit_rig rig("rig", ports);
            start();
            rig.set_macro(0, store_after(7), misc_counts_instructions);
            rig.port().push({sfploadmacro(0, 0, mode_int32, 0), sfpmad(0, 1, 2, 3)});
            const cycles end = rig.sfpu.catch_up(sc_core::sc_max_time());
            EXPECT_GT(end, cycles{std::int64_t{1} << 40}) << "and not a cycle that has gone round";
            EXPECT_EQ(rig.sfpu.catch_up(sc_core::sc_max_time()), end);
            // What comes after that still gets a response.
            EXPECT_EQ(rig.port().push({sfploadi(0, 7)}), tlm::TLM_OK_RESPONSE);
            rig.memory.delay = sc_core::sc_max_time();
            std::uint32_t word = 0;
            EXPECT_EQ(rig.memory.read(0, &word, 4), tlm::TLM_OK_RESPONSE);
            rig.sfpu.drain();
            EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 7u);
            rig.reset(parameters{});
            rig.port().delay = sc_core::SC_ZERO_TIME;
            rig.port().push({sfploadi(0, 8)});
            rig.sfpu.drain();
            EXPECT_EQ(rig.sfpu.cycles_used(), one_cycle) << "and a reset begins anew";
        });
}

TEST(robustness, a_reset_with_invalid_parameters_is_reported_and_changes_nothing) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().push({sfploadi(0, 7)});
        rig.sfpu.drain();
        for (void (*spoil)(parameters&) :
             {+[](parameters& p) { p.macro_count = 1000; }, +[](parameters& p) { p.macro_templates = 0; },
              +[](parameters& p) { p.macro_slots = 0; }, +[](parameters& p) { p.macro_delay_bits = 40; },
              +[](parameters& p) { p.latency_mad = 0; }, +[](parameters& p) { p.latency_mad = 1u << 31; },
              +[](parameters& p) { p.sfpu_issue_width = 77; }, +[](parameters& p) { p.sfpu_mad_units = 9; },
              +[](parameters& p) { p.dst_load_ports = 0; }, +[](parameters& p) { p.dst_store_ports = 100; },
              +[](parameters& p) { p.sfpu_write_order = 0x99999; },
              +[](parameters& p) { p.arch = static_cast<architecture>(7); }}) {
            parameters config;
            spoil(config);
            const std::string report = report_of([&] { rig.sfpu.reset(config); });
            EXPECT_NE(report.find("/sfpu/parameters/invalid"), std::string::npos) << report;
            EXPECT_NE(report.find("expected"), std::string::npos) << report;
            EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 7u);
        }
        rig.reset(parameters{});
        EXPECT_EQ(rig.port().push({sfploadi(0, 8)}), tlm::TLM_OK_RESPONSE);
    });
}

TEST(robustness, a_platform_with_invalid_parameters_is_reported) {
    in_child([] {
        parameters config;
        config.hart.count = 17;
        EXPECT_NE(report_of([&] { platform::tile_run tile("tile", config); }).find("hart.count"),
                  std::string::npos);
        platform::sfpu_bench bench;
        random_programs programs(86);
        platform::run_request request = programs.next();
        request.config.latency_mad = 0;
        EXPECT_NE(report_of([&] { bench.run(request); }).find("sfpu.latency.mad"), std::string::npos);
        request.config.latency_mad = 2;
        bench.run(request);
    });
}

} // namespace
} // namespace sfpu::test
