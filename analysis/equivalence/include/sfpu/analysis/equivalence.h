// Do two kernels compute the same? Proved by running both on terms (symbolic_execution.h), by a solver where
// the terms are not the same, and tried by running both on the model with the same inputs.
//
// Inputs that are tried are values of their types: all pairs of extreme values, the constants of both kernels
// with their neighbours and all pairs of them, random ones and, if asked for, every value of each operand of
// 16 bits or fewer. Operands of a kernel without .input are what its loads read, their types those of the
// modes. The rest of Dst and the registers hold the same random bits for both.
#pragma once

#include <sfpu/analysis/term_solver.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

struct equivalence_options {
    unsigned seeds = 16;    ///< runs with random values, each of other ones
    std::uint64_t seed = 1; ///< the same seed gives the same report everywhere
    /// Every value of each operand of 16 bits or fewer, of which there must be one, or of the one of 32 bits
    /// that there is; the latter on all processors.
    bool exhaustive = false;
    bool exhaustive_if_narrow = false; ///< the same, of such operands as there are
    bool ignore_signed_zero = false;   ///< +0 and -0 are the same
    bool nan_equal = false;            ///< all NaNs are the same
    unsigned bubble_schedules = 0;     ///< in each run B is run so many times more, with random bubbles
    double bubble_rate = 0.3;          ///< probability of a bubble before a word, 0 to 1
    bool prove = true;                 ///< run both on terms first, and try the constants of both
    term_solver* solver = nullptr;     ///< for terms that are not the same; without one these are tried only
    double solver_seconds = 5;         ///< of CPU that it may take in all
    /// Asked before each run, perhaps by several threads at once, and while a solver works: true ends the
    /// comparison.
    std::function<bool()> interrupted = nullptr;
};

/// A kernel, ready to run: `request` has its segments (init, loop, tail), configuration and thread state.
struct equivalence_side {
    const isa::kernel* kernel = nullptr;
    const platform::run_request* request = nullptr;
    unsigned rows = 0; ///< that it works on
};

/// A value of some type as it stood in Dst.
struct typed_value {
    std::optional<isa::data_type> type; ///< none: bits
    unsigned bits = 32;                 ///< of the cell: 16 or 32
    std::uint32_t cell = 0;

    std::string text() const; ///< "1.5", "-3", "0x80000000"
};

struct output_difference {
    std::string output; ///< its name; "dst[0x080]" if it has none; "dst" for a cell that A does not store
    std::optional<unsigned> row;  ///< of the kernel; of raw storage for a cell that A does not store
    std::optional<unsigned> lane; ///< none for such a cell, which has a column instead
    std::optional<unsigned> column;
    typed_value a, b;
    std::vector<std::pair<std::string, typed_value>> inputs; ///< of the same row and lane
    bool with_bubbles = false;                               ///< only then
};

/// How strong an answer is.
enum class equivalence_verdict : std::uint8_t {
    proved,     ///< equal for every input
    exhaustive, ///< equal for every value of all inputs together, each of which was tried
    tested,     ///< equal for those inputs that were tried
    different,  ///< not equal for an input that is shown
};
const char* to_string(equivalence_verdict verdict); ///< "proved"

/// What a proof rests on, beside the model.
struct proof_basis {
    unsigned rows = 0;                ///< it holds for so many, of 32 lanes each
    std::string start;                ///< what is known of the state before the kernels
    std::vector<std::string> settled; ///< parameters of open questions with the answer that was taken
    bool random_numbers = false;      ///< both kernels get the same ones
    /// What is taken to be equal in the words that were compared: rules of the normal form of terms,
    /// "polynomials of bits modulo 2^32" and "a solver for bits".
    std::vector<std::string> rules;
};

struct equivalence_report {
    std::string not_comparable; ///< why, or empty; then the rest means something
    bool equal = false;
    equivalence_verdict verdict = equivalence_verdict::different; ///< means nothing if interrupted
    proof_basis rests_on;                                         ///< of a proof
    std::string not_proved;         ///< why not; empty if proved or different, or if nobody asked for a proof
    bool interrupted = false;       ///< by equivalence_options::interrupted: no difference was found by then
    std::uint64_t inputs_tried = 0; ///< elements: runs times rows times 32
    std::uint64_t runs = 0;
    bool exhaustive = false; ///< every value of all inputs together was tried
    bool each_value = false; ///< every value of each input of 16 bits or fewer was tried, others being random
    std::vector<std::string> inputs, outputs; ///< their names
    std::optional<output_difference> first_difference;
};

/// A proof is about B without bubbles; those of bubble_schedules are tried, too.
///
/// Outputs are those that A declares: then B may use other cells as it likes. Otherwise B must leave all of
/// Dst as A does. If B declares inputs or outputs where A does, they must be the same by name and type; their
/// addresses may differ.
equivalence_report compare_kernels(platform::program_runner& runner, const equivalence_side& a,
                                   const equivalence_side& b, const equivalence_options& options = {});

} // namespace sfpu::analysis
