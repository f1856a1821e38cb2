#include <sfpu/analysis/tile_tensor.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/npy_format.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <cstring>

namespace sfpu::analysis {
namespace {

constexpr unsigned tile_side = 32, face_side = 16;
constexpr unsigned tile_rows = 64; ///< of Dst

/// The place of element (row, column) of a tile in the order of its faces.
constexpr unsigned face_order(unsigned row, unsigned column) {
    const unsigned face = row / face_side * 2 + column / face_side;
    return (face * face_side + row % face_side) * face_side + column % face_side;
}

bool is_sign_magnitude(isa::data_type type) {
    return type == isa::data_type::sm32 || type == isa::data_type::sm16;
}

/// Two's complement of `bits` bits to sign and magnitude, or back: the same function.
std::uint32_t other_sign_form(std::uint32_t value, unsigned bits) {
    const std::uint32_t sign = 1u << (bits - 1), all = sign | (sign - 1);
    return value & sign ? sign | ((0u - value) & (sign - 1)) : value & all;
}

void check_shape(const npy_array& array, const std::string& file, isa::data_type type) {
    const auto& shape = array.shape;
    const bool is_good = (shape.size() == 3 && shape[1] == tile_side && shape[2] == tile_side) ||
                         (shape.size() == 2 && shape[0] % tile_side == 0 && shape[1] == tile_side) ||
                         (shape.size() == 1 && shape[0] % tile_elements == 0);
    if (!is_good || array.elements() == 0)
        throw input_error(
            fmt::format("{}: found an array of shape {}, expected tiles: (n, 32, 32), (32 n, 32) "
                        "or (1024 n,)",
                        shown_name(file), shape_text(shape)));
    if (array.fortran_order && shape.size() > 1)
        throw input_error(fmt::format("{}: found an array in Fortran order, expected C order "
                                      "(numpy.ascontiguousarray)",
                                      shown_name(file)));
    const std::string wanted = isa::numpy_name(type);
    if (array.type.size() != wanted.size() || array.type.substr(1) != wanted.substr(1) ||
        array.type[0] == '>')
        throw input_error(fmt::format("{}: found elements of NumPy type {}, expected {} for {}",
                                      shown_name(file), array.type, wanted, to_string(type)));
}

} // namespace

unsigned dst_tiles(isa::data_type type) { return isa::has_wide_cells(type) ? 8 : 16; }

tile_tensor parse_tiles(std::string_view bytes, const std::string& file, isa::data_type type) {
    const npy_array array = parse_npy(bytes, file);
    check_shape(array, file, type);
    const std::size_t size = isa::value_bits(type) / 8;
    tile_tensor tensor{type, std::vector<std::uint32_t>(array.elements())};
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        std::memcpy(&tensor.values[i], array.data.data() + i * size, size);
        if (!isa::cell_of_value(type, tensor.values[i]))
            throw input_error(fmt::format("{}: element {} of tile {} is no {}: its bits are {:#x}",
                                          shown_name(file), i % tile_elements, i / tile_elements,
                                          to_string(type), tensor.values[i]));
    }
    return tensor;
}

std::string tiles_file(const tile_tensor& tensor) {
    const std::size_t size = isa::value_bits(tensor.type) / 8;
    std::string file = npy_header(isa::numpy_name(tensor.type), {tensor.tiles(), tile_side, tile_side});
    for (const std::uint32_t value : tensor.values) file.append(reinterpret_cast<const char*>(&value), size);
    return file;
}

// --- Dst ---------------------------------------------------------------------------------------------------

void put_tiles(dst::image& dst, const tile_tensor& tensor, unsigned first, bool upper_halves) {
    const bool wide = isa::has_wide_cells(tensor.type);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        const unsigned tile = first + static_cast<unsigned>(i / tile_elements);
        const unsigned place = face_order(i % tile_elements / tile_side, i % tile_side);
        const unsigned row = tile * tile_rows + place / dst::cells_per_row,
                       column = place % dst::cells_per_row;
        const std::uint32_t cell = isa::cell_of_value(tensor.type, tensor.values[i]).value_or(0);
        const unsigned upper = wide || upper_halves ? dst::adjust32(row, false, false) : row;
        dst[upper][column] = static_cast<std::uint16_t>(wide ? cell >> 16 : cell);
        if (wide) dst[upper + 8][column] = static_cast<std::uint16_t>(cell);
    }
}

tile_tensor tiles_of(const dst::image& dst, isa::data_type type, unsigned first, unsigned count,
                     bool upper_halves) {
    const bool wide = isa::has_wide_cells(type);
    tile_tensor tensor{type, std::vector<std::uint32_t>(std::size_t{count} * tile_elements)};
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        const unsigned tile = first + static_cast<unsigned>(i / tile_elements);
        const unsigned place = face_order(i % tile_elements / tile_side, i % tile_side);
        const unsigned row = tile * tile_rows + place / dst::cells_per_row,
                       column = place % dst::cells_per_row;
        const unsigned upper = wide || upper_halves ? dst::adjust32(row, false, false) : row;
        const std::uint32_t cell =
            wide ? std::uint32_t{dst[upper][column]} << 16 | dst[upper + 8][column] : dst[upper][column];
        tensor.values[i] = isa::value_of_cell(type, cell);
    }
    return tensor;
}

// --- L1 ----------------------------------------------------------------------------------------------------

unsigned l1_tile_bytes(isa::data_type type) {
    return tile_elements * (type == isa::data_type::bf16 ? 2 : isa::value_bits(type) / 8);
}

std::string l1_bytes(const tile_tensor& tensor) {
    const unsigned tile_bytes = l1_tile_bytes(tensor.type), size = tile_bytes / tile_elements;
    std::string bytes(std::size_t{tensor.tiles()} * tile_bytes, '\0');
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        std::uint32_t value = tensor.values[i];
        if (tensor.type == isa::data_type::bf16) value >>= 16;
        if (is_sign_magnitude(tensor.type)) value = other_sign_form(value, 8 * size);
        const unsigned place = face_order(i % tile_elements / tile_side, i % tile_side);
        std::memcpy(bytes.data() + i / tile_elements * tile_bytes + std::size_t{place} * size, &value, size);
    }
    return bytes;
}

tile_tensor tiles_of_l1(std::string_view bytes, isa::data_type type) {
    const unsigned tile_bytes = l1_tile_bytes(type), size = tile_bytes / tile_elements;
    tile_tensor tensor{type, std::vector<std::uint32_t>(bytes.size() / tile_bytes * tile_elements)};
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        std::uint32_t value = 0;
        const unsigned place = face_order(i % tile_elements / tile_side, i % tile_side);
        std::memcpy(&value, bytes.data() + i / tile_elements * tile_bytes + std::size_t{place} * size, size);
        if (type == isa::data_type::bf16) value <<= 16;
        if (is_sign_magnitude(type)) value = other_sign_form(value, 8 * size);
        tensor.values[i] = value;
    }
    return tensor;
}

} // namespace sfpu::analysis
