// A conversation with the machine interface: a request a line, an answer a line.
#pragma once

#include <sfpu/platform/core_runner.h>
#include <sfpu/views/exec_protocol.h>

#include <cstddef>
#include <string>

namespace sfpu::views {

/// One machine that answers line by line. Whatever is wrong with a line, the next one gets its chance:
/// nothing is thrown but by the constructor.
class exec_session {
public:
    /// Elaborates while there is memory: without the stack of a process nothing runs ever after.
    explicit exec_session(const exec_defaults& defaults) : defaults_(defaults) { runner_.run({}); }

    /// The answer to one line, with its end. The text of `line` stays, its capacity may grow.
    const std::string& answer(std::string& line);
    /// The answer to a line of more bytes than `most`, which was not kept.
    const std::string& too_long(std::size_t most);
    /// The answer to a line for which there was no memory.
    const std::string& no_memory();

private:
    platform::run_result watched_run(exec_request& request);
    const std::string& refusal(const char* code, const std::string& why);
    void let_go(); ///< of the memory that is kept from line to line

    exec_defaults defaults_;
    request_parser parser_;
    platform::core_runner runner_;
    exec_recorder recorder_;
    std::string answer_; ///< keeps its memory from line to line
};

} // namespace sfpu::views
