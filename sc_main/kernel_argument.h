// A KERNEL of the command line, whatever form it has, and the options that say more of it.
#pragma once

#include "options.h"

#include <sfpu/analysis/kernel_facts.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/user_places.h>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::cli {

/// --as, --function and their like, as they were given.
struct kernel_options {
    std::string form, function, template_arguments, arguments, assumed;
    std::vector<std::string> folders, definitions, inputs, outputs;
};

class kernel_argument {
public:
    kernel_argument(const char* command, const char* operand = "KERNEL")
        : command_(command), operand_(operand) {}

    void add_options(CLI::App& app, const char* text = "kernel: assembly, words, an ELF file, a disassembly, "
                                                       "a compiler's assembly or C++");
    /// The second of two kernels: it has what the first one has, unless options that end in -b say otherwise.
    void add_options_beside(CLI::App& app, const kernel_argument& first, const char* text);

    /// Before add_options(): what --assume may say beside "semaphores".
    void also_assume(std::vector<std::string> words) { assumable_ = std::move(words); }
    bool assumes(const std::string& word) const;

    bool is_given() const { return !file_.empty(); }
    const std::string& file() const { return file_; }
    /// Throws user_error if the operand is missing.
    void expect() const;

    /// The kernel as assembly or words. The file is read once, whoever asks how often. Throws user_error.
    const kernel_text& read(const common_options& options);
    isa::kernel assembled(const common_options& options);
    /// What it consists of. Of a file with several functions, of which none was chosen, those.
    kernel_facts facts(const common_options& options);
    /// What --dump-config prints.
    parameters configuration(const common_options& options);
    /// After read().
    const given_source& given() const { return given_; }
    /// What became of the file on the way, in lines: empty for assembly and words.
    std::string told() const;

    /// Reads two kernels. What one option says of kernels of one form is not said of one of another.
    static void read_both(kernel_argument& a, kernel_argument& b, const common_options& options);

private:
    const std::string& content();
    kernel_form form();
    source_request request(const kernel_options& given) const;
    source_request whole_request(const kernel_options& given);
    void translate(const kernel_options& given, const common_options& options);
    kernel_options all_options() const;
    bool names_data(); ///< it has directives .input or .output

    const char *command_, *operand_;
    std::string file_;
    kernel_options options_;
    std::vector<std::string> assumable_;
    const kernel_argument* first_ = nullptr;
    std::optional<std::string> content_;
    std::optional<kernel_text> text_;
    given_source given_;
};

} // namespace sfpu::cli
