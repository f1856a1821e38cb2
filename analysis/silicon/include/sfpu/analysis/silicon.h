// The model against silicon: cycles a tile as measured and as the model has them.
#pragma once

#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/measurements.h>
#include <sfpu/analysis/session.h>
#include <sfpu/riscv/elf_image.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Where the words of a row come from.
enum class word_source : std::uint8_t {
    unknown,
    published, ///< they stand in the table of kernels, as their source has them
    derived,   ///< there, too; the source only says how many they are, or of what kind
    recorded,  ///< of a checkout of the kernel library
    candidate, ///< nobody has checked that these words are the measured ones
    compiled,  ///< of a checkout, pushed by a program that a compiler for the core made of its function
};
const char* to_string(word_source source);

/// What there is to say about a measurement. Cycles and words are those of its unit: a tile, a row of a tile,
/// a body.
struct scored_row {
    measurement row;
    std::optional<double> model;    ///< cycles that the words of kernel and harness take
    std::optional<double> pushed;   ///< words that the core pushes, one a cycle
    std::optional<double> constant; ///< cycles added to the model, fitted
    bool core_bound = false;        ///< the core, with its constant, takes longer than the vector unit
    /// Relative error if constants are fitted without it and its equals; if nothing is fitted, the error.
    std::optional<double> left_out;
    std::optional<double> with_one; ///< relative error if its harness has one constant
    std::string call;               ///< C++ of the kernel library that was run; empty for published words
    bool judged = false;            ///< comparable, with fixed words
    std::string why_not;            ///< judged, or modelled
    std::string harness;            ///< its name; empty if none is known
    word_source source = word_source::unknown;
    std::string checked;  ///< how it is known that these are the measured words; empty if the table says so
    std::string checkout; ///< as the request has it, that the words are of; empty if of none

    /// Relative to what was measured, with the constant.
    std::optional<double> error() const;
};

/// A constant of a chip's harnesses: the median of what the model lacks on the judged rows that it decides.
struct fitted_constant {
    std::string arch, name, meaning;
    double cycles = 0;
    std::size_t rows = 0; ///< that it was fitted to; of a kernel that was measured several times one
};

/// How far off the judged rows of one kind are, as shares of 1.
struct error_summary {
    static constexpr std::array<double, 3> bounds{0.01, 0.04, 0.10};
    std::size_t rows = 0;
    double median = 0, worst = 0;
    std::array<std::size_t, 3> within{}; ///< rows of at most each of the bounds
};
error_summary summary_of(const std::vector<double>& errors);

/// The judged rows of a harness, of a chip or of a source of words.
struct score_group {
    std::string kind, name, arch; ///< "harness", "chip" or "words"
    std::size_t judged = 0;
    error_summary left_out; ///< each row by constants that are fitted without it and its equals
    error_summary fitted;   ///< by constants that are fitted to it, too
};

/// Judged rows of which the math thread alone was measured: `MATH_ISOLATE` stands in their configuration.
/// Each by constants that are fitted without it and its equals; those without other rows to fit to do not
/// count.
struct isolated_score {
    static constexpr double bound = 0.05; ///< an error of at most this, as a share of 1, is agreement
    std::size_t rows = 0, rows_within = 0;
    std::size_t kernels = 0, kernels_within = 0; ///< by name and chip; within, if all of its rows are
    std::vector<std::size_t> beyond;             ///< rows of the scoreboard that are not within
};

struct scoreboard {
    std::vector<scored_row> rows; ///< worst first among the judged, then the rest in the order of the table
    std::vector<fitted_constant> constants;

    /// Of the judged rows, as shares of 1. 0 if there are none.
    double median_error() const, worst_error() const;
    /// The judged rows' errors of another kind.
    std::vector<double> errors(std::optional<double> scored_row::*kind) const;
    std::size_t judged() const;
    std::vector<score_group> groups() const; ///< chips, harnesses, sources of words; those with judged rows
    isolated_score math_isolated() const;
};

double median_of(std::vector<double> values); ///< 0 if there are none

struct silicon_request {
    std::vector<measurement> measurements;
    measured_kernels kernels;
    /// Of the kernel library, in the order in which they are asked: a later one for the rows of which the
    /// earlier ones have no words that count.
    std::vector<std::string> checkouts;
    kernel_tools tools;                ///< for kernels of the checkout; unused without one
    unsigned jobs = 1;                 ///< compilers at once
    std::vector<std::string> settings; ///< of parameters, as `--set` has them
    std::string config_file;           ///< of parameters of `config_chip`; empty if there is none
    architecture config_chip = architecture::blackhole;
    /// Cycles from the first instruction of a core's code until the last word is pushed, behind a set-up that
    /// is not counted: a tile's, say. May be empty; then no body is modelled.
    std::function<double(const std::vector<std::uint32_t>& setup, const std::vector<std::uint32_t>& code,
                         architecture)>
        pushing_time;
    /// Compiler for the cores, of rows whose words are computed at run time.
    std::string core_compiler = "riscv64-unknown-elf-gcc";
    /// What a program for core T1 leaves in `tohost`, on a tile that has just been switched on. May be empty;
    /// then no program of a core is run.
    std::function<double(const riscv::elf_image&, architecture)> core_time;
};

/// Compiles kernels of the checkout and runs all whose words are known. Nothing if the session ended it.
/// Throws user_error for a checkout without headers, a compiler that is not there, and instructions that are
/// none.
std::optional<scoreboard> compare_with_silicon(const silicon_request& what, const session& of = {});

} // namespace sfpu::analysis
