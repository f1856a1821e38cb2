#include "kernel_files.h"

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fstream>
#include <sstream>

namespace sfpu::analysis {

std::string text_if_any(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void write_source(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out) throw user_error(shown_name(path) + ": cannot be written");
}

isa::kernel recorded_file(const std::string& path) {
    return assemble_kernel(read_file(path), path, machine_choice{});
}

} // namespace sfpu::analysis
