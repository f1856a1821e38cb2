// The MOP expander: one MOP word becomes a looping sequence of instructions. Pure C++, without time.
//
// Source: tt-isa-documentation, MOPExpander; tile.md K4.
#pragma once

#include <array>
#include <cstdint>

namespace sfpu::frontend {

/// Nine configuration words, whose meaning depends on the template that a MOP asks for:
///
/// | word | template 0           | template 1                                                      |
/// |------|----------------------|-----------------------------------------------------------------|
/// | 0    |                      | outer count, 7 bits                                             |
/// | 1    | bit 0 B, bit 1 A1-A3 | inner count, 7 bits; doubled if word 6 is no NOP                |
/// | 2    | B                    | start of an outer iteration, unless NOP                         |
/// | 3    | A0                   | its end, unless NOP                                             |
/// | 4    | A1                   | after that end, unless NOP                                      |
/// | 5    | A2                   | body of the inner loop                                          |
/// | 6    | A3                   | body in every second inner iteration, unless NOP                |
/// | 7    | skip A0              | instead of the last body of the last outer iteration            |
/// | 8    | skip B               | instead of the last body of every other outer iteration         |
///
/// NOP is opcode 0x02 and nothing else. Counts and flags are sampled when a MOP begins, instructions when
/// they are emitted.
class mop_expander {
public:
    static constexpr unsigned config_words = 9;

    void reset() { *this = {}; }
    void set_config(unsigned index, std::uint32_t value) { config_[index] = value; }
    std::uint32_t config(unsigned index) const { return config_[index]; }
    /// MOP_CFG: the upper half of the mask of template 0.
    void set_mask_hi(std::uint32_t value) { mask_hi_ = value & 0xffff; }

    /// Starts the expansion of a MOP word.
    void begin(std::uint32_t mop);
    /// Gives up the expansion.
    void abort() { step_ = step::none; }
    /// Whether the expansion has another instruction. Resolves loops up to it.
    bool pending() { return step_ != step::none && seek(); }
    /// That instruction; only if pending().
    std::uint32_t take();

private:
    enum class step : std::uint8_t { none, a0, a1, a2, a3, b, skip_a0, skip_b, start, inner, end0, end1 };

    bool seek();
    bool exists() const;
    void advance();
    void next_masked();
    void next_outer();
    std::uint32_t inner_body() const;

    std::array<std::uint32_t, config_words> config_{};
    std::uint32_t mask_hi_ = 0;

    step step_ = step::none;
    bool has_b_ = false, has_a123_ = false;
    std::uint32_t mask_ = 0;
    unsigned outer_ = 0, inner_ = 0;             ///< iterations done
    unsigned outer_count_ = 0, inner_count_ = 0; ///< template 0 counts its iterations as outer ones
};

} // namespace sfpu::frontend
