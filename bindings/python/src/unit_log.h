// What was done to a unit, to be done again by one that is watched. Watching costs more than running, and few
// look.
#pragma once

#include <sfpu/platform/engine.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace sfpu::python {

/// Words that were offered from a cycle on, one in each.
struct pushed_words {
    std::int64_t cycle = 0, first_word = 0;
    unsigned thread = 0;
    std::vector<std::uint32_t> words;
};
/// Everything before a cycle happened.
struct passed_cycles {
    std::int64_t cycle = 0;
};
/// A register that was set before the first cycle.
struct set_register {
    unsigned number = 0;
    lanes values;
};
/// Rows of Dst that were given other values in a cycle.
struct set_rows {
    std::vector<std::pair<unsigned, platform::dst_row>> rows;
};

using unit_action = std::variant<pushed_words, passed_cycles, set_register, set_rows>;
using unit_log = std::vector<unit_action>;

/// Do one of them to an engine. Words: the cycles in which they are issued go to `issued`, one for each word,
/// unless it is null.
void perform(platform::engine& engine, const pushed_words& action, cycles* issued);
void perform(platform::engine& engine, const passed_cycles& action);
void perform(platform::engine& engine, const set_register& action);
void perform(platform::engine& engine, const set_rows& action);
void perform(platform::engine& engine, const unit_action& action);

} // namespace sfpu::python
