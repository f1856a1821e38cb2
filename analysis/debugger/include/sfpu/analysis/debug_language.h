// The commands of `debug` as a user types them, and the answer to each.
#pragma once

#include <sfpu/analysis/debugger.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sfpu::analysis::debug {

/// A row of the table of commands.
struct command_form {
    const char* name;
    const char* arguments; ///< "WHAT [as TYPE]", empty if there are none
    const char* text;
};

/// The table of all commands, or one of it.
struct help_answer {
    const command_form* of = nullptr;
};
/// Something is watched from now on.
struct watch_answer {
    std::string what;
};
struct watches_answer {
    std::vector<value_answer> all;
};

/// std::monostate: there is nothing to say.
using any_answer =
    std::variant<std::monostate, move_answer, cycle_answer, value_answer, watch_answer, watches_answer,
                 writer_answer, flag_answer, source_answer, diagnostics_answer, help_answer>;

class stepper {
public:
    explicit stepper(debugger& of) : debugger_(of) {}

    /// Carries a line out. Throws user_error for what cannot be understood or done.
    any_answer execute(const std::string& line);
    bool has_ended() const { return ended_; }

    /// What may come next after `typed`, for completion.
    std::vector<std::string> completions(const std::string& typed) const;
    static const std::vector<command_form>& forms();

private:
    any_answer step(const std::string& rest);
    any_answer back(const std::string& rest);
    any_answer run(const std::string& rest);
    any_answer print(const std::string& rest);
    any_answer watch(const std::string& rest);
    any_answer unwatch(const std::string& rest);
    any_answer who(const std::string& rest);
    any_answer where(const std::string& rest);
    any_answer list(const std::string& rest);
    any_answer hazards(const std::string& rest);
    any_answer help(const std::string& rest);
    any_answer quit(const std::string& rest);

    struct action; ///< of a command
    static const std::vector<action>& actions();

    debugger& debugger_;
    std::string latest_; ///< the latest line that moves, which an empty one repeats
    bool ended_ = false;
};

} // namespace sfpu::analysis::debug
