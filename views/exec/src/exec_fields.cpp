#include "exec_fields.h"
#include "exec_tensors.h"
#include "exec_values.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/thread_settings.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace sfpu::views {

using namespace analysis;

namespace {

constexpr std::uint32_t maximum_bubbles = 1'000'000; ///< before one word
constexpr unsigned dst_rows = 1024, dst_columns = 16;

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
               suggestion(key, thread_setting_names(),
                          fmt::format("; expected one of {}", fmt::join(thread_setting_names(), ", "))));
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
    refuse("unknown field '" + std::string(*unknown) + "'" +
           suggestion(*unknown, names, fmt::format("; expected one of {}", fmt::join(names, ", "))));
}

} // namespace

void read_fields(const simdjson::dom::object& given, exec_request& request) {
    const field_values values = find_fields(given);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) request_fields[i].read(*values[i], request);
}

} // namespace sfpu::views
