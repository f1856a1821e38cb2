#include "own_kernel_kit.h"

#include "program.h"

#include <cstdlib>
#include <filesystem>

namespace sfpu::cli {

std::string own_program() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) throw user_error("/proc/self/exe: " + error.message());
    return program.string();
}

kernel_kit own_kernel_kit() {
    const std::filesystem::path program = own_program();
    return read_kernel_kit((program.parent_path().parent_path() / "share" / "sfpu-tlm").string());
}

std::string chosen_compiler() {
    const char* const chosen = std::getenv("CXX");
    return chosen && *chosen ? chosen : "c++";
}

} // namespace sfpu::cli
