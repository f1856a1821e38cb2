// Why an interval cannot be, and what would allow it.
#include "search_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::optimizer {
namespace {

class explainer {
public:
    explainer(const graph& rows, const isa::machine& machine, const search_options& options, refutation& of)
        : graph_(rows), machine_(machine), options_(options), of_(of) {
        // Where the search looks for schedules: short rows with few loads, which the groups refute soonest.
        limits_.interval = of.interval;
        limits_.rows = of.rows;
        limits_.horizon = horizon_for(rows, of.interval);
        limits_.copies = copies_of(rows, machine, of.interval, copies_to_find);
        limits_.bubble_proof = options.bubble_proof;
        effort_ = std::max<std::int64_t>(20'000, 4 * of.conflicts);
        limits_.within = build_within(options, 0, [this] { return is_late(); });
    }

    /// As far as time and memory allow.
    void run() {
        try {
            find_groups();
            for (const group g : of_.because) of_.lines.push_back(lines_of_group(g));
            if (!of_.because.empty()) try_relaxations();
        } catch (const out_of_budget&) {
        }
    }

private:
    bool is_late() const {
        if (options_.interrupted && options_.interrupted()) return true;
        return options_.conflicts == 0 && options_.seconds > 0 &&
               thread_seconds() - start_ >= options_.seconds;
    }
    solver_limits patience() const { return patience_of(options_, effort_, thread_seconds() - start_); }

    void find_groups() {
        formula_limits limits = limits_;
        limits.with_groups = true;
        const formula problem(graph_, machine_, limits);
        solver asked(problem.clauses());
        const auto assumption = [&](group g) { return problem.assumptions()[static_cast<unsigned>(g)]; };
        std::vector<group> kept;
        const auto refutes = [&](const std::vector<group>& groups) {
            std::vector<literal> assumptions;
            assumptions.reserve(groups.size());
            for (const group g : groups) assumptions.push_back(assumption(g));
            const solver_answer answer = asked.solve(assumptions, patience());
            if (answer.result != outcome::refuted) return false;
            kept.clear();
            for (const group g : groups)
                if (std::find(answer.needed.begin(), answer.needed.end(), assumption(g)) !=
                    answer.needed.end())
                    kept.push_back(g);
            return true;
        };
        std::vector<group> all;
        for (unsigned g = 1; g < group_count; ++g) all.push_back(static_cast<group>(g));
        if (!refutes(all)) return;
        for (unsigned g = group_count; g-- > 1;) {
            const auto at = std::find(kept.begin(), kept.end(), static_cast<group>(g));
            if (at == kept.end()) continue;
            std::vector<group> fewer = kept;
            fewer.erase(fewer.begin() + (at - kept.begin()));
            refutes(fewer);
        }
        of_.because = kept;
    }

    /// The instructions that a group is about, by their lines. None where it is about all of them.
    std::vector<unsigned> lines_of_group(group which) const {
        std::vector<unsigned> lines;
        for (const node& n : graph_.nodes)
            if (!n.optional && is_about(which, n)) lines.push_back(n.line);
        return lines;
    }
    static bool is_about(group which, const node& n) {
        const bool operation = n.what == node::kind::operation;
        const auto on = [&](isa::sub_unit unit) {
            return operation &&
                   std::any_of(n.forms.begin(), n.forms.end(), [&](const form& f) { return f.unit == unit; });
        };
        const bool scheduled = operation && std::any_of(n.forms.begin(), n.forms.end(),
                                                        [](const form& f) { return f.can_schedule; });
        switch (which) {
        case group::issue_slots: return n.what == node::kind::load || (operation && !scheduled);
        case group::simple_unit: return on(isa::sub_unit::simple);
        case group::mad_unit: return on(isa::sub_unit::mad);
        case group::round_unit: return on(isa::sub_unit::round);
        case group::store_unit: return n.what == node::kind::store;
        case group::templates: return scheduled;
        case group::write_port:
            return !n.results.empty() && (on(isa::sub_unit::simple) || on(isa::sub_unit::round));
        case group::dst_order: return !operation;
        case group::lane_flags: return n.writes_flags;
        default: return false;
        }
    }

    void try_relaxations() {
        of_.relaxations_tried = true;
        const auto try_with = [&](const char* parameter, const std::string& value, const isa::machine& other,
                                  unsigned registers = isa::general_lregs) {
            formula_limits limits = limits_;
            limits.registers = registers;
            const formula relaxed(graph_, other, limits);
            if (solve(relaxed.clauses(), {}, patience()).result == outcome::satisfiable)
                of_.relaxations.push_back({parameter, value, of_.interval});
        };
        const auto one_more = [&](const char* parameter, unsigned isa::machine::*member, unsigned most) {
            isa::machine more = machine_;
            if (more.*member >= most) return;
            ++(more.*member);
            if (member == &isa::machine::delay_bits)
                more.slots = std::max(more.slots, more.longest_delay() + 1);
            try_with(parameter, fmt::format("{}", more.*member), more);
        };
        one_more("macro.templates", &isa::machine::templates, isa::largest::templates);
        one_more("macro.count", &isa::machine::macros, isa::largest::macros);
        one_more("macro.delay_bits", &isa::machine::delay_bits, isa::largest::delay_bits);
        try_with("registers", fmt::format("{}", isa::general_lregs + 1), machine_, isa::general_lregs + 1);
        if (!options_.bubble_proof)
            one_more("sfpu.issue_width", &isa::machine::issue_width, isa::largest::issue_width);
        isa::machine other = machine_;
        other.write_port_rule = false;
        if (machine_.write_port_rule) try_with("sfpu.write_port_rule", "false", other);
        one_more("sfpu.mad_units", &isa::machine::mad_units, 2);
        other = machine_;
        unsigned& mad = other.latency[static_cast<unsigned>(isa::result_class::mad)];
        if (mad > 1) {
            --mad;
            try_with("sfpu.latency.mad", fmt::format("{}", mad), other);
        }
    }

    const graph& graph_;
    const isa::machine& machine_;
    const search_options& options_;
    refutation& of_;
    formula_limits limits_;
    std::int64_t effort_;
    double start_ = thread_seconds();
};

} // namespace

void explain(const graph& rows, const isa::machine& machine, const search_options& options, refutation& of) {
    explainer(rows, machine, options, of).run();
}

} // namespace sfpu::optimizer
