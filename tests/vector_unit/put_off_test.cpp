// Words that come one by one, as they came before, are executed some at a time: nobody who looks can tell.
#include "forked.h"
#include "random_loops.h"
#include "rig.h"

#include <random>

namespace sfpu::test {
namespace {

/// L0 = L0 + 1 in all lanes.
constexpr std::uint32_t add_one = 0x79001005u;

void push_one_by_one(unit_rig& rig, const std::vector<std::uint32_t>& words) {
    for (const std::uint32_t word : words) ASSERT_EQ(rig.port().push({word}), tlm::TLM_OK_RESPONSE);
}

TEST(put_off_words, have_been_executed_whenever_registers_are_read) {
    in_child([] {
        unit_rig rig;
        start();
        rig.reset(parameters{});
        std::uint32_t expected = 0;
        for (unsigned count = 100; count < 400; count += 7) {
            push_one_by_one(rig, std::vector<std::uint32_t>(count, add_one));
            expected += count;
            EXPECT_EQ(rig.port().delay, time_of(expected)); // one a cycle
            EXPECT_EQ(rig.sfpu.state().vector.lreg[0][31], expected);
            EXPECT_EQ(rig.sfpu.state().counters.words, expected);
            EXPECT_EQ(rig.sfpu.now(), cycles{expected});
        }
        EXPECT_GT(rig.sfpu.issue().words_put_off(), expected / 2);
    });
}

TEST(put_off_words, a_late_word_finds_them_done_and_its_bubble_kept) {
    in_child([] {
        unit_rig rig;
        start();
        rig.reset(parameters{});
        rig.set_macro(0, store_after(5, true), misc_counts_instructions | misc_load_mod_for_store);
        const std::vector<std::uint32_t> loop{sfploadmacro(0, 1, mode_uint16, 0),
                                              add_one,
                                              add_one,
                                              add_one,
                                              add_one,
                                              add_one,
                                              add_one,
                                              add_one,
                                              add_one};
        for (unsigned i = 0; i < 40; ++i) push_one_by_one(rig, loop);
        const std::uint32_t before = 40 * 8;
        push_one_by_one(rig, {loop.begin(), loop.begin() + 5}); // the store waits for two more instructions
        rig.port().delay += period() * 10.0;
        push_one_by_one(rig, {sfpnop});
        EXPECT_EQ(rig.dst.storage().cell(0, 0),
                  before - 3); // of the loop before, five additions after its macro
        push_one_by_one(rig, {sfpnop, add_one});
        EXPECT_EQ(rig.dst.storage().cell(0, 0), before + 4);
        EXPECT_EQ(rig.port().delay, time_of(40 * 9 + 5 + 10 + 3));
        EXPECT_GT(rig.sfpu.issue().words_put_off(), 5 * loop.size());
    });
}

TEST(put_off_words, have_been_executed_before_dst_or_the_unit_is_reset) {
    in_child([] {
        unit_rig rig;
        start();
        const std::vector<std::uint32_t> loop{add_one, sfpstore(0, mode_uint16, 0), sfpnop,
                                              sfpstore(0, mode_uint16, 8), sfpnop};
        for (unsigned more = 0; more < 64; more += 3)
            for (const bool dst_first : {false, true}) {
                rig.reset(parameters{});
                rig.port().delay = sc_core::SC_ZERO_TIME;
                std::vector<std::uint32_t> words;
                for (unsigned i = 0; i < 5 * 60 + more; ++i) words.push_back(loop[i % loop.size()]);
                push_one_by_one(rig, words);
                if (dst_first) {
                    rig.dst.reset(parameters{}, nullptr);
                    rig.sfpu.reset(parameters{});
                } else {
                    rig.sfpu.reset(parameters{});
                    // Each loop adds one and stores the sum in its second and fourth word.
                    EXPECT_EQ(rig.dst.storage().cell(0, 0), (words.size() + 3) / 5) << more;
                    EXPECT_EQ(rig.dst.storage().cell(8, 0), (words.size() + 1) / 5) << more;
                    rig.dst.reset(parameters{}, nullptr);
                }
                EXPECT_EQ(rig.dst.storage().cell(0, 0), 0) << more;
                EXPECT_EQ(rig.dst.storage().cell(8, 0), 0) << more;
                EXPECT_EQ(rig.sfpu.state().counters.words, 0u);
            }
    });
}

TEST(put_off_words, a_word_behind_a_gap_is_issued_when_it_comes) {
    in_child([] {
        unit_rig rig;
        start();
        for (unsigned group = 1; group <= 130; ++group) { // a gap stands at any place of what may be expected
            rig.reset(parameters{});
            rig.port().delay = sc_core::SC_ZERO_TIME;
            std::int64_t cycle = 0;
            for (unsigned word = 0; word < 3 * group + 40; ++word, ++cycle) {
                if (word % group == 0) {
                    rig.port().delay += period() * 10.0;
                    cycle += 10;
                }
                push_one_by_one(rig, {add_one});
                ASSERT_EQ(rig.port().delay, time_of(cycle + 1)) << group << " " << word;
                ASSERT_EQ(rig.sfpu.issue().issue_of_push(), cycles{cycle}) << group << " " << word;
            }
            EXPECT_EQ(rig.sfpu.state().vector.lreg[0][31], 3 * group + 40);
        }
    });
}

/// A vector unit whose Dst does not know it.
struct apart_rig : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu"};
    word_pusher pusher{"pusher"};

    explicit apart_rig(const sc_core::sc_module_name& name) : sc_module(name) {
        pusher.isock.bind(sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
    }
};

TEST(put_off_words, there_are_none_where_somebody_watches_or_dst_cannot_ask_for_them) {
    in_child([] {
        unit_rig alone("alone"), heard("heard"), observed("observed"), traced("traced"), wide("wide");
        unit_rig two_ports("two_ports", 2);
        apart_rig apart("apart");
        sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file("/dev/null");
        start();
        diagnostic_log diagnostics;
        event_log events;
        parameters pairs;
        pairs.sfpu_issue_width = 2;
        alone.reset(parameters{});
        heard.reset(parameters{}, {nullptr, &diagnostics, hazard_policy::off});
        observed.reset(parameters{}, {&events, nullptr, hazard_policy::off});
        wide.reset(pairs);
        two_ports.reset(parameters{});
        traced.reset(parameters{});
        push_one_by_one(traced, std::vector<std::uint32_t>(200, add_one));
        const std::uint64_t before = traced.sfpu.issue().words_put_off();
        EXPECT_NE(before, 0u);
        traced.sfpu.trace(file);
        for (unit_rig* rig : {&alone, &heard, &observed, &traced, &wide, &two_ports})
            push_one_by_one(*rig, std::vector<std::uint32_t>(500, add_one));
        for (unsigned i = 0; i < 500; ++i) apart.pusher.push({sfpstore(0, mode_uint16, 0)});
        EXPECT_GT(alone.sfpu.issue().words_put_off(), 400u);
        for (unit_rig* rig : {&heard, &observed, &wide, &two_ports})
            EXPECT_EQ(rig->sfpu.issue().words_put_off(), 0u) << rig->name();
        EXPECT_EQ(traced.sfpu.issue().words_put_off(), before);
        EXPECT_EQ(apart.dst.writes(), 500u);
        EXPECT_EQ(apart.sfpu.issue().words_put_off(), 0u);
        sc_core::sc_close_vcd_trace_file(file);
    });
}

/// A unit that executes words as they come and one that need not.
struct two_units {
    unit_rig at_once{"at_once"}, later{"later"};
    diagnostic_log diagnostics;

    void reset(const parameters& config, random_loops& loops) {
        isa::vector_state filled;
        filled.reset(config.sfpu_lreg12_default);
        loops.fill(filled);
        at_once.reset(config, {nullptr, &diagnostics, hazard_policy::warn});
        later.reset(config);
        for (unit_rig* rig : {&at_once, &later}) {
            rig->port().delay = sc_core::SC_ZERO_TIME;
            rig->sfpu.state().start_from(filled);
            rig->sfpu.state().threads[0].set_addr_mod_dst(3, 2);
        }
    }
    void push(const std::vector<std::uint32_t>& words) {
        for (unit_rig* rig : {&at_once, &later}) ASSERT_EQ(rig->port().push(words), tlm::TLM_OK_RESPONSE);
        ASSERT_EQ(at_once.port().delay, later.port().delay);
    }
    void bubble(unsigned idle) {
        for (unit_rig* rig : {&at_once, &later}) rig->port().delay += period() * static_cast<double>(idle);
    }
    /// Looks at one thing in one of many ways.
    void look_around(std::mt19937& random) {
        const unsigned row = static_cast<unsigned>(random() % dst::row_count);
        const unsigned column = static_cast<unsigned>(random() % dst::cells_per_row);
        switch (random() % 9) {
        case 0: expect_same_state(at_once.sfpu.state().vector, later.sfpu.state().vector); break;
        case 1:
            EXPECT_EQ(at_once.memory.debug_cell(row, column), later.memory.debug_cell(row, column));
            break;
        case 2: {
            const sc_core::sc_time until = sc_core::sc_time_stamp() + at_once.port().delay +
                                           period() * static_cast<double>(random() % 4);
            EXPECT_EQ(at_once.sfpu.catch_up(until), later.sfpu.catch_up(until));
            break;
        }
        case 3:
            EXPECT_EQ(at_once.dst.storage().cell(row, column), later.dst.storage().cell(row, column));
            break;
        case 4: expect_same_rigs(at_once, later); break;
        case 5: push({sfpload(1, mode_int32, 4), sfpnop}); break;
        case 6:
            EXPECT_EQ(at_once.dst.reads(), later.dst.reads());
            EXPECT_EQ(at_once.sfpu.issue_cycle(sfpnop, {}), later.sfpu.issue_cycle(sfpnop, {}));
            break;
        case 7:
            for (unit_rig* rig : {&at_once, &later}) {
                auto cell = static_cast<std::uint16_t>(row * column);
                rig->memory.delay = rig->port().delay;
                EXPECT_EQ(rig->memory.write(row * 32 + column * 2, &cell, 2), tlm::TLM_OK_RESPONSE);
            }
            break;
        default: // initiators synchronise
            sc_core::sc_start(at_once.port().delay);
            for (unit_rig* rig : {&at_once, &later}) rig->port().delay = sc_core::SC_ZERO_TIME;
        }
    }
};

TEST(put_off_words, random_programs_show_nothing_of_them_to_whoever_looks) {
    in_child([] {
        two_units units;
        start();
        std::mt19937 random(7);
        std::uint64_t words = 0, put_off = 0, looks = 0;
        for (unsigned program = 0; program < program_count(150); ++program) {
            random_loops loops(9000 + program);
            units.reset(loops.config(), loops);
            const unsigned words_a_look = program % 3 == 0 ? 1000 : program % 3 == 1 ? 100 : 30;
            run_random_program(loops, [&](const std::vector<std::uint32_t>& burst, unsigned idle) {
                units.bubble(idle);
                for (const std::uint32_t word : burst) {
                    units.push({word});
                    if (random() % words_a_look != 0) continue;
                    units.look_around(random);
                    ++looks;
                }
            });
            for (unit_rig* rig : {&units.at_once, &units.later}) rig->sfpu.drain();
            expect_same_rigs(units.at_once, units.later);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << program;
            words += units.later.sfpu.state().counters.words;
            put_off += units.later.sfpu.issue().words_put_off();
        }
        EXPECT_GT(put_off, words / 4);
        EXPECT_GT(looks, words / 200);
    });
}

} // namespace
} // namespace sfpu::test
