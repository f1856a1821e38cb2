#include <sfpu/views/equivalence.h>

#include "page_parts.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace sfpu::views {

using namespace analysis;

namespace {

using json = nlohmann::ordered_json;

/// Numbers as numbers where JSON has them; "nan", "inf", "-inf" and bits as strings.
json typed_json(const typed_value& value) {
    if (!value.type) return value.text();
    const double number = isa::number_of_cell(*value.type, value.cell);
    if (!std::isfinite(number)) return value.text();
    if (isa::is_floating(*value.type)) return number;
    if (number == 0 && std::signbit(number)) return -0.0;
    return static_cast<std::int64_t>(number);
}

template <typename T>
json optional_json(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

json output_difference_json(const output_difference& difference) {
    json inputs = json::object();
    for (const auto& [name, value] : difference.inputs) inputs[name] = typed_json(value);
    json form = {{"output", difference.output},
                 {"row", optional_json(difference.row)},
                 {"lane", optional_json(difference.lane)},
                 {"a", typed_json(difference.a)},
                 {"b", typed_json(difference.b)},
                 {"inputs", std::move(inputs)},
                 {"a_bits", bits_text(difference.a)},
                 {"b_bits", bits_text(difference.b)},
                 {"type", difference.a.type ? json(isa::to_string(*difference.a.type)) : json(nullptr)}};
    if (difference.column) form["column"] = *difference.column;
    return form;
}

} // namespace

std::string to_text(const equivalence_answer& answer) {
    return equivalence_text(answer.a_file, answer.b_file, answer.report, answer.unstored);
}

std::string to_json(const equivalence_answer& answer) {
    const equivalence_report& report = answer.report;
    const json content = {{"equal", report.interrupted ? json(nullptr) : json(report.equal)},
                          {"inputs_tried", report.inputs_tried},
                          {"exhaustive", report.exhaustive},
                          {"first_difference", report.first_difference
                                                   ? output_difference_json(*report.first_difference)
                                                   : json(nullptr)},
                          {"runs", report.runs},
                          {"inputs", report.inputs},
                          {"outputs", report.outputs},
                          {"unstored", answer.unstored}};
    return document_text(content);
}

} // namespace sfpu::views
