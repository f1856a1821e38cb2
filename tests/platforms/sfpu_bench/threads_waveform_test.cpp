// What observers are shown of registers while threads compete for the issue slot: the same words, issued in
// the same cycles as words of one thread, leave the same values in every cycle.
#include "kernel_runner.h"
#include "shown_values.h"

#include <sfpu/traces/vcd_writer.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::test {
namespace {

/// Notes when words are issued, and of which cycles something is told before their begin.
class issue_notes : public probe::pipeline_observer {
public:
    std::map<std::int64_t, std::int64_t> cycle_of_word;
    std::vector<std::string> too_early;
    unsigned held = 0;

    void cycle_begins(const probe::cycle_event& event) override {
        begun_ = event.at;
        next_->cycle_begins(event);
    }
    void executed(const probe::execution_event& event) override {
        look("executed", event.begin);
        if (event.from == probe::origin::issued) cycle_of_word[event.word] = event.begin.count();
        next_->executed(event);
    }
    void stalled(const probe::stall_event& event) override {
        look("stalled", event.at);
        held += event.cause == probe::stall_cause::thread_slot;
        next_->stalled(event);
    }
    void diagnosed(const diagnostic& event) override {
        look("diagnosed", event.at);
        next_->diagnosed(event);
    }
    void show_in(probe::pipeline_observer& next) { next_ = &next; }

private:
    void look(const char* what, cycles at) {
        if (begun_ < at) too_early.push_back(fmt::format("{} in cycle {}", what, at.count()));
    }

    cycles begun_{-1};
    probe::pipeline_observer* next_ = nullptr;
};

struct shown_run {
    issue_notes notes;
    shown_values values;
};

void play(platform::run_request request, shown_run& into) {
    std::ostringstream vcd;
    traces::vcd_writer writer(vcd, {}, {0, 17});
    into.notes.show_in(writer);
    request.observer = &into.notes;
    writer.finish(shared_bench().run(request).last_cycle);
    into.values = values_in(vcd.str());
}

/// Words of the vector unit alone: what a thread has of its own they do not touch.
std::string random_word(std::mt19937& random) {
    const auto pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
    const unsigned d = pick(8), a = pick(8), sum = pick(4);
    switch (pick(10)) {
    case 0:
    case 1: return fmt::format("sfploadi L{}, USHORT, {}", d, pick(65536));
    case 2: return fmt::format("sfploadi L{}, UPPER, {}", d, pick(65536));
    case 3: return fmt::format("sfpiadd 0, L{}, L{}, 4", a, d);
    case 4: return fmt::format("sfpmov 0, L{}, L{}, 0", a, d);
    case 5: return "sfpswap 0, L6, L7, 1";
    case 6:
    case 7: return fmt::format("sfpmad L{}, L12, L13, L{}, 0", a, sum);
    case 8: return fmt::format("sfpshft2 0, L{}, L{}, 3", a, sum);
    default: return "sfpnop";
    }
}

platform::run_request random_threads(unsigned threads, std::uint32_t seed) {
    std::mt19937 random(seed);
    platform::run_request request;
    request.state.reset();
    request.thread.reset(request.config.arch);
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v) lane = static_cast<std::uint32_t>(random());
    std::string text = ".init\n";
    for (unsigned i = 0; i < 60 * threads; ++i) {
        const auto thread = static_cast<unsigned>(random() % threads);
        text += random_word(random) + "\n";
        request.threads.push_back(static_cast<std::uint8_t>(thread));
        request.bubbles.push_back(random() % 3 == 0 ? static_cast<unsigned>(random() % 6) : 0);
    }
    isa::assembly program = isa::assemble(text, "program", request.config.arch);
    EXPECT_TRUE(program.ok()) << text;
    platform::program_segment segment;
    for (const auto& each : program.program.init) segment.words.push_back(each.word);
    request.segments = {segment};
    return request;
}

/// The words in the order in which they were issued, offered in the cycles in which they were.
platform::run_request by_one_thread(platform::run_request request,
                                    const std::map<std::int64_t, std::int64_t>& cycle_of_word) {
    const std::vector<std::uint32_t> words = request.segments[0].words;
    std::vector<std::pair<std::int64_t, std::int64_t>> order;
    for (const auto& [word, at] : cycle_of_word) order.emplace_back(at, word);
    std::sort(order.begin(), order.end());
    request.threads.clear();
    request.bubbles.clear();
    request.segments[0].words.clear();
    std::int64_t next = 0;
    for (const auto& [at, word] : order) {
        request.segments[0].words.push_back(words[static_cast<std::size_t>(word)]);
        request.bubbles.push_back(static_cast<unsigned>(at - next));
        next = at + 1;
    }
    return request;
}

void expect_the_same_in_every_cycle(unsigned threads) {
    unsigned held = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(fmt::format("{} threads, seed {}", threads, seed));
        const platform::run_request request = random_threads(threads, seed);
        shown_run competing, alone;
        play(request, competing);
        ASSERT_EQ(competing.notes.cycle_of_word.size(), request.threads.size()) << "all words are issued";
        play(by_one_thread(request, competing.notes.cycle_of_word), alone);
        EXPECT_EQ(competing.notes.too_early, std::vector<std::string>{});
        ASSERT_FALSE(alone.values["lane17.L3"].empty());
        for (const auto& [name, values] : alone.values) EXPECT_EQ(competing.values[name], values) << name;
        held += competing.notes.held;
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(held, 400u) << "words wait for the slot";
}

TEST(threads_waveform, registers_of_two_threads_show_in_the_cycle_in_which_they_change) {
    expect_the_same_in_every_cycle(2);
}

TEST(threads_waveform, registers_of_three_threads_show_in_the_cycle_in_which_they_change) {
    expect_the_same_in_every_cycle(3);
}

} // namespace
} // namespace sfpu::test
