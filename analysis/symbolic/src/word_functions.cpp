#include "word_functions.h"

#include <sfpu/isa/table.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

namespace opcode = isa::opcode;
constexpr std::uint32_t sign = 0x80000000u, exponent = 0x7f800000u, mantissa = 0x7fffffu;

/// An operator that reads its arguments in L0, L1, ... and writes L16.
term_operator operator_of(std::uint8_t code, architecture arch, unsigned mod, unsigned count) {
    term_operator made{};
    made.insn.op = isa::find_row(code, arch);
    made.insn.va = 0;
    made.insn.vb = 1;
    made.insn.vc = 2;
    made.insn.vd = isa::macro_lreg;
    made.insn.mod = static_cast<std::uint8_t>(mod);
    made.count = static_cast<std::uint8_t>(count);
    for (std::uint8_t i = 0; i < 8; ++i) made.reads[i] = i;
    return made;
}

/// An operator of VC alone.
term of_vc(term_pool& pool, std::uint8_t code, unsigned mod, term vc) {
    term_operator by = operator_of(code, pool.arch(), mod, 1);
    by.reads[0] = 2;
    return pool.apply(by, &vc);
}

// --- orders of bits in Dst, see load_store-inl.h -----------------------------------------------------------

term fp32_from_cell(term_pool& pool, term cell) {
    return pool.or_of(pool.keep(cell, 0x8000ffffu),
                      pool.or_of(pool.route(cell, 7, exponent), pool.route(cell, -8, 0x007f0000u)));
}
term fp32_to_cell(term_pool& pool, term x) {
    return pool.or_of(pool.keep(x, 0x8000ffffu),
                      pool.or_of(pool.route(x, 8, 0x7f000000u), pool.route(x, -7, 0x00ff0000u)));
}
/// Whether it is known not to be a denormal: what a multiply-add of Blackhole or SFPARECIP leaves.
bool is_never_denormal(const term_pool& pool, term x, unsigned depth = 0) {
    constexpr unsigned deepest = 6;
    if (depth > deepest) return false;
    const term_pool::node& of = pool.at(x);
    if (of.kind == term_kind::either && of.count == 2 && of.bits == 0) { // a sign and the rest
        const bool is_first_sign = (pool.at(pool.argument(x, 0)).possible & ~sign) == 0;
        const term rest = pool.argument(x, is_first_sign ? 1 : 0),
                   other = pool.argument(x, is_first_sign ? 0 : 1);
        return (pool.at(other).possible & ~sign) == 0 && is_never_denormal(pool, rest, depth + 1);
    }
    if (of.kind == term_kind::chosen)
        return is_never_denormal(pool, pool.argument(x, 1), depth + 1) &&
               is_never_denormal(pool, pool.argument(x, 2), depth + 1);
    if (of.kind == term_kind::constant) return (of.bits & exponent) != 0 || (of.bits & mantissa) == 0;
    if (of.kind != term_kind::applied || pool.arch() != architecture::blackhole) return false;
    const isa::instruction& by = pool.operator_of(x).insn;
    return by.is(opcode::sfpmad) || (by.is(opcode::sfparecip) && by.mod == 0);
}
term flushed(term_pool& pool, term x) {
    if (is_never_denormal(pool, x)) return x;
    return pool.choose(pool.zero(pool.keep(x, exponent)), pool.keep(x, sign), x);
}
/// Two's complement to sign and magnitude, and back.
term to_magnitude(term_pool& pool, term x) {
    const term magnitude = pool.keep(pool.scale(x, 0xffffffffu), 0x7fffffffu);
    return pool.choose(pool.negative(x), pool.or_of(pool.constant(sign), magnitude), x);
}
term from_magnitude(term_pool& pool, term x) {
    return pool.choose(pool.negative(x), pool.scale(pool.keep(x, 0x7fffffffu), 0xffffffffu), x);
}
term fp32_from_fp16_cell(term_pool& pool, term cell) {
    const term stored = pool.keep(cell, 0x1fu);
    const term biased = pool.route(pool.add(stored, pool.constant(112)), 23);
    const term rest = pool.or_of(pool.route(cell, 16, sign), pool.route(cell, 8, 0x3ffu << 13));
    return pool.or_of(rest, pool.choose(pool.zero(stored), pool.constant(0), biased));
}
term fp32_to_fp16_cell(term_pool& pool, term x) {
    const term biased = pool.route(x, -23, 0xffu);
    const term small = pool.less(biased, pool.constant(113)),
               large = pool.less(pool.constant(112 + 31), biased);
    const term stored = pool.subtract(biased, pool.constant(112));
    // Only where it has five bits.
    const term ordinary = pool.or_of(pool.route(x, -8, 0x3ffu << 5), pool.keep(stored, 0x1fu));
    const term limited = pool.choose(large, pool.constant(0x7fffu), ordinary);
    return pool.or_of(pool.route(x, -16, 0x8000u), pool.choose(small, pool.constant(0), limited));
}
term integer8_to_cell(term_pool& pool, term x) {
    return pool.or_of(pool.constant(16),
                      pool.or_of(pool.route(x, -16, 0x8000u), pool.route(x, 5, 0x3ffu << 5)));
}
term integer8_from_cell(term_pool& pool, term cell, std::uint32_t magnitude) {
    return pool.or_of(pool.route(cell, 16, sign), pool.route(cell, -5, magnitude));
}
bool converts_integers(const term_pool& pool) { return pool.arch() == architecture::wormhole; }

} // namespace

term loaded_word(term_pool& pool, unsigned mode, term cell, term old) {
    namespace by = isa::dst_mode;
    const bool converts = converts_integers(pool);
    switch (mode) {
    case by::fp16: return fp32_from_fp16_cell(pool, cell);
    case by::bf16: return fp32_from_cell(pool, pool.route(cell, 16));
    case by::fp32:
    case by::int32:
    case by::int32_all: return fp32_from_cell(pool, cell);
    case by::int32_sm: {
        const term word = fp32_from_cell(pool, cell);
        return converts ? from_magnitude(pool, word) : word;
    }
    case by::int8: return integer8_from_cell(pool, cell, converts ? 0x7fu : 0xffu);
    case by::int8_comp: {
        const term word = integer8_from_cell(pool, cell, 0x3ffu);
        return converts ? from_magnitude(pool, word) : word;
    }
    case by::int16: return pool.or_of(pool.route(cell, 16, sign), pool.keep(cell, 0x7fffu));
    case by::uint16:
    case by::lo16: return cell;
    case by::hi16: return pool.route(cell, 16);
    case by::lo16_only: return pool.or_of(pool.keep(old, 0xffff0000u), cell);
    case by::hi16_only: return pool.or_of(pool.route(cell, 16), pool.keep(old, 0xffffu));
    default: return pool.constant(0);
    }
}

term stored_cell(term_pool& pool, unsigned mode, term word) {
    namespace by = isa::dst_mode;
    const bool converts = converts_integers(pool);
    switch (mode) {
    case by::fp16: return fp32_to_fp16_cell(pool, word);
    case by::bf16: return pool.route(fp32_to_cell(pool, flushed(pool, word)), -16);
    case by::fp32:
        return fp32_to_cell(pool, converts ? word : flushed(pool, word)); // Wormhole: denormals stay
    case by::int32:
    case by::int32_all: return fp32_to_cell(pool, word);
    case by::int32_sm: return fp32_to_cell(pool, converts ? to_magnitude(pool, word) : word);
    case by::int8: return integer8_to_cell(pool, word);
    case by::int8_comp: return integer8_to_cell(pool, converts ? to_magnitude(pool, word) : word);
    case by::int16: return pool.or_of(pool.route(word, -16, 0x8000u), pool.keep(word, 0x7fffu));
    case by::uint16:
    case by::lo16_only: return pool.keep(word, 0xffffu);
    case by::hi16_only: return pool.route(word, -16);
    case by::lo16: return pool.or_of(pool.route(word, 16), pool.route(word, -16));
    case by::hi16: return word;
    default: return pool.constant(0);
    }
}

// --- multiply-adds -----------------------------------------------------------------------------------------

namespace {

/// The word without a sign that is known to be turned, and whether it was.
std::pair<term, bool> without_turned_sign(term_pool& pool, term word) {
    const term_pool::node of = pool.at(word);
    if (of.kind == term_kind::constant && of.bits >> 31) return {pool.constant(of.bits & ~sign), true};
    if (of.kind == term_kind::differs && of.count == 1 && of.bits == sign)
        return {pool.argument(word, 0), true};
    return {word, false};
}

} // namespace

term multiplied_added(term_pool& pool, term a, term b, term c) {
    // Without sign and exponent it is +0 or a denormal, which counts as that.
    if ((pool.at(c).possible & (sign | exponent)) == 0) c = pool.constant(0);
    auto [first, turned_first] = without_turned_sign(pool, a);
    auto [second, turned_second] = without_turned_sign(pool, b);
    const bool is_turned = turned_first != turned_second;
    constexpr std::uint32_t one = 0x3f800000u;
    const auto is_one = [&](term which) { return pool.is_constant(which) && pool.at(which).bits == one; };
    if (is_one(second)) std::swap(first, second);
    if (is_one(first)) {
        term factor = is_turned ? pool.xor_of(second, pool.constant(sign)) : second;
        // Blackhole's sum of two numbers commutes; Wormhole's does not for two NaNs and for infinities.
        if (pool.arch() == architecture::blackhole && factor > c) std::swap(factor, c);
        const term parts[3] = {first, factor, c};
        return pool.apply(operator_of(opcode::sfpmad, pool.arch(), 0, 3), parts);
    }
    if (first > second) std::swap(first, second);
    if (is_turned) first = pool.xor_of(first, pool.constant(sign));
    const term parts[3] = {first, second, c};
    return pool.apply(operator_of(opcode::sfpmad, pool.arch(), 0, 3), parts);
}

term multiplied_24(term_pool& pool, term a, term b, term c, bool upper) {
    const bool adds = !pool.is_constant(c) || (pool.at(c).bits & exponent) != 0;
    term_operator by = operator_of(opcode::sfpmul24, pool.arch(), upper, adds ? 3 : 2);
    if (!adds) by.insn.vc = 9; // where the product is all
    term parts[3] = {pool.keep(a, mantissa), pool.keep(b, mantissa), c};
    if (parts[0] > parts[1]) std::swap(parts[0], parts[1]);
    return pool.apply(by, parts);
}

term rounded(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    const unsigned mode = insn.mod & 7u;
    const unsigned rounding = describe(pool.arch()).has_zero_rounding ? insn.rounding : insn.rounding & 1u;
    const bool shifts = mode == 4 || mode == 5, by_register = shifts && !(insn.mod & 8);
    term_operator by = operator_of(opcode::sfpstochrnd, pool.arch(), mode, 1);
    by.insn.rounding = static_cast<std::uint8_t>(rounding);
    by.reads[0] = 2;
    if (shifts && !by_register) {
        by.insn.mod = static_cast<std::uint8_t>(mode | 8u);
        by.insn.imm = insn.imm & 31;
    }
    term parts[3] = {of.vc};
    if (by_register) {
        by.reads[by.count] = 1;
        parts[by.count++] = pool.keep(of.vb, 31u);
    }
    if (rounding & 1u) {
        by.takes_random = true;
        parts[by.count++] = pool.keep(of.random, mantissa);
    }
    return pool.apply(by, parts);
}

term cast(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    const unsigned mode = insn.mod & (describe(pool.arch()).has_integer_casts ? 3u : 1u);
    const term negated = pool.scale(of.vc, 0xffffffffu);
    switch (mode) {
    case 0: return of_vc(pool, opcode::sfpcast, 0, of.vc);
    case 1: {
        term_operator by = operator_of(opcode::sfpcast, pool.arch(), 1, 2);
        by.reads[0] = 2;
        by.takes_random = true;
        const term parts[2] = {of.vc, pool.keep(of.random, 0xfeu << 9)};
        return pool.apply(by, parts);
    }
    case 2: return pool.choose(pool.negative(of.vc), negated, of.vc);
    default: return pool.choose(pool.negative(of.vc), pool.or_of(pool.constant(sign), negated), of.vc);
    }
}

term looked_up(term_pool& pool, const isa::instruction& insn, const term* registers) {
    term_operator by{};
    by.insn.op = insn.op;
    by.insn.mod = insn.mod;
    by.insn.vd = isa::macro_lreg; // so that VD is not indirect, whatever the modifier says
    const unsigned last = insn.is(opcode::sfplut) ? 4 : 7;
    term parts[8];
    for (unsigned lreg = 0; lreg < last; ++lreg) {
        by.reads[by.count] = static_cast<std::uint8_t>(lreg);
        parts[by.count++] = registers[lreg];
    }
    return pool.apply(by, parts);
}

// --- Simple and Round --------------------------------------------------------------------------------------

namespace {

term exponent_scaled(term_pool& pool, const isa::instruction& insn, term vc) {
    const std::uint32_t imm = static_cast<std::uint32_t>(insn.imm) & 0xffu;
    const term kept = pool.keep(vc, ~exponent);
    if (!(insn.mod & 1)) return pool.or_of(kept, pool.constant(imm << 23));
    const term field = pool.route(vc, -23, 0xffu);
    const term sum = pool.or_of(kept, pool.route(pool.add(field, pool.constant(imm)), 23, exponent));
    const term is_special = pool.zero(pool.subtract(field, pool.constant(255)));
    return pool.choose(is_special, vc, sum);
}

term absolute(term_pool& pool, const isa::instruction& insn, term vc) {
    const term is_negative = pool.negative(vc);
    if (!(insn.mod & 1)) return pool.choose(is_negative, pool.scale(vc, 0xffffffffu), vc);
    // FP32; a negative NaN, which lies before minus infinity, stays.
    const term is_negative_nan = pool.less(vc, pool.constant(0xff800000u));
    return pool.choose(is_negative_nan, vc, pool.keep(vc, 0x7fffffffu));
}

term shifted_word(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    const unsigned mod = describe(pool.arch()).has_shift_of_vc ? insn.mod : insn.mod & 1u;
    const bool arithmetic = mod & 2u;
    term value = of.vb, amount = of.vc;
    if (mod & 1u) {
        value = (mod & 4u) ? of.vc : of.vb;
        amount = pool.constant(static_cast<std::uint32_t>(insn.imm));
    }
    return arithmetic ? pool.shift_arithmetic(value, amount) : pool.shift(value, amount);
}

term approximated(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    const term kept_sign = pool.keep(of.vc, sign), magnitude = pool.keep(of.vc, ~sign);
    if (insn.mod == 1)
        return pool.choose(pool.negative(of.vb), of_vc(pool, opcode::sfparecip, 0, magnitude), of.vc);
    return pool.or_of(kept_sign, of_vc(pool, opcode::sfparecip, insn.mod ? 2 : 0, magnitude));
}

/// Fields of FP32.
term field_word(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    const auto imm = static_cast<std::uint32_t>(insn.imm);
    const bool by_imm = insn.mod & 1;
    switch (insn.op->opcode) {
    case opcode::sfpdivp2: return exponent_scaled(pool, insn, of.vc);
    case opcode::sfpexexp:
        return pool.subtract(pool.route(of.vc, -23, 0xffu), pool.constant(by_imm ? 0u : 127u));
    case opcode::sfpexman:
        return pool.or_of(pool.keep(of.vc, mantissa), pool.constant(by_imm ? 0u : 0x800000u));
    case opcode::sfpsetexp: {
        const term kept = pool.keep(of.vc, ~exponent);
        if (by_imm) return pool.or_of(kept, pool.constant((imm & 0xffu) << 23));
        if (insn.mod & 2) return pool.or_of(kept, pool.keep(of.vb, exponent));
        return pool.or_of(kept, pool.route(of.vb, 23, exponent));
    }
    case opcode::sfpsetman:
        return pool.or_of(pool.keep(of.vc, ~mantissa),
                          by_imm ? pool.constant((imm & 0xfffu) << 11) : pool.keep(of.vb, mantissa));
    case opcode::sfpsetsgn:
        return pool.or_of(pool.keep(of.vc, ~sign),
                          by_imm ? pool.constant(imm << 31) : pool.keep(of.vb, sign));
    default: return no_term;
    }
}

} // namespace

term simple_word(term_pool& pool, const isa::instruction& insn, const word_operands& of) {
    switch (insn.op->opcode) {
    case opcode::sfpiadd:
        if (insn.mod & 1) return pool.add(of.vc, pool.constant(static_cast<std::uint32_t>(insn.imm)));
        return (insn.mod & 2) ? pool.subtract(of.vc, of.vb) : pool.add(of.vc, of.vb);
    case opcode::sfpand: return pool.and_of(of.vb, of.vc);
    case opcode::sfpor: return pool.or_of(of.vb, of.vc);
    case opcode::sfpxor: return pool.xor_of(of.vb, of.vc);
    case opcode::sfpnot: return pool.not_of(of.vc);
    case opcode::sfplz: {
        const term counted = pool.keep(of.vc, (insn.mod & 4) ? ~sign : 0xffffffffu);
        return of_vc(pool, opcode::sfplz, 0, counted);
    }
    case opcode::sfpshft: return shifted_word(pool, insn, of);
    case opcode::sfpshft2:
        if (insn.mod == 5) return pool.shift(of.vb, of.vc);
        if (insn.mod == 6) return pool.shift(of.vb, pool.constant(static_cast<std::uint32_t>(insn.imm)));
        return no_term;
    case opcode::sfpabs: return absolute(pool, insn, of.vc);
    case opcode::sfpcast: return cast(pool, insn, of);
    case opcode::sfpstochrnd: return rounded(pool, insn, of);
    case opcode::sfparecip: return approximated(pool, insn, of);
    default: return field_word(pool, insn, of);
    }
}

} // namespace sfpu::analysis
