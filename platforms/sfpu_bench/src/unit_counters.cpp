#include <sfpu/platform/unit_counters.h>

#include <sfpu/dst/dst_memory.h>
#include <sfpu/vector_unit/vector_unit.h>

namespace sfpu::platform {

run_counters counters_of(const vector_unit& unit, const dst::dst_memory& dst) {
    const unit_counters& from = unit.lregs().counters;
    run_counters to;
    to.words = from.words;
    to.instructions = from.instructions;
    to.issued = from.issued;
    to.scheduled = from.scheduled;
    to.discarded = from.discarded;
    to.busy = from.busy;
    to.stalls = from.stalls;
    to.reports = unit.lregs().reporter.counts();
    to.macros_launched = from.macros_launched;
    to.macros_forgotten = from.macros_forgotten;
    to.macro_max_outstanding = from.macro_max_outstanding;
    to.dst_reads = dst.reads();
    to.dst_writes = dst.writes();
    to.not_modelled = unit.lregs().not_modelled;
    return to;
}

} // namespace sfpu::platform
