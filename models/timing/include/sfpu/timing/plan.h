// A plan: what the sub-units do in a stretch of cycles, worked out by the rules, to be executed on any data.
//
// Rules T1 to T21 never look at data. Who executes what in which cycle follows from the words and from the
// state in which the first of them comes.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/timing/planner_state.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sfpu::timing {

/// The next words of a push: 32 bits each, little-endian, anywhere in memory.
struct pushed_words {
    const unsigned char* bytes = nullptr;
    unsigned count = 0;

    std::uint32_t operator[](unsigned index) const {
        std::uint32_t word;
        std::memcpy(&word, bytes + 4 * std::size_t{index}, sizeof word);
        return word;
    }
    void drop(unsigned words) {
        bytes += 4 * std::size_t{words};
        count -= words;
    }
};

/// How an instruction executes.
struct execution_form {
    /// `direct`: the result may go to its register at once. Until it is due, nobody else reads afterwards,
    /// what else is written there comes and is due in the same order, and LaneConfig does no more than close
    /// the backdoor. Of a commit: it is the first thing that happens, whenever it is due. `simple`: direct,
    /// and a unit has nothing to ask about it. The semantics of Simple, MAD and Round have nothing to report;
    /// load and store move cells in the mode that the instruction names.
    enum class result : std::uint8_t { later, direct, simple } goes = result::later;
    std::uint8_t instance = 0; ///< in which of the units of its kind

    bool direct() const { return goes != result::later; }
    bool simple() const { return goes == result::simple; }
};

/// One thing to do. Steps come in the order in which they have to be done. Many are kept: 16 bytes each.
struct plan_step {
    enum class action : std::uint8_t {
        on_registers, ///< an issued instruction of simple form executes on Simple, MAD or Round
        issued,       ///< any other issued instruction executes
        launch,       ///< so does an SFPLOADMACRO
        scheduled,    ///< so does a scheduled instruction
        front_end,    ///< a word of the front end, or of a unit that is not modelled, takes effect
        begin_cycle,  ///< SFPSWAP reads its operands again (T8)
        commit,       ///< results become visible
    };
    const isa::instruction* insn = nullptr;
    std::uint16_t at = 0; ///< cycles after the start of the plan, which takes longest_plan at most
    /// Scheduled: number of the SFPLOADMACRO. Commit: whose results, see ports(). Else number of the word in
    /// the plan.
    std::uint16_t origin = 0;
    action what = action::issued;
    isa::sub_unit unit{};
    execution_form form;

    bool is_issued() const { return what <= action::issued; }
    port_set ports() const { return static_cast<port_set>(origin); }
};
static_assert(sizeof(plan_step) == 16);
/// Cycles. A plan with words takes no more than they and their stalls.
constexpr std::int64_t longest_plan = 0xffff;

/// One thing to say: to observers, or as a diagnostic to whoever wants to know.
struct plan_note {
    enum class kind : std::uint8_t {
        stall,        ///< a word is held for this cycle
        no_operation, ///< an instruction without effect executes
        discarded,    ///< an issued instruction is not executed (T13)
        forgotten,    ///< a scheduled instruction is replaced (T12)
        slots,        ///< what is outstanding after this cycle
        counters,     ///< the address counters may have changed
        report,       ///< a diagnostic
    };
    std::uint32_t before = 0; ///< number of the step that comes next
    std::uint32_t at = 0;     ///< cycles after the start of the plan
    kind what = kind::stall;
    hold_cause cause = hold_cause::none;
    report_id id{}; ///< report
    isa::sub_unit unit{};
    bool from_macro = false; ///< `word` is the number of an SFPLOADMACRO and not of a word
    std::int16_t word = -1;  ///< -1 is none
    std::uint16_t other = 0; ///< number of an SFPLOADMACRO
    std::int32_t number = 0; ///< register, or index of a word counted from the first of the plan
    const isa::instruction* insn = nullptr;   ///< what it is about
    const isa::instruction* second = nullptr; ///< and beside which
    const isa::instruction* third = nullptr;
    std::array<std::uint32_t, isa::scheduled_units> outstanding{}; ///< slots
};

/// Words and instructions that executing a plan adds to counters. Cycles of stalls by hold_cause.
struct plan_counts {
    std::uint32_t words = 0, instructions = 0;
    /// By sub-unit. Busy are the cycles in which an instruction other than SFPNOP starts, and the later ones
    /// in which SFPSWAP or a two-cycle SFPSHFT2 keeps others out.
    std::array<std::uint32_t, 5> issued{}, scheduled{}, discarded{}, busy{};
    std::uint8_t units = 0;   ///< bit i: sub-unit i counts anything
    bool only_issued = false; ///< nothing is scheduled or discarded
    bool holds = false;
    std::array<std::uint32_t, 4> held{};
    std::uint32_t macros_launched = 0, macros_forgotten = 0;
    std::uint32_t max_outstanding = 0;
};

struct plan {
    static constexpr unsigned capacity = 256; ///< words

    planner_state before;
    unsigned length = 0; ///< words
    std::array<std::uint32_t, capacity> words;
    bool looked_ahead = false; ///< two issue slots: the word behind the last one mattered
    std::uint32_t lookahead = 0;
    bool saw_end = false; ///< two issue slots: it mattered that no word was known behind the last one

    // Cycles are counted from the start.
    std::vector<std::uint32_t> issued_at; ///< of each word
    std::uint32_t duration = 0;           ///< up to the cycle after the last issue
    std::vector<plan_step> steps;
    std::vector<plan_note> notes;
    bool has_reports = false;
    bool changes_rules = false; ///< rule_inputs have to be sampled afterwards
    /// Parts of LoadMacroConfig that may have been written, a bit each, numbered as SFPCONFIG does; and how
    /// often at most.
    std::uint16_t written_parts = 0;
    std::uint16_t configuration_writes = 0;
    std::int64_t last_effect = -1; ///< the last cycle with an architectural effect
    unsigned launches = 0;
    plan_counts counts;

    planner_state after;
    /// By origin of the entries outstanding afterwards: what it was in this plan, where those of `before`
    /// come first.
    std::vector<std::uint16_t> origins;
    unsigned origins_before = 0;

    // Its place among remembered plans.
    std::uint64_t number = 0; ///< no two have the same
    std::uint64_t hash = 0;
    bool had_more = false; ///< it ends where it does though more words were there
    struct successor {
        const plan* which = nullptr; ///< if it has still that number
        std::uint64_t number = 0;
        std::int64_t distance = 0; ///< words between what was expected and what came
    };
    /// What came next, the latest first. Pushes and loops can be cut in several ways.
    std::array<successor, 4> next;

    /// `with` has a word at least.
    bool begins(pushed_words with) const {
        return with[0] == words[0] && with.count >= length &&
               (length == 1 || std::memcmp(with.bytes, words.data(), 4 * std::size_t{length}) == 0);
    }
};

} // namespace sfpu::timing
