// Whether a Wormhole kernel leaves Misc armed and goes on without macros: /sfpu/hazard/misc-left-armed.
#pragma once

#include <sfpu/isa/state.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/reporter.h>

#include <cstdint>
#include <functional>

namespace sfpu::analysis {

/// Watches one run. Armed means that one of the four bits of UnitDelayKind in Misc is set at the end of the
/// program. It is a finding if plain instructions (those of the vector unit but SFPNOP, SFPCONFIG and
/// SFPLOADI) were issued after the write of Misc, but no SFPLOADMACRO at all, or none in the loop.
class misc_watch : public probe::pipeline_observer {
public:
    /// Whether plain loops may hang a chip that is left armed; judge() finds nothing otherwise.
    static bool concerns(architecture arch);

    /// `in_loop` tells whether an issued word belongs to the kernel's loop.
    misc_watch(architecture arch, std::function<bool(std::int64_t word)> in_loop);

    void executed(const probe::execution_event& event) override;

    /// After the run; `state` is what it left.
    void judge(const isa::vector_state& state, probe::reporter& reporter) const;

private:
    struct issued_words {
        std::uint64_t macros = 0, plain = 0;
        bool without_macros() const { return plain != 0 && macros == 0; }
    };

    architecture arch_;
    std::function<bool(std::int64_t)> in_loop_;
    std::int64_t written_by_ = -1; ///< the last SFPCONFIG to Misc
    issued_words all_, loop_;      ///< since then
    cycles latest_{};
    std::int64_t first_plain_ = -1; ///< since then
};

} // namespace sfpu::analysis
