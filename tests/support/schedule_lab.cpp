#include "schedule_lab.h"

#include "formula_state.h"
#include "kernel_runner.h"

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/lint.h>
#include <sfpu/common/random_source.h>
#include <sfpu/optimizer/emit.h>
#include <sfpu/platform/kernel_segments.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace sfpu::test {
namespace {

using platform::program_segment;

/// Where other sub-units than MAD are slower than on the chip, schedules read an old value on purpose while
/// the new one is under way, which Dst shows to be right.
bool reads_old_values(const isa::machine& machine) {
    parameters usual;
    usual.arch = machine.chip;
    std::array<unsigned, isa::result_class_count> latency = isa::make_machine(usual).latency;
    constexpr auto mad = static_cast<std::size_t>(isa::result_class::mad);
    latency[mad] = machine.latency[mad];
    return machine.latency != latency;
}

struct report_list : diagnostic_sink {
    report_list(std::string& to, const isa::machine& machine)
        : text(to), takes_old_values(reads_old_values(machine)) {}
    void diagnose(const diagnostic& what) override {
        // Loads whose value nobody reads may come as they like; that others come in time shows in Dst.
        if (what.id == report_id::dst_store_load_distance) return;
        // What the results depend on shows in Dst, too. A slow result may come behind a younger one that
        // nobody reads: optimize() does without such schedules, as lint calls them broken.
        if (is_compiler_rule(what.id) || what.id == report_id::macro_other_than_chip ||
            what.id == report_id::hazard_late_write)
            return;
        if (what.id == report_id::hazard_unprotected_read && takes_old_values) return;
        if (text.size() < 2000) text += fmt::format("{}: {}\n", describe(what.id).name, what.message);
    }
    std::string& text;
    bool takes_old_values;
};

/// An instruction that executes: when, where and by whose order.
struct step {
    std::int64_t cycle = 0;
    isa::sub_unit unit{};
    bool issued = false;
};
bool operator<(const step& a, const step& b) {
    return std::tie(a.cycle, a.unit, a.issued) < std::tie(b.cycle, b.unit, b.issued);
}
bool operator==(const step& a, const step& b) {
    return std::tie(a.cycle, a.unit, a.issued) == std::tie(b.cycle, b.unit, b.issued);
}

struct step_recorder : probe::pipeline_observer {
    void executed(const probe::execution_event& e) override {
        if (e.unit != isa::sub_unit::front_end && e.insn.latency != isa::latency_class::none)
            steps.push_back({e.begin.count(), e.unit, e.from == probe::origin::issued});
    }
    std::vector<step> steps;
};

/// Whether in the iteration that begins in cycle `first` what the schedule says executes in the cycles that
/// it says; the loop may begin with any of its cycles.
bool is_in_time(const optimizer::schedule& of, const optimizer::graph& rows, const std::vector<step>& all,
                std::int64_t first) {
    const std::int64_t period = static_cast<std::int64_t>(of.interval) * of.rows;
    std::vector<step> steps;
    for (const step& each : all)
        if (each.cycle >= first && each.cycle < first + period)
            steps.push_back({each.cycle - first, each.unit, each.issued});
    std::sort(steps.begin(), steps.end());
    for (std::int64_t begin = 0; begin < period; ++begin) {
        std::vector<step> said;
        for (unsigned row = 0; row < of.rows; ++row) {
            const auto say = [&](unsigned time, isa::sub_unit unit, bool issued) {
                const std::int64_t cycle = begin + time + static_cast<std::int64_t>(row) * of.interval;
                said.push_back({cycle % period, unit, issued});
            };
            for (const optimizer::placed_load& l : of.loads) say(l.time, isa::sub_unit::load, true);
            for (const optimizer::placed_operation& o : of.operations)
                say(o.time, rows.nodes[static_cast<std::size_t>(o.node)].forms[o.how].unit, o.issued);
        }
        std::sort(said.begin(), said.end());
        if (said == steps) return true;
    }
    return false;
}

} // namespace

schedule_lab::schedule_lab(std::string source, machine_settings settings)
    : source_(std::move(source)), settings_(std::move(settings)) {
    isa::assembly assembled = isa::assemble(source_, "plain", isa::make_machine({}).encoding());
    if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string() + "\n" + source_);
    config_.arch = assembled.program.arch;
    for (const auto& [path, value] : settings_)
        if (const auto problem = set_parameter(config_, path, value)) throw std::runtime_error(*problem);
    machine_ = isa::make_machine(config_);
    assembled = isa::assemble(source_, "plain", machine_.encoding());
    plain_ = std::move(assembled.program);
    thread_.reset(config_.arch);
    try {
        graph_ = optimizer::build_graph(plain_, machine_, thread_, false);
    } catch (const optimizer::row_error& error) {
        throw unusable_kernel(error.what());
    }
    iterations_ = plain_.rows.value_or(12) / plain_.rows_per_iteration;
    for (unsigned data = 0; data < data_sets; ++data) {
        std::string reports;
        play(plain_, data, false, reports);
        if (!reports.empty()) throw unusable_kernel("the plain kernel reports " + reports + source_);
        expected_.push_back(shared_bench().dst());
        play(plain_, data, false, reports, [] { return isa::largest::latency; });
        if (shared_bench().dst() != expected_.back())
            throw unusable_kernel("the plain kernel reads results before they are there\n" + source_);
    }
}

std::string schedule_lab::description() const {
    std::string text = source_;
    for (const auto& [path, value] : settings_) text += fmt::format("; {} = {}\n", path, value);
    return text;
}

platform::run_result schedule_lab::play(const isa::kernel& kernel, unsigned data, bool scheduled,
                                        std::string& reports, const bubble_source& bubbles,
                                        probe::pipeline_observer* observer) const {
    constexpr analysis::dst_filling fillings[] = {analysis::dst_filling::mixture,
                                                  analysis::dst_filling::wide_extremes,
                                                  analysis::dst_filling::narrow_extremes};
    platform::run_request request;
    request.config = config_;
    request.state.reset(config_.sfpu_lreg12_default);
    request.thread = thread_;
    const unsigned rows = plain_.rows.value_or(12);
    request.segments = platform::segments_of(kernel, rows / kernel.rows_per_iteration);
    if (bubbles)
        for (const program_segment& segment : request.segments)
            for (std::uint64_t word = 0; word < segment.words.size() * segment.repeat; ++word)
                request.bubbles.push_back(bubbles());
    random_source random(data + 1);
    analysis::fill_dst(request, fillings[data % 3], random);
    // Nothing may depend on what stood in the registers.
    random_source other(2 * data + (scheduled ? 100 : 101));
    analysis::fill_registers(request, other);
    report_list list(reports, machine_);
    request.diagnostics = &list;
    request.observer = observer;
    return shared_bench().run(request);
}

run_verdict schedule_lab::run(const optimizer::schedule& candidate) const {
    run_verdict verdict;
    std::map<unsigned, unsigned> words;
    const auto issue = [&](unsigned time) {
        if (++words[time % candidate.interval] > machine_.issue_width)
            verdict.why = "too many words in one cycle";
    };
    for (const optimizer::placed_load& l : candidate.loads) issue(l.time);
    for (const optimizer::placed_operation& o : candidate.operations)
        if (o.issued) issue(o.time);
    if (!verdict.why.empty()) return verdict;
    verdict.kernel = optimizer::emit(graph_, candidate, plain_, source_, machine_, machine_, thread_,
                                     settings_, {"candidate"})
                         .text;
    const isa::assembly assembled = isa::assemble(verdict.kernel, "schedule", machine_.encoding());
    if (!assembled.ok()) {
        verdict.why = assembled.errors.front().to_string();
        return verdict;
    }
    for (unsigned data = 0; data < data_sets; ++data) {
        std::string reports;
        step_recorder recorder;
        const platform::run_result result =
            play(assembled.program, data, true, reports, {}, data == 0 ? &recorder : nullptr);
        if (shared_bench().dst() != expected_[data]) {
            verdict.why = fmt::format("Dst differs with data {}", data);
            return verdict;
        }
        if (!reports.empty()) {
            verdict.why = reports;
            return verdict;
        }
        const auto& loop = result.segments[1];
        const std::uint64_t iterations = iterations_ / candidate.rows;
        const auto took = static_cast<std::uint64_t>((loop.last - loop.first).count());
        if (took != (iterations - 1) * candidate.interval * candidate.rows) {
            verdict.why = fmt::format("{} iterations took {} cycles", iterations - 1, took);
            return verdict;
        }
        // With two issue slots a word may wait and the iteration be no longer for it. All stages are busy in
        // the last one.
        if (data == 0 && !is_in_time(candidate, graph_, recorder.steps, loop.last.count())) {
            verdict.why = "not everything executes in the cycle that the schedule says";
            return verdict;
        }
    }
    verdict.legal = true;
    return verdict;
}

std::set<report_id> schedule_lab::hazards(const run_verdict& of) const {
    const isa::assembly assembled = isa::assemble(of.kernel, "schedule", machine_.encoding());
    platform::run_request request;
    request.config = config_;
    request.state.reset(config_.sfpu_lreg12_default);
    request.thread = thread_;
    analysis::lint_options options;
    options.bubbles = false;
    std::set<report_id> found;
    for (const analysis::lint_hazard& each :
         analysis::lint(shared_bench(), assembled.program, request, iterations_, options).hazards)
        found.insert(each.what.id);
    return found;
}

run_verdict schedule_lab::run_with_bubbles(const optimizer::schedule& candidate,
                                           std::mt19937& numbers) const {
    run_verdict verdict = run(candidate);
    if (!verdict.legal) return verdict;
    const isa::assembly assembled = isa::assemble(verdict.kernel, "schedule", machine_.encoding());
    for (unsigned trial = 0; trial < 8; ++trial) {
        const unsigned data = trial % data_sets, rarely = 2 + trial;
        std::string reports;
        play(assembled.program, data, true, reports,
             [&] { return numbers() % rarely == 0 ? 1 + static_cast<unsigned>(numbers() % 3) : 0u; });
        if (shared_bench().dst() == expected_[data]) continue;
        verdict.legal = false;
        verdict.why = "Dst differs with idle cycles";
        return verdict;
    }
    return verdict;
}

// --- formula -----------------------------------------------------------------------------------------------

formula_judge::formula_judge(const schedule_lab& lab, const judged_limits& limits)
    : lab_(lab),
      formula_(optimizer::formula_seam::broken(lab.graph(), lab.machine(), limits, limits.broken_site)),
      solver_(formula_.clauses()) {
    if (limits.with_groups)
        for (unsigned g = 1; g < optimizer::group_count; ++g)
            all_groups_.push_back(formula_.assumptions()[g]);
}

bool formula_judge::allows(const optimizer::schedule& candidate) {
    std::vector<optimizer::literal> assumptions = optimizer::formula_seam::literals_of(formula_, candidate);
    assumptions.insert(assumptions.end(), all_groups_.begin(), all_groups_.end());
    return solver_.solve(assumptions, {}).result == optimizer::outcome::satisfiable;
}

bool formula_judge::allows_likewise(const optimizer::schedule& candidate) {
    for (std::size_t i = 0; i < candidate.loads.size(); ++i) {
        const optimizer::placed_load& load = candidate.loads[i];
        const bool again = std::any_of(candidate.loads.begin(), candidate.loads.end(), [&](const auto& each) {
            return &each != &load && each.node == load.node && !each.host_only;
        });
        if (load.macro >= 0 || load.host_only || !again) continue;
        optimizer::schedule fewer = candidate;
        fewer.loads.erase(fewer.loads.begin() + static_cast<std::ptrdiff_t>(i));
        for (optimizer::placed_operation& o : fewer.operations)
            if (o.parent > static_cast<int>(i)) --o.parent;
        normalise(lab_, fewer);
        if (allows(fewer)) return true;
    }
    // Together with what they schedule.
    struct part {
        std::vector<std::size_t> loads, operations;
    };
    std::vector<part> movable;
    const auto has_effect = [&](const optimizer::placed_operation& o) {
        return lab_.graph().nodes[static_cast<unsigned>(o.node)].effect;
    };
    for (std::size_t l = 0; l < candidate.loads.size(); ++l) {
        part of_load{{l}, {}};
        bool any_effect = false;
        for (std::size_t i = 0; i < candidate.operations.size(); ++i) {
            const optimizer::placed_operation& o = candidate.operations[i];
            if (o.issued || o.parent != static_cast<int>(l)) continue;
            of_load.operations.push_back(i);
            any_effect |= has_effect(o);
        }
        if (!any_effect) movable.push_back(of_load);
    }
    for (std::size_t i = 0; i < candidate.operations.size(); ++i)
        if (candidate.operations[i].issued && !has_effect(candidate.operations[i]))
            movable.push_back({{}, {i}});
    const std::size_t furthest = movable.size() <= 5 ? 2 : 1, choices = 2 * furthest + 1; // intervals
    std::size_t ways = 1;
    for (std::size_t i = 0; i < movable.size(); ++i) ways *= choices;
    for (std::size_t way = 0; way < ways; ++way) {
        optimizer::schedule other = candidate;
        std::size_t digits = way;
        bool possible = true;
        for (const part& each : movable) {
            const int shift = (static_cast<int>(digits % choices) - static_cast<int>(furthest)) *
                              static_cast<int>(candidate.interval);
            digits /= choices;
            const auto move = [&](unsigned& time) {
                possible &= static_cast<int>(time) + shift >= 0;
                time = static_cast<unsigned>(static_cast<int>(time) + shift);
            };
            for (const std::size_t l : each.loads) move(other.loads[l].time);
            for (const std::size_t o : each.operations) move(other.operations[o].time);
        }
        if (!possible) continue;
        normalise(lab_, other);
        if (allows(other)) return true;
    }
    return false;
}

std::vector<optimizer::group> formula_judge::refused_by(const optimizer::schedule& candidate) {
    const std::vector<optimizer::literal> said = optimizer::formula_seam::literals_of(formula_, candidate);
    std::vector<optimizer::literal> kept = all_groups_;
    for (std::size_t i = kept.size(); i-- > 0;) {
        std::vector<optimizer::literal> fewer = kept;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        std::vector<optimizer::literal> assumptions = said;
        assumptions.insert(assumptions.end(), fewer.begin(), fewer.end());
        if (solver_.solve(assumptions, {}).result == optimizer::outcome::refuted) kept = fewer;
    }
    std::vector<optimizer::group> groups;
    for (const optimizer::literal each : kept)
        groups.push_back(static_cast<optimizer::group>(
            std::find(formula_.assumptions().begin() + 1, formula_.assumptions().end(), each) -
            formula_.assumptions().begin()));
    return groups;
}

bool formula_judge::draw(std::mt19937& numbers, optimizer::schedule& drawn) {
    std::vector<bool> preferred(static_cast<std::size_t>(formula_.clauses().variables()) + 1);
    const unsigned rarely = 1 + numbers() % 6; // how often a variable is preferred to be true
    for (std::size_t v = 0; v < preferred.size(); ++v) preferred[v] = numbers() % 6 < rarely;
    solver_.prefer(preferred);
    optimizer::solver_limits patience;
    patience.conflicts = 3000;
    const optimizer::solver_answer answer = solver_.solve(all_groups_, patience);
    if (answer.result != optimizer::outcome::satisfiable) return false;
    drawn = formula_.read(answer.model);
    return true;
}

} // namespace sfpu::test
