// The files of data/ about measurements, which CMake puts into the program.
#pragma once

namespace sfpu::analysis::published_tables {

extern const char* const measurements; ///< data/silicon.csv
extern const char* const kernels;      ///< data/silicon_kernels.json

} // namespace sfpu::analysis::published_tables
