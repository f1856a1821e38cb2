// Rules on lane flags.
#include "rule_table.h"

#include <sfpu/isa/word_effects.h>

#include <algorithm>
#include <set>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

constexpr std::uint32_t all_on_word = 0x8a00300au; // sfpencc 3, 0, 0, 10: flags in use, all set

/// A step that only changes lane flags.
bool is_lane_step(const step& s) {
    switch (s.insn.op->opcode) {
    case opcode::sfpsetcc:
    case opcode::sfpencc:
    case opcode::sfpcompc:
    case opcode::sfppushc:
    case opcode::sfppopc: return true;
    case opcode::sfpgt:
    case opcode::sfple: return !(s.insn.mod & 8);
    default: return false;
    }
}

/// Whether every instruction of `now` acts on the lanes on which the one of `before` acts that it comes from
/// (by index; none: -1), and the flags behind the rows are the same.
bool same_lanes(const row& before, const row& now, const std::vector<int>& origin) {
    for (std::size_t i = 0; i < now.steps.size(); ++i) {
        const step& s = now.steps[i];
        if (origin[i] < 0 || s.insn.unit == isa::sub_unit::front_end || is_lane_step(s) ||
            now.ignores_lanes(s))
            continue;
        if (now.on_before(i) != before.on_before(static_cast<std::size_t>(origin[i]))) return false;
    }
    return now.lanes_before(now.steps.size()) == before.lanes_before(before.steps.size());
}

std::vector<int> origins_without(std::size_t size, const std::set<std::size_t>& gone) {
    std::vector<int> origin;
    for (std::size_t i = 0; i < size; ++i)
        if (gone.count(i) == 0) origin.push_back(static_cast<int>(i));
    return origin;
}

// --- the outermost SFPPUSHC and SFPPOPC --------------------------------------------------------------------

/// The SFPPOPC of a SFPPUSHC, if what is between them changes the stack in no other way.
int end_of_push(const row& of, std::size_t push) {
    unsigned depth = 0;
    for (std::size_t i = push; i < of.steps.size(); ++i) {
        const step& s = of.steps[i];
        const bool compares = s.is(opcode::sfpgt) || s.is(opcode::sfple);
        if (depth == 1 && compares && (s.insn.mod & 2)) return -1;
        if (s.is(opcode::sfppushc)) {
            if (s.insn.mod != 0) return -1;
            ++depth;
        } else if (s.is(opcode::sfppopc)) {
            if (s.insn.mod != 0) return -1;
            if (--depth == 0) return static_cast<int>(i);
        }
    }
    return -1;
}

std::vector<site> drop_outermost_push(const row& of) {
    std::vector<site> found;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        if (!of.steps[i].is(opcode::sfppushc)) continue;
        const lane_state& lanes = of.lanes_before(i);
        const bool all_set = lanes.flags == always && lanes.use == always;
        const bool same_below = lanes.stack.empty() ||
                                (lanes.stack.back().first == always && lanes.stack.back().second == always);
        const int end = end_of_push(of, i);
        if (!all_set || !same_below || end < 0) continue;
        row changed = of;
        changed.steps[static_cast<std::size_t>(end)] =
            changed.make_step(all_on_word, {no_value, no_value, no_value, no_value}, no_value,
                              of.steps[static_cast<std::size_t>(end)].line);
        changed.erase(i);
        add_site(found, std::move(changed), of.steps[i].line);
    }
    return found;
}

// --- changes of flags that nobody needs --------------------------------------------------------------------

std::vector<site> drop_needless_flags(const row& of) {
    std::vector<site> found;
    const auto offer = [&](const std::set<std::size_t>& gone) {
        row changed = of;
        for (auto i = gone.rbegin(); i != gone.rend(); ++i) changed.erase(*i);
        if (changed.refresh() && same_lanes(of, changed, origins_without(of.steps.size(), gone)))
            found.push_back({std::move(changed), of.steps[*gone.begin()].line, {}});
    };
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& s = of.steps[i];
        if (!is_lane_step(s)) continue;
        if (!s.is(opcode::sfppushc)) {
            if (!s.is(opcode::sfppopc)) offer({i});
        } else if (const int end = end_of_push(of, i); end >= 0) {
            offer({i, static_cast<std::size_t>(end)});
        }
    }
    return found;
}

/// SFPIADD, SFPLZ and SFPEXEXP that set flags beside their result.
std::vector<site> drop_needless_codes(const row& of) {
    std::vector<site> found;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& s = of.steps[i];
        const bool adds = s.is(opcode::sfpiadd);
        if (!of.changes_lanes(s) || !(adds || s.is(opcode::sfplz) || s.is(opcode::sfpexexp))) continue;
        row changed = of;
        const std::uint32_t mod = adds ? (s.insn.mod & 3u) | 4u : s.insn.mod & 5u;
        changed.steps[i].insn = isa::decode((s.insn.word & ~15u) | mod, of.words());
        if (changed.refresh() && same_lanes(of, changed, origins_without(of.steps.size(), {})))
            found.push_back({std::move(changed), s.line, {}});
    }
    return found;
}

// --- condition codes beside a result -----------------------------------------------------------------------

/// The modifier with which a step sets the flags that SFPSETCC sets of its result or operand; -1: none.
int code_for(const step& s, const step& test) {
    const unsigned asked = test.insn.mod & 6u;
    const value tested = test.reads[vc];
    if (s.is(opcode::sfpiadd) && (s.insn.mod & 12) == 4 && s.writes[vd] == tested &&
        (asked == 0 || asked == 4))
        return static_cast<int>((s.insn.mod & 3u) | (asked == 4 ? 8u : 0u));
    if (s.is(opcode::sfpexexp) && (s.insn.mod & 10) == 0 && s.writes[vd] == tested &&
        (asked == 0 || asked == 4))
        return static_cast<int>(s.insn.mod | 2u | (asked == 4 ? 8u : 0u));
    const bool counts_all = s.is(opcode::sfplz) && (s.insn.mod & 14) == 0;
    if (counts_all && s.writes[vd] != no_value && s.reads[vc] == tested && (asked == 2 || asked == 6))
        return static_cast<int>(s.insn.mod | 2u | (asked == 6 ? 8u : 0u));
    return -1;
}

std::vector<site> set_codes_beside_result(const row& of) {
    std::vector<site> found;
    for (std::size_t j = 0; j < of.steps.size(); ++j) {
        const step& test = of.steps[j];
        if (!test.is(opcode::sfpsetcc) || (test.insn.mod & 9) != 0 || of.lanes_before(j).use != always)
            continue;
        for (std::size_t i = 0; i < of.steps.size(); ++i) {
            const int code = code_for(of.steps[i], test);
            if (code < 0 || of.on_before(i) != of.on_before(j)) continue;
            row changed = of;
            step moved = of.steps[i];
            moved.insn = isa::decode((moved.insn.word & ~15u) | static_cast<std::uint32_t>(code), of.words());
            // Where SFPSETCC stands; values that are read before are not there yet, which refresh() sees.
            changed.steps[j] = moved;
            changed.erase(i);
            std::vector<int> origin = origins_without(of.steps.size(), {i});
            origin[j > i ? j - 1 : j] = static_cast<int>(i);
            if (changed.refresh() && same_lanes(of, changed, origin))
                found.push_back({std::move(changed), test.line, {}});
        }
    }
    return found;
}

// --- a flag that is put into a register and compared again -------------------------------------------------

/// What a test says of a constant.
bool holds_for(unsigned mod, std::uint32_t bits) {
    switch (mod & 6u) {
    case 0: return bits >> 31;
    case 2: return bits != 0;
    case 4: return !(bits >> 31);
    default: return bits == 0;
    }
}

/// A step that tests what the lanes of step `at` are chosen by, below those that are on in `outside`; or
/// nothing. `opposite`: the other lanes.
std::optional<step> test_again(row& of, condition on, condition outside, bool opposite, unsigned line) {
    // Only one condition more than outside.
    for (condition c = 2, known = of.conditions(); c < known; ++c) {
        const condition_node node = of.node_of(c);
        if (node.what == condition_node::kind::both || of.both_of(outside, c) != on) continue;
        const condition_node inner = node.what == condition_node::kind::negation ? of.node_of(node.a) : node;
        const bool negated = (node.what == condition_node::kind::negation) != opposite;
        if (inner.what == condition_node::kind::greater) {
            const std::uint32_t word = (negated ? 0x96000001u : 0x97000001u);
            step s = of.make_step(word, {no_value, no_value, inner.b, inner.a}, no_value, line);
            return s;
        }
        if (inner.what == condition_node::kind::zero && inner.bits != 0xffffffffu) continue;
        if (inner.what != condition_node::kind::negative && inner.what != condition_node::kind::zero)
            continue;
        const unsigned mod =
            inner.what == condition_node::kind::negative ? (negated ? 4 : 0) : (negated ? 2 : 6);
        return of.make_step(0x7b000000u | mod, {no_value, no_value, inner.a, no_value}, no_value, line);
    }
    return std::nullopt;
}

std::vector<site> keep_flag_a_flag(const row& of) {
    std::vector<site> found;
    for (std::size_t j = 0; j < of.steps.size(); ++j) {
        const step& test = of.steps[j];
        if (!test.is(opcode::sfpsetcc) || (test.insn.mod & 9) != 0) continue;
        const int at = of.definition_of(test.reads[vc]);
        if (at < 0) continue;
        const step& written = of.steps[static_cast<std::size_t>(at)];
        // Lanes in which it is written hold one constant, all others another.
        if (!written.is(opcode::sfploadi) && !written.is(opcode::sfpmov)) continue;
        const value old = written.reads[vd];
        if (old == no_value || of.operands_of(written)[vd]) continue;
        step alone = written;
        alone.reads[vd] = no_value;
        const std::optional<std::uint32_t> now = of.constant_left_by(alone), before = of.constant_of(old);
        if (!now || !before) continue;
        const bool there = holds_for(test.insn.mod, *now), elsewhere = holds_for(test.insn.mod, *before);
        if (there == elsewhere) continue;
        row changed = of;
        const condition on = of.on_before(static_cast<std::size_t>(at)), outside = of.on_before(j);
        const std::optional<step> again = test_again(changed, on, outside, !there, test.line);
        if (!again) continue;
        changed.steps[j] = *again;
        add_site(found, std::move(changed), test.line);
    }
    return found;
}

// --- what only feeds a predicated write --------------------------------------------------------------------

/// The last place before `at` where all lanes are on and everything that a step reads is there; -1: none.
int place_in_all_lanes(const row& of, const step& s, std::size_t at) {
    int there = 0;
    const auto look = [&](value v) {
        if (v >= first_result) there = std::max(there, of.definition_of(v) + 1);
    };
    for (const value v : s.reads) look(v);
    for (const auto& each : s.fixed_reads) look(each.second);
    for (int k = static_cast<int>(at); k >= there; --k)
        if (of.all_on_before(static_cast<std::size_t>(k))) return k;
    return -1;
}

/// Whether it leaves nothing but registers, lane by lane.
bool is_computed_in_any_lane(const row& of, const step& s) {
    return of.is_pure(s) && !s.is(opcode::sfpload) && s.fixed_writes.empty() &&
           !isa::effects_of(s.insn, of.arch()).crosses_lanes;
}

/// The same, and one result.
bool is_computed_anywhere(const row& of, const step& s) {
    return is_computed_in_any_lane(of, s) && !s.is(opcode::sfpswap) && s.writes[vd] != no_value;
}

/// Whether a result of a step is read in other lanes than those on which it acts.
bool is_read_elsewhere(const row& of, std::size_t at) {
    const std::array<value, field_count>& results = of.steps[at].writes;
    return std::any_of(results.begin(), results.end(), [&](value each) {
        return each != no_value && of.reads_outside(each, of.on_before(at));
    });
}

/// Whether a field of a step is only read for lanes that are off.
bool keeps_other_lanes(const row& of, const step& s) {
    const std::array<bool, field_count> operands = of.operands_of(s);
    for (unsigned f = 0; f < field_count; ++f)
        if (s.writes[f] != no_value && s.reads[f] != no_value && !operands[f]) return true;
    return false;
}

/// All of them at once: each by itself changes little.
std::vector<site> compute_in_all_lanes(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = 0; i < changed.steps.size(); ++i) {
        const step s = changed.steps[i];
        if (!is_computed_in_any_lane(changed, s) || changed.all_on_before(i)) continue;
        // Lanes that are off must not be read behind it.
        if (!changed.ignores_lanes(s) && (keeps_other_lanes(changed, s) || is_read_elsewhere(changed, i)))
            continue;
        row next = changed;
        const int to = place_in_all_lanes(changed, s, i);
        if (to < 0) continue;
        next.erase(i);
        next.insert(static_cast<std::size_t>(to), s);
        if (!next.refresh()) continue;
        changed = std::move(next);
        if (line == 0) line = s.line;
    }
    std::vector<site> found;
    if (line != 0) found.push_back({std::move(changed), line, {}});
    return found;
}

// --- else first --------------------------------------------------------------------------------------------

/// r = a where c; r = b elsewhere: r = b everywhere, then r = a where c.
std::vector<site> write_else_first(const row& of) {
    std::vector<site> found;
    for (std::size_t j = 0; j < of.steps.size(); ++j) {
        const step& last = of.steps[j];
        if (!is_computed_anywhere(of, last) || last.reads[vd] == no_value || of.operands_of(last)[vd])
            continue;
        const value first_value = last.reads[vd];
        const int i = of.definition_of(first_value);
        if (i < 0 || !of.has_one_reader(first_value)) continue;
        const step& first = of.steps[static_cast<std::size_t>(i)];
        if (!is_computed_anywhere(of, first) || of.operands_of(first)[vd]) continue;
        row changed = of;
        const condition on = of.on_before(static_cast<std::size_t>(i));
        if (on == always || changed.negation_of(on) != of.on_before(j)) continue;
        step everywhere = last;
        everywhere.reads[vd] = no_value;
        if (everywhere.reads_value(first_value)) continue;
        const int to = place_in_all_lanes(of, everywhere, static_cast<std::size_t>(i));
        if (to < 0) continue;
        everywhere.writes[vd] = changed.new_value();
        changed.erase(j);
        changed.steps[static_cast<std::size_t>(i)].reads[vd] = everywhere.writes[vd];
        changed.replace_readers(last.writes[vd], first_value);
        changed.insert(static_cast<std::size_t>(to), everywhere);
        add_site(found, std::move(changed), last.line);
    }
    return found;
}

// --- predicated stores -------------------------------------------------------------------------------------

/// Whether storing what was loaded changes nothing.
bool store_undoes_load(unsigned mode, architecture arch) {
    namespace dst_mode = isa::dst_mode;
    return mode == dst_mode::int32 || mode == dst_mode::int32_sm || mode == dst_mode::uint16 ||
           mode == dst_mode::int16 || (mode == dst_mode::fp32 && arch == architecture::wormhole);
}

std::vector<site> predicate_store(const row& of) {
    std::vector<site> found;
    for (std::size_t j = 0; j < of.steps.size(); ++j) {
        const step& store = of.steps[j];
        if (!store.is(opcode::sfpstore) || !store_undoes_load(store.insn.mod, of.arch()) ||
            !of.all_on_before(j))
            continue;
        const value stored = store.reads[vd];
        const int i = of.definition_of(stored);
        if (i < 0 || !of.has_one_reader(stored)) continue;
        const step& written = of.steps[static_cast<std::size_t>(i)];
        const value old = written.reads[vd];
        if (!is_computed_anywhere(of, written) || old == no_value || of.operands_of(written)[vd]) continue;
        const int from = of.definition_of(old);
        if (from < 0) continue;
        const step& load = of.steps[static_cast<std::size_t>(from)];
        if (!load.is(opcode::sfpload) || load.insn.mod != store.insn.mod ||
            load.insn.imm10 != store.insn.imm10 || !of.keeps_counter(load) ||
            !of.all_on_before(static_cast<std::size_t>(from)))
            continue;
        bool quiet = true; // nobody else stores there, or moves the counter, or loads what is not stored yet
        for (int k = from + 1; k < static_cast<int>(j) && quiet; ++k) {
            const step& s = of.steps[static_cast<std::size_t>(k)];
            const isa::word_effects effects = isa::effects_of(s.insn, of.arch());
            quiet = !effects.stores_dst && s.insn.unit != isa::sub_unit::front_end &&
                    !(effects.loads_dst && (k > i || !of.keeps_counter(s)));
        }
        if (!quiet) continue;
        row changed = of;
        step moved = store;
        step& source = changed.steps[static_cast<std::size_t>(i)];
        source.reads[vd] = no_value;
        if (source.is(opcode::sfpmov) && source.insn.mod == 0) moved.reads[vd] = source.reads[vc];
        changed.erase(j);
        changed.insert(static_cast<std::size_t>(i) + 1, moved);
        if (moved.reads[vd] != stored) changed.erase(static_cast<std::size_t>(i));
        add_site(found, std::move(changed), store.line);
    }
    return found;
}

} // namespace

const std::vector<rule> lane_rules = {
    {"outermost-push", "the outermost SFPPUSHC and SFPPOPC of a row: nothing, and SFPENCC",
     "flags and their use are 1 in every lane at the SFPPUSHC; the stack is empty or its top the same; "
     "between "
     "the two it changes in no other way",
     drop_outermost_push},
    {"needless-flags", "a change of lane flags that nobody needs is left out",
     "every instruction acts on the same lanes without it, and the flags behind the row are the same",
     drop_needless_flags},
    {"needless-code", "SFPIADD, SFPLZ and SFPEXEXP leave flags alone that nobody needs",
     "every instruction acts on the same lanes, and the flags behind the row are the same",
     drop_needless_codes},
    {"code-beside-result", "SFPSETCC of what SFPIADD, SFPLZ or SFPEXEXP computes: their own condition codes",
     "flags are in use; both act on the same lanes; nobody reads the result in between",
     set_codes_beside_result},
    {"flag-stays-flag", "a flag that is put into a register and compared again is tested again itself",
     "the register holds one constant where the flag is set and another elsewhere", keep_flag_a_flag},
    {"all-lanes", "what only feeds a predicated write is computed in all lanes",
     "its other lanes are not read behind it; it writes no flags and goes to no indirect register",
     compute_in_all_lanes},
    {"else-first", "a write in some lanes and one in the others: the second in all lanes, then the first",
     "flags are in use; the second does not read what the first writes", write_else_first},
    {"predicated-store", "a write in some lanes and a store in all of them: a store in some lanes",
     "in place, mode INT32, INT32_SM, UINT16 or INT16, on Wormhole also FP32; nothing else stores in between",
     predicate_store},
};

} // namespace sfpu::rewriting
