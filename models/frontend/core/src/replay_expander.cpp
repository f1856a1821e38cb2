#include <sfpu/frontend/replay_expander.h>

#include <sfpu/frontend/instruction_class.h>

#include <algorithm>

namespace sfpu::frontend {

void replay_expander::reset(unsigned count_zero) {
    *this = {};
    count_zero_ = count_zero;
}

void replay_expander::begin(std::uint32_t replay) {
    loading_ = replay & 1;
    executes_ = replay >> 1 & 1;
    position_ = replay >> 14 & (slots - 1);
    left_ = count_field(replay);
    if (left_ == 0) left_ = count_zero_;
}

void replay_expander::store(std::uint32_t word, bool is_plain) {
    buffer_[position_] = word;
    const std::uint32_t bit = 1u << position_;
    loaded_ |= bit;
    plain_ = is_plain ? plain_ | bit : plain_ & ~bit;
    stores_ = is_store(word) ? stores_ | bit : stores_ & ~bit;
    skip(1);
}

bool replay_expander::plays_loaded() const {
    for (unsigned i = 0; i < std::min(left_, slots); ++i)
        if (!(loaded_ >> (position_ + i) % slots & 1)) return false;
    return true;
}

unsigned replay_expander::plain_run() const {
    const unsigned end = std::min(slots, position_ + left_);
    unsigned from = position_;
    while (from < end && (plain_ >> from & 1)) ++from;
    return from - position_;
}

unsigned replay_expander::last_store_in(unsigned count) const {
    const std::uint32_t among = count < slots ? (1u << count) - 1 : ~0u;
    const std::uint32_t found = stores_ >> position_ & among;
    return found == 0 ? 0 : slots - static_cast<unsigned>(__builtin_clz(found));
}

void replay_expander::skip(unsigned count) {
    position_ = (position_ + count) % slots;
    left_ -= count;
}

} // namespace sfpu::frontend
