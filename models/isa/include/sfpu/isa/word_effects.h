// What a word reads, writes and uses: one answer for whoever orders words, beside the registers that the
// instruction table lists.
#pragma once

#include <sfpu/isa/instruction.h>

namespace sfpu::isa {

/// What an instruction depends on and changes in its mode, whatever the data: a yes may turn out to be
/// nothing, a no never does.
struct word_effects {
    register_set reads = 0;     ///< registers, constants included
    register_set writes = 0;    ///< registers, and the programmable constants that SFPCONFIG names
    bool crosses_lanes = false; ///< a lane's result comes from other lanes as well
    bool reads_flags = false;   ///< LaneFlags and whether they are used: which lanes it acts on
    bool writes_flags = false;  ///< LaneFlags or whether they are used
    bool uses_stack = false;    ///< pushes to the flag stack, pops, looks at its top or changes it
    bool uses_random = false;   ///< steps the random number generators
    bool loads_dst = false, stores_dst = false;
    /// LoadMacroConfig, LaneConfig. SFPLOADMACRO reads them.
    bool reads_config = false, writes_config = false;
    /// Address counters and stack pointers of its thread: found by a Dst address, moved by an address
    /// modifier or a word of the front end.
    bool uses_counters = false;
};

/// Of an SFPU instruction or a word of the front end, as an instruction: one that names a template and finds
/// the backdoor open writes LoadMacroConfig and does nothing else.
word_effects effects_of(const instruction& insn, architecture arch);

/// Pushes to the flag stack, pops or looks at its top without a condition: only such have something to
/// report (execution_report).
bool reports_stack(const instruction& insn);

/// Whether two instructions of one cycle, both of which read the state of its start, do what they do one
/// after the other: `second` needs nothing that `first` changes, and both do not change the same. Dst and
/// counters aside, where addresses matter.
bool may_go_together(const word_effects& first, const word_effects& second);

} // namespace sfpu::isa
