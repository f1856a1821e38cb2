#include <sfpu/analysis/equivalence.h>

#include "compared_constants.h"
#include "compared_operands.h"
#include "term_comparison.h"
#include "word_sweep.h"

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/common/random_source.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sfpu::analysis {
namespace {

using isa::data_type;

// --- the comparison ----------------------------------------------------------------------------------------

constexpr unsigned longest_bubble = 8;
constexpr std::uint64_t most_extreme_tuples = 1u << 14;

class comparison {
public:
    comparison(platform::program_runner& runner, const equivalence_side& a, const equivalence_side& b,
               const equivalence_options& options)
        : runner_(runner), a_(a), b_(b), options_(options), random_(options.seed) {}

    equivalence_report run() {
        report_.not_comparable = problem();
        if (!report_.not_comparable.empty()) return report_;
        request_a_ = start_of(a_);
        request_b_ = start_of(b_);
        find_operands();
        const bool is_one_word = inputs_a_.size() == 1 && inputs_a_[0].wide && inputs_a_[0].elements() != 0;
        if (options_.exhaustive && !has_narrow_input() && !is_one_word) {
            report_.not_comparable =
                a_.rows == 0
                    ? "they work on no row, so no value can be tried"
                    : "there is not one input of 32 bits only, and none has 16 bits or fewer, so not "
                      "every value can be tried";
            return report_;
        }
        const bool every_value = options_.exhaustive || (options_.exhaustive_if_narrow && has_narrow_input());
        report_.equal = try_extremes() && try_terms() &&
                        (!every_value || (is_one_word ? try_every_word() : try_every_value())) &&
                        try_random();
        report_.each_value = every_value && report_.equal;
        report_.exhaustive = report_.each_value && inputs_a_.size() == 1;
        judge();
        return report_;
    }

private:
    std::string problem() const;
    std::string placement_problem(const equivalence_side& side, const std::vector<isa::tensor>& inputs) const;
    static platform::run_request start_of(const equivalence_side& side);
    std::vector<compared_operand> declared(const std::vector<isa::tensor>& tensors,
                                           const equivalence_side& side) const;
    void find_operands();
    bool has_narrow_input() const;

    bool try_extremes();
    bool try_terms();
    bool try_constants(std::vector<std::uint32_t> constants);
    bool try_lists(const std::vector<std::vector<std::uint32_t>>& lists);
    bool try_values(const term_comparison& terms, const std::vector<std::pair<term, std::uint32_t>>& values);
    bool try_every_value();
    bool try_every_word();
    void judge();
    bool try_random();
    /// Fills the inputs and compares; `cell(input, element)` is what element 0, 1, ... of this run holds.
    template <typename Cell>
    bool same(Cell&& cell);
    template <typename Cell>
    void fill(Cell&& cell);
    bool same_results();
    std::optional<output_difference> difference(const platform::dst_image& a,
                                                const platform::dst_image& b) const;
    output_difference difference_at(const compared_operand& output, std::size_t index, unsigned lane,
                                    std::uint32_t a, std::uint32_t b) const;
    bool same_cell(std::optional<data_type> type, std::uint32_t a, std::uint32_t b) const;
    std::vector<std::pair<std::string, typed_value>> inputs_at(const compared_operand& output,
                                                               std::size_t index, unsigned lane) const;
    std::size_t elements() const { return inputs_a_.empty() ? std::size_t{1} : most_elements_; }
    std::uint32_t drawn_cell(const compared_operand& input);

    platform::program_runner& runner_;
    equivalence_side a_, b_;
    equivalence_options options_;
    random_source random_;
    platform::run_request request_a_, request_b_;
    std::vector<compared_operand> inputs_a_, inputs_b_, outputs_a_, outputs_b_; ///< in the same order
    std::size_t most_elements_ = 1;
    std::vector<dst_access> stores_; ///< of A, if it declares no outputs
    bool is_proved_ = false;
    equivalence_report report_;
};

/// What a request has in the cell of a lane.
std::uint32_t given_cell(const platform::run_request& request, const dst_slice& slice, unsigned lane) {
    std::uint32_t cell = 0;
    for (const unsigned at : cells_of(slice, lane)) {
        const platform::dst_row* const given = request.dst_rows.find(at / 16);
        cell = cell << 16 | (given ? (*given)[at % 16] : 0u);
    }
    return cell;
}

const std::vector<isa::tensor>& tensors_of(const std::vector<isa::tensor>& own,
                                           const std::vector<isa::tensor>& of_a) {
    return own.empty() || of_a.empty() ? of_a : own;
}

std::string list_problem(const char* directive, const std::vector<isa::tensor>& a,
                         const std::vector<isa::tensor>& b) {
    if (a.empty() || b.empty()) return "";
    for (const isa::tensor& one : a) {
        const auto same =
            std::find_if(b.begin(), b.end(), [&](const isa::tensor& each) { return each.name == one.name; });
        if (same == b.end()) return fmt::format("only the first kernel has {} {}", directive, one.name);
        if (same->type != one.type)
            return fmt::format("{} {} is {} in the first kernel and {} in the second", directive, one.name,
                               isa::to_string(one.type), isa::to_string(same->type));
    }
    if (a.size() == b.size()) return "";
    for (const isa::tensor& one : b)
        if (std::none_of(a.begin(), a.end(), [&](const isa::tensor& each) { return each.name == one.name; }))
            return fmt::format("only the second kernel has {} {}", directive, one.name);
    return "";
}

std::string comparison::problem() const {
    if (a_.request->config.arch != b_.request->config.arch)
        return fmt::format("the first kernel is for {}, the second for {}",
                           short_name(a_.request->config.arch), short_name(b_.request->config.arch));
    if (a_.rows != b_.rows)
        return fmt::format("the first kernel works on {} rows, the second on {}", a_.rows, b_.rows);
    if (a_.rows == 0 && !a_.kernel->outputs.empty())
        return fmt::format("they work on no row (there is no .loop), so there is nothing of .output {} to "
                           "compare; without .output all of Dst is compared",
                           a_.kernel->outputs.front().name);
    for (const std::string& found :
         {list_problem(".input", a_.kernel->inputs, b_.kernel->inputs),
          list_problem(".output", a_.kernel->outputs, b_.kernel->outputs),
          placement_problem(a_, a_.kernel->inputs), placement_problem(a_, a_.kernel->outputs),
          placement_problem(b_, tensors_of(b_.kernel->inputs, a_.kernel->inputs)),
          placement_problem(b_, tensors_of(b_.kernel->outputs, a_.kernel->outputs))})
        if (!found.empty()) return found;
    return "";
}

/// Inputs (or outputs) must not lie on each other, nor wrap around.
std::string comparison::placement_problem(const equivalence_side& side,
                                          const std::vector<isa::tensor>& tensors) const {
    raw_cell_set taken;
    for (const isa::tensor& one : tensors) {
        raw_cell_set own;
        for (unsigned row = 0; row < side.rows; ++row) {
            const dst_slice slice =
                slice_of_row(one.address, row, isa::has_wide_cells(one.type), side.request->thread);
            if (own.contains(slice))
                return fmt::format("{}: {} rows of {} do not fit into Dst", shown_name(side.kernel->file),
                                   side.rows, one.name);
            if (taken.contains(slice))
                return fmt::format("{}: row {} of {} lies on another one, {}", shown_name(side.kernel->file),
                                   row, one.name, place_taken(side, tensors, slice));
            own.add(slice);
        }
        for (unsigned row = 0; row < side.rows; ++row)
            taken.add(slice_of_row(one.address, row, isa::has_wide_cells(one.type), side.request->thread));
    }
    return "";
}

platform::run_request comparison::start_of(const equivalence_side& side) {
    platform::run_request request = *side.request;
    request.bubbles.clear();
    request.dst_rows.clear();
    request.observer = nullptr;
    request.diagnostics = nullptr;
    return request;
}

std::vector<compared_operand> comparison::declared(const std::vector<isa::tensor>& tensors,
                                                   const equivalence_side& side) const {
    std::vector<compared_operand> operands;
    for (const isa::tensor& one : tensors) {
        compared_operand each;
        each.name = one.name;
        each.type = one.type;
        each.wide = isa::has_wide_cells(one.type);
        each.declared = true;
        for (unsigned row = 0; row < side.rows; ++row)
            each.slices.push_back(slice_of_row(one.address, row, each.wide, side.request->thread));
        operands.push_back(std::move(each));
    }
    return operands;
}

/// The operands of B in the order of those of A.
std::vector<compared_operand> in_order_of(const std::vector<compared_operand>& a,
                                          const std::vector<compared_operand>& b) {
    std::vector<compared_operand> sorted;
    sorted.reserve(a.size());
    for (const compared_operand& one : a)
        sorted.push_back(*std::find_if(b.begin(), b.end(),
                                       [&](const compared_operand& each) { return each.name == one.name; }));
    return sorted;
}

void comparison::find_operands() {
    inputs_a_ = declared(a_.kernel->inputs, a_);
    outputs_a_ = declared(a_.kernel->outputs, a_);
    inputs_b_ = in_order_of(inputs_a_, declared(tensors_of(b_.kernel->inputs, a_.kernel->inputs), b_));
    outputs_b_ = in_order_of(outputs_a_, declared(tensors_of(b_.kernel->outputs, a_.kernel->outputs), b_));
    if (inputs_a_.empty() || outputs_a_.empty()) {
        access_recorder recorder(runner_.thread());
        request_a_.observer = &recorder;
        runner_.run(request_a_);
        request_a_.observer = nullptr;
        if (inputs_a_.empty()) inputs_a_ = inputs_b_ = found_inputs(recorder.found, a_);
        if (outputs_a_.empty()) {
            outputs_a_ = operands_of(recorder.found, true, a_);
            for (compared_operand& one : outputs_a_) one.name = name_of(one);
            outputs_b_ = outputs_a_;
            for (const dst_access& each : recorder.found)
                if (each.is_store) stores_.push_back(each);
        }
    }
    for (const compared_operand& one : inputs_a_) {
        most_elements_ = std::max(most_elements_, one.elements());
        report_.inputs.push_back(one.name);
    }
    for (const compared_operand& one : outputs_a_) report_.outputs.push_back(one.name);
}

/// The number of different values that an operand has, 0 if too many to try.
std::uint32_t values_of(const compared_operand& one) {
    if (one.wide) return 0;
    return one.type ? isa::cell_count(*one.type) : 1u << 16;
}

bool comparison::has_narrow_input() const {
    return std::any_of(inputs_a_.begin(), inputs_a_.end(), [](const compared_operand& one) {
        return one.elements() != 0 && values_of(one) != 0;
    });
}

std::uint32_t comparison::drawn_cell(const compared_operand& input) {
    if (input.type) return isa::random_cell(*input.type, random_);
    const auto bits = static_cast<std::uint32_t>(random_.next());
    return input.wide ? bits : bits & 0xffffu;
}

/// Every tuple of extreme values if they are few enough, else as many random ones.
bool comparison::try_extremes() {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const compared_operand& one : inputs_a_)
        lists.push_back(one.type ? isa::extreme_cells(*one.type)
                                 : std::vector<std::uint32_t>{0, 0xffff, 0x8000, 0x7fff, 1});
    return try_lists(lists);
}

/// One value of each list at a time: every tuple if they are few enough, else as many random ones.
bool comparison::try_lists(const std::vector<std::vector<std::uint32_t>>& lists) {
    std::uint64_t tuples = 1;
    for (const std::vector<std::uint32_t>& list : lists)
        tuples = std::min<std::uint64_t>(tuples * list.size(), most_extreme_tuples + 1);
    const bool all = tuples <= most_extreme_tuples;
    if (!all) tuples = most_extreme_tuples;
    for (std::uint64_t first = 0; first < tuples; first += elements()) {
        const bool equal = same([&](std::size_t input, std::size_t element) {
            const std::vector<std::uint32_t>& list = lists[input];
            if (!all) return list[random_.next() % list.size()];
            std::uint64_t number = (first + element) % tuples;
            for (std::size_t i = 0; i < input; ++i) number /= lists[i].size();
            return list[number % list.size()];
        });
        if (!equal) return false;
    }
    return true;
}

/// Compares the kernels as terms. What a solver finds, and without a proof the constants of both kernels, are
/// run.
bool comparison::try_terms() {
    if (!options_.prove) return true;
    const compared_kernels of{
        request_a_, request_b_, inputs_a_, inputs_b_, outputs_a_, outputs_b_, a_.kernel->outputs.empty()};
    term_comparison terms(runner_, of, options_.interrupted);
    report_.not_proved = terms.unknown;
    std::vector<std::string> rules;
    if (terms.unknown.empty()) {
        term_comparison::outcome found =
            terms.compare(options_.solver, options_.solver_seconds, options_.interrupted);
        is_proved_ = found.equal;
        rules = std::move(found.rules);
        if (!found.values.empty() && !try_values(terms, found.values)) return false;
        if (!found.equal)
            report_.not_proved = found.values.empty()
                                     ? "the kernels are not the same as terms, and no solver decided it"
                                     : "the values for which the terms differ are none that are compared";
    }
    if (!is_proved_) return try_constants(terms.constants());
    report_.rests_on.rules = std::move(rules);
    report_.rests_on.rows = a_.rows;
    report_.rests_on.start = "L0 to L7, L16, Dst and random numbers unknown at the start, lane flags and "
                             "configuration as a run begins";
    report_.rests_on.random_numbers = terms.uses_random;
    const parameters& config = request_a_.config;
    for (const auto& [met, path] : {std::pair{terms.reach.delay_kind_scope, "macro.delay_kind_scope"},
                                    {terms.reach.mixed_kinds, "macro.firing_entry_outstanding"},
                                    {terms.reach.mixed_kinds, "macro.freeze_scope"},
                                    {terms.reach.store_load_visible, "dst.store_load_visible"},
                                    {terms.order_matters, "sfpu.write_order"}})
        if (const parameter_row* const row = met ? find_parameter(path) : nullptr)
            report_.rests_on.settled.push_back(fmt::format("{}={}", path, row->text(config)));
    return true;
}

bool comparison::try_constants(std::vector<std::uint32_t> constants) {
    for (const platform::run_request* const request : {&request_a_, &request_b_}) {
        const std::vector<std::uint32_t> own = constants_of(*request);
        constants.insert(constants.end(), own.begin(), own.end());
    }
    std::vector<std::vector<std::uint32_t>> lists;
    for (const compared_operand& one : inputs_a_) {
        lists.push_back(cells_of_constants(one, constants, request_a_.config.arch));
        if (lists.back().empty()) lists.back().push_back(drawn_cell(one));
    }
    return lists.empty() || try_lists(lists);
}

/// What a solver says that the kernels differ for.
bool comparison::try_values(const term_comparison& terms,
                            const std::vector<std::pair<term, std::uint32_t>>& values) {
    fill([&](std::size_t input, std::size_t) { return drawn_cell(inputs_a_[input]); });
    terms.put(values, request_a_, request_b_);
    // What is no value of its type, as a half that does not matter, becomes one: the model judges.
    for (std::size_t input = 0; input < inputs_a_.size(); ++input) {
        const compared_operand& one = inputs_a_[input];
        for (std::size_t element = 0; one.type && element < one.elements(); ++element) {
            const std::size_t row = element / lane_count;
            const auto lane = static_cast<unsigned>(element % lane_count);
            const std::uint32_t cell = given_cell(request_a_, one.slices[row], lane);
            if (isa::cell_of_value(*one.type, isa::value_of_cell(*one.type, cell)) == cell) continue;
            const std::uint32_t drawn = drawn_cell(one);
            write_cell(request_a_.dst_rows, one.slices[row], lane, drawn);
            write_cell(request_b_.dst_rows, inputs_b_[input].slices[row], lane, drawn);
        }
    }
    ++report_.runs;
    report_.inputs_tried += std::uint64_t{a_.rows} * lane_count;
    return same_results();
}

void comparison::judge() {
    using verdict = equivalence_verdict;
    if (!report_.equal) {
        report_.verdict = verdict::different;
        report_.not_proved.clear();
    } else if (is_proved_) {
        report_.verdict = verdict::proved;
    } else {
        report_.verdict = report_.exhaustive ? verdict::exhaustive : verdict::tested;
    }
}

/// Of one operand after the other, with random values of the others.
bool comparison::try_every_value() {
    for (std::size_t wanted = 0; wanted < inputs_a_.size(); ++wanted) {
        const std::uint32_t count = values_of(inputs_a_[wanted]);
        for (std::uint64_t first = 0; first < count; first += inputs_a_[wanted].elements()) {
            const bool equal = same([&](std::size_t input, std::size_t element) {
                if (input != wanted) return drawn_cell(inputs_a_[input]);
                const auto number = static_cast<std::uint32_t>((first + element) % count);
                return inputs_a_[wanted].type ? isa::numbered_cell(*inputs_a_[wanted].type, number) : number;
            });
            if (!equal) return false;
        }
    }
    return true;
}

/// Of the one operand that there is.
bool comparison::try_every_word() {
    const compared_operand& input = inputs_a_[0];
    fill([&](std::size_t, std::size_t) { return drawn_cell(input); });
    const word_sweep sweep{request_a_,
                           request_b_,
                           input,
                           inputs_b_[0],
                           [&](const platform::dst_image& a, const platform::dst_image& b) {
                               return difference(a, b).has_value();
                           },
                           options_.interrupted};
    const word_sweep::outcome found = sweep.run();
    report_.runs += found.runs;
    report_.inputs_tried += found.runs * a_.rows * lane_count;
    report_.interrupted = found.interrupted;
    if (!found.first) return !found.interrupted;
    // Shown as all differences are.
    return same(
        [&](std::size_t, std::size_t element) { return static_cast<std::uint32_t>(*found.first + element); });
}

bool comparison::try_random() {
    std::vector<std::uint32_t> previous(inputs_a_.size());
    for (unsigned i = 0; i < options_.seeds; ++i) {
        const bool equal = same([&](std::size_t input, std::size_t) {
            // Now and then the value of another operand: what depends on a difference shows then.
            const bool repeat =
                input > 0 && inputs_a_[input].type == inputs_a_[0].type && random_.next() % 8 == 0;
            const std::uint32_t cell = repeat ? previous[0] : drawn_cell(inputs_a_[input]);
            previous[input] = cell;
            return cell;
        });
        if (!equal) return false;
    }
    return true;
}

template <typename Cell>
bool comparison::same(Cell&& cell) {
    if (options_.interrupted && options_.interrupted()) {
        report_.interrupted = true;
        return false;
    }
    fill(cell);
    ++report_.runs;
    report_.inputs_tried += std::uint64_t{a_.rows} * lane_count;
    return same_results();
}

template <typename Cell>
void comparison::fill(Cell&& cell) {
    constexpr dst_filling fillings[] = {dst_filling::mixture, dst_filling::wide_extremes,
                                        dst_filling::mixture, dst_filling::narrow_extremes};
    request_a_.state = a_.request->state;
    request_b_.state = b_.request->state;
    fill_registers(request_a_, random_);
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        request_b_.state.lreg[lreg] = request_a_.state.lreg[lreg];
    request_b_.state.lreg[isa::macro_lreg] = request_a_.state.lreg[isa::macro_lreg];
    fill_dst(request_a_, fillings[report_.runs % 4], random_);
    request_b_.dst_rows = request_a_.dst_rows;

    // Element by element, so that `cell` can relate the operands of one.
    for (std::size_t element = 0; element < elements(); ++element) {
        const auto lane = static_cast<unsigned>(element % lane_count);
        for (std::size_t i = 0; i < inputs_a_.size(); ++i) {
            if (element >= inputs_a_[i].elements()) continue;
            const std::uint32_t value = cell(i, element);
            write_cell(request_a_.dst_rows, inputs_a_[i].slices[element / lane_count], lane, value);
            write_cell(request_b_.dst_rows, inputs_b_[i].slices[element / lane_count], lane, value);
        }
    }
}

bool comparison::same_results() {
    runner_.run(request_a_);
    const platform::dst_image expected = runner_.dst();
    for (unsigned schedule = 0; schedule <= options_.bubble_schedules; ++schedule) {
        request_b_.bubbles.clear();
        if (schedule != 0) {
            std::uint64_t words = 0;
            for (const platform::program_segment& segment : request_b_.segments)
                words += segment.words.size() * segment.repeat;
            request_b_.bubbles.resize(words);
            for (unsigned& bubble : request_b_.bubbles)
                bubble = random_.fraction() < options_.bubble_rate
                             ? 1 + static_cast<unsigned>(random_.next() % longest_bubble)
                             : 0;
        }
        runner_.run(request_b_);
        report_.first_difference = difference(expected, runner_.dst());
        if (!report_.first_difference) continue;
        report_.first_difference->with_bubbles = schedule != 0;
        return false;
    }
    return true;
}

bool comparison::same_cell(std::optional<data_type> type, std::uint32_t a, std::uint32_t b) const {
    if (a == b) return true;
    if (!type) return false;
    if (options_.ignore_signed_zero && isa::is_zero(*type, a) && isa::is_zero(*type, b)) return true;
    return options_.nan_equal && isa::is_nan(*type, a) && isa::is_nan(*type, b);
}

/// What the operands of an element were: those of the same row and lane.
std::vector<std::pair<std::string, typed_value>>
comparison::inputs_at(const compared_operand& output, std::size_t index, unsigned lane) const {
    std::vector<std::pair<std::string, typed_value>> values;
    for (const compared_operand& input : inputs_a_) {
        const unsigned per_iteration = a_.kernel->rows_per_iteration;
        std::size_t at = index;
        if (output.declared && !input.declared) {
            at = index / per_iteration;
            if (input.row_in_iteration != index % per_iteration) continue;
        } else if (!output.declared && input.declared) {
            at = index * per_iteration + output.row_in_iteration;
        } else if (!output.declared && input.row_in_iteration != output.row_in_iteration) {
            continue;
        }
        if (at >= input.slices.size()) continue;
        const dst_slice& slice = input.slices[at];
        const std::uint32_t cell = given_cell(request_a_, slice, lane);
        values.emplace_back(input.name, typed_value{input.type, input.bits(), cell});
    }
    return values;
}

std::optional<output_difference> comparison::difference(const platform::dst_image& a,
                                                        const platform::dst_image& b) const {
    const bool raw = a_.kernel->outputs.empty();
    if (raw && a == b) return std::nullopt;

    // Of several stores to a cell it is the last that counts.
    std::vector<const dst_slice*> last(raw ? raw_cells : 0);
    for (const dst_access& each : stores_)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            for (const unsigned cell : cells_of(each.slice, lane)) last[cell] = &each.slice;
    std::vector<bool> equal(raw ? raw_cells : 0);

    for (std::size_t i = 0; i < outputs_a_.size(); ++i) {
        const compared_operand& of_a = outputs_a_[i];
        for (std::size_t index = 0; index < of_a.slices.size(); ++index)
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const dst_slice& slice = of_a.slices[index];
                const raw_cell_list cells = cells_of(slice, lane);
                const auto stands = [&](unsigned cell) { return last[cell] && *last[cell] == slice; };
                if (raw && !std::all_of(cells.begin(), cells.end(), stands)) continue;
                const std::uint32_t cell_a = read_cell(a, slice, lane);
                const std::uint32_t cell_b = read_cell(b, outputs_b_[i].slices[index], lane);
                if (!same_cell(of_a.type, cell_a, cell_b))
                    return difference_at(of_a, index, lane, cell_a, cell_b);
                if (raw)
                    for (const unsigned cell : cells) equal[cell] = true;
            }
    }
    for (unsigned cell = 0; raw && cell < raw_cells; ++cell) {
        const unsigned row = cell / 16, column = cell % 16;
        if (equal[cell] || a[row][column] == b[row][column]) continue;
        output_difference found;
        found.output = "dst";
        found.row = row;
        found.column = column;
        found.a = {std::nullopt, 16, a[row][column]};
        found.b = {std::nullopt, 16, b[row][column]};
        return found;
    }
    return std::nullopt;
}

output_difference comparison::difference_at(const compared_operand& output, std::size_t index, unsigned lane,
                                            std::uint32_t a, std::uint32_t b) const {
    output_difference found;
    found.output = output.name;
    found.row = static_cast<unsigned>(
        output.declared ? index : index * a_.kernel->rows_per_iteration + output.row_in_iteration);
    found.lane = lane;
    found.a = {output.type, output.bits(), a};
    found.b = {output.type, output.bits(), b};
    found.inputs = inputs_at(output, index, lane);
    return found;
}

} // namespace

const char* to_string(equivalence_verdict verdict) {
    switch (verdict) {
    case equivalence_verdict::proved: return "proved";
    case equivalence_verdict::exhaustive: return "exhaustive";
    case equivalence_verdict::tested: return "tested";
    case equivalence_verdict::different: return "different";
    }
    return "";
}

std::string typed_value::text() const {
    if (type) return isa::text_of_cell(*type, cell);
    return fmt::format("0x{:0{}x}", cell, bits / 4);
}

equivalence_report compare_kernels(platform::program_runner& runner, const equivalence_side& a,
                                   const equivalence_side& b, const equivalence_options& options) {
    return comparison(runner, a, b, options).run();
}

} // namespace sfpu::analysis
