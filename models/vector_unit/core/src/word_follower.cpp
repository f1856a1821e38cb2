#include <sfpu/vector_unit/word_follower.h>

namespace sfpu {

bool word_follower::begins(std::uint32_t word, bool in_time, timing::planner& planner,
                           std::int64_t first_word) {
    in_time_ = in_time ? in_time_ + 1 : 0;
    if (in_time_ >= patience_) {
        plan_ = planner.expected(word, {0, 1}, first_word);
        if (!plan_ && in_time_ >= look_at_) look_ahead(word, planner, first_word);
        if (plan_) {
            accepted_ = 0;
            since_ = planner.now();
            return true;
        }
    }
    history_.add(word);
    return false;
}

/// Makes a plan of what comes with this word if the latest words repeat themselves. The longer what was
/// expected did not come, the more of them have to.
void word_follower::look_ahead(std::uint32_t word, timing::planner& planner, std::int64_t first_word) {
    const std::size_t period = history_.period(std::min<std::size_t>(patience_ / 2, history_.kept / 2));
    if (period != 0) {
        history_.go_on(period, most_coming, coming_);
        if (coming_.front() == word && coming_.size() >= fewest_coming)
            plan_ = planner.expect({reinterpret_cast<const unsigned char*>(coming_.data()),
                                    static_cast<unsigned>(coming_.size())},
                                   {0, 1}, first_word);
        if (plan_ && plan_->length < fewest_coming) plan_ = nullptr;
    }
    if (!plan_) look_at_ = in_time_ + std::min(in_time_, most_between_looks);
}

void word_follower::stop() {
    words_put_off_ += accepted_;
    history_.add(plan_->words.data(), accepted_);
    if (is_complete()) {
        patience_ = look_at_ = least_patience;
    } else {
        in_time_ = 0;
        patience_ = look_at_ = std::min(2 * patience_, most_patience);
    }
    plan_ = nullptr;
}

} // namespace sfpu
