#include <sfpu/kernel_recorder/program.h>
#include <sfpu/kernel_recorder/repetitions.h>
#include <sfpu/kernel_recorder/rolled_words.h>

#include <sfpu/isa/lane_machine.h>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace sfpu::kernel_recorder {
namespace {

using sequence = std::vector<std::uint64_t>;
using found_set = std::set<std::tuple<std::size_t, std::size_t, std::size_t>>;

/// All repetitions by trying each period, smallest first.
found_set tried(const sequence& of) {
    found_set found;
    std::set<std::pair<std::size_t, std::size_t>> stretches;
    for (std::size_t period = 1; 2 * period <= of.size(); ++period)
        for (std::size_t i = 0; i + period < of.size(); ++i) {
            const std::size_t begin = i;
            while (i + period < of.size() && of[i] == of[i + period]) ++i;
            if (i - begin >= period && stretches.insert({begin, i + period}).second)
                found.insert({begin, period, i + period});
        }
    return found;
}

TEST(repetitions, are_all_that_trying_each_period_finds) {
    std::mt19937 random(1);
    for (unsigned round = 0; round < 3000; ++round) {
        sequence of(random() % 26);
        const unsigned values = 1 + random() % 3;
        for (std::uint64_t& each : of) each = random() % values;
        const std::vector<repetition> found = repetitions_of(of);
        found_set as_set;
        for (const repetition& one : found) as_set.insert({one.begin, one.period, one.end});
        ASSERT_EQ(as_set, tried(of)) << "round " << round;
        ASSERT_EQ(as_set.size(), found.size());
    }
}

TEST(repetitions, of_long_periodic_sequences_are_fewer_than_their_elements) {
    constexpr std::size_t size = 100'000;
    sequence zeros(size), parity(size), words{0, 1}, before{0};
    for (std::size_t i = 0; i < size; ++i) // Thue and Morse: as many squares as can be, no cube
        for (std::size_t bits = i; bits != 0; bits &= bits - 1) parity[i] ^= 1;
    while (words.size() < size) { // Fibonacci: nearly as many repetitions as can be
        sequence next = words;
        next.insert(next.end(), before.begin(), before.end());
        before = std::exchange(words, next);
    }
    EXPECT_EQ(repetitions_of(zeros), (std::vector<repetition>{{0, size, 1}}));
    for (const sequence& of : {parity, words}) {
        const std::vector<repetition> found = repetitions_of(of);
        EXPECT_GT(found.size(), of.size() / 2);
        EXPECT_LT(found.size(), of.size());
    }
    for (const repetition& one : repetitions_of(parity)) ASSERT_EQ(one.end - one.begin, 2 * one.period);
}

// --- loops of calls

constexpr std::uint32_t nop = 0x8f000000, next_row = 0x38008000;       // SFPNOP; INCRWC by 2
std::uint32_t load(unsigned lreg) { return 0x7003e000 | lreg << 20; }  // FP32, ADDR_MOD_7
std::uint32_t store(unsigned lreg) { return 0x7203e040 | lreg << 20; } // behind the input
std::uint32_t number(unsigned lreg, unsigned bf16) { return 0x71000000 | lreg << 20 | bf16; }
std::uint32_t product(unsigned a, unsigned b, unsigned d) { return 0x86000900 | a << 16 | b << 12 | d << 4; }
std::uint32_t sum(unsigned a, unsigned b, unsigned d) { return 0x850a0000 | a << 12 | b << 8 | d << 4; }

recorded_words call_of(std::vector<std::uint32_t> words) {
    std::vector<bool> gaps(words.size());
    std::vector<source_place> places(words.size());
    return {std::move(words), std::move(gaps), std::move(places)};
}

std::vector<std::uint32_t> expanded(const rolled_words& of) {
    std::vector<std::uint32_t> words = of.front.words;
    for (std::size_t i = 0; i < of.iterations; ++i)
        words.insert(words.end(), of.loop.words.begin(), of.loop.words.end());
    words.insert(words.end(), of.back.words.begin(), of.back.words.end());
    return words;
}

/// Dst after the words, which begin with random data.
auto dst_after(const std::vector<std::uint32_t>& words) {
    isa::lane_machine machine(architecture::blackhole);
    std::mt19937 random(7);
    for (auto& row : machine.dst)
        for (auto& cell : row) cell = static_cast<std::uint16_t>(random());
    machine.execute(0x8a00300a); // SFPENCC: the lane flags are in use, all set
    for (const std::uint32_t word : words) machine.execute(word);
    return machine.dst;
}

TEST(rolled_rows, have_what_is_no_load_or_store_in_front_and_behind) {
    recorded_words call = call_of({number(1, 0x4000), sum(1, 1, 2), nop});
    for (unsigned row = 0; row < 8; ++row)
        for (const std::uint32_t word : {load(0), product(0, 2, 0), store(0), next_row})
            call.words.push_back(word);
    call.words.push_back(nop);
    call.words.push_back(sum(1, 1, 2));
    call.gaps.resize(call.words.size());
    call.places.resize(call.words.size());
    call.gaps[3 + 4 * 5 + 1] = true; // the product of the sixth row
    const auto rolled = rolled_rows(call, 8);
    ASSERT_TRUE(rolled);
    EXPECT_EQ(rolled->iterations, 8u);
    EXPECT_EQ(rolled->front.words.size(), 3u);
    EXPECT_EQ(rolled->loop.gaps, (std::vector<bool>{false, true, false, false}));
    EXPECT_EQ(expanded(*rolled), call.words);
}

TEST(rolled_rows, are_none_if_one_word_differs_or_a_row_stands_apart) {
    std::vector<std::uint32_t> words;
    for (unsigned row = 0; row < 8; ++row)
        for (const std::uint32_t word : {load(0), product(0, row == 5 ? 3 : 2, 0), store(0), next_row})
            words.push_back(word);
    EXPECT_FALSE(rolled_rows(call_of(words), 8));
    words[4 * 5 + 1] = words[1];
    EXPECT_TRUE(rolled_rows(call_of(words), 8));
    words.push_back(load(1)); // a load that belongs to no row
    EXPECT_FALSE(rolled_rows(call_of(words), 8));
}

/// Rows that multiply by 2, then by 3 where they are negative. The constants are in other registers in each
/// row: those in `kept` stay from the row before.
std::vector<std::uint32_t> rows_with_moving_constants(unsigned odd_row = 99) {
    std::vector<std::uint32_t> words{number(6, 0x4000), number(7, 0x4040)};
    unsigned two = 6, three = 7;
    for (unsigned row = 0; row < 8; ++row) {
        const unsigned x = row % 3;
        if (row == 2) words.push_back(number(two = 3, 0x4000));
        if (row == 4) words.push_back(number(three = 5, row == odd_row ? 0x4080 : 0x4040));
        for (const std::uint32_t word :
             {load(x), product(x, two, x), nop, std::uint32_t{0x87000000}, 0x7b000000 | x << 8, // push, x < 0
              product(x, three, x), nop, std::uint32_t{0x88000000}, store(x), next_row})
            words.push_back(word);
    }
    return words;
}

TEST(rolled_by_values, rows_with_constants_in_other_registers_are_one_row_that_computes_the_same) {
    const recorded_words call = call_of(rows_with_moving_constants());
    ASSERT_FALSE(rolled_rows(call, 8));
    const auto rolled = rolled_by_values(call, 8, architecture::blackhole);
    ASSERT_TRUE(rolled);
    EXPECT_EQ(rolled->iterations, 8u);
    EXPECT_EQ(rolled->loop.words.size(), 10u);
    EXPECT_EQ(dst_after(expanded(*rolled)), dst_after(call.words));
}

TEST(rolled_by_values, rows_that_compute_something_else_are_not_rolled) {
    EXPECT_FALSE(rolled_by_values(call_of(rows_with_moving_constants(4)), 8, architecture::blackhole));
}

TEST(rolled_by_values, a_constant_that_a_row_overwrites_is_loaded_again_in_each_iteration) {
    std::vector<std::uint32_t> words{number(6, 0x4000)};
    for (unsigned row = 0; row < 4; ++row) {
        if (row != 0) words.push_back(number(5 - row, 0x4000));
        const unsigned two = row == 0 ? 6 : 5 - row;
        for (const std::uint32_t word : {load(0), product(0, two, two), nop, store(two), next_row})
            words.push_back(word);
    }
    const auto rolled = rolled_by_values(call_of(words), 4, architecture::blackhole);
    ASSERT_TRUE(rolled);
    EXPECT_EQ(rolled->loop.words.size(), 6u);
    EXPECT_EQ(dst_after(expanded(*rolled)), dst_after(words));
}

TEST(rolled_by_values, a_value_that_goes_from_row_to_row_is_no_constant) {
    std::vector<std::uint32_t> words{number(1, 0), number(2, 0)};
    for (unsigned row = 0; row < 4; ++row) { // the sum so far, in L1 and L2 in turn
        const unsigned from = 1 + row % 2, to = 3 - from;
        for (const std::uint32_t word : {load(0), sum(0, from, to), nop, store(to), next_row})
            words.push_back(word);
    }
    EXPECT_FALSE(rolled_by_values(call_of(words), 4, architecture::blackhole));
}

TEST(rolled_by_values, a_program_whose_tail_reads_registers_keeps_the_rows_as_they_are) {
    const std::vector<std::uint32_t> words = rows_with_moving_constants();
    const auto record = [](const std::vector<std::uint32_t>& what) {
        return [what] {
            for (const std::uint32_t word : what) issue(architecture::blackhole, word);
        };
    };
    program_builder builder("k", architecture::blackhole);
    builder.init(record({nop})).calculate(8, record(words));
    const program chosen = builder.build();
    EXPECT_TRUE(chosen.chosen_row);
    EXPECT_EQ(chosen.rows_per_iteration, 1u);
    EXPECT_NE(assembly_source(chosen).find("shown to compute the same"), std::string::npos);
    const program kept = builder.tail(record({nop})).tail(record({store(7)})).build();
    EXPECT_FALSE(kept.chosen_row);
    EXPECT_EQ(kept.init, std::vector<std::uint32_t>{nop});
    EXPECT_EQ(kept.loop, words);
    EXPECT_EQ(kept.tail, (std::vector<std::uint32_t>{nop, store(7)}));
    EXPECT_EQ(kept.rows_per_iteration, 8u);
}

} // namespace
} // namespace sfpu::kernel_recorder
