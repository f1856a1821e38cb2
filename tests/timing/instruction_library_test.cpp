// What the instruction library keeps of words and macro configurations.
#include <sfpu/timing/instruction_library.h>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace sfpu::timing {
namespace {

constexpr std::uint32_t stores_of_loaded = 0x03000000; ///< a sequence: SFPSTORE, delay 0
constexpr std::uint32_t simple_first = 0x00000004;     ///< template 0 on Simple

class instruction_library_test : public testing::Test {
protected:
    /// State whose macros all have one sequence and Misc.
    static isa::vector_state with(std::uint32_t sequence, std::uint32_t misc = 0) {
        isa::vector_state state;
        isa::macro_configuration macro;
        macro.instruction_template = {0x79000354, 0x84123450, 0x94fe90c6, 0x72500000};
        macro.sequence.fill(sequence);
        macro.misc = misc;
        state.macro.fill(macro);
        return state;
    }
    const isa::instruction& insn(std::uint32_t word) { return library_.decode(word).insn; }

    instruction_library_test() { library_.reset(isa::make_machine({})); }

    instruction_library library_;
};

TEST_F(instruction_library_test, a_word_is_decoded_once_whatever_came_before) {
    const library_word& first = library_.decode(0x7d000310);
    library_.decode(0x8f000000);
    EXPECT_EQ(&library_.decode(0x7d000310), &first);
    EXPECT_EQ(&library_.decode(0x7d000310), &first); // after itself, not after the SFPNOP as before
    EXPECT_EQ(library_.decode(0x8f000000).insn.word, 0x8f000000u);
    EXPECT_EQ(library_.decode(0x7d000320).insn.vd, 2);
}

TEST_F(instruction_library_test, sfpconfig_of_anything_but_constants_changes_the_rules) {
    for (std::uint32_t vd = 0; vd < 16; ++vd)
        EXPECT_EQ(library_.decode(0x91000000 | vd << 4).changes_rules, vd < 11 || vd == 15) << vd;
    EXPECT_FALSE(library_.decode(0x7d000310).changes_rules);
}

TEST_F(instruction_library_test, only_defined_words_and_template_writes_need_no_report) {
    EXPECT_FALSE(library_.decode(0x7d000310).needs_report);
    EXPECT_TRUE(library_.decode(0x7d000317).needs_report);  // sfpabs, a modifier without meaning
    EXPECT_FALSE(library_.decode(0x7d0003c7).needs_report); // the same as a template
}

TEST_F(instruction_library_test, equal_configurations_have_equal_numbers_and_others_do_not) {
    const isa::vector_state simple = with(simple_first);
    const configuration_id number = library_.number_of(simple);
    EXPECT_NE(number, 0u);
    EXPECT_EQ(library_.number_of(with(simple_first)), number);
    EXPECT_NE(library_.number_of(with(stores_of_loaded)), number);
    EXPECT_NE(library_.number_of(with(simple_first, 1)), number);
    isa::vector_state other_template = with(simple_first);
    for (isa::macro_configuration& column : other_template.macro) column.instruction_template[3] = 0;
    EXPECT_NE(library_.number_of(other_template), number);
    EXPECT_EQ(library_.number_of(simple), number);
}

TEST_F(instruction_library_test, columns_that_differ_make_another_configuration_which_is_reported) {
    isa::vector_state state = with(simple_first);
    const configuration_id uniform = library_.number_of(state);
    state.macro[3].misc = 1;
    const configuration_id mixed = library_.number_of(state);
    EXPECT_NE(mixed, uniform);
    EXPECT_TRUE(library_.expand(mixed, insn(0x93340000)).faults.lanes_differ);
    EXPECT_FALSE(library_.expand(uniform, insn(0x93340000)).faults.lanes_differ);
}

/// Random walks through configurations: the number by way of what was written is the number of the content.
TEST_F(instruction_library_test, the_number_after_a_write_is_that_of_what_it_makes) {
    for (const unsigned macros : {4u, 5u}) {
        parameters config;
        config.macro_count = macros; // with five an index may be extended
        const isa::machine machine = isa::make_machine(config);
        instruction_library library;
        library.reset(machine);
        std::mt19937 random(macros);
        const auto pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
        isa::vector_state state = with(simple_first);
        configuration_id number = library.number_of(state);
        unsigned repeated = 0, written = 0;
        std::set<configuration_id> seen;
        for (unsigned i = 0; i < 20'000; ++i) {
            const unsigned part = pick(9);
            const std::uint32_t columns = pick(4) == 0 ? pick(256) : 0xff;
            const std::uint32_t value = pick(3);
            for (unsigned column = 0; column < column_count; ++column) {
                if (!(columns >> column & 1)) continue;
                isa::macro_configuration& to = state.macro[column];
                if (part < 4) to.instruction_template[part] = 0x7d000310u + value;
                else if (part < 8) to.sequence[part - 4] = value;
                else to.misc = value;
            }
            written |= 1u << part;
            if (pick(3) != 0) continue; // several writes are looked at together
            number = library.number_after(number, written, state);
            written = 0;
            ASSERT_EQ(number, library.number_of(state)) << "step " << i;
            repeated += !seen.insert(number).second;
        }
        EXPECT_GT(repeated, 1000u);
    }
}

TEST_F(instruction_library_test, a_launch_is_expanded_once_for_each_configuration_macro_and_register) {
    const configuration_id number = library_.number_of(with(simple_first));
    const macro_launch& launch = library_.expand(number, insn(0x93340000)); // macro 0, L3
    EXPECT_EQ(launch.insn[0].vc, 3);
    EXPECT_EQ(&library_.expand(number, insn(0x93340000)), &launch);
    EXPECT_EQ(&library_.expand(number, insn(0x93340010)), &launch); // another address
    EXPECT_EQ(library_.expand(number, insn(0x93240000)).insn[0].vc, 2);
    EXPECT_EQ(library_.expand(number, insn(0x93340001)).insn[0].vc, 7);
    isa::vector_state other = with(simple_first);
    for (isa::macro_configuration& column : other.macro) {
        column.sequence[1] = stores_of_loaded;
        column.instruction_template[0] = 0x7d000000; // SFPABS
    }
    const configuration_id changed = library_.number_of(other);
    EXPECT_TRUE(library_.expand(changed, insn(0x93340000)).insn[0].is(isa::opcode::sfpabs));
    EXPECT_TRUE(library_.expand(changed, insn(0x93740000)).insn[3].is(isa::opcode::sfpstore));
    EXPECT_EQ(&library_.expand(number, insn(0x93340000)), &launch);
}

TEST_F(instruction_library_test, a_store_takes_its_mode_from_the_load_or_from_misc) {
    const configuration_id from_load = library_.number_of(with(stores_of_loaded, 0x016)); // macro 0
    EXPECT_EQ(library_.expand(from_load, insn(0x93340000)).store_mod(), 4);
    EXPECT_EQ(library_.expand(from_load, insn(0x93330000)).store_mod(), 3);
    EXPECT_EQ(library_.expand(from_load, insn(0x93740000)).store_mod(), 6); // macro 1
    const configuration_id from_misc = library_.number_of(with(stores_of_loaded, 0x003));
    EXPECT_EQ(library_.expand(from_misc, insn(0x93340000)).store_mod(), 3);
}

TEST_F(instruction_library_test, it_says_when_so_much_is_stored_that_it_should_be_forgotten) {
    EXPECT_FALSE(library_.is_full());
    for (std::uint32_t imm = 0; imm < 40000; ++imm) library_.decode(0x71020000 | imm);
    EXPECT_TRUE(library_.is_full());
    library_.reset(isa::make_machine({}));
    EXPECT_FALSE(library_.is_full());

    const isa::instruction abs = isa::decode(0x7d000310, architecture::blackhole);
    const isa::instruction* const kept = library_.keep(abs);
    for (unsigned i = 0; i < 5000; ++i) library_.keep(abs);
    EXPECT_EQ(kept->word, 0x7d000310u);
    EXPECT_TRUE(library_.is_full());
    library_.reset(isa::make_machine({}));
    for (std::uint32_t misc = 0; misc < 4096; ++misc) library_.number_of(with(stores_of_loaded, misc));
    EXPECT_FALSE(library_.is_full());
    library_.number_of(with(simple_first));
    EXPECT_TRUE(library_.is_full());
}

} // namespace
} // namespace sfpu::timing
