// An ELF file made of words.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::test {

/// One segment and no symbols; begins where it is loaded.
inline riscv::elf_image program_at(std::uint32_t address, const std::vector<std::uint32_t>& code) {
    constexpr std::uint32_t header_bytes = 84; // of the file, then of the segment
    const auto bytes = static_cast<std::uint32_t>(code.size() * 4);
    const std::vector<std::uint32_t> header{
        0x464c457f,   0x00010101, 0,       0,          0x00f30002, 1,          address,
        52,           0,          0,       0x00200034, 0x00280001, 0x00000000, 1,
        header_bytes, address,    address, bytes,      bytes,      5,          4};
    std::string file(reinterpret_cast<const char*>(header.data()), header_bytes);
    file.append(reinterpret_cast<const char*>(code.data()), bytes);
    return riscv::elf_image::parse(file);
}

} // namespace sfpu::test
