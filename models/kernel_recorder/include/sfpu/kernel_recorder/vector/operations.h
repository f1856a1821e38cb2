// The operations of vector types on the graph of the current recorder: which instruction does each of them,
// on either chip.
#pragma once

#include <sfpu/kernel_recorder/vector/graph.h>

#include <cstdint>

namespace sfpu::kernel_recorder::vector {

/// The graph that vector types of this thread add to; kernel_error if nothing records.
graph& current_graph();
/// The same for code compiled for `arch`; kernel_error if the recorder is for the other chip.
graph& current_graph(architecture arch);

/// A copy of a variable's value, for the lifetime of the variable.
class held_value {
public:
    held_value() = default;
    explicit held_value(value v);
    held_value(const held_value& other);
    held_value& operator=(const held_value& other);
    ~held_value();

    value get() const { return value_; }
    operator value() const { return value_; }

private:
    void let_go();

    value value_ = none;
    std::uint64_t session_ = 0; ///< of the recorder; 0 holds nothing
};

// Floating point
held_value add(value a, value b);
held_value subtract(value a, value b);
held_value multiply(value a, value b);
held_value multiply_add(value a, value b, value c, unsigned mod);
held_value negate(value a);

// Integers. `amount` is positive to the left.
held_value add_integer(value a, value b);
held_value subtract_integer(value a, value b);
held_value shift(value a, value amount, bool arithmetic);
held_value shift(value a, int amount, bool arithmetic);
held_value bit_and(value a, value b);
held_value bit_or(value a, value b);
held_value bit_xor(value a, value b);
held_value bit_not(value a);

/// VD = f(VC), for SFPABS, SFPEXEXP, SFPEXMAN, SFPLZ, SFPMOV, SFPCAST, SFPARECIP and the immediate forms of
/// others.
held_value unary(unsigned opcode, value a, unsigned mod, int imm = 0);
/// VD = f(VB, VC): VB goes into VD first. SFPSETEXP, SFPSETMAN, SFPSETSGN (VC has the other fields), SFPSHFT.
held_value binary(unsigned opcode, value b, value c, unsigned mod);
/// A field that is given as a number: `imm` if it fits the instruction, else a register.
held_value set_exponent(value a, int exponent);
held_value set_mantissa(value a, unsigned mantissa);
/// SFPMUL24, Blackhole.
held_value multiply_24(value a, value b, unsigned mod);
/// SFP_STOCH_RND; `descale` is a shift, or a value that holds it.
held_value round(value a, unsigned mod, unsigned rounding, unsigned descale = 0);
held_value round_by(value a, value descale, unsigned mod, unsigned rounding);
/// SFPSHFT2 in the modes that move lanes of VC.
held_value move_lanes(value a, unsigned mod);
held_value random();

/// SFPLUT and SFPLUTFP32: tables in L0 to L2 (and L4 to L6), the argument in L3.
held_value look_up(const value (&tables)[3], value x, unsigned mod);
held_value look_up_fp32(const value* tables, unsigned table_count, value x, unsigned mod);

/// SFPSWAP: a is VD and b is VC, before and afterwards.
void swap(value& a, value& b, unsigned mod);
/// SFPTRANSP of four values.
void transpose(value& a, value& b, value& c, value& d);

held_value load(unsigned mod, unsigned addr_mod, unsigned address);
void store(value v, unsigned mod, unsigned addr_mod, unsigned address);

/// A comparison as the chips do it: by the sign and the bits of the difference, so that it fails where that
/// wraps.
enum class comparison { equal, not_equal, less, at_least, greater, at_most };
condition compare_float(value a, comparison how, value b);
condition compare_integer(value a, comparison how, value b);
/// By the sign and the bits of a value.
condition compare_to_0(value a, comparison how);

} // namespace sfpu::kernel_recorder::vector
