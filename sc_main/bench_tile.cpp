#include "bench_tile.h"

#include "bench_tile_firmware.h"
#include "program.h"
#include "run_outputs.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace sfpu::cli {
namespace {

constexpr std::uint64_t instructions_of_a_block = 1024; ///< see firmware/bench_tile.S

const parameters& checked(const parameters& config) {
    if (config.arch == architecture::wormhole)
        throw user_error("--kernel: tile needs instructions that wh does not have");
    return config;
}

} // namespace

tile_bench::tile_bench(const parameters& config)
    : program_(
          riscv::elf_image::parse({reinterpret_cast<const char*>(bench_tile_elf), sizeof bench_tile_elf})),
      tile_("tile", checked(config)) {
    tile_.reset({});
    tile_.load(program_);
    setup_instructions_ = word_at("setup_instructions");
}

std::uint32_t tile_bench::word_at(const char* symbol) {
    unsigned char bytes[4] = {};
    tile_.read(program_.symbol(symbol).value(), bytes, sizeof bytes);
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

void tile_bench::set_word(const char* symbol, std::uint32_t value) {
    unsigned char bytes[4];
    std::memcpy(bytes, &value, sizeof value);
    tile_.write(program_.symbol(symbol).value(), bytes, sizeof bytes);
}

tile_bench::run tile_bench::measure(std::uint64_t instructions) {
    const std::uint64_t in_loop = instructions - setup_instructions_;
    tile_.reset({});
    tile_.load(program_);
    set_word("blocks", static_cast<std::uint32_t>(in_loop / instructions_of_a_block));
    set_word("rest", static_cast<std::uint32_t>(in_loop % instructions_of_a_block));
    const platform::tile_result result = tile_.run(cycles{std::numeric_limits<std::int64_t>::max() / 2});
    if (result.why != platform::tile_result::outcome::ended || result.tohost != 1)
        throw std::logic_error("bench: the tile's program failed");
    const platform::run_counters counters = tile_.vector_unit_counters();
    run measured;
    measured.issued = counters.instructions;
    measured.executed = executed_instructions(counters);
    measured.hart_instructions = tile_.hart_instructions();
    measured.cycles = static_cast<std::uint64_t>(result.cycles_run.count());
    return measured;
}

} // namespace sfpu::cli
