// The backend configuration space, against the layout of the documents.
#include <sfpu/memory/config_registers.h>

#include <gtest/gtest.h>

#include <tuple>

namespace sfpu::memory {
namespace {

using place = config_registers::place;

TEST(config_registers, blackhole_has_two_banks_of_224_words_a_copy_and_three_times_68_thread_registers) {
    const config_registers registers(architecture::blackhole);
    EXPECT_EQ(registers.place_of(0), place::bank);
    EXPECT_EQ(registers.place_of(2 * 224 - 1), place::bank);
    EXPECT_EQ(registers.place_of(2 * 224), place::dual);
    EXPECT_EQ(registers.place_of(3 * 224 - 1), place::dual);
    EXPECT_EQ(registers.place_of(3 * 224), place::thread);
    EXPECT_EQ(registers.place_of(3 * 224 + 3 * 68 - 1), place::thread);
    EXPECT_EQ(registers.place_of(3 * 224 + 3 * 68), place::outside);
    const auto found = registers.thread_register_of(3 * 224 + 68 + 5);
    EXPECT_EQ(found.thread, 1u);
    EXPECT_EQ(found.number, 5u);
}

TEST(config_registers, wormhole_has_two_banks_of_188_words_and_thread_registers_of_16_bytes) {
    const config_registers registers(architecture::wormhole);
    EXPECT_EQ(registers.place_of(2 * 188 - 1), place::bank);
    EXPECT_EQ(registers.place_of(2 * 188), place::thread);
    EXPECT_EQ(registers.place_of(2 * 188 + 1), place::padding);
    EXPECT_EQ(registers.place_of(2 * 188 + 4), place::thread);
    const auto found = registers.thread_register_of(2 * 188 + 4 * (2 * 57 + 3));
    EXPECT_EQ(found.thread, 2u);
    EXPECT_EQ(found.number, 3u);
    EXPECT_EQ(registers.place_of(2 * 188 + 4 * 3 * 57), place::outside);
}

TEST(config_registers, a_store_to_a_bank_is_read_back_there_and_only_there) {
    config_registers registers;
    EXPECT_TRUE(registers.write(5, 0x12345678));
    EXPECT_TRUE(registers.write(224 + 6, 0x9abcdef0));
    EXPECT_EQ(registers.read(5), 0x12345678u);
    EXPECT_EQ(registers.read(224 + 5), 0u);
    EXPECT_EQ(registers.read(6), 0u);
    EXPECT_EQ(registers.read(224 + 6), 0x9abcdef0u);
}

TEST(config_registers, words_from_the_global_base_on_have_one_value) {
    for (const auto& [arch, bank_words, base] :
         {std::tuple{architecture::blackhole, 224u, 180u}, std::tuple{architecture::wormhole, 188u, 152u}}) {
        config_registers registers(arch);
        registers.write(base - 1, 1);
        registers.write(base, 2);
        registers.write(bank_words + base + 1, 3);
        EXPECT_EQ(registers.read(bank_words + base - 1), 0u);
        EXPECT_EQ(registers.read(bank_words + base), 2u);
        EXPECT_EQ(registers.read(base + 1), 3u);
    }
}

TEST(config_registers, the_copy_writes_both_banks_and_reads_bank_0) {
    config_registers registers;
    registers.write(2 * 224 + 7, 0x77);
    EXPECT_EQ(registers.read(7), 0x77u);
    EXPECT_EQ(registers.read(224 + 7), 0x77u);
    registers.write(224 + 7, 0x78);
    EXPECT_EQ(registers.read(2 * 224 + 7), 0x77u);
}

TEST(config_registers, any_store_to_word_4_clears_its_bank_below_the_global_base) {
    config_registers registers;
    for (const unsigned index : {0u, 3u, 179u, 224u, 220u}) registers.write(index, 0xffffffff);
    registers.write(4, 0);
    EXPECT_EQ(registers.read(0), 0u);
    EXPECT_EQ(registers.read(3), 0u);
    EXPECT_EQ(registers.read(179), 0u);
    EXPECT_EQ(registers.read(224), 0xffffffffu) << "the other bank";
    EXPECT_EQ(registers.read(220), 0xffffffffu) << "global";
}

TEST(config_registers, thread_registers_cannot_be_stored_to) {
    config_registers registers;
    EXPECT_FALSE(registers.write(3 * 224, 1));
    EXPECT_FALSE(registers.write(3 * 224 + 3 * 68, 1));
    EXPECT_FALSE(registers.write(0x3fff, 1));
}

TEST(config_registers, the_fields_of_the_vector_unit_stand_where_cfg_defines_says) {
    config_registers registers;
    EXPECT_FALSE(registers.backend(0).fp32_enabled);
    registers.write(1, 1u << 30 | 5u << 21); // ALU_ACC_CTRL_SFPU_Fp32_enabled, ALU_FORMAT_SPEC_REG1_SrcB
    EXPECT_TRUE(registers.backend(0).fp32_enabled);
    EXPECT_EQ(registers.backend(0).srcb_format, 5u);
    registers.write(0, 1u << 9 | 6u << 5); // ALU_FORMAT_SPEC_REG_SrcB_override, _val
    EXPECT_EQ(registers.backend(0).srcb_format, 6u);
    registers.write(0, 6u << 5);
    EXPECT_EQ(registers.backend(0).srcb_format, 5u) << "not overridden";
    registers.write(6, 0x40);
    registers.write(7, 0x80);
    EXPECT_EQ(registers.backend(0).dest_regw_base, 0x40u);
    EXPECT_EQ(registers.backend(0).dest_sp_base, 0x80u);
    registers.write(220, 2); // DEST_ACCESS_CFG: swizzle_32b in bit 0, remap_addrs in bit 1
    EXPECT_TRUE(registers.backend(0).rows.remap_addrs);
    EXPECT_FALSE(registers.backend(1).rows.swizzle_32b);
    registers.write(220, 1);
    EXPECT_FALSE(registers.backend(1).rows.remap_addrs);
    EXPECT_TRUE(registers.backend(1).rows.swizzle_32b);
}

TEST(config_registers, risc_dest_access_ctrl_is_word_3_of_the_bank) {
    config_registers registers;
    registers.write(3, 1u << 20 | 4u << 21); // thread 1: unsigned, int16
    registers.write(224 + 3, 2u << 21);
    EXPECT_EQ(registers.dst_access(0, 1).format, dst_format::int16);
    EXPECT_TRUE(registers.dst_access(0, 1).unsigned_int);
    EXPECT_EQ(registers.dst_access(0, 0).format, dst_format::fp32);
    EXPECT_EQ(registers.dst_access(1, 1).format, dst_format::fp16);
}

} // namespace
} // namespace sfpu::memory
