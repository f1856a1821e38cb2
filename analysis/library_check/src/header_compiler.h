// Finds a way in which a header of a kernel library compiles, and compiles in that way.
#pragma once

#include "kernel_execution.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/left_out_functions.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

/// How a header is compiled.
struct compilation_way {
    const char* note; ///< what the report says of it
    bool library;     ///< behind the library's other kernels
    bool names;       ///< with `using namespace sfpi`
    bool without_assertions, without_unrolling;
    bool clang; ///< by clang++ instead of the chosen compiler
};

class header_compiler {
public:
    /// All must outlive this. `folder` exists.
    header_compiler(const kernel_header& header, const kernel_tools& tools, std::string folder,
                    const step_limit& limit);

    /// Takes the first way in which the header compiles, from the plainest on; if there is none, one in
    /// which functions that do not compile are left out. False if that does not help either: then problem()
    /// says why the plainest does not.
    bool find_way();
    const std::string& problem() const { return problem_; }
    /// What a report says of the way; empty for the plainest.
    std::string note() const;

    architecture arch() const { return header_.arch; }
    /// C++ that includes the header, with what the way needs around it.
    std::string preface() const;
    /// Compiles and links. What is declared and defined nowhere becomes a function that says so when it is
    /// called.
    command_answer build(const std::string& source, const std::string& program) const;
    /// Runs a command. One that was interrupted did not work.
    command_answer ask(const std::vector<std::string>& words) const;

private:
    std::vector<std::string> compiler_call() const;
    std::string prepared(const std::string& source) const;
    bool compiles_with_neighbours(std::string& complaints);
    bool add_neighbour(const std::string& complaints);
    bool nobody_has(const std::string& complaints) const;
    bool leave_out_functions();
    bool is_of_library(const std::string& file) const;

    const kernel_header& header_;
    const kernel_tools& tools_;
    std::string folder_;
    const step_limit& limit_;
    compilation_way way_;
    std::vector<std::string> neighbours_; ///< headers that it needs and does not include
    std::vector<error_place> left_out_;   ///< where functions do not compile
    std::string problem_;
};

/// "not finished after 120 seconds", or the first error of the compiler.
std::string reason_of(const command_answer& answer);

} // namespace sfpu::analysis
