// For tests of the front end: words, a vector unit that only keeps time, and a second model of the pipeline
// that moves words from queue to queue in every cycle.
#pragma once

#include "tensix_words.h"

#include <sfpu/frontend/thread_pipeline.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace sfpu {
inline void PrintTo(cycles value, std::ostream* to) { *to << "cycle " << value.count(); }
} // namespace sfpu

namespace sfpu::frontend::test {

using words = std::vector<std::uint32_t>;
using times = std::vector<std::int64_t>;

constexpr std::uint32_t sfpadd(unsigned tag) { return 0x85000000u | tag; }
using namespace sfpu::test::tensix_words;
constexpr std::uint32_t mop_0(unsigned count1, unsigned mask_lo = 0) { return mop(0, count1, mask_lo); }
constexpr std::uint32_t mop_1 = mop(1);
/// Holds everything while semaphore 0 is zero.
constexpr std::uint32_t semwait_all = semwait(block_everything, 1, while_zero);

/// Issues one word a cycle, a word with tag t not before t % hold_modulus + hold cycles after the one behind
/// the previous issue. It is busy for `latency` cycles from each issue of a vector word on.
class timekeeper : public surroundings {
public:
    unsigned hold_modulus = 1;
    std::int64_t hold = 0, latency = 1;
    std::vector<report_id> reports;
    bool never_idle = false;
    std::map<std::uint32_t, std::int64_t> held_back; ///< cycles that words waited for those of other threads

    /// Whether foresee() answers, and how many times it was asked.
    bool foresees = true;
    unsigned foreseen = 0;

    unsigned foresee(const word_run& run, cycles start, cycles* issued) override {
        if (!foresees) return 0;
        ++foreseen;
        for (unsigned i = 0; i < run.count; ++i, start += one_cycle) {
            const std::int64_t held = hold_of(run.words[i]);
            issued[i] = start = i == 0 ? issue_cycle(run.words[0], start) : start + cycles{held};
        }
        return run.count;
    }
    unsigned issue(const word_run& run, cycles start, cycles end, cycles* issued) override {
        for (unsigned i = 0; i < run.count; ++i, start += one_cycle) {
            const std::uint32_t word = run.words[i];
            start = issue_cycle(word, start);
            if (start >= end) return i;
            issued[i] = start;
            words_.push_back(word);
            cycles_.push_back(start.count());
            indices_.push_back(run.index + std::int64_t{i} * run.index_step);
            if (is_vector(word)) busy_until_ = start + cycles{latency};
        }
        return run.count;
    }
    cycles issue_cycle(std::uint32_t word, cycles start) const override {
        const std::int64_t previous = cycles_.empty() ? -1000 : cycles_.back();
        return std::max(start, cycles{previous + 1 + hold_of(word)});
    }
    void hold_back(std::uint32_t word, std::int64_t, cycles from, cycles until) override {
        // Cycles before the latest issue have been told then.
        if (!cycles_.empty()) from = std::max(from, cycles{cycles_.back() + 1});
        held_back[word] += (until - from).count();
    }
    bool vector_unit_busy(cycles at) override { return never_idle || at < busy_until_; }
    bool vector_unit_moves(cycles at) override { return at < busy_until_; }
    void report(report_id id, cycles, std::int64_t, const std::string&) override { reports.push_back(id); }

    const test::words& words() const { return words_; }
    const times& cycles_of_issue() const { return cycles_; }
    const times& indices() const { return indices_; }

private:
    std::int64_t hold_of(std::uint32_t word) const {
        return is_vector(word) ? hold + (word & 0xff) % hold_modulus : 0;
    }

    test::words words_;
    times cycles_, indices_;
    cycles busy_until_{};
};

/// Where two lists differ first, for messages.
inline std::string difference(const times& a, const times& b) {
    const auto at = std::mismatch(
        a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
    if (at.first == a.end() || at.second == b.end()) return " (one list ends)";
    return " (entry " + std::to_string(at.first - a.begin()) + ": " + std::to_string(*at.first) + " and " +
           std::to_string(*at.second) + ")";
}

/// A pipeline in front of a timekeeper.
struct bench : sync_unit::user {
    timekeeper unit;
    sync_unit semaphores;
    thread_pipeline pipeline;
    std::int64_t accepted = -1; ///< cycle of the latest acceptance
    times accepted_at;

    explicit bench(const parameters& config = {}, unsigned thread = 0, unsigned hold_modulus = 1) {
        unit.hold_modulus = hold_modulus;
        pipeline.reset(config, thread, thread_pipeline::feed::fifo, semaphores, unit, nullptr);
        semaphores.add(*this);
    }
    void bring_to(cycles at) override { pipeline.advance(at); }
    void semaphores_changed(cycles at) override { pipeline.semaphores_changed(at); }
    bench(const bench&) = delete;
    void configure_mop(const std::array<std::uint32_t, 9>& config) {
        for (unsigned i = 0; i < config.size(); ++i) pipeline.set_mop_config(i, config[i], cycles{});
    }
    void push(std::uint32_t word, std::int64_t at) {
        accepted =
            pipeline.push(word, static_cast<std::int64_t>(accepted_at.size()), cycles{at}).value().count();
        accepted_at.push_back(accepted);
    }
    /// One a cycle from `at` on, then everything issues.
    void push_all(const words& what, std::int64_t at, bool run = true) {
        for (const std::uint32_t word : what) push(word, at++);
        if (run) pipeline.run_to_end();
    }
};

/// Queues and stages, cycle by cycle: in each cycle every stage moves at most one word, and moves are tried
/// until none is possible any more. No waits.
class cycle_model {
public:
    test::words words;
    times issued, accepted;

    cycle_model(const parameters& config, unsigned hold_modulus, const std::array<std::uint32_t, 9>& mop)
        : config_(config), hold_modulus_(hold_modulus), mop_(mop) {}

    void run(const test::words& program, const times& push_times) {
        start(program, push_times);
        while (active()) {
            begin_cycle();
            while (move_gate() || move_replay() || move_mop()) {
            }
            ++now_;
        }
    }

    // The parts of a cycle, for several models that share one issue slot.
    void start(const test::words& program, const times& push_times) {
        program_ = program;
        push_times_ = push_times;
    }
    bool active() const { return next_ < program_.size() || busy(); }
    void begin_cycle() {
        mop_moved_ = replay_moved_ = gate_moved_ = false;
        // The core pushes at the beginning of a cycle, by what was held at the end of the previous one.
        if (next_ == program_.size() || now_ < push_times_[next_] + late_ || held_ > limit()) return;
        first_.push_back(program_[next_]);
        ++held_;
        late_ = now_ - push_times_[next_++];
        accepted.push_back(now_);
    }
    void move_to_gate() {
        while (move_replay() || move_mop()) {
        }
    }
    /// The word at the gate, if there is one.
    std::optional<std::uint32_t> at_gate() const {
        return third_.empty() ? std::nullopt : std::optional(third_.front().word);
    }
    /// Whether the unit takes the word at the gate, if it issued its previous one, of anybody, in that cycle.
    bool can_issue(std::int64_t latest_issue) const {
        return !third_.empty() && now_ > latest_issue + hold_of(third_.front().word);
    }
    void issue() {
        words.push_back(third_.front().word);
        issued.push_back(now_);
        held_ -= third_.front().held;
        third_.pop_front();
    }
    void end_cycle() { ++now_; }

private:
    struct entry {
        std::uint32_t word;
        bool held;
    };

    int limit() const {
        const unsigned depth = config_.front_end.fifo_depth ? config_.front_end.fifo_depth : 32;
        return static_cast<int>(config_.arch == architecture::blackhole ? std::min(28u, depth - 1)
                                                                        : depth - 1);
    }
    bool busy() const {
        return !first_.empty() || !second_.empty() || !third_.empty() || !expansion_.empty() ||
               !playback_.empty();
    }

    std::int64_t hold_of(std::uint32_t word) const {
        return is_vector(word) ? (word & 0xff) % hold_modulus_ : 0;
    }

    bool move_gate() {
        if (gate_moved_ || third_.empty()) return false;
        const std::uint32_t word = third_.front().word;
        if (!issued.empty() && now_ < issued.back() + 1 + hold_of(word)) return false;
        words.push_back(word);
        issued.push_back(now_);
        held_ -= third_.front().held;
        third_.pop_front();
        return gate_moved_ = true;
    }

    bool move_replay() {
        const bool room = third_.size() < config_.front_end.gate_fifo_depth;
        if (replay_moved_) return false;
        if (playback_.empty()) {
            if (second_.empty()) return false;
            const entry head = second_.front();
            if (load_left_ != 0) {
                if (load_executes_ && !room) return false;
                buffer_[load_at_++ % 32] = head.word;
                --load_left_;
                if (load_executes_) third_.push_back(head);
                else held_ -= head.held;
                second_.pop_front();
                return replay_moved_ = true;
            }
            if (head.word >> 24 != 0x04) {
                if (!room) return false;
                third_.push_back(head);
                second_.pop_front();
                return replay_moved_ = true;
            }
            second_.pop_front();
            held_ -= head.held;
            const unsigned count = head.word >> 4 & 63 ? head.word >> 4 & 63 : 64,
                           index = head.word >> 14 & 31;
            if (head.word & 1) {
                load_left_ = count;
                load_at_ = index;
                load_executes_ = head.word & 2;
                return replay_moved_ = true;
            }
            for (unsigned i = 0; i < count; ++i) playback_.push_back(buffer_[(index + i) % 32]);
            playback_from_ = now_ + config_.front_end.replay_start_cycles;
            if (now_ < playback_from_) return replay_moved_ = true;
        }
        if (!room || (!playback_.empty() && now_ < playback_from_)) return false;
        third_.push_back({playback_.front(), false});
        playback_.pop_front();
        return replay_moved_ = true;
    }

    bool move_mop() {
        const bool room = second_.size() < config_.front_end.replay_fifo_depth;
        if (mop_moved_) return false;
        if (expansion_.empty()) {
            if (first_.empty()) return false;
            const std::uint32_t word = first_.front();
            const bool is_mop = word >> 24 == 0x01;
            if (!is_mop && now_ < dead_until_) return false;
            if (word >> 24 == 0x03) {
                mask_hi_ = word & 0xffff;
                first_.pop_front();
                --held_;
                return mop_moved_ = true;
            }
            if (!is_mop) {
                if (!room) return false;
                const bool to_gate = config_.arch == architecture::blackhole;
                if (!to_gate) --held_;
                second_.push_back({word, to_gate});
                first_.pop_front();
                return mop_moved_ = true;
            }
            first_.pop_front();
            --held_;
            expand(word);
            if (expansion_.empty()) {
                dead_until_ = now_ + 1 + config_.front_end.mop_dead_cycles;
                return mop_moved_ = true;
            }
        }
        if (!room) return false;
        second_.push_back({expansion_.front(), false});
        expansion_.pop_front();
        if (expansion_.empty()) dead_until_ = now_ + 1 + config_.front_end.mop_dead_cycles;
        return mop_moved_ = true;
    }

    void expand(std::uint32_t word) {
        mop_expander expander;
        for (unsigned i = 0; i < mop_.size(); ++i) expander.set_config(i, mop_[i]);
        expander.set_mask_hi(mask_hi_);
        for (expander.begin(word); expander.pending();) expansion_.push_back(expander.take());
    }

    parameters config_;
    unsigned hold_modulus_;
    std::array<std::uint32_t, 9> mop_;
    test::words program_;
    times push_times_;
    std::size_t next_ = 0;
    std::int64_t late_ = 0;
    std::int64_t now_ = 0, dead_until_ = 0, playback_from_ = 0;
    int held_ = 0;
    unsigned mask_hi_ = 0;
    std::deque<std::uint32_t> first_, expansion_, playback_;
    std::deque<entry> second_, third_;
    std::array<std::uint32_t, 32> buffer_{};
    unsigned load_left_ = 0, load_at_ = 0;
    bool load_executes_ = false;
    bool mop_moved_ = false, replay_moved_ = false, gate_moved_ = false;
};

/// A program in which everything occurs that the pipeline treats differently. With mutexes it holds one of
/// them for some words at a time.
inline words random_program(std::mt19937& random, bool with_mutexes = false) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    words program{replay(0, 6, true, true)};
    for (unsigned i = 0; i < 6; ++i) program.push_back(sfpadd(i));
    unsigned held = 0, words_left = 0;
    for (unsigned i = 0; i < 60; ++i) {
        if (with_mutexes && words_left == 0 && below(4) == 0) {
            held = std::array<unsigned, 3>{0, 0, 3}[below(3)];
            words_left = 1 + below(8);
            program.push_back(atgetm(held));
        }
        switch (below(12)) {
        case 0:
        case 1: program.push_back(replay(below(4), 1 + below(2), false, false)); break;
        case 2: program.push_back(mop_0(below(6))); break;
        case 3: program.push_back(mop_1); break;
        case 4: {
            const unsigned count = 1 + below(5);
            program.push_back(replay(below(32), count, below(2) != 0, true));
            for (unsigned w = 0; w < count; ++w) program.push_back(sfpadd(10 + w));
            break;
        }
        case 5: program.push_back(0x03000000u | below(0x10000)); break;
        default: program.push_back(sfpadd(below(16))); break;
        }
        if (words_left != 0 && --words_left == 0) program.push_back(atrelm(held));
    }
    if (words_left != 0) program.push_back(atrelm(held));
    return program;
}

struct experiment {
    parameters config;
    unsigned hold_modulus;
    std::array<std::uint32_t, 9> mop;
    words program;
    times push_times; ///< when the core would push, stalls apart
};
inline experiment random_experiment(std::uint32_t seed, bool with_mutexes = false) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    experiment e;
    e.config.arch = below(2) ? architecture::blackhole : architecture::wormhole;
    front_end_parameters& f = e.config.front_end;
    if (below(2)) f.fifo_depth = 1 + below(12);
    if (below(2)) f.replay_fifo_depth = 1 + below(5);
    if (below(2)) f.gate_fifo_depth = 1 + below(3);
    f.mop_dead_cycles = below(3);
    if (below(2)) f.replay_start_cycles = below(4);
    f.push_width = 1;
    e.hold_modulus = 1 + below(3); // not longer than the latencies of the configuration allow
    e.mop = {1 + below(3),
             below(3),
             sfpadd(20),
             sfpadd(21),
             below(2) ? sfpadd(22) : tensix_nop,
             sfpadd(23),
             below(2) ? replay(0, 3, false, false) : tensix_nop,
             sfpadd(25),
             sfpadd(26)};
    e.program = random_program(random, with_mutexes);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < e.program.size(); ++i)
        e.push_times.push_back(at += 1 + (below(5) == 0 ? below(12) : 0));
    return e;
}

} // namespace sfpu::frontend::test
