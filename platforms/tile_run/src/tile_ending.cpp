#include <sfpu/platform/tile_ending.h>

#include <fmt/format.h>

namespace sfpu::platform {
namespace {

constexpr std::uint32_t success = 1; ///< in tohost

/// How the run ended, in words; what went wrong if it did.
std::string bare_ending(const tile_result& result) {
    using outcome = tile_result::outcome;
    switch (result.why) {
    case outcome::ended:
        if (result.tohost == success) return "success (tohost 1)";
        if (result.tohost % 2 == 1)
            return fmt::format("failure {} (tohost {:#x})", result.tohost / 2, result.tohost);
        return fmt::format("failure (tohost {:#x})", result.tohost);
    case outcome::trapped:
        return "trap without a handler: " + result.trap.text() +
               (result.trap_reason.empty() ? "" : "; TensorLoad: " + result.trap_reason);
    case outcome::cycle_limit:
        return fmt::format("no end after {} cycles, pc {:#010x}", result.cycles_run.count(), result.pc);
    case outcome::interrupted:
        return fmt::format("interrupted in cycle {}, pc {:#010x}", result.cycles_run.count(), result.pc);
    case outcome::hung:
        return fmt::format("hart {} waits for ever in cycle {}, pc {:#010x}", result.hart,
                           result.cycles_run.count(), result.pc);
    }
    return "?";
}

} // namespace

bool succeeded(const tile_result& result) {
    return result.why == tile_result::outcome::ended && result.tohost == success;
}

std::string ending(const tile_result& result, const riscv::elf_image& program) {
    std::string text = bare_ending(result);
    using outcome = tile_result::outcome;
    if (result.why == outcome::ended || result.why == outcome::interrupted) return text;
    if (!result.host_waits_for.empty()) text += "; " + result.host_waits_for;
    else if (!program.symbol("tohost")) text += "; there is no symbol 'tohost' whose store could end the run";
    if (program.compressed())
        text += "; the file is marked as holding compressed instructions, which the hart does not have "
                "(compile for rv32im)";
    return text;
}

} // namespace sfpu::platform
