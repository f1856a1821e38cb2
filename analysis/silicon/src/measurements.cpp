#include <sfpu/analysis/measurements.h>

#include "measurement_tables.h"
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* column_names[] = {"kernel", "arch",   "configuration", "cycles",
                                        "unit",   "source", "comparable",    "note"};
constexpr std::size_t column_count = std::size(column_names);

/// The cells of a line of comma-separated values; quotes as RFC 4180 has them, but within a line.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

bool begins_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

std::string text_of(const json& object, const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
}
std::vector<std::string> texts_of(const json& object, const char* key) {
    std::vector<std::string> list;
    if (object.contains(key) && object[key].is_array())
        for (const json& each : object[key])
            if (each.is_string()) list.push_back(each.get<std::string>());
    return list;
}

/// The members of an array of objects; throws if it is anything else.
std::vector<json> objects_of(const json& document, const char* key, const std::string& file) {
    if (!document.contains(key)) return {};
    std::vector<json> list;
    for (const json& each : document[key]) {
        if (!document[key].is_array() || !each.is_object())
            throw input_error(fmt::format("{}: '{}' is no list of objects", file, key));
        list.push_back(each);
    }
    return list;
}

harness harness_from(const json& each, const std::string& file) {
    harness one{text_of(each, "name"),
                text_of(each, "arch"),
                text_of(each, "configuration"),
                text_of(each, "constant"),
                text_of(each, "core_constant"),
                texts_of(each, "begin"),
                texts_of(each, "next_face"),
                texts_of(each, "end"),
                {},
                text_of(each, "evidence"),
                timed_part::tiles};
    const std::string timed = each.value("timed", json("tiles")).dump();
    if (timed == "\"pushes\"") one.timed = timed_part::pushes;
    else if (timed != "\"tiles\"")
        throw input_error(fmt::format("{}: harness '{}': timed is {}, expected \"tiles\" or \"pushes\"", file,
                                      shortened(one.name), shortened(timed)));
    if (!each.contains("loops")) return one;
    for (const auto& [loop, cycles] : each["loops"].items()) {
        if (!cycles.is_number_unsigned() || cycles > 1000u)
            throw input_error(fmt::format("{}: harness '{}': loops has {}, expected 0 to 1000 cycles a row",
                                          file, shortened(one.name), shortened(cycles.dump())));
        one.loops.emplace_back(loop, cycles.get<unsigned>());
    }
    return one;
}

disassembled_code code_from(const json& of, const std::string& place) {
    const auto address = [&](const char* key) {
        const std::string text = of.is_object() ? text_of(of, key) : "";
        char* rest = nullptr;
        const unsigned long long value = std::strtoull(text.c_str(), &rest, 16);
        if (text.empty() || *rest != '\0' || value % 4 != 0 || value > 0xffffffff)
            throw input_error(fmt::format("{}: disassembly: {} is '{}', expected an address as \"b368\"",
                                          place, key, shortened(text)));
        return static_cast<std::uint32_t>(value);
    };
    disassembled_code code{of.is_object() ? text_of(of, "file") : "", address("from"), address("to")};
    if (code.file.empty()) throw input_error(place + ": disassembly has no file");
    if (code.to <= code.from || code.to - code.from > 0x10000)
        throw input_error(place + ": disassembly: 'to' is not behind 'from', or more than 64 KiB behind it");
    return code;
}

measured_kernel kernel_from(const json& each, const std::string& file) {
    measured_kernel kernel;
    kernel.kernel = text_of(each, "kernel");
    kernel.arch = text_of(each, "arch");
    kernel.configuration = text_of(each, "configuration");
    kernel.header = text_of(each, "header");
    kernel.init = text_of(each, "init");
    kernel.call = text_of(each, "call");
    kernel.assembly = texts_of(each, "assembly");
    kernel.excluded = text_of(each, "excluded");
    const std::string place = fmt::format("{}: kernel '{}'", file, shortened(kernel.kernel));
    const json faces = each.value("faces", json(1u));
    if (!faces.is_number_unsigned() || (faces != 1u && faces != 2u && faces != 4u))
        throw input_error(fmt::format("{}: faces is {}, expected 1, 2 or 4", place, shortened(faces.dump())));
    kernel.faces = faces.get<unsigned>();
    const auto count = [&](const char* key) {
        const json value = each.value(key, json(0u));
        if (!value.is_number_unsigned() || value > 10000u)
            throw input_error(
                fmt::format("{}: {} is {}, expected 0 to 10000", place, key, shortened(value.dump())));
        return value.get<unsigned>();
    };
    kernel.core_cycles = count("core_cycles");
    kernel.pushed = count("pushed");
    kernel.rows = count("rows");
    kernel.checked = text_of(each, "checked");
    kernel.harness = text_of(each, "harness");
    if (each.contains("disassembly")) kernel.code = code_from(each["disassembly"], place);
    if (kernel.assembly.empty() && kernel.code.file.empty() && (kernel.header.empty() || kernel.call.empty()))
        throw input_error(place + " has neither 'assembly' nor 'header' and 'call'");
    return kernel;
}

} // namespace

std::vector<measurement> read_measurements(const std::string& file) {
    const std::string text = file.empty() ? published_tables::measurements() : read_input(file);
    const std::string name = file.empty() ? "silicon.csv" : shown_name(file);
    std::vector<measurement> rows;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.empty() || line == "\r") continue;
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() != column_count)
            throw input_error(fmt::format("{}:{}: {} columns, expected {}: {}", name, number, cells.size(),
                                          column_count, fmt::join(column_names, ",")));
        if (number == 1) {
            for (std::size_t i = 0; i < column_count; ++i)
                if (cells[i] != column_names[i])
                    throw input_error(fmt::format("{}:1: column {} is '{}', expected '{}'", name, i + 1,
                                                  shortened(cells[i]), column_names[i]));
            continue;
        }
        measurement row{cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]};
        row.line = number;
        if (row.arch == "wh") row.chip = architecture::wormhole;
        else if (row.arch != "bh")
            throw input_error(
                fmt::format("{}:{}: arch '{}', expected bh or wh", name, number, shortened(row.arch)));
        char* rest = nullptr;
        row.measured = std::strtod(row.cycles.c_str(), &rest);
        if (row.cycles.empty() || *rest != '\0' || !std::isfinite(row.measured) || row.measured <= 0)
            throw input_error(fmt::format("{}:{}: cycles '{}', expected a number above 0", name, number,
                                          shortened(row.cycles)));
        rows.push_back(std::move(row));
    }
    return rows;
}

measured_kernels::measured_kernels(const std::string& file) {
    const std::string name = file.empty() ? "silicon_kernels.json" : shown_name(file);
    const std::string text = file.empty() ? published_tables::kernels() : read_input(file);
    check_nesting(name, text);
    check_keys(name, text);
    json document;
    try {
        document = json::parse(text);
    } catch (const json::exception& error) {
        const json_fault fault = fault_of(name, text, error);
        throw input_error(fault.place + ": " + shortened(fault.reason));
    }
    if (!document.is_object()) throw input_error(name + ": expected an object with harnesses and kernels");
    for (const json& each : objects_of(document, "harnesses", name))
        harnesses_.push_back(harness_from(each, name));
    for (const json& each : objects_of(document, "kernels", name))
        kernels_.push_back(kernel_from(each, name));
    if (document.contains("constants") && document["constants"].is_object())
        for (const auto& [key, value] : document["constants"].items())
            if (value.is_string()) constants_.emplace_back(key, value.get<std::string>());
}

const harness* measured_kernels::harness_of(const measurement& row) const {
    const measured_kernel* kernel = kernel_of(row);
    for (const harness& each : harnesses_)
        if (kernel && !kernel->harness.empty() && each.name == kernel->harness && each.arch == row.arch)
            return &each;
    for (const harness& each : harnesses_)
        if (each.arch == row.arch && begins_with(row.configuration, each.configuration)) return &each;
    return nullptr;
}

const measured_kernel* measured_kernels::kernel_of(const measurement& row) const {
    for (const measured_kernel& each : kernels_)
        if (each.kernel == row.kernel && each.arch == row.arch &&
            begins_with(row.configuration, each.configuration))
            return &each;
    return nullptr;
}

std::string measured_kernels::meaning(const std::string& constant) const {
    for (const auto& [name, text] : constants_)
        if (name == constant) return text;
    return "";
}

} // namespace sfpu::analysis
