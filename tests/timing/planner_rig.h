// A planner that is asked as the issue unit asks it. Nobody executes the plans; what they say is kept, in
// absolute cycles.
#pragma once

#include <sfpu/timing/planner.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::timing {

// --- instruction words (Blackhole), as the ISA documentation has them --------------------------------------

namespace words {
using w = std::uint32_t;
constexpr w nop = 0x8f000000u, front_end_nop = 0x02000000u;
constexpr w abs(w c, w d) { return 0x7d000000u | c << 8 | d << 4; }
constexpr w setcc(w c) { return 0x7b000000u | c << 8; }
constexpr w iadd(w c, w d) { return 0x79000000u | c << 8 | d << 4 | 4u; }
constexpr w mad(w a, w b, w c, w d) { return 0x84000000u | a << 16 | b << 12 | c << 8 | d << 4; }
constexpr w loadi(w d, w imm) { return 0x71020000u | d << 20 | imm; }
constexpr w load(w d, w address = 0, w addr_mod = 0) {
    return 0x70040000u | d << 20 | addr_mod << 13 | address;
}
constexpr w store(w d, w address = 0, w addr_mod = 0) {
    return 0x72040000u | d << 20 | addr_mod << 13 | address;
}
constexpr w swap(w c, w d) { return 0x92000000u | c << 8 | d << 4; }
constexpr w shuffle(w c, w d) { return 0x94000003u | c << 8 | d << 4; } ///< SFPSHFT2 mode 3: two cycles
constexpr w shift(w c, w d) { return 0x94000005u | c << 8 | d << 4; }   ///< SFPSHFT2 mode 5: one
constexpr w config(w destination, w imm) { return 0x91000001u | imm << 8 | destination << 4; }
constexpr w incrwc(w d) { return 0x38000000u | d << 14; }
constexpr w setc16(w index, w value) { return 0xb2000000u | index << 16 | value; }
constexpr w loadmacro(w macro, w lreg, w address = 0) {
    return 0x93040000u | macro << 22 | (lreg & 3u) << 20 | (address & ~1u) | lreg >> 2;
}
constexpr w misc = 8, l11 = 11, l14 = 14, lane_config = 15; ///< destinations of SFPCONFIG
} // namespace words

/// A byte of a macro sequence.
constexpr std::uint32_t sequence_of(unsigned selector, unsigned delay, bool vb = false, bool l16 = false) {
    return (vb ? 0x80u : 0u) | (l16 ? 0x40u : 0u) | delay << 3 | selector;
}
constexpr unsigned on_simple = 0, on_mad = 8, on_round = 16, on_store = 24; ///< shifts of the bytes
constexpr std::uint32_t counts_instructions = 0xf00u, counts_cycles = 0;    ///< Misc

/// Templates for Simple (SFPABS), MAD and Round (SFPSHFT2 mode 5, one cycle), and SFPSETCC.
constexpr std::array<std::uint32_t, 4> usual_templates{words::abs(0, 0), words::mad(1, 1, 1, 1),
                                                       words::shift(0, 0), words::setcc(0)};

inline parameters wormhole() {
    parameters result;
    result.arch = architecture::wormhole;
    return result;
}

struct planner_rig {
    parameters config;
    isa::machine machine;
    timing::planner planner;
    isa::vector_state state; ///< what the rules are sampled from
    word_source source;
    std::int64_t next_word = 0;

    struct note {
        std::int64_t at = 0, word = -1;
        plan_note what;
    };
    std::vector<std::string> steps; ///< "cycle: what"
    std::vector<note> notes;
    std::vector<unsigned> lengths;                      ///< words, of each plan with words
    std::vector<const timing::plan*> plans;             ///< where they were
    std::vector<std::int64_t> issued_at;                ///< of each word
    std::map<std::uint32_t, std::int64_t> scheduled_at; ///< by word of the template, latest cycle
    plan_counts counts;                                 ///< of the latest plan

    explicit planner_rig(const parameters& with = {}) : config(with), machine(isa::make_machine(config)) {
        state.reset(config.sfpu_lreg12_default);
        planner.reset(machine);
        sample();
    }

    /// One macro of all columns. Templates 0 to 3 are for Simple, MAD, Round and anything.
    void set_macro(unsigned index, std::uint32_t sequence, std::uint32_t misc = counts_cycles) {
        for (isa::macro_configuration& column : state.macro) {
            column.sequence[index] = sequence;
            column.misc = misc;
        }
        sample();
    }
    void set_templates(std::array<std::uint32_t, 4> to) {
        for (isa::macro_configuration& column : state.macro)
            std::copy(to.begin(), to.end(), column.instruction_template.begin());
        sample();
    }
    void set_lane_config(std::uint32_t value) {
        for (unsigned column = 0; column < column_count; ++column) state.config.set_column(column, value);
        sample();
    }
    /// What state says to the rules.
    void sample() {
        rule_inputs rules;
        rules.configuration = planner.library().number_of(state);
        rules.backdoor_closed = state.config.lanes_with(isa::lane_configuration::disable_backdoor_load);
        rules.lanes_ordinary = !state.config.any_of(~(1u << isa::lane_configuration::disable_backdoor_load));
        rules.still_modifiers = still_modifiers;
        planner.set_rules(rules);
    }
    std::uint8_t still_modifiers = 0;

    /// Plans words until all are taken, or one would be issued `limit` cycles from now or later. Returns how
    /// many.
    unsigned push(const std::vector<std::uint32_t>& words, std::int64_t limit = 1 << 20) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
        pushed_words left{bytes, static_cast<unsigned>(words.size())};
        const cycles end = planner.now() + cycles{limit};
        while (left.count != 0) {
            const timing::plan& made =
                planner.plan_words(left, (end - planner.now()).count(), source, next_word);
            if (made.duration == 0) break;
            left.drop(made.length);
            if (made.length != 0) {
                lengths.push_back(made.length);
                plans.push_back(&made);
            }
            finish(made);
        }
        return static_cast<unsigned>(words.size()) - left.count;
    }
    /// Cycles without an issue.
    void idle(std::int64_t count) {
        const cycles end = planner.now() + cycles{count};
        while (const timing::plan* made = planner.plan_idle(end)) finish(*made);
    }

    std::vector<note> reports(report_id id) const {
        std::vector<note> result;
        for (const note& each : notes)
            if (each.what.what == plan_note::kind::report && each.what.id == id) result.push_back(each);
        return result;
    }
    std::size_t reports() const {
        return std::count_if(notes.begin(), notes.end(),
                             [](const note& n) { return n.what.what == plan_note::kind::report; });
    }
    std::vector<note> notes_of(plan_note::kind kind) const {
        std::vector<note> result;
        for (const note& each : notes)
            if (each.what.what == kind) result.push_back(each);
        return result;
    }
    void clear() {
        steps.clear();
        notes.clear();
        lengths.clear();
        plans.clear();
        issued_at.clear();
    }

private:
    void finish(const timing::plan& made) {
        const std::int64_t start = planner.now().count();
        origins_.resize(std::max<std::size_t>(origins_.size(), made.origins_before + made.launches));
        unsigned launched = made.origins_before;
        for (const plan_step& step : made.steps) keep(step, start, launched);
        for (const plan_note& each : made.notes) {
            const std::int64_t word = each.from_macro ? origins_.at(static_cast<unsigned>(each.word))
                                      : each.word < 0 ? -1
                                                      : next_word + each.word * source.word_step;
            notes.push_back({start + each.at, word, each});
        }
        for (const std::uint32_t at : made.issued_at) issued_at.push_back(start + at);
        std::vector<std::int64_t> origins;
        for (const std::uint16_t origin : made.origins) origins.push_back(origins_.at(origin));
        origins_ = origins;
        counts = made.counts;
        const bool changes_rules = made.changes_rules;
        const std::int64_t first = next_word;
        next_word += std::int64_t{made.length} * source.word_step;
        planner.finished(made, first);
        if (changes_rules) sample();
    }
    void keep(const plan_step& step, std::int64_t start, unsigned& launched) {
        using action = plan_step::action;
        const std::int64_t at = start + step.at, word = next_word + step.origin * source.word_step;
        const auto unit = [&] {
            return std::string(isa::to_string(step.unit)) + (step.form.instance != 0 ? " 1" : "");
        };
        const char* const how = step.form.direct() ? ", direct" : "";
        switch (step.what) {
        case action::launch: origins_[launched++] = word; [[fallthrough]];
        case action::on_registers:
        case action::issued:
            steps.push_back(fmt::format("{}: word {} on {}{}", at, word, unit(), how));
            break;
        case action::scheduled:
            steps.push_back(
                fmt::format("{}: macro of word {} on {}{}", at, origins_.at(step.origin), unit(), how));
            scheduled_at[step.insn->word] = at;
            break;
        case action::front_end: steps.push_back(fmt::format("{}: word {} in front", at, word)); break;
        case action::begin_cycle: steps.push_back(fmt::format("{}: swap reads again", at)); break;
        case action::commit: {
            constexpr const char* names[] = {"mad",    "second mad", "swap", "shuffle",
                                             "simple", "round",      "load", "second load"};
            std::string text = fmt::format("{}: commit", at);
            for (unsigned port = 0; port < result_port_count; ++port)
                if (step.ports() >> port & 1) text += std::string(" ") + names[port];
            steps.push_back(text);
            break;
        }
        }
    }

    std::vector<std::int64_t> origins_; ///< words of the SFPLOADMACROs with entries outstanding
};

} // namespace sfpu::timing
