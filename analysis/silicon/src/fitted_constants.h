// The constants of harnesses, fitted to what was measured.
#pragma once

#include <sfpu/analysis/silicon.h>

namespace sfpu::analysis {

/// Fits the constants of each kind of harness of a chip to its judged rows, and fills in what follows from
/// them.
void fit_constants(scoreboard& board, const measured_kernels& kernels);

} // namespace sfpu::analysis
