#include <sfpu/analysis/tensor_file.h>

#include <sfpu/analysis/npy_format.h>
#include <sfpu/analysis/text_files.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/common/types.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace sfpu::analysis {
namespace {

enum class form : std::uint8_t { npy, csv, raw };

form form_of(const std::string& file) {
    const auto ends_in = [&file](std::string_view end) {
        return file.size() >= end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
    };
    return ends_in(".npy") ? form::npy : ends_in(".csv") ? form::csv : form::raw;
}

// --- values ------------------------------------------------------------------------------------------------

/// Of bits of a float32 with a sign and an exponent of 8 bits: the nearest bf16, ties to even, as a float32.
std::uint32_t nearest_bf16(std::uint32_t value) {
    constexpr std::uint32_t exponent = 0x7f800000, quiet = 0x00400000, lower = 0xffff;
    if ((value & exponent) == exponent) // a NaN stays one
        return value & 0x007fffff ? (value | quiet) & ~lower : value;
    return (value + 0x7fff + (value >> 16 & 1)) & ~lower;
}

class cell_maker {
public:
    cell_maker(isa::data_type type, inexact_value inexact) : type_(type), inexact_(inexact) {}

    /// The cell for the bits of a value; otherwise problem() says why there is none.
    std::optional<std::uint32_t> operator()(std::uint32_t value) {
        if (type_ == isa::data_type::bf16 && inexact_ == inexact_value::round_to_nearest)
            value = nearest_bf16(value);
        const auto cell = isa::cell_of_value(type_, value);
        if (!cell) problem_ = fmt::format("{} is no value of type {}", text(value), isa::to_string(type_));
        return cell;
    }
    const std::string& problem() const { return problem_; }

private:
    std::string text(std::uint32_t value) const {
        float number;
        std::memcpy(&number, &value, sizeof number);
        if (isa::is_floating(type_)) return fmt::format("{:.9g}", number);
        return fmt::format("-{}", std::uint64_t{1} << (isa::value_bits(type_) - 1));
    }

    isa::data_type type_;
    inexact_value inexact_;
    std::string problem_;
};

std::vector<std::uint32_t> cells_of(std::string_view data, isa::data_type type, bool big_endian,
                                    inexact_value inexact, const std::string& file) {
    const std::size_t size = isa::value_bits(type) / 8;
    cell_maker make(type, inexact);
    std::vector<std::uint32_t> cells;
    cells.reserve(data.size() / size);
    for (std::size_t at = 0; at < data.size(); at += size) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t byte = big_endian ? at + i : at + size - 1 - i;
            value = value << 8 | static_cast<unsigned char>(data[byte]);
        }
        const auto cell = make(value);
        if (!cell)
            throw input_error(fmt::format("{}: row {} lane {}: {}", shown_name(file),
                                          cells.size() / lane_count, cells.size() % lane_count,
                                          make.problem()));
        cells.push_back(*cell);
    }
    return cells;
}

// --- .npy --------------------------------------------------------------------------------------------------

/// Elements of an array (rows, 32) whose first index changes fastest, in C order.
std::string in_c_order(const npy_array& array, std::size_t size) {
    std::string result(array.data.size(), '\0');
    const std::size_t rows = array.shape[0], columns = array.shape[1];
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            std::memcpy(&result[(row * columns + column) * size],
                        array.data.data() + (column * rows + row) * size, size);
    return result;
}

std::vector<std::uint32_t> read_npy(const std::string& bytes, const std::string& file, isa::data_type type,
                                    unsigned rows, inexact_value inexact) {
    const npy_array array = parse_npy(bytes, file);
    const std::string_view wanted = isa::numpy_name(type);
    if (array.type.substr(1) != wanted.substr(1))
        throw input_error(
            fmt::format("{}: found elements of type {}, expected {}, which stands for {} (NumPy: "
                        "astype('{}'))",
                        shown_name(file), array.type, wanted, isa::to_string(type), wanted));
    const bool is_table = array.shape.size() == 2 && array.shape[0] == rows && array.shape[1] == lane_count;
    const bool is_flat = array.shape.size() == 1 && array.shape[0] == std::size_t{rows} * lane_count;
    if (!is_table && !is_flat)
        throw input_error(fmt::format(
            "{}: found an array of shape {}, expected ({}, {}) or ({},): the kernel works on {} {}",
            shown_name(file), shape_text(array.shape), rows, lane_count, std::size_t{rows} * lane_count, rows,
            rows == 1 ? "row" : "rows"));
    const bool big_endian = array.type[0] == '>';
    if (array.fortran_order && is_table)
        return cells_of(in_c_order(array, isa::value_bits(type) / 8), type, big_endian, inexact, file);
    return cells_of(array.data, type, big_endian, inexact, file);
}

// --- .csv --------------------------------------------------------------------------------------------------

constexpr std::uint32_t half_infinity = 0x7c00;

/// A float16 nearest to a number, ties to even.
std::uint32_t half_of(double number) {
    const std::uint32_t sign = std::signbit(number) ? 0x8000u : 0u;
    if (std::isnan(number)) return sign | 0x7e00u;
    if (std::isinf(number)) return sign | half_infinity;
    const double magnitude = std::abs(number);
    int exponent = 0;
    std::frexp(magnitude, &exponent);                      // magnitude is below 2^exponent
    const int last_bit = std::max(exponent, -13) - 11;     // of a mantissa of 11 bits, or of subnormals
    const double units = std::ldexp(magnitude, -last_bit); // exact, at most 2048
    double rounded = std::floor(units);
    const double rest = units - rounded;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(rounded, 2) != 0)) ++rounded;
    const double value = std::ldexp(rounded, last_bit);
    if (value >= 65536) return sign | half_infinity;
    if (value < std::ldexp(1, -14)) return sign | static_cast<std::uint32_t>(std::ldexp(value, 24));
    std::frexp(value, &exponent);
    const auto mantissa = static_cast<std::uint32_t>(std::ldexp(value, 11 - exponent)) & 0x3ffu;
    return sign | static_cast<std::uint32_t>(exponent + 14) << 10 | mantissa;
}

/// Bits of the NumPy type for a number in text; nothing if it is none or does not fit.
std::optional<std::uint32_t> value_of_text(std::string_view text, isa::data_type type) {
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    const char* const end = text.data() + text.size();
    if (isa::is_floating(type) && type != isa::data_type::f16) {
        float number = 0;
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (stop != end || stop == text.data()) return std::nullopt;
        if (error == std::errc::result_out_of_range) { // too large, or so small that it is zero
            double wide = 0;
            if (std::from_chars(text.data(), end, wide).ec != std::errc() || std::abs(wide) > 1)
                return std::nullopt;
            number = std::signbit(wide) ? -0.0f : 0.0f;
        }
        std::uint32_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (stop != end || error != std::errc()) return std::nullopt;
    if (type == isa::data_type::f16) {
        const std::uint32_t half = half_of(number);
        if ((half & 0x7fffu) == half_infinity && !std::isinf(number)) return std::nullopt;
        return half;
    }

    const bool has_sign = isa::numpy_name(type)[1] == 'i';
    const unsigned bits = isa::value_bits(type);
    const double least = has_sign ? -std::ldexp(1, static_cast<int>(bits) - 1) : 0;
    const double most = std::ldexp(1, static_cast<int>(has_sign ? bits - 1 : bits)) - 1;
    if (!(number >= least && number <= most) || number != std::floor(number)) return std::nullopt;
    const auto value = static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
    return bits == 32 ? value : value & ((1u << bits) - 1);
}

std::vector<std::uint32_t> read_csv(const std::string& text, const std::string& file, isa::data_type type,
                                    unsigned rows, inexact_value inexact) {
    constexpr std::string_view between = ", \t\r\n;";
    const std::size_t expected = std::size_t{rows} * lane_count;
    cell_maker make(type, inexact);
    std::vector<std::uint32_t> cells;
    for (std::size_t at = 0; (at = text.find_first_not_of(between, at)) != std::string::npos;) {
        if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(", \t\r\n;#", at), text.size());
        const std::string_view word = std::string_view(text).substr(at, end - at);
        const auto fail = [&](const std::string& problem) {
            throw input_error(to_string(file, position_of(text, at)) + ": " + problem);
        };
        if (cells.size() == expected)
            fail(fmt::format("found more than the {} values of {} {} of {}", expected, rows,
                             rows == 1 ? "row" : "rows", lane_count));
        const auto value = value_of_text(word, type);
        if (!value)
            fail(fmt::format("found '{}', expected a number that fits into {} ({})", word.substr(0, 40),
                             isa::numpy_name(type), isa::to_string(type)));
        const auto cell = make(*value);
        if (!cell) fail(make.problem());
        cells.push_back(*cell);
        at = end;
    }
    if (cells.size() != expected)
        throw input_error(fmt::format("{}: found {} values, expected {} ({} {} of {})", shown_name(file),
                                      cells.size(), expected, rows, rows == 1 ? "row" : "rows", lane_count));
    return cells;
}

} // namespace

std::string text_of_value(isa::data_type type, std::uint32_t cell) {
    if (isa::is_floating(type)) return isa::text_of_cell(type, cell);
    return isa::text_of_cell(type, *isa::cell_of_value(type, isa::value_of_cell(type, cell)));
}

std::optional<std::uint32_t> cell_of_text(std::string_view text, isa::data_type type) {
    const auto value = value_of_text(text, type);
    return value ? isa::cell_of_value(type, *value) : std::nullopt;
}

std::vector<std::uint32_t> read_tensor(const std::string& file, isa::data_type type, unsigned rows,
                                       inexact_value inexact) {
    const std::string bytes = read_input(file);
    switch (form_of(file)) {
    case form::npy: return read_npy(bytes, file, type, rows, inexact);
    case form::csv: return read_csv(bytes, file, type, rows, inexact);
    case form::raw: break;
    }
    const std::size_t expected = std::size_t{rows} * lane_count * (isa::value_bits(type) / 8);
    if (bytes.size() != expected)
        throw input_error(fmt::format("{}: found {} bytes, expected {} ({} {} of {} values of type {})",
                                      shown_name(file), bytes.size(), expected, rows,
                                      rows == 1 ? "row" : "rows", lane_count, isa::numpy_name(type)));
    return cells_of(bytes, type, false, inexact, file);
}

std::string tensor_bytes(const std::string& file, isa::data_type type,
                         const std::vector<std::uint32_t>& cells) {
    std::string bytes;
    if (form_of(file) == form::csv) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            bytes += text_of_value(type, cells[i]) + (i % lane_count == lane_count - 1 ? '\n' : ',');
        return bytes;
    }
    if (form_of(file) == form::npy)
        bytes = npy_header(isa::numpy_name(type), {cells.size() / lane_count, lane_count});
    for (const std::uint32_t cell : cells) {
        const std::uint32_t value = isa::value_of_cell(type, cell);
        for (unsigned bit = 0; bit < isa::value_bits(type); bit += 8)
            bytes += static_cast<char>(value >> bit);
    }
    return bytes;
}

} // namespace sfpu::analysis
