// `exec`: the machine interface.
#include "command.h"
#include "exec_protocol.h"
#include "interrupts.h"
#include "line_input.h"
#include "program.h"

#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <new>
#include <optional>
#include <string>

namespace sfpu::cli {
namespace {

constexpr std::size_t longest_line = std::size_t{64} << 20;

/// One conversation: a machine that is elaborated once and answers line by line.
class exec_session {
public:
    /// Elaborates while there is memory: without the stack of a process nothing runs ever after.
    explicit exec_session(const exec_defaults& defaults) : defaults_(defaults) { runner_.run({}); }

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
            const platform::run_result result = runner_.run(request.run);
            append_answer(answer_, request, result, runner_, recorder_);
        } catch (const request_error& error) {
            append_refusal(answer_, request.id, error.code, shortened(error.what()), error.index);
        } catch (const std::bad_alloc&) {
            let_go();
            append_refusal(answer_, request.id, "no-memory", no_memory);
        } catch (const std::exception& error) {
            answer_.clear();
            append_refusal(answer_, request.id, "internal", error.what());
        }
        answer_ += '\n';
        return answer_;
    }

    /// The answer to a line that is not kept.
    const std::string& refusal(line_end why) {
        answer_.clear();
        if (why == line_end::no_memory) append_refusal(answer_, exec_request{}.id, "no-memory", no_memory);
        else
            append_refusal(answer_, exec_request{}.id, "bad-request",
                           fmt::format("a line of more than {} bytes", longest_line));
        answer_ += '\n';
        return answer_;
    }

private:
    static constexpr const char* no_memory = "not enough memory for this request";

    /// Of what is kept from line to line.
    void let_go() {
        answer_ = std::string();
        recorder_ = exec_recorder();
        parser_.let_go();
    }

    exec_defaults defaults_;
    request_parser parser_;
    platform::core_runner runner_;
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
            const std::string& answer = end == line_end::found ? session.answer(line) : session.refusal(end);
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
