#include <sfpu/analysis/instruction_profile.h>

#include <sfpu/analysis/row_profile.h>

#include "slack.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace sfpu::analysis {
namespace {

/// One word schedules a few instructions, unless a program writes templates again and again.
constexpr std::size_t most_of_a_word = 64;
constexpr kernel_part kernel_parts[] = {kernel_part::init, kernel_part::loop, kernel_part::tail};

const std::vector<isa::source_word>& words_of(const isa::kernel& kernel, kernel_part part) {
    return part == kernel_part::init ? kernel.init : part == kernel_part::loop ? kernel.loop : kernel.tail;
}

/// Cycles of a period in steady state.
class steady_counts {
public:
    steady_counts(const steady_state& state, unsigned issue_width) {
        for (const steady_event& each : state.events) {
            if (!state.in_period(each)) continue;
            if (each.held) issue_[each.key.place] += 1;
            else if (each.key.from == probe::origin::issued) issue_[each.key.place] += 1.0 / issue_width;
            busy_[each.key] += static_cast<double>(each.busy());
        }
    }
    double of_issue(std::int64_t place) const { return number(issue_, place); }
    double of_unit(const instruction_key& key) const { return number(busy_, key); }

private:
    template <class Map, class Key>
    static double number(const Map& of, const Key& key) {
        const auto found = of.find(key);
        return found == of.end() ? 0 : found->second;
    }
    std::map<std::int64_t, double> issue_;
    std::map<instruction_key, double> busy_;
};

class profile_builder {
public:
    profile_builder(platform::program_runner& runner, const kernel_run& kernel,
                    const instruction_watch& counted, const steady_state& state)
        : kernel_(kernel), counted_(counted), state_(state),
          counts_(state, kernel.request().config.sfpu_issue_width),
          slack_(slack_of(state, kernel.request().config)) {
        profile_.unknown = state.unknown;
        profile_.rows_per_iteration = kernel.kernel().rows_per_iteration;
        if (!state.exists()) return;
        row_ = profile_of(runner, kernel.request(), profile_.rows_per_iteration, true);
        profile_.binds = bottleneck_of(row_, profile_.rows_per_iteration);
        profile_.cycles_per_row =
            static_cast<double>(state.cycles) / (state.period * profile_.rows_per_iteration);
    }

    instruction_profile built() {
        for (const kernel_part part : kernel_parts) {
            const std::size_t count = words_of(kernel_.kernel(), part).size();
            for (std::size_t i = 0; i < count; ++i) add_word(part, static_cast<unsigned>(i));
        }
        for (std::size_t i = 0; i < profile_.words.size(); ++i) add_to_line(i);
        std::sort(profile_.lines.begin(), profile_.lines.end(), [](const line_facts& a, const line_facts& b) {
            return std::tie(a.file, a.line) < std::tie(b.file, b.line);
        });
        return std::move(profile_);
    }

private:
    using instruction_count = instruction_watch::instruction_count;

    void add_word(kernel_part part, unsigned index) {
        const std::size_t place = profile_.words.size();
        const isa::source_word& source = words_of(kernel_.kernel(), part)[index];
        const instruction_watch::word_count& seen = counted_.words()[place];
        word_facts word;
        const isa::instruction insn = isa::decode(source.word, kernel_.kernel().words);
        word.text = isa::disassemble(source.word, kernel_.kernel().words);
        word.unit = insn.unit;
        word.part = part;
        word.place = index;
        word.has_origin = source.origin != 0;
        word.origin = origin_of(source);
        word.waited = seen.waited;
        const bool steady = part == kernel_part::loop && state_.exists();
        if (steady) {
            word.issue_share = counts_.of_issue(static_cast<std::int64_t>(place)) / of_cycles();
            word.unit_share = 0;
        }
        for (const instruction_count& each : seen.instructions) {
            const bool is_word_itself =
                each.key.from == probe::origin::issued && each.key.word == source.word;
            instruction_facts& facts = is_word_itself ? word : word.made.emplace_back();
            if (!is_word_itself) {
                facts.text = isa::text(each.insn, kernel_.kernel().words);
                word.is_scheduled.push_back(each.key.from == probe::origin::macro);
            }
            fill(facts, each, steady);
            profile_.executed += each.executed;
        }
        for (std::size_t cause = 0; cause < word.waited.size(); ++cause)
            profile_.waited[cause] += word.waited[cause];
        profile_.words.push_back(std::move(word));
    }

    void fill(instruction_facts& facts, const instruction_count& seen, bool steady) const {
        facts.unit = seen.key.unit;
        facts.executed = seen.executed;
        facts.discarded = seen.discarded;
        if (seen.latency != 0) facts.latency = seen.latency;
        if (!steady) return;
        const bool has_unit = facts.unit != isa::sub_unit::front_end;
        const unsigned instances = has_unit ? row_.units[static_cast<unsigned>(facts.unit)].instances : 1;
        facts.unit_share = counts_.of_unit(seen.key) / (of_cycles() * instances);
        const auto macro = slack_.with_scheduled.find(seen.key.place);
        const auto alone = slack_.alone.find(seen.key);
        if (seen.insn.is(isa::opcode::sfploadmacro) && macro != slack_.with_scheduled.end())
            facts.slack = macro->second;
        else if (alone != slack_.alone.end()) facts.slack = alone->second;
        facts.on_recurrence = is_on_recurrence(seen);
        facts.on_busiest =
            (seen.key.from == probe::origin::issued && profile_.binds.is_busiest(isa::sub_unit::front_end)) ||
            (*facts.unit_share > 0 && profile_.binds.is_busiest(facts.unit));
    }

    bool is_on_recurrence(const instruction_count& seen) const {
        const auto first = static_cast<std::int64_t>(kernel_.kernel().init.size());
        const std::vector<probe::dependence_step>& steps = row_.dependences.steps;
        return std::any_of(steps.begin(), steps.end(), [&](const probe::dependence_step& step) {
            return first + step.word == seen.key.place && step.insn.unit == seen.key.unit &&
                   step.insn.scheduled() == seen.insn.scheduled();
        });
    }

    double of_cycles() const { return static_cast<double>(state_.cycles); }

    isa::word_origin origin_of(const isa::source_word& source) const {
        if (source.origin) return kernel_.kernel().origins[source.origin - 1];
        isa::word_origin here;
        here.file = kernel_.kernel().file;
        here.line = source.line;
        return here;
    }

    /// Words that `.origin` gives a line, of C++ if it knows that.
    void add_to_line(std::size_t index) {
        const word_facts& word = profile_.words[index];
        const bool is_cpp = word.origin.cpp_line != 0;
        const unsigned number = is_cpp ? word.origin.cpp_line : word.origin.line;
        if (!word.has_origin || number == 0) return;
        const std::string& file = is_cpp ? word.origin.cpp_file : word.origin.file;
        const auto [known, is_new] = lines_.try_emplace({file, number}, profile_.lines.size());
        if (is_new) profile_.lines.push_back({file, number, is_cpp, 0, {}, {}, {}, false, false, {}});
        line_facts& line = profile_.lines[known->second];
        line.words.push_back(index);
        for (std::size_t cause = 0; cause < word.waited.size(); ++cause)
            line.waited[cause] += word.waited[cause];
        if (word.issue_share) line.issue_share = line.issue_share.value_or(0) + *word.issue_share;
        add_facts(line, word);
        for (const instruction_facts& each : word.made) add_facts(line, each);
    }
    static void add_facts(line_facts& line, const instruction_facts& facts) {
        line.executed += facts.executed;
        if (facts.slack) line.slack = std::min(line.slack.value_or(*facts.slack), *facts.slack);
        line.on_recurrence = line.on_recurrence || facts.on_recurrence;
        line.on_busiest = line.on_busiest || facts.on_busiest;
    }

    const kernel_run& kernel_;
    const instruction_watch& counted_;
    const steady_state& state_;
    steady_counts counts_;
    instruction_slack slack_;
    row_profile row_;
    instruction_profile profile_;
    std::map<std::pair<std::string, unsigned>, std::size_t> lines_;
};

} // namespace

const char* to_string(kernel_part part) {
    switch (part) {
    case kernel_part::init: return "init";
    case kernel_part::loop: return "loop";
    case kernel_part::tail: break;
    }
    return "tail";
}

std::uint64_t word_facts::all_waited() const {
    return std::accumulate(waited.begin(), waited.end(), std::uint64_t{0});
}

instruction_watch::instruction_watch(const kernel_run& kernel)
    : kernel_(kernel),
      words_(kernel.kernel().init.size() + kernel.kernel().loop.size() + kernel.kernel().tail.size()) {}

/// -1 if there is none.
std::int64_t instruction_watch::place_of(std::int64_t word) const {
    const auto first = static_cast<std::int64_t>(kernel_.kernel().init.size()),
               length = static_cast<std::int64_t>(kernel_.kernel().loop.size()),
               looped = length == 0 ? 0 : length * kernel_.iterations();
    if (word < first) return word;
    const std::int64_t place =
        word < first + looped ? first + (word - first) % length : word - looped + length;
    return place < static_cast<std::int64_t>(words_.size()) ? place : -1;
}

void instruction_watch::executed(const probe::execution_event& event) {
    const std::int64_t place = place_of(event.word);
    if (place < 0) return;
    const instruction_key key = key_of(event, place);
    std::vector<instruction_count>& known = words_[static_cast<std::size_t>(place)].instructions;
    auto found = std::find_if(known.begin(), known.end(),
                              [&](const instruction_count& each) { return each.key == key; });
    if (found == known.end()) {
        if (known.size() == most_of_a_word) return;
        found = known.insert(known.end(), {key, event.insn, 0, 0, 0});
    }
    ++(event.discarded ? found->discarded : found->executed);
    if (event.takes_effect) found->latency = static_cast<unsigned>((event.end - event.begin).count() + 1);
}

void instruction_watch::stalled(const probe::stall_event& event) {
    const std::int64_t place = place_of(event.word);
    if (place >= 0) ++words_[static_cast<std::size_t>(place)].waited[static_cast<unsigned>(event.cause)];
}

instruction_profile instruction_profile_of(platform::program_runner& runner, const kernel_run& kernel,
                                           const instruction_watch& counted, const steady_state& state) {
    return profile_builder(runner, kernel, counted, state).built();
}

instruction_profile instruction_profile_of(platform::program_runner& runner, const kernel_run& kernel) {
    instruction_watch counted(kernel);
    platform::run_request request = kernel.request();
    request.observer = &counted;
    request.diagnostics = nullptr;
    request.stop = nullptr;
    request.hazards = hazard_policy::off;
    runner.run(request);
    return instruction_profile_of(runner, kernel, counted, steady_state_of(runner, kernel));
}

} // namespace sfpu::analysis
