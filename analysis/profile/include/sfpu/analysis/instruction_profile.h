// A kernel's profile by instruction and by line: how often each executes, where it waits, what it takes of a
// row, and how much later it could come.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/resource_bound.h>
#include <sfpu/analysis/steady_state.h>

#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

using waits_by_cause = std::array<std::uint64_t, probe::stall_cause_count>;

/// Counts in a run what each word of a kernel does, and each instruction that it schedules.
class instruction_watch : public probe::pipeline_observer {
public:
    /// `kernel` must outlive this.
    explicit instruction_watch(const kernel_run& kernel);

    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;

    struct instruction_count {
        instruction_key key;
        isa::instruction insn;
        std::uint64_t executed = 0, discarded = 0;
        unsigned latency = 0; ///< 0: it had no effect
    };
    struct word_count {
        std::vector<instruction_count> instructions; ///< in the order in which they were first seen
        waits_by_cause waited{};                     ///< cycles
    };
    /// By the word's place, counted over .init, .loop and .tail.
    const std::vector<word_count>& words() const { return words_; }

private:
    std::int64_t place_of(std::int64_t word) const;

    const kernel_run& kernel_;
    std::vector<word_count> words_;
};

enum class kernel_part : std::uint8_t { init, loop, tail };
const char* to_string(kernel_part part);

/// What is said of an instruction. Shares and slack are those of steady state: of a word that is not in the
/// loop, and of a loop without steady state, they are unknown.
struct instruction_facts {
    std::string text; ///< as the disassembler has it
    isa::sub_unit unit{};
    std::uint64_t executed = 0;  ///< times in the run, the discarded ones not counted
    std::uint64_t discarded = 0; ///< times that a scheduled instruction took its place
    /// Cycles from the one in which it executes to the first that can use what it makes. None: it had no
    /// effect.
    std::optional<unsigned> latency;
    /// Cycles that it could execute later, all others where they are, without that a value comes too late or
    /// is overwritten too early, so that no row gets longer; at most one less than an iteration takes. An
    /// SFPLOADMACRO takes what it schedules with it. None: unknown, or it has no effect.
    std::optional<std::int64_t> slack;
    std::optional<double> unit_share; ///< of the II: cycles that it keeps its sub-unit busy; 0 to 1
    bool on_recurrence = false;       ///< on the longest recurrence
    bool on_busiest = false;          ///< it needs a resource of which a row needs most
};

struct word_facts : instruction_facts {
    kernel_part part{};
    unsigned place = 0; ///< in its part, from 0
    isa::word_origin origin;
    bool has_origin = false;           ///< `.origin` says where it comes from
    waits_by_cause waited{};           ///< cycles in the run in which it was held
    std::optional<double> issue_share; ///< of the II: cycles that it takes to issue or is held; 0 to 1
    /// What it makes: instructions that an SFPLOADMACRO schedules, or MOP and REPLAY issue.
    std::vector<instruction_facts> made;
    std::vector<bool> is_scheduled; ///< by place in `made`

    std::uint64_t all_waited() const;
};

/// The words of a line of C++, or else of the file from which `.origin` says that they come.
struct line_facts {
    std::string file;
    unsigned line = 0;
    bool is_cpp = false;
    std::uint64_t executed = 0; ///< instructions, what words make included
    waits_by_cause waited{};
    std::optional<double> issue_share;
    std::optional<std::int64_t> slack; ///< the smallest of its instructions
    bool on_recurrence = false, on_busiest = false;
    std::vector<std::size_t> words; ///< places in instruction_profile::words
};

struct instruction_profile {
    std::vector<word_facts> words; ///< of .init, .loop and .tail
    std::vector<line_facts> lines; ///< in the order of their first words
    /// Why there is no steady state; empty: there is one.
    std::string unknown;
    double cycles_per_row = 0; ///< II divided by the rows of an iteration; 0: unknown
    unsigned rows_per_iteration = 1;
    bottleneck binds;           ///< where there is a steady state
    waits_by_cause waited{};    ///< of all words
    std::uint64_t executed = 0; ///< instructions of the run, SFPNOP included, discarded ones not counted
};

/// `counted` watched a run of this kernel from beginning to end. `state` is what steady_state_of() says.
instruction_profile instruction_profile_of(platform::program_runner& runner, const kernel_run& kernel,
                                           const instruction_watch& counted, const steady_state& state);
/// By a run of its own.
instruction_profile instruction_profile_of(platform::program_runner& runner, const kernel_run& kernel);

} // namespace sfpu::analysis
