#include <sfpu/common/parameters.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace sfpu {
namespace {

// How a value is written, by the type of its field.
std::string text(unsigned value) { return std::to_string(value); }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(architecture value) { return short_name(value); }
std::string text(delay_scope value) { return value == delay_scope::sub_unit ? "sub_unit" : "macro"; }
std::string text(stall_choice value) {
    return value == stall_choice::by_architecture ? "by_architecture"
           : value == stall_choice::on            ? "true"
                                                  : "false";
}
std::string hexadecimal_text(std::uint32_t value) {
    std::string digits;
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[value >> shift & 15];
    return digits;
}

/// In the order of write_port.
const std::vector<std::string> write_port_names{"mad", "second_cycle", "simple", "round", "load"};

std::string write_order_text(write_order order) {
    std::string names;
    for (unsigned place = 0; place < write_port_count; ++place) {
        const unsigned port = order >> (4 * place) & 15;
        if (place) names += ',';
        names += port < write_port_count ? write_port_names[port] : "?";
    }
    return names;
}

// Accessors of one field, made from a pointer to member so that a row of the table cannot read one field and
// write another.
template <auto Member>
std::string get_field(const parameters& p) {
    return text(p.*Member);
}
template <auto Member>
std::string get_hexadecimal(const parameters& p) {
    return hexadecimal_text(p.*Member);
}
template <auto Member>
std::string get_order(const parameters& p) {
    return write_order_text(p.*Member);
}
template <auto Member>
void set_field(parameters& p, std::uint64_t value) {
    using field = std::remove_reference_t<decltype(p.*Member)>;
    p.*Member = static_cast<field>(value);
}

template <auto Member>
parameter_row integer(const char* path, std::uint64_t minimum, std::uint64_t maximum, const char* unit,
                      evidence basis, const char* source, const char* help) {
    return {path, parameter_type::integer, minimum,          maximum, {}, unit, basis, source,
            help, get_field<Member>,       set_field<Member>};
}
template <auto Member>
parameter_row boolean(const char* path, evidence basis, const char* source, const char* help) {
    return {path,
            parameter_type::boolean,
            0,
            1,
            {},
            "",
            basis,
            source,
            help,
            get_field<Member>,
            set_field<Member>};
}
template <auto Member>
parameter_row choice(const char* path, std::vector<std::string> choices, evidence basis, const char* source,
                     const char* help) {
    const std::uint64_t last = choices.size() - 1;
    return {path,
            parameter_type::choice,
            0,
            last,
            std::move(choices),
            "",
            basis,
            source,
            help,
            get_field<Member>,
            set_field<Member>};
}

std::vector<parameter_row> make_table() {
    using p = parameters;
    using e = evidence;
    return {
        choice<&p::arch>("arch", {"bh", "wh"}, e::choice, "architecture", "the chip: Blackhole or Wormhole"),

        integer<&p::latency_load>("sfpu.latency.load", 1, 8, "cycles", e::measured, "timing.md T2",
                                  "cycles from a load to the first cycle that sees its result"),
        integer<&p::latency_simple>("sfpu.latency.simple", 1, 8, "cycles", e::measured, "timing.md T2",
                                    "the same for the Simple sub-unit, SFPSWAP excepted"),
        integer<&p::latency_mad>("sfpu.latency.mad", 1, 8, "cycles", e::documented,
                                 "timing.md T3; ISA documentation, VectorUnit", "the same for the MAD class"),
        integer<&p::latency_round>("sfpu.latency.round", 1, 8, "cycles", e::documented,
                                   "timing.md T2; ISA documentation, SFPSTOCHRND",
                                   "the same for the Round sub-unit, two-cycle SFPSHFT2 excepted"),
        integer<&p::latency_swap>("sfpu.latency.swap", 2, 8, "cycles", e::documented,
                                  "timing.md T8; ISA documentation, SFPSWAP", "the same for SFPSWAP"),
        integer<&p::latency_shuffle>("sfpu.latency.shuffle", 2, 8, "cycles", e::documented,
                                     "timing.md T8; ISA documentation, SFPSHFT2",
                                     "the same for SFPSHFT2 modes 2 to 4"),

        integer<&p::macro_slots>("macro.slots", 1, 8, "entries", e::inferred,
                                 "timing.md T12; ISA documentation, SFPLOADMACRO",
                                 "scheduled instructions that one sub-unit can have outstanding"),
        integer<&p::macro_delay_bits>("macro.delay_bits", 1, 3, "bits", e::documented,
                                      "ISA documentation, SFPLOADMACRO",
                                      "bits of the delay field that are used"),
        choice<&p::macro_delay_kind_scope>("macro.delay_kind_scope", {"sub_unit", "macro"}, e::documented,
                                           "timing.md, open questions",
                                           "whether UnitDelayKind is indexed by sub-unit or by macro"),
        boolean<&p::macro_firing_entry_outstanding>(
            "macro.firing_entry_outstanding", e::inferred, "timing.md, open questions",
            "whether an entry that executes in this cycle still decides what a tick is"),

        choice<&p::sfpu_auto_stall>(
            "sfpu.auto_stall", {"by_architecture", "true", "false"}, e::documented, "timing.md T16, T17",
            "automatic stalls for MAD and SFPSHFT2 results; by architecture: Blackhole only"),
        {"sfpu.write_order", parameter_type::order, 0, 0x44444, write_port_names, "", e::inferred,
         "timing.md T2a", "order in which writes of one LReg in one cycle are applied, the last wins",
         get_order<&p::sfpu_write_order>, set_field<&p::sfpu_write_order>},
        {"sfpu.lreg12_default",
         parameter_type::hexadecimal,
         0,
         0xffffffffu,
         {},
         "",
         e::documented,
         "ISA documentation, SFPCONFIG (older pages give 37800000)",
         "LReg[12] at reset and by SFPCONFIG's default",
         get_hexadecimal<&p::sfpu_lreg12_default>,
         set_field<&p::sfpu_lreg12_default>},

        integer<&p::dst_store_load_visible>(
            "dst.store_load_visible", 0, 16, "cycles", e::measured, "timing.md T7",
            "distance from a store to the first load of its slice that sees it"),
        integer<&p::dst_store_load_warn>(
            "dst.store_load_warn", 0, 16, "cycles", e::inferred, "timing.md T7",
            "loads up to this distance after a store of the same slice are reported"),

        integer<&p::clock_period_ps>(
            "clock.period_ps", 0, 100000, "ps", e::documented, "timing.md (1.35 GHz, 1 GHz)",
            "clock period; 0: by architecture, 741 on Blackhole and 1000 on Wormhole"),
    };
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

/// Edits (insert, remove, replace, exchange of neighbours) that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
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
    // A value is good if its text is: the table holds each range once.
    std::vector<std::string> found;
    parameters scratch;
    for (const parameter_row& row : parameter_table())
        if (auto problem = set_parameter(scratch, row.path, row.get(*this)))
            found.push_back(std::move(*problem));
    return found;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string wanted = lower_case(word);
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        const std::string name = lower_case(candidate);
        std::size_t distance = edit_distance(wanted, name);
        // The tail of a dotted path is a likely slip: "latency.mad" for "sfpu.latency.mad".
        if (!wanted.empty() && ends_with(name, "." + wanted)) distance = std::min<std::size_t>(distance, 1);
        if (distance > std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 2)) continue;
        if (best.empty() || distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

} // namespace sfpu
