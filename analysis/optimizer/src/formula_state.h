// The variables and clauses of a formula. Users of the library see <sfpu/optimizer/formula.h>; rules write
// into this.
#pragma once

#include "formula_sites.h"

#include <sfpu/isa/machine.h>
#include <sfpu/isa/registers.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/formula.h>
#include <sfpu/optimizer/schedule.h>
#include <sfpu/optimizer/solver.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::optimizer {

struct formula_state {
    /// By row: the general registers, L16, and the register more that `limits.registers` may allow.
    using registers_of = std::vector<std::array<literal, isa::general_lregs + 2>>;

    /// A node of the graph, or one of the copies of a load, which executes in one cycle of each row.
    struct event {
        int node = -1;
        bool is_load = false, host_only = false;
        unsigned copy = 0;
        std::vector<literal> at, from; ///< executes in cycle t; in t or later
        literal used = clause_list::always, issued = clause_list::always;
        // loads
        std::vector<literal> macro;
        int instance = -1; ///< of a load
        // operations
        std::vector<literal> alternative, parent, in_template, delay;
        literal vb = clause_list::never, l16 = clause_list::never;
        std::vector<int> instances;                               ///< by result
        std::vector<std::vector<std::pair<literal, int>>> chosen; ///< by operand: which instance it reads
        std::vector<registers_of> reads_from;                     ///< by operand
    };
    /// A result of an event: a value in a register.
    struct instance {
        int event = -1, value = -1;
        unsigned result = 0;
        registers_of lreg;
        std::vector<literal> visible; ///< by x, only if forms differ in latency
        unsigned latency = 1;
        std::vector<literal> alive, alive_slot;
    };
    /// An entry of a sequence.
    struct entry_variables {
        literal has = 0, vb = 0, l16 = 0;
        std::vector<literal> in_template, delay;
    };

    /// `to_break`: break a clause of this site, by its text, or more of them; empty for none.
    formula_state(const graph& of, const isa::machine& on, const formula_limits& within,
                  std::string to_break);

    /// A clause that all schedules fulfil but those in which everything is where it is in this model.
    std::vector<literal> anywhere_else(const std::vector<bool>& model) const;
    std::vector<bool> anywhere(std::mt19937& random) const;
    schedule read(const std::vector<bool>& model) const;
    std::vector<literal> literals_of(const schedule& of) const;

    const graph& row;
    const isa::machine& machine;
    formula_limits limits;
    int interval = 1, horizon = 1, period = 1;
    unsigned rows = 1, delays = 8;

    clause_list clauses;
    std::array<literal, group_count> assumption{};
    group current_group = group::definition;
    spare current_spare = spare::none;
    std::map<clause_site, clause_role> sites;
    std::string broken_site;
    std::vector<literal> broken;         ///< by clause of the broken site: each of its literals is false
    isa::register_set distinguished = 0; ///< general registers that another one cannot stand for

    std::vector<event> events;
    std::vector<int> loads, operations; ///< events
    std::vector<instance> instances;
    std::vector<std::vector<int>> instances_of; ///< by value
    std::vector<std::uint32_t> classes;         ///< words of templates with register fields of zero
    std::vector<std::vector<literal>> template_class;
    std::vector<std::array<std::vector<literal>, field_count>>
        template_field; ///< by template, field, register
    std::vector<std::array<entry_variables, 4>> entries;
    std::vector<literal> takes_load_mode;
    std::vector<unsigned> store_modes;
    std::vector<literal> store_mode;
    std::vector<literal> frame;
    literal macros_in_frame = clause_list::never;
    std::array<std::vector<std::vector<literal>>, 5> unit_slots;           ///< by unit, slot
    std::vector<std::vector<literal>> issue_slots, load_slots, held_slots; ///< by slot
};

/// For tests: what a formula tells none of its users.
struct formula_seam {
    /// A formula with broken clauses, see formula_state.
    static formula broken(const graph& of, const isa::machine& machine, const formula_limits& limits,
                          const std::string& site);
    /// The sites that clauses come from, and what they are there for.
    static const std::map<clause_site, clause_role>& sites(const formula& of);
    /// What to assume for the formula to speak of the program that this schedule is emitted as. What a
    /// program cannot say is left open: who reads whose value, and which instruction of the row an entry of a
    /// sequence is. Contradicts itself if the program is outside of the formula's limits.
    static std::vector<literal> literals_of(const formula& problem, const schedule& of);
};

} // namespace sfpu::optimizer
