// Runs of plain words: words that nothing but the vector unit holds back go from all FIFOs of a thread's
// pipeline to the unit at once. Pure C++.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/pipeline_state.h>
#include <sfpu/frontend/surroundings.h>

namespace sfpu::frontend {

/// Issues plain words from the FIFOs, `most` at most, those that the unit issues before `end`. Whether there
/// was any.
bool issue_run(pipeline_state& pipeline, cycles end, unsigned most = longest_run);

/// Whether the words that are there leave as the unit takes them, whatever happens until then, and nothing
/// else makes room for a push. Only for a pipeline that does not share its issue slot.
bool only_unit_holds(pipeline_state& pipeline);

/// Finds out when the words that are there will be issued, if only_unit_holds() and each takes a place of the
/// first FIFO.
void foresee_departures(pipeline_state& pipeline);
/// Something comes that may change what has been foretold, or make room earlier: what has been told to those
/// who push stays true, the rest is forgotten.
void settle_departures(pipeline_state& pipeline);

} // namespace sfpu::frontend
