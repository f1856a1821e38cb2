#include <sfpu/isa/other_units.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <cstddef>

namespace sfpu::isa {
namespace {

constexpr std::uint32_t field(std::uint32_t word, unsigned shift, unsigned width) {
    return (word >> shift) & ((1u << width) - 1u);
}

constexpr unsigned on_both = 0, on_blackhole = 1;

struct other_unit_row {
    std::uint8_t opcode;
    other_unit_instruction what;
    unsigned where = on_both;
};

constexpr auto matrix = "the Matrix Unit", unpackers = "the unpackers", packers = "the packers";
constexpr auto scalar = "the Scalar Unit", config = "the Configuration Unit", sync = "the Sync Unit";
constexpr auto mover = "the Mover", expanders = "the front end's expanders",
               miscellaneous = "the Miscellaneous Unit";

/// Instructions of the other Tensix units, and those of the front end that never reach the vector unit.
constexpr other_unit_row other_units[] = {
    {0x01, {"MOP", expanders}},
    {0x03, {"MOP_CFG", expanders}},
    {0x04, {"REPLAY", expanders}},
    {0x05, {"RESOURCEDECL", miscellaneous}},
    {0x08, {"MOVD2A", matrix}},
    {0x09, {"MOVDBGA2D", matrix}},
    {0x0a, {"MOVD2B", matrix}},
    {0x0b, {"MOVB2A", matrix}},
    {0x0c, {"MOVDBGB2D", matrix}, on_blackhole},
    {0x10, {"ZEROACC", matrix}},
    {0x11, {"ZEROSRC", matrix}},
    {0x12, {"MOVA2D", matrix}},
    {0x13, {"MOVB2D", matrix}},
    {0x14, {"TRNSPSRCA", matrix}},
    {0x15, {"RAREB", matrix}},
    {0x16, {"TRNSPSRCB", matrix}},
    {0x17, {"SHIFTXA", matrix}},
    {0x18, {"SHIFTXB", matrix}},
    {0x1a, {"SETASHRMH0", matrix}},
    {0x1b, {"SETASHRMH1", matrix}},
    {0x1c, {"SETASHRMV", matrix}},
    {0x1d, {"SETPKEDGOF", matrix}},
    {0x1e, {"SETASHRMH", matrix}},
    {0x21, {"CLREXPHIST", matrix}},
    {0x22, {"CONV3S1", matrix}},
    {0x23, {"CONV3S2", matrix}},
    {0x24, {"MPOOL3S1", matrix}},
    {0x25, {"APOOL3S1", matrix}},
    {0x26, {"MVMUL", matrix}},
    {0x27, {"ELWMUL", matrix}},
    {0x28, {"ELWADD", matrix}},
    {0x29, {"DOTPV", matrix}},
    {0x30, {"ELWSUB", matrix}},
    {0x31, {"MPOOL3S2", matrix}},
    {0x32, {"APOOL3S2", matrix}},
    {0x33, {"GMPOOL", matrix}},
    {0x34, {"GAPOOL", matrix}},
    {0x35, {"GATESRCRST", matrix}},
    {0x36, {"CLEARDVALID", matrix}},
    {0x39, {"SETIBRWC", matrix}},
    {0x3a, {"MFCONV3S1", matrix}},
    {0x40, {"XMOV", mover}},
    {0x41, {"PACR", packers}},
    {0x42, {"UNPACR", unpackers}},
    {0x43, {"UNPACR_NOP", unpackers}},
    {0x44, {"RSTDMA", scalar}},
    {0x45, {"SETDMAREG", scalar}},
    {0x46, {"FLUSHDMA", scalar}},
    {0x48, {"REG2FLOP", scalar}},
    {0x49, {"LOADIND", scalar}},
    {0x4a, {"PACR_SETREG", packers}},
    {0x4b, {"TBUFCMD", miscellaneous}},
    {0x50, {"SETADC", miscellaneous}},
    {0x51, {"SETADCXY", miscellaneous}},
    {0x52, {"INCADCXY", miscellaneous}},
    {0x53, {"ADDRCRXY", miscellaneous}},
    {0x54, {"SETADCZW", miscellaneous}},
    {0x55, {"INCADCZW", miscellaneous}},
    {0x56, {"ADDRCRZW", miscellaneous}},
    {0x57, {"SETDVALID", miscellaneous}},
    {0x58, {"ADDDMAREG", scalar}},
    {0x59, {"SUBDMAREG", scalar}},
    {0x5a, {"MULDMAREG", scalar}},
    {0x5b, {"BITWOPDMAREG", scalar}},
    {0x5c, {"SHIFTDMAREG", scalar}},
    {0x5d, {"CMPDMAREG", scalar}},
    {0x5e, {"SETADCXX", miscellaneous}},
    {0x60, {"DMANOP", scalar}},
    {0x61, {"ATINCGET", scalar}},
    {0x62, {"ATINCGETPTR", scalar}},
    {0x63, {"ATSWAP", scalar}},
    {0x64, {"ATCAS", scalar}},
    {0x66, {"STOREIND", scalar}},
    {0x67, {"STOREREG", scalar}},
    {0x68, {"LOADREG", scalar}},
    {0xa7, {"STREAMWAIT", sync}},
    {0xb0, {"WRCFG", config}},
    {0xb1, {"RDCFG", config}},
    {0xb3, {"RMWCIB0", config}},
    {0xb4, {"RMWCIB1", config}},
    {0xb5, {"RMWCIB2", config}},
    {0xb6, {"RMWCIB3", config}},
    {0xb7, {"STREAMWRCFG", config}},
    {0xb8, {"CFGSHIFTMASK", config}, on_blackhole},
};

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

const other_unit_instruction* find_other_unit(std::uint8_t opcode, architecture arch) {
    for (const other_unit_row& row : other_units)
        if (row.opcode == opcode && (row.where == on_both || describe(arch).has_compare_and_estimate))
            return &row.what;
    return nullptr;
}

bool is_other_unit(std::uint8_t opcode, architecture arch) {
    return find_other_unit(opcode, arch) != nullptr;
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
    insn.flags = static_cast<std::uint8_t>(insn.flags & is_scheduled);
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
