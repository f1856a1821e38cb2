#include "vcd_document.h"

#include <sfpu/probe/text_cache.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

namespace sfpu::traces {

using namespace probe;

namespace {

/// Identifiers are made of printable characters, of which there are 94: one for the first signals, then two.
constexpr char first_identifier = '!';
constexpr unsigned identifier_characters = 94;
[[maybe_unused]] constexpr unsigned most_identifiers = identifier_characters * (identifier_characters + 1);

/// The eight binary digits of every byte. Binary numbers are most of the file.
constexpr auto binary_digits = [] {
    std::array<std::array<char, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned i = 0; i < 8; ++i) table[byte][i] = static_cast<char>('0' + (byte >> (7 - i) & 1));
    return table;
}();

char identifier_character(unsigned index) { return static_cast<char>(first_identifier + index); }

std::string identifier(unsigned which) {
    std::string result(1, identifier_character(which % identifier_characters));
    if (which >= identifier_characters) result += identifier_character(which / identifier_characters - 1);
    return result;
}

const char* keyword(vcd_document::kind type) {
    switch (type) {
    case vcd_document::kind::wire: return "wire";
    case vcd_document::kind::integer: return "integer";
    case vcd_document::kind::text: return "string";
    case vcd_document::kind::event: return "event";
    }
    return "wire";
}

void put_digits(char* to, std::uint32_t byte) { std::memcpy(to, binary_digits[byte].data(), 8); }

/// Without leading zeros, with which readers extend. Writes up to seven characters behind its end.
char* put_binary(char* to, std::uint64_t value) {
    const auto zeros = static_cast<unsigned>(__builtin_clzll(value | 1));
    const unsigned digits = 64 - zeros;
    value <<= zeros;
    put_digits(to, static_cast<std::uint32_t>(value >> 56));
    for (unsigned done = 8; done < digits; done += 8) {
        value <<= 8;
        put_digits(to + done, static_cast<std::uint32_t>(value >> 56));
    }
    return to + digits;
}

/// The same for most of the numbers that there are. Writes 32 characters.
char* put_binary(char* to, std::uint32_t value) {
    const auto zeros = static_cast<unsigned>(__builtin_clz(value | 1));
    value <<= zeros;
    put_digits(to, value >> 24);
    put_digits(to + 8, value >> 16 & 0xff);
    put_digits(to + 16, value >> 8 & 0xff);
    put_digits(to + 24, value & 0xff);
    return to + (32 - zeros);
}

} // namespace

vcd_document::vcd_document(std::ostream& out, unsigned period_ps, const text_cache& texts)
    : out_(out), texts_(texts) {
    out_.append("$version SFPU-TLM $end\n");
    out_.append(fmt::format(
        "$comment the time axis counts cycles: one is shown as 1 ns and lasts {} ps $end\n", period_ps));
    out_.append("$timescale 1 ps $end\n");
    // Signal 0.
    open_scope("clock");
    add(kind::wire, 1, "clock", 1);
    close_scope();
}

void vcd_document::open_scope(std::string_view name) {
    out_.append(fmt::format("$scope module {} $end\n", name));
}

void vcd_document::close_scope() { out_.append("$upscope $end\n"); }

vcd_document::signal vcd_document::add(kind type, unsigned width, std::string_view name,
                                       std::uint64_t initial) {
    assert(count_ < most_signals);
    const auto which = static_cast<signal>(count_++);
    entry& e = signals_[which];
    e.value = e.written = initial;
    e.type = type;
    text_signals_ += type == kind::text;
    e.width = static_cast<std::uint8_t>(width);
    e.ending = declare(type, width, name);
    return which;
}

vcd_document::bundle vcd_document::add_bundle() {
    bundles_.emplace_back();
    return static_cast<bundle>(bundles_.size() - 1);
}

void vcd_document::add(bundle to, unsigned lane, std::string_view name) {
    bundles_[to].signals.push_back({static_cast<std::uint8_t>(lane), declare(kind::wire, 32, name)});
    bundles_[to].shown |= lane_mask{1} << lane;
}

/// Declares a signal in the scope that is open, under the next identifier.
vcd_document::value_ending vcd_document::declare(kind type, unsigned width, std::string_view name) {
    assert(identifiers_ < most_identifiers);
    const std::string id = identifier(identifiers_++);
    const bool is_vector = type == kind::wire && width > 1;
    const bool has_blank = type == kind::integer || type == kind::text || is_vector;
    const std::string text = (has_blank ? " " : "") + id + "\n";
    value_ending ending;
    ending.size = static_cast<std::uint8_t>(text.size());
    std::copy(text.begin(), text.end(), ending.text.begin());
    out_.append(fmt::format("$var {} {} {} {}{} $end\n", keyword(type), width, id, name,
                            is_vector ? fmt::format(" [{}:0]", width - 1) : ""));
    return ending;
}

void vcd_document::end_header() { out_.append("$enddefinitions $end\n"); }

void vcd_document::write_cycle(cycles at) {
    char* end = out_.room(longest_cycle());
    if (!dumped_) {
        end = put(put_time(end, at), "$dumpvars\n");
        for (std::size_t i = 0; i < count_; ++i)
            if (signals_[i].type != kind::event || signals_[i].value == 1) end = put_value(end, signals_[i]);
        for (bundle_entry& each : bundles_) end = put_bundle(end, each, true);
        out_.commit(end);
        out_.append("$end\n");
        dumped_ = true;
        touched_ = {};
        out_.commit(put_falling_edge(out_.room(longest_number), at));
        return;
    }
    signals_[clock].value = 1;
    end = put_changes(put_value(put_time(end, at), signals_[clock]));
    out_.commit(put_falling_edge(end, at));
}

/// The clock is high in the first half of a cycle.
char* vcd_document::put_falling_edge(char* to, cycles at) {
    *to = '#';
    to = put_decimal(to + 1, at.count() * cycle_length + cycle_length / 2);
    *to++ = '\n';
    signals_[clock].value = 0;
    return put_value(to, signals_[clock]);
}

void vcd_document::finish(cycles last, bool has_state) {
    char* end = put_time(out_.room(longest_cycle()), last + one_cycle);
    if (dumped_ && has_state) end = put_changes(end);
    out_.commit(end);
    out_.flush();
}

/// Values that differ from those in the file.
char* vcd_document::put_changes(char* to) {
    for (unsigned part = 0; part < touched_.size(); ++part) {
        for (std::uint64_t rest = touched_[part]; rest != 0; rest &= rest - 1) {
            entry& e = signals_[part * 64 + static_cast<unsigned>(__builtin_ctzll(rest))];
            if (e.value != e.written) to = put_value(to, e);
        }
        touched_[part] = 0;
    }
    for (bundle_entry& each : bundles_)
        if (each.touched) to = put_bundle(to, each, false);
    return to;
}

/// The lanes that differ from those in the file, or all of them.
char* vcd_document::put_bundle(char* to, bundle_entry& b, bool whole) {
    for (const bundle_entry::lane_signal& signal : b.signals) {
        const unsigned lane = signal.lane;
        const bool is_driven = b.driven >> lane & 1u, was_driven = b.written_driven >> lane & 1u;
        const std::uint32_t value = b.value.v[lane];
        if (is_driven == was_driven && (!is_driven || value == b.written.v[lane]) && !whole) continue;
        b.written.v[lane] = value;
        *to++ = 'b';
        if (is_driven) to = put_binary(to, value);
        else *to++ = 'z';
        to = put_ending(to, signal.ending);
    }
    b.written_driven = b.driven;
    b.touched = false;
    return to;
}

char* vcd_document::put_ending(char* to, const value_ending& ending) {
    std::memcpy(to, ending.text.data(), ending.text.size());
    return to + ending.size;
}

char* vcd_document::put_time(char* to, cycles at) const {
    *to = '#';
    to = put_decimal(to + 1, at.count() * cycle_length);
    *to = '\n';
    return to + 1;
}

char* vcd_document::put_value(char* to, entry& e) const {
    e.written = e.value;
    if (e.type == kind::event) {
        *to++ = '1';
        e.value = e.written = unknown; // it happens once
    } else if (e.type == kind::text) {
        *to = 's';
        to = put(to + 1, texts_[e.value]);
    } else if (e.width == 1) {
        *to++ = e.value == unknown ? 'z' : static_cast<char>('0' + e.value);
    } else {
        *to++ = 'b';
        if (e.value == unknown) *to++ = 'z';
        else to = put_binary(to, e.value);
    }
    return put_ending(to, e.ending);
}

} // namespace sfpu::traces
