// Values that a row puts aside in Dst: those that the plain code puts there, and those that the optimizer
// may.
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/search.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace sfpu::test {
namespace {

using optimizer::graph;
using optimizer::graph_options;
using optimizer::node;

isa::kernel kernel_of(const std::string& declarations, const std::string& row, const std::string& tail = {},
                      const std::string& init = {}) {
    const isa::assembly done =
        isa::assemble(".arch bh\n.rows 16\n" + declarations + ".init\n    setc16 34, 2\n    setc16 35, 0\n" +
                          init + ".loop\n" + row + tail,
                      "kernel", isa::make_machine({}).encoding());
    if (!done.ok()) throw std::runtime_error(done.errors.front().to_string());
    return done.program;
}

graph graph_of(const isa::kernel& kernel, const graph_options& options = {}) {
    isa::thread_state thread;
    thread.reset(kernel.arch);
    return optimizer::build_graph(kernel, isa::make_machine({}), thread, true, options);
}

const node& access(const graph& of, node::kind what, unsigned address) {
    return *std::find_if(of.nodes.begin(), of.nodes.end(),
                         [&](const node& n) { return n.what == what && n.address == address; });
}

const char* const declared = ".input x, 0x00, f32\n.output out, 0x40, f32\n";
const char* const undeclared = ".equ x, 0x00\n.equ out, 0x40\n";

/// x * x is stored at 0x80 and loaded again.
std::string row_that_spills(const char* store_mode, const char* load_mode) {
    return fmt::format("    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpmul L0, L0, L9, L1, 0\n"
                       "    sfpstore L1, {}, ADDR_MOD_7, 0x80\n    sfpadd L10, L0, L1, L1, 0\n"
                       "    sfpload L2, {}, ADDR_MOD_7, 0x80\n    sfpmul L1, L2, L9, L1, 0\n"
                       "    sfpstore L1, FP32, ADDR_MOD_6, out\n",
                       store_mode, load_mode);
}

TEST(through_dst, what_a_row_stores_and_loads_again_may_stay_in_its_register) {
    const graph row = graph_of(kernel_of(declared, row_that_spills("INT32", "INT32")));
    const node &store = access(row, node::kind::store, 0x80), &load = access(row, node::kind::load, 0x80);
    EXPECT_TRUE(load.optional);
    EXPECT_EQ(load.results[0].value, store.operands[0].value);
    EXPECT_TRUE(store.optional);
    EXPECT_FALSE(access(row, node::kind::store, 0x40).optional);
    EXPECT_FALSE(access(row, node::kind::load, 0x00).optional);
}

TEST(through_dst, without_declared_outputs_every_cell_is_one_and_its_store_stays) {
    const graph row = graph_of(kernel_of(undeclared, row_that_spills("INT32", "FP32")));
    EXPECT_TRUE(access(row, node::kind::load, 0x80).optional);
    EXPECT_FALSE(access(row, node::kind::store, 0x80).optional);
}

TEST(through_dst, a_store_that_the_code_behind_the_loop_reads_stays) {
    const graph row = graph_of(kernel_of(declared, row_that_spills("INT32", "INT32"),
                                         ".tail\n    sfpload L0, FP32, ADDR_MOD_7, 0x60\n"
                                         "    sfpstore L0, FP32, ADDR_MOD_7, 0x100\n"));
    EXPECT_FALSE(access(row, node::kind::store, 0x80).optional);
}

TEST(through_dst, what_a_store_rounds_or_converts_is_loaded_again) {
    for (const auto& [store, load] :
         {std::pair{"BF16", "BF16"}, {"FP32", "FP32"}, {"INT32_SM", "INT32_SM"}, {"INT32", "INT32_SM"}}) {
        const graph row = graph_of(kernel_of(declared, row_that_spills(store, load)));
        EXPECT_FALSE(access(row, node::kind::load, 0x80).optional) << store << " " << load;
        EXPECT_FALSE(access(row, node::kind::store, 0x80).optional) << store << " " << load;
    }
}

TEST(through_dst, what_lanes_that_are_off_do_not_store_is_loaded_again) {
    const graph row = graph_of(kernel_of(
        declared,
        "    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpload L3, FP32, ADDR_MOD_7, x + 0x80\n"
        "    sfpsetcc 0, L0, L0, 0\n    sfpstore L0, FP32, ADDR_MOD_7, 0x80\n    sfpencc 3, L0, L0, 10\n"
        "    sfpload L2, FP32, ADDR_MOD_7, 0x80\n    sfpadd L10, L2, L3, L2, 0\n"
        "    sfpstore L2, FP32, ADDR_MOD_6, out\n"));
    for (const node& n : row.nodes) EXPECT_FALSE(n.optional);
}

TEST(through_dst, where_lane_config_may_change_what_stores_do_nothing_goes_round_them) {
    graph_options options;
    options.spill = true;
    const graph row = graph_of(
        kernel_of(declared, row_that_spills("INT32", "INT32"), "", "    sfpconfig 0x100, 15, 1\n"), options);
    for (const node& n : row.nodes) EXPECT_FALSE(n.optional);
    EXPECT_NE(row.no_spill.find("LaneConfig"), std::string::npos) << row.no_spill;
}

/// The value of the first multiplication waits for the last.
std::string row_with_a_value_that_waits(unsigned steps) {
    std::string row = "    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpmul L0, L0, L9, L1, 0\n";
    for (unsigned i = 0; i < steps; ++i) row += "    sfpmad L0, L10, L11, L0, 0\n";
    return row + "    sfpmul L0, L1, L9, L0, 0\n    sfpstore L0, FP32, ADDR_MOD_6, out\n";
}

TEST(through_dst, a_value_that_waits_may_be_stored_where_nobody_looks) {
    graph_options options;
    options.spill = true;
    const graph row = graph_of(kernel_of(declared, row_with_a_value_that_waits(6)), options);
    EXPECT_EQ(row.no_spill, "");
    const auto store =
        std::find_if(row.nodes.begin(), row.nodes.end(), [](const node& n) { return n.spills; });
    ASSERT_NE(store, row.nodes.end());
    // 32-bit cells: rows of x and out are the addresses from 0x00 to 0x5f, each with the eight rows behind.
    EXPECT_GE(store->address, 0x80u);
    EXPECT_LT(store->address + 2 * 15, 0x400u);
    EXPECT_TRUE(store->optional);
    EXPECT_TRUE(std::any_of(row.nodes.begin(), row.nodes.end(), [&](const node& n) {
        return n.what == node::kind::load && n.optional && n.address == store->address &&
               n.results[0].value == store->operands[0].value;
    }));
}

TEST(through_dst, where_nothing_can_be_stored_aside_the_reason_is_told) {
    graph_options options;
    options.spill = true;
    const auto reason = [&](const std::string& declarations, const std::string& row) {
        return graph_of(kernel_of(declarations, row), options).no_spill;
    };
    EXPECT_NE(reason(undeclared, row_with_a_value_that_waits(6)).find("declares no outputs"),
              std::string::npos);
    EXPECT_NE(reason(declared, row_with_a_value_that_waits(1)).find("no value waits"), std::string::npos);
    EXPECT_NE(reason(declared, "    sfpsetcc 0, L0, L0, 0\n" + row_with_a_value_that_waits(6)).find("lanes"),
              std::string::npos);
    std::string everything;
    for (unsigned i = 1; i < 32; ++i)
        if (i != 2) everything += fmt::format(".input t{}, {}, f32\n", i, 32 * i);
    EXPECT_NE(reason(declared + everything, row_with_a_value_that_waits(6)).find("no cells"),
              std::string::npos);
}

} // namespace
} // namespace sfpu::test
