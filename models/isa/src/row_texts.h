// What each opcode does in each of its sixteen modifiers, in one line. The rows of the instruction table name
// these functions, the catalogue (isa_catalogue.h) collects what they say.
//
// The words are those of the table: VA to VD are the registers that the fields name; "flags" are the lane
// flags and "top" the top entry of the flag stack. Modifier bits to which the documentation gives no meaning
// are told apart, see ignoring().
#pragma once

#include <sfpu/isa/instruction.h>

#include <string>
#include <utility>

namespace sfpu::isa::texts {

using said = mode_description;
using arch_t = architecture;

/// The text for a chip. A chip that has none does not compile.
constexpr const char* by_chip(arch_t arch, const char* blackhole, const char* wormhole) {
    switch (arch) {
    case architecture::blackhole: return blackhole;
    case architecture::wormhole: return wormhole;
    }
    __builtin_unreachable();
}

/// The description of a modifier of which only the bits in `known` have a meaning.
inline said ignoring(unsigned mod, unsigned known, said what) {
    what.ignored_bits = mod & ~known;
    return what;
}

// --- load and store sub-units ------------------------------------------------------------------------------

inline const char* load_text(unsigned mod, arch_t arch) {
    switch (mod) {
    case 0:
        return "VD = cell in mode FP32, BF16 or FP16: FP32 if the SFPU runs in 32-bit mode, else by format "
               "number";
    case 1: return "VD = FP16 cell as FP32; the largest pattern is infinity under ENABLE_FP16A_INF";
    case 2: return "VD = BF16 cell as FP32";
    case 3: return "VD = 32-bit cell, FP32 or sign-magnitude integer";
    case 4: return "VD = 32-bit cell, FP32 or sign-magnitude integer";
    case 5:
        return by_chip(arch, "VD = integer 8 cell as sign-magnitude integer, 8 bits of magnitude",
                       "VD = integer 8 cell as sign-magnitude integer, 7 bits of magnitude");
    case 6: return "VD = 16-bit cell, zero-extended";
    case 7: return "VD = 16-bit cell << 16";
    case 8: return "VD = integer 16 cell as sign-magnitude integer";
    case 9: return "VD = 16-bit cell, zero-extended";
    case 10:
        return by_chip(
            arch,
            "VD = 32-bit cell in all lanes, enabled or not; address by Sp, after Sp -= "
            "SFPU_STACK_Incr "
            "unless it is 0",
            "VD = 32-bit cell in all lanes, enabled or not; only bits 1:0 of the Dst counter count");
    case 11: return "VD = 0";
    case 12:
        return by_chip(arch,
                       "VD = 32-bit cell, FP32 or sign-magnitude integer (deprecated: nothing is converted)",
                       "VD = 32-bit sign-magnitude cell as two's complement");
    case 13:
        return by_chip(arch,
                       "VD = integer 8 cell as sign-magnitude integer, 10 bits of magnitude (deprecated)",
                       "VD = integer 8 cell as two's complement, 10 bits of magnitude");
    case 14: return "VD bits 15:0 = 16-bit cell; the upper half stays";
    default: return "VD bits 31:16 = 16-bit cell; the lower half stays";
    }
}
inline said load(unsigned mod, arch_t arch) { return {load_text(mod, arch)}; }
inline said load_macro(unsigned mod, arch_t arch) {
    return {std::string(load_text(mod, arch)) + "; then up to four instructions are scheduled"};
}
inline said load_immediate(unsigned mod, arch_t) {
    switch (mod) {
    case 0: return {"VD = Imm16 << 16, which is FP32 of a BF16 number"};
    case 1: return {"VD = Imm16 as FP16, exponent rebiased, without subnormals, infinities or NaNs"};
    case 2: return {"VD = Imm16, zero-extended"};
    case 4: return {"VD = Imm16, sign-extended"};
    case 8: return {"VD bits 31:16 = Imm16; the lower half stays"};
    case 10: return {"VD bits 15:0 = Imm16; the upper half stays"};
    default: return {"VD stays as it is"};
    }
}
inline const char* store_text(unsigned mod, arch_t arch) {
    switch (mod) {
    case 0:
        return "cell = VD in mode FP32, BF16 or FP16: FP32 if the SFPU runs in 32-bit mode, else by format "
               "number";
    case 1:
        return "16-bit cell = VD as FP16, truncated; too small is signed zero, too large the largest pattern";
    case 2: return "16-bit cell = VD as BF16, truncated; subnormals become signed zero";
    case 3:
        return by_chip(arch, "32-bit cell = VD as FP32; subnormals become signed zero",
                       "32-bit cell = VD, FP32 (subnormals too) or sign-magnitude integer");
    case 4: return "32-bit cell = VD, FP32 or sign-magnitude integer";
    case 5: return "integer 8 cell = sign and low 10 bits of VD";
    case 6: return "16-bit cell = low half of VD";
    case 7: return "32-bit cell = VD as it is, bits not rearranged";
    case 8: return "integer 16 cell = sign and low 15 bits of VD";
    case 9: return "32-bit cell = VD with its halves exchanged, bits not rearranged";
    case 10:
        return by_chip(
            arch,
            "32-bit cell = VD in all lanes, enabled or not; address by Sp, then Sp += "
            "SFPU_STACK_Incr",
            "32-bit cell = VD in all lanes, enabled or not; only bits 1:0 of the Dst counter count");
    case 11: return "16-bit cell = 0";
    case 12:
        return by_chip(arch,
                       "32-bit cell = VD, FP32 or sign-magnitude integer (deprecated: nothing is converted)",
                       "32-bit sign-magnitude cell = VD, two's complement");
    case 13:
        return by_chip(arch, "integer 8 cell = sign and low 10 bits of VD (deprecated: nothing is converted)",
                       "integer 8 cell = VD, two's complement, 10 bits of magnitude");
    case 14: return "16-bit cell = low half of VD";
    default: return "16-bit cell = high half of VD";
    }
}
inline said store(unsigned mod, arch_t arch) { return {store_text(mod, arch)}; }
inline said nop(unsigned mod, arch_t) { return ignoring(mod, 0, {"nothing"}); }

// --- MAD sub-unit ------------------------------------------------------------------------------------------

/// SGN_RETAIN and INDIRECT_VD of the table instructions.
inline std::string table_options(unsigned mod) {
    return std::string(mod & 4 ? "; sign of L3" : "") + (mod & 8 ? "; VD from L7 bits 3:0" : "");
}
/// INDIRECT_VA and INDIRECT_VD.
inline std::string indirection(unsigned mod) {
    return std::string(mod & 4 ? "; VA from L7 bits 3:0" : "") + (mod & 8 ? "; VD from L7 bits 3:0" : "");
}

inline said lut(unsigned mod, arch_t) {
    static constexpr const char* text =
        "VD = a * |L3| + c, 8-bit a and c from L0 if |L3| < 1, from L1 if below 2, else from L2";
    return ignoring(mod, 12, {text + table_options(mod)});
}
inline said mad(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text = std::string("VD = ") + (negates && (mod & 1) ? "-VA" : "VA") + " * VB " +
                             (negates && (mod & 2) ? "- VC" : "+ VC") + indirection(mod);
    return ignoring(mod, negates ? 15 : 12, {text});
}
inline said add_immediate(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text =
        std::string("VD = bf16(Imm16) ") + (negates && (mod & 2) ? "- VD" : "+ VD") + indirection(mod & 8);
    return ignoring(mod, negates ? 10 : 8, {text});
}
inline said multiply_immediate(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text = std::string("VD = bf16(Imm16) * ") + (negates && (mod & 2) ? "-VD" : "VD") +
                             " + 0" + indirection(mod & 8);
    return ignoring(mod, negates ? 10 : 8, {text});
}
inline said lutfp32(unsigned mod, arch_t) {
    const std::string options = table_options(mod);
    if (!(mod & 2))
        return ignoring(
            mod, 12,
            {"VD = a * |L3| + c, FP32 a and c from L0, L4 if |L3| < 1, L1, L5 if below 2, else L2, L6" +
             options});
    if (mod & 8)
        return ignoring(
            mod, 14,
            {"VD = a * |L3| + c, FP16 a and c in the halves of L0 if |L3| < 1, L1 if below 2, else L2" +
             options});
    const std::string cuts = std::string("0.5, 1, 1.5, 2, ") + (mod & 1 ? "4" : "3");
    return {"VD = a * |L3| + c, FP16 a and c from a half of L0, L4 or L1, L5 or L2, L6; |L3| cut at " + cuts +
            options};
}
inline said mul24(unsigned mod, arch_t) {
    return ignoring(mod, 13,
                    {std::string("VD = ") + (mod & 1 ? "upper" : "lower") +
                     " 23 bits of VA * VB, both 23 bits (VC must be L9)" + indirection(mod)});
}

// --- Simple sub-unit ---------------------------------------------------------------------------------------

inline said divp2(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = VC with exponent + Imm8 modulo 256; infinities and NaNs stay"
                             : "VD = VC with exponent Imm8"});
}
/// What an instruction does to the flags that sets them by `condition` (bit 1) and complements them (bit 3).
inline std::string flags_text(unsigned mod, const char* condition, const char* opposite) {
    if (mod & 2) return std::string("; flags = ") + (mod & 8 ? opposite : condition);
    return mod & 8 ? "; flags = !flags" : "";
}
inline said exexp(unsigned mod, arch_t) {
    return ignoring(mod, 11,
                    {(mod & 1 ? "VD = exponent of VC, biased" : "VD = exponent of VC, without bias") +
                     flags_text(mod, "VD < 0", "VD >= 0")});
}
inline said exman(unsigned mod, arch_t) {
    return ignoring(mod, 1, {mod & 1 ? "VD = mantissa of VC" : "VD = mantissa of VC with its hidden bit"});
}
inline said iadd(unsigned mod, arch_t) {
    const char* const sum = mod & 1 ? "VD = VC + Imm12" : mod & 2 ? "VD = VC - VD" : "VD = VC + VD";
    const char* const flags =
        mod & 4 ? (mod & 8 ? "; flags = !flags" : "") : (mod & 8 ? "; flags = VD >= 0" : "; flags = VD < 0");
    return {std::string(sum) + flags};
}
inline said shft(unsigned mod, arch_t arch) {
    const bool immediate = mod & 1;
    const unsigned known = describe(arch).has_shift_of_vc ? (immediate ? 7 : 3) : 1;
    const bool shifts_c = mod & known & 4;
    const char* const kind = mod & known & 2 ? ", right shifts arithmetic" : "";
    return ignoring(mod, known,
                    {std::string(shifts_c ? "VD = VC" : "VD = VD") + " shifted by " +
                     (immediate ? "Imm12" : "VC") + ", left if positive" + kind});
}
inline said setcc(unsigned mod, arch_t) {
    static constexpr const char* conditions[4] = {"VC < 0", "VC != 0", "VC >= 0", "VC == 0"};
    const std::string condition = mod & 8 ? "false" : mod & 1 ? "Imm1" : conditions[mod >> 1];
    return {"flags = " + condition + (mod & 8 ? "" : " where predication is on, else false")};
}
inline said mov(unsigned mod, arch_t) {
    if (mod & 8) {
        static constexpr const char* text =
            "VD = what the VC field names: configuration, random bits (9) or 0";
        if (mod & 3)
            return ignoring(mod, 11, {std::string(text) + "; NEGATE and ALL_LANES_ENABLED have no effect"});
        return ignoring(mod, 11, {text});
    }
    if ((mod & 3) == 2) return ignoring(mod, 11, {"VD = VC in all lanes, enabled or not"});
    return ignoring(mod, 11, {mod & 1 ? "VD = VC with its sign bit flipped" : "VD = VC"});
}
inline said abs(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = |VC|, FP32; a negative NaN stays"
                             : "VD = |VC|, two's complement; the least integer stays"});
}
inline said logic(unsigned mod, arch_t arch, char symbol) {
    const unsigned known = describe(arch).has_use_vb ? 1 : 0;
    const bool own_vb = mod & known;
    return ignoring(mod, known, {std::string("VD = ") + (own_vb ? "VB " : "VD ") + symbol + " VC"});
}
inline said and_(unsigned mod, arch_t arch) { return logic(mod, arch, '&'); }
inline said or_(unsigned mod, arch_t arch) { return logic(mod, arch, '|'); }
inline said not_(unsigned mod, arch_t) { return ignoring(mod, 0, {"VD = ~VC"}); }
inline said xor_(unsigned mod, arch_t) { return ignoring(mod, 0, {"VD = VD ^ VC"}); }
inline said lz(unsigned mod, arch_t) {
    const char* const value =
        mod & 4 ? "VD = leading zeros of VC bits 30:0 as 32-bit number" : "VD = leading zeros of VC";
    return ignoring(mod, 14,
                    {value + (mod & 4 ? flags_text(mod, "VC bits 30:0 != 0", "VC bits 30:0 == 0")
                                      : flags_text(mod, "VC != 0", "VC == 0"))});
}
inline said setexp(unsigned mod, arch_t) {
    return ignoring(mod, 3,
                    {mod & 1   ? "VD = VC with exponent Imm8"
                     : mod & 2 ? "VD = VC with the exponent of VD"
                               : "VD = VC with exponent VD bits 7:0"});
}
inline said setman(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = VC with mantissa Imm12 << 11" : "VD = VC with mantissa VD bits 22:0"});
}
inline said setsgn(unsigned mod, arch_t) {
    return ignoring(mod, 1, {mod & 1 ? "VD = VC with sign Imm1" : "VD = VC with the sign of VD"});
}

/// The twelve operations of SFPPUSHC and SFPPOPC on named operands.
inline std::string boolean_text(unsigned mod, const std::string& a, const std::string& b) {
    switch (mod) {
    case 1: return b;
    case 2: return "!" + b;
    case 3: return a + " & " + b;
    case 4: return a + " | " + b;
    case 5: return a + " & !" + b;
    case 6: return a + " | !" + b;
    case 7: return "!" + a + " & " + b;
    case 8: return "!" + a + " | " + b;
    case 9: return "!" + a + " & !" + b;
    case 10: return "!" + a + " | !" + b;
    case 11: return a + " != " + b;
    default: return a + " == " + b;
    }
}
inline said pushc(unsigned mod, arch_t arch) {
    if (mod == 0 || !describe(arch).has_pushc_operations)
        return ignoring(mod, 0, {"push {flags, use flags}"});
    switch (mod) {
    case 13: return {"flags = !flags, then top = {flags, use flags}"};
    case 14: return {"top = {true, true}"};
    case 15: return {"top = {false, true}"};
    default: return {"top = {" + boolean_text(mod, "top", "flags") + ", use flags}"};
    }
}
inline said popc(unsigned mod, arch_t) {
    switch (mod) {
    case 0: return {"{flags, use flags} = pop"};
    case 13: return {"flags = !flags"};
    case 14: return {"flags = true, use flags = true"};
    case 15: return {"flags = false, use flags = true"};
    default:
        return {"flags = " + boolean_text(mod, "flags", "top") +
                ", use flags = those of top; nothing is popped"};
    }
}
inline said encc(unsigned mod, arch_t) {
    const char* const use = mod & 2   ? "use flags = Imm2 bit 0"
                            : mod & 1 ? "use flags = !use flags"
                                      : "use flags stay";
    return ignoring(mod, 11, {std::string(use) + (mod & 8 ? "; flags = Imm2 bit 1" : "; flags = true")});
}
inline said compc(unsigned mod, arch_t) {
    return ignoring(mod, 0, {"flags = !flags & top where top and the current state use flags, else false"});
}
inline said transp(unsigned mod, arch_t) {
    return ignoring(mod, 0, {"row r of Ln becomes row n of Lr, in L0 to L3 and in L4 to L7"});
}
inline said cast(unsigned mod, arch_t arch) {
    const bool has_integer_casts = describe(arch).has_integer_casts;
    const unsigned known = has_integer_casts ? 3 : 1;
    switch (mod & known) {
    case 0:
        return ignoring(mod, known,
                        {"VD = FP32 of sign-magnitude VC, to nearest, ties to even",
                         has_integer_casts ? "SFPCAST_IntFloat" : nullptr});
    case 1:
        return ignoring(mod, known,
                        {"VD = FP32 of sign-magnitude VC, rounded stochastically by seven random bits",
                         has_integer_casts ? "SFPCAST_IntFloat" : nullptr});
    case 2: return ignoring(mod, known, {"VD = |VC|, two's complement (a hardware bug)", "SFPCAST_IntAbs"});
    default:
        return ignoring(mod, known,
                        {"VD = VC from sign-magnitude to two's complement or back", "SFPCAST_IntInt"});
    }
}
inline said config(unsigned mod, arch_t) {
    static constexpr const char* operations[4] = {"=", "|=", "&=", "^="};
    const unsigned operation = mod >> 1 & 3;
    std::string text = operation ? std::string("Misc or LaneConfig ") + operations[operation] +
                                       (mod & 1 ? " Imm16" : " L0 of lanes 0 to 7") + ", other destinations ="
                                 : "destination =";
    text += mod & 1 ? " Imm16; templates = L0, constants = their defaults" : " L0 of lanes 0 to 7";
    if (mod & 8) text += "; only columns whose even bit of Imm16 is set";
    return {text};
}
inline said swap(unsigned mod, arch_t) {
    static constexpr const char* rows[9] = {nullptr, nullptr, "rows 0, 1", "rows 0, 2", "rows 0, 3",
                                            "row 0", "row 1", "row 2",     "row 3"};
    if (mod == 0) return {"VC and VD are exchanged"};
    if (mod == 1) return {"VD = min(VC, VD), VC = max(VC, VD)"};
    if (mod >= 9) return {"VD = max(VC, VD), VC = min(VC, VD)"};
    return {std::string("VD = min(VC, VD), VC = max(VC, VD) in ") + rows[mod] + ", the other way elsewhere"};
}
inline said compare(unsigned mod, const char* relation) {
    std::string text;
    const auto effect = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    if (mod & 8) effect(std::string("VD = ") + relation + " ? -1 : 0");
    if (mod & 1) effect(std::string("flags = ") + relation);
    if (mod & 2) effect(std::string(mod & 4 ? "top flags |= " : "top flags &= ") + relation);
    if (text.empty()) text = "nothing";
    return {text};
}
inline said le(unsigned mod, arch_t) { return compare(mod, "(VD <= VC)"); }
inline said gt(unsigned mod, arch_t) { return compare(mod, "(VD > VC)"); }
inline said arecip(unsigned mod, arch_t) {
    switch (mod) {
    case 0: return {"VD = about 1 / VC"};
    case 1: return {"VD = about 1 / |VC| where VB is negative, else VC"};
    case 2: return {"VD = about e^|VC| with the sign of VC, for |VC| < 2"};
    default: return {"as modifier 2: VD = about e^|VC| with the sign of VC"};
    }
}

// --- Round sub-unit ----------------------------------------------------------------------------------------

inline said stochrnd(unsigned mod, arch_t arch) {
    static constexpr const char* results[8] = {"VC with 10 bits of mantissa",
                                               "VC with 7 bits of mantissa",
                                               "|VC| as integer, at most 255",
                                               "VC as sign-magnitude integer, at most 127",
                                               "|VC| >> ",
                                               "VC >> ",
                                               "|VC| as integer, at most 65535",
                                               "VC as sign-magnitude integer, at most 32767"};
    const unsigned result = mod & 7;
    const bool shifts = (mod & 6) == 4;
    std::string text = std::string("VD = ") + results[result];
    if (shifts)
        text += std::string(mod & 8 ? "Imm5" : "VB bits 4:0") +
                (mod & 1 ? ", sign-magnitude, at most 127" : ", at most 255");
    text +=
        describe(arch).has_zero_rounding
            ? ", rounded to nearest (ties away from zero), stochastically or to zero (away from it if all "
              "lost bits are ones)"
            : ", rounded to nearest (ties away from zero) or stochastically";
    return ignoring(mod, shifts ? 15 : 7,
                    {text, result <= 1 ? "SFPSTOCHRND_FloatFloat"
                           : shifts    ? "SFPSTOCHRND_IntInt"
                                       : "SFPSTOCHRND_FloatInt"});
}
inline said shft2(unsigned mod, arch_t arch) {
    switch (mod) {
    case 0: return {"L0 = L1, L1 = L2, L2 = L3, L3 = 0"};
    case 1: return {"L0 = L1, L1 = L2, L2 = L3, L3 = old L0 moved by a row, 0 in the last row"};
    case 2: return {"L0 = L1, L1 = L2, L2 = L3, L3 = VC rotated by a lane to the right in each row"};
    case 3: return {"VD = VC rotated by a lane to the right in each row"};
    case 4:
        return {describe(arch).has_defined_shuffle_right
                    ? "VD = VC shifted by a lane to the right in each row, 0 in the first lane"
                    : "VD = VC shifted by a lane to the right in each row; the first lane gets the last one "
                      "of the row "
                      "of the VC that the latest mode 2 or 3 with VD below 12 saw (a hardware bug)"};
    case 5: return {"VD = VB shifted by VC, left if positive, right shifts logical"};
    case 6: return {"VD = VB shifted by Imm12, left if positive; VB is Imm12 bits 3:0"};
    default: return {"nothing"};
    }
}

} // namespace sfpu::isa::texts
