// The comparison of two kernels as `equiv` and `optimize` make it.
#pragma once

#include <sfpu/analysis/machine_choice.h>

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/user_places.h>
#include <sfpu/isa/assembler.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Runs both kernels, with their .config directives and the options of the command line, on as many rows as
/// `rows` says, else either kernel's .rows, else as many as `run` would take and both can work on. Throws
/// user_error if the rows do not fit the iterations.
equivalence_report compare(platform::program_runner& runner, const isa::kernel& a, const isa::kernel& b,
                           const machine_choice& options, std::optional<unsigned> rows,
                           const equivalence_options& how);

/// Names of the outputs that A declares and of which neither kernel stores a cell: they are equal as nobody
/// touched them.
std::vector<std::string> stored_by_neither(platform::program_runner& runner, const isa::kernel& a,
                                           const isa::kernel& b, const machine_choice& options,
                                           std::optional<unsigned> rows);

/// What `equiv` says of two kernels.
struct equivalence_answer {
    std::string a_file, b_file;
    equivalence_report report;
    std::vector<std::string> unstored; ///< of equal kernels: outputs of which neither stores a cell
    given_source a_given, b_given;     ///< what they were translated from, if the caller says so
};

/// Throws user_error if the two cannot be compared, also where neither stores any output. The session may end
/// it: the report is then `interrupted`.
equivalence_answer equivalence_of(platform::program_runner& runner, const isa::kernel& a,
                                  const isa::kernel& b, const machine_choice& options,
                                  std::optional<unsigned> rows, equivalence_options how,
                                  const session& caller);

/// What people read: a line if they are equal, and for each output that is `unstored`; else the first
/// difference.
std::string equivalence_text(const std::string& a_file, const std::string& b_file,
                             const equivalence_report& report, const std::vector<std::string>& unstored = {});

/// "0x3f800000", the value as a register would hold it.
std::string bits_text(const typed_value& value);

} // namespace sfpu::analysis
