#include "bench_tile.h"

#include <sfpu/analysis/errors.h>

#include <cstring>
#include <limits>
#include <stdexcept>

namespace sfpu::analysis {
namespace {

const parameters& checked(const std::string& kernel, const parameters& config) {
    if (!describe(config.arch).has_compare_and_estimate) // SFPMUL24
        throw user_error("--kernel: " + kernel + " needs instructions that " + short_name(config.arch) +
                         " does not have");
    return config;
}

} // namespace

std::vector<std::string> tile_bench::kernels() { return {"tile", "firmware_ttinsn", "firmware_sw"}; }

tile_bench::tile_bench(const std::string& kernel, const parameters& config)
    : firmware_(kernel == "tile" ? tile_firmware() : push_firmware(kernel == "firmware_sw")),
      tile_("tile", checked(kernel, config)) {}

void tile_bench::set_word(const char* symbol, std::uint32_t value) {
    unsigned char bytes[4];
    std::memcpy(bytes, &value, sizeof value);
    tile_.write(firmware_.program.symbol(symbol).value(), bytes, sizeof bytes);
}

tile_bench::run tile_bench::measure(std::uint64_t instructions) {
    const std::uint64_t in_loop = instructions - firmware_.set_up;
    tile_.reset({});
    tile_.load(firmware_.program);
    set_word("blocks", static_cast<std::uint32_t>(in_loop / firmware_.block));
    set_word("rest", static_cast<std::uint32_t>(in_loop % firmware_.block));
    const platform::tile_result result = tile_.run(cycles{std::numeric_limits<std::int64_t>::max() / 2});
    if (result.why != platform::tile_result::outcome::ended || result.tohost != 1)
        throw std::logic_error("bench: the tile's program failed");
    const probe::unit_counters counters = tile_.vector_unit_counters();
    run measured;
    measured.issued = counters.instructions;
    measured.executed = counters.executed();
    measured.hart_instructions = tile_.hart_instructions();
    measured.cycles = static_cast<std::uint64_t>(result.cycles_run.count());
    return measured;
}

} // namespace sfpu::analysis
