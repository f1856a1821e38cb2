#include <sfpu/memory/tile_control.h>

#include <sfpu/memory/register_file.h>

namespace sfpu::memory {
namespace {

constexpr std::uint64_t exit_register = 0x0, interrupt_register = 0x4, software_register = 0x8;

} // namespace

tile_control::tile_control(const sc_core::sc_module_name& name) : sc_module(name) {
    tsock.register_b_transport(this, &tile_control::b_transport);
    tsock.register_transport_dbg(this, &tile_control::transport_dbg);
}

std::uint32_t* tile_control::find(std::uint64_t offset) {
    switch (offset) {
    case exit_register: return &exit_;
    case interrupt_register: return &interrupt_out_;
    case software_register: return &software_interrupts_;
    default: return nullptr;
    }
}

void tile_control::write(std::uint64_t offset, std::uint32_t value, const sc_core::sc_time& at) {
    *find(offset) = value;
    if (offset != exit_register) {
        if (connections_.changed) connections_.changed(at);
    } else if (value != 0 && connections_.exit) {
        connections_.exit(value, at);
    }
}

void tile_control::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    constexpr std::uint64_t bytes = 0x1000;
    tlm::tlm_response_status status = check_word_access(trans, bytes);
    if (status == tlm::TLM_OK_RESPONSE && !find(trans.get_address()))
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    trans.set_response_status(status);
    trans.set_dmi_allowed(false);
    if (status != tlm::TLM_OK_RESPONSE) return;
    if (trans.is_read()) answer_word(trans, *find(trans.get_address()));
    else if (trans.is_write()) write(trans.get_address(), word_of(trans), sc_core::sc_time_stamp() + delay);
}

unsigned tile_control::transport_dbg(tlm::tlm_generic_payload& trans) {
    if (!is_debug_word_access(trans, ~0ull) || !find(trans.get_address())) return 0;
    if (trans.is_read()) answer_word(trans, *find(trans.get_address()));
    else write(trans.get_address(), word_of(trans), sc_core::sc_time_stamp());
    return 4;
}

} // namespace sfpu::memory
