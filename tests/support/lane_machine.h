// What the tests of the instruction semantics use around isa::lane_machine: words from their fields, random
// state, comparisons.
#pragma once

#include <sfpu/isa/lane_machine.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::test {

using isa::lane_machine;

/// Instruction words from their fields, for tests that do not want to depend on the assembler.
namespace word {
constexpr std::uint32_t abc(unsigned opcode, unsigned a, unsigned b, unsigned c, unsigned d, unsigned mod) {
    return opcode << 24 | a << 16 | b << 12 | c << 8 | d << 4 | mod;
}
constexpr std::uint32_t imm12(unsigned opcode, int imm, unsigned c, unsigned d, unsigned mod) {
    return opcode << 24 | (static_cast<unsigned>(imm) & 0xfffu) << 12 | c << 8 | d << 4 | mod;
}
constexpr std::uint32_t imm16(unsigned opcode, unsigned imm, unsigned d, unsigned mod) {
    return opcode << 24 | (imm & 0xffffu) << 8 | d << 4 | mod;
}
constexpr std::uint32_t load_immediate(unsigned d, unsigned mode, unsigned imm) {
    return 0x71000000u | d << 20 | mode << 16 | (imm & 0xffffu);
}
/// SFPLOAD and SFPSTORE.
constexpr std::uint32_t dst(unsigned opcode, unsigned lreg, unsigned mode, unsigned address,
                            unsigned addr_mod, architecture arch) {
    return opcode << 24 | lreg << 20 | mode << 16 | addr_mod << isa::addr_mod_shift(arch) | address;
}
} // namespace word

/// The next state of a lane's random number generator: what moves in from above is the complement of the sum
/// of bits 0, 1, 21 and 31.
constexpr std::uint32_t prng_next(std::uint32_t state) {
    const std::uint32_t sum = (state >> 31) + (state >> 21) + (state >> 1) + state;
    return (sum % 2 == 0 ? 0x80000000u : 0u) | state / 2;
}

/// A small generator with a fixed sequence, so that failures repeat.
class random_bits {
public:
    explicit random_bits(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    std::uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::uint32_t>(state_ * 0x2545f4914f6cdd1du >> 32);
    }
    std::uint32_t below(std::uint32_t limit) { return next() % limit; }
    /// Bit patterns at which integer and floating-point operations change their behaviour, among plain random
    /// ones.
    std::uint32_t operand();

private:
    std::uint64_t state_;
};

/// Number of random cases: `normally`, or a hundred times as many if the environment variable SFPU_NIGHTLY is
/// set.
std::uint64_t case_count(std::uint64_t normally);

/// Random registers L0 to L7, flags, flag stack and random number generator.
void randomise(lane_machine& machine, random_bits& random);

/// Whether everything that instructions can change is equal; a description of the first difference otherwise.
std::string difference(const lane_machine& a, const lane_machine& b);

} // namespace sfpu::test
