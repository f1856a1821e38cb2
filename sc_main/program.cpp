#include "program.h"

#include "output_file.h"

#include <sfpu/common/parameters.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace sfpu::cli {
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
            throw user_error(path + ": found more than " + std::to_string(largest >> 20) +
                             " MiB, expected a file of at most that");
    }
    if (std::ferror(file)) throw user_error(path + ": cannot be read: " + std::strerror(errno));
    return content;
}

} // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view otherwise) {
    const std::string near = nearest(word, candidates);
    return near.empty() ? std::string(otherwise) : "; the nearest is '" + near + "'";
}

text_position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
    return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            before.size() - line_start + 1};
}

std::string to_string(const std::string& file, text_position where) {
    return file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

std::string shortened(std::string_view message) {
    constexpr std::size_t most = 400;
    std::string text;
    for (std::size_t begin = 0; begin <= message.size();) {
        const std::size_t end = std::min(message.find('\n', begin), message.size());
        const std::string_view line = message.substr(begin, end - begin);
        if (line.size() <= most) {
            text += line;
        } else { // what was found stands at the beginning, what was expected at the end
            text += line.substr(0, most / 2);
            text += " ... (" + std::to_string(line.size() - most) + " characters) ... ";
            text += line.substr(line.size() - most / 2);
        }
        if (end != message.size()) text += '\n';
        begin = end + 1;
    }
    return text;
}

namespace {

std::string read_named(const std::string& path, std::size_t largest) {
    const file_handle file(std::fopen(path.c_str(), "rb"));
    if (!file) throw user_error(path + ": cannot be read: " + std::strerror(errno));
    return read_all(file.get(), path, largest);
}

} // namespace

std::string read_file(const std::string& path) { return read_named(path, largest_file); }

user_error cannot_write(const std::string& path) {
    return user_error(path + ": cannot be written: " + std::strerror(errno));
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

void write_output(const std::string& path, std::string_view content) {
    if (!path.empty() && path != "-") return write_file(path, content);
    const bool written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
    if (!written || std::fflush(stdout) != 0) throw cannot_write("standard output");
}

void write_report(std::string_view text) {
    if (!output_takes_standard_output()) write_output("", text);
}

} // namespace sfpu::cli
