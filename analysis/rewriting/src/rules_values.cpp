// Rules on values: what nobody reads, what is there already, what is a constant.
#include "rule_table.h"

#include <algorithm>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

std::vector<site> drop_dead_code(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = changed.steps.size(); i-- > 0;) {
        const step& s = changed.steps[i];
        if (!may_be_dropped(changed, s)) continue;
        const auto unread = [&](value v) { return v == no_value || changed.readers_of(v).empty(); };
        if (!std::all_of(s.writes.begin(), s.writes.end(), unread) || !s.fixed_writes.empty()) continue;
        line = s.line;
        changed.erase(i);
    }
    std::vector<site> found;
    if (changed.steps.size() < of.steps.size()) add_site(found, std::move(changed), line);
    return found;
}

bool is_full_write(const row& of, const step& s) {
    return s.writes[vd] != no_value && (s.reads[vd] == no_value || of.operands_of(s)[vd]);
}

/// All moves at once.
std::vector<site> drop_moves(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = 0; i < changed.steps.size(); ++i) {
        const step s = changed.steps[i];
        const bool moves = s.is(opcode::sfpmov) && (s.insn.mod == 0 || s.insn.mod == 2);
        if (!moves || !is_full_write(changed, s)) continue;
        row next = changed;
        next.replace_readers(s.writes[vd], s.reads[vc]);
        next.erase(i);
        // What is carried to the next row would be overwritten while it is read.
        if (s.reads[vc] < 8 || !next.refresh()) continue;
        changed = std::move(next);
        --i;
        line = s.line;
    }
    std::vector<site> found;
    if (line != 0) found.push_back({std::move(changed), line, {}});
    return found;
}

/// Whether a load of step `i` would bring the same at step `j`.
bool same_memory(const row& of, std::size_t i, std::size_t j) {
    for (std::size_t k = i; k <= j; ++k) {
        const step& s = of.steps[k];
        if (s.is(opcode::sfpstore) || s.insn.unit == isa::sub_unit::front_end) return false;
        if (s.is(opcode::sfpload) && !of.keeps_counter(s)) return false;
    }
    return true;
}

std::vector<site> share_subexpressions(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t j = 1; j < changed.steps.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            const step a = changed.steps[i], b = changed.steps[j];
            const bool same = a.insn.op == b.insn.op && a.reads == b.reads &&
                              a.fixed_reads == b.fixed_reads &&
                              changed.without_registers(a) == changed.without_registers(b);
            if (!same || !is_full_write(changed, a) || !is_full_write(changed, b) ||
                !may_be_dropped(changed, a) || !may_be_dropped(changed, b) || a.is(opcode::sfpswap) ||
                !a.fixed_writes.empty())
                continue;
            if (a.is(opcode::sfpload) && !same_memory(changed, i, j)) continue;
            if (!changed.implies(changed.on_before(j), changed.on_before(i))) continue;
            row next = changed;
            next.replace_readers(b.writes[vd], a.writes[vd]);
            next.erase(j);
            if (!next.refresh()) continue;
            changed = std::move(next);
            line = b.line;
            --j;
            break;
        }
    }
    std::vector<site> found;
    if (line != 0) found.push_back({std::move(changed), line, {}});
    return found;
}

/// What is known to be a constant is read in a register that holds it, or set by SFPLOADI.
std::vector<site> fold_constants(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = 0; i < changed.steps.size(); ++i) {
        const step s = changed.steps[i];
        if (!is_full_write(changed, s) || !may_be_dropped(changed, s)) continue;
        const std::optional<std::uint32_t> bits = changed.constant_left_by(s);
        if (!bits || changed.readers_of(s.writes[vd]).empty()) continue;
        const bool is_held = changed.register_with(*bits) != no_value;
        if (s.is(opcode::sfploadi) && !is_held) continue;
        row next = changed;
        std::size_t at = i;
        const value held = next.constant_value(*bits, at);
        next.erase(at);
        next.replace_readers(s.writes[vd], held);
        if (!next.refresh() || next.key() == changed.key()) continue;
        changed = std::move(next);
        line = s.line;
        if (at == i) --i;
    }
    std::vector<site> found;
    if (line != 0) found.push_back({std::move(changed), line, {}});
    return found;
}

/// SFPLOADI in some lanes: SFPMOV of a constant that is there.
std::vector<site> move_constants(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = 0; i < changed.steps.size(); ++i) {
        const step s = changed.steps[i];
        if (!s.is(opcode::sfploadi) || is_full_write(changed, s)) continue;
        step alone = s;
        const bool halves = changed.operands_of(s)[vd];
        const std::optional<std::uint32_t> bits = halves ? std::nullopt : changed.constant_left_by(alone);
        if (!bits || changed.ignores_lanes(s)) continue;
        row next = changed;
        std::size_t at = i;
        while (at > 0 && !next.all_on_before(at)) --at;
        if (!next.all_on_before(at)) continue;
        const std::size_t before = next.steps.size();
        const value held = next.constant_value(*bits, at);
        const std::size_t now = i + next.steps.size() - before;
        constexpr std::uint32_t move = 0x7c000000u;
        step moved = next.make_step(move, {no_value, no_value, held, s.reads[vd]}, s.writes[vd], s.line);
        next.steps[now] = moved;
        if (!next.refresh()) continue;
        changed = std::move(next);
        line = s.line;
        i = now;
    }
    std::vector<site> found;
    if (line != 0) found.push_back({std::move(changed), line, {}});
    return found;
}

// --- moves on other units -----------------------------------------------------------------------------------

constexpr value zero_register = 9, one_register = 10;

/// Replaces each SFPMOV of one kind by another word.
template <class make>
std::vector<site> moves_as(const row& of, make&& made) {
    std::vector<site> found;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& s = of.steps[i];
        if (!s.is(opcode::sfpmov) || s.insn.mod != 0 || s.writes[vd] == no_value) continue;
        row changed = of;
        if (!made(changed, changed.steps[i])) continue;
        add_site(found, std::move(changed), s.line);
    }
    return found;
}

/// 1 x c + 0
std::vector<site> move_constants_on_mad(const row& of) {
    return moves_as(of, [](const row& changed, step& s) {
        const value_facts known = changed.facts_of(s.reads[vc]);
        if (!known.constant || !known.assumed.empty() || !known.is_normal_or_plus_zero()) return false;
        constexpr std::uint32_t multiply_add = 0x84000000u;
        s = changed.make_step(multiply_add, {one_register, s.reads[vc], zero_register, s.reads[vd]},
                              s.writes[vd], s.line);
        return true;
    });
}

/// SFPSHFT2 by L9
std::vector<site> move_on_round(const row& of) {
    return moves_as(of, [](const row& changed, step& s) {
        constexpr std::uint32_t shift_by_register = 0x94000005u;
        s = changed.make_step(shift_by_register, {no_value, s.reads[vc], zero_register, s.reads[vd]},
                              s.writes[vd], s.line);
        return true;
    });
}

} // namespace

bool may_be_dropped(const row& of, const step& s) {
    if (!of.is_pure(s)) return false;
    return !s.is(opcode::sfpload) || of.keeps_counter(s);
}

const std::vector<rule> value_rules = {
    {"dead-code", "an instruction whose result nobody reads is left out",
     "it changes neither lane flags, nor Dst, nor the random numbers", drop_dead_code},
    {"move", "a move is left out: its source is read instead",
     "it acts on all lanes in which its result is read; the source is no register that the next row changes",
     drop_moves},
    {"common-subexpression", "what is computed twice is computed once",
     "the first acts on all lanes of the second; between two loads nothing is stored and no counter moves",
     share_subexpressions},
    {"constant", "a constant is read in a register that holds it, or set by SFPLOADI",
     "all operands are constants; it takes no random numbers", fold_constants},
    {"constant-move", "SFPLOADI in some lanes: SFPMOV of a constant that is set in all lanes",
     "it sets all 32 bits; all lanes are on somewhere before it", move_constants},
    {"constant-on-mad", "a move of a constant is 1 x c + 0", "the constant is normal, infinite or +0 as FP32",
     move_constants_on_mad},
    {"move-on-round", "a move is SFPSHFT2 by L9", "always", move_on_round},
};

} // namespace sfpu::rewriting
