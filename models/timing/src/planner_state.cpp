#include <sfpu/timing/planner_state.h>

#include <algorithm>

namespace sfpu::timing {

void result_calendar::advance(std::int64_t cycles_on) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(cycles_on, in.size()));
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(count), in.end(), in.begin());
    std::fill(in.end() - static_cast<std::ptrdiff_t>(count), in.end(), due_results{});
}

unsigned result_calendar::length() const {
    unsigned result = static_cast<unsigned>(in.size());
    while (result != 0 && in[result - 1].ports == 0) --result;
    return result;
}

void planner_state::advance_idle(std::int64_t cycles_on) {
    if (cycles_on <= 0) return;
    issue.advance(cycles_on);
    on_chip.advance(cycles_on);
    neighbours = {};
    results.advance(cycles_on);
    rules.backdoor_changed = false;
    const auto left = [&](std::uint8_t value) {
        return static_cast<std::uint8_t>(value > cycles_on ? value - cycles_on : 0);
    };
    simple_held_for = left(simple_held_for);
    round_held_for = left(round_held_for);
}

} // namespace sfpu::timing
