// Words that come one by one and repeat themselves: guesses what comes, so that several can be issued by one
// plan. Plain C++.
#pragma once

#include <sfpu/timing/planner.h>
#include <sfpu/timing/word_history.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfpu {

/// Follows a plan of words that are expected. Words that come as expected are accepted with the cycles of
/// that plan and executed when it is complete, or when somebody looks.
class word_follower {
public:
    void reset() {
        plan_ = nullptr;
        in_time_ = 0;
        patience_ = look_at_ = least_patience;
        history_.clear();
        words_put_off_ = 0;
    }
    /// Words on end were interrupted.
    void forget_history() { history_.clear(); }

    /// The plan that is followed, or null. None of its words has been executed.
    const timing::plan* plan() const { return plan_; }
    bool expects(std::uint32_t word) const { return word == plan_->words[accepted_]; }
    /// The expected word has come: the cycle in which it is issued.
    cycles accept() { return since_ + cycles{plan_->issued_at[accepted_++]}; }
    /// How many words of the plan have come.
    unsigned accepted() const { return accepted_; }
    bool is_complete() const { return accepted_ == plan_->length; }
    /// The cycle in which the plan begins.
    cycles since() const { return since_; }

    /// A word has come alone; `in_time`: in the cycle in which the planner stands. Whether it begins a plan
    /// that is followed from now on; if not, the word is issued like any other. `first_word`: its index.
    bool begins(std::uint32_t word, bool in_time, timing::planner& planner, std::int64_t first_word);
    /// Stops following. The words that have come are executed by whoever calls this.
    void stop();

    /// Words that were executed after the push that brought them, since the reset.
    std::uint64_t words_put_off() const { return words_put_off_; }

private:
    static constexpr unsigned least_patience = 32, most_patience = 1 << 16, most_between_looks = 512;
    static constexpr std::size_t most_coming = 64, fewest_coming = 4;

    void look_ahead(std::uint32_t word, timing::planner& planner, std::int64_t first_word);

    const timing::plan* plan_ = nullptr;
    unsigned accepted_ = 0;
    cycles since_{};
    timing::word_history history_;      ///< words that came one by one
    std::vector<std::uint32_t> coming_; ///< what they say comes next
    /// Words on end that came one by one and in time since what was expected last did not come whole; how
    /// many have to before words are followed, and before it is looked again what may come.
    unsigned in_time_ = 0, patience_ = least_patience, look_at_ = least_patience;
    std::uint64_t words_put_off_ = 0;
};

} // namespace sfpu
