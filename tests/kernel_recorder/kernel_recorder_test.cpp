// The recording headers for C++ kernels: words of the published macros against the assembler, the replay
// buffer, and how calls become the sections of a kernel file.
#include "chips.h"
#include "kernel_macros.h"

#define ARCH_BLACKHOLE
#include <sfpu/kernel_recorder/kernel.h>
#include <sfpu/kernel_recorder/program.h>

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace sfpu::test {
namespace {

using words = std::vector<std::uint32_t>;
using kernel_recorder::kernel_error;

words plain(const std::vector<isa::source_word>& lines) {
    words result;
    for (const isa::source_word& line : lines) result.push_back(line.word);
    return result;
}

/// What the function issues on Blackhole.
template <typename Function>
words recorded(Function function) {
    kernel_recorder::recorder into(bh);
    return kernel_recorder::record(into, function);
}

/// The text of the kernel_error that the function throws.
template <typename Function>
std::string error_of(Function function) {
    try {
        function();
    } catch (const kernel_error& error) {
        return error.what();
    }
    return "no error";
}

// --- macros ------------------------------------------------------------------------------------------------

class published_macros : public testing::TestWithParam<architecture> {
protected:
    const published_names& names() const { return GetParam() == bh ? blackhole_names() : wormhole_names(); }
};
INSTANTIATE_TEST_SUITE_P(both, published_macros, testing::Values(bh, wh),
                         [](const auto& tested) { return std::string(short_name(tested.param)); });

/// Values that the assembler takes for the operands of a macro, in its order.
operand_values random_operands(const std::string& mnemonic, architecture arch, std::mt19937& random) {
    const auto below = [&](unsigned bits) { return static_cast<std::int64_t>(random() >> (32 - bits)); };
    const auto addr_mod = [&] { return below(isa::addr_mod_width(arch)); };
    if (mnemonic == "sfploadmacro") return {below(4), below(4), addr_mod(), below(10)};
    if (mnemonic == "stallwait") return {below(9), below(15)};
    operand_values values;
    for (const isa::operand& what : isa::find_row(mnemonic)->operands) {
        if (!what.name) break;
        if (what.kind == isa::operand_kind::addr_mod) values.push_back(addr_mod());
        else if (what.kind == isa::operand_kind::signed_number)
            values.push_back(below(what.width) - (random() % 2 ? 0 : std::int64_t{1} << (what.width - 1)));
        else values.push_back(below(what.width));
    }
    return values;
}

TEST_P(published_macros, give_the_words_of_the_assembler_for_all_operands_in_all_three_forms) {
    std::mt19937 random(1);
    for (const auto& [mnemonic, macro] : names().macros)
        for (int round = 0; round < 50; ++round) {
            const operand_values values = random_operands(mnemonic, GetParam(), random);
            ASSERT_EQ(values.size(), macro.operands) << mnemonic;
            std::string line = mnemonic;
            for (std::size_t i = 0; i < values.size(); ++i)
                line += (i ? ", " : " ") + std::to_string(values[i]);
            const isa::assembly expected = isa::assemble(line, "line.s", GetParam());
            ASSERT_TRUE(expected.ok()) << line << '\n' << expected.errors.front().to_string();
            const macro_words found = macro.words(values);
            const std::uint32_t word = expected.program.loop.front().word;
            ASSERT_EQ(found.op, word) << line;
            ASSERT_EQ(found.recorded, (words{word, word})) << line;
        }
}

TEST_P(published_macros, exist_for_every_instruction_of_the_architecture_and_for_no_other) {
    for (const isa::row* row : isa::instruction_table()) {
        // Both are front-end words that the recorder handles by itself.
        if (row->opcode == isa::opcode::replay || row->opcode == isa::opcode::mop ||
            row->opcode == isa::opcode::mop_cfg)
            continue;
        EXPECT_EQ(names().macros.count(row->mnemonic), GetParam() == bh || row->on_wormhole ? 1u : 0u)
            << row->mnemonic;
    }
}

TEST_P(published_macros, take_modifier_constants_of_the_same_names_and_values_as_the_instruction_table) {
    std::map<std::string, unsigned> expected;
    for (const isa::row* row : isa::instruction_table())
        for (const isa::mode_name* mode = row->modes; mode && mode->name; ++mode)
            expected[mode->name] = mode->value;
    EXPECT_EQ(names().documented_constants, expected);
}

TEST(kernel_names, of_functions_do_not_clash_between_architectures_in_one_program) {
    EXPECT_EQ(blackhole_names().same_name, 0x70146005u);
    EXPECT_EQ(wormhole_names().same_name, 0x7014c005u);
}

TEST(addr_mod, writes_sources_destination_with_fidelity_and_bias_to_the_registers_of_the_architecture) {
    constexpr std::uint32_t sources = 5 | (9 | 1 << 6) << 8, destination = 0x3fe | 1 << 12 | 1 << 13;
    EXPECT_EQ(blackhole_names().addr_mod_words,
              (words{0xb2000000 | 18 << 16 | sources, 0xb2000000 | 34 << 16 | destination,
                     0xb2000000 | 53 << 16 | 1 << 4}));
    EXPECT_EQ(wormhole_names().addr_mod_words,
              (words{0xb2000000 | 19 << 16 | sources, 0xb2000000 | 29 << 16 | destination,
                     0xb2000000 | 54 << 16 | 1 << 4}));
}

// --- operands ----------------------------------------------------------------------------------------------

TEST(kernel_operands, out_of_range_are_refused_with_macro_operand_and_range) {
    int seventeen = 17;
    EXPECT_EQ(error_of([&] { recorded([&] { TT_SFPABS(0, seventeen, 0, 0); }); }),
              "SFPABS: operand lreg_c is 17, expected 0 to 15");
    EXPECT_EQ(error_of([&] { recorded([&] { TT_SFPSHFT(-2049, 0, 0, 1); }); }),
              "SFPSHFT: operand imm12_math is -2049, expected -2048 to 4095");
}

TEST(kernel_operands, that_are_negative_give_the_word_that_is_meant_and_a_warning_about_the_vendors_macro) {
    kernel_recorder::recorder into(bh);
    int shift = -23;
    EXPECT_EQ(kernel_recorder::record(into, [&] { TT_SFPSHFT(shift, 1, 2, 1); }), (words{0x7afe9121}));
    EXPECT_EQ(into.warnings(), (std::vector<std::string>{
                                   "SFPSHFT: operand imm12_math is -23; the vendor's macro would change the "
                                   "opcode, write -23 & 0xfff"}));
}

TEST(kernel_operands, of_an_address_mode_of_blackhole_spill_into_the_mode_of_a_wormhole_word_with_a_warning) {
    for (const auto& [mnemonic, opcode] : {std::pair{"sfpload", 0x70u}, std::pair{"sfpstore", 0x72u}}) {
        // L1, mode 3, address mode 7, address 5: bit 2 of the address mode is bit 0 of the mode, and carries.
        const macro_words spilled = wormhole_names().macros.at(mnemonic).words({1, 3, 7, 5});
        EXPECT_EQ(spilled.op, opcode << 24 | 1u << 20 | 4u << 16 | 3u << 14 | 5u);
        EXPECT_EQ(spilled.recorded, words(2, spilled.op));
        ASSERT_EQ(spilled.warnings.size(), 1u);
        EXPECT_NE(spilled.warnings[0].find("operand sfpu_addr_mode is 7"), std::string::npos)
            << spilled.warnings[0];
        EXPECT_TRUE(wormhole_names().macros.at(mnemonic).words({1, 3, 3, 5}).warnings.empty());
        EXPECT_NE(error_of([&, name = mnemonic] {
                      wormhole_names().macros.at(name).words({1, 3, 8, 5});
                  }),
                  "no error");
        EXPECT_TRUE(blackhole_names().macros.at(mnemonic).words({1, 3, 7, 5}).warnings.empty());
    }
}

TEST(kernel_operands, can_make_words_at_compile_time) {
    constexpr std::uint32_t word =
        TT_OP_SFPMUL24(0, 3, ckernel::p_sfpu::LCONST_0, 4, sfpi::SFPMUL24_MOD1_UPPER);
    static_assert(word == 0x98003941);
}

// --- names of the library ----------------------------------------------------------------------------------

TEST(library_names, of_a_mode_for_a_format_ask_whether_dst_has_32_bits) {
    using ckernel::GetSfpLoadStoreInstrMod;
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::Float16_b>() == ckernel::FP16B);
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::Float16_b, true>() == ckernel::FP32);
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::Float16, true>() == ckernel::FP32);
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::UInt16, true>() == ckernel::INT32);
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::UInt16, false>() == ckernel::LO16);
    static_assert(GetSfpLoadStoreInstrMod<DataFormat::Bfp8, true>() == ckernel::DEFAULT);
}

template <bool DST_ACCUM_MODE>
constexpr bool hidden_mode() {
    return DST_ACCUM_MODE;
}

TEST(library_names, of_a_whole_kernel_are_constants_that_a_template_parameter_may_hide) {
    static_assert(!APPROX && !DST_ACCUM_MODE);
    static_assert(hidden_mode<true>() && !hidden_mode<false>());
    static_assert((64u >> ckernel::DstTileSizeLog2[ckernel::Tile32x32]) == 1u);
    static_assert((16u >> ckernel::DstTileSizeLog2[ckernel::Tile16x16]) == 1u);
}

TEST(library_names, of_bits_that_sfpconfig_combines_are_exchanged_against_the_page_of_the_instruction) {
    static_assert(sfpi::SFPCONFIG_MOD1_AND == sfpi::MOD1_BITWISE_OR);
    static_assert(sfpi::SFPCONFIG_MOD1_OR == sfpi::MOD1_BITWISE_AND);
    static_assert(sfpi::SFPCONFIG_MOD1_XOR == sfpi::MOD1_BITWISE_XOR);
    static_assert(sfpi::SFPCONFIG_MOD1_ARG_IMM == sfpi::MOD1_IMM16_IS_VALUE);
    static_assert(sfpi::SFPSTOCHRND_MOD1_FP32_TO_SMAG16 == sfpi::SFPSTOCHRND_MOD1_FP32_TO_INT16);
}

/// The word of a line of assembly.
std::uint32_t assembled(const std::string& line) {
    return isa::assemble(line, "line.s", bh).program.loop.at(0).word;
}

TEST(library_names, of_semaphores_and_mutexes_issue_the_words_of_the_sync_unit) {
    using namespace ckernel;
    EXPECT_EQ(recorded([] { t6_semaphore_wait_on_zero<p_stall::STALL_SFPU>(semaphore::UNPACK_TO_DEST); }),
              (words{assembled("semwait 256, 4, 1")}));
    EXPECT_EQ(recorded([] { t6_semaphore_wait_on_max<p_stall::STALL_MATH>(semaphore::FPU_SFPU); }),
              (words{assembled("semwait 64, 1, 2")}));
    EXPECT_EQ(recorded([] { t6_semaphore_post<p_stall::WAIT_SFPU>(semaphore::MATH_PACK); }),
              (words{assembled("stallwait 2, 0x800"), assembled("sempost 2")}));
    EXPECT_EQ(recorded([] { t6_semaphore_get(semaphore::MATH_DONE); }), (words{assembled("semget 128")}));
    EXPECT_EQ(recorded([] { t6_semaphore_init(semaphore::MATH_PACK, 1, 3); }),
              (words{assembled("seminit 3, 1, 2")}));
    EXPECT_EQ(recorded([] { t6_mutex_acquire(mutex::SFPU); }), (words{assembled("atgetm 4")}));
}

TEST(library_names, of_a_configuration_register_change_its_bytes_that_have_bits_of_the_mask) {
    // RMWCIBn, n = 0 to 3, is opcode 0xb3 + n: mask, data and register, eight bits each.
    EXPECT_EQ(recorded([] { ckernel::cfg_reg_rmw_tensix<1, 17, 0x1e0000>(5); }), (words{0xb51e0a01}));
    EXPECT_EQ(recorded([] { ckernel::cfg_reg_rmw_tensix<2, 4, 0xff0>(0x5a); }),
              (words{0xb3f0a002, 0xb40f0502}));
}

TEST(library_names, of_the_masked_mop_issue_what_its_mask_leaves_and_what_stands_for_the_rest) {
    const auto number = [](unsigned n) { return TT_OP_SFPLOADI(0, 0, n); };
    EXPECT_EQ(recorded([&] {
                  ckernel::ckernel_unpack_template::loopx2instr(number(1), number(2), number(3), number(4))
                      .program_and_run(3, 0b010);
              }),
              (words{number(1), number(2), number(3), number(4), number(1), number(2)}));
    EXPECT_EQ(recorded([&] {
                  ckernel::ckernel_unpack_template(true, true, number(1), number(2), number(3), number(4),
                                                   number(8), number(5), number(9))
                      .program();
                  ckernel::ckernel_unpack_template::run(2, 0b10);
              }),
              (words{number(1), number(2), number(3), number(4), number(5), number(8), number(9)}));
    EXPECT_EQ(recorded([&] { ckernel::ckernel_unpack_template::loopx1instr(number(6)).program_and_run(2); }),
              (words{number(6), number(6)}));
}

template <typename Compare>
words where_it_holds(Compare compare) {
    return recorded([&] {
        using namespace sfpi;
        const vFloat x = dst_reg[0], y = dst_reg[1];
        v_if(compare(x, y)) { dst_reg[2] = x; }
        v_endif;
    });
}

TEST(library_names, of_comparisons_with_a_name_record_what_the_operators_do) {
    using sfpi::vBool;
    using sfpi::vFloat;
    const auto named = [](vBool::Cond how) {
        return where_it_holds([=](vFloat x, vFloat y) { return vBool(how, x, y); });
    };
    const words operators[] = {where_it_holds([](vFloat x, vFloat y) { return x == y; }),
                               where_it_holds([](vFloat x, vFloat y) { return x != y; }),
                               where_it_holds([](vFloat x, vFloat y) { return x < y; }),
                               where_it_holds([](vFloat x, vFloat y) { return x >= y; }),
                               where_it_holds([](vFloat x, vFloat y) { return x > y; }),
                               where_it_holds([](vFloat x, vFloat y) { return x <= y; })};
    const vBool::Cond names[] = {vBool::EQ, vBool::NE, vBool::LT, vBool::GE, vBool::GT, vBool::LE};
    for (unsigned i = 0; i < 6; ++i) {
        EXPECT_EQ(named(names[i]), operators[i]) << i;
        for (unsigned j = 0; j < i; ++j) EXPECT_NE(operators[i], operators[j]) << i << " " << j;
    }
}

// --- recorder ----------------------------------------------------------------------------------------------

TEST(kernel_recorder, refuses_words_while_nothing_records_and_words_of_the_other_architecture) {
    EXPECT_EQ(error_of([] { TTI_SFPNOP; }), "an instruction was issued while nothing records");
    kernel_recorder::recorder into(wh);
    EXPECT_EQ(error_of([&] { kernel_recorder::record(into, [] { TTI_SFPNOP; }); }),
              "a kernel compiled for Blackhole issued into a recorder for Wormhole");
}

TEST(kernel_recorder, of_an_inner_recording_gives_way_to_the_outer_one_afterwards) {
    words inner;
    const words outer = recorded([&] {
        TTI_NOP;
        inner = recorded([] { TTI_SFPNOP; });
        TTI_NOP;
    });
    EXPECT_EQ(outer, (words{TT_OP_NOP, TT_OP_NOP}));
    EXPECT_EQ(inner, (words{TT_OP_SFPNOP}));
}

TEST(kernel_recorder, is_current_in_its_own_thread_only) {
    std::string other;
    recorded([&] { std::thread([&] { other = error_of([] { TTI_NOP; }); }).join(); });
    EXPECT_EQ(other, "an instruction was issued while nothing records");
}

TEST(kernel_recorder, takes_the_increment_behind_dst_reg_as_an_incrwc) {
    EXPECT_EQ(recorded([] {
                  sfpi::dst_reg++;
                  sfpi::dst_reg += 3;
              }),
              (words{TT_OP_INCRWC(0, 2, 0, 0), TT_OP_INCRWC(0, 6, 0, 0)}));
}

// --- replay (K5) -------------------------------------------------------------------------------------------

/// A word that names itself.
constexpr std::uint32_t numbered(unsigned n) { return TT_OP_SFPLOADI(0, 2, n); }
void issue_numbered(unsigned from, unsigned to) {
    for (unsigned n = from; n < to; ++n) TT_SFPLOADI(0, 2, n);
}

TEST(kernel_replay, of_a_plain_recording_issues_nothing_until_it_is_played) {
    EXPECT_EQ(recorded([] {
                  lltt::record(4, 2);
                  issue_numbered(0, 3);
                  lltt::replay(4, 2);
                  lltt::replay(5, 1);
              }),
              (words{numbered(2), numbered(0), numbered(1), numbered(1)}));
}

TEST(kernel_replay, of_a_recording_with_exec_also_issues_while_it_loads) {
    EXPECT_EQ(recorded([] {
                  lltt::record<lltt::Exec>(0, 2);
                  issue_numbered(0, 2);
                  lltt::replay(0, 2);
              }),
              (words{numbered(0), numbered(1), numbered(0), numbered(1)}));
}

TEST(kernel_replay, wraps_around_after_slot_31) {
    EXPECT_EQ(recorded([] {
                  TTI_REPLAY(31, 2, 0, 1);
                  issue_numbered(0, 2);
                  TTI_REPLAY(0, 1, 0, 0);
                  TTI_REPLAY(31, 1, 0, 0);
              }),
              (words{numbered(1), numbered(0)}));
}

TEST(kernel_replay, of_length_0_means_64_words_of_which_the_later_32_stay) {
    const words played = recorded([] {
        lltt::record(0, 0);
        issue_numbered(0, 64);
        lltt::replay(0, 0);
    });
    ASSERT_EQ(played.size(), 64u);
    EXPECT_EQ(played.front(), numbered(32));
    EXPECT_EQ(played[32], numbered(32));
    EXPECT_EQ(played.back(), numbered(63));
}

TEST(kernel_replay, buffer_lasts_from_one_recording_to_the_next) {
    kernel_recorder::recorder into(bh);
    kernel_recorder::record(into, [] { ckernel::load_replay_buf(0, 1, [] { TTI_SFPNOP; }); });
    EXPECT_EQ(kernel_recorder::record(into, [] { lltt::replay(0, 1); }), (words{TT_OP_SFPNOP}));
}

TEST(kernel_replay, refuses_empty_slots_nested_loads_and_loads_that_never_end) {
    EXPECT_EQ(error_of([] { recorded([] { lltt::replay(7, 1); }); }),
              "REPLAY of slot 7, which nothing was loaded into");
    EXPECT_EQ(error_of([] {
                  recorded([] {
                      lltt::record(0, 2);
                      lltt::replay(0, 1);
                  });
              }),
              "REPLAY issued while the replay buffer still takes 2 words: the recorded length is too large");
    EXPECT_EQ(
        error_of([] { recorded([] { lltt::record(0, 2); }); }),
        "the replay buffer still takes 2 words at the end of the function: the recorded length is too large");
}

// --- gaps --------------------------------------------------------------------------------------------------

/// A mark for each word, 'g' where idle cycles can stand before it.
std::string marks(const std::vector<bool>& gaps) {
    std::string text;
    for (const bool gap : gaps) text += gap ? 'g' : '-';
    return text;
}

template <typename Function>
std::string gaps_of(Function function) {
    kernel_recorder::recorder into(bh);
    const kernel_recorder::recording scope(into);
    function();
    return marks(into.take().gaps);
}

TEST(recorded_gaps, stand_before_each_pushed_word) {
    EXPECT_EQ(gaps_of([] { issue_numbered(0, 3); }), "ggg");
}

TEST(recorded_gaps, stand_before_what_a_replay_plays_and_not_between) {
    EXPECT_EQ(gaps_of([] {
                  lltt::record(0, 3);
                  issue_numbered(0, 3);
                  lltt::replay(0, 3);
                  TTI_SFPNOP;
                  lltt::replay(1, 2);
              }),
              "g--gg-");
}

TEST(recorded_gaps, stand_before_each_word_that_is_executed_while_it_is_loaded) {
    EXPECT_EQ(gaps_of([] {
                  lltt::record<lltt::Exec>(0, 2);
                  issue_numbered(0, 2);
                  lltt::replay(0, 2);
              }),
              "ggg-");
}

TEST(recorded_gaps, stand_before_what_a_mop_expands_to_and_not_between) {
    EXPECT_EQ(gaps_of([] {
                  lltt::record(0, 2);
                  issue_numbered(0, 2);
                  ckernel::ckernel_template mop(2, 1, lltt::replay_insn(0, 2));
                  TTI_SFPNOP;
                  mop.program_and_run();
                  TTI_SFPNOP;
              }),
              "gg---g");
}

/// How far behind line `first` the lines stand that issued the words.
std::vector<unsigned> lines_behind(unsigned first, const kernel_recorder::recorded_words& what) {
    std::vector<unsigned> lines;
    for (const kernel_recorder::source_place& place : what.places)
        lines.push_back(place.file && std::string(place.file) == __FILE__ ? place.line - first : 999);
    return lines;
}

TEST(recorded_places, are_the_lines_that_issue_the_words_and_of_a_replay_those_that_recorded_them) {
    kernel_recorder::recorder into(bh);
    const kernel_recorder::recording scope(into);
    constexpr unsigned first = __LINE__;
    TTI_SFPNOP;
    lltt::record(0, 2);
    TT_SFPABS(0, 0, 1, 0);
    lltt::insn(TT_OP_SFPABS(0, 0, 2, 0));
    lltt::replay(0, 2);
    ckernel::addr_mod_t{}.set(7);
    ckernel::instrn_buffer[0] = TT_OP_SFPNOP;
    ckernel::ckernel_template loop(1, 2, TT_OP_SFPNOP);
    loop.program();
    loop.run();
    EXPECT_EQ(lines_behind(first, into.take()), (std::vector<unsigned>{1, 3, 4, 6, 6, 6, 7, 10, 10}));
}

TEST(recorded_places, of_vector_types_are_those_of_the_operations_whatever_order_the_words_have) {
    kernel_recorder::recorder into(bh);
    const kernel_recorder::recording scope(into);
    constexpr unsigned first = __LINE__;
    sfpi::vFloat x = sfpi::dst_reg[0];
    const sfpi::vFloat y = x * 0.3f;
    v_if(x > 0.0f) { x = y; }
    v_endif;
    sfpi::dst_reg[0] = x;
    sfpi::dst_reg++;
    const std::vector<unsigned> lines = lines_behind(first, into.take());
    ASSERT_GE(lines.size(), 8u);
    EXPECT_EQ(lines.front(), 1u) << "the load";
    EXPECT_EQ(lines[lines.size() - 1], 6u) << "the step of the counter";
    EXPECT_EQ(lines[lines.size() - 2], 5u) << "the store";
    EXPECT_EQ(lines[lines.size() - 3], 4u) << "SFPPOPC";
    EXPECT_GE(std::count(lines.begin(), lines.end(), 3u), 2) << "SFPPUSHC and SFPSETCC";
    EXPECT_GE(std::count(lines.begin(), lines.end(), 2u), 2) << "the constant and the product";
    EXPECT_EQ(std::count(lines.begin(), lines.end(), 999u), 0);
}

TEST(recorded_places, are_in_the_kernel_file_if_somebody_asks) {
    kernel_recorder::program_builder builder("any", bh);
    constexpr unsigned line = __LINE__ + 1;
    const auto row = [] { TTI_SFPABS(0, 0, 1, 0); };
    builder.calculate(2, [&] {
        row();
        row();
    });
    const kernel_recorder::program made = builder.build();
    EXPECT_EQ(kernel_recorder::assembly_source(made).find(".origin"), std::string::npos);
    const isa::assembly read =
        isa::assemble(kernel_recorder::assembly_source(made, kernel_recorder::origins::written), "any.s", bh);
    ASSERT_TRUE(read.ok());
    ASSERT_EQ(read.program.origins.size(), 1u);
    EXPECT_EQ(read.program.origins[0].file, __FILE__);
    EXPECT_EQ(read.program.origins[0].line, line);
}

TEST(recorded_gaps, are_in_the_kernel_file_and_those_of_any_iteration_in_the_loop) {
    const auto row = [](bool pushes) {
        if (pushes) issue_numbered(0, 2);
        else lltt::replay(0, 2);
    };
    const kernel_recorder::program program = kernel_recorder::program_builder("k", bh)
                                                 .init([] {
                                                     lltt::record(0, 2);
                                                     issue_numbered(0, 2);
                                                 })
                                                 .calculate(2,
                                                            [&] {
                                                                row(false);
                                                                row(true);
                                                                TTI_SFPNOP;
                                                            })
                                                 .build();
    EXPECT_EQ(marks(program.gaps.loop), "gg");
    EXPECT_EQ(marks(program.gaps.tail), "g");
    const kernel_recorder::program played = kernel_recorder::program_builder("k", bh)
                                                .calculate(2,
                                                           [&] {
                                                               lltt::record(0, 2);
                                                               issue_numbered(0, 2);
                                                               row(false);
                                                               row(false);
                                                           })
                                                .build();
    EXPECT_EQ(marks(played.gaps.loop), "g-");
    const isa::assembly again = isa::assemble(kernel_recorder::assembly_source(played), "k.s", bh);
    ASSERT_TRUE(again.ok()) << again.errors.front().to_string();
    ASSERT_EQ(again.program.loop.size(), 2u);
    EXPECT_TRUE(again.program.loop[0].gap);
    EXPECT_FALSE(again.program.loop[1].gap);
}

// --- programs ----------------------------------------------------------------------------------------------

kernel_recorder::program built(unsigned rows, const std::function<void()>& call,
                               kernel_recorder::drain when = kernel_recorder::drain::once) {
    return kernel_recorder::program_builder("k", bh).calculate(rows, call, when).build();
}

TEST(kernel_program, takes_the_shortest_repeating_part_as_its_loop_and_the_nops_behind_it_as_its_tail) {
    const kernel_recorder::program program = built(8, [] {
        for (unsigned row = 0; row < 8; ++row) {
            TT_SFPLOAD(row % 2, 4, 7, 0);
            TTI_SFPNOP;
        }
        TTI_SFPNOP;
    });
    EXPECT_EQ(program.rows_per_iteration, 2u);
    EXPECT_EQ(program.loop,
              (words{TT_OP_SFPLOAD(0, 4, 7, 0), TT_OP_SFPNOP, TT_OP_SFPLOAD(1, 4, 7, 0), TT_OP_SFPNOP}));
    EXPECT_EQ(program.tail, (words{TT_OP_SFPNOP}));
}

TEST(kernel_program, moves_constants_that_a_call_loads_first_to_init) {
    const kernel_recorder::program program = built(4, [] {
        issue_numbered(7, 8);
        for (unsigned row = 0; row < 4; ++row) TTI_SFPABS(0, 0, 1, 0);
    });
    EXPECT_EQ(program.init, (words{numbered(7)}));
    EXPECT_EQ(program.loop, (words{TT_OP_SFPABS(0, 0, 1, 0)}));
    EXPECT_EQ(program.rows_per_iteration, 1u);
}

TEST(kernel_program, keeps_a_call_that_repeats_nothing_or_is_to_be_drained_each_time_as_one_iteration) {
    const auto call = [] {
        TTI_SFPABS(0, 0, 1, 0);
        TTI_SFPNOT(0, 0, 1, 0);
        TTI_SFPNOP;
    };
    const kernel_recorder::program once = built(2, call);
    EXPECT_EQ(once.loop.size(), 2u);
    EXPECT_EQ(once.tail.size(), 1u);
    EXPECT_EQ(once.rows_per_iteration, 2u);
    const kernel_recorder::program every = built(2, call, kernel_recorder::drain::every_call);
    EXPECT_EQ(every.loop.size(), 3u);
    EXPECT_TRUE(every.tail.empty());
}

TEST(kernel_program, expects_throughputs_that_its_assembly_can_say) {
    for (const double cycles : {0.0, 0.001, 1234567.5, 999999999.0, 1e9}) {
        kernel_recorder::program_builder builder("k", bh);
        const std::string text = kernel_recorder::assembly_source(
            builder.calculate(1, [] { TTI_SFPABS(0, 0, 1, 0); }).expect_cycles_per_row(cycles).build());
        EXPECT_EQ(isa::assemble(text, "k.s", bh).program.expected_cycles_per_row, cycles);
    }
    for (const double cycles : {-1.0, 0.0001, 1e10, static_cast<double>(INFINITY), static_cast<double>(NAN)})
        EXPECT_NE(error_of([&] {
                      kernel_recorder::program_builder("k", bh).expect_cycles_per_row(cycles);
                  }).find("expected 0.001 to 1000000000 cycles a row, found "),
                  std::string::npos);
}

TEST(kernel_program, writes_assembly_that_assembles_to_the_same_sections_and_directives) {
    const kernel_recorder::program program =
        kernel_recorder::program_builder("k", wh)
            .init([] { lltt::insn(0x91001f81); })
            .calculate(
                2, [] { lltt::insn(0x7d000010); }, kernel_recorder::drain::every_call)
            .tail([] { lltt::insn(0x8f000000); })
            .rows(64)
            .expect_cycles_per_row(0.5)
            .config("fp32_enabled", "1")
            .build();
    const isa::assembly again = isa::assemble(kernel_recorder::assembly_source(program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << again.errors.front().to_string();
    EXPECT_EQ(again.program.arch, wh);
    EXPECT_EQ(plain(again.program.init), program.init);
    EXPECT_EQ(plain(again.program.loop), program.loop);
    EXPECT_EQ(plain(again.program.tail), program.tail);
    EXPECT_EQ(again.program.rows_per_iteration, 2u);
    EXPECT_EQ(again.program.rows, 64u);
    EXPECT_EQ(again.program.expected_cycles_per_row, 0.5);
    ASSERT_EQ(again.program.config.size(), 2u); // and that it starts as firmware starts it
    EXPECT_EQ(again.program.config.front().key, "firmware_start");
    EXPECT_EQ(again.program.config.front().value, "true");
    EXPECT_EQ(again.program.config.back().key, "fp32_enabled");
}

TEST(kernel_program, says_nothing_of_firmware_that_does_not_start_it) {
    const kernel_recorder::program program =
        kernel_recorder::program_builder("k", bh).calculate(1, [] { TTI_NOP; }).firmware_start(false).build();
    EXPECT_EQ(kernel_recorder::assembly_source(program).find("firmware_start"), std::string::npos);
}

TEST(kernel_program, refuses_rows_that_do_not_fill_iterations_and_a_missing_loop) {
    EXPECT_EQ(error_of([] { kernel_recorder::program_builder("k", bh).build(); }),
              "the kernel has no loop: calculate() was not called");
    EXPECT_EQ(error_of([] {
                  kernel_recorder::program_builder("k", bh)
                      .calculate(
                          3, [] { TTI_NOP; }, kernel_recorder::drain::every_call)
                      .build();
              }),
              "the kernel has 32 rows, expected a multiple of 3, the rows of an iteration");
}

} // namespace
} // namespace sfpu::test
