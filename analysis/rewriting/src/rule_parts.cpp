#include "rule_parts.h"

#include "register_fields.h"

#include <algorithm>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;

// --- steps -------------------------------------------------------------------------------------------------

value step_writer::put(step s) {
    const value made = s.writes[vd];
    s.line = line_;
    into_.insert(at_++, std::move(s));
    return made;
}

value step_writer::multiply_add(value a, value b, value c, unsigned mod) {
    return put(into_.make_step(word_of(opcode::sfpmad, mod), {a, b, c, no_value}, into_.new_value(), line_));
}

value step_writer::of_vc(std::uint8_t code, value c, unsigned mod, int imm) {
    return put(into_.make_step(word_of(code, mod, imm), {no_value, no_value, c, no_value}, into_.new_value(),
                               line_));
}

value step_writer::of_vd_vc(std::uint8_t code, value d, value c, unsigned mod, int imm) {
    return put(
        into_.make_step(word_of(code, mod, imm), {no_value, no_value, c, d}, into_.new_value(), line_));
}

value step_writer::shifted(value of, int by) { return of_vd_vc(opcode::sfpshft, of, no_value, 1, by); }

value step_writer::shifted_beside(value of, int by) {
    constexpr unsigned by_register = 5;
    const value amount = constant(static_cast<std::uint32_t>(by));
    return put(into_.make_step(word_of(opcode::sfpshft2, by_register), {no_value, of, amount, no_value},
                               into_.new_value(), line_));
}

value step_writer::exchanged(value x, value bound, bool greater) {
    // VD gets the lesser one and VC the greater one, or the other way round. A constant stands in VC, from
    // where it is read without a copy.
    constexpr unsigned lesser_in_vd = 1, greater_in_vd = 9;
    step s = into_.make_step(word_of(opcode::sfpswap, greater ? greater_in_vd : lesser_in_vd),
                             {no_value, no_value, bound, x}, into_.new_value(), line_);
    const value result = s.writes[vd];
    if (!is_constant_register(bound)) s.writes[vc] = into_.new_value();
    s.line = line_;
    into_.insert(at_++, std::move(s));
    return result;
}

value step_writer::add_named(value number, value zero, value k, value c) {
    step s = into_.make_step(word_of(opcode::sfpmad, indirect_va_bit), {no_value, one_register, c, no_value},
                             into_.new_value(), line_);
    s.fixed_reads = {{0u, zero}, {1u, k}, {7u, number}};
    return put(std::move(s));
}

value step_writer::constant(std::uint32_t bits) { return into_.constant_value(bits, at_); }

std::optional<std::size_t> open_place(const row& of, std::size_t at, std::initializer_list<value> read) {
    int last = -1;
    for (const value v : read) last = std::max(last, of.definition_of(v));
    for (std::size_t place = at + 1; place-- > static_cast<std::size_t>(last + 1);)
        if (of.all_on_before(place)) return place;
    return std::nullopt;
}

// --- predicated writes -------------------------------------------------------------------------------------

std::optional<predicated_write> predicated_write_at(const row& of, std::size_t at) {
    const step& s = of.steps[at];
    const condition on = of.on_before(at);
    if (on == always || s.writes[vd] == no_value || s.reads[vd] == no_value || !s.fixed_writes.empty())
        return std::nullopt;
    if (s.is(opcode::sfpswap) || of.ignores_lanes(s) || !of.is_pure(s)) return std::nullopt;
    return predicated_write{at, on, s.reads[vd], s.writes[vd]};
}

std::optional<std::uint32_t> moved_constant(const row& of, const step& s) {
    if (s.is(opcode::sfpmov) && s.insn.mod == 0) return of.constant_of(s.reads[vc]);
    if (!s.is(opcode::sfploadi)) return std::nullopt;
    const auto imm = static_cast<std::uint32_t>(s.insn.imm) & 0xffffu;
    switch (s.insn.mod) {
    case 0: return imm << 16;
    case 2: return imm;
    case 4: return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(imm)));
    default: return std::nullopt;
    }
}

// --- conditions --------------------------------------------------------------------------------------------

std::optional<literal> literal_of(const row& of, condition on) {
    literal found;
    condition_node node = of.node_of(on);
    if (node.what == condition_node::kind::negation) {
        found.holds = false;
        node = of.node_of(node.a);
    }
    if (node.what != condition_node::kind::negative && node.what != condition_node::kind::zero)
        return std::nullopt;
    found.of = node.a;
    found.is_sign = node.what == condition_node::kind::negative;
    found.bits = node.bits;
    return found;
}

namespace {

/// "Positive and not zero" of one value.
std::optional<value> positive_in(const row& of, const condition_node& node) {
    if (node.what != condition_node::kind::both) return std::nullopt;
    const auto a = literal_of(of, node.a), b = literal_of(of, node.b);
    if (!a || !b || a->of != b->of || a->holds || b->holds || a->is_sign == b->is_sign) return std::nullopt;
    if ((a->is_sign ? b : a)->bits != 0xffffffffu) return std::nullopt;
    return a->of;
}

/// value - constant, as FP32.
std::optional<comparison> subtraction_at(const row& of, value difference) {
    const int at = of.definition_of(difference);
    if (at < 0 || !of.all_on_before(static_cast<std::size_t>(at))) return std::nullopt;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (s.is(opcode::sfpaddi) && s.insn.mod == 0) {
        const std::uint32_t addend = static_cast<std::uint32_t>(s.insn.imm) << 16;
        return comparison{s.reads[vd], addend ^ fp32_sign, order::less, difference};
    }
    const auto parts = parts_of_multiply_add(of, at);
    if (!parts) return std::nullopt;
    const auto constant = [&](value v) { return of.constant_of(v); };
    const auto is_one = [&](value v) { return constant(v) == fp32_one; };
    value factor = no_value;
    if (is_one(parts->a)) factor = parts->b;
    else if (is_one(parts->b)) factor = parts->a;
    if (factor == no_value) return std::nullopt;
    comparison found;
    found.difference = difference;
    if (const auto addend = constant(parts->c); addend && !parts->negates_a && !constant(factor)) {
        found.of = factor;
        found.with = parts->negates_c ? *addend : *addend ^ fp32_sign;
    } else if (const auto bound = constant(factor); bound && !parts->negates_c && !constant(parts->c)) {
        found.of = parts->c;
        found.with = parts->negates_a ? *bound : *bound ^ fp32_sign;
    } else {
        return std::nullopt;
    }
    return found;
}

} // namespace

std::optional<comparison> comparison_of(const row& of, condition on) {
    condition_node node = of.node_of(on);
    order how = order::less;
    value compared = no_value;
    if (const auto single = literal_of(of, on); single && single->is_sign) {
        how = single->holds ? order::less : order::not_less;
        compared = single->of;
    } else if (const auto positive = positive_in(of, node)) {
        how = order::greater;
        compared = *positive;
    } else if (node.what == condition_node::kind::negation) {
        const auto inner = positive_in(of, of.node_of(node.a));
        if (!inner) return std::nullopt;
        how = order::not_greater;
        compared = *inner;
    } else {
        return std::nullopt;
    }
    return comparison{compared, 0, how, compared};
}

std::optional<comparison> comparison_by_difference(const row& of, const comparison& with_zero) {
    std::optional<comparison> found = subtraction_at(of, with_zero.of);
    if (found) found->how = with_zero.how;
    return found;
}

bool difference_tells_order(std::uint32_t k) {
    constexpr std::uint32_t least = 0x0c800000u; // 2^-102
    const std::uint32_t magnitude = k & ~fp32_sign;
    return magnitude >= least && magnitude < fp32_infinity;
}

// --- multiply-adds -----------------------------------------------------------------------------------------

bool is_multiply_add(const step& s) {
    return s.is(opcode::sfpmad) || s.is(opcode::sfpadd) || s.is(opcode::sfpmul);
}

std::optional<multiply_add_parts> parts_of_multiply_add(const row& of, int at) {
    if (at < 0 || !of.all_on_before(static_cast<std::size_t>(at))) return std::nullopt;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (!is_multiply_add(s) || (s.insn.mod & ~3u) || !s.fixed_reads.empty()) return std::nullopt;
    multiply_add_parts found{s.reads[va], s.reads[vb], s.reads[vc]};
    // SFPADD and SFPMUL read all three, too.
    if (found.a == no_value || found.b == no_value || found.c == no_value) return std::nullopt;
    const bool negates = describe(of.arch()).has_mad_negation;
    found.negates_a = negates && (s.insn.mod & negate_va_bit);
    found.negates_c = negates && (s.insn.mod & negate_vc_bit);
    return found;
}

std::uint32_t multiplied_and_added(const row& of, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    isa::vector_state state;
    state.use_flags = 0;
    for (std::uint32_t& lane : state.lreg[0].v) lane = a;
    for (std::uint32_t& lane : state.lreg[1].v) lane = b;
    for (std::uint32_t& lane : state.lreg[2].v) lane = c;
    execute_step(state, isa::decode(0x84001230u, of.words()), of.words()); // L3 = L0 * L1 + L2
    return state.lreg[3].v[0];
}

// --- facts -------------------------------------------------------------------------------------------------

bool denormals_do_not_matter(const row& of, value v, unsigned depth) {
    constexpr unsigned deepest = 8;
    if (depth > deepest) return false;
    // FP16 has no number that is as small; what SRCB stands for is FP32, BF16 or FP16.
    const bool stores_zeros = of.arch() == architecture::blackhole;
    for (const int reader : of.readers_of(v)) {
        if (reader == static_cast<int>(of.steps.size())) return false;
        const step& s = of.steps[static_cast<std::size_t>(reader)];
        if (s.is(opcode::sfpstore)) {
            const unsigned mode = s.insn.mod;
            const bool is_wide = mode == isa::dst_mode::fp32 || mode == isa::dst_mode::srcb;
            const bool is_narrow = mode == isa::dst_mode::bf16 || mode == isa::dst_mode::fp16;
            if (!is_narrow && !(is_wide && stores_zeros)) return false;
        } else if (is_multiply_add(s)) {
            if (s.reads[vd] == v || !s.fixed_reads.empty()) return false;
        } else if (s.is(opcode::sfpswap)) {
            for (const unsigned f : {vc, vd}) {
                if (s.reads[f] != v && !of.constant_of(s.reads[f])) return false;
                if (s.writes[f] != no_value && !denormals_do_not_matter(of, s.writes[f], depth + 1))
                    return false;
            }
        } else if (s.is(opcode::sfpmov) && s.insn.mod <= 1 && s.reads[vc] != v) { // keeps it
            if (!denormals_do_not_matter(of, s.writes[vd], depth + 1)) return false;
        } else if (s.is(opcode::sfploadi)) {
            if (!denormals_do_not_matter(of, s.writes[vd], depth + 1)) return false;
        } else if (!(s.is(opcode::sfpsetcc) && (s.insn.mod & 11) == 0)) { // asks for the sign
            return false;
        }
    }
    return true;
}

bool is_no_negative_nan(const row& of, value v, std::string& assumed, unsigned depth) {
    constexpr unsigned deepest = 8;
    const value_facts known = of.facts_of(v);
    if (known.constant) return *known.constant <= 0xff800000u;
    if (!(known.possible & fp32_sign)) return true;
    if (known.never_nan) {
        if (!known.assumed.empty()) assumed = known.assumed;
        return true;
    }
    const int at = of.definition_of(v);
    if (at < 0 || depth > deepest) return false;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (s.is(opcode::sfpswap))
        return is_no_negative_nan(of, s.reads[vc], assumed, depth + 1) &&
               is_no_negative_nan(of, s.reads[vd], assumed, depth + 1);
    if (const auto write = predicated_write_at(of, static_cast<std::size_t>(at))) {
        const auto moved = moved_constant(of, s);
        return moved && *moved <= 0xff800000u && is_no_negative_nan(of, write->old, assumed, depth + 1);
    }
    const bool adds = is_multiply_add(s) || s.is(opcode::sfpaddi) || s.is(opcode::sfpmuli);
    return adds && of.arch() == architecture::blackhole;
}

} // namespace sfpu::rewriting
