// Programs of harts, put together instruction by instruction.
#pragma once

#include "riscv_words.h"

#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace sfpu::test {

using rv::word;

constexpr unsigned x0 = 0, t0 = 5, t1 = 6, t2 = 7, s0 = 8, s1 = 9, s2 = 18, s3 = 19;
constexpr unsigned cycle_csr = 0xb00, mhartid = 0xf14;

/// The program of one hart.
class program {
public:
    std::vector<word> code;

    program& operator<<(word w) {
        code.push_back(w);
        return *this;
    }
    program& operator<<(std::initializer_list<word> words) {
        code.insert(code.end(), words);
        return *this;
    }
    int here() const { return static_cast<int>(code.size()) * 4; }
    program& li(unsigned rd, std::uint32_t value) {
        return *this << rv::lui(rd, value + 0x800) << rv::addi(rd, rd, static_cast<int>(value << 20) >> 20);
    }
    program& push(std::uint32_t tensix) { return *this << rv::ttinsn(tensix); }
    /// Stores a register, whose value is ready, to an address.
    program& store(std::uint32_t address, unsigned value) { return li(t2, address) << rv::sw(value, t2, 0); }
    program& load(unsigned rd, std::uint32_t address) { return li(t2, address) << rv::lw(rd, t2, 0); }
    /// Counts down from a number in t1; two cycles a round, no access.
    program& spin(std::uint32_t rounds) {
        li(t1, rounds);
        return *this << rv::addi(t1, t1, -1) << rv::branch(1, t1, x0, -4);
    }
    /// Loads from the address in s0 to t0 until it is not zero.
    program& poll() { return *this << rv::lw(t0, s0, 0) << rv::branch(0, t0, x0, -4); }
    program& park() { return *this << rv::jal(x0, 0); }
    program& stamp(std::uint32_t address) {
        return (*this << rv::csrrs(s1, cycle_csr, x0)).store(address, s1);
    }
    /// Runs the body again and again.
    program& for_ever(const std::function<void(program&)>& body) {
        const int begin = here();
        body(*this);
        return *this << rv::jal(x0, begin - here());
    }
    program& repeat(unsigned counter, std::uint32_t times, const std::function<void(program&)>& body) {
        li(counter, times);
        const int begin = here();
        body(*this);
        *this << rv::addi(counter, counter, -1);
        return *this << rv::branch(1, counter, x0, begin - here());
    }
};

/// An ELF file with one segment and no symbols, which begins where it is loaded.
inline riscv::elf_image image_at(std::uint32_t address, const std::vector<word>& code) {
    const auto bytes = static_cast<std::uint32_t>(code.size() * 4);
    const std::vector<std::uint32_t> header{
        0x464c457f, 0x00010101, 0, 0,  0x00f30002, 1,       address, 52,    0, 0, 0x00200034,
        0x00280001, 0x00000000, 1, 84, address,    address, bytes,   bytes, 5, 4};
    std::string file(84, '\0');
    std::memcpy(file.data(), header.data(), 84);
    file.append(reinterpret_cast<const char*>(code.data()), bytes);
    return riscv::elf_image::parse(file);
}

} // namespace sfpu::test
