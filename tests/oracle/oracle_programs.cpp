#include "oracle_programs.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

namespace sfpu::oracle {
namespace {

/// The word goes into its template where the backdoor is open. Whether anything is left to execute.
bool through_backdoor(const instruction& what, const unit_state& in, effect& result) {
    if (!has_backdoor(what)) return true;
    configuration config = in.config;
    bool is_left = false;
    for (unsigned column = 0; column < columns; ++column) {
        if ((config.lane[column] & 2u) != 0) is_left = true;
        else config.macro[column].templates[what.d - 12] = what.word;
    }
    result.config = config;
    return is_left;
}

/// The effect of an issued instruction, template writes included; counters move at once.
effect issued_effect(const instruction& what, const unit_state& in, address_counters& counters,
                     const surroundings& around) {
    effect backdoor;
    if (!through_backdoor(what, in, backdoor)) return backdoor;
    effect result;
    if (what.code == op_load || what.code == op_loadmacro || what.code == op_store) {
        const bool is_load = what.code != op_store;
        const unsigned mode = resolved_mode(what.modifier, around);
        const unsigned address = dst_address(what, mode, is_load, counters, around);
        result = is_load ? load(what, address, in, around) : store(what, address, in, around);
        apply_address_modifier(what.address_modifier, counters, around);
    } else {
        result = effect_of(what, in, around);
    }
    if (backdoor.config) result.config = backdoor.config;
    return result;
}

} // namespace

std::vector<std::uint32_t> without_replay(const std::vector<std::uint32_t>& words) {
    std::array<std::uint32_t, 32> buffer{};
    buffer.fill(0x8f000000u);
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] >> 24 != op_replay) {
            result.push_back(words[i]);
            continue;
        }
        const unsigned start = words[i] >> 14 & 31u, given = words[i] >> 4 & 63u;
        const unsigned length = given == 0 ? 64 : given;
        const bool executes = (words[i] & 2u) != 0, records = (words[i] & 1u) != 0;
        for (unsigned n = 0; n < length; ++n) {
            std::uint32_t& slot = buffer[(start + n) % 32];
            if (records) {
                if (++i >= words.size()) break;
                slot = words[i];
            }
            if (!records || executes) result.push_back(slot);
        }
    }
    return result;
}

void run_in_sequence(const std::vector<std::uint32_t>& words, unit_state& state, const surroundings& around) {
    for (const std::uint32_t word : words) {
        const instruction what = decode(word, around.arch);
        if (is_sfpu(what.code)) apply(issued_effect(what, state, state.counters, around), state);
        else count(what, state.counters);
    }
}

// --- the chips, cycle by cycle -----------------------------------------------------------------------------

namespace {

/// Registers L0 to L7 as bits.
using register_set = unsigned;
constexpr register_set general_registers = 0xffu;

bool is_two_cycle_shuffle(const instruction& what) {
    return what.code == op_shft2 && what.modifier >= 2 && what.modifier <= 4;
}
bool is_mad(const instruction& what) { return unit_of(what.code) == sub_unit::mad; }

/// What the stall logic of Blackhole takes an instruction to read (T16).
register_set seen_reads(const instruction& what) {
    const auto one = [](unsigned number) { return number < 8 ? 1u << number : 0u; };
    const unsigned modifier = what.modifier;
    const bool b0 = (modifier & 1u) != 0;
    const register_set c = one(what.c), d = one(what.d);
    const register_set by_l7 = (modifier & 8u) != 0 ? one(7) : 0;
    switch (what.code) {
    case op_load:
    case op_loadmacro: return modifier == 14 || modifier == 15 ? d : 0;
    case op_loadi: return modifier == 8 || modifier == 10 ? d : 0;
    case op_store: return d;
    case op_mad:
    case op_add:
    case op_mul:
    case op_mul24:
        if ((modifier & 4u) != 0) return general_registers;
        return one(what.a) | one(what.b) | c | by_l7;
    case op_addi:
    case op_muli: return d | by_l7;
    case op_lut: return 0x0fu | by_l7;
    case op_lutfp32: return (what.word >> 16 & 8u) != 0 ? general_registers : 0x7fu;
    case op_divp2:
    case op_exexp:
    case op_exman:
    case op_iadd:
    case op_abs:
    case op_not:
    case op_lz:
    case op_cast: return c;
    case op_shft: return !b0 || (modifier & 4u) != 0 ? c : 0;
    case op_setcc: return b0 || (modifier & 8u) != 0 ? 0 : c;
    case op_mov: return (modifier & 8u) != 0 ? 0 : c;
    case op_and:
    case op_or:
    case op_xor: return c | d;
    case op_le:
    case op_gt: return (modifier & 11u) != 0 ? c | d : 0; // compares for nobody otherwise
    case op_setexp:
    case op_setman:
    case op_setsgn: return b0 ? c : c | d;
    case op_arecip: return modifier == 1 ? c | one(what.b) : c;
    case op_stochrnd: return c | one(what.b);
    case op_shft2:
        if (modifier <= 1) return modifier == 0 ? 0x0eu : 0x0fu;
        return modifier == 5 ? c | d : modifier == 6 ? d : 0;
    case op_swap: return modifier == 0 ? c | d : 0;
    case op_transp: return general_registers;
    default: break;
    }
    return 0;
}

register_set seen_writes(const instruction& what) {
    const bool indirect = what.code == op_lutfp32 ? (what.word >> 16 & 8u) != 0 : (what.modifier & 8u) != 0;
    return indirect ? general_registers : what.d < 8 ? 1u << what.d : 0;
}

/// Whether the word waits for the one issued in the cycle before (T16, T17). A word that goes into a template
/// reads nothing; `before` is none.
bool waits_behind(const instruction& before, const instruction& what, bool is_template,
                  const surroundings& around) {
    if (!is_sfpu(what.code)) return false;
    const bool stalls = around.stalls_for_results;
    if (before.code == op_swap || (stalls && is_two_cycle_shuffle(before))) return what.code != op_sfpnop;
    return stalls && is_mad(before) && !is_template && (seen_writes(before) & seen_reads(what)) != 0;
}

struct entry {
    instruction what;
    unsigned delay = 0;
    bool counts_instructions = false;
};

/// Two-cycle work: what is written at the end of the next cycle.
struct late {
    effect result;                   ///< of MAD and SFPSHFT2
    std::optional<instruction> swap; ///< reads again in its second cycle
    std::uint32_t swapped_lanes = 0;
};

/// One chip in the middle of a program.
class chip {
public:
    chip(unit_state& state, const surroundings& around) : state_(state), around_(around) {}

    /// One cycle, with or without an issued word.
    void cycle(const instruction* issued);
    /// Whether the word is held in this cycle.
    bool holds(const instruction& what) const {
        return previous_ && waits_behind(*previous_, what, writes_template(what, state_), around_);
    }
    /// Loads of cycle `until` see what was stored in time for them.
    void show_stores(unsigned until);
    bool is_drained() const {
        bool counts_instructions = false, at_once = late_mad_.has_value() || !late_second_.empty();
        bool any = false;
        for (const std::vector<entry>& unit : entries_)
            for (const entry& each : unit) {
                any = true;
                counts_instructions |= each.counts_instructions;
                at_once |= each.delay == 0;
            }
        return !at_once && (!any || counts_instructions);
    }

private:
    void execute(const instruction& what);
    effect drawn(effect what);
    void begin_shuffle(const instruction& what);
    void launch(const instruction& macro, unsigned address);
    void schedule(const instruction& macro, unsigned address, unsigned unit, unsigned part);
    void issue(const instruction& what);
    std::array<bool, 4> run_entries(bool tick);
    void add_new_entries();
    instruction from_template(const instruction& macro, unsigned unit, unsigned part) const;
    void load_now();
    void write_back();

    unit_state& state_;
    const surroundings& around_;
    std::array<std::vector<entry>, 4> entries_; ///< Simple, MAD, Round, Store
    std::optional<instruction> previous_;       ///< issued in the cycle before, unless into a template
    std::vector<std::pair<unsigned, entry>> new_entries_;

    std::vector<instruction> executing_; ///< in the present cycle
    std::optional<late> late_mad_;       ///< begun, not written yet
    std::vector<late> late_second_;      ///< the same; two if Simple and Round both began one
    // Writes at the end of the present cycle, by the order of T2a.
    std::optional<effect> ends_mad_, ends_simple_, ends_round_, ends_load_;
    std::vector<effect> ends_second_;
    std::vector<effect> ends_others_; ///< templates, and what SFPSHFT2 saw
    std::vector<effect> stores_;
    std::optional<std::pair<instruction, unsigned>> load_;  ///< with its address
    std::deque<std::pair<unsigned, effect>> hidden_stores_; ///< by the cycle of the first load that sees them
    unsigned now_ = 0;
};

/// Generators step at once: of two instructions that draw in one cycle, the second gets the next number. The
/// contract does not say which is first; the model takes Round.
effect chip::drawn(effect what) {
    effect steps;
    std::swap(steps.random_lanes, what.random_lanes);
    apply(steps, state_);
    return what;
}

/// What a later mode 4 of Wormhole sees is what this one observes now; the rest is written in the next cycle.
void chip::begin_shuffle(const instruction& what) {
    effect seen;
    effect result = effect_of(what, state_, around_);
    std::swap(seen.shuffled, result.shuffled);
    ends_others_.push_back(seen);
    late_second_.push_back({result, {}, 0});
}

void chip::execute(const instruction& what) {
    switch (unit_of(what.code)) {
    case sub_unit::mad: late_mad_ = late{effect_of(what, state_, around_), {}, 0}; break;
    case sub_unit::round:
        if (is_two_cycle_shuffle(what)) begin_shuffle(what);
        else ends_round_ = drawn(effect_of(what, state_, around_));
        break;
    case sub_unit::simple:
        if (what.code == op_swap)
            late_second_.insert(late_second_.begin(), {{}, what, lanes_to_swap(what, state_)});
        else ends_simple_ = drawn(effect_of(what, state_, around_));
        break;
    case sub_unit::store: stores_.push_back(store(what, what.fixed_address, state_, around_)); break;
    default: break;
    }
}

/// T14.
instruction chip::from_template(const instruction& macro, unsigned unit, unsigned part) const {
    const unsigned selector = part & 7u;
    const macro_memory& memory = state_.config.macro[0];
    instruction result = decode(selector >= 4   ? memory.templates[selector - 4]
                                : selector == 3 ? 0x72000000u
                                                : 0x8f000000u,
                                around_.arch);
    result.scheduled = true;
    constexpr std::array<sub_unit, 4> units{sub_unit::simple, sub_unit::mad, sub_unit::round,
                                            sub_unit::store};
    if (unit_of(result.code) != units[unit]) {
        result = decode(0x8f000000u, around_.arch);
        result.scheduled = true;
        return result;
    }
    const bool upper = (part & 0x80u) != 0, bonus = (part & 0x40u) != 0;
    if (unit == 3) {
        if (bonus) result.d = l16;
        else if (!upper) result.d = macro.d;
        const unsigned number = macro.word >> 22 & 3u;
        result.modifier = (memory.misc >> (4 + number) & 1u) != 0 ? macro.modifier : memory.misc & 15u;
        return result;
    }
    if (!upper && result.code == op_arecip) result.b = result.d;
    if (upper) result.b = macro.d;
    else result.c = macro.d;
    result.d = bonus ? l16 : macro.d;
    return result;
}

void chip::schedule(const instruction& macro, unsigned address, unsigned unit, unsigned part) {
    if ((part & 7u) < 2) return;
    const unsigned kind = around_.delay_kind_by_macro ? macro.word >> 22 & 3u : unit;
    entry made{from_template(macro, unit, part), part >> 3 & 7u,
               (state_.config.macro[0].misc >> (8 + kind) & 1u) != 0};
    made.what.fixed_address = address;
    new_entries_.emplace_back(unit, made);
}

void chip::launch(const instruction& macro, unsigned address) {
    const std::uint32_t sequence = state_.config.macro[0].sequences[macro.word >> 22 & 3u];
    for (unsigned unit = 0; unit < 4; ++unit) schedule(macro, address, unit, sequence >> (8 * unit) & 0xffu);
}

/// T2a.
void chip::write_back() {
    const auto write = [&](std::optional<effect>& what) {
        if (what) apply(*what, state_);
        what.reset();
    };
    write(ends_mad_);
    for (const effect& each : ends_second_) apply(each, state_);
    ends_second_.clear();
    write(ends_simple_);
    write(ends_round_);
    write(ends_load_);
    for (const effect& each : ends_others_) apply(each, state_);
    ends_others_.clear();
    // T7: what is stored now is there for loads of the cycle `store_load_visible` later.
    for (const effect& each : stores_) hidden_stores_.emplace_back(now_ + around_.store_load_visible, each);
    stores_.clear();
    ++now_;
    show_stores(now_);
}

void chip::show_stores(unsigned until) {
    while (!hidden_stores_.empty() && hidden_stores_.front().first <= until) {
        apply(hidden_stores_.front().second, state_);
        hidden_stores_.pop_front();
    }
}

/// Scheduled instructions whose time has come; the others count. Which units they take.
std::array<bool, 4> chip::run_entries(bool tick) {
    std::array<bool, 4> taken{};
    for (unsigned unit = 0; unit < 4; ++unit) {
        std::vector<entry> left;
        for (entry each : entries_[unit]) {
            if (each.delay == 0) {
                taken[unit] = true;
                executing_.push_back(each.what);
                continue;
            }
            if (tick) --each.delay;
            left.push_back(each);
        }
        entries_[unit] = left;
    }
    return taken;
}

void chip::issue(const instruction& what) {
    effect backdoor;
    const bool is_left = through_backdoor(what, state_, backdoor);
    if (backdoor.config) ends_others_.push_back(backdoor);
    if (!is_left) return;
    if (what.code == op_load || what.code == op_loadmacro || what.code == op_store) {
        const bool is_load = what.code != op_store;
        const unsigned mode = resolved_mode(what.modifier, around_);
        const unsigned address = dst_address(what, mode, is_load, state_.counters, around_);
        if (is_load) load_ = std::pair(what, address);
        else stores_.push_back(store(what, address, state_, around_));
        if (what.code == op_loadmacro) launch(what, address);
        apply_address_modifier(what.address_modifier, state_.counters, around_);
    } else if (what.code == op_loadi) {
        ends_load_ = effect_of(what, state_, around_);
    } else {
        executing_.push_back(what);
    }
}

/// With stores of the same cycle, if these are visible at once.
void chip::load_now() {
    if (!load_) return;
    if (around_.store_load_visible != 0) {
        ends_load_ = load(load_->first, load_->second, state_, around_);
    } else {
        unit_state seen = state_;
        for (const effect& each : stores_) apply(each, seen);
        ends_load_ = load(load_->first, load_->second, seen, around_);
    }
    load_.reset();
}

/// T12: what would execute in the same cycle as a new entry is forgotten.
void chip::add_new_entries() {
    for (const auto& [unit, made] : new_entries_) {
        std::vector<entry> left;
        for (const entry& each : entries_[unit])
            if (each.delay != made.delay || made.delay == 7) left.push_back(each);
        left.push_back(made);
        entries_[unit] = left;
    }
    new_entries_.clear();
}

void chip::cycle(const instruction* issued) {
    // Results of the cycle before, which end with this one. A swap reads again now.
    if (late_mad_) ends_mad_ = late_mad_->result;
    for (const late& each : late_second_)
        ends_second_.push_back(each.swap ? exchange(*each.swap, each.swapped_lanes, state_) : each.result);
    late_mad_.reset();
    late_second_.clear();
    // T10: what is outstanding at the start of the cycle decides what a tick is.
    bool counts_instructions = false;
    for (const std::vector<entry>& unit : entries_)
        for (const entry& each : unit)
            counts_instructions |=
                each.counts_instructions && (each.delay != 0 || around_.firing_entry_outstanding);
    const bool is_word = issued && is_sfpu(issued->code);
    const bool was_template = issued && writes_template(*issued, state_);
    const std::array<bool, 4> taken = run_entries(!counts_instructions || is_word);
    if (issued && !is_word) count(*issued, state_.counters);
    if (is_word) {
        const auto unit = static_cast<unsigned>(unit_of(issued->code));
        if (unit == 0 || !taken[unit - 1]) issue(*issued);
    }
    std::stable_partition(executing_.begin(), executing_.end(),
                          [](const instruction& each) { return unit_of(each.code) == sub_unit::round; });
    for (const instruction& each : executing_) execute(each);
    executing_.clear();
    load_now();
    add_new_entries();
    write_back();
    previous_ = issued && !was_template ? std::optional<instruction>(*issued) : std::nullopt;
}

} // namespace

void run_on_chip(const std::vector<std::uint32_t>& words, const std::vector<unsigned>& idle,
                 unit_state& state, const surroundings& around) {
    chip unit(state, around);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const instruction what = decode(words[i], around.arch);
        for (unsigned n = 0; i < idle.size() && n < idle[i]; ++n) unit.cycle(nullptr);
        while (unit.holds(what)) unit.cycle(nullptr);
        unit.cycle(&what);
    }
    while (!unit.is_drained()) unit.cycle(nullptr);
    unit.show_stores(~0u);
}

} // namespace sfpu::oracle
