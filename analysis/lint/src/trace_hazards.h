// Hazards that are visible only in what values instructions saw, not in any single cycle.
#pragma once

#include "execution_trace.h"
#include "issued_program.h"

#include <sfpu/probe/reporter.h>

#include <vector>

namespace sfpu::analysis {

/// What the rules need to put into words.
struct hazard_context {
    const execution_trace& trace;
    const issued_program& program;
    isa::word_encoding words;
    probe::reporter& reporter;
};

/// An SFPLOADMACRO that uses parts that this program has not written before.
struct stale_configuration {
    const execution_step* step;
    configuration_parts parts;
    bool is_harmless; ///< it would do the same whatever they hold
};
/// Each part once; Misc once more where it matters for the first time.
std::vector<stale_configuration> stale_configurations(const execution_trace& trace);

/// SFPLOADMACRO uses a template, sequence or Misc that this program has not written before.
void report_stale_configuration(const hazard_context& context);

/// Results of scheduled instructions in L16 or another LReg that are gone before they are used. Found in two
/// ways. Either nothing ever read a result of the instruction, although the register is read later, and not
/// because the word that would read it is left out, as in the first row of a pipeline. Or a later instruction
/// of the same SFPLOADMACRO reads the register, finds a newer value there (in L0 to L7 that of a load), and
/// nobody but other macros has read the lost one.
void report_lost_results(const hazard_context& context);

/// Reads of registers that this program has not written, by instructions on which the value of a slice of Dst
/// depends at the end. Call it if the result is known to change with the initial registers.
void report_unwritten_reads(const hazard_context& context, resource slice);

} // namespace sfpu::analysis
