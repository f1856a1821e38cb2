#include "exec_tensors.h"

#include "exec_values.h"
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/tensor_file.h>
#include <sfpu/views/json_text.h>

#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::views {

using namespace analysis;
namespace {

constexpr unsigned tensor_addresses = 1024;

[[noreturn]] void refuse_tensor(const std::string& where, const std::string& found,
                                const std::string& expected) {
    throw request_error("bad-request", fmt::format("{}: found {}, expected {}", where, found, expected));
}

simdjson::dom::object tensor_object(const simdjson::dom::element& value, const std::string& where,
                                    const char* expected) {
    simdjson::dom::object fields;
    if (value.get(fields)) refuse_tensor(where, describe(value), expected);
    return fields;
}

unsigned tensor_number(const simdjson::dom::element& value, const std::string& where, unsigned least,
                       unsigned most) {
    std::uint64_t number = 0;
    if (value.get(number) || number < least || number > most)
        refuse_tensor(where, describe(value), fmt::format("an integer from {} to {}", least, most));
    return static_cast<unsigned>(number);
}

/// The fields of one tensor, `third` beside address and type.
struct tensor_fields {
    exec_tensor tensor;
    simdjson::dom::element third;
};
tensor_fields tensor_fields_of(const simdjson::dom::element& value, const std::string& where,
                               const std::string& third) {
    tensor_fields result;
    bool has_address = false, has_type = false, has_third = false;
    const std::string all = fmt::format("an object with 'address', 'type' and '{}'", third);
    for (const auto& [key, field] : tensor_object(value, where, all.c_str())) {
        const std::string here = fmt::format("{}.{}", where, shortened(key));
        if (key == "address") {
            result.tensor.address = tensor_number(field, here, 0, tensor_addresses - 1);
            has_address = true;
        } else if (key == "type") {
            std::string_view name;
            const bool is_text = !field.get(name);
            const auto type = is_text ? isa::find_data_type(name) : std::nullopt;
            if (!type) refuse_tensor(here, describe(field), "one of " + isa::data_type_names());
            result.tensor.type = *type;
            has_type = true;
        } else if (key == third) {
            result.third = field;
            has_third = true;
        } else {
            throw request_error(
                "bad-request", fmt::format("{}: unknown field '{}'{}", where, shortened(key),
                                           suggestion(key, {"address", "type", third},
                                                      fmt::format("; expected address, type or {}", third))));
        }
    }
    if (!has_address || !has_type || !has_third)
        throw request_error("bad-request", fmt::format("{}.{}: missing", where,
                                                       !has_address ? "address"
                                                       : !has_type  ? "type"
                                                                    : third.c_str()));
    return result;
}

/// Numbers, or "inf", "-inf" and "nan".
std::uint32_t tensor_cell(const simdjson::dom::element& value, const std::string& where,
                          isa::data_type type) {
    std::string_view text;
    std::string number;
    if (value.is_number()) {
        number = simdjson::to_string(value);
        text = number;
    } else if (value.get(text) || (text != "inf" && text != "-inf" && text != "nan")) {
        refuse_tensor(where, describe(value), R"(a number, "inf", "-inf" or "nan")");
    }
    const auto cell = cell_of_text(text, type);
    if (!cell) refuse_tensor(where, describe(value), fmt::format("a value of type {}", isa::to_string(type)));
    return *cell;
}

/// One array of all values, or one of 32 for each row.
std::vector<std::uint32_t> tensor_cells(const simdjson::dom::element& value, const std::string& where,
                                        isa::data_type type) {
    const std::string expected =
        fmt::format("{} numbers a row, of 1 to {} rows, in one array or one for each row", lane_count,
                    analysis::most_places);
    simdjson::dom::array elements;
    if (value.get(elements)) refuse_tensor(where, describe(value), expected);
    std::vector<std::uint32_t> cells;
    std::size_t i = 0;
    for (const simdjson::dom::element element : elements) {
        const std::string here = fmt::format("{}[{}]", where, i++);
        simdjson::dom::array row;
        if (element.get(row)) {
            cells.push_back(tensor_cell(element, here, type));
            continue;
        }
        if (row.size() != lane_count)
            refuse_tensor(here, fmt::format("an array of {}", row.size()), expected);
        std::size_t lane = 0;
        for (const simdjson::dom::element each : row)
            cells.push_back(tensor_cell(each, fmt::format("{}[{}]", here, lane++), type));
    }
    if (cells.empty() || cells.size() % lane_count != 0 || cells.size() / lane_count > analysis::most_places)
        refuse_tensor(where, fmt::format("{} values", cells.size()), expected);
    return cells;
}

/// A row that lies on another one would overwrite it, or show it again.
void check_rows(const exec_request& request, const exec_tensor& tensor, unsigned rows,
                const std::string& where) {
    if (const auto shared = analysis::first_shared_place(
            tensor.address, rows, isa::has_wide_cells(tensor.type), request.run.thread))
        throw request_error("bad-request",
                            fmt::format("{}: {}", where, analysis::to_text(*shared, tensor.type)));
}

analysis::dst_slice slice_of_tensor(const exec_request& request, const exec_tensor& tensor, unsigned row) {
    return analysis::slice_of_row(tensor.address, row, isa::has_wide_cells(tensor.type), request.run.thread);
}

} // namespace

void read_inputs(const simdjson::dom::element& value, exec_request& request) {
    for (const auto& [key, given] : tensor_object(value, "inputs", "an object of arrays by name")) {
        const std::string where = "inputs." + shortened(key);
        const auto [tensor, values] = tensor_fields_of(given, where, "values");
        const std::vector<std::uint32_t> cells = tensor_cells(values, where + ".values", tensor.type);
        check_rows(request, tensor, static_cast<unsigned>(cells.size() / lane_count), where + ".values");
        for (std::size_t i = 0; i < cells.size(); ++i)
            analysis::write_cell(request.run.dst_rows,
                                 slice_of_tensor(request, tensor, static_cast<unsigned>(i / lane_count)),
                                 static_cast<unsigned>(i % lane_count), cells[i]);
    }
}

void read_outputs(const simdjson::dom::element& value, exec_request& request) {
    for (const auto& [key, given] : tensor_object(value, "outputs", "an object of arrays by name")) {
        const std::string where = "outputs." + shortened(key);
        auto [tensor, rows] = tensor_fields_of(given, where, "rows");
        tensor.rows = tensor_number(rows, where + ".rows", 1, analysis::most_places);
        check_rows(request, tensor, tensor.rows, where + ".rows");
        tensor.name = key;
        const auto same = std::find_if(request.outputs.begin(), request.outputs.end(),
                                       [name = key](const exec_tensor& each) { return each.name == name; });
        if (same == request.outputs.end()) request.outputs.push_back(tensor);
        else *same = tensor;
    }
}

void exec_recorder::remark(const exec_request& request, const analysis::dst_access_recorder& accesses,
                           const platform::run_result& result) {
    const cycles last = result.first_issue + std::max(result.cycles_used - cycles{1}, cycles{});
    for (const analysis::dst_access_recorder::template_store& each : accesses.lost_stores())
        diagnostics.push_back({each.at, each.word, report_id::kernel_store_to_template,
                               sfpu::describe(report_id::kernel_store_to_template).level,
                               analysis::to_text(each, isa::make_machine(request.run.config).encoding())});
    for (const exec_tensor& output : request.outputs) {
        unsigned stored = 0;
        for (unsigned row = 0; row < output.rows; ++row) {
            const std::vector<std::size_t> places =
                analysis::half_rows_of(slice_of_tensor(request, output, row));
            stored += std::all_of(places.begin(), places.end(),
                                  [&](std::size_t place) { return accesses.stored[place]; });
        }
        if (stored != 0 && stored < output.rows)
            diagnostics.push_back({last, -1, report_id::kernel_partial_output,
                                   sfpu::describe(report_id::kernel_partial_output).level,
                                   analysis::partial_output_text(output.name, stored, output.rows)});
    }
}

void append_outputs(std::string& out, const exec_request& request, const platform::dst_image& dst) {
    out += ",\"outputs\":{";
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        const exec_tensor& tensor = request.outputs[i];
        if (i) out += ',';
        append_json_string(out, tensor.name);
        out += ":[";
        for (unsigned row = 0; row < tensor.rows; ++row) {
            const analysis::dst_slice slice = slice_of_tensor(request, tensor, row);
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                out += lane ? "," : row ? ",[" : "[";
                const std::string text = text_of_value(tensor.type, analysis::read_cell(dst, slice, lane));
                const bool is_number = text.find_first_of("in") == std::string::npos; // inf, nan
                out += is_number ? text : '"' + text + '"';
            }
            out += ']';
        }
        out += ']';
    }
    out += '}';
}

} // namespace sfpu::views
