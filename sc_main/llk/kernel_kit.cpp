#include "kernel_kit.h"

#include "../program.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

namespace sfpu::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::vector<std::string> words_of(const json& kit, const char* key) {
    std::vector<std::string> words;
    if (!kit.contains(key) || !kit[key].is_array()) return words;
    for (const json& each : kit[key])
        if (each.is_string()) words.push_back(each.get<std::string>());
    return words;
}

} // namespace

kernel_kit find_kernel_kit() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path().parent_path() / "share" / "sfpu-tlm";
    const fs::path file = folder / "kernel_kit.json";
    if (error || !fs::exists(file, error))
        throw user_error(file.string() + ": not found; C++ kernels need the headers and libraries that are "
                                         "installed with the program");
    const json text = json::parse(read_file(file.string()), nullptr, false);
    if (!text.is_object()) throw user_error(file.string() + ": is no JSON object");
    const auto absolute = [&](std::string word) {
        const bool is_path = !word.empty() && word.front() != '-' && fs::path(word).is_relative();
        return is_path ? (folder / word).lexically_normal().string() : word;
    };
    kernel_kit kit{program.string(), {}, {}, words_of(text, "options")};
    for (const std::string& each : words_of(text, "include")) kit.folders.push_back(absolute(each));
    for (const std::string& each : words_of(text, "libraries")) {
        const std::string library = absolute(each);
        kit.libraries.push_back(library);
        if (library.front() == '-') continue;
        if (!fs::exists(library, error))
            throw user_error(library + ": not found; C++ kernels need the libraries that are installed with "
                                       "the program");
        kit.libraries.push_back("-Wl,-rpath," + fs::path(library).parent_path().string()); // if it is shared
    }
    return kit;
}

} // namespace sfpu::cli
