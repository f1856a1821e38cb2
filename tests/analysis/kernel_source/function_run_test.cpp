// Functions of programs, run on a hart: which words they push, from where, when, and what nobody answers.
#include <function_run.h>

#include <core_against_unit.h>
#include <elf_functions.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/riscv/encode.h>

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis::function_runs {
namespace {

using namespace riscv::encode;

constexpr std::uint32_t code_base = 0x6000;
constexpr word nop_word = 0x8f000000u, abs_word = 0x7d000010u, load_word = 0x70040000u,
               store_word = 0x72040000u, macro_word = 0x93040000u;
constexpr unsigned zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6, t2 = 7, a0 = 10, a1 = 11;
constexpr word ret = jalr(zero, ra, 0);

std::vector<word> operator+(std::vector<word> a, const std::vector<word>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
/// Two instructions that load a register.
std::vector<word> li(unsigned rd, word value) {
    const word upper = (value + 0x800u) & 0xfffff000u;
    return {lui(rd, upper), addi(rd, rd, static_cast<int>(value - upper))};
}
/// Three instructions that store a value to an address; t0 and t1 change.
std::vector<word> store_to(word address, word value) {
    return li(t0, address) + li(t1, value) + std::vector<word>{sw(t1, t0, 0)};
}
std::vector<word> replay(unsigned start, unsigned count, unsigned bits) {
    return {ttinsn(0x04000000u | start << 14 | count << 4 | bits)};
}

struct question {
    source_request request;
    machine_choice machine;
    std::map<std::string, std::uint32_t, std::less<>> symbols;
};

function_run run_of(const std::vector<word>& code, const question& what = {}, const session& caller = {}) {
    const auto image = riscv::elf_image::of_words(code_base, code, what.symbols);
    return trace_functions(image, {code_base}, what.request, what.machine, caller);
}
std::vector<word> words_of(const function_run& run) {
    std::vector<word> words;
    for (const pushed_word& each : run.kernel.words) words.push_back(each.word);
    return words;
}
/// Places in words behind the first of the code.
std::vector<unsigned> places_of(const function_run& run) {
    std::vector<unsigned> places;
    for (const pushed_word& each : run.kernel.words) places.push_back((*each.origin.address - code_base) / 4);
    return places;
}
std::vector<bool> gaps_of(const function_run& run) {
    std::vector<bool> gaps;
    for (const pushed_word& each : run.kernel.words) gaps.push_back(each.gap);
    return gaps;
}
std::vector<std::int64_t> push_cycles(const function_run& run) {
    std::vector<std::int64_t> cycles;
    for (const word_times& each : run.core.words)
        cycles.push_back(each.pushed - run.core.words.front().pushed);
    return cycles;
}
std::string told_by(const function_run& run) {
    std::string all;
    for (const std::string& each : run.kernel.told) all += each + "\n";
    return all;
}
std::string problem_of(const std::vector<word>& code, const question& what = {}, const session& caller = {}) {
    try {
        run_of(code, what, caller);
    } catch (const user_error& problem) {
        return problem.what();
    }
    return "nothing is wrong";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
question on_wormhole() {
    question what;
    what.machine.arch = "wh";
    return what;
}
question with_answers() {
    question what;
    what.request.assume_semaphores = true;
    return what;
}

// --- words -------------------------------------------------------------------------------------------------

TEST(function_run, words_that_registers_computed_are_the_kernel_as_are_those_that_stand_in_the_code) {
    // for (i = 0; i < 3; ++i) { store of load_word + 2 i; abs }
    const auto run = run_of(li(t0, 0xffe40000u) + li(t1, load_word) + std::vector<word>{addi(t2, zero, 3)} +
                            std::vector<word>{sw(t1, t0, 0), ttinsn(abs_word), addi(t1, t1, 2),
                                              addi(t2, t2, -1), branch(1, t2, zero, -16), ret});
    EXPECT_EQ(words_of(run),
              (std::vector<word>{load_word, abs_word, load_word + 2, abs_word, load_word + 4, abs_word}));
    EXPECT_EQ(places_of(run), (std::vector<unsigned>{5, 6, 5, 6, 5, 6}));
    EXPECT_EQ(run.core.pushes, 6u);
}

TEST(function_run, eight_arguments_come_in_registers_and_the_rest_on_the_stack) {
    question what;
    what.request.arguments = {
        "1879310336" /* load_word */, "2", "3", "4", "5", "6", "7", "8", "0x72040000", "-1"};
    const auto run =
        run_of(li(t0, 0xffe40000u) + std::vector<word>{sw(a0, t0, 0), lw(t1, sp, 0), sw(t1, t0, 0),
                                                       lw(t1, sp, 4), addi(t1, t1, 1), add(a0, a0, t1),
                                                       add(a0, a0, a1), sw(a0, t0, 0), ret},
               what);
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, store_word, load_word + 2}));
}

TEST(function_run, arguments_are_integers_truth_values_or_real_numbers) {
    const auto pushed = [](const std::string& argument) {
        question what;
        what.request.arguments = {argument};
        return words_of(run_of(li(t0, 0xffe40000u) + std::vector<word>{sw(a0, t0, 0), ret}, what)).at(0);
    };
    EXPECT_EQ(pushed("0x8f000000"), nop_word);
    EXPECT_EQ(pushed("2399141888u"), nop_word);
    EXPECT_EQ(pushed("-1895825408"), nop_word);
    EXPECT_EQ(pushed("-6.3108872e-30f"), 0x8f000000u); // that FP32
    question what;
    what.request.arguments = {"1", "vFloat(1)"};
    const std::string problem = problem_of({ret}, what);
    EXPECT_TRUE(has(problem, "argument 2 is 'vFloat(1)'")) << problem;
}

TEST(function_run, what_a_called_function_pushes_belongs_to_it) {
    const auto run =
        run_of({addi(t2, ra, 0), jal(ra, 12), ttinsn(nop_word), jalr(zero, t2, 0), ttinsn(abs_word), ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{abs_word, nop_word}));
    EXPECT_EQ(places_of(run), (std::vector<unsigned>{4, 2}));
}

TEST(function_run, functions_run_one_behind_the_other_and_the_last_one_gets_the_arguments) {
    const std::vector<word> push_sum =
        li(t0, 0xffe40000u) + li(t1, load_word) + std::vector<word>{add(t1, t1, a0), sw(t1, t0, 0)};
    const std::vector<word> first = push_sum + replay(0, 1, 1) + std::vector<word>{ttinsn(abs_word), ret};
    const std::vector<word> code = first + push_sum + replay(0, 1, 0) + std::vector<word>{ret};
    source_request request;
    request.arguments = {"2"};
    const auto second = code_base + 4 * static_cast<std::uint32_t>(first.size());
    const auto run =
        trace_functions(riscv::elf_image::of_words(code_base, code), {code_base, second}, request, {}, {});
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, load_word + 2, abs_word}));
}

TEST(function_run, words_of_the_replay_buffer_come_from_where_they_were_recorded) {
    const auto run =
        run_of(replay(30, 3, 1) + std::vector<word>{ttinsn(load_word), ttinsn(abs_word), ttinsn(store_word)} +
               replay(30, 3, 0) + replay(31, 2, 0) + std::vector<word>{ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, abs_word, store_word, abs_word, store_word}));
    EXPECT_EQ(places_of(run), (std::vector<unsigned>{1, 2, 3, 2, 3}));
}

TEST(function_run, words_that_are_recorded_and_executed_are_there_twice) {
    const auto run = run_of(replay(0, 2, 3) + std::vector<word>{ttinsn(load_word), ttinsn(store_word)} +
                            replay(0, 2, 0) + std::vector<word>{ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, store_word, load_word, store_word}));
}

TEST(function_run, slots_that_nobody_recorded_are_told_with_what_helps) {
    const auto run = run_of(replay(0, 1, 1) + std::vector<word>{ttinsn(abs_word)} + replay(0, 2, 0) +
                            std::vector<word>{ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{abs_word}));
    EXPECT_TRUE(has(told_by(run), "0x00006008: REPLAY of 2 words from slot 0 on")) << told_by(run);
    EXPECT_TRUE(has(told_by(run), "--function 'FIRST; SECOND'")) << told_by(run);
}

TEST(function_run, a_mop_is_expanded_with_what_the_core_has_configured) {
    // Template 1: two outer iterations of start, two inner ones, an end.
    const word nop = 0x02000000u;
    const word config[9] = {2, 2, load_word, store_word, nop, abs_word, nop, nop_word, abs_word};
    std::vector<word> code;
    for (unsigned i = 0; i < 9; ++i) code = code + store_to(0xffb80000u + 4 * i, config[i]);
    code = code + std::vector<word>{ttinsn(0x01800000u), ret};
    const auto run = run_of(code);
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, abs_word, abs_word, store_word, load_word,
                                                abs_word, nop_word, store_word}));
    EXPECT_EQ(places_of(run), std::vector<unsigned>(8, 45));
    EXPECT_EQ(run.core.pushes, 1u);
}

TEST(function_run, the_mask_of_a_mop_has_an_upper_half_of_its_own) {
    std::vector<word> code = store_to(0xffb80000u + 4, 0) + store_to(0xffb80000u + 12, abs_word) +
                             store_to(0xffb80000u + 28, nop_word);
    // 18 iterations, the last two of which have their bits set
    code = code + std::vector<word>{ttinsn(0x03000003u), ttinsn(0x01000000u | 17u << 16), ret};
    EXPECT_EQ(words_of(run_of(code)), (std::vector<word>(16, abs_word) + std::vector<word>(2, nop_word)));
}

TEST(function_run, a_word_that_the_chip_does_not_have_is_an_error_with_its_place) {
    EXPECT_TRUE(has(problem_of(store_to(0xffe40000u, 0xff000000u) + std::vector<word>{ret}),
                    "0x00006010: pushes 0xff000000, expected an instruction of Blackhole"));
    const word mul24 = 0x98000000u; // of Blackhole
    EXPECT_EQ(words_of(run_of(store_to(0xffe40000u, mul24) + std::vector<word>{ret})),
              std::vector<word>{mul24});
    EXPECT_TRUE(
        has(problem_of(store_to(0xffe40000u, mul24) + std::vector<word>{ret}, on_wormhole()), "of Wormhole"));
}

// --- configuration and other units -------------------------------------------------------------------------

constexpr word fp32_enabled_bit = 1u << 30, alu_config = 0xffef0004u;
using settings = std::vector<std::pair<std::string, std::string>>;

TEST(function_run, configuration_before_the_first_vector_word_becomes_settings) {
    const auto by_store = run_of(store_to(alu_config, fp32_enabled_bit) + store_to(0xffef0018u, 64) +
                                 std::vector<word>{ttinsn(nop_word), ret});
    EXPECT_EQ(by_store.kernel.settings, (settings{{"fp32_enabled", "true"}, {"dest_regw_base", "64"}}));
    // RMWCIB3: bits 31:24 of word 1, of which the mask lets one through
    const auto by_word = run_of({ttinsn(0xb640ff01u), ttinsn(nop_word), ret});
    EXPECT_EQ(by_word.kernel.settings, (settings{{"fp32_enabled", "true"}}));
    EXPECT_EQ(words_of(by_word), std::vector<word>{nop_word});
    EXPECT_TRUE(has(told_by(by_word), "1 word of configuration (RMWCIB3) is carried out"))
        << told_by(by_word);
    // SETDMAREG of both halves of GPR 3, WRCFG of it to word 1
    const auto by_gpr =
        run_of({ttinsn(0x45000006u), ttinsn(0x45400007u), ttinsn(0xb0030001u), ttinsn(nop_word), ret});
    EXPECT_EQ(by_gpr.kernel.settings, (settings{{"fp32_enabled", "true"}}));
}

TEST(function_run, configuration_behind_the_first_vector_word_is_told_and_left_out) {
    const auto run = run_of(std::vector<word>{ttinsn(nop_word)} + store_to(alu_config, fp32_enabled_bit) +
                            std::vector<word>{ttinsn(nop_word), ret});
    EXPECT_TRUE(run.kernel.settings.empty());
    EXPECT_TRUE(has(told_by(run), "0x00006014: configuration that the vector unit looks at changes"))
        << told_by(run);
}

TEST(function_run, rmwcib_changes_the_bits_of_its_mask_and_no_others) {
    const auto run = run_of(store_to(alu_config, fp32_enabled_bit) +
                            std::vector<word>{ttinsn(0xb6010001u), ttinsn(nop_word), ret});
    EXPECT_EQ(run.kernel.settings, (settings{{"fp32_enabled", "true"}}));
}

TEST(function_run, the_bank_is_that_which_the_thread_has_chosen) {
    const auto run =
        run_of(std::vector<word>{ttinsn(0xb2000001u)} + // CFG_STATE_ID = 1
               store_to(alu_config, fp32_enabled_bit) + std::vector<word>{ttinsn(nop_word), ret});
    EXPECT_TRUE(run.kernel.settings.empty());
}

TEST(function_run, counters_modifiers_and_stalls_stay_and_words_of_other_units_are_told) {
    const word setrwc = 0x37000004u, stallwait = 0xa2000800u, sempost = 0xa4000008u, mova2d = 0x12000000u,
               setc16 = 0xb2220002u;
    std::vector<word> code;
    for (const word each : {setrwc, setc16, stallwait, mova2d, load_word, mova2d, sempost})
        code.push_back(ttinsn(each));
    const auto run = run_of(code + std::vector<word>{ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{setrwc, setc16, stallwait, load_word, sempost}));
    EXPECT_TRUE(has(told_by(run), "2 words of the Matrix Unit (MOVA2D 2 times) are left out"))
        << told_by(run);
    EXPECT_TRUE(has(told_by(run), "the first at 0x0000600c")) << told_by(run);
}

// --- memory and devices ------------------------------------------------------------------------------------

TEST(function_run, a_load_of_what_nobody_wrote_is_told_with_the_name_of_the_place) {
    question what;
    what.symbols["scale"] = 0x9000;
    const auto run = run_of(li(t0, 0x9000) + std::vector<word>{lw(t1, t0, 0), sw(t1, t0, 0), lw(t1, t0, 0),
                                                               ttinsn(nop_word), ret},
                            what);
    EXPECT_TRUE(
        has(told_by(run), "0x00006008: a load of 0x00009000 (scale), which nobody has written: 0 is assumed"))
        << told_by(run);
    EXPECT_FALSE(has(told_by(run), "0x00006010")) << told_by(run);
}

TEST(function_run, devices_keep_what_the_function_writes) {
    // a GPR, a word of the configuration, local memory, the stack
    std::vector<word> code;
    for (const word address : {0xffe00010u, 0xffef0030u, 0xffb00004u})
        code = code + store_to(address, load_word + 2 * (address & 15u)) + std::vector<word>{lw(t2, t0, 0)} +
               li(t0, 0xffe40000u) + std::vector<word>{sw(t2, t0, 0)};
    const auto run = run_of(code + std::vector<word>{ret});
    EXPECT_EQ(words_of(run), (std::vector<word>{load_word, load_word, load_word + 8}));
    EXPECT_TRUE(run.kernel.told.empty()) << told_by(run);
}

TEST(function_run, the_wall_clock_is_the_cores_own) {
    const auto run = run_of(
        li(t0, 0xffb121f0u) + std::vector<word>{lw(a0, t0, 0), lw(a1, t0, 0), sub(a1, a1, a0)} +
        li(t1, load_word) + li(t0, 0xffe40000u) + std::vector<word>{add(t1, t1, a1), sw(t1, t0, 0), ret});
    EXPECT_EQ(words_of(run), std::vector<word>{load_word + 1}); // two loads in two cycles
}

TEST(function_run, waits_for_other_threads_are_an_error_that_names_them_all) {
    const std::string problem =
        problem_of(std::vector<word>{ttinsn(0xa6008009u)} + li(t0, 0xffe80024u) +
                   std::vector<word>{lw(t1, t0, 0), branch(0, t1, zero, -4), ttinsn(nop_word), ret});
    EXPECT_TRUE(has(problem, "0x00006000: SEMWAIT of semaphore 1")) << problem;
    EXPECT_TRUE(has(problem, "0x0000600c: semaphore 1 is read")) << problem;
    EXPECT_TRUE(has(problem, "--assume semaphores")) << problem;
}

TEST(function_run, answered_waits_end_and_are_told) {
    // until semaphore 1 is not 0; until semaphore 2 is 0; until a flag of the NoC is 0x80
    const auto run = run_of(std::vector<word>{ttinsn(0xa6008009u)} + li(t0, 0xffe80024u) +
                                std::vector<word>{lw(t1, t0, 0), branch(0, t1, zero, -4), ttinsn(nop_word),
                                                  lw(t1, t0, 4), branch(1, t1, zero, -4)} +
                                li(t0, 0xffb20000u) +
                                std::vector<word>{addi(t2, zero, 0x80), lw(t1, t0, 0), branch(1, t1, t2, -4),
                                                  ttinsn(abs_word), ret},
                            with_answers());
    EXPECT_EQ(words_of(run), (std::vector<word>{nop_word, abs_word}));
    EXPECT_TRUE(has(told_by(run), "0x00006000: SEMWAIT of semaphore 1; assumed to be over at once"))
        << told_by(run);
    EXPECT_TRUE(has(told_by(run), "0x0000600c: semaphore 1 is read")) << told_by(run);
    EXPECT_TRUE(has(told_by(run), "a loop waits for another value of 0xffb20000 (noc_0)")) << told_by(run);
}

TEST(function_run, a_wait_for_the_own_thread_is_none) {
    const auto run = run_of(
        replay(0, 32, 1) + std::vector<word>(32, ttinsn(nop_word)) + replay(0, 32, 0) + li(t0, 0xffe80004u) +
        std::vector<word>{sw(t0, t0, 0), lw(t1, t0, 0), addi(t1, t1, 0), ttinsn(abs_word), ret});
    EXPECT_TRUE(run.kernel.told.empty()) << told_by(run);
    // It takes until the words have been played.
    EXPECT_GE(run.core.words.back().pushed, run.core.words[31].arrived);
}

// --- what does not end -------------------------------------------------------------------------------------

TEST(function_run, endless_functions_end_at_a_limit_with_their_place) {
    const std::string spins = problem_of({jal(zero, 0)});
    EXPECT_TRUE(
        has(spins, "does not return: it has executed more than 10000000 instructions; it is at 0x00006000"))
        << spins;
    const std::string pushes = problem_of({ttinsn(nop_word), jal(zero, -4)});
    EXPECT_TRUE(has(pushes, "it has pushed more than 131071 words")) << pushes;
    // until 0xffb20000 is both 0 and not: no answer ends this
    const std::string asks =
        problem_of(li(t0, 0xffb20000u) + std::vector<word>{lw(t1, t0, 0), jal(zero, -4)}, with_answers());
    EXPECT_TRUE(has(asks, "0x00006008: a loop waits for another value of 0xffb20000 (noc_0)")) << asks;
}

TEST(function_run, a_mop_of_replays_does_not_pass_the_limit_of_words) {
    std::vector<word> code = replay(0, 32, 1) + std::vector<word>(32, ttinsn(nop_word));
    const word config[9] = {127,         127,         0x02000000u, 0x02000000u, 0x02000000u,
                            0x04000000u, 0x04000000u, 0x04000000u, 0x04000000u};
    for (unsigned i = 0; i < 9; ++i) code = code + store_to(0xffb80000u + 4 * i, config[i]);
    EXPECT_TRUE(
        has(problem_of(code + std::vector<word>{ttinsn(0x01800000u), ret}), "more than 131071 words"));
}

TEST(function_run, a_session_that_is_over_ends_it) {
    session caller;
    caller.interrupted = [] { return true; };
    EXPECT_TRUE(has(problem_of({jal(zero, 0)}, {}, caller), "the run was interrupted"));
}

TEST(function_run, code_that_is_not_there_or_not_of_the_core_is_told) {
    EXPECT_TRUE(has(problem_of({nop}), "goes on at 0x00006004, where the program has no code"));
    EXPECT_TRUE(has(problem_of({jalr(zero, zero, 0)}), "goes on at 0x00000000"));
    EXPECT_TRUE(has(problem_of({0xffffffffu, ret}), "0x00006000: illegal instruction, value 0xffffffff"));
    EXPECT_TRUE(has(problem_of({ebreak, ret}), "breakpoint"));
    EXPECT_TRUE(has(problem_of({jalr(zero, ra, 2)}), "compressed code"));
    EXPECT_TRUE(
        has(problem_of(li(t0, 0x40000000u) + std::vector<word>{lw(t1, t0, 0), ret}), "value 0x40000000"));
    EXPECT_TRUE(has(problem_of(store_to(0xffe50000u, nop_word) + std::vector<word>{ret}),
                    "value 0xffe50000")); // of core B
}

TEST(function_run, memory_is_there_only_once_it_is_touched_and_not_without_end) {
    riscv::elf_segment code, space;
    code.address = code_base;
    // t0 = 0x10000000; while (true) { *t0 = 0; t0 += 4096; }
    for (const word each :
         {lui(t0, 0x10000000u), sw(zero, t0, 0), lui(t1, 0x1000), add(t0, t0, t1), jal(zero, -12)})
        for (unsigned shift = 0; shift < 32; shift += 8)
            code.bytes.push_back(static_cast<unsigned char>(each >> shift));
    code.size = 20;
    space.address = 0x10000000u;
    space.size = 0xe0000000u; // nothing of it is in the file
    const auto image = riscv::elf_image::of_segments(code_base, {code, space});
    try {
        trace_functions(image, {code_base}, {}, {}, {});
        FAIL();
    } catch (const user_error& problem) {
        EXPECT_TRUE(has(problem.what(), "touches more than 16 MiB")) << problem.what();
    }
}

// --- time --------------------------------------------------------------------------------------------------

TEST(function_run, blackhole_pushes_four_adjacent_words_in_a_cycle_and_wormhole_one) {
    const std::vector<word> code = std::vector<word>(6, ttinsn(nop_word)) + std::vector<word>{ret};
    EXPECT_EQ(push_cycles(run_of(code)), (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(push_cycles(run_of(code, on_wormhole())), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(function_run, words_of_the_expanders_arrive_one_a_cycle_whenever_the_core_pushed_them) {
    const auto run = run_of(replay(0, 2, 1) + std::vector<word>{ttinsn(load_word), ttinsn(store_word)} +
                            replay(0, 2, 0) + replay(0, 2, 0) + std::vector<word>{ret});
    EXPECT_EQ(push_cycles(run), (std::vector<std::int64_t>{0, 0, 1, 1}));
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_EQ(run.core.words[i].arrived, run.core.words[i - 1].arrived + 1);
}

TEST(function_run, a_core_that_computes_its_words_binds_and_one_that_replays_them_does_not) {
    // 10 times: a word whose address is the product of two registers, in a loop
    const auto computes =
        run_of(li(t0, 0xffe40000u) + li(a0, load_word) + std::vector<word>{addi(t2, zero, 10)} +
               std::vector<word>{mul(t1, t2, t2), add(t1, t1, a0), sw(t1, t0, 0), addi(t2, t2, -1),
                                 branch(1, t2, zero, -16), ret});
    const auto core = compare_core_with_unit(computes, nullptr, {});
    ASSERT_TRUE(core);
    EXPECT_EQ(core->all.unit, 9);
    EXPECT_EQ(core->all.core, 9 * 6); // five instructions, one of which waits a cycle for the multiplier
    EXPECT_EQ(core->all.together, core->all.core);
    EXPECT_EQ(core->binds(), core_against_unit::bottleneck::core);
    EXPECT_TRUE(
        has(to_text(*core), "the core takes 54 cycles from the first word to the last, the vector unit 9"))
        << to_text(*core);

    std::vector<word> code = replay(0, 8, 1) + std::vector<word>(8, ttinsn(abs_word));
    for (unsigned i = 0; i < 8; ++i) code = code + replay(0, 8, 0);
    const auto replays = run_of(code + std::vector<word>{ret});
    const auto unit = compare_core_with_unit(replays, nullptr, {});
    ASSERT_TRUE(unit);
    EXPECT_EQ(unit->all.unit, 63);
    EXPECT_EQ(unit->all.core, 2); // the first REPLAY is word 10 of 17, of which four go in a cycle
    EXPECT_EQ(unit->binds(), core_against_unit::bottleneck::unit);
}

TEST(function_run, behind_a_pause_of_the_core_the_unit_takes_its_own_time) {
    const word mul_word = 0x86000910u | 1u << 16 | 1u << 12; // L1 = L1 * L1: each waits for the one before
    const auto run = run_of(std::vector<word>{ttinsn(nop_word)} + replay(0, 8, 1) +
                            std::vector<word>(8, ttinsn(mul_word)) + std::vector<word>(50, nop) +
                            replay(0, 8, 0) + std::vector<word>{ret});
    const auto times = compare_core_with_unit(run, nullptr, {});
    ASSERT_TRUE(times);
    const double pause = times->all.core;
    EXPECT_GE(pause, 50);
    EXPECT_EQ(times->all.unit, 1 + 7 * 2);
    EXPECT_EQ(times->all.together, pause + 7 * 2);
}

TEST(function_run, known_rows_give_cycles_a_row_in_steady_state) {
    const auto run = run_of(std::vector<word>{ttinsn(nop_word), addi(t2, zero, 4)} +
                            std::vector<word>{ttinsn(load_word), ttinsn(store_word), addi(t2, t2, -1),
                                              branch(1, t2, zero, -12), ret});
    const isa::kernel rolled = assemble_kernel(
        ".init\nsfpnop\n.loop\nsfpload L0, INT32, 0, 0\nsfpstore L0, INT32, 0, 0\n", "k.s", {});
    const auto times = compare_core_with_unit(run, &rolled, {});
    ASSERT_TRUE(times && times->per_row);
    EXPECT_EQ(times->per_row->unit, 2);
    EXPECT_EQ(times->per_row->core, 3); // both words in one cycle, two instructions
    EXPECT_EQ(times->per_row->together, 3);
}

TEST(function_run, macros_learn_where_the_core_can_be_late) {
    const std::vector<word> stretch =
        replay(0, 2, 1) + std::vector<word>{ttinsn(macro_word), ttinsn(nop_word)} + replay(0, 2, 0) +
        std::vector<word>{nop, ttinsn(macro_word), ttinsn(nop_word), nop, ttinsn(nop_word), ret};
    // the replay as a whole, the two words that are fused, the last one
    EXPECT_EQ(gaps_of(run_of(stretch)), (std::vector<bool>{true, false, true, false, true}));
    EXPECT_EQ(gaps_of(run_of(stretch, on_wormhole())), (std::vector<bool>{true, false, true, true, true}));
    EXPECT_EQ(gaps_of(run_of({ttinsn(nop_word), nop, ttinsn(nop_word), ret})),
              (std::vector<bool>{false, false}));
}

// --- names -------------------------------------------------------------------------------------------------

std::vector<elf_function> some_functions() {
    const std::vector<word> code{
        ret, ttinsn(nop_word), ttinsn(abs_word), ret, ttinsn(nop_word), ret, ttinsn(nop_word), ret};
    return elf_functions(riscv::elf_image::of_words(code_base, code,
                                                    {{"_start", code_base},
                                                     {"_ZN4sfpu13calculate_expILb1ELi8EEEvi", code_base + 4},
                                                     {"_ZN4sfpu13calculate_expILb0ELi8EEEvi", code_base + 16},
                                                     {"_ZL8exp_initv", code_base + 24},
                                                     {"nowhere", 4}}));
}
std::string name_problem(const std::vector<elf_function>& functions, const std::string& name) {
    try {
        find_elf_function(functions, name, "k.elf");
    } catch (const user_error& problem) {
        return problem.what();
    }
    return "nothing is wrong";
}

TEST(elf_functions, names_are_demangled_and_tensix_words_counted) {
    const auto functions = some_functions();
    ASSERT_EQ(functions.size(), 4u);
    EXPECT_EQ(functions[0].name, "_start");
    EXPECT_EQ(functions[0].words, 0u);
    EXPECT_EQ(functions[1].name, "void sfpu::calculate_exp<true, 8>(int)");
    EXPECT_EQ(functions[1].words, 2u);
    EXPECT_EQ(functions[1].size, 12u);
    EXPECT_EQ(functions[3].name, "exp_init()");
}

TEST(elf_functions, a_function_is_found_by_symbol_by_name_by_a_part_that_only_it_has_and_by_address) {
    const auto functions = some_functions();
    for (const char* const name :
         {"_ZN4sfpu13calculate_expILb1ELi8EEEvi", "void sfpu::calculate_exp<true, 8>(int)",
          "sfpu::calculate_exp<true, 8>", "exp<true", "0x6004"})
        EXPECT_EQ(find_elf_function(functions, name, "k.elf").address, code_base + 4) << name;
    EXPECT_EQ(find_elf_function(functions, "exp_init", "k.elf").address, code_base + 24);
    EXPECT_EQ(find_elf_function(functions, "0x6010", "k.elf").name,
              "void sfpu::calculate_exp<false, 8>(int)");
}

TEST(elf_functions, several_and_none_are_errors_that_list_candidates) {
    const auto functions = some_functions();
    const std::string several = name_problem(functions, "calculate_exp");
    EXPECT_TRUE(has(several, "k.elf: 2 functions are called 'calculate_exp'")) << several;
    EXPECT_TRUE(has(several, "0x00006004 void sfpu::calculate_exp<true, 8>(int) (2 Tensix words)"))
        << several;
    const std::string none = name_problem(functions, "sqrt");
    EXPECT_TRUE(has(none, "has no function 'sqrt', expected one of")) << none;
    EXPECT_FALSE(has(none, "_start")) << none; // pushes nothing
    EXPECT_TRUE(has(name_problem(functions, ""), "has 4 functions, expected --function NAME"));
    EXPECT_TRUE(has(name_problem({}, "f"), "has no symbols of functions"));
}

TEST(elf_functions, the_only_function_that_pushes_needs_no_name) {
    const std::vector<word> code{ret, ttinsn(nop_word), ret};
    const auto functions = elf_functions(
        riscv::elf_image::of_words(code_base, code, {{"_start", code_base}, {"f", code_base + 4}}));
    EXPECT_EQ(find_elf_function(functions, "", "k.elf").name, "f");
}

TEST(elf_functions, a_whole_name_counts_more_than_a_part_of_others) {
    const auto functions = elf_functions(riscv::elf_image::of_words(
        code_base, {ret, ret, ret},
        {{"_Z8exp_initv", code_base}, {"_ZN4sfpu3expILi8EEEvv", code_base + 4}, {"exp2", code_base + 8}}));
    EXPECT_EQ(find_elf_function(functions, "exp", "k.elf").address, code_base + 4);
}

/// f of pairs, each of which has the one before twice. The last name is 2 to the power of `levels` times as
/// long as the first.
std::string name_of_pairs(unsigned levels) {
    const char digits[] = "0123456789ABCDEFGHIJ";
    std::string name = "_Z1fSt4pairIiiE";
    for (unsigned i = 0; i < levels; ++i) {
        const std::string before = std::string("S") + digits[i] + "_";
        name += "S_I" + before + before + "E";
    }
    return name;
}

TEST(elf_functions, names_that_stand_for_very_long_ones_stay_mangled) {
    const auto name_of = [](const std::string& symbol) {
        return elf_functions(riscv::elf_image::of_words(code_base, {ret}, {{symbol, code_base}})).at(0).name;
    };
    EXPECT_EQ(name_of(name_of_pairs(1)),
              "f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)");
    EXPECT_EQ(name_of(name_of_pairs(16)), name_of_pairs(16));
}

} // namespace
} // namespace sfpu::analysis::function_runs
