// State of the front-end thread that the vector unit's address generation uses: address counters (RWCs), the
// thread configuration registers that SETC16 writes, and the backend configuration that loads and stores look
// at.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/table.h>

#include <array>
#include <cstdint>

namespace sfpu::isa {

/// Configuration that kernels set up from outside the instruction stream.
struct backend_configuration {
    bool fp32_enabled = false;   ///< ALU_ACC_CTRL_SFPU_Fp32_enabled
    unsigned srcb_format = 0;    ///< the format number by which MOD0_FMT_SRCB resolves
    unsigned dest_regw_base = 0; ///< DEST_REGW_BASE_Base
    unsigned dest_sp_base = 0;   ///< DEST_SP_BASE_Base
    dst_row_mapping rows;
};

/// Threads that can issue instructions. RWCs, thread configuration and address modifiers are each thread's
/// own.
constexpr unsigned thread_count = 3;

/// Address counters; 10 bits each.
struct address_counters {
    unsigned dst = 0, dst_cr = 0, sp = 0;
};

class thread_state {
public:
    static constexpr unsigned register_count = 64;

    void reset(architecture arch);

    address_counters rwc;

    /// The backend configuration has two states; CFG_STATE_ID, register 0, selects that of this thread's
    /// instructions.
    static constexpr unsigned backend_states = 2;
    const backend_configuration& backend() const { return backend_; }
    const backend_configuration& backend(unsigned state) const { return backends_[state]; }
    void set_backend(unsigned state, const backend_configuration& to) {
        backends_[state] = to;
        derive();
    }
    /// Both.
    void set_backend(const backend_configuration& to) {
        backends_.fill(to);
        derive();
    }
    unsigned state_id() const { return registers_[state_id_register] & 1u; }

    std::uint16_t config_register(unsigned index) const { return registers_[index]; }
    /// Writes a thread configuration register; false if it does not exist.
    bool write_config(unsigned index, std::uint16_t value);

    /// Named registers, for initial state.
    void set_math_offset(unsigned value) { write_config(1, static_cast<std::uint16_t>(value)); }
    void set_addr_mod_dst(unsigned entry, std::uint16_t image);
    void set_addr_mod_base(unsigned value) {
        if (const unsigned at = chip_->addr_mod_base_register)
            write_config(at, static_cast<std::uint16_t>(value));
    }
    void set_sfpu_stack_incr(unsigned value) {
        if (const unsigned at = chip_->stack_increment_register)
            write_config(at, static_cast<std::uint16_t>(value));
    }

    /// Dst address of a load or store (10 bits: row group 9:2, odd columns 1). INT32_ALL moves the stack
    /// pointer.
    unsigned dst_address(const instruction& insn, unsigned mode, bool is_load) {
        if (mode != dst_mode::int32_all) return counted_address(insn);
        return stack_address(insn.imm10 + registers_[math_offset_register], is_load);
    }
    /// The same for all other modes.
    unsigned counted_address(const instruction& insn) const {
        const unsigned stack = (rwc.sp + backend().dest_sp_base) & stack_mask_;
        return (insn.imm10 + rwc.dst + offset_ + stack) & 0x3ffu;
    }
    /// Applies the instruction's address modifier, after the access.
    void apply_addr_mod(unsigned addr_mod) {
        const std::uint32_t change = modifiers_[addr_mod];
        if (change == 0) return;
        if (change < 0x400u) rwc.dst = (rwc.dst + change) & 0x3ffu; // an increment and nothing else
        else apply(change);
    }

    /// Bit i: address modifier i changes nothing.
    std::uint8_t still_modifiers() const {
        unsigned result = 0;
        for (unsigned i = 0; i < modifiers_.size(); ++i) result |= (modifiers_[i] == 0 ? 1u : 0u) << i;
        return static_cast<std::uint8_t>(result);
    }

    /// SETRWC, INCRWC, SETC16 and NOP. False if SETC16 named no register.
    bool execute_front_end(const instruction& insn);

private:
    /// Register numbers that the chips share (public register descriptions).
    static constexpr unsigned state_id_register = 0, math_offset_register = 1;

    unsigned stack_address(unsigned start, bool is_load);
    void apply(std::uint32_t change);
    void derive();

    std::array<backend_configuration, backend_states> backends_;
    const chip_description* chip_ = &describe(architecture::blackhole);
    std::array<std::uint16_t, register_count> registers_{};
    bool extra_addr_mod_bit_ = false;

    // Derived from the above:
    backend_configuration backend_; ///< the selected one
    std::array<std::uint32_t, 8>
        modifiers_{}; ///< by address mode: image of the Dst part, that of the bias part in the upper half
    unsigned stack_mask_ = 3; ///< bits of the stack pointer in an address
    unsigned offset_ = 0;     ///< of all addresses
};

} // namespace sfpu::isa
