#include "tile.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace vp {
namespace {

void check(const tlm::tlm_generic_payload& trans, const char* who) {
    if (!trans.is_response_ok()) throw std::runtime_error(who + (": " + trans.get_response_string()));
}

} // namespace

core::core(const sc_core::sc_module_name& name, std::vector<std::uint32_t> program)
    : sc_module(name), program_(std::move(program)) {
    SC_HAS_PROCESS(core);
    SC_THREAD(push_program);
}

void core::push_program() {
    wait(start);
    tlm_utils::tlm_quantumkeeper time;
    time.reset();
    tlm::tlm_generic_payload trans;
    trans.set_command(tlm::TLM_WRITE_COMMAND);
    trans.set_address(0);
    trans.set_data_length(4);
    trans.set_streaming_width(4);
    for (std::uint32_t& word : program_) {
        trans.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay = time.get_local_time();
        insn_isock->b_transport(trans, delay); // on return the delay covers the cycle of acceptance
        check(trans, "push");
        time.set(delay);
        if (time.need_sync()) time.sync();
    }
    time.sync();
    done.notify();
}

host::host(const sc_core::sc_module_name& name, core& worker, const numbers& x, const numbers& y)
    : sc_module(name), worker_(worker), x_(x), y_(y) {
    SC_HAS_PROCESS(host);
    SC_THREAD(work);
}

void host::work() {
    access(tlm::TLM_WRITE_COMMAND, x_row, x_);
    access(tlm::TLM_WRITE_COMMAND, y_row, y_);
    worker_.start.notify(sc_core::SC_ZERO_TIME);
    wait(worker_.done);
    access(tlm::TLM_READ_COMMAND, result_row, results_); // brings the vector unit to the present first

    tlm::tlm_generic_payload trans;
    tlm::tlm_dmi dmi;
    trans.set_command(tlm::TLM_READ_COMMAND);
    dmi_was_refused_ = !mem_isock->get_direct_mem_ptr(trans, dmi);
}

/// Raw storage: row r begins at byte 32 * r, a cell has 16 bits.
void host::access(tlm::tlm_command command, unsigned row, numbers& data) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(row * 32);
    trans.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
    trans.set_data_length(sizeof data);
    trans.set_streaming_width(sizeof data);
    sc_core::sc_time delay;
    mem_isock->b_transport(trans, delay);
    check(trans, "Dst");
    if (trans.is_dmi_allowed()) throw std::runtime_error("Dst offers DMI although a vector unit is attached");
    wait(delay);
}

tile::tile(const sc_core::sc_module_name& name, const sfpu::parameters& config,
           std::vector<std::uint32_t> program, const numbers& x, const numbers& y)
    : sc_module(name), driver("driver", std::move(program)), data_mover("data_mover", driver, x, y) {
    driver.insn_isock.bind(sfpu.insn_tsock());
    data_mover.mem_isock.bind(dst.mem_tsock);
    sfpu.dst_load_isock().bind(dst.load_tsock);
    sfpu.dst_store_isock().bind(dst.store_tsock);
    dst.attach(sfpu);
    sfpu.reset(config);
    dst.reset(config, &sfpu.state().reporter);
}

} // namespace vp
