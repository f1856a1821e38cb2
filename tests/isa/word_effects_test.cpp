// What effects_of() says of a word is true of its semantics: what it says is not read does not matter, what
// it says is not written stays, in every mode of every instruction on random state.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/word_effects.h>

#include <gtest/gtest.h>

#include <functional>
#include <ios>
#include <memory>

namespace sfpu::test {
namespace {

using isa::effects_of;
using isa::word_effects;

/// Calls f(instruction, effects) for words of every SFPU opcode and modifier with several operands; template
/// writes, and modifiers that are undefined, are left out.
void for_each_word(architecture arch, unsigned operands,
                   const std::function<void(const isa::instruction&, const word_effects&)>& f) {
    random_bits random(7);
    for (unsigned code = 0x70; code <= 0x99; ++code)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (unsigned trial = 0; trial < operands; ++trial) {
                std::uint32_t word = code << 24 | (random.next() & 0xffff7fu); // VD below 8 in most formats
                const isa::layout format = isa::decode(code << 24, arch).op
                                               ? isa::decode(code << 24, arch).op->format
                                               : isa::layout::front_end;
                const bool mod0 = format == isa::layout::mod0_address || format == isa::layout::mod0_imm16;
                word = mod0 ? (word & ~0x8f0000u) | mod << 16 : (word & ~0x8fu) | mod | (word & 0x70u);
                const isa::instruction insn = isa::decode(word, arch);
                if (!insn.op || isa::classify(word, arch) != isa::word_kind::sfpu || insn.names_template())
                    continue;
                if (insn.status == isa::definition::undefined) continue;
                f(insn, effects_of(insn, arch));
            }
}

std::unique_ptr<lane_machine> machine_in_any_state(architecture arch, random_bits& random) {
    auto machine = std::make_unique<lane_machine>(isa::word_encoding(arch));
    machine->thread.reset(arch);
    randomise(*machine, random);
    for (auto& row : machine->dst) row.fill(static_cast<std::uint16_t>(random.next()));
    return machine;
}

/// Whether registers of the set are equal.
bool same_registers(const lane_machine& a, const lane_machine& b, isa::register_set which) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        for (unsigned lane = 0; isa::contains(which, lreg) && lane < lane_count; ++lane)
            if (a.state.lreg[lreg].v[lane] != b.state.lreg[lreg].v[lane]) return false;
    return true;
}

bool same_stack(const isa::flag_stack& a, const isa::flag_stack& b) {
    if (a.depth() != b.depth() || a.held() != b.held()) return false;
    for (unsigned i = 0; i < a.held(); ++i)
        if (a.from_bottom(i).flags != b.from_bottom(i).flags ||
            a.from_bottom(i).use_flags != b.from_bottom(i).use_flags)
            return false;
    return true;
}

constexpr isa::register_set all_registers = 0x1ffff;

TEST(word_effects, what_is_not_written_stays) {
    random_bits random(11);
    unsigned words = 0;
    for (const architecture arch : both)
        for_each_word(arch, 2, [&](const isa::instruction& insn, const word_effects& says) {
            const auto before = machine_in_any_state(arch, random);
            const auto after = std::make_unique<lane_machine>(*before);
            after->execute(insn);
            SCOPED_TRACE(testing::Message() << std::hex << insn.word);
            EXPECT_TRUE(same_registers(*before, *after, all_registers & ~says.writes));
            EXPECT_TRUE(says.writes_flags || (before->state.flags == after->state.flags &&
                                              before->state.use_flags == after->state.use_flags));
            EXPECT_TRUE(says.uses_stack || same_stack(before->state.stack, after->state.stack));
            for (unsigned lane = 0; !says.uses_random && lane < lane_count; ++lane)
                EXPECT_EQ(before->state.prng.v[lane], after->state.prng.v[lane]);
            EXPECT_TRUE(says.writes_config || before->state.macro == after->state.macro);
            EXPECT_TRUE(says.stores_dst || before->dst == after->dst);
            ++words;
        });
    EXPECT_GT(words, 1500u);
}

TEST(word_effects, what_is_not_read_does_not_matter) {
    random_bits random(13);
    for (const architecture arch : both)
        for_each_word(arch, 2, [&](const isa::instruction& insn, const word_effects& says) {
            const auto one = machine_in_any_state(arch, random);
            const auto other = std::make_unique<lane_machine>(*one);
            // Lanes that an instruction leaves alone keep what they had: then its results are read as well.
            const isa::register_set kept = says.reads | says.writes;
            for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
                for (unsigned lane = 0; !isa::contains(kept, lreg) && lane < lane_count; ++lane)
                    other->state.lreg[lreg].v[lane] = random.next();
            if (!says.loads_dst)
                for (auto& row : other->dst) row.fill(0x1234);
            if (!says.uses_random)
                for (unsigned lane = 0; lane < lane_count; ++lane) other->state.prng.v[lane] = random.next();
            if (!says.reads_flags) other->state.flags = random.next();
            one->execute(insn);
            other->execute(insn);
            SCOPED_TRACE(testing::Message() << std::hex << insn.word);
            EXPECT_TRUE(same_registers(*one, *other, says.writes));
            EXPECT_TRUE(!says.writes_flags || one->state.flags == other->state.flags);
            EXPECT_TRUE(!says.writes_config || one->state.macro == other->state.macro);
        });
}

/// A yes about flags that are written or random numbers is the truth in some state.
TEST(word_effects, a_yes_happens) {
    random_bits random(17);
    unsigned flags = 0, numbers = 0;
    for (const architecture arch : both)
        for_each_word(arch, 1, [&](const isa::instruction& insn, const word_effects& says) {
            bool flags_moved = false, numbers_moved = false;
            for (unsigned trial = 0; trial < 12; ++trial) {
                const auto before = machine_in_any_state(arch, random);
                if (trial % 2 == 0) before->state.use_flags = all_lanes;
                if (trial % 3 == 0) before->state.flags = all_lanes;
                const auto after = std::make_unique<lane_machine>(*before);
                after->execute(insn);
                flags_moved |= before->state.flags != after->state.flags ||
                               before->state.use_flags != after->state.use_flags;
                for (unsigned lane = 0; lane < lane_count; ++lane)
                    numbers_moved |= before->state.prng.v[lane] != after->state.prng.v[lane];
            }
            SCOPED_TRACE(testing::Message() << std::hex << insn.word);
            EXPECT_TRUE(!says.writes_flags || flags_moved);
            EXPECT_EQ(says.uses_random, numbers_moved);
            flags += flags_moved;
            numbers += numbers_moved;
        });
    EXPECT_GT(flags, 100u);
    EXPECT_GT(numbers, 30u);
}

TEST(word_effects, of_two_words_in_one_cycle_neither_needs_what_the_first_changes) {
    const auto together = [](std::uint32_t first, std::uint32_t second) {
        return isa::may_go_together(effects_of(isa::decode(first, bh), bh),
                                    effects_of(isa::decode(second, bh), bh));
    };
    EXPECT_TRUE(together(0x79001224, 0x70540010));  // SFPIADD without flags, SFPLOAD
    EXPECT_FALSE(together(0x79001220, 0x70540010)); // with them
    EXPECT_FALSE(together(0x9042a511, 0x8e263b03)); // random numbers
    EXPECT_TRUE(together(0x70540010, 0x79001220));  // what is read first may be changed afterwards
    EXPECT_FALSE(together(0x91000081, 0x93040000)); // SFPCONFIG of Misc, SFPLOADMACRO
}

} // namespace
} // namespace sfpu::test
