#include <sfpu/views/equivalence.h>

#include "page_parts.h"
#include "source_parts.h"

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

/// What a proof rests on; null where there is none.
json basis_json(const equivalence_report& report) {
    if (report.interrupted || report.verdict != equivalence_verdict::proved) return nullptr;
    const proof_basis& basis = report.rests_on;
    return {{"rows", basis.rows},
            {"lanes", lane_count},
            {"start", basis.start},
            {"open_questions", basis.settled},
            {"random_numbers", basis.random_numbers},
            {"rules", basis.rules}};
}

} // namespace

std::string to_text(const equivalence_answer& answer) {
    return equivalence_text(answer.a_file, answer.b_file, answer.report, answer.unstored);
}

std::string to_json(const equivalence_answer& answer) {
    const equivalence_report& report = answer.report;
    json content = {{"equal", report.interrupted ? json(nullptr) : json(report.equal)},
                    {"inputs_tried", report.inputs_tried},
                    {"exhaustive", report.exhaustive},
                    {"first_difference", report.first_difference
                                             ? output_difference_json(*report.first_difference)
                                             : json(nullptr)},
                    {"runs", report.runs},
                    {"inputs", report.inputs},
                    {"outputs", report.outputs},
                    {"unstored", answer.unstored},
                    {"verdict", report.interrupted ? json(nullptr) : json(to_string(report.verdict))},
                    {"rests_on", basis_json(report)},
                    {"not_proved", report.not_proved.empty() ? json(nullptr) : json(report.not_proved)},
                    {"each_value", report.each_value}};
    if (!answer.a_given.form.empty())
        content["source"] = {{"a", source_json(answer.a_given)}, {"b", source_json(answer.b_given)}};
    return document_text(content);
}

} // namespace sfpu::views
