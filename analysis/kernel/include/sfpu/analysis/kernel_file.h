// Kernels as files and as runs of the platform.
#pragma once

#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/user_places.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/limits.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu::analysis {

constexpr unsigned maximum_rows = isa::most_rows; ///< that --rows accepts

/// Whether a kernel's text is words, one a line, and not assembly. Content decides; where that has as many
/// lines of one as of the other, a name that ends in ".hex" means words.
bool holds_words(std::string_view text, const std::string& file);

/// Reads a kernel: words, see holds_words(), or assembly. Throws input_error with all mistakes.
///
/// A file of words can carry sections and settings of a kernel in comments, as kernel_words() writes them.
isa::kernel load_kernel(const std::string& file, const machine_choice& options);
/// The same for the text of such a file.
isa::kernel assemble_kernel(const std::string& text, const std::string& file, const machine_choice& options);
/// The same where a caller knows better than holds_words().
isa::kernel assemble_kernel(const std::string& text, const std::string& file, const machine_choice& options,
                            bool is_words);

/// The words of a kernel, one a line. Whatever else it has stands in comments like "; .loop 2", from which
/// load_kernel() restores it; a kernel that is nothing but a loop of one row on Blackhole needs none.
std::string kernel_words(const isa::kernel& kernel);

/// Machine parameters for a kernel: defaults, configuration file, the kernel's .config, command line; later
/// ones win.
parameters kernel_configuration(const isa::kernel& kernel, const machine_choice& options);

/// A kernel with everything that a run needs, and the way back from words to the source.
class kernel_run {
public:
    /// `rows` overrides the kernel's own number. Throws user_error if it cannot be divided among the
    /// iterations.
    kernel_run(isa::kernel kernel, const machine_choice& options, std::optional<unsigned> rows);

    const isa::kernel& kernel() const { return kernel_; }
    /// Segments are init, loop and tail; any of them may be empty.
    const platform::run_request& request() const { return request_; }
    platform::run_request& request() { return request_; }
    unsigned rows() const { return rows_; } ///< 0 if the kernel has no loop
    /// A run that was broken off worked on fewer rows.
    void end_after(std::uint64_t iterations);
    /// Of the loop.
    unsigned iterations() const {
        return rows_ == 0 ? 0 : (rows_ - kernel_.peeled_rows) / kernel_.rows_per_iteration;
    }

    /// Steady state, see `throughput` of the statistics file. 0 without rows.
    double cycles_per_row(const platform::run_result& result) const;

    /// Where a word of the program comes from: its line of this kernel's text, or what `.origin` says. The
    /// file alone for -1.
    isa::word_origin place(std::int64_t word) const;
    unsigned line(std::int64_t word) const; ///< of place(); 0 if it has none
    /// The line of this kernel's text, whatever `.origin` says; 0 if it has none.
    unsigned text_line(std::int64_t word) const;
    /// Where all lines of the text come from.
    user_places places() const { return user_places(kernel_); }
    /// "kernel.s:12", "kernel.elf:0x5f08 (exp.h:31)"; the file for -1.
    std::string location(std::int64_t word) const;
    /// The place of a diagnostic, of the word that it is about.
    std::string location(const diagnostic& what) const;
    /// What a diagnostic says, with lines for words. An instruction that it does not name stands in front:
    /// "sfpmov 0, L3, L4, 0: ..."
    std::string message(const diagnostic& what) const;
    bool in_loop(std::int64_t word) const { return row_of_word(word) >= 0; }
    /// The row that this word works on, or the first of rows_together(); -1 outside the loop. A word belongs
    /// to the row that begins with it, also where it finishes an earlier one.
    std::int64_t row_of_word(std::int64_t word) const;
    /// Of how many rows of its iteration nobody can tell which a word works on: 1 where the loop is its rows
    /// one behind the other.
    unsigned rows_together() const { return rows_together_; }

private:
    /// The source of a word, null if it has none.
    const isa::source_word* source_of(std::int64_t word) const;

    isa::kernel kernel_;
    platform::run_request request_;
    unsigned rows_ = 0, rows_together_ = 1;
};

} // namespace sfpu::analysis
