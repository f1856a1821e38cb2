// Published measurements of kernels on the chips, and how the words of a measured kernel are made.
#pragma once

#include <sfpu/common/parameters.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A row of data/silicon.csv.
struct measurement {
    std::string kernel, arch, configuration, cycles, unit, source, comparable,
        note; ///< the columns as they stand
    architecture chip = architecture::blackhole;
    double measured = 0; ///< in `unit`
    std::size_t line = 0;
};

/// Of a file, or of the table that is part of the program if the name is empty. Throws input_error.
std::vector<measurement> read_measurements(const std::string& file);

/// What a harness times.
enum class timed_part : std::uint8_t {
    tiles,  ///< tiles one after the other: the vector unit in steady state
    pushes, ///< a body alone, until the core has pushed its last word; what is queued is not waited for
};

/// What surrounds a kernel while it is measured, once a tile.
struct harness {
    std::string name, arch, configuration; ///< of rows whose configuration begins so
    std::string constant;                  ///< of cycles a tile that the model does not know
    std::string core_constant; ///< of cycles a tile in which the core pushes nothing; empty if it is no limit
    std::vector<std::string> begin, next_face, end; ///< instructions in assembly
    /// Cycles a row in which the core is busy with the loop of kernels whose names contain a text.
    std::vector<std::pair<std::string, unsigned>> loops;
    std::string evidence; ///< how it is known what the harness has beside the kernel
    timed_part timed = timed_part::tiles;
};

/// Code of a core as `objdump -d` shows it, which stands below a checkout.
struct disassembled_code {
    std::string file;               ///< empty: there is none
    std::uint32_t from = 0, to = 0; ///< addresses of the first instruction and of that behind the last
};

/// How the words of a measured kernel are made.
struct measured_kernel {
    std::string kernel, arch, configuration; ///< of rows whose configuration begins so
    std::string header, init, call;    ///< C++ of the kernel library; statements in namespace ckernel::sfpu
    std::vector<std::string> assembly; ///< or the words of a row, where they are published
    unsigned faces = 1;                ///< calls a tile
    unsigned rows =
        0; ///< of a call for which `assembly` is the words of one; 0: of a whole tile in its calls
    unsigned core_cycles = 0; ///< a call, in which the core pushes nothing because it is busy with its loop
    unsigned pushed = 0;      ///< words a call that the core pushes, if it replays the others
    std::string excluded;     ///< why the model cannot be right, if it is known that it is not
    /// How it is known that the measured words are these, if the table of measurements does not say so.
    std::string checked;
    std::string harness; ///< its name, for rows whose configuration does not tell; empty if it does
    disassembled_code code;
};

/// data/silicon_kernels.json, or a file like it.
class measured_kernels {
public:
    measured_kernels() = default; ///< knows none
    /// Of a file, or of what is part of the program if the name is empty. Throws input_error.
    explicit measured_kernels(const std::string& file);

    /// Null if unknown. That of the kernel if it names one, else the first whose configuration fits.
    const harness* harness_of(const measurement& row) const;
    const measured_kernel* kernel_of(const measurement& row) const; ///< null if unknown
    const std::vector<measured_kernel>& all() const { return kernels_; }
    const std::vector<harness>& harnesses() const { return harnesses_; }
    /// What a constant stands for.
    std::string meaning(const std::string& constant) const;

private:
    std::vector<harness> harnesses_;
    std::vector<measured_kernel> kernels_;
    std::vector<std::pair<std::string, std::string>> constants_;
};

} // namespace sfpu::analysis
