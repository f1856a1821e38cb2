#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <cstddef>

namespace sfpu::isa {
namespace {

constexpr std::uint32_t field(std::uint32_t word, unsigned shift, unsigned width) {
    return (word >> shift) & ((1u << width) - 1u);
}

/// Opcodes of the other Tensix units (unpackers, matrix unit, packers, scalar unit, synchronisation, configuration).
constexpr std::uint8_t other_units[] = {
    0x01, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
    0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x30, 0x31, 0x32,
    0x33, 0x34, 0x35, 0x36, 0x39, 0x3a, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x49, 0x4a, 0x4b,
    0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x60, 0x61,
    0x62, 0x63, 0x64, 0x66, 0x67, 0x68, 0xa0, 0xa1, 0xa7, 0xb0, 0xb1, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7};
/// New on Blackhole: MOVDBGB2D and CFGSHIFTMASK.
constexpr std::uint8_t blackhole_other_units[] = {0x0c, 0xb8};

template <std::size_t N>
constexpr bool contains(const std::uint8_t (&opcodes)[N], std::uint8_t opcode) {
    for (std::uint8_t candidate : opcodes)
        if (candidate == opcode) return true;
    return false;
}

} // namespace

const char* to_string(sub_unit unit) {
    switch (unit) {
    case sub_unit::simple: return "simple";
    case sub_unit::mad: return "mad";
    case sub_unit::round: return "round";
    case sub_unit::store: return "store";
    case sub_unit::load: return "load";
    case sub_unit::front_end: return "front-end";
    }
    return "?";
}

bool is_other_unit(std::uint8_t opcode, architecture arch) {
    return contains(other_units, opcode) ||
           (describe(arch).has_compare_and_estimate && contains(blackhole_other_units, opcode));
}

word_kind classify(std::uint32_t word, architecture arch) {
    const auto opcode = static_cast<std::uint8_t>(word >> 24);
    if (const row* op = find_row(opcode, arch))
        return op->unit == sub_unit::front_end ? word_kind::front_end : word_kind::sfpu;
    return is_other_unit(opcode, arch) ? word_kind::other_unit : word_kind::no_instruction;
}

latency_class latency_of(const row& op, unsigned mod) {
    return op.opcode == opcode::sfpshft2 && mod >= 2 && mod <= 4 ? latency_class::shuffle : op.latency;
}

void refresh(instruction& insn, architecture arch) {
    insn.flags = static_cast<std::uint8_t>(insn.flags & (is_scheduled | writes_no_flags));
    if (insn.op->has_backdoor && insn.vd >= 12 && !insn.scheduled()) insn.flags |= names_a_template;
    insn.use = insn.op->use(insn, arch);
    if (insn.use.results() != 0) insn.flags |= writes_lreg;
    insn.latency = latency_of(*insn.op, insn.mod);
    if (insn.latency == latency_class::none) insn.flags |= has_no_effect;
    const bool loads = insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro);
    if (loads && insn.vd < general_lregs && insn.mod != dst_mode::zero && insn.mod != dst_mode::int32_all)
        insn.flags |= is_plain_load;
    insn.status = insn.op->defined(insn, arch);
}

instruction decode(std::uint32_t word, const word_encoding& words) {
    const architecture arch = words.arch;
    instruction insn;
    insn.word = word;
    const row* op = find_row(static_cast<std::uint8_t>(word >> 24), arch);
    insn.op = op ? op : find_row(opcode::nop, arch);
    insn.unit = insn.op->unit;
    switch (insn.op->format) {
    case layout::mod0_address:
        insn.vd = static_cast<std::uint8_t>(field(word, 20, 4));
        insn.mod = static_cast<std::uint8_t>(field(word, 16, 4));
        insn.addr_mod = static_cast<std::uint8_t>(field(word, addr_mod_shift(arch), addr_mod_width(arch)));
        insn.imm10 = static_cast<std::uint16_t>(field(word, 0, 10));
        if (insn.is(opcode::sfploadmacro)) { // VD is three bits: two at 21:20, the upper one at 0
            insn.macro_index = static_cast<std::uint8_t>(macro_index_of(word, words.wide_macro_index()));
            insn.vd = static_cast<std::uint8_t>(field(word, 20, 2) | field(word, 0, 1) << 2);
        }
        break;
    case layout::mod0_imm16:
        insn.vd = static_cast<std::uint8_t>(field(word, 20, 4));
        insn.mod = static_cast<std::uint8_t>(field(word, 16, 4));
        insn.imm = static_cast<std::int32_t>(field(word, 0, 16));
        break;
    case layout::imm16:
        insn.imm = static_cast<std::int32_t>(field(word, 8, 16));
        insn.vd = static_cast<std::uint8_t>(field(word, 4, 4));
        insn.mod = static_cast<std::uint8_t>(field(word, 0, 4));
        break;
    case layout::imm12:
    case layout::stochrnd:
        insn.va = static_cast<std::uint8_t>(field(word, 16, 4));
        insn.vb = static_cast<std::uint8_t>(field(word, 12, 4));
        insn.vc = static_cast<std::uint8_t>(field(word, 8, 4));
        insn.vd = static_cast<std::uint8_t>(field(word, 4, 4));
        insn.mod = static_cast<std::uint8_t>(field(word, 0, 4));
        if (insn.op->format == layout::imm12) {
            insn.imm = static_cast<std::int32_t>(word << 8) >> 20;
        } else {
            insn.rounding = static_cast<std::uint8_t>(field(word, 21, 2));
            insn.imm = static_cast<std::int32_t>(field(word, 16, 5));
        }
        break;
    case layout::front_end: break;
    }
    const bool use_vb =
        describe(arch).has_use_vb && (insn.mod & 1) && (insn.is(opcode::sfpand) || insn.is(opcode::sfpor));
    if (insn.op->implicit_vb && !use_vb) insn.vb = insn.vd;
    if (insn.op->implicit_vc) insn.vc = insn.vd;
    refresh(insn, arch);
    return insn;
}

} // namespace sfpu::isa
