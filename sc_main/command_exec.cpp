// `exec`: the machine interface.
#include "command.h"
#include "exec_protocol.h"
#include "program.h"

#include <sfpu/platform/sfpu_bench.h>

#include <iostream>
#include <string>

namespace sfpu::cli {
namespace {

/// One conversation: a machine that is elaborated once and answers line by line.
class exec_session {
public:
    explicit exec_session(const exec_defaults& defaults) : defaults_(defaults) {}

    /// The answer to one line, with its end. Whatever is wrong with the line, the next one gets its chance.
    const std::string& answer(std::string& line) {
        answer_.clear();
        exec_request request;
        try {
            parser_.parse(line, defaults_, request);
            recorder_.clear();
            recorder_.strict = request.strict;
            request.run.diagnostics = &recorder_;
            request.run.observer = request.timeline ? &recorder_ : nullptr;
            const platform::run_result result = bench_.run(request.run);
            append_answer(answer_, request, result, bench_, recorder_);
        } catch (const request_error& error) {
            append_refusal(answer_, request.id, error.code, error.what(), error.index);
        } catch (const std::exception& error) {
            answer_.clear();
            append_refusal(answer_, request.id, "internal", error.what());
        }
        answer_ += '\n';
        return answer_;
    }

private:
    exec_defaults defaults_;
    request_parser parser_;
    platform::sfpu_bench bench_;
    exec_recorder recorder_;
    std::string answer_; ///< keeps its memory from line to line
};

class exec_command : public command {
public:
    const char* name() const override { return "exec"; }
    const char* description() const override {
        return "Run programs given as JSON, one object a line, on standard input";
    }
    bool starts_kernels() const override { return true; }
    void add_options(CLI::App&) override {}

    int run(const common_options& options) override {
        exec_session session({resolved_configuration(options), hazards(options), options.strict,
                              options.firmware_start.value_or(false)});
        std::ios::sync_with_stdio(false);
        std::string line;
        while (std::getline(std::cin, line))
            write_output("", session.answer(line)); // flushed: somebody waits for it
        return exit_success;
    }
};

} // namespace

std::unique_ptr<command> make_exec_command() { return std::make_unique<exec_command>(); }

} // namespace sfpu::cli
