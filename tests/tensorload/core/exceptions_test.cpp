// When TensorLoad instructions trap, and in which order conditions are checked.
#include "tensorload_rig.h"

#include <random>

namespace sfpu::test {
namespace {

using outcome = riscv::coprocessor_answer::outcome;

constexpr std::uint32_t illegal_instruction = 2, load_fault = 5, store_fault = 7;

void expect_trap(tensorload_rig& rig, const tl::instruction& insn, tl::refusal why,
                 std::uint32_t scalar = 0) {
    const auto answer = rig.issue(insn, scalar);
    ASSERT_EQ(answer.result, outcome::trap) << tl::text(insn);
    EXPECT_EQ(rig.core.last_trap(), tl::describe(why)) << tl::text(insn);
    EXPECT_EQ(answer.cause, tl::cause_of(why)) << tl::text(insn);
    if (answer.cause == illegal_instruction) {
        EXPECT_EQ(answer.value, tl::encode(insn));
    }
}

const tl::instruction users_of_a_block[] = {tl::load(1, 2, 0),      tl::mload(1, 2, 0),
                                            tl::store(1, 2, 0),     tl::mstore(1, 2, 0),
                                            tl::concat(0, 1, 2, 3), tl::merge(0, 1, 2, 3)};

void make_masks_valid(tensorload_rig& rig) {
    rig.set(tl::csr::tmask_ls, 1);
    rig.set(tl::csr::tmask_concat_1, 1);
    rig.set(tl::csr::tmask_concat_2, 0);
}

TEST(tensorload_exceptions, a_trap_changes_neither_registers_nor_memory_nor_time) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    for (unsigned tensor = 1; tensor < 32; ++tensor) rig.fill(tensor, [&](unsigned i) { return i + tensor; });
    const auto memory = rig.memory.l0m;
    // The last slice is outside: the first three must not be stored or loaded.
    EXPECT_FALSE(rig.accepts(tl::store(5, 1, 0), 0x8000 - 3 * 16));
    EXPECT_FALSE(rig.accepts(tl::load(5, 1, 0), 0x8000 - 3 * 16));
    EXPECT_TRUE(rig.memory.accesses.empty());
    EXPECT_EQ(rig.memory.l0m, memory);
    for (unsigned tensor = 1; tensor < 32; ++tensor)
        for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(tensor, i), (i + tensor) % 256);
    EXPECT_EQ(rig.core.drained(cycles{}), cycles{});
    EXPECT_EQ(rig.core.traps(), 2u);
}

TEST(tensorload_exceptions, an_undefined_encoding_is_an_illegal_instruction_with_the_word_in_mtval) {
    tensorload_rig rig;
    const auto answer = rig.issue(0x0000405bu);
    EXPECT_EQ(answer.result, outcome::trap);
    EXPECT_EQ(answer.cause, illegal_instruction);
    EXPECT_EQ(answer.value, 0x0000405bu);
    EXPECT_EQ(rig.core.last_trap(), tl::describe(tl::refusal::undefined_encoding));
}

TEST(tensorload_exceptions, row_C40_all_users_of_a_block_need_exactly_one_supported_type) {
    for (const std::uint32_t type : {0x0u, 0x3u, 0x6u, 0x10u, 0x20u, 0x300u, 0x800u, 0xc00u, 0x42u}) {
        for (const tl::instruction& insn : users_of_a_block) {
            tensorload_rig rig;
            make_masks_valid(rig);
            rig.set_block(type, shape(1, 1, 8));
            expect_trap(rig, insn, tl::refusal::element_type);
        }
    }
}

TEST(tensorload_exceptions, row_C40_movement_takes_all_types_of_the_default_set) {
    for (const std::uint32_t type : {1u, 2u, 4u, 8u, 0x40u, 0x80u, 0xc0u, 0x100u, 0x200u, 0x400u}) {
        for (const tl::instruction& insn : users_of_a_block) {
            tensorload_rig rig;
            make_masks_valid(rig);
            rig.set_block(type, shape(1, 1, 8));
            EXPECT_TRUE(rig.accepts(insn)) << tl::text(insn) << " type " << type;
        }
    }
}

TEST(tensorload_exceptions, row_C42_addi_takes_int8_int16_and_int32_only) {
    for (std::uint32_t type = 0; type < 0x1000; ++type) {
        tensorload_rig rig;
        rig.set(tl::csr::ttype, type);
        EXPECT_EQ(rig.accepts(tl::addi(1, 2, 3)), type == int8 || type == int16 || type == int32) << type;
    }
}

TEST(tensorload_exceptions, the_supported_types_follow_their_parameters) {
    tensorload_rig none([](tensorload_parameters& p) { p.int8 = type_support::none; });
    none.set(tl::csr::tshape, shape(1, 1, 8));
    expect_trap(none, tl::load(1, 2, 0), tl::refusal::element_type);
    expect_trap(none, tl::addi(1, 2, 0), tl::refusal::element_type);
    tensorload_rig all(
        [](tensorload_parameters& p) { p.int4 = type_support::all, p.fp4 = type_support::move; });
    all.set_block(int4, shape(1, 1, 8));
    EXPECT_TRUE(all.accepts(tl::addi(1, 2, 0)));
    all.set(tl::csr::ttype, 0x10);
    EXPECT_TRUE(all.accepts(tl::load(1, 2, 0)));
    expect_trap(all, tl::addi(1, 2, 0), tl::refusal::element_type);
}

TEST(tensorload_exceptions, row_C44_a_size_of_zero_or_a_block_beyond_a_register_is_illegal) {
    for (const std::uint32_t size :
         {shape(0, 4, 4), shape(4, 0, 4), shape(4, 4, 0), shape(1, 5, 205), shape(255, 255, 255)}) {
        for (const tl::instruction& insn : users_of_a_block) {
            tensorload_rig rig;
            make_masks_valid(rig);
            rig.set_block(int8, size);
            expect_trap(rig, insn, tl::refusal::block_shape);
        }
    }
}

TEST(tensorload_exceptions, a_block_of_exactly_one_register_is_legal_in_every_type) {
    const std::pair<std::uint32_t, unsigned> types[] = {{int4, 64}, {int8, 32}, {int16, 16}, {int32, 8}};
    for (const auto& [type, last] : types) {
        for (const tl::instruction& insn : users_of_a_block) {
            tensorload_rig rig;
            make_masks_valid(rig);
            rig.set_block(type, shape(4, 8, last));
            EXPECT_TRUE(rig.accepts(insn)) << tl::text(insn);
            rig.set_block(type, shape(4, 8, last + 1));
            expect_trap(rig, insn, tl::refusal::block_shape);
        }
    }
}

TEST(tensorload_exceptions, row_C45_more_slices_or_positions_than_mask_bits_are_illegal) {
    tensorload_rig rig;
    make_masks_valid(rig);
    rig.set_block(int8, shape(33, 2, 4));
    for (const tl::instruction& insn : users_of_a_block) expect_trap(rig, insn, tl::refusal::slice_count);
    EXPECT_TRUE(rig.accepts(tl::merge(1, 1, 2, 3))); // the other axes are short
    rig.set_block(int8, shape(2, 33, 4));
    expect_trap(rig, tl::merge(1, 1, 2, 3), tl::refusal::slice_count);
    expect_trap(rig, tl::concat(1, 1, 2, 3), tl::refusal::slice_count);
    rig.set_block(int8, shape(2, 4, 33));
    expect_trap(rig, tl::merge(2, 1, 2, 3), tl::refusal::slice_count);
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0)));
}

TEST(tensorload_exceptions, slices_that_together_exceed_a_register_are_illegal) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::load_width, 256);
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    EXPECT_TRUE(rig.accepts(tl::store(1, 2, 0))); // its own width is natural
    rig.set(tl::csr::load_width, 257);
    expect_trap(rig, tl::load(1, 2, 0), tl::refusal::slice_width);
    rig.set(tl::csr::load_width, 0xffffffff);
    expect_trap(rig, tl::load(1, 2, 0), tl::refusal::slice_width);
    rig.set(tl::csr::store_width, 257);
    expect_trap(rig, tl::store(1, 2, 0), tl::refusal::slice_width);
}

TEST(tensorload_exceptions, row_C46_masks_must_have_been_written_before_use) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    EXPECT_TRUE(rig.accepts(tl::store(1, 2, 0)));
    expect_trap(rig, tl::mload(1, 2, 0), tl::refusal::mask_invalid);
    expect_trap(rig, tl::mstore(1, 2, 0), tl::refusal::mask_invalid);
    expect_trap(rig, tl::merge(0, 1, 2, 3), tl::refusal::mask_invalid);
    rig.set(tl::csr::load_mask, 0);
    EXPECT_TRUE(rig.accepts(tl::mload(1, 2, 0)));
    expect_trap(rig, tl::mstore(1, 2, 0), tl::refusal::mask_invalid);
    rig.set(tl::csr::tmask_concat_1, 0);
    EXPECT_TRUE(rig.accepts(tl::merge(0, 1, 2, 3))); // row C26: mask 2 is not needed
    expect_trap(rig, tl::concat(0, 1, 2, 3), tl::refusal::mask_invalid);
    rig.set(tl::csr::tmask_concat_2, 0);
    EXPECT_TRUE(rig.accepts(tl::concat(0, 1, 2, 3)));
    tensorload_rig second;
    second.set_block(int8, shape(4, 4, 4));
    second.set(tl::csr::tmask_concat_2, 0);
    expect_trap(second, tl::concat(0, 1, 2, 3), tl::refusal::mask_invalid);
    expect_trap(second, tl::merge(0, 1, 2, 3), tl::refusal::mask_invalid);
}

TEST(tensorload_exceptions, row_C29_a_concatenation_of_more_positions_than_the_shape_has_is_illegal) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::tmask_concat_1, 0x7);
    rig.set(tl::csr::tmask_concat_2, 0x1);
    EXPECT_TRUE(rig.accepts(tl::concat(1, 1, 2, 3)));
    rig.set(tl::csr::tmask_concat_2, 0x3);
    expect_trap(rig, tl::concat(1, 1, 2, 3), tl::refusal::too_many);
    rig.set(tl::csr::tmask_concat_2, 0xfffffff1); // bits behind the axis do not count
    EXPECT_TRUE(rig.accepts(tl::concat(1, 1, 2, 3)));
}

TEST(tensorload_exceptions, row_C17_a_transpose_needs_2048_elements_and_an_even_first_size) {
    tensorload_rig rig;
    for (unsigned d0 = 0; d0 < 256; ++d0)
        for (const auto& [d1, d2, d3] : {std::array<unsigned, 3>{16, 8, 2},
                                         {1, 1, 8},
                                         {16, 16, 8},
                                         {2, 2, 2},
                                         {128, 16, 1},
                                         {0, 0, 0}}) {
            const bool legal = d0 * d1 * d2 * d3 == 2048 && d0 % 2 == 0;
            EXPECT_EQ(rig.accepts(tl::xpose(0, 1, 1, 2, 3), dims(d0, d1, d2, d3)), legal) << d0 << ' ' << d1;
        }
    expect_trap(rig, tl::xpose(0, 1, 1, 2, 3), tl::refusal::dimensions, dims(1, 128, 16, 1));
}

TEST(tensorload_exceptions, row_C18_a_transpose_of_a_register_with_itself_is_illegal_but_for_tl0) {
    tensorload_rig rig;
    expect_trap(rig, tl::xpose(0, 1, 5, 5, 3), tl::refusal::same_register, dims(8, 16, 8, 2));
    EXPECT_TRUE(rig.accepts(tl::xpose(0, 1, 0, 0, 3), dims(8, 16, 8, 2)));
}

TEST(tensorload_exceptions, row_C21_a_transpose_of_an_axis_with_itself_checks_nothing) {
    tensorload_rig rig;
    rig.set(tl::csr::ttype, 0);
    rig.fill(5, [](unsigned i) { return i; });
    for (unsigned axis : {0u, 1u, 3u}) EXPECT_TRUE(rig.accepts(tl::xpose(axis, axis, 5, 5, 3), 0)) << axis;
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(5, i), i % 256);
}

// --- memory faults --------------------------------------------------------------------------------------

TEST(tensorload_exceptions, row_C48_faults_are_cause_5_for_loads_and_7_for_stores_with_the_first_bad_slice) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    const auto load = rig.issue(tl::load(1, 2, 0), 0x8000 - 40);
    EXPECT_EQ(load.cause, load_fault);
    EXPECT_EQ(load.value, 0x8000u - 40 + 32); // slices of 16 bytes: the third does not fit
    const auto store = rig.issue(tl::store(1, 2, 0), 0x8000 - 40);
    EXPECT_EQ(store.cause, store_fault);
    EXPECT_EQ(store.value, 0x8000u - 40 + 32);
}

TEST(tensorload_exceptions, the_first_bad_slice_is_the_one_with_the_lowest_number) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::load_stride_0 + 1, 0x00100000);
    rig.set(tl::csr::load_stride_0 + 3, 0x00080000);
    EXPECT_EQ(rig.issue(tl::load(1, 2, 0), 0x100).value, 0x01000100u);
}

TEST(tensorload_exceptions, row_C48_slices_are_aligned_to_the_element) {
    const std::pair<std::uint32_t, unsigned> types[] = {{int4, 1},  {int8, 1}, {int16, 2},
                                                        {int32, 4}, {bf16, 2}, {fp32, 4}};
    for (const auto& [type, alignment] : types)
        for (unsigned offset = 0; offset < 8; ++offset)
            for (const tl::instruction& insn : {tl::load(1, 2, 0), tl::store(1, 2, 0)}) {
                tensorload_rig rig;
                rig.set_block(type, shape(2, 2, 8));
                const auto answer = rig.issue(insn, 0x100 + offset);
                EXPECT_EQ(answer.result == outcome::accepted, offset % alignment == 0) << tl::text(insn);
                if (answer.result == outcome::trap) {
                    EXPECT_EQ(answer.value, 0x100 + offset);
                }
            }
}

TEST(tensorload_exceptions, row_C55_only_enabled_slices_are_checked) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::tmask_load_stride, 0x400); // slice 2 and 3 are outside
    rig.set(tl::csr::tmask_ls, 0x3);
    EXPECT_TRUE(rig.accepts(tl::mload(1, 2, 0), 0));
    EXPECT_TRUE(rig.accepts(tl::mstore(1, 2, 0), 0));
    EXPECT_FALSE(rig.accepts(tl::load(1, 2, 0), 0));
    rig.set(tl::csr::tmask_ls, 0x7);
    EXPECT_EQ(rig.issue(tl::mload(1, 2, 0), 0).value, 0x8000u);
}

TEST(tensorload_exceptions, a_slice_at_the_very_end_of_the_space_is_legal) {
    tensorload_rig rig;
    rig.set_block(int8, shape(1, 4, 4));
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x8000 - 16));
    EXPECT_FALSE(rig.accepts(tl::load(1, 2, 0), 0x8000 - 15));
    EXPECT_FALSE(rig.accepts(tl::load(1, 2, 0), 0xfffffff8)); // must not wrap into the space
    EXPECT_TRUE(rig.accepts(tl::load(1, 2, 2), 0xfffffff0));  // but addresses do: -16 + 2 * 16
}

TEST(tensorload_exceptions, bytes_of_the_dst_window_end_at_16_KiB) {
    tensorload_rig rig([](tensorload_parameters& p) { p.l0m = l0m_binding::dst; });
    rig.set_block(int8, shape(1, 4, 4));
    EXPECT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x4000 - 16));
    EXPECT_EQ(rig.issue(tl::store(1, 2, 0), 0x4000).cause, store_fault);
    rig.set_block(bf16, shape(1, 4, 2));
    EXPECT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x8000 - 16));
    tensorload_rig raw([](tensorload_parameters& p) { p.l0m = l0m_binding::dst, p.l0m_raw = true; });
    raw.set_block(int8, shape(1, 4, 4));
    EXPECT_TRUE(raw.accepts(tl::store(1, 2, 0), 0x8000 - 16));
}

TEST(tensorload_exceptions, stores_to_l1_have_the_space_of_loads) {
    tensorload_rig rig(
        [](tensorload_parameters& p) { p.l0m = l0m_binding::l1, p.l0m_size = 16, p.l1m_base = 0x1000; });
    EXPECT_EQ(tl::store_space(rig.config, 8).size, tensorload_rig::l1m_bytes);
    EXPECT_EQ(tl::store_space(rig.config, 8).base, 0x1000u);
}

TEST(tensorload_exceptions, the_default_spaces_are_those_of_the_platform) {
    parameters config;
    EXPECT_EQ(tl::load_space(config).base, 0u);
    EXPECT_EQ(tl::load_space(config).size, 0x180000u);
    EXPECT_EQ(tl::store_space(config, 16).base, 0xffbd8000u);
    EXPECT_EQ(tl::store_space(config, 16).size, 0x8000u);
    config.arch = architecture::wormhole; // has no Dst window
    EXPECT_EQ(tl::store_space(config, 16).base, tl::load_space(config).base);
    EXPECT_EQ(tl::store_space(config, 16).size, tl::load_space(config).size);
}

// --- priority -------------------------------------------------------------------------------------------

TEST(tensorload_exceptions, conditions_are_checked_in_the_order_type_shape_width_mask_memory) {
    // All conditions hold at once; they are removed one by one.
    tensorload_rig rig;
    const tl::instruction insn = tl::mload(1, 2, 0);
    const std::uint32_t bad_address = 0xfffff000;
    rig.set_block(0, shape(0, 1, 1));
    rig.set(tl::csr::load_width, 0x10000);
    expect_trap(rig, insn, tl::refusal::element_type, bad_address);
    rig.set(tl::csr::ttype, int32);
    expect_trap(rig, insn, tl::refusal::block_shape, bad_address);
    rig.set(tl::csr::tshape, shape(33, 1, 1));
    expect_trap(rig, insn, tl::refusal::slice_count, bad_address);
    rig.set(tl::csr::tshape, shape(32, 1, 1));
    expect_trap(rig, insn, tl::refusal::slice_width, bad_address);
    rig.set(tl::csr::load_width, 0);
    expect_trap(rig, insn, tl::refusal::mask_invalid, bad_address);
    rig.set(tl::csr::load_mask, 1);
    expect_trap(rig, insn, tl::refusal::load_fault, bad_address);
    EXPECT_TRUE(rig.accepts(insn, 0));
}

TEST(tensorload_exceptions, concat_checks_type_shape_axis_masks_and_capacity_in_this_order) {
    tensorload_rig rig;
    const tl::instruction insn = tl::concat(0, 1, 2, 3);
    rig.set_block(0, shape(0, 1, 1));
    expect_trap(rig, insn, tl::refusal::element_type);
    rig.set(tl::csr::ttype, int8);
    expect_trap(rig, insn, tl::refusal::block_shape);
    rig.set(tl::csr::tshape, shape(40, 1, 1));
    expect_trap(rig, insn, tl::refusal::slice_count);
    rig.set(tl::csr::tshape, shape(8, 1, 1));
    expect_trap(rig, insn, tl::refusal::mask_invalid);
    rig.set(tl::csr::tmask_concat_1, 0xff);
    rig.set(tl::csr::tmask_concat_2, 0xff);
    expect_trap(rig, insn, tl::refusal::too_many);
    rig.set(tl::csr::tmask_concat_2, 0);
    EXPECT_TRUE(rig.accepts(insn));
}

TEST(tensorload_exceptions, strict_engine_ids_are_checked_with_the_encoding) {
    tensorload_rig rig([](tensorload_parameters& p) { p.engine_id = engine_id_use::strict; });
    rig.set(tl::csr::ttype, 0);
    const std::uint32_t word = tl::encode(tl::load(1, 2, 0)) | 3u << 30;
    EXPECT_FALSE(rig.accepts(word));
    EXPECT_EQ(rig.core.last_trap(), tl::describe(tl::refusal::undefined_encoding));
}

TEST(tensorload_exceptions, row_C47_no_field_can_name_a_register_or_axis_that_does_not_exist) {
    // Any word of a defined format either completes or traps for a reason of its operands, never for a
    // number.
    std::mt19937 random(3);
    for (unsigned round = 0; round < 2000; ++round) {
        tensorload_rig rig;
        make_masks_valid(rig);
        rig.set_block(int8, shape(2, 2, 2));
        const std::uint32_t word = (static_cast<std::uint32_t>(random()) & 0x01ff8f80u) | 0x0000105b;
        EXPECT_TRUE(rig.accepts(word));
    }
}

} // namespace
} // namespace sfpu::test
