// The commands of `debug`: what a user types, and what is answered.
#pragma once

#include "session.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::cli::debug {

class stepper {
public:
    explicit stepper(session& of) : session_(of) {}

    /// Carries a line out and returns the answer. Throws user_error for what cannot be understood or done.
    std::string execute(const std::string& line);
    bool has_ended() const { return ended_; }

    /// What may come next after `typed`, for completion.
    std::vector<std::string> completions(const std::string& typed) const;
    /// What is said at the start.
    std::string greeting() const;
    /// The table of all commands.
    static std::string help();

private:
    struct command_form {
        const char* name;
        const char* arguments;
        const char* text;
        std::string (stepper::*carry_out)(const std::string& rest);
    };
    static const std::vector<command_form>& forms();
    static const command_form& form_of(const std::string& word);

    std::string step(const std::string& rest);
    std::string back(const std::string& rest);
    std::string run(const std::string& rest);
    std::string print(const std::string& rest);
    std::string watch(const std::string& rest);
    std::string unwatch(const std::string& rest);
    std::string who(const std::string& rest);
    std::string where(const std::string& rest);
    std::string list(const std::string& rest);
    std::string hazards(const std::string& rest);
    std::string show_help(const std::string& rest);
    std::string quit(const std::string& rest);

    std::string go(std::int64_t cycle);
    std::string go_to_first(std::int64_t from, const search::condition& wanted, const std::string& what);
    std::string run_on();
    std::string who_changed_flags(const target& what);
    std::string here();
    std::string text_of(const cycle_record& record);
    std::string text_of(const execution& one, std::int64_t cycle) const;
    std::string value_text(const target& what, const machine_state& state) const;
    std::string changed_watches(const machine_state& before, const machine_state& after) const;

    session& session_;
    std::vector<std::pair<std::string, target>> watches_; ///< as typed
    std::string latest_; ///< the latest line that moves, which an empty one repeats
    bool ended_ = false;
};

} // namespace sfpu::cli::debug
