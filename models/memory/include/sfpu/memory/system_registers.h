// Registers of a tile that cores reach by loads and stores: backend configuration, debug and status.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/dst/slice_protocol.h>
#include <sfpu/memory/config_registers.h>
#include <sfpu/memory/dst_window.h>
#include <sfpu/probe/reporter.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace sfpu::memory {

/// `config_tsock`: the space at 0xFFEF0000 (config_registers.h). Loads of 1, 2 and 4 aligned bytes, stores of
/// 4. Thread registers can be read, through `thread_register`, and not written.
///
/// `debug_tsock`: the space at 0xFFB12000, words only. 0x0A8 INSTRN_BUF_STATUS, from
/// `instruction_buffer_status`; 0x068 DBG_FEATURE_DISABLE, of whose bits only 11 does something; 0x1B0
/// SOFT_RESET_0, bits 11 for core B, 12 to 14 for T0 to T2, 18 for NC;
/// what the others stand for is not modelled, and setting one is reported. On Blackhole 0x224 DISABLE_RESET,
/// 0x228 to 0x230 the start addresses of T0 to T2, 0x234 which of them apply (TRISC_RESET_PC_OVERRIDE), 0x238
/// and 0x23C the same for NC, which the model does not have; Wormhole has start addresses in its
/// configuration. 0x1F0 the wall clock's lower half, whose load or store also captures the upper half for
/// 0x1F8; 0x1F4 the upper half as it is now. The wall clock counts cycles from reset() on.
///
/// Both: TLM_ADDRESS_ERROR_RESPONSE outside the space and misaligned, TLM_BURST_ERROR_RESPONSE for another
/// size, TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables. Registers inside the space that the model does not
/// have read as zero, ignore stores, and are reported once each. transport_dbg takes words and has no side
/// effect on what is read; no DMI.
class system_registers : public sc_core::sc_module, public dst_view_source {
public:
    tlm_utils::simple_target_socket<system_registers, 32> config_tsock{"config_tsock"};
    tlm_utils::simple_target_socket_optional<system_registers, 32> debug_tsock{"debug_tsock"};

    /// What other models contribute; any may be empty.
    struct connections {
        /// The bits of INSTRN_BUF_STATUS at a time.
        std::function<std::uint32_t(const sc_core::sc_time&)> instruction_buffer_status;
        /// A thread configuration register (SETC16). Register 0 selects the thread's bank.
        std::function<std::uint16_t(unsigned thread, unsigned number)> thread_register;
        /// Called after a store that changes a word that the vector unit looks at, for each bank, with the
        /// cycle of the store.
        std::function<void(unsigned bank, const isa::backend_configuration&, cycles)> backend_changed;
        /// Called after a store to SOFT_RESET_0, with its time.
        std::function<void(const sc_core::sc_time&)> soft_reset_written = nullptr;
        /// Called when bit 11 of DBG_FEATURE_DISABLE changes: whether 16-bit accesses to Dst mean the upper
        /// halves of 32-bit cells.
        std::function<void(bool)> upper_halves_changed = nullptr;
    };

    explicit system_registers(const sc_core::sc_module_name& name);

    void connect(connections to) { connections_ = std::move(to); }
    /// A model to be brought to the time of a configuration store before it takes effect, in the order of the
    /// pipeline: instructions that were issued earlier see the old configuration.
    void attach(dst::lagging_model& reader) { readers_.push_back(&reader); }

    void reset(const parameters& config, probe::reporter* reporter = nullptr);

    /// SOFT_RESET_0. Setting it calls nobody.
    std::uint32_t soft_reset() const { return soft_reset_; }
    void set_soft_reset(std::uint32_t value) { soft_reset_ = value; }
    static constexpr std::uint32_t soft_reset_of_b = 1u << 11, soft_reset_of_t0 = 1u << 12,
                                   soft_reset_of_nc = 1u << 18;
    static constexpr std::uint32_t soft_reset_of_cores =
        soft_reset_of_b | 7u * soft_reset_of_t0 | soft_reset_of_nc;
    /// Where core T0, T1 or T2 begins when it leaves its reset.
    std::uint32_t start_address(unsigned thread) const;
    /// Whether leaving its reset clears the data RAM of T0, T1, T2 or, number 3, B.
    bool clears_local_ram(unsigned core) const;

    const config_registers& config() const { return registers_; }
    /// For words of the Configuration Unit, which write it in the order of the pipeline and tell the
    /// vector unit themselves.
    config_registers& config() { return registers_; }
    /// Such a word wrote this one of a bank: that is reported if it has no meaning here.
    void report_written(unsigned bank_word, cycles at);
    view view_of(unsigned thread) const override;

private:
    enum class space : std::uint8_t { config, debug };

    void config_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    void debug_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned config_dbg(tlm::tlm_generic_payload& trans);
    unsigned debug_dbg(tlm::tlm_generic_payload& trans);

    unsigned bank_of(unsigned thread) const;
    std::uint32_t read_config(unsigned index) const;
    /// False if nothing can be written there.
    bool write_config(unsigned index, std::uint32_t value, const sc_core::sc_time& time);
    void report_config(unsigned index, bool store, const sc_core::sc_time& time);

    std::uint64_t wall_clock(const sc_core::sc_time& time) const {
        return (time - epoch_).value() / period_.value();
    }
    /// False if there is no such register.
    bool read_debug(unsigned offset, const sc_core::sc_time& time, std::uint32_t& value) const;
    bool write_debug(unsigned offset, std::uint32_t value, const sc_core::sc_time& time);
    std::uint32_t* start_register(unsigned offset);
    void write_soft_reset(std::uint32_t value, const sc_core::sc_time& time);
    void write_feature_disable(std::uint32_t value, const sc_core::sc_time& time);
    void report_unknown(space where, unsigned offset, cycles at, const char* what);
    cycles cycle_of(const sc_core::sc_time& time) const {
        return cycles{static_cast<std::int64_t>(wall_clock(time))};
    }

    architecture arch_{};
    sc_core::sc_time period_, latency_;
    sc_core::sc_time epoch_; ///< simulated time of the latest reset
    config_registers registers_;
    std::uint32_t soft_reset_ = 0, feature_disable_ = 0, disable_reset_ = 0, start_override_ = 0;
    std::array<std::uint32_t, 3> start_addresses_{};
    std::array<std::uint32_t, 2> nc_start_{};
    std::uint32_t captured_clock_ = 0; ///< the wall clock's upper half
    connections connections_;
    std::vector<dst::lagging_model*> readers_;
    std::set<unsigned> reported_; ///< offset * 2 + space
    probe::reporter* reporter_ = nullptr;
};

} // namespace sfpu::memory
