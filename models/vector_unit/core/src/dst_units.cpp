#include <sfpu/vector_unit/dst_units.h>

namespace sfpu {
namespace {

using isa::lane_configuration;
using isa::dst_mode::int32_all;

} // namespace

dst_unit::dst_unit(unit_state& state, isa::sub_unit unit, dst::slice_memory& memory, dst::slice& slice,
                   lanes& cells)
    : execution_unit(state, unit), memory_(&memory), slice_(slice), cells_(cells),
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

// --- load unit ---------------------------------------------------------------------------------------------

void load_unit::load_otherwise(unit_step& step, const isa::instruction& insn) {
    const unsigned mode = dst_mode(insn, *step.thread_state);
    const bool is_plain = step.form.direct() && (insn.flags & isa::is_plain_load) && all_lanes_load();
    if (is_plain) {
        note(step, insn);
        load(step, insn, mode, slices_by_memory{*memory_, slice_, cells_});
    } else if (insn.latency == isa::latency_class::none) {
        begin_unusual(step); // SFPNOP
    } else if (insn.is(isa::opcode::sfploadi)) {
        load_immediate(step, insn);
    } else {
        load_specially(step, insn, mode);
    }
}

void load_unit::publish_plain(const unit_step& step) {
    publish(step, step.at + one_access_, all_lanes, step.dst_address, &cells_);
}

/// Any load, by way of the semantics.
void load_unit::load_specially(unit_step& step, const isa::instruction& insn, unsigned mode) {
    isa::thread_state& thread = *step.thread_state;
    note(step, insn);
    const unsigned address = thread.dst_address(insn, mode, true);
    aim(slice_, address, state_.vector.config.lanes_with(lane_configuration::dest_rd_col_exchange),
        detail::loads_wide[mode], thread, step);
    step.dst_address = static_cast<std::uint16_t>(address);
    if (mode != isa::dst_mode::zero) memory_->load(slice_, cells_);
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
    if (step.form.direct()) execute_directly(step, insn);
    else execute_for_later(step, insn, step.at + one_access_, all_lanes);
}

// --- store unit --------------------------------------------------------------------------------------------

void store_unit::store_otherwise(unit_step& step, const isa::instruction& insn) {
    const unsigned mode = dst_mode(insn, *step.thread_state);
    if (step.form.direct() && mode != int32_all) {
        note(step, insn);
        store(step, insn, mode, slices_by_memory{*memory_, slice_, cells_});
    } else {
        store_specially(step, insn, mode);
    }
}

void store_unit::publish_plain(const unit_step& step, unsigned address) {
    publish(step, step.at, slice_.lanes, address, &cells_);
}

/// Any store: it may be a template write, move the stack pointer, or be under observation.
void store_unit::store_specially(unit_step& step, const isa::instruction& insn, unsigned mode) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(step) : all_lanes;
    if (acting == 0) return;
    note(step, insn);
    isa::thread_state& thread = *step.thread_state;
    const unsigned address = insn.scheduled() ? step.dst_address : thread.dst_address(insn, mode, false);
    const isa::vector_state& state = state_.vector;
    const lane_mask enabled = state.enabled() & acting;
    aim(slice_, address, state.config.lanes_with(lane_configuration::dest_wr_col_exchange),
        detail::stores_wide[mode], thread, step);
    slice_.lanes = (mode == int32_all ? acting : enabled) &
                   ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
    conversions_->store[mode](state.lreg[insn.vd], cells_);
    memory_->store(slice_, cells_);
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
    publish(step, step.at, slice_.lanes, address, &cells_);
}

} // namespace sfpu
