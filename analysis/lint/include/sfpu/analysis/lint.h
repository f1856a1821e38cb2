// What depends on luck in a kernel: hazards, and results that change when words are issued with idle cycles
// between them.
//
// A replay buffer issues one word a cycle; a core that pushes words itself leaves bubbles. Scheduled
// instructions count instructions or cycles (T10), so a bubble can move one against its neighbours. Whether
// the result survives that is found by trying. A kernel that says where idle cycles can stand (`.gap`) gets
// them there and nowhere else, and is broken if one of them matters.
#pragma once

#include <sfpu/analysis/allowances.h>
#include <sfpu/common/report.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct lint_options {
    unsigned schedules = 200; ///< runs with random bubbles
    double bubble_rate = 0.3; ///< probability of a bubble before a word, 0 to 1
    std::uint64_t seed = 1;   ///< of bubbles and input data; the same seed gives the same report everywhere
    bool strict =
        false; ///< what leaves something of the program undone breaks it, see leaves_something_undone()
    bool bubbles =
        true; ///< false: only the hazards, which the runs without bubbles show; no open questions either
    bool open_questions = true;
    /// Answers to open questions are tried also in runs that cannot meet them: the report is the same, in
    /// more time.
    bool try_all_questions = false;
    /// Told of each run, and about how many there will be.
    std::function<void(std::uint64_t done, std::uint64_t all)> progress = nullptr;
    /// Asked before each run: true ends the check with what it has found so far.
    std::function<bool()> interrupted = nullptr;
    /// Runs at once. Beyond the first each has a thread and a core_runner of its own; the runner that is
    /// given, `progress` and `interrupted` are for the calling thread, run_request::stop for all. The report
    /// is the same for every number.
    unsigned jobs = 1;
};

enum class lint_verdict : std::uint8_t {
    robust, ///< the result never changed
    /// No hazards without bubbles, but some bubbles change the result or discard an instruction; whether they
    /// can be there the kernel does not say.
    replay_only,
    broken, ///< hazards even without bubbles, or with bubbles where the kernel says that they can be
};
const char* to_string(lint_verdict verdict); ///< "robust", "replay-only", "broken"

/// The first cell of raw Dst storage that differs, in order of rows and columns.
struct dst_difference {
    unsigned row = 0, column = 0;
    std::uint16_t expected = 0; ///< without bubbles
    std::uint16_t got = 0;
    std::string output; ///< the .output whose value it belongs to; empty: none, or nobody asked
    unsigned output_row = 0, lane = 0;
};

/// An instruction that a bubble moved, or that it was moved against.
struct lint_instruction {
    std::string text; ///< assembly; empty if there is none
    bool scheduled = false;
    std::int64_t word =
        -1;            ///< index of the issued word; for a scheduled instruction that of its SFPLOADMACRO
    unsigned line = 0; ///< its source line
    /// Scheduled: the lines that gave its macro its sequence, SFPCONFIG last.
    std::vector<unsigned> configured_in;
};

/// A place where a bubble changes the result, or makes a macro discard an issued instruction that is executed
/// without bubbles, whatever the data are: before this word.
struct lint_boundary {
    std::int64_t word =
        -1;            ///< index of the word in the order of issue, of the run with lint_report::iterations
    unsigned line = 0; ///< its source line
    unsigned previous_line = 0;  ///< of the word before it
    std::string text;            ///< its assembly
    std::optional<unsigned> gap; ///< number of the `.gap` in front, from 0 in the order of init, loop, tail
    unsigned bubble = 0;         ///< idle cycles that were enough; the least number tried
    bool needs_others = false;   ///< found only together with bubbles before other words
    bool inside_iteration =
        false; ///< between two words of one loop iteration, which a replay buffer issues together
    /// The first instruction that got another operand than before, and the other side of that pair: `moved`
    /// is the scheduled one.
    lint_instruction moved, against;
    std::optional<dst_difference> first_difference; ///< none: only an instruction is lost
    lint_instruction discarded;                     ///< the lost instruction, if there is one
    /// Parameters under another value of which the same bubbles give another result.
    std::vector<std::string> depends_on;
};

/// An open question of the timing contract.
struct lint_question {
    std::string parameter;           ///< path of the parameter that answers it
    std::vector<std::string> values; ///< tried beside the configured one, all unless interrupted
    bool complete = true;            ///< false: interrupted before all runs were repeated under all values
    bool depends = false;            ///< some run gave another result under one of the values
    bool without_bubbles = false;    ///< even the run without bubbles did
};

/// A diagnostic of the run without bubbles. Those that repeat with the same id in the same line are counted.
struct lint_hazard {
    diagnostic what; ///< the first one; `at` counts from the first issued word
    unsigned line = 0;
    unsigned count = 1;
    bool breaks = false; ///< makes the verdict `broken`
    std::string text;    ///< assembly of the word; empty if there is none
    /// The parameter that the model resolves it by the same way every time, if the result depends on that.
    std::string depends_on;
    std::vector<unsigned> configured_in; ///< if the word is an SFPLOADMACRO: see lint_instruction
};

struct lint_report {
    lint_verdict verdict = lint_verdict::robust;
    std::vector<lint_boundary> boundaries; ///< in the order of issue
    std::vector<lint_question> open_questions;
    std::vector<lint_hazard> hazards; ///< in the order of time
    unsigned iterations = 0;          ///< of the loop, in every run
    unsigned random_schedules = 0,
             random_changed = 0, ///< runs with random bubbles, and those with another result
        random_discarded = 0; ///< and those in which a macro discarded what it does not discard without them
    unsigned positions = 0;   ///< words before which a single bubble was tried, in all lengths
    unsigned gaps = 0;        ///< words of the kernel with a `.gap` in front; 0: it says nothing of gaps
    bool interrupted = false; ///< by lint_options::interrupted: there may be more to find
    /// What was planned: positions, random_schedules, and sets of data that are run without bubbles. More
    /// than what was done only if interrupted.
    unsigned planned_positions = 0, planned_schedules = 0;
    unsigned data_sets = 0, planned_data_sets = 0;
    std::uint64_t runs = 0;                  ///< that were done
    std::vector<allowed_diagnostic> allowed; ///< by .allow: they are no hazards
    bool registers_changed = false; ///< for information: some bubble changed LRegs or lane flags at the end
    /// No bubble matters that can stand between iterations, so issuing each from a replay buffer is safe. Of
    /// a kernel with gaps: no bubble matters that can be there.
    bool safe_from_replay_buffer() const;
    /// Parameters on which the result depends even without bubbles.
    std::vector<std::string> depends_on() const;
};

/// Checks a kernel. `base` gives configuration, thread state and hazard policy; its segments, bubbles, Dst
/// rows and registers are replaced: inputs are random. `iterations` is the number of loop iterations of a
/// full run; at most a few more than fill the pipeline are run.
lint_report lint(platform::program_runner& runner, const isa::kernel& kernel,
                 const platform::run_request& base, unsigned iterations, const lint_options& options = {});

} // namespace sfpu::analysis
