#include <sfpu/analysis/point_store.h>

#include "sweep_files.h"

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

point_result full_result() {
    point_result result;
    result.schedule = schedule_choice::retime;
    result.status = point_status::failed;
    result.error = "k.s:2: \"no\"";
    result.cycles_per_row = 4.1;
    result.bound_cycles_per_row = 1.0 / 3;
    result.bound_reason = "issue";
    result.proved = true;
    result.least_cycles_per_row = 3.9;
    result.counters.emplace();
    result.counters->cycles = 77;
    result.counters->instructions_per_cycle = 0.123457;
    result.counters->utilisation = {0, 0.25, 0.5, 0.75, 1};
    result.counters->stalls.fill(3);
    result.hazards = 0;
    result.valid = false;
    result.verdict = lint_verdict::replay_only;
    result.binds = "load";
    result.dependence_cycles_per_row = 0.0;
    result.dependences = "none";
    result.resources = {{"issue", 1.5, 2, 0.5}};
    result.written = ".loop\n";
    result.picture = {"<svg/>", 64, 10, 21};
    result.chip = architecture::wormhole;
    result.reference_differs = true;
    return result;
}

void expect_same(const point_result& a, const point_result& b) {
    EXPECT_EQ(a.schedule, b.schedule);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.error, b.error);
    EXPECT_EQ(a.cycles_per_row, b.cycles_per_row);
    EXPECT_EQ(a.bound_cycles_per_row, b.bound_cycles_per_row);
    EXPECT_EQ(a.bound_reason, b.bound_reason);
    EXPECT_EQ(a.proved, b.proved);
    EXPECT_EQ(a.least_cycles_per_row, b.least_cycles_per_row);
    ASSERT_EQ(a.counters.has_value(), b.counters.has_value());
    if (a.counters) {
        EXPECT_EQ(a.counters->cycles, b.counters->cycles);
        EXPECT_EQ(a.counters->instructions_per_cycle, b.counters->instructions_per_cycle);
        EXPECT_EQ(a.counters->utilisation, b.counters->utilisation);
        EXPECT_EQ(a.counters->stalls, b.counters->stalls);
    }
    EXPECT_EQ(a.hazards, b.hazards);
    EXPECT_EQ(a.valid, b.valid);
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_EQ(a.binds, b.binds);
    EXPECT_EQ(a.dependence_cycles_per_row, b.dependence_cycles_per_row);
    EXPECT_EQ(a.dependences, b.dependences);
    ASSERT_EQ(a.resources.size(), b.resources.size());
    for (std::size_t i = 0; i < a.resources.size(); ++i) {
        EXPECT_EQ(a.resources[i].resource, b.resources[i].resource);
        EXPECT_EQ(a.resources[i].busy, b.resources[i].busy);
        EXPECT_EQ(a.resources[i].blocked, b.resources[i].blocked);
        EXPECT_EQ(a.resources[i].idle, b.resources[i].idle);
    }
    EXPECT_EQ(a.written, b.written);
    EXPECT_EQ(a.picture.svg, b.picture.svg);
    EXPECT_EQ(a.picture.rows, b.picture.rows);
    EXPECT_EQ(a.picture.from_cycle, b.picture.from_cycle);
    EXPECT_EQ(a.picture.to_cycle, b.picture.to_cycle);
    EXPECT_EQ(a.chip, b.chip);
    EXPECT_EQ(a.reference_differs, b.reference_differs);
}

TEST(point_store, a_result_comes_back_as_it_was_recorded) {
    const sweep_folder folder;
    const point_store store(folder.place("points"));
    for (const point_result& result : {full_result(), point_result{}}) {
        store.record("inputs", result);
        const auto found = store.find("inputs");
        ASSERT_TRUE(found);
        expect_same(*found, result);
    }
}

TEST(point_store, other_inputs_have_no_result) {
    const sweep_folder folder;
    const point_store store(folder.place("points"));
    store.record("inputs", {});
    EXPECT_FALSE(store.find("inputs "));
    store.forget("inputs");
    EXPECT_FALSE(store.find("inputs"));
}

TEST(point_store, a_damaged_result_counts_as_none) {
    const sweep_folder folder;
    const point_store store(folder.place("points"));
    store.record("inputs", full_result());
    const std::string file = "points/" + point_store::key("inputs") + ".json";
    std::ifstream stream(folder.place(file));
    const std::string whole((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::string changed = whole;
    changed.replace(changed.find("4.1"), 3, "4.2");
    for (const std::string& text :
         {changed, whole.substr(0, whole.size() / 2), std::string("[]"), std::string()}) {
        folder.write(file, text);
        EXPECT_FALSE(store.find("inputs")) << text;
    }
    folder.write(file, whole);
    EXPECT_TRUE(store.find("inputs"));
}

} // namespace
} // namespace sfpu::analysis
