// Several push ports: words are issued in the order of their times and of the threads' turns (T22), whatever
// the order of the calls.
#include "forked.h"
#include "rig.h"

#include <deque>
#include <random>

namespace sfpu::test {
namespace {

using issued = std::vector<immediate_log::entry>;

/// A rig whose issued words are recorded; a word is SFPLOADI with an immediate that names it.
struct recorded_rig {
    unit_rig rig;
    immediate_log log;

    explicit recorded_rig(unsigned ports, thread_order order = thread_order::round_robin,
                          unsigned issue_width = 1)
        : rig("rig", ports) {
        start();
        reset(order, issue_width);
    }
    void reset(thread_order order, unsigned issue_width = 1) {
        parameters config;
        config.issue_thread_order = order;
        config.sfpu_issue_width = issue_width;
        rig.reset(config, {&log, nullptr, hazard_policy::warn});
    }
    void push(unsigned port, std::int64_t cycle, std::uint32_t name) {
        rig.port(port).set_cycle(cycle);
        EXPECT_EQ(rig.port(port).push({sfploadi(0, name)}), tlm::TLM_OK_RESPONSE);
    }
    void catch_up(std::int64_t cycle) { rig.sfpu.catch_up(time_of(cycle)); }
};

TEST(push_order, words_pushed_out_of_order_in_real_time_are_issued_in_time_order) {
    in_child([] {
        recorded_rig r(2);
        r.push(0, 20, 0xa);
        r.push(0, 30, 0xb);
        r.push(1, 10, 0xc); // called later, earlier in time
        r.push(1, 25, 0xd);
        r.catch_up(100);
        EXPECT_EQ(r.log.entries, (issued{{10, 0xc}, {20, 0xa}, {25, 0xd}, {30, 0xb}}));
    });
}

TEST(push_order, a_port_whose_watermark_is_behind_holds_the_others_back) {
    in_child([] {
        recorded_rig r(2);
        r.push(0, 20, 0xa);
        r.push(0, 30, 0xb);
        EXPECT_TRUE(r.log.entries.empty()); // port 1 may still bring something for cycle 0
        r.push(1, 24, 0xc);
        EXPECT_EQ(r.log.entries, (issued{{20, 0xa}, {24, 0xc}}));
        r.push(1, 40, 0xd);
        EXPECT_EQ(r.log.entries, (issued{{20, 0xa}, {24, 0xc}, {30, 0xb}}));
    });
}

TEST(push_order, catch_up_moves_the_watermarks_of_silent_ports) {
    in_child([] {
        recorded_rig r(3);
        r.push(1, 20, 0xa);
        r.push(1, 30, 0xb);
        r.catch_up(20);
        EXPECT_TRUE(r.log.entries.empty()); // "before 20" leaves 20 open
        r.catch_up(21);
        EXPECT_EQ(r.log.entries, (issued{{20, 0xa}}));
        r.catch_up(31);
        EXPECT_EQ(r.log.entries, (issued{{20, 0xa}, {30, 0xb}}));
    });
}

TEST(push_order, of_equal_cycles_the_lower_port_goes_first_whoever_called_first) {
    in_child([] {
        recorded_rig r(3);
        r.push(2, 5, 0xc);
        r.push(0, 5, 0xa);
        r.push(1, 5, 0xb);
        r.catch_up(50);
        EXPECT_EQ(r.log.entries, (issued{{5, 0xa}, {6, 0xb}, {7, 0xc}}));
    });
}

TEST(push_order, a_higher_port_that_could_only_tie_does_not_hold_a_lower_one_back) {
    in_child([] {
        recorded_rig r(2);
        r.push(1, 4, 0xb); // port 1 promises nothing before 5
        r.push(0, 5, 0xa);
        EXPECT_EQ(r.log.entries, (issued{{4, 0xb}, {5, 0xa}}));
        r.push(1, 5, 0xc);
        r.catch_up(50);
        EXPECT_EQ(r.log.entries, (issued{{4, 0xb}, {5, 0xa}, {6, 0xc}}));
    });
}

TEST(push_order, in_the_fixed_order_a_lower_port_that_could_tie_holds_a_higher_one_back) {
    in_child([] {
        recorded_rig r(2, thread_order::fixed);
        r.push(0, 4, 0xa); // port 0 promises nothing before 5
        r.push(1, 5, 0xb);
        EXPECT_EQ(r.log.entries, (issued{{4, 0xa}}));
        r.push(0, 5, 0xc);
        r.catch_up(50); // port 0 could still have brought one for 6
        EXPECT_EQ(r.log.entries, (issued{{4, 0xa}, {5, 0xc}, {6, 0xb}}));
    });
}

TEST(push_order, in_turn_a_port_whose_turn_it_is_waits_for_nobody_who_could_only_tie) {
    in_child([] {
        recorded_rig r(2);
        r.push(0, 4, 0xa);
        r.push(1, 5, 0xb); // after port 0 it is the turn of port 1
        EXPECT_EQ(r.log.entries, (issued{{4, 0xa}, {5, 0xb}}));
        r.push(0, 5, 0xc);
        r.catch_up(50);
        EXPECT_EQ(r.log.entries, (issued{{4, 0xa}, {5, 0xb}, {6, 0xc}}));
    });
}

TEST(push_order, three_ports_with_200_words_each_take_600_cycles_and_each_is_held) {
    for (const thread_order order : {thread_order::round_robin, thread_order::fixed})
        in_child([=] {
            recorded_rig r(3, order);
            const std::vector<std::uint32_t> words(200, sfploadi(0, 1));
            for (unsigned port = 0; port < 3; ++port) r.rig.port(port).push(words);
            r.rig.sfpu.drain();
            EXPECT_EQ(r.log.entries.size(), 600u);
            EXPECT_EQ(r.log.entries.back().cycle, 599);
            // In turn, each thread waits two cycles for each word but the first, threads 1 and 2 three at the
            // beginning; in the fixed order thread 1 waits 200 cycles and thread 2 400.
            const auto stalls = r.rig.sfpu.state().counters.stalls;
            EXPECT_EQ(stalls[static_cast<unsigned>(probe::stall_cause::thread_slot)],
                      order == thread_order::fixed ? 600u : 3u * 2 * 199 + 1 + 2);
        });
}

TEST(push_order, a_stalled_port_leaves_the_slot_to_another_and_its_stall_is_its_own) {
    in_child([] {
        recorded_rig r(2);
        r.rig.port(0).set_cycle(0);
        r.rig.port(0).push(
            {sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4)}); // the second waits for the first's result
        r.push(1, 1, 0xb);                             // in cycle 1
        r.push(1, 2, 0xc);
        r.rig.sfpu.drain();
        EXPECT_EQ(r.log.entries, (issued{{1, 0xb}, {3, 0xc}}));
        const auto stalls = r.rig.sfpu.state().counters.stalls;
        EXPECT_EQ(stalls[static_cast<unsigned>(probe::stall_cause::mad_dependence)], 1u);
        EXPECT_EQ(stalls[static_cast<unsigned>(probe::stall_cause::thread_slot)], 1u)
            << "word 0xc, in cycle 2";
    });
}

TEST(push_order, two_issue_slots_take_two_words_of_one_port_in_its_turn) {
    in_child([] {
        recorded_rig r(2, thread_order::round_robin, 2);
        r.rig.port(0).set_cycle(0);
        r.rig.port(0).push({sfpmad(0, 1, 2, 3), sfploadi(0, 0xa), sfpmad(0, 1, 2, 4), sfploadi(0, 0xb)});
        EXPECT_EQ(r.rig.port(0).cycle(), 2) << "two words a cycle can be pushed";
        r.rig.port(1).set_cycle(0);
        r.rig.port(1).push({sfpmad(0, 1, 2, 5), sfploadi(0, 0xc), sfpmad(0, 1, 2, 6), sfploadi(0, 0xd)});
        r.rig.sfpu.drain();
        // Each SFPLOADI goes with the multiply-add in front of it, the ports in turn.
        EXPECT_EQ(r.log.entries, (issued{{0, 0xa}, {1, 0xc}, {2, 0xb}, {3, 0xd}}));
        // Port 0 waits in cycle 1, port 1 in cycles 0 and 2.
        const auto& stalls = r.rig.sfpu.state().counters.stalls_by_thread;
        EXPECT_EQ(stalls[0][static_cast<unsigned>(probe::stall_cause::thread_slot)], 1u);
        EXPECT_EQ(stalls[1][static_cast<unsigned>(probe::stall_cause::thread_slot)], 2u);
    });
}

TEST(push_order, two_issue_slots_do_not_take_a_word_before_it_is_pushed) {
    in_child([] {
        recorded_rig r(2, thread_order::round_robin, 2);
        r.rig.port(1).set_cycle(0);
        r.rig.port(1).push({sfpmad(0, 1, 2, 3)}); // port 0 may still bring something for cycle 0
        r.push(1, 5, 0xa);                        // may go beside a multiply-add, but comes later
        EXPECT_EQ(r.rig.sfpu.state().counters.words, 0u);
        r.rig.sfpu.drain();
        EXPECT_EQ(r.log.entries, (issued{{5, 0xa}}));
        EXPECT_EQ(r.rig.sfpu.state().counters.words, 2u);
    });
}

TEST(push_order, with_two_issue_slots_a_port_whose_neighbours_are_silent_is_as_fast_as_the_only_one) {
    in_child([] {
        unit_rig one("one", 1), two("two", 2);
        start();
        parameters config;
        config.sfpu_issue_width = 2;
        std::mt19937 random(9);
        unsigned with_pairs = 0;
        for (unsigned program = 0; program < 40; ++program) {
            std::vector<std::uint32_t> words;
            for (unsigned i = 0; i < 60; ++i) {
                const unsigned a = random() % 8, b = random() % 8;
                switch (random() % 4) {
                case 0: words.push_back(sfpmad(a, b, 2, random() % 8)); break;
                case 1: words.push_back(0x7d000000u | a << 8 | b << 4); break; // SFPABS
                default: words.push_back(sfploadi(a, i)); break;
                }
            }
            immediate_log of_one, of_two;
            const auto run = [&](unit_rig& rig, immediate_log& log) {
                rig.reset(config, {&log, nullptr, hazard_policy::warn});
                rig.port(0).set_cycle(0);
                rig.port(0).push(words);
                rig.sfpu.drain();
            };
            run(one, of_one);
            run(two, of_two);
            EXPECT_EQ(of_two.entries, of_one.entries);
            expect_same_state(two.sfpu.state().vector, one.sfpu.state().vector);
            with_pairs += of_one.entries.back().cycle < 55;
            one.reset(config);
            two.reset(config);
        }
        EXPECT_GT(with_pairs, 20u);
    });
}

TEST(push_order, with_several_ports_the_delay_covers_the_pushing_only) {
    in_child([] {
        recorded_rig r(2);
        r.rig.port(0).set_cycle(3);
        r.rig.port(0).push({sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4), sfpmad(4, 1, 2, 5)}); // stalls, but later
        EXPECT_EQ(r.rig.port(0).cycle(), 6);
    });
}

TEST(push_order, a_push_behind_a_catch_up_is_issued_after_it_and_not_lost) {
    in_child([] {
        recorded_rig r(2);
        r.catch_up(100);
        r.push(1, 50, 0xb);
        r.push(0, 60, 0xa);
        r.catch_up(200);
        EXPECT_EQ(r.log.entries, (issued{{100, 0xa}, {101, 0xb}})); // both were made to wait for 100
    });
}

TEST(push_order, drain_issues_what_waits_for_a_silent_port) {
    // Nobody pushes any more once a platform drains.
    in_child([] {
        recorded_rig r(2);
        r.push(0, 20, 0xa);
        r.push(0, 25, 0xb);
        r.rig.sfpu.drain();
        EXPECT_EQ(r.log.entries, (issued{{20, 0xa}, {25, 0xb}}));
        EXPECT_EQ(r.rig.sfpu.cycles_used(), cycles{6});
    });
}

TEST(push_order, reset_forgets_words_that_wait) {
    in_child([] {
        recorded_rig r(2);
        r.push(0, 20, 0xa);
        r.rig.reset(parameters{}, {&r.log, nullptr, hazard_policy::warn});
        r.catch_up(100);
        EXPECT_TRUE(r.log.entries.empty());
        EXPECT_EQ(r.rig.sfpu.state().counters.words, 0u);
    });
}

/// What each port pushes: bursts that begin no earlier than the previous one ended.
struct burst {
    std::int64_t start;
    std::vector<std::uint32_t> names;
};

/// Times and names of all words in the order of issue: in each cycle one of those that are there.
issued expected_order(const std::vector<std::vector<burst>>& ports, thread_order order) {
    struct waiting {
        std::int64_t earliest;
        std::uint32_t name;
    };
    std::vector<std::deque<waiting>> queues(ports.size());
    std::size_t left = 0;
    for (std::size_t port = 0; port < ports.size(); ++port)
        for (const burst& b : ports[port])
            for (std::size_t i = 0; i < b.names.size(); ++i, ++left)
                queues[port].push_back({b.start + static_cast<std::int64_t>(i), b.names[i]});
    issued result;
    std::size_t turn = 0; // whose it is
    for (std::int64_t now = 0; left != 0; ++now) {
        for (std::size_t i = 0; i < ports.size(); ++i) {
            const std::size_t port = order == thread_order::fixed ? i : (turn + i) % ports.size();
            if (queues[port].empty() || queues[port].front().earliest > now) continue;
            result.push_back({now, queues[port].front().name});
            queues[port].pop_front();
            turn = port + 1;
            --left;
            break;
        }
    }
    return result;
}

TEST(push_order, every_word_of_random_bursts_is_issued_once_in_its_turn_whatever_the_order_of_calls) {
    in_child([] {
        constexpr unsigned port_count = 3;
        recorded_rig r(port_count);
        std::mt19937 random(21);
        for (unsigned round = 0; round < 200; ++round) {
            r.log.entries.clear();
            const thread_order order = round % 3 ? thread_order::round_robin : thread_order::fixed;
            r.reset(order);
            std::vector<std::vector<burst>> ports(port_count);
            std::uint32_t name = 0;
            std::int64_t last = 0;
            for (auto& bursts : ports) {
                std::int64_t time = 0;
                for (unsigned i = 0, count = random() % 12; i < count; ++i) {
                    time += static_cast<std::int64_t>(random() % (round % 2 ? 30 : 4));
                    burst b{time, {}};
                    for (unsigned n = 1 + random() % 6; n != 0; --n) b.names.push_back(++name);
                    time += static_cast<std::int64_t>(b.names.size());
                    bursts.push_back(b);
                }
                last = std::max(last, time);
            }

            std::vector<std::size_t> next(port_count);
            for (;;) {
                std::vector<unsigned> open;
                for (unsigned port = 0; port < port_count; ++port)
                    if (next[port] < ports[port].size()) open.push_back(port);
                if (open.empty()) break;
                const unsigned port = open[random() % open.size()];
                const burst& b = ports[port][next[port]++];
                std::vector<std::uint32_t> words;
                for (const std::uint32_t n : b.names) words.push_back(sfploadi(n % 8, n));
                r.rig.port(port).set_cycle(b.start);
                ASSERT_EQ(r.rig.port(port).push(words), tlm::TLM_OK_RESPONSE);
                ASSERT_EQ(r.rig.port(port).cycle(), b.start + static_cast<std::int64_t>(words.size()));
            }
            r.catch_up(last + static_cast<std::int64_t>(name) + 1);
            ASSERT_EQ(r.log.entries, expected_order(ports, order)) << "round " << round;
            ASSERT_EQ(r.rig.sfpu.state().counters.words, name);
        }
    });
}

} // namespace
} // namespace sfpu::test
