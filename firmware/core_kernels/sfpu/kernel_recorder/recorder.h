// Pushes words instead of recording them: TTI_X in the instruction stream, TT_X by a store, as the vendor's
// macros do it.
#pragma once

#include <sfpu/kernel_recorder/source_place.h>

#include <sfpu/common/types.h>

#include <cstdint>

/// What cannot be recorded is not checked on a core.
#define SFPU_KERNEL_REFUSE(message) __builtin_unreachable()

namespace sfpu::kernel_recorder {

[[gnu::always_inline]] inline void stand_at(source_place) {}

[[gnu::always_inline]] inline void issue_computed(architecture, std::uint32_t word) {
    *reinterpret_cast<volatile std::uint32_t*>(0xffe40000) = word; // the core's own instruction buffer
}
[[gnu::always_inline]] inline void issue(architecture arch, std::uint32_t word) {
    if (__builtin_constant_p(word))
        __asm__ volatile(".4byte (((%0) << 2) & 0xfffffffc) | (((%0) >> 30) & 3)" ::"i"(word) : "memory");
    else issue_computed(arch, word);
}

/// Where words go that nobody names an architecture for.
struct instruction_stream {
    [[gnu::always_inline]] void issue(std::uint32_t word) const {
        kernel_recorder::issue(architecture{}, word);
    }
};
constexpr instruction_stream current_recorder() { return {}; }

} // namespace sfpu::kernel_recorder
