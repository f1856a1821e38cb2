// Rules that put one instruction in the place of a comparison and what depends on it: minima and maxima by
// SFPSWAP, absolute values, and choices between constants.
#include "register_fields.h"
#include "rule_parts.h"

#include <algorithm>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

/// The row in which a value stands for the result of a predicated write, made by `writer` at `place`.
template <class Make>
void replace_write(std::vector<site>& found, const row& of, const predicated_write& write, std::size_t place,
                   const std::string& assumed, Make make) {
    row changed = of;
    const unsigned line = of.steps[write.at].line;
    step_writer writer(changed, place, line);
    const value made = make(writer);
    if (made == no_value) return;
    changed.erase(write.at + changed.steps.size() - of.steps.size());
    changed.replace_readers(write.result, made);
    add_site(found, std::move(changed), line, assumed);
}

// --- minima and maxima -------------------------------------------------------------------------------------

struct bounded {
    predicated_write write;
    comparison by;
    bool greater = false; ///< the result is the greater one
    bool with_zero = false;
};

/// v_if(x < k) x = k and its kind.
std::optional<bounded> bounded_at(const row& of, std::size_t at) {
    const auto write = predicated_write_at(of, at);
    if (!write) return std::nullopt;
    const auto moved = moved_constant(of, of.steps[at]);
    auto by = comparison_of(of, write->on);
    if (!moved || !by) return std::nullopt;
    const bool with_zero = by->of == write->old;
    if (!with_zero) by = comparison_by_difference(of, *by);
    if (!by || by->of != write->old) return std::nullopt;
    bounded found{*write, *by, by->how == order::less || by->how == order::not_greater, with_zero};
    if (with_zero) {
        if (*moved & ~fp32_sign) return std::nullopt;
        found.by.with = *moved;
        // x > 0 leaves +0 alone, and x <= 0 takes it: where the constant is -0 that makes a difference.
        const bool asks_zero = by->how == order::greater || by->how == order::not_greater;
        if (asks_zero && *moved != 0) return std::nullopt;
        return found;
    }
    if (*moved != by->with || !difference_tells_order(*moved)) return std::nullopt;
    return found;
}

void exchange_at(std::vector<site>& found, const row& of, std::size_t at) {
    const auto bound = bounded_at(of, at);
    if (!bound) return;
    std::string assumed;
    const bool is_exact = bound->with_zero || of.arch() == architecture::wormhole ||
                          is_no_negative_nan(of, bound->by.of, assumed);
    if (!is_exact) return;
    const auto place = open_place(of, at, {bound->by.of});
    if (!place) return;
    replace_write(found, of, bound->write, *place, assumed, [&](step_writer& writer) {
        const value k = writer.constant(bound->by.with);
        return writer.exchanged(bound->by.of, k, bound->greater);
    });
}

std::vector<site> exchange(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) exchange_at(found, of, at);
    return found;
}

/// v_if(x > k) x = k on Blackhole where x may be a negative NaN: both make k of any NaN, if the exchange
/// sees NaNs as a multiply-add leaves them. An exchange with a lower bound before it then sees them so, too.
void exchange_behind_move(std::vector<site>& found, const row& of, std::size_t at) {
    const auto upper = bounded_at(of, at);
    if (!upper || upper->with_zero || upper->greater) return;
    std::string assumed;
    const value x = upper->by.of;
    if (is_no_negative_nan(of, x, assumed)) return;
    row changed = of;
    // What the move is put before: the upper bound, or a lower bound that only the upper one reads.
    value source = x;
    const int definition = of.definition_of(x);
    if (definition >= 0)
        if (const auto lower = bounded_at(of, static_cast<std::size_t>(definition));
            lower && lower->greater) {
            source = lower->by.of;
            const auto is_of_upper = [&](int reader) {
                return reader == static_cast<int>(at) || reader == of.definition_of(upper->by.difference);
            };
            const std::vector<int> readers = of.readers_of(x);
            if (!std::all_of(readers.begin(), readers.end(), is_of_upper)) return;
        }
    if (!of.facts_of(source).never_denormal && !denormals_do_not_matter(of, upper->write.result)) return;
    const int defined = of.definition_of(source);
    if (defined < 0 || !of.all_on_before(static_cast<std::size_t>(defined) + 1)) return;
    const auto place = static_cast<std::size_t>(defined) + 1;
    const unsigned line = of.steps[at].line;
    step_writer writer(changed, place, line);
    const value moved = writer.multiply_add(source, one_register, zero_register, negate_vc_bit);
    for (std::size_t i = place + 1; i < changed.steps.size(); ++i) {
        // Only those that make the bounds.
        step& s = changed.steps[i];
        const bool of_source = source != x;
        const value results[] = {upper->write.result, upper->by.difference, of_source ? x : no_value};
        const bool takes_part =
            std::find(std::begin(results), std::end(results), s.writes[vd]) != std::end(results) &&
            s.writes[vd] != no_value;
        value lower_difference = no_value;
        if (of_source)
            if (const auto lower = bounded_at(of, static_cast<std::size_t>(definition)))
                lower_difference = lower->by.difference;
        const bool compares = s.writes[vd] != no_value && s.writes[vd] == lower_difference;
        const bool asks = s.is(opcode::sfpsetcc) && of_source && lower_difference == source;
        if (takes_part || compares || asks) std::replace(s.reads.begin(), s.reads.end(), source, moved);
    }
    if (changed.refresh()) {
        // The upper bound itself, now that there is no negative NaN.
        exchange_at(found, changed, at + 1);
    }
}

std::vector<site> exchange_moved(const row& of) {
    std::vector<site> found;
    if (of.arch() != architecture::blackhole) return found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) exchange_behind_move(found, of, at);
    return found;
}

// --- else-if -----------------------------------------------------------------------------------------------

/// Whether a comparison holds for a number.
bool holds_for(const row& of, const comparison& by, std::uint32_t number) {
    const bool with_zero = by.of == by.difference;
    const std::uint32_t compared =
        with_zero ? number : multiplied_and_added(of, fp32_one, number, by.with ^ fp32_sign);
    if (!with_zero && (compared & ~fp32_sign) > fp32_infinity) return true; // nobody knows the sign of a NaN
    const bool is_negative = compared & fp32_sign, is_greater = !is_negative && compared != 0;
    switch (by.how) {
    case order::less: return is_negative;
    case order::not_less: return !is_negative;
    case order::greater: return is_greater;
    default: return !is_greater;
    }
}

/// The step of an else-part that sets a value to another constant, if all else in it is for itself.
std::optional<std::size_t> only_write_of(const row& of, std::size_t else_at, value set) {
    const condition lanes = of.on_before(else_at + 1);
    std::optional<std::size_t> found;
    for (std::size_t i = else_at + 1; i < of.steps.size() && !of.all_on_before(i); ++i) {
        const step& s = of.steps[i];
        if (s.insn.unit == isa::sub_unit::front_end) continue;
        if (s.is(opcode::sfpcompc)) return std::nullopt;
        if (s.is(opcode::sfpsetcc) || s.is(opcode::sfppushc) || s.is(opcode::sfppopc) ||
            s.is(opcode::sfpencc))
            continue;
        const bool is_plain = of.is_pure(s) && s.fixed_writes.empty() && !of.ignores_lanes(s) &&
                              s.writes[vd] != no_value && !s.is(opcode::sfpswap);
        if (!is_plain) return std::nullopt;
        if (!found && s.reads[vd] == set && moved_constant(of, s)) found = i;
        else if (of.reads_outside(s.writes[vd], lanes)) return std::nullopt;
    }
    return found;
}

/// if (c) x = k; else if (x > l) x = m, where k > l does not hold: the test of the second needs no else.
std::vector<site> test_without_else(const row& of) {
    constexpr std::uint32_t all_set = std::uint32_t{opcode::sfpencc} << 24;
    std::vector<site> found;
    for (std::size_t j = 0; j < of.steps.size(); ++j) {
        const lane_state& lanes = of.lanes_before(j);
        const bool is_outermost = lanes.stack.empty() ||
                                  (lanes.stack.back().first == always && lanes.stack.back().second == always);
        if (!of.steps[j].is(opcode::sfpcompc) || lanes.use != always || lanes.flags == always ||
            !is_outermost)
            continue;
        for (std::size_t i = 0; i < j; ++i) {
            const auto first = predicated_write_at(of, i);
            const auto constant = moved_constant(of, of.steps[i]);
            if (!first || !constant || first->on != lanes.flags) continue;
            const auto second = only_write_of(of, j, first->result);
            if (!second) continue;
            row changed = of;
            changed.steps[j] =
                of.make_step(all_set, {no_value, no_value, no_value, no_value}, no_value, of.steps[j].line);
            if (!changed.refresh()) continue;
            auto by = comparison_of(changed, changed.on_before(*second));
            if (by && by->of != first->result) by = comparison_by_difference(changed, *by);
            if (!by || by->of != first->result || holds_for(of, *by, *constant)) continue;
            found.push_back({std::move(changed), of.steps[j].line, {}});
        }
    }
    return found;
}

// --- exchanges of which one side counts --------------------------------------------------------------------

/// SFPSWAP of which nobody reads one result: a move of the other register.
std::vector<site> move_one_way(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step s = of.steps[at];
        if (!s.is(opcode::sfpswap) || s.insn.mod != 0) continue;
        for (const unsigned kept : {vc, vd}) {
            const unsigned other = kept == vc ? vd : vc;
            const value result = s.writes[kept];
            if (result == no_value || s.reads[kept] == no_value || s.reads[other] == no_value) continue;
            if (s.writes[other] != no_value && !of.readers_of(s.writes[other]).empty()) continue;
            row changed = of;
            changed.steps[at] = of.make_step(
                word_of(opcode::sfpmov), {no_value, no_value, s.reads[other], s.reads[kept]}, result, s.line);
            add_site(found, std::move(changed), s.line);
        }
    }
    return found;
}

// --- signs -------------------------------------------------------------------------------------------------

std::vector<site> set_sign(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto write = predicated_write_at(of, at);
        if (!write) continue;
        const auto test = literal_of(of, write->on);
        if (!test || !test->is_sign || test->of != write->old) continue;
        const step& s = of.steps[at];
        const value x = write->old;
        const auto place = open_place(of, at, {x});
        if (!place) continue;
        const bool turns = s.is(opcode::sfpmov) && s.insn.mod == 1 && s.reads[vc] == x;
        const bool sets = s.is(opcode::sfpsetsgn) && (s.insn.mod & 1) && s.reads[vc] == x &&
                          (s.insn.imm & 1) == (test->holds ? 0 : 1);
        const bool subtracts = s.is(opcode::sfpiadd) && s.insn.mod == 6 && s.reads[vd] == x &&
                               of.constant_of(s.reads[vc]) == 0u && test->holds;
        if (turns || sets)
            replace_write(found, of, *write, *place, {}, [&](step_writer& writer) {
                return writer.of_vc(opcode::sfpsetsgn, x, 1, test->holds ? 0 : 1);
            });
        else if (subtracts)
            replace_write(found, of, *write, *place, {},
                          [&](step_writer& writer) { return writer.of_vc(opcode::sfpabs, x, 0); });
    }
    return found;
}

// --- choices between constants -----------------------------------------------------------------------------

/// 32 where the literal's value is zero, less elsewhere.
value leading_zeros(step_writer& writer, const literal& test) {
    const unsigned ignores_sign = test.bits == 0x7fffffffu ? 4 : 0;
    return writer.of_vc(opcode::sfplz, test.of, ignores_sign);
}

/// 1 where the literal's sign or zero is there, 0 elsewhere.
value as_number(step_writer& writer, const literal& test) {
    if (test.is_sign) return writer.shifted(test.of, -31);
    return writer.shifted(leading_zeros(writer, test), -5);
}

/// t * (yes - no) + no of FP32 as the machine computes it, for t = 1 and 0.
bool is_line_through(const row& of, std::uint32_t yes, std::uint32_t no, std::uint32_t& slope) {
    slope = multiplied_and_added(of, fp32_one, yes, no ^ fp32_sign);
    return multiplied_and_added(of, fp32_one, slope, no) == yes &&
           multiplied_and_added(of, 0, slope, no) == no;
}

/// `yes` where the number is 1, `no` where it is 0.
value chosen(const row& of, step_writer& writer, value number, std::uint32_t yes, std::uint32_t no) {
    if (yes == 1 && no == 0) return number;
    if (yes == 0 && no == 1) return writer.of_vd_vc(opcode::sfpxor, number, writer.constant(1));
    std::uint32_t slope = 0;
    if (!is_line_through(of, yes, no, slope)) return no_value;
    const value as_float = writer.of_vc(opcode::sfpcast, number);
    if (yes == fp32_one && no == 0) return as_float;
    const value factor = writer.constant(slope);
    return writer.multiply_add(as_float, factor, writer.constant(no));
}

/// One of two constants where a sign is set or a value is zero, and the other one elsewhere.
struct constant_choice {
    predicated_write write;
    literal test;
    std::uint32_t yes = 0, no = 0; ///< where as_number() is 1, and where it is 0
    std::size_t place = 0;         ///< with all lanes on
};
std::optional<constant_choice> constant_choice_at(const row& of, std::size_t at) {
    const auto write = predicated_write_at(of, at);
    if (!write) return std::nullopt;
    auto yes = moved_constant(of, of.steps[at]), no = of.constant_of(write->old);
    const auto test = literal_of(of, write->on);
    if (!yes || !no || *yes == *no || !test) return std::nullopt;
    if (!test->is_sign && test->bits != 0xffffffffu && test->bits != 0x7fffffffu) return std::nullopt;
    if (!test->holds) std::swap(yes, no);
    const auto place = open_place(of, at, {test->of});
    if (!place) return std::nullopt;
    return constant_choice{*write, *test, *yes, *no, *place};
}

std::vector<site> choose_constant(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at)
        if (const auto choice = constant_choice_at(of, at))
            replace_write(found, of, choice->write, choice->place, {}, [&](step_writer& writer) {
                return chosen(of, writer, as_number(writer, choice->test), choice->yes, choice->no);
            });
    return found;
}

/// Whether 1 x k + 0 is k.
bool survives_multiply_add(std::uint32_t k) {
    const std::uint32_t magnitude = k & ~fp32_sign;
    return k == 0 || (magnitude >= 0x00800000u && magnitude <= fp32_infinity);
}

/// 1 x L[L7] + 0, where L7 is 0 or 1, and L0 and L1 hold the constants.
std::vector<site> choose_by_index(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto choice = constant_choice_at(of, at);
        if (!choice || !survives_multiply_add(choice->yes) || !survives_multiply_add(choice->no)) continue;
        row held = of;
        if (!held.hold(0, choice->no) || !held.hold(1, choice->yes)) continue;
        // What is added is a small integer: as FP32 a denormal, which SFPMAD takes for 0. A macro may
        // schedule that, as it can stand in the register that is loaded.
        replace_write(found, held, choice->write, choice->place, {}, [&](step_writer& writer) {
            const literal& test = choice->test;
            const value small = test.is_sign ? writer.shifted(test.of, -31) : leading_zeros(writer, test);
            return writer.add_named(test.is_sign ? small : writer.shifted_beside(small, -5), 0, 1, small);
        });
    }
    return found;
}

/// x > 0 as a mask of ones: SFPGT compares in the order of sign and magnitude, where only +0 and what is
/// before it is not greater.
std::vector<site> choose_by_mask(const row& of) {
    std::vector<site> found;
    if (of.arch() != architecture::blackhole) return found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto write = predicated_write_at(of, at);
        if (!write) continue;
        const auto yes = moved_constant(of, of.steps[at]), no = of.constant_of(write->old);
        const auto by = comparison_of(of, write->on);
        if (!yes || no != 0u || !by || by->how != order::greater) continue;
        const auto place = open_place(of, at, {by->of});
        if (!place) continue;
        replace_write(found, of, *write, *place, {}, [&](step_writer& writer) {
            const value mask = writer.of_vd_vc(opcode::sfpgt, by->of, zero_register, 8);
            return writer.of_vd_vc(opcode::sfpand, mask, writer.constant(*yes));
        });
    }
    return found;
}

// --- additions that depend on a sign -----------------------------------------------------------------------

/// Whether 0 * 1 + y is y where x is not negative.
bool survives_addition_of_zero(const row& of, value y, value x, std::string& assumed) {
    const value_facts known = of.facts_of(y);
    if (!known.never_nan || !known.never_denormal) return false;
    assumed = known.assumed;
    if (known.never_minus_zero || !(known.possible & fp32_sign)) return true;
    const int at = of.definition_of(y);
    if (at < 0 || !of.all_on_before(static_cast<std::size_t>(at))) return false;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    const auto defined = [&](value v) -> const step* {
        const int where = of.definition_of(v);
        return where < 0 || !of.all_on_before(static_cast<std::size_t>(where))
                   ? nullptr
                   : &of.steps[static_cast<std::size_t>(where)];
    };
    // A number converted from one without sign is -0 only if that has a sign.
    if (s.is(opcode::sfpcast) && (s.insn.mod & 3) == 0)
        return s.reads[vc] == x || !(of.facts_of(s.reads[vc]).possible & fp32_sign);
    // Of |n| with the sign of n: zero only if n is, or where |n|, which is x, is negative.
    if (!s.is(opcode::sfpsetsgn) || (s.insn.mod & 1)) return false;
    const step* const converted = defined(s.reads[vc]);
    if (!converted || !converted->is(opcode::sfpcast) || (converted->insn.mod & 3) != 0) return false;
    const step* const magnitude = defined(converted->reads[vc]);
    return magnitude && magnitude->is(opcode::sfpabs) && !(magnitude->insn.mod & 1) &&
           magnitude->reads[vc] == s.reads[vd] && converted->reads[vc] == x;
}

/// y + k by a predicated addition: k, or nothing if it is another one.
std::optional<std::uint32_t> added_constant(const row& of, const step& s, value y) {
    if (s.is(opcode::sfpaddi) && s.insn.mod == 0 && s.reads[vd] == y)
        return static_cast<std::uint32_t>(s.insn.imm) << 16;
    if (!is_multiply_add(s) || s.insn.mod != 0 || s.reads[vc] != y) return std::nullopt;
    if (of.constant_of(s.reads[va]) == fp32_one) return of.constant_of(s.reads[vb]);
    if (of.constant_of(s.reads[vb]) == fp32_one) return of.constant_of(s.reads[va]);
    return std::nullopt;
}

std::vector<site> add_indirectly(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto write = predicated_write_at(of, at);
        if (!write) continue;
        const auto test = literal_of(of, write->on);
        const auto k = added_constant(of, of.steps[at], write->old);
        if (!test || !test->is_sign || !test->holds || !k) continue;
        std::string assumed;
        if (!survives_addition_of_zero(of, write->old, test->of, assumed)) continue;
        const auto place = open_place(of, at, {test->of, write->old});
        if (!place) continue;
        // L0 is 0 and L1 is k.
        row held = of;
        if (!held.hold(0, 0) || !held.hold(1, *k)) continue;
        replace_write(found, held, *write, *place, assumed, [&](step_writer& writer) {
            return writer.add_named(writer.shifted(test->of, -31), 0, 1, write->old);
        });
    }
    return found;
}

} // namespace

const std::vector<rule> exchange_rules = {
    {"minimum-maximum", "v_if(x < k) x = k and its kind is SFPSWAP with k",
     "k is 0, or normal and at least 2^-102; on Blackhole x is no negative NaN then", exchange},
    {"minimum-behind-move", "v_if(x > k) x = k is SFPSWAP of 1 x - 0, a lower bound before it, too",
     "k is normal and at least 2^-102; nobody can tell a denormal from 0", exchange_moved},
    {"else-if-alone", "if (c) x = k; else if (x > l) x = m tests x in all lanes",
     "k > l does not hold; all flags "
     "are set before the if; nobody else reads what the else-part computes",
     test_without_else},
    {"exchange-one-way", "SFPSWAP of two registers of which one counts is SFPMOV",
     "nobody reads the other one", move_one_way},
    {"sign-by-field", "v_if(x < 0) x = -x is SFPSETSGN, of integers SFPABS", "the sign of x is what is asked",
     set_sign},
    {"constant-by-sign", "one of two constants by the sign of x or by x == 0 is a shift or SFPLZ and a shift",
     "they are 1 and 0, or on a line that SFPMAD computes exactly", choose_constant},
    {"constant-by-index", "one of two constants by the sign of x or by x == 0 is 1 x L[L7] + 0",
     "both are normal, infinite or +0 as FP32; L0 and L1 are free, or hold them", choose_by_index},
    {"constant-by-mask", "v_if(x > 0) is SFPGT SET_VD and SFPAND", "Blackhole; the other constant is +0",
     choose_by_mask},
    {"addition-by-index", "v_if(x < 0) y += k is SFPMAD with INDIRECT_VA",
     "y, where x is not negative, is neither NaN, denormal nor -0", add_indirectly},
};

} // namespace sfpu::rewriting
