// Registers of the model by which a tile's program speaks to the platform: exit code, interrupt output,
// software interrupts.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>

namespace sfpu::memory {

/// Words, little-endian; the chip has nothing of the kind.
///
/// | offset | register |
/// |---|---|
/// | 0x00 | EXIT: a store of a non-zero word ends the program, as one to `tohost` does; 1 means success.
/// Reads as the latest word |
/// | 0x04 | INTERRUPT_OUT: bit 0 is the level of the tile's interrupt output |
/// | 0x08 | SOFTWARE_INTERRUPT: bit n raises the machine software interrupt of core T<n>, bit 3 that of B |
///
/// Responses are those of check_word_access() for 4 KiB; other offsets are TLM_ADDRESS_ERROR_RESPONSE.
/// transport_dbg takes words and acts as b_transport does; reading has no side effects.
class tile_control : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<tile_control, 32> tsock{"tsock"};

    /// Told of stores with their time; any may be empty.
    struct connections {
        std::function<void(std::uint32_t word, const sc_core::sc_time& at)> exit;
        std::function<void(const sc_core::sc_time& at)> changed; ///< interrupts
    };

    explicit tile_control(const sc_core::sc_module_name& name);

    void connect(connections to) { connections_ = std::move(to); }
    void reset() { exit_ = interrupt_out_ = software_interrupts_ = 0; }

    void set_exit(std::uint32_t word) { exit_ = word; }
    bool interrupt_out() const { return interrupt_out_ & 1u; }
    /// Bit n: core T<n>; bit 3: B.
    std::uint32_t software_interrupts() const { return software_interrupts_; }

private:
    std::uint32_t* find(std::uint64_t offset);
    void write(std::uint64_t offset, std::uint32_t value, const sc_core::sc_time& at);
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);

    std::uint32_t exit_ = 0, interrupt_out_ = 0, software_interrupts_ = 0;
    connections connections_;
};

} // namespace sfpu::memory
