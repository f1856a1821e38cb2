#include <sfpu/vector_unit/sub_units.h>

#include <sfpu/isa/machine.h>

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
    context_.words = isa::make_machine(config).encoding();
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

void sub_unit_module::execute_apart(instruction_extension& message, const isa::instruction& insn,
                                    const class_timing& when, lane_mask acting) {
    message.effect = message.at + when.until_commit;
    isa::write_set& results = lregs_.results.open(when.port, message.effect);
    context_.out = &results;
    context_.acting = acting;
    context_.enabled = lregs_.state.enabled() & acting;
    context_.direct = false;
    insn.op->execute(context_, insn);
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
    results.word = message.word;
    results.instruction_word = insn.word;
    const isa::register_set written = insn.use.results();
    if (written != 0) lregs_.results.close(when.port, message.effect, written);
    else results.clear(); // an exchange of constants changes nothing
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
    event.thread = message.thread;
    event.dst_address = dst_address;
    event.lanes = enabled;
    lregs_.observer->executed(event);
}

void register_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn.latency);
    delay += when.time;
    if (message.alone && !is_unusual(insn)) execute_alone(message, insn);
    else execute_otherwise(message, insn, when);
}

void register_unit::execute_otherwise(instruction_extension& message, const isa::instruction& insn,
                                      const class_timing& when) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(message) : all_lanes;
    if (acting == 0) return;
    execute_apart(message, insn, when, acting);
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

} // namespace sfpu
