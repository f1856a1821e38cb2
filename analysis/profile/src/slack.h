// How much later an instruction of a loop can execute.
#pragma once

#include <sfpu/analysis/steady_state.h>

#include <sfpu/common/parameters.h>

#include <cstdint>
#include <map>

namespace sfpu::analysis {

/// Slack in cycles of the instructions that have an effect, by themselves.
///
/// It is found from the dependences of a run in steady state: so many cycles can an instruction come later,
/// all others where they are, before a value comes too late for one that reads it, or is overwritten before
/// the instruction has read it, or two writes change their order, or a word is held behind it (T16). Values
/// are those of registers (whole ones, in all lanes), lane flags, flag stack, random numbers, configuration,
/// address counters, and Dst by address. It is at most one cycle less than the loop takes for an iteration.
/// Whether issue slot and sub-unit are free there is another question.
struct instruction_slack {
    std::map<instruction_key, std::int64_t> alone;
    /// Of an SFPLOADMACRO with all that it schedules, by the word's place.
    std::map<std::int64_t, std::int64_t> with_scheduled;
};
instruction_slack slack_of(const steady_state& state, const parameters& config);

} // namespace sfpu::analysis
