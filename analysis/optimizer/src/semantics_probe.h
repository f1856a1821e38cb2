// Questions about instructions that their execution answers: who reads lane flags, which operands may be
// exchanged.
#pragma once

#include <sfpu/isa/execution.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/state.h>

#include <array>
#include <cstdint>
#include <random>

namespace sfpu::optimizer {

/// Registers in the order of `field`: va, vb, vc, vd.
using field_registers = std::array<int, 4>;

struct observed_effects {
    bool flags = false;         ///< changes lane flags or their stack
    bool predicated = false;    ///< does nothing in lanes that are off
    bool random = false;        ///< its result depends on random numbers
    bool crosses_lanes = false; ///< a lane of its result depends on other lanes
};

class semantics_probe {
public:
    explicit semantics_probe(const isa::word_encoding& words) : words_(words) {}

    observed_effects effects(const isa::instruction& insn);
    /// Executes an instruction that changes flags.
    void execute_on(isa::vector_state& state, const isa::instruction& insn);
    /// The same with any data: in each lane as likely as not one of the ways in which the data may decide.
    void decide_flags(isa::vector_state& state, const isa::instruction& insn);
    /// Executes and writes the results.
    void step(isa::vector_state& state, const isa::instruction& insn);
    void randomise(isa::vector_state& state, unsigned lreg);
    /// Random numbers and extreme values in all general registers and in L11 to L14.
    void randomise(isa::vector_state& state);
    /// What an instruction without operands leaves in all lanes of VD.
    std::uint32_t constant_of(const isa::instruction& insn, std::uint32_t before);
    /// Whether two instructions leave the same result and flags, whatever the general registers hold. Neither
    /// writes more than one register.
    bool same(const isa::instruction& a, const isa::instruction& b);
    /// Whether (x op y) op z is (x op z) op y for an instruction of two operands.
    bool reorders(const isa::instruction& insn, unsigned first, unsigned second);

    /// SFPSWAP: whether VC and VD hold the same afterwards if their contents change places before.
    bool may_exchange_sides(const isa::instruction& insn);

private:
    bool crosses_lanes(const isa::instruction& insn);
    isa::write_set& execute(isa::vector_state& state, const isa::instruction& insn);

    isa::word_encoding words_;
    std::mt19937 numbers_{20251122};
    isa::write_set out_;
};

} // namespace sfpu::optimizer
