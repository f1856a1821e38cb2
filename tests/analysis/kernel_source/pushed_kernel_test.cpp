#include "pushed_kernel.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/platform/core_runner.h>

#include <tree_path.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

using word_list = std::vector<std::uint32_t>;

constexpr std::uint32_t plain_nop = 0x8f000000, row_step_word = 0x38008000; // SFPNOP; INCRWC by 2
std::uint32_t load_at(unsigned lreg, unsigned address, unsigned mode = 3) { // ADDR_MOD_7
    return 0x7000e000 | lreg << 20 | mode << 16 | address;
}
std::uint32_t store_at(unsigned lreg, unsigned address, unsigned mode = 3) {
    return 0x7200e000 | lreg << 20 | mode << 16 | address;
}
std::uint32_t square_of(unsigned lreg) { return 0x86000900 | lreg << 16 | lreg << 12 | lreg << 4; }

pushed_kernel pushed_words(const word_list& words) {
    pushed_kernel kernel;
    for (std::size_t i = 0; i < words.size(); ++i) {
        isa::word_origin origin;
        origin.file = "k.elf";
        origin.address = static_cast<std::uint32_t>(0x1000 + 4 * i);
        kernel.words.push_back({words[i], origin, false});
    }
    return kernel;
}

struct rolled_kernel {
    isa::kernel kernel;
    std::vector<std::string> told;

    bool says(const std::string& part) const {
        return std::any_of(told.begin(), told.end(),
                           [&](const std::string& each) { return each.find(part) != std::string::npos; });
    }
};
rolled_kernel rolled_of(const pushed_kernel& pushed, const source_request& request = {},
                        const machine_choice& machine = {}) {
    rolled_kernel result;
    const std::string text = rolled_assembly(pushed, request, machine, result.told);
    result.kernel = assemble_kernel(text, "k.s", machine);
    return result;
}

word_list expanded_words(const isa::kernel& kernel) {
    word_list words;
    const kernel_run run(kernel, {}, std::nullopt);
    for (const auto& segment : run.request().segments)
        for (std::uint64_t i = 0; i < segment.repeat; ++i)
            words.insert(words.end(), segment.words.begin(), segment.words.end());
    return words;
}
std::size_t written_words(const isa::kernel& kernel) {
    return kernel.init.size() + kernel.loop.size() + kernel.tail.size();
}

struct kernel_result {
    platform::dst_image dst{};
    double cycles_per_row = 0;
    std::int64_t cycles_used = 0;
};
/// From random Dst.
kernel_result result_of(kernel_run run) {
    std::mt19937 random(3);
    for (unsigned row = 0; row < platform::dst_image{}.size(); ++row)
        for (auto& cell : run.request().dst_rows[row]) cell = static_cast<std::uint16_t>(random());
    run.request().hazards = hazard_policy::off;
    platform::core_runner runner;
    const platform::run_result result = runner.run(run.request());
    return {runner.dst(), run.cycles_per_row(result), result.cycles_used.count()};
}

/// Eight rows that square a number: before, the row, behind.
word_list eight_squares() {
    word_list words{plain_nop, plain_nop};
    for (unsigned row = 0; row < 8; ++row)
        for (const std::uint32_t word : {load_at(0, 0), square_of(0), store_at(0, 0x40), row_step_word})
            words.push_back(word);
    words.push_back(plain_nop);
    return words;
}

TEST(pushed_kernel, with_equal_iterations_is_a_loop_that_gives_its_words_again) {
    const rolled_kernel found = rolled_of(pushed_words(eight_squares()));
    EXPECT_EQ(expanded_words(found.kernel), eight_squares());
    EXPECT_EQ(found.kernel.init.size(), 2u);
    EXPECT_EQ(found.kernel.loop.size(), 4u);
    EXPECT_EQ(found.kernel.tail.size(), 1u);
    EXPECT_EQ(found.kernel.rows, 8u);
    EXPECT_EQ(found.kernel.rows_per_iteration, 1u);
    EXPECT_TRUE(found.says("8 equal iterations of 4 words, one row each, from 0x1008 to 0x1084; 2 words "
                           "before, 1 after"))
        << found.told.front();
    ASSERT_EQ(found.kernel.inputs.size(), 1u);
    EXPECT_EQ(found.kernel.inputs[0].name, "in0");
    EXPECT_EQ(found.kernel.inputs[0].address, 0u);
    ASSERT_EQ(found.kernel.outputs.size(), 1u);
    EXPECT_EQ(found.kernel.outputs[0].address, 0x40u);
    EXPECT_EQ(found.kernel.outputs[0].type, isa::data_type::f32);
    const kernel_run run(found.kernel, {}, std::nullopt); // the third iteration's load is the first's
    EXPECT_EQ(run.place(2 + 2 * 4).address, 0x1008u);
}

TEST(pushed_kernel, of_random_parts_gives_its_words_again_in_no_more_words_than_it_was_made_of) {
    std::mt19937 random(5);
    const auto part = [&](std::size_t size) {
        word_list words;
        for (std::size_t i = 0; i < size; ++i) {
            const unsigned lreg = random() % 8, address = random() % 4 * 0x40;
            const std::uint32_t choices[] = {load_at(lreg, address), store_at(lreg, address), square_of(lreg),
                                             plain_nop, row_step_word};
            words.push_back(choices[random() % 5]);
        }
        return words;
    };
    for (unsigned round = 0; round < 60; ++round) {
        const word_list before = part(random() % 6), tail = part(random() % 6);
        word_list loop = part(1 + random() % 8);
        loop.push_back(store_at(1, 0x80));
        const unsigned count = 2 + random() % 9;
        word_list words = before;
        for (unsigned i = 0; i < count; ++i) words.insert(words.end(), loop.begin(), loop.end());
        words.insert(words.end(), tail.begin(), tail.end());
        const rolled_kernel found = rolled_of(pushed_words(words));
        ASSERT_EQ(expanded_words(found.kernel), words) << "round " << round;
        // Stores in front or behind can make another loop the one that holds most of them.
        const auto stores = [](std::uint32_t word) { return word >> 24 == 0x72; };
        if (std::any_of(before.begin(), before.end(), stores)) continue;
        if (std::any_of(tail.begin(), tail.end(), stores)) continue;
        ASSERT_LE(written_words(found.kernel), before.size() + loop.size() + tail.size()) << round;
    }
}

TEST(pushed_kernel, whose_iterations_differ_in_one_word_stays_as_it_is) {
    word_list words;
    for (unsigned row = 0; row < 2; ++row)
        for (const std::uint32_t word : {load_at(0, 0), square_of(0), row == 0 ? square_of(0) : square_of(1),
                                         store_at(0, 0x40), row_step_word})
            words.push_back(word);
    const rolled_kernel found = rolled_of(pushed_words(words));
    EXPECT_EQ(expanded_words(found.kernel), words);
    EXPECT_EQ(found.kernel.loop.size(), words.size());
    EXPECT_TRUE(found.says("no equal iterations: all 10 words are one iteration, 2 rows"));
    EXPECT_EQ(found.kernel.rows_per_iteration, 2u);
}

TEST(pushed_kernel, that_repeats_a_little_among_much_else_stays_as_it_is) {
    word_list words;
    for (unsigned row = 0; row < 9; ++row) { // the last two are alike, of nine that store
        words.push_back(load_at(row % 8, row < 7 ? row * row * 8 : 0x180));
        words.push_back(store_at(row < 7 ? row : 0, 0x40));
    }
    words[words.size() - 2] = words[words.size() - 4];
    const rolled_kernel found = rolled_of(pushed_words(words));
    EXPECT_EQ(found.kernel.loop.size(), words.size()) << found.told.front();
    words.erase(words.begin(), words.begin() + 8);
    EXPECT_TRUE(rolled_of(pushed_words(words)).says("2 equal iterations of 2 words"));
}

TEST(pushed_kernel, that_stores_nothing_has_rows_that_are_not_known) {
    const rolled_kernel found = rolled_of(pushed_words({load_at(0, 0), square_of(0)}));
    EXPECT_EQ(found.kernel.rows, 1u);
    EXPECT_TRUE(found.says("rows not known, taken as one"));
}

/// Six rows at addresses that step by `step` in the words, with something before and behind.
word_list stepping_squares(unsigned step) {
    word_list words{load_at(3, 0x104), plain_nop};
    for (unsigned row = 0; row < 6; ++row)
        for (const std::uint32_t word :
             {load_at(0, row * step), square_of(0), plain_nop, store_at(0, 0x40 + row * step)})
            words.push_back(word);
    words.push_back(load_at(1, 0x100));
    words.push_back(store_at(1, 0x110));
    return words;
}

TEST(pushed_kernel, with_addresses_that_step_is_a_loop_whose_counter_moves) {
    for (const char* arch : {"bh", "wh"}) {
        machine_choice machine;
        machine.arch = arch;
        word_list words = stepping_squares(2);
        if (machine.arch == "wh") // its address modes have two bits, one further up
            for (std::uint32_t& word : words)
                if (word >> 24 == 0x70 || word >> 24 == 0x72) word = (word & ~0xe000u) | 0xc000u;
        const rolled_kernel found = rolled_of(pushed_words(words), {}, machine);
        EXPECT_EQ(found.kernel.loop.size(), 4u) << arch;
        EXPECT_EQ(found.kernel.rows, 6u);
        EXPECT_TRUE(found.says("6 equal iterations of 4 words, one row each"));
        EXPECT_TRUE(found.says("2 further in each iteration"));
        ASSERT_EQ(found.kernel.inputs.size(), 1u);
        EXPECT_EQ(found.kernel.inputs[0].address, 0u);
        ASSERT_EQ(found.kernel.outputs.size(), 1u);
        EXPECT_EQ(found.kernel.outputs[0].address, 0x40u);

        isa::kernel straight;
        straight.arch = found.kernel.arch;
        straight.words = found.kernel.words;
        for (const std::uint32_t word : words) straight.loop.push_back({word, 0, false, 0});
        const kernel_result got = result_of(kernel_run(found.kernel, machine, std::nullopt)),
                            wanted = result_of(kernel_run(straight, machine, 1u));
        EXPECT_EQ(got.dst, wanted.dst);
        EXPECT_EQ(got.cycles_used, wanted.cycles_used);
    }
}

TEST(pushed_kernel, with_one_address_out_of_step_is_rolled_up_to_there_only) {
    word_list words = stepping_squares(2);
    words[2 + 4 * 3] ^= 8; // the load of the fourth row
    const rolled_kernel found = rolled_of(pushed_words(words));
    EXPECT_TRUE(found.says("3 equal iterations")) << found.told.front();
    isa::kernel straight;
    for (const std::uint32_t word : words) straight.loop.push_back({word, 0, false, 0});
    EXPECT_EQ(result_of(kernel_run(found.kernel, {}, std::nullopt)).dst,
              result_of(kernel_run(straight, {}, 1u)).dst);
}

TEST(pushed_kernel, has_a_gap_where_any_iteration_has_one) {
    pushed_kernel pushed = pushed_words(eight_squares());
    pushed.words[2 + 4 * 3 + 1].gap = true; // the product of the fourth row
    pushed.words.back().gap = true;
    const rolled_kernel found = rolled_of(pushed);
    EXPECT_FALSE(found.kernel.loop[0].gap);
    EXPECT_TRUE(found.kernel.loop[1].gap);
    EXPECT_FALSE(found.kernel.loop[2].gap);
    EXPECT_TRUE(found.kernel.tail[0].gap);
}

TEST(pushed_kernel, has_types_by_the_modes_of_its_words) {
    const auto type_of = [](unsigned mode, std::vector<std::pair<std::string, std::string>> settings) {
        word_list words;
        for (unsigned row = 0; row < 3; ++row)
            for (const std::uint32_t word : {load_at(0, 0, mode), store_at(0, 0x40, mode), row_step_word})
                words.push_back(word);
        pushed_kernel pushed = pushed_words(words);
        pushed.settings = std::move(settings);
        const rolled_kernel found = rolled_of(pushed);
        EXPECT_EQ(found.says("default mode, type from the Dst format"), mode == 0);
        return found.kernel.inputs.empty() ? "none"
                                           : std::string(isa::to_string(found.kernel.inputs[0].type));
    };
    EXPECT_EQ(type_of(0, {{"fp32_enabled", "true"}}), "f32");
    EXPECT_EQ(type_of(0, {{"srcb_format", "5"}}), "bf16");
    EXPECT_EQ(type_of(0, {{"srcb_format", "1"}}), "f16");
    EXPECT_EQ(type_of(1, {}), "f16");
    EXPECT_EQ(type_of(4, {}), "i32");
    EXPECT_EQ(type_of(6, {}), "u16");
    EXPECT_EQ(type_of(8, {}), "sm16");
    EXPECT_EQ(type_of(12, {}), "sm32");
    EXPECT_EQ(type_of(14, {}), "u16"); // LO16_ONLY: bits
}

TEST(pushed_kernel, takes_data_that_are_named_if_words_touch_them) {
    source_request request;
    request.inputs = {{"x", 0x00, isa::data_type::u32}};
    request.outputs = {{"y", 0x40, isa::data_type::i32}};
    const rolled_kernel found = rolled_of(pushed_words(eight_squares()), request);
    ASSERT_EQ(found.kernel.inputs.size(), 1u);
    EXPECT_EQ(found.kernel.inputs[0].name, "x");
    EXPECT_EQ(found.kernel.inputs[0].type, isa::data_type::u32);
    EXPECT_EQ(found.kernel.outputs.at(0).name, "y");
    const auto refusal = [&] {
        try {
            rolled_of(pushed_words(eight_squares()), request);
        } catch (const user_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    request.inputs[0].address = 0x80;
    EXPECT_EQ(refusal(),
              "k.elf: --input-at x=0x80:u32: no word loads there, expected an address from 0x00 to "
              "0x0e");
    request.inputs[0] = {"x", 0x00, isa::data_type::bf16};
    EXPECT_EQ(refusal(), "k.elf: --input-at x=0x00:bf16: found cells of 32 bits there, expected a type that "
                         "has them");
}

TEST(pushed_kernel, with_a_word_that_is_none_is_refused_with_its_place) {
    word_list words = eight_squares();
    words[3] = 0xffffffff;
    try {
        rolled_of(pushed_words(words));
        FAIL();
    } catch (const input_error& error) {
        EXPECT_NE(std::string(error.what()).find("k.elf: 0x100c: found the word 0xffffffff"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_THROW(rolled_of(pushed_kernel{}), input_error);
}

TEST(pushed_kernel, of_a_hundred_thousand_periodic_words_is_read_in_seconds) {
    const auto begin = std::chrono::steady_clock::now();
    word_list parity;
    for (unsigned i = 0; i < 100'000; ++i) { // Thue and Morse: repetitions everywhere, of two only
        unsigned bits = i, odd = 0;
        for (; bits != 0; bits &= bits - 1) odd ^= 1;
        parity.push_back(odd ? store_at(0, 0x40) : square_of(0));
    }
    EXPECT_EQ(expanded_words(rolled_of(pushed_words(parity)).kernel), parity);
    const word_list stores(100'000, store_at(0, 0x40));
    EXPECT_EQ(rolled_of(pushed_words(stores)).kernel.loop.size(), 1u);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

/// A kernel of the library as the words that a thread pushes, and as it was written.
void expect_found_again(const std::string& name, const std::string& arch) {
    SCOPED_TRACE(name + " " + arch);
    machine_choice machine;
    machine.arch = arch;
    const isa::kernel written = load_kernel(tree_path("kernels/" + name), machine);
    const kernel_run run(written, machine, 32u);
    pushed_kernel pushed;
    for (const auto& segment : run.request().segments)
        for (std::uint64_t i = 0; i < segment.repeat; ++i)
            for (const std::uint32_t word : segment.words)
                pushed.words.push_back({word, isa::word_origin{"k.elf", 0, 0x100, "", 0}, false});
    for (const isa::config_setting& each : written.config) pushed.settings.emplace_back(each.key, each.value);
    const rolled_kernel found = rolled_of(pushed, {}, machine);

    EXPECT_EQ(found.kernel.rows, 32u);
    EXPECT_LE(found.kernel.rows_per_iteration, written.rows_per_iteration);
    const kernel_result got = result_of(kernel_run(found.kernel, machine, std::nullopt)),
                        wanted = result_of(run);
    EXPECT_EQ(got.dst, wanted.dst);
    EXPECT_EQ(got.cycles_used, wanted.cycles_used);
    EXPECT_DOUBLE_EQ(got.cycles_per_row, wanted.cycles_per_row);
    const auto has = [](const std::vector<isa::tensor>& in, const isa::tensor& what) {
        return std::any_of(in.begin(), in.end(), [&](const isa::tensor& each) {
            return each.address == what.address &&
                   isa::has_wide_cells(each.type) == isa::has_wide_cells(what.type);
        });
    };
    for (const isa::tensor& each : written.inputs) EXPECT_TRUE(has(found.kernel.inputs, each)) << each.name;
    for (const isa::tensor& each : written.outputs) EXPECT_TRUE(has(found.kernel.outputs, each)) << each.name;
}

TEST(pushed_kernel, of_the_library_is_found_again_with_its_cycles_and_its_data) {
    for (const char* name : {"mul32.s", "mul32_macro.s", "recip_macro.s", "mul_uint16.s", "where_inplace.s",
                             "where_outofplace.s", "fp32_to_bf16.s", "uint16_to_fp32.s", "uint16_to_bf16.s",
                             "int32_to_fp32.s", "signbit.s"})
        expect_found_again(name, "bh");
    for (const char* name :
         {"mul32_wh.s", "where_inplace.s", "where_outofplace.s", "fp32_to_bf16.s", "uint16_to_fp32.s",
          "uint16_to_bf16.s", "int32_to_fp32.s", "mul_uint16.s", "signbit.s"})
        expect_found_again(name, "wh");
}

} // namespace
} // namespace sfpu::analysis
