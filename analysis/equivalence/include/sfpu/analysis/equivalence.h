// Do two kernels compute the same? Found out by running both on the model with the same inputs.
//
// Inputs are values of their types: all pairs of extreme values, random ones and, if asked for, every value
// of each operand of 16 bits or fewer. Operands of a kernel without .input are what its loads read, their
// types those of the modes. The rest of Dst and the registers hold the same random bits for both.
#pragma once

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
    unsigned seeds = 16;               ///< runs with random values, each of other ones
    std::uint64_t seed = 1;            ///< the same seed gives the same report everywhere
    bool exhaustive = false;           ///< every value of each operand of 16 bits or fewer; there must be one
    bool exhaustive_if_narrow = false; ///< the same, of such operands as there are
    bool ignore_signed_zero = false;   ///< +0 and -0 are the same
    bool nan_equal = false;            ///< all NaNs are the same
    unsigned bubble_schedules = 0;     ///< in each run B is run so many times more, with random bubbles
    double bubble_rate = 0.3;          ///< probability of a bubble before a word, 0 to 1
    /// Asked before each run: true ends the comparison.
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

struct equivalence_report {
    std::string not_comparable; ///< why, or empty; then the rest means something
    bool equal = false;
    bool interrupted = false;       ///< by equivalence_options::interrupted: no difference was found by then
    std::uint64_t inputs_tried = 0; ///< elements: runs times rows times 32
    std::uint64_t runs = 0;
    bool exhaustive = false;                  ///< every value of each operand of 16 bits or fewer was tried
    std::vector<std::string> inputs, outputs; ///< their names
    std::optional<output_difference> first_difference;
};

/// Outputs are those that A declares: then B may use other cells as it likes. Otherwise B must leave all of
/// Dst as A does. If B declares inputs or outputs where A does, they must be the same by name and type; their
/// addresses may differ.
equivalence_report compare_kernels(platform::program_runner& runner, const equivalence_side& a,
                                   const equivalence_side& b, const equivalence_options& options = {});

} // namespace sfpu::analysis
