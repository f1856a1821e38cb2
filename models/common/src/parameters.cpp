#include <sfpu/common/parameters.h>

#include "parameter_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace sfpu {
namespace {

std::vector<parameter_row> make_table() {
    std::vector<parameter_row> table;
    for (auto part : {vector_unit_parameter_rows, front_end_parameter_rows, hart_parameter_rows,
                      tensorload_parameter_rows, memory_parameter_rows})
        for (parameter_row& row : part()) table.push_back(std::move(row));
    return table;
}

std::string lower_case(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string_view trimmed(std::string_view word) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    return word;
}

std::optional<std::uint64_t> parse_number(std::string_view digits, int base) {
    if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        digits.remove_prefix(2);
        base = 16;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_boolean(std::string_view word) {
    if (word == "true" || word == "on" || word == "1") return 1;
    if (word == "false" || word == "off" || word == "0") return 0;
    return std::nullopt;
}

std::optional<std::uint64_t> parse_choice(std::string_view word, const std::vector<std::string>& choices) {
    const auto index_of = [&](std::string_view name) -> std::optional<std::uint64_t> {
        const auto found = std::find(choices.begin(), choices.end(), name);
        if (found == choices.end()) return std::nullopt;
        return static_cast<std::uint64_t>(found - choices.begin());
    };
    if (const auto index = index_of(word)) return index;
    // A choice that can be true or false takes the other spellings of booleans, too.
    if (const auto boolean = parse_boolean(word)) return index_of(*boolean ? "true" : "false");
    return std::nullopt;
}

/// A permutation of all choices.
std::optional<std::uint64_t> parse_order(std::string_view names, const std::vector<std::string>& choices) {
    std::uint64_t order = 0;
    unsigned seen = 0;
    for (unsigned place = 0; place < choices.size(); ++place) {
        const bool last = place + 1 == choices.size();
        const std::size_t comma = last ? names.size() : names.find(',');
        if (comma == std::string_view::npos) return std::nullopt;
        const auto found = std::find(choices.begin(), choices.end(), trimmed(names.substr(0, comma)));
        if (found == choices.end()) return std::nullopt;
        const auto index = static_cast<unsigned>(found - choices.begin());
        if (seen >> index & 1) return std::nullopt;
        seen |= 1u << index;
        order |= std::uint64_t{index} << (4 * place);
        names.remove_prefix(last ? comma : comma + 1);
    }
    return order;
}

std::optional<std::uint64_t> parse_value(const parameter_row& row, std::string_view value) {
    std::optional<std::uint64_t> number;
    switch (row.type) {
    case parameter_type::integer: number = parse_number(value, 10); break;
    case parameter_type::boolean: number = parse_boolean(value); break;
    case parameter_type::hexadecimal: number = parse_number(value, 16); break;
    case parameter_type::choice: number = parse_choice(value, row.choices); break;
    case parameter_type::order: number = parse_order(value, row.choices); break;
    }
    if (number && (*number < row.minimum || *number > row.maximum)) return std::nullopt;
    return number;
}

/// Whether parse_value() gives this number for some text.
bool is_valid(const parameter_row& row, std::uint64_t value) {
    if (value < row.minimum || value > row.maximum) return false;
    const std::size_t count = row.choices.size();
    if (row.type == parameter_type::boolean) return value <= 1;
    if (row.type == parameter_type::choice) return value < count;
    if (row.type != parameter_type::order) return true;
    unsigned seen = 0;
    for (std::size_t place = 0; place < count; ++place) seen |= 1u << (value >> (4 * place) & 15);
    return seen == (1u << count) - 1 && value >> (4 * count) == 0;
}

std::string order_text(std::uint64_t value, const std::vector<std::string>& choices) {
    std::string names;
    for (std::size_t place = 0; place < choices.size(); ++place) {
        const std::size_t index = value >> (4 * place) & 15;
        if (place) names += ',';
        names += index < choices.size() ? choices[index] : "?";
    }
    return names;
}

std::string hexadecimal_text(std::uint64_t value) {
    std::string digits;
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[value >> shift & 15];
    return digits;
}

/// How many edits it takes at least: those letters of each that the other does not have.
std::size_t least_edits(std::string_view a, std::string_view b) {
    std::array<int, 256> surplus{};
    for (const char letter : a) ++surplus[static_cast<unsigned char>(letter)];
    for (const char letter : b) --surplus[static_cast<unsigned char>(letter)];
    std::size_t only_a = 0, only_b = 0;
    for (const int each : surplus) (each > 0 ? only_a : only_b) += static_cast<std::size_t>(std::abs(each));
    return std::max(only_a, only_b);
}

/// Edits (insert, remove, replace, exchange of neighbours) that turn one word into the other; `most` + 1 if
/// they are more.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
    if (least_edits(a, b) > most) return most + 1;
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    std::size_t least_before = 0, least = 0;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        std::size_t least_next = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1);
            least_next = std::min(least_next, next[j]);
        }
        before.swap(row);
        row.swap(next);
        least_before = std::exchange(least, least_next);
        if (least > most && least_before + 1 > most) return most + 1; // nor will any later row
    }
    return row[b.size()];
}

bool ends_with(std::string_view word, std::string_view end) {
    return word.size() >= end.size() && word.substr(word.size() - end.size()) == end;
}

} // namespace

const char* to_string(evidence value) {
    switch (value) {
    case evidence::documented: return "documented";
    case evidence::measured: return "measured";
    case evidence::inferred: return "inferred";
    case evidence::choice: return "choice";
    }
    return "?";
}

const char* to_string(parameter_type type) {
    switch (type) {
    case parameter_type::integer: return "integer";
    case parameter_type::boolean: return "boolean";
    case parameter_type::hexadecimal: return "hexadecimal";
    case parameter_type::choice: return "choice";
    case parameter_type::order: return "order";
    }
    return "?";
}

const std::vector<parameter_row>& parameter_table() {
    static const std::vector<parameter_row> table = make_table();
    return table;
}

const parameter_row* find_parameter(std::string_view path) {
    for (const parameter_row& row : parameter_table())
        if (path == row.path) return &row;
    return nullptr;
}

std::string parameter_row::text(const parameters& config) const { return text_of(get(config)); }

std::string parameter_row::chip_text(architecture arch) const {
    if (std::string_view(path).substr(0, 11) == "tensorload.") return "none"; // no chip has such an engine
    return text_of(on_chip ? on_chip(arch) : get(parameters{}));
}

bool parameter_row::differs_from_chip(const parameters& config) const {
    const std::uint64_t usual = get(parameters{}), found = get(config);
    return found != usual && !(on_chip && found == on_chip(config.arch));
}

parameters with_chip_timing(const parameters& config) {
    const parameters usual;
    parameters result = config;
    for (const parameter_row& row : parameter_table())
        if (row.timing) row.set(result, row.get(usual));
    return result;
}

std::string parameter_row::text_of(std::uint64_t value) const {
    switch (type) {
    case parameter_type::integer: return std::to_string(value);
    case parameter_type::boolean: return value ? "true" : "false";
    case parameter_type::hexadecimal: return hexadecimal_text(value);
    case parameter_type::choice: return value < choices.size() ? choices[value] : "?";
    case parameter_type::order: return order_text(value, choices);
    }
    return "?";
}

std::string expected_values(const parameter_row& row) {
    switch (row.type) {
    case parameter_type::integer: {
        const std::string unit = *row.unit ? std::string(" ") + row.unit : std::string();
        return std::to_string(row.minimum) + " to " + std::to_string(row.maximum) + unit;
    }
    case parameter_type::boolean: return "true or false";
    case parameter_type::hexadecimal: return "one to eight hexadecimal digits";
    case parameter_type::choice:
    case parameter_type::order: break;
    }
    const bool order = row.type == parameter_type::order;
    std::string list;
    for (std::size_t i = 0; i < row.choices.size(); ++i) {
        if (i) list += order ? "," : i + 1 == row.choices.size() ? " or " : ", ";
        list += row.choices[i];
    }
    return order ? "each of " + list + " once, separated by commas" : list;
}

std::optional<std::string> set_parameter(parameters& config, std::string_view path, std::string_view value) {
    const parameter_row* row = find_parameter(path);
    if (!row) {
        std::vector<std::string> paths;
        for (const parameter_row& other : parameter_table()) paths.emplace_back(other.path);
        const std::string near = nearest(path, paths);
        std::string problem = "unknown parameter '" + std::string(path) + "'";
        problem += near.empty() ? "; 'sfpusim info --params' lists all" : "; the nearest is '" + near + "'";
        return problem;
    }
    const std::optional<std::uint64_t> number = parse_value(*row, trimmed(value));
    if (!number)
        return std::string(row->path) + ": found '" + std::string(value) + "', expected " +
               expected_values(*row);
    row->set(config, *number);
    return std::nullopt;
}

std::vector<std::string> parameters::problems() const {
    std::vector<std::string> found;
    for (const parameter_row& row : parameter_table())
        if (!is_valid(row, row.get(*this)))
            found.push_back(std::string(row.path) + ": found '" + row.text(*this) + "', expected " +
                            expected_values(row));
    return found;
}

namespace {

std::size_t common_beginning(std::string_view a, std::string_view b) {
    std::size_t length = 0;
    while (length < a.size() && length < b.size() && a[length] == b[length]) ++length;
    return length;
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string wanted = lower_case(word);
    std::string best;
    std::size_t best_distance = std::numeric_limits<std::size_t>::max(), best_beginning = 0;
    for (const std::string& candidate : candidates) {
        const std::string name = lower_case(candidate);
        if (wanted.size() > 2 * name.size()) continue; // the distance is more than half of it already
        const std::size_t most = std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 2);
        // The tail of a dotted path is a likely slip, "latency.mad" for "sfpu.latency.mad", as is that of a
        // name without its prefix.
        const bool is_tail =
            !wanted.empty() && (ends_with(name, "." + wanted) || ends_with(name, "_" + wanted));
        std::size_t distance = edit_distance(wanted, name, std::min(most, best_distance));
        if (is_tail) distance = std::min<std::size_t>(distance, 1);
        // Of two that are equally near, the one that begins alike: people seldom err in the first letters.
        const std::size_t beginning = common_beginning(wanted, name);
        if (distance > most || distance > best_distance ||
            (distance == best_distance && beginning <= best_beginning))
            continue;
        best = candidate;
        best_distance = distance;
        best_beginning = beginning;
    }
    return best;
}

} // namespace sfpu
