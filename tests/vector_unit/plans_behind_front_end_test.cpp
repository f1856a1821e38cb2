// Words that come through the front end: expanded, replayed, held by the wait gate, of three threads. Whoever
// watches, however they are pushed and whatever the unit remembers, they do the same.
#include "../frontend/front_end_rig.h"
#include "forked.h"
#include "front_end_words.h"

#include <memory>

namespace sfpu::test {
namespace {

/// Who looks in between sees what scheduled instructions do in a cycle before the words of that cycle: only
/// the order within cycles depends on that (see observer.h).
std::vector<std::string> in_order(std::vector<std::string> lines) {
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// A front end with its unit, run in one way.
struct watched_front_end {
    front_end_rig rig;
    diagnostic_log diagnostics;
    event_log events;
    const bool observed, word_by_word, forgetful, looks;

    watched_front_end(const char* name, bool is_observed, bool single, bool forgets, bool is_looked_at)
        : rig(name), observed(is_observed), word_by_word(single), forgetful(forgets), looks(is_looked_at) {}
    void reset(const parameters& config) {
        diagnostics.lines.clear();
        events.lines.clear();
        rig.hart.delay = sc_core::SC_ZERO_TIME;
        rig.reset(config, {observed ? &events : nullptr, &diagnostics, hazard_policy::warn});
        rig.share_time();
    }
    void push(const word_list& burst, unsigned idle) {
        rig.hart.delay += period() * static_cast<double>(idle);
        if (forgetful) rig.sfpu.forget_plans();
        if (!word_by_word) {
            ASSERT_EQ(rig.hart.push(burst), tlm::TLM_OK_RESPONSE);
        } else {
            for (const std::uint32_t word : burst) ASSERT_EQ(rig.hart.push({word}), tlm::TLM_OK_RESPONSE);
        }
        if (looks) rig.front.catch_up(sc_core::sc_time_stamp() + rig.hart.delay);
    }
};

TEST(plans_behind_front_end, random_programs_do_the_same_in_every_way) {
    in_child([] {
        std::vector<std::unique_ptr<watched_front_end>> ways;
        ways.push_back(std::make_unique<watched_front_end>("observed", true, false, false, false));
        ways.push_back(std::make_unique<watched_front_end>("unobserved", false, false, false, false));
        ways.push_back(std::make_unique<watched_front_end>("observed_words", true, true, false, false));
        ways.push_back(std::make_unique<watched_front_end>("words", false, true, false, true));
        ways.push_back(std::make_unique<watched_front_end>("forgetful", true, false, true, true));
        ways.push_back(std::make_unique<watched_front_end>("looked_at", false, false, false, true));
        start();
        std::uint64_t played = 0, expanded = 0, held = 0, remembered = 0, with_diagnostics = 0;
        const unsigned programs = program_count(120);
        for (unsigned program = 0; program < programs; ++program) {
            random_loops loops(20000 + program);
            front_end_words through(loops);
            const parameters config = loops.config();
            through.set_architecture(config.arch);
            isa::vector_state filled;
            filled.reset(config.sfpu_lreg12_default);
            loops.fill(filled);
            const word_list body = loops.loop();
            for (auto& way : ways) {
                way->reset(config);
                way->rig.sfpu.state().start_from(filled);
                way->rig.configure_mop(
                    {2, 3, 0x02000000, 0x02000000, 0x02000000, body[0], body[1], body[2], body[0]});
            }
            run_random_program(loops, [&](const word_list& burst, unsigned idle) {
                if (burst.empty()) return;
                const word_list pushed = through.with_front_end(burst);
                for (auto& way : ways) way->push(pushed, idle);
            });
            for (auto& way : ways) way->rig.front.drain();
            for (std::size_t i = 1; i < ways.size(); ++i) {
                SCOPED_TRACE(fmt::format("program {}, {}", program, ways[i]->rig.name()));
                expect_same_rigs(ways[0]->rig, ways[i]->rig);
                expect_same_lines(ways[0]->diagnostics.lines, ways[i]->diagnostics.lines);
                EXPECT_EQ(ways[0]->rig.hart.delay, ways[i]->rig.hart.delay);
                if (ways[i]->observed) {
                    expect_same_lines(in_order(ways[0]->events.lines), in_order(ways[i]->events.lines));
                }
            }
            ASSERT_FALSE(testing::Test::HasFailure());
            const frontend::pipeline_counters& counters = ways[0]->rig.front.counters();
            played += counters.replay_words;
            expanded += counters.mop_words;
            held += counters.wait_gate_cycles;
            remembered += ways[1]->rig.sfpu.issue().remembered_words();
            with_diagnostics += !ways[0]->diagnostics.lines.empty();
        }
        // The programs are worth comparing.
        EXPECT_GT(played, 8 * programs);
        EXPECT_GT(expanded, 4 * programs);
        EXPECT_GT(held, programs * 3 / 4);
        EXPECT_GT(remembered, 8 * programs);
        EXPECT_GT(with_diagnostics, programs / 4);
    });
}

// --- three threads -----------------------------------------------------------------------------------------

void expect_same_results(const platform::run_result& a, const platform::run_result& b) {
    EXPECT_EQ(a.first_issue, b.first_issue);
    EXPECT_EQ(a.cycles_used, b.cycles_used);
    EXPECT_EQ(a.last_cycle, b.last_cycle);
    expect_same_counters(a.counters, b.counters);
}

TEST(plans_behind_front_end, three_threads_do_the_same_observed_or_not_on_a_new_and_on_a_used_unit) {
    in_child([] {
        platform::sfpu_bench used, other;
        std::uint64_t held = 0;
        for (unsigned program = 0; program < program_count(120); ++program) {
            SCOPED_TRACE(fmt::format("program {}", program));
            random_loops loops(30000 + program);
            front_end_words through(loops);
            const bool through_front_ends = loops.chance(50);
            platform::run_request request;
            request.config = loops.config();
            through.set_architecture(request.config.arch);
            if (loops.chance(50)) request.config.issue_thread_order = thread_order::fixed;
            request.state.reset(request.config.sfpu_lreg12_default);
            request.thread.reset(request.config.arch);
            loops.fill(request.state);
            platform::program_segment segment;
            run_random_program(loops, [&](const word_list& burst, unsigned idle) {
                if (burst.empty()) return;
                const word_list pushed =
                    through_front_ends && loops.chance(30) ? through.with_front_end(burst) : burst;
                const std::uint8_t thread = static_cast<std::uint8_t>(loops.pick(3));
                request.bubbles.resize(segment.words.size());
                request.bubbles.push_back(idle);
                segment.words.insert(segment.words.end(), pushed.begin(), pushed.end());
                request.threads.resize(segment.words.size(), thread);
            });
            request.segments = {segment};

            diagnostic_log known, seen, single;
            event_log events;
            request.diagnostics = &known;
            const platform::run_result first =
                used.run(request); // its unit remembers the programs before this one
            request.observer = &events;
            request.diagnostics = &seen;
            const platform::run_result second = other.run(request);
            expect_same_results(first, second);
            expect_same_state(used.state(), other.state());
            for (unsigned thread = 0; thread < isa::thread_count; ++thread)
                expect_same_thread(used.thread(thread), other.thread(thread));
            EXPECT_EQ(used.dst(), other.dst());
            expect_same_lines(known.lines, seen.lines);
            for (const std::uint64_t stalls : first.counters.stalls) held += stalls;
            ASSERT_FALSE(testing::Test::HasFailure());
        }
        EXPECT_GT(held, 1000u);
    });
}

} // namespace
} // namespace sfpu::test
