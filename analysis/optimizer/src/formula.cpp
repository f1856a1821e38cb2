// A formula: its limits, its rules in their order, and what users may ask.
#include "rule_writer.h"

#include <algorithm>

namespace sfpu::optimizer {

const char* to_string(group which) {
    switch (which) {
    case group::definition: return "definition";
    case group::issue_slots: return "issue slots";
    case group::simple_unit: return "Simple";
    case group::mad_unit: return "MAD";
    case group::round_unit: return "Round";
    case group::store_unit: return "Store";
    case group::registers: return "registers";
    case group::templates: return "templates";
    case group::macros: return "macros";
    case group::delays: return "delays";
    case group::write_port: return "write port";
    case group::dst_order: return "order through Dst";
    case group::lane_flags: return "lane flags";
    case group::dependences: return "dependences";
    case group::stalls: return "automatic stalls";
    case group::effects: return "first and last rows";
    }
    return "?";
}

formula_state::formula_state(const graph& of, const isa::machine& on, const formula_limits& within,
                             std::string to_break)
    : row(of), machine(on), limits(within), broken_site(std::move(to_break)) {
    clauses.keep_within(limits.within);
    assumption.fill(always);
    distinguished = of.reserved | of.carried;
    if (limits.with_groups)
        for (unsigned g = 1; g < group_count; ++g) assumption[g] = clauses.make_variable();
    rows = limits.rows;
    interval = static_cast<int>(limits.interval);
    horizon = static_cast<int>(std::max(limits.horizon, limits.interval));
    period = interval * static_cast<int>(rows);
    // One entry is made in a cycle, so that no more than `slots` wait if no delay is longer.
    delays = std::min(machine.longest_delay() + 1u, machine.slots);
    for (auto& unit : unit_slots) unit.resize(limits.interval);
    for (auto* each : {&issue_slots, &load_slots, &held_slots}) each->resize(limits.interval);
}

namespace {

/// What rows ask of each other and of the machine.
void write_rules_between_rows(formula_state& of) {
    keep_lanes_of_loads(of);
    occupy_units(of);
    keep_registers(of);
    keep_flags(of);
    keep_memory(of);
    keep_frame(of);
    keep_free_of_stalls(of);
    keep_pairs(of);
    if (of.limits.bubble_proof) survive_bubbles(of);
    if (of.limits.keep) keep_structure(of, *of.limits.keep);
    if (of.limits.no_macros) issue_everything(of);
    if (of.limits.issued_within > 0) issue_early(of);
    count_words(of);
    if (of.limits.one_of_many) mean_one_of_many(of);
}

std::unique_ptr<const formula_state> written_formula(const graph& of, const isa::machine& machine,
                                                     const formula_limits& limits,
                                                     const std::string& broken) {
    if (limits.within.bytes > 0 && estimated_bytes(of, machine, limits) > limits.within.bytes)
        throw out_of_budget(true);
    auto state = std::make_unique<formula_state>(of, machine, limits, broken);
    make_events(*state);
    make_instances(*state);
    choose_operands(*state);
    if (!limits.one_row) make_lifetimes(*state);
    make_tables(*state);
    schedule_operations(*state);
    place_operands(*state);
    if (limits.one_row) {
        keep_structure(*state, *limits.keep);
        return state;
    }
    write_rules_between_rows(*state);
    if (!broken.empty()) state->clauses.add(state->broken);
    return state;
}

} // namespace

formula::formula(const graph& of, const isa::machine& machine, const formula_limits& limits)
    : formula(written_formula(of, machine, limits, "")) {}
formula::formula(std::unique_ptr<const formula_state> state) : state_(std::move(state)) {}
formula::~formula() = default;
formula::formula(formula&& other) noexcept = default;
formula& formula::operator=(formula&& other) noexcept = default;

const clause_list& formula::clauses() const { return state_->clauses; }
const std::array<literal, group_count>& formula::assumptions() const { return state_->assumption; }
literal formula::macros_in_frame() const { return state_->macros_in_frame; }
std::vector<literal> formula::at_most(unsigned macros, unsigned templates, bool loads_for_stores) const {
    std::vector<literal> assumed;
    const auto none_from = [&](const std::vector<literal>& numbers, unsigned first) {
        for (std::size_t i = first; i + 1 < numbers.size(); ++i)
            assumed.push_back(-numbers[i]); // the last is none
    };
    for (const formula_state::event& e : state_->events) {
        none_from(e.macro, macros);
        none_from(e.in_template, templates);
        if (e.host_only && !loads_for_stores) assumed.push_back(-e.used);
    }
    return assumed;
}
schedule formula::read(const std::vector<bool>& model) const { return state_->read(model); }
std::vector<literal> formula::anywhere_else(const std::vector<bool>& model) const {
    return state_->anywhere_else(model);
}
std::vector<bool> formula::anywhere(std::mt19937& random) const { return state_->anywhere(random); }
const formula_limits& formula::limits() const { return state_->limits; }

formula formula_seam::broken(const graph& of, const isa::machine& machine, const formula_limits& limits,
                             const std::string& site) {
    return formula(written_formula(of, machine, limits, site));
}
const std::map<clause_site, clause_role>& formula_seam::sites(const formula& of) { return of.state_->sites; }
std::vector<literal> formula_seam::literals_of(const formula& problem, const schedule& of) {
    return problem.state_->literals_of(of);
}

} // namespace sfpu::optimizer
