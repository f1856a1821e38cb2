#include "vcd_document.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <ostream>

namespace sfpu::probe {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;
constexpr std::size_t longest_number = 80; ///< of a line that holds a time or a binary value

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

} // namespace

vcd_document::vcd_document(std::ostream& out, unsigned period_ps, const text_cache& texts)
    : out_(out), period_ps_(period_ps), texts_(texts), buffer_(buffer_size), end_(buffer_.data()) {
    append("$version SFPU-TLM $end\n");
    append(fmt::format("$comment one cycle is {} ps $end\n", period_ps));
    append("$timescale 1 ps $end\n");
}

void vcd_document::open_scope(std::string_view name) { append(fmt::format("$scope module {} $end\n", name)); }

void vcd_document::close_scope() { append("$upscope $end\n"); }

vcd_document::signal vcd_document::add(kind type, unsigned width, std::string_view name,
                                       std::uint64_t initial) {
    assert(signals_.size() < most_signals);
    const auto which = static_cast<signal>(signals_.size());
    signals_.push_back({initial, initial, type, static_cast<std::uint8_t>(width)});
    const bool is_vector = type == kind::wire && width > 1;
    append(fmt::format("$var {} {} {} {}{} $end\n", keyword(type), width, identifier(which), name,
                       is_vector ? fmt::format(" [{}:0]", width - 1) : ""));
    return which;
}

void vcd_document::end_header() { append("$enddefinitions $end\n"); }

void vcd_document::write_cycle(cycles at) {
    if (!dumped_) {
        append_time(at);
        append("$dumpvars\n");
        for (std::size_t i = 0; i < signals_.size(); ++i) append_value(static_cast<signal>(i));
        append("$end\n");
        dumped_ = true;
        touched_ = {};
        return;
    }
    bool has_time = false;
    for (unsigned part = 0; part < touched_.size(); ++part)
        for (std::uint64_t& touched = touched_[part]; touched; touched &= touched - 1) {
            const auto which =
                static_cast<signal>(part * 64 + static_cast<unsigned>(__builtin_ctzll(touched)));
            if (signals_[which].value == signals_[which].written) continue;
            if (!has_time) append_time(at);
            has_time = true;
            append_value(which);
        }
}

void vcd_document::finish(cycles last) {
    append_time(last + one_cycle);
    flush();
    out_.flush();
}

void vcd_document::append(std::string_view text) {
    make_room(text.size());
    end_ = std::copy(text.begin(), text.end(), end_);
}

void vcd_document::append_time(cycles at) {
    make_room(longest_number);
    append('#');
    end_ = fmt::format_to(end_, FMT_COMPILE("{}"), at.count() * period_ps_);
    append('\n');
}

void vcd_document::append_value(signal which) {
    entry& e = signals_[which];
    e.written = e.value;
    if (e.type == kind::text) {
        const std::string& text = texts_[e.value];
        make_room(text.size() + longest_number);
        append('s');
        end_ = std::copy(text.begin(), text.end(), end_);
        append(' ');
    } else {
        make_room(longest_number);
        if (e.width > 1) append('b');
        if (e.value == unknown) append('x');
        else append_binary(e.value);
        if (e.width > 1) append(' '); // a scalar stands without a blank before the identifier
    }
    append_identifier(which);
    append('\n');
}

void vcd_document::append_identifier(signal which) {
    append(identifier_character(which % identifier_characters));
    if (which >= identifier_characters) append(identifier_character(which / identifier_characters - 1));
}

/// Without leading zeros, with which readers extend.
void vcd_document::append_binary(std::uint64_t value) {
    unsigned digits = value ? 64 - static_cast<unsigned>(__builtin_clzll(value)) : 1;
    char* end = end_;
    if (const unsigned partial = digits % 8) { // the last digits of the table's eight
        digits -= partial;
        end = std::copy_n(binary_digits[value >> digits].data() + 8 - partial, partial, end);
    }
    while (digits) {
        digits -= 8;
        end = std::copy_n(binary_digits[value >> digits & 0xff].data(), 8, end);
    }
    end_ = end;
}

/// Empties the buffer and sees that it holds `bytes`.
void vcd_document::empty_for(std::size_t bytes) {
    flush();
    if (buffer_.size() < bytes) buffer_.resize(bytes);
    end_ = buffer_.data();
}

void vcd_document::flush() {
    out_.write(buffer_.data(), end_ - buffer_.data());
    end_ = buffer_.data();
}

} // namespace sfpu::probe
