// Rows of the table of reports (report.cpp): what instructions and kernels say of themselves, whenever they
// are issued. An excerpt of an initialiser, in the order of report_id.
// clang-format off
    {id::isa_unimplemented, "/sfpu/isa/unimplemented", kind::isa, level::error,
     "The instruction exists but this version has no semantics for it.",
     "The word was issued and took its cycle, but its effect is missing: results after it are not to be "
     "trusted.",
     {},
     "None; every instruction of this version has semantics, so the report does not occur."},
    {id::isa_undefined, "/sfpu/isa/undefined", kind::isa, level::warning,
     "The instruction's modifier or operand has no defined meaning.",
     "The ISA documentation calls this case undefined behaviour. The model does what docs/isa.md says for "
     "it, the silicon may do something else.",
     example::assembly(R"(
sfpshft2 0, L0, L1, 7
)"),
     "Use a modifier that the documentation defines."},
    {id::isa_non_contractual, "/sfpu/isa/non-contractual", kind::isa, level::info,
     "The behaviour is that of today's silicon and not guaranteed by the architecture.",
     "The ISA documentation marks this behaviour as non-contractual. The model does what current silicon "
     "does.",
     example::assembly(R"(
sfpswap 0, L0, L1, 10
)"),
     "Know that a later chip may differ, or use a defined modifier."},
    {id::isa_not_modelled, "/sfpu/isa/not-modelled", kind::isa, level::warning,
     "The word is a Tensix instruction of another unit and was treated as NOP.",
     "Only SFPU instructions and the front-end instructions that SFPU kernels need are modelled. A word of "
     "another unit takes its issue slot and has no effect.",
     example::assembly(R"(
.word 0x26000000                 ; a Matrix Unit instruction
)"),
     "Leave the word out, or accept that it does nothing here."},
    {id::isa_constant_register, "/sfpu/isa/constant-register", kind::isa, level::info,
     "An instruction writes its result to a constant register, which keeps its value.",
     "L8 to L15 hold constants. A result whose VD is one of them is lost; only SFPCONFIG writes L11 to L14. "
     "Instructions with VD of 12 to 15 write an instruction template instead and are not reported, unless "
     "DISABLE_BACKDOOR_LOAD is set for all lanes. Nor are those that are there for the flags that they set, "
     "and SFPSWAP if its other register takes a result.",
     example::assembly(R"(
sfpmov 0, L1, L11, 0              ; L11 is still -1
)"),
     "Write L0 to L7, or give a constant its value by SFPCONFIG or `.constant`."},
    {id::kernel_redefined_name, "/sfpu/kernel/redefined-name", kind::remark, level::info,
     "A name is given another value than before.",
     "`.equ` gives a name a value from its line on. A second value is meant seldom.",
     example::assembly(R"(
.equ offset, 2
.equ offset, 4
)"),
     "Use two names."},
    {id::kernel_empty_loop, "/sfpu/kernel/empty-loop", kind::remark, level::info,
     "No instruction follows `.loop`.", "The kernel has no rows, and so no data and no throughput.",
     example::assembly(R"(
sfpnop
.loop
)"),
     "Put `.loop` in front of what is issued for each row."},
    {id::kernel_no_loop, "/sfpu/kernel/no-loop", kind::remark, level::info,
     "The kernel has no `.loop`: all of it is issued for each row.",
     "A file without sections is a plain list of instructions that is issued once a row.",
     example::assembly(R"(
sfploadi L0, FLOATB, 1.0          ; for each row
sfpstore L0, BF16, 0, 0
)"),
     "Write `.loop` in front of what is issued for each row."},
    {id::kernel_truncated_division, "/sfpu/kernel/truncated-division", kind::remark, level::info,
     "A division of integers in an expression leaves a rest, which is left out.",
     "Expressions follow C: the quotient of two integers is an integer, so that 1 / 6 is 0 and 7 / 2 is 3.",
     example::assembly(R"(
sfploadi L0, FLOATB, 1 / 6        ; 0
)"),
     "Write one of the numbers with a point, 1.0 / 6, and round it to the type: bf16(1.0 / 6)."},
    {id::kernel_address_carry, "/sfpu/kernel/address-carry", kind::remark, level::info,
     "Bit 0 of the address of an SFPLOADMACRO, which selects L4 to L7, carries into the address.",
     "The bit is added to the Dst counter with its offsets like the rest of the address field. If their sum "
     "is odd, the load reads other columns than with L0 to L3.",
     example::assembly(R"(
.config dst_rwc, 1
.loop
sfploadmacro 0, L4, INT32, 3, 0
)"),
     "Keep the counters even, or load L0 to L3."},
    {id::kernel_unused_input, "/sfpu/kernel/unused-input", kind::remark, level::info,
     "No load reads a row of an `.input`.", "What stands there makes no difference to what the kernel computes.",
     example::assembly(R"(
.input x, 0, bf16                 ; and nothing loads from there
sfpload L0, BF16, 3, 2
)"),
     "Compare the address of `.input` with those of the loads, and the address modifiers."},
    {id::kernel_unstored_output, "/sfpu/kernel/unstored-output", kind::remark, level::info,
     "No row of an `.output` is stored whole.", "At the end it holds what was in Dst before the kernel ran.",
     example::assembly(R"(
.output y, 0, bf16                ; and nothing stores there
sfpstore L0, BF16, 3, 2
)"),
     "Compare the address of `.output` with those of the stores, and the address modifiers."},
    {id::kernel_partial_output, "/sfpu/kernel/partial-output", kind::remark, level::info,
     "Some rows of an output are stored, and others are not.",
     "The rows that are not stored are at the end what was in Dst before: they look like results. Lanes "
     "that are off are no matter here.",
     example::assembly(R"(
.output y, 0, bf16
.rows 2
.loop
sfpstore L0, BF16, 3, 0           ; row 0, twice
)"),
     "Let the address modifier of the store, or INCRWC, step from row to row, or declare fewer rows."},
    {id::kernel_overlapping_data, "/sfpu/kernel/overlapping-data", kind::remark, level::info,
     "Rows of two tensors lie on each other.",
     "Two inputs cannot have different values there, and an output overwrites what is still to be read. An "
     "output may lie on an input whose row has been read by then.",
     example::assembly(R"(
.input a, 0, bf16
.input b, 2, bf16                 ; row 0 of b is row 1 of a
)"),
     "Give them addresses that are at least 2 times the number of rows apart, in cells of 32 bits also 8 "
     "rows of storage."},
    {id::kernel_store_to_template, "/sfpu/kernel/store-to-template", kind::remark, level::info,
     "SFPSTORE of L12 to L15 stores nothing: the word became an instruction template that nothing executes.",
     "An issued instruction with VD of 12 to 15 is written to LoadMacroConfig instead of being executed. For "
     "SFPSTORE, VD is the register to be stored. It is said of words whose template no SFPLOADMACRO of the "
     "run schedules.",
     example::assembly(R"(
sfpstore L12, FP32, 3, 0          ; template 0, not Dst
)"),
     "Copy the constant to a register that can be stored, `sfpmov 0, L12, L0, 0`, or set "
     "DISABLE_BACKDOOR_LOAD in LaneConfig."},
    {id::issue_discarded_by_macro, "/sfpu/issue/discarded-by-macro", kind::hazard, level::warning,
     "A regular instruction met a scheduled one at its sub-unit and was discarded.",
     "Rule T13: if a scheduled instruction arrives at a sub-unit in the cycle in which a regular "
     "instruction is issued to it, the scheduled one executes and the regular one is dropped. The hardware "
     "says nothing.",
     example::assembly(R"(
sfploadmacro 0, L0, INT32, 3, 0   ; Simple after 0
sfpabs 0, L1, L2, 0               ; discarded
)"),
     "Issue the instruction one word earlier or later, or change the delay."},
