#include "kernel_file.h"
#include "tree_path.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace sfpu::test {

isa::kernel load_kernel(const std::string& file, architecture arch) {
    const std::string path = tree_path("kernels/" + file);
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path + ": cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    isa::assembly assembled = isa::assemble(text.str(), file, arch);
    std::string mistakes;
    for (const isa::source_error& error : assembled.errors) mistakes += error.to_string() + "\n";
    if (!mistakes.empty()) throw std::runtime_error(mistakes);
    return std::move(assembled.program);
}

} // namespace sfpu::test
