#include "term_comparison.h"

#include <sfpu/analysis/integer_terms.h>
#include <sfpu/common/thread_time.h>
#include <sfpu/isa/instruction.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sfpu::analysis {
namespace {

constexpr unsigned lower_half = lower_half_distance * 16;
constexpr std::uint32_t input_places = 1u << 20;

} // namespace

term_comparison::term_comparison(platform::program_runner& runner, const compared_kernels& of,
                                 const std::function<bool()>& interrupted)
    : runner_(runner), of_(of), pool_(of.a.config.arch) {
    if (one_lane_may_do()) run(computed_lanes::first, interrupted);
    const bool done = which_ == computed_lanes::first && unknown.empty();
    if (!done && !(interrupted && interrupted())) run(computed_lanes::all, interrupted);
}

/// Inputs and outputs lie where loads and stores have a cell for each lane.
bool term_comparison::one_lane_may_do() const {
    if (of_.inputs_a.size() != of_.inputs_b.size()) return false;
    for (std::size_t input = 0; input < of_.inputs_a.size(); ++input)
        if (of_.inputs_a[input].slices != of_.inputs_b[input].slices) return false;
    if (of_.whole_dst) return true;
    const auto has_own = [](const compared_operand& output) {
        return std::all_of(output.slices.begin(), output.slices.end(), has_own_cells);
    };
    return std::all_of(of_.outputs_a.begin(), of_.outputs_a.end(), has_own) &&
           std::all_of(of_.outputs_b.begin(), of_.outputs_b.end(), has_own);
}

void term_comparison::run(computed_lanes which, const std::function<bool()>& interrupted) {
    which_ = which;
    pool_ = term_pool(of_.a.config.arch);
    start_a_.clear();
    start_b_.clear();
    unknown.clear();
    place_inputs();
    a_ = run_on_terms(runner_, of_.a, pool_, start_a_, which, interrupted);
    if (!a_.unknown.empty()) {
        unknown = "the first kernel: " + a_.unknown;
        return;
    }
    b_ = run_on_terms(runner_, of_.b, pool_, start_b_, which, interrupted);
    if (!b_.unknown.empty()) unknown = "the second kernel: " + b_.unknown;
    uses_random = a_.uses_random || b_.uses_random;
    order_matters = a_.order_matters || b_.order_matters;
    reach.delay_kind_scope = a_.reach.delay_kind_scope || b_.reach.delay_kind_scope;
    reach.mixed_kinds = a_.reach.mixed_kinds || b_.reach.mixed_kinds;
    reach.store_load_visible = a_.reach.store_load_visible || b_.reach.store_load_visible;
}

/// An input that lies elsewhere in the second kernel is one variable for both.
void term_comparison::place_inputs() {
    for (std::size_t input = 0; input < of_.inputs_a.size(); ++input) {
        const compared_operand &in_a = of_.inputs_a[input], &in_b = of_.inputs_b[input];
        if (in_a.slices == in_b.slices) continue;
        start_a_.resize(symbolic_cells, no_term);
        start_b_.resize(symbolic_cells, no_term);
        for (std::size_t element = 0; element < in_a.elements(); ++element) {
            const auto lane = static_cast<unsigned>(element % lane_count);
            const term value = pool_.variable(variable_kind::input,
                                              static_cast<std::uint32_t>(input * input_places + element));
            const auto put_halves = [&](std::vector<term>& start, const dst_slice& slice) {
                const raw_cell_list cells = cells_of(slice, lane);
                start[cells.cell[0]] = slice.wide ? pool_.route(value, -16) : pool_.keep(value, 0xffffu);
                if (slice.wide) start[cells.cell[1]] = pool_.keep(value, 0xffffu);
            };
            put_halves(start_a_, in_a.slices[element / lane_count]);
            put_halves(start_b_, in_b.slices[element / lane_count]);
        }
    }
}

term term_comparison::cell(bool of_b, unsigned at) {
    const symbolic_run& run = of_b ? b_ : a_;
    const std::vector<term>& start = of_b ? start_b_ : start_a_;
    if (run.cells[at] != no_term) return run.cells[at];
    if (!start.empty() && start[at] != no_term) return start[at];
    return initial_cell(pool_, at);
}

term term_comparison::word(bool of_b, const dst_slice& slice, unsigned lane) {
    const raw_cell_list cells = cells_of(slice, lane);
    if (!slice.wide) return cell(of_b, cells.cell[0]);
    return pool_.or_of(pool_.route(cell(of_b, cells.cell[0]), 16), cell(of_b, cells.cell[1]));
}

std::vector<term_comparison::word_pair> term_comparison::compared_words() {
    std::vector<word_pair> found;
    const auto look_at = [&](term a, term b) { found.emplace_back(a, b); };
    if (!of_.whole_dst) {
        for (std::size_t output = 0; output < of_.outputs_a.size(); ++output)
            for (std::size_t row = 0; row < of_.outputs_a[output].slices.size(); ++row)
                for (unsigned lane = 0; lane < (which_ == computed_lanes::first ? 1 : lane_count); ++lane)
                    look_at(word(false, of_.outputs_a[output].slices[row], lane),
                            word(true, of_.outputs_b[output].slices[row], lane));
        return found;
    }
    for (unsigned at = 0; at < symbolic_cells; ++at) {
        if (at & lower_half) continue;
        const unsigned below = at + lower_half;
        const auto pair = [&](bool of_b) {
            return pool_.or_of(pool_.route(cell(of_b, at), 16), cell(of_b, below));
        };
        const auto is_touched = [&](unsigned which) {
            const bool differs = !start_a_.empty() && start_a_[which] != start_b_[which];
            return differs || a_.cells[which] != no_term || b_.cells[which] != no_term;
        };
        if (is_touched(at) || is_touched(below)) look_at(pair(false), pair(true));
    }
    return found;
}

/// By what the words are made of: what the normal form does to it.
std::vector<std::string> term_comparison::rules_of(const std::vector<word_pair>& words) const {
    std::set<std::string> found;
    std::vector<bool> seen(pool_.size(), false);
    std::vector<term> waiting;
    for (const word_pair& each : words) waiting.insert(waiting.end(), {each.first, each.second});
    while (!waiting.empty()) {
        const term now = waiting.back();
        waiting.pop_back();
        if (seen[now]) continue;
        seen[now] = true;
        const term_pool::node& of = pool_.at(now);
        for (unsigned i = 0; i < of.count; ++i) waiting.push_back(pool_.argument(now, i));
        switch (of.kind) {
        case term_kind::routed:
        case term_kind::either:
        case term_kind::both:
        case term_kind::differs:
            found.insert("bits: shifts and masks move them, AND, OR and XOR have no order");
            break;
        case term_kind::sum:
        case term_kind::scaled: found.insert("integer sums: any order, modulo 2^32"); break;
        case term_kind::chosen:
            found.insert("choices: by the condition, whatever flags and moves made it");
            break;
        case term_kind::is_less: found.insert("comparisons: the order of sign and magnitude"); break;
        case term_kind::applied:
            if (pool_.operator_of(now).insn.is(isa::opcode::sfpmad))
                found.insert("multiply-adds: a b + c = b a + c, signs of products and of 1 x");
            break;
        default: break;
        }
    }
    return {found.begin(), found.end()};
}

/// Two pairs with the same shape are the same but for the names of their variables.
std::vector<std::uint32_t> term_comparison::shape_of(const word_pair& pair) const {
    std::unordered_map<term, std::uint32_t> numbers;
    std::vector<std::uint32_t> shape;
    std::vector<term> waiting{pair.second, pair.first};
    while (!waiting.empty()) {
        const term now = waiting.back();
        const term_pool::node& of = pool_.at(now);
        bool is_ready = true;
        if (numbers.count(now) == 0)
            for (unsigned i = 0; i < of.count; ++i)
                if (const term below = pool_.argument(now, i); numbers.count(below) == 0) {
                    waiting.push_back(below);
                    is_ready = false;
                }
        if (!is_ready) continue;
        waiting.pop_back();
        const auto [place, is_new] = numbers.emplace(now, static_cast<std::uint32_t>(numbers.size()));
        if (!is_new) continue;
        const bool is_variable = of.kind == term_kind::variable;
        shape.push_back(static_cast<std::uint32_t>(of.kind) << 24 | std::uint32_t{of.count} << 8 |
                        static_cast<std::uint8_t>(of.moved));
        shape.push_back(is_variable ? 0 : of.bits);
        for (unsigned i = 0; i < of.count; ++i) shape.push_back(numbers.at(pool_.argument(now, i)));
    }
    shape.push_back(numbers.at(pair.first));
    shape.push_back(numbers.at(pair.second));
    return shape;
}

/// What is not proved for a lane that knows which it is may hold for each of the 32.
term_comparison::outcome term_comparison::compare(term_solver* solver, double seconds,
                                                  const std::function<bool()>& interrupted) {
    outcome found = compared(solver, seconds, interrupted);
    const bool may_know_more = which_ == computed_lanes::first && (a_.knows_its_lane || b_.knows_its_lane);
    if (found.equal || !may_know_more || (interrupted && interrupted())) return found;
    run(computed_lanes::all, interrupted);
    return unknown.empty() ? compared(solver, seconds, interrupted) : outcome{};
}

term_comparison::outcome term_comparison::compared(term_solver* solver, double seconds,
                                                   const std::function<bool()>& interrupted) {
    const thread_clock spent;
    const std::vector<word_pair> words = compared_words();
    std::set<std::vector<std::uint32_t>> known;
    bool by_polynomials = false, by_solver = false;
    for (const word_pair& each : words) {
        if (each.first == each.second || !known.insert(shape_of(each)).second) continue;
        if (integer_terms(pool_).are_equal(each.first, each.second)) {
            by_polynomials = true;
            continue;
        }
        if (!solver) return {};
        solver_limits limits;
        limits.seconds = seconds - spent.seconds();
        if (limits.seconds <= 0) return {};
        limits.interrupted = interrupted;
        term_difference found = solver->difference(pool_, each.first, each.second, limits);
        if (found.found == term_difference::kind::some) return {false, std::move(found.values), {}};
        if (found.found == term_difference::kind::not_known) return {};
        by_solver = true;
    }
    outcome proved{true, {}, rules_of(words)};
    if (by_polynomials) proved.rules.emplace_back("polynomials of bits modulo 2^32");
    if (by_solver) proved.rules.emplace_back("a solver for bits");
    return proved;
}

void term_comparison::put(const std::vector<std::pair<term, std::uint32_t>>& values, platform::run_request& a,
                          platform::run_request& b) const {
    const auto put_cell = [](platform::run_request& to, unsigned at, std::uint32_t value) {
        to.dst_rows[at / 16][at % 16] = static_cast<std::uint16_t>(value);
    };
    for (const auto& [which, value] : values) {
        const term_variable& of = pool_.variable_of(which);
        const unsigned lane = of.place % lane_count;
        for (platform::run_request* const to : {&a, &b}) {
            if (of.kind == variable_kind::dst) {
                put_cell(*to, of.place, value >> 16);
                put_cell(*to, of.place + lower_half, value);
            } else if (of.kind == variable_kind::lreg) {
                to->state.lreg[of.place / lane_count][lane] = value;
            } else if (of.kind == variable_kind::random) {
                to->state.prng[lane] = value;
            } else if (of.kind == variable_kind::shuffle_source) {
                to->state.shuffle_source[lane] = value;
            }
        }
    }
    for (const auto& [which, value] : values) { // over what lies there otherwise
        const term_variable& of = pool_.variable_of(which);
        if (of.kind != variable_kind::input) continue;
        const std::size_t input = of.place / input_places, element = of.place % input_places;
        const auto lane = static_cast<unsigned>(element % lane_count);
        write_cell(a.dst_rows, of_.inputs_a[input].slices[element / lane_count], lane, value);
        write_cell(b.dst_rows, of_.inputs_b[input].slices[element / lane_count], lane, value);
    }
}

std::vector<std::uint32_t> term_comparison::constants() const {
    std::set<std::uint32_t> found;
    for (term each = 0; each < pool_.size(); ++each) {
        const term_pool::node& of = pool_.at(each);
        switch (of.kind) {
        case term_kind::constant: found.insert(of.bits); break;
        case term_kind::sum: found.insert({of.bits, 0u - of.bits}); break;
        case term_kind::differs:
        case term_kind::either: found.insert(of.bits); break;
        default: break;
        }
    }
    return {found.begin(), found.end()};
}

} // namespace sfpu::analysis
