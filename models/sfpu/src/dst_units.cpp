#include <sfpu/vector_unit/dst_units.h>

#include <fmt/format.h>

#include <string>

namespace sfpu {
namespace {

using isa::lane_configuration;
using isa::dst_mode::int32_all;

/// A transaction without an instruction is an error; else the answer is set here.
bool takes(instruction_payload& trans) {
    const bool is_empty = !trans.message.insn;
    trans.set_response_status(is_empty ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    return !is_empty;
}

} // namespace

// --- Dst ports -----------------------------------------------------------------------------------------------------

slice_sender::slice_sender(const char* name, tlm::tlm_command command) : socket(name) {
    socket.bind(*this);
    trans_.set_command(command);
    trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
}

void slice_sender::report_refusal() const {
    const dst::slice_extension& slice = trans_.slice;
    const std::string text = fmt::format("{} answered {} to a slice of Dst rows {} to {}", socket.name(),
                                         trans_.get_response_string(), slice.row, slice.row + 3);
    SC_REPORT_ERROR("/sfpu/dst/refused", text.c_str());
}

dst_unit::dst_unit(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs,
                   const char* port, tlm::tlm_command command)
    : sub_unit_module(name, unit, lregs), dst(port, command),
      conversions_(&isa::slice_conversions_of(lregs.config.arch)) {
    context_.slice = &dst.data;
}

void dst_unit::reset() {
    sub_unit_module::reset();
    conversions_ = &isa::slice_conversions_of(lregs_.config.arch);
}

// --- load unit -----------------------------------------------------------------------------------------------------

void load_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn);
    delay += when.time;
    if (insn.latency == isa::latency_class::none) begin_unusual(message); // SFPNOP
    else if (insn.is(isa::opcode::sfploadi)) load_immediate(message, insn, when);
    else load(message, insn, when);
}

/// Nearly all loads are plain and written so that they need no more than this.
inline void load_unit::load(instruction_extension& message, const isa::instruction& insn,
                            const class_timing& when) {
    const unsigned mode = dst_mode(insn);
    if (!is_plain(message, insn, when, mode)) return load_specially(message, insn, when);
    aim(message, insn, mode);
    message.effect = message.at;
    if (mode != isa::dst_mode::zero) dst.send();
    lregs_.thread.apply_addr_mod(insn.addr_mod);
    lanes& target = lregs_.state.lreg[insn.vd];
    conversions_->load[mode](dst.data, target, target);
}

/// Whether a load is no more than the conversion of all cells, written to the register now, and nobody listens.
inline bool load_unit::is_plain(const instruction_extension& message, const isa::instruction& insn,
                                const class_timing& when, unsigned mode) const {
    constexpr std::uint32_t unusual = 1u << lane_configuration::block_sfpu_rd_from_dest |
                                      1u << lane_configuration::enable_fp16a_inf |
                                      1u << lane_configuration::capture_default_dest_index;
    return message.alone && when.until_commit == cycles{} && mode != int32_all &&
           insn.vd < isa::general_lregs && lregs_.state.enabled() == all_lanes &&
           !lregs_.state.config.any_of(unusual) && !lregs_.observer;
}

/// Any load, by way of the semantics.
void load_unit::load_specially(instruction_extension& message, const isa::instruction& insn,
                               const class_timing& when) {
    const unsigned mode = dst_mode(insn);
    const unsigned address = aim(message, insn, mode);
    if (mode != isa::dst_mode::zero) dst.send();
    context_.dst_mode = mode;
    context_.dst_address = address;
    context_.odd_columns = dst.slice().odd_columns;
    execute(message, insn, when);
    lregs_.thread.apply_addr_mod(insn.addr_mod);
    publish(message, context_.enabled, address);
}

/// Returns the Dst address.
inline unsigned load_unit::aim(instruction_extension& message, const isa::instruction& insn, unsigned mode) {
    const unsigned address = lregs_.thread.dst_address(insn, mode, true);
    dst.aim(address, lregs_.state.config.lanes_with(lane_configuration::dest_rd_col_exchange),
            isa::dst_mode::load_is_32_bit(mode), lregs_.thread.backend, message);
    message.dst_address = static_cast<std::uint16_t>(address);
    return address;
}

void load_unit::load_immediate(instruction_extension& message, const isa::instruction& insn,
                               const class_timing& when) {
    execute(message, insn, when);
    publish(message, context_.enabled);
}

/// Runs the semantics on all lanes and queues the result. No instruction of this unit changes the flag stack.
void load_unit::execute(instruction_extension& message, const isa::instruction& insn,
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

// --- store unit ----------------------------------------------------------------------------------------------------

void store_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    delay += timing_of(insn).time;
    const unsigned mode = dst_mode(insn);
    if (is_unusual(insn) || mode == int32_all || lregs_.observer) return store_specially(message, insn);
    store(message, insn, mode, address_of(message, insn, mode), all_lanes);
}

/// A store that may be a template write, moves the stack pointer, or that somebody wants to know of.
void store_unit::store_specially(instruction_extension& message, const isa::instruction& insn) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(message) : all_lanes;
    if (acting == 0) return;
    const unsigned mode = dst_mode(insn), address = address_of(message, insn, mode);
    const lane_mask enabled = lregs_.state.enabled() & acting;
    store(message, insn, mode, address, acting);
    publish(message, enabled, address);
}

inline unsigned store_unit::address_of(const instruction_extension& message, const isa::instruction& insn,
                                       unsigned mode) {
    return insn.scheduled() ? message.dst_address : lregs_.thread.dst_address(insn, mode, false);
}

inline void store_unit::store(instruction_extension& message, const isa::instruction& insn, unsigned mode,
                              unsigned address, lane_mask acting) {
    const isa::vector_state& state = lregs_.state;
    const lane_mask enabled = state.enabled() & acting;
    dst.aim(address, state.config.lanes_with(lane_configuration::dest_wr_col_exchange),
            isa::dst_mode::store_is_32_bit(mode), lregs_.thread.backend, message);
    dst.slice().lanes = (mode == int32_all ? acting : enabled) &
                        ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
    conversions_->store[mode](state.lreg[insn.vd], dst.data);
    dst.send();
    message.effect = message.at;
    if (!insn.scheduled()) lregs_.thread.apply_addr_mod(insn.addr_mod);
}

} // namespace sfpu
