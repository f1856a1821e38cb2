// The loops of `bench` that a vector unit runs by itself.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/state.h>
#include <sfpu/platform/program_runner.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// What the general registers hold at the start; the kernels named write no register that they read.
enum class bench_operands {
    zeros,
    half_to_four, ///< random FP32 numbers from 0.5 to 4
    subnormal,    ///< random FP32 numbers below 2^-126, of both signs
    any_sign,     ///< random FP32 numbers of both signs, 0.5 to 256
};

/// A loop to measure. Macros, address modifiers and registers are set up from outside, so that nothing but
/// the loop is counted. ADDR_MOD_2 and ADDR_MOD_6 step to the next row, ADDR_MOD_3 and ADDR_MOD_7 stay.
struct bench_loop {
    const char* name;
    bool on_wormhole;
    const char* row;
    isa::macro_configuration macro = {};
    /// The shifts of the macros that are set up before each `rows` repetitions of the row, in turn; nothing
    /// if 0.
    std::array<unsigned, 2> set_ups = {};
    unsigned rows = 1;
    unsigned words_per_push = 0; ///< 0: as many as the player likes
    bench_operands registers = bench_operands::zeros;
};

std::vector<std::string> bench_loop_names();
/// Null if there is none of that name.
const bench_loop* find_bench_loop(const std::string& name);

/// State and data of a run; segments are filled in by set_instructions().
platform::run_request make_request(const bench_loop& loop, const parameters& config);
/// The words of a loop. Throws user_error if the chip lacks instructions of it.
std::vector<std::uint32_t> loop_words(const bench_loop& loop, architecture arch);
/// Exactly `count` instructions: whole loops and the beginning of another.
void set_instructions(platform::run_request& request, const std::vector<std::uint32_t>& loop,
                      std::uint64_t count);

} // namespace sfpu::analysis
