// Semantics of the simple sub-unit: integer and logic operations, FP32 fields, predication, configuration.
// Source: tt-isa-documentation, the page named in each row of the table. Where pages disagree: instructions
// that set flags act on enabled lanes only; SFPENCC, SFPPUSHC, SFPPOPC and SFPCOMPC act on all.
#if defined(SFPU_ISA_SIMPLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_SIMPLE_INL_H
#undef SFPU_ISA_SIMPLE_INL_H
#else
#define SFPU_ISA_SIMPLE_INL_H
#endif

#include "chip_semantics.h"
#include "float_environment.h"
#include "lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

// --- integers and logic ------------------------------------------------------------------------------------

/// SFPIADD, SFPLZ and SFPEXEXP leave the flags alone unless VD is one of L0 to L7, so with VD = 16 from a
/// macro too (T9). No other instruction's flags depend on VD.
HWY_INLINE bool has_flags(const instruction& i) { return i.vd < general_lregs; }

/// The flags of SFPIADD: the sign of the result, complemented or not, or the old flags complemented.
HWY_NOINLINE void set_iadd_flags(execution& x, const instruction& i, const lanes& sum) {
    lane_mask flags = x.state.flags;
    if (!(i.mod & 4)) flags = lanes_where([&](unsigned n) { return sum.v[n] >> 31; });
    if (i.mod & 8) flags = ~flags;
    x.set_flags(x.enabled, flags);
}
void sfpiadd(execution& x, const instruction& i) {
    if (!writable(i.vd)) return;
    lanes& d = x.result(i.vd);
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const std::uint32_t imm = static_cast<std::uint32_t>(i.imm);
    if (i.mod & 1) each_lane(d, [&](unsigned n) { return c.v[n] + imm; });
    else if (i.mod & 2) each_lane(d, [&](unsigned n) { return c.v[n] - b.v[n]; });
    else each_lane(d, [&](unsigned n) { return c.v[n] + b.v[n]; });
    if (has_flags(i) && (i.mod & 12) != 4) set_iadd_flags(x, i, d);
}

void sfpand(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    write_vd(x, i, [&](unsigned n) { return b.v[n] & c.v[n]; });
}
void sfpor(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    write_vd(x, i, [&](unsigned n) { return b.v[n] | c.v[n]; });
}
void sfpxor(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    write_vd(x, i, [&](unsigned n) { return b.v[n] ^ c.v[n]; });
}
void sfpnot(execution& x, const instruction& i) {
    const lanes& c = x.reg(i.vc);
    write_vd(x, i, [&](unsigned n) { return ~c.v[n]; });
}

void sfplz(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfplz, x, i);
    if (!writable(i.vd)) return;
    const std::uint32_t mask = (i.mod & 4) ? 0x7fffffffu : 0xffffffffu;
    const lanes& c = x.reg(i.vc);
    lane_mask nonzero = 0;
    if (i.mod & 2) nonzero = lanes_where([&](unsigned n) { return (c.v[n] & mask) != 0; });
    each_lane(x.result(i.vd), [&](unsigned n) {
        const std::uint32_t v = c.v[n] & mask;
        const std::uint32_t below = 31u - static_cast<std::uint32_t>(highest_bit((v & 0x7fffffffu) | 1u));
        return v == 0 ? 32u : (v >> 31) ? 0u : below;
    });
    if (!has_flags(i) || !(i.mod & 10)) return;
    lane_mask flags = (i.mod & 2) ? nonzero : x.state.flags;
    if (i.mod & 8) flags = ~flags;
    x.set_flags(x.enabled, flags);
}

HWY_INLINE std::uint32_t shift_by(std::uint32_t value, std::int32_t amount) {
    const std::uint32_t left = static_cast<std::uint32_t>(amount) & 31u;
    const std::uint32_t right = (0u - static_cast<std::uint32_t>(amount)) & 31u;
    return amount >= 0 ? value << left : value >> right;
}
HWY_INLINE std::uint32_t shift_arithmetic(std::uint32_t value, std::int32_t amount) {
    const std::uint32_t left = static_cast<std::uint32_t>(amount) & 31u;
    const std::uint32_t right = (0u - static_cast<std::uint32_t>(amount)) & 31u;
    return amount >= 0 ? value << left
                       : static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> right);
}

HWY_NOINLINE void shift_by_register(execution& x, const instruction& i, bool arithmetic) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const auto amount = [&](unsigned n) { return static_cast<std::int32_t>(c.v[n]); };
    if (arithmetic) write_vd(x, i, [&](unsigned n) { return shift_arithmetic(b.v[n], amount(n)); });
    else write_vd(x, i, [&](unsigned n) { return shift_by(b.v[n], amount(n)); });
}
void sfpshft(execution& x, const instruction& i) {
    if (!writable(i.vd)) return;
    // Reserved modifiers act as their lower bits do on current silicon.
    const unsigned mod = describe(x.arch).has_shift_of_vc ? i.mod : i.mod & 1u;
    if (!(mod & 1)) return shift_by_register(x, i, mod & 2);
    lanes& d = x.result(i.vd);
    const lanes& value = x.reg((mod & 4) ? i.vc : i.vb);
    const std::int32_t amount = i.imm;
    if (mod & 2) each_lane(d, [&](unsigned n) { return shift_arithmetic(value.v[n], amount); });
    else each_lane(d, [&](unsigned n) { return shift_by(value.v[n], amount); });
}

void sfpabs(execution& x, const instruction& i) {
    const lanes& c = x.reg(i.vc);
    if (i.mod & 1) // FP32; a negative NaN stays as it is
        write_vd(x, i, [&](unsigned n) { return c.v[n] > 0xff800000u ? c.v[n] : c.v[n] & 0x7fffffffu; });
    else write_vd(x, i, [&](unsigned n) { return (c.v[n] >> 31) ? 0u - c.v[n] : c.v[n]; });
}

// --- FP32 fields -------------------------------------------------------------------------------------------

void sfpdivp2(execution& x, const instruction& i) {
    const lanes& c = x.reg(i.vc);
    const std::uint32_t imm = static_cast<std::uint32_t>(i.imm) & 0xffu;
    if (i.mod & 1)
        write_vd(x, i, [&](unsigned n) {
            const std::uint32_t v = c.v[n], exponent = (v >> 23) & 0xffu;
            const std::uint32_t sum = (v & 0x807fffffu) | (((exponent + imm) & 0xffu) << 23);
            return exponent == 255 ? v : sum; // infinities and NaNs stay
        });
    else write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0x807fffffu) | (imm << 23); });
}

void sfpexexp(execution& x, const instruction& i) {
    if (!writable(i.vd)) return;
    const lanes& c = x.reg(i.vc);
    const std::uint32_t bias = (i.mod & 1) ? 0 : 127;
    lanes& d = x.result(i.vd);
    each_lane(d, [&](unsigned n) { return ((c.v[n] >> 23) & 0xffu) - bias; });
    if (!has_flags(i) || !(i.mod & 10)) return;
    lane_mask flags = x.state.flags;
    if (i.mod & 2) flags = lanes_where([&](unsigned n) { return d.v[n] >> 31; });
    if (i.mod & 8) flags = ~flags;
    x.set_flags(x.enabled, flags);
}

void sfpexman(execution& x, const instruction& i) {
    const lanes& c = x.reg(i.vc);
    const std::uint32_t hidden = (i.mod & 1) ? 0u : 0x800000u;
    write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0x7fffffu) | hidden; });
}

void sfpsetexp(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const auto put = [&](unsigned n, std::uint32_t exponent) {
        return (c.v[n] & 0x807fffffu) | ((exponent & 0xffu) << 23);
    };
    if (i.mod & 1) write_vd(x, i, [&](unsigned n) { return put(n, static_cast<std::uint32_t>(i.imm)); });
    else if (i.mod & 2) write_vd(x, i, [&](unsigned n) { return put(n, b.v[n] >> 23); });
    else write_vd(x, i, [&](unsigned n) { return put(n, b.v[n]); });
}

void sfpsetman(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const std::uint32_t imm = (static_cast<std::uint32_t>(i.imm) & 0xfffu) << 11;
    if (i.mod & 1) write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0xff800000u) | imm; });
    else write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0xff800000u) | (b.v[n] & 0x7fffffu); });
}

void sfpsetsgn(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const std::uint32_t imm = static_cast<std::uint32_t>(i.imm) << 31;
    if (i.mod & 1) write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0x7fffffffu) | imm; });
    else write_vd(x, i, [&](unsigned n) { return (c.v[n] & 0x7fffffffu) | (b.v[n] & 0x80000000u); });
}

// --- conversions and approximations ------------------------------------------------------------------------

/// Sign-magnitude integer to FP32. The magnitude is normalised to 31 bits; the lowest 8 are rounded away.
template <class Round>
HWY_INLINE void cast_to_fp32(execution& x, const instruction& i, Round round) {
    const lanes& c = x.reg(i.vc);
    write_vd(x, i, [&](unsigned n) {
        const std::uint32_t sign = c.v[n] & 0x80000000u, magnitude = c.v[n] & 0x7fffffffu;
        const std::uint32_t top = static_cast<std::uint32_t>(highest_bit(magnitude | 1u));
        const std::uint32_t normal = magnitude << (31u - top);
        // Bit 31 of `normal` adds one to the exponent field, hence 126.
        const std::uint32_t d = sign + ((126u + top) << 23) + (normal >> 8) + round(n, normal);
        return magnitude == 0 ? sign : d;
    });
}

void sfpcast(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfpcast, x, i);
    const unsigned mode = i.mod & (describe(x.arch).has_integer_casts ? 3u : 1u);
    const lanes& c = x.reg(i.vc);
    switch (mode) {
    case 0: // to nearest, ties to even
        cast_to_fp32(x, i, [](unsigned, std::uint32_t normal) {
            return static_cast<std::uint32_t>((normal & 0x80u) && (normal & 0x17fu));
        });
        break;
    case 1: { // stochastic, seven random bits
        const lanes random = advance_prng(x, x.enabled);
        cast_to_fp32(x, i, [&](unsigned n, std::uint32_t normal) {
            return static_cast<std::uint32_t>((normal & 0xfeu) > ((random.v[n] >> 9) & 0xfeu));
        });
        break;
    }
    case 2: // meant to be something else; the hardware takes the absolute value
        write_vd(x, i, [&](unsigned n) { return (c.v[n] >> 31) ? 0u - c.v[n] : c.v[n]; });
        break;
    default: // sign-magnitude to two's complement and back
        write_vd(x, i, [&](unsigned n) {
            const std::uint32_t sign = c.v[n] & 0x80000000u;
            return sign | (sign ? 0u - c.v[n] : c.v[n]);
        });
        break;
    }
}

HWY_INLINE words look_up(const std::uint32_t* table, words index) {
    return hn::GatherIndex(tag, table, as_signed(index));
}

/// 1/x for a non-negative FP32 x; infinity below 2^-126, zero from 2^126 on and for NaN.
HWY_INLINE words approximate_reciprocal(words x) {
    const words index = hn::And(hn::ShiftRight<16>(x), hn::Set(tag, 0x7fu));
    const words value =
        hn::Sub(look_up(approximations.reciprocal, index), hn::And(x, hn::Set(tag, 0x7f800000u)));
    const words in_range = hn::IfThenElseZero(below(x, 0x7e800000u), value);
    return hn::IfThenElse(below(x, 0x00800000u), hn::Set(tag, 0x7f800000u), in_range);
}

/// e^x for a non-negative FP32 x; useful below 2 only. The lower half of x passes through unless x is
/// subnormal.
HWY_INLINE words approximate_exponential(words x) {
    const words least = hn::Set(tag, least_exponential_entry), last = hn::Set(tag, last_exponential_entry);
    const words index = hn::Sub(hn::Min(hn::Max(hn::ShiftRight<16>(x), least), last), least);
    const words value = hn::Or(look_up(approximations.exponential, index), hn::And(x, hn::Set(tag, 0xffffu)));
    return hn::IfThenElse(below(x, 0x00800000u), hn::Set(tag, 0x3f800000u), value);
}

void sfparecip(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    const words sign_mask = hn::Set(tag, 0x80000000u);
    switch (i.mod) {
    case 0:
        write_vectors(x, i, [&](unsigned n) HWY_ATTR {
            const words v = at(c.v, n), sign = hn::And(v, sign_mask);
            return hn::Or(sign, approximate_reciprocal(hn::Xor(v, sign)));
        });
        break;
    case 1: // only where VB is negative, and the sign is lost there
        write_vectors(x, i, [&](unsigned n) HWY_ATTR {
            const words v = at(c.v, n);
            return if_negative(at(b.v, n), approximate_reciprocal(hn::AndNot(sign_mask, v)), v);
        });
        break;
    default: // EXP, and every reserved modifier
        write_vectors(x, i, [&](unsigned n) HWY_ATTR {
            const words v = at(c.v, n), sign = hn::And(v, sign_mask);
            return hn::Or(sign, approximate_exponential(hn::Xor(v, sign)));
        });
        break;
    }
}

// --- moves -------------------------------------------------------------------------------------------------

void sfpmov(execution& x, const instruction& i) {
    const unsigned mod = i.mod & ~4u; // bit 2 is ignored
    const lane_mask mask = mod == 2 ? x.acting : x.enabled;
    if (mod & 8) { // from a special source, chosen by the VC field
        lanes value;
        const unsigned source = i.vc;
        const bool wide = x.words.wide_sequences();
        const extended_index index = x.words.extended_index()
                                         ? extended_index::of(static_cast<std::uint32_t>(i.imm))
                                         : extended_index{};
        if (source == 9) value = advance_prng(x, mask);
        else
            for (unsigned n = 0; n < lane_count; ++n) {
                const macro_configuration& macro = x.state.macro[n % column_count];
                value[n] = source < 4   ? macro.instruction_template[source + index.plus_four]
                           : source < 8 ? macro.read_sequence(source - 4 + index.plus_four, index.which, wide)
                           : source == 8  ? macro.misc
                           : source == 15 ? x.state.config.column(n % column_count)
                                          : 0u;
            }
        if (writable(i.vd)) x.result(i.vd, mask) = value;
        return;
    }
    if (!writable(i.vd)) return;
    const lanes& c = x.reg(i.vc);
    const std::uint32_t flip = (mod & 1) ? 0x80000000u : 0u;
    each_lane(x.result(i.vd, mask), [&](unsigned n) { return c.v[n] ^ flip; });
}

/// First cycle: compare and decide in which lanes to exchange. The exchange itself happens in the second
/// cycle, with the values that the registers have then.
void sfpswap(execution& x, const instruction& i) {
    static constexpr lane_mask minimum_to_vd[16] = {0,           0xffffffffu, 0x0000ffffu,
                                                    0x00ff00ffu, 0xff0000ffu, 0x000000ffu,
                                                    0x0000ff00u, 0x00ff0000u, 0xff000000u};
    const unsigned d = i.scheduled() ? i.vb : i.vd; // a macro's "VD" of a swap is VB (T8)
    const unsigned c = i.vc;
    lane_mask swap = all_lanes;
    if (i.mod != 0) {
        const lanes &vc = x.reg(c), &vd = x.reg(d);
        const lane_mask less = lanes_where([&](unsigned n) { return sign_magnitude_less(vc.v[n], vd.v[n]); });
        const lane_mask minimum = minimum_to_vd[i.mod];
        swap = (minimum & less) | (~minimum & ~less);
        swap ^= x.state.config.lanes_with(lane_configuration::exchange_srcb_srcc);
    }
    swap &= x.enabled;
    if (c == d) return;
    const lane_mask with_index = x.state.config.lanes_with(lane_configuration::enable_dest_index);
    const auto exchange = [&](unsigned a, unsigned b, lane_mask mask) {
        x.out->exchange[x.out->exchange_count] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
        x.out->exchange_mask[x.out->exchange_count++] = mask;
    };
    if (with_index == 0) {
        exchange(c, d, swap);
        return;
    }
    // argmin and argmax: values in L0 to L3, their companions in L4 to L7.
    exchange(c, d, swap);
    x.out->exchange_index_mask = with_index;
    exchange(4 + (c & 3), 4 + (d & 3), swap & with_index);
}

void sfptransp(execution& x, const instruction&) {
    for (unsigned base = 0; base < general_lregs; base += 4) {
        const lanes source[4] = {x.reg(base), x.reg(base + 1), x.reg(base + 2), x.reg(base + 3)};
        for (unsigned r = 0; r < 4; ++r) {
            lanes& out = x.result(base + r);
            for (unsigned row = 0; row < 4; ++row)
                for (unsigned column = 0; column < column_count; ++column)
                    out[row * 8 + column] = source[row][r * 8 + column];
        }
    }
}

// --- predication -------------------------------------------------------------------------------------------

void sfpsetcc(execution& x, const instruction& i) {
    const lanes& c = x.reg(i.vc);
    lane_mask flags = 0;
    if (i.mod & 8) flags = 0;
    else if (i.mod & 1) flags = (i.imm & 1) ? all_lanes : 0;
    else {
        switch (i.mod & 6) {
        case 0: flags = lanes_where([&](unsigned n) { return c.v[n] >> 31; }); break;
        case 2: flags = lanes_where([&](unsigned n) { return c.v[n] != 0; }); break;
        case 4: flags = ~lanes_where([&](unsigned n) { return c.v[n] >> 31; }); break;
        default: flags = lanes_where([&](unsigned n) { return c.v[n] == 0; }); break;
        }
    }
    x.set_flags(x.enabled, flags & x.state.use_flags);
}

void sfpencc(execution& x, const instruction& i) {
    const lane_mask where = x.acting;
    if (i.mod & 2) x.state.use_flags = (x.state.use_flags & ~where) | ((i.imm & 1) ? where : 0);
    else if (i.mod & 1) x.state.use_flags ^= where;
    x.set_flags(where, (i.mod & 8) && !(i.imm & 2) ? 0 : all_lanes);
}

/// The twelve operations of SFPPUSHC and SFPPOPC.
HWY_INLINE lane_mask boolean_op(unsigned mod, lane_mask a, lane_mask b) {
    switch (mod) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~a & ~b;
    case 10: return ~a | ~b;
    case 11: return a ^ b;
    default: return ~(a ^ b);
    }
}

void sfppushc(execution& x, const instruction& i) {
    flag_stack& stack = x.state.stack;
    const flag_entry current{x.state.flags, x.state.use_flags};
    if (i.mod == 0 || !describe(x.arch).has_pushc_operations) {
        if (stack.depth() >= flag_stack::capacity) x.reports |= stack_overflow;
        stack.push(current);
        return;
    }
    if (i.mod == 13) x.set_flags(x.acting, ~x.state.flags);
    if (stack.empty()) {
        x.reports |= stack_underflow;
        return;
    }
    const flag_entry old = stack.top();
    flag_entry top{x.state.flags, x.state.use_flags};
    if (i.mod <= 12) top.flags = boolean_op(i.mod, old.flags, x.state.flags);
    else if (i.mod == 14) top = {all_lanes, all_lanes};
    else if (i.mod == 15) top = {0, all_lanes};
    const lane_mask where = x.acting;
    stack.replace_top(
        {(old.flags & ~where) | (top.flags & where), (old.use_flags & ~where) | (top.use_flags & where)});
}

void sfppopc(execution& x, const instruction& i) {
    flag_stack& stack = x.state.stack;
    const flag_entry top = stack.top();
    if (i.mod == 0) {
        if (stack.empty()) x.reports |= stack_underflow;
        stack.pop();
    } else if (semantics_of(x.arch).pop_overwrites_bottom && stack.depth() == flag_stack::capacity) {
        stack.replace_bottom(top);
    }
    const lane_mask where = x.acting;
    const auto set_use = [&](lane_mask value) {
        x.state.use_flags = (x.state.use_flags & ~where) | (value & where);
    };
    if (i.mod == 0) {
        set_use(top.use_flags);
        x.set_flags(where, top.flags);
    } else if (i.mod <= 12) {
        set_use(top.use_flags);
        x.set_flags(where, boolean_op(i.mod, x.state.flags, top.flags));
    } else if (i.mod == 13) {
        x.set_flags(where, ~x.state.flags);
    } else {
        set_use(all_lanes);
        x.set_flags(where, i.mod == 14 ? all_lanes : 0);
    }
}

void sfpcompc(execution& x, const instruction&) {
    const flag_entry top = x.state.stack.empty() ? flag_entry{all_lanes, all_lanes} : x.state.stack.top();
    x.set_flags(x.acting, top.use_flags & x.state.use_flags & top.flags & ~x.state.flags);
}

/// SFPGT and SFPLE: the result may go to VD, to the flags and into the top of the flag stack.
HWY_INLINE void compare(execution& x, const instruction& i, lane_mask holds) {
    if ((i.mod & 8) && writable(i.vd))
        each_lane(x.result(i.vd), [&](unsigned n) { return lane_in(holds, n) ? 0xffffffffu : 0u; });
    if ((i.mod & 2) && !x.state.stack.empty()) {
        flag_entry top = x.state.stack.top();
        const lane_mask changed = (i.mod & 4) ? top.flags | holds : top.flags & holds;
        top.flags = (top.flags & ~x.acting) | (changed & x.acting);
        x.state.stack.replace_top(top);
    }
    if (i.mod & 1) x.set_flags(x.enabled, holds);
}
void sfpgt(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    compare(x, i, lanes_where([&](unsigned n) { return sign_magnitude_less(c.v[n], b.v[n]); }));
}
void sfple(execution& x, const instruction& i) {
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    compare(x, i, ~lanes_where([&](unsigned n) { return sign_magnitude_less(c.v[n], b.v[n]); }));
}

// --- configuration -----------------------------------------------------------------------------------------

/// Bits 0, 2, 4... of an immediate, side by side.
HWY_INLINE std::uint32_t even_bits(std::uint32_t imm) {
    imm &= 0x5555u;
    imm = (imm | imm >> 1) & 0x3333u;
    imm = (imm | imm >> 2) & 0x0f0fu;
    return (imm | imm >> 4) & 0x00ffu;
}

/// An SFPCONFIG on its way: which columns it writes, and what each takes.
class column_writer {
public:
    column_writer(execution& x, const instruction& i)
        : state_(x.state), source_(x.reg(0)), words_(x.words), mod_(i.mod),
          immediate_(static_cast<std::uint32_t>(i.imm)) {
        columns_ = (~state_.use_flags | state_.flags) & 0xffu;
        if (mod_ & 8) columns_ &= even_bits(immediate_);
    }

    /// Machines with more macros or templates take an extended index from the immediate if it is nothing
    /// else.
    void write_template_or_sequence(unsigned destination) const {
        const bool indexed = words_.extended_index() && !(mod_ & 9);
        const extended_index index = indexed ? extended_index::of(immediate_) : extended_index{};
        const unsigned which = destination % 4 + index.plus_four;
        const bool wide = words_.wide_sequences();
        if (destination < 4)
            for_columns([&](unsigned c) { state_.macro[c].instruction_template[which] = source_[c]; });
        else if (wide)
            for_columns(
                [&](unsigned c) { state_.macro[c].write_sequence(which, index.which, wide, value(c)); });
        else if (by_immediate())
            for_columns([&](unsigned c) { state_.macro[c].sequence[which] = immediate_; });
        else for_columns([&](unsigned c) { state_.macro[c].sequence[which] = source_[c]; });
    }

    /// The immediate does not reach the upper bits.
    void write_misc() const {
        const std::uint32_t reached = words_.misc_mask(), kept = by_immediate() ? ~0xffffu : 0u;
        const auto misc_of = [&](unsigned c) -> std::uint32_t& { return state_.macro[c].misc; };
        const auto put = [&](unsigned c, std::uint32_t next) {
            misc_of(c) = (next & reached & ~kept) | (misc_of(c) & kept);
        };
        if (mod_ & 6) for_columns([&](unsigned c) { put(c, combine(misc_of(c), value(c))); });
        else if (by_immediate()) for_columns([&](unsigned c) { put(c, immediate_); });
        else for_columns([&](unsigned c) { put(c, source_[c]); });
    }

    void write_constant(lanes& constant, std::uint32_t default_value) const {
        for (unsigned row = 0; row < 4; ++row)
            for_columns(
                [&](unsigned c) { constant[row * 8 + c] = by_immediate() ? default_value : source_[c]; });
    }

    /// Neither here does the immediate reach the upper bits.
    void write_lane_configuration() const {
        for_columns([&](unsigned c) {
            const std::uint32_t old = state_.config.column(c);
            std::uint32_t next = combine(old, value(c) & lane_configuration::value_mask);
            if (by_immediate()) next |= old & ~0xffffu;
            if (next != old) state_.config.set_column(c, next);
        });
    }

private:
    template <class Function>
    void for_columns(const Function& f) const {
        if (columns_ == 0xffu)
            for (unsigned column = 0; column < column_count; ++column) f(column);
        else
            for (std::uint32_t left = columns_; left != 0; left &= left - 1)
                f(static_cast<unsigned>(__builtin_ctz(left)));
    }
    bool by_immediate() const { return mod_ & 1; }
    std::uint32_t value(unsigned column) const { return by_immediate() ? immediate_ : source_[column]; }
    std::uint32_t combine(std::uint32_t old, std::uint32_t with) const {
        switch (mod_ & 6) {
        case 2: return old | with;
        case 4: return old & with;
        case 6: return old ^ with;
        default: return with;
        }
    }

    vector_state& state_;
    const lanes& source_; ///< L0, which is no destination
    const word_encoding& words_;
    const unsigned mod_;
    const std::uint32_t immediate_;
    std::uint32_t columns_ = 0;
};

/// Every column takes its value from lanes 0 to 7 of L0 or from the immediate. ROW_MASK and the lanes above 7
/// play no part in the gating, and there is no backdoor.
void sfpconfig(execution& x, const instruction& i) {
    const unsigned destination = i.vd;
    const column_writer to(x, i);
    if (destination <= 8) ++x.state.macro_version;
    if (destination < 8) {
        to.write_template_or_sequence(destination);
    } else if (destination == 8) {
        to.write_misc();
    } else if (destination >= 11 && destination <= 14) {
        const std::uint32_t defaults[4] = {lreg11_default, x.lreg12_default, lreg13_default, lreg14_default};
        to.write_constant(x.state.lreg[destination], defaults[destination - 11]);
    } else if (destination == 15) {
        to.write_lane_configuration();
    }
    // 9, 10 and (from a macro) 16: nothing
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
