#include <sfpu/isa/data_type.h>

#include <sfpu/isa/extreme_values.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace sfpu::isa {
namespace {

struct type_row {
    const char* name;
    const char* numpy;
    std::uint8_t bits; ///< of a value
    bool wide, floating;
};

constexpr std::array<type_row, 11> rows{{{"f32", "<f4", 32, true, true},
                                         {"bf16", "<f4", 32, false, true},
                                         {"f16", "<f2", 16, false, true},
                                         {"i32", "<i4", 32, true, false},
                                         {"u32", "<u4", 32, true, false},
                                         {"sm32", "<i4", 32, true, false},
                                         {"i16", "<i2", 16, false, false},
                                         {"u16", "<u2", 16, false, false},
                                         {"sm16", "<i2", 16, false, false},
                                         {"i8", "|i1", 8, false, false},
                                         {"u8", "|u1", 8, false, false}}};

const type_row& row_of(data_type type) { return rows[static_cast<std::size_t>(type)]; }

constexpr std::uint32_t sign32 = 0x80000000u, sign16 = 0x8000u;
constexpr unsigned magnitude_shift = 5, magnitude8_mask = 0x3ff; ///< of an "integer 8" cell
constexpr std::uint32_t exponent8 = 16;                          ///< and its constant exponent

/// Dst keeps the exponent of 32 bits below the upper part of the mantissa: {sign, mantissa 22:16, exponent,
/// mantissa 15:0}. Integers are moved in the same way.
constexpr std::uint32_t shuffled(std::uint32_t x) {
    return (x & sign32) | (x & 0x007f0000u) << 8 | (x >> 7 & 0x00ff0000u) | (x & 0xffffu);
}
constexpr std::uint32_t unshuffled(std::uint32_t cell) {
    return (cell & sign32) | (cell >> 8 & 0x007f0000u) | (cell & 0x00ff0000u) << 7 | (cell & 0xffffu);
}
/// {sign, exponent 4:0, mantissa 9:0} to {sign, mantissa, exponent} and back.
constexpr std::uint32_t fp16_to_cell(std::uint32_t x) {
    return (x & sign16) | (x & 0x3ffu) << 5 | (x >> 10 & 0x1fu);
}
constexpr std::uint32_t fp16_from_cell(std::uint32_t cell) {
    return (cell & sign16) | (cell & 0x1fu) << 10 | (cell >> 5 & 0x3ffu);
}

std::int64_t signed_value(std::uint32_t value, unsigned bits) {
    const std::uint32_t sign = 1u << (bits - 1);
    return static_cast<std::int64_t>(value & (sign - 1)) - (value & sign ? std::int64_t{sign} : 0);
}

/// An integer as it stands in a cell of sign and magnitude.
std::int64_t signed_magnitude(std::uint32_t bits, std::uint32_t sign) {
    const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
}

std::uint32_t magnitude8(std::uint32_t cell) { return cell >> magnitude_shift & magnitude8_mask; }

/// The number in a cell of an integer type.
std::int64_t integer_of_cell(data_type type, std::uint32_t cell) {
    switch (type) {
    case data_type::i32: return signed_value(unshuffled(cell), 32);
    case data_type::u32: return unshuffled(cell);
    case data_type::sm32: return signed_magnitude(unshuffled(cell), sign32);
    case data_type::i16: return signed_value(cell, 16);
    case data_type::u16: return cell;
    case data_type::sm16: return signed_magnitude(cell, sign16);
    default: {
        const auto magnitude = static_cast<std::int64_t>(magnitude8(cell));
        return cell & sign16 ? -magnitude : magnitude;
    }
    }
}

/// Of sign and magnitude.
bool is_negative_zero(data_type type, std::uint32_t cell) {
    return integer_of_cell(type, cell) == 0 && (cell & (has_wide_cells(type) ? sign32 : sign16));
}

bool has_sign(data_type type) {
    return type != data_type::u32 && type != data_type::u16 && type != data_type::u8;
}

/// Cells of integers, those that the type holds.
void add_integers(data_type type, const std::vector<std::uint32_t>& numbers,
                  std::vector<std::uint32_t>& cells) {
    const unsigned bits = value_bits(type);
    const std::uint32_t mask = bits == 32 ? 0xffffffffu : (1u << bits) - 1u;
    for (const std::uint32_t number : numbers) {
        const std::int64_t meant = has_sign(type) ? signed_value(number, 32) : std::int64_t{number};
        const auto cell = cell_of_value(type, number & mask);
        if (cell && integer_of_cell(type, *cell) == meant) cells.push_back(*cell);
    }
}

std::vector<std::uint32_t> find_extreme_cells(data_type type) {
    std::vector<std::uint32_t> cells;
    const auto add = [&](const std::vector<std::uint32_t>& from, auto&& cell) {
        for (const std::uint32_t each : from) cells.push_back(cell(each));
    };
    switch (type) {
    case data_type::f32:
        for (const auto* list : {&extreme::fp32, &extreme::fp32_ties, &extreme::fp32_powers})
            add(*list, shuffled);
        break;
    case data_type::bf16:
        for (const auto* list : {&extreme::fp32, &extreme::fp32_ties, &extreme::fp32_powers})
            add(*list, [](std::uint32_t x) { return shuffled(x) >> 16; });
        // What is lost of the lists when their lower halves are cut off.
        add({0x0001, 0x8001, 0x007f, 0x807f, 0x7f81, 0xff81, 0x7fff, 0xffff, 0x7f7f, 0x4b80, 0x4380, 0x4300},
            [](std::uint32_t x) { return shuffled(x << 16) >> 16; });
        break;
    case data_type::f16:
        add({0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
             0x7e00, 0xfe00, 0x7c01, 0xffff, 0x7fff, 0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x3800, 0x3e00, 0x4000,
             0x4400, 0x4100, 0x6400, 0x6800, 0x57f8, 0x5bfc, 0x63ff, 0x7800, 0x77ff, 0x1400, 0x3555},
            fp16_to_cell);
        break;
    case data_type::sm32: add(extreme::magnitude, shuffled); [[fallthrough]];
    case data_type::sm16:
        if (type == data_type::sm16) cells.push_back(sign16);
        [[fallthrough]];
    default:
        if (type == data_type::i8) cells.push_back(sign16 | exponent8);
        add_integers(type, extreme::integer, cells);
        add_integers(type, extreme::integer_ties, cells);
        for (unsigned power = 0; power < 32; ++power) add_integers(type, {1u << power}, cells);
        if (value_bits(type) < 32)
            add_integers(type,
                         {0x7ffe, 0xfffe, 0xfe, 0xff, 0x55, 0xaa, 0x5555, 0xaaaa, 0xffff8001, 0xffffff81,
                          0xffffffc0, 0xffff8000, 0x3fff, 0x7e},
                         cells);
        break;
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

} // namespace

const char* to_string(data_type type) { return row_of(type).name; }

std::optional<data_type> find_data_type(std::string_view name) {
    for (const data_type type : all_data_types)
        if (name == to_string(type)) return type;
    return std::nullopt;
}

std::string data_type_names() {
    std::string names;
    for (const data_type type : all_data_types)
        names += (names.empty() ? "" : ", ") + std::string(to_string(type));
    return names;
}

bool has_wide_cells(data_type type) { return row_of(type).wide; }
bool is_floating(data_type type) { return row_of(type).floating; }
unsigned value_bits(data_type type) { return row_of(type).bits; }
const char* numpy_name(data_type type) { return row_of(type).numpy; }

std::uint32_t cell_count(data_type type) {
    if (has_wide_cells(type)) return 0;
    return 1u << (value_bits(type) == 8 ? 8 : 16);
}

std::uint32_t numbered_cell(data_type type, std::uint32_t number) {
    return value_bits(type) == 8 ? *cell_of_value(type, number) : number;
}

std::optional<std::uint32_t> cell_of_value(data_type type, std::uint32_t value) {
    switch (type) {
    case data_type::f32:
    case data_type::i32:
    case data_type::u32: return shuffled(value);
    case data_type::bf16: return value & 0xffffu ? std::nullopt : std::optional(shuffled(value) >> 16);
    case data_type::f16: return fp16_to_cell(value);
    case data_type::i16:
    case data_type::u16: return value;
    case data_type::sm32:
        if (value == sign32) return std::nullopt;
        return shuffled(value & sign32 ? sign32 | (0u - value) : value);
    case data_type::sm16:
        if (value == sign16) return std::nullopt;
        return value & sign16 ? sign16 | (0x10000u - value) : value;
    case data_type::i8:
        return value & 0x80u ? sign16 | (0x100u - value) << magnitude_shift | exponent8
                             : value << magnitude_shift | exponent8;
    case data_type::u8: return value << magnitude_shift | exponent8;
    }
    return std::nullopt;
}

std::uint32_t value_of_cell(data_type type, std::uint32_t cell) {
    switch (type) {
    case data_type::f32: return unshuffled(cell);
    case data_type::bf16: return unshuffled(cell << 16);
    case data_type::f16: return fp16_from_cell(cell);
    default: {
        const auto number = static_cast<std::uint32_t>(integer_of_cell(type, cell));
        return value_bits(type) == 32 ? number : number & ((1u << value_bits(type)) - 1u);
    }
    }
}

double number_of_cell(data_type type, std::uint32_t cell) {
    if (!is_floating(type)) {
        const std::int64_t number = integer_of_cell(type, cell);
        return is_negative_zero(type, cell) ? -0.0 : static_cast<double>(number);
    }
    const std::uint32_t value = value_of_cell(type, cell);
    if (type != data_type::f16) {
        float number;
        std::memcpy(&number, &value, sizeof number);
        return number;
    }
    const double sign = value & sign16 ? -1.0 : 1.0;
    const int exponent = static_cast<int>(value >> 10 & 0x1fu);
    const double mantissa = value & 0x3ffu;
    if (exponent == 31)
        return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

std::int64_t rank_of_cell(data_type type, std::uint32_t cell) {
    if (!is_floating(type)) return integer_of_cell(type, cell);
    const std::uint32_t value = value_of_cell(type, cell);
    switch (type) {
    case data_type::bf16: return signed_magnitude(value >> 16, sign16);
    case data_type::f16: return signed_magnitude(value, sign16);
    default: return signed_magnitude(value, sign32);
    }
}

bool fits_value(data_type type, std::uint32_t cell) {
    if (is_floating(type)) return true;
    const auto canonical = cell_of_value(type, value_of_cell(type, cell));
    return canonical && integer_of_cell(type, *canonical) == integer_of_cell(type, cell);
}

std::string text_of_cell(data_type type, std::uint32_t cell) {
    if (is_nan(type, cell)) return "nan";
    if (is_floating(type)) return fmt::format("{:.9g}", number_of_cell(type, cell));
    return is_negative_zero(type, cell) ? "-0" : std::to_string(integer_of_cell(type, cell));
}

bool is_nan(data_type type, std::uint32_t cell) {
    return is_floating(type) && std::isnan(number_of_cell(type, cell));
}

bool is_zero(data_type type, std::uint32_t cell) {
    switch (type) {
    case data_type::f32: return (unshuffled(cell) & ~sign32) == 0;
    case data_type::bf16:
    case data_type::f16: return (cell & ~sign16) == 0;
    default: return integer_of_cell(type, cell) == 0;
    }
}

const std::vector<std::uint32_t>& extreme_cells(data_type type) {
    static const auto all = [] {
        std::array<std::vector<std::uint32_t>, rows.size()> lists;
        for (const data_type each : all_data_types)
            lists[static_cast<std::size_t>(each)] = find_extreme_cells(each);
        return lists;
    }();
    return all[static_cast<std::size_t>(type)];
}

std::uint32_t random_cell(data_type type, random_source& random) {
    enum kind { bits, small, about_power, extreme_one, moderate, kinds };
    const auto drawn = static_cast<std::uint32_t>(random.next());
    const std::uint64_t more = random.next();
    const auto chosen = static_cast<kind>(more % kinds);
    if (chosen == extreme_one) return extreme_cells(type)[(more >> 8) % extreme_cells(type).size()];
    const unsigned width = value_bits(type);
    if (is_floating(type)) {
        const bool is_half = type == data_type::f16;
        std::uint32_t value = is_half ? drawn & 0xffffu : drawn;
        if (type == data_type::bf16) value &= 0xffff0000u;
        const unsigned exponent_at = is_half ? 10 : 23, bias = is_half ? 15 : 127;
        const std::uint32_t mantissa = (1u << exponent_at) - 1u, sign = is_half ? sign16 : sign32;
        const auto with_exponent = [&](std::uint32_t x, unsigned exponent) {
            return (x & (mantissa | sign)) | static_cast<std::uint32_t>(exponent) << exponent_at;
        };
        const auto turn = static_cast<unsigned>(more >> 8);
        if (chosen == moderate) value = with_exponent(value, bias - 4 + turn % 8);
        if (chosen == small) { // integers and halves
            const unsigned exponent = turn % 10;
            value = with_exponent(value & ~(mantissa >> exponent), bias + exponent);
        }
        if (chosen == about_power) // mantissas of few bits, any exponent
            value &= ~(mantissa >> (turn % 3 + 1)) | (turn & 8u ? mantissa & 1u : 0u);
        if (type == data_type::bf16) value &= 0xffff0000u;
        return *cell_of_value(type, value);
    }
    std::uint32_t value = drawn;
    if (chosen == small) value = static_cast<std::uint32_t>(static_cast<std::int32_t>(drawn) >> 24);
    if (chosen == moderate) value = drawn >> (more >> 8) % 32;
    if (chosen == about_power) {
        value = (1u << (more >> 8) % width) + static_cast<std::uint32_t>((more >> 16) % 3) - 1u;
        if (more >> 24 & 1u) value = 0u - value;
    }
    if (width < 32) value &= (1u << width) - 1u;
    return cell_of_value(type, value).value_or(0);
}

} // namespace sfpu::isa
