#include <sfpu/vector_unit/sub_units.h>

#include <sfpu/isa/machine.h>

#include <fmt/format.h>

namespace sfpu {

// --- common part ---------------------------------------------------------------------------------------------------

sub_unit_module::sub_unit_module(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs)
    : sc_module(name), insn_tsock("insn_tsock"), lregs_(lregs),
      context_(lregs.state, lregs.config.arch, own_results_), unit_(unit) {
    insn_tsock.bind(*this);
}

void sub_unit_module::reset() {
    const isa::machine& machine = lregs_.machine;
    using isa::latency_class;
    for (const latency_class which : {latency_class::none, latency_class::one, latency_class::mad,
                                      latency_class::swap, latency_class::shuffle}) {
        isa::instruction example;
        example.unit = unit_;
        example.latency = which;
        // A store leaves no result: what it does is done in its cycle.
        const unsigned latency = which == latency_class::none || unit_ == isa::sub_unit::store
                                     ? 1
                                     : isa::latency_of(example, machine);
        timing_[static_cast<unsigned>(which)] = {
            cycles{static_cast<std::int64_t>(latency) - 1},
            sc_core::sc_time(static_cast<double>(latency * machine.period_ps), sc_core::SC_PS)};
    }
    context_.arch = machine.chip;
    context_.words = machine.encoding();
    context_.lreg12_default = machine.lreg12_default;
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
    context_.habits = {};
    later_results_ = nullptr; // the machine's other latencies may have moved them
}

lane_mask sub_unit_module::begin_unusual(instruction_extension& message) {
    if (message.insn->latency == isa::latency_class::none) {
        publish(message, no_effect, lregs_.state.enabled());
        return 0;
    }
    const isa::instruction& insn = *message.insn;
    const lane_mask acting = lregs_.state.write_template(insn.vd - 12u, insn.word);
    if (acting == 0) {
        later_results_ = nullptr; // there are none: what an earlier instruction left is not its own
        publish(message, message.at, lregs_.state.enabled());
    }
    return acting;
}

void sub_unit_module::execute_apart(instruction_extension& message, const isa::instruction& insn,
                                    const class_timing& when, lane_mask acting) {
    execute_for_later(message, insn, when, acting);
}

[[gnu::always_inline]] inline void sub_unit_module::execute_for_later(instruction_extension& message,
                                                                      const isa::instruction& insn,
                                                                      const class_timing& when,
                                                                      lane_mask acting) {
    const cycles commit = message.at + when.until_commit;
    isa::write_set& results = lregs_.results.open(timing::port_of(insn, message.form.instance), commit);
    context_.out = &results;
    context_.acting = acting;
    context_.enabled = lregs_.state.enabled() & acting;
    context_.direct = false;
    insn.op->execute(context_, insn);
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
    later_results_ = &results;
    results.word = message.word;
    results.insn = &insn;
    if (insn.use.results() == 0) results.clear(); // an exchange of constants changes nothing
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

/// What an instruction that has just executed writes to the first of its registers.
const lanes* sub_unit_module::result_of(const instruction_extension& message) const {
    const isa::register_set written = message.insn->use.results();
    if (written == 0) return nullptr;
    if (message.form.direct) return &lregs_.state.lreg[__builtin_ctz(written)];
    if (!later_results_ || later_results_->insn != message.insn || later_results_->count == 0) return nullptr;
    return &later_results_->storage[later_results_->entries[0].buffer];
}

void sub_unit_module::publish_event(const instruction_extension& message, cycles effect, lane_mask enabled,
                                    unsigned dst_address, const lanes* cells) {
    probe::execution_event event;
    event.begin = message.at;
    event.takes_effect = effect != no_effect;
    event.end = event.takes_effect ? effect : message.at;
    event.unit = unit_;
    event.from = message.insn->scheduled() ? probe::origin::macro : probe::origin::issued;
    event.insn = *message.insn;
    event.word = message.word;
    event.thread = message.thread;
    event.dst_address = dst_address;
    event.lanes = enabled;
    event.result = event.takes_effect ? result_of(message) : nullptr;
    event.cells = cells;
    lregs_.observer->executed(event);
}

void register_unit::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    instruction_extension& message = trans.message;
    if (!takes(trans)) return;
    const isa::instruction& insn = *message.insn;
    const class_timing& when = timing_of(insn.latency);
    delay += when.time;
    if (message.form.direct) {
        execute_directly(message, insn);
        if (is_observed()) publish(message, message.at + when.until_commit, context_.enabled);
    } else {
        execute_otherwise(message, insn, when);
    }
}

void register_unit::execute_otherwise(instruction_extension& message, const isa::instruction& insn,
                                      const class_timing& when) {
    const lane_mask acting = is_unusual(insn) ? begin_unusual(message) : all_lanes;
    if (acting == 0) return;
    execute_for_later(message, insn, when, acting);
    if ((insn.use.writes & 0xf0) != 0 && lregs_.indexes_destination()) report_index_erratum(message);
    publish(message, message.at + when.until_commit, context_.enabled);
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
