#include "random_trials.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

namespace sfpu::oracle {

namespace {
constexpr std::uint32_t no_operation = 0x8f000000u;

unsigned one_of(std::mt19937& numbers, std::initializer_list<unsigned> values) {
    return *std::next(values.begin(), static_cast<std::ptrdiff_t>(test::below(numbers, values.size())));
}
} // namespace

parameters random_machine(std::uint32_t seed, unsigned percent) {
    std::mt19937 numbers(seed);
    const auto pick = [&](unsigned end) { return test::below(numbers, end); };
    parameters result;
    result.arch = pick(100) < 60 ? architecture::blackhole : architecture::wormhole;
    if (seed % 8 == 0 || percent == 0) return result;
    const auto perhaps = [&](auto& parameter, unsigned least, unsigned most) {
        using type = std::remove_reference_t<decltype(parameter)>;
        if (pick(100) < percent) parameter = static_cast<type>(least + pick(most - least + 1));
    };
    perhaps(result.latency_load, 1, 4);
    perhaps(result.latency_simple, 1, 4);
    perhaps(result.latency_mad, 1, 6);
    perhaps(result.latency_round, 1, 4);
    perhaps(result.latency_swap, 2, 5);
    perhaps(result.latency_shuffle, 2, 5);
    perhaps(result.sfpu_issue_width, 1, 2);
    perhaps(result.sfpu_mad_units, 1, 2);
    perhaps(result.sfpu_write_port_rule, 0, 1);
    perhaps(result.sfpu_auto_stall, 0, 2);
    perhaps(result.dst_load_ports, 1, 2);
    perhaps(result.dst_store_ports, 1, 2);
    perhaps(result.dst_store_load_visible, 0, 3);
    perhaps(result.dst_store_load_warn, 0, 3);
    perhaps(result.macro_slots, 1, 32);
    perhaps(result.macro_firing_entry_outstanding, 0, 1);
    perhaps(result.macro_delay_kind_scope, 0, 1);
    perhaps(result.macro_count, 1, 8);
    perhaps(result.macro_templates, 1, 8);
    perhaps(result.macro_delay_bits, 1, 5);
    perhaps(result.macro_config_distance, 0, 6);
    perhaps(result.front_end.fifo_depth, 1, 40);
    perhaps(result.front_end.push_width, 1, 8);
    perhaps(result.front_end.replay_fifo_depth, 1, 16);
    perhaps(result.front_end.gate_fifo_depth, 1, 8);
    perhaps(result.front_end.replay_start_cycles, 0, 4);
    if (pick(100) < percent) result.sfpu_lreg12_default = 0x37800000u;
    if (pick(100) < percent) {
        std::array<unsigned, 5> order{0, 1, 2, 3, 4};
        result.sfpu_write_order = 0;
        for (unsigned left = 5; left != 0; --left) {
            std::swap(order[pick(left)], order[left - 1]);
            result.sfpu_write_order |= order[left - 1] << (4 * (left - 1));
        }
    }
    if (!result.problems().empty()) result.front_end = {};
    return result;
}

// --- state -------------------------------------------------------------------------------------------------

std::uint32_t random_trials::value() {
    static constexpr std::array<std::uint32_t, 16> special{
        0,           0x80000000u, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u,
        0x7fc00000u, 0xffffffffu, 0x00800000u, 0x007fffffu, 0x80000001u, 1,
        0x40490fdbu, 0x7f7fffffu, 0x3f000000u, 0x0000ffffu};
    switch (pick(4)) {
    case 0: return special[pick(special.size())];
    case 1: return pick(64);
    case 2: return 0x3c000000u + static_cast<std::uint32_t>(numbers_()) % 0x06000000u + (pick(2) << 31);
    default: return static_cast<std::uint32_t>(numbers_());
    }
}

void random_trials::fill_state() {
    unit_state& state = trial_.start;
    state = {};
    for (unsigned number = 0; number < 8; ++number)
        for (std::uint32_t& lane : state.lreg[number]) lane = value();
    for (unsigned lane = 0; lane < lanes_of_register; ++lane) {
        state.lreg[8][lane] = 0x3f56594bu;
        state.lreg[10][lane] = 0x3f800000u;
        state.lreg[11][lane] = 0xbf800000u;
        state.lreg[12][lane] = trial_.around.lreg12_default;
        state.lreg[13][lane] = 0xbf2cc4c7u;
        state.lreg[14][lane] = 0xbeb08ff9u;
        state.lreg[15][lane] = 2 * lane;
        state.lreg[l16][lane] = value();
        state.random[lane] = static_cast<std::uint32_t>(numbers_());
        state.shuffled[lane] = value();
    }
    for (unsigned row = 0; row < 32; ++row)
        for (std::uint16_t& cell : state.dst[row]) cell = static_cast<std::uint16_t>(numbers_());
    has_flags_ = chance(50);
    if (has_flags_) {
        state.lanes.flags = static_cast<std::uint32_t>(numbers_());
        state.lanes.use_flags = 0xffffffffu;
        state.lanes.size = pick(3);
        for (unsigned i = 0; i < state.lanes.size; ++i)
            state.lanes.stack[i] = {static_cast<std::uint32_t>(numbers_()), 0xffffffffu};
    }
    if (chance(8)) state.config.lane.fill(1u << one_of(numbers_, {0, 1, 2, 4, 5, 6, 7, 8, 12, 13}));
    if (chance(2))
        for (std::uint32_t& column : state.config.lane) column = pick(2) << one_of(numbers_, {6, 8, 15});
    state.counters.dst = chance(50) ? 0 : chance(90) ? 2 * pick(4) : 1016 + pick(8);
    state.counters.dst_cr = chance(80) ? state.counters.dst : 2 * pick(4);
    if (chance(20)) state.counters.sp = pick(8);
}

// --- words -------------------------------------------------------------------------------------------------

unsigned random_trials::lreg() { return chance(90) ? (first_register_ + pick(registers_)) % 8 : pick(8); }
unsigned random_trials::source() { return chance(12) ? 8 + pick(8) : lreg(); }

std::uint32_t random_trials::fields(unsigned code, unsigned imm12, unsigned c, unsigned d,
                                    unsigned modifier) const {
    return code << 24 | (imm12 & 0xfffu) << 12 | c << 8 | d << 4 | modifier;
}

std::uint32_t random_trials::access(unsigned code) {
    unsigned mode = one_of(numbers_, {0, 1, 2, 3, 4, 4, 4, 6, 6, 8, 9, 12, 14, 15});
    if (chance(15)) mode = pick(16);
    const unsigned modifier = chance(25) ? 1 + pick(2) : 0;
    return code << 24 | lreg() << 20 | mode << 16 | modifier << (blackhole() ? 13 : 14) | 2 * pick(3);
}

std::uint32_t random_trials::load_immediate() {
    const unsigned mode = one_of(numbers_, {8, 10, 8, 10, 8, 10, 0, 1, 2, 4});
    return 0x71000000u | lreg() << 20 | mode << 16 | value() % 0x10000u;
}

std::uint32_t random_trials::mad() {
    switch (pick(12)) {
    case 0: return 0x75000000u | value() % 0x10000u << 8 | lreg() << 4 | (chance(20) ? 2u : 0);
    case 1: return 0x74000000u | value() % 0x10000u << 8 | lreg() << 4 | (chance(20) ? 8u : 0);
    case 2: return 0x73000000u | lreg() << 20 | (chance(50) ? 4u : 0) << 16;
    case 3: {
        const unsigned modifier = one_of(numbers_, {0, 2, 3, 4, 6, 10});
        return 0x95000000u | modifier << 16 | lreg() << 4 | modifier;
    }
    case 4:
        if (blackhole()) return 0x98000000u | lreg() << 16 | lreg() << 12 | 9u << 8 | lreg() << 4 | pick(2);
        break;
    default: break;
    }
    unsigned modifier = chance(60) ? 0 : pick(4);
    if (chance(10)) modifier = pick(16);
    return one_of(numbers_, {0x84, 0x85, 0x86}) << 24 | source() << 16 | source() << 12 | source() << 8 |
           lreg() << 4 | modifier;
}

std::uint32_t random_trials::simple() {
    const unsigned imm12 = chance(50) ? pick(32) : value() & 0xfffu;
    const unsigned modifier = chance(15) ? pick(16) : pick(2);
    switch (pick(13)) {
    case 0: return fields(op_iadd, imm12, source(), lreg(), 4 + pick(3));
    case 1: return fields(op_shft, imm12, source(), lreg(), one_of(numbers_, {0, 1, 2, 3, 5, 7}));
    case 2: return fields(op_and, lreg(), source(), lreg(), modifier);
    case 3: return fields(op_or, lreg(), source(), lreg(), modifier);
    case 4: return fields(op_xor, 0, source(), lreg(), 0);
    case 5: return fields(op_not, 0, source(), lreg(), 0);
    case 6: return fields(op_setsgn, imm12, source(), lreg(), modifier);
    case 7: return fields(op_setexp, imm12, source(), lreg(), pick(4));
    case 8: return fields(op_setman, imm12, source(), lreg(), modifier);
    case 9: return fields(op_exman, 0, source(), lreg(), modifier);
    case 10: return fields(op_divp2, imm12, source(), lreg(), modifier);
    case 11: return fields(op_mov, 0, source(), lreg(), one_of(numbers_, {0, 0, 1, 2}));
    default:
        if (blackhole() && chance(30)) return fields(op_arecip, lreg(), source(), lreg(), pick(2));
        return fields(chance(50) ? op_abs : op_lz, 0, source(), lreg(), chance(50) ? 0 : 4);
    }
}

std::uint32_t random_trials::flag_writer() {
    switch (pick(blackhole() ? 9 : 6)) {
    case 0: return fields(op_iadd, pick(16), source(), lreg(), pick(16));
    case 1: return fields(op_exexp, 0, source(), lreg(), one_of(numbers_, {2, 8, 10, 3}));
    case 2: return fields(op_lz, 0, source(), lreg(), one_of(numbers_, {2, 6, 8, 10}));
    case 3: return fields(op_compc, 0, 0, 0, 0);
    case 6:
    case 7: return fields(chance(50) ? op_gt : op_le, 0, source(), lreg(), pick(16));
    case 8: return fields(op_popc, 0, 0, 0, 1 + pick(15));
    default: return fields(op_setcc, pick(2), source(), 0, one_of(numbers_, {0, 2, 4, 6, 1, 8}));
    }
}

std::uint32_t random_trials::round() {
    unsigned modifier = pick(8);
    if (modifier == 4 || modifier == 5) modifier += chance(50) ? 8 : 0;
    return fields(op_stochrnd, 0, source(), lreg(), modifier) | pick(blackhole() ? 3 : 2) << 21 |
           pick(32) << 16 | lreg() << 12;
}

std::uint32_t random_trials::swap() { return fields(op_swap, 0, lreg(), lreg(), chance(40) ? 0 : pick(10)); }

std::uint32_t random_trials::shuffle() {
    switch (pick(5)) {
    case 0: return fields(op_transp, 0, 0, 0, 0);
    case 1: return fields(op_shft2, lreg(), source(), lreg(), 5);
    case 2: return fields(op_shft2, value() & 0xfffu, 0, lreg(), 6);
    default: return fields(op_shft2, 0, source(), lreg(), pick(5));
    }
}

std::uint32_t random_trials::random_number() {
    switch (pick(3)) {
    case 0: return fields(op_cast, 0, source(), lreg(), chance(60) ? 1 : pick(4));
    case 1: return fields(op_mov, 0, 9, lreg(), 8);
    default: return fields(op_stochrnd, 0, source(), lreg(), pick(2)) | 1u << 21;
    }
}

/// SFPCONFIG, or SFPMOV that reads configuration. From L0 the immediate is 0, since larger machines take an
/// extended index from it, and Misc gets the bits only that the chips have.
std::uint32_t random_trials::configure() {
    const auto config = [&](unsigned imm16, unsigned to, unsigned modifier) {
        return 0x91000000u | imm16 << 8 | to << 4 | modifier;
    };
    switch (pick(trial_.has_macros ? 4 : 6)) {
    case 0:
        return config(pick(2) ? pick(0x1000) : one_of(numbers_, {0, 0xf00, 0x0f2, 0xff4}), 8,
                      one_of(numbers_, {1, 1, 3, 5, 7}));
    case 1: return chance(50) ? config(value() % 0x10000u, 4 + pick(4), 1) : config(0, pick(8), 0);
    case 2: return fields(op_mov, 0, pick(16), lreg(), 8);
    case 3: return config(0, 11 + pick(4), chance(70) ? 0 : 1);
    case 4: return config(1u << one_of(numbers_, {0, 1, 2, 6, 7, 8, 12}), 15, one_of(numbers_, {1, 3, 7}));
    default: return config(chance(50) ? 0 : value() % 0x10000u, 15, chance(50) ? 1 : 9);
    }
}

/// An instruction with VD of 12 or more: a template, unless the backdoor is closed.
std::uint32_t random_trials::template_write() {
    const unsigned number = pick(4);
    const std::uint32_t chosen = template_of(number == 3 ? pick(3) : number);
    const unsigned shift = chosen >> 24 == op_lut ? 20 : 4;
    return (chosen & ~(15u << shift)) | (12 + number) << shift;
}

std::uint32_t random_trials::front_end() {
    if (chance(30)) return 0x37000000u | pick(16) << 18 | 2 * pick(4) << 14 | 4u;
    return 0x38000000u | (chance(30) ? 4u : 0) << 18 | 2 * pick(4) << 14;
}

std::uint32_t random_trials::word() {
    const unsigned kind = pick(100);
    if (trial_.has_macros && kind < 22) return load_macro();
    if (kind < 10) return access(op_load);
    if (kind < 20) return access(op_store);
    if (kind < 28) return load_immediate();
    if (kind < 48) return mad();
    if (kind < 63) return simple();
    if (kind < 71 && has_flags_) return flag_writer();
    if (kind < 75) return round();
    if (kind < 81) return swap();
    if (kind < 87) return shuffle();
    if (kind < 91) return random_number();
    if (kind < 93) return configure();
    if (kind < 94) return template_write();
    if (kind < 96) return front_end();
    return no_operation;
}

/// v_if, perhaps with v_else, as compilers make them.
void random_trials::add_branches(unsigned depth) {
    std::vector<std::uint32_t>& words = trial_.words;
    const auto body = [&] {
        for (unsigned i = pick(3); i != 0; --i) words.push_back(word());
        if (depth < 3 && chance(30)) add_branches(depth + 1);
    };
    words.push_back(fields(op_pushc, 0, 0, 0, 0));
    words.push_back(fields(op_setcc, 0, source(), 0, one_of(numbers_, {0, 2, 4, 6})));
    body();
    if (chance(50)) {
        words.push_back(fields(op_compc, 0, 0, 0, 0));
        body();
    }
    words.push_back(fields(op_popc, 0, 0, 0, 0));
}

/// Words that REPLAY records, and plays once or twice.
void random_trials::add_replay() {
    const unsigned start = pick(32), length = 1 + pick(4);
    const auto replay = [&](unsigned flags) { return 0x04000000u | start << 14 | length << 4 | flags; };
    trial_.words.push_back(replay(chance(50) ? 3 : 1));
    for (unsigned i = 0; i < length; ++i) trial_.words.push_back(word());
    for (unsigned i = 1 + pick(2); i != 0; --i) trial_.words.push_back(replay(0));
}

// --- macros ------------------------------------------------------------------------------------------------

std::uint32_t random_trials::template_of(unsigned unit) {
    switch (unit) {
    case 0: return chance(20) ? flag_writer() : chance(15) ? swap() : chance(15) ? random_number() : simple();
    case 1: return mad();
    default: return chance(50) ? round() : fields(op_shft2, lreg(), source(), lreg(), 3 + pick(3));
    }
}

void random_trials::fill_macros() {
    macro_memory macro;
    const std::array<unsigned, 4> kinds{0, 1, 2, pick(3)};
    for (unsigned i = 0; i < 4; ++i) macro.templates[i] = template_of(kinds[i]);
    for (std::uint32_t& sequence : macro.sequences) {
        for (unsigned unit = 0; unit < 4; ++unit) {
            if (chance(45)) continue;
            const unsigned selector = unit == 3                        ? 3
                                      : chance(5)                      ? 2
                                      : kinds[3] == unit && chance(40) ? 7
                                                                       : 4 + unit;
            const unsigned delay = chance(85) ? pick(4) : pick(8);
            sequence |= (pick(4) << 6 | delay << 3 | selector) << (8 * unit);
        }
    }
    macro.misc =
        one_of(numbers_, {0x0, 0xf, 0xf, 0x5, 0x8}) << 8 | pick(16) << 4 | one_of(numbers_, {2, 3, 4, 6});
    trial_.start.config.macro.fill(macro);
}

std::uint32_t random_trials::load_macro() {
    const unsigned mode = one_of(numbers_, {2, 3, 4, 4, 6, 0});
    const unsigned modifier = chance(30) ? 1 : 0;
    return 0x93000000u | pick(4) << 22 | pick(4) << 20 | mode << 16 | modifier << (blackhole() ? 13 : 14) |
           2 * pick(6) | pick(2);
}

trial random_trials::next(const parameters& machine, bool has_macros) {
    trial_ = {};
    trial_.machine = machine;
    trial_.has_macros = has_macros;
    trial_.around.arch = machine.arch;
    trial_.around.lreg12_default = machine.sfpu_lreg12_default;
    trial_.around.address_modifiers[1] = 2;
    trial_.around.address_modifiers[2] = static_cast<std::uint16_t>(chance(50) ? 4 : 0x402);
    trial_.around.modifier_base = blackhole() ? 0 : pick(2);
    trial_.around.address_modifiers[5] = 6;
    trial_.around.address_modifiers[6] = 0x800;
    if (chance(10)) trial_.around.math_offset = 16 * pick(4);
    if (chance(10)) trial_.around.dst_base = pick(8);
    if (chance(10)) trial_.around.stack_base = pick(4);
    if (chance(20)) trial_.around.stack_increment = pick(4);
    trial_.around.fp32_enabled = chance(20);
    trial_.around.srcb_format = chance(50) ? 5 : 1;
    registers_ = 2 + pick(6);
    first_register_ = pick(8);
    fill_state();
    if (has_macros) fill_macros();
    const std::size_t length = chance(60) ? 2 + pick(6) : 6 + pick(22);
    while (trial_.words.size() < length) {
        const unsigned kind = pick(100);
        if (kind < 5 && has_flags_ && !has_macros) add_branches(0);
        else if (kind < 8 && !has_macros) add_replay();
        else trial_.words.push_back(word());
    }
    if (has_macros)
        for (unsigned i = 0; i < 10; ++i) trial_.words.push_back(no_operation);
    if (chance(25))
        for (std::size_t i = 0; i < trial_.words.size(); ++i)
            trial_.idle.push_back(chance(30) ? 1 + pick(3) : 0);
    return trial_;
}

} // namespace sfpu::oracle
