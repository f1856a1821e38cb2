#include "program.h"

#include <sfpu/analysis/output_file.h>
#include <sfpu/common/shown_name.h>

#include <cstdio>

namespace sfpu::cli {

void write_output(const std::string& path, std::string_view content) {
    if (!path.empty() && path != "-") return write_file(path, content);
    const bool written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
    if (!written || std::fflush(stdout) != 0) throw cannot_write("standard output");
}

void write_report(std::string_view text) {
    if (!output_takes_standard_output()) write_output("", shown_text(text));
}

} // namespace sfpu::cli
