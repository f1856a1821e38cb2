#include <sfpu/views/run_summary.h>

#include <fmt/format.h>

namespace sfpu::views {

std::string run_summary(const analysis::kernel_run& kernel, const platform::run_result& result) {
    const std::uint64_t executed = result.counters.executed();
    const std::int64_t cycles = result.cycles_used.count();
    std::string text = fmt::format("{} rows in {} cycles", kernel.rows(), cycles);
    if (kernel.rows() != 0) text += fmt::format(", {:.2f} cycles a row", kernel.cycles_per_row(result));
    text += fmt::format(", {} instructions, {} of them scheduled", executed,
                        executed - result.counters.instructions);
    if (cycles > 0)
        text += fmt::format(", {:.2f} a cycle", static_cast<double>(executed) / static_cast<double>(cycles));
    return text;
}

} // namespace sfpu::views
