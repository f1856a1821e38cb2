// What a tensor register holds: element types, shapes, elements. Source: tensorload.md A1, A3.
#pragma once

#include <sfpu/common/tensorload_parameters.h>

#include <array>
#include <cstdint>
#include <optional>

namespace sfpu::tensorload {

constexpr unsigned register_bytes = 1024;
/// One tensor register: a linear array of elements, little-endian; 4-bit elements two to a byte, the lower
/// index in the lower half.
using tensor_register = std::array<unsigned char, register_bytes>;

enum class element_kind : std::uint8_t { int4, int8, int16, int32, fp4, fp8, fp16, bf16, fp32 };

struct element_type {
    element_kind kind = element_kind::int8;
    unsigned bits = 8;
    type_support support = type_support::none;

    bool is_integer() const { return kind <= element_kind::int32; }
};

/// The type that the CSR `ttype` names. Nothing if it names none, several, or a reserved code.
std::optional<element_type> element_type_of(std::uint32_t ttype, const tensorload_parameters& config);

/// A block of D0 x D1 x D2 elements, D0 outermost: element (i, j, k) has the index (i * D1 + j) * D2 + k.
struct block_shape {
    std::array<std::uint32_t, 3> size{};
    unsigned element_bits = 8;

    std::uint64_t elements() const { return std::uint64_t{size[0]} * size[1] * size[2]; }
    std::uint64_t bits() const { return elements() * element_bits; }
    std::uint64_t bytes() const { return (bits() + 7) / 8; }
    /// Every size is at least 1 and the block fits a tensor register.
    bool is_valid() const { return elements() != 0 && bits() <= 8 * register_bytes; }
    /// Consecutive elements that share one coordinate of an axis.
    std::uint32_t run(unsigned axis) const { return axis == 2 ? 1 : axis == 1 ? size[2] : size[1] * size[2]; }
};
/// The shape that the CSR `tshape` names.
block_shape shape_of(std::uint32_t tshape, unsigned element_bits);

/// Copies elements between places that are counted in elements.
void copy_elements(unsigned char* to, std::size_t to_index, const unsigned char* from, std::size_t from_index,
                   std::size_t count, unsigned bits);
void clear_elements(unsigned char* to, std::size_t index, std::size_t count, unsigned bits);

} // namespace sfpu::tensorload
