// Tiles of 32 x 32 elements between arrays of NumPy, Dst and L1.
//
// A tile has four faces of 16 x 16: upper left, upper right, lower left, lower right, each row by row. In Dst
// a face is 16 rows, so that tile t begins at row 64 t of the view that its type has: 16 tiles of cells of 16
// bits, 8 of cells of 32 (docs/assembly.md). In L1 its elements follow each other.
#pragma once

#include <sfpu/dst/dst_storage.h>
#include <sfpu/isa/data_type.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

constexpr unsigned tile_elements = 32 * 32;

struct tile_tensor {
    isa::data_type type{};
    std::vector<std::uint32_t> values; ///< bits as NumPy has them, row by row, tile by tile

    unsigned tiles() const { return static_cast<unsigned>(values.size() / tile_elements); }
};

/// How many tiles Dst holds.
unsigned dst_tiles(isa::data_type type);

/// An array of shape (n, 32, 32), (32 n, 32) or (1024 n,), of the little-endian NumPy type that stands for
/// the type. Throws input_error, with the element of a value that no cell holds (0.1 as bf16).
tile_tensor parse_tiles(std::string_view bytes, const std::string& file, isa::data_type type);
/// The file of an array of shape (n, 32, 32).
std::string tiles_file(const tile_tensor& tensor);

/// From tile `first` on; it has to fit. Without `remap_addrs` and `swizzle_32b`. `upper_halves`: 16-bit
/// elements stand in the upper halves of 32-bit cells, where accesses find them with bit 11 of
/// DBG_FEATURE_DISABLE set.
void put_tiles(dst::image& dst, const tile_tensor& tensor, unsigned first, bool upper_halves = false);
tile_tensor tiles_of(const dst::image& dst, isa::data_type type, unsigned first, unsigned count,
                     bool upper_halves = false);

/// Bytes of a tile in L1: bf16 takes two a value, sign and magnitude are those of the type.
unsigned l1_tile_bytes(isa::data_type type);
std::string l1_bytes(const tile_tensor& tensor);
tile_tensor tiles_of_l1(std::string_view bytes, isa::data_type type);

} // namespace sfpu::analysis
