// Where the cycles of firmware go, resource by resource.
#pragma once

#include <sfpu/platform/tile_run.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A resource of the tile and what it does in a run.
struct tile_share {
    std::string name; ///< "hart", "TensorLoad store", "SFPU mad"
    std::uint64_t busy = 0;
    std::uint64_t blocked =
        0;             ///< a hart stalls, a sub-engine waits for a register, a word is held at the wait gate
    std::string cause; ///< of most of what is blocked; empty if there is one cause only
    bool is_hart = false;
};

/// The resources that did anything, harts first.
std::vector<tile_share> shares_of(const platform::tile_run& tile);

/// "TensorLoad load is busiest: 65536 of 73397 cycles (89.3 %); ..."; where nothing works in half of them
/// "No resource binds by itself: hart, the busiest, works in 42 of 100 cycles (42.0 %); ..."
std::string busiest_text(const std::vector<tile_share>& shares, std::uint64_t cycles);

} // namespace sfpu::analysis
