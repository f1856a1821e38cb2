// Text and bytes for a stream, in large pieces: writers put them straight into a buffer, without formatting
// machinery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string_view>
#include <vector>

namespace sfpu::probe {

constexpr std::size_t longest_decimal = 20; ///< characters of a 64-bit number with its sign

namespace detail {
/// "00" to "99".
constexpr auto digit_pairs = [] {
    std::array<char, 200> table{};
    for (unsigned i = 0; i < 100; ++i) {
        table[2 * i] = static_cast<char>('0' + i / 10);
        table[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return table;
}();
} // namespace detail

// Each writes at `to` and returns the end. The caller has made room.

inline char* put(char* to, std::string_view text) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}
/// A literal; its size is known when this is compiled.
template <std::size_t Size>
char* put(char* to, const char (&text)[Size]) {
    std::memcpy(to, text, Size - 1);
    return to + Size - 1;
}

inline char* put_decimal(char* to, std::uint64_t value) {
    std::array<char, longest_decimal> digits;
    std::size_t first = digits.size();
    for (; value >= 100; value /= 100) {
        first -= 2;
        std::memcpy(&digits[first], &detail::digit_pairs[2 * (value % 100)], 2);
    }
    if (value >= 10) {
        first -= 2;
        std::memcpy(&digits[first], &detail::digit_pairs[2 * value], 2);
    } else {
        digits[--first] = static_cast<char>('0' + value);
    }
    const std::size_t count = digits.size() - first;
    for (std::size_t i = 0; i < count; ++i) to[i] = digits[first + i];
    return to + count;
}
inline char* put_decimal(char* to, std::int64_t value) {
    if (value >= 0) return put_decimal(to, static_cast<std::uint64_t>(value));
    *to = '-';
    return put_decimal(to + 1, std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

class output_buffer {
public:
    /// `out` must outlive the buffer. Whoever owns it calls flush() at the end.
    explicit output_buffer(std::ostream& out) : out_(out), buffer_(capacity), end_(buffer_.data()) {}

    /// A place for `bytes` bytes. What was written there stays if commit() says where it ends.
    char* room(std::size_t bytes) {
        if (static_cast<std::size_t>(buffer_.data() + buffer_.size() - end_) < bytes) empty_for(bytes);
        return end_;
    }
    void commit(char* end) { end_ = end; }

    void append(std::string_view text) { commit(put(room(text.size()), text)); }

    void flush() {
        hand_on();
        out_.flush();
    }

private:
    static constexpr std::size_t capacity = std::size_t{1} << 18;

    void hand_on() {
        out_.write(buffer_.data(), end_ - buffer_.data());
        end_ = buffer_.data();
    }
    void empty_for(std::size_t bytes) {
        hand_on();
        if (buffer_.size() < bytes) buffer_.resize(bytes);
        end_ = buffer_.data();
    }

    std::ostream& out_;
    std::vector<char> buffer_;
    char* end_;
};

} // namespace sfpu::probe
