// What is proved of kernels: all pairs of the library, and none of pairs that differ.
#include "kernel_file.h"
#include "tree_path.h"

#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/kernel_segments.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::test {
namespace {

using namespace analysis;

#ifdef SFPU_INSTRUMENTED
constexpr unsigned part = 8; ///< of the pairs, one in so many
#else
constexpr unsigned part = 1;
#endif

/// Files of a found kernel and of the plain one that it was made of.
std::vector<std::pair<std::string, std::string>> library_pairs() {
    namespace files = std::filesystem;
    const files::path kernels = tree_path("kernels");
    std::vector<std::pair<std::string, std::string>> pairs{{"mul32.s", "mul32_macro.s"}};
    const std::string ending = "_macro.s";
    for (const files::directory_entry& entry : files::directory_iterator(kernels / "optimized")) {
        const std::string name = entry.path().filename().string();
        if (name.size() <= ending.size() || name.substr(name.size() - ending.size()) != ending) continue;
        const std::string plain = name.substr(0, name.size() - ending.size()) + ".s";
        const bool is_beside = files::exists(kernels / "optimized" / plain);
        pairs.emplace_back((is_beside ? "optimized/" : "") + plain, "optimized/" + name);
    }
    return pairs;
}

TEST(proved_kernels, every_pair_of_the_library_is_proved) {
    platform::core_runner runner;
    const auto pairs = library_pairs();
    EXPECT_GE(pairs.size(), 60u);
    for (std::size_t number = 0; number < pairs.size(); number += part) {
        const auto& [plain_file, macro_file] = pairs[number];
        const architecture arch =
            plain_file.find("_wh") != std::string::npos ? architecture::wormhole : architecture::blackhole;
        const isa::kernel plain = load_kernel(plain_file, arch), macro = load_kernel(macro_file, arch);
        equivalence_options how;
        how.seeds = 1;
        const equivalence_report report = compare(runner, plain, macro, {}, 32u, how);
        EXPECT_EQ(to_string(report.verdict), std::string("proved")) << macro_file << report.not_proved;
        EXPECT_EQ(report.rests_on.rows, 32u);
        EXPECT_NE(report.rests_on.start, "");
    }
}

/// Questions that a proof of this row against itself rests on.
std::vector<std::string> questions_of(const std::string& between) {
    const std::string text =
        ".arch bh\n.rows 4\n.input x, 0, f32\n.output y, 0x80, f32\n.init\nsetc16 34, 2\nsetc16 35, 0\n"
        ".loop\nsfpload L0, FP32, 7, 0\nsfpmul L0, L0, L9, L1, 0\n" +
        between + "sfpmov 0, L0, L1, 0\nsfpnop\nsfpstore L1, FP32, 6, 0x80\n";
    const isa::assembly assembled = isa::assemble(text, "test", isa::make_machine({}).encoding());
    if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string());
    platform::core_runner runner;
    const equivalence_report report = compare(runner, assembled.program, assembled.program, {}, 4u, {});
    EXPECT_EQ(to_string(report.verdict), std::string("proved")) << report.not_proved;
    return report.rests_on.settled;
}

TEST(proved_kernels, a_proof_names_the_write_order_where_two_results_meet_in_a_register) {
    const std::vector<std::string> met = questions_of("");
    ASSERT_EQ(met.size(), 1u);
    EXPECT_EQ(met.front().substr(0, 17), "sfpu.write_order=");
    EXPECT_TRUE(questions_of("sfpnop\n").empty());
}

/// A kernel of one 32-bit input. What comes behind `change` keeps different values different.
struct side {
    isa::kernel kernel;
    platform::run_request request;

    explicit side(const std::string& before, const std::string& change, const std::string& behind) {
        const std::string text = fmt::format(
            ".arch bh\n.rows 4\n.input x, 0, i32\n.output y, 0x80, i32\n.init\nsetc16 34, 2\nsetc16 35, 0\n"
            "sfpencc 3, L0, L0, 10\nsfpnop\n.loop\nsfpload L0, INT32, 7, 0\n{}{}{}"
            "sfpencc 3, L0, L0, 10\nsfpstore L0, INT32, 6, 0x80\n",
            before, change, behind);
        isa::assembly assembled = isa::assemble(text, "test", isa::make_machine({}).encoding());
        if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string() + "\n" + text);
        kernel = std::move(assembled.program);
        request.state.reset(request.config.sfpu_lreg12_default);
        request.thread.reset(kernel.arch);
        request.segments = platform::segments_of(kernel, 4);
    }
    operator equivalence_side() const { return {&kernel, &request, 4}; }
};

std::string constant_in_l1(std::uint32_t value) {
    return fmt::format("sfploadi L1, LOWER, {}\nsfploadi L1, UPPER, {}\n", value & 0xffffu, value >> 16);
}

class pairs_that_differ {
public:
    explicit pairs_that_differ(std::uint32_t seed) : random_(seed) {}

    /// Instructions that map different words to different words.
    std::string one_to_one() {
        std::string text;
        for (unsigned i = random_() % 4; i-- != 0;) switch (random_() % 4) {
            case 0:
                text += fmt::format("sfpiadd {}, L0, L0, 5\n", static_cast<int>(random_() % 4096) - 2048);
                break;
            case 1: text += constant_in_l1(random_()) + "sfpxor 0, L1, L0, 0\n"; break;
            case 2: text += "sfpnot 0, L0, L0, 0\n"; break;
            default: text += "sfpmov 0, L0, L0, 1\n"; break;
            }
        return text;
    }
    /// Zero instead of L0 where L2 is zero.
    static std::string other_where_l2_is_zero() {
        return "sfpsetcc 0, L2, L0, 6\nsfpiadd 1, L0, L0, 5\nsfpencc 3, L0, L0, 10\n";
    }
    std::string one_value(bool with_lane) {
        std::string text = constant_in_l1(random_()) + "sfpmov 0, L0, L2, 0\nsfpxor 0, L1, L2, 0\n";
        if (with_lane)
            text += fmt::format("sfpmov 0, L15, L3, 0\nsfploadi L1, USHORT, {}\nsfpxor 0, L1, L3, 0\n"
                                "sfpor 0, L3, L2, 0\n",
                                random_() % 32 * 2);
        return text + other_where_l2_is_zero();
    }
    std::string one_lane() {
        return fmt::format("sfpmov 0, L15, L2, 0\nsfploadi L1, USHORT, {}\nsfpxor 0, L1, L2, 0\n",
                           random_() % 32 * 2) +
               other_where_l2_is_zero();
    }
    /// What stands in either kernel instead.
    std::pair<std::string, std::string> change(unsigned kind) {
        switch (kind) {
        case 0: return {"", one_value(false)};
        case 1: return {"", one_lane()};
        case 2: {
            const int constant = static_cast<int>(random_() % 4000) - 2000;
            return {fmt::format("sfpiadd {}, L0, L0, 5\n", constant),
                    fmt::format("sfpiadd {}, L0, L0, 5\n", constant + 1)};
        }
        case 3: {
            static const unsigned conditions[] = {0, 2, 4, 6};
            const unsigned first = random_() % 4, second = (first + 1 + random_() % 3) % 4;
            const auto under = [](unsigned condition) {
                return fmt::format("sfpsetcc 0, L0, L0, {}\nsfpnot 0, L0, L0, 0\nsfpencc 3, L0, L0, 10\n",
                                   condition);
            };
            return {under(conditions[first]), under(conditions[second])};
        }
        default: return {"", one_value(true)};
        }
    }

private:
    std::mt19937 random_;
};

TEST(proved_kernels, no_pair_that_differs_is_proved_and_a_solver_finds_each) {
    platform::core_runner runner;
    smt_solver solver;
    equivalence_options how;
    how.seeds = 1;
    how.solver = &solver;
    pairs_that_differ pairs(36);
    for (unsigned number = 0; number < 200 / part; ++number) {
        const std::string before = pairs.one_to_one(), behind = pairs.one_to_one();
        const auto [one, other] = pairs.change(number % 5);
        const equivalence_report report =
            compare_kernels(runner, side(before, one, behind), side(before, other, behind), how);
        EXPECT_EQ(to_string(report.verdict), std::string("different")) << before << "---\n"
                                                                       << one << "---\n"
                                                                       << other << "---\n"
                                                                       << behind;
    }
}

TEST(proved_kernels, without_a_solver_a_value_that_stands_in_a_kernel_is_tried) {
    platform::core_runner runner;
    equivalence_options how;
    how.seeds = 1;
    pairs_that_differ pairs(37);
    for (unsigned number = 0; number < 40 / part; ++number) {
        const std::string behind = pairs.one_to_one();
        const auto [one, other] = pairs.change(number % 5);
        const equivalence_report report =
            compare_kernels(runner, side("", one, behind), side("", other, behind), how);
        if (number % 5 == 4) // of one lane, too: values are tried in some lanes
            EXPECT_NE(to_string(report.verdict), std::string("proved"));
        else EXPECT_EQ(to_string(report.verdict), std::string("different")) << one << other;
    }
}

TEST(proved_kernels, two_ways_of_the_same_sum_are_proved_by_the_solver_only) {
    // x & h + x | h = x + h, where h is half of x: no polynomial of bits
    const std::string half = "sfpmov 0, L0, L1, 0\nsfpshft -1, L1, L1, 1\n",
                      by_bits = half + "sfpmov 0, L0, L2, 0\nsfpand 0, L1, L2, 0\nsfpor 0, L1, L0, 0\n"
                                       "sfpiadd 0, L2, L0, 4\n",
                      by_sum = half + "sfpiadd 0, L1, L0, 4\n";
    platform::core_runner runner;
    equivalence_options how;
    how.seeds = 1;
    const equivalence_report tested =
        compare_kernels(runner, side("", by_bits, ""), side("", by_sum, ""), how);
    EXPECT_EQ(to_string(tested.verdict), std::string("tested"));
    EXPECT_NE(tested.not_proved, "");
    smt_solver solver;
    how.solver = &solver;
    EXPECT_EQ(to_string(compare_kernels(runner, side("", by_bits, ""), side("", by_sum, ""), how).verdict),
              std::string("proved"));
}

} // namespace
} // namespace sfpu::test
