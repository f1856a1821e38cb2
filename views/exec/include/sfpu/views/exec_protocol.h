// The machine interface: one JSON object per line in, one out. Its fields are a promise to other programs;
// each has a function of its own in exec_fields.cpp or exec_answer.cpp.
#pragma once

#include <sfpu/analysis/dst_accesses.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::views {

/// Entries and hexadecimal digits of the lists in `macro`: those of the chips, or more for a larger machine.
struct macro_shape {
    unsigned templates, sequences, sequence_digits, misc_digits;

    explicit macro_shape(const parameters& config);
};

/// What a request inherits from the command line.
struct exec_defaults {
    parameters config;
    hazard_policy hazards = hazard_policy::warn;
    bool strict = false;         ///< see leaves_something_undone()
    bool firmware_start = false; ///< see start_as_firmware()
    /// How many words a program may have after MOPs and playbacks have become theirs.
    std::uint64_t max_words = 10'000'000;
};

/// Why a request is refused. Nothing was run.
class request_error : public std::runtime_error {
public:
    request_error(const char* error_code, const std::string& message, std::optional<std::size_t> word = {})
        : std::runtime_error(message), code(error_code), index(word) {}

    const char* code;                 ///< "bad-json", "bad-request" or "bad-word"
    std::optional<std::size_t> index; ///< of the word that is no instruction
};

/// A typed array in Dst.
struct exec_tensor {
    std::string name;
    isa::data_type type = isa::data_type::f32;
    unsigned address = 0, rows = 0;
};

struct exec_request {
    std::string id = "null"; ///< as JSON text
    platform::run_request run;
    std::vector<exec_tensor> outputs; ///< to be in the answer
    bool timeline = false;
    bool strict = false;
    bool threads = false;                      ///< `thread` was given
    std::optional<std::uint8_t> thread_of_all; ///< as one number
};

/// Reads requests.
class request_parser {
public:
    request_parser();
    ~request_parser();

    /// One line, whose text stays while its capacity may grow. `request.id` is set as soon as it is known, so
    /// that a refusal can carry it. Throws request_error.
    void parse(std::string& line, const exec_defaults& defaults, exec_request& request);

    /// Of the memory that it keeps from line to line.
    void let_go();

private:
    struct implementation; ///< the JSON library stays out of here
    std::unique_ptr<implementation> implementation_;
};

/// Keeps what a run reports until its answer is written.
class exec_recorder : public probe::pipeline_observer, public diagnostic_sink {
public:
    /// An execution, or a stall if `stalled`.
    struct timeline_entry {
        cycles at{};
        bool stalled = false;
        probe::stall_cause cause{};
        probe::execution_event event;
    };

    void clear();
    void diagnose(const diagnostic& what) override;
    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    /// What is odd about a run and breaks no rule: outputs that are stored in part, stores that became
    /// templates.
    void remark(const exec_request& request, const analysis::dst_access_recorder& accesses,
                const platform::run_result& result);

    std::vector<diagnostic> diagnostics;
    std::vector<timeline_entry> timeline;
    bool strict = false; ///< of the request
};

/// Append one line, without its end.
void append_answer(std::string& out, const exec_request& request, const platform::run_result& result,
                   const platform::program_runner& runner, const exec_recorder& recorder);
void append_refusal(std::string& out, std::string_view id, std::string_view code, std::string_view message,
                    std::optional<std::size_t> index = {});

} // namespace sfpu::views
