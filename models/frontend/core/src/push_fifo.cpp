#include <sfpu/frontend/push_fifo.h>

#include <sfpu/common/chip.h>

namespace sfpu::frontend {
namespace {

/// Words that the MOP expander takes in and does not pass on.
constexpr bool is_kept(std::uint32_t word) { return is_mop(word) || is_mop_cfg(word); }

} // namespace

/// tile.md K3
void push_fifo::reset(const parameters& config, unsigned thread) {
    *this = {};
    const front_end_parameters& given = config.front_end;
    const chip_description& chip = describe(config.arch);
    depth_ = given.fifo_depth ? given.fifo_depth : thread == 0 ? 32u : chip.fifo_depth_of_others;
    constexpr unsigned depth_of_chips = 32; // for which the limit of a chip is meant: a deeper FIFO has more
    unsigned limit = given.fifo_accept_limit;
    if (limit == 0 && chip.fifo_accept_limit != 0)
        limit = chip.fifo_accept_limit + (std::max(depth_, depth_of_chips) - depth_of_chips);
    accept_limit_ = limit ? std::min(limit, depth_ - 1) : depth_ - 1;
    push_width_ = given.push_width ? given.push_width : chip.push_width;
    held_to_gate_ = chip.held_to_gate;
    words_.set_capacity(depth_);
}

queued_word push_fifo::take_front() {
    queued_word taken = words_.front();
    words_.pop_front();
    mops_ -= is_mop(taken.word);
    expander_words_ -= is_for_expander(taken.word);
    if (!held_to_gate_ || is_kept(taken.word)) {
        release(taken);
        taken.held = false;
    }
    return taken;
}

unsigned push_fifo::forget_from(cycles at) {
    departures_.clear();
    unsigned forgotten = 0;
    while (!words_.empty() && !(words_.back().at < at)) {
        mops_ -= is_mop(words_.back().word);
        expander_words_ -= is_for_expander(words_.back().word);
        words_.pop_back();
        ++forgotten;
    }
    held_ -= forgotten;
    return forgotten;
}

} // namespace sfpu::frontend
