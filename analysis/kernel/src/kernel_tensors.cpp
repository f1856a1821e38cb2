#include <sfpu/analysis/kernel_tensors.h>

#include <sfpu/analysis/tensor_file.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <sfpu/analysis/kernel_values.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace sfpu::analysis {
namespace {

const isa::tensor* find(const std::vector<isa::tensor>& tensors, std::string_view name) {
    const auto found =
        std::find_if(tensors.begin(), tensors.end(), [&](const auto& each) { return each.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(const std::vector<isa::tensor>& tensors) {
    std::vector<std::string> names;
    names.reserve(tensors.size());
    for (const isa::tensor& each : tensors) names.push_back(each.name);
    return names;
}

/// A distance in units in the last place that has no limit: of a number and a NaN.
constexpr std::uint64_t no_distance = ~std::uint64_t{0};

std::uint64_t distance(isa::data_type type, std::uint32_t a, std::uint32_t b) {
    const bool a_nan = isa::is_nan(type, a), b_nan = isa::is_nan(type, b);
    if (a_nan || b_nan) return a_nan && b_nan ? 0 : no_distance;
    const std::int64_t difference = isa::rank_of_cell(type, a) - isa::rank_of_cell(type, b);
    return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
}

/// A part of NAME[ROWS, LANES]: "3" or "0:4", "0:", ":4", ":". First and end.
std::optional<std::pair<unsigned, unsigned>> parse_range(std::string_view text, unsigned size) {
    const auto trimmed = [](std::string_view part) {
        while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
        return part;
    };
    const auto number = [&](std::string_view part, unsigned if_empty) -> std::optional<unsigned> {
        part = trimmed(part);
        if (part.empty()) return if_empty;
        unsigned value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
        return value;
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        const auto one = number(text, size);
        if (!one || *one >= size) return std::nullopt;
        return std::pair{*one, *one + 1};
    }
    const auto first = number(text.substr(0, colon), 0), end = number(text.substr(colon + 1), size);
    if (!first || !end || *first >= *end || *end > size) return std::nullopt;
    return std::pair{*first, *end};
}

} // namespace

kernel_tensors::named_file kernel_tensors::parse_file(const char* option, const std::string& argument,
                                                      const std::vector<isa::tensor>& tensors,
                                                      const char* directive) const {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size())
        throw user_error(fmt::format("{}: found '{}', expected NAME=FILE", option, argument));
    constexpr std::string_view archive = ".npz"; // which NumPy would open as one
    const std::string_view file = std::string_view(argument).substr(equals + 1);
    if (file.size() >= archive.size() && file.substr(file.size() - archive.size()) == archive)
        throw user_error(
            fmt::format("{}: found '{}', expected a name that does not end in .npz, an archive of "
                        "arrays: values stand in a .npy, a .csv or a raw file",
                        option, shown_name(argument)));
    const std::string name = argument.substr(0, equals);
    const isa::tensor& tensor = find_tensor(kernel_, tensors, name, option, directive);
    check_places(kernel_, {&tensor});
    return {&tensor, argument.substr(equals + 1)};
}

kernel_tensors::excerpt kernel_tensors::parse_excerpt(const std::string& argument) const {
    const auto& [inputs, outputs] = std::tie(kernel_.kernel().inputs, kernel_.kernel().outputs);
    const std::size_t bracket = std::min(argument.find('['), argument.size());
    const std::string name = argument.substr(0, bracket);
    excerpt result;
    result.tensor = find(outputs, name);
    if (!result.tensor) {
        result.before = true;
        result.tensor = find(inputs, name);
    }
    if (!result.tensor) {
        std::vector<std::string> known = names_of(outputs);
        for (const std::string& each : names_of(inputs)) known.push_back(each);
        throw unknown_tensor(kernel_, "--print", name, known, ".output");
    }
    check_places(kernel_, {result.tensor});
    result.rows = kernel_.rows();
    result.lanes = lane_count;
    if (bracket == argument.size()) return result;

    const std::size_t comma = std::min(argument.find(',', bracket), argument.size() - 1);
    const std::string_view text = argument;
    std::optional<std::pair<unsigned, unsigned>> rows, lanes{{0, lane_count}};
    if (argument.back() == ']') {
        rows = parse_range(text.substr(bracket + 1, comma - bracket - 1), kernel_.rows());
        if (comma + 1 < argument.size())
            lanes = parse_range(text.substr(comma + 1, argument.size() - comma - 2), lane_count);
    }
    if (!rows || !lanes)
        throw user_error(fmt::format("--print: found '{}', expected {}[ROWS] or {}[ROWS, LANES] with rows "
                                     "and lanes like 3 or 0:4, below {} and {}",
                                     argument, name, name, kernel_.rows(), lane_count));
    result.first_row = rows->first;
    result.rows = rows->second - rows->first;
    result.first_lane = lanes->first;
    result.lanes = lanes->second - lanes->first;
    return result;
}

kernel_tensors::kernel_tensors(kernel_run& kernel, const tensor_arguments& arguments)
    : kernel_(kernel), ulp_(arguments.ulp), rtol_(arguments.rtol), atol_(arguments.atol) {
    const isa::kernel& source = kernel.kernel();
    std::vector<named_file> inputs;
    for (const std::string& each : arguments.inputs) {
        inputs.push_back(parse_file("--input", each, source.inputs, ".input"));
        for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
            if (inputs[i].tensor == inputs.back().tensor)
                throw user_error("--input: " + inputs[i].tensor->name + " is given twice");
    }
    std::vector<const isa::tensor*> places;
    for (const named_file& each : inputs) places.push_back(each.tensor);
    if (!inputs.empty()) check_places(kernel, places);
    for (const std::string& each : arguments.outputs) {
        const named_file wanted = parse_file("--output", each, source.outputs, ".output");
        outputs_.push_back({wanted.tensor, output_file(wanted.file)}); // a bad name is found before the run
    }
    for (const std::string& each : arguments.printed) printed_.push_back(parse_excerpt(each));
    for (const std::string& each : arguments.expected) {
        expectation wanted{parse_file("--expect", each, source.outputs, ".output"), {}};
        wanted.cells = read_tensor(wanted.source.file, wanted.source.tensor->type, kernel.rows(),
                                   inexact_value::round_to_nearest);
        expected_.push_back(std::move(wanted));
    }

    for (const named_file& input : inputs)
        put_cells(kernel, *input.tensor, read_tensor(input.file, input.tensor->type, kernel.rows()));
    for (const auto& [row, cells] : kernel.request().dst_rows) before_[row] = cells;
}

void kernel_tensors::write(const platform::dst_image& after) {
    for (auto& [tensor, file] : outputs_) {
        file.stream() << tensor_bytes(file.name(), tensor->type, cells_of(kernel_, after, *tensor));
        file.commit();
        written_.push_back(fmt::format("output {} {}", tensor->name, file.name()));
    }
}

std::string kernel_tensors::text(const platform::dst_image& after) const {
    constexpr std::size_t broad = 10; // a column of more characters: fewer stand side by side
    std::string text;
    for (const excerpt& wanted : printed_) {
        const isa::tensor& tensor = *wanted.tensor;
        const std::vector<std::uint32_t> cells = cells_of(kernel_, wanted.before ? before_ : after, tensor);
        const auto value = [&](unsigned row, unsigned lane) {
            return isa::text_of_cell(tensor.type, cells[row * lane_count + lane]);
        };
        const unsigned end_row = wanted.first_row + wanted.rows, end_lane = wanted.first_lane + wanted.lanes;
        std::size_t width = 0;
        for (unsigned row = wanted.first_row; row < end_row; ++row)
            for (unsigned lane = wanted.first_lane; lane < end_lane; ++lane)
                width = std::max(width, value(row, lane).size());
        const unsigned in_line = width > broad ? 4 : 8;
        text += fmt::format("{} ({}{})\n", tensor.name, isa::to_string(tensor.type),
                            wanted.before ? ", before the run" : "");
        for (unsigned row = wanted.first_row; row < end_row; ++row)
            for (unsigned lane = wanted.first_lane; lane < end_lane; lane += in_line) {
                text += lane == wanted.first_lane ? fmt::format("  row {:<4} ", row) : std::string(11, ' ');
                text += fmt::format("lane {:>2}:", lane);
                for (unsigned i = lane; i < std::min(lane + in_line, end_lane); ++i)
                    text += fmt::format("  {:>{}}", value(row, i), width);
                text += '\n';
            }
    }
    return text;
}

/// All NaNs are alike. Without a tolerance, zeros of floating types are told apart by their signs.
bool kernel_tensors::is_as_expected(isa::data_type type, std::uint32_t got, std::uint32_t wanted) const {
    const std::uint64_t apart = distance(type, got, wanted);
    const bool has_tolerance = rtol_ != 0 || atol_ != 0;
    if (has_tolerance && apart != no_distance && !isa::is_nan(type, got)) {
        const double number = isa::number_of_cell(type, wanted),
                     away = std::fabs(isa::number_of_cell(type, got) - number);
        if (std::isfinite(number) && away <= atol_ + rtol_ * std::fabs(number)) return true;
    }
    if (apart > ulp_) return false;
    return ulp_ != 0 || !isa::is_floating(type) || isa::is_nan(type, got) || got == wanted;
}

/// "within 2 ulp", "within rtol 0.001"; empty without one.
std::string kernel_tensors::tolerance_text() const {
    std::vector<std::string> parts;
    if (ulp_) parts.push_back(fmt::format("{} ulp", ulp_));
    if (rtol_ != 0 && atol_ != 0) parts.push_back(fmt::format("atol {:g} + rtol {:g}", atol_, rtol_));
    else if (rtol_ != 0) parts.push_back(fmt::format("rtol {:g}", rtol_));
    else if (atol_ != 0) parts.push_back(fmt::format("atol {:g}", atol_));
    return parts.empty() ? "" : fmt::format("within {}", fmt::join(parts, " or "));
}

std::string kernel_tensors::complaint_about(const expectation& wanted,
                                            const platform::dst_image& after) const {
    const auto& [tensor, file] = wanted.source;
    const std::vector<std::uint32_t> got = cells_of(kernel_, after, *tensor);
    std::size_t different = 0, first = 0;
    std::uint64_t furthest = 0;
    for (std::size_t i = got.size(); i-- > 0;)
        if (!is_as_expected(tensor->type, got[i], wanted.cells[i])) {
            ++different;
            first = i;
            furthest = std::max(furthest, distance(tensor->type, got[i], wanted.cells[i]));
        }
    if (different == 0) return "";
    const auto row = static_cast<unsigned>(first / lane_count),
               lane = static_cast<unsigned>(first % lane_count);
    const std::string tolerance = tolerance_text();
    std::string text = fmt::format(
        "{}: {}: {} of {} values are not as in {}{}, {}, first row {} lane {}: found {}, expected {}",
        kernel_.kernel().file, tensor->name, different, got.size(), file,
        tolerance.empty() ? "" : " " + tolerance,
        furthest == no_distance ? "some no numbers"
        : furthest == 0         ? "in the sign of zero"
                                : fmt::format("at most {} ulp away", furthest),
        row, lane, isa::text_of_cell(tensor->type, got[first]),
        isa::text_of_cell(tensor->type, wanted.cells[first]));
    const char* between = "; with ";
    for (const isa::tensor& input : kernel_.kernel().inputs) {
        const std::uint32_t cell = read_cell(before_, slice_of(kernel_, input, row), lane);
        text += fmt::format("{}{} = {}", between, input.name, isa::text_of_cell(input.type, cell));
        between = ", ";
    }
    return text;
}

std::vector<std::string> kernel_tensors::complaints(const platform::dst_image& after,
                                                    const std::vector<std::string>& unstored) const {
    std::vector<std::string> lines;
    for (const std::string& name : unstored) {
        const auto is_it = [&](const isa::tensor& tensor) { return tensor.name == name; };
        const bool asked = std::any_of(outputs_.begin(), outputs_.end(),
                                       [&](const auto& each) { return is_it(*each.tensor); }) ||
                           std::any_of(expected_.begin(), expected_.end(),
                                       [&](const auto& each) { return is_it(*each.source.tensor); }) ||
                           std::any_of(printed_.begin(), printed_.end(),
                                       [&](const auto& each) { return !each.before && is_it(*each.tensor); });
        if (asked)
            lines.push_back(
                fmt::format("{}: {} is never stored: its values are those that were in Dst before",
                            kernel_.kernel().file, name));
    }
    for (const expectation& each : expected_)
        if (std::string line = complaint_about(each, after); !line.empty()) lines.push_back(std::move(line));
    for (const auto& [tensor, file] : outputs_) {
        const std::vector<std::uint32_t> cells = cells_of(kernel_, after, *tensor);
        const auto misfits = [type = tensor->type](std::uint32_t cell) {
            return !isa::fits_value(type, cell);
        };
        const auto first = std::find_if(cells.begin(), cells.end(), misfits);
        if (first == cells.end()) continue;
        const auto place = static_cast<std::size_t>(first - cells.begin());
        lines.push_back(fmt::format(
            "{}: {}: {} of {} values do not fit into the {} of {}, which has their lower bits; first row {} "
            "lane {}: {}",
            kernel_.kernel().file, tensor->name, std::count_if(first, cells.end(), misfits), cells.size(),
            isa::numpy_name(tensor->type), file.name(), place / lane_count, place % lane_count,
            isa::text_of_cell(tensor->type, *first)));
    }
    return lines;
}

std::string kernel_tensors::agreement(const platform::dst_image& after) const {
    std::string text;
    for (const expectation& each : expected_) {
        if (!complaint_about(each, after).empty()) return "";
        text += fmt::format("{}{} is as in {}", text.empty() ? "" : ", ", each.source.tensor->name,
                            each.source.file);
    }
    if (const std::string tolerance = tolerance_text(); !text.empty() && !tolerance.empty())
        text += ", " + tolerance;
    return text;
}

} // namespace sfpu::analysis
