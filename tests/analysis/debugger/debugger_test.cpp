#include <sfpu/analysis/debugger.h>
#include <sfpu/analysis/errors.h>

#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace sfpu::analysis::debug {
namespace {

// Cycles by T2, T3 and T16 of the timing contract: two words of set-up in 0 and 1; row r is loaded in 2 + 4
// r, multiplied in 3 + 4 r, whose product is there at the end of 4 + 4 r; the store is held in that cycle and
// executes in 5 + 4 r.
constexpr const char* square = R"(.arch bh
.rows 4
.input x, 0x00, f32
.output y, 0x80, f32
.init
    setc16 34, 2
    setc16 35, 0
.loop
    sfpload L0, FP32, ADDR_MOD_7, x
    sfpmad L0, L0, L9, L1, 0
    sfpstore L1, FP32, ADDR_MOD_6, y
)";
constexpr unsigned multiply_line = 10, store_line = 11;

std::uint32_t bits(float value) {
    std::uint32_t result = 0;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

class debugger_test : public testing::Test {
protected:
    /// x is 1.5 in all lanes of row 0, 2.5 in row 1, and so on.
    explicit debugger_test(const char* source = square)
        : kernel(assemble_kernel(source, "square.s", machine_choice{}), machine_choice{}, std::nullopt) {
        const isa::kernel& program = kernel.kernel();
        for (unsigned row = 0; !program.inputs.empty() && row < kernel.rows(); ++row)
            for (unsigned lane = 0; lane < lane_count; ++lane)
                write_cell(
                    kernel.request().dst_rows,
                    slice_of_row(program.inputs[0].address, row, true, kernel.request().thread), lane,
                    isa::cell_of_value(isa::data_type::f32, bits(static_cast<float>(row) + 1.5f)).value());
    }
    float x(unsigned row) const { return static_cast<float>(row) + 1.5f; }

    kernel_run kernel;
    platform::core_runner runner;
};

TEST_F(debugger_test, begins_before_the_first_cycle_and_knows_the_last) {
    debugger it(kernel, runner);
    EXPECT_EQ(it.position(), -1);
    EXPECT_EQ(it.last_cycle(), 17);
    EXPECT_EQ(it.where().cycle, -1);
    EXPECT_EQ(it.diagnostics().count, 0u);
}

TEST_F(debugger_test, a_step_tells_who_is_held_what_is_executed_and_what_is_new) {
    debugger it(kernel, runner);
    const move_answer third = it.to_cycle(3);
    ASSERT_TRUE(third.place);
    EXPECT_EQ(third.place->row, 0);
    ASSERT_EQ(third.place->executed.size(), 1u);
    EXPECT_EQ(third.place->executed[0].text, "sfpmad L0, L0, L9, L1, 0");
    EXPECT_EQ(third.place->executed[0].location, "square.s:10");
    EXPECT_EQ(third.place->executed[0].end, 4);
    EXPECT_TRUE(third.place->lregs.empty());
    const move_answer fourth = it.step();
    ASSERT_TRUE(fourth.place);
    ASSERT_EQ(fourth.place->held.size(), 1u);
    EXPECT_EQ(fourth.place->held[0].location, "square.s:11");
    ASSERT_EQ(fourth.place->lregs.size(), 1u);
    EXPECT_EQ(fourth.place->lregs[0].first, 1u);
    EXPECT_EQ(fourth.place->lregs[0].second.v[31], bits(x(0) * x(0)));
}

TEST_F(debugger_test, a_register_has_its_new_value_at_the_end_of_the_latency) {
    debugger it(kernel, runner);
    for (const auto& [cycle, lreg, wanted] : {std::tuple{1, 0u, 0.0f},
                                              {2, 0u, x(0)},
                                              {3, 1u, 0.0f},
                                              {4, 1u, x(0) * x(0)},
                                              {6, 0u, x(1)},
                                              {7, 1u, x(0) * x(0)},
                                              {8, 1u, x(1) * x(1)}}) {
        it.to_cycle(cycle);
        EXPECT_EQ(it.state().lreg[lreg].v[5], bits(wanted))
            << "L" << lreg << " at the end of cycle " << cycle;
    }
}

TEST_F(debugger_test, back_leads_to_the_state_that_forward_has_been_in) {
    debugger forward(kernel, runner);
    std::vector<machine_state> seen;
    for (std::int64_t cycle = 0; cycle <= forward.last_cycle(); ++cycle) {
        forward.step();
        seen.push_back(forward.state());
    }
    debugger backward(kernel, runner);
    backward.to_end();
    for (std::int64_t cycle = backward.last_cycle(); cycle >= 0; --cycle, backward.back()) {
        ASSERT_EQ(backward.position(), cycle);
        const machine_state& now = backward.state();
        const machine_state& then = seen[static_cast<std::size_t>(cycle)];
        EXPECT_EQ(now.dst, then.dst) << "cycle " << cycle;
        EXPECT_EQ(now.flags, then.flags);
        for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
            EXPECT_TRUE(std::equal(std::begin(now.lreg[lreg].v), std::end(now.lreg[lreg].v),
                                   std::begin(then.lreg[lreg].v)))
                << "L" << lreg << " in cycle " << cycle;
    }
    EXPECT_EQ(backward.position(), -1);
}

TEST_F(debugger_test, both_ends_hold_the_position) {
    debugger it(kernel, runner);
    EXPECT_EQ(it.back().how, move_answer::ending::is_first);
    EXPECT_EQ(it.position(), -1);
    it.step(1000);
    EXPECT_EQ(it.position(), 17);
    const move_answer further = it.step();
    EXPECT_EQ(further.how, move_answer::ending::is_last);
    EXPECT_FALSE(further.place);
    EXPECT_THROW(it.to_cycle(18), user_error);
    it.back(1000);
    EXPECT_EQ(it.position(), -1);
}

TEST_F(debugger_test, run_stops_where_a_watched_value_changes_and_tells_it) {
    debugger it(kernel, runner);
    it.watch("L1[0]");
    for (const unsigned row : {0u, 1u, 2u, 3u}) {
        const move_answer stop = it.run();
        EXPECT_EQ(stop.how, move_answer::ending::arrived);
        EXPECT_EQ(it.position(), 4 + 4 * row);
        ASSERT_EQ(stop.changed.size(), 1u);
        EXPECT_EQ(stop.changed[0].typed, "L1[0]");
        EXPECT_EQ(stop.changed[0].bits, std::vector{bits(x(row) * x(row))});
    }
    EXPECT_EQ(it.back().changed.size(), 1u) << "going back changes it, too";
    it.run();
    EXPECT_EQ(it.run().how, move_answer::ending::unchanged);
    EXPECT_EQ(it.position(), it.last_cycle());
}

TEST_F(debugger_test, an_output_is_watched_by_its_row_and_lane) {
    debugger it(kernel, runner);
    it.watch("y[1, 3]");
    EXPECT_EQ(it.run().how, move_answer::ending::arrived);
    EXPECT_EQ(it.position(), 9) << "the store of row 1";
    it.unwatch("y[1, 3]");
    EXPECT_TRUE(it.watched().empty());
    EXPECT_THROW(it.unwatch("y[1, 3]"), user_error);
}

TEST_F(debugger_test, rows_and_lines_are_found) {
    debugger it(kernel, runner);
    it.to_row(2);
    EXPECT_EQ(it.position(), 10);
    it.to_cycle(3);
    it.to_line(multiply_line);
    EXPECT_EQ(it.position(), 7) << "the next product, not the present one";
    it.to_end();
    const move_answer nothing = it.to_line(store_line);
    EXPECT_EQ(nothing.how, move_answer::ending::not_found);
    EXPECT_EQ(it.position(), 17);
    EXPECT_THROW(it.to_row(4), user_error);
}

TEST_F(debugger_test, who_wrote_counts_what_is_visible) {
    debugger it(kernel, runner);
    it.to_cycle(7);
    auto writer = std::get<writer_answer>(it.who_wrote("L1[5]"));
    ASSERT_TRUE(writer.writer);
    EXPECT_EQ(writer.writer->by.begin, 3) << "the product of row 1 is under way";
    EXPECT_EQ(writer.writer->visible, 5);
    it.to_cycle(8);
    writer = std::get<writer_answer>(it.who_wrote("L1[5]"));
    ASSERT_TRUE(writer.writer);
    EXPECT_EQ(writer.writer->by.begin, 7);
    EXPECT_EQ(writer.writer->row, 1);
    EXPECT_EQ(writer.value.bits, std::vector{bits(x(1) * x(1))});
    EXPECT_FALSE(std::get<writer_answer>(it.who_wrote("x[0, 0]")).writer) << "nobody writes an input";
    it.to_end();
    writer = std::get<writer_answer>(it.who_wrote("y[2, 7]"));
    ASSERT_TRUE(writer.writer);
    EXPECT_EQ(writer.writer->by.begin, 13);
    EXPECT_EQ(writer.writer->by.location, "square.s:11");
}

TEST_F(debugger_test, an_interrupted_search_leaves_the_position) {
    session how;
    bool pressed = false;
    how.interrupted = [&] { return pressed; };
    debugger it(kernel, runner, how);
    it.to_cycle(3);
    it.watch("L1");
    pressed = true;
    const move_answer end = it.run();
    EXPECT_EQ(end.how, move_answer::ending::interrupted);
    EXPECT_EQ(it.position(), 3);
    ASSERT_TRUE(end.place);
    EXPECT_EQ(end.place->cycle, 3);
}

TEST_F(debugger_test, what_names_nothing_is_refused) {
    debugger it(kernel, runner);
    for (const char* text :
         {"L17", "L0[32]", "L0[1", "y[4]", "z", "dst 0x400", "L0 as u8", "L0 as bf61", "L0[0, 1]"})
        EXPECT_THROW(it.value_of(text), user_error) << text;
}

// On Wormhole nothing is held (T17): the store reads L1 before it is there.
class hurried_kernel : public debugger_test {
protected:
    hurried_kernel()
        : debugger_test(".arch wh\n.rows 2\n.loop\n    sfpload L0, FP32, ADDR_MOD_3, 0\n"
                        "    sfpmad L0, L0, L9, L1, 0\n    sfpstore L1, FP32, ADDR_MOD_3, 0\n") {}
};

TEST_F(hurried_kernel, the_next_diagnostic_is_found_and_told) {
    debugger it(kernel, runner);
    it.to_diagnostic();
    EXPECT_EQ(it.position(), 2);
    ASSERT_EQ(it.where().diagnostics.size(), 1u);
    EXPECT_EQ(it.where().diagnostics[0].id, report_id::hazard_unprotected_read);
    EXPECT_GE(it.diagnostics().count, 2u);
    EXPECT_EQ(it.diagnostics(1).first.size(), 1u);
}

} // namespace
} // namespace sfpu::analysis::debug
