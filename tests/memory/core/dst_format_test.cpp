// Conversions of the Dst window, against the numbers that the formats stand for.
#include <sfpu/memory/dst_format.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace sfpu::memory {
namespace {

constexpr dst_access_control control(dst_format format, bool no_swizzle = false, bool unsigned_int = false) {
    return {format, no_swizzle, unsigned_int};
}

/// A cell of Dst with an exponent of `exponent_bits` below a mantissa of `mantissa_bits`.
std::uint32_t cell_of(std::uint32_t sign, std::uint32_t exponent, std::uint32_t mantissa,
                      unsigned exponent_bits, unsigned mantissa_bits) {
    return (sign << mantissa_bits | mantissa) << exponent_bits | exponent;
}

/// The same number as IEEE 754 writes it.
std::uint32_t value_of(std::uint32_t sign, std::uint32_t exponent, std::uint32_t mantissa,
                       unsigned exponent_bits, unsigned mantissa_bits) {
    return (sign << exponent_bits | exponent) << mantissa_bits | mantissa;
}

void expect_exchange(dst_format format, unsigned exponent_bits, unsigned mantissa_bits) {
    for (std::uint32_t sign = 0; sign < 2; ++sign)
        for (std::uint32_t exponent = 0; exponent < 1u << exponent_bits; ++exponent)
            for (std::uint32_t mantissa = 0; mantissa < 1u << mantissa_bits; ++mantissa) {
                const std::uint32_t cell = cell_of(sign, exponent, mantissa, exponent_bits, mantissa_bits),
                                    value = value_of(sign, exponent, mantissa, exponent_bits, mantissa_bits);
                ASSERT_EQ(load_element(control(format), cell), value);
                ASSERT_EQ(store_element(control(format), value), cell);
            }
}

TEST(dst_format, fp16_exchanges_exponent_and_mantissa) { expect_exchange(dst_format::fp16, 5, 10); }
TEST(dst_format, bf16_exchanges_exponent_and_mantissa) { expect_exchange(dst_format::bf16, 8, 7); }

TEST(dst_format, fp32_has_the_exponent_between_the_upper_7_and_the_lower_16_bits_of_the_mantissa) {
    std::mt19937 random(5);
    for (unsigned round = 0; round < 200000; ++round) {
        const auto value = static_cast<std::uint32_t>(random());
        const std::uint32_t upper = cell_of(value >> 31, value >> 23 & 0xff, value >> 16 & 0x7f, 8, 7);
        const std::uint32_t cell = upper << 16 | (value & 0xffff);
        ASSERT_EQ(store_element(control(dst_format::fp32), value), cell);
        ASSERT_EQ(load_element(control(dst_format::fp32), cell), value);
    }
}

TEST(dst_format, without_swizzle_no_bit_moves) {
    std::mt19937 random(6);
    for (unsigned format = 0; format < 5; ++format)
        for (unsigned round = 0; round < 1000; ++round) {
            const auto bits = static_cast<std::uint32_t>(random()) & (format < 2 ? 0xffffffffu : 0xffffu);
            for (const bool unsigned_int : {false, true}) {
                const dst_access_control raw = control(static_cast<dst_format>(format), true, unsigned_int);
                ASSERT_EQ(load_element(raw, bits), bits);
                ASSERT_EQ(store_element(raw, bits), bits);
            }
        }
}

TEST(dst_format, int16_stores_sign_and_magnitude_and_the_lowest_number_as_its_neighbour) {
    for (int number = -32768; number <= 32767; ++number) {
        const int magnitude = std::min(std::abs(number), 32767);
        const auto cell = static_cast<std::uint32_t>((number < 0 ? 0x8000 : 0) + magnitude);
        ASSERT_EQ(store_element(control(dst_format::int16), static_cast<std::uint16_t>(number)), cell);
        ASSERT_EQ(load_element(control(dst_format::int16), cell),
                  static_cast<std::uint16_t>(number < 0 ? -magnitude : magnitude));
    }
}

TEST(dst_format, int16_reads_minus_zero_as_zero) {
    EXPECT_EQ(load_element(control(dst_format::int16), 0x8000), 0u);
}

TEST(dst_format, unsigned_int16_passes_all_values) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        ASSERT_EQ(store_element(control(dst_format::int16, false, true), bits), bits);
        ASSERT_EQ(load_element(control(dst_format::int16, false, true), bits), bits);
    }
}

/// The number that an int32 cell stands for: FP32's layout, read as sign and magnitude.
std::int64_t number_in_int32_cell(std::uint32_t cell) {
    const std::uint32_t bits = load_element(control(dst_format::fp32), cell);
    const std::int64_t magnitude = bits & 0x7fffffffu;
    return bits >> 31 ? -magnitude : magnitude;
}

TEST(dst_format, int32_stores_sign_and_magnitude_in_the_layout_of_fp32) {
    std::mt19937 random(7);
    for (unsigned round = 0; round < 200000; ++round) {
        const auto number = static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) >> random() % 32);
        for (const std::int32_t n : {number, -number}) {
            if (n == INT32_MIN) continue;
            const std::uint32_t cell =
                store_element(control(dst_format::int32), static_cast<std::uint32_t>(n));
            ASSERT_EQ(number_in_int32_cell(cell), n);
            ASSERT_EQ(load_element(control(dst_format::int32), cell), static_cast<std::uint32_t>(n));
        }
    }
    EXPECT_EQ(number_in_int32_cell(store_element(control(dst_format::int32), 0x80000000u)), -0x7fffffffll);
    EXPECT_EQ(load_element(control(dst_format::int32), 0x80000000u), 0u) << "minus zero";
}

/// What int8 keeps in a cell: sign and magnitude of 10 bits.
struct int8_content {
    unsigned sign, magnitude, exponent;
};
int8_content content_of(std::uint32_t cell) { return {cell >> 15, cell >> 5 & 0x3ff, cell & 31}; }

TEST(dst_format, unsigned_int8_stores_a_magnitude_of_8_bits_with_exponent_16_and_zero_as_zero) {
    for (const bool no_swizzle : {false, true})
        for (std::uint32_t value = 0; value < 256; ++value) {
            const dst_access_control format = control(dst_format::int8, no_swizzle, !no_swizzle);
            const int8_content content = content_of(store_element(format, value));
            ASSERT_EQ(content.sign, 0u);
            ASSERT_EQ(content.magnitude, value);
            ASSERT_EQ(content.exponent, value ? 16u : 0u);
            ASSERT_EQ(load_element(format, store_element(format, value)), value);
        }
}

TEST(dst_format, a_negative_int8_is_stored_with_128_too_much_in_its_magnitude) {
    for (int number = -128; number < 128; ++number) {
        const int8_content content =
            content_of(store_element(control(dst_format::int8), static_cast<std::uint8_t>(number)));
        const int clamped = std::max(number, -127);
        ASSERT_EQ(content.sign, number < 0 ? 1u : 0u);
        ASSERT_EQ(content.magnitude, static_cast<unsigned>(number < 0 ? 128 - clamped : number));
        ASSERT_EQ(content.exponent, number ? 16u : 0u);
    }
}

TEST(dst_format, a_signed_int8_load_looks_at_the_sign_and_7_bits_of_magnitude) {
    for (std::uint32_t cell = 0; cell < 0x10000; ++cell) {
        const int8_content content = content_of(cell);
        const int magnitude = static_cast<int>(content.magnitude % 128);
        ASSERT_EQ(load_element(control(dst_format::int8), cell),
                  static_cast<std::uint8_t>(content.sign ? -magnitude : magnitude));
        ASSERT_EQ(load_element(control(dst_format::int8, false, true), cell), content.magnitude % 256);
    }
}

TEST(dst_format, what_was_stored_as_int8_is_loaded_again_except_minus_128) {
    for (int number = -127; number < 128; ++number) {
        const auto value = static_cast<std::uint8_t>(number);
        ASSERT_EQ(load_element(control(dst_format::int8), store_element(control(dst_format::int8), value)),
                  value);
    }
}

TEST(dst_access_control, each_thread_has_five_bits_of_its_own) {
    for (unsigned thread = 0; thread < dst_access_threads; ++thread) {
        // K7: thread 0 has no_swizzle in bit 14, unsigned in 15, fmt in 18:16; the next ones 5 and 10 bits
        // higher.
        const unsigned base = 14 + 5 * thread;
        for (unsigned fields = 0; fields < 32; ++fields) {
            for (const std::uint32_t others : {0u, ~(31u << base)}) {
                const dst_access_control found = decode_dst_access(others | fields << base, thread);
                EXPECT_EQ(found.no_swizzle, fields % 2 == 1);
                EXPECT_EQ(found.unsigned_int, fields / 2 % 2 == 1);
                EXPECT_EQ(static_cast<unsigned>(found.format), fields / 4);
            }
        }
    }
}

TEST(dst_format, the_window_has_32_kib_except_for_int8_and_reserved_formats) {
    const unsigned kib = 1024, sizes[8] = {32, 32, 32, 32, 32, 16, 0, 0},
                   elements[8] = {4, 4, 2, 2, 2, 1, 0, 0};
    for (unsigned format = 0; format < 8; ++format) {
        EXPECT_EQ(window_bytes(static_cast<dst_format>(format)), sizes[format] * kib);
        EXPECT_EQ(element_bytes(static_cast<dst_format>(format)), elements[format]);
    }
}

} // namespace
} // namespace sfpu::memory
