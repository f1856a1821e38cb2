#include "vcd_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <string>

namespace sfpu::probe {
namespace {

constexpr std::size_t longest_number = 96; ///< room for a line that holds a time or a binary value

/// Identifiers are made of printable characters, of which there are 94: one for the first signals, then two.
constexpr char first_identifier = '!';
constexpr unsigned identifier_characters = 94;
static_assert(vcd_document::most_signals <= identifier_characters * identifier_characters);

/// The eight binary digits of every byte. Binary numbers are most of the file.
constexpr auto binary_digits = [] {
    std::array<std::array<char, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned i = 0; i < 8; ++i) table[byte][i] = static_cast<char>('0' + (byte >> (7 - i) & 1));
    return table;
}();

char identifier_character(unsigned index) { return static_cast<char>(first_identifier + index); }

std::string identifier(vcd_document::signal which) {
    std::string result(1, identifier_character(which % identifier_characters));
    if (which >= identifier_characters) result += identifier_character(which / identifier_characters - 1);
    return result;
}

const char* keyword(vcd_document::kind type) {
    switch (type) {
    case vcd_document::kind::wire: return "wire";
    case vcd_document::kind::integer: return "integer";
    case vcd_document::kind::text: return "string";
    }
    return "wire";
}

/// Without leading zeros, with which readers extend. Writes up to seven characters behind its end.
char* put_binary(char* to, std::uint64_t value) {
    if (value <= 1) {
        *to = static_cast<char>('0' + value);
        return to + 1;
    }
    const auto zeros = static_cast<unsigned>(__builtin_clzll(value));
    const unsigned digits = 64 - zeros;
    value <<= zeros;
    for (unsigned done = 0; done < digits; done += 8, value <<= 8)
        std::memcpy(to + done, binary_digits[value >> 56].data(), 8);
    return to + digits;
}

} // namespace

vcd_document::vcd_document(std::ostream& out, unsigned period_ps, const text_cache& texts)
    : out_(out), period_ps_(period_ps), texts_(texts) {
    out_.append("$version SFPU-TLM $end\n");
    out_.append(fmt::format("$comment one cycle is {} ps $end\n", period_ps));
    out_.append("$timescale 1 ps $end\n");
}

void vcd_document::open_scope(std::string_view name) {
    out_.append(fmt::format("$scope module {} $end\n", name));
}

void vcd_document::close_scope() { out_.append("$upscope $end\n"); }

vcd_document::signal vcd_document::add(kind type, unsigned width, std::string_view name,
                                       std::uint64_t initial) {
    assert(count_ < most_signals);
    const auto which = static_cast<signal>(count_++);
    const bool is_vector = type == kind::wire && width > 1;
    const std::string id = identifier(which);
    const std::string ending = (type != kind::wire || is_vector ? " " : "") + id + "\n";
    entry& e = signals_[which];
    e.value = e.written = initial;
    e.type = type;
    e.width = static_cast<std::uint8_t>(width);
    e.ending_size = static_cast<std::uint8_t>(ending.size());
    std::copy(ending.begin(), ending.end(), e.ending.begin());
    out_.append(fmt::format("$var {} {} {} {}{} $end\n", keyword(type), width, id, name,
                            is_vector ? fmt::format(" [{}:0]", width - 1) : ""));
    return which;
}

void vcd_document::end_header() { out_.append("$enddefinitions $end\n"); }

void vcd_document::write_cycle(cycles at) {
    if (!dumped_) {
        append_time(at);
        out_.append("$dumpvars\n");
        for (std::size_t i = 0; i < count_; ++i) append_value(signals_[i]);
        out_.append("$end\n");
        dumped_ = true;
        touched_ = {};
        return;
    }
    bool has_time = false;
    for (unsigned part = 0; part < touched_.size(); ++part)
        for (std::uint64_t& touched = touched_[part]; touched; touched &= touched - 1) {
            entry& e = signals_[part * 64 + static_cast<unsigned>(__builtin_ctzll(touched))];
            if (e.value == e.written) continue;
            if (!has_time) append_time(at);
            has_time = true;
            append_value(e);
        }
}

void vcd_document::finish(cycles last) {
    append_time(last + one_cycle);
    out_.flush();
}

void vcd_document::append_time(cycles at) {
    char* end = out_.room(longest_number);
    *end++ = '#';
    end = put_decimal(end, at.count() * period_ps_);
    *end++ = '\n';
    out_.commit(end);
}

void vcd_document::append_value(entry& e) {
    e.written = e.value;
    char* end = nullptr;
    if (e.type == kind::text) {
        const std::string& text = texts_[e.value];
        end = out_.room(text.size() + longest_number);
        *end++ = 's';
        end = put(end, text);
    } else {
        end = out_.room(longest_number);
        if (e.width > 1) *end++ = 'b';
        if (e.value == unknown) *end++ = 'x';
        else end = put_binary(end, e.value);
    }
    std::memcpy(end, e.ending.data(), e.ending.size());
    out_.commit(end + e.ending_size);
}

} // namespace sfpu::probe
