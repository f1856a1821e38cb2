// Types of data in Dst: how a value stands in a cell, which values are extreme, random values.
//
// A cell has 16 or 32 bits. A value has the bits of the NumPy type that stands for its type: f32 and bf16 are
// float32, f16 is float16, i32 and sm32 int32, i16 and sm16 int16, the others the type of their name; bits
// above it are 0.
//
// Source: tt-isa-documentation, Dst, SFPLOAD and SFPSTORE.
#pragma once

#include <sfpu/common/random_source.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::isa {

enum class data_type : std::uint8_t {
    f32,  ///< mode FP32
    bf16, ///< mode BF16; a value's lower 16 bits are 0
    f16,  ///< mode FP16; the vector unit takes exponent 31 for an ordinary one
    i32,  ///< two's complement, mode INT32
    u32,  ///< mode INT32
    sm32, ///< sign and magnitude of 31 bits, mode INT32 or INT32_SM
    i16,  ///< two's complement, mode UINT16
    u16,  ///< mode UINT16
    sm16, ///< sign and magnitude of 15 bits, mode INT16
    i8,   ///< sign and magnitude of 10 bits, of which a value uses 8, mode INT8
    u8,   ///< the same without a sign
};
constexpr data_type all_data_types[] = {data_type::f32,  data_type::bf16, data_type::f16, data_type::i32,
                                        data_type::u32,  data_type::sm32, data_type::i16, data_type::u16,
                                        data_type::sm16, data_type::i8,   data_type::u8};

const char* to_string(data_type type); ///< "f32"
std::optional<data_type> find_data_type(std::string_view name);
/// "f32, bf16, f16, ..."
std::string data_type_names();

bool has_wide_cells(data_type type); ///< 32 bits, else 16
bool is_floating(data_type type);
unsigned value_bits(data_type type);    ///< of the NumPy type: 32, 16 or 8
const char* numpy_name(data_type type); ///< of its little-endian dtype: "<f4"
std::uint32_t
cell_count(data_type type); ///< different cells that values of a type of 16 bits or fewer have; else 0
std::uint32_t numbered_cell(data_type type,
                            std::uint32_t number); ///< the cells by number, below cell_count()

/// The cell that holds a value; nothing if none does: a bf16 that is not exact, the least int32 as sm32, the
/// least int16 as sm16.
std::optional<std::uint32_t> cell_of_value(data_type type, std::uint32_t value);
/// The value in a cell. Cells that no value gives read as the vector unit reads them, cut to the bits of the
/// type: a minus zero of sign and magnitude is 0, of an 8-bit integer only the lower bits of the magnitude
/// count.
std::uint32_t value_of_cell(data_type type, std::uint32_t cell);

/// The number in a cell, which is exact; a NaN is some NaN. All magnitude bits of 8-bit integers count.
double number_of_cell(data_type type, std::uint32_t cell);
/// Where a value stands among those of its type: neighbours differ by 1, so the difference of two is their
/// distance in units in the last place. Zeros of both signs are 0. Of a NaN it means nothing.
std::int64_t rank_of_cell(data_type type, std::uint32_t cell);
/// Whether value_of_cell() is the number in the cell: 8 bits may be too few for an 8-bit integer's magnitude
/// of 10.
bool fits_value(data_type type, std::uint32_t cell);
/// "1.5", "-0", "nan", "-12"
std::string text_of_cell(data_type type, std::uint32_t cell);
bool is_nan(data_type type, std::uint32_t cell);
/// Plus or minus zero. Of a floating type subnormal numbers are none.
bool is_zero(data_type type, std::uint32_t cell);

/// Cells of extreme values, each once: zeros of both signs, the smallest and largest subnormal and normal
/// numbers, infinities, NaNs, one, powers of two, values at and around ties of rounding to a narrower type,
/// the ends of the integers of all widths.
const std::vector<std::uint32_t>& extreme_cells(data_type type);
/// The cell of a random value: any bits, small numbers, numbers about powers of two, or an extreme one.
std::uint32_t random_cell(data_type type, random_source& random);

} // namespace sfpu::isa
