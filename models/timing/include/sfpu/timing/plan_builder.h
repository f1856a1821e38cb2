// Works out plans: rules T1 to T21 applied cycle by cycle.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/timing/instruction_library.h>
#include <sfpu/timing/plan.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::timing {

/// The coming words.
struct word_run {
    const library_word* const* words = nullptr; ///< `count` of them, and one more if `has_more`
    unsigned count = 0;                         ///< the plan may take
    bool has_more = false;
};

class plan_builder {
public:
    explicit plan_builder(instruction_library& library) : library_(library) {}
    void reset(const isa::machine& machine);

    /// Whether plans have the notes that only observers want. Reports are always there.
    void set_observed(bool is_observed) { is_observed_ = is_observed; }

    /// Plans the issue of words one after the other, none of them `limit` cycles from now or later. The plan
    /// ends early behind whatever changes the rules; behind issued words that write LoadMacroConfig, in front
    /// of the first SFPLOADMACRO, as nothing else depends on it. It may take no word and yet last some
    /// cycles.
    void plan_words(const planner_state& from, word_run words, std::int64_t limit, plan& to);
    /// Plans cycles without an issue: `limit` of them, or fewer if nothing moves any more.
    void plan_idle(const planner_state& from, std::int64_t limit, plan& to);

    /// The role of a word in a state.
    static word_role role_of(const isa::instruction& insn, const rule_inputs& rules) {
        return insn.names_template() && rules.backdoor_closed != all_lanes ? word_role::template_write
                                                                           : word_role::instruction;
    }
    const issue_rules& rules() const { return issue_rules_; }

private:
    /// One instruction for one unit in the present cycle.
    struct job {
        const isa::instruction* insn = nullptr;
        isa::sub_unit unit{};
        std::uint8_t instance = 0;
        bool scheduled = false;
        word_role role = word_role::instruction;
        std::uint16_t origin = 0; ///< scheduled: number of the SFPLOADMACRO; else that of the word
    };
    /// An instruction that executes, with what decides whether its result may go to its register at once.
    struct execution {
        plan_step step;
        unsigned first = 0, last = 0; ///< cycles in which it works
        isa::register_set reads = 0, writes = 0;
        port_set port = 0;
        bool is_swap = false; ///< reads again at the start of its last cycle and keeps its results until then
        bool may_be_direct = false;
    };
    struct event {
        enum class kind : std::uint8_t { begin_cycle, execution, note, end_cycle };
        kind what;
        std::uint32_t index; ///< of the execution or note
    };
    struct issued_word {
        const library_word* word = nullptr;
        unsigned index = 0; ///< in the plan
        word_role role = word_role::instruction;
        bool discarded = false;
        std::uint8_t new_templates = 0; ///< that the word before wrote, see planner_state
        isa::sub_unit unit() const { return word->insn.unit; }
    };

    void start(const planner_state& from, plan& to);
    void finish();

    unsigned issue(const word_run& words, unsigned index);
    void announce(issued_word& word);
    void check_hazards(const issued_word& word);
    void check_wait(const library_word& word, unsigned index);
    void differs(chip_difference how, const isa::instruction& insn, int word);
    bool is_among_macros() const { return state_.slots.busy() || state_.on_chip.has_scheduled(); }
    bool may_share_issue(const issued_word& first, const library_word& second) const;
    bool may_share_dst(const isa::instruction& first, const isa::instruction& second) const;
    bool moves_counters(const isa::instruction& insn) const;
    void run_cycle(issued_word* issued, unsigned count);
    void place(issued_word& word);
    void discard(issued_word& word);
    void execute_all();
    void keep_word_order();
    void execute(const job& what);
    void note_configuration(const job& what, bool is_template);
    void execute_front_end(const issued_word& word);
    void check_neighbours(int word);

    // Rules of the vendor's compiler (plan_builder_rules.cpp).
    void check_in_flight(const issued_word& word);
    void check_store_beside_flags();
    void check_launch(const macro_launch& what, const issued_word& by);
    void count_busy();
    void launch(const macro_launch& what, const issued_word& by);
    void report_faults(const expansion_faults& faults, int word);
    void schedule(const scheduled_entry& entry, int word);
    void report_other_threads(configuration_parts uses, int word);
    void note_slots(const std::array<std::uint32_t, isa::scheduled_units>& before);
    bool is_taken(isa::sub_unit unit, unsigned instance) const;

    // The end of a plan (plan_steps.cpp).
    bool may_be_early(unsigned in) const;
    bool may_go_directly(std::size_t index) const;
    void emit();
    void leave_state();

    plan_note& note(plan_note::kind what);
    plan_note& report(report_id id, int word, bool from_macro = false);

    instruction_library& library_;
    isa::machine machine_;
    issue_rules issue_rules_;
    neighbour_rules neighbour_rules_;
    chip_watch chip_watch_;

    bool is_observed_ = true;
    plan_note unheard_; ///< of nobody's interest
    plan* to_ = nullptr;
    planner_state state_;
    std::uint32_t cycle_ = 0;
    bool ended_ = false;
    bool is_configured_ = true;  ///< LoadMacroConfig is what `state_.rules` says
    unsigned pending_until_ = 0; ///< no result is under way from this cycle on
    unsigned early_ = 0; ///< by cycle: results that were under way and are written at the start of the plan
    std::vector<job> jobs_; ///< of the present cycle
    std::vector<execution> executions_;
    std::vector<plan_note> notes_;
    std::vector<event> events_;
};

} // namespace sfpu::timing
