#include <sfpu/vector_unit/sub_units.h>

#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <string>

namespace sfpu {

execution_unit::execution_unit(unit_state& state, isa::sub_unit unit)
    : state_(state), context_(state.vector, state.config.arch, own_results_), unit_(unit) {}

void execution_unit::reset() {
    const isa::machine& machine = state_.machine;
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
        until_commit_[static_cast<unsigned>(which)] = cycles{static_cast<std::int64_t>(latency) - 1};
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

lane_mask execution_unit::begin_unusual(unit_step& step) {
    if (step.insn->latency == isa::latency_class::none) {
        publish(step, no_effect, state_.vector.enabled());
        return 0;
    }
    const isa::instruction& insn = *step.insn;
    const lane_mask acting = state_.vector.write_template(insn.vd - 12u, insn.word);
    if (acting == 0) {
        later_results_ = nullptr; // there are none: what an earlier instruction left is not its own
        publish(step, step.at, state_.vector.enabled());
    }
    return acting;
}

void execution_unit::execute_for_later(unit_step& step, const isa::instruction& insn, cycles commit,
                                       lane_mask acting) {
    isa::write_set& results = state_.results.open(timing::port_of(insn, step.form.instance), commit);
    context_.out = &results;
    context_.acting = acting;
    context_.enabled = state_.vector.enabled() & acting;
    context_.direct = false;
    insn.op->execute(context_, insn);
    context_.out = &own_results_;
    context_.acting = all_lanes;
    context_.direct = true;
    later_results_ = &results;
    results.word = step.word;
    results.insn = &insn;
    if (insn.use.results() == 0) results.clear(); // an exchange of constants changes nothing
    if (context_.reports != 0) report_stack(step);
}

void execution_unit::report_stack(const unit_step& step) {
    if (context_.reports & isa::stack_overflow)
        state_.reporter.report(report_id::flags_stack_overflow, step.at, step.word,
                               [] { return std::string("SFPPUSHC with eight entries on the flag stack"); });
    if (context_.reports & isa::stack_underflow)
        state_.reporter.report(report_id::flags_stack_underflow, step.at, step.word, [&] {
            return fmt::format("{} with an empty flag stack", step.insn->op->mnemonic);
        });
    context_.reports = 0;
}

/// What an instruction that has just executed writes to the first of its registers.
const lanes* execution_unit::result_of(const unit_step& step) const {
    const isa::register_set written = step.insn->use.results();
    if (written == 0) return nullptr;
    if (step.form.direct()) return &state_.vector.lreg[__builtin_ctz(written)];
    if (!later_results_ || later_results_->insn != step.insn || later_results_->count == 0) return nullptr;
    return &later_results_->storage[later_results_->entries[0].buffer];
}

void execution_unit::publish_event(const unit_step& step, cycles effect, lane_mask enabled,
                                   unsigned dst_address, const lanes* cells) {
    probe::execution_event event;
    event.begin = step.at;
    event.takes_effect = effect != no_effect;
    event.end = event.takes_effect ? effect : step.at;
    event.unit = unit_;
    event.from = step.insn->scheduled() ? probe::origin::macro : probe::origin::issued;
    event.insn = *step.insn;
    event.word = step.word;
    event.thread = step.thread;
    event.dst_address = dst_address;
    event.lanes = enabled;
    event.result = event.takes_effect ? result_of(step) : nullptr;
    event.cells = cells;
    state_.observer->executed(event);
}

// --- Simple, MAD, Round ------------------------------------------------------------------------------------

void register_unit::publish_direct(const unit_step& step) {
    publish(step, step.at + until_commit(step.insn->latency), context_.enabled);
}

void register_unit::execute_otherwise(unit_step& step, const isa::instruction& insn) {
    if (step.form.direct()) {
        execute_directly(step, insn);
        return publish(step, step.at + until_commit(insn.latency), context_.enabled);
    }
    const lane_mask acting = is_unusual(insn) ? begin_unusual(step) : all_lanes;
    if (acting == 0) return;
    const cycles commit = step.at + until_commit(insn.latency);
    execute_for_later(step, insn, commit, acting);
    if ((insn.use.writes & 0xf0) != 0 && state_.indexes_destination()) report_index_erratum(step);
    publish(step, commit, context_.enabled);
}

/// Erratum TEN-2932; SFPSWAP and SFPTRANSP are made for it, loads are no business of this class.
void register_unit::report_index_erratum(const unit_step& step) {
    const isa::instruction& insn = *step.insn;
    if (insn.is(isa::opcode::sfpswap) || insn.is(isa::opcode::sfptransp)) return;
    state_.reporter.report(report_id::isa_undefined, step.at, step.word, [&] {
        return fmt::format("{} writes L4 to L7 while ENABLE_DEST_INDEX is set: unpredictable on silicon",
                           insn.op->mnemonic);
    });
}

} // namespace sfpu
