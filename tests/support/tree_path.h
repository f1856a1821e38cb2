// Where tests find files: the only source that knows is tree_path.cpp, so that the others compile alike in
// every folder.
#pragma once

#include <string>

/// The path of a file or folder of the source tree, for example of "docs/tile.md".
std::string tree_path(const std::string& below);

/// The path of the words that a C++ kernel of kernels/cpp recorded during the build.
std::string recorded_kernel_path(const std::string& name);
