// What the files of the formula share: a writer of clauses, and the families of rules.
#pragma once

#include "formula_state.h"

namespace sfpu::optimizer {

constexpr literal always = clause_list::always, never = clause_list::never;
/// Places among registers behind the general ones: L16, and one that no chip has.
constexpr unsigned l16 = isa::general_lregs, extra = l16 + 1, place_count = l16 + 2;
/// The number of a general register, or of the one more, in a field of a template; 8 to 15 are constants
/// there.
constexpr unsigned number_in_template(unsigned place) { return place == extra ? 16 : place; }
constexpr unsigned number(isa::sub_unit unit) { return static_cast<unsigned>(unit); }
/// Of the forms of a node, at least 1.
unsigned longest_latency(const node& of);
/// Whether a result keeps lanes of this operand.
bool is_merged(const node& of, std::size_t operand);
/// Cycles from when it is executed until what an operand is merged with has to be in the register: until it
/// writes, if lanes that are off keep it; none for half of a register, which is read.
int cycles_until_merged(const node& of, std::size_t operand);

/// T16: what the stall logic takes for registers that a form reads, beside its operands.
isa::register_set seen_in_unused_fields(const node& of, const form& issued, architecture chip);
/// T16: whether the stall logic takes the VD of a form for an operand.
bool vd_is_seen(const form& issued, architecture chip);

/// Writes clauses of a formula. A family of rules is a class that derives from this one; members are those of
/// the state under shorter names.
class rule_writer {
protected:
    using registers_of = formula_state::registers_of;
    using event = formula_state::event;
    using instance = formula_state::instance;
    using entry_variables = formula_state::entry_variables;

    explicit rule_writer(formula_state& of);

    /// While it lives, clauses are spare ones.
    class implied {
    public:
        implied(const rule_writer& in, spare why) : state_(in.state_), before_(state_.current_spare) {
            state_.current_spare = why;
        }
        ~implied() { state_.current_spare = before_; }
        implied(const implied&) = delete;
        implied& operator=(const implied&) = delete;

    private:
        formula_state& state_;
        spare before_;
    };

    literal make() { return clauses_.make_variable(); }
    void begin(group which) { state_.current_group = which; }
    group current_group() const { return state_.current_group; }
    void add(std::vector<literal> clause, clause_site site = clause_site::here());
    void at_most_one(std::vector<literal> literals, clause_site site = clause_site::here());
    void at_most_two(const std::vector<literal>& literals, clause_site site = clause_site::here());
    /// Variables of which one is true.
    std::vector<literal> one_of(unsigned count);
    /// An event executes in cycle x or later; in cycle x; a result can be read in cycle x.
    literal from(const event& e, int x) const;
    literal at(const event& e, int x) const;
    literal visible(const instance& i, int x) const;
    /// A cycle as one of the period.
    unsigned slot_of(int cycle) const { return static_cast<unsigned>((cycle % period_ + period_) % period_); }
    const node& node_of(const event& e) const { return graph_.nodes[static_cast<unsigned>(e.node)]; }
    event& event_at(int index) const { return events_[static_cast<unsigned>(index)]; }
    instance& instance_at(int index) const { return instances_[static_cast<unsigned>(index)]; }

    formula_state& state_;
    const graph& graph_;
    const isa::machine& machine_;
    const formula_limits& limits_;
    const int interval_, horizon_, period_;
    const unsigned rows_, delays_;
    clause_list& clauses_;
    std::vector<event>& events_;
    std::vector<int>&loads_, &operations_;
    std::vector<instance>& instances_;

private:
    bool is_broken(const clause_site& site) const;
};

// Families of rules, in the order in which they are written: what a solver finds depends on it.
void make_events(formula_state& of);
void make_instances(formula_state& of);
void choose_operands(formula_state& of);
void make_lifetimes(formula_state& of);
void make_tables(formula_state& of);
void schedule_operations(formula_state& of);
void place_operands(formula_state& of);
void keep_lanes_of_loads(formula_state& of);
void occupy_units(formula_state& of);
void keep_registers(formula_state& of);
void keep_flags(formula_state& of);
void keep_memory(formula_state& of);
void keep_frame(formula_state& of);
void keep_free_of_stalls(formula_state& of);
void keep_pairs(formula_state& of);
void survive_bubbles(formula_state& of);
void keep_structure(formula_state& of, const structure& kept);
void issue_everything(formula_state& of);
void issue_early(formula_state& of);
void count_words(formula_state& of);
void mean_one_of_many(formula_state& of);

} // namespace sfpu::optimizer
