#include "pushing_time.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/firmware_run.h>

#include <sfpu/platform/tile_run.h>
#include <sfpu/riscv/encode.h>

#include <fmt/format.h>

namespace sfpu::cli {
namespace {

using namespace riscv::encode;

constexpr unsigned zero = 0, a4 = 14, s9 = 25, s10 = 26, s11 = 27, cycle_csr = 0xb00;
constexpr std::uint32_t ram = 0x80000000, push_by_store = 0xffe40000;
constexpr std::int64_t most_cycles = 1000000;
constexpr std::size_t settling_instructions = 200; ///< behind the set-up, until the front end is empty

/// The code between two looks at the clock, whose difference goes to `tohost` and ends the run.
riscv::elf_image program_of(const std::vector<std::uint32_t>& setup, const std::vector<std::uint32_t>& code) {
    std::vector<std::uint32_t> words = setup;
    words.push_back(lui(a4, push_by_store));
    words.insert(words.end(), settling_instructions, nop);
    words.push_back(csrrs(s10, cycle_csr, zero));
    words.insert(words.end(), code.begin(), code.end());
    words.push_back(csrrs(s11, cycle_csr, zero));
    words.push_back(sub(s11, s11, s10));
    const auto here = static_cast<std::uint32_t>(4 * words.size());
    constexpr int distance = 16; // from AUIPC to the word of `tohost`
    words.insert(words.end(), {auipc(s9, 0), sw(s11, s9, distance), jal(zero, 0), nop, 0});
    return riscv::elf_image::of_words(ram, words, {{"tohost", ram + here + distance}});
}

parameters machine_of(architecture arch) {
    parameters config;
    config.arch = arch;
    return config;
}

struct tiles_of_chips {
    parameters config[2]{machine_of(architecture{0}), machine_of(architecture{1})}; ///< by architecture
    platform::tile_run blackhole{"pushing_blackhole",
                                 config[static_cast<std::size_t>(architecture::blackhole)]};
    platform::tile_run wormhole{"pushing_wormhole", config[static_cast<std::size_t>(architecture::wormhole)]};
};

} // namespace

double core_time(const riscv::elf_image& program, architecture arch) {
    static tiles_of_chips tiles; // SystemC takes no module once it runs
    const parameters& config = tiles.config[static_cast<std::size_t>(arch)];
    analysis::firmware programs;
    programs.file = "the code of a core";
    programs.program = program;
    analysis::firmware_options how;
    how.hazards = hazard_policy::off;
    how.most_cycles = most_cycles;
    const analysis::firmware_answer answer = run_firmware(
        arch == architecture::blackhole ? tiles.blackhole : tiles.wormhole, config, programs, how, {});
    if (answer.result.why != platform::tile_result::outcome::ended)
        throw analysis::user_error(
            fmt::format("the code of a core does not come to its end: {}", answer.ending));
    return answer.result.tohost;
}

double pushing_time(const std::vector<std::uint32_t>& setup, const std::vector<std::uint32_t>& code,
                    architecture arch) {
    return core_time(program_of(setup, code), arch);
}

} // namespace sfpu::cli
