#include <sfpu/vector_unit/unit_state.h>

#include <fmt/format.h>

namespace sfpu {
namespace {

unsigned srcb_mode_of(const isa::backend_configuration& backend) {
    return isa::resolve_srcb(isa::dst_mode::srcb, backend.fp32_enabled, backend.srcb_format);
}
const char* name_of(unsigned mode) {
    return mode == isa::dst_mode::fp32 ? "FP32" : mode == isa::dst_mode::bf16 ? "BF16" : "FP16";
}

} // namespace

void unit_state::reset(const parameters& to, const unit_listeners& listeners) {
    config = to;
    machine = isa::make_machine(to);
    vector.reset(to.sfpu_lreg12_default);
    for (isa::thread_state& thread : threads) thread.reset(to.arch);
    srcb = {};
    results.reset(machine);
    reporter.reset(listeners.diagnostics, listeners.hazards, listeners.observer);
    observer = listeners.observer;
    counters = {};
}

void unit_state::change_backend(unsigned thread, unsigned bank, const isa::backend_configuration& to,
                                cycles at, std::int64_t first_after) {
    // From the third cycle behind an access a STALLWAIT may have found the unit idle. What an access meets
    // that has just begun, the documents do not say.
    constexpr cycles unfinished{2};
    isa::thread_state& state = threads[thread];
    const unsigned before = srcb_mode_of(state.backend(bank)), now = srcb_mode_of(to);
    state.set_backend(bank, to);
    if (now == before) return;
    srcb_use& use = srcb[thread][bank];
    use.changed = at;
    use.first_after = first_after;
    use.is_watched = at - use.latest > unfinished;
    if (use.is_watched) return;
    reporter.report(report_id::dst_format_changed, at, first_after, [&] {
        return fmt::format("thread {}: mode SRCB becomes {} {} cycle(s) behind a load or store in that mode, "
                           "which the unit may not have finished; here it keeps {}",
                           thread, name_of(now), (at - use.latest).count(), name_of(before));
    });
}

void unit_state::note_srcb(unsigned thread, cycles at, std::int64_t word) {
    const isa::thread_state& state = threads[thread];
    srcb_use& use = srcb[thread][state.state_id()];
    use.latest = at;
    if (!use.is_watched || word >= use.first_after) return;
    use.is_watched = false;
    reporter.report(report_id::dst_format_changed, at, word, [&] {
        return fmt::format(
            "thread {}: a load or store in mode SRCB came before a change of the configuration "
            "in cycle {}, and finds it: it is in format {}",
            thread, use.changed.count(), name_of(srcb_mode_of(state.backend())));
    });
}

} // namespace sfpu
