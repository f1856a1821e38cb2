#include <sfpu/vector_unit/unit_counters.h>

#include <sfpu/dst/dst_memory.h>
#include <sfpu/vector_unit/vector_unit.h>

namespace sfpu {

probe::unit_counters counters_of(const vector_unit& unit, const dst::dst_memory& dst) {
    probe::unit_counters all = unit.state().counters;
    all.reports = unit.state().reporter.counts();
    all.dst_reads = dst.reads();
    all.dst_writes = dst.writes();
    return all;
}

} // namespace sfpu
