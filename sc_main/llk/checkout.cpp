#include "checkout.h"

#include "../program.h"

#include <algorithm>
#include <filesystem>

namespace sfpu::cli {
namespace {

namespace fs = std::filesystem;

/// Ends of paths, in the order of search.
std::vector<std::string> ends_of(architecture arch) {
    switch (arch) {
    case architecture::blackhole:
        return {"tt_llk_blackhole/common/inc", "tt_llk_blackhole/common/inc/sfpu", "tt_llk_blackhole/llk_lib",
                "blackhole/metal/llk_api", "blackhole/metal/llk_api/llk_sfpu"};
    case architecture::wormhole:
        return {"tt_llk_wormhole_b0/common/inc", "tt_llk_wormhole_b0/common/inc/sfpu",
                "tt_llk_wormhole_b0/llk_lib", "wormhole_b0/metal/llk_api",
                "wormhole_b0/metal/llk_api/llk_sfpu"};
    }
    __builtin_unreachable();
}

bool ends_with(const std::string& path, const std::string& end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0 &&
           path[path.size() - end.size() - 1] == '/';
}

} // namespace

std::vector<std::string> header_folders(const std::string& checkout, architecture arch) {
    std::error_code error;
    const fs::path root = fs::canonical(checkout, error);
    if (error) throw user_error(checkout + ": " + error.message());
    if (!fs::is_directory(root, error)) throw user_error(checkout + ": is no folder");
    const std::vector<std::string> ends = ends_of(arch);
    std::vector<std::vector<std::string>> found(ends.size());
    fs::recursive_directory_iterator each(root, fs::directory_options::skip_permission_denied, error), end;
    if (error) throw user_error(checkout + ": " + error.message());
    while (each != end) {
        if (each->is_directory(error)) {
            if (each->path().filename() == ".git") each.disable_recursion_pending();
            const std::string path = each->path().string();
            for (std::size_t i = 0; i < ends.size(); ++i)
                if (ends_with(path, ends[i])) found[i].push_back(path);
        }
        each.increment(error);
        if (error) throw user_error(checkout + ": " + error.message());
    }
    std::vector<std::string> folders;
    for (auto& list : found) {
        std::sort(list.begin(), list.end());
        folders.insert(folders.end(), list.begin(), list.end());
    }
    return folders;
}

} // namespace sfpu::cli
