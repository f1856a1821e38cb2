// A file of a writer is whole however the writer comes to its end.
#include <sfpu/probe/time_order.h>
#include <sfpu/traces/konata_writer.h>
#include <sfpu/traces/perfetto_writer.h>
#include <sfpu/traces/vcd_writer.h>

#include "probe_events.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

namespace {

using namespace sfpu;
using namespace sfpu::test;

void end_with(traces::perfetto_writer& writer, std::int64_t) { writer.finish(); }
template <class Writer>
void end_with(Writer& writer, std::int64_t last) {
    writer.finish(cycles{last});
}

/// A load in cycle 3 and a MAD of two cycles in cycle 5: the last cycle that an event reaches is 6.
void two_instructions(probe::pipeline_observer& sink) {
    sink.executed(issued(3, 0, load_l1));
    sink.executed(issued(5, 1, mad_l1_to_l2, 2));
}
constexpr std::int64_t last_reached = 6;

template <class Writer>
struct ending_of : testing::Test {
    /// The file if somebody calls finish().
    static std::string told() {
        std::ostringstream out;
        Writer writer(out, {});
        two_instructions(writer);
        end_with(writer, last_reached);
        return out.str();
    }
};
using writers = testing::Types<traces::vcd_writer, traces::konata_writer, traces::perfetto_writer>;
struct format_names {
    template <class Writer>
    static std::string GetName(int number) {
        return number == 0 ? "vcd" : number == 1 ? "konata" : "perfetto";
    }
};
TYPED_TEST_SUITE(ending_of, writers, format_names);

TYPED_TEST(ending_of, a_writer_that_is_destroyed_is_a_whole_file) {
    std::ostringstream out;
    {
        TypeParam writer(out, {});
        two_instructions(writer);
    }
    EXPECT_EQ(out.str(), this->told());
}

TYPED_TEST(ending_of, the_end_of_the_simulation_ends_the_file_once) {
    std::ostringstream out;
    TypeParam writer(out, {});
    two_instructions(writer);
    writer.simulation_ended();
    EXPECT_EQ(out.str(), this->told());
    writer.executed(issued(9, 2, load_l1));
    writer.simulation_ended();
    EXPECT_EQ(out.str(), this->told());
}

TYPED_TEST(ending_of, what_was_held_for_its_order_is_in_the_file) {
    std::ostringstream destroyed, ended;
    {
        TypeParam writer(destroyed, {});
        probe::time_order order(writer, cycles{100});
        two_instructions(order);
    }
    EXPECT_EQ(destroyed.str(), this->told());
    TypeParam writer(ended, {});
    probe::time_order order(writer, cycles{100});
    two_instructions(order);
    order.simulation_ended();
    EXPECT_EQ(ended.str(), this->told());
}

/// Takes nothing.
struct full_disk : std::streambuf {
    int_type overflow(int_type) override { return traits_type::eof(); }
};

TYPED_TEST(ending_of, a_stream_that_throws_ends_no_program) {
    full_disk disk;
    std::ostream out(&disk);
    {
        TypeParam writer(out, {});
        two_instructions(writer);
        out.clear();
        out.exceptions(std::ios::badbit | std::ios::failbit);
    }
    EXPECT_TRUE(out.fail());
}

TEST(vcd_writer, shows_the_state_that_the_last_cycle_left_if_nobody_says_where_the_end_is) {
    std::ostringstream told, destroyed;
    const auto begin_macro = [](probe::pipeline_observer& sink) {
        sink.executed(issued(3, 0, macro_0_l1));
        sink.slots_changed({cycles{3}, {1, 0, 0, 0}});
    };
    {
        traces::vcd_writer writer(told, {});
        begin_macro(writer);
        writer.finish(cycles{4});
    }
    {
        traces::vcd_writer writer(destroyed, {});
        begin_macro(writer);
    }
    EXPECT_EQ(destroyed.str(), told.str());
}

} // namespace
