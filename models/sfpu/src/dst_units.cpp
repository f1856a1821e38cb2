#include <sfpu/vector_unit/dst_units.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <string>

namespace sfpu {
namespace {

/// A transaction without an instruction is an error; else the answer is set here.
bool takes(instruction_payload& trans) {
    const bool is_empty = !trans.message.insn;
    trans.set_response_status(is_empty ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    return !is_empty;
}

} // namespace

slice_sender::slice_sender(const char* name, tlm::tlm_command command) : socket(name) {
    socket.bind(*this);
    trans_.set_command(command);
    trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    trans_.set_data_length(sizeof(lanes));
    trans_.set_streaming_width(sizeof(lanes));
    trans_.set_extension(&slice);
}

void slice_sender::report_refusal() const {
    const std::string text = fmt::format("{} answered {} to a slice of Dst rows {} to {}", socket.name(),
                                         trans_.get_response_string(), slice.row, slice.row + 3);
    SC_REPORT_ERROR("/sfpu/dst/refused", text.c_str());
}

void slice_sender::aim(unsigned address, lane_mask exchanged_columns,
                       const isa::backend_configuration& backend) {
    slice.row = address & ~3u;
    slice.odd_columns = (address & 2u) ? all_lanes : exchanged_columns;
    slice.remap_addrs = backend.remap_addrs;
    slice.swizzle_32b = backend.swizzle_32b;
}

load_unit::load_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::load, lregs), dst("dst_load_isock", tlm::TLM_READ_COMMAND) {
    context_.slice = &dst.data;
}

void load_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn);
    delay += when.time;
    if (insn.latency == isa::latency_class::none) { // SFPNOP
        begin_unusual(message);
    } else if (insn.is(isa::opcode::sfploadi)) {
        load_register(message, insn, when);
        publish(message, context_.enabled);
    } else {
        load(message, insn, when);
    }
}

/// Runs the semantics on all lanes and queues the result. No instruction of this unit changes the flag stack.
inline void load_unit::load_register(instruction_extension& message, const isa::instruction& insn,
                                     const class_timing& when) {
    const cycles commit = message.at + when.until_commit;
    isa::write_set& results = lregs_.results.open(when.port, commit);
    context_.out = &results;
    context_.acting = all_lanes;
    context_.enabled = lregs_.state.enabled();
    context_.direct = message.alone && commit == message.at;
    message.effect = commit;
    insn.op->execute(context_, insn);
    if (results.empty()) return;
    results.word = message.word;
    results.instruction_word = insn.word;
    lregs_.results.close(when.port, commit, results);
}

inline void load_unit::load(instruction_extension& message, const isa::instruction& insn,
                            const class_timing& when) {
    const isa::backend_configuration& backend = lregs_.thread.backend;
    const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    const unsigned address = lregs_.thread.dst_address(insn, mode, true);
    dst.aim(address, lregs_.state.config.lanes_with(isa::lane_configuration::dest_rd_col_exchange), backend);
    if (mode != isa::dst_mode::zero) {
        dst.slice.at = message.at;
        dst.slice.word = message.word;
        dst.slice.wide = isa::dst_mode::load_is_32_bit(mode);
        dst.send();
    }
    context_.dst_mode = mode;
    context_.dst_address = address;
    context_.odd_columns = dst.slice.odd_columns;
    load_register(message, insn, when);
    lregs_.thread.apply_addr_mod(insn.addr_mod);
    message.dst_address = static_cast<std::uint16_t>(address);
    publish(message, context_.enabled, address);
}

store_unit::store_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::store, lregs), dst("dst_store_isock", tlm::TLM_WRITE_COMMAND) {
    context_.slice = &dst.data;
}

void store_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    delay += timing_of(insn).time;
    lane_mask acting = all_lanes;
    if (is_unusual(insn)) acting = begin_unusual(message);
    if (acting != 0) store(message, insn, acting);
}

inline void store_unit::store(instruction_extension& message, const isa::instruction& insn,
                              lane_mask acting) {
    const isa::backend_configuration& backend = lregs_.thread.backend;
    const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    const unsigned address =
        insn.scheduled() ? message.dst_address : lregs_.thread.dst_address(insn, mode, false);
    context_.dst_mode = mode;
    context_.acting = acting;
    context_.enabled = lregs_.state.enabled() & acting;
    insn.op->execute(context_, insn); // fills dst.data
    message.effect = message.at;

    const lane_mask blocked =
        lregs_.state.config.lanes_with(isa::lane_configuration::block_dest_wr_from_sfpu);
    dst.slice.lanes = (mode == isa::dst_mode::int32_all ? acting : context_.enabled) & ~blocked;
    dst.aim(address, lregs_.state.config.lanes_with(isa::lane_configuration::dest_wr_col_exchange), backend);
    dst.slice.at = message.at;
    dst.slice.word = message.word;
    dst.slice.wide = isa::dst_mode::store_is_32_bit(mode);
    dst.send();
    if (!insn.scheduled()) lregs_.thread.apply_addr_mod(insn.addr_mod);
    publish(message, context_.enabled, address);
}

} // namespace sfpu
