#include "page_library.h"

#include "program.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace sfpu::cli {

page_library find_page_library() {
    const char* given = std::getenv("XDG_DATA_DIRS");
    std::string folders = given && *given ? given : "/usr/local/share:/usr/share";
    constexpr auto package = "Chart.js is not installed (Debian package libjs-chart.js)";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string file = folders.substr(begin, end - begin) + "/javascript/chart.js/chart.min.js";
        begin = end + 1;
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored)) continue;
        std::string text = read_file(file);
        const std::string_view head = std::string_view(text).substr(0, 200);
        if (head.find("Chart.js v3.") == head.npos && head.find("Chart.js v4.") == head.npos)
            return {"", file + ": expected Chart.js 3 or 4"};
        return {std::move(text), ""};
    }
    return {"", package};
}

} // namespace sfpu::cli
