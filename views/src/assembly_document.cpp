#include <sfpu/views/assembly_document.h>

#include "page_parts.h"

#include <sfpu/analysis/thread_settings.h>

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/data_type.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

constexpr const char* assembly_introduction = R"(# Assembly

`sfpusim info --assembly --markdown` writes this page up to *How data stand in Dst*, and a test keeps it current.

The language of `.s` files, which `run`, `schedule`, `lint`, `equiv`, `optimize` and `asm` read. `asm` writes the words,
`disasm` writes assembly that gives the same words again. What instructions do is in [isa.md](isa.md).

A kernel that adds two tensors, for both chips:

```asm
; sum = a + b
.rows 32
.input a, 0x00, i32
.input b, 0x40, i32
.output sum, 0x80, i32

.init
.ifarch bh
    .equ step, ADDR_MOD_6
    .equ stay, ADDR_MOD_7
    setc16      34, 2               ; ADDR_MOD_6: Dst += 2
    setc16      35, 0               ; ADDR_MOD_7: stay
.endif
.ifarch wh
    .equ step, ADDR_MOD_2
    .equ stay, ADDR_MOD_3
    setc16      2, 1                ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2
    setc16      30, 0
.endif

.loop
    sfpload     L0, INT32, stay, a
    sfpload     L1, INT32, stay, b
    sfpiadd     0, L0, L1, CC_NONE
    sfpstore    L1, INT32, step, sum
```

## Lines

One instruction or directive a line. `;`, `#` and `//` begin a comment. Instructions and directives may be written in upper
case; names are exact. A mistake is reported with file, line and column, what was found and what was expected, and all of
them at once.

## Sections

`.init` is issued once, `.loop R` once for every R rows, `.tail` once at the end. A row is 32 elements, one LReg. R is more
than 1 where registers take turns. The rows must be a multiple of R. Words before the first section belong to `.init`, or
to `.loop` if there is no `.loop`: a plain list of instructions runs once a row.

## Gaps

`.gap` says that idle cycles can stand before the next word: there the core pushes the word itself, or begins a REPLAY or a MOP.
Words without it come in the cycle behind the one before them, as from the replay buffer. In front of the first instruction of
`.loop` it is about each iteration. In front of a directive of several words it is about the first. `lint` tries idle cycles where
`.gap` stands and nowhere else, and everywhere in a kernel that has none; other commands issue words without gaps.

```asm
.tail
    .gap
    sfpnop                              ; pushed
    .gap
    sfploadmacro 2, L1, SRCB, ADDR_MOD_7, -2 & 0x3ff    ; the first word of a REPLAY,
    sfpnop                              ; its second, one cycle later
```

## Values

Integers are decimal, `0x` hexadecimal or `0b` binary, of up to 63 bits. The operators are those of C with its precedence:
`|`, `^`, `&`, `<<` `>>`, `+` `-`, `*` `/` `%`, unary `-` `+` `~`, parentheses. A name is a register (`L0` to `L15`, `LREG0` to
`LREG7`, `LCONST_0`, `LCONST_1`, `LCONST_neg1`, `LCONST_0_8373`, `LTILEID`), `ADDR_MOD_0` to `ADDR_MOD_7`, a modifier by its
documented name, what `.equ`, `.input` and `.output` define, or, in its operand, a modifier without its prefix. Arguments out of
range are errors; a signed immediate may also be written as the bits of its field. A modifier of another instruction is an error,
too, since its number means something else here: `SFPLOADI_MOD0_FLOATB` in SFPLOAD is refused with what may be meant, SRCB or BF16.
Integers are divided as in C: 1 / 6 is 0, which gets a remark, and `1.0 / 6` is a real number.

| register | name | holds |
|---|---|---|
| L8 | `LCONST_0_8373` | 0.8373 |
| L9 | `LCONST_0` | 0.0, and the integer 0 |
| L10 | `LCONST_1` | 1.0 |
| L11 | `LCONST_neg1` | -1.0, unless SFPCONFIG has written it |
| L12 to L14 | | what SFPCONFIG has written |
| L15 | `LTILEID` | twice the number of the lane |

A result for L8 to L11 is lost, and so is what SFPSWAP would leave in a VC of L8 to L15: `sfpswap 0, L12, L0, VEC_MIN_MAX` keeps L12. A VD
of L12 to L15 makes a template of the word ([SFPLOADMACRO](sfploadmacro.md#the-four-things-that-must-be-set-up)).

SETC16 N, VALUE sets by how much an address modifier moves Dst on: N is 28 + n for ADDR_MOD_n on Blackhole, 23 + n on Wormhole for
entry n, where ADDR_MOD_0 to ADDR_MOD_3 are the entries 4 to 7 after `setc16 2, 1`. A row is 2.

A number with a point is a real number: `1.5`, `2.0e-3`. `+ - * /` take real numbers, and integers among them become real. SFPADDI,
SFPMULI and SFPLOADI in its modes FLOATB and FLOATA take them as immediates that must be exact; elsewhere they become bits by
`bf16(x)`, `fp16(x)` and `fp32(x)`, which round to nearest, ties to even.

```asm
    sfpaddi     1.5, L0, 0              ; L0 += 1.5
    sfpmuli     bf16(0.1), L0, 0        ; about 0.1
    sfploadi    L1, UPPER, fp32(3.14159265) >> 16
    .constant   L2, 3.14159265          ; all 32 bits, two words
```

`.constant REGISTER, VALUE` takes one SFPLOADI if USHORT, SHORT, FLOATB or FLOATA give the 32 bits, else FLOATB and LOWER. A real
value is rounded to FP32. L11 to L14 are loaded through L0 by SFPCONFIG.

## Data in Dst

`.input NAME, ADDRESS, TYPE` and `.output NAME, ADDRESS, TYPE` say what the kernel works on. ADDRESS is what the address field of
a load of the first row says; row r stands at ADDRESS + 2 r. Names are unique among inputs and among outputs; an output may
have the name and address of an input. [`equiv`](command-line.md) fills inputs with values of their type and compares outputs.

)";

constexpr const char* assembly_macros = R"(
## Macros

What an SFPLOADMACRO schedules is set up by three directives. They stand for the words that set-ups consist of, so that a
kernel with them and one with SFPLOADI and SFPCONFIG have the same words.

```asm
.init
    .template   0, sfpshft2 -23, _, _, SHFT_IMM     ; [x] = [x] >> 23
    .template   1, sfpmul24 L0, _, L9, _, LOWER     ; [x] = low(L0 * [x])
    .macro      0, mad=(template=1, delay=1, vb), round=(template=0, delay=0, vb)
    .macro      1, mad=(template=1, delay=0, vb, l16), store=(delay=2, l16)
    .misc       load_mode=(0, 1), count_instructions=(mad, round, store)
```

`.template N, INSTRUCTION` writes template N. `_` stands where the macro gives the register. In the word it is 0, and as destination
(VD) 12 + N: that VD is the backdoor, which makes a template of the word. Some templates also read the register of that number (L13 for
template 1, for instance); then `L13` may be written for `_`, to show it. Templates 0 to 3 are one word each. Others, and instructions
without a backdoor, take more words and go through L0.

`.macro N, UNIT=(FIELDS), ...` writes sequence N. Units are `simple`, `mad`, `round` and `store`; those that are not named do
nothing. It takes two SFPLOADI of L0, or one if the upper half is 0 and the directive before left a 0 there, and SFPCONFIG.

| field | meaning |
|---|---|
| `template=N` | what is executed: template N. `store` without it is SFPSTORE |
| `nop` | SFPNOP |
| `selector=N` | the number of the selector as it is |
| `delay=N` | it executes N + 1 ticks after the load (T1); 0 unless given |
| `vb` | the loaded register is VB, else VC (T14) |
| `l16` | the result goes to L16; of `store`, L16 is stored |

`.misc FIELD=VALUE, ...` writes all of Misc. A list is in parentheses.

| field | meaning |
|---|---|
| `store_mode=MODE` | the mode of scheduled stores; SRCB unless given |
| `load_mode=(N, ...)` | stores of these macros take the mode of their load instead |
| `count_instructions=(UNIT, ...)` | delays of these sub-units count instructions, those of the others cycles (T10). With `macro.delay_kind_scope=macro` it takes numbers of macros instead |

On machines with more macros, templates or delay bits ([exploration.md](exploration.md#machines-larger-than-the-chips)) the same directives reach them; what the
machine does not have is an error that names the parameter. There `.misc` goes through L0 if there are more than four macros.

## Configuration

`.config KEY, VALUE` sets a parameter of the machine (`sfpusim info --params`), `firmware_start` (`true`: lane flags are in use and
all set, as firmware leaves them), or one of these settings of the thread:

)";

std::string form_operands_text(const isa::instruction_form& form) {
    std::vector<std::string> names;
    for (const auto& operand : form.operands) names.push_back(operand.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string operands_with_values(const isa::instruction_form& form) {
    std::vector<std::string> texts;
    for (const auto& operand : form.operands)
        texts.push_back(operand.values.empty() ? operand.name
                                               : fmt::format("{} ({})", operand.name, operand.values));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string form_modes_text(const isa::instruction_form& form) {
    std::vector<std::string> texts;
    for (const auto& [value, name] : form.modes) texts.push_back(fmt::format("{} {}", value, name));
    return fmt::format("{}", fmt::join(texts, ", "));
}

const char* type_meaning(isa::data_type type) {
    switch (type) {
    case isa::data_type::f32: return "FP32";
    case isa::data_type::bf16: return "BF16";
    case isa::data_type::f16:
        return "FP16; the vector unit knows neither infinities nor subnormal numbers of it";
    case isa::data_type::i32: return "two's complement";
    case isa::data_type::u32: return "unsigned";
    case isa::data_type::sm32: return "sign and 31 bits of magnitude";
    case isa::data_type::i16: return "two's complement";
    case isa::data_type::u16: return "unsigned";
    case isa::data_type::sm16: return "sign and 15 bits of magnitude";
    case isa::data_type::i8: return "sign and 10 bits of magnitude, of which a value uses 8";
    case isa::data_type::u8: return "the same without a sign";
    }
    return "";
}

const char* type_mode(isa::data_type type) {
    switch (type) {
    case isa::data_type::f32: return "FP32";
    case isa::data_type::bf16: return "BF16";
    case isa::data_type::f16: return "FP16";
    case isa::data_type::i32:
    case isa::data_type::u32: return "INT32";
    case isa::data_type::sm32: return "INT32, INT32_SM";
    case isa::data_type::i16:
    case isa::data_type::u16: return "UINT16";
    case isa::data_type::sm16: return "INT16";
    case isa::data_type::i8:
    case isa::data_type::u8: return "INT8, INT8_COMP";
    }
    return "";
}

nlohmann::ordered_json assembly_json() {
    nlohmann::ordered_json directives = nlohmann::ordered_json::array(),
                           instructions = nlohmann::ordered_json::array(),
                           types = nlohmann::ordered_json::array();
    for (const isa::directive_form& form : isa::directive_forms())
        directives.push_back({{"name", form.name}, {"arguments", form.arguments}, {"text", form.text}});
    for (const isa::instruction_form& form : isa::instruction_forms()) {
        nlohmann::ordered_json operands = nlohmann::ordered_json::array(),
                               modes = nlohmann::ordered_json::object();
        for (const auto& operand : form.operands) operands.push_back(operand.name);
        for (const auto& [value, name] : form.modes) modes[name] = value;
        instructions.push_back({{"mnemonic", form.mnemonic},
                                {"opcode", fmt::format("{:02x}", form.opcode)},
                                {"wormhole", form.on_wormhole},
                                {"operands", std::move(operands)},
                                {"modes", std::move(modes)}});
    }
    for (const isa::data_type type : isa::all_data_types) types.push_back(isa::to_string(type));
    return {{"directives", std::move(directives)},
            {"instructions", std::move(instructions)},
            {"types", std::move(types)}};
}

std::vector<std::vector<std::string>> assembly_table() {
    std::vector<std::vector<std::string>> cells{{"name", "operands", "opcode or meaning"}};
    for (const isa::directive_form& form : isa::directive_forms())
        cells.push_back({form.name, form.arguments, form.text});
    for (const isa::instruction_form& form : isa::instruction_forms())
        cells.push_back({form.mnemonic, form_operands_text(form), fmt::format("{:02x}", form.opcode)});
    return cells;
}

} // namespace

page assembly_page() { return make_page(assembly_json(), page_table_text(assembly_table())); }

std::string assembly_markdown() {
    std::string text = assembly_introduction;
    text += markdown_head({"type", "values", "cell", "modes", "NumPy"});
    for (const isa::data_type type : isa::all_data_types)
        text += markdown_line({fmt::format("`{}`", isa::to_string(type)), type_meaning(type),
                               isa::has_wide_cells(type) ? "32 bits" : "16 bits", type_mode(type),
                               fmt::format("`{}`", isa::numpy_name(type))});
    text += assembly_macros;
    text += markdown_head({"key", "value"});
    for (const analysis::thread_setting& setting : analysis::thread_settings())
        text += markdown_line({fmt::format("`{}`", setting.name), expected_values(setting)});
    text += "\n## Directives\n\n" + markdown_head({"directive", "arguments", "meaning"});
    for (const isa::directive_form& form : isa::directive_forms())
        text += markdown_line({fmt::format("`{}`", form.name),
                               *form.arguments ? fmt::format("`{}`", form.arguments) : "", form.text});
    text +=
        "\n## Instructions\n\nOperands in their order: `a`, `b`, `c` are VA, VB and VC, which are read; "
        "behind them stands `dest`, VD, which\nis written and by some read, too. An `imm12` that a mode does "
        "not use is 0. Values are those that the chips take.\n"
        "`addr_mod` is "
        "ADDR_MOD_0 to ADDR_MOD_7 on\nBlackhole and ADDR_MOD_0 to ADDR_MOD_3 on Wormhole; `mode` and "
        "`mod` are 0 to "
        "15, or the names beside them, which may be\ncombined by `|`; `config_dest` is TEMPLATE0 to "
        "TEMPLATE3, "
        "SEQUENCE0 to SEQUENCE3, MISC, L11 to L14, LANECONFIG.\nSFPLOADMACRO also takes the four "
        "operands of the "
        "public macro, SFPNOP three zeros, and `sfp_stoch_rnd` is SFPSTOCHRND.\n\n";
    text += markdown_head({"instruction", "opcode", "operands", "names of the modifier"});
    for (const isa::instruction_form& form : isa::instruction_forms())
        text += markdown_line({fmt::format("`{}`{}", form.mnemonic, form.on_wormhole ? "" : " (Blackhole)"),
                               fmt::format("{:02x}", form.opcode), operands_with_values(form),
                               form_modes_text(form)});
    return text;
}

} // namespace sfpu::views
