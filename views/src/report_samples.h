// A message of each diagnostic, as the program gives it. tests/sc_main/sample_messages.py has the programs
// and compares; with --print it writes these rows.
#pragma once

#include <sfpu/common/report.h>

namespace sfpu::views {

struct report_sample {
    report_id id;
    const char* message;
};

constexpr report_sample report_samples[] = {
    {report_id::isa_undefined, "sfpshft2: modifier 7 has no defined meaning"},
    {report_id::isa_non_contractual, "sfpswap: modifier 10 or operand relies on what current silicon does"},
    {report_id::isa_not_modelled, "26000000 belongs to another Tensix unit"},
    {report_id::isa_constant_register,
     "sfpmov 0, L1, L11, 0 writes L11, which holds a constant: the result is lost"},
    {report_id::kernel_redefined_name, "'offset' has another value from here on than the one of line 1"},
    {report_id::kernel_empty_loop, "no instruction follows .loop, so there are no rows"},
    {report_id::kernel_no_loop,
     "there is no .loop, so the 2 instructions of the file are issued once for each row"},
    {report_id::kernel_truncated_division, "1 / 6 is 0 here, without the rest; 1.0 / 6 is a fraction"},
    {report_id::kernel_address_carry,
     "the Dst counter with its offsets is odd here, and bit 0 of the address, which selects L4 to L7, "
     "carries: it loads other columns than with L0 to L3"},
    {report_id::kernel_unused_input, "x is never loaded: no load reads a row of it"},
    {report_id::kernel_unstored_output, "y is never stored: at the end it is what was in Dst before"},
    {report_id::kernel_partial_output, "only 1 of the 2 rows of y is ever stored"},
    {report_id::kernel_overlapping_data, "row 0 of b lies where row 1 of a does"},
    {report_id::kernel_store_to_template,
     "sfpstore L12, FP32, ADDR_MOD_3, 0 becomes template 0, which nothing executes: nothing is stored"},
    {report_id::issue_discarded_by_macro, "sfpabs 0, L1, L2, INT discarded: sfpabs 0, L0, L0, FLOAT, "
                                          "scheduled by line 10, executes on simple in this cycle"},
    {report_id::hazard_unprotected_read,
     "sfpiadd 0, L4, L3, CC_NONE reads L3 before sfpmad L0, L1, L2, L3, 0 (line 1) has written it"},
    {report_id::hazard_write_collision,
     "L3 is written by sfpmad L0, L1, L2, L3, 0 and by sfploadi L3, USHORT, 0x1; the latter wins"},
    {report_id::hazard_late_write, "the result of sfpmul L0, L0, L9, L1, 0 (line 2) for L1 arrives behind "
                                   "that of sfpmov 0, L2, L1, 0 and replaces it"},
    {report_id::hazard_simple_round_conflict,
     "sfpabs 0, L0, L0, FLOAT on simple and sfpshft2 -1, L0, L0, SHFT_IMM (VB L15) on round share a cycle "
     "and the write port: let exactly one of them write L16"},
    {report_id::hazard_swap_neighbour,
     "sfpshft2 -1, L0, L0, SHFT_IMM (VB L15) on round in the second cycle of sfpswap 0, L1, L2, VEC_MIN_MAX: "
     "leave Simple and Round idle, or put an SFPNOP there"},
    {report_id::hazard_shft2_neighbour,
     "sfpabs 0, L4, L5, INT on simple in the second cycle of sfpshft2 0, L1, L2, SUBVEC_SHFLROR1: leave "
     "Simple and Round idle, or put an SFPNOP there"},
    {report_id::hazard_laneconfig_neighbour,
     "sfpcast L0, L12, SM32_TO_FP32_RNE directly after a change of DISABLE_BACKDOOR_LOAD"},
    {report_id::hazard_config_macro_distance,
     "sfploadmacro 0, L0, FP32, ADDR_MOD_3, 0 comes 1 word after an SFPCONFIG that wrote a sequence or Misc; "
     "3 are known to be safe: put 2 SFPNOPs in between"},
    {report_id::hazard_misc_left_armed, "Misc is 100 at the end, UnitDelayKind 1; 2 plain instructions, the "
                                        "first of them line 4, came after the write without an SFPLOADMACRO"},
    {report_id::hazard_l16_overwritten,
     "the result of sfpabs 0, L0, L16, FLOAT, scheduled in line 10, in L16 is overwritten by sfpabs 0, L1, "
     "L16, FLOAT, scheduled in line 11, before it is used"},
    {report_id::hazard_lreg_overwritten,
     "the result of sfpabs 0, L0, L0, FLOAT, scheduled in line 10, in L0 is overwritten by sfploadi L0, "
     "USHORT, 0x1, issued in line 12, before it is used"},
    {report_id::hazard_unwritten_read, "sfpstore L3, INT32, ADDR_MOD_3, 0, issued in line 1, reads L3, which "
                                       "this program has not written by then"},
    {report_id::dst_store_load_distance,
     "load of Dst rows 0 to 3 1 cycle(s) after a store to the same slice"},
    {report_id::macro_forgotten, "sfpabs 0, L0, L0, FLOAT, scheduled by line 11, is forgotten: sfpabs 0, L2, "
                                 "L2, FLOAT takes its slot on simple"},
    {report_id::macro_never_drained,
     "still outstanding at the end: sfpabs 0, L0, L0, FLOAT on simple (3 to go, line 10)"},
    {report_id::macro_selector_one, "a sequence byte has selector 1"},
    {report_id::macro_template_not_executable, "a template does not fit its sub-unit and became SFPNOP"},
    {report_id::macro_store_without_store, "what is scheduled on Store is no SFPSTORE"},
    {report_id::macro_template_distance, "sfploadmacro 0, L0, FP32, ADDR_MOD_3, 0 uses template 0, which the "
                                         "word before it wrote: put an SFPNOP in between"},
    {report_id::macro_configured_in_flight, "sfpconfig 0x100, MISC, IMM16_IS_VALUE while sfpabs 0, L0, L0, "
                                            "FLOAT, scheduled by line 10, is outstanding"},
    {report_id::macro_lanes_move,
     "sfptransp 0, L0, L0, 0 while sfpabs 0, L0, L0, FLOAT, scheduled by line 10, is outstanding"},
    {report_id::macro_store_beside_flags,
     "sfpstore L0, FP32 executes in the cycle in which sfpencc 0, L0, L0, EU_R1, scheduled by line 10, "
     "writes the flags: it goes to the lanes of before"},
    {report_id::macro_drained_by_cycles, "outstanding behind the last word, and executed as time passes: "
                                         "sfpstore L0, FP32 on store (2 to go, line 10)"},
    {report_id::macro_lanes_differ, "LoadMacroConfig differs between columns"},
    {report_id::macro_slots_full, "no free slot on simple for sfpabs 0, L2, L2, FLOAT"},
    {report_id::macro_beyond_machine, "a sequence selects a template that the machine does not have"},
    {report_id::macro_stale_configuration, "macro 0 uses Misc, which this program has not written"},
    {report_id::macro_other_than_chip, "sfpstore L16, FP32 reads an old value: the chip has the result here"},
    {report_id::flags_stack_overflow, "SFPPUSHC with eight entries on the flag stack"},
    {report_id::flags_stack_underflow, "sfppopc with an empty flag stack"},
    {report_id::frontend_config_index, "SETC16 to thread configuration register 63"},
    {report_id::frontend_idle_condition,
     "stallwait 256, 1 waits for units that this model does not have (conditions 0x1); they count as idle"},
    {report_id::frontend_never_released, "semwait 256, 1, 1 holds sfpnop for ever"},
    {report_id::frontend_replay_unloaded, "replay 0, 4, 0, 0 plays slots that nothing has loaded"},
    {report_id::frontend_record_behind_store,
     "replay 0, 1, 0, 1 records directly behind sfpstore L0, INT32, ADDR_MOD_6, 0, which moves the Dst "
     "counter: 7 more would be safe"},
};

/// Null where no kernel gives the diagnostic: only a tile does, or threads, or nothing.
constexpr const char* sample_of(report_id id) {
    for (const report_sample& each : report_samples)
        if (each.id == id) return each.message;
    return nullptr;
}

} // namespace sfpu::views
