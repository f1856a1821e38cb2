// TensorLoad words: decoder, encoder, assembler. Expected words come from the format tables or GNU as.
#include <sfpu/tensorload/encoding.h>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sfpu::test {
namespace {

using namespace tensorload;

const tensorload_parameters defaults;

tensorload_parameters without_aliases() {
    tensorload_parameters config;
    config.accept_printed_aliases = false;
    return config;
}

struct reference_word {
    const char* line;
    std::uint32_t word;
};
/// Assembled with GNU as 2.40 by .insn directives.
constexpr reference_word reference_words[] = {
    {"tl.mload tl1, 0(x14)", 0x1000875b},         {"tl.load tl2, -1(x14)", 0x0ff1075b},
    {"tl.addi tl3, tl3, -5", 0x4fb1a1db},         {"tl.addi tl1, tl0, 50", 0x432020db},
    {"tl.concat.2 tl10, tl11, tl12", 0xc4c5955b}, {"tl.merge.0 tl13, tl14, tl15", 0xc8f716db},
    {"tl.xpose.01 tl1, tl2, x14", 0xc820b75b},    {"tl.mstore tl3, 0(x14)", 0xb001a75b},
    {"tl.store tl4, 1(x14)", 0xa012275b},
};

TEST(tensorload_encoding, the_assembler_gives_the_words_of_gnu_as) {
    for (const auto& [line, word] : reference_words) {
        const assembled result = assemble(line);
        ASSERT_TRUE(result.word) << line << ": " << result.message;
        EXPECT_EQ(*result.word, word) << line;
        EXPECT_EQ(result.message, "");
    }
}

TEST(tensorload_encoding, the_disassembler_gives_back_the_text_of_reference_words) {
    for (const auto& [line, word] : reference_words) EXPECT_EQ(disassemble(word, defaults), line);
}

TEST(tensorload_encoding, decoding_gives_the_fields_of_the_reference_words) {
    const auto mload = decode(0x1000875b, defaults);
    ASSERT_TRUE(mload);
    EXPECT_EQ(mload->op, operation::mload);
    EXPECT_EQ(mload->destination, 1);
    EXPECT_EQ(mload->scalar, 14);
    const auto join = decode(0xc4c5955b, defaults);
    ASSERT_TRUE(join);
    EXPECT_EQ(join->op, operation::concat);
    EXPECT_EQ(join->p, 2);
    EXPECT_EQ(join->destination, 10);
    EXPECT_EQ(join->a, 11);
    EXPECT_EQ(join->b, 12);
    const auto add = decode(0x4fb1a1db, defaults);
    ASSERT_TRUE(add);
    EXPECT_EQ(add->immediate, -5);
}

/// The format table: value of the fixed bits, mask of the fixed bits.
struct format_row {
    operation op;
    std::uint32_t match, mask;
};
constexpr format_row formats[] = {
    {operation::load, 0x0000005b, 0x3000707f},  {operation::mload, 0x1000005b, 0x3000707f},
    {operation::store, 0x2000205b, 0x3000707f}, {operation::mstore, 0x3000205b, 0x3000707f},
    {operation::addi, 0x0000205b, 0x3000707f},  {operation::concat, 0x0000105b, 0x3800707f},
    {operation::merge, 0x0800105b, 0x3800707f}, {operation::xpose, 0x0000305b, 0x2000707f},
    {operation::store, 0x2000005b, 0x3000707f}, {operation::mstore, 0x3000005b, 0x3000707f},
    {operation::merge, 0x1000105b, 0x3800707f},
};
constexpr std::size_t canonical_formats = 8; // the rest are printed aliases

/// What the table says of a word.
std::optional<operation> listed(std::uint32_t word, bool aliases) {
    for (std::size_t i = 0; i < (aliases ? std::size(formats) : canonical_formats); ++i) {
        const format_row& row = formats[i];
        const bool has_axis = row.op == operation::concat || row.op == operation::merge;
        if ((word & row.mask) == row.match && !(has_axis && (word >> 25 & 3) == 3)) return row.op;
    }
    return std::nullopt;
}

/// All combinations of bits 31:25 and 14:12, which are all bits that select an instruction.
template <class F>
void for_each_selection(F f) {
    for (std::uint32_t top = 0; top < 128; ++top)
        for (std::uint32_t funct3 = 0; funct3 < 8; ++funct3)
            for (const std::uint32_t rest : {0x00000000u, 0x01ff8f80u, 0x00a50300u, 0x01238a80u})
                f(top << 25 | funct3 << 12 | rest | 0x5b);
}

TEST(tensorload_encoding, exactly_the_words_of_the_format_table_are_instructions) {
    for_each_selection([](std::uint32_t word) {
        const auto insn = decode(word, defaults);
        const auto expected = listed(word, true);
        ASSERT_EQ(insn.has_value(), expected.has_value()) << std::hex << word;
        if (insn) {
            EXPECT_EQ(insn->op, *expected) << std::hex << word;
        }
    });
}

TEST(tensorload_encoding, without_printed_aliases_only_the_canonical_formats_are_instructions) {
    for_each_selection([](std::uint32_t word) {
        const auto insn = decode(word, without_aliases());
        const auto expected = listed(word, false);
        ASSERT_EQ(insn.has_value(), expected.has_value()) << std::hex << word;
        if (insn) {
            EXPECT_EQ(insn->op, *expected) << std::hex << word;
        }
    });
}

TEST(tensorload_encoding, words_of_other_opcodes_are_not_decoded) {
    for (std::uint32_t opcode = 0; opcode < 128; ++opcode) {
        EXPECT_EQ(decode(0x10008700u | opcode, defaults).has_value(), opcode == 0x5b);
        EXPECT_EQ(is_tensorload(0x10008700u | opcode), opcode == 0x5b);
    }
}

TEST(tensorload_encoding, no_tensix_word_of_the_push_instruction_looks_like_one) {
    // A pushed word is below C0000000 and rotated left by two: its low bits are 00, 01 or 10.
    for (std::uint32_t high = 0; high < 3; ++high) EXPECT_NE(high, 0x5bu & 3u);
}

instruction random_instruction(std::mt19937& random) {
    const auto number = [&] { return static_cast<unsigned>(random() % 32); };
    const int imm = static_cast<int>(random() % 256) - 128;
    switch (random() % 8) {
    case 0: return load(number(), number(), imm);
    case 1: return mload(number(), number(), imm);
    case 2: return store(number(), number(), imm);
    case 3: return mstore(number(), number(), imm);
    case 4: return addi(number(), number(), imm);
    case 5: return concat(static_cast<unsigned>(random() % 3), number(), number(), number());
    case 6: return merge(static_cast<unsigned>(random() % 3), number(), number(), number());
    default:
        return xpose(static_cast<unsigned>(random() % 2), static_cast<unsigned>(2 + random() % 2), number(),
                     number(), number());
    }
}

TEST(tensorload_encoding, decoding_is_the_inverse_of_encoding) {
    std::mt19937 random(1);
    for (unsigned round = 0; round < 20000; ++round) {
        const instruction insn = random_instruction(random);
        const std::uint32_t word = encode(insn);
        for (const tensorload_parameters& config : {defaults, without_aliases()}) {
            const auto back = decode(word, config);
            ASSERT_TRUE(back) << text(insn);
            EXPECT_EQ(text(*back), text(insn));
            EXPECT_EQ(encode(*back), word) << text(insn);
        }
    }
}

TEST(tensorload_encoding, assembling_a_disassembled_word_gives_the_word) {
    std::mt19937 random(2);
    for (unsigned round = 0; round < 20000; ++round) {
        const std::uint32_t word = round % 2 ? encode(random_instruction(random))
                                             : (static_cast<std::uint32_t>(random()) & ~0x7fu) | 0x5b;
        const std::string line = disassemble(word, defaults);
        if (line.substr(0, 5) != ".word") EXPECT_EQ(assemble(line).word, word) << line;
        else EXPECT_EQ(round % 2, 0u) << line;
    }
}

TEST(tensorload_encoding, a_word_that_is_no_canonical_text_is_shown_as_data) {
    EXPECT_EQ(disassemble(0xffffffff, defaults), ".word 0xffffffff");
    EXPECT_EQ(disassemble(0x5000875b, defaults), ".word 0x5000875b"); // tl.mload with EngineID 01
    EXPECT_EQ(disassemble(0x8c60b75b, defaults), ".word 0x8c60b75b");
}

TEST(tensorload_encoding, only_loads_stores_and_transposes_read_a_scalar_register) {
    EXPECT_TRUE(load(1, 2, 3).has_scalar());
    EXPECT_TRUE(mload(1, 2, 3).has_scalar());
    EXPECT_TRUE(store(1, 2, 3).has_scalar());
    EXPECT_TRUE(mstore(1, 2, 3).has_scalar());
    EXPECT_TRUE(xpose(0, 1, 2, 3, 4).has_scalar());
    EXPECT_FALSE(addi(1, 2, 3).has_scalar());
    EXPECT_FALSE(concat(0, 1, 2, 3).has_scalar());
    EXPECT_FALSE(merge(0, 1, 2, 3).has_scalar());
}

TEST(tensorload_encoding, register_use_leaves_tl0_out) {
    EXPECT_EQ(load(5, 1, 0).destinations(), 1u << 5);
    EXPECT_EQ(load(5, 1, 0).sources(), 0u);
    EXPECT_EQ(load(0, 1, 0).destinations(), 0u);
    EXPECT_EQ(store(6, 1, 0).sources(), 1u << 6);
    EXPECT_EQ(store(6, 1, 0).destinations(), 0u);
    EXPECT_EQ(addi(1, 0, 5).sources(), 0u);
    EXPECT_EQ(concat(0, 1, 2, 3).sources(), 0xcu);
    EXPECT_EQ(merge(0, 1, 2, 3).destinations(), 2u);
    EXPECT_EQ(xpose(0, 1, 4, 5, 6).destinations(), 0x30u);
    EXPECT_EQ(xpose(0, 1, 4, 5, 6).sources(), 0x30u);
    EXPECT_EQ(xpose(1, 1, 4, 5, 6).sources(), 0u);
}

// --- EngineID -------------------------------------------------------------------------------------------

TEST(tensorload_encoding, row_C9_engine_id_is_ignored_by_default) {
    for (const auto& [line, word] : reference_words)
        for (std::uint32_t id = 0; id < 4; ++id) {
            const auto insn = decode((word & 0x3fffffffu) | id << 30, defaults);
            ASSERT_TRUE(insn) << line;
            EXPECT_EQ(text(*insn), line);
            EXPECT_EQ(insn->engine_id, id);
        }
}

TEST(tensorload_encoding, row_C9_under_strict_only_the_natural_engine_id_is_legal) {
    tensorload_parameters strict;
    strict.engine_id = engine_id_use::strict;
    for (const auto& [line, word] : reference_words)
        for (std::uint32_t id = 0; id < 4; ++id)
            EXPECT_EQ(decode((word & 0x3fffffffu) | id << 30, strict).has_value(), id == word >> 30) << line;
}

TEST(tensorload_encoding, row_C10_the_printed_numbers_of_concat_decode_as_concat) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const auto insn =
            decode((0x40 + axis) << 25 | 3u << 20 | 2u << 15 | 1u << 12 | 1u << 7 | 0x5b, defaults);
        ASSERT_TRUE(insn);
        EXPECT_EQ(text(*insn), "tl.concat." + std::to_string(axis) + " tl1, tl2, tl3");
    }
}

TEST(tensorload_encoding, row_C11_both_printed_groups_of_merge_decode_as_merge) {
    for (const std::uint32_t funct5 : {4u, 5u, 6u, 8u, 9u, 10u}) {
        const std::uint32_t word = funct5 << 25 | 3u << 20 | 2u << 15 | 1u << 12 | 1u << 7 | 0x5b;
        const auto insn = decode(word, defaults);
        ASSERT_TRUE(insn) << funct5;
        EXPECT_EQ(text(*insn), "tl.merge." + std::to_string(funct5 % 4) + " tl1, tl2, tl3");
        EXPECT_EQ(decode(word, without_aliases()).has_value(), funct5 < 8);
    }
}

TEST(tensorload_encoding, row_C7_masked_stores_decode_with_both_printed_function_codes) {
    for (const std::uint32_t funct3 : {0u, 2u}) {
        const auto insn = decode(0xb000005bu | funct3 << 12 | 3u << 15 | 14u << 7, defaults);
        ASSERT_TRUE(insn);
        EXPECT_EQ(text(*insn), "tl.mstore tl3, 0(x14)");
    }
}

TEST(tensorload_encoding, row_C8_bit_29_alone_tells_a_store_from_an_addi) {
    for (const std::uint32_t engine : {0u, 1u, 2u, 3u}) {
        const std::uint32_t common = engine << 30 | 7u << 20 | 3u << 15 | 2u << 12 | 14u << 7 | 0x5b;
        const auto addi = decode(common, defaults), store = decode(common | 1u << 29, defaults);
        ASSERT_TRUE(addi && store) << engine;
        EXPECT_EQ(addi->op, operation::addi) << engine;
        EXPECT_EQ(store->op, operation::store) << engine;
    }
}

TEST(tensorload_encoding, row_C13_the_axes_of_a_transpose_are_an_unordered_pair) {
    for (unsigned p = 0; p < 4; ++p)
        for (unsigned q = p + 1; q < 4; ++q) {
            const std::uint32_t rest = 2u << 20 | 1u << 15 | 3u << 12 | 10u << 7 | 0x5b;
            const std::string line = "tl.xpose." + std::to_string(p) + std::to_string(q) + " tl1, tl2, x10";
            for (const std::uint32_t funct5 : {q << 2 | p, p << 2 | q}) {
                const auto insn = decode(funct5 << 25 | rest, without_aliases());
                ASSERT_TRUE(insn);
                EXPECT_EQ(text(*insn), line);
            }
            EXPECT_EQ(assemble(line).word, 3u << 30 | (q << 2 | p) << 25 | rest);
        }
}

TEST(tensorload_encoding, the_printed_codes_of_all_six_transposes_decode_as_labelled) {
    const std::map<std::uint32_t, const char*> printed{{0x01, "01"}, {0x02, "02"}, {0x03, "03"},
                                                       {0x09, "12"}, {0x0a, "13"}, {0x0b, "23"}};
    for (const auto& [funct5, axes] : printed) {
        const auto insn = decode(funct5 << 25 | 2u << 20 | 1u << 15 | 3u << 12 | 10u << 7 | 0x5b, defaults);
        ASSERT_TRUE(insn);
        EXPECT_EQ(text(*insn), std::string("tl.xpose.") + axes + " tl1, tl2, x10");
    }
}

TEST(tensorload_encoding, row_C14_code_0A_is_a_no_op_without_printed_aliases) {
    const auto insn =
        decode(0x0au << 25 | 2u << 20 | 1u << 15 | 3u << 12 | 10u << 7 | 0x5b, without_aliases());
    ASSERT_TRUE(insn);
    EXPECT_TRUE(insn->is_no_op());
}

TEST(tensorload_encoding, row_C15_the_element_size_variants_are_illegal) {
    for (const std::uint32_t funct7 : {0x31u, 0x32u, 0x33u, 0x34u})
        EXPECT_FALSE(decode(funct7 << 25 | 2u << 20 | 1u << 15 | 3u << 12 | 10u << 7 | 0x5b, defaults))
            << funct7;
}

// --- assembler messages ---------------------------------------------------------------------------------

TEST(tensorload_assembler, row_C2_an_immediate_out_of_range_is_cut_to_8_bits_with_a_warning) {
    const assembled high = assemble("tl.addi tl1, tl2, 128");
    EXPECT_EQ(high.word, assemble("tl.addi tl1, tl2, -128").word);
    EXPECT_EQ(high.message, "128 is outside -128 to 127, -128 is used");
    const assembled low = assemble("tl.load tl1, -129(x1)");
    EXPECT_EQ(low.word, assemble("tl.load tl1, 127(x1)").word);
    EXPECT_NE(low.message, "");
    EXPECT_EQ(assemble("tl.addi tl1, tl2, -128").message, "");
    EXPECT_EQ(assemble("tl.addi tl1, tl2, 127").message, "");
}

TEST(tensorload_assembler, numbers_may_be_hexadecimal_and_a_missing_slice_count_is_zero) {
    EXPECT_EQ(assemble("tl.addi tl1, tl2, 0x7f").word, assemble("tl.addi tl1,tl2,127").word);
    EXPECT_EQ(assemble("  tl.load tl1, (x5)  ").word, assemble("tl.load tl1, 0(x5)").word);
}

struct bad_line {
    const char *line, *message;
};

TEST(tensorload_assembler, a_bad_line_is_refused_with_what_was_found_and_expected) {
    const bad_line lines[] = {
        {"tl.load tl32, 0(x1)", "found 'tl32', expected tl0 to tl31"},
        {"tl.load t2, 0(x1)", "found 't2', expected tl0 to tl31"}, // row C22
        {"tl.load tlr2, 0(x1)", "found 'tlr2', expected tl0 to tl31"},
        {"tl.load tl2, 0(x32)", "found 'x32', expected x0 to x31"},
        {"tl.load tl2, 0(a0)", "found 'a0', expected x0 to x31"},
        {"tl.load tl2, x14", "found 'x14', expected slices(xB)"},
        {"tl.load tl2, x13, x14", "found 3 operands, expected tl.load tlD, slices(xB)"}, // row C36
        {"tl.concat.3 tl1, tl2, tl3", "found axis '3', expected 0 to 2"},
        {"tl.merge.9 tl1, tl2, tl3", "found axis '9', expected 0 to 2"},
        {"tl.xpose.04 tl1, tl2, x3", "found axis '4', expected 0 to 3"},
        {"tl.addi tl1, tl2, five", "found 'five', expected a number from -128 to 127"},
        {"tl.addi tl1, tl2,", "found '', expected a number from -128 to 127"},
        {"tl.addi tl1, tl2", "found 2 operands, expected tl.addi tlD, tlS, immediate"},
    };
    for (const auto& [line, message] : lines) {
        const assembled result = assemble(line);
        EXPECT_FALSE(result.word) << line;
        EXPECT_EQ(result.message, message) << line;
    }
}

TEST(tensorload_assembler, an_unknown_mnemonic_is_refused_with_all_known_ones) {
    for (const char* line :
         {"", "tl.lod tl1, 0(x1)", "tl.concat tl1, tl2, tl3", "tl.xpose.1 tl1, tl2, x3", "addi x1, x2, 3"}) {
        const assembled result = assemble(line);
        EXPECT_FALSE(result.word) << line;
        EXPECT_NE(result.message.find("expected tl.load, tl.mload"), std::string::npos) << line;
    }
}

} // namespace
} // namespace sfpu::test
