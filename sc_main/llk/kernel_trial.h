// Tries one header of a kernel library: compiles it, records its functions, runs and compares them.
#pragma once

#include "kernel_headers.h"
#include "kernel_kit.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli::llk {

/// What compiles, and with what.
struct toolchain {
    std::string compiler;
    std::vector<std::string> flags; ///< of whoever asks
    kernel_kit kit;
    bool record_only = false; ///< nothing is run or compared
};

/// Throws user_error if something is missing.
toolchain find_toolchain(const std::string& compiler, const std::vector<std::string>& flags);

/// Rows of the report, one for each function that was tried (or one for the header if nothing can be called): header,
/// function, arch, compiles, reason, direct_equals_recorded, macro_equals_plain, verdict, cycles_per_row, published, note.
nlohmann::ordered_json try_header(const kernel_header& header, const toolchain& tools,
                                  const std::string& folder, double seconds);

} // namespace sfpu::cli::llk
