// A program that calls the functions of a header: each is recorded, or compared with direct execution, by a
// run of it.
#pragma once

#include "header_compiler.h"

#include <sfpu/analysis/kernel_calls.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Kernel files of a call: its steady state, and with the steps between faces that callers make, for both
/// modes of Dst.
struct recorded_files {
    std::string steady, faces, faces_wide;
    std::vector<std::string> warnings; ///< what works here and otherwise with the vendor's headers
};

class call_program {
public:
    /// The compiler must outlive this. `name`: of source and program in `folder`. `plain`: without
    /// SFPLOADMACRO.
    call_program(const header_compiler& compiler, std::vector<kernel_call> calls, const std::string& folder,
                 const std::string& name, bool plain);
    ~call_program(); ///< removes the program, which is large
    call_program(const call_program&) = delete;
    call_program& operator=(const call_program&) = delete;

    /// Leaves out what another program has left out.
    void leave_out_as(const call_program& other);
    /// Compiles, leaving out calls that do not compile, and their init functions. False if no call does.
    bool build();
    /// What the compiler said first when it failed last.
    const std::string& problem() const { return problem_; }

    bool has(std::size_t call) const { return broken_.count(call) == 0; }
    bool has_init(std::size_t call) const { return without_init_.count(call) == 0; }
    /// Why a call is left out; null if nobody said it.
    const std::string* failure_of(std::size_t call) const;

    /// Records a call; nothing, and a reason, if it cannot be recorded. `behind`: another call that is issued
    /// before it, once.
    std::optional<recorded_files> record(std::size_t call, std::string& problem,
                                         std::optional<std::size_t> behind = std::nullopt) const;
    /// The steady state of a call with `.origin`, files as the compiler calls them; nothing, and a reason, if
    /// it cannot be recorded. Rows of the call may be 0.
    std::optional<std::string> record_with_origins(std::size_t call, std::string& problem) const;
    /// What of the call a line of the program's source holds.
    enum class part { none, init, call };
    part part_on_line(std::size_t call, unsigned line) const;
    std::string source_file() const { return prefix_ + ".cpp"; }
    /// Compares what a call records with its direct execution: exit code 0 if they are equal, 2 if they are
    /// not.
    command_answer compare_with_direct(std::size_t call,
                                       std::optional<std::size_t> behind = std::nullopt) const;

private:
    std::string source_text();
    bool take_blame(const std::string& complaints);
    bool blame_instances(const std::string& complaints);

    const header_compiler& compiler_;
    std::vector<kernel_call> calls_;
    std::string prefix_; ///< folder and name
    bool plain_;
    std::string problem_;
    std::vector<std::pair<unsigned, unsigned>> marks_; ///< lines of each call: its init and itself
    std::set<std::size_t> broken_, without_init_;
    std::map<std::size_t, std::string> failures_;
};

} // namespace sfpu::analysis
