// The vector unit as a lagging consumer: who brings it to the present, how far, and that nobody notices
// otherwise.
#include "forked.h"
#include "random_program.h"
#include "rig.h"

namespace sfpu::test {
namespace {

/// SFPLOADMACRO in cycle 0 with a store of L0 (0x1234) to row 0 in cycle 1 + 7, which waits for elapsed
/// cycles.
void push_pending_store(unit_rig& rig, std::uint32_t kind = misc_counts_cycles) {
    rig.set_macro(0, store_after(7, true), kind | misc_load_mod_for_store);
    rig.sfpu.state().vector.lreg[0] = broadcast(0x1234);
    rig.port().push({sfploadmacro(0, 1, mode_uint16, 0)});
}

TEST(lagging, a_pending_store_is_seen_by_a_debug_read_once_its_cycle_has_passed_and_not_before) {
    in_child([] {
        unit_rig rig;
        start();
        push_pending_store(rig);
        for (const std::int64_t cycle : {0, 1, 5, 8}) {
            run_to(cycle);
            EXPECT_EQ(rig.memory.debug_cell(0, 0), 0) << "at the start of cycle " << cycle;
        }
        run_to(9);
        EXPECT_EQ(rig.memory.debug_cell(0, 0), 0x1234);
    });
}

TEST(lagging, a_pending_store_is_seen_by_a_bus_read_at_its_annotated_time) {
    in_child([] {
        unit_rig rig;
        start();
        push_pending_store(rig);
        std::uint16_t cell = 0;
        rig.memory.delay = time_of(8);
        rig.memory.read(0, &cell, 2);
        EXPECT_EQ(cell, 0);
        EXPECT_EQ(rig.memory.delay, time_of(9));
        rig.memory.read(0, &cell, 2);
        EXPECT_EQ(cell, 0x1234);
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    });
}

TEST(lagging, a_bus_write_lands_between_the_cycles_that_its_time_says) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().delay = time_of(10);
        std::uint16_t cell = 0x77;
        rig.memory.delay = time_of(10);
        rig.memory.write(0, &cell, 2);
        rig.port().push({sfpload(1, mode_uint16, 0)}); // cycle 10: after the write
        cell = 0x88;
        rig.memory.delay = time_of(11);
        rig.memory.write(0, &cell, 2);
        rig.port().push({sfpload(2, mode_uint16, 0)}); // cycle 11: after the second
        rig.sfpu.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[1][0], 0x77u);
        EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], 0x88u);
    });
}

TEST(lagging, time_alone_changes_nothing_until_somebody_needs_the_state) {
    in_child([] {
        unit_rig rig;
        start();
        push_pending_store(rig);
        const cycles before = rig.sfpu.now();
        run_to(100);
        EXPECT_EQ(rig.sfpu.now(), before);
        EXPECT_TRUE(rig.sfpu.busy());
        rig.sfpu.catch_up(sc_core::sc_time_stamp());
        EXPECT_EQ(rig.sfpu.now(), cycles{100});
        EXPECT_FALSE(rig.sfpu.busy());
    });
}

TEST(lagging, catch_up_simulates_what_is_before_the_time_and_no_more) {
    in_child([] {
        unit_rig rig;
        start();
        rig.sfpu.state().vector.lreg[1] = broadcast(0x3f800000);
        rig.port().push({sfpmad(1, 10, 9, 2)}); // 1 * 1 + 0 in cycles 0 and 1
        rig.sfpu.catch_up(time_of(1));
        EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], 0u);
        rig.sfpu.catch_up(time_of(2));
        EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], 0x3f800000u);
        rig.sfpu.catch_up(time_of(1)); // the past: nothing to do
        EXPECT_EQ(rig.sfpu.now(), cycles{2});
    });
}

TEST(lagging, entries_that_count_instructions_stay_however_much_time_passes) {
    // T10: without an issue there is no tick. A hundred seconds are 135 thousand million cycles and take no
    // time here.
    in_child([] {
        unit_rig rig;
        start();
        push_pending_store(rig, misc_counts_instructions);
        rig.sfpu.catch_up(sc_core::sc_time(100, sc_core::SC_SEC));
        EXPECT_TRUE(rig.sfpu.busy());
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0);
        rig.port().push(std::vector<std::uint32_t>(8, sfpnop));
        rig.sfpu.drain();
        EXPECT_FALSE(rig.sfpu.busy());
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0x1234);
    });
}

TEST(lagging, a_debug_read_at_the_present_does_not_delay_the_next_push) {
    in_child([] {
        unit_rig rig;
        start();
        run_to(50);
        rig.memory.debug_cell(0, 0);
        rig.port().push({sfpnop});
        EXPECT_EQ(rig.sfpu.issue().first_issue(), cycles{50});
        EXPECT_EQ(rig.port().delay, period());
    });
}

/// Runs a program word by word, in step with simulated time.
struct stepped_run {
    std::vector<std::string> events;
    isa::vector_state state;
    std::vector<unsigned char> dst;
    std::int64_t cycles_used;
};

stepped_run run_in_steps(unit_rig& rig, const platform::run_request& program, bool look) {
    event_log log;
    rig.reset(program.config, {&log, nullptr, hazard_policy::warn});
    rig.sfpu.state().start_from(program.state);
    rig.sfpu.state().threads.fill(program.thread);
    rig.port().delay = sc_core::SC_ZERO_TIME;
    for (const std::uint32_t word : program.segments.front().words) {
        EXPECT_EQ(rig.port().push({word}), tlm::TLM_OK_RESPONSE);
        sc_core::sc_start(rig.port().delay);
        rig.port().delay = sc_core::SC_ZERO_TIME;
        if (look) rig.memory.debug_cell(0, 0);
    }
    rig.sfpu.drain();
    rig.dst.settle();
    const unsigned char* bytes = rig.dst.storage().data();
    stepped_run result{
        log.lines, rig.sfpu.state().vector, {bytes, bytes + dst::bytes}, rig.sfpu.cycles_used().count()};
    rig.sfpu.reset(parameters{}); // the log ends here
    return result;
}

TEST(lagging, debug_reads_between_the_words_change_neither_results_nor_cycles) {
    in_child([] {
        unit_rig rig;
        start();
        random_programs programs(31);
        for (unsigned i = 0; i < 40; ++i) {
            platform::run_request program = programs.next();
            program.config.dst_store_load_visible = i % 4;
            const stepped_run plain = run_in_steps(rig, program, false),
                              looked = run_in_steps(rig, program, true);
            EXPECT_EQ(plain.events, looked.events);
            expect_same_state(plain.state, looked.state);
            EXPECT_TRUE(plain.dst == looked.dst);
            EXPECT_EQ(plain.cycles_used, looked.cycles_used);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

} // namespace
} // namespace sfpu::test
