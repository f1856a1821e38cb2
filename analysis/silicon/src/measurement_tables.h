// The files of data/ about measurements, which CMake puts into the program.
#pragma once

#include <cstddef>
#include <string>

namespace sfpu::analysis::published_tables {

std::string measurements(); ///< data/silicon.csv
std::string kernels();      ///< data/silicon_kernels.json

} // namespace sfpu::analysis::published_tables
