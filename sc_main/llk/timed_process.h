// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace sfpu::cli {

struct child_result {
    int exit_code = -1;  ///< -1: it was ended by a signal, ran out of time or could not be started
    std::string problem; ///< why, if so
    std::string output, errors;
    bool ok() const { return exit_code == 0; }
};

/// Runs a program found by PATH unless its name has a slash. Ends it after `seconds`.
child_result run_child(const std::vector<std::string>& arguments, double seconds);

/// The file of this program.
std::string executable_path();

} // namespace sfpu::cli
