// How the page of a schedule keeps many events in few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::views {

/// Lines of which most repeat those of an earlier iteration: "*DISTANCE,COUNT" stands for so many lines, each
/// like the one DISTANCE lines before it.
class repeating_lines {
public:
    explicit repeating_lines(std::ostream& out) : out_(out), recent_(window) {}
    void add(std::string line) {
        if (distance_ != 0 && recent_[(count_ - distance_) % window] == line) {
            ++repeated_;
        } else {
            flush();
            distance_ = 0;
            const auto known = latest_.find(line);
            if (period_ != 0 && recent_[(count_ - period_) % window] == line) {
                distance_ = period_;
                repeated_ = 1;
            } else if (known != latest_.end() && count_ - known->second < window) {
                distance_ = count_ - known->second;
                repeated_ = 1;
            } else {
                out_ << line << '\n';
            }
        }
        if (latest_.size() > most_remembered) latest_.clear();
        latest_[line] = count_;
        recent_[count_++ % window] = std::move(line);
    }
    void flush() {
        if (repeated_ != 0) out_ << '*' << distance_ << ',' << repeated_ << '\n';
        if (repeated_ > 1 && repeated_ >= distance_) period_ = distance_;
        repeated_ = 0;
    }

private:
    static constexpr std::size_t window = 4096, most_remembered = 65536;

    std::ostream& out_;
    std::vector<std::string> recent_;
    std::unordered_map<std::string, std::size_t> latest_;
    std::size_t count_ = 0, distance_ = 0, repeated_ = 0, period_ = 0;
};

/// Numbers of 32 bits as "=" and base64, little-endian, some thousand a line.
class packed_numbers {
public:
    explicit packed_numbers(std::ostream& out) : out_(out) {}
    void add(std::uint32_t number) {
        for (unsigned shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(number >> shift & 0xffu);
        if (bytes_.size() == capacity) flush();
    }
    void flush() {
        static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        if (bytes_.empty()) return;
        std::string line = "=";
        for (std::size_t at = 0; at < bytes_.size(); at += 3) {
            std::uint32_t three = 0;
            for (std::size_t i = 0; i < 3; ++i)
                three =
                    three << 8 | (at + i < bytes_.size() ? static_cast<unsigned char>(bytes_[at + i]) : 0u);
            for (std::size_t i = 0; i < 4; ++i)
                line += at + i > bytes_.size() ? '=' : digits[three >> (18 - 6 * i) & 63u];
        }
        out_ << line << '\n';
        bytes_.clear();
    }

private:
    static constexpr std::size_t capacity = 3 * 16384;
    std::ostream& out_;
    std::string bytes_;
};

} // namespace sfpu::views
