// The model against silicon: cycles a tile as measured and as the model has them.
#pragma once

#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/measurements.h>
#include <sfpu/analysis/session.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// What there is to say about a measurement.
struct scored_row {
    measurement row;
    std::optional<double> model;    ///< cycles a tile that the words of kernel and harness take
    std::optional<double> pushed;   ///< words a tile that the core pushes, one a cycle
    std::optional<double> constant; ///< cycles a tile added to the model, fitted
    bool core_bound = false;        ///< the core's pushes and their constant take longer than the vector unit
    std::optional<double> left_out; ///< relative error if constants are fitted without it and its equals
    std::optional<double> with_one; ///< relative error if its harness has one constant
    std::string call;               ///< C++ of the kernel library that was run; empty for published words
    bool judged = false;            ///< comparable, with fixed words
    std::string why_not;            ///< judged, or modelled

    /// Relative to what was measured, with the constant.
    std::optional<double> error() const;
};

/// A constant of a chip's harnesses: the median of what the model lacks on the judged rows that it decides.
struct fitted_constant {
    std::string arch, name, meaning;
    double cycles = 0;
    std::size_t rows = 0; ///< that it was fitted to
};

struct scoreboard {
    std::vector<scored_row> rows; ///< worst first among the judged, then the rest in the order of the table
    std::vector<fitted_constant> constants;

    /// Of the judged rows, as shares of 1. 0 if there are none.
    double median_error() const, worst_error() const;
    /// The judged rows' errors of another kind.
    std::vector<double> errors(std::optional<double> scored_row::*kind) const;
    std::size_t judged() const;
};

double median_of(std::vector<double> values); ///< 0 if there are none

struct silicon_request {
    std::vector<measurement> measurements;
    measured_kernels kernels;
    std::string checkout;              ///< of the kernel library; empty if there is none
    kernel_tools tools;                ///< for kernels of the checkout; unused without one
    unsigned jobs = 1;                 ///< compilers at once
    std::vector<std::string> settings; ///< of parameters, as `--set` has them
    std::string config_file;           ///< of parameters of `config_chip`; empty if there is none
    architecture config_chip = architecture::blackhole;
};

/// Compiles kernels of the checkout and runs all whose words are known. Nothing if the session ended it.
/// Throws user_error for a checkout without headers, a compiler that is not there, and instructions that are
/// none.
std::optional<scoreboard> compare_with_silicon(const silicon_request& what, const session& of = {});

} // namespace sfpu::analysis
