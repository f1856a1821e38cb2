#include <sfpu/vector_unit/vector_unit.h>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace sfpu {

vector_unit::vector_unit(const sc_core::sc_module_name& name, unsigned push_ports)
    : sc_module(name), scheduler_("macro_scheduler", state_),
      issue_("issue_unit", state_, scheduler_.context(), push_ports), load_("load_unit", state_),
      simple_("simple_unit", state_, isa::sub_unit::simple), mad_("mad_unit", state_, isa::sub_unit::mad),
      round_("round_unit", state_, isa::sub_unit::round), store_("store_unit", state_) {
    issue_.scheduler.socket.bind(scheduler_.issue_tsock);
    scheduler_.load.socket.bind(load_.insn_tsock);
    scheduler_.simple.socket.bind(simple_.insn_tsock);
    scheduler_.mad.socket.bind(mad_.insn_tsock);
    scheduler_.round.socket.bind(round_.insn_tsock);
    scheduler_.store.socket.bind(store_.insn_tsock);
    take(parameters{}, listeners{});
}

void vector_unit::reset(const parameters& config, const listeners& to) {
    complete();
    if (const std::vector<std::string> problems = config.problems(); !problems.empty()) {
        const std::string text = fmt::format("{}: {}", name(), fmt::join(problems, "; "));
        SC_REPORT_ERROR("/sfpu/parameters/invalid", text.c_str());
        return;
    }
    take(config, to);
    check_time_resolution();
}

void vector_unit::take(const parameters& config, const listeners& to) {
    state_.reset(config, to);
    load_.reset();
    simple_.reset();
    mad_.reset();
    round_.reset();
    store_.reset();
    scheduler_.reset();
    issue_.reset(to.observer || to.diagnostics);
    issue_.set_epoch(sc_core::sc_time_stamp());
}

/// Cycles are converted to time at the sockets: a period that SystemC would round changes every one of them.
void vector_unit::check_time_resolution() const {
    const double resolution_ps = sc_core::sc_get_time_resolution().to_seconds() * 1e12;
    const double units = state_.config.period_ps() / resolution_ps;
    if (units >= 0.5 && std::abs(units - std::round(units)) < 1e-6) return;
    const std::string text = fmt::format(
        "{}: found a clock period of {} ps, expected a multiple of SystemC's time resolution of {}: call "
        "sc_set_time_resolution(1, SC_PS) before modules are built, or set clock.period_ps",
        name(), state_.config.period_ps(), sc_core::sc_get_time_resolution().to_string());
    SC_REPORT_ERROR("/sfpu/clock/resolution", text.c_str());
}

cycles vector_unit::catch_up(const sc_core::sc_time& until) {
    const cycles end = issue_.cycle_at(until);
    issue_.core().raise_watermarks(end);
    issue_.core().advance_to(end);
    return end;
}

void vector_unit::trace(sc_core::sc_trace_file* file) const {
    issue_.core().put_nothing_off(); // the trace file reads what it is given whenever it likes
    const std::string prefix = name();
    sc_core::sc_trace(file, state_.counters.words, prefix + ".words");
    sc_core::sc_trace(file, state_.counters.instructions, prefix + ".instructions");
    sc_core::sc_trace(file, state_.threads[0].rwc.dst, prefix + ".rwc_dst");
    sc_core::sc_trace(file, state_.vector.flags, prefix + ".lane_flags");
}

} // namespace sfpu
