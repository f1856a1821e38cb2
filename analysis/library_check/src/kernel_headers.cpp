#include <sfpu/analysis/kernel_headers.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace sfpu::analysis {
namespace {

bool is_kernel_header(const std::filesystem::path& path) {
    return path.extension() == ".h" && path.filename().string().rfind("ckernel_sfpu_", 0) == 0;
}

/// Where a checkout has what is the same for all kernels: `api/...`, and registers of each chip.
constexpr const char* common_folder = "tt_metal/hw/inc";

/// That folder of the checkout in which the root is, or which it is, or which is below it; empty if there is
/// none.
std::filesystem::path common_headers(std::filesystem::path root) {
    std::error_code ignored;
    for (; root.has_relative_path(); root = root.parent_path())
        if (std::filesystem::is_directory(root / common_folder, ignored)) return root / common_folder;
    return {};
}

/// The files below a folder, in the order of their names.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator i(folder, error), end; !error && i != end;
         i.increment(error)) {
        std::error_code ignored;
        if (i->is_regular_file(ignored)) files.push_back(i->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Adds the folders that includes are looked for in, and the headers that call kernels.
void add_common(const std::filesystem::path& root, std::vector<kernel_header>& headers) {
    const std::filesystem::path common = common_headers(root);
    if (common.empty()) return;
    std::vector<std::string> callers;
    std::map<architecture, std::vector<std::string>> registers;
    for (const std::filesystem::path& file : files_below(common)) {
        const std::string name = std::filesystem::relative(file, common).string();
        if (name.rfind("api/compute/", 0) == 0) callers.push_back(file.string());
        const auto arch = chip_of_path(name);
        if (arch && file.filename() == "cfg_defines.h")
            registers[*arch].push_back(file.parent_path().string());
    }
    for (kernel_header& header : headers) {
        header.folders.push_back(common.string());
        for (const std::string& folder : registers[header.arch]) header.folders.push_back(folder);
        header.callers.insert(header.callers.end(), callers.begin(), callers.end());
    }
}

/// A header of the library that wraps kernels for those who call them.
bool is_wrapper(const std::filesystem::path& path) {
    return path.extension() == ".h" && path.filename().string().rfind("llk_math_", 0) == 0;
}

} // namespace

std::optional<architecture> chip_of_path(const std::string& path) {
    if (path.find("blackhole") != std::string::npos) return architecture::blackhole;
    if (path.find("wormhole") != std::string::npos) return architecture::wormhole;
    return std::nullopt;
}

std::vector<kernel_header> find_headers(const std::string& checkout) {
    std::vector<kernel_header> found;
    std::map<architecture, std::set<std::string>> folders;
    std::map<architecture, std::vector<std::string>> library, wrappers;
    const std::filesystem::path root = std::filesystem::absolute(checkout).lexically_normal();
    std::error_code error;
    if (!std::filesystem::is_directory(root, error))
        throw user_error(shown_name(checkout) + ": " + (error ? error.message() : "is no folder"));
    std::filesystem::recursive_directory_iterator i(
        root, std::filesystem::directory_options::skip_permission_denied, error),
        end;
    for (; !error && i != end; i.increment(error)) {
        std::error_code ignored;
        if (i->is_directory(ignored) && i->path().filename().string().rfind(".", 0) == 0)
            i.disable_recursion_pending();
        if (!i->is_regular_file(ignored)) continue;
        if (!is_kernel_header(i->path()) && !is_wrapper(i->path())) continue;
        const std::string name = std::filesystem::relative(i->path(), root).string();
        auto arch = chip_of_path(name);
        if (!arch) arch = chip_of_path(root.string()); // a checkout of one chip's folder
        if (!arch) continue;
        if (is_wrapper(i->path())) {
            wrappers[*arch].push_back(i->path().string());
            continue;
        }
        found.push_back({i->path().string(), name, *arch, {}, {}, {}});
        const std::filesystem::path folder = i->path().parent_path();
        folders[*arch].insert(folder.string());
        if (folder.filename() == "sfpu" || folder.filename() == "llk_sfpu")
            folders[*arch].insert(folder.parent_path().string());
        if (folder.filename() == "sfpu") library[*arch].push_back(i->path().string());
    }
    if (error) throw user_error(shown_name(checkout) + ": " + error.message());
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (auto* lists : {&library, &wrappers})
        for (auto& [arch, headers] : *lists) std::sort(headers.begin(), headers.end());
    for (kernel_header& header : found) {
        header.folders.assign(folders[header.arch].begin(), folders[header.arch].end());
        if (std::filesystem::path(header.path).parent_path().filename() != "sfpu")
            header.library = library[header.arch];
        header.callers = wrappers[header.arch];
    }
    add_common(root, found);
    return found;
}

std::vector<kernel_header> wanted_headers(const std::vector<kernel_header>& headers,
                                          std::optional<architecture> chip, const std::string& text) {
    std::vector<kernel_header> wanted;
    for (const kernel_header& each : headers)
        if ((!chip || each.arch == *chip) && each.name.find(text) != std::string::npos)
            wanted.push_back(each);
    return wanted;
}

} // namespace sfpu::analysis
