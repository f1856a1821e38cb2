// Numbers that a platform gives to modules: a wrong one is told in words, and breaks nothing where that does
// not throw.
#include "forked.h"

#include <sfpu/common/module_argument.h>
#include <sfpu/dst/dst_memory.h>
#include <sfpu/frontend/front_end.h>
#include <sfpu/memory/absent_registers.h>
#include <sfpu/memory/bus.h>
#include <sfpu/memory/core_queues.h>
#include <sfpu/memory/dst_window.h>
#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/ram.h>
#include <sfpu/memory/system_registers.h>
#include <sfpu/tile/tile.h>
#include <sfpu/vector_unit/vector_unit.h>

namespace sfpu::test {
namespace {

/// The text of the report about an argument that `action` throws; empty if it throws none.
template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), module_argument_report);
        return report.get_msg();
    }
    return {};
}

/// Each in a process of its own, as a platform builds its modules once.
template <class Action>
void expect_refusal(const char* expected, Action action) {
    in_child([=] { EXPECT_EQ(refusal(action), expected); });
}

TEST(module_arguments, a_vector_unit_has_one_to_three_push_ports) {
    expect_refusal("sfpu.issue_unit: push ports: found 0, expected 1 to 3", [] { vector_unit("sfpu", 0); });
    expect_refusal("sfpu.issue_unit: push ports: found 4, expected 1 to 3", [] { vector_unit("sfpu", 4); });
    expect_refusal("sfpu.issue_unit: push port: found number 2, there are 2, from 0 on", [] {
        vector_unit sfpu("sfpu", 2);
        sfpu.insn_tsock(2);
    });
}

TEST(module_arguments, a_memory_has_bytes_and_ports) {
    expect_refusal("ram: bytes: found 0, expected 1 to 1099511627776", [] { memory::ram("ram", 0); });
    expect_refusal("l1: bytes: found 0, expected 1 to 1099511627776", [] { memory::l1_memory("l1", 0); });
    expect_refusal("ram: bytes: found 18446744073709551615, expected 1 to 1099511627776",
                   [] { memory::ram("ram", ~std::uint64_t{0}); });
    expect_refusal("l1: ports: found 0, expected 1 to 256", [] { memory::l1_memory("l1", 16, 0); });
    expect_refusal("l1: port: found number 1, there are 1, from 0 on",
                   [] { memory::l1_memory("l1", 16).tsock(1); });
}

TEST(module_arguments, sockets_by_number_are_those_that_there_are) {
    expect_refusal("bus: initiator: found number 1, there are 1, from 0 on", [] {
        memory::bus("bus", {{0, 16, "a", ""}}).tsock(1);
    });
    expect_refusal("absent: space: found number 0, there are 0, from 0 on",
                   [] { memory::absent_registers("absent", {}).tsock(0); });
    expect_refusal("queues: core: found number 4, there are 4, from 0 on",
                   [] { memory::core_queues("queues").mailboxes_tsock(4); });
    expect_refusal("queues: thread: found number 3, there are 3, from 0 on",
                   [] { memory::core_queues("queues").pc_buffer_tsock(3); });
}

TEST(module_arguments, a_thread_is_one_of_three_and_has_one_front_end) {
    expect_refusal("front: thread: found 3, expected 0 to 2", [] {
        vector_unit sfpu("sfpu");
        frontend::front_end("front", sfpu, 3);
    });
    expect_refusal("b: thread 1 has another front end in its group", [] {
        vector_unit sfpu("sfpu", 2);
        frontend::front_end_group group;
        frontend::front_end a("a", sfpu, 1, nullptr, &group);
        frontend::front_end b("b", sfpu, 1, nullptr, &group);
    });
    expect_refusal("window: thread: found 3, expected 0 to 2", [] {
        dst::dst_memory dst("dst");
        memory::system_registers registers("registers");
        memory::dst_window("window", dst, registers, 3);
    });
}

TEST(module_arguments, a_tile_with_wrong_parameters_names_itself) {
    in_child([] {
        parameters wrong;
        wrong.hart.count = 7;
        try {
            const tile built("left", wrong);
            ADD_FAILURE() << "it was built";
        } catch (const sc_core::sc_report& report) {
            EXPECT_STREQ(report.get_msg_type(), "/sfpu/parameters/invalid");
            EXPECT_EQ(std::string(report.get_msg()).find("left: hart.count"), 0u) << report.get_msg();
        }
    });
}

TEST(module_arguments, where_a_report_does_not_throw_the_nearest_right_number_is_taken) {
    in_child([] {
        sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
        vector_unit none("none", 0), many("many", 9);
        EXPECT_EQ(none.issue().ports(), 1u);
        EXPECT_EQ(many.issue().ports(), 3u);
        memory::ram empty("empty", 0);
        empty.reset();
        EXPECT_EQ(empty.bytes().size(), 1u);
        EXPECT_THROW(none.insn_tsock(1), std::out_of_range);
    });
}

} // namespace
} // namespace sfpu::test
