// What a hart sees of a coprocessor: an engine that executes instructions of its own opcode space and owns
// CSRs.
//
// Pure C++. Time is counted in cycles of the hart's clock, absolute from reset. Calls come in program order,
// with non-decreasing times.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::riscv {

/// How an instruction ended, and when the hart may go on.
struct coprocessor_answer {
    enum class outcome : std::uint8_t {
        accepted, ///< executes, or will; the hart goes on in cycle `next`
        trap,     ///< nothing changed; the hart takes the exception `cause` with `value` in mtval
    };
    outcome result = outcome::accepted;
    cycles next{};           ///< the first cycle in which the hart can issue its next instruction
    std::uint32_t cause = 0; ///< mcause
    std::uint32_t value = 0; ///< mtval
};

class coprocessor {
public:
    virtual ~coprocessor() = default;

    /// Whether the word belongs to this coprocessor (its major opcode).
    virtual bool claims(std::uint32_t word) const = 0;
    /// The number of the scalar register that the word reads; 0 if it reads none (x0 reads as zero).
    virtual unsigned scalar_operand(std::uint32_t word) const = 0;
    /// Issues the word in cycle `at`; `scalar` is the value of scalar_operand().
    virtual coprocessor_answer issue(std::uint32_t word, std::uint32_t scalar, cycles at) = 0;

    /// CSRs. False if this coprocessor does not have the CSR (or, for a write, it is read-only): an illegal
    /// instruction.
    virtual bool read_csr(unsigned number, cycles at, std::uint32_t& value) = 0;
    virtual bool write_csr(unsigned number, cycles at, std::uint32_t value) = 0;

    /// The first cycle, at or after `at`, in which everything issued so far has completed (fence).
    virtual cycles drained(cycles at) = 0;
};

} // namespace sfpu::riscv
