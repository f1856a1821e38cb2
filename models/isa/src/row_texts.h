// What each opcode does in each of its sixteen modifiers, in one line, with the unit test that proves it. The rows of
// the instruction table name these functions, the catalogue (isa_catalogue.h) collects what they say.
//
// The words are those of the table: VA to VD are the registers that the fields name; "flags" are the lane flags and
// "top" the top entry of the flag stack. Modifier bits to which the documentation gives no meaning are told apart, see
// ignoring().
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

// --- load and store sub-units --------------------------------------------------------------------------------------

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
inline said load(unsigned mod, arch_t arch) {
    static constexpr const char* tests[16] = {
        "source_format.resolves_mode_srcb",
        "load.of_every_fp16_cell_rebiases_the_exponent",
        "load.of_every_bf16_cell_moves_the_exponent_above_the_mantissa",
        "store.flushes_fp32_subnormals_on_blackhole_and_loses_only_the_least_integer_on_wormhole",
        "store.and_load_of_32_bit_cells_are_inverse_where_no_conversion_is_documented",
        "load.of_every_integer_8_cell_takes_eight_magnitude_bits_on_blackhole_and_seven_on_wormhole",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "dst_address.is_the_sum_of_its_parts_modulo_1024",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "store.flushes_fp32_subnormals_on_blackhole_and_loses_only_the_least_integer_on_wormhole",
        "load.of_every_integer_8_cell_in_the_complement_mode_converts_on_wormhole_only",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them",
        "load.of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them"};
    return {load_text(mod, arch), tests[mod]};
}
inline said load_macro(unsigned mod, arch_t arch) {
    return {std::string(load_text(mod, arch)) + "; then up to four instructions are scheduled",
            "macro_launch.loads_what_sfpload_loads_in_every_mode"};
}
inline said load_immediate(unsigned mod, arch_t) {
    static constexpr const char* test = "load_immediate.widens_every_immediate_as_its_mode_says";
    switch (mod) {
    case 0: return {"VD = Imm16 << 16, which is FP32 of a BF16 number", test};
    case 1: return {"VD = Imm16 as FP16, exponent rebiased, without subnormals, infinities or NaNs", test};
    case 2: return {"VD = Imm16, zero-extended", test};
    case 4: return {"VD = Imm16, sign-extended", test};
    case 8: return {"VD bits 31:16 = Imm16; the lower half stays", test};
    case 10: return {"VD bits 15:0 = Imm16; the upper half stays", test};
    default: return {"VD stays as it is", "undefined_modifiers.leave_everything_as_it_is"};
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
inline said store(unsigned mod, arch_t arch) {
    static constexpr const char* tests[16] = {
        "source_format.resolves_mode_srcb",
        "store.truncates_towards_zero_and_limits_the_range_in_mode_fp16",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.flushes_fp32_subnormals_on_blackhole_and_loses_only_the_least_integer_on_wormhole",
        "store.and_load_of_32_bit_cells_are_inverse_where_no_conversion_is_documented",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.in_modes_lo16_and_hi16_writes_whole_32_bit_cells",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.in_modes_lo16_and_hi16_writes_whole_32_bit_cells",
        "dst_address.is_the_sum_of_its_parts_modulo_1024",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.flushes_fp32_subnormals_on_blackhole_and_loses_only_the_least_integer_on_wormhole",
        "store.restores_every_integer_8_cell_up_to_its_unused_bits",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register",
        "store.in_16_bit_modes_keeps_the_documented_bits_of_any_register"};
    return {store_text(mod, arch), tests[mod]};
}
inline said nop(unsigned mod, arch_t) {
    return ignoring(
        mod, 0,
        {"nothing",
         "predication.leaves_everything_unchanged_if_no_lane_is_enabled_except_in_exempt_instructions"});
}

// --- MAD sub-unit --------------------------------------------------------------------------------------------------

/// SGN_RETAIN and INDIRECT_VD of the table instructions.
inline std::string table_options(unsigned mod) {
    return std::string(mod & 4 ? "; sign of L3" : "") + (mod & 8 ? "; VD from L7 bits 3:0" : "");
}
/// INDIRECT_VA and INDIRECT_VD.
inline std::string indirection(unsigned mod) {
    return std::string(mod & 4 ? "; VA from L7 bits 3:0" : "") + (mod & 8 ? "; VD from L7 bits 3:0" : "");
}
constexpr const char* indirect_test = "indirect_operands.are_named_by_l7_in_every_multiply_instruction";

inline said lut(unsigned mod, arch_t) {
    static constexpr const char* text =
        "VD = a * |L3| + c, 8-bit a and c from L0 if |L3| < 1, from L1 if below 2, else from L2";
    return ignoring(mod, 12,
                    {text + table_options(mod),
                     mod & 8 ? indirect_test : "lut8.evaluates_one_of_three_lines_by_the_magnitude_of_l3"});
}
inline said mad(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text = std::string("VD = ") + (negates && (mod & 1) ? "-VA" : "VA") + " * VB " +
                             (negates && (mod & 2) ? "- VC" : "+ VC") + indirection(mod);
    return ignoring(
        mod, negates ? 15 : 12,
        {text, mod & 12
                   ? indirect_test
                   : "multiply_add.instruction_has_the_negations_on_blackhole_and_ignores_them_on_wormhole"});
}
inline said add_immediate(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text =
        std::string("VD = bf16(Imm16) ") + (negates && (mod & 2) ? "- VD" : "+ VD") + indirection(mod & 8);
    return ignoring(
        mod, negates ? 10 : 8,
        {text, mod & 8 ? indirect_test : "multiply_add.by_immediate_takes_the_upper_half_of_an_fp32_number"});
}
inline said multiply_immediate(unsigned mod, arch_t arch) {
    const bool negates = describe(arch).has_mad_negation;
    const std::string text = std::string("VD = bf16(Imm16) * ") + (negates && (mod & 2) ? "-VD" : "VD") +
                             " + 0" + indirection(mod & 8);
    return ignoring(
        mod, negates ? 10 : 8,
        {text, mod & 8 ? indirect_test : "multiply_add.by_immediate_takes_the_upper_half_of_an_fp32_number"});
}
inline said lutfp32(unsigned mod, arch_t) {
    const std::string options = table_options(mod);
    if (!(mod & 2))
        return ignoring(
            mod, 12,
            {"VD = a * |L3| + c, FP32 a and c from L0, L4 if |L3| < 1, L1, L5 if below 2, else L2, L6" +
                 options,
             mod & 8 ? indirect_test : "lut_fp32.evaluates_full_precision_lines_in_its_three_entry_mode"});
    if (mod & 8)
        return ignoring(
            mod, 14,
            {"VD = a * |L3| + c, FP16 a and c in the halves of L0 if |L3| < 1, L1 if below 2, else L2" +
                 options,
             "lut_fp32.writes_the_register_named_by_l7_in_its_packed_three_entry_mode"});
    const std::string cuts = std::string("0.5, 1, 1.5, 2, ") + (mod & 1 ? "4" : "3");
    return {"VD = a * |L3| + c, FP16 a and c from a half of L0, L4 or L1, L5 or L2, L6; |L3| cut at " + cuts +
                options,
            "lut_fp32.evaluates_half_precision_lines_in_its_two_six_entry_modes"};
}
inline said mul24(unsigned mod, arch_t) {
    return ignoring(mod, 13,
                    {std::string("VD = ") + (mod & 1 ? "upper" : "lower") +
                         " 23 bits of VA * VB, both 23 bits (VC must be L9)" + indirection(mod),
                     mod & 12 ? indirect_test
                              : "integer_multiply.lower_and_upper_halves_recombine_to_the_exact_product"});
}

// --- Simple sub-unit -----------------------------------------------------------------------------------------------

inline said divp2(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = VC with exponent + Imm8 modulo 256; infinities and NaNs stay"
                             : "VD = VC with exponent Imm8",
                     "exponent.is_replaced_or_changed_modulo_256"});
}
/// What an instruction does to the flags that sets them by `condition` (bit 1) and complements them (bit 3).
inline std::string flags_text(unsigned mod, const char* condition, const char* opposite) {
    if (mod & 2) return std::string("; flags = ") + (mod & 8 ? opposite : condition);
    return mod & 8 ? "; flags = !flags" : "";
}
inline said exexp(unsigned mod, arch_t) {
    return ignoring(mod, 11,
                    {(mod & 1 ? "VD = exponent of VC, biased" : "VD = exponent of VC, without bias") +
                         flags_text(mod, "VD < 0", "VD >= 0"),
                     mod & 10 ? "flag_options.of_integer_instructions_set_or_complement_the_flags"
                              : "exponent.is_extracted_with_or_without_its_bias"});
}
inline said exman(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = mantissa of VC" : "VD = mantissa of VC with its hidden bit",
                     "mantissa.is_extracted_with_or_without_the_hidden_bit_and_replaced"});
}
inline said iadd(unsigned mod, arch_t) {
    const char* const sum = mod & 1 ? "VD = VC + Imm12" : mod & 2 ? "VD = VC - VD" : "VD = VC + VD";
    const char* const flags =
        mod & 4 ? (mod & 8 ? "; flags = !flags" : "") : (mod & 8 ? "; flags = VD >= 0" : "; flags = VD < 0");
    return {std::string(sum) + flags, "flag_options.of_integer_instructions_set_or_complement_the_flags"};
}
inline said shft(unsigned mod, arch_t arch) {
    const bool immediate = mod & 1;
    const unsigned known = describe(arch).has_shift_of_vc ? (immediate ? 7 : 3) : 1;
    const bool shifts_c = mod & known & 4;
    const char* const kind = mod & known & 2 ? ", right shifts arithmetic" : "";
    return ignoring(mod, known,
                    {std::string(shifts_c ? "VD = VC" : "VD = VD") + " shifted by " +
                         (immediate ? "Imm12" : "VC") + ", left if positive" + kind,
                     "shift.divides_or_multiplies_by_a_power_of_two"});
}
inline said setcc(unsigned mod, arch_t) {
    static constexpr const char* conditions[4] = {"VC < 0", "VC != 0", "VC >= 0", "VC == 0"};
    const std::string condition = mod & 8 ? "false" : mod & 1 ? "Imm1" : conditions[mod >> 1];
    return {"flags = " + condition + (mod & 8 ? "" : " where predication is on, else false"),
            "set_condition.gives_clear_precedence_over_the_immediate_and_that_over_a_comparison"};
}
inline said mov(unsigned mod, arch_t) {
    if (mod & 8) {
        static constexpr const char* text =
            "VD = what the VC field names: configuration, random bits (9) or 0";
        if (mod & 3)
            return ignoring(mod, 11,
                            {std::string(text) + "; NEGATE and ALL_LANES_ENABLED have no effect",
                             "move_from_special.heeds_neither_negation_nor_all_lanes"});
        return ignoring(mod, 11, {text, "move_from_special.reads_back_what_was_configured"});
    }
    if ((mod & 3) == 2)
        return ignoring(
            mod, 11,
            {"VD = VC in all lanes, enabled or not", "predication.does_not_hold_exempt_instructions_back"});
    return ignoring(mod, 11,
                    {mod & 1 ? "VD = VC with its sign bit flipped" : "VD = VC", "move.copies_and_negates"});
}
inline said abs(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = |VC|, FP32; a negative NaN stays"
                             : "VD = |VC|, two's complement; the least integer stays",
                     "absolute_value.of_integers_keeps_the_least_one_and_of_floats_keeps_negative_nans"});
}
inline said logic(unsigned mod, arch_t arch, char symbol) {
    const unsigned known = describe(arch).has_use_vb ? 1 : 0;
    const bool own_vb = mod & known;
    return ignoring(mod, known,
                    {std::string("VD = ") + (own_vb ? "VB " : "VD ") + symbol + " VC",
                     own_vb ? "logic.takes_vb_from_its_own_field_on_blackhole_only" : "logic.combines_bits"});
}
inline said and_(unsigned mod, arch_t arch) { return logic(mod, arch, '&'); }
inline said or_(unsigned mod, arch_t arch) { return logic(mod, arch, '|'); }
inline said not_(unsigned mod, arch_t) { return ignoring(mod, 0, {"VD = ~VC", "logic.combines_bits"}); }
inline said xor_(unsigned mod, arch_t) { return ignoring(mod, 0, {"VD = VD ^ VC", "logic.combines_bits"}); }
inline said lz(unsigned mod, arch_t) {
    const char* const value =
        mod & 4 ? "VD = leading zeros of VC bits 30:0 as 32-bit number" : "VD = leading zeros of VC";
    return ignoring(mod, 14,
                    {value + (mod & 4 ? flags_text(mod, "VC bits 30:0 != 0", "VC bits 30:0 == 0")
                                      : flags_text(mod, "VC != 0", "VC == 0")),
                     mod & 10 ? "flag_options.of_integer_instructions_set_or_complement_the_flags"
                              : "leading_zeros_instruction.counts_with_or_without_the_sign_bit"});
}
inline said setexp(unsigned mod, arch_t) {
    return ignoring(
        mod, 3,
        {mod & 1   ? "VD = VC with exponent Imm8"
         : mod & 2 ? "VD = VC with the exponent of VD"
                   : "VD = VC with exponent VD bits 7:0",
         mod == 3 ? "set_exponent.prefers_the_immediate" : "exponent.is_replaced_or_changed_modulo_256"});
}
inline said setman(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = VC with mantissa Imm12 << 11" : "VD = VC with mantissa VD bits 22:0",
                     "mantissa.is_extracted_with_or_without_the_hidden_bit_and_replaced"});
}
inline said setsgn(unsigned mod, arch_t) {
    return ignoring(mod, 1,
                    {mod & 1 ? "VD = VC with sign Imm1" : "VD = VC with the sign of VD",
                     "sign.is_replaced_by_that_of_vd_or_by_the_immediate"});
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
        return ignoring(mod, 0, {"push {flags, use flags}", "flag_stack.pop_restores_what_push_saved"});
    static constexpr const char* constants = "flag_constants.replace_the_flags_or_the_top_of_the_stack";
    switch (mod) {
    case 13: return {"flags = !flags, then top = {flags, use flags}", constants};
    case 14: return {"top = {true, true}", constants};
    case 15: return {"top = {false, true}", constants};
    default:
        return {"top = {" + boolean_text(mod, "top", "flags") + ", use flags}",
                "flag_stack.combines_flags_by_the_truth_table_of_the_modifier"};
    }
}
inline said popc(unsigned mod, arch_t) {
    static constexpr const char* constants = "flag_constants.replace_the_flags_or_the_top_of_the_stack";
    switch (mod) {
    case 0: return {"{flags, use flags} = pop", "flag_stack.pop_restores_what_push_saved"};
    case 13: return {"flags = !flags", constants};
    case 14: return {"flags = true, use flags = true", constants};
    case 15: return {"flags = false, use flags = true", constants};
    default:
        return {"flags = " + boolean_text(mod, "flags", "top") +
                    ", use flags = those of top; nothing is popped",
                "flag_stack.combines_flags_by_the_truth_table_of_the_modifier"};
    }
}
inline said encc(unsigned mod, arch_t) {
    const char* const use = mod & 2   ? "use flags = Imm2 bit 0"
                            : mod & 1 ? "use flags = !use flags"
                                      : "use flags stay";
    return ignoring(mod, 11,
                    {std::string(use) + (mod & 8 ? "; flags = Imm2 bit 1" : "; flags = true"),
                     "enable_condition.takes_the_immediate_before_the_complement"});
}
inline said compc(unsigned mod, arch_t) {
    return ignoring(mod, 0,
                    {"flags = !flags & top where top and the current state use flags, else false",
                     "complement_condition.selects_the_lanes_of_the_enclosing_scope_that_were_not_taken"});
}
inline said transp(unsigned mod, arch_t) {
    return ignoring(mod, 0,
                    {"row r of Ln becomes row n of Lr, in L0 to L3 and in L4 to L7",
                     "transpose.puts_row_r_of_register_n_into_row_n_of_register_r"});
}
inline said cast(unsigned mod, arch_t arch) {
    const bool has_integer_casts = describe(arch).has_integer_casts;
    const unsigned known = has_integer_casts ? 3 : 1;
    switch (mod & known) {
    case 0:
        return ignoring(mod, known,
                        {"VD = FP32 of sign-magnitude VC, to nearest, ties to even",
                         "cast.of_sign_magnitude_integers_to_fp32_rounds_to_nearest_even",
                         has_integer_casts ? "SFPCAST_IntFloat" : nullptr});
    case 1:
        return ignoring(mod, known,
                        {"VD = FP32 of sign-magnitude VC, rounded stochastically by seven random bits",
                         "stochastic_cast.rounds_up_if_the_dropped_bits_exceed_the_random_ones",
                         has_integer_casts ? "SFPCAST_IntFloat" : nullptr});
    case 2:
        return ignoring(mod, known,
                        {"VD = |VC|, two's complement (a hardware bug)",
                         "cast.in_mode_two_takes_the_absolute_value_on_blackhole", "SFPCAST_IntAbs"});
    default:
        return ignoring(mod, known,
                        {"VD = VC from sign-magnitude to two's complement or back",
                         "cast.between_sign_magnitude_and_twos_complement_is_its_own_inverse",
                         "SFPCAST_IntInt"});
    }
}
inline said config(unsigned mod, arch_t) {
    static constexpr const char* operations[4] = {"=", "|=", "&=", "^="};
    static constexpr const char* operation_test = "configuration.replaces_or_combines_twelve_bits_of_misc";
    const unsigned operation = mod >> 1 & 3;
    std::string text = operation ? std::string("Misc or LaneConfig ") + operations[operation] +
                                       (mod & 1 ? " Imm16" : " L0 of lanes 0 to 7") + ", other destinations ="
                                 : "destination =";
    text += mod & 1 ? " Imm16; templates = L0, constants = their defaults" : " L0 of lanes 0 to 7";
    if (mod & 8) text += "; only columns whose even bit of Imm16 is set";
    return {text, mod & 8 ? "configuration.by_lane_mask_writes_the_columns_of_the_even_bits_of_the_immediate"
                  : operation ? operation_test
                  : mod & 1   ? "configuration.gives_constants_their_defaults_by_immediate"
                              : "configuration.broadcasts_the_first_eight_lanes_of_l0_to_a_constant"};
}
inline said swap(unsigned mod, arch_t) {
    static constexpr const char* test = "swap.leaves_the_smaller_value_in_vd_in_the_rows_that_the_mode_names";
    static constexpr const char* rows[9] = {nullptr, nullptr, "rows 0, 1", "rows 0, 2", "rows 0, 3",
                                            "row 0", "row 1", "row 2",     "row 3"};
    if (mod == 0) return {"VC and VD are exchanged", "swap.twice_without_comparison_is_the_identity"};
    if (mod == 1) return {"VD = min(VC, VD), VC = max(VC, VD)", test};
    if (mod >= 9) return {"VD = max(VC, VD), VC = min(VC, VD)", test};
    return {std::string("VD = min(VC, VD), VC = max(VC, VD) in ") + rows[mod] + ", the other way elsewhere",
            test};
}
inline said compare(unsigned mod, const char* relation) {
    std::string text;
    const auto effect = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    if (mod & 8) effect(std::string("VD = ") + relation + " ? -1 : 0");
    if (mod & 1) effect(std::string("flags = ") + relation);
    if (mod & 2) effect(std::string(mod & 4 ? "top flags |= " : "top flags &= ") + relation);
    if (text.empty()) text = "nothing";
    return {text, mod == 9 ? "comparison.is_less_or_equal_exactly_where_it_is_not_greater"
                           : "comparison_options.send_the_result_to_vd_the_flags_and_the_top_of_the_stack"};
}
inline said le(unsigned mod, arch_t) { return compare(mod, "(VD <= VC)"); }
inline said gt(unsigned mod, arch_t) { return compare(mod, "(VD > VC)"); }
inline said arecip(unsigned mod, arch_t) {
    switch (mod) {
    case 0:
        return {"VD = about 1 / VC", "approximate_reciprocal.of_every_mantissa_is_the_rounded_reciprocal_of_"
                                     "the_middle_of_its_interval"};
    case 1:
        return {"VD = about 1 / |VC| where VB is negative, else VC",
                "conditional_reciprocal.is_the_reciprocal_of_the_magnitude_where_vb_is_negative_and_a_copy_"
                "elsewhere"};
    case 2:
        return {"VD = about e^|VC| with the sign of VC, for |VC| < 2",
                "approximate_exponential.stays_within_its_published_error_below_two"};
    default:
        return {"as modifier 2: VD = about e^|VC| with the sign of VC",
                "approximate_exponential.keeps_the_sign_and_serves_every_reserved_modifier"};
    }
}

// --- Round sub-unit ------------------------------------------------------------------------------------------------

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
                    {text, "rounding.follows_its_definition_in_every_modifier_and_rounding_mode",
                     result <= 1 ? "SFPSTOCHRND_FloatFloat"
                     : shifts    ? "SFPSTOCHRND_IntInt"
                                 : "SFPSTOCHRND_FloatInt"});
}
inline said shft2(unsigned mod, arch_t arch) {
    static constexpr const char* copy = "copy4.moves_registers_down_and_fills_l3_as_its_mode_says";
    static constexpr const char* by_bits =
        "shift.of_the_round_unit_takes_vb_and_an_amount_from_vc_or_the_immediate";
    switch (mod) {
    case 0: return {"L0 = L1, L1 = L2, L2 = L3, L3 = 0", copy};
    case 1: return {"L0 = L1, L1 = L2, L2 = L3, L3 = old L0 moved by a row, 0 in the last row", copy};
    case 2: return {"L0 = L1, L1 = L2, L2 = L3, L3 = VC rotated by a lane to the right in each row", copy};
    case 3:
        return {"VD = VC rotated by a lane to the right in each row",
                "lane_rotation.eight_times_is_the_identity"};
    case 4:
        return {describe(arch).has_defined_shuffle_right
                    ? "VD = VC shifted by a lane to the right in each row, 0 in the first lane"
                    : "VD = VC shifted by a lane to the right in each row; the first lane gets the last one "
                      "of the row "
                      "of the VC that the latest mode 2 or 3 with VD below 12 saw (a hardware bug)",
                "lane_shift.fills_with_zero_on_blackhole_and_with_the_latest_rotated_source_on_wormhole"};
    case 5: return {"VD = VB shifted by VC, left if positive, right shifts logical", by_bits};
    case 6: return {"VD = VB shifted by Imm12, left if positive; VB is Imm12 bits 3:0", by_bits};
    default: return {"nothing", "undefined_modifiers.leave_everything_as_it_is"};
    }
}

} // namespace sfpu::isa::texts
