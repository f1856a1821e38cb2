// `exec`: the machine interface.
#include "command.h"
#include "interrupts.h"
#include "line_input.h"
#include "program.h"
#include <sfpu/views/exec_session.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

namespace sfpu::cli {
namespace {

constexpr std::size_t longest_line = std::size_t{64} << 20;

class exec_command : public command {
public:
    const char* name() const override { return "exec"; }
    const char* description() const override {
        return "Run programs given as JSON, one object a line, on standard input";
    }
    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option(
               "--max-words", max_words_,
               "words that a program may have after the front end has made them of MOPs and playbacks")
            ->type_name("N")
            ->check(integer_between(std::uint64_t{1}, std::uint64_t{1} << 40))
            ->capture_default_str();
    }

    int run(const common_options& options) override {
        exec_session session({resolved_configuration(options), hazards(options), options.strict,
                              options.firmware_start.value_or(false), max_words_});
        std::ios::sync_with_stdio(false);
        check_standard_input("exec", "requests, one a line");
        struct stat output = {};
        const bool to_file = fstat(STDOUT_FILENO, &output) == 0 && S_ISREG(output.st_mode);
        std::string line;
        for (;;) {
            const line_end end = read_line(*std::cin.rdbuf(), line, longest_line, "exec");
            if (end == line_end::nothing) return exit_success;
            const std::string& answer = end == line_end::found       ? session.answer(line)
                                        : end == line_end::no_memory ? session.no_memory()
                                                                     : session.too_long(longest_line);
            std::optional<interrupts_wait> whole; // a file gets whole lines
            if (to_file) whole.emplace();
            write_output("", answer); // flushed: somebody waits for it
        }
    }

private:
    std::uint64_t max_words_ = exec_defaults{}.max_words;
};

} // namespace

std::unique_ptr<command> make_exec_command() { return std::make_unique<exec_command>(); }

} // namespace sfpu::cli
