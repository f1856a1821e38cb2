// Other programs, run and waited for.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

/// What a command printed and how it ended.
struct command_answer {
    int code = 0; ///< 127 if there is no such command
    std::string output, complaints;
};

/// Runs a command and waits for it; it reads nothing. Nothing if the user interrupted it (interrupt_guard). Throws user_error if the
/// system has no process for it.
std::optional<command_answer> ask_command(const std::vector<std::string>& words);

} // namespace sfpu::cli
