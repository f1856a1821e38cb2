#include "bench_tile.h"

#include "bench_push_firmware.h"
#include "bench_tile_firmware.h"
#include "program.h"
#include "run_outputs.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace sfpu::cli {
struct tile_bench::firmware {
    const char* kernel;
    std::string_view elf;
    std::uint64_t instructions_of_a_block;
    bool by_store; ///< of bench_push: which of its two loops
};

namespace {

template <std::size_t Size>
std::string_view bytes_of(const unsigned char (&elf)[Size]) {
    return {reinterpret_cast<const char*>(elf), Size};
}

const parameters& checked(const std::string& kernel, const parameters& config) {
    if (!describe(config.arch).has_compare_and_estimate) // SFPMUL24
        throw user_error("--kernel: " + kernel + " needs instructions that " + short_name(config.arch) +
                         " does not have");
    return config;
}

} // namespace

const tile_bench::firmware& tile_bench::find(const std::string& kernel) {
    static const firmware all[] = {
        {"tile", bytes_of(bench_tile_elf), 1024, false},
        {"firmware_ttinsn", bytes_of(bench_push_elf), 104, false},
        {"firmware_sw", bytes_of(bench_push_elf), 104, true},
    };
    for (const firmware& one : all)
        if (kernel == one.kernel) return one;
    throw std::logic_error("bench: there is no firmware " + kernel);
}

std::vector<std::string> tile_bench::kernels() { return {"tile", "firmware_ttinsn", "firmware_sw"}; }

tile_bench::tile_bench(const std::string& kernel, const parameters& config)
    : firmware_(find(kernel)), program_(riscv::elf_image::parse(firmware_.elf)),
      tile_("tile", checked(kernel, config)) {
    tile_.reset({});
    tile_.load(program_);
    if (program_.symbol("setup_instructions")) setup_instructions_ = word_at("setup_instructions");
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
    set_word("blocks", static_cast<std::uint32_t>(in_loop / firmware_.instructions_of_a_block));
    set_word("rest", static_cast<std::uint32_t>(in_loop % firmware_.instructions_of_a_block));
    if (firmware_.by_store) set_word("by_store", 1);
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

} // namespace sfpu::cli
