#include "oracle_instruction.h"

#include "exact_instructions.h"
#include "exact_multiply_add.h"
#include "oracle_lanes.h"

#include <bitset>
#include <functional>

namespace sfpu::oracle {
namespace {

bool has_b_field(unsigned code, unsigned modifier, architecture arch) {
    switch (code) {
    case op_mad:
    case op_add:
    case op_mul:
    case op_mul24:
    case op_shft2:
    case op_stochrnd:
    case op_arecip: return true;
    case op_and:
    case op_or: return arch == architecture::blackhole && bit(modifier, 0);
    default: return false;
    }
}

std::uint32_t shifted(std::uint32_t x, std::uint32_t by, bool arithmetic) {
    if (by < sign_bit) return x << by % 32;
    const unsigned right = (0u - by) % 32;
    const std::uint32_t filled = arithmetic && x >= sign_bit ? ~(all >> right) : 0;
    return x >> right | filled;
}

} // namespace

int signed_imm12(unsigned imm12) { return static_cast<int>(imm12 % 4096) - (imm12 & 0x800u ? 4096 : 0); }

bool is_sfpu(unsigned code) { return code >= op_load && code <= op_arecip; }

sub_unit unit_of(unsigned code) {
    switch (code) {
    case op_load:
    case op_loadi:
    case op_loadmacro:
    case op_sfpnop: return sub_unit::load;
    case op_store: return sub_unit::store;
    case op_lut:
    case op_muli:
    case op_addi:
    case op_mad:
    case op_add:
    case op_mul:
    case op_lutfp32:
    case op_mul24: return sub_unit::mad;
    case op_stochrnd:
    case op_shft2: return sub_unit::round;
    default: return is_sfpu(code) ? sub_unit::simple : sub_unit::front_end;
    }
}

instruction decode(std::uint32_t word, architecture arch) {
    instruction result;
    result.word = word;
    result.code = word >> 24;
    result.a = word >> 16 & 15u;
    result.b = word >> 12 & 15u;
    result.c = word >> 8 & 15u;
    result.d = word >> 4 & 15u;
    result.modifier = word & 15u;
    result.imm12 = word >> 12 & 0xfffu;
    result.imm16 = word >> 8 & 0xffffu;
    const bool moves_dst = result.code == op_load || result.code == op_store || result.code == op_loadmacro;
    if (moves_dst || result.code == op_loadi || result.code == op_lut) {
        result.d = word >> 20 & 15u;
        result.modifier = word >> 16 & 15u;
        result.imm16 = word & 0xffffu;
        result.address = word & 0x3ffu;
        result.address_modifier = arch == architecture::blackhole ? word >> 13 & 7u : word >> 14 & 3u;
    } else if (result.code == op_muli || result.code == op_addi) {
        result.c = result.d;
    }
    if (result.code == op_loadmacro) result.d = (word >> 20 & 3u) + (word & 1u) * 4;
    if (result.code == op_shft2 && result.modifier == 6) result.b = result.imm12 & 15u;
    if (!has_b_field(result.code, result.modifier, arch)) result.b = result.d;
    return result;
}

bool has_backdoor(const instruction& what) {
    if (what.scheduled || !is_sfpu(what.code)) return false;
    switch (what.code) {
    case op_load:
    case op_loadi:
    case op_loadmacro:
    case op_config:
    case op_sfpnop: return false;
    default: return what.d >= 12;
    }
}

bool writes_template(const instruction& what, const unit_state& in) {
    return has_backdoor(what) && lanes_with(in, backdoor_closed) != all;
}

std::uint32_t enabled_lanes(const unit_state& in) {
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane) {
        const bool masked = bit(in.config.lane[lane % columns], row_mask + lane / columns);
        const bool flagged = !bit(in.lanes.use_flags, lane) || bit(in.lanes.flags, lane);
        if (!masked && flagged) result |= 1u << lane;
    }
    return result;
}

std::uint32_t open_lanes(const unit_state& in, const instruction& what) {
    return has_backdoor(what) ? lanes_with(in, backdoor_closed) : all;
}

// --- Simple ------------------------------------------------------------------------------------------------

namespace {

struct operands {
    const instruction& what;
    const unit_state& in;
    const surroundings& around;
    std::uint32_t lanes; ///< enabled, and not behind an open backdoor

    std::uint32_t b(unsigned lane) const { return in.lreg[what.b][lane]; }
    std::uint32_t c(unsigned lane) const { return in.lreg[what.c][lane]; }
    bool blackhole() const { return around.arch == architecture::blackhole; }
};

/// Flags become `value` in `lanes`.
predication with_flags(predication before, std::uint32_t lanes, std::uint32_t value) {
    before.flags = (before.flags & ~lanes) | (value & lanes);
    return before;
}
std::uint32_t lanes_where(std::uint32_t lanes, const std::function<bool(unsigned lane)>& holds) {
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        if (bit(lanes, lane) && holds(lane)) result |= 1u << lane;
    return result;
}

std::uint32_t leading_zeros(std::uint32_t x) {
    unsigned result = 0;
    for (std::uint32_t rest = x; rest != 0; rest /= 2) ++result;
    return 32 - result;
}

/// SFPIADD, SFPEXEXP and SFPLZ: a number, and flags by it where VD is L0 to L7.
effect number_with_flags(const operands& x) {
    const unsigned modifier = x.what.modifier;
    const auto value = [&](unsigned lane) -> std::uint32_t {
        if (x.what.code == op_exexp) return (x.c(lane) >> 23) % 256 - (bit(modifier, 0) ? 0 : 127);
        if (x.what.code == op_lz) return leading_zeros(bit(modifier, 2) ? x.c(lane) % sign_bit : x.c(lane));
        if (bit(modifier, 0)) return x.c(lane) + static_cast<std::uint32_t>(signed_imm12(x.what.imm12));
        return bit(modifier, 1) ? x.c(lane) - x.b(lane) : x.c(lane) + x.b(lane);
    };
    effect result = write_lanes(x.what.d, x.lanes, value);
    if (x.what.d >= 8) return result;
    std::uint32_t flags = x.in.lanes.flags;
    if (x.what.code == op_lz) {
        if (bit(modifier, 1))
            flags = lanes_where(x.lanes, [&](unsigned lane) {
                return (bit(modifier, 2) ? x.c(lane) % sign_bit : x.c(lane)) != 0;
            });
    } else if (x.what.code == op_iadd ? !bit(modifier, 2) : bit(modifier, 1)) {
        flags = lanes_where(x.lanes, [&](unsigned lane) { return value(lane) >= sign_bit; });
    }
    if (bit(modifier, 3)) flags = ~flags;
    result.lanes = with_flags(x.in.lanes, x.lanes, flags);
    return result;
}

std::uint32_t simple_value(const operands& x, unsigned lane) {
    const std::uint32_t b = x.b(lane), c = x.c(lane);
    const unsigned modifier = x.what.modifier;
    switch (x.what.code) {
    case op_divp2: return test::exact_divide_by_power(bit(modifier, 0), x.what.imm12 & 0xffu, c);
    case op_exman: return c % 0x800000u + (bit(modifier, 0) ? 0 : 0x800000u);
    case op_abs:
        if (c < sign_bit) return c;
        if (bit(modifier, 0))
            return c >= 0xff800000u ? c : c - sign_bit; // infinity stays, too, says the page
        return 0u - c;
    case op_and: return b & c;
    case op_or: return b | c;
    case op_xor: return b ^ c;
    case op_not: return ~c;
    case op_setexp: {
        const std::uint32_t exponent = bit(modifier, 0)   ? x.what.imm12 & 0xffu
                                       : bit(modifier, 1) ? (b >> 23) % 256
                                                          : b % 256;
        return (c & 0x807fffffu) + (exponent << 23);
    }
    case op_setman: return (c & 0xff800000u) + (bit(modifier, 0) ? x.what.imm12 << 11 : b % 0x800000u);
    case op_setsgn: return c % sign_bit + (bit(modifier, 0) ? (x.what.imm12 & 1u) * sign_bit : b & sign_bit);
    case op_arecip: return test::exact_reciprocal(modifier, b, c);
    default: break;
    }
    // SFPSHFT
    const bool immediate = bit(modifier, 0), blackhole = x.blackhole();
    const std::uint32_t by = immediate ? static_cast<std::uint32_t>(signed_imm12(x.what.imm12)) : c;
    return shifted(blackhole && immediate && bit(modifier, 2) ? c : b, by, blackhole && bit(modifier, 1));
}

effect set_flags(const operands& x) {
    const unsigned modifier = x.what.modifier;
    const std::uint32_t flags = lanes_where(x.lanes, [&](unsigned lane) {
        if (!bit(x.in.lanes.use_flags, lane) || bit(modifier, 3)) return false;
        if (bit(modifier, 0)) return bit(x.what.imm12, 0);
        const bool holds = bit(modifier, 1) ? x.c(lane) != 0 : x.c(lane) >= sign_bit;
        return holds != bit(modifier, 2);
    });
    effect result;
    result.lanes = with_flags(x.in.lanes, x.lanes, flags);
    return result;
}

effect move(const operands& x) {
    const unsigned modifier = x.what.modifier;
    effect result;
    // Modifier 2 alone, whatever bit 2 is, ignores which lanes are enabled.
    const std::uint32_t lanes = (modifier & 11u) == 2 ? open_lanes(x.in, x.what) : x.lanes;
    if (bit(modifier, 3) && x.what.c == 9) result.random_lanes = lanes;
    const auto value = [&](unsigned lane) -> std::uint32_t {
        if (!bit(modifier, 3)) return x.c(lane) ^ (bit(modifier, 0) ? sign_bit : 0);
        const macro_memory& macro = x.in.config.macro[lane % columns];
        if (x.what.c < 4) return macro.templates[x.what.c];
        if (x.what.c < 8) return macro.sequences[x.what.c - 4];
        if (x.what.c == 8) return macro.misc;
        if (x.what.c == 9) return x.in.random[lane];
        return x.what.c == 15 ? x.in.config.lane[lane % columns] : 0;
    };
    result.registers = write_lanes(x.what.d, lanes, value).registers;
    return result;
}

effect cast(const operands& x) {
    const unsigned modifier = x.blackhole() ? x.what.modifier % 4 : x.what.modifier % 2;
    effect result = write_lanes(x.what.d, x.lanes, [&](unsigned lane) {
        return test::exact_cast(modifier, x.c(lane), x.in.random[lane], x.around.arch);
    });
    if (modifier == 1) result.random_lanes = x.lanes;
    return result;
}

bool boolean(unsigned which, bool a, bool b) {
    switch (which) {
    case 1: return b;
    case 2: return !b;
    case 3: return a && b;
    case 4: return a || b;
    case 5: return a && !b;
    case 6: return a || !b;
    case 7: return !a && b;
    case 8: return !a || b;
    case 9: return !a && !b;
    case 10: return !a || !b;
    case 11: return a != b;
    default: return a == b;
    }
}

void push(const operands& x, predication& lanes) {
    const unsigned modifier = x.blackhole() ? x.what.modifier : 0;
    if (modifier == 0) {
        lanes.stack[lanes.size % 8] = {lanes.flags, lanes.use_flags};
        lanes.size = (lanes.size + 1) % 16;
        return;
    }
    const predication::entry top = lanes.top();
    if (modifier == 13) lanes.flags = ~lanes.flags;
    if (lanes.size == 0) return;
    predication::entry& changed = lanes.stack[(lanes.size + 7) % 8];
    changed = {lanes.flags, lanes.use_flags};
    if (modifier <= 12)
        changed.flags = lanes_where(all, [&](unsigned lane) {
            return boolean(modifier, bit(top.flags, lane), bit(lanes.flags, lane));
        });
    if (modifier >= 14) changed = {modifier == 14 ? all : 0, all};
}

void pop(const operands& x, predication& lanes) {
    const unsigned modifier = x.what.modifier;
    const predication::entry top = lanes.top();
    if (modifier == 0) {
        lanes.flags = top.flags;
        lanes.use_flags = top.use_flags;
        lanes.size = (lanes.size + 15) % 16;
        return;
    }
    if (!x.blackhole() && lanes.size == 8) lanes.stack[0] = top;
    if (modifier == 13) {
        lanes.flags = ~lanes.flags;
    } else if (modifier >= 14) {
        lanes.flags = modifier == 14 ? all : 0;
        lanes.use_flags = all;
    } else {
        const std::uint32_t before = lanes.flags;
        lanes.use_flags = top.use_flags;
        lanes.flags = lanes_where(
            all, [&](unsigned lane) { return boolean(modifier, bit(before, lane), bit(top.flags, lane)); });
    }
}

/// Instructions that act on all lanes, enabled or not.
effect change_predication(const operands& x) {
    effect result;
    predication lanes = x.in.lanes;
    const unsigned modifier = x.what.modifier;
    if (x.what.code == op_pushc) push(x, lanes);
    if (x.what.code == op_popc) pop(x, lanes);
    if (x.what.code == op_compc) {
        const predication::entry top = lanes.size == 0 ? predication::entry{all, all} : lanes.top();
        lanes.flags = top.flags & ~lanes.flags & top.use_flags & lanes.use_flags;
    }
    if (x.what.code == op_encc) {
        if (bit(modifier, 1)) lanes.use_flags = bit(x.what.imm12, 0) ? all : 0;
        else if (bit(modifier, 0)) lanes.use_flags = ~lanes.use_flags;
        lanes.flags = !bit(modifier, 3) || bit(x.what.imm12, 1) ? all : 0;
    }
    const std::uint32_t open = open_lanes(x.in, x.what);
    lanes.flags = (lanes.flags & open) | (x.in.lanes.flags & ~open);
    lanes.use_flags = (lanes.use_flags & open) | (x.in.lanes.use_flags & ~open);
    result.lanes = lanes;
    return result;
}

effect compare(const operands& x) {
    const unsigned modifier = x.what.modifier;
    const auto greater = [&](unsigned lane) { return test::exact_less(x.c(lane), x.b(lane)); };
    const std::uint32_t holds =
        lanes_where(all, [&](unsigned lane) { return greater(lane) == (x.what.code == op_gt); });
    effect result;
    if (bit(modifier, 3))
        result = write_lanes(x.what.d, x.lanes, [&](unsigned lane) { return bit(holds, lane) ? all : 0; });
    predication lanes = x.in.lanes;
    if (bit(modifier, 0)) lanes = with_flags(lanes, x.lanes, holds);
    if (bit(modifier, 1) && lanes.size != 0) {
        std::uint32_t& top = lanes.stack[(lanes.size + 7) % 8].flags;
        top = bit(modifier, 2) ? top | holds : top & holds;
    }
    result.lanes = lanes;
    return result;
}

effect transpose(const operands& x) {
    effect result;
    for (unsigned number = 0; number < 8; ++number) {
        const unsigned base = number / 4 * 4, of_row = number % 4;
        result.registers.push_back(write_lanes(number, x.lanes, [&](unsigned lane) {
                                       return x.in.lreg[base + lane / 8][of_row * 8 + lane % 8];
                                   }).registers[0]);
    }
    return result;
}

effect configure(const operands& x) {
    const unsigned modifier = x.what.modifier, to = x.what.d;
    effect result;
    configuration config = x.in.config;
    std::uint32_t changed = 0;
    for (unsigned column = 0; column < columns; ++column) {
        if (bit(modifier, 3) && !bit(x.what.imm16, 2 * column)) continue;
        if (bit(x.in.lanes.use_flags, column) && !bit(x.in.lanes.flags, column)) continue;
        changed |= 0x01010101u << column;
        const bool immediate = bit(modifier, 0);
        const std::uint32_t value = immediate ? x.what.imm16 : x.in.lreg[0][column];
        const auto combined = [&](std::uint32_t before) {
            const unsigned how = modifier & 6u;
            return how == 0 ? value : how == 2 ? before | value : how == 4 ? before & value : before ^ value;
        };
        macro_memory& macro = config.macro[column];
        std::uint32_t& lane = config.lane[column];
        if (to < 4) macro.templates[to] = x.in.lreg[0][column];
        else if (to < 8) macro.sequences[to - 4] = value;
        else if (to == 8) macro.misc = combined(macro.misc) & 0xfffu;
        else if (to == 15)
            lane = (immediate ? (combined(lane) & 0xffffu) | (lane & ~0xffffu) : combined(lane)) & 0x3ffffu;
    }
    result.config = config;
    if (to < 11 || to > 14) return result;
    const std::array<std::uint32_t, 4> defaults{0xbf800000u, x.around.lreg12_default, 0xbf2cc4c7u,
                                                0xbeb08ff9u};
    effect::register_write& write = result.registers.emplace_back();
    write.number = to;
    write.lanes = changed;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        write.values[lane] = bit(modifier, 0) ? defaults[to - 11] : x.in.lreg[0][lane % columns];
    return result;
}

effect simple(const operands& x) {
    switch (x.what.code) {
    case op_iadd:
    case op_exexp:
    case op_lz: return number_with_flags(x);
    case op_setcc: return set_flags(x);
    case op_mov: return move(x);
    case op_cast: return cast(x);
    case op_pushc:
    case op_popc:
    case op_compc:
    case op_encc: return change_predication(x);
    case op_le:
    case op_gt: return compare(x);
    case op_transp: return transpose(x);
    case op_config: return configure(x);
    case op_swap: return exchange(x.what, lanes_to_swap(x.what, x.in), x.in);
    default: return write_lanes(x.what.d, x.lanes, [&](unsigned lane) { return simple_value(x, lane); });
    }
}

// --- MAD and Round -----------------------------------------------------------------------------------------

std::uint32_t mad_value(const operands& x, unsigned lane) {
    const unsigned modifier = x.what.modifier;
    const architecture arch = x.around.arch;
    const auto negated = [&](std::uint32_t value, unsigned by) {
        return value ^ (x.blackhole() && bit(modifier, by) ? sign_bit : 0);
    };
    const std::uint32_t immediate = x.what.imm16 << 16;
    if (x.what.code == op_addi)
        return test::exact_multiply_add(immediate, 0x3f800000u, negated(x.c(lane), 1), arch);
    if (x.what.code == op_muli) return test::exact_multiply_add(immediate, negated(x.c(lane), 1), 0, arch);
    if (x.what.code == op_lut || x.what.code == op_lutfp32) {
        std::array<std::uint32_t, 7> table{};
        for (unsigned i = 0; i < 7; ++i) table[i] = x.in.lreg[i][lane];
        return x.what.code == op_lut ? test::exact_lut(modifier, table, arch)
                                     : test::exact_lut_fp32(modifier, table, arch);
    }
    const unsigned va = bit(modifier, 2) ? x.in.lreg[7][lane] % 16 : x.what.a;
    const std::uint32_t a = x.in.lreg[va][lane];
    if (x.what.code == op_mul24) return test::exact_multiply_24(bit(modifier, 0), a, x.b(lane), x.c(lane));
    return test::exact_multiply_add(negated(a, 0), x.b(lane), negated(x.c(lane), 1), arch);
}

effect mad(const operands& x) {
    if (!bit(x.what.modifier, 3) || x.what.d == l16)
        return write_lanes(x.what.d, x.lanes, [&](unsigned lane) { return mad_value(x, lane); });
    effect result;
    for (unsigned number = 0; number < 8; ++number) {
        const std::uint32_t lanes =
            lanes_where(x.lanes, [&](unsigned lane) { return x.in.lreg[7][lane] % 16 == number; });
        if (lanes != 0)
            result.registers.push_back(
                write_lanes(number, lanes, [&](unsigned lane) { return mad_value(x, lane); }).registers[0]);
    }
    return result;
}

effect round(const operands& x) {
    const unsigned modifier = x.what.modifier, rounding = x.what.word >> 21 & 3u;
    const bool random = bit(rounding, 0), to_zero = x.blackhole() && rounding == 2;
    effect result = write_lanes(x.what.d, x.lanes, [&](unsigned lane) {
        const std::uint32_t threshold = random    ? x.in.random[lane] % 0x800000u
                                        : to_zero ? 0x7fffffu
                                                  : 0x400000u;
        const unsigned shift = bit(modifier, 3) ? x.what.word >> 16 & 31u : x.b(lane) % 32;
        return test::exact_round(modifier, x.c(lane), shift, threshold);
    });
    // The generator steps in every rounding mode, as was measured; the page steps it for random ones only.
    result.random_lanes = x.lanes;
    return result;
}

effect shuffle(const operands& x) {
    const unsigned modifier = x.what.modifier;
    const auto one = [&](unsigned number, const std::function<std::uint32_t(unsigned)>& value) {
        return write_lanes(number, x.lanes, value);
    };
    const auto rotated = [&](unsigned lane) {
        return x.in.lreg[x.what.c][lane % 8 == 0 ? lane + 7 : lane - 1];
    };
    effect result;
    if (modifier <= 2)
        for (unsigned number = 0; number < 4; ++number)
            result.registers.push_back(one(number, [&](unsigned lane) -> std::uint32_t {
                                           if (number < 3) return x.in.lreg[number + 1][lane];
                                           if (modifier == 0) return 0;
                                           if (modifier == 2) return rotated(lane);
                                           return lane < 24 ? x.in.lreg[0][lane + 8] : 0;
                                       }).registers[0]);
    if (modifier == 3) result = one(x.what.d, rotated);
    if (modifier == 4)
        result = one(x.what.d, [&](unsigned lane) {
            if (lane % 8 != 0) return rotated(lane);
            return x.blackhole() ? 0 : x.in.shuffled[lane + 7];
        });
    if (modifier == 5)
        result = one(x.what.d, [&](unsigned lane) { return shifted(x.b(lane), x.c(lane), false); });
    if (modifier == 6)
        result = one(x.what.d, [&](unsigned lane) {
            return shifted(x.b(lane), static_cast<std::uint32_t>(signed_imm12(x.what.imm12)), false);
        });
    if ((modifier == 2 || modifier == 3) && x.what.d < 12) result.shuffled = x.in.lreg[x.what.c];
    return result;
}

} // namespace

std::uint32_t lanes_to_swap(const instruction& what, const unit_state& in) {
    constexpr std::array<std::uint32_t, 9> minimum_in_vd{
        0, all, 0x0000ffffu, 0x00ff00ffu, 0xff0000ffu, 0x000000ffu, 0x0000ff00u, 0x00ff0000u, 0xff000000u};
    const std::uint32_t lanes = enabled_lanes(in) & open_lanes(in, what);
    if (what.modifier == 0) return lanes;
    const std::uint32_t minimum = what.modifier <= 8 ? minimum_in_vd[what.modifier] : 0;
    return lanes_where(lanes, [&](unsigned lane) {
        const bool c_is_less = test::exact_less(in.lreg[what.c][lane], in.lreg[what.b][lane]);
        return (c_is_less == bit(minimum, lane)) != bit(in.config.lane[lane % columns], exchange_order);
    });
}

effect exchange(const instruction& what, std::uint32_t lanes, const unit_state& in) {
    effect result;
    const unsigned c = what.c, d = what.b;
    if (c == d) return result;
    const std::uint32_t indexed = lanes & lanes_with(in, dest_index), plain = lanes & ~indexed;
    const auto one = [&](unsigned number, std::uint32_t where, unsigned from) {
        if (number < 8 && where != 0)
            result.registers.push_back(
                write_lanes(number, where, [&](unsigned lane) { return in.lreg[from][lane]; }).registers[0]);
    };
    one(c, plain, d);
    one(d, plain, c);
    if (c < 4) one(c, indexed, d);
    if (d < 4) one(d, indexed, c);
    one(4 + c % 4, indexed, 4 + d % 4);
    one(4 + d % 4, indexed, 4 + c % 4);
    return result;
}

effect effect_of(const instruction& what, const unit_state& in, const surroundings& around) {
    const operands x{what, in, around, enabled_lanes(in) & open_lanes(in, what)};
    switch (unit_of(what.code)) {
    case sub_unit::simple: return simple(x);
    case sub_unit::mad: return mad(x);
    case sub_unit::round: return what.code == op_shft2 ? shuffle(x) : round(x);
    default: break;
    }
    if (what.code != op_loadi) return {};
    const std::uint32_t imm16 = what.imm16;
    if (what.d >= 8) return {};
    const unsigned mode = what.modifier;
    if (mode != 0 && mode != 1 && mode != 2 && mode != 4 && mode != 8 && mode != 10) return {};
    return write_lanes(what.d, x.lanes, [&](unsigned lane) -> std::uint32_t {
        const std::uint32_t old = in.lreg[what.d][lane];
        switch (mode) {
        case 0: return imm16 << 16;
        case 1: return (imm16 / 0x8000u << 31) + (imm16 % 0x8000u << 13) + (112u << 23);
        case 2: return imm16;
        case 4: return imm16 & 0x8000u ? imm16 | 0xffff0000u : imm16;
        case 8: return imm16 << 16 | (old & 0xffffu);
        default: return (old & 0xffff0000u) | imm16;
        }
    });
}

} // namespace sfpu::oracle
