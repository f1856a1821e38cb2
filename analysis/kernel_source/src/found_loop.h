// The iterations in a list of words.
#pragma once

#include <sfpu/isa/thread_state.h>
#include <sfpu/isa/word_encoding.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::analysis {

/// `count` times `length` words from `begin` on, the same each time but for the addresses of loads and
/// stores, which are `step` further in each iteration than in the one before.
struct found_loop {
    std::size_t begin = 0, length = 0, count = 1;
    int step = 0;
    std::size_t stores = 0, accesses = 0; ///< words in the iterations that store or may store; that load, too

    std::size_t end() const { return begin + length * count; }
};

/// The iterations that hold most stores, then most loads, then most words; of these the shortest. Each holds
/// a store or an SFPLOADMACRO if any word does, and all of them a quarter of these. Nothing if nothing
/// repeats.
std::optional<found_loop> find_equal_iterations(const std::vector<std::uint32_t>& words);

/// The same with a step that is not 0. Nothing if no such iterations hold more than `than`.
std::optional<found_loop> find_stepping_iterations(const std::vector<std::uint32_t>& words,
                                                   const std::optional<found_loop>& than);

/// A loop whose counter moves where its words' addresses step: an address modifier that no word uses takes
/// the place of the one of the last access, and addresses behind the loop are that much smaller.
struct counted_loop {
    std::vector<std::uint32_t> loop, tail;
    unsigned addr_mod = 0;                       ///< that moves the counter
    std::array<std::uint16_t, 8> addr_mod_dst{}; ///< the entries as they have to be at the start
};
/// Nothing unless each word then finds the cells that it found before. `start`: of the thread, in front of
/// the first word.
std::optional<counted_loop> with_moving_counter(const std::vector<std::uint32_t>& words,
                                                const found_loop& found, const isa::thread_state& start,
                                                const isa::word_encoding& encoding);

} // namespace sfpu::analysis
