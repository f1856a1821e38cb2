#include "bench_loops.h"

#include "bench_kernels.h"

#include <sfpu/analysis/errors.h>

#include <sfpu/isa/assembler.h>

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

namespace sfpu::analysis {
namespace {

using namespace bench_kernels;

constexpr const char* multiply_adds = R"(
        sfpmad L0, L1, L2, L4, 0
        sfpmad L1, L2, L3, L5, 0
        sfpmad L2, L3, L0, L6, 0
        sfpmad L3, L0, L1, L7, 0
     )";

/// What mul32_macro_set_up configures.
const isa::macro_configuration mul32_macro_setup{{0x94fe90c6, 0x980009d0, 0x7a0172e5, 0x790004f4},
                                                 {0x00848d00, 0x00848da7, 0x00008de7, 0x53000086},
                                                 0xff0};

const bench_loop loops[] = {
    {"mul32", false, mul32_row},
    {"mul32_macro", false, mul32_macro_row, mul32_macro_setup},
    {"macro_setup", false, mul32_macro_row, {}, {23}, 32},
    {"macro_setup_two", false, mul32_macro_row, {}, {23, 22}, 32},
    {"config", true, R"(
        sfpconfig 0x0ff0, MISC, 1
        sfploadi L0, LOWER, 0x8d00
        sfpconfig 0, SEQUENCE0, 0
        sfpconfig 0x0110, MISC, 1
        sfpconfig 0, SEQUENCE1, 0
        sfpconfig 0, L11, 0
     )"},
    {"word_by_word", false, mul32_row, {}, {}, 1, 1},
    {"mad", true, R"(
        sfpmad L11, L12, L0, L0, 0
        sfpmad L11, L12, L1, L1, 0
        sfpmad L11, L12, L2, L2, 0
        sfpmad L11, L12, L3, L3, 0
        sfpmad L11, L12, L4, L4, 0
        sfpmad L11, L12, L5, L5, 0
        sfpmad L11, L12, L6, L6, 0
        sfpmad L11, L12, L7, L7, 0
     )"},
    {"load_store", true, R"(
        sfpload L0, INT32, ADDR_MOD_3, 0
        sfpstore L0, INT32, ADDR_MOD_2, 0
     )"},
    // m0 {SFPARECIP@0 to L16, store of L16@1}: one cycle a row
    {"recip_macro",
     false,
     R"(
        sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
     )",
     {{0x990000c0}, {0x4b000044}, 0x110}},
    {"mad_random", true, multiply_adds, {}, {}, 1, 0, bench_operands::half_to_four},
    {"mad_denormal", true, multiply_adds, {}, {}, 1, 0, bench_operands::subnormal},
    // every type to round to, stochastically and to nearest
    {"stochrnd",
     true,
     R"(
        sfpstochrnd 1, 0, L0, L0, L4, 0
        sfpstochrnd 1, 0, L0, L1, L5, 1
        sfpstochrnd 1, 0, L0, L2, L6, 2
        sfpstochrnd 1, 0, L0, L3, L7, 3
        sfpstochrnd 1, 7, L0, L0, L4, 12
        sfpstochrnd 1, 0, L1, L1, L5, 5
        sfpstochrnd 1, 0, L0, L2, L6, 6
        sfpstochrnd 1, 0, L0, L3, L7, 7
        sfpstochrnd 0, 0, L0, L0, L4, 1
        sfpstochrnd 0, 0, L0, L1, L5, 3
     )",
     {},
     {},
     1,
     0,
     bench_operands::any_sign},
    // three segments of FP32, six of FP16 with both bounds, and with the sign kept
    {"lutfp32",
     true,
     R"(
        sfplutfp32 L7, 0
        sfplutfp32 L7, 2
        sfplutfp32 L7, 3
        sfplutfp32 L7, 6
     )",
     {},
     {},
     1,
     0,
     bench_operands::half_to_four},
    {"arecip",
     false,
     R"(
        sfparecip 0, L0, L4, 0
        sfparecip 0, L1, L5, 1
        sfparecip 0, L2, L6, 2
     )",
     {},
     {},
     1,
     0,
     bench_operands::any_sign},
};

std::uint32_t draw(bench_operands kind, std::uint32_t bits) {
    const auto exponents_from = [&](std::uint32_t first, std::uint32_t count) {
        return (first + (bits >> 23) % count) << 23 | (bits & 0x7fffffu);
    };
    switch (kind) {
    case bench_operands::half_to_four: return exponents_from(126, 3);
    case bench_operands::subnormal: return bits & 0x807fffffu;
    case bench_operands::any_sign: return exponents_from(126, 9) | (bits & 0x80000000u);
    default: return 0;
    }
}

} // namespace

std::vector<std::string> bench_loop_names() {
    std::vector<std::string> names;
    for (const bench_loop& loop : loops) names.emplace_back(loop.name);
    return names;
}

const bench_loop* find_bench_loop(const std::string& name) {
    for (const bench_loop& loop : loops)
        if (name == loop.name) return &loop;
    return nullptr;
}

platform::run_request make_request(const bench_loop& of, const parameters& config) {
    platform::run_request request;
    request.config = config;
    request.hazards = hazard_policy::off;
    request.state.reset(config.sfpu_lreg12_default);
    request.state.macro.fill(of.macro);
    ++request.state.macro_version;
    request.thread.reset(config.arch);
    request.words_per_push = of.words_per_push;
    for (const unsigned stepping : {2u, 6u}) request.thread.set_addr_mod_dst(stepping, 2);
    std::uint32_t value = 1;
    for (unsigned row = 0; row < 1024; ++row)
        for (std::uint16_t& cell : request.dst_rows[row]) {
            value = value * 1664525u + 1013904223u;
            cell = static_cast<std::uint16_t>(value >> 16);
        }
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v) {
            value = value * 1664525u + 1013904223u;
            lane = draw(of.registers, value ^ value >> 15);
        }
    return request;
}

std::vector<std::uint32_t> loop_words(const bench_loop& of, architecture arch) {
    if (!describe(arch).has_compare_and_estimate && !of.on_wormhole)
        throw user_error(
            fmt::format("--kernel: {} needs instructions that {} does not have", of.name, short_name(arch)));
    std::string text;
    for (const unsigned shift : of.set_ups) {
        if (shift == 0 && !text.empty()) break;
        if (shift != 0) text += fmt::format(mul32_macro_set_up, shift);
        for (unsigned row = 0; row < of.rows; ++row) text += of.row;
    }
    const isa::assembly assembled = isa::assemble(text, of.name, arch);
    if (!assembled.ok()) throw std::logic_error(assembled.errors.front().to_string());
    std::vector<std::uint32_t> words;
    for (const isa::source_word& word : assembled.program.loop) words.push_back(word.word);
    return words;
}

void set_instructions(platform::run_request& request, const std::vector<std::uint32_t>& loop,
                      std::uint64_t count) {
    const auto rest = static_cast<std::ptrdiff_t>(count % loop.size());
    request.segments = {{loop, count / loop.size()}, {{loop.begin(), loop.begin() + rest}, 1}};
}

} // namespace sfpu::analysis
