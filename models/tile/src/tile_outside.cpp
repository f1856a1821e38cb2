// A tile's sockets and pins.
#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn: the same in SystemC 2.3.4 and 3.0

#include "tile_parts.h"

#include <fmt/format.h>

namespace sfpu {
namespace {

/// A process that runs at the beginning, and whenever one of the events is notified.
template <class Body>
void spawn_method(const char* name, Body body, const std::vector<const sc_core::sc_event*>& events) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    for (const sc_core::sc_event* event : events) options.set_sensitivity(event);
    sc_core::sc_spawn(body, name, &options);
}

} // namespace

bool tile::parts::is_outside_connected() const {
    return owner.tsock.size() != 0 || owner.isock.size() != 0 || owner.rst.size() != 0 ||
           owner.external_interrupt.size() != 0 || owner.timer_interrupt.size() != 0 ||
           owner.software_interrupt.size() != 0;
}

/// What nobody is connected to lets harts run ahead; whoever is connected sees everything in its own time.
void tile::parts::connect_outside() {
    const auto spawn = [this](const char* name, void (parts::*body)(),
                              const std::vector<const sc_core::sc_event*>& events) {
        spawn_method(
            name,
            [line = processes, body] {
                if (line->owner) (line->owner->*body)();
            },
            events);
    };
    spawn("apply_soft_reset", &parts::apply_soft_reset, {&processes->soft_reset_written});
    spawn("drive_interrupt", &parts::drive_interrupt, {&processes->control_written});
    const bool raises_interrupts = is_outside_connected() || cores.size() + (b ? 1 : 0) > 1;
    if (raises_interrupts) for_each_core([this](unsigned core) { hart(core).expect_interrupts(); });
    if (!is_outside_connected()) return;

    outside_turn = turns.add();
    for (const auto& core : cores) core->share(turns);
    group.threads.expect_others();
    if (owner.tsock.size() != 0) four_phases->start();
    if (owner.rst.size() != 0) spawn("watch_reset", &parts::watch_reset, {&owner.rst->value_changed_event()});
    std::vector<const sc_core::sc_event*> pins;
    for (input* pin : {&owner.external_interrupt, &owner.timer_interrupt, &owner.software_interrupt})
        if (pin->size() != 0) pins.push_back(&(*pin)->value_changed_event());
    spawn("watch_interrupts", &parts::watch_interrupts, pins);
}

// --- pins --------------------------------------------------------------------------------------------------

void tile::parts::watch_reset() {
    const bool wanted = owner.rst->read();
    if (wanted == is_in_reset) return;
    is_in_reset = wanted;
    if (wanted) reset(heard_by);
}

void tile::parts::watch_interrupts() {
    const auto level = [](const input& pin) { return pin.size() != 0 && pin->read(); };
    for_each_core([&](unsigned core) {
        const bool software =
            level(owner.software_interrupt) || (control.software_interrupts() >> core & 1u) != 0;
        hart(core).set_interrupt(riscv::cause::software_interrupt, software);
        hart(core).set_interrupt(riscv::cause::timer_interrupt, level(owner.timer_interrupt));
        hart(core).set_interrupt(riscv::cause::external_interrupt, level(owner.external_interrupt));
    });
}

void tile::parts::drive_interrupt() {
    watch_interrupts();
    if (owner.interrupt_out.size() != 0) owner.interrupt_out->write(control.interrupt_out());
}

// --- the target socket -------------------------------------------------------------------------------------

/// What is wrong with a payload whatever lies at its address.
tlm::tlm_response_status tile::parts::judge(const tlm::tlm_generic_payload& trans) const {
    if (is_in_reset) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (trans.get_data_length() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (!trans.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

void tile::parts::access(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    const sc_core::sc_process_handle caller = sc_core::sc_get_current_process_handle();
    if (caller.valid() && caller.proc_kind() == sc_core::SC_METHOD_PROC_) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        const std::string text = fmt::format("{}: b_transport was called by the method {}, which cannot "
                                             "wait; expected a thread, or nb_transport_fw",
                                             owner.tsock.name(), caller.name());
        return SC_REPORT_ERROR("/sfpu/tile/no-thread", text.c_str());
    }
    const unsigned before = resets;
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    if (outside_turn) turns.wait_for(*outside_turn);
    const tlm::tlm_response_status verdict =
        before == resets ? judge(trans) : tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (verdict != tlm::TLM_OK_RESPONSE) return trans.set_response_status(verdict);
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
        const bool is_mapped =
            bus.map().explain(trans.get_address(), memory::span_of(trans), ports.outside()).empty();
        return trans.set_response_status(is_mapped ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    debug_isock->b_transport(trans, delay);
}

unsigned tile::parts::transport_dbg(tlm::tlm_generic_payload& trans) {
    if (is_in_reset || !trans.get_data_ptr() || trans.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
    return static_cast<unsigned>(debug_access(trans.get_command(), trans.get_address(), trans.get_data_ptr(),
                                              trans.get_data_length()));
}

bool tile::parts::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    if (!is_in_reset) return debug_isock->get_direct_mem_ptr(trans, dmi);
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});
    dmi.allow_none();
    return false;
}

void tile::parts::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    if (owner.tsock.size() != 0) owner.tsock->invalidate_direct_mem_ptr(first, last);
}

} // namespace sfpu
