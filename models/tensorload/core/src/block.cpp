#include <sfpu/tensorload/block.h>

#include <cstring>

namespace sfpu::tensorload {
namespace {

unsigned nibble(const unsigned char* bytes, std::size_t index) {
    return bytes[index / 2] >> (index % 2 * 4) & 15u;
}

void set_nibble(unsigned char* bytes, std::size_t index, unsigned value) {
    const unsigned shift = index % 2 * 4;
    bytes[index / 2] = static_cast<unsigned char>((bytes[index / 2] & ~(15u << shift)) | value << shift);
}

} // namespace

std::optional<element_type> element_type_of(std::uint32_t ttype, const tensorload_parameters& config) {
    using kind = element_kind;
    switch (ttype) {
    case 0x001: return element_type{kind::int4, 4, config.int4};
    case 0x002: return element_type{kind::int8, 8, config.int8};
    case 0x004: return element_type{kind::int16, 16, config.int16};
    case 0x008: return element_type{kind::int32, 32, config.int32};
    case 0x010: return element_type{kind::fp4, 4, config.fp4};    // E2M1
    case 0x040:                                                   // E4M3
    case 0x080:                                                   // E5M2
    case 0x0c0: return element_type{kind::fp8, 8, config.fp8};    // E3M4
    case 0x100: return element_type{kind::fp16, 16, config.fp16}; // binary16
    case 0x200: return element_type{kind::bf16, 16, config.bf16}; // bfloat16
    case 0x400: return element_type{kind::fp32, 32, config.fp32}; // binary32
    default: return std::nullopt;
    }
}

block_shape shape_of(std::uint32_t tshape, unsigned element_bits) {
    return {{tshape >> 16 & 0xffu, tshape >> 8 & 0xffu, tshape & 0xffu}, element_bits};
}

void copy_elements(unsigned char* to, std::size_t to_index, const unsigned char* from, std::size_t from_index,
                   std::size_t count, unsigned bits) {
    if (bits >= 8) {
        const std::size_t bytes = bits / 8;
        std::memcpy(to + to_index * bytes, from + from_index * bytes, count * bytes);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) set_nibble(to, to_index + i, nibble(from, from_index + i));
}

void clear_elements(unsigned char* to, std::size_t index, std::size_t count, unsigned bits) {
    if (bits >= 8) {
        std::memset(to + index * (bits / 8), 0, count * (bits / 8));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) set_nibble(to, index + i, 0);
}

} // namespace sfpu::tensorload
