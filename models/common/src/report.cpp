#include <sfpu/common/report.h>

#include <array>

namespace sfpu {
namespace {

using id = report_id;
using kind = report_kind;
using level = severity;
using example = report_example;

// clang-format off
constexpr std::array<report_row, report_count> table{{
#include "report_rows_of_words.h"
    {id::hazard_unprotected_read, "/sfpu/hazard/unprotected-read", kind::hazard, level::warning,
     "An instruction reads a register before a result that is under way has reached it.",
     "Rules T3, T16 and T17: the result of a MAD-class instruction is visible two cycles later. Wormhole "
     "never stalls for it and Blackhole's stall logic has blind spots; there the old value is read. On a "
     "machine with other latencies (sfpu.latency.*) the same holds for every result that takes more than "
     "one cycle: the stall logic knows the MAD class only. Put an SFPNOP or another independent instruction "
     "in between. Producer and reader are issued words here: where one of them is scheduled by a macro, the "
     "old value may be meant, and lint says which results are lost (/sfpu/hazard/lreg-overwritten).",
     example::assembly(R"(
sfpmad L0, L1, L2, L3, 0
sfpiadd 0, L4, L3, 4              ; L3 + L4 with the old L3: VD is a blind spot
)"),
     "Put an SFPNOP or another independent instruction between the two. The blind spots on Blackhole: "
     "SFPAND and SFPOR with USE_VB, VD of SFPIADD and SFPSHFT, L0 of SFPCONFIG, SFPSWAP but for mode SWAP, "
     "SFPSHFT2 modes 2 to 6."},
    {id::hazard_write_collision, "/sfpu/hazard/write-collision", kind::hazard, level::warning,
     "Two instructions write the same lanes of one register in the same cycle.",
     "Rule T2a: such writes are applied in the order MAD, second cycle of SFPSWAP or SFPSHFT2, Simple, "
     "Round, load (parameter sfpu.write_order), the last one wins. The order is inferred, so do not rely "
     "on it. One pair is decided by reductions that ship, which are right only if a load wins against the "
     "second cycle of SFPSWAP: lint tells it and does not call a kernel broken for it.",
     example::assembly(R"(
sfpmad L0, L1, L2, L3, 0          ; writes at the end of t + 1
sfploadi L3, USHORT, 1            ; and so does this
)"),
     "Write another register, or a cycle apart."},
    {id::hazard_late_write, "/sfpu/hazard/late-write", kind::hazard, level::warning,
     "A result arrives behind a younger one in the same register and replaces it.",
     "Results go to their registers when their latency is over (T2, T3), and nothing holds a shorter one "
     "back: the register keeps the value of the older instruction. It cannot happen with the latencies of "
     "the chips, where two results come together at worst (/sfpu/hazard/write-collision), but on a machine "
     "with other ones (sfpu.latency.*).",
     example::assembly(R"(
.config sfpu.latency.mad, 3
sfpmul L0, L0, L9, L1, 0          ; L1 is there in cycle 3
sfpmov 0, L2, L1, 0               ; and this one in cycle 2
)"),
     "Write another register, or put SFPNOPs in between."},
    {id::hazard_simple_round_conflict, "/sfpu/hazard/simple-round-conflict", kind::hazard, level::warning,
     "Simple and Round both execute in one cycle and not exactly one of them writes L16.",
     "Rule T9: the two sub-units share a register write port. One of the two must have VD = 16 and the "
     "other not.",
     example::assembly(R"(
; sequence 0x00850004: Simple and Round after 0, both to [x]
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Let exactly one of the two write L16 (bit 6 of its byte), or give them different delays."},
    {id::hazard_swap_neighbour, "/sfpu/hazard/swap-neighbour", kind::hazard, level::warning,
     "A sub-unit that SFPSWAP needs idle was used beside it.",
     "Rule T8: SFPSWAP occupies Simple for two cycles. MAD must be idle or run SFPNOP in its first cycle, "
     "Simple and Round must be idle or run SFPNOP in its second.",
     example::assembly(R"(
; sequence 0x008d0000: Round after 1
sfploadmacro 0, L0, INT32, 3, 0
sfpswap 0, L1, L2, 1              ; Round executes in its second cycle
)"),
     "Change the delay so that Simple and Round are idle in the second cycle, and MAD in the first.",
     "In the first cycle Round shares the write port with it as with any other instruction of Simple: "
     "exactly one of the two must write L16 (T9)."},
    {id::hazard_shft2_neighbour, "/sfpu/hazard/shft2-neighbour", kind::hazard, level::warning,
     "An instruction stands where a two-cycle SFPSHFT2 forbids it.",
     "Rules T8 and T17: SFPSHFT2 modes 2, 3 and 4 take two cycles. Simple and Round must be idle in the "
     "second; on Wormhole nothing stalls, and the instructions that its page lists must not follow "
     "directly.",
     example::assembly(R"(
; Wormhole
sfpshft2 0, L1, L2, 3
sfpabs 0, L4, L5, 0
)"),
     "Put an SFPNOP behind the shuffle; move scheduled instructions out of its second cycle."},
    {id::hazard_laneconfig_neighbour, "/sfpu/hazard/laneconfig-neighbour", kind::hazard, level::warning,
     "SFPCONFIG changed DISABLE_BACKDOOR_LOAD and the next instruction depends on it.",
     "The next SFPU instruction may see the old or the new value on silicon. The model uses the new one. "
     "Insert an SFPNOP.",
     example::assembly(R"(
sfpconfig 2, LANECONFIG, 1
sfpcast L0, L12, 0                ; a template, or an ordinary instruction?
)"),
     "Put an SFPNOP in between."},
    {id::hazard_config_macro_distance, "/sfpu/hazard/config-macro-distance", kind::hazard, level::warning,
     "SFPLOADMACRO follows a write of a sequence or Misc too closely.",
     "Rule T21: two SFPNOPs between an SFPCONFIG that writes a sequence or Misc and the next SFPLOADMACRO "
     "are the measured minimum on Blackhole (tt-metal 53455 and 53457). One that comes fewer than "
     "macro.config_distance words behind it may see the old contents on silicon; the model lets it see the "
     "new ones.",
     example::assembly(R"(
sfpconfig 0x100, MISC, 1
sfpnop
sfploadmacro 0, L0, INT32, 3, 0   ; two words behind the write, and three are needed
)"),
     "Put two SFPNOPs, or two words of the set-up that write neither sequences nor Misc, in between.",
     "The parameter `macro.config_distance` counts words: 3 unless set, 0 switches the diagnostic off. "
     "Nobody has published a measurement for Wormhole, which gets the same default."},
    {id::hazard_misc_left_armed, "/sfpu/hazard/misc-left-armed", kind::hazard, level::warning,
     "A Wormhole kernel leaves Misc armed and then issues plain instructions.",
     "A kernel on Wormhole silicon hung the vector unit when its set-up had written a Misc whose "
     "UnitDelayKind says that delays count instructions, and its loop then used no SFPLOADMACRO (tt-metal "
     "47675; Blackhole tolerates it). Found at the end of a program, by run and lint: UnitDelayKind is not "
     "zero, and since it was written plain instructions of the vector unit were issued, but no "
     "SFPLOADMACRO at all or none in the loop.",
     example::assembly(R"(
; Wormhole
sfpconfig 0x100, MISC, 1          ; Simple counts instructions
sfpnop
sfpnop
sfpload L0, INT32, 3, 0           ; and nothing that follows uses a macro
sfpstore L0, INT32, 3, 0
)"),
     "`sfpconfig 0, MISC, 1` and two SFPNOPs in front of the plain instructions, or write Misc only where "
     "macros follow.",
     "What *armed* means is inferred from the published cure, which writes Misc with zero: here it is any "
     "of the four bits of UnitDelayKind. SFPNOP, SFPCONFIG and SFPLOADI are no plain instructions. The "
     "model does not hang."},
    {id::hazard_l16_overwritten, "/sfpu/hazard/l16-overwritten", kind::hazard, level::warning,
     "L16 is overwritten before the scheduled instruction that needs its value has read it.",
     "Rule T4: L16 is one ordinary register and nothing renames it. A result in it is lost as soon as "
     "another macro or another row writes it. Either nothing reads the lost value, or the macro that "
     "produced it stores a newer one. Shorten the delay of the store or lengthen that of the later writer. "
     "Found by lint.",
     example::assembly(R"(
; sequence 0x53000044: Simple after 0 to L16, Store of L16 after 2
sfploadmacro 0, L0, UINT16, ADDR_MOD_6, 0
sfploadmacro 0, L0, UINT16, ADDR_MOD_6, 0  ; its result is what the first one stores
)"),
     "Shorten the delay of the store, or issue the next macro later."},
    {id::hazard_lreg_overwritten, "/sfpu/hazard/lreg-overwritten", kind::hazard, level::warning,
     "An LReg is overwritten between a scheduled producer and its consumer.",
     "Rules T1 and T2: scheduled instructions read their registers when they execute, up to eight cycles "
     "after the SFPLOADMACRO. A load to the same register in between replaces the value, and so does an "
     "instruction that executes too early to read it. Let successive rows use different registers, or "
     "change the delay. Found by lint.",
     example::assembly(R"(
; sequence 0x00000004: Simple after 0 to [x]
sfploadmacro 0, L0, INT32, 3, 0
sfpnop                            ; the scheduled cast executes
sfploadi L0, USHORT, 1            ; its result is gone
sfpstore L0, INT32, 3, 16
)"),
     "Use another register in every other row, or change the delay.",
     "What the first row of a pipeline computes for a word that only later rows have is not reported."},
    {id::hazard_unwritten_read, "/sfpu/hazard/unwritten-read", kind::hazard, level::warning,
     "The result depends on a register that the program had not written when it was read.",
     "Rules T1 and T4: nothing orders a scheduled reader behind its producer (T18). One that executes too "
     "early finds what an earlier row or an earlier kernel left. Reported only if other contents before "
     "the run change Dst. Found by lint.",
     example::assembly(R"(
; sequence 0x43000044: Simple after 0 to L16, Store of L16 after 0, too early
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Lengthen the delay of the reader, or write the register first."},
    {id::dst_store_load_distance, "/sfpu/dst/store-load-distance", kind::notice, level::warning,
     "A slice of Dst is loaded so soon after its store that upstream documents call it a hazard.",
     "Rule T7: a store at t is visible to a load at t + 1 here (parameter dst.store_load_visible), as a "
     "public kernel relies on; loads up to dst.store_load_warn cycles after the store are reported, and "
     "loads that do not see it.",
     example::assembly(R"(
sfpstore L0, INT32, 3, 0
sfpload L1, INT32, 3, 0
)"),
     "Put an instruction in between. `lint` says whether the result depends on it "
     "(`dst.store_load_visible`)."},
    {id::dst_window_write_distance, "/sfpu/dst/window-write-distance", kind::notice, level::warning,
     "SFPLOAD reads a block of Dst too soon after a RISC-V core wrote to it.",
     "tile.md K7: an aligned 8x16 block of Dst cannot be read for four cycles after a write, and nothing "
     "stalls SFPLOAD for it (parameter memory.dst_window.settle). The model lets the load see the new "
     "value. Leave three instructions in between or use STALLWAIT.",
     example::sentence(
         "Only on a tile: a core stores to 0xFFBD8000 and the vector unit loads the same rows in one of "
         "the next three cycles."),
     "Wait for the store before the load is pushed: read the element back, or push three unrelated "
     "instructions."},
    {id::dst_window_access, "/sfpu/dst/window-access", kind::notice, level::warning,
     "A RISC-V core accesses the Dst window in a way that its format does not allow.",
     "tile.md K7: formats 6 and 7 of RISC_DEST_ACCESS_CTRL are reserved; T0 and T1 access one element at a "
     "time, with an access of the element's size. The silicon misbehaves in other cases; here the access "
     "fails and the core takes an access fault.",
     example::sentence("Only on a tile: `lw` from the window in format bf16, whose elements have two bytes."),
     "Use `lw` and `sw` in formats 0 and 1, `lhu` and `sh` in 2 to 4, `lbu` and `sb` in 5."},
    {id::dst_format_changed, "/sfpu/dst/format-changed", kind::notice, level::warning,
     "What mode SRCB stands for changes while loads or stores in that mode are under way.",
     "SFPLOAD and SFPSTORE take the format of mode SRCB from Fp32_enabled and the format of SrcB when they "
     "execute. A store of a core to the configuration goes past words that wait in queues: they find the new "
     "format. A word of the Configuration Unit is in order with the words before it, but not with what these "
     "scheduled, which finds the new format, nor with what the unit may not have finished: what that finds on "
     "the chip is not known, here the old format (tt-metal 48360).",
     example::sentence("Only on a tile: a core pushes `sfpstore L0, SRCB, ADDR_MOD_7, 0` and clears Fp32_enabled "
                       "by a store at once."),
     "Let the vector unit finish before the change: by STALLWAIT with its condition before a word, by "
     "CoprocessorDoneCheck before a store of a core."},
    {id::registers_not_modelled, "/sfpu/registers/not-modelled", kind::notice, level::warning,
     "A core accesses a configuration or debug register that the model does not have.",
     "Configuration words without a meaning for the vector unit, Dst or the cores can be written and read "
     "back, but do nothing. Other registers read as zero and ignore stores. Each register is reported once.",
     example::sentence("Only on a tile: firmware that configures the packers, for instance."),
     "None is needed if the register has nothing to do with the vector unit. `docs/tile.md`, memory map, lists "
     "those that do something."},
    {id::macro_forgotten, "/sfpu/macro/forgotten", kind::notice, level::warning,
     "Scheduling an instruction replaced an outstanding one.",
     "Rule T12: a scheduled instruction replaces an outstanding one of the same sub-unit that would "
     "execute in the same cycle. The replaced one never executes.",
     example::assembly(R"(
; macro 0: Simple after 1; macro 1: Simple after 0
sfploadmacro 0, L0, INT32, 3, 0
sfploadmacro 1, L2, INT32, 3, 8   ; both would execute in the next cycle but one: the first never does
)"),
     "Change one of the delays."},
    {id::macro_never_drained, "/sfpu/macro/never-drained", kind::hazard, level::warning,
     "The program ended with scheduled instructions outstanding.",
     "Rule T19: entries that wait for elapsed instructions stay until more SFPU instructions are issued. "
     "Put enough SFPNOPs after the last SFPLOADMACRO.",
     example::assembly(R"(
; Simple after 3, counting instructions (Misc 0x100), at the end of the program
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Put as many SFPNOPs into `.tail` as the longest delay has ticks."},
    {id::macro_selector_one, "/sfpu/macro/selector-one", kind::hazard, level::warning,
     "A macro sequence byte uses selector 1, which is undefined.",
     "Rule T14: selector 1 is undefined. The model schedules nothing for that sub-unit and forgets nothing.",
     example::assembly(R"(
; sequence 0x00000001
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Use selector 0 (nothing), 2 (SFPNOP), 3 (SFPSTORE) or 4 to 7 (templates)."},
    {id::macro_template_not_executable, "/sfpu/macro/template-not-executable", kind::notice, level::warning,
     "A macro schedules a template that its sub-unit cannot execute; it became SFPNOP.",
     "Rule T14: each sub-unit executes its own instructions only. The SFPNOP still occupies the sub-unit "
     "and discards a regular instruction.",
     example::assembly(R"(
sfpmad L1, L10, L1, L14, 0        ; template 2
; sequence 0x00000006: Simple, template 2
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Put the template into the byte of its sub-unit."},
    {id::macro_store_without_store, "/sfpu/macro/store-without-store", kind::hazard, level::warning,
     "A macro schedules something other than SFPSTORE on the Store sub-unit, which is undefined.",
     "Rule T14: the Store sub-unit must not be fed SFPNOP or a template that is no SFPSTORE. The model "
     "schedules an entry that occupies the sub-unit and does nothing.",
     example::assembly(R"(
; sequence 0x02000000: SFPNOP on Store
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Use selector 0 for no store, 3 for SFPSTORE, or a template that is an SFPSTORE."},
    {id::macro_template_distance, "/sfpu/macro/template-distance", kind::notice, level::warning,
     "SFPLOADMACRO uses a template that the word before it wrote through the backdoor.",
     "The vendor's compiler keeps a word between the two (tenstorrent/sfpi-gcc, legality of macro regions). "
     "No source says what the silicon does; the model lets the macro use the new template. SFPCONFIG of a "
     "sequence or Misc has a rule of its own, T21. Words count: idle cycles in between change nothing.",
     example::assembly(R"(
; sequence 0x00000004: Simple, template 0
sfpcast L0, L12, 0                ; writes template 0
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Put an SFPNOP, or another word of the set-up, between the two."},
    {id::macro_configured_in_flight, "/sfpu/macro/configured-in-flight", kind::notice, level::warning,
     "SFPCONFIG writes a template, a sequence or Misc while scheduled instructions are outstanding.",
     "The vendor's compiler forbids it: what a macro was made of must stay until its last instruction has "
     "executed (tenstorrent/sfpi-gcc, SFPLOADMACRO_FORMATION, invariant 9). T1 says that everything is "
     "sampled when the SFPLOADMACRO executes, and so does the model: the outstanding ones stay as they are.",
     example::assembly(R"(
; sequence 0x0000000c: Simple after 1
sfploadmacro 0, L0, INT32, 3, 0
sfpconfig 0x100, MISC, 1          ; Simple is outstanding
)"),
     "Issue as many SFPNOPs as the longest delay has ticks before the SFPCONFIG."},
    {id::macro_lanes_move, "/sfpu/macro/lanes-move", kind::notice, level::warning,
     "SFPTRANSP, or an SFPSHFT2 that is no shift, stands beside a macro or in it.",
     "The vendor's compiler forbids SFPTRANSP and the SFPSHFT2 modes that move lanes (all but 5 and 6) while "
     "scheduled instructions are outstanding, and as templates (tenstorrent/sfpi-gcc, "
     "SFPLOADMACRO_FORMATION, invariant 5). No source says what goes wrong; the model executes both as "
     "their pages say.",
     example::assembly(R"(
; sequence 0x0000000c: Simple after 1
sfploadmacro 0, L0, INT32, 3, 0
sfptransp 0, 0, 0, 0              ; Simple is outstanding
)"),
     "Issue SFPNOPs until the macro has drained, and the instruction behind them; never write it to a "
     "template that a macro uses."},
    {id::macro_store_beside_flags, "/sfpu/macro/store-beside-flags", kind::notice, level::warning,
     "A scheduled store executes in the cycle in which a scheduled instruction writes the lane flags.",
     "Rules T2 and T5: the store goes to the lanes that the flags of before the cycle choose. A calendar of "
     "`where` with Misc 0x706 that restores all lanes in the cycle of its store leaves the chosen lanes "
     "unwritten on Blackhole silicon, and here; the vendor's compiler refuses it since "
     "(tenstorrent/sfpi-gcc, MACRO_PLANNER, cc-restore-store-race).",
     example::assembly(R"(
; template 0: sfpencc 0, 0, 0, 0; sequence 0x03000004: Simple and Store after 0
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Schedule the instruction that restores the flags a cycle earlier, by its delay or on an SFPLOADMACRO "
     "before; or the store a cycle later."},
    {id::macro_drained_by_cycles, "/sfpu/macro/drained-by-cycles", kind::notice, level::info,
     "The program ended with scheduled instructions outstanding that wait for cycles.",
     "They execute as time passes (T10, T19), so nothing is lost. But they execute beside whatever is "
     "issued next, as the next kernel, and may discard a word of it (T13). The vendor's compiler drains "
     "every macro before a region ends, by as many words as the greatest delay says "
     "(tenstorrent/sfpi-gcc, SFPLOADMACRO_FORMATION, invariant 6).",
     example::assembly(R"(
; Store after 2, counting cycles (Misc 0), at the end of the program
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "None is needed if nothing is issued behind the kernel. If something is, put SFPNOPs into `.tail` until "
     "the last one has executed."},
    {id::macro_lanes_differ, "/sfpu/macro/lanes-differ", kind::hazard, level::warning,
     "SFPLOADMACRO executed while LoadMacroConfig differs between lanes.",
     "The ISA documentation discourages this. The model schedules what column 0 holds, for all lanes.",
     example::assembly(R"(
sfpconfig 1, SEQUENCE0, 8         ; column 0 only
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "Write LoadMacroConfig with all lanes enabled and all columns selected."},
    {id::macro_slots_full, "/sfpu/macro/slots-full", kind::hazard, level::warning,
     "A scheduled instruction found no free slot and was dropped.",
     "Only possible if parameter macro.slots is below the eight of the hardware.",
     example::assembly(R"(
.config macro.slots, 1
sfploadmacro 0, L0, INT32, 3, 0   ; Simple after 3
sfploadmacro 0, L2, INT32, 3, 8
)"),
     "Keep fewer instructions outstanding, or give the machine more slots."},
    {id::macro_beyond_machine, "/sfpu/macro/beyond-machine", kind::hazard, level::warning,
     "SFPLOADMACRO names a macro, or its sequence a template or delay, that the machine does not have.",
     "Only possible if macro.count, macro.templates or macro.delay_bits is not that of the hardware, whose "
     "four macros and four templates are all that its words can name. Nothing is scheduled for what is "
     "missing; the load is executed. Of a delay that is too long the lower bits count.",
     example::assembly(R"(
.config macro.templates, 2
sfploadi L0, LOWER, 6             ; Simple: template 2
sfploadi L0, UPPER, 0
sfpconfig 0, SEQUENCE0, 0
sfploadmacro 0, L1, INT32, 3, 0
)"),
     "Give the machine as many macros and templates as the kernel uses, see [machines](exploration.md#machines-larger-than-the-chips)."},
    {id::macro_stale_configuration, "/sfpu/macro/stale-configuration", kind::hazard, level::warning,
     "SFPLOADMACRO uses a template, sequence or Misc that this program has not written.",
     "Rule T1: templates, sequence and Misc are sampled when the SFPLOADMACRO executes. LoadMacroConfig "
     "keeps its contents from one kernel to the next, so what is not written is what an earlier kernel "
     "left. Write every part that the macro uses, Misc included: it holds the delay kinds. Where it does not "
     "matter, because all delays are 0 and nothing is stored, lint tells it and does not call a kernel broken "
     "for it. Found by lint.",
     example::assembly(R"(
sfpcast L0, L12, 0
sfploadi L0, USHORT, 4
sfpconfig 0, SEQUENCE0, 0
sfploadmacro 0, L0, INT32, 3, 0   ; Misc has not been written
)"),
     "Write the missing part in `.init`."},
    {id::macro_other_thread, "/sfpu/macro/other-thread", kind::hazard, level::warning,
     "SFPLOADMACRO uses a template, sequence or Misc that another thread wrote behind its own.",
     "The three threads of a Tensix tile share the vector unit, and so LoadMacroConfig. A thread that wrote "
     "a part finds there what another thread has written since: its macro does what the other one's does "
     "(tt-metal 50399). Parts that the thread has never written itself are left to the others on purpose "
     "and are not reported; contents are not compared.",
     example::sentence("Thread 0 and thread 1 both write template 0, sequence 0 and Misc, thread 1 later; "
                       "then thread 0 issues an SFPLOADMACRO of macro 0."),
     "Let one thread alone set up macros, give each thread macros and templates of its own (Misc is shared), "
     "or keep the threads apart by a semaphore and set up anew."},
    {id::macro_other_than_chip, "/sfpu/macro/other-than-chip", kind::notice, level::info,
     "On the chip the same words with SFPLOADMACROs do something else at this place.",
     "Rule T18: nothing protects what is scheduled, so a schedule is right for the latencies, stalls and "
     "units that it was written for. On a machine with others this says where the first difference of each "
     "kind is: a result that is seen on one of the two only, two results in another order, a word that "
     "waits for another number of cycles, two words in one cycle, a second unit that executes what the chip "
     "drops. It is no fault of a schedule that was written for the machine, and does not say that results "
     "differ.",
     example::assembly(R"(
.config sfpu.latency.mad, 3
; sequence 0x53004600: MAD after 0 to L16, Store of L16 after 2, when only the chip has the result
sfploadmacro 0, L0, INT32, 3, 0
)"),
     "`sfpusim run` compares the results with those of the chip; `sfpusim optimize` writes a schedule for "
     "the machine."},
    {id::flags_stack_overflow, "/sfpu/flags/stack-overflow", kind::hazard, level::warning,
     "SFPPUSHC was used with the flag stack full.",
     "The flag stack holds eight entries. A ninth push overwrites the oldest; the size counter has four "
     "bits and wraps, as on Wormhole.",
     example::assembly(R"(
sfppushc 0, 0, 0, 0               ; nine times
)"),
     "Nest at most eight deep."},
    {id::flags_stack_underflow, "/sfpu/flags/stack-underflow", kind::hazard, level::warning,
     "The flag stack was popped or replaced while empty.",
     "An empty stack peeks as {false, false}, that is all lanes active; a pop wraps the four-bit size "
     "counter to 15, as on Wormhole. SFPPUSHC with a modifier has no entry to change and does nothing.",
     example::assembly(R"(
sfppopc 0, 0, 0, 0                ; without a push
)"),
     "Match each pop with a push."},
    {id::frontend_config_index, "/sfpu/frontend/config-index", kind::isa, level::warning,
     "SETC16 names a thread configuration register that does not exist.",
     "The write is dropped. The silicon's behaviour is undefined.",
     example::assembly(R"(
setc16 63, 0
)"),
     "Use the number of an existing register; ADDR_MOD_6 of Blackhole is 34."},
    {id::frontend_idle_condition, "/sfpu/frontend/idle-condition", kind::notice, level::info,
     "A STALLWAIT waits for a unit that this model does not have.",
     "tile.md K8: of the conditions of STALLWAIT, the model has those of the vector unit, the Matrix Unit "
     "and the Configuration Unit. Unpackers, packers, mover and scalar unit count as idle. Reported once a "
     "run.",
     example::assembly(R"(
stallwait 0x100, 1            ; waits for the scalar unit
sfpnop
)"),
     "None is needed if the kernel means another unit. To wait for the vector unit, use condition bit 11 "
     "on Blackhole and 14 on Wormhole."},
    {id::frontend_never_released, "/sfpu/frontend/never-released", kind::notice, level::error,
     "The wait gate holds a word for ever.",
     "tile.md K8: the conditions of a STALLWAIT or SEMWAIT are not met and nothing that is under way will "
     "change that: no other core posts the semaphore, or macro entries wait for instructions (T20) that "
     "the wait itself blocks. Or an ATGETM waits for a mutex that no thread releases, or that the chip "
     "does not have. The words behind are not issued; the silicon hangs.",
     example::assembly(R"(
semwait 0x100, 1, 1           ; while semaphore 0 is zero, and nobody posts it
sfpnop
)"),
     "Post the semaphore from a core or before the wait; after the last SFPLOADMACRO issue SFPNOPs before "
     "a STALLWAIT that blocks the vector unit."},
    {id::frontend_collision, "/sfpu/frontend/collision", kind::notice, level::error,
     "A word of the T core was lost: the B core pushed one in the same cycle.",
     "tile.md K3: words of the B core enter behind the MOP expander. When both have one in the same cycle, "
     "the T core's is dropped silently. Let only one of the two cores push at a time.",
     example::sentence("Only where a B core pushes: both cores push a word in one cycle."),
     "Let one of the cores wait for the other, for instance by a semaphore."},
    {id::frontend_mop_config_race, "/sfpu/frontend/mop-config-race", kind::notice, level::warning,
     "The MOP configuration was written while a MOP waited or was being expanded.",
     "tile.md K4: the expander reads its configuration while it works, so the rest of the expansion uses "
     "the new values. Load from MOPExpanderDoneCheck (0xFFE80008) before the configuration is written.",
     example::sentence("Only on a tile: a store to 0xFFB80000 behind the store of a MOP."),
     "Store to and load from 0xFFE80008 before the first word of the configuration is written."},
    {id::frontend_replay_unloaded, "/sfpu/frontend/replay-unloaded", kind::notice, level::warning,
     "REPLAY plays slots of its buffer that nothing has loaded.",
     "tile.md K5: the replay buffer keeps its contents from one kernel to the next, so what is not loaded "
     "is what an earlier kernel left. The model starts with a buffer of zeros, which are no instructions.",
     example::assembly(R"(
replay 0, 4, 0, 0             ; no load before it
)"),
     "Load the slots first: `replay 0, 4, 0, 1` and the four words."},
    {id::frontend_record_behind_store, "/sfpu/frontend/record-behind-store", kind::notice, level::warning,
     "REPLAY records without executing close behind an SFPSTORE that moves the Dst counter.",
     "A REPLAY with load=1 and exec=0 within seven issue slots behind a store whose address modifier "
     "increments the counter hung a Blackhole chip, twice; each of the two alone passes. The model goes on. "
     "Words that were played count as slots, words that were only recorded do not.",
     example::assembly(R"(
setc16 34, 2                  ; ADDR_MOD_6: Dst += 2
sfpstore L0, INT32, ADDR_MOD_6, 0
replay 0, 4, 0, 1
)"),
     "Put seven words between the two, record with exec=1, or let INCRWC move the counter."},
    {id::tensorload_bus_error, "/sfpu/tensorload/bus-error", kind::hazard, level::warning,
     "A memory answered a TensorLoad transfer with an error response: the data are lost.",
     "The slice was aligned and inside its memory space, so the instruction did not trap, but what is "
     "bound there refuses the access, as the Dst window does while its format has another element size. A "
     "load gets zeros, what a store sent is lost. The bit bus_error of tl_status is set until reset.",
     example::sentence("Only on a tile: `tl.store` of int8 while the window's format is fp32."),
     "Give RISC_DEST_ACCESS_CTRL the format that belongs to `ttype`, see [tensorload.md](tensorload.md)."},
    {id::hart_misaligned, "/sfpu/hart/misaligned", kind::notice, level::warning,
     "A core loads or stores at an address that is no multiple of the size.",
     "tile.md K1; ISA documentation, BabyRISCV: a Wormhole core silently rounds the address down. No "
     "source says what a Blackhole core does; there the access is done byte by byte in memory and traps at "
     "devices. The parameter hart.misaligned chooses otherwise.",
     example::sentence("Only on a tile: `lw` from an address that ends in 2."),
     "Align the data, or load it in parts."},
    {id::hart_bus_error, "/sfpu/hart/bus-error", kind::notice, level::warning,
     "A memory or device refused a core's load or store.",
     "Nothing is at the address, or what is there does not take an access of this size. The core takes an "
     "access fault here. The chips have no such fault: an access to nowhere hangs or is lost.",
     example::sentence("Only on a tile: `lw` from an address that the memory map does not have."),
     "Compare the address with `sfpusim info --memory-map`."},
}};
// clang-format on

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

const char* to_string(report_kind value) {
    switch (value) {
    case report_kind::hazard: return "hazard";
    case report_kind::notice: return "notice";
    case report_kind::isa: return "isa";
    case report_kind::remark: return "remark";
    }
    return "isa";
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

bool is_compiler_rule(report_id which) {
    switch (which) {
    case id::macro_template_distance:
    case id::macro_configured_in_flight:
    case id::macro_lanes_move:
    case id::macro_store_beside_flags:
    case id::macro_drained_by_cycles:
    case id::frontend_record_behind_store: return true;
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
