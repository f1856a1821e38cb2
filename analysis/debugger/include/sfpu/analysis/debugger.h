// Steps through a kernel, forwards and back: a run, a position in it, and what can be asked there.
#pragma once

#include <sfpu/analysis/debug_answers.h>
#include <sfpu/analysis/session.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sfpu::analysis::debug {

/// The position is the end of a cycle: everything up to it has happened.
///
/// All questions are answered by running the program again from the start, as far as necessary, so that a
/// state depends on its cycle and not on the way there. Names in texts that cannot be understood throw
/// user_error.
class debugger {
public:
    /// Runs the program once, to know its length and its diagnostics. Kernel and runner must outlive the
    /// debugger. Searches end when `how` says that they are interrupted.
    debugger(kernel_run& kernel, platform::program_runner& runner, session how = {});
    ~debugger();
    debugger(const debugger&) = delete;
    debugger& operator=(const debugger&) = delete;

    const kernel_run& kernel() const;
    std::int64_t position() const; ///< -1 before the first cycle
    std::int64_t last_cycle() const;
    const machine_state& state(); ///< at the position

    // Moves. Each tells what is watched and differs from before.
    move_answer step(std::int64_t cycles = 1);
    move_answer back(std::int64_t cycles = 1);
    move_answer to_start();
    move_answer to_end();
    move_answer to_cycle(std::int64_t cycle); ///< up to last_cycle(), else throws user_error
    /// The first cycle of the run that issues a word of the row. Throws user_error if the kernel has no such
    /// row.
    move_answer to_row(std::int64_t row);
    move_answer to_line(std::int64_t line); ///< the next cycle that issues a word of the line
    move_answer to_diagnostic();            ///< the next cycle that has one
    move_answer run();                      ///< the next change of what is watched, else the end

    // Questions about the position.
    cycle_answer where();
    value_answer value_of(const std::string& text);
    std::variant<writer_answer, flag_answer>
    who_wrote(const std::string& text);                          ///< of the first row and lane
    source_answer source_at(std::int64_t line) const;            ///< five lines before and behind it, too
    source_answer source_here();                                 ///< around the word that was issued last
    diagnostics_answer diagnostics(std::size_t most = 50) const; ///< of the whole run

    void watch(const std::string& text);
    void unwatch(const std::string& text); ///< as it was typed; throws user_error if it is not watched
    void unwatch_all();
    std::vector<value_answer> watched();

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::analysis::debug
