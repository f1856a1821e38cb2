#include <sfpu/common/report.h>

#include <array>

namespace sfpu {
namespace {

using id = report_id;
using kind = report_kind;
using level = severity;

constexpr std::array<report_row, report_count> table{{
    {id::isa_unimplemented, "/sfpu/isa/unimplemented", kind::isa, level::error,
     "The instruction exists but this version has no semantics for it.",
     "The word was issued and took its cycle, but its effect is missing: results after it are not to be "
     "trusted."},
    {id::isa_undefined, "/sfpu/isa/undefined", kind::isa, level::warning,
     "The instruction's modifier or operand has no defined meaning.",
     "The ISA documentation calls this case undefined behaviour. The model does what docs/isa.md says for "
     "it, the "
     "silicon may do something else."},
    {id::isa_non_contractual, "/sfpu/isa/non-contractual", kind::isa, level::info,
     "The behaviour is that of today's silicon and not guaranteed by the architecture.",
     "The ISA documentation marks this behaviour as non-contractual. The model does what current silicon "
     "does."},
    {id::isa_not_modelled, "/sfpu/isa/not-modelled", kind::isa, level::warning,
     "The word is a Tensix instruction of another unit and was treated as NOP.",
     "Only SFPU instructions and the front-end instructions that SFPU kernels need are modelled. A word of "
     "another "
     "unit takes its issue slot and has no effect."},
    {id::issue_discarded_by_macro, "/sfpu/issue/discarded-by-macro", kind::hazard, level::warning,
     "A regular instruction met a scheduled one at its sub-unit and was discarded.",
     "Rule T13: if a scheduled instruction arrives at a sub-unit in the cycle in which a regular instruction "
     "is "
     "issued to it, the scheduled one executes and the regular one is dropped. The hardware says nothing."},
    {id::hazard_unprotected_read, "/sfpu/hazard/unprotected-read", kind::hazard, level::warning,
     "An instruction reads a register in the cycle before a two-cycle result reaches it.",
     "Rules T3, T16 and T17: the result of a MAD-class instruction is visible two cycles later. Wormhole "
     "never "
     "stalls for it and Blackhole's stall logic has blind spots; there the old value is read. Put an SFPNOP "
     "or "
     "another independent instruction in between."},
    {id::hazard_write_collision, "/sfpu/hazard/write-collision", kind::hazard, level::warning,
     "Two instructions write the same lanes of one register in the same cycle.",
     "Rule T2a: such writes are applied in the order MAD, second cycle of SFPSWAP or SFPSHFT2, Simple, "
     "Round, load "
     "(parameter sfpu.write_order), the last one wins. The order is inferred, so do not rely on it."},
    {id::hazard_simple_round_conflict, "/sfpu/hazard/simple-round-conflict", kind::hazard, level::warning,
     "Simple and Round both execute in one cycle and not exactly one of them writes L16.",
     "Rule T9: the two sub-units share a register write port. One of the two must have VD = 16 and the other "
     "not."},
    {id::hazard_swap_neighbour, "/sfpu/hazard/swap-neighbour", kind::hazard, level::warning,
     "A sub-unit that SFPSWAP needs idle was used beside it.",
     "Rule T8: SFPSWAP occupies Simple for two cycles. MAD must be idle or run SFPNOP in its first cycle, "
     "Simple "
     "and Round must be idle or run SFPNOP in its second."},
    {id::hazard_shft2_neighbour, "/sfpu/hazard/shft2-neighbour", kind::hazard, level::warning,
     "An instruction stands where a two-cycle SFPSHFT2 forbids it.",
     "Rules T8 and T17: SFPSHFT2 modes 2, 3 and 4 take two cycles. Simple and Round must be idle in the "
     "second; on "
     "Wormhole nothing stalls, and the instructions that its page lists must not follow directly."},
    {id::hazard_laneconfig_neighbour, "/sfpu/hazard/laneconfig-neighbour", kind::hazard, level::warning,
     "SFPCONFIG changed DISABLE_BACKDOOR_LOAD and the next instruction depends on it.",
     "The next SFPU instruction may see the old or the new value on silicon. The model uses the new one. "
     "Insert an "
     "SFPNOP."},
    {id::hazard_config_macro_distance, "/sfpu/hazard/config-macro-distance", kind::hazard, level::warning,
     "SFPLOADMACRO follows a write of a sequence or Misc too closely.",
     "Rule T21: two SFPNOPs between an SFPCONFIG that writes a sequence or Misc and the next SFPLOADMACRO "
     "are "
     "the measured minimum on Blackhole (tt-metal 53455 and 53457). One that comes fewer than "
     "macro.config_distance words behind it may see the old contents on silicon; the model lets it see the "
     "new ones."},
    {id::hazard_misc_left_armed, "/sfpu/hazard/misc-left-armed", kind::hazard, level::warning,
     "A Wormhole kernel leaves Misc armed and then issues plain instructions.",
     "A kernel on Wormhole silicon hung the vector unit when its set-up had written a Misc whose "
     "UnitDelayKind says that delays count instructions, and its loop then used no SFPLOADMACRO (tt-metal "
     "47675; Blackhole tolerates it). Found at the end of a program, by run and lint: UnitDelayKind is not "
     "zero, and since it was written plain instructions of the vector unit were issued, but no SFPLOADMACRO "
     "at all or none in the loop."},
    {id::hazard_l16_overwritten, "/sfpu/hazard/l16-overwritten", kind::hazard, level::warning,
     "L16 is overwritten before the scheduled instruction that needs its value has read it.",
     "Rule T4: L16 is one ordinary register and nothing renames it. A result in it is lost as soon as "
     "another macro "
     "or another row writes it. Either nothing reads the lost value, or the macro that produced it stores a "
     "newer one. "
     "Shorten the delay of the store or lengthen that of the later writer. Found by lint."},
    {id::hazard_lreg_overwritten, "/sfpu/hazard/lreg-overwritten", kind::hazard, level::warning,
     "An LReg is overwritten between a scheduled producer and its consumer.",
     "Rules T1 and T2: scheduled instructions read their registers when they execute, up to eight cycles "
     "after the "
     "SFPLOADMACRO. A load to the same register in between replaces the value, and so does an instruction "
     "that "
     "executes too early to read it. Let successive rows use different registers, or change the delay. Found "
     "by lint."},
    {id::hazard_unwritten_read, "/sfpu/hazard/unwritten-read", kind::hazard, level::warning,
     "The result depends on a register that the program had not written when it was read.",
     "Rules T1 and T4: nothing orders a scheduled reader behind its producer (T18). One that executes too "
     "early finds "
     "what an earlier row or an earlier kernel left. Reported only if other contents before the run change "
     "Dst. Found "
     "by lint."},
    {id::dst_store_load_distance, "/sfpu/dst/store-load-distance", kind::notice, level::warning,
     "A slice of Dst is loaded so soon after its store that upstream documents call it a hazard.",
     "Rule T7: a store at t is visible to a load at t + 1 here (parameter dst.store_load_visible), as a "
     "public "
     "kernel relies on; loads up to dst.store_load_warn cycles after the store are reported."},
    {id::dst_window_write_distance, "/sfpu/dst/window-write-distance", kind::notice, level::warning,
     "SFPLOAD reads a block of Dst too soon after a RISC-V core wrote to it.",
     "tile.md K7: an aligned 8x16 block of Dst cannot be read for four cycles after a write, and nothing "
     "stalls SFPLOAD for it (parameter memory.dst_window.settle). The model lets the load see the new value. "
     "Leave three instructions in between or use STALLWAIT."},
    {id::dst_window_access, "/sfpu/dst/window-access", kind::notice, level::warning,
     "A RISC-V core accesses the Dst window in a way that its format does not allow.",
     "tile.md K7: formats 6 and 7 of RISC_DEST_ACCESS_CTRL are reserved; T0 and T1 access one element at a "
     "time, with an access of the element's size. The silicon misbehaves in other cases; here the access "
     "fails and the core takes an access fault."},
    {id::registers_not_modelled, "/sfpu/registers/not-modelled", kind::notice, level::warning,
     "A core accesses a configuration or debug register that the model does not have.",
     "Configuration words without a meaning for the vector unit, Dst or the cores can be written and read "
     "back, but do nothing. Other registers read as zero and ignore stores. Each register is reported once."},
    {id::macro_forgotten, "/sfpu/macro/forgotten", kind::notice, level::warning,
     "Scheduling an instruction replaced an outstanding one.",
     "Rule T12: a scheduled instruction replaces an outstanding one of the same sub-unit that would execute "
     "in the "
     "same cycle. The replaced one never executes."},
    {id::macro_never_drained, "/sfpu/macro/never-drained", kind::hazard, level::warning,
     "The program ended with scheduled instructions outstanding.",
     "Rule T19: entries that wait for elapsed instructions stay until more SFPU instructions are issued. Put "
     "enough "
     "SFPNOPs after the last SFPLOADMACRO."},
    {id::macro_selector_one, "/sfpu/macro/selector-one", kind::hazard, level::warning,
     "A macro sequence byte uses selector 1, which is undefined.",
     "Rule T14: selector 1 is undefined. The model schedules nothing for that sub-unit and forgets nothing."},
    {id::macro_template_not_executable, "/sfpu/macro/template-not-executable", kind::notice, level::warning,
     "A macro schedules a template that its sub-unit cannot execute; it became SFPNOP.",
     "Rule T14: each sub-unit executes its own instructions only. The SFPNOP still occupies the sub-unit and "
     "discards a regular instruction."},
    {id::macro_store_without_store, "/sfpu/macro/store-without-store", kind::hazard, level::warning,
     "A macro schedules something other than SFPSTORE on the Store sub-unit, which is undefined.",
     "Rule T14: the Store sub-unit must not be fed SFPNOP or a template that is no SFPSTORE. The model "
     "schedules an "
     "entry that occupies the sub-unit and does nothing."},
    {id::macro_lanes_differ, "/sfpu/macro/lanes-differ", kind::hazard, level::warning,
     "SFPLOADMACRO executed while LoadMacroConfig differs between lanes.",
     "The ISA documentation discourages this. The model schedules what column 0 holds, for all lanes."},
    {id::macro_slots_full, "/sfpu/macro/slots-full", kind::hazard, level::warning,
     "A scheduled instruction found no free slot and was dropped.",
     "Only possible if parameter macro.slots is below the eight of the hardware."},
    {id::macro_beyond_machine, "/sfpu/macro/beyond-machine", kind::hazard, level::warning,
     "SFPLOADMACRO names a macro, or its sequence a template, that the machine does not have.",
     "Only possible if macro.count or macro.templates is not that of the hardware, whose four macros and "
     "four "
     "templates "
     "are all that its words can name. Nothing is scheduled for what is missing; the load is executed."},
    {id::macro_stale_configuration, "/sfpu/macro/stale-configuration", kind::hazard, level::warning,
     "SFPLOADMACRO uses a template, sequence or Misc that this program has not written.",
     "Rule T1: templates, sequence and Misc are sampled when the SFPLOADMACRO executes. LoadMacroConfig "
     "keeps its "
     "contents from one kernel to the next, so what is not written is what an earlier kernel left. Write "
     "every part "
     "that the macro uses, Misc included: it holds the delay kinds. Found by lint."},
    {id::flags_stack_overflow, "/sfpu/flags/stack-overflow", kind::hazard, level::warning,
     "SFPPUSHC was used with the flag stack full.",
     "The flag stack holds eight entries. A ninth push overwrites the oldest; the size counter has four bits "
     "and "
     "wraps, as on Wormhole."},
    {id::flags_stack_underflow, "/sfpu/flags/stack-underflow", kind::hazard, level::warning,
     "The flag stack was popped or replaced while empty.",
     "An empty stack peeks as {false, false}, that is all lanes active; a pop wraps the four-bit size "
     "counter to "
     "15, as on Wormhole. SFPPUSHC with a modifier has no entry to change and does nothing."},
    {id::frontend_config_index, "/sfpu/frontend/config-index", kind::isa, level::warning,
     "SETC16 names a thread configuration register that does not exist.",
     "The write is dropped. The silicon's behaviour is undefined."},
    {id::frontend_idle_condition, "/sfpu/frontend/idle-condition", kind::notice, level::info,
     "A STALLWAIT waits for a unit that this model does not have.",
     "tile.md K8: of the conditions of STALLWAIT, the model has those of the vector unit, the Matrix Unit "
     "and "
     "the Configuration Unit. Unpackers, packers, mover and scalar unit count as idle. Reported once a run."},
    {id::frontend_never_released, "/sfpu/frontend/never-released", kind::notice, level::error,
     "The wait gate holds a word for ever.",
     "tile.md K8: the conditions of a STALLWAIT or SEMWAIT are not met and nothing that is under way will "
     "change that: no other core posts the semaphore, or macro entries wait for instructions (T20) that the "
     "wait itself blocks. Or an ATGETM waits for a mutex that no thread releases, or that the chip does not "
     "have. The words behind are not issued; the silicon hangs."},
    {id::frontend_collision, "/sfpu/frontend/collision", kind::notice, level::error,
     "A word of the T core was lost: the B core pushed one in the same cycle.",
     "tile.md K3: words of the B core enter behind the MOP expander. When both have one in the same cycle, "
     "the "
     "T core's is dropped silently. Let only one of the two cores push at a time."},
    {id::frontend_mop_config_race, "/sfpu/frontend/mop-config-race", kind::notice, level::warning,
     "The MOP configuration was written while a MOP waited or was being expanded.",
     "tile.md K4: the expander reads its configuration while it works, so the rest of the expansion uses the "
     "new values. Load from MOPExpanderDoneCheck (0xFFE80008) before the configuration is written."},
    {id::frontend_replay_unloaded, "/sfpu/frontend/replay-unloaded", kind::notice, level::warning,
     "REPLAY plays slots of its buffer that nothing has loaded.",
     "tile.md K5: the replay buffer keeps its contents from one kernel to the next, so what is not loaded is "
     "what "
     "an earlier kernel left. The model starts with a buffer of zeros, which are no instructions."},
    {id::tensorload_bus_error, "/sfpu/tensorload/bus-error", kind::hazard, level::warning,
     "A memory answered a TensorLoad transfer with an error response: the data are lost.",
     "The slice was aligned and inside its memory space, so the instruction did not trap, but what is bound "
     "there refuses the access, as the Dst window does while its format has another element size. A load "
     "gets zeros, what a store sent is lost. The bit bus_error of tl_status is set until reset."},
    {id::hart_misaligned, "/sfpu/hart/misaligned", kind::notice, level::warning,
     "A core loads or stores at an address that is no multiple of the size.",
     "tile.md K1; ISA documentation, BabyRISCV: a Wormhole core silently rounds the address down. No source "
     "says what a Blackhole core does; there the access is done byte by byte in memory and traps at devices. "
     "The parameter hart.misaligned chooses otherwise."},
    {id::hart_bus_error, "/sfpu/hart/bus-error", kind::notice, level::warning,
     "A memory or device refused a core's load or store.",
     "Nothing is at the address, or what is there does not take an access of this size. The core takes an "
     "access fault here. The chips have no such fault: an access to nowhere hangs or is lost."},
}};

constexpr bool rows_are_in_order() {
    for (unsigned i = 0; i < report_count; ++i)
        if (static_cast<unsigned>(table[i].id) != i) return false;
    return true;
}
static_assert(rows_are_in_order());

} // namespace

const char* to_string(severity value) {
    switch (value) {
    case severity::info: return "info";
    case severity::warning: return "warning";
    case severity::error: return "error";
    }
    return "error";
}

const report_row& describe(report_id which) { return table[static_cast<unsigned>(which)]; }

bool leaves_something_undone(report_id which) {
    switch (which) {
    case id::isa_not_modelled:
    case id::dst_window_access:
    case id::tensorload_bus_error:
    case id::hart_misaligned:
    case id::hart_bus_error: return true;
    default: return false;
    }
}

const report_row* find_report(std::string_view name) {
    for (const report_row& row : table)
        if (name == row.name) return &row;
    return nullptr;
}

bool parse(std::string_view text, hazard_policy& policy) {
    if (text == "error") policy = hazard_policy::error;
    else if (text == "warn") policy = hazard_policy::warn;
    else if (text == "off") policy = hazard_policy::off;
    else return false;
    return true;
}

} // namespace sfpu
