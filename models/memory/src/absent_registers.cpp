#include <sfpu/memory/absent_registers.h>

#include <sfpu/common/module_argument.h>

#include <fmt/format.h>

#include <cstring>

namespace sfpu::memory {

absent_registers::absent_registers(const sc_core::sc_module_name& name, std::vector<space> spaces)
    : sc_module(name), spaces_(std::move(spaces)) {
    for (std::size_t i = 0; i < spaces_.size(); ++i) {
        const auto tag = static_cast<int>(i);
        sockets_.push_back(std::make_unique<socket>((spaces_[i].name + "_tsock").c_str()));
        sockets_.back()->register_b_transport(this, &absent_registers::b_transport, tag);
        sockets_.back()->register_transport_dbg(this, &absent_registers::transport_dbg, tag);
    }
    reset(parameters{});
}

tlm::tlm_target_socket<32>& absent_registers::tsock(std::size_t number) {
    return module_socket(*this, "space", sockets_, number);
}

void absent_registers::reset(const parameters& config, probe::reporter* reporter) {
    reported_.clear();
    kept_.clear();
    reporter_ = reporter;
    arch_ = config.arch;
    epoch_ = sc_core::sc_time_stamp();
    period_ = sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
}

bool absent_registers::keeps(int number, std::uint64_t address) const {
    const space& of = spaces_[static_cast<std::size_t>(number)];
    return of.keeps && of.keeps(arch_, address);
}

void absent_registers::move_kept(int number, tlm::tlm_generic_payload& trans, unsigned bytes) {
    std::uint32_t& word = kept_[{number, trans.get_address() / 4}];
    auto* const place = reinterpret_cast<unsigned char*>(&word) + trans.get_address() % 4;
    if (trans.is_read()) std::memcpy(trans.get_data_ptr(), place, bytes);
    else std::memcpy(place, trans.get_data_ptr(), bytes);
}

unsigned absent_registers::transport_dbg(int number, tlm::tlm_generic_payload& trans) {
    constexpr unsigned word_bytes = 4;
    const bool is_word = trans.get_address() % word_bytes == 0 && trans.get_data_length() >= word_bytes &&
                         trans.get_data_ptr() && trans.get_command() != tlm::TLM_IGNORE_COMMAND;
    if (!is_word || !keeps(number, trans.get_address())) return 0;
    move_kept(number, trans, word_bytes);
    return word_bytes;
}

void absent_registers::b_transport(int number, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const std::uint64_t address = trans.get_address();
    const unsigned length = trans.get_data_length();
    const bool fits = length == 1 || length == 2 || length == 4;
    trans.set_dmi_allowed(false);
    if (trans.get_byte_enable_ptr()) return trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (!fits || trans.get_streaming_width() < length)
        return trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    if (!trans.get_data_ptr()) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (address % length != 0) return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    if (keeps(number, address)) return move_kept(number, trans, length);
    if (trans.is_read()) std::memset(trans.get_data_ptr(), 0, length);
    if (!reporter_ || !reported_.insert({number, address / 4}).second) return;
    const auto cycle =
        static_cast<std::int64_t>((sc_core::sc_time_stamp() + delay - epoch_).value() / period_.value());
    reporter_->report(report_id::registers_not_modelled, cycles{cycle}, -1, [&] {
        return fmt::format("{} register at offset {:#05x}: not modelled; it reads as zero and ignores stores",
                           spaces_[static_cast<std::size_t>(number)].what, address & ~std::uint64_t{3});
    });
}

} // namespace sfpu::memory
