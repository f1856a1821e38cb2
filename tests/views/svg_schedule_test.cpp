// The picture of a schedule, read back as XML: it must be well-formed; what it shows is found by tooltips.
#include <sfpu/views/svg_schedule.h>

#include "probe_events.h"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;
using boost::property_tree::ptree;

/// Elements of an SVG file; a file that is not well-formed throws.
class svg_reader {
public:
    explicit svg_reader(const std::string& text) {
        std::istringstream in(text);
        boost::property_tree::read_xml(in, root_);
        if (root_.size() != 1 || svg().get<std::string>("<xmlattr>.xmlns") != "http://www.w3.org/2000/svg")
            throw std::runtime_error("no SVG");
    }

    const ptree& svg() const { return root_.front().second; }
    int width() const { return std::stoi(svg().get<std::string>("<xmlattr>.width")); }

    /// Groups whose tooltip holds the text.
    std::vector<ptree> groups(const std::string& text) const {
        std::vector<ptree> found;
        for (const auto& [name, element] : svg())
            if (name == "g" && element.get<std::string>("title").find(text) != std::string::npos)
                found.push_back(element);
        return found;
    }
    ptree group(const std::string& text) const {
        const std::vector<ptree> found = groups(text);
        if (found.size() != 1) throw std::runtime_error(std::to_string(found.size()) + " groups for " + text);
        return found.front();
    }
    /// Whether some text of the picture is this.
    bool shows(const std::string& text) const { return has_text(svg(), text); }

    static bool has_text(const ptree& element, const std::string& text) {
        for (const auto& [name, child] : element)
            if ((name == "text" && child.data() == text) || has_text(child, text)) return true;
        return false;
    }

private:
    ptree root_;
};

std::string classes(const ptree& element) { return element.get<std::string>("<xmlattr>.class"); }
int left(const ptree& element) { return std::stoi(element.get<std::string>("<xmlattr>.x")); }
int width(const ptree& element) { return std::stoi(element.get<std::string>("<xmlattr>.width")); }

std::size_t count(const ptree& group, const std::string& element) { return group.count(element); }

class svg : public ::testing::Test {
protected:
    svg_reader read() {
        std::ostringstream out;
        picture_.print(out);
        return svg_reader(out.str());
    }

    static probe::trace_options four_words_a_row() {
        probe::trace_options options;
        options.row_of_word = [](std::int64_t word) { return word / 4; };
        return options;
    }

    views::svg_schedule picture_{four_words_a_row(), "a <b> & \"c\".s"};
};

TEST_F(svg, a_picture_without_events_is_a_picture) { EXPECT_GT(read().width(), 0); }

TEST_F(svg, texts_are_escaped) { EXPECT_TRUE(read().shows("a <b> & \"c\".s")); }

TEST_F(svg, a_box_shows_name_sources_and_destination_and_has_the_full_text_as_tooltip) {
    picture_.executed(issued(0, 0, mad_l1_to_l2, 2));
    const svg_reader read_back = read();
    const ptree box = read_back.group("sfpmad L1, L9, L10, L2, 0\nissued as word 0, kernel row 0");
    EXPECT_TRUE(svg_reader::has_text(box, "mad"));
    EXPECT_TRUE(svg_reader::has_text(box, "L1"));
    EXPECT_TRUE(svg_reader::has_text(box, "\u2192 L2"));
    EXPECT_EQ(count(box, "line"), 1u) << "the latency of two cycles";
}

TEST_F(svg, scheduled_instructions_look_different_from_issued_ones) {
    picture_.executed(issued(0, 0, macro_0_l1));
    picture_.executed(issued(1, 1, abs_l2_to_l4));
    picture_.executed(scheduled(2, 0, abs_l2_to_l4, 1));
    const svg_reader picture = read();
    EXPECT_EQ(classes(picture.group("issued as word 1").get_child("rect")), "iss p0");
    EXPECT_EQ(classes(picture.group("scheduled by word 0 in cycle 0").get_child("rect")), "s0");
}

TEST_F(svg, kernel_rows_have_colours_and_headings) {
    picture_.executed(issued(0, 3, abs_l2_to_l4));
    picture_.executed(issued(1, 4, abs_l2_to_l4));
    const svg_reader picture = read();
    EXPECT_EQ(classes(picture.group("issued as word 3").get_child("rect")), "iss p0");
    EXPECT_EQ(classes(picture.group("issued as word 4").get_child("rect")), "iss p1");
    EXPECT_TRUE(picture.shows("row 0"));
    EXPECT_TRUE(picture.shows("row 1"));
}

TEST_F(svg, an_instruction_that_keeps_others_out_is_two_columns_wide) {
    picture_.executed(issued(0, 0, abs_l2_to_l4));
    picture_.executed(issued(1, 1, swap_l1_l2, 2));
    const svg_reader picture = read();
    const ptree one = picture.group("issued as word 0").get_child("rect");
    const ptree two = picture.group("issued as word 1").get_child("rect");
    EXPECT_EQ(left(two) - left(one), width(two) - width(one)) << "a column more";
}

TEST_F(svg, stalls_discards_and_diagnostics_show) {
    stall(picture_, 0, 1);
    picture_.executed(discarded(issued(1, 1, abs_l2_to_l4)));
    picture_.diagnosed({cycles{1}, 1, report_id::issue_discarded_by_macro, severity::warning, "a < b"});
    const svg_reader picture = read();
    EXPECT_GT(count(picture.group("word 1 held: mad-dependence"), "line"), 1u);
    EXPECT_TRUE(svg_reader::has_text(picture.group("discarded: a scheduled"), "abs"));
    EXPECT_EQ(count(picture.group("/sfpu/issue/discarded-by-macro"), "path"), 1u);
    for (const char* entry : {"issue held", "issued, but discarded", "diagnostic"})
        EXPECT_TRUE(picture.shows(entry));
}

TEST_F(svg, the_legend_leaves_out_what_does_not_occur) {
    picture_.executed(issued(0, 0, abs_l2_to_l4));
    const svg_reader picture = read();
    EXPECT_TRUE(picture.shows("issued"));
    EXPECT_FALSE(picture.shows("issue held"));
    EXPECT_FALSE(picture.shows("scheduled by SFPLOADMACRO"));
}

TEST_F(svg, arrows_lead_from_a_macro_to_what_it_scheduled_and_from_a_result_to_who_waits) {
    const auto arrows = [](const svg_reader& picture) {
        unsigned count = 0;
        for (const auto& [name, element] : picture.svg())
            count += name == "path" && element.get<std::string>("<xmlattr>.class", "") == "ar";
        return count;
    };
    picture_.executed(issued(0, 0, macro_0_l1));
    picture_.executed(issued(1, 1, mad_l1_to_l2, 2));
    EXPECT_EQ(arrows(read()), 0u) << "nothing is scheduled or held";
    picture_.executed(scheduled(2, 0, abs_l2_to_l4, 1));
    EXPECT_EQ(arrows(read()), 2u) << "one, and its sample in the legend";
    stall(picture_, 2, 2);
    const svg_reader picture = read();
    EXPECT_EQ(arrows(picture), 3u) << "the held cycle lies in the latency of the SFPMAD";
    EXPECT_TRUE(picture.shows("scheduled by, waits for"));
}

TEST_F(svg, tooltips_have_what_lane_0_got_and_the_heading_what_the_run_did) {
    probe::execution_event event = issued(0, 0, mad_l1_to_l2, 2);
    lanes values{};
    values.v[0] = 0x3f800000;
    event.result = &values;
    picture_.executed(event);
    picture_.summarise("8 cycles a row");
    const svg_reader picture = read();
    EXPECT_EQ(picture.groups("lane 0: L2 = 3f800000").size(), 1u);
    EXPECT_TRUE(picture.shows("8 cycles a row"));
}

// T3: written by a MAD at 1, visible at 3.
TEST_F(svg, a_value_lives_from_when_it_is_visible_to_its_last_read) {
    picture_.executed(issued(0, 0, load_l1));
    picture_.executed(issued(1, 1, mad_l1_to_l2, 2));
    picture_.executed(issued(3, 2, abs_l2_to_l4));
    picture_.executed(issued(5, 3, abs_l2_to_l4));
    const svg_reader picture = read();
    const ptree value =
        picture.group("L2: sfpmad L1, L9, L10, L2, 0, cycle 1\nvisible from cycle 3, last read in cycle 5");
    EXPECT_EQ(count(value, "circle"), 2u);
    const int box_left = left(picture.group("issued as word 2").get_child("rect"));
    EXPECT_EQ(left(value.get_child("rect")), box_left);
    EXPECT_TRUE(picture.shows("L2"));
    EXPECT_FALSE(picture.shows("L3")) << "registers that are not used have no lane";
}

TEST_F(svg, a_value_that_nobody_reads_is_told_apart) {
    picture_.executed(issued(0, 0, load_l1));
    picture_.executed(issued(1, 1, load_l1));
    picture_.executed(issued(3, 2, mad_l1_to_l2, 2));
    const svg_reader picture = read();
    EXPECT_EQ(classes(picture.group("L1: sfpload L1, INT32, ADDR_MOD_7, 64, cycle 0").get_child("rect")),
              "dead k0");
    EXPECT_EQ(classes(picture.group("L1: sfpload L1, INT32, ADDR_MOD_7, 64, cycle 1").get_child("rect")),
              "iss p0");
}

TEST_F(svg, values_that_share_a_register_stand_below_each_other) {
    probe::execution_event half = issued(1, 1, load_l1);
    half.lanes = 0xffff;
    picture_.executed(issued(0, 0, load_l1));
    picture_.executed(half);
    picture_.executed(issued(2, 2, mad_l1_to_l2, 2));
    const svg_reader picture = read();
    const ptree old_value = picture.group("cycle 0\nvisible from cycle 1, last read in cycle 2");
    const ptree new_value = picture.group("cycle 1\nvisible from cycle 2, last read in cycle 2");
    EXPECT_NE(old_value.get<std::string>("rect.<xmlattr>.y"), new_value.get<std::string>("rect.<xmlattr>.y"));
}

TEST_F(svg, what_shares_a_cycle_stands_below_each_other) {
    picture_.executed(issued(0, 0, load_l1));
    picture_.executed(issued(0, 1, 0x7024e040)); // sfpload L2: a second port and a second issue slot
    picture_.executed(issued(1, 2, load_l1));
    const svg_reader picture = read();
    const auto top = [&](const std::string& tooltip, const char* element) {
        return std::stod(picture.group(tooltip).get<std::string>(std::string(element) + ".<xmlattr>.y"));
    };
    EXPECT_GE(top("issued as word 1", "rect") - top("issued as word 0", "rect"), 46)
        << "boxes do not overlap";
    EXPECT_EQ(top("issued as word 2", "rect"), top("issued as word 0", "rect"));
    EXPECT_GE(top("word 1: sfpload L2", "text") - top("word 0: sfpload L1", "text"), 12) << "nor do numbers";
    EXPECT_EQ(top("word 2: sfpload L1", "text"), top("word 0: sfpload L1", "text"));
}

// T8: SFPSWAP reads again in its second cycle, here the result of the MAD.
TEST_F(svg, the_second_read_of_a_swap_sees_what_arrived_in_between) {
    picture_.executed(issued(0, 0, 0x7024e040)); // sfpload L2
    picture_.executed(issued(1, 1, mad_l1_to_l2, 2));
    picture_.executed(issued(2, 2, swap_l1_l2, 2));
    picture_.executed(issued(4, 3, nop));
    const svg_reader picture = read();
    EXPECT_EQ(picture.groups("visible from cycle 1, last read in cycle 2").size(), 1u);
    EXPECT_EQ(picture.groups("visible from cycle 3, last read in cycle 3").size(), 1u);
}

TEST(svg_window, holds_its_columns_only_and_values_that_reach_into_it) {
    probe::trace_options options;
    options.from = cycles{10};
    options.to = cycles{12};
    views::svg_schedule drawing(options, "k.s");
    drawing.executed(issued(0, 0, load_l1));
    drawing.executed(issued(9, 1, abs_l2_to_l4));
    drawing.executed(issued(10, 2, mad_l1_to_l2, 2));
    drawing.executed(issued(12, 3, mad_l1_to_l2, 2));
    drawing.executed(issued(20, 4, mad_l1_to_l2, 2));
    std::ostringstream out;
    drawing.print(out);
    const svg_reader picture(out.str());
    EXPECT_TRUE(picture.shows("Blackhole, cycles 10 to 12"));
    EXPECT_TRUE(picture.groups("issued as word 1").empty());
    EXPECT_TRUE(picture.groups("issued as word 4").empty());
    const ptree value = picture.group("L1: sfpload");
    EXPECT_EQ(count(value, "circle"), 2u);
    EXPECT_EQ(left(value.get_child("rect")), left(picture.group("issued as word 2").get_child("rect")));
}

TEST(svg_determinism, the_same_events_give_the_same_bytes) {
    const auto drawn = [] {
        views::svg_schedule drawing({}, "k.s");
        for (std::int64_t i = 0; i < 50; ++i) drawing.executed(issued(i, i, i % 2 ? mad_l1_to_l2 : load_l1));
        std::ostringstream out;
        drawing.print(out);
        return out.str();
    };
    EXPECT_EQ(drawn(), drawn());
}

} // namespace
