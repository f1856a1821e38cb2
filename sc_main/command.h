// The commands of the program.
#pragma once

#include "options.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <vector>

namespace sfpu::cli {

class command {
public:
    virtual ~command() = default;

    virtual const char* name() const = 0;
    virtual const char* description() const = 0;
    /// Whether --stats, --vcd and the cycle range mean something to it.
    virtual bool writes_traces() const { return false; }
    /// Whether --firmware-start means something to it.
    virtual bool starts_kernels() const { return false; }
    /// Registers the options and operands that only this command has.
    virtual void add_options(CLI::App& app) = 0;
    /// The configuration that --dump-config prints.
    virtual parameters configuration(const common_options& options) const {
        return resolved_configuration(options);
    }
    /// Runs the command and returns the exit code. Throws user_error for exit_usage.
    virtual int run(const common_options& options) = 0;
};

std::unique_ptr<command> make_run_command();
std::unique_ptr<command> make_exec_command();
std::unique_ptr<command> make_asm_command();
std::unique_ptr<command> make_disasm_command();
std::unique_ptr<command> make_schedule_command();
std::unique_ptr<command> make_debug_command();
std::unique_ptr<command> make_lint_command();
std::unique_ptr<command> make_optimize_command();
std::unique_ptr<command> make_equiv_command();
std::unique_ptr<command> make_explore_command();
std::unique_ptr<command> make_llk_command();
std::unique_ptr<command> make_compare_command();
std::unique_ptr<command> make_silicon_command();
std::unique_ptr<command> make_tile_command();
std::unique_ptr<command> make_bench_command();
std::unique_ptr<command> make_info_command();

} // namespace sfpu::cli
