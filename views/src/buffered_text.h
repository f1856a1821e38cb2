// Text output in large pieces: streams are slow when they are fed a few bytes at a time.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace sfpu::views {

class buffered_text {
public:
    /// `out` must outlive the buffer. Whoever owns it calls flush() at the end.
    explicit buffered_text(std::ostream& out) : out_(out) { buffer_.reserve(capacity + reserve); }

    void append(std::string_view text) {
        buffer_.append(text);
        if (buffer_.size() > capacity) empty();
    }
    /// `format` is an FMT_COMPILE string.
    template <class Format, class... Values>
    void print(const Format& format, Values&&... values) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Values>(values)...);
        if (buffer_.size() > capacity) empty();
    }
    void flush() {
        empty();
        out_.flush();
    }

private:
    static constexpr std::size_t capacity = std::size_t{1} << 18, reserve = 4096;

    void empty() {
        out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }

    std::ostream& out_;
    std::string buffer_;
};

} // namespace sfpu::views
