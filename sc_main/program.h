// What all commands of the program share: exit codes, and where results go.
#pragma once

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/text_files.h>

#include <string>
#include <string_view>

namespace sfpu::views {}
namespace sfpu::cli {

using namespace analysis;
using namespace views;

/// Exit codes are a promise to scripts.
enum exit_code : int {
    exit_success = 0,
    exit_usage = 1,          ///< wrong usage, unreadable input, bad configuration
    exit_program_failed = 2, ///< the simulated program broke a rule, or an .expect did not match
    exit_internal = 3,
    exit_interrupted = 130, ///< Ctrl-C; what was reached by then is written
};

/// Where a command writes its result: the file, or standard output if the name is empty or "-".
void write_output(const std::string& path, std::string_view content);
/// Prints a report, unless an output goes to standard output.
void write_report(std::string_view text);

} // namespace sfpu::cli
