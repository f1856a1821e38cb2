// Which thread wrote what of LoadMacroConfig: threads share the vector unit and so its macros.
#pragma once

#include <sfpu/isa/registers.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/timing/fields.h>

#include <array>
#include <cstdint>
#include <tuple>

namespace sfpu::timing {

/// Parts of LoadMacroConfig as bits: 0 to 7 templates, 8 to 15 sequences, 16 Misc.
using configuration_parts = std::uint32_t;
namespace configuration_part {
constexpr unsigned first_template = 0, first_sequence = 8, misc = 16, count = 17;
}

/// For each thread the parts that it wrote itself, and which of them another thread has written since. A
/// thread that leaves a part to others has nothing to lose: what nobody but others wrote is not overwritten.
struct configuration_writers {
    std::array<configuration_parts, isa::thread_count> own{}, overwritten{};
    std::uint64_t latest = 0; ///< two bits for each part: the thread that wrote it last

    void write(unsigned part, unsigned thread) {
        const configuration_parts bit = 1u << part;
        for (unsigned other = 0; other < isa::thread_count; ++other)
            if (other != thread) overwritten[other] |= own[other] & bit;
        own[thread] |= bit;
        overwritten[thread] &= ~bit;
        latest = (latest & ~(std::uint64_t{3} << 2 * part)) | std::uint64_t{thread} << 2 * part;
    }
    unsigned writer_of(unsigned part) const { return static_cast<unsigned>(latest >> 2 * part & 3u); }
};
inline auto fields_of(const configuration_writers& x) {
    const auto& [own, overwritten, latest] = x;
    return std::tie(own, overwritten, latest);
}

} // namespace sfpu::timing
