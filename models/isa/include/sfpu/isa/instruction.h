// A decoded instruction and the table row that describes it.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/registers.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sfpu::isa {

struct execution;
struct instruction;

/// The five sub-units that can work at the same time, and the front end.
enum class sub_unit : std::uint8_t { simple, mad, round, store, load, front_end };
constexpr unsigned scheduled_units = 4; ///< simple, mad, round and store take scheduled instructions
const char* to_string(sub_unit unit);

/// Which timing rule gives an instruction its latency.
enum class latency_class : std::uint8_t {
    none,    ///< no effect: SFPNOP, NOP
    one,     ///< commits at the end of its cycle (T2)
    mad,     ///< visible two cycles later (T3)
    swap,    ///< SFPSWAP: reads twice, writes at the end of its second cycle (T8)
    shuffle, ///< SFPSHFT2 modes 2 to 4: reads once, writes at the end of its second cycle (T8)
};

/// How a word is cut into fields.
enum class layout : std::uint8_t {
    mod0_address, ///< VD 23:20, Mod0 19:16, AddrMod, Dst address: SFPLOAD, SFPSTORE, SFPLUT, SFPLOADMACRO
    mod0_imm16,   ///< VD 23:20, Mod0 19:16, Imm16 15:0: SFPLOADI
    imm16,        ///< Imm16 23:8, VD 7:4, Mod1 3:0: SFPADDI, SFPMULI, SFPCONFIG
    imm12,        ///< Imm12 23:12 (VA 19:16, VB 15:12), VC 11:8, VD 7:4, Mod1 3:0: all others
    stochrnd,     ///< rounding 22:21, Imm5 20:16, VB 15:12, VC 11:8, VD 7:4, Mod1 3:0
    front_end,    ///< operands as the row lists them
};

/// The registers that an instruction depends on and changes.
struct register_use {
    register_set reads = 0;       ///< what the mode reads, constants included
    register_set seen_reads = 0;  ///< what the stall logic believes it reads (T16): L0 to L7 only
    register_set writes = 0;      ///< what it writes; SFPCONFIG may write programmable constants
    register_set seen_writes = 0; ///< what the stall logic believes it writes: L0 to L7 only

    /// What it writes as a result, through write-back: L0 to L7 and L16. SFPCONFIG writes constants by
    /// itself.
    register_set results() const { return writes & result_registers; }
};

using execute_function = void (*)(execution&, const instruction&);
using use_function = register_use (*)(const instruction&, architecture);

/// One operand of the assembly form: where it stands in the word and how it is written.
enum class operand_kind : std::uint8_t {
    lreg,          ///< L0..L15 or a constant's name
    number,        ///< unsigned
    signed_number, ///< two's complement in the field; unsigned values that fit are accepted too
    mode,          ///< a named or numbered modifier
    addr_mod,      ///< ADDR_MOD_n
    config_dest,   ///< destination of SFPCONFIG
    macro,         ///< macro index (SFPLOADMACRO)
    split_lreg,    ///< LReg of SFPLOADMACRO, split over bits 21:20 and 0
    macro_dst,     ///< Dst address of SFPLOADMACRO; bit 0 belongs to the register
};
struct operand {
    const char* name;
    operand_kind kind;
    std::uint8_t shift; ///< position in the word; for addr_mod that of the architecture
    std::uint8_t width; ///< bits
};

struct mode_name {
    std::uint8_t value;
    const char* name;
};

/// Whether and how the documentation defines an (opcode, modifier) pair.
enum class definition : std::uint8_t { defined, non_contractual, undefined };
using definition_function = definition (*)(const instruction&, architecture);

/// What is said of one modifier of an opcode.
struct mode_description {
    std::string text;           ///< semantics in one line
    const char* page = nullptr; ///< page of the ISA documentation, if not the one of the row
    unsigned ignored_bits = 0;  ///< bits of the modifier that are set and have no meaning
};
using describe_function = mode_description (*)(unsigned mod, architecture);

constexpr unsigned max_operands = 6;

/// One row of the instruction table: everything that is known about one opcode.
struct row {
    std::uint8_t opcode;
    const char* mnemonic;
    const char* page; ///< page of the ISA documentation
    bool on_wormhole; ///< every opcode exists on Blackhole
    bool one_page;    ///< the page in the Wormhole tree describes both chips
    sub_unit unit;
    latency_class latency; ///< of the common modes; see latency_of()
    layout format;
    bool has_backdoor; ///< VD of 12 and above writes an instruction template instead
    bool implicit_vb;  ///< VB is VD unless a macro says otherwise
    bool implicit_vc;  ///< VC is VD unless a macro says otherwise
    operand operands[max_operands];
    const mode_name* modes;     ///< terminated by a null name; may be null
    const char* text;           ///< semantics in one line
    describe_function describe; ///< semantics of each modifier; null if there is none
    use_function use;
    definition_function defined;
    execute_function execute;
};

/// Flags of instruction::flags.
enum instruction_flag : std::uint8_t {
    is_scheduled = 1,     ///< placed by an SFPLOADMACRO
    names_a_template = 2, ///< issued with a VD of 12 and above
    writes_lreg = 4,      ///< uses the write port of the LRegs (T9)
    has_no_effect = 8,    ///< SFPNOP and NOP
    is_plain_load = 16, ///< SFPLOAD or SFPLOADMACRO that writes its enabled lanes of a register from a slice
};

/// A decoded word. Cheap to copy: it is what macro slots hold.
struct instruction {
    const row* op = nullptr;
    std::uint32_t word = 0;
    std::int32_t imm = 0; ///< Imm12 sign-extended; Imm16 or Imm5 unsigned
    std::uint8_t va = 0, vb = 0, vc = 0, vd = 0;
    std::uint8_t mod = 0; ///< Mod0 or Mod1
    std::uint8_t addr_mod = 0;
    std::uint8_t macro_index = 0;
    std::uint8_t rounding = 0;
    std::uint16_t imm10 = 0; ///< Dst address field
    sub_unit unit = sub_unit::load;
    latency_class latency = latency_class::none;
    definition status = definition::defined;
    std::uint8_t flags = 0;
    register_use use;

    bool scheduled() const { return flags & is_scheduled; }
    bool is(std::uint8_t opcode) const { return op->opcode == opcode; }
    /// Whether this word would write an instruction template through the backdoor, LaneConfig permitting.
    bool names_template() const { return flags & names_a_template; }
};

/// Opcodes that the rules name.
namespace opcode {
constexpr std::uint8_t mop = 0x01, nop = 0x02, mop_cfg = 0x03, replay = 0x04, setrwc = 0x37, incrwc = 0x38;
constexpr std::uint8_t sfpload = 0x70, sfploadi = 0x71, sfpstore = 0x72, sfplut = 0x73, sfpmuli = 0x74,
                       sfpaddi = 0x75;
constexpr std::uint8_t sfpdivp2 = 0x76, sfpexexp = 0x77, sfpexman = 0x78, sfpiadd = 0x79, sfpshft = 0x7a;
constexpr std::uint8_t sfpsetcc = 0x7b, sfpmov = 0x7c, sfpabs = 0x7d, sfpand = 0x7e, sfpor = 0x7f,
                       sfpnot = 0x80;
constexpr std::uint8_t sfplz = 0x81, sfpsetexp = 0x82, sfpsetman = 0x83, sfpmad = 0x84, sfpadd = 0x85,
                       sfpmul = 0x86;
constexpr std::uint8_t sfppushc = 0x87, sfppopc = 0x88, sfpsetsgn = 0x89, sfpencc = 0x8a, sfpcompc = 0x8b;
constexpr std::uint8_t sfptransp = 0x8c, sfpxor = 0x8d, sfpstochrnd = 0x8e, sfpnop = 0x8f, sfpcast = 0x90;
constexpr std::uint8_t sfpconfig = 0x91, sfpswap = 0x92, sfploadmacro = 0x93, sfpshft2 = 0x94,
                       sfplutfp32 = 0x95;
constexpr std::uint8_t sfple = 0x96, sfpgt = 0x97, sfpmul24 = 0x98, sfparecip = 0x99;
constexpr std::uint8_t atgetm = 0xa0, atrelm = 0xa1, stallwait = 0xa2, seminit = 0xa3, sempost = 0xa4,
                       semget = 0xa5, semwait = 0xa6, setc16 = 0xb2;
} // namespace opcode

} // namespace sfpu::isa
