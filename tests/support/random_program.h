// Random programs for tests that compare two ways of running the same words.
#pragma once

#include <sfpu/platform/program.h>

#include <array>
#include <cstdint>
#include <random>

namespace sfpu::test {

/// Blackhole programs in which everything that takes part in timing occurs: macros of all kinds with entries
/// on all sub-units, stalls, two-cycle instructions, discards, front-end words, bubbles. What they compute is
/// of no interest.
class random_programs {
public:
    explicit random_programs(std::uint32_t seed) : random_(seed) {}

    platform::run_request next(unsigned words = 60) {
        platform::run_request request;
        request.state.reset();
        request.thread.reset(request.config.arch);
        for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
            for (std::uint32_t& lane : request.state.lreg[lreg].v) lane = random_();
        request.state.flags = random_();
        request.state.use_flags = chance(50) ? all_lanes : 0;
        request.state.macro.fill(macro());
        request.thread.set_addr_mod_dst(3, 4); // ADDR_MOD_3: Dst += 4
        for (unsigned row = 0; row < 64; ++row)
            for (std::uint16_t& cell : request.dst_rows[row]) cell = static_cast<std::uint16_t>(random_());
        platform::program_segment segment;
        for (unsigned i = 0; i < words; ++i) {
            segment.words.push_back(word());
            request.bubbles.push_back(chance(20) ? pick(4) : 0);
        }
        segment.words.insert(segment.words.end(), 12, 0x8f000000u); // SFPNOP: lets most macros drain
        request.segments = {segment};
        return request;
    }

private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
    bool chance(unsigned percent) { return pick(100) < percent; }

    /// An instruction of the given opcode; 0 to 7 as registers, so that no template is written by accident.
    std::uint32_t three_operands(std::uint32_t opcode, unsigned modifier) {
        return opcode << 24 | pick(8) << 16 | pick(8) << 12 | pick(8) << 8 | pick(8) << 4 | modifier;
    }
    std::uint32_t address() { return (chance(30) ? 3u << 13 : 0u) | pick(16) << 1; }

    std::uint32_t simple() {
        constexpr std::array<std::uint32_t, 8> opcodes{0x79, 0x7a, 0x7b, 0x7d, 0x7e, 0x89, 0x90, 0x8a};
        return three_operands(opcodes[pick(8)], chance(50) ? 0 : 1);
    }
    std::uint32_t mad() {
        constexpr std::array<std::uint32_t, 4> opcodes{0x84, 0x85, 0x86, 0x98};
        return three_operands(opcodes[pick(4)], 0);
    }
    std::uint32_t round() {
        return chance(50) ? three_operands(0x8e, 1) : 0x94000005u | pick(32) << 12 | pick(8) << 4;
    }

    isa::macro_configuration macro() {
        isa::macro_configuration result;
        result.instruction_template = {simple(), mad(), round(), chance(50) ? simple() : mad()};
        for (std::uint32_t& sequence : result.sequence) {
            sequence = 0;
            for (unsigned unit = 0; unit < 4; ++unit) {
                if (chance(40)) continue;
                const unsigned selector = unit == 3 ? 3 : chance(80) ? 4 + unit : 2 + pick(6);
                sequence |= (pick(4) << 6 | pick(8) << 3 | selector) << (8 * unit);
            }
        }
        constexpr std::array<std::uint32_t, 4> kinds{0xf, 0x0, 0x5, 0xf};
        result.misc = kinds[pick(4)] << 8 | pick(16) << 4 | 4u;
        return result;
    }
    std::uint32_t word() {
        const unsigned kind = pick(100);
        if (kind < 35) return 0x93000000u | pick(16) << 20 | 4u << 16 | address() | pick(2);
        if (kind < 45) return 0x8f000000u;
        if (kind < 55) return 0x70000000u | pick(8) << 20 | (chance(50) ? 4u : 6u) << 16 | address();
        if (kind < 60) return 0x72000000u | pick(8) << 20 | (chance(50) ? 4u : 6u) << 16 | address();
        if (kind < 75) return mad();
        if (kind < 80) return 0x92000000u | pick(8) << 8 | pick(8) << 4 | pick(3); // SFPSWAP
        if (kind < 83) return 0x94000002u | pick(8) << 8 | pick(8) << 4 | pick(3); // SFPSHFT2 modes 2 to 4
        if (kind < 88) return 0x71000000u | pick(8) << 20 | 2u << 16 | pick(0x10000);
        if (kind < 92) return 0x38000000u | pick(3) << 14; // INCRWC
        if (kind < 95) return round();
        return simple();
    }

    std::mt19937 random_;
};

} // namespace sfpu::test
