// Copies of pipelines, taken at any moment into other surroundings, go on as what they were copied from.
#include "front_end_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

namespace sfpu::frontend::test {
namespace {

using lines = std::vector<std::string>;

class event_list : public probe::pipeline_observer {
public:
    lines events;
    void acted(const probe::activity_event& e) override {
        events.push_back(fmt::format("{} to {}, thread {}, {} {}: {}", e.begin.count(), e.end.count(),
                                     e.instance, e.lane, e.kind, e.text));
    }
};

/// Keeps whole reports.
class writing_timekeeper : public timekeeper {
public:
    lines messages;
    void report(report_id id, cycles at, std::int64_t index, const std::string& message) override {
        messages.push_back(
            fmt::format("{} in {}, word {}: {}", static_cast<int>(id), at.count(), index, message));
    }
};

/// How many pipelines there are, and who else acts.
enum class sharing { none, others_outside, three_threads };
constexpr sharing all_sharing[] = {sharing::none, sharing::others_outside, sharing::three_threads};
constexpr unsigned pipelines_of(sharing how) { return how == sharing::three_threads ? 3 : 1; }

/// Pipelines with surroundings of their own.
class copied_rig : sync_unit::user {
public:
    writing_timekeeper unit;
    sync_unit semaphores;
    thread_group group;
    std::vector<thread_pipeline> pipelines;
    event_list observer;

    copied_rig(const parameters& config, sharing how) : pipelines(pipelines_of(how)) {
        group.reset(config);
        for (unsigned i = 0; i < pipelines.size(); ++i) {
            if (how != sharing::none) pipelines[i].join(group);
            pipelines[i].reset(config, i, thread_pipeline::feed::fifo, semaphores, unit, &observer);
        }
        semaphores.add(*this);
    }
    copied_rig(const copied_rig&) = delete;
    copied_rig& operator=(const copied_rig&) = delete;

    void take_state(const copied_rig& other) {
        unit = other.unit;
        semaphores.take_state(other.semaphores);
        group.take_state(other.group);
        for (std::size_t i = 0; i < pipelines.size(); ++i) pipelines[i].take_state(other.pipelines[i]);
        observer.events.clear();
    }
    bool is_shared() const { return group.is_shared(); }
    void run_to_end() {
        for (thread_pipeline& each : pipelines) each.run_to_end();
    }
    /// What the pipelines and the Sync Unit say about themselves.
    std::vector<std::int64_t> numbers() {
        std::vector<std::int64_t> result;
        for (thread_pipeline& each : pipelines) {
            std::array<std::int64_t, sizeof(pipeline_counters) / sizeof(std::int64_t)> counters;
            static_assert(sizeof counters == sizeof(pipeline_counters));
            std::memcpy(counters.data(), &each.counters(), sizeof counters);
            result.insert(result.end(), counters.begin(), counters.end());
            for (const cycles at : {each.horizon(), each.latest_intake(), each.next_issue()})
                result.push_back(at.count());
            for (const unsigned n :
                 {each.thread(), each.sure_room(), each.push_width(), each.queued_status()})
                result.push_back(n);
            for (unsigned i = 0; i < mop_expander::config_words; ++i) result.push_back(each.mop_config(i));
        }
        for (unsigned i = 0; i < sync_unit::count; ++i) result.push_back(semaphores.value(i));
        return result;
    }

private:
    void bring_to(cycles at) override {
        for (thread_pipeline& each : pipelines) each.advance(at);
    }
    void semaphores_changed(cycles at) override {
        for (thread_pipeline& each : pipelines) each.semaphores_changed(at);
    }
};

/// Cores that push random programs, and do whatever else can be done to a pipeline. A value, so that two rigs
/// can get the same.
class random_cores {
public:
    parameters config;
    unsigned hold_modulus = 1;
    times answers; ///< what the pipelines answered, -1 for no value

    random_cores(std::uint32_t seed, sharing how) : random_(seed) {
        experiment first = random_experiment(seed, below(2));
        config = first.config;
        config.front_end.push_width = 1 + below(2) * below(4);
        config.front_end.matrix_busy_after_setrwc = below(3);
        config.issue_thread_order = below(2) ? thread_order::round_robin : thread_order::fixed;
        hold_modulus = first.hold_modulus;
        mop_ = first.mop;
        for (unsigned i = 0; i < pipelines_of(how); ++i)
            programs_.push_back(with_waits(random_program(random_, how == sharing::three_threads)));
        next_.resize(programs_.size());
    }

    void begin(copied_rig& rig) {
        for (thread_pipeline& each : rig.pipelines)
            for (unsigned i = 0; i < mop_.size(); ++i) each.set_mop_config(i, mop_[i], cycles{});
        rig.semaphores.init(0xff, 3, 1);
    }
    void step(copied_rig& rig) {
        if (below(3) == 0) now_ += 1 + (below(30) == 0 ? below(40) : 0);
        const unsigned thread = below(static_cast<unsigned>(rig.pipelines.size()));
        thread_pipeline& pipeline = rig.pipelines[thread];
        if (next_[thread] < programs_[thread].size()) push(rig, thread);
        const cycles now{now_};
        switch (below(40)) {
        case 0: pipeline.advance(now); break;
        case 1: answers.push_back(pipeline.queued_status(now)); break;
        case 2: answers.push_back(pipeline.is_idle(now)); break;
        case 3: rig.semaphores.write(below(3), below(2), now); break;
        case 4: pipeline.set_mop_config(below(9), sfpadd(below(16)), now); break;
        case 5: pipeline.set_mop_mask_hi(below(0x10000)); break;
        case 6:
            note(rig.is_shared() ? pipeline.push_b_now(sfpadd(40), 5000, now)
                                 : pipeline.push_b(sfpadd(40), 5000, now));
            break;
        case 7:
            if (below(4) == 0) pipeline.discard_unexpanded(now);
            break;
        case 8:
            if (below(4) == 0) pipeline.forget_from(cycles{now_ - below(5)});
            break;
        default: break;
        }
    }
    void steps(copied_rig& rig, unsigned count) {
        while (count-- != 0) step(rig);
    }
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

private:
    words with_waits(const words& program) {
        const std::array<std::uint32_t, 6> waits{semwait_all,
                                                 semwait(block_vector_unit, 2, while_full),
                                                 stallwait(block_everything, 0x1fff),
                                                 stallwait(block_vector_unit, 1u << 4 | 1u << 11),
                                                 sempost(3),
                                                 semget(3)};
        const unsigned distance = 8 + below(20);
        words result;
        for (const std::uint32_t word : program) {
            if (below(distance) == 0) result.push_back(waits[below(6)]);
            if (below(distance) == 0) result.push_back(0x37000000u); // SETRWC
            result.push_back(word);
        }
        return result;
    }
    void note(std::optional<cycles> answer) { answers.push_back(answer ? answer->count() : -1); }
    void push(copied_rig& rig, unsigned thread) {
        thread_pipeline& pipeline = rig.pipelines[thread];
        const std::size_t index = next_[thread];
        const std::uint32_t word = programs_[thread][index];
        const auto number = static_cast<std::int64_t>(index);
        const cycles now{now_};
        std::optional<cycles> accepted = pipeline.push_at_once(word, number, now);
        if (!accepted)
            accepted = rig.is_shared() ? pipeline.push_now(word, number, now, now)
                                       : pipeline.push(word, number, now);
        note(accepted);
        if (!accepted) return;
        ++next_[thread];
        if (!rig.is_shared()) now_ = std::max(now_, accepted->count());
    }

    std::mt19937 random_;
    std::array<std::uint32_t, 9> mop_{};
    std::vector<words> programs_;
    std::vector<std::size_t> next_;
    std::int64_t now_ = 0;
};

/// Steps from the moment of a copy on, and what came of them.
struct continuation {
    times answers, issued, indices;
    test::words words;
    std::vector<std::int64_t> numbers;
    lines messages, events;

    continuation(copied_rig& rig, random_cores cores, unsigned steps) {
        rig.observer.events.clear();
        cores.steps(rig, steps);
        rig.run_to_end();
        answers = cores.answers;
        issued = rig.unit.cycles_of_issue();
        indices = rig.unit.indices();
        words = rig.unit.words();
        numbers = rig.numbers();
        messages = rig.unit.messages;
        events = rig.observer.events;
    }
};
void expect_same(const continuation& a, const continuation& b, const std::string& where) {
    EXPECT_EQ(a.words, b.words) << where;
    EXPECT_EQ(a.issued, b.issued) << where << difference(a.issued, b.issued);
    EXPECT_EQ(a.indices, b.indices) << where;
    EXPECT_EQ(a.answers, b.answers) << where << difference(a.answers, b.answers);
    EXPECT_EQ(a.numbers, b.numbers) << where << difference(a.numbers, b.numbers);
    EXPECT_EQ(a.messages, b.messages) << where;
    EXPECT_EQ(a.events, b.events) << where;
}

TEST(front_end_copies, go_on_as_what_they_were_copied_from) {
    constexpr unsigned most_steps = 300;
    for (const sharing how : all_sharing) {
        // The copies go into pipelines that had another configuration and other words; none is ever reset.
        parameters other;
        other.arch = architecture::wormhole;
        other.front_end.fifo_depth = 3;
        copied_rig first_copy(other, how), second_copy(parameters{}, how);
        for (std::uint32_t seed = 0; seed < 150; ++seed) {
            random_cores cores(seed, how);
            copied_rig original(cores.config, how);
            original.unit.hold_modulus = cores.hold_modulus;
            if (how == sharing::others_outside) original.group.expect_others();
            cores.begin(original);
            cores.steps(original, cores.below(most_steps));
            first_copy.take_state(original);
            second_copy.take_state(first_copy);

            // Whichever goes on first, the others do not feel it.
            const continuation one(first_copy, cores, most_steps), two(original, cores, most_steps),
                three(second_copy, cores, most_steps);
            const std::string where = fmt::format("seed {}, sharing {}", seed, static_cast<int>(how));
            expect_same(one, two, where);
            expect_same(two, three, where);
            if (HasFailure()) return;
        }
    }
}

/// Words of a program; a copy of it stands at the same word.
struct listed_words : thread_pipeline::word_source {
    std::vector<next_word> words;
    std::size_t taken = 0;
    std::optional<next_word> next() override {
        return taken == words.size() ? std::nullopt : std::optional(words[taken++]);
    }
};

TEST(front_end_copies, take_a_program_from_their_own_source) {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        std::mt19937 random(seed);
        listed_words program;
        for (const std::uint32_t word : random_program(random))
            program.words.push_back(
                {word, static_cast<std::int64_t>(program.words.size()), static_cast<unsigned>(random() % 3)});
        timekeeper unit;
        sync_unit semaphores;
        thread_pipeline pipeline;
        pipeline.reset({}, 0, thread_pipeline::feed::program, semaphores, unit, nullptr);
        pipeline.set_source(&program);
        pipeline.advance(cycles{static_cast<std::int64_t>(random() % 100)});

        listed_words rest = program;
        timekeeper other_unit = unit;
        sync_unit other_semaphores;
        thread_pipeline copy;
        copy.reset({}, 1, thread_pipeline::feed::fifo, other_semaphores, other_unit, nullptr);
        copy.set_source(&rest);
        copy.take_state(pipeline);
        copy.run_to_end();
        EXPECT_EQ(rest.taken, rest.words.size());
        EXPECT_LT(program.taken, program.words.size()) << "the copy took words of the original";
        pipeline.run_to_end();
        EXPECT_EQ(unit.words(), other_unit.words()) << "seed " << seed;
        EXPECT_EQ(unit.cycles_of_issue(), other_unit.cycles_of_issue()) << "seed " << seed;
    }
}

TEST(front_end_copies, accept_pushes_as_what_they_were_copied_from) {
    timekeeper unit, other_unit;
    sync_unit semaphores;
    thread_pipeline program, copy;
    program.reset({}, 0, thread_pipeline::feed::program, semaphores, unit, nullptr);
    copy.reset({}, 0, thread_pipeline::feed::fifo, semaphores, other_unit, nullptr);
    copy.take_state(program);
    for (unsigned i = 0; i < 100; ++i)
        EXPECT_EQ(copy.push(sfpadd(0), i, cycles{0}), cycles{0}) << "a program fills no FIFO";
}

TEST(front_end_copies, leave_members_of_a_group_and_users_of_a_sync_unit_where_they_are) {
    copied_rig original({}, sharing::three_threads), copy({}, sharing::three_threads);
    for (unsigned i = 0; i < 3; ++i) original.pipelines[i].push(sfpadd(i), 0, cycles{0});
    original.pipelines[0].push(semwait_all, 1, cycles{1});
    original.pipelines[0].push(sfpadd(7), 2, cycles{2});
    copy.take_state(original);
    copy.semaphores.write(0, 0, cycles{20}); // tells the copied pipelines alone
    copy.group.run_to_end();
    EXPECT_EQ(copy.unit.words(), (words{sfpadd(0), sfpadd(1), sfpadd(2), semwait_all, sfpadd(7)}));
    EXPECT_TRUE(original.unit.words().empty());
    original.group.run_to_end();
    EXPECT_EQ(original.unit.words(), (words{sfpadd(0), sfpadd(1), sfpadd(2), semwait_all}));
}

} // namespace
} // namespace sfpu::frontend::test
