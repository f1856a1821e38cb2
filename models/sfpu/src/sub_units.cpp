#include <sfpu/vector_unit/sub_units.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu {

lane_mask lreg_file::write_template(const isa::instruction& insn) {
    const lane_mask closed = state.config.lanes_with(isa::lane_configuration::disable_backdoor_load);
    for (unsigned column = 0; column < column_count; ++column)
        if (!(closed >> column & 1u)) state.macro[column].instruction_template[insn.vd - 12u] = insn.word;
    ++state.macro_version;
    return ~closed;
}

void unit_counters::add(const unit_counters& other) {
    words += other.words;
    instructions += other.instructions;
    for (unsigned i = 0; i < issued.size(); ++i) {
        issued[i] += other.issued[i];
        scheduled[i] += other.scheduled[i];
        discarded[i] += other.discarded[i];
    }
    for (unsigned i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
    macros_launched += other.macros_launched;
    macros_forgotten += other.macros_forgotten;
    macro_max_outstanding = std::max(macro_max_outstanding, other.macro_max_outstanding);
}

unit_counters unit_counters::since(const unit_counters& earlier) const {
    unit_counters result = *this;
    result.words -= earlier.words;
    result.instructions -= earlier.instructions;
    for (unsigned i = 0; i < issued.size(); ++i) {
        result.issued[i] -= earlier.issued[i];
        result.scheduled[i] -= earlier.scheduled[i];
        result.discarded[i] -= earlier.discarded[i];
    }
    for (unsigned i = 0; i < stalls.size(); ++i) result.stalls[i] -= earlier.stalls[i];
    result.macros_launched -= earlier.macros_launched;
    result.macros_forgotten -= earlier.macros_forgotten;
    return result;
}

// --- common part ---------------------------------------------------------------------------------------------------

sub_unit_module::sub_unit_module(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs)
    : sc_module(name), insn_tsock("insn_tsock"), lregs_(lregs),
      context_(lregs.state, lregs.config.arch, own_results_), unit_(unit) {
    insn_tsock.bind(*this);
}

void sub_unit_module::reset() {
    const parameters& config = lregs_.config;
    const unsigned own = unit_ == isa::sub_unit::simple  ? config.latency_simple
                         : unit_ == isa::sub_unit::round ? config.latency_round
                         : unit_ == isa::sub_unit::load  ? config.latency_load
                                                         : 1;
    using isa::latency_class;
    const auto set = [&](latency_class which, unsigned latency) {
        isa::instruction example;
        example.unit = unit_;
        example.latency = which;
        timing_[static_cast<unsigned>(which)] = {
            cycles{static_cast<std::int64_t>(latency) - 1},
            sc_core::sc_time(static_cast<double>(latency * config.period_ps()), sc_core::SC_PS),
            timing::port_of(example)};
    };
    set(latency_class::none, 1);
    set(latency_class::one, own);
    set(latency_class::mad, config.latency_mad);
    set(latency_class::swap, config.latency_swap);
    set(latency_class::shuffle, config.latency_shuffle);
    context_.arch = config.arch;
    context_.lreg12_default = config.sfpu_lreg12_default;
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
}

lane_mask sub_unit_module::begin_unusual(instruction_extension& message) {
    message.effect = instruction_extension::no_effect;
    lane_mask acting = 0;
    if (message.insn->latency != isa::latency_class::none) {
        acting = ~lregs_.write_template(*message.insn);
        if (acting != 0) return acting;
        message.effect = message.at;
    }
    publish(message, lregs_.state.enabled());
    return acting;
}

/// Between instructions `context_` is ready for the next one of this kind.
inline void sub_unit_module::execute_alone(instruction_extension& message, const isa::instruction& insn,
                                           const class_timing& when) {
    message.effect = message.at + when.until_commit;
    context_.enabled = lregs_.state.enabled();
    insn.op->execute(context_, insn);
    if (!own_results_.empty()) timing::write_back::write_now(own_results_, lregs_.state);
    if (context_.reports != 0) report_stack(message);
}

inline void sub_unit_module::execute(instruction_extension& message, const isa::instruction& insn,
                                     const class_timing& when, lane_mask acting) {
    const cycles commit = message.at + when.until_commit;
    isa::write_set& results = lregs_.results.open(when.port, commit);
    context_.out = &results;
    context_.acting = acting;
    context_.enabled = lregs_.state.enabled() & acting;
    context_.direct = false;
    message.effect = commit;
    insn.op->execute(context_, insn);
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
    results.word = message.word;
    results.instruction_word = insn.word;
    if (insn.lregs_written != 0) lregs_.results.close(when.port, commit, insn.lregs_written);
    if (context_.reports != 0) report_stack(message);
}

void sub_unit_module::report_stack(const instruction_extension& message) {
    if (context_.reports & isa::stack_overflow)
        lregs_.reporter.report(report_id::flags_stack_overflow, message.at, message.word,
                               [] { return std::string("SFPPUSHC with eight entries on the flag stack"); });
    if (context_.reports & isa::stack_underflow)
        lregs_.reporter.report(report_id::flags_stack_underflow, message.at, message.word, [&] {
            return fmt::format("{} with an empty flag stack", message.insn->op->mnemonic);
        });
    context_.reports = 0;
}

/// A transaction without an instruction is an error; else the answer is set here.
inline bool sub_unit_module::refuses(instruction_payload& trans) {
    const bool is_empty = !trans.message.insn;
    trans.set_response_status(is_empty ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    return is_empty;
}

void sub_unit_module::publish_event(const instruction_extension& message, lane_mask enabled,
                                    unsigned dst_address) {
    probe::execution_event event;
    event.begin = message.at;
    event.takes_effect = message.effect != instruction_extension::no_effect;
    event.end = event.takes_effect ? message.effect : message.at;
    event.unit = unit_;
    event.from = message.insn->scheduled() ? probe::origin::macro : probe::origin::issued;
    event.insn = *message.insn;
    event.word = message.word;
    event.dst_address = dst_address;
    event.lanes = enabled;
    lregs_.observer->executed(event);
}

void register_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (refuses(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn);
    delay += when.time;
    if (message.alone && !is_unusual(insn)) {
        execute_alone(message, insn, when);
        publish(message, context_.enabled);
    } else {
        execute_otherwise(message, insn, when);
    }
}

void register_unit::execute_otherwise(instruction_extension& message, const isa::instruction& insn,
                                      const class_timing& when) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(message) : all_lanes;
    if (acting == 0) return;
    execute(message, insn, when, acting);
    if ((insn.use.writes & 0xf0) != 0 && lregs_.indexes_destination()) report_index_erratum(message);
    publish(message, context_.enabled);
}

/// Erratum TEN-2932; SFPSWAP and SFPTRANSP are made for it, loads are no business of this class.
void register_unit::report_index_erratum(const instruction_extension& message) {
    const isa::instruction& insn = *message.insn;
    if (insn.is(isa::opcode::sfpswap) || insn.is(isa::opcode::sfptransp)) return;
    lregs_.reporter.report(report_id::isa_undefined, message.at, message.word, [&] {
        return fmt::format("{} writes L4 to L7 while ENABLE_DEST_INDEX is set: unpredictable on silicon",
                           insn.op->mnemonic);
    });
}

// --- Dst ports -----------------------------------------------------------------------------------------------------

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
    if (refuses(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn);
    delay += when.time;
    if (insn.latency == isa::latency_class::none) { // SFPNOP
        begin_unusual(message);
    } else if (insn.is(isa::opcode::sfploadi)) {
        if (message.alone) execute_alone(message, insn, when);
        else execute(message, insn, when, all_lanes);
        publish(message, context_.enabled);
    } else {
        load(message, insn, when);
    }
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
    if (message.alone) execute_alone(message, insn, when);
    else execute(message, insn, when, all_lanes);
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
    if (refuses(trans)) return;
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
