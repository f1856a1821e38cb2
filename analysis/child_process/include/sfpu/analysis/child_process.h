// Other programs, run and waited for. The only place of the libraries that starts a process: for points of an
// exploration that are kept apart, for compilers, for gnuplot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// What a command printed and how it ended.
struct command_answer {
    int code = 0;                   ///< 127 if there is no such command, 128 and the signal if one ended it
    std::string output, complaints; ///< no more than 64 MiB each
    std::string problem;            ///< why it did not end by itself: "not finished after 60 seconds"
    bool ok() const { return code == 0; }
};

/// Runs a command and waits for it, but no longer than `seconds`; it reads nothing. Nothing if `interrupted`,
/// asked ten times a second, ended it. Throws user_error if the system has no process for it.
std::optional<command_answer> ask_command(const std::vector<std::string>& words,
                                          std::optional<double> seconds = std::nullopt,
                                          const std::function<bool()>& interrupted = nullptr);

} // namespace sfpu::analysis
