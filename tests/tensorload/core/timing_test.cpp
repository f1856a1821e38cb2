// When TensorLoad instructions start and complete. Expected numbers are those of the timing table
// (tensorload.md A8) or follow from its formulas by hand.
#include "tensorload_rig.h"

#include <map>
#include <set>

namespace sfpu::test {
namespace {

using tl::cost;

/// Occupancy and latency of an instruction that runs alone.
struct measured {
    std::int64_t occupancy, latency;
    friend bool operator==(measured a, measured b) {
        return a.occupancy == b.occupancy && a.latency == b.latency;
    }
    friend void PrintTo(measured m, std::ostream* to) { *to << m.occupancy << " / " << m.latency; }
};

measured alone(tensorload_rig& rig, const tl::instruction& insn, std::uint32_t scalar = 0) {
    const cycles at = rig.core.drained(rig.now);
    const auto answer = rig.core.issue(tl::encode(insn), scalar, at);
    EXPECT_EQ(answer.result, riscv::coprocessor_answer::outcome::accepted) << rig.core.last_trap();
    EXPECT_EQ(answer.next, at + one_cycle);
    rig.now = answer.next;
    return {rig.core.last_cost().occupancy.count(), (rig.core.drained(at) - at).count()};
}

tensorload_rig full_block(const tensorload_rig::change& adjust = {}) {
    tensorload_rig rig(adjust);
    rig.set_block(int8, shape(8, 32, 4));
    return rig;
}

// --- the table ------------------------------------------------------------------------------------------

TEST(tensorload_timing, a_full_load_takes_64_cycles_and_gives_its_result_after_73) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(alone(rig, tl::load(1, 2, 0)), (measured{64, 73}));
}

TEST(tensorload_timing, a_load_of_half_the_slices_takes_32_and_41) {
    tensorload_rig rig = full_block();
    rig.set(tl::csr::load_mask, 0xcc);
    EXPECT_EQ(alone(rig, tl::mload(1, 2, 0)), (measured{32, 41}));
}

TEST(tensorload_timing, a_full_store_takes_16_and_19) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(alone(rig, tl::store(1, 2, 0)), (measured{16, 19}));
}

TEST(tensorload_timing, addi_takes_8_and_11_whatever_the_shape) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(alone(rig, tl::addi(1, 2, 3)), (measured{8, 11}));
    rig.set(tl::csr::tshape, shape(1, 1, 1));
    EXPECT_EQ(alone(rig, tl::addi(1, 2, 3)), (measured{8, 11}));
}

TEST(tensorload_timing, concat_and_merge_take_a_cycle_for_each_128_bytes_of_the_block) {
    tensorload_rig rig = full_block();
    rig.set(tl::csr::tmask_concat_1, 1);
    rig.set(tl::csr::tmask_concat_2, 2);
    EXPECT_EQ(alone(rig, tl::concat(0, 1, 2, 3)), (measured{8, 11}));
    EXPECT_EQ(alone(rig, tl::merge(0, 1, 2, 3)), (measured{8, 11}));
    rig.set(tl::csr::tshape, shape(3, 3, 15)); // 135 bytes
    EXPECT_EQ(alone(rig, tl::merge(0, 1, 2, 3)), (measured{2, 5}));
    rig.set(tl::csr::tshape, shape(1, 1, 1));
    EXPECT_EQ(alone(rig, tl::concat(0, 1, 2, 3)), (measured{1, 4}));
}

TEST(tensorload_timing, a_transpose_takes_16_and_35_and_32_without_the_second_buffer) {
    tensorload_rig rig;
    EXPECT_EQ(alone(rig, tl::xpose(0, 1, 1, 2, 3), dims(8, 16, 8, 2)), (measured{16, 35}));
    tensorload_rig single([](tensorload_parameters& p) { p.xpose_double_buffer = false; });
    EXPECT_EQ(alone(single, tl::xpose(0, 1, 1, 2, 3), dims(8, 16, 8, 2)), (measured{32, 35}));
}

TEST(tensorload_timing, a_no_op_takes_one_cycle_and_waits_for_nothing) {
    tensorload_rig rig = full_block();
    ASSERT_TRUE(rig.accepts(tl::load(5, 2, 0)));
    const auto answer = rig.core.issue(tl::encode(tl::xpose(0, 0, 5, 5, 3)), 0, cycles{1});
    EXPECT_EQ(answer.next, cycles{2});
    EXPECT_EQ(rig.core.drained(cycles{}), cycles{73});
}

TEST(tensorload_timing, a_misaligned_slice_of_a_load_touches_one_more_line_of_l1) {
    tensorload_rig rig = full_block(); // slices of 128 bytes: 8 lines, or 9 from the middle of one on
    EXPECT_EQ(alone(rig, tl::load(1, 2, 0), 4), (measured{72, 81}));
    rig.set(tl::csr::tshape, shape(4, 1, 10)); // at 0, 10, 20, 30: 1 + 2 + 1 + 2 lines
    EXPECT_EQ(alone(rig, tl::load(1, 2, 0), 0), (measured{6, 15}));
}

TEST(tensorload_timing, an_empty_mask_takes_one_cycle_of_the_port) {
    tensorload_rig rig = full_block();
    rig.set(tl::csr::tmask_ls, 0);
    EXPECT_EQ(alone(rig, tl::mload(1, 2, 0)), (measured{1, 10}));
    EXPECT_EQ(alone(rig, tl::mstore(1, 2, 0)), (measured{1, 4}));
}

struct parameter_effect {
    const char* name;
    tensorload_rig::change change;
    measured load, store, add, merge, transpose;
};

TEST(tensorload_timing, every_parameter_changes_what_its_formula_says) {
    using p = tensorload_parameters&;
    const parameter_effect effects[] = {
        {"defaults", [](p) {}, {64, 73}, {16, 19}, {8, 11}, {8, 11}, {16, 35}},
        {"decode", [](p c) { c.decode = 3; }, {64, 75}, {16, 21}, {8, 13}, {8, 13}, {16, 37}},
        {"l1_bytes", [](p c) { c.l1_bytes = 64; }, {16, 25}, {16, 19}, {8, 11}, {8, 11}, {16, 35}},
        {"l1_lat", [](p c) { c.l1_lat = 20; }, {64, 85}, {16, 19}, {8, 11}, {8, 11}, {16, 35}},
        {"l0_bytes", [](p c) { c.l0_bytes = 16; }, {64, 73}, {64, 67}, {8, 11}, {8, 11}, {16, 35}},
        {"l0_lat", [](p c) { c.l0_lat = 7; }, {64, 73}, {16, 24}, {8, 11}, {8, 11}, {16, 35}},
        {"tlr_bytes", [](p c) { c.tlr_bytes = 64; }, {64, 73}, {16, 19}, {16, 19}, {16, 19}, {32, 67}},
        {"tlr_read_ports",
         [](p c) { c.tlr_read_ports = 1; },
         {64, 73},
         {16, 19},
         {8, 11},
         {16, 19},
         {16, 35}},
        {"alu_pipe", [](p c) { c.alu_pipe = 5; }, {64, 73}, {16, 19}, {8, 14}, {8, 14}, {16, 35}},
        {"xp_pipe", [](p c) { c.xp_pipe = 5; }, {64, 73}, {16, 19}, {8, 11}, {8, 11}, {16, 38}},
        // Stores to L1 use its port and latency.
        {"l0m", [](p c) { c.l0m = l0m_binding::l1; }, {64, 73}, {64, 73}, {8, 11}, {8, 11}, {16, 35}},
        // The beats of element-wise stores are those of bulk stores.
        {"dst", [](p c) { c.l0m = l0m_binding::dst; }, {64, 73}, {16, 19}, {8, 11}, {8, 11}, {16, 35}},
    };
    for (const parameter_effect& effect : effects) {
        tensorload_rig rig = full_block(effect.change);
        rig.set(tl::csr::tmask_concat_1, 1);
        EXPECT_EQ(alone(rig, tl::load(1, 2, 0)), effect.load) << effect.name;
        EXPECT_EQ(alone(rig, tl::store(1, 2, 0)), effect.store) << effect.name;
        EXPECT_EQ(alone(rig, tl::addi(1, 2, 3)), effect.add) << effect.name;
        EXPECT_EQ(alone(rig, tl::merge(0, 1, 2, 3)), effect.merge) << effect.name;
        EXPECT_EQ(alone(rig, tl::xpose(0, 1, 1, 2, 3), dims(8, 16, 8, 2)), effect.transpose) << effect.name;
    }
}

// --- the transpose buffer -------------------------------------------------------------------------------

/// The byte transposes of all legal sizes, one for each gather pattern. A pattern is the set of bytes that
/// the first beat needs: their order in the beat is the crossbar's business, and the other beats are shifted
/// copies.
std::map<std::set<unsigned>, std::vector<std::uint16_t>> all_patterns() {
    std::map<std::set<unsigned>, std::vector<std::uint16_t>> patterns;
    for (unsigned e0 = 1; e0 <= 7; ++e0)
        for (unsigned e1 = 0; e1 <= 7; ++e1)
            for (unsigned e2 = 0; e2 <= 7; ++e2) {
                const int e3 = 11 - static_cast<int>(e0 + e1 + e2);
                if (e3 < 0 || e3 > 7) continue;
                for (unsigned p = 0; p < 4; ++p)
                    for (unsigned q = p + 1; q < 4; ++q) {
                        auto from = tl::gather({{1u << e0, 1u << e1, 1u << e2, 1u << e3}, p, q, 8});
                        const std::set<unsigned> beat(from.begin(), from.begin() + 128);
                        patterns.emplace(beat, std::move(from));
                    }
            }
    return patterns;
}

/// How many patterns take how many cycles a beat.
std::map<unsigned, unsigned> conflicts(xpose_buffer layout) {
    std::map<unsigned, unsigned> patterns;
    for (const auto& [beat, from] : all_patterns()) {
        const unsigned total = tl::drain_cycles(from, 8, layout);
        EXPECT_EQ(total % 16, 0u); // all beats conflict alike
        ++patterns[total / 16];
    }
    return patterns;
}

TEST(tensorload_xpose_buffer, legal_shapes_give_108_distinct_gather_patterns) {
    EXPECT_EQ(all_patterns().size(), 108u);
}

TEST(tensorload_xpose_buffer, a_plain_layout_needs_up_to_16_cycles_a_beat) {
    EXPECT_EQ(conflicts(xpose_buffer::sram_plain).rbegin()->first, 16u);
}

TEST(tensorload_xpose_buffer, a_row_xor_layout_needs_up_to_8_cycles_a_beat) {
    EXPECT_EQ(conflicts(xpose_buffer::sram_row_xor).rbegin()->first, 8u);
}

TEST(tensorload_xpose_buffer, the_swizzled_layout_needs_1_cycle_for_80_patterns_and_2_for_28) {
    EXPECT_EQ(conflicts(xpose_buffer::sram_swizzled), (std::map<unsigned, unsigned>{{1, 80}, {2, 28}}));
}

TEST(tensorload_xpose_buffer, in_each_row_every_layout_gives_each_byte_a_bank_of_its_own) {
    for (const xpose_buffer layout :
         {xpose_buffer::sram_plain, xpose_buffer::sram_row_xor, xpose_buffer::sram_swizzled})
        for (unsigned row = 0; row < 16; ++row) {
            std::set<unsigned> banks;
            for (unsigned low = 0; low < 128; ++low) banks.insert(tl::bank_of(row * 128 + low, layout));
            EXPECT_EQ(banks.size(), 128u);
            EXPECT_LT(*banks.rbegin(), 128u);
        }
}

TEST(tensorload_xpose_buffer, bank_conflicts_lengthen_the_drain) {
    // The drain of 16 beats takes as many cycles as the banks need.
    struct expected {
        xpose_buffer layout;
        bool second_buffer;
    };
    for (const auto& [layout, second_buffer] :
         {expected{xpose_buffer::sram_plain, true}, expected{xpose_buffer::sram_plain, false},
          expected{xpose_buffer::sram_swizzled, true}, expected{xpose_buffer::sram_row_xor, false}}) {
        tensorload_rig rig([layout = layout, second_buffer = second_buffer](tensorload_parameters& p) {
            p.xpose = layout;
            p.xpose_double_buffer = second_buffer;
        });
        for (const std::uint32_t size :
             {dims(16, 8, 8, 2), dims(2, 16, 2, 32), dims(128, 16, 1, 1), dims(16, 128, 1, 1)}) {
            const unsigned drain = tl::drain_cycles(
                tl::gather({{size & 255, size >> 8 & 255, size >> 16 & 255, size >> 24}, 0, 1, 8}), 8,
                layout);
            const auto result = alone(rig, tl::xpose(0, 1, 1, 2, 3), size);
            EXPECT_EQ(result.occupancy, second_buffer ? std::max(16u, drain) : 16 + drain);
            EXPECT_EQ(result.latency, 1 + 16 + drain + 2);
        }
    }
}

TEST(tensorload_xpose_buffer, a_128_byte_column_of_a_plain_layout_comes_from_one_bank_for_16_cycles) {
    // [16, 128] transposed: neighbours of the result are 128 bytes apart, all in one bank of 16 rows.
    EXPECT_EQ(tl::drain_cycles(tl::gather({{16, 128, 1, 1}, 0, 1, 8}), 8, xpose_buffer::sram_plain),
              16u * 16);
}

// --- queues and dependences -----------------------------------------------------------------------------

/// Issues as early as possible; returns the cycle in which the instruction started.
cycles start_of(tensorload_rig& rig, const tl::instruction& insn, std::uint32_t scalar = 0) {
    EXPECT_TRUE(rig.accepts(insn, scalar)) << rig.core.last_trap();
    return rig.core.last_placement().start;
}

TEST(tensorload_schedule, instructions_of_one_sub_engine_follow_each_other_at_their_occupancy) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::load(2, 2, 0)), cycles{64});
    EXPECT_EQ(start_of(rig, tl::load(3, 2, 0)), cycles{128});
    EXPECT_EQ(rig.core.drained(cycles{}), cycles{128 + 73});
}

TEST(tensorload_schedule, four_sub_engines_run_at_once_on_different_registers) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::addi(2, 3, 1)), cycles{1});
    EXPECT_EQ(start_of(rig, tl::store(4, 2, 0)), cycles{2});
    EXPECT_EQ(start_of(rig, tl::xpose(0, 1, 5, 6, 7), dims(8, 16, 8, 2)), cycles{3});
}

TEST(tensorload_schedule, a_reader_waits_for_the_complete_result_of_a_writer) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::addi(2, 1, 1)), cycles{73});
    EXPECT_EQ(start_of(rig, tl::store(2, 2, 0)), cycles{73 + 11});
}

TEST(tensorload_schedule, a_writer_waits_for_earlier_readers_and_writers_of_its_register) {
    tensorload_rig war = full_block();
    EXPECT_EQ(start_of(war, tl::store(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(war, tl::addi(1, 3, 1)), cycles{19});
    tensorload_rig waw = full_block();
    EXPECT_EQ(start_of(waw, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(waw, tl::addi(1, 3, 1)), cycles{73});
}

TEST(tensorload_schedule, readers_of_one_register_do_not_wait_for_each_other) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::store(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::addi(2, 1, 1)), cycles{1});
}

TEST(tensorload_schedule, a_transpose_waits_for_both_registers_and_holds_both) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::load(2, 2, 0)), cycles{64});
    EXPECT_EQ(start_of(rig, tl::xpose(0, 1, 1, 2, 3), dims(8, 16, 8, 2)), cycles{64 + 73});
    EXPECT_EQ(start_of(rig, tl::store(1, 2, 0)), cycles{64 + 73 + 35});
}

TEST(tensorload_schedule, tl0_makes_nobody_wait) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(0, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::addi(0, 0, 1)), cycles{1});
    EXPECT_EQ(start_of(rig, tl::store(0, 2, 0)), cycles{2});
}

TEST(tensorload_schedule, an_instruction_that_waits_holds_only_its_own_sub_engine) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(start_of(rig, tl::addi(2, 1, 1)), cycles{73});
    EXPECT_EQ(start_of(rig, tl::addi(3, 4, 1)), cycles{73 + 8}); // in order behind the one that waits
    EXPECT_EQ(start_of(rig, tl::store(5, 2, 0)), cycles{3});
}

TEST(tensorload_schedule, a_full_queue_holds_the_hart_until_its_oldest_instruction_starts) {
    tensorload_rig rig = full_block();
    // One runs, four wait. The sixth is offered in cycle 5 and accepted when the second starts in cycle 64.
    for (unsigned i = 0; i < 5; ++i) {
        const auto answer = rig.issue(tl::load(1 + i, 2, 0));
        EXPECT_EQ(answer.next, cycles{i + 1});
    }
    EXPECT_EQ(rig.issue(tl::load(6, 2, 0)).next, cycles{65});
    EXPECT_EQ(rig.issue(tl::load(7, 2, 0)).next, cycles{129});
    EXPECT_EQ(rig.core.counters(tl::sub_engine::load).queue_full, 64u - 5 + 128 - 65);
}

TEST(tensorload_schedule, the_queue_depth_is_a_parameter) {
    tensorload_rig rig = full_block([](tensorload_parameters& p) { p.queue_depth = 1; });
    EXPECT_EQ(rig.issue(tl::load(1, 2, 0)).next, cycles{1});
    EXPECT_EQ(rig.issue(tl::load(2, 2, 0)).next, cycles{2});
    EXPECT_EQ(rig.issue(tl::load(3, 2, 0)).next, cycles{65});
}

TEST(tensorload_schedule, a_full_queue_of_one_sub_engine_does_not_hold_another) {
    tensorload_rig rig = full_block();
    for (unsigned i = 0; i < 5; ++i) rig.issue(tl::load(1 + i, 2, 0));
    EXPECT_EQ(rig.issue(tl::addi(10, 11, 1)).next, cycles{6});
}

TEST(tensorload_schedule, row_C51_csr_writes_do_not_affect_issued_instructions) {
    tensorload_rig rig = full_block();
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    ASSERT_TRUE(rig.accepts(tl::load(2, 2, 0))); // waits until cycle 64
    rig.set_block(int32, shape(1, 1, 1));
    EXPECT_EQ(rig.core.drained(cycles{}), cycles{64 + 73});
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(2, i), rig.memory.l1m[i]);
}

TEST(tensorload_schedule, row_C51_drained_is_the_cycle_in_which_everything_is_complete) {
    tensorload_rig rig = full_block();
    EXPECT_EQ(rig.core.drained(cycles{7}), cycles{7});
    ASSERT_TRUE(rig.accepts(tl::addi(1, 2, 3)));
    ASSERT_TRUE(rig.accepts(tl::load(3, 2, 0)));
    EXPECT_EQ(rig.core.drained(cycles{2}), cycles{1 + 73});
    EXPECT_EQ(rig.core.drained(cycles{100}), cycles{100});
}

TEST(tensorload_schedule, row_C9_under_route_the_engine_id_chooses_the_sub_engine) {
    tensorload_rig rig = full_block([](tensorload_parameters& p) { p.engine_id = engine_id_use::route; });
    tl::instruction insn = tl::addi(1, 2, 3);
    insn.engine_id = 0; // into the queue of loads
    ASSERT_TRUE(rig.accepts(insn));
    EXPECT_EQ(start_of(rig, tl::load(4, 2, 0)), cycles{8});
    EXPECT_EQ(rig.core.counters(tl::sub_engine::load).instructions, 2u);
    EXPECT_EQ(rig.core.counters(tl::sub_engine::compute).instructions, 0u);
}

// --- memory accesses ------------------------------------------------------------------------------------

TEST(tensorload_beats, by_default_there_is_one_access_for_each_slice_at_the_cycle_of_its_first_beat) {
    tensorload_rig rig = full_block();
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 1), 0x100));
    ASSERT_EQ(rig.memory.accesses.size(), 8u);
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(rig.memory.accesses[i].offset, 0x100 + 128 + 128 * i);
        EXPECT_EQ(rig.memory.accesses[i].bytes, 128u);
        EXPECT_EQ(rig.memory.accesses[i].at, cycles{1 + 8 * i}); // behind the cycle of decoding
    }
}

TEST(tensorload_beats, under_beats_there_is_one_access_for_each_line_of_l1) {
    tensorload_rig rig = full_block([](tensorload_parameters& p) { p.beats = beat_mode::beat; });
    rig.set(tl::csr::tshape, shape(2, 5, 4)); // 20 bytes from 12 on: 4 and 16; from 32 on: 16 and 4
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 12));
    const std::vector<std::pair<unsigned, unsigned>> expected{{12, 4}, {16, 16}, {32, 16}, {48, 4}};
    ASSERT_EQ(rig.memory.accesses.size(), expected.size());
    for (unsigned i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(rig.memory.accesses[i].offset, expected[i].first);
        EXPECT_EQ(rig.memory.accesses[i].bytes, expected[i].second);
        EXPECT_EQ(rig.memory.accesses[i].at, cycles{1 + i});
    }
}

TEST(tensorload_beats, the_number_of_accesses_changes_neither_data_nor_time) {
    tensorload_rig whole = full_block(),
                   parts = full_block([](tensorload_parameters&p) { p.beats = beat_mode::beat; });
    for (tensorload_rig* rig : {&whole, &parts}) {
        ASSERT_TRUE(rig->accepts(tl::load(1, 2, 3), 5));
        ASSERT_TRUE(rig->accepts(tl::store(1, 2, 0), 7));
    }
    EXPECT_EQ(whole.core.tensor(1), parts.core.tensor(1));
    EXPECT_EQ(whole.memory.l0m, parts.memory.l0m);
    EXPECT_EQ(whole.core.drained(cycles{}), parts.core.drained(cycles{}));
    EXPECT_GT(parts.memory.accesses.size(), whole.memory.accesses.size());
}

TEST(tensorload_beats, stores_to_the_dst_window_go_element_by_element_sixteen_words_a_cycle) {
    tensorload_rig rig([](tensorload_parameters& p) { p.l0m = l0m_binding::dst; });
    rig.set_block(int32, shape(2, 4, 8)); // slices of 128 bytes: two beats of 16 elements
    ASSERT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x40));
    ASSERT_EQ(rig.memory.accesses.size(), 64u);
    for (unsigned i = 0; i < 64; ++i) {
        EXPECT_EQ(rig.memory.accesses[i].offset, 0x40 + 4 * i);
        EXPECT_EQ(rig.memory.accesses[i].bytes, 4u);
        EXPECT_EQ(rig.memory.accesses[i].at, cycles{1 + i / 16});
    }
}

TEST(tensorload_beats, raw_stores_to_dst_are_bulk) {
    tensorload_rig rig([](tensorload_parameters& p) { p.l0m = l0m_binding::dst, p.l0m_raw = true; });
    rig.set_block(int32, shape(2, 4, 8));
    ASSERT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x40));
    EXPECT_EQ(rig.memory.accesses.size(), 2u);
}

TEST(tensorload_beats, what_a_memory_adds_delays_later_beats_the_result_and_the_next_instruction) {
    tensorload_rig rig = full_block();
    rig.memory.delayed = cycles{5};
    EXPECT_EQ(start_of(rig, tl::load(1, 2, 0)), cycles{0});
    EXPECT_EQ(rig.memory.accesses[1].at, cycles{1 + 8 + 5});
    EXPECT_EQ(rig.core.drained(cycles{}), cycles{73 + 8 * 5});
    EXPECT_EQ(start_of(rig, tl::load(2, 2, 0)), cycles{64 + 8 * 5});
    EXPECT_EQ(rig.core.counters(tl::sub_engine::load).memory, 2u * 8 * 5);
}

TEST(tensorload_beats, an_error_response_sets_a_sticky_bit_and_leaves_zeros) {
    tensorload_rig rig = full_block();
    rig.fill(1, [](unsigned) { return 0xffu; });
    rig.memory.refuses = true;
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    EXPECT_EQ(rig.get(tl::csr::tl_status) >> 8 & 1, 1u);
    EXPECT_EQ(rig.core.bus_errors(), 8u);
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(1, i), 0u);
    rig.memory.refuses = false;
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    EXPECT_EQ(rig.get(tl::csr::tl_status) >> 8 & 1, 1u);
    rig.core.reset(rig.config);
    EXPECT_EQ(rig.get(tl::csr::tl_status), 0u);
}

// --- events and counters --------------------------------------------------------------------------------

struct event_list : probe::pipeline_observer {
    struct entry {
        std::int64_t begin, end;
        std::string lane, kind, text;
        std::uint64_t flow;
    };
    std::vector<entry> entries;
    void acted(const probe::activity_event& e) override {
        EXPECT_EQ(e.unit, probe::tile_unit::tensorload);
        entries.push_back({e.begin.count(), e.end.count(), e.lane, e.kind, std::string(e.text), e.flow});
    }
};

TEST(tensorload_events, busy_stretches_waiting_and_full_queues_are_published) {
    tensorload_rig rig = full_block([](tensorload_parameters& p) { p.queue_depth = 1; });
    event_list events;
    rig.core.reset(rig.config, &events);
    rig.set_block(int8, shape(8, 32, 4));
    rig.issue(tl::load(1, 2, 0)); // 0 to 63
    rig.issue(tl::addi(3, 1, 1)); // waits for tl1 until 73
    rig.issue(tl::addi(4, 5, 1)); // offered in 2, the queue is full until 73; runs from 81 on
    using entry = event_list::entry;
    const std::vector<entry> expected{{0, 63, "load", "busy", "tl.load tl1, 0(x2)", 1},
                                      {1, 72, "compute", "register", "tl.addi tl3, tl1, 1", 2},
                                      {73, 80, "compute", "busy", "tl.addi tl3, tl1, 1", 2},
                                      {2, 72, "issue", "queue_full", "tl.addi tl4, tl5, 1", 3},
                                      {81, 88, "compute", "busy", "tl.addi tl4, tl5, 1", 3}};
    ASSERT_EQ(events.entries.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const entry &a = events.entries[i], &b = expected[i];
        EXPECT_EQ(a.begin, b.begin) << i;
        EXPECT_EQ(a.end, b.end) << i;
        EXPECT_EQ(a.lane, b.lane) << i;
        EXPECT_EQ(a.kind, b.kind) << i;
        EXPECT_EQ(a.text, b.text) << i;
        EXPECT_EQ(a.flow, b.flow) << i;
    }
}

TEST(tensorload_events, counters_add_up) {
    tensorload_rig rig = full_block();
    rig.issue(tl::load(1, 2, 0));
    rig.issue(tl::addi(3, 1, 1));
    rig.issue(tl::store(3, 2, 0));
    const auto& load = rig.core.counters(tl::sub_engine::load);
    EXPECT_EQ(load.instructions, 1u);
    EXPECT_EQ(load.busy, 64u);
    EXPECT_EQ(load.bytes, 1024u);
    const auto& compute = rig.core.counters(tl::sub_engine::compute);
    EXPECT_EQ(compute.busy, 8u);
    EXPECT_EQ(compute.waited, 73u - 1);
    EXPECT_EQ(rig.core.counters(tl::sub_engine::store).waited, 73u + 11 - 2);
}

} // namespace
} // namespace sfpu::test
