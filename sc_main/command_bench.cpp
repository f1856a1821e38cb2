// `bench`: how fast the simulator itself is, untraced: through the SystemC modules and their sockets, or on the core.
#include "bench_kernels.h"
#include "bench_tile.h"
#include "command.h"
#include "program.h"
#include <sfpu/views/json_text.h>

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/sfpu_bench.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace sfpu::cli {
namespace {

using namespace bench_kernels;

/// What the general registers hold at the start; the kernels named write no register that they read.
enum class operands {
    zeros,
    half_to_four, ///< random FP32 numbers from 0.5 to 4
    subnormal,    ///< random FP32 numbers below 2^-126, of both signs
    any_sign,     ///< random FP32 numbers of both signs, 0.5 to 256
};

/// A loop to measure. Macros, address modifiers and registers are set up from outside, so that nothing but the loop is
/// counted. ADDR_MOD_2 and ADDR_MOD_6 step to the next row, ADDR_MOD_3 and ADDR_MOD_7 stay.
struct bench_kernel {
    const char* name;
    bool on_wormhole;
    const char* row;
    isa::macro_configuration macro = {};
    /// The shifts of the macros that are set up before each `rows` repetitions of the row, in turn; nothing if 0.
    std::array<unsigned, 2> set_ups = {};
    unsigned rows = 1;
    unsigned words_per_push = 0; ///< 0: as many as the player likes
    operands registers = operands::zeros;
};

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

const bench_kernel kernels[] = {
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
    {"mad_random", true, multiply_adds, {}, {}, 1, 0, operands::half_to_four},
    {"mad_denormal", true, multiply_adds, {}, {}, 1, 0, operands::subnormal},
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
     operands::any_sign},
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
     operands::half_to_four},
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
     operands::any_sign},
};

std::vector<std::string> kernel_list() {
    std::vector<std::string> names;
    for (const bench_kernel& kernel : kernels) names.emplace_back(kernel.name);
    for (const std::string& name : tile_bench::kernels()) names.push_back(name);
    return names;
}

std::string kernel_names() { return fmt::format("{}", fmt::join(kernel_list(), ", ")); }

bool is_firmware(const std::string& name) {
    const std::vector<std::string> names = tile_bench::kernels();
    return std::find(names.begin(), names.end(), name) != names.end();
}

const bench_kernel& find_kernel(const std::string& name) {
    const std::vector<std::string> names = kernel_list();
    for (const bench_kernel& kernel : kernels)
        if (name == kernel.name) return kernel;
    throw user_error("--kernel: " + (name.empty() ? "nothing found" : "found '" + name + "'") +
                     ", expected one of " + kernel_names() + suggestion(name, names));
}

std::uint32_t draw(operands kind, std::uint32_t bits) {
    const auto exponents_from = [&](std::uint32_t first, std::uint32_t count) {
        return (first + (bits >> 23) % count) << 23 | (bits & 0x7fffffu);
    };
    switch (kind) {
    case operands::half_to_four: return exponents_from(126, 3);
    case operands::subnormal: return bits & 0x807fffffu;
    case operands::any_sign: return exponents_from(126, 9) | (bits & 0x80000000u);
    default: return 0;
    }
}

/// Loop, state and data; segments are filled in by with_instructions().
platform::run_request make_request(const bench_kernel& kernel, const parameters& config) {
    platform::run_request request;
    request.config = config;
    request.hazards = hazard_policy::off;
    request.state.reset(config.sfpu_lreg12_default);
    request.state.macro.fill(kernel.macro);
    ++request.state.macro_version;
    request.thread.reset(config.arch);
    request.words_per_push = kernel.words_per_push;
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
            lane = draw(kernel.registers, value ^ value >> 15);
        }
    return request;
}

std::vector<std::uint32_t> loop_words(const bench_kernel& kernel, architecture arch) {
    if (!describe(arch).has_compare_and_estimate && !kernel.on_wormhole)
        throw user_error(fmt::format("--kernel: {} needs instructions that {} does not have", kernel.name,
                                     short_name(arch)));
    std::string text;
    for (const unsigned shift : kernel.set_ups) {
        if (shift == 0 && !text.empty()) break;
        if (shift != 0) text += fmt::format(mul32_macro_set_up, shift);
        for (unsigned row = 0; row < kernel.rows; ++row) text += kernel.row;
    }
    const isa::assembly assembled = isa::assemble(text, kernel.name, arch);
    if (!assembled.ok()) throw std::logic_error(assembled.errors.front().to_string());
    std::vector<std::uint32_t> words;
    for (const isa::source_word& word : assembled.program.loop) words.push_back(word.word);
    return words;
}

/// Exactly `count` instructions: whole loops and the beginning of another.
void set_instructions(platform::run_request& request, const std::vector<std::uint32_t>& loop,
                      std::uint64_t count) {
    const auto rest = static_cast<std::ptrdiff_t>(count % loop.size());
    request.segments = {{loop, count / loop.size()}, {{loop.begin(), loop.begin() + rest}, 1}};
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct measurement {
    std::uint64_t instructions = 0; ///< issued
    std::uint64_t executed = 0;     ///< issued and scheduled
    std::uint64_t cycles = 0;
    double seconds = 0;                  ///< thread CPU time
    std::uint64_t hart_instructions = 0; ///< firmware

    double millions_a_second(std::uint64_t count) const {
        return seconds > 0 ? 1e-6 * static_cast<double>(count) / seconds : 0;
    }
};

/// Instructions and cycles of all together.
measurement sum_of(const std::vector<platform::run_result>& results, double seconds) {
    measurement sum;
    sum.seconds = seconds;
    for (const platform::run_result& result : results) {
        const probe::unit_counters& counters = result.counters;
        sum.instructions += counters.instructions;
        sum.executed += counters.executed();
        sum.cycles += static_cast<std::uint64_t>(result.cycles_used.count());
    }
    return sum;
}

/// The same on all benches.
measurement measure(const std::vector<platform::sfpu_bench*>& benches, const platform::run_request& request) {
    const double start = thread_seconds();
    const std::vector<platform::run_result> results = platform::sfpu_bench::run_together(benches, request);
    return sum_of(results, thread_seconds() - start);
}

/// The same on all cores, one after the other in each thread; seconds are those of all threads together.
measurement measure(std::vector<platform::core_runner>& cores, const platform::run_request& request,
                    unsigned threads) {
    std::vector<platform::run_result> results(cores.size());
    std::vector<double> seconds(threads);
    const auto work = [&](unsigned thread) {
        const double start = thread_seconds();
        for (std::size_t i = thread; i < cores.size(); i += threads) results[i] = cores[i].run(request);
        seconds[thread] = thread_seconds() - start;
    };
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others) other.join();
    return sum_of(results, std::accumulate(seconds.begin(), seconds.end(), 0.0));
}

/// Warms up and then runs for about half a second. `run` takes a number of instructions.
template <class Run>
measurement measure_at_length(Run run) {
    constexpr double wanted_seconds = 0.5, enough_to_estimate = 0.05;
    std::uint64_t count = 10'000;
    for (;;) {
        const measurement trial = run(count);
        if (trial.seconds >= enough_to_estimate) {
            count = static_cast<std::uint64_t>(static_cast<double>(count) * wanted_seconds / trial.seconds);
            break;
        }
        count *= 4;
    }
    return run(std::max<std::uint64_t>(count, 1));
}

std::string json_text(const std::string& name, architecture arch, const measurement& m) {
    std::string text = "{\"kernel\":";
    append_json_string(text, name);
    text += fmt::format(",\"arch\":\"{}\",\"vector_target\":", short_name(arch));
    append_json_string(text, isa::vector_target());
    if (m.hart_instructions) text += fmt::format(",\"hart_instructions\":{}", m.hart_instructions);
    return text + fmt::format(",\"instructions\":{},\"cycles\":{},\"seconds\":{:.9f},\"minstr_per_s\":{:.6f},"
                              "\"mcycles_per_s\":{:.6f},\"executed\":{},\"mexecuted_per_s\":{:.6f}}}\n",
                              m.instructions, m.cycles, m.seconds, m.millions_a_second(m.instructions),
                              m.millions_a_second(m.cycles), m.executed, m.millions_a_second(m.executed));
}

std::string plain_text(const std::string& name, const measurement& m) {
    return fmt::format(
        "{}: {} instructions issued, {} executed, {} cycles in {:.3f} s of CPU time\n"
        "{:.2f} million issued, {:.2f} million executed, {:.2f} million cycles a second ({})\n",
        name, m.instructions, m.executed, m.cycles, m.seconds, m.millions_a_second(m.instructions),
        m.millions_a_second(m.executed), m.millions_a_second(m.cycles), isa::vector_target());
}

class bench_command : public command {
public:
    const char* name() const override { return "bench"; }
    const char* description() const override { return "Measure the speed of the simulator"; }

    void add_options(CLI::App& app) override {
        app.add_option("--kernel", kernel_, "what to run: " + kernel_names())->type_name("NAME");
        app.add_option("--instructions", instructions_, "run exactly so many, once, without warm-up")
            ->type_name("N")
            ->check(integer_between(std::uint64_t{1}, maximum_instructions));
        app.add_option("--units", units_,
                       "vector units in one simulation; each runs the kernel (not tile and firmware)")
            ->type_name("N")
            ->check(integer_between(1u, maximum_units));
        app.add_flag("--core", core_, "on the core, without SystemC (not tile and firmware)");
        app.add_option("--threads", threads_, "with --core: share the units out over so many threads")
            ->type_name("N")
            ->check(integer_between(1u, maximum_threads));
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        const parameters config = resolved_configuration(options);
        if (threads_ != 1 && !core_) throw user_error("--threads: SystemC has one thread; use --core, too");
        const measurement result = is_firmware(kernel_) ? run_tile(config) : run_kernel(config);
        write_output("", json_ ? json_text(kernel_, config.arch, result) : plain_text(kernel_, result));
        return exit_success;
    }

private:
    measurement run_kernel(const parameters& config) const {
        const bench_kernel& kernel = find_kernel(kernel_);
        const std::vector<std::uint32_t> loop = loop_words(kernel, config.arch);
        platform::run_request request = make_request(kernel, config);
        const auto run_times = [&](auto measure_request) {
            const auto run = [&](std::uint64_t count) {
                set_instructions(request, loop, count);
                return measure_request();
            };
            return instructions_ ? run(*instructions_) : measure_at_length(run);
        };
        if (core_) {
            std::vector<platform::core_runner> cores(units_);
            return run_times([&] { return measure(cores, request, std::min(threads_, units_)); });
        }
        std::vector<std::unique_ptr<platform::sfpu_bench>> benches(units_);
        std::vector<platform::sfpu_bench*> all;
        for (auto& bench : benches) {
            bench = std::make_unique<platform::sfpu_bench>();
            all.push_back(bench.get());
        }
        return run_times([&] { return measure(all, request); });
    }

    measurement run_tile(const parameters& config) const {
        if (core_) throw user_error("--core: kernel " + kernel_ + " runs on a tile, which needs SystemC");
        if (units_ != 1) throw user_error("--units: kernel " + kernel_ + " has one vector unit");
        tile_bench bench(kernel_, config);
        if (instructions_ && *instructions_ < bench.least_instructions())
            throw user_error(
                fmt::format("--instructions: found {}, expected at least {}, the set-up of kernel {}",
                            *instructions_, bench.least_instructions(), kernel_));
        const auto run = [&](std::uint64_t count) {
            const double start = thread_seconds();
            const tile_bench::run measured = bench.measure(count);
            return measurement{measured.issued, measured.executed, measured.cycles, thread_seconds() - start,
                               measured.hart_instructions};
        };
        return instructions_ ? run(*instructions_) : measure_at_length(run);
    }

    static constexpr std::uint64_t maximum_instructions = 1'000'000'000'000;
    static constexpr unsigned maximum_units = 1024, maximum_threads = 1024;

    std::string kernel_;
    std::optional<std::uint64_t> instructions_;
    unsigned units_ = 1, threads_ = 1;
    bool core_ = false, json_ = false;
};

} // namespace

std::unique_ptr<command> make_bench_command() { return std::make_unique<bench_command>(); }

} // namespace sfpu::cli
