#include <sfpu/vector_unit/dst_units.h>

#include <fmt/format.h>

#include <array>
#include <string>

namespace sfpu {
namespace {

using isa::lane_configuration;
using isa::dst_mode::int32_all;

/// By mode, whether a load or store moves 32-bit cells. Looking it up takes less than working it out.
template <class F>
constexpr std::array<bool, 16> by_mode(F f) {
    std::array<bool, 16> result{};
    for (unsigned mode = 0; mode < result.size(); ++mode) result[mode] = f(mode);
    return result;
}
constexpr std::array<bool, 16> loads_wide = by_mode(isa::dst_mode::load_is_32_bit),
                               stores_wide = by_mode(isa::dst_mode::store_is_32_bit);

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
    one_access_ = timing_of(isa::latency_class::one);
}

unsigned dst_unit::srcb_mode(const isa::thread_state& thread) {
    const isa::backend_configuration& backend = thread.backend();
    return isa::resolve_srcb(isa::dst_mode::srcb, backend.fp32_enabled, backend.srcb_format);
}

// --- load unit -----------------------------------------------------------------------------------------------------

void load_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    delay += one_access_.time;
    const isa::instruction& insn = *message.insn;
    const unsigned mode = dst_mode(insn, thread_of(message));
    if (is_plain(message, insn)) load(message, insn, mode);
    else if (insn.latency == isa::latency_class::none) begin_unusual(message); // SFPNOP
    else if (insn.is(isa::opcode::sfploadi)) load_immediate(message, insn);
    else load_specially(message, insn, mode);
}

/// Whether an instruction is no more than the conversion of all cells of a slice, to be written to its register now.
inline bool load_unit::is_plain(const instruction_extension& message, const isa::instruction& insn) const {
    return message.form.direct && (insn.flags & isa::is_plain_load) &&
           lregs_.state.enabled_by_flags() == all_lanes;
}

/// Nearly all loads are plain and need no more than this.
inline void load_unit::load(instruction_extension& message, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = thread_of(message);
    const unsigned address = thread.counted_address(insn);
    message.dst_address = static_cast<std::uint16_t>(address);
    dst.aim(address, 0, loads_wide[mode], thread.backend(), message);
    dst.send();
    thread.apply_addr_mod(insn.addr_mod);
    lanes& target = lregs_.state.lreg[insn.vd];
    conversions_->load[mode](dst.data, target, target);
    if (is_observed()) publish_plain(message);
}

void load_unit::publish_plain(const instruction_extension& message) {
    publish(message, message.at + one_access_.until_commit, all_lanes, message.dst_address, &dst.data);
}

/// Any load, by way of the semantics.
void load_unit::load_specially(instruction_extension& message, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = thread_of(message);
    const unsigned address = thread.dst_address(insn, mode, true);
    dst.aim(address, lregs_.state.config.lanes_with(lane_configuration::dest_rd_col_exchange),
            loads_wide[mode], thread.backend(), message);
    message.dst_address = static_cast<std::uint16_t>(address);
    if (mode != isa::dst_mode::zero) dst.send();
    context_.dst_mode = mode;
    context_.dst_address = address;
    context_.odd_columns = dst.slice().odd_columns;
    execute(message, insn);
    thread.apply_addr_mod(insn.addr_mod);
    publish(message, message.at + one_access_.until_commit, context_.enabled, address,
            mode == isa::dst_mode::zero ? nullptr : &dst.data);
}

void load_unit::load_immediate(instruction_extension& message, const isa::instruction& insn) {
    execute(message, insn);
    publish(message, message.at + one_access_.until_commit, context_.enabled);
}

/// Runs the semantics on all lanes.
void load_unit::execute(instruction_extension& message, const isa::instruction& insn) {
    if (message.form.direct) execute_directly(message, insn);
    else execute_apart(message, insn, one_access_, all_lanes);
}

// --- store unit ----------------------------------------------------------------------------------------------------

void store_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    delay += one_access_.time;
    const isa::instruction& insn = *message.insn;
    const unsigned mode = dst_mode(insn, thread_of(message));
    if (message.form.direct && mode != int32_all) store(message, insn, mode);
    else store_specially(message, insn, mode);
}

/// Nearly all stores need no more than this.
inline void store_unit::store(instruction_extension& message, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = thread_of(message);
    const bool scheduled = insn.scheduled();
    unsigned address = message.dst_address;
    if (!scheduled) {
        address = thread.counted_address(insn);
        message.dst_address = static_cast<std::uint16_t>(address);
    }
    dst.aim(address, 0, stores_wide[mode], thread.backend(), message);
    dst.slice().lanes = lregs_.state.enabled_by_flags();
    conversions_->store[mode](lregs_.state.lreg[insn.vd], dst.data);
    dst.send();
    if (!scheduled) thread.apply_addr_mod(insn.addr_mod);
    if (is_observed()) publish_plain(message);
}

void store_unit::publish_plain(const instruction_extension& message) {
    publish(message, message.at, dst.slice().lanes, message.dst_address, &dst.data);
}

/// Any store: it may be a template write, move the stack pointer, or be under observation.
void store_unit::store_specially(instruction_extension& message, const isa::instruction& insn,
                                 unsigned mode) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(message) : all_lanes;
    if (acting == 0) return;
    isa::thread_state& thread = thread_of(message);
    const unsigned address = insn.scheduled() ? message.dst_address : thread.dst_address(insn, mode, false);
    const isa::vector_state& state = lregs_.state;
    const lane_mask enabled = state.enabled() & acting;
    dst.aim(address, state.config.lanes_with(lane_configuration::dest_wr_col_exchange), stores_wide[mode],
            thread.backend(), message);
    dst.slice().lanes = (mode == int32_all ? acting : enabled) &
                        ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
    conversions_->store[mode](state.lreg[insn.vd], dst.data);
    dst.send();
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
    publish(message, message.at, dst.slice().lanes, address, &dst.data);
}

} // namespace sfpu
