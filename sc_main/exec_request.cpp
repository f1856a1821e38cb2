#include "exec_protocol.h"
#include "program.h"
#include "thread_settings.h"

#include <sfpu/frontend/mop_expander.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace sfpu::cli {
namespace {

using json = nlohmann::json;

constexpr unsigned maximum_depth = 64;               ///< of nested values; a request needs three
constexpr std::uint64_t maximum_bubbles = 1'000'000; ///< before one word
constexpr unsigned dst_rows = 1024, dst_columns = 16;

/// Where a value stands in the request. Text is made of it only if there is something to complain about.
struct place {
    const char* field;
    std::string_view key = {};
    std::ptrdiff_t first = -1, second = -1; ///< indices, -1: none

    place at(std::size_t index) const {
        place element = *this;
        (first < 0 ? element.first : element.second) = static_cast<std::ptrdiff_t>(index);
        return element;
    }
};

std::string to_string(const place& where) {
    std::string text = where.field;
    if (!where.key.empty()) text += "." + std::string(where.key);
    if (where.first >= 0) text += "[" + std::to_string(where.first) + "]";
    if (where.second >= 0) text += "[" + std::to_string(where.second) + "]";
    return text;
}

/// A value as error messages name it: never longer than a line, whatever it holds.
std::string describe(const json& value) {
    constexpr std::size_t longest = 40;
    if (value.is_array()) return "an array of " + std::to_string(value.size());
    if (value.is_object()) return "an object";
    if (!value.is_string()) return value.dump();
    const std::string& text = value.get_ref<const std::string&>();
    return "'" + (text.size() <= longest ? text : text.substr(0, longest) + "...") + "'";
}

[[noreturn]] void refuse(const std::string& message) { throw request_error("bad-request", message); }
[[noreturn]] void refuse(const place& where, const json& found, const std::string& expected) {
    refuse(to_string(where) + ": found " + describe(found) + ", expected " + expected);
}

// Values ----------------------------------------------------------------------------------------------------

std::optional<std::uint32_t> parse_hex(std::string_view text, unsigned digits) {
    if (text.size() != digits) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : text) {
        const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                               : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                      : 16;
        if (digit == 16) return std::nullopt;
        value = value << 4 | digit;
    }
    return value;
}

std::uint32_t read_hex(const json& value, const place& where, unsigned digits = 8) {
    if (value.is_string())
        if (const auto number = parse_hex(value.get_ref<const std::string&>(), digits)) return *number;
    refuse(where, value, "a string of " + std::to_string(digits) + " hexadecimal digits");
}

bool read_boolean(const json& value, const place& where) {
    if (!value.is_boolean()) refuse(where, value, "true or false");
    return value.get<bool>();
}

const std::string& read_string(const json& value, const place& where, const char* expected) {
    if (!value.is_string()) refuse(where, value, expected);
    return value.get_ref<const std::string&>();
}

const json& require_array(const json& value, const place& where, const std::string& expected) {
    if (!value.is_array()) refuse(where, value, expected);
    return value;
}
const json& require_array(const json& value, const place& where, std::size_t size,
                          const std::string& elements) {
    if (!value.is_array() || value.size() != size)
        refuse(where, value, std::to_string(size) + " " + elements);
    return value;
}
const json& require_object(const json& value, const place& where, const char* expected) {
    if (!value.is_object()) refuse(where, value, expected);
    return value;
}

/// A decimal number below `limit` as a key of an object, written the one usual way.
std::optional<unsigned> parse_index(std::string_view text, unsigned limit) {
    if (text.empty() || text.size() > 4 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
    unsigned value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value < limit ? std::optional(value) : std::nullopt;
}

/// 32 values, or one for all lanes.
lanes read_lanes(const json& value, const place& where) {
    if (value.is_string()) return broadcast(read_hex(value, where));
    if (!value.is_array() || value.size() != lane_count)
        refuse(where, value, "a string of 8 hexadecimal digits or an array of 32 of them");
    lanes result;
    for (unsigned lane = 0; lane < lane_count; ++lane) result[lane] = read_hex(value[lane], where.at(lane));
    return result;
}

// Fields ----------------------------------------------------------------------------------------------------

void read_id(const json&, exec_request&) {}      // taken before everything else
void read_machine(const json&, exec_request&) {} // arch and parameters, too

void read_words(const json& value, exec_request& request) {
    const place where{"words"};
    require_array(value, where, "an array of strings of 8 hexadecimal digits");
    platform::program_segment segment;
    segment.words.reserve(value.size());
    for (const json& word : value) segment.words.push_back(read_hex(word, where.at(segment.words.size())));
    request.run.segments = {std::move(segment)};
}

void read_lreg(const json& value, exec_request& request) {
    require_object(value, {"lreg"}, "an object of registers");
    for (const auto& item : value.items()) {
        const auto index = parse_index(item.key(), isa::lreg_count);
        if (!index || (*index > 7 && *index < 11) || *index == 15)
            refuse("lreg: found register '" + item.key() +
                   "', expected \"0\" to \"7\", \"11\" to \"14\" or \"16\"");
        request.run.state.lreg[*index] = read_lanes(item.value(), {"lreg", item.key()});
    }
}

void read_lane_flags(const json& value, exec_request& request) {
    request.run.state.flags = read_hex(value, {"lane_flags"});
}

void read_use_lane_flags(const json& value, exec_request& request) {
    request.run.state.use_flags = read_hex(value, {"use_lane_flags"});
}

void read_flag_stack(const json& value, exec_request& request) {
    const place where{"flag_stack"};
    require_array(value, where, "an array of [lane_flags, use_lane_flags]");
    if (value.size() > isa::flag_stack::capacity) refuse(where, value, "at most 8 entries");
    for (std::size_t i = 0; i < value.size(); ++i) {
        const place entry = where.at(i);
        require_array(value[i], entry, 2, "strings of 8 hexadecimal digits");
        request.run.state.stack.push(
            {read_hex(value[i][0], entry.at(0)), read_hex(value[i][1], entry.at(1))});
    }
}

void read_lane_config(const json& value, exec_request& request) {
    const place where{"lane_config"};
    isa::lane_configuration& config = request.run.state.config;
    if (value.is_string()) {
        const std::uint32_t all = read_hex(value, where);
        for (unsigned column = 0; column < column_count; ++column) config.set_column(column, all);
        return;
    }
    if (!value.is_array() || (value.size() != column_count && value.size() != lane_count))
        refuse(where, value, "a string of 8 hexadecimal digits or an array of 8 or 32 of them");
    std::array<std::uint32_t, column_count> columns{};
    for (std::size_t lane = 0; lane < value.size(); ++lane) {
        const std::uint32_t given = read_hex(value[lane], where.at(lane));
        const std::size_t column = lane % column_count;
        if (lane >= column_count && given != columns[column])
            refuse(where.at(lane), value[lane],
                   "the value of lane " + std::to_string(column) + ", which shares its column");
        columns[column] = given;
    }
    for (unsigned column = 0; column < column_count; ++column) config.set_column(column, columns[column]);
}

void read_macro(const json& value, exec_request& request) {
    require_object(value, {"macro"}, "an object with template, sequence and misc");
    isa::macro_configuration macro;
    const auto read_four = [](const json& list, const place& where, std::array<std::uint32_t, 4>& words) {
        require_array(list, where, words.size(), "strings of 8 hexadecimal digits");
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = read_hex(list[i], where.at(i));
    };
    for (const auto& item : value.items()) {
        const place where{"macro", item.key()};
        if (item.key() == "template") read_four(item.value(), where, macro.instruction_template);
        else if (item.key() == "sequence") read_four(item.value(), where, macro.sequence);
        else if (item.key() == "misc") macro.misc = read_hex(item.value(), where, 3);
        else
            refuse("macro: unknown field '" + item.key() + "'" +
                   suggestion(item.key(), {"template", "sequence", "misc"},
                              "; expected template, sequence or misc"));
    }
    request.run.state.macro.fill(macro);
    ++request.run.state.macro_version;
}

void read_dst(const json& value, exec_request& request) {
    require_object(value, {"dst"}, "an object of rows");
    for (const auto& item : value.items()) {
        const auto row = parse_index(item.key(), dst_rows);
        if (!row) refuse("dst: found row '" + item.key() + "', expected \"0\" to \"1023\"");
        const place where{"dst", item.key()};
        require_array(item.value(), where, dst_columns, "strings of 4 hexadecimal digits");
        auto& cells = request.run.dst_rows[*row];
        for (unsigned column = 0; column < dst_columns; ++column)
            cells[column] = static_cast<std::uint16_t>(read_hex(item.value()[column], where.at(column), 4));
    }
}

void read_prng(const json& value, exec_request& request) {
    request.run.state.prng = read_lanes(value, {"prng"});
}

void apply_setting(const thread_setting& setting, unsigned index, const json& value, const place& where,
                   thread_setup& setup) {
    if (setting.is_boolean()) return setting.apply(setup, index, read_boolean(value, where));
    if (setting.kind == thread_setting::value_kind::word)
        return setting.apply(setup, index, read_hex(value, where));
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > setting.maximum)
        refuse(where, value, "an integer from 0 to " + std::to_string(setting.maximum));
    setting.apply(setup, index, value.get<unsigned>());
}

void read_config(const json& value, exec_request& request) {
    require_object(value, {"config"}, "an object of settings");
    thread_setup setup{request.run.thread, request.run.front_end};
    for (const auto& item : value.items()) {
        const thread_setting* setting = find_thread_setting(item.key());
        if (!setting)
            refuse("config: unknown setting '" + item.key() + "'" +
                   suggestion(item.key(), thread_setting_names()));
        const place where{"config", item.key()};
        if (setting->count == 1) {
            apply_setting(*setting, 0, item.value(), where, setup);
            continue;
        }
        if (!item.value().is_array() || item.value().size() != setting->count)
            refuse(where, item.value(), expected_values(*setting));
        for (unsigned i = 0; i < setting->count; ++i)
            apply_setting(*setting, i, item.value()[i], where.at(i), setup);
    }
}

void read_bubbles(const json& value, exec_request& request) {
    const place where{"bubbles"};
    require_array(value, where, "an array of integers");
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!value[i].is_number_unsigned() || value[i].get<std::uint64_t>() > maximum_bubbles)
            refuse(where.at(i), value[i], "an integer from 0 to " + std::to_string(maximum_bubbles));
        request.run.bubbles.push_back(value[i].get<unsigned>());
    }
}

void read_timeline(const json& value, exec_request& request) {
    request.timeline = read_boolean(value, {"timeline"});
}

void read_hazards(const json& value, exec_request& request) {
    constexpr auto expected = "\"error\", \"warn\" or \"off\"";
    if (!parse(read_string(value, {"hazards"}, expected), request.run.hazards))
        refuse({"hazards"}, value, expected);
}

struct field {
    const char* name;
    void (*read)(const json&, exec_request&);
};
constexpr field fields[] = {
    {"id", read_id},
    {"arch", read_machine},
    {"parameters", read_machine},
    {"words", read_words},
    {"lreg", read_lreg},
    {"lane_flags", read_lane_flags},
    {"use_lane_flags", read_use_lane_flags},
    {"flag_stack", read_flag_stack},
    {"lane_config", read_lane_config},
    {"macro", read_macro},
    {"dst", read_dst},
    {"prng", read_prng},
    {"config", read_config},
    {"bubbles", read_bubbles},
    {"timeline", read_timeline},
    {"hazards", read_hazards},
};

const field& find_field(const std::string& name) {
    for (const field& known : fields)
        if (name == known.name) return known;
    std::vector<std::string> names;
    for (const field& known : fields) names.emplace_back(known.name);
    refuse("unknown field '" + name + "'" + suggestion(name, names));
}

// The request -----------------------------------------------------------------------------------------------

/// Bounds the depth before the parser builds a document that would be too deep to write again.
void check_depth(std::string_view line) {
    unsigned depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > maximum_depth)
                throw request_error("bad-json",
                                    "column " + std::to_string(i + 1) + ": nested deeper than 64 levels");
        } else if ((c == ']' || c == '}') && depth) {
            --depth;
        }
    }
}

json parse_document(std::string_view line) {
    check_depth(line);
    try {
        return json::parse(line);
    } catch (const json::parse_error& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
        std::string_view reason = error.what();
        const std::size_t column = reason.find("column ");
        if (column != std::string_view::npos) reason.remove_prefix(column);
        throw request_error("bad-json", std::string(reason));
    } catch (const json::exception& error) { // a number out of range
        throw request_error("bad-json", error.what());
    }
}

/// The machine: architecture and parameters decide what the other fields mean.
void read_configuration(const json& document, parameters& config) {
    if (const auto arch = document.find("arch"); arch != document.end()) {
        constexpr auto expected = "\"bh\" or \"wh\"";
        if (set_parameter(config, "arch", read_string(*arch, {"arch"}, expected)))
            refuse({"arch"}, *arch, expected);
    }
    const auto given = document.find("parameters");
    if (given == document.end()) return;
    for (const auto& item : require_object(*given, {"parameters"}, "an object of parameters").items()) {
        const json& value = item.value();
        if (value.is_structured() || value.is_null()) refuse({"parameters", item.key()}, value, "one value");
        if (item.key() == "arch") refuse("parameters: the architecture is the field 'arch'");
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (const auto problem = set_parameter(config, item.key(), text)) refuse("parameters: " + *problem);
    }
}

void check_word(std::uint32_t word, architecture arch, std::size_t index, const char* origin) {
    if (isa::classify(word, arch) != isa::word_kind::no_instruction) return;
    throw request_error("bad-word",
                        fmt::format("words[{}]: {}{:08x} has opcode {:02x}, which is no instruction on {}",
                                    index, origin, word, word >> 24, short_name(arch)),
                        index);
}

/// Every word, and what each MOP becomes.
void check_words(const platform::run_request& run) {
    const std::vector<std::uint32_t>& words = run.segments.front().words;
    const architecture arch = run.config.arch;
    frontend::mop_expander mop;
    for (unsigned i = 0; i < run.front_end.mop_config.size(); ++i)
        mop.set_config(i, run.front_end.mop_config[i]);
    mop.set_mask_hi(run.front_end.mop_mask_hi);
    for (std::size_t i = 0; i < words.size(); ++i) {
        check_word(words[i], arch, i, "");
        if (words[i] >> 24 == isa::opcode::mop_cfg) mop.set_mask_hi(words[i]);
        if (words[i] >> 24 != isa::opcode::mop) continue;
        mop.begin(words[i]);
        while (mop.pending()) check_word(mop.take(), arch, i, "the MOP issues a word of config.mop_cfg: ");
    }
}

} // namespace

void parse_request(std::string_view line, const exec_defaults& defaults, exec_request& request) {
    const json document = parse_document(line);
    if (!document.is_object())
        throw request_error("bad-request", "found " + describe(document) + ", expected an object");
    if (const auto id = document.find("id"); id != document.end()) request.id = id->dump();

    platform::run_request& run = request.run;
    run.config = defaults.config;
    run.hazards = defaults.hazards;
    read_configuration(document, run.config);
    run.state.reset(run.config.sfpu_lreg12_default);
    run.thread.reset(run.config.arch);
    for (const auto& item : document.items()) find_field(item.key()).read(item.value(), request);

    if (run.segments.empty()) refuse("words: missing");
    if (run.bubbles.size() > run.segments.front().words.size())
        refuse("bubbles: found " + std::to_string(run.bubbles.size()) +
               " of them, expected at most one for each of " +
               std::to_string(run.segments.front().words.size()) + " words");
    check_words(run);
}

} // namespace sfpu::cli
