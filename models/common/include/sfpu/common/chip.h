// What tells the chips apart: one description for each, found through one switch.
#pragma once

#include <cstdint>

namespace sfpu {

/// The chips of which the vector unit is modelled.
enum class architecture : std::uint8_t { blackhole, wormhole };

/// The differences between chips that the models ask for. Each field is a question that any chip can answer, so that
/// nobody has to know which chip he is working on.
struct chip_description {
    const char* short_name; ///< as used on the command line and in files
    const char* long_name;

    unsigned period_ps; ///< clock period in picoseconds (1.35 GHz, 1 GHz)

    /// MAD dependences and two-cycle SFPSHFT2 hold issue back until their results are there (T16, T17).
    bool stalls_for_results;
    /// T8: whether every issued Simple or Round instruction disturbs a two-cycle SFPSHFT2 in its second cycle; if not,
    /// only those do that write a result through the port which both share.
    bool all_issues_disturb_shuffles;

    unsigned addr_mod_shift, addr_mod_width; ///< the address mode field of loads and stores
};

namespace chips {

inline constexpr chip_description blackhole{"bh", "Blackhole", 741, true, true, 13, 3};
inline constexpr chip_description wormhole{"wh", "Wormhole", 1000, false, false, 14, 2};

} // namespace chips

/// The description of a chip. A chip that is not described here does not compile.
constexpr const chip_description& describe(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return chips::blackhole;
    case architecture::wormhole: return chips::wormhole;
    }
    __builtin_unreachable();
}

constexpr const char* short_name(architecture arch) { return describe(arch).short_name; }
constexpr const char* long_name(architecture arch) { return describe(arch).long_name; }

} // namespace sfpu
