#include <sfpu/vector_unit/dst_units.h>

#include <array>

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

dst_unit::dst_unit(unit_state& state, isa::sub_unit unit, dst::slice_memory& memory)
    : execution_unit(state, unit), memory_(memory),
      conversions_(&isa::slice_conversions_of(state.config.arch)) {
    context_.slice = &cells_;
}

void dst_unit::reset() {
    execution_unit::reset();
    conversions_ = &isa::slice_conversions_of(state_.config.arch);
    one_access_ = until_commit(isa::latency_class::one);
}

unsigned dst_unit::srcb_mode(const isa::thread_state& thread) {
    const isa::backend_configuration& backend = thread.backend();
    return isa::resolve_srcb(isa::dst_mode::srcb, backend.fp32_enabled, backend.srcb_format);
}

// --- load unit -----------------------------------------------------------------------------------------------------

void load_unit::execute(unit_step& step) {
    const isa::instruction& insn = *step.insn;
    const unsigned mode = dst_mode(insn, *step.thread_state);
    if (is_plain(step, insn)) load(step, insn, mode);
    else if (insn.latency == isa::latency_class::none) begin_unusual(step); // SFPNOP
    else if (insn.is(isa::opcode::sfploadi)) load_immediate(step, insn);
    else load_specially(step, insn, mode);
}

/// Whether an instruction is no more than the conversion of all cells of a slice, to be written to its register now.
inline bool load_unit::is_plain(const unit_step& step, const isa::instruction& insn) const {
    return step.form.direct && (insn.flags & isa::is_plain_load) &&
           state_.vector.enabled_by_flags() == all_lanes;
}

/// Nearly all loads are plain and need no more than this.
inline void load_unit::load(unit_step& step, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = *step.thread_state;
    const unsigned address = thread.counted_address(insn);
    step.dst_address = static_cast<std::uint16_t>(address);
    aim(address, 0, loads_wide[mode], thread, step);
    memory_.load(slice_, cells_);
    thread.apply_addr_mod(insn.addr_mod);
    lanes& target = state_.vector.lreg[insn.vd];
    conversions_->load[mode](cells_, target, target);
    if (is_observed()) publish_plain(step);
}

void load_unit::publish_plain(const unit_step& step) {
    publish(step, step.at + one_access_, all_lanes, step.dst_address, &cells_);
}

/// Any load, by way of the semantics.
void load_unit::load_specially(unit_step& step, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = *step.thread_state;
    const unsigned address = thread.dst_address(insn, mode, true);
    aim(address, state_.vector.config.lanes_with(lane_configuration::dest_rd_col_exchange), loads_wide[mode],
        thread, step);
    step.dst_address = static_cast<std::uint16_t>(address);
    if (mode != isa::dst_mode::zero) memory_.load(slice_, cells_);
    context_.dst_mode = mode;
    context_.dst_address = address;
    context_.odd_columns = slice_.odd_columns;
    execute_semantics(step, insn);
    thread.apply_addr_mod(insn.addr_mod);
    publish(step, step.at + one_access_, context_.enabled, address,
            mode == isa::dst_mode::zero ? nullptr : &cells_);
}

void load_unit::load_immediate(unit_step& step, const isa::instruction& insn) {
    execute_semantics(step, insn);
    publish(step, step.at + one_access_, context_.enabled);
}

/// Runs the semantics on all lanes.
void load_unit::execute_semantics(unit_step& step, const isa::instruction& insn) {
    if (step.form.direct) execute_directly(step, insn);
    else execute_for_later(step, insn, step.at + one_access_, all_lanes);
}

// --- store unit ----------------------------------------------------------------------------------------------------

void store_unit::execute(unit_step& step) {
    const isa::instruction& insn = *step.insn;
    const unsigned mode = dst_mode(insn, *step.thread_state);
    if (step.form.direct && mode != int32_all) store(step, insn, mode);
    else store_specially(step, insn, mode);
}

/// Nearly all stores need no more than this.
inline void store_unit::store(unit_step& step, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = *step.thread_state;
    const bool scheduled = insn.scheduled();
    unsigned address = step.dst_address;
    if (!scheduled) {
        address = thread.counted_address(insn);
        step.dst_address = static_cast<std::uint16_t>(address);
    }
    aim(address, 0, stores_wide[mode], thread, step);
    slice_.lanes = state_.vector.enabled_by_flags();
    conversions_->store[mode](state_.vector.lreg[insn.vd], cells_);
    memory_.store(slice_, cells_);
    if (!scheduled) thread.apply_addr_mod(insn.addr_mod);
    if (is_observed()) publish_plain(step);
}

void store_unit::publish_plain(const unit_step& step) {
    publish(step, step.at, slice_.lanes, step.dst_address, &cells_);
}

/// Any store: it may be a template write, move the stack pointer, or be under observation.
void store_unit::store_specially(unit_step& step, const isa::instruction& insn, unsigned mode) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(step) : all_lanes;
    if (acting == 0) return;
    isa::thread_state& thread = *step.thread_state;
    const unsigned address = insn.scheduled() ? step.dst_address : thread.dst_address(insn, mode, false);
    const isa::vector_state& state = state_.vector;
    const lane_mask enabled = state.enabled() & acting;
    aim(address, state.config.lanes_with(lane_configuration::dest_wr_col_exchange), stores_wide[mode], thread,
        step);
    slice_.lanes = (mode == int32_all ? acting : enabled) &
                   ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
    conversions_->store[mode](state.lreg[insn.vd], cells_);
    memory_.store(slice_, cells_);
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
    publish(step, step.at, slice_.lanes, address, &cells_);
}

} // namespace sfpu
