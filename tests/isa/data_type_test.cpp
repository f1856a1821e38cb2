// Data types against plain arithmetic and against what SFPLOAD and SFPSTORE do.
#include <sfpu/isa/data_type.h>

#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace sfpu::isa {
namespace {

/// Values of a type to look at: all of those with 16 bits or fewer, every 9973rd of the others and all
/// extreme ones.
std::vector<std::uint32_t> values_of(data_type type) {
    std::vector<std::uint32_t> values;
    if (value_bits(type) < 32) {
        for (std::uint32_t value = 0; value < 1u << value_bits(type); ++value) values.push_back(value);
        return values;
    }
    if (type == data_type::bf16) {
        for (std::uint32_t upper = 0; upper < 0x10000; ++upper) values.push_back(upper << 16);
        return values;
    }
    for (std::uint64_t value = 0; value < 1ull << 32; value += 9973)
        values.push_back(static_cast<std::uint32_t>(value));
    for (const std::uint32_t cell : extreme_cells(type)) values.push_back(value_of_cell(type, cell));
    return values;
}

/// What a value of the NumPy type is as a number: by powers of two, without host floats.
double number_of_value(data_type type, std::uint32_t value) {
    const auto ieee = [](std::uint32_t x, int exponent_bits, int mantissa_bits) {
        const int bias = (1 << (exponent_bits - 1)) - 1;
        const int exponent = static_cast<int>(x >> mantissa_bits) & ((1 << exponent_bits) - 1);
        const double fraction = static_cast<double>(x & ((1u << mantissa_bits) - 1u));
        const double sign = x >> (exponent_bits + mantissa_bits) ? -1 : 1;
        if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
        if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - mantissa_bits);
        return sign * std::ldexp(fraction + std::ldexp(1, mantissa_bits), exponent - bias - mantissa_bits);
    };
    switch (type) {
    case data_type::f32:
    case data_type::bf16: return ieee(value, 8, 23);
    case data_type::f16: return ieee(value, 5, 10);
    case data_type::u32:
    case data_type::u16:
    case data_type::u8: return value;
    default: {
        const double modulus = std::ldexp(1, static_cast<int>(value_bits(type)));
        return value >= modulus / 2 ? value - modulus : value;
    }
    }
}

bool same_number(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

class data_type_of : public testing::TestWithParam<data_type> {};

TEST_P(data_type_of, every_value_has_a_cell_that_gives_it_back_unless_the_type_cannot_hold_it) {
    const data_type type = GetParam();
    for (const std::uint32_t value : values_of(type)) {
        const auto cell = cell_of_value(type, value);
        const bool held = !(type == data_type::sm32 && value == 0x80000000u) &&
                          !(type == data_type::sm16 && value == 0x8000u);
        ASSERT_EQ(cell.has_value(), held) << value;
        if (!cell) continue;
        ASSERT_EQ(value_of_cell(type, *cell), value);
        ASSERT_TRUE(has_wide_cells(type) || *cell < 0x10000) << value;
        ASSERT_TRUE(same_number(number_of_cell(type, *cell), number_of_value(type, value))) << value;
    }
}

TEST_P(data_type_of, the_vector_unit_loads_and_stores_a_cell_as_its_value) {
    const data_type type = GetParam();
    const auto mode = [&]() -> unsigned {
        switch (type) {
        case data_type::f32: return dst_mode::fp32;
        case data_type::bf16: return dst_mode::bf16;
        case data_type::f16: return dst_mode::fp16;
        case data_type::i16:
        case data_type::u16: return dst_mode::uint16;
        case data_type::sm16: return dst_mode::int16;
        case data_type::i8:
        case data_type::u8: return dst_mode::int8;
        default: return dst_mode::int32;
        }
    }();
    const slice_conversions& conversions = slice_conversions_of(architecture::blackhole);
    for (const std::uint32_t value : values_of(type)) {
        const auto cell = cell_of_value(type, value);
        if (!cell) continue;
        lanes cells{}, loaded{}, stored{};
        cells[3] = *cell;
        conversions.load[mode](cells, loaded, loaded);
        conversions.store[mode](loaded, stored);
        const double number = number_of_value(type, value);
        std::uint32_t expected = value;
        if (type == data_type::sm32 || type == data_type::sm16 || type == data_type::i8)
            expected = static_cast<std::uint32_t>(std::fabs(number)) | (number < 0 ? 0x80000000u : 0u);
        if (type == data_type::f16) { // exponent 0 and 31 mean nothing special to SFPLOAD
            const std::uint32_t exponent = value >> 10 & 31u;
            expected =
                (value & 0x8000u) << 16 | (exponent ? exponent + 112 : 0) << 23 | (value & 0x3ffu) << 13;
        }
        ASSERT_EQ(loaded[3], expected) << value;
        const bool flushed =
            is_floating(type) && std::fabs(number) < (type == data_type::f16 ? 0x1p-14 : 0x1p-126);
        if (!flushed) {
            ASSERT_EQ(stored[3], *cell) << value;
        }
    }
}

TEST_P(data_type_of, extreme_cells_are_cells_of_values_and_none_is_twice_there) {
    const data_type type = GetParam();
    const auto& cells = extreme_cells(type);
    EXPECT_EQ(std::set<std::uint32_t>(cells.begin(), cells.end()).size(), cells.size());
    for (const std::uint32_t cell : cells) {
        const bool negative_zero = !is_floating(type) && text_of_cell(type, cell) == "-0";
        if (!negative_zero) {
            EXPECT_EQ(cell_of_value(type, value_of_cell(type, cell)), cell) << std::hex << cell;
        }
    }
}

TEST_P(data_type_of, extreme_cells_hold_zeros_ends_ones_powers_and_neighbours) {
    const data_type type = GetParam();
    std::vector<double> numbers;
    for (const std::uint32_t cell : extreme_cells(type)) numbers.push_back(number_of_cell(type, cell));
    const auto has = [&](double wanted) {
        return std::any_of(numbers.begin(), numbers.end(),
                           [&](double each) { return same_number(each, wanted); });
    };
    const bool is_signed = type != data_type::u32 && type != data_type::u16 && type != data_type::u8;
    std::vector<double> wanted{0, 1, 2};
    if (is_signed) wanted.push_back(-1);
    if (is_floating(type)) {
        const bool half = type == data_type::f16;
        const int mantissa = half ? 10 : type == data_type::bf16 ? 7 : 23, least = half ? -14 : -126;
        const double largest = (2 - std::ldexp(1, -mantissa)) * std::ldexp(1, half ? 15 : 127);
        for (const double sign : {1.0, -1.0})
            for (const double magnitude : {0.0, std::ldexp(1, least - mantissa),
                                           std::ldexp(1, least) - std::ldexp(1, least - mantissa),
                                           std::ldexp(1, least), largest, HUGE_VAL})
                wanted.push_back(sign * magnitude);
        for (const double one : {0.5, 1.5, 4.0, std::nan("")}) wanted.push_back(one);
    } else {
        const int bits = static_cast<int>(value_bits(type)) - (is_signed ? 1 : 0);
        const double limit = std::ldexp(1, bits);
        wanted.insert(wanted.end(), {limit - 1, limit - 2});
        for (int power = 0; power < bits; ++power) wanted.push_back(std::ldexp(1, power));
        const bool twos = type == data_type::i32 || type == data_type::i16 || type == data_type::i8;
        if (is_signed) wanted.insert(wanted.end(), {1 - limit, twos ? -limit : -0.0});
    }
    for (const double each : wanted) EXPECT_TRUE(has(each)) << to_string(type) << " " << each;
}

TEST_P(data_type_of, random_cells_are_cells_of_values_of_all_sizes) {
    const data_type type = GetParam();
    random_source random(7);
    std::set<std::uint32_t> extremes(extreme_cells(type).begin(), extreme_cells(type).end()), different, seen;
    for (unsigned i = 0; i < 4000; ++i) {
        const std::uint32_t cell = random_cell(type, random);
        ASSERT_TRUE(extremes.count(cell) || cell_of_value(type, value_of_cell(type, cell)) == cell);
        different.insert(cell);
        if (extremes.count(cell)) seen.insert(cell);
    }
    EXPECT_GT(different.size(), value_bits(type) == 8 ? 200u : 1000u);
    EXPECT_GT(seen.size(), extremes.size() * 9 / 10) << "most of the extreme ones come by";
}

TEST_P(data_type_of, numbered_cells_are_all_different) {
    const data_type type = GetParam();
    std::vector<bool> seen(0x10000);
    for (std::uint32_t number = 0; number < cell_count(type); ++number) {
        const std::uint32_t cell = numbered_cell(type, number);
        ASSERT_LT(cell, 0x10000u);
        ASSERT_FALSE(seen[cell]) << number;
        seen[cell] = true;
    }
    EXPECT_EQ(cell_count(type) == 0, has_wide_cells(type));
}

INSTANTIATE_TEST_SUITE_P(each, data_type_of, testing::ValuesIn(all_data_types),
                         [](const auto& each) { return std::string(to_string(each.param)); });

TEST(data_type, names_are_found) {
    for (const data_type type : all_data_types) EXPECT_EQ(find_data_type(to_string(type)), type);
    EXPECT_EQ(find_data_type("f64"), std::nullopt);
    EXPECT_EQ(data_type_names(), "f32, bf16, f16, i32, u32, sm32, i16, u16, sm16, i8, u8");
}

TEST(data_type, a_bf16_that_is_not_exact_has_no_cell) {
    EXPECT_EQ(cell_of_value(data_type::bf16, 0x3f800001u), std::nullopt);
    EXPECT_NE(cell_of_value(data_type::bf16, 0x3f810000u), std::nullopt);
}

TEST(data_type, texts_are_numbers_as_people_write_them) {
    const auto text = [](data_type type, std::uint32_t value) {
        return text_of_cell(type, *cell_of_value(type, value));
    };
    EXPECT_EQ(text(data_type::f32, 0x3fc00000), "1.5");
    EXPECT_EQ(text(data_type::f32, 0x80000000), "-0");
    EXPECT_EQ(text(data_type::f32, 0xffc00000), "nan");
    EXPECT_EQ(text(data_type::f16, 0xfc00), "-inf");
    EXPECT_EQ(text(data_type::i32, 0x80000000), "-2147483648");
    EXPECT_EQ(text(data_type::u32, 0x80000000), "2147483648");
    EXPECT_EQ(text(data_type::i8, 0x80), "-128");
    EXPECT_EQ(text_of_cell(data_type::sm16, 0x8000), "-0");
}

/// Cells of 16 bits and fewer, all of them, and of 32 bits a sample.
TEST(data_type, ranks_of_neighbours_differ_by_one) {
    for (const data_type type : all_data_types) {
        std::vector<std::pair<double, std::int64_t>> seen; // a number and its rank
        for (const std::uint32_t value : values_of(type)) {
            const auto cell = cell_of_value(type, value);
            if (!cell || is_nan(type, *cell)) continue;
            seen.emplace_back(number_of_value(type, value), rank_of_cell(type, *cell));
            EXPECT_TRUE(fits_value(type, *cell)) << to_string(type) << " " << value;
        }
        std::sort(seen.begin(), seen.end());
        for (std::size_t i = 1; i < seen.size(); ++i) {
            const bool same = seen[i].first == seen[i - 1].first; // zeros of both signs
            EXPECT_EQ(same, seen[i].second == seen[i - 1].second) << to_string(type);
            EXPECT_LE(seen[i - 1].second, seen[i].second) << to_string(type);
            if (!has_wide_cells(type) && !same) {
                EXPECT_EQ(seen[i].second - seen[i - 1].second, 1) << to_string(type);
            }
        }
    }
    const auto rank = [](std::uint32_t value) {
        return rank_of_cell(data_type::f32, *cell_of_value(data_type::f32, value));
    };
    EXPECT_EQ(rank(0x00000001) - rank(0x80000001), 2); // the least subnormal numbers, with zero between them
    EXPECT_EQ(rank(0x7f800000) - rank(0x7f7fffff), 1); // infinity and the largest number
}

TEST(data_type, a_magnitude_of_ten_bits_may_not_fit_into_eight) {
    const auto cell = [](std::uint32_t magnitude, bool negative) {
        return (negative ? 0x8000u : 0u) | magnitude << 5 | 16u;
    };
    EXPECT_TRUE(fits_value(data_type::u8, cell(255, false)));
    EXPECT_FALSE(fits_value(data_type::u8, cell(256, false)));
    EXPECT_FALSE(fits_value(data_type::u8, cell(1, true)));
    EXPECT_TRUE(fits_value(data_type::u8, cell(0, true)));
    EXPECT_TRUE(fits_value(data_type::i8, cell(127, false)));
    EXPECT_FALSE(fits_value(data_type::i8, cell(128, false)));
    EXPECT_TRUE(fits_value(data_type::i8, cell(128, true)));
    EXPECT_FALSE(fits_value(data_type::i8, cell(1023, true)));
}

} // namespace
} // namespace sfpu::isa
