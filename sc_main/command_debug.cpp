// `debug`: the stepper.
#include "command.h"
#include "interrupts.h"
#include "kernel_argument.h"
#include "line_editor.h"
#include "line_input.h"
#include "program.h"
#include <sfpu/analysis/debug_language.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_tensors.h>
#include <sfpu/views/debugger.h>

#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace sfpu::cli {
namespace {

class debug_command : public command {
public:
    const char* name() const override { return "debug"; }
    const char* description() const override { return "Step through a kernel, forwards and back"; }
    bool starts_kernels() const override { return true; }

    void add_options(CLI::App& app) override {
        kernel_.add_options(app);
        app.add_option("--command,-c", commands_,
                       "a command instead of those from the terminal or standard input (repeatable)")
            ->type_name("TEXT")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--input", tensors_.inputs,
                       "read a declared input from .npy, .csv or raw data (repeatable)")
            ->type_name("NAME=FILE")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option("--dst-load", dst_load_, "Dst before the run: 1024 x 16 little-endian 16-bit cells")
            ->type_name("FILE");
        app.add_option("--seed", seed_, "of the data that no file gives")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_flag("--zero", zero_, "zeros instead of random data");
        app.footer(
            "Commands:\n" + debugger_help() +
            "\nExamples:\n  sfpusim debug kernels/mul32_macro.s\n"
            "  sfpusim debug kernels/mul32_macro.s -c 'run row 3' -c 'print L0 as i32' -c 'who L0[5]'");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_.configuration(options);
    }

    int run(const common_options& options) override {
        kernel_.expect();
        if (zero_ && !dst_load_.empty()) throw user_error("debug: --zero and --dst-load exclude each other");
        kernel_run kernel(kernel_.assembled(options), options, rows_);
        if (!dst_load_.empty()) load_dst(dst_load_, kernel.request());
        else if (!zero_) fill_with_random_data(kernel, seed_);
        const kernel_tensors inputs(kernel, tensors_);

        platform::core_runner runner;
        session how;
        how.interrupted = interrupt_guard::interrupted;
        debug::debugger debugger(kernel, runner, how);
        debug::stepper stepper(debugger);
        if (!commands_.empty()) return run_commands(stepper);
        if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return run_script(stepper);
        if (!options.quiet) write_output("", kernel_.told() + debugger_greeting(debugger));
        return talk(stepper);
    }

private:
    /// One line; says what is wrong with it instead of ending the program. False if Ctrl-C came in between.
    static bool answer(debug::stepper& stepper, const std::string& line) {
        const interrupt_guard guard;
        write_output("", to_text(stepper.execute(line)));
        return !interrupt_guard::interrupted();
    }

    int run_commands(debug::stepper& stepper) const {
        for (const std::string& line : commands_) {
            try {
                if (!answer(stepper, line)) return exit_interrupted;
            } catch (const user_error& error) {
                throw user_error(fmt::format("debug: --command '{}': {}", line, error.what()));
            }
            if (stepper.has_ended()) break;
        }
        return exit_success;
    }

    static int run_script(debug::stepper& stepper) {
        check_standard_input("debug", "commands, one a line");
        std::string line;
        for (unsigned number = 1; !stepper.has_ended(); ++number) {
            const line_end end = read_line(*std::cin.rdbuf(), line, longest_line, "debug");
            if (end == line_end::nothing) break;
            try {
                if (end != line_end::found)
                    throw user_error(
                        fmt::format("found a line of more than {} bytes, expected a command", longest_line));
                if (!answer(stepper, line)) return exit_interrupted;
            } catch (const user_error& error) {
                throw input_error(fmt::format("standard input:{}: {}", number, error.what()));
            }
        }
        return exit_success;
    }

    static constexpr std::size_t longest_line = 65536;

    static int talk(debug::stepper& stepper) {
        line_editor editor("sfpusim> ", [&](const std::string& typed) { return stepper.completions(typed); });
        while (!stepper.has_ended()) {
            const std::optional<std::string> line = editor.read();
            if (!line) break;
            try {
                answer(stepper, *line);
            } catch (const user_error& error) {
                write_output("", std::string(error.what()) + "\n");
            }
        }
        return exit_success;
    }

    mutable kernel_argument kernel_{"debug"};
    std::string dst_load_;
    std::vector<std::string> commands_;
    tensor_arguments tensors_;
    std::optional<unsigned> rows_;
    std::uint64_t seed_ = 1;
    bool zero_ = false;
};

} // namespace

std::unique_ptr<command> make_debug_command() { return std::make_unique<debug_command>(); }

} // namespace sfpu::cli
