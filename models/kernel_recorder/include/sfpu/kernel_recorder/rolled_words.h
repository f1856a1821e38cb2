// Words as a loop: what comes before it, an iteration, what comes behind.
#pragma once

#include <sfpu/kernel_recorder/recorder.h>

#include <cstddef>
#include <optional>

namespace sfpu::kernel_recorder {

/// `front`, `loop` as often as `iterations` says, `back`.
struct rolled_words {
    recorded_words front, loop, back;
    std::size_t iterations = 1;
};

/// The words with those from `begin` on as `iterations` times a loop of `length` words: its words are those
/// of the first iteration; it has a gap where any iteration has one.
rolled_words rolled(const recorded_words& all, std::size_t begin, std::size_t length, std::size_t iterations);

/// A call that works on `rows` rows, as a loop of as few rows as possible: equal iterations, and outside of
/// them no loads and stores; of a call without these, nothing but set-up in front and SFPNOPs behind.
/// Nothing if there are no equal iterations.
std::optional<rolled_words> rolled_rows(const recorded_words& call, unsigned rows);

/// Rows whose words differ because a compiler kept constants in other registers, or not at all, as a loop of
/// one row: the words of one of them, with constants loaded in front of the loop, and in it where it
/// overwrites them. Only if that is shown to compute the same, and to find in each iteration what it found
/// in the first; then registers may hold something else behind the loop. Nothing if no row is such a loop.
std::optional<rolled_words> rolled_by_values(const recorded_words& call, unsigned rows, architecture arch);

} // namespace sfpu::kernel_recorder
