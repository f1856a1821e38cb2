#include "exec_protocol.h"
#include "exec_tensors.h"
#include "exec_values.h"
#include "options.h"
#include "program.h"
#include <sfpu/analysis/thread_settings.h>

#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/replay_expander.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <new>

namespace sfpu::cli {
namespace {

using request_value = simdjson::dom::element; // its get() returns an error code, which is 0 if the type fits

constexpr unsigned maximum_depth = 64;               ///< of nested values; a request needs three
constexpr std::uint32_t maximum_bubbles = 1'000'000; ///< before one word
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr unsigned dst_rows = 1024, dst_columns = 16;

/// Where a value stands in the request. Text is made of it only if there is something to complain about.
struct place {
    const char* field;
    std::string_view key = {};
    std::ptrdiff_t first = -1, second = -1; ///< indices, -1: none
    std::string_view setting = {};          ///< of an object at these indices
    std::ptrdiff_t in_setting = -1;         ///< an index there

    place at(std::size_t index) const {
        place element = *this;
        if (!setting.empty()) element.in_setting = static_cast<std::ptrdiff_t>(index);
        else (first < 0 ? element.first : element.second) = static_cast<std::ptrdiff_t>(index);
        return element;
    }
};

std::string to_string(const place& where) {
    std::string text = where.field;
    if (!where.key.empty()) text += "." + std::string(where.key);
    if (where.first >= 0) text += "[" + std::to_string(where.first) + "]";
    if (where.second >= 0) text += "[" + std::to_string(where.second) + "]";
    if (!where.setting.empty()) text += "." + std::string(where.setting);
    if (where.in_setting >= 0) text += "[" + std::to_string(where.in_setting) + "]";
    return text;
}

std::string json_text(const request_value& value) { return simdjson::to_string(value); }

[[noreturn]] void refuse(const std::string& message) { throw request_error("bad-request", message); }
[[noreturn]] void refuse(const place& where, const request_value& found, const std::string& expected) {
    refuse(to_string(where) + ": found " + describe(found) + ", expected " + expected);
}

// Values ----------------------------------------------------------------------------------------------------

constexpr std::uint8_t no_digit = 0xf0;
constexpr std::array<std::uint8_t, 256> make_digit_values() {
    std::array<std::uint8_t, 256> values{};
    for (std::uint8_t& value : values) value = no_digit;
    for (std::uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
    for (std::uint8_t i = 10; i < 16; ++i) values['a' + i - 10] = values['A' + i - 10] = i;
    return values;
}
constexpr std::array<std::uint8_t, 256> digit_values = make_digit_values();

template <typename Number>
std::optional<Number> parse_hex(std::string_view text, unsigned digits) {
    if (text.size() != digits) return std::nullopt;
    Number value = 0;
    std::uint32_t seen = 0;
    for (unsigned i = 0; i < digits; ++i) {
        const std::uint32_t digit = digit_values[static_cast<unsigned char>(text[i])];
        seen |= digit;
        value = value << 4 | digit;
    }
    return seen & no_digit ? std::nullopt : std::optional(value);
}

template <typename Number = std::uint32_t>
Number read_hex(const request_value& value, const place& where, unsigned digits = 8) {
    if (std::string_view text; !value.get(text))
        if (const auto number = parse_hex<Number>(text, digits)) return *number;
    refuse(where, value, "a string of " + std::to_string(digits) + " hexadecimal digits");
}
std::uint64_t read_long_hex(const request_value& value, const place& where, unsigned digits) {
    return read_hex<std::uint64_t>(value, where, digits);
}

bool read_boolean(const request_value& value, const place& where) {
    bool result = false;
    if (value.get(result)) refuse(where, value, "true or false");
    return result;
}

std::string_view read_string(const request_value& value, const place& where, const char* expected) {
    std::string_view result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
}

std::uint32_t read_integer(const request_value& value, const place& where, std::uint32_t maximum) {
    std::uint64_t result = 0;
    if (value.get(result) || result > maximum)
        refuse(where, value, "an integer from 0 to " + std::to_string(maximum));
    return static_cast<std::uint32_t>(result);
}

simdjson::dom::array read_array(const request_value& value, const place& where, const char* expected) {
    simdjson::dom::array result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
}
simdjson::dom::array read_array(const request_value& value, const place& where, std::size_t size,
                                const char* elements) {
    simdjson::dom::array result;
    if (value.get(result) || result.size() != size)
        refuse(where, value, std::to_string(size) + " " + elements);
    return result;
}
simdjson::dom::object read_object(const request_value& value, const place& where, const char* expected) {
    simdjson::dom::object result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
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
lanes read_lanes(const request_value& value, const place& where) {
    if (value.is_string()) return broadcast(read_hex(value, where));
    simdjson::dom::array elements;
    if (value.get(elements) || elements.size() != lane_count)
        refuse(where, value, "a string of 8 hexadecimal digits or an array of 32 of them");
    lanes result;
    unsigned lane = 0;
    for (const request_value element : elements) {
        result[lane] = read_hex(element, where.at(lane));
        ++lane;
    }
    return result;
}

// Fields ----------------------------------------------------------------------------------------------------

void read_id(const request_value&, exec_request&) {}      // taken before everything else
void read_machine(const request_value&, exec_request&) {} // arch, parameters and what firmware did, too

void read_words(const request_value& value, exec_request& request) {
    const place where{"words"};
    const auto words = read_array(value, where, "an array of strings of 8 hexadecimal digits");
    platform::program_segment segment;
    segment.words.reserve(words.size());
    for (const request_value word : words)
        segment.words.push_back(read_hex(word, where.at(segment.words.size())));
    request.run.segments = {std::move(segment)};
}

void read_lreg(const request_value& value, exec_request& request) {
    for (const auto& [key, given] : read_object(value, {"lreg"}, "an object of registers")) {
        const auto index = parse_index(key, isa::lreg_count);
        if (!index || (*index > 7 && *index < 11) || *index == 15)
            refuse("lreg: found register '" + std::string(key) +
                   "', expected \"0\" to \"7\", \"11\" to \"14\" or \"16\"");
        request.run.state.lreg[*index] = read_lanes(given, {"lreg", key});
    }
}

void read_lane_flags(const request_value& value, exec_request& request) {
    request.run.state.flags = read_hex(value, {"lane_flags"});
}

void read_use_lane_flags(const request_value& value, exec_request& request) {
    request.run.state.use_flags = read_hex(value, {"use_lane_flags"});
}

void read_flag_stack(const request_value& value, exec_request& request) {
    const place where{"flag_stack"};
    const auto entries = read_array(value, where, "an array of [lane_flags, use_lane_flags]");
    if (entries.size() > isa::flag_stack::capacity) refuse(where, value, "at most 8 entries");
    std::size_t i = 0;
    for (const request_value entry : entries) {
        const place here = where.at(i++);
        auto half = read_array(entry, here, 2, "strings of 8 hexadecimal digits").begin();
        const std::uint32_t flags = read_hex(*half, here.at(0));
        const std::uint32_t use_flags = read_hex(*++half, here.at(1));
        request.run.state.stack.push({flags, use_flags});
    }
}

void read_lane_config(const request_value& value, exec_request& request) {
    const place where{"lane_config"};
    isa::lane_configuration& config = request.run.state.config;
    if (value.is_string()) {
        const std::uint32_t all = read_hex(value, where);
        for (unsigned column = 0; column < column_count; ++column) config.set_column(column, all);
        return;
    }
    simdjson::dom::array values;
    if (value.get(values) || (values.size() != column_count && values.size() != lane_count))
        refuse(where, value, "a string of 8 hexadecimal digits or an array of 8 or 32 of them");
    std::array<std::uint32_t, column_count> columns{};
    std::size_t lane = 0;
    for (const request_value element : values) {
        const std::uint32_t given = read_hex(element, where.at(lane));
        const std::size_t column = lane % column_count;
        if (lane >= column_count && given != columns[column])
            refuse(where.at(lane), element,
                   "the value of lane " + std::to_string(column) + ", which shares its column");
        columns[column] = given;
        ++lane;
    }
    for (unsigned column = 0; column < column_count; ++column) config.set_column(column, columns[column]);
}

void read_macro(const request_value& value, exec_request& request) {
    isa::macro_configuration macro;
    const macro_shape shape(request.run.config);
    const auto read_list = [](const request_value& list, const place& where, unsigned count, unsigned digits,
                              auto store) {
        const std::string elements = "strings of " + std::to_string(digits) + " hexadecimal digits";
        std::size_t i = 0;
        for (const request_value word : read_array(list, where, count, elements.c_str())) {
            store(i, read_long_hex(word, where.at(i), digits));
            ++i;
        }
    };
    const auto store_template = [&](std::size_t i, std::uint64_t word) {
        macro.instruction_template[i] = static_cast<std::uint32_t>(word);
    };
    const auto store_sequence = [&](std::size_t i, std::uint64_t word) {
        macro.sequence[i] = static_cast<std::uint32_t>(word);
        macro.sequence_upper[i] = static_cast<std::uint32_t>(word >> 32);
    };
    for (const auto& [key, given] :
         read_object(value, {"macro"}, "an object with template, sequence and misc")) {
        const place where{"macro", key};
        if (key == "template") read_list(given, where, shape.templates, 8, store_template);
        else if (key == "sequence")
            read_list(given, where, shape.sequences, shape.sequence_digits, store_sequence);
        else if (key == "misc") macro.misc = read_hex(given, where, shape.misc_digits);
        else
            refuse(
                "macro: unknown field '" + std::string(key) + "'" +
                suggestion(key, {"template", "sequence", "misc"}, "; expected template, sequence or misc"));
    }
    request.run.state.macro.fill(macro);
    ++request.run.state.macro_version;
}

void read_dst(const request_value& value, exec_request& request) {
    for (const auto& [key, given] : read_object(value, {"dst"}, "an object of rows")) {
        const auto row = parse_index(key, dst_rows);
        if (!row) refuse("dst: found row '" + std::string(key) + "', expected \"0\" to \"1023\"");
        const place where{"dst", key};
        auto& cells = request.run.dst_rows[*row];
        unsigned column = 0;
        for (const request_value cell :
             read_array(given, where, dst_columns, "strings of 4 hexadecimal digits")) {
            cells[column] = static_cast<std::uint16_t>(read_hex(cell, where.at(column), 4));
            ++column;
        }
    }
}

void read_prng(const request_value& value, exec_request& request) {
    request.run.state.prng = read_lanes(value, {"prng"});
}

void apply_setting(const thread_setting& setting, unsigned index, const request_value& value,
                   const place& where, thread_setup& setup) {
    if (setting.is_boolean()) return setting.apply(setup, index, read_boolean(value, where));
    if (setting.kind == thread_setting::value_kind::word)
        return setting.apply(setup, index, read_hex(value, where));
    setting.apply(setup, index, read_integer(value, where, setting.maximum));
}

constexpr std::string_view per_thread = "threads"; // the key in "config" for settings of single threads

void read_setting(std::string_view key, const request_value& given, const place& where, thread_setup& setup) {
    const thread_setting* setting = find_thread_setting(key);
    if (!setting) {
        place object = where;
        object.setting = {};
        if (object.first < 0) object.key = {};
        refuse(to_string(object) + ": unknown setting '" + std::string(key) + "'" +
               suggestion(key, thread_setting_names()));
    }
    if (setting->count == 1) return apply_setting(*setting, 0, given, where, setup);
    simdjson::dom::array values;
    if (given.get(values) || values.size() != setting->count) refuse(where, given, expected_values(*setting));
    unsigned i = 0;
    for (const request_value element : values) {
        apply_setting(*setting, i, element, where.at(i), setup);
        ++i;
    }
}

/// What threads have instead of what "config" gives to all of them.
void read_thread_configs(const request_value& value, exec_request& request) {
    const place where{"config", per_thread};
    auto& starts = request.run.thread_starts;
    starts.assign(isa::thread_count, {request.run.thread, request.run.front_end});
    unsigned number = 0;
    for (const request_value given : read_array(value, where, isa::thread_count, "objects of settings")) {
        thread_setup setup{starts[number].state, starts[number].front_end};
        const place here = where.at(number++);
        for (const auto& [key, setting] : read_object(given, here, "an object of settings")) {
            if (key == "semaphores" || key == "semaphore_max")
                refuse(to_string(here) + ": all threads share the setting '" + std::string(key) +
                       "'; expected it in config");
            place of_setting{"config", per_thread, static_cast<std::ptrdiff_t>(number) - 1};
            of_setting.setting = key;
            read_setting(key, setting, of_setting, setup);
        }
    }
}

void read_config(const request_value& value, exec_request& request) {
    thread_setup setup{request.run.thread, request.run.front_end};
    std::optional<request_value> threads;
    for (const auto& [key, given] : read_object(value, {"config"}, "an object of settings")) {
        if (key == per_thread) threads = given;
        else read_setting(key, given, {"config", key}, setup);
    }
    if (threads) read_thread_configs(*threads, request);
}

void read_thread(const request_value& value, exec_request& request) {
    constexpr std::uint32_t highest = isa::thread_count - 1;
    const place where{"thread"};
    request.threads = true;
    simdjson::dom::array numbers;
    if (value.get(numbers)) {
        if (!value.is_int64() && !value.is_uint64())
            refuse(where, value, "an integer from 0 to 2 or an array of them, one for each word");
        request.thread_of_all = static_cast<std::uint8_t>(read_integer(value, where, highest));
        return;
    }
    auto& threads = request.run.threads;
    for (const request_value number : numbers)
        threads.push_back(static_cast<std::uint8_t>(read_integer(number, where.at(threads.size()), highest)));
}

void read_bubbles(const request_value& value, exec_request& request) {
    const place where{"bubbles"};
    std::vector<unsigned>& bubbles = request.run.bubbles;
    for (const request_value count : read_array(value, where, "an array of integers"))
        bubbles.push_back(read_integer(count, where.at(bubbles.size()), maximum_bubbles));
}

void read_timeline(const request_value& value, exec_request& request) {
    request.timeline = read_boolean(value, {"timeline"});
}

void read_strict(const request_value& value, exec_request& request) {
    request.strict = read_boolean(value, {"strict"});
}

void read_hazards(const request_value& value, exec_request& request) {
    constexpr auto expected = "\"error\", \"warn\" or \"off\"";
    if (!parse(read_string(value, {"hazards"}, expected), request.run.hazards))
        refuse({"hazards"}, value, expected);
}

struct field {
    const char* name;
    void (*read)(const request_value&, exec_request&);
};
constexpr field request_fields[] = {
    {"id", read_id},
    {"arch", read_machine},
    {"parameters", read_machine},
    {"firmware_start", read_machine},
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
    {"thread", read_thread},
    {"timeline", read_timeline},
    {"hazards", read_hazards},
    {"strict", read_strict},
    {"inputs", read_inputs}, // behind `dst` and `config`
    {"outputs", read_outputs},
};

/// Their values in a request, by row. The last of equal names counts.
using field_values = std::array<std::optional<request_value>, std::size(request_fields)>;

field_values find_fields(const simdjson::dom::object& request) {
    field_values values;
    std::optional<std::string_view> unknown; // the first by the alphabet, in whatever order they came
    for (const auto& [key, value] : request) {
        const auto known = std::find_if(std::begin(request_fields), std::end(request_fields),
                                        [name = key](const field& one) { return name == one.name; });
        if (known != std::end(request_fields))
            values[static_cast<std::size_t>(known - std::begin(request_fields))] = value;
        else if (!unknown || key < *unknown) unknown = key;
    }
    if (!unknown) return values;
    std::vector<std::string> names;
    for (const field& known : request_fields) names.emplace_back(known.name);
    refuse("unknown field '" + std::string(*unknown) + "'" + suggestion(*unknown, names));
}

// The line --------------------------------------------------------------------------------------------------

/// Bounds the depth before nlohmann/json builds a document that would be too deep for its recursion.
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

/// Where a line is no JSON and what stands there. It keeps nothing, so that any length needs no memory.
class fault_finder : public nlohmann::json::json_sax_t {
public:
    std::string found; ///< empty: nothing is wrong

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& fault) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"; a number out of range has no column
        std::string_view reason = fault.what();
        const std::size_t column = reason.find("column ");
        if (column != std::string_view::npos) reason.remove_prefix(column);
        found = reason;
        return false;
    }
};

/// A line that simdjson refused. It is quick but does not tell what it found where; nlohmann/json does.
[[noreturn]] void refuse_line(std::string_view line, simdjson::error_code error) {
    constexpr std::size_t longest_document = 1 << 20; // in which the place of a number is worth its memory
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    check_depth(line);
    fault_finder finder;
    nlohmann::json::sax_parse(line, &finder);
    if (!finder.found.empty()) throw request_error("bad-json", finder.found);
    // What only nlohmann/json accepts: text behind a NUL, integers of more than 64 bits.
    if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos)
        throw request_error("bad-json", "column " + std::to_string(nul + 1) + ": found a NUL byte");
    if (line.size() > longest_document) throw request_error("bad-json", simdjson::error_message(error));
    const nlohmann::json leaves = nlohmann::json::parse(line).flatten();
    for (const auto& [path, value] : leaves.items()) {
        if (!value.is_number_float() || std::abs(value.get<double>()) < 0x1p63) continue;
        std::string where = path.empty() ? "the line" : path.substr(1); // "bubbles/0"
        std::replace(where.begin(), where.end(), '/', '.');
        refuse(where + ": found " + value.dump() + ", expected an integer of at most 64 bits");
    }
    throw request_error("bad-json", simdjson::error_message(error));
}

// The request -----------------------------------------------------------------------------------------------

/// The last of equal names counts.
std::optional<request_value> find(const simdjson::dom::object& document, std::string_view name) {
    std::optional<request_value> found;
    for (const auto& [key, value] : document)
        if (key == name) found = value;
    return found;
}

/// The machine: architecture and parameters decide what the other fields mean.
void read_configuration(const simdjson::dom::object& document, parameters& config) {
    if (const auto arch = find(document, "arch")) {
        constexpr auto expected = "\"bh\" or \"wh\"";
        if (set_parameter(config, "arch", std::string(read_string(*arch, {"arch"}, expected))))
            refuse({"arch"}, *arch, expected);
    }
    const auto given = find(document, "parameters");
    if (!given) return;
    for (const auto& [key, value] : read_object(*given, {"parameters"}, "an object of parameters")) {
        if (value.is_array() || value.is_object() || value.is_null())
            refuse({"parameters", key}, value, "one value");
        if (key == "arch") refuse("parameters: the architecture is the field 'arch'");
        std::string_view text;
        const std::string setting = value.get(text) ? json_text(value) : std::string(text);
        if (const auto problem = set_parameter(config, key, setting)) refuse("parameters: " + *problem);
    }
}

void check_word(std::uint32_t word, architecture arch, std::size_t index, const char* origin) {
    if (isa::classify(word, arch) != isa::word_kind::no_instruction) return;
    throw request_error("bad-word",
                        fmt::format("words[{}]: {}{:08x} has opcode {:02x}, which is no instruction on {}",
                                    index, origin, word, word >> 24, short_name(arch)),
                        index);
}

/// How many words the front end makes of a word that is no MOP: a REPLAY that plays, as many as it says.
std::uint64_t words_made_of(std::uint32_t word, const parameters& config) {
    if (word >> 24 != isa::opcode::replay || (word & 1) != 0) return 1;
    const unsigned count = frontend::replay_expander::count_field(word);
    return count != 0 ? count : config.front_end.replay_count_zero;
}

/// Every word, what each MOP becomes, and that they do not become too many.
void check_words(const platform::run_request& run, std::uint64_t max_words) {
    const std::vector<std::uint32_t>& words = run.segments.front().words;
    const architecture arch = run.config.arch;
    std::array<frontend::mop_expander, isa::thread_count> mops;
    for (unsigned thread = 0; thread < mops.size(); ++thread) {
        const platform::front_end_setup& setup = run.front_end_of(thread);
        for (unsigned i = 0; i < setup.mop_config.size(); ++i)
            mops[thread].set_config(i, setup.mop_config[i]);
        mops[thread].set_mask_hi(setup.mop_mask_hi);
    }
    std::uint64_t made = 0;
    const auto count = [&](std::uint32_t word, std::size_t index) {
        made += words_made_of(word, run.config);
        if (made <= max_words) return;
        throw request_error("bad-request",
                            fmt::format("words[{}]: MOPs and playbacks make more than {} words, the most "
                                        "that --max-words allows",
                                        index, max_words),
                            index);
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        check_word(words[i], arch, i, "");
        frontend::mop_expander& mop = mops[i < run.threads.size() ? run.threads[i] : 0];
        if (words[i] >> 24 == isa::opcode::mop_cfg) mop.set_mask_hi(words[i]);
        if (words[i] >> 24 != isa::opcode::mop) {
            count(words[i], i);
            continue;
        }
        mop.begin(words[i]);
        while (mop.pending()) {
            const std::uint32_t word = mop.take();
            check_word(word, arch, i, "the MOP issues a word of config.mop_cfg: ");
            count(word, i);
        }
    }
}

} // namespace

struct request_parser::implementation {
    simdjson::dom::parser parser; ///< keeps its memory from line to line
    bool knows_depth = false;

    simdjson::dom::parser& ready() {
        // simdjson refuses at this depth, in which an empty innermost array or object does not count.
        if (!knows_depth && parser.allocate(0, maximum_depth + 1)) throw std::bad_alloc();
        knows_depth = true;
        return parser;
    }
};

request_parser::request_parser() : implementation_(std::make_unique<implementation>()) {}
request_parser::~request_parser() = default;

void request_parser::let_go() {
    implementation_->parser = simdjson::dom::parser();
    implementation_->knows_depth = false;
}

void request_parser::parse(std::string& line, const exec_defaults& defaults, exec_request& request) {
    line.reserve(line.size() + simdjson::SIMDJSON_PADDING); // else it would be copied
    std::string_view text = line;
    if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
    request_value document;
    if (const auto error = implementation_->ready().parse(text.data(), text.size(), false).get(document))
        refuse_line(line, error);
    simdjson::dom::object fields_given;
    if (document.get(fields_given))
        throw request_error("bad-request", "found " + describe(document) + ", expected an object");
    if (const auto id = find(fields_given, "id")) request.id = json_text(*id);

    platform::run_request& run = request.run;
    run.config = defaults.config;
    run.hazards = defaults.hazards;
    read_configuration(fields_given, run.config);
    request.strict = defaults.strict;
    run.state.reset(run.config.sfpu_lreg12_default);
    run.thread.reset(run.config.arch);
    const auto start = find(fields_given, "firmware_start");
    if (start ? read_boolean(*start, {"firmware_start"}) : defaults.firmware_start)
        start_as_firmware(run.state);
    const field_values values = find_fields(fields_given);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) request_fields[i].read(*values[i], request);

    if (run.segments.empty()) refuse("words: missing");
    if (run.bubbles.size() > run.segments.front().words.size())
        refuse("bubbles: found " + std::to_string(run.bubbles.size()) +
               " of them, expected at most one for each of " +
               std::to_string(run.segments.front().words.size()) + " words");
    const std::size_t words = run.segments.front().words.size();
    if (request.thread_of_all) run.threads.assign(words, *request.thread_of_all);
    if (request.threads && run.threads.size() != words)
        refuse("thread: found " + std::to_string(run.threads.size()) + " of them, expected one for each of " +
               std::to_string(words) + " words");
    check_words(run, defaults.max_words);
}

} // namespace sfpu::cli
