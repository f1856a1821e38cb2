// From kernel functions to a kernel file: what a program made by sfpu_add_kernel() does.
#pragma once

#include <sfpu/kernel_recorder/recorder.h>
#include <sfpu/kernel_recorder/rolled_words.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::kernel_recorder {

/// A recorded kernel, in the sections of a kernel file. A row is 32 elements, one LReg.
struct program {
    std::string name;
    architecture arch = architecture::blackhole;
    std::vector<std::uint32_t> init, loop, tail;
    /// By word of each section: idle cycles can stand before it, see recorded_words. Of the loop: in some
    /// iteration they can.
    struct gap_marks {
        std::vector<bool> init, loop, tail;
    } gaps;
    /// By word of each section: the line of the kernel that issued it, see recorded_words. Of the loop: in
    /// its first iteration.
    struct place_lists {
        std::vector<source_place> init, loop, tail;
    } places;
    unsigned rows_per_iteration = 1;
    /// The rows of a call differ in where constants are; the loop is one of them, see rolled_by_values().
    bool chosen_row = false;
    unsigned rows = 32;
    std::optional<double> expected_cycles_per_row;
    bool firmware_start = true; ///< the kernel finds the lane flags in use, all of them set
    std::vector<std::pair<std::string, std::string>> config; ///< `.config` directives
    std::vector<std::string> warnings;                       ///< of the recorder
};

/// How the words of a calculate function become a loop.
enum class drain {
    once, ///< steady state: the repeating part is the loop, the SFPNOPs behind it are issued once at the end
    every_call, ///< as issued: the loop is the whole call
};

/// Records a kernel, section by section. Functions run at once, in the order of the calls, and share one
/// replay buffer. All errors are kernel_error.
class program_builder {
public:
    program_builder(std::string name, architecture arch);
    /// Executes what the functions issue on `machine` instead, vector types directly.
    program_builder(std::string name, isa::lane_machine& machine);

    /// Adds to what is issued once before the first row.
    program_builder& init(const std::function<void()>& function);
    /// What is issued for every `rows` rows; to be called once. With drain::once loads of constants in
    /// front of the repeating part move to the end of `init`, and what stands behind it is issued once
    /// (rolled_rows, rolled_by_values). Where nothing repeats, the loop is all but the SFPNOPs at the end.
    program_builder& calculate(unsigned rows, const std::function<void()>& function,
                               drain when = drain::once);
    /// Adds to what is issued once after the last row.
    program_builder& tail(const std::function<void()>& function);

    /// How many rows a run has unless told otherwise: 32, a tile. A multiple of the rows of an iteration.
    program_builder& rows(unsigned count);
    /// The published throughput, which a run then checks.
    program_builder& expect_cycles_per_row(double cycles);
    /// Whether the kernel starts as firmware starts it, after SFPENCC(3, 0, 0, 10): yes, unless told
    /// otherwise.
    program_builder& firmware_start(bool yes);
    /// A configuration key, as in a `.config` directive.
    program_builder& config(const std::string& key, const std::string& value);

    /// All words so far, as they were issued.
    const std::vector<std::uint32_t>& issued() const { return issued_; }

    /// What the core does for the call of calculate().
    const issue_counts& call() const { return call_; }

    /// The kernel; an error if calculate() was not called or the rows do not fit its iterations.
    program build() const;

private:
    /// The words of the call whose place the loop has taken, and where its own stand in init and tail.
    struct replaced_call {
        recorded_words call;
        unsigned rows = 0;
        std::size_t front_at = 0, front = 0, back = 0;
    };

    recorded_words recorded(const std::function<void()>& function);
    void take(const rolled_words& parts, unsigned rows);
    void take_whole_call();

    recorder recorder_;
    program program_;
    std::vector<std::uint32_t> issued_;
    issue_counts call_;
    replaced_call replaced_;
    bool direct_ = false;
};

/// Runs a kernel's recorded words and its direct execution on `data_sets` sets of random and extreme data, in
/// both modes of Dst. The first difference in words, or nothing. Time plays no part: a kernel that uses
/// SFPLOADMACRO is refused.
std::string difference_from_direct(architecture arch, const std::function<void(program_builder&)>& describe,
                                   unsigned data_sets);

/// What assembly_source() says of the C++ that issued the words.
enum class origins {
    left_out,
    written, ///< `.origin` in front of the words of each line
};

/// Assembly source whose words are those of the kernel: `.word` lines with the instruction as a comment, and
/// `.gap` where idle cycles can stand.
std::string assembly_source(const program& kernel, origins from = origins::left_out);

/// The main function of a kernel program: records what `describe` tells and writes the assembly source to
/// the file named by the only argument, or to standard output. With the argument --origins behind the file it
/// names the lines of C++, too. With the argument --equiv it compares the words with direct execution
/// instead. Warnings and errors go to standard error.
/// Returns the exit code: 0, 1 after an error, 2 if --equiv found a difference.
int program_main(int argc, const char* const* argv, const std::string& name, architecture arch,
                 void (*describe)(program_builder&));

} // namespace sfpu::kernel_recorder
