#include <sfpu/analysis/kernel_kit.h>

#include <sfpu/analysis/text_files.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> strings_of(const nlohmann::json& kit, const char* key) {
    std::vector<std::string> strings;
    if (!kit.contains(key) || !kit[key].is_array()) return strings;
    for (const auto& each : kit[key])
        if (each.is_string()) strings.push_back(each.get<std::string>());
    return strings;
}

} // namespace

kernel_kit read_kernel_kit(const std::string& folder) {
    std::error_code error;
    const fs::path file = fs::path(folder) / "kernel_kit.json";
    if (!fs::exists(file, error))
        throw user_error(file.string() + ": not found; C++ kernels need the headers and libraries that are "
                                         "installed with the program");
    const auto text = nlohmann::json::parse(read_file(file.string()), nullptr, false);
    if (!text.is_object()) throw user_error(file.string() + ": is no JSON object");
    const auto absolute = [&](const std::string& word) {
        const bool is_path = !word.empty() && word.front() != '-' && fs::path(word).is_relative();
        return is_path ? (folder / fs::path(word)).lexically_normal().string() : word;
    };
    kernel_kit kit{{}, {}, strings_of(text, "options"), {}};
    for (const std::string& each : strings_of(text, "include")) kit.folders.push_back(absolute(each));
    for (const std::string& each : strings_of(text, "core")) kit.core_folders.push_back(absolute(each));
    for (const std::string& each : strings_of(text, "libraries")) {
        const std::string library = absolute(each);
        kit.libraries.push_back(library);
        if (library.empty() || library.front() == '-') continue;
        if (!fs::exists(library, error))
            throw user_error(library + ": not found; C++ kernels need the libraries that are installed with "
                                       "the program");
        kit.libraries.push_back("-Wl,-rpath," + fs::path(library).parent_path().string()); // if it is shared
    }
    return kit;
}

} // namespace sfpu::analysis
