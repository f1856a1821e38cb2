#include <sfpu/analysis/text_files.h>

#include <sfpu/analysis/output_file.h>
#include <sfpu/common/shown_name.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;

struct file_closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, file_closer>;

std::string read_all(std::FILE* file, const std::string& path, std::size_t largest) {
    std::string content;
    char block[65536];
    while (const std::size_t count = std::fread(block, 1, sizeof block, file)) {
        content.append(block, count);
        if (content.size() > largest)
            throw user_error(shown_name(path) + ": found more than " + std::to_string(largest >> 20) +
                             " MiB, expected a file of at most that");
    }
    if (std::ferror(file)) throw user_error(shown_name(path) + ": cannot be read: " + std::strerror(errno));
    return content;
}

std::string read_named(const std::string& path, std::size_t largest) {
    const file_handle file(std::fopen(path.c_str(), "rb"));
    if (!file) throw user_error(shown_name(path) + ": cannot be read: " + std::strerror(errno));
    return read_all(file.get(), path, largest);
}

} // namespace

std::string read_file(const std::string& path) { return read_named(path, largest_file); }

user_error cannot_write(const std::string& path) {
    return user_error(shown_name(path) + ": cannot be written: " + std::strerror(errno));
}

std::string read_input(const std::string& path, std::size_t largest) {
    if (path == "-") {
        static bool is_read = false;
        if (std::exchange(is_read, true))
            throw user_error("two inputs come from standard input ('-'); expected one");
        return read_all(stdin, "standard input", largest);
    }
    protect_from_outputs(path);
    return read_named(path, largest);
}

void write_file(const std::string& path, std::string_view content) {
    output_file file(path);
    file.stream() << content;
    file.commit();
}

} // namespace sfpu::analysis
