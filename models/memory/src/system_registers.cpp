#include <sfpu/memory/system_registers.h>

#include <sfpu/memory/register_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sfpu::memory {
namespace {

constexpr unsigned config_bytes = 0x10000, debug_bytes = 0x1000;
constexpr unsigned instruction_buffer_status = 0x0a8, soft_reset_0 = 0x1b0, wall_clock_l = 0x1f0,
                   wall_clock_now_h = 0x1f4, wall_clock_h = 0x1f8;
constexpr unsigned feature_disable = 0x068, upper_halves_bit = 11;
constexpr unsigned disable_reset = 0x224, trisc0_reset_pc = 0x228, trisc_reset_pc_override = 0x234,
                   ncrisc_reset_pc = 0x238, ncrisc_reset_pc_override = 0x23c;
constexpr unsigned disable_reset_of_b = 6; ///< its bit for B's data RAM; those of T0 to T2 are 0, 2, 4
constexpr const char* kept_without_effect = "kept, but without an effect in this model";
constexpr unsigned state_id_register = 0; ///< thread register; its bit 0 selects the bank

tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans, unsigned space_bytes,
                               bool narrow_reads) {
    const sc_dt::uint64 address = trans.get_address();
    const unsigned length = trans.get_data_length();
    if (address >= space_bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    const bool narrow = (length == 1 || length == 2) && narrow_reads && trans.is_read();
    if ((length != 4 && !narrow) || trans.get_streaming_width() < length)
        return tlm::TLM_BURST_ERROR_RESPONSE;
    if (!trans.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    return address % length ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

/// A debug access to one whole word inside the space.
bool is_debug_word(const tlm::tlm_generic_payload& trans, unsigned space_bytes) {
    return trans.get_address() < space_bytes && trans.get_address() % 4 == 0 &&
           trans.get_data_length() >= 4 && trans.get_data_ptr() &&
           trans.get_command() != tlm::TLM_IGNORE_COMMAND;
}

} // namespace

system_registers::system_registers(const sc_core::sc_module_name& name) : sc_module(name) {
    config_tsock.register_b_transport(this, &system_registers::config_transport);
    config_tsock.register_transport_dbg(this, &system_registers::config_dbg);
    debug_tsock.register_b_transport(this, &system_registers::debug_transport);
    debug_tsock.register_transport_dbg(this, &system_registers::debug_dbg);
    reset(parameters{});
}

void system_registers::reset(const parameters& config, probe::reporter* reporter) {
    arch_ = config.arch;
    period_ = std::max(sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS),
                       sc_core::sc_get_time_resolution()); // never zero: it divides
    latency_ = period_ * static_cast<double>(config.memory.register_latency);
    epoch_ = sc_core::sc_time_stamp();
    registers_.reset(config.arch);
    soft_reset_ = feature_disable_ = disable_reset_ = start_override_ = captured_clock_ = 0;
    start_addresses_ = {};
    nc_start_ = {};
    reported_.clear();
    reporter_ = reporter;
}

void system_registers::report_unknown(space where, unsigned offset, cycles at, const char* what) {
    if (!reporter_) return;
    if (!reported_.insert(offset * 2 + static_cast<unsigned>(where)).second) return;
    reporter_->report(report_id::registers_not_modelled, at, -1, [&] {
        return fmt::format("{} register at offset {:#05x}: {}",
                           where == space::config ? "configuration" : "debug", offset, what);
    });
}

// --- configuration -----------------------------------------------------------------------------------------

unsigned system_registers::bank_of(unsigned thread) const {
    return connections_.thread_register ? connections_.thread_register(thread, state_id_register) & 1u : 0u;
}

dst_view_source::view system_registers::view_of(unsigned thread) const {
    const unsigned bank = bank_of(thread);
    const isa::backend_configuration backend = registers_.backend(bank);
    return {registers_.dst_access(bank, thread), backend.rows.remap_addrs, backend.rows.swizzle_32b};
}

std::uint32_t system_registers::read_config(unsigned index) const {
    if (registers_.place_of(index) != config_registers::place::thread) return registers_.read(index);
    const auto [thread, number] = registers_.thread_register_of(index);
    return connections_.thread_register ? connections_.thread_register(thread, number) : 0u;
}

bool system_registers::write_config(unsigned index, std::uint32_t value, const sc_core::sc_time& time) {
    for (dst::lagging_model* reader : readers_) reader->catch_up(time);
    if (!registers_.write(index, value)) return false;
    const unsigned bank_word = index % registers_.layout().bank_words;
    if (connections_.backend_changed && config_registers::has_meaning(arch_, bank_word))
        for (unsigned bank = 0; bank < config_registers::banks; ++bank)
            connections_.backend_changed(bank, registers_.backend(bank), cycle_of(time));
    return true;
}

void system_registers::report_written(unsigned bank_word, cycles at) {
    if (!config_registers::has_meaning(arch_, bank_word))
        report_unknown(space::config, 4 * bank_word, at, kept_without_effect);
}

void system_registers::report_config(unsigned index, bool store, const sc_core::sc_time& time) {
    using place = config_registers::place;
    const auto report = [&](const char* what) {
        report_unknown(space::config, 4 * index, cycle_of(time), what);
    };
    switch (registers_.place_of(index)) {
    case place::bank:
    case place::dual:
        if (store && !config_registers::has_meaning(arch_, index % registers_.layout().bank_words))
            report(kept_without_effect);
        break;
    case place::thread:
        if (store) report("stores cannot reach thread configuration; use SETC16");
        break;
    case place::padding:
    case place::outside: report("there is no such register"); break;
    }
}

void system_registers::config_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = check(trans, config_bytes, true);
    trans.set_response_status(status);
    trans.set_dmi_allowed(false);
    if (status != tlm::TLM_OK_RESPONSE || trans.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    const auto index = static_cast<unsigned>(trans.get_address() / 4);
    report_config(index, trans.is_write(), time);
    if (trans.is_write()) {
        write_config(index, word_of(trans), time);
    } else {
        // Words write configuration, too: those that were issued earlier have done so.
        for (dst::lagging_model* reader : readers_) {
            reader->catch_up(time);
            reader->complete();
        }
        const std::uint32_t value = read_config(index) >> 8 * (trans.get_address() % 4);
        std::memcpy(trans.get_data_ptr(), &value, trans.get_data_length());
    }
    delay += latency_;
}

unsigned system_registers::config_dbg(tlm::tlm_generic_payload& trans) {
    if (!is_debug_word(trans, config_bytes)) return 0;
    const auto index = static_cast<unsigned>(trans.get_address() / 4);
    if (trans.is_write()) return write_config(index, word_of(trans), sc_core::sc_time_stamp()) ? 4 : 0;
    const std::uint32_t value = read_config(index);
    std::memcpy(trans.get_data_ptr(), &value, 4);
    return 4;
}

// --- debug and status --------------------------------------------------------------------------------------

std::uint32_t system_registers::start_address(unsigned thread) const {
    constexpr std::uint32_t fixed[] = {0x6000, 0xa000, 0xe000};
    switch (arch_) {
    case architecture::blackhole:
        return start_override_ >> thread & 1u ? start_addresses_[thread] : fixed[thread];
    case architecture::wormhole: return registers_.start_address(thread).value_or(fixed[thread]);
    }
    __builtin_unreachable();
}

bool system_registers::clears_local_ram(unsigned core) const {
    switch (arch_) {
    case architecture::blackhole:
        return !(disable_reset_ >> (core == 3 ? disable_reset_of_b : 2 * core) & 1u);
    case architecture::wormhole: return false;
    }
    __builtin_unreachable();
}

/// Null if there is none there.
std::uint32_t* system_registers::start_register(unsigned offset) {
    switch (arch_) {
    case architecture::blackhole: break;
    case architecture::wormhole: return nullptr;
    }
    switch (offset) {
    case disable_reset: return &disable_reset_;
    case trisc0_reset_pc:
    case trisc0_reset_pc + 4:
    case trisc0_reset_pc + 8: return &start_addresses_[(offset - trisc0_reset_pc) / 4];
    case trisc_reset_pc_override: return &start_override_;
    case ncrisc_reset_pc:
    case ncrisc_reset_pc_override: return &nc_start_[(offset - ncrisc_reset_pc) / 4];
    default: return nullptr;
    }
}

void system_registers::write_soft_reset(std::uint32_t value, const sc_core::sc_time& time) {
    if ((value & ~soft_reset_of_cores) != 0)
        report_unknown(space::debug, soft_reset_0, cycle_of(time),
                       "SOFT_RESET_0 resets cores only; its other bits are kept, but without an effect");
    soft_reset_ = value;
    if (connections_.soft_reset_written) connections_.soft_reset_written(time);
}

void system_registers::write_feature_disable(std::uint32_t value, const sc_core::sc_time& time) {
    if ((value & ~(1u << upper_halves_bit)) != 0)
        report_unknown(space::debug, feature_disable, cycle_of(time),
                       "DBG_FEATURE_DISABLE: bits other than 11 are kept, but without an effect");
    const bool is_change = ((feature_disable_ ^ value) >> upper_halves_bit & 1u) != 0;
    feature_disable_ = value;
    if (!is_change || !connections_.upper_halves_changed) return;
    for (dst::lagging_model* reader : readers_) reader->catch_up(time);
    connections_.upper_halves_changed((value >> upper_halves_bit & 1u) != 0);
}

bool system_registers::read_debug(unsigned offset, const sc_core::sc_time& time, std::uint32_t& value) const {
    switch (offset) {
    case instruction_buffer_status:
        if (!connections_.instruction_buffer_status) return false;
        value = connections_.instruction_buffer_status(time);
        return true;
    case soft_reset_0: value = soft_reset_; return true;
    case feature_disable: value = feature_disable_; return true;
    case wall_clock_l: value = static_cast<std::uint32_t>(wall_clock(time)); return true;
    case wall_clock_now_h: value = static_cast<std::uint32_t>(wall_clock(time) >> 32); return true;
    case wall_clock_h: value = captured_clock_; return true;
    default: break;
    }
    const std::uint32_t* found = const_cast<system_registers*>(this)->start_register(offset);
    value = found ? *found : 0;
    return found != nullptr;
}

bool system_registers::write_debug(unsigned offset, std::uint32_t value, const sc_core::sc_time& time) {
    switch (offset) {
    case soft_reset_0: write_soft_reset(value, time); return true;
    case feature_disable: write_feature_disable(value, time); return true;
    case instruction_buffer_status:
    case wall_clock_l:
    case wall_clock_now_h:
    case wall_clock_h: return true; // read-only; a store is no mistake
    default: break;
    }
    std::uint32_t* const found = start_register(offset);
    if (found) *found = value;
    return found != nullptr;
}

void system_registers::debug_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = check(trans, debug_bytes, false);
    trans.set_response_status(status);
    trans.set_dmi_allowed(false);
    if (status != tlm::TLM_OK_RESPONSE || trans.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    const auto offset = static_cast<unsigned>(trans.get_address());
    bool known = true;
    if (trans.is_write()) {
        known = write_debug(offset, word_of(trans), time);
    } else {
        std::uint32_t value = 0;
        known = read_debug(offset, time, value);
        std::memcpy(trans.get_data_ptr(), &value, 4);
    }
    if (offset == wall_clock_l) captured_clock_ = static_cast<std::uint32_t>(wall_clock(time) >> 32);
    if (!known) report_unknown(space::debug, offset, cycle_of(time), "not modelled");
    delay += latency_;
}

unsigned system_registers::debug_dbg(tlm::tlm_generic_payload& trans) {
    if (!is_debug_word(trans, debug_bytes)) return 0;
    const auto offset = static_cast<unsigned>(trans.get_address());
    if (trans.is_write()) return write_debug(offset, word_of(trans), sc_core::sc_time_stamp()) ? 4 : 0;
    std::uint32_t value = 0;
    if (!read_debug(offset, sc_core::sc_time_stamp(), value)) return 0;
    std::memcpy(trans.get_data_ptr(), &value, 4);
    return 4;
}

} // namespace sfpu::memory
