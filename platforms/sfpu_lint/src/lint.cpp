#include <sfpu/platform/sfpu_lint.h>

#include "execution_trace.h"
#include "issued_program.h"
#include "reordering.h"
#include "trace_hazards.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/dst_filling.h>
#include <sfpu/platform/misc_watch.h>
#include <sfpu/platform/word_places.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::platform {
namespace {

/// The rows of a result that are not those of the run without bubbles, in their order.
using changed_rows = std::vector<std::pair<unsigned, dst_row>>;

changed_rows rows_changed(const dst_image& expected, const dst_image& got) {
    changed_rows changed;
    if (std::memcmp(expected.data(), got.data(), sizeof expected) == 0) return changed;
    for (unsigned row = 0; row < expected.size(); ++row)
        if (expected[row] != got[row]) changed.emplace_back(row, got[row]);
    return changed;
}

std::optional<dst_difference> find_difference(const dst_image& expected, const changed_rows& changed) {
    if (changed.empty()) return std::nullopt;
    const auto& [row, got] = changed.front();
    unsigned column = 0;
    while (expected[row][column] == got[column]) ++column;
    return dst_difference{row, column, expected[row][column], got[column]};
}

bool same_registers(const isa::vector_state& a, const isa::vector_state& b) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (!std::equal(std::begin(a.lreg[lreg].v), std::end(a.lreg[lreg].v), std::begin(b.lreg[lreg].v)))
            return false;
    return a.flags == b.flags && a.use_flags == b.use_flags;
}

/// Hazards break a kernel. So does a forgotten instruction: it is no hazard of a cycle, but it never executes.
bool breaks(const diagnostic& what, bool strict) {
    return describe(what.id).kind == report_kind::hazard || what.id == report_id::macro_forgotten ||
           what.level == severity::error || (strict && leaves_something_undone(what.id));
}

/// What bubbles do.
struct effect {
    std::optional<dst_difference> difference;
    bool discards = false; ///< macros discard more instructions than without bubbles

    bool any() const { return difference || discards; }
};

std::uint64_t discards_of(const probe::unit_counters& counters) {
    return std::accumulate(counters.discarded.begin(), counters.discarded.end(), std::uint64_t{0});
}

/// "a,b,c" to "c,b,a"
std::string reversed_list(std::string list) {
    std::string result;
    for (std::size_t comma = list.rfind(','); comma != std::string::npos; comma = list.rfind(',')) {
        result += list.substr(comma + 1) + ",";
        list.resize(comma);
    }
    return result + list;
}

constexpr auto write_order_parameter = "sfpu.write_order";

/// The parameter by which the model decides what a diagnostic is about, the same way every time; empty if there is none.
std::string deciding_parameter(report_id id) {
    switch (id) {
    case report_id::hazard_write_collision: return write_order_parameter;
    case report_id::dst_store_load_distance: return "dst.store_load_visible";
    default: return "";
    }
}

struct diagnostic_list : diagnostic_sink {
    void diagnose(const diagnostic& what) override { found.push_back(what); }
    std::vector<diagnostic> found;
};

class linter {
public:
    linter(program_runner& runner, const isa::kernel& kernel, const run_request& base, unsigned iterations,
           const lint_options& options)
        : runner_(runner), program_(kernel, iterations), options_(options), config_(base.config),
          hazards_(base.hazards) {
        report_.iterations = iterations;
        random_source random(options.seed);
        const dst_filling fillings[] = {dst_filling::mixture, dst_filling::mixture,
                                        dst_filling::wide_extremes, dst_filling::narrow_extremes};
        for (std::size_t i = 0; i < data_.size(); ++i) {
            data_set& each = data_[i];
            each.request = base;
            each.request.segments = program_.segments();
            each.request.bubbles.clear();
            each.request.dst_rows.clear();
            each.request.observer = nullptr;
            each.request.diagnostics = nullptr;
            fill_dst(each.request, fillings[i], random);
            fill_registers(each.request, random);
        }
    }

    lint_report run() {
        if (program_.size() == 0) return report_;
        try {
            check();
        } catch (const interruption&) {
            report_.interrupted = true;
        }
        report_.runs = runs_;
        judge();
        return report_;
    }

private:
    /// The user wants no more runs.
    struct interruption {};

    void check() {
        for (data_set& each : data_) run_without_bubbles(each);
        try_leftover_registers();
        std::stable_sort(report_.hazards.begin(), report_.hazards.end(),
                         [](const lint_hazard& a, const lint_hazard& b) { return a.what.at < b.what.at; });
        if (options_.bubbles) {
            try_single_bubbles();
            try_random_bubbles();
            std::sort(report_.boundaries.begin(), report_.boundaries.end(),
                      [](const lint_boundary& a, const lint_boundary& b) { return a.word < b.word; });
            if (options_.open_questions) try_open_questions();
        }
    }

    /// Inputs, and what the kernel makes of them without bubbles.
    struct data_set {
        run_request request;
        dst_image expected{};
        isa::vector_state state;
        execution_trace trace;
        std::uint64_t discards = 0;
    };
    /// A run that was tried, to be repeated under other parameters.
    struct trial {
        data_set* data;
        bubble_schedule bubbles;
        changed_rows changed; ///< by the bubbles
        question_reach reach; ///< what the run met
        bool collides = true, stalls = true;
    };

    changed_rows play(data_set& data, const bubble_schedule& bubbles, const parameters& config) {
        count_run();
        data.request.bubbles = bubbles;
        data.request.config = config;
        latest_ = runner_.run(data.request);
        first_issue_ = latest_.first_issue;
        discards_ = discards_of(latest_.counters);
        return rows_changed(data.expected, runner_.dst());
    }
    /// One more run, which is done or known to be like another.
    void count_run() {
        if (options_.interrupted && options_.interrupted()) throw interruption{};
        ++runs_;
        if (!options_.progress) return;
        if (expected_runs_ == 0) expected_runs_ = runs_to_expect();
        options_.progress(runs_, std::max(runs_, expected_runs_));
    }
    /// The latest run as one to be repeated.
    trial trial_of_latest(data_set& data, bubble_schedule bubbles, changed_rows changed) const {
        const auto& stalls = latest_.counters.stalls;
        return {&data,
                std::move(bubbles),
                std::move(changed),
                latest_.reach,
                latest_.counters.reports[static_cast<unsigned>(report_id::hazard_write_collision)] != 0,
                std::any_of(stalls.begin(), stalls.end(), [](const auto& count) { return count != 0; })};
    }
    effect effect_of(data_set& data, const bubble_schedule& bubbles) {
        return effect_of_latest(data, play(data, bubbles, config_));
    }
    effect effect_of_latest(const data_set& data, const changed_rows& changed) const {
        return {find_difference(data.expected, changed), discards_ > data.discards};
    }
    effect tried(data_set& data, bubble_schedule bubbles) {
        changed_rows changed = play(data, bubbles, config_);
        const effect found = effect_of_latest(data, changed);
        if (!same_registers(data.state, runner_.state())) report_.registers_changed = true;
        trials_.push_back(trial_of_latest(data, std::move(bubbles), std::move(changed)));
        return found;
    }
    execution_trace traced(data_set& data, const bubble_schedule& bubbles) {
        trace_recorder recorder(runner_.state(), runner_.thread(), words_, data.request.state);
        data.request.observer = &recorder;
        play(data, bubbles, config_);
        data.request.observer = nullptr;
        return recorder.take();
    }

    std::uint64_t runs_to_expect() const;
    void run_without_bubbles(data_set& data);
    void try_leftover_registers();
    void add_hazards(const std::vector<diagnostic>& found);
    void try_single_bubbles();
    void try_random_bubbles();
    void narrow_down(data_set& data, bubble_schedule bubbles);
    lint_boundary* known_boundary(std::size_t position);
    bool is_known(std::size_t position) { return known_boundary(position) != nullptr; }
    void add_boundary(data_set& data, const bubble_schedule& bubbles, std::size_t position,
                      const effect& found, bool needs_others);
    void name_discarded(lint_boundary& boundary, const execution_trace& before,
                        const execution_trace& after) const;
    void find_dependence(lint_boundary& boundary, data_set& data, const bubble_schedule& bubbles);
    lint_instruction instruction_of(const execution_step* step) const;
    std::vector<unsigned> configuring_lines(std::int64_t word) const;
    void try_open_questions();
    void try_value(lint_question& question, const parameters& config);
    bool may_differ(const trial& usual, const std::string& parameter, const parameters& config) const;
    template <class Use>
    void for_each_other_answer(Use&& use) const;
    void judge();

    run_result latest_;
    program_runner& runner_;
    issued_program program_;
    lint_options options_;
    parameters config_;
    isa::word_encoding words_ = isa::make_machine(config_).encoding();
    hazard_policy hazards_;
    std::array<data_set, 4> data_;
    std::vector<trial> trials_;
    cycles first_issue_{};       ///< of the latest run
    std::uint64_t discards_ = 0; ///< in the latest run
    lint_report report_;
    std::uint64_t runs_ = 0, expected_runs_ = 0;
};

/// If no bubble matters: what is looked into adds some.
std::uint64_t linter::runs_to_expect() const {
    const std::uint64_t sets = data_.size(), places = program_.positions().size();
    const std::uint64_t without = 2 * sets;
    if (!options_.bubbles) return without;
    std::uint64_t answers = 0;
    if (options_.open_questions)
        for_each_other_answer([&](const char*, const std::string&, const parameters&) { ++answers; });
    const std::uint64_t trials = sets + 2 * places * sets + options_.schedules;
    return without + longest_bubble * places * sets + options_.schedules + answers * trials;
}

// --- without bubbles -----------------------------------------------------------------------------------------------

void linter::run_without_bubbles(data_set& data) {
    diagnostic_list found;
    data.request.diagnostics = &found;
    data.trace = traced(data, {});
    data.request.diagnostics = nullptr;
    data.expected = runner_.dst();
    data.state = runner_.state();
    data.discards = discards_;
    trials_.push_back(trial_of_latest(data, {}, {}));

    probe::reporter reporter;
    reporter.reset(&found, hazards_, nullptr);
    const hazard_context context{data.trace, program_, words_, reporter};
    report_stale_configuration(context);
    report_lost_results(context);
    misc_watch watch(config_.arch, [&](std::int64_t word) {
        return word >= 0 && program_.in_loop(static_cast<std::size_t>(word));
    });
    for (const execution_step& step : data.trace.steps) watch.executed(step.event);
    watch.judge(data.state, reporter);
    add_hazards(found.found);
}

/// A result that changes with registers that the program did not write depends on what ran before.
void linter::try_leftover_registers() {
    random_source random(~options_.seed);
    for (data_set& data : data_) {
        const isa::vector_state before = data.request.state;
        fill_registers(data.request, random);
        for (unsigned lreg = first_free_constant; lreg <= last_free_constant; ++lreg)
            for (std::uint32_t& lane : data.request.state.lreg[lreg].v)
                lane = static_cast<std::uint32_t>(random.next());
        const auto difference = effect_of(data, {}).difference;
        data.request.state = before;
        if (!difference) continue;
        diagnostic_list found;
        probe::reporter reporter;
        reporter.reset(&found, hazards_, nullptr);
        report_unwritten_reads({data.trace, program_, words_, reporter},
                               slice_of(difference->row, difference->column));
        return add_hazards(found.found);
    }
}

/// What earlier calls found is the same hazard with other data: it is not counted twice.
void linter::add_hazards(const std::vector<diagnostic>& found) {
    const auto earlier = static_cast<std::ptrdiff_t>(report_.hazards.size());
    for (const diagnostic& what : found) {
        const std::int64_t word = word_of(what);
        const unsigned line = program_.line(word);
        const auto known =
            std::find_if(report_.hazards.begin(), report_.hazards.end(), [&](const lint_hazard& each) {
                return each.what.id == what.id && each.line == line;
            });
        if (known == report_.hazards.end()) {
            lint_hazard hazard;
            hazard.what = what;
            hazard.what.at = what.at - first_issue_;
            hazard.what.word = word;
            hazard.what.message =
                with_lines(what.message, [&](std::int64_t named) { return program_.line(named); });
            hazard.line = line;
            hazard.breaks = breaks(what, options_.strict);
            if (word >= 0)
                hazard.text = isa::disassemble(program_.word(static_cast<std::size_t>(word)).word, words_);
            hazard.configured_in = configuring_lines(word);
            report_.hazards.push_back(std::move(hazard));
        } else if (known - report_.hazards.begin() >= earlier) {
            ++known->count;
        }
    }
}

// --- bubbles -------------------------------------------------------------------------------------------------------

/// Bubbles of all lengths, because entries that count cycles can meet a word in one cycle and in no other. The results
/// of the shortest and the longest are tried under other answers to open questions, too.
void linter::try_single_bubbles() {
    const std::vector<std::size_t> positions = program_.positions();
    report_.positions = static_cast<unsigned>(positions.size());
    for (const std::size_t position : positions) {
        for (unsigned length = 1; length <= longest_bubble; ++length) {
            const bool is_end = length == 1 || length == longest_bubble;
            for (data_set& data : data_) {
                const lint_boundary* known = known_boundary(position);
                if (!is_end && known && known->first_difference) continue;
                const bubble_schedule bubbles = single_bubble(position, length);
                const effect found = is_end ? tried(data, bubbles) : effect_of(data, bubbles);
                if (found.any() && (!known || (found.difference && !known->first_difference)))
                    add_boundary(data, bubbles, position, found, false);
            }
        }
    }
}

void linter::try_random_bubbles() {
    random_source random(options_.seed);
    report_.random_schedules = options_.schedules;
    for (unsigned i = 0; i < options_.schedules; ++i) {
        data_set& data = data_[i % data_.size()];
        bubble_schedule bubbles = random_bubbles(program_, options_.bubble_rate, random);
        const effect found = tried(data, bubbles);
        if (found.difference) ++report_.random_changed;
        if (found.discards) ++report_.random_discarded;
        if (found.any()) narrow_down(data, std::move(bubbles));
    }
}

/// Finds a boundary that is not known yet, if the bubbles before known ones do not explain the effect.
void linter::narrow_down(data_set& data, bubble_schedule bubbles) {
    for (std::size_t i = 0; i < bubbles.size(); ++i)
        if (is_known(program_.position_of(i))) bubbles[i] = 0;
    if (!effect_of(data, bubbles).any()) return;
    for (unsigned& bubble : bubbles) { // leave out whatever is not needed
        if (bubble == 0) continue;
        const unsigned length = bubble;
        bubble = 0;
        if (!effect_of(data, bubbles).any()) bubble = length;
    }
    const effect found = effect_of(data, bubbles);
    const auto is_bubble = [](unsigned length) { return length != 0; };
    const auto last = std::find_if(bubbles.rbegin(), bubbles.rend(), is_bubble);
    const auto position = static_cast<std::size_t>(bubbles.rend() - last) - 1;
    add_boundary(data, bubbles, position, found,
                 std::count_if(bubbles.begin(), bubbles.end(), is_bubble) > 1);
}

lint_boundary* linter::known_boundary(std::size_t position) {
    const auto found =
        std::find_if(report_.boundaries.begin(), report_.boundaries.end(), [&](const lint_boundary& each) {
            return program_.position_of(static_cast<std::size_t>(each.word)) == position;
        });
    return found == report_.boundaries.end() ? nullptr : &*found;
}

/// A boundary at the same place that was found without a difference is replaced.
void linter::add_boundary(data_set& data, const bubble_schedule& bubbles, std::size_t position,
                          const effect& found, bool needs_others) {
    const isa::source_word& word = program_.word(position);
    lint_boundary boundary;
    boundary.word = static_cast<std::int64_t>(position);
    boundary.line = word.line;
    boundary.previous_line = program_.line(boundary.word - 1);
    boundary.text = isa::disassemble(word.word, words_);
    boundary.bubble = bubbles[position];
    boundary.needs_others = needs_others;
    boundary.inside_iteration = program_.continues_iteration(position);
    boundary.first_difference = found.difference;
    const execution_trace after = traced(data, bubbles);
    if (found.difference) {
        const resource slice = slice_of(found.difference->row, found.difference->column);
        if (const auto reordered = find_reordering(data.trace, after, slice)) {
            boundary.moved = instruction_of(reordered->moved);
            boundary.against = instruction_of(reordered->against);
        }
    }
    if (found.discards) name_discarded(boundary, data.trace, after);
    find_dependence(boundary, data, bubbles);
    if (lint_boundary* known = known_boundary(program_.position_of(position))) *known = std::move(boundary);
    else report_.boundaries.push_back(std::move(boundary));
}

/// The first instruction that is discarded with bubbles only, and what took its place.
void linter::name_discarded(lint_boundary& boundary, const execution_trace& before,
                            const execution_trace& after) const {
    for (const execution_step& lost : after.steps) {
        if (!lost.event.discarded) continue;
        const auto same = std::find_if(before.steps.begin(), before.steps.end(),
                                       [&](const execution_step& each) { return each.key() == lost.key(); });
        if (same == before.steps.end() || same->event.discarded) continue;
        boundary.discarded = instruction_of(&lost);
        if (!boundary.moved.text.empty()) return;
        boundary.against = boundary.discarded;
        for (const execution_step& other : after.steps)
            if (other.scheduled() && other.event.unit == lost.event.unit &&
                other.event.begin == lost.event.begin)
                boundary.moved = instruction_of(&other);
        return;
    }
}

/// Whether the same bubbles give another result under another answer to an open question.
void linter::find_dependence(lint_boundary& boundary, data_set& data, const bubble_schedule& bubbles) {
    const changed_rows usual = play(data, bubbles, config_);
    for_each_other_answer([&](const char* parameter, const std::string&, const parameters& config) {
        const bool known = !boundary.depends_on.empty() && boundary.depends_on.back() == parameter;
        if (!known && play(data, bubbles, config) != usual) boundary.depends_on.emplace_back(parameter);
    });
}

lint_instruction linter::instruction_of(const execution_step* step) const {
    if (!step) return {};
    return {isa::text(step->event.insn, words_), step->scheduled(), step->event.word,
            program_.line(step->event.word), configuring_lines(step->event.word)};
}

std::vector<unsigned> linter::configuring_lines(std::int64_t word) const {
    std::vector<unsigned> lines;
    for (const std::int64_t each : data_.front().trace.words_of_sequence(word))
        if (const unsigned line = program_.line(each); lines.empty() || lines.back() != line)
            lines.push_back(line); // a .macro is three words of one line
    return lines;
}

// --- open questions ------------------------------------------------------------------------------------------------

/// What the timing contract does not decide, or decides by inference only. Calls use(parameter, value, configuration)
/// for each value other than the configured one. Of the write order that is the reverse: it turns every pair round.
template <class Use>
void linter::for_each_other_answer(Use&& use) const {
    struct question {
        const char* parameter;
        std::vector<std::string> values;
    };
    const std::string reverse = reversed_list(find_parameter(write_order_parameter)->text(config_));
    const std::vector<question> questions{{"macro.delay_kind_scope", {"sub_unit", "macro"}},
                                          {"macro.firing_entry_outstanding", {"true", "false"}},
                                          {"dst.store_load_visible", {"0", "1", "2"}},
                                          {"sfpu.auto_stall", {"true", "false"}},
                                          {write_order_parameter, {reverse}}};
    for (const question& each : questions) {
        const parameter_row& row = *find_parameter(each.parameter);
        for (const std::string& value : each.values) {
            parameters config = config_;
            set_parameter(config, each.parameter, value);
            if (row.get(config) != row.get(config_)) use(each.parameter, value, config);
        }
    }
}

void linter::try_open_questions() {
    for_each_other_answer([&](const char* parameter, const std::string& value, const parameters& config) {
        if (report_.open_questions.empty() || report_.open_questions.back().parameter != parameter) {
            report_.open_questions.emplace_back();
            report_.open_questions.back().parameter = parameter;
        }
        lint_question& answer = report_.open_questions.back();
        answer.values.push_back(value);
        try_value(answer, config);
    });
}

/// Whether a run may give another result under another answer to a question. False is certain: up to the first event that the
/// question is about both runs are alike, and there was none.
bool linter::may_differ(const trial& usual, const std::string& parameter, const parameters& config) const {
    const isa::machine now = isa::make_machine(config_), other = isa::make_machine(config);
    if (options_.try_all_questions || now.issue_width > 1) return true;
    if (now == other) return false; // two names of one answer
    if (parameter == write_order_parameter) return usual.collides;
    if (parameter == "sfpu.auto_stall") return other.stalls_for_results || usual.stalls;
    if (parameter == "dst.store_load_visible") return usual.reach.store_load_visible;
    if (parameter == "macro.delay_kind_scope") return usual.reach.delay_kind_scope;
    if (parameter == "macro.firing_entry_outstanding") return usual.reach.firing_entry_outstanding;
    return true;
}

void linter::try_value(lint_question& question, const parameters& config) {
    for (const trial& each : trials_) {
        if (!may_differ(each, question.parameter, config)) {
            count_run();
            continue;
        }
        if (play(*each.data, each.bubbles, config) == each.changed) continue;
        question.depends = true;
        question.without_bubbles = question.without_bubbles || each.bubbles.empty();
        return; // the trials without bubbles come first
    }
}

// --- verdict -------------------------------------------------------------------------------------------------------

void linter::judge() {
    const std::vector<std::string> dependences = report_.depends_on();
    for (lint_hazard& each : report_.hazards)
        for (const std::string& parameter : dependences)
            if (parameter == deciding_parameter(each.what.id)) each.depends_on = parameter;
    const bool broken = std::any_of(report_.hazards.begin(), report_.hazards.end(),
                                    [](const lint_hazard& each) { return each.breaks; });
    report_.verdict = broken                        ? lint_verdict::broken
                      : !report_.boundaries.empty() ? lint_verdict::replay_only
                                                    : lint_verdict::robust;
}

} // namespace

const char* to_string(lint_verdict verdict) {
    switch (verdict) {
    case lint_verdict::robust: return "robust";
    case lint_verdict::replay_only: return "replay-only";
    case lint_verdict::broken: return "broken";
    }
    return "?";
}

bool lint_report::safe_from_replay_buffer() const {
    return verdict != lint_verdict::broken &&
           std::all_of(boundaries.begin(), boundaries.end(),
                       [](const lint_boundary& each) { return each.inside_iteration; });
}

std::vector<std::string> lint_report::depends_on() const {
    std::vector<std::string> parameters;
    for (const lint_question& each : open_questions)
        if (each.without_bubbles) parameters.push_back(each.parameter);
    return parameters;
}

lint_report lint(program_runner& runner, const isa::kernel& kernel, const run_request& base,
                 unsigned iterations, const lint_options& options) {
    // Hundreds of kilobytes, which the stack of a caller need not have.
    iterations = iterations_to_run(kernel, iterations);
    return std::make_unique<linter>(runner, kernel, base, iterations, options)->run();
}

} // namespace sfpu::platform
