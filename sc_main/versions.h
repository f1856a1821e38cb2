// What this program was built from.
#pragma once

#include <string>

namespace sfpu::cli {

struct build_versions {
    std::string product, systemc, compiler;
};
build_versions versions();

} // namespace sfpu::cli
