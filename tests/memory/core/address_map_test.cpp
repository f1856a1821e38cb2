// The address map: finding regions, faults, explanations; the map of a tile.
#include "tree_path.h"

#include <sfpu/memory/tile_map.h>

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

namespace sfpu::memory {
namespace {

region simple(std::uint64_t base, std::uint64_t size, std::string name, initiator_mask who = all_initiators) {
    return {base, size, std::move(name), "", who};
}

std::string name_at(const address_map& map, std::uint64_t address, unsigned initiator = 0) {
    const int index = map.find(address, initiator);
    return index == address_map::none ? "" : map.regions()[static_cast<std::size_t>(index)].name;
}

TEST(address_map, finds_the_first_and_last_byte_of_a_region_and_not_its_neighbours) {
    const address_map map({simple(0x300, 0x10, "b"), simple(0x100, 0x80, "a")});
    EXPECT_TRUE(map.problems().empty());
    EXPECT_EQ(name_at(map, 0xff), "");
    EXPECT_EQ(name_at(map, 0x100), "a");
    EXPECT_EQ(name_at(map, 0x17f), "a");
    EXPECT_EQ(name_at(map, 0x180), "");
    EXPECT_EQ(name_at(map, 0x300), "b");
    EXPECT_EQ(name_at(map, 0x30f), "b");
    EXPECT_EQ(name_at(map, 0x310), "");
}

TEST(address_map, the_regions_of_a_map_that_dies_outlive_it_in_a_loop) {
    static_assert(!std::is_reference_v<decltype(std::declval<address_map>().regions())>);
    static_assert(
        std::is_same_v<decltype(std::declval<const address_map&>().regions()), const std::vector<region>&>);
    std::string names;
    for (const region& each : address_map({simple(0x300, 0x10, "b"), simple(0x100, 0x80, "a")}).regions())
        names += each.name;
    EXPECT_EQ(names, "ab");
}

TEST(address_map, a_region_may_end_at_the_last_address_of_all) {
    const std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
    const address_map map({simple(top - 15, 16, "top")});
    EXPECT_TRUE(map.problems().empty());
    EXPECT_EQ(name_at(map, top), "top");
    EXPECT_EQ(map.explain(top, 1, 0), "");
    EXPECT_NE(map.explain(top, 2, 0), "");
    EXPECT_EQ(address_map({simple(top - 15, 17, "top")}).problems().size(), 1u);
}

TEST(address_map, initiators_may_see_different_regions_at_one_address) {
    const address_map map(
        {simple(0, 0x100, "shared"), simple(0x200, 0x40, "of_0", 1u), simple(0x200, 0x80, "of_1", 2u)});
    EXPECT_TRUE(map.problems().empty());
    EXPECT_EQ(name_at(map, 0x210, 0), "of_0");
    EXPECT_EQ(name_at(map, 0x210, 1), "of_1");
    EXPECT_EQ(name_at(map, 0x210, 2), "");
    EXPECT_EQ(name_at(map, 0x250, 0), "");
    EXPECT_EQ(name_at(map, 0x250, 1), "of_1");
    EXPECT_EQ(name_at(map, 0x20, 2), "shared");
}

TEST(address_map, regions_that_overlap_for_one_initiator_are_a_problem) {
    const auto problems = address_map({simple(0, 0x100, "low"), simple(0xff, 0x10, "high", 4u)}).problems();
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0],
              "regions low (0x00000000 to 0x000000ff) and high (0x000000ff to 0x0000010e) overlap");
}

TEST(address_map, empty_regions_double_and_wrong_names_are_problems) {
    EXPECT_EQ(address_map({simple(0, 0, "a")}).problems().size(), 1u);
    EXPECT_EQ(address_map({simple(0, 1, "a"), simple(1, 1, "a")}).problems().size(), 1u);
    EXPECT_EQ(address_map({simple(0, 1, "")}).problems().size(), 1u);
    EXPECT_EQ(address_map({simple(0, 1, "a b")}).problems().size(), 1u);
    EXPECT_EQ(address_map({simple(0, 1, "a", 0)}).problems().size(), 1u);
}

TEST(address_map, explains_with_the_nearest_region) {
    const address_map map({simple(0x100, 0x80, "a"), simple(0x300, 0x10, "b")});
    EXPECT_EQ(map.explain(0x100, 0x80, 0), "");
    EXPECT_EQ(map.explain(0x17c, 8, 0),
              "8 bytes from 0x0000017c on do not end in region a (0x00000100 to 0x0000017f)");
    EXPECT_EQ(map.explain(0x181, 4, 0),
              "0x00000181 is in no region; the nearest is a (0x00000100 to 0x0000017f)");
    EXPECT_EQ(map.explain(0x2ff, 4, 0),
              "0x000002ff is in no region; the nearest is b (0x00000300 to 0x0000030f)");
    EXPECT_EQ(address_map().explain(4, 4, 0), "0x00000004 is in no region: the map is empty");
}

TEST(address_map, knows_the_gap_around_an_unmapped_address) {
    const address_map map({simple(0x100, 0x80, "a"), simple(0x300, 0x10, "b")});
    const auto below = map.gap_around(0, 0), between = map.gap_around(0x200, 0),
               above = map.gap_around(0x400, 0);
    EXPECT_EQ(below.first, 0u);
    EXPECT_EQ(below.last, 0xffu);
    EXPECT_EQ(between.first, 0x180u);
    EXPECT_EQ(between.last, 0x2ffu);
    EXPECT_EQ(above.first, 0x310u);
    EXPECT_EQ(above.last, std::numeric_limits<std::uint64_t>::max());
}

TEST(tile_map, is_the_one_of_the_documents) {
    parameters config;
    const address_map bh(tile_regions(config));
    EXPECT_TRUE(bh.problems().empty());
    EXPECT_EQ(name_at(bh, 0x17ffff), "l1"); // 1536 KiB
    EXPECT_EQ(name_at(bh, 0x180000), "");
    EXPECT_EQ(name_at(bh, 0x80000000), "ram");
    EXPECT_EQ(name_at(bh, 0x801fffff), "ram");
    EXPECT_EQ(name_at(bh, 0x80200000), "");
    EXPECT_EQ(name_at(bh, 0xffb00fff), "local_ram"); // 4 KiB of a T core
    EXPECT_EQ(name_at(bh, 0xffb01000), "");
    EXPECT_EQ(name_at(bh, 0xffb121f0), "debug_registers");
    EXPECT_EQ(name_at(bh, 0xffb80023), "mop_config");
    EXPECT_EQ(name_at(bh, 0xffb80024), "");
    EXPECT_EQ(name_at(bh, 0xffbd8000), "dst_window");
    EXPECT_EQ(name_at(bh, 0xffbdffff), "dst_window");
    EXPECT_EQ(name_at(bh, 0xffe40000), "instruction_push");
    EXPECT_EQ(name_at(bh, 0xffe50000), "");
    EXPECT_EQ(name_at(bh, 0xffe80020), "pc_buffer");
    EXPECT_EQ(name_at(bh, 0xffef000c), "config");

    config.arch = architecture::wormhole;
    const address_map wh(tile_regions(config));
    EXPECT_TRUE(wh.problems().empty());
    EXPECT_EQ(name_at(wh, 0x16ffff), "l1");
    EXPECT_EQ(name_at(wh, 0x170000), "");
    EXPECT_EQ(name_at(wh, 0xffb007ff), "local_ram");
    EXPECT_EQ(name_at(wh, 0xffb00800), "");
    EXPECT_EQ(name_at(wh, 0xffbd8000), ""); // there is no Dst window
}

TEST(tile_map, sizes_follow_the_parameters) {
    parameters config;
    config.memory.l1_bytes = 0x1000;
    config.memory.ram_bytes = 0x2000;
    config.memory.local_ram_bytes = 0x3000;
    const address_map map(tile_regions(config));
    EXPECT_EQ(name_at(map, 0xfff), "l1");
    EXPECT_EQ(name_at(map, 0x1000), "");
    EXPECT_EQ(name_at(map, 0x80001fff), "ram");
    EXPECT_EQ(name_at(map, 0x80002000), "");
    EXPECT_EQ(name_at(map, 0xffb02fff), "local_ram");
}

TEST(tile_map, the_page_about_the_memory_map_has_the_tables_that_the_program_prints) {
    std::ifstream file(tree_path("docs/tile.md"));
    std::ostringstream page;
    page << file.rdbuf();
    parameters config;
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        config.arch = arch;
        const std::string table = address_map(tile_regions(config)).table();
        EXPECT_NE(page.str().find(table), std::string::npos) << long_name(arch) << ":\n" << table;
    }
}

} // namespace
} // namespace sfpu::memory
