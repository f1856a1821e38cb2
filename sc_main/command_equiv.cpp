// `equiv`: whether two kernels compute the same.
#include "command.h"
#include "interrupts.h"
#include "program.h"
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;
using analysis::equivalence_report;
using analysis::output_difference;
using analysis::typed_value;

constexpr unsigned maximum_seeds = 1'000'000;

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

json difference_json(const output_difference& difference) {
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

json report_json(const equivalence_report& report, const std::vector<std::string>& unstored) {
    return {{"equal", report.interrupted ? json(nullptr) : json(report.equal)},
            {"inputs_tried", report.inputs_tried},
            {"exhaustive", report.exhaustive},
            {"first_difference",
             report.first_difference ? difference_json(*report.first_difference) : json(nullptr)},
            {"runs", report.runs},
            {"inputs", report.inputs},
            {"outputs", report.outputs},
            {"unstored", unstored}};
}

class equiv_command : public command {
public:
    const char* name() const override { return "equiv"; }
    const char* description() const override { return "Whether two kernels compute the same"; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("A", a_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("B", b_file_, "the other kernel");
        app.add_option("--seeds", options_.seeds, "runs with random values")
            ->type_name("N")
            ->check(integer_between(0u, maximum_seeds))
            ->capture_default_str();
        app.add_option("--seed", options_.seed, "of the input values")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_flag("--exhaustive", options_.exhaustive,
                     "try every value of each input of 16 bits or fewer");
        app.add_flag("--ignore-signed-zero", options_.ignore_signed_zero, "+0 and -0 are the same");
        app.add_flag("--nan-equal", options_.nan_equal, "all NaNs are the same");
        app.add_option("--rows", rows_, "rows of 32 elements that both kernels work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        if (a_file_.empty() || b_file_.empty())
            throw user_error(std::string("equiv: ") + (a_file_.empty() ? "A and B are" : "B is") +
                             " missing");
        const isa::kernel a = load_kernel(a_file_, options), b = load_kernel(b_file_, options);
        platform::core_runner runner;
        equivalence_report report;
        {
            const interrupt_guard guard;
            options_.interrupted = interrupt_guard::interrupted;
            report = compare(runner, a, b, options, rows_, options_);
        }
        if (!report.not_comparable.empty())
            throw user_error(
                fmt::format("{} and {} cannot be compared: {}", a_file_, b_file_, report.not_comparable));
        std::vector<std::string> unstored;
        if (report.equal) unstored = stored_by_neither(runner, a, b, options, rows_);
        if (!unstored.empty() && unstored.size() == a.outputs.size())
            throw user_error(fmt::format("{} and {} cannot be compared: neither stores any of {}", a_file_,
                                         b_file_, fmt::join(unstored, ", ")));
        if (json_) write_output("", report_json(report, unstored).dump(2) + "\n");
        else if (!options.quiet && !report.interrupted)
            write_output("", equivalence_text(a_file_, b_file_, report, unstored));
        if (report.interrupted) {
            fmt::print(stderr, "{} and {}: interrupted: no difference in {} inputs in {} runs\n", a_file_,
                       b_file_, report.inputs_tried, report.runs);
            return exit_interrupted;
        }
        return report.equal ? exit_success : exit_program_failed;
    }

private:
    std::string a_file_, b_file_;
    std::optional<unsigned> rows_;
    analysis::equivalence_options options_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<command> make_equiv_command() { return std::make_unique<equiv_command>(); }

} // namespace sfpu::cli
