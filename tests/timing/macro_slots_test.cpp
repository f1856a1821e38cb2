// Rules T1, T10, T11, T12, T19 and T20 of the timing contract, on macro_slots alone.
#include <sfpu/isa/table.h>
#include <sfpu/timing/macro_slots.h>

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace sfpu::timing {
namespace {

constexpr isa::sub_unit simple_unit = isa::sub_unit::simple, mad_unit = isa::sub_unit::mad,
                        store_unit = isa::sub_unit::store;

/// Runs cycles one by one and notes when each scheduled entry fires. Entries are told apart by their origin.
class slots_under_test {
public:
    explicit slots_under_test(const parameters& config = {}) : machine_(isa::make_machine(config)) {}

    /// One cycle; `issue` says whether an SFPU instruction is issued in it.
    void cycle(bool issue) {
        slots_.for_each_due([&](const scheduled_entry& entry) {
            fired.push_back({now, entry.unit, entry.instance, entry.origin});
        });
        slots_.finish_cycle(issue, machine_);
        ++now;
    }
    /// Schedules one more entry in the cycle that has just been run.
    macro_slots::outcome schedule(isa::sub_unit unit, unsigned delay, bool counts_instructions,
                                  unsigned origin = 0) {
        scheduled_entry entry;
        entry.insn = &nop();
        entry.unit = unit;
        entry.remaining = static_cast<std::uint8_t>(delay);
        entry.origin = static_cast<std::uint16_t>(origin);
        entry.counts_instructions = counts_instructions;
        return slots_.schedule(entry, machine_, forgotten);
    }
    /// The cycle of an SFPLOADMACRO that schedules one entry.
    macro_slots::outcome launch(isa::sub_unit unit, unsigned delay, bool counts_instructions,
                                unsigned origin = 0) {
        cycle(true);
        return schedule(unit, delay, counts_instructions, origin);
    }
    void cycles(unsigned count, bool issue) {
        for (unsigned i = 0; i < count; ++i) cycle(issue);
    }
    std::optional<int> fired_at(unsigned origin) const {
        for (const firing& f : fired)
            if (f.origin == origin) return f.at;
        return std::nullopt;
    }

    struct firing {
        int at;
        isa::sub_unit unit;
        unsigned instance;
        unsigned origin;
    };
    std::vector<firing> fired;
    int now = 0;
    scheduled_entry forgotten;
    isa::machine machine_;
    macro_slots slots_;

private:
    static const isa::instruction& nop() {
        static const isa::instruction insn = isa::decode(0x8f000000, architecture::blackhole);
        return insn;
    }
};

TEST(rule_t1, an_entry_with_delay_d_executes_d_plus_1_ticks_after_its_sfploadmacro) {
    for (unsigned delay = 0; delay < 8; ++delay)
        for (bool counts_instructions : {false, true}) {
            slots_under_test s;
            s.launch(simple_unit, delay, counts_instructions); // cycle 0
            s.cycles(12, true);
            EXPECT_EQ(s.fired_at(0), static_cast<int>(1 + delay)) << "delay " << delay;
        }
}

TEST(rule_t10, one_instruction_counting_entry_makes_every_entry_count_instructions) {
    slots_under_test s;
    s.launch(simple_unit, 2, false, 10); // cycle 0, counts cycles
    s.launch(mad_unit, 1, true, 11);     // cycle 1: from now on only issues tick
    s.cycles(5, false); // cycles 2 to 6: the first entry was at 1, the second at 1; nothing moves
    EXPECT_TRUE(s.fired.empty());
    s.cycle(true); // cycle 7: both reach 0
    s.cycle(false);
    EXPECT_EQ(s.fired_at(10), 8);
    EXPECT_EQ(s.fired_at(11), 8);
}

TEST(rule_t10, entries_that_all_count_cycles_tick_without_issues) {
    slots_under_test s;
    s.launch(simple_unit, 3, false);
    s.cycles(6, false);
    EXPECT_EQ(s.fired_at(0), 4);
}

TEST(rule_t10, the_tick_rule_is_a_function_of_two_facts) {
    EXPECT_TRUE(is_tick(false, false));
    EXPECT_TRUE(is_tick(false, true));
    EXPECT_FALSE(is_tick(true, false));
    EXPECT_TRUE(is_tick(true, true));
}

TEST(rule_t10, an_entry_that_executes_in_the_cycle_still_counts_as_outstanding_unless_configured_otherwise) {
    for (bool firing_counts : {true, false}) {
        parameters config;
        config.macro_firing_entry_outstanding = firing_counts;
        slots_under_test s(config);
        s.launch(mad_unit, 0, true, 1); // cycle 0, fires in cycle 1
        slots_under_test t = s;         // the same, with a second entry that counts cycles
        t.schedule(simple_unit, 1, false, 2);
        t.cycles(4, false);
        // Cycle 1 is a tick for the second entry only if the one that fires in it no longer counts.
        EXPECT_EQ(t.fired_at(2), firing_counts ? 3 : 2);
    }
}

TEST(rule_t10, an_entry_that_counts_instructions_stops_all_sub_units_or_its_own_only) {
    for (const freeze_scope scope : {freeze_scope::all, freeze_scope::own_unit}) {
        parameters config;
        config.macro_freeze_scope = scope;
        slots_under_test s(config);
        s.launch(simple_unit, 6, true, 1); // cycle 0
        s.schedule(store_unit, 2, false, 2);
        s.schedule(simple_unit, 1, false, 3); // in the sub-unit that stands still either way
        const bool all = scope == freeze_scope::all;
        EXPECT_EQ(s.slots_.can_advance_alone(s.machine_), !all);
        s.cycles(4, false);
        EXPECT_EQ(s.fired_at(2), all ? std::nullopt : std::optional(3)); // T1: 1 + delay
        EXPECT_EQ(s.fired_at(3), std::nullopt);
        EXPECT_FALSE(s.slots_.can_advance_alone(s.machine_));
        s.cycles(8, true); // from cycle 5 on
        EXPECT_EQ(s.fired_at(3), 6);
        EXPECT_EQ(s.fired_at(2), all ? 7 : 3);
        EXPECT_EQ(s.fired_at(1), 11);
    }
}

TEST(rule_t12, a_new_entry_meets_those_of_a_sub_unit_that_stood_still_where_they_are) {
    parameters config;
    config.macro_freeze_scope = freeze_scope::own_unit;
    slots_under_test s(config);
    s.launch(store_unit, 4, false, 1);
    s.schedule(simple_unit, 3, true, 2);
    s.cycles(2, false); // Store has 2 ticks left, Simple 3
    EXPECT_EQ(s.launch(store_unit, 1, false, 3), macro_slots::outcome::replaced);
    EXPECT_EQ(s.forgotten.origin, 1);
    EXPECT_EQ(s.launch(simple_unit, 1, true, 4), macro_slots::outcome::replaced);
    EXPECT_EQ(s.forgotten.origin, 2);
    s.cycles(4, true);
    EXPECT_TRUE(s.fired_at(3).has_value());
    EXPECT_TRUE(s.fired_at(4).has_value());
}

TEST(rule_t11, an_entry_at_zero_executes_in_the_next_cycle_without_an_issue) {
    slots_under_test s;
    s.launch(mad_unit, 1, true); // cycle 0
    s.cycle(true);               // cycle 1: count reaches 0
    s.cycle(false);              // cycle 2: a bubble, it executes all the same
    EXPECT_EQ(s.fired_at(0), 2);
}

TEST(rule_t12, a_new_entry_replaces_the_one_that_would_execute_in_the_same_cycle) {
    slots_under_test s;
    s.launch(simple_unit, 3, true, 1);
    s.cycle(true);
    EXPECT_EQ(s.launch(simple_unit, 1, true, 2),
              macro_slots::outcome::replaced); // both would execute in cycle 4
    EXPECT_EQ(s.forgotten.origin, 1);
    s.cycles(6, true);
    EXPECT_EQ(s.fired_at(1), std::nullopt);
    EXPECT_EQ(s.fired_at(2), 4);
}

TEST(rule_t12, entries_of_other_sub_units_and_other_cycles_stay) {
    slots_under_test s;
    s.launch(simple_unit, 3, true, 1);                                          // executes in cycle 4
    EXPECT_EQ(s.launch(mad_unit, 2, true, 2), macro_slots::outcome::placed);    // MAD, cycle 4
    EXPECT_EQ(s.launch(simple_unit, 2, true, 3), macro_slots::outcome::placed); // Simple, cycle 5
    s.cycles(6, true);
    EXPECT_EQ(s.fired_at(1), 4);
    EXPECT_EQ(s.fired_at(2), 4);
    EXPECT_EQ(s.fired_at(3), 5);
}

TEST(rule_t12, the_longest_delay_never_replaces_anything) {
    slots_under_test s;
    for (unsigned origin = 0; origin < 8; ++origin)
        EXPECT_EQ(s.launch(store_unit, 7, true, origin), macro_slots::outcome::placed);
    s.cycles(10, true);
    EXPECT_EQ(s.fired.size(), 8u);
}

TEST(rule_t19, without_issues_an_instruction_counting_entry_stays_and_cycle_counting_ones_drain) {
    slots_under_test s;
    s.launch(simple_unit, 2, false, 1);
    while (s.slots_.can_advance_alone(s.machine_)) s.cycle(false);
    EXPECT_FALSE(s.slots_.busy());

    slots_under_test t;
    t.launch(simple_unit, 2, true, 1);
    EXPECT_FALSE(t.slots_.can_advance_alone(t.machine_));
    EXPECT_TRUE(t.slots_.busy()); // T20
    t.cycles(2, true);
    EXPECT_TRUE(t.slots_.can_advance_alone(t.machine_)); // at zero: it executes alone
    t.cycle(false);
    EXPECT_FALSE(t.slots_.busy());
}

TEST(rule_t19, cycle_counting_entries_drain_once_the_last_instruction_counting_one_is_gone) {
    slots_under_test s;
    s.launch(simple_unit, 6, false, 1);
    s.launch(mad_unit, 0, true, 2);
    while (s.slots_.can_advance_alone(s.machine_)) s.cycle(false);
    EXPECT_EQ(s.fired_at(2), 2);
    EXPECT_TRUE(s.fired_at(1).has_value());
}

TEST(macro_slots_parameter, fewer_slots_refuse_an_entry_and_keep_the_others) {
    parameters config;
    config.macro_slots = 2;
    slots_under_test s(config);
    EXPECT_EQ(s.launch(simple_unit, 5, true, 1), macro_slots::outcome::placed);
    EXPECT_EQ(s.launch(simple_unit, 5, true, 2), macro_slots::outcome::placed);
    EXPECT_EQ(s.launch(simple_unit, 5, true, 3), macro_slots::outcome::no_slot);
    s.cycles(10, true);
    EXPECT_EQ(s.fired.size(), 2u);
}

TEST(macro_slots_parameter, slots_are_counted_by_sub_unit_and_32_of_them_hold_delays_of_31) {
    parameters config;
    config.macro_slots = 32;
    config.macro_delay_bits = 5;
    slots_under_test s(config);
    for (unsigned origin = 0; origin < 32; ++origin)
        EXPECT_EQ(s.launch(store_unit, 31, false, origin), macro_slots::outcome::placed);
    EXPECT_EQ(s.schedule(mad_unit, 31, false, 32), macro_slots::outcome::placed);
    EXPECT_EQ(s.slots_.outstanding(), 33u);
    EXPECT_EQ(s.slots_.remaining(store_unit), 0xffffffffu);
    EXPECT_EQ(s.slots_.remaining(mad_unit), 0x80000000u);
    EXPECT_EQ(s.slots_.remaining(simple_unit), 0u);
    s.cycles(40, true);
    ASSERT_EQ(s.fired.size(), 33u);
    for (int origin = 0; origin < 32; ++origin) EXPECT_EQ(s.fired_at(origin), origin + 32);
    EXPECT_EQ(s.fired_at(32), 31 + 32); // scheduled with the last one
}

TEST(macro_slots_parameter, a_second_store_port_takes_what_the_first_cannot) {
    parameters config;
    config.dst_store_ports = 2;
    config.macro_slots = 1;
    slots_under_test s(config);
    EXPECT_EQ(s.launch(store_unit, 3, true, 1), macro_slots::outcome::placed); // port 0, cycle 4
    EXPECT_EQ(s.launch(store_unit, 2, true, 2), macro_slots::outcome::placed); // the same cycle: port 1
    EXPECT_EQ(s.launch(store_unit, 1, true, 3),
              macro_slots::outcome::replaced); // the same again: forgets that on port 1
    EXPECT_EQ(s.forgotten.origin, 2);
    EXPECT_EQ(s.schedule(store_unit, 5, true, 4), macro_slots::outcome::no_slot);
    s.cycles(8, true);
    ASSERT_EQ(s.fired.size(), 2u);
    EXPECT_EQ(s.fired_at(1), 4);
    EXPECT_EQ(s.fired[0].instance, 0u);
    EXPECT_EQ(s.fired_at(3), 4);
    EXPECT_EQ(s.fired[1].instance, 1u);
}

TEST(macro_slots_parameter, a_second_mad_unit_is_not_for_scheduled_instructions) {
    parameters config;
    config.sfpu_mad_units = 2;
    slots_under_test s(config);
    s.launch(mad_unit, 3, true, 1);
    EXPECT_EQ(s.launch(mad_unit, 2, true, 2), macro_slots::outcome::replaced);
    s.cycles(8, true);
    ASSERT_EQ(s.fired.size(), 1u);
    EXPECT_EQ(s.fired[0].instance, 0u);
}

} // namespace
} // namespace sfpu::timing
