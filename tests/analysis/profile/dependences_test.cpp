#include <sfpu/analysis/resource_bound.h>

#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <string>

namespace sfpu::analysis {
namespace {

probe::steady_state_statistics state_of(const std::string& text, const std::string& name = "k.s") {
    platform::core_runner runner;
    const kernel_run run(assemble_kernel(text, name, {}), {}, std::nullopt);
    return binding_of(runner, text, run, {}, name).value().steady_state;
}
/// Of a row that is stored to another place of Dst each time.
double cycles_of_row(const std::string& body, const std::string& tail = "") {
    return state_of(".rows 16\n.init\nsetc16 24, 2\n.loop\n" + body + ".tail\n" + tail)
        .dependence_cycles_per_row;
}
std::string stored(unsigned lreg) {
    return "sfpstore L" + std::to_string(lreg) + ", INT32, ADDR_MOD_1, 64\n";
}

TEST(dependences, rows_that_are_peeled_off_are_beside_the_iteration_that_is_measured) {
    // One row in .init, one in .tail, two in each iteration. In each, L1 goes through a multiply-add.
    const std::string row = "sfpload L0, FP32, ADDR_MOD_3, 0\nsfpmad L0, L0, L1, L1, 0\nsfpnop\n" + stored(1);
    const probe::steady_state_statistics state = state_of(".rows 20\n.peeled 2\n.init\n"
                                                          "setc16 24, 2\n" +
                                                          row + ".loop 2\n" + row + row + ".tail\n" + row);
    EXPECT_EQ(state.dependence_cycles_per_row, 2);
}

TEST(dependences, a_register_whose_halves_are_both_written_anew_brings_nothing_from_the_last_row) {
    EXPECT_EQ(
        cycles_of_row("sfploadi L0, UPPER, 0x3f80\nsfploadi L0, LOWER, 0x1234\nsfpmad L0, L0, L9, L1, 0\n"
                      "sfpnop\n" +
                      stored(1)),
        0);
}

TEST(dependences, the_half_that_is_not_written_comes_from_the_last_row) {
    // The low half: made by SFPMAD in two cycles, kept by SFPLOADI, which takes one.
    EXPECT_EQ(cycles_of_row("sfploadi L0, UPPER, 0x3f80\nsfpmad L0, L0, L9, L0, 0\nsfpnop\n" + stored(0)), 3);
    EXPECT_EQ(cycles_of_row("sfploadi L0, LOWER, 0x3f80\nsfpmad L0, L0, L9, L0, 0\nsfpnop\n" + stored(0)), 3);
    EXPECT_EQ(cycles_of_row("sfploadi L0, FLOATB, 0x3f80\nsfpmad L0, L0, L9, L0, 0\nsfpnop\n" + stored(0)),
              0);
}

TEST(dependences, a_store_of_one_half_does_not_need_the_other) {
    EXPECT_EQ(cycles_of_row("sfploadi L0, LOWER, 1\nsfpstore L0, UINT16, ADDR_MOD_1, 64\n"), 0);
    EXPECT_EQ(cycles_of_row("sfploadi L0, LOWER, 1\nsfpstore L0, HI16_ONLY, ADDR_MOD_1, 64\n"), 1);
}

TEST(dependences, a_transpose_moves_rows_between_registers) {
    // L0 is loaded in each row. Row 1 of L1 stays there when rows and registers change places, for ever.
    const std::string body = "sfpload L0, INT32, ADDR_MOD_3, 0\nsfptransp 0, L0, L0, 0\n";
    EXPECT_EQ(cycles_of_row(body + stored(0)), 0);
    EXPECT_EQ(cycles_of_row(body + stored(1)), 1);
}

TEST(dependences, lanes_that_are_shifted_out_are_gone_and_rotated_ones_come_again) {
    EXPECT_EQ(cycles_of_row("sfpshft2 0, L0, L0, 4\nsfpnop\n" + stored(0)), 0);
    EXPECT_EQ(cycles_of_row("sfpshft2 0, L0, L0, 3\nsfpnop\n" + stored(0)), 2);
    // L0 = L1, L1 = L2, L2 = L3, L3 = 0: nothing lasts longer than four rows.
    EXPECT_EQ(cycles_of_row("sfpshft2 0, L0, L0, 0\nsfpnop\n" + stored(0)), 0);
}

TEST(dependences, a_value_that_nobody_needs_holds_nobody_up) {
    const std::string sum = "sfpload L0, FP32, ADDR_MOD_3, 0\nsfpmad L0, L10, L5, L5, 0\nsfpnop\n";
    EXPECT_EQ(cycles_of_row(sum + stored(0)), 0);
    EXPECT_EQ(cycles_of_row(sum + stored(0), stored(5)), 2); // the tail stores the sum
    EXPECT_EQ(cycles_of_row(sum), 2);                        // what stores nothing leaves its registers
    EXPECT_EQ(cycles_of_row(sum + "sfpsetcc 0, L5, L0, 0\nsfpencc 0, 0, 0, 10\n" + stored(0)),
              2); // flags are seen
}

TEST(dependences, lanes_that_are_disabled_keep_the_value_of_the_last_row) {
    // In lane 0 L2 is written anew; the others go on with what they have.
    const std::string body =
        "sfpmad L2, L10, L9, L2, 0\nsfpnop\nsfpencc 3, 0, 0, 10\nsfpsetcc 0, L15, L0, 6\n"
        "sfploadi L2, FLOATB, 0x3f80\n";
    EXPECT_EQ(cycles_of_row(body + stored(2) + "sfpencc 0, 0, 0, 10\n"), 0); // stored where it is new
    EXPECT_EQ(cycles_of_row(body + "sfpencc 0, 0, 0, 10\n" + stored(2)), 2); // and everywhere
}

TEST(dependences, a_long_chain_is_one_line_that_says_how_much_it_leaves_out) {
    std::string body;
    for (unsigned i = 0; i < 20; ++i) body += "sfpmad L0, L10, L9, L0, 0\nsfpnop\n";
    for (const std::string& name : {std::string("k.s"), std::string(300, 'k') + ".s"}) {
        const std::string said = state_of(".rows 16\n.loop\n" + body + stored(0), name).dependences;
        EXPECT_EQ(said.rfind("40.00 cycles a row: ", 0), 0u) << said;
        EXPECT_LE(said.size() + std::string("dependences    ").size(), 200u) << said;
        EXPECT_NE(said.find(name == "k.s" ? " more, and again in the next row"
                                          : " 20 steps, and again in the next row"),
                  std::string::npos)
            << said;
    }
    const std::string whole =
        state_of(".rows 16\n.loop\nsfpmad L0, L10, L9, L0, 0\nsfpnop\n" + stored(0)).dependences;
    EXPECT_EQ(whole, "2.00 cycles a row: sfpmad (k.s:3) to L0 in 2 cycles, and again in the next row");
}

} // namespace
} // namespace sfpu::analysis
