// Whole files.
#pragma once

#include <sfpu/analysis/errors.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace sfpu::analysis {

/// All throw user_error with the system's reason, or if a file is larger than anything that is meant. An
/// input is a file that no output may replace, or standard input if its name is "-"; a file that is written
/// appears whole or not at all (output_file.h).
std::string read_file(const std::string& path);
std::string read_input(const std::string& path, std::size_t largest = std::size_t{256} << 20);
void write_file(const std::string& path, std::string_view content);

/// The user_error for an output file, from errno.
user_error cannot_write(const std::string& path);

} // namespace sfpu::analysis
