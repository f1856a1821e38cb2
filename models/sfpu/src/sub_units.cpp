#include <sfpu/vector_unit/sub_units.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

namespace sfpu {

lane_mask lreg_file::write_template(const isa::instruction& insn) {
    const lane_mask closed = state.config.lanes_with(isa::lane_configuration::disable_backdoor_load);
    for (unsigned column = 0; column < column_count; ++column)
        if (!(closed >> column & 1u)) state.macro[column].instruction_template[insn.vd - 12u] = insn.word;
    ++state.macro_version;
    return ~closed;
}

// --- common part ---------------------------------------------------------------------------------------------------

sub_unit_module::sub_unit_module(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs)
    : sc_module(name), insn_tsock("insn_tsock"), lregs_(lregs), unit_(unit) {
    insn_tsock.bind(*this);
}

void sub_unit_module::reset() {
    const parameters& config = lregs_.config;
    const unsigned own = unit_ == isa::sub_unit::simple  ? config.latency_simple
                         : unit_ == isa::sub_unit::round ? config.latency_round
                         : unit_ == isa::sub_unit::load  ? config.latency_load
                                                         : 1;
    using isa::latency_class;
    const auto set = [&](latency_class which, unsigned value) {
        latency_[static_cast<unsigned>(which)] = cycles{static_cast<std::int64_t>(value)};
    };
    set(latency_class::none, 1);
    set(latency_class::one, own);
    set(latency_class::mad, config.latency_mad);
    set(latency_class::swap, config.latency_swap);
    set(latency_class::shuffle, config.latency_shuffle);
    for (unsigned n = 0; n < time_of_latency_.size(); ++n)
        time_of_latency_[n] = sc_core::sc_time(static_cast<double>(n * config.period_ps()), sc_core::SC_PS);
}

void sub_unit_module::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!message.insn) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    message.effect = instruction_extension::no_effect;
    run(message);
    delay += time_of_latency_[static_cast<unsigned>(latency_of(*message.insn).count())];
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

lane_mask sub_unit_module::begin(instruction_extension& message) {
    const isa::instruction& insn = *message.insn;
    if (insn.latency == isa::latency_class::none) {
        publish(message, lregs_.state.enabled());
        return 0;
    }
    if (!insn.names_template()) return all_lanes;
    const lane_mask acting = ~lregs_.write_template(insn);
    if (acting == 0) {
        message.effect = message.at;
        publish(message, lregs_.state.enabled());
    }
    return acting;
}

void sub_unit_module::execute(instruction_extension& message, isa::execution& x, cycles latency) {
    const isa::instruction& insn = *message.insn;
    const cycles commit = message.at + latency - one_cycle;
    const timing::result_port port = timing::port_of(insn);
    insn.op->execute(x, insn);
    if (!x.out.empty()) {
        x.out.word = message.word;
        x.out.instruction_word = insn.word;
        lregs_.results.close(port, commit);
    }
    message.effect = commit;
    if (x.reports & isa::stack_overflow)
        lregs_.reporter.report(report_id::flags_stack_overflow, message.at, message.word,
                               [] { return std::string("SFPPUSHC with eight entries on the flag stack"); });
    if (x.reports & isa::stack_underflow)
        lregs_.reporter.report(report_id::flags_stack_underflow, message.at, message.word,
                               [&] { return fmt::format("{} with an empty flag stack", insn.op->mnemonic); });
}

void sub_unit_module::run(instruction_extension& message) {
    const lane_mask acting = begin(message);
    if (acting == 0) return;
    const cycles latency = latency_of(*message.insn);
    isa::execution x(lregs_.state, lregs_.config.arch,
                     lregs_.results.open(timing::port_of(*message.insn), message.at + latency - one_cycle));
    x.acting = acting;
    x.enabled = lregs_.state.enabled() & acting;
    x.direct = message.alone && latency == one_cycle;
    x.lreg12_default = lregs_.config.sfpu_lreg12_default;
    execute(message, x, latency);
    publish(message, x.enabled);
}

void sub_unit_module::publish(const instruction_extension& message, lane_mask enabled, unsigned dst_address) {
    if (!lregs_.observer) return;
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

simple_unit::simple_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::simple, lregs) {}
mad_unit::mad_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::mad, lregs) {}
round_unit::round_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::round, lregs) {}

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
    : sub_unit_module(name, isa::sub_unit::load, lregs), dst("dst_load_isock", tlm::TLM_READ_COMMAND) {}

void load_unit::run(instruction_extension& message) {
    const isa::instruction& insn = *message.insn;
    if (insn.latency == isa::latency_class::none) {
        publish(message, lregs_.state.enabled());
        return;
    }
    const cycles latency = latency_of(insn);
    isa::execution x(lregs_.state, lregs_.config.arch,
                     lregs_.results.open(timing::result_port::load, message.at + latency - one_cycle));
    x.acting = all_lanes;
    x.enabled = lregs_.state.enabled();
    x.direct = message.alone && latency == one_cycle;
    if (insn.is(isa::opcode::sfploadi)) {
        execute(message, x, latency);
        publish(message, x.enabled);
        return;
    }
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
    x.dst_mode = mode;
    x.slice = &dst.data;
    x.dst_address = address;
    x.odd_columns = dst.slice.odd_columns;
    execute(message, x, latency);
    lregs_.thread.apply_addr_mod(insn.addr_mod);
    message.dst_address = static_cast<std::uint16_t>(address);
    publish(message, x.enabled, address);
}

store_unit::store_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sub_unit_module(name, isa::sub_unit::store, lregs), dst("dst_store_isock", tlm::TLM_WRITE_COMMAND) {}

void store_unit::run(instruction_extension& message) {
    const isa::instruction& insn = *message.insn;
    const lane_mask acting = begin(message);
    if (acting == 0) return;
    const isa::backend_configuration& backend = lregs_.thread.backend;
    const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    const unsigned address =
        insn.scheduled() ? message.dst_address : lregs_.thread.dst_address(insn, mode, false);
    isa::execution x(lregs_.state, lregs_.config.arch, no_results_);
    x.acting = acting;
    x.enabled = lregs_.state.enabled() & acting;
    x.direct = false;
    x.dst_mode = mode;
    x.slice = &dst.data;
    insn.op->execute(x, insn);
    message.effect = message.at;

    const lane_mask blocked =
        lregs_.state.config.lanes_with(isa::lane_configuration::block_dest_wr_from_sfpu);
    dst.slice.lanes = (mode == isa::dst_mode::int32_all ? acting : x.enabled) & ~blocked;
    dst.aim(address, lregs_.state.config.lanes_with(isa::lane_configuration::dest_wr_col_exchange), backend);
    dst.slice.at = message.at;
    dst.slice.word = message.word;
    dst.slice.wide = isa::dst_mode::store_is_32_bit(mode);
    dst.send();
    if (!insn.scheduled()) lregs_.thread.apply_addr_mod(insn.addr_mod);
    publish(message, x.enabled, address);
}

} // namespace sfpu
