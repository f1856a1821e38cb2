// What stands for this build in the keys of cached results.
#pragma once

#include <string>

namespace sfpu::analysis {

/// SHA-256 over the sources that results depend on, their names below the tree, and the compiler with its
/// options: 64 lower-case hex digits. The same wherever and whenever the same sources are built.
std::string build_hash();

} // namespace sfpu::analysis
