// Other programs and parts of this one, run in processes and waited for. The only place of the libraries that
// starts a process: for points of an exploration that are kept apart, for compilers, for gnuplot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What a command printed and how it ended.
struct command_answer {
    int code = 0;                   ///< 127 if there is no such command, 128 and the signal if one ended it
    std::string output, complaints; ///< no more than 64 MiB each
    std::string problem;            ///< why it did not end by itself: "not finished after 60 seconds"
    bool is_late = false;           ///< the time was over
    bool ok() const { return code == 0; }
};

/// Runs a command and waits for it, but no longer than `seconds`; it reads `input`. Nothing if `interrupted`,
/// asked ten times a second, ended it. It is killed if this thread ends. Throws user_error if the system has
/// no process for it.
std::optional<command_answer> ask_command(const std::vector<std::string>& words,
                                          std::optional<double> seconds = std::nullopt,
                                          const std::function<bool()>& interrupted = nullptr,
                                          std::string_view input = {});

/// What each child may take.
struct child_limits {
    std::optional<double> seconds;          ///< it is killed then
    std::optional<std::uint64_t> megabytes; ///< of address space; more is std::bad_alloc
};

/// How a child ended.
struct child_end {
    std::size_t ticket = 0; ///< as start() was told
    int code = 0;           ///< that its work returned
    int signal = 0;         ///< that ended it; 0 if none did
    bool is_late = false;   ///< it was killed because its time was over
    std::string said;       ///< what its work said, at most 4096 bytes
};

/// Copies of this process that do a piece of work each, so that a crash of theirs ends nobody else. They
/// ignore SIGINT, as whoever started them decides, and are killed if the thread that started them ends. Start
/// them while this process has one thread only: the copy has no other, and a lock that another held stays
/// locked in it.
class child_crew {
public:
    explicit child_crew(child_limits limits);
    ~child_crew(); ///< kills those that run
    child_crew(const child_crew&) = delete;
    child_crew& operator=(const child_crew&) = delete;

    /// `work` returns the exit code, 0 to 255, and may say something; what it throws is code 70 with the
    /// reason. Throws user_error if the system has no process for it.
    void start(std::size_t ticket, const std::function<int(std::string& said)>& work);
    std::size_t size() const; ///< that run
    /// Takes leave of one that has ended, after waiting for it a fiftieth of a second at most.
    std::optional<child_end> gather();
    /// Kills those that run. Returns their tickets.
    std::vector<std::size_t> kill_all();

private:
    struct child;
    child_limits limits_;
    std::vector<child> running_;
};

} // namespace sfpu::analysis
