// The schedules of a row with a given interval, as the models of a formula.
//
// Modulo scheduling: every row does the same, `interval` cycles later. Rules are those of the timing
// contract; each clause belongs to a group, so that a refutation can say which it needs.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/isa/registers.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/schedule.h>
#include <sfpu/optimizer/solver.h>
#include <sfpu/optimizer/structure.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// Groups of constraints, as refutations name them.
enum class group : std::uint8_t {
    definition,  ///< what a schedule is at all: never relaxed
    issue_slots, ///< one word a cycle, or two that may share it
    simple_unit,
    mad_unit,
    round_unit,
    store_unit,
    registers,   ///< two values that live at one time are in different registers; L16 is only one
    templates,   ///< how many there are, and that a template has fixed fields
    macros,      ///< how many sequences there are, and that all loads of a macro share one
    delays,      ///< how long a delay can be
    write_port,  ///< T9, and the second cycles of T8
    dst_order,   ///< loads and stores of the same cells
    lane_flags,  ///< order through the lane flags
    dependences, ///< operands are there when they are read
    stalls,      ///< T16: nothing issued may be held
    effects,     ///< what must not happen for rows that are none
};
constexpr unsigned group_count = static_cast<unsigned>(group::effects) + 1;
const char* to_string(group which);

/// Clauses that refuse no schedule that others would let through, or only such as differ from one that stays
/// in nothing that matters, or look wrong to the linter and are not.
enum class spare : std::uint8_t {
    none, ///< without it there are schedules that are wrong on the machine
    copies_in_order,
    templates_in_order,
    begins_at_once,
    nothing_for_nobody,
    nothing_for_none,
    bits_without_meaning,
    one_of_each,
    entries_have_one_delay,
    nothing_looks_lost,
    slots_are_counted,
    registers_in_order,
    loop_begins_with_an_effect,
};
/// Why it is one; empty for none.
const char* reason_of(spare why);

/// Where in the sources of the formula clauses are made.
struct clause_site {
    const char* file = "";
    int line = 0;
    static constexpr clause_site here(const char* in = __builtin_FILE(), int at = __builtin_LINE()) {
        return {in, at};
    }
    std::string text() const; ///< "formula_order.cpp:12"
};
bool operator<(const clause_site& a, const clause_site& b);
struct clause_role {
    group of = group::definition;
    spare why = spare::none;
};

struct formula_limits {
    unsigned interval = 1;
    unsigned rows = 1;     ///< registers rotate over so many rows
    unsigned horizon = 20; ///< a row lasts at most so many cycles
    unsigned copies = 3;   ///< of each load
    unsigned registers =
        isa::general_lregs; ///< one more to ask what that would change: no schedule can be read then
    bool bubble_proof = false;
    bool one_of_many = false; ///< of schedules that differ in names and rotation only one, to refute all
    bool no_macros = false;   ///< everything is issued
    bool with_groups = false; ///< each group hangs on an assumption
    const structure* keep = nullptr; ///< who is issued and who is scheduled by whom
    std::optional<unsigned> slack;   ///< with `keep`: everything stays within so many cycles of its time
    /// With `keep`: only what a row asks of itself. Clauses are left out: what this refutes is refuted, also
    /// for all shorter intervals and horizons, and what it allows means nothing.
    bool one_row = false;
    std::optional<group> without; ///< leave a group out
    std::string broken_site;      ///< for tests: break a clause of this site, by its text, or more of them
};

class formula {
public:
    formula(const graph& of, const isa::machine& machine, const formula_limits& limits);

    const clause_list& clauses() const { return clauses_; }
    /// With groups: the assumption of each.
    const std::array<literal, group_count>& assumptions() const { return assumption_; }
    /// If it is assumed, rows that are none schedule nothing at all.
    literal macros_in_frame() const { return macros_in_frame_; }
    /// Throws std::logic_error if it is none, which only happens without some of the clauses.
    schedule read(const std::vector<bool>& model) const;
    /// A clause that all schedules fulfil but those in which everything is where it is in this model.
    std::vector<literal> anywhere_else(const std::vector<bool>& model) const;
    /// Values for all variables that put everything somewhere, mostly against the rules: where a solver may
    /// begin.
    std::vector<bool> anywhere(std::mt19937& random) const;
    /// For tests: what to assume for the formula to speak of the program that this schedule is emitted as.
    /// What a program cannot say is left open: who reads whose value, and which instruction of the row an
    /// entry of a sequence is. Contradicts itself if the program is outside of the formula's limits.
    std::vector<literal> literals_of(const schedule& of) const;
    /// For tests: the sites that clauses come from, and what they are there for.
    const std::map<clause_site, clause_role>& sites() const { return sites_; }
    const formula_limits& limits() const { return limits_; }

private:
    /// By row: the general registers, L16, and the register more that `limits.registers` may allow.
    using registers_of = std::vector<std::array<literal, isa::general_lregs + 2>>;

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
        literal effect_issue = clause_list::never;
    };
    struct instance {
        int event = -1, value = -1;
        unsigned result = 0;
        registers_of lreg;
        std::vector<literal> visible; ///< by x, only if forms differ in latency
        unsigned latency = 1;
        std::vector<literal> alive, alive_slot;
    };
    struct entry_variables {
        literal has = 0, vb = 0, l16 = 0;
        std::vector<literal> in_template, delay;
    };

    literal make() { return clauses_.make_variable(); }
    void begin(group which) { group_ = which; }
    /// While it lives, clauses are spare ones.
    class implied {
    public:
        implied(formula& in, spare why) : in_(in), before_(in.spare_) { in.spare_ = why; }
        ~implied() { in_.spare_ = before_; }
        implied(const implied&) = delete;
        implied& operator=(const implied&) = delete;

    private:
        formula& in_;
        spare before_;
    };
    void add(std::vector<literal> clause, clause_site site = clause_site::here());
    bool is_broken(const clause_site& site) const;
    void at_most_one(std::vector<literal> literals, clause_site site = clause_site::here());
    void at_most_two(const std::vector<literal>& literals, clause_site site = clause_site::here());
    /// Literals that say that at least 1, 2, ... of these hold.
    std::vector<literal> count(const std::vector<literal>& literals);
    std::vector<literal> one_of(unsigned count);
    literal from(const event& e, int x) const;
    literal at(const event& e, int x) const;
    literal visible(const instance& i, int x) const;

    void make_events();
    void make_times(event& e);
    void make_instances();
    void choose_operands();
    void make_lifetimes();
    void tables();
    void schedule_operations();
    void operand_rules(event& e);
    void keep_lanes_of_loads();
    void occupy();
    void keep_registers();
    void keep_flags();
    void keep_memory();
    void keep_frame();
    void keep_issue_rules();
    void keep_pairs();
    void survive_bubbles();
    void keep_structure(const structure& kept);
    void issue_everything();
    void count_words();
    void mean_one_of_many();
    literal same_register(const instance& v, unsigned row_v, const instance& w, unsigned row_w);

    const graph& graph_;
    const isa::machine& machine_;
    formula_limits limits_;
    clause_list clauses_;
    group group_ = group::definition;
    std::map<clause_site, clause_role> sites_;
    spare spare_ = spare::none;
    std::vector<literal> broken_;         ///< by clause of the broken site: each of its literals is false
    isa::register_set distinguished_ = 0; ///< general registers that another one cannot stand for
    std::array<literal, group_count> assumption_{};
    int interval_ = 1, horizon_ = 1, period_ = 1;
    unsigned rows_ = 1, delays_ = 8;

    std::vector<event> events_;
    std::vector<int> loads_, operations_; ///< events
    std::vector<instance> instances_;
    std::vector<std::vector<int>> instances_of_; ///< by value
    std::vector<std::uint32_t> classes_;         ///< words of templates with register fields of zero
    std::vector<std::vector<literal>> template_class_;
    std::vector<std::array<std::vector<literal>, field_count>>
        template_field_; ///< by template, field, register
    std::vector<std::array<entry_variables, 4>> entries_;
    std::vector<literal> takes_load_mode_;
    std::vector<unsigned> store_modes_;
    std::vector<literal> store_mode_;
    std::vector<literal> frame_;
    literal macros_in_frame_ = clause_list::never;
    std::array<std::vector<std::vector<literal>>, 5> unit_slots_;             ///< by unit, slot
    std::vector<std::vector<literal>> issue_slots_, load_slots_, held_slots_; ///< by slot
};

} // namespace sfpu::optimizer
