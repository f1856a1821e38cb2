#include <sfpu/platform/sfpu_lint.h>

#include "execution_trace.h"
#include "issued_program.h"
#include "reordering.h"
#include "trace_hazards.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <algorithm>
#include <array>
#include <optional>

namespace sfpu::platform {
namespace {

/// Data that makes differences visible: a mixture of plain random bits, zeros (which choose lanes) and numbers of
/// moderate size in the layout of FP32 and BF16 cells. Both halves of a 32-bit cell are of one kind.
void fill_dst(run_request& request, random_source& random) {
    constexpr unsigned rows = 1024, columns = 16, half_distance = 8;
    enum kind { bits, zero, number, kinds };
    std::array<std::array<kind, columns>, rows> kind_of{};
    for (unsigned row = 0; row < rows; ++row) {
        std::array<std::uint16_t, columns>& cells = request.dst_rows[row];
        for (unsigned column = 0; column < columns; ++column) {
            const bool lower_half = row & half_distance;
            const std::uint64_t draw = random.next();
            kind& chosen = kind_of[row][column];
            chosen =
                lower_half ? kind_of[row - half_distance][column] : static_cast<kind>((draw >> 32) % kinds);
            const auto value = static_cast<std::uint16_t>(draw);
            // {sign, mantissa 22:16, exponent}: exponents 124 to 131
            const auto moderate = static_cast<std::uint16_t>((value & 0xff00u) | (124u + (value & 7u)));
            cells[column] = chosen == zero                    ? std::uint16_t{0}
                            : chosen == number && !lower_half ? moderate
                                                              : value;
        }
    }
}

/// What an earlier kernel may have left in the registers.
void fill_registers(run_request& request, random_source& random) {
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v)
            lane = static_cast<std::uint32_t>(random.next());
    for (std::uint32_t& lane : request.state.lreg[isa::macro_lreg].v)
        lane = static_cast<std::uint32_t>(random.next());
}

std::optional<dst_difference> find_difference(const dst_image& expected, const dst_image& got) {
    for (unsigned row = 0; row < expected.size(); ++row) {
        if (expected[row] == got[row]) continue;
        for (unsigned column = 0; column < expected[row].size(); ++column)
            if (expected[row][column] != got[row][column])
                return dst_difference{row, column, expected[row][column], got[row][column]};
    }
    return std::nullopt;
}

bool same_registers(const isa::vector_state& a, const isa::vector_state& b) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (!std::equal(std::begin(a.lreg[lreg].v), std::end(a.lreg[lreg].v), std::begin(b.lreg[lreg].v)))
            return false;
    return a.flags == b.flags && a.use_flags == b.use_flags;
}

/// Hazards break a kernel. So does a forgotten instruction: it is no hazard of a cycle, but it never executes.
bool breaks(const diagnostic& what) {
    return describe(what.id).kind == report_kind::hazard || what.id == report_id::macro_forgotten ||
           what.level == severity::error;
}

struct diagnostic_list : diagnostic_sink {
    void diagnose(const diagnostic& what) override { found.push_back(what); }
    std::vector<diagnostic> found;
};

class linter {
public:
    linter(sfpu_bench& bench, const isa::kernel& kernel, const run_request& base, unsigned iterations,
           const lint_options& options)
        : bench_(bench), program_(kernel, iterations), options_(options), config_(base.config),
          hazards_(base.hazards) {
        report_.iterations = iterations;
        random_source random(options.seed);
        for (data_set& each : data_) {
            each.request = base;
            each.request.segments = program_.segments();
            each.request.bubbles.clear();
            each.request.dst_rows.clear();
            each.request.observer = nullptr;
            each.request.diagnostics = nullptr;
            fill_dst(each.request, random);
            fill_registers(each.request, random);
        }
    }

    lint_report run() {
        if (program_.size() == 0) return report_;
        for (data_set& each : data_) run_without_bubbles(each);
        try_leftover_registers();
        std::stable_sort(report_.hazards.begin(), report_.hazards.end(),
                         [](const lint_hazard& a, const lint_hazard& b) { return a.what.at < b.what.at; });
        try_single_bubbles();
        try_random_bubbles();
        std::sort(report_.boundaries.begin(), report_.boundaries.end(),
                  [](const lint_boundary& a, const lint_boundary& b) { return a.word < b.word; });
        try_open_questions();
        judge();
        return report_;
    }

private:
    /// Inputs, and what the kernel makes of them without bubbles.
    struct data_set {
        run_request request;
        dst_image expected{};
        isa::vector_state state;
        execution_trace trace;
    };
    /// A run that was tried, to be repeated under other parameters.
    struct trial {
        data_set* data;
        bubble_schedule bubbles;
        std::optional<dst_image> other; ///< the result if it is not the expected one
    };

    const dst_image& play(data_set& data, const bubble_schedule& bubbles, const parameters& config) {
        data.request.bubbles = bubbles;
        data.request.config = config;
        first_issue_ = bench_.run(data.request).first_issue;
        return bench_.dst();
    }
    /// The difference that the bubbles make.
    std::optional<dst_difference> effect_of(data_set& data, const bubble_schedule& bubbles) {
        return find_difference(data.expected, play(data, bubbles, config_));
    }
    std::optional<dst_difference> tried(data_set& data, bubble_schedule bubbles) {
        const auto difference = effect_of(data, bubbles);
        if (!same_registers(data.state, bench_.state())) report_.registers_changed = true;
        trials_.push_back({&data, std::move(bubbles), std::nullopt});
        if (difference) trials_.back().other = bench_.dst();
        return difference;
    }
    execution_trace traced(data_set& data, const bubble_schedule& bubbles) {
        trace_recorder recorder(bench_.state(), bench_.thread(), isa::make_machine(config_).encoding());
        data.request.observer = &recorder;
        play(data, bubbles, config_);
        data.request.observer = nullptr;
        return recorder.take();
    }

    void run_without_bubbles(data_set& data);
    void try_leftover_registers();
    void add_hazards(const std::vector<diagnostic>& found);
    void try_single_bubbles();
    void try_random_bubbles();
    void narrow_down(data_set& data, bubble_schedule bubbles);
    bool is_known(std::size_t position) const;
    void add_boundary(data_set& data, const bubble_schedule& bubbles, std::size_t position,
                      const dst_difference& difference, bool needs_others);
    lint_instruction instruction_of(const execution_step* step) const;
    std::vector<unsigned> configuring_lines(std::int64_t word) const;
    void try_open_questions();
    void try_value(lint_question& question, const parameters& config);
    void judge();

    sfpu_bench& bench_;
    issued_program program_;
    lint_options options_;
    parameters config_;
    hazard_policy hazards_;
    std::array<data_set, 2> data_;
    std::vector<trial> trials_;
    cycles first_issue_{}; ///< of the latest run
    lint_report report_;
};

// --- without bubbles -----------------------------------------------------------------------------------------------

void linter::run_without_bubbles(data_set& data) {
    diagnostic_list found;
    data.request.diagnostics = &found;
    data.trace = traced(data, {});
    data.request.diagnostics = nullptr;
    data.expected = bench_.dst();
    data.state = bench_.state();
    trials_.push_back({&data, {}, std::nullopt});

    probe::reporter reporter;
    reporter.reset(&found, hazards_, nullptr);
    const hazard_context context{data.trace, program_, config_.arch, reporter};
    report_stale_configuration(context);
    report_lost_results(context);
    add_hazards(found.found);
}

/// A result that changes with registers that the program did not write depends on what ran before.
void linter::try_leftover_registers() {
    data_set& data = data_.front();
    const isa::vector_state before = data.request.state;
    random_source random(~options_.seed);
    fill_registers(data.request, random);
    const auto difference = effect_of(data, {});
    data.request.state = before;
    if (!difference) return;
    diagnostic_list found;
    probe::reporter reporter;
    reporter.reset(&found, hazards_, nullptr);
    report_unwritten_reads({data.trace, program_, config_.arch, reporter},
                           slice_of(difference->row, difference->column));
    add_hazards(found.found);
}

/// What earlier calls found is the same hazard with other data: it is not counted twice.
void linter::add_hazards(const std::vector<diagnostic>& found) {
    const auto earlier = static_cast<std::ptrdiff_t>(report_.hazards.size());
    for (const diagnostic& what : found) {
        const unsigned line = program_.line(what.word);
        const auto known =
            std::find_if(report_.hazards.begin(), report_.hazards.end(), [&](const lint_hazard& each) {
                return each.what.id == what.id && each.line == line;
            });
        if (known == report_.hazards.end()) {
            report_.hazards.push_back({what, line, 1, breaks(what), configuring_lines(what.word)});
            report_.hazards.back().what.at = what.at - first_issue_;
        } else if (known - report_.hazards.begin() >= earlier) {
            ++known->count;
        }
    }
}

// --- bubbles -------------------------------------------------------------------------------------------------------

void linter::try_single_bubbles() {
    const std::vector<std::size_t> positions = program_.positions();
    report_.positions = static_cast<unsigned>(positions.size());
    for (const std::size_t position : positions) {
        for (const unsigned length : {1u, longest_bubble}) {
            for (data_set& data : data_) {
                const bubble_schedule bubbles = single_bubble(position, length);
                const auto difference = tried(data, bubbles);
                if (difference && !is_known(position))
                    add_boundary(data, bubbles, position, *difference, false);
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
        if (!tried(data, bubbles)) continue;
        ++report_.random_changed;
        narrow_down(data, std::move(bubbles));
    }
}

/// Finds a boundary that is not known yet, if the bubbles before known ones do not explain the difference.
void linter::narrow_down(data_set& data, bubble_schedule bubbles) {
    for (std::size_t i = 0; i < bubbles.size(); ++i)
        if (is_known(program_.position_of(i))) bubbles[i] = 0;
    if (!effect_of(data, bubbles)) return;
    for (unsigned& bubble : bubbles) { // leave out whatever is not needed
        if (bubble == 0) continue;
        const unsigned length = bubble;
        bubble = 0;
        if (!effect_of(data, bubbles)) bubble = length;
    }
    const auto difference = effect_of(data, bubbles);
    const auto is_bubble = [](unsigned length) { return length != 0; };
    const auto last = std::find_if(bubbles.rbegin(), bubbles.rend(), is_bubble);
    const auto position = static_cast<std::size_t>(bubbles.rend() - last) - 1;
    add_boundary(data, bubbles, position, *difference,
                 std::count_if(bubbles.begin(), bubbles.end(), is_bubble) > 1);
}

bool linter::is_known(std::size_t position) const {
    return std::any_of(report_.boundaries.begin(), report_.boundaries.end(), [&](const lint_boundary& each) {
        return program_.position_of(static_cast<std::size_t>(each.word)) == position;
    });
}

void linter::add_boundary(data_set& data, const bubble_schedule& bubbles, std::size_t position,
                          const dst_difference& difference, bool needs_others) {
    const isa::source_word& word = program_.word(position);
    lint_boundary boundary;
    boundary.word = static_cast<std::int64_t>(position);
    boundary.line = word.line;
    boundary.previous_line = program_.line(boundary.word - 1);
    boundary.text = isa::disassemble(word.word, config_.arch);
    boundary.bubble = bubbles[position];
    boundary.needs_others = needs_others;
    boundary.inside_iteration = program_.continues_iteration(position);
    boundary.first_difference = difference;
    const execution_trace after = traced(data, bubbles);
    if (const auto found = find_reordering(data.trace, after, slice_of(difference.row, difference.column))) {
        boundary.moved = instruction_of(found->moved);
        boundary.against = instruction_of(found->against);
    }
    report_.boundaries.push_back(std::move(boundary));
}

lint_instruction linter::instruction_of(const execution_step* step) const {
    if (!step) return {};
    return {isa::text(step->event.insn, config_.arch), step->scheduled(), step->event.word,
            program_.line(step->event.word), configuring_lines(step->event.word)};
}

std::vector<unsigned> linter::configuring_lines(std::int64_t word) const {
    std::vector<unsigned> lines;
    for (const std::int64_t each : data_.front().trace.words_of_sequence(word))
        lines.push_back(program_.line(each));
    return lines;
}

// --- open questions ------------------------------------------------------------------------------------------------

void linter::try_open_questions() {
    struct question {
        const char* parameter;
        std::vector<const char*> values;
    };
    static const std::vector<question> questions{{"macro.delay_kind_scope", {"sub_unit", "macro"}},
                                                 {"macro.firing_entry_outstanding", {"true", "false"}},
                                                 {"dst.store_load_visible", {"0", "1", "2"}},
                                                 {"sfpu.auto_stall", {"true", "false"}}};
    for (const question& each : questions) {
        lint_question answer;
        answer.parameter = each.parameter;
        for (const char* value : each.values) {
            parameters config = config_;
            set_parameter(config, each.parameter, value);
            const parameter_row& row = *find_parameter(each.parameter);
            if (row.get(config) == row.get(config_)) continue;
            answer.values.emplace_back(value);
            try_value(answer, config);
        }
        report_.open_questions.push_back(std::move(answer));
    }
}

void linter::try_value(lint_question& question, const parameters& config) {
    for (const trial& each : trials_) {
        const dst_image& usual = each.other ? *each.other : each.data->expected;
        if (play(*each.data, each.bubbles, config) == usual) continue;
        question.depends = true;
        question.without_bubbles = question.without_bubbles || each.bubbles.empty();
        return; // the trials without bubbles come first
    }
}

// --- verdict -------------------------------------------------------------------------------------------------------

void linter::judge() {
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

lint_report lint(sfpu_bench& bench, const isa::kernel& kernel, const run_request& base, unsigned iterations,
                 const lint_options& options) {
    return linter(bench, kernel, base, iterations_to_run(kernel, iterations), options).run();
}

} // namespace sfpu::platform
