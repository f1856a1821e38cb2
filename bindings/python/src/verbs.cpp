#include "verbs.h"

#include "module_values.h"
#include "python_session.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/exploration.h>
#include <sfpu/analysis/instruction_profile.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/kernel_values.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/run.h>
#include <sfpu/analysis/schedule_point.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/analysis/word_places.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/equivalence.h>
#include <sfpu/views/exploration.h>
#include <sfpu/views/instruction_profile.h>
#include <sfpu/views/lint.h>
#include <sfpu/views/optimize.h>
#include <sfpu/views/run.h>

#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace sfpu::python {
namespace {

/// A kernel and its machine, as all verbs take them.
struct kernel_call {
    std::string text, name;
    analysis::machine_choice machine;
};

analysis::machine_choice machine_of(const std::string& arch, const settings& given,
                                    const std::string& hazards, bool strict,
                                    std::optional<bool> firmware_start) {
    configuration(arch, given); // refuses what is wrong
    hazard_policy policy{};
    if (!parse(hazards, policy))
        throw std::invalid_argument("hazards: found '" + hazards + "', expected error, warn or off");
    analysis::machine_choice machine;
    machine.arch = arch;
    for (const auto& [path, value] : given) machine.settings.push_back(path + "=" + value);
    machine.hazards = hazards;
    machine.strict = strict;
    machine.firmware_start = firmware_start;
    return machine;
}

std::optional<unsigned> rows_of(std::optional<std::int64_t> given) {
    if (!given) return std::nullopt;
    if (*given < 1 || *given > std::int64_t{analysis::maximum_rows})
        throw std::invalid_argument("rows: found " + std::to_string(*given) + ", expected 1 to " +
                                    std::to_string(analysis::maximum_rows));
    return static_cast<unsigned>(*given);
}

using named_place = std::tuple<std::string, unsigned, std::string>;

std::vector<analysis::placed_tensor> places_of(const char* what, const std::vector<named_place>& given) {
    std::vector<analysis::placed_tensor> placed;
    for (const auto& [name, address, type] : given) {
        const auto known = isa::find_data_type(type);
        if (!known)
            throw std::invalid_argument(std::string(what) + ": " + name + ": found '" + type +
                                        "', expected a type as .input has it, as f32");
        placed.push_back({name, address, *known});
    }
    return placed;
}

/// The kernel as assembly or words, its form, the function that was taken, and what is told of it.
py::tuple translate(const std::string& content, const std::string& name, const std::string& arch,
                    const settings& given, const std::string& form, const std::string& function,
                    const std::string& template_arguments, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& folders, const std::vector<std::string>& definitions,
                    const std::vector<named_place>& inputs, const std::vector<named_place>& outputs,
                    bool assume_semaphores, const std::string& compiler,
                    const std::vector<std::string>& kit_folders, std::optional<double> timeout) {
    analysis::source_request wanted;
    if (!form.empty()) {
        wanted.form = analysis::find_kernel_form(form);
        if (!wanted.form)
            throw std::invalid_argument("form: found '" + form +
                                        "', expected asm, hex, elf, objdump, gnu or cpp");
    }
    wanted.function = function;
    wanted.template_arguments = template_arguments;
    wanted.arguments = arguments;
    wanted.folders = folders;
    wanted.definitions = definitions;
    wanted.inputs = places_of("input_at", inputs);
    wanted.outputs = places_of("output_at", outputs);
    wanted.assume_semaphores = assume_semaphores;
    wanted.tools.compiler = compiler;
    const analysis::machine_choice machine = machine_of(arch, given, "warn", false, std::nullopt);
    analysis::kernel_text text;
    python_session(timeout).run([&](const analysis::session& caller) {
        if (!wanted.form) wanted.form = analysis::form_of(content, name);
        if (*wanted.form == analysis::kernel_form::cpp) {
            if (kit_folders.empty())
                throw std::invalid_argument(
                    name + ": C++ kernels need the program's share/sfpu-tlm/kernel_kit.json, which is not "
                           "beside this package nor beside sfpusim");
            wanted.tools.kit = analysis::read_kernel_kit(kit_folders.front());
        }
        text = analysis::translate_kernel(content, name, wanted, machine, caller);
    });
    return py::make_tuple(py::bytes(text.text), to_string(text.form), text.function, text.told);
}

/// What Dst holds before a run.
struct initial_data {
    std::uint64_t seed = 1;
    bool zero = false;
    /// The bits of values, as isa::data_type has them, by the name of an .input.
    std::map<std::string, std::vector<std::uint32_t>> inputs;
};

std::vector<std::uint32_t> cells_of_values(const isa::tensor& tensor,
                                           const std::vector<std::uint32_t>& values) {
    std::vector<std::uint32_t> cells;
    cells.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto cell = isa::cell_of_value(tensor.type, values[i]);
        if (!cell)
            throw std::invalid_argument("inputs: " + tensor.name + ": value " + std::to_string(i) + " (row " +
                                        std::to_string(i / lane_count) + ", lane " +
                                        std::to_string(i % lane_count) + ") is none of type " +
                                        isa::to_string(tensor.type));
        cells.push_back(*cell);
    }
    return cells;
}

void put_data(analysis::kernel_run& kernel, const initial_data& data) {
    if (!data.zero) analysis::fill_with_random_data(kernel, data.seed);
    std::vector<const isa::tensor*> given;
    for (const auto& [name, values] : data.inputs)
        given.push_back(&analysis::find_tensor(kernel, kernel.kernel().inputs, name, "inputs", ".input"));
    if (!given.empty()) analysis::check_places(kernel, given);
    for (const isa::tensor* each : given) {
        const std::vector<std::uint32_t>& values = data.inputs.at(each->name);
        const std::size_t expected = std::size_t{kernel.rows()} * lane_count;
        if (values.size() != expected)
            throw std::invalid_argument("inputs: " + each->name + ": found " + std::to_string(values.size()) +
                                        " values, expected " + std::to_string(expected) +
                                        ", 32 for each row");
        analysis::put_cells(kernel, *each, cells_of_values(*each, values));
    }
}

/// One for each thread: what a runner learnt of a kernel's words serves the next run of it.
platform::core_runner& runner_of_thread() {
    thread_local platform::core_runner runner;
    return runner;
}

/// A run, and what is asked of it later.
class kernel_answer {
public:
    kernel_answer(kernel_call call, std::optional<unsigned> rows)
        : call_(std::move(call)),
          kernel_(analysis::assemble_kernel(call_.text, call_.name, call_.machine), call_.machine, rows) {}

    void run(const initial_data& data, std::optional<unsigned> rows, bool compare_with_chip,
             const std::vector<std::string>& outputs, const analysis::session& caller);
    /// The statistics file. What binds is found when it is asked for: that takes longer than the run.
    std::string report();
    /// By instruction and by line, from runs of its own.
    std::string profile() const {
        return views::to_json(analysis::instruction_profile_of(runner_of_thread(), kernel_));
    }

    bool ok = true;
    std::string messages;
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> outputs; ///< bits of values, by name
    /// What is odd about the kernel and breaks no rule.
    const analysis::kernel_remarks& remarks() const { return answer_.remarks; }
    const analysis::kernel_run& kernel() const { return kernel_; }
    const analysis::diagnostic_summary& diagnostics() const { return answer_.run.diagnostics; }
    analysis::user_places places() const { return kernel_.places(); }

private:
    kernel_call call_;
    analysis::kernel_run kernel_;
    analysis::run_answer answer_;
};

/// Why an output cannot be taken as it is; empty: it can.
std::string output_complaint(const analysis::kernel_run& kernel, const isa::tensor& tensor,
                             const std::vector<std::uint32_t>& cells,
                             const analysis::kernel_remarks& remarks) {
    const std::string where = kernel.kernel().file + ": " + tensor.name;
    for (const std::string& name : remarks.unstored)
        if (name == tensor.name)
            return where + " is never stored: its values are those that were in Dst before\n";
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (!isa::fits_value(tensor.type, cells[i]))
            return where + ": row " + std::to_string(i / lane_count) + " lane " +
                   std::to_string(i % lane_count) + " does not fit into " + isa::numpy_name(tensor.type) +
                   ", which has its lower bits: " + isa::text_of_cell(tensor.type, cells[i]) + "\n";
    return "";
}

void kernel_answer::run(const initial_data& data, std::optional<unsigned> rows, bool compare_with_chip,
                        const std::vector<std::string>& wanted, const analysis::session& caller) {
    put_data(kernel_, data);
    std::vector<const isa::tensor*> tensors;
    for (const std::string& name : wanted)
        tensors.push_back(
            &analysis::find_tensor(kernel_, kernel_.kernel().outputs, name, "outputs", ".output"));
    analysis::run_options how;
    how.compare_with_chip = compare_with_chip;
    how.bottleneck = false;
    how.fix_its = false; // the report has no place for them
    how.rows = rows;
    answer_ = analysis::run(runner_of_thread(), kernel_, call_.text, call_.machine, how, caller);

    ok = answer_.ok();
    for (const std::string& line : views::not_modelled_lines(
             kernel_.kernel().file, answer_.run.result.counters, kernel_.request().config.arch))
        messages += line + "\n";
    for (const std::string& line : views::failure_lines(kernel_, answer_)) messages += line + "\n";
    for (const isa::tensor* each : tensors) {
        std::vector<std::uint32_t> values = analysis::cells_of(kernel_, answer_.dst, *each);
        const std::string complaint = output_complaint(kernel_, *each, values, answer_.remarks);
        messages += complaint;
        ok = ok && complaint.empty();
        for (std::uint32_t& value : values) value = isa::value_of_cell(each->type, value);
        outputs.emplace_back(each->name, std::move(values));
    }
}

std::string kernel_answer::report() {
    if (!answer_.binds)
        answer_.binds = analysis::binding_of(runner_of_thread(), call_.text, kernel_, call_.machine,
                                             kernel_.kernel().file);
    return probe::statistics_json(views::statistics_of(kernel_, answer_, ""));
}

std::unique_ptr<kernel_answer> run(const std::string& text, const std::string& name, const std::string& arch,
                                   const settings& given, const std::string& hazards, bool strict,
                                   std::optional<bool> firmware_start, std::optional<std::int64_t> rows,
                                   std::uint64_t seed, bool zero,
                                   const std::map<std::string, word_array>& inputs, bool compare_with_chip,
                                   const std::vector<std::string>& outputs, std::optional<double> timeout) {
    kernel_call call{text, name, machine_of(arch, given, hazards, strict, firmware_start)};
    initial_data data{seed, zero, {}};
    for (const auto& [input, values] : inputs)
        data.inputs[input].assign(values.data(), values.data() + values.size());
    const std::optional<unsigned> wanted_rows = rows_of(rows);
    std::unique_ptr<kernel_answer> answer;
    python_session(timeout).run([&](const analysis::session& caller) {
        answer = std::make_unique<kernel_answer>(std::move(call), wanted_rows);
        answer->run(data, wanted_rows, compare_with_chip, outputs, caller);
    });
    return answer;
}

// The rest gives whether the answer is what was asked for, and the answer as JSON.

std::pair<bool, std::string> equiv(const std::string& a_text, const std::string& a_name,
                                   const std::string& b_text, const std::string& b_name,
                                   const std::string& arch, const settings& given, unsigned seeds,
                                   std::uint64_t seed, bool exhaustive, bool ignore_signed_zero,
                                   bool nan_equal, std::optional<double> timeout) {
    const analysis::machine_choice machine = machine_of(arch, given, "warn", false, std::nullopt);
    analysis::equivalence_options how;
    how.seeds = seeds;
    how.seed = seed;
    how.exhaustive = exhaustive;
    how.ignore_signed_zero = ignore_signed_zero;
    how.nan_equal = nan_equal;
    analysis::smt_solver solver;
    how.solver = &solver;
    std::pair<bool, std::string> found;
    python_session(timeout).run([&](const analysis::session& caller) {
        const isa::kernel a = analysis::assemble_kernel(a_text, a_name, machine),
                          b = analysis::assemble_kernel(b_text, b_name, machine);
        const analysis::equivalence_answer answer =
            analysis::equivalence_of(runner_of_thread(), a, b, machine, std::nullopt, how, caller);
        found = {answer.report.equal, views::to_json(answer)};
    });
    return found;
}

std::pair<bool, std::string> lint(const std::string& text, const std::string& name, const std::string& arch,
                                  const settings& given, unsigned schedules, double bubble_rate,
                                  std::uint64_t seed, std::optional<double> timeout) {
    const analysis::machine_choice machine = machine_of(arch, given, "warn", false, std::nullopt);
    analysis::lint_request request;
    request.how.schedules = schedules;
    request.how.bubble_rate = bubble_rate;
    request.how.seed = seed;
    std::pair<bool, std::string> found;
    python_session(timeout).run([&](const analysis::session& caller) {
        const analysis::lint_answer answer =
            analysis::lint_kernel(runner_of_thread(), text, name, machine, request, caller);
        found = {answer.report.verdict == analysis::lint_verdict::robust, views::to_json(answer)};
    });
    return found;
}

py::tuple optimize(const std::string& text, const std::string& name, const std::string& arch,
                   const settings& given, std::optional<unsigned> rows_per_iteration,
                   std::optional<double> at_most, bool bubble_proof, bool retime, bool why, double seconds,
                   std::int64_t conflicts, bool llk_header,
                   const std::optional<std::pair<std::string, std::string>>& upper_bound, unsigned jobs,
                   std::size_t memory_limit, bool rewrite, bool no_nan, bool no_denormal,
                   std::optional<double> timeout) {
    analysis::smt_solver solver;
    analysis::optimize_request request;
    request.solver = &solver;
    if (upper_bound) request.upper_bound = {upper_bound->second, upper_bound->first};
    request.jobs = jobs;
    request.memory_limit = memory_limit;
    request.rewrite = rewrite;
    request.no_nan = no_nan;
    request.no_denormal = no_denormal;
    request.text = text;
    request.name = name;
    request.machine = machine_of(arch, given, "warn", false, std::nullopt);
    request.rows_per_iteration = rows_per_iteration;
    request.at_most = at_most;
    request.bubble_proof = bubble_proof;
    request.retime = retime;
    request.why = why;
    request.seconds = seconds;
    request.conflicts = conflicts;
    request.llk_header = llk_header;
    analysis::optimize_answer answer;
    python_session(timeout).run(
        [&](const analysis::session& caller) { answer = analysis::optimize(request, caller); });
    if (!answer.header_problem.empty()) throw std::invalid_argument(answer.header_problem);
    std::string warnings;
    for (const std::string& line : answer.warnings) warnings += line + "\n";
    return py::make_tuple(answer.met, views::to_json(answer), answer.schedule, answer.header, warnings);
}

std::string explore(const std::string& sweep_file, const std::string& folder, unsigned jobs,
                    bool retry_failed, std::optional<double> timeout) {
    std::string lines;
    python_session(timeout).run([&](const analysis::session& caller) {
        analysis::exploration_request request;
        request.what = analysis::read_sweep(sweep_file);
        request.folder = folder;
        request.jobs = jobs;
        request.retry_failed = retry_failed;
        request.tools.write_schedule = analysis::schedule_for_point;
        lines = views::to_json_lines(analysis::explore(std::move(request), caller));
    });
    return lines;
}

py::dict outputs_of(const kernel_answer& answer) {
    py::dict arrays;
    for (const auto& [name, values] : answer.outputs)
        arrays[py::str(name)] = array_of(values.data(), values.size());
    return arrays;
}

py::list remarks_of(const kernel_answer& answer) {
    py::list remarks;
    for (const isa::source_remark& each : answer.remarks().all) {
        py::dict remark;
        const unsigned line = answer.places().of(each.line).line;
        remark["line"] = line ? py::object(py::int_(line)) : py::object(py::none());
        remark["id"] = describe(each.id).name;
        remark["message"] = each.message;
        remarks.append(remark);
    }
    return remarks;
}

/// What `run` lists under "hazards": of each id how often it came, and the first time.
py::list diagnostics_of(const kernel_answer& answer) {
    py::list list;
    for (unsigned i = 0; i < report_count; ++i) {
        const report_row& row = describe(static_cast<report_id>(i));
        const analysis::diagnostic_summary::entry& seen = answer.diagnostics().of(static_cast<report_id>(i));
        if (seen.count == 0) continue;
        const unsigned line = answer.kernel().line(analysis::word_of(seen.first));
        py::dict entry;
        entry["id"] = row.name;
        entry["kind"] = to_string(row.kind);
        entry["severity"] = to_string(seen.first.level);
        entry["count"] = seen.count;
        entry["line"] = line ? py::object(py::int_(line)) : py::object(py::none());
        entry["place"] = answer.kernel().location(seen.first);
        entry["message"] = answer.kernel().message(seen.first);
        entry["cure"] = row.cure;
        list.append(entry);
    }
    return list;
}

std::string report_of(kernel_answer& answer) {
    std::string text;
    python_session(std::nullopt).run([&](const analysis::session&) { text = answer.report(); });
    return text;
}

std::string profile_of(const kernel_answer& answer) {
    std::string text;
    python_session(std::nullopt).run([&](const analysis::session&) { text = answer.profile(); });
    return text;
}

} // namespace

void bind_verbs(py::module_& module) {
    py::register_exception_translator([](std::exception_ptr what) {
        try {
            if (what) std::rethrow_exception(what);
        } catch (const analysis::user_error& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const timed_out& late) {
            const py::object expired = py::module_::import("subprocess").attr("TimeoutExpired");
            PyErr_SetObject(expired.ptr(), expired("sfpu", late.seconds).ptr());
        }
    });
    py::class_<kernel_answer>(module, "Answer")
        .def_readonly("ok", &kernel_answer::ok)
        .def_readonly("messages", &kernel_answer::messages)
        .def("outputs", &outputs_of)
        .def("remarks", &remarks_of)
        .def("diagnostics", &diagnostics_of)
        .def("report", &report_of)
        .def("profile", &profile_of);
    module.def("translate", &translate);
    module.def("run", &run);
    module.def("equiv", &equiv);
    module.def("lint", &lint);
    module.def("optimize", &optimize);
    module.def("explore", &explore);
}

} // namespace sfpu::python
