#include "point.h"

#include "../program.h"
#include "../run_outputs.h"
#include "../versions.h"
#include "firmware_point.h"
#include "kernel_picture.h"
#include "point_columns.h"
#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/resource_bound.h>
#include <sfpu/views/config_json.h>

#include <sfpu/analysis/lint.h>
#include <sfpu/common/random_source.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::uint64_t data_seed = 1;   ///< of Dst, the same for all points so that results compare
constexpr unsigned lint_schedules = 50;  ///< random ones; single bubbles are tried everywhere
constexpr double jitter_rate = 0.3;      ///< of words that come late
constexpr unsigned longest_lateness = 8; ///< cycles

std::vector<unsigned> issue_jitter(std::uint64_t seed, std::uint64_t words) {
    random_source random(seed);
    std::vector<unsigned> bubbles(words);
    for (unsigned& bubble : bubbles)
        if (random.fraction() < jitter_rate)
            bubble = 1 + static_cast<unsigned>(random.next() % longest_lateness);
    return bubbles;
}

std::uint64_t words_of(const platform::run_request& request) {
    std::uint64_t words = 0;
    for (const platform::program_segment& each : request.segments) words += each.words.size() * each.repeat;
    return words;
}

/// Runs of a kernel's files that the outputs of a point are compared with.
class references {
public:
    references(platform::program_runner& runner, const kernel_run& kernel, const sweep& of)
        : runner_(runner), kernel_(kernel), of_(of) {}

    /// What the kernel leaves on the baseline's machine, or its plain form where that machine cannot run the kernel. A schedule that was
    /// made for its machine is no less right if the baseline's is one on which these words are wrong: then what they leave on the chip.
    std::optional<platform::dst_image> of_kernel(const sweep_kernel& files, schedule_choice schedule) {
        const bool plain_first = schedule == schedule_choice::optimize; // what the schedule was made of
        for (const std::string& file :
             {plain_first ? files.plain : files.macro, plain_first ? files.macro : files.plain}) {
            if (file.empty()) continue;
            std::optional<platform::dst_image> found = dst_after(file, of_.baseline);
            if (!found) continue;
            if (of_.baseline.empty()) return found;
            std::optional<platform::dst_image> on_chip = dst_after(file, {});
            differs_ = on_chip && compare_outputs(kernel_, *on_chip, *found).changed();
            return differs_ && schedule != schedule_choice::keep ? on_chip : found;
        }
        return std::nullopt;
    }
    /// Whether the kernel computes something else on the baseline's machine than on the chip.
    bool baseline_differs_from_chip() const { return differs_; }

private:
    std::optional<platform::dst_image> dst_after(const std::string& file,
                                                 const std::vector<parameter_value>& machine) {
        try {
            kernel_run other = on_other_machine(read_file(file), file, kernel_, options_of(of_, machine));
            runner_.run(other.request());
            return runner_.dst();
        } catch (const user_error&) {
            return std::nullopt; // that machine cannot run it
        }
    }

    platform::program_runner& runner_;
    const kernel_run& kernel_;
    const sweep& of_;
    bool differs_ = false;
};

/// What `optimize` made of a kernel.
struct written_schedule {
    json answer;
    std::string text;
};

/// A file in memory: it has no name that could stay behind, whatever ends this process.
class nameless_file {
public:
    nameless_file() : descriptor_(memfd_create("sfpusim", 0)) {
        if (descriptor_ < 0) throw user_error(std::string("no file in memory: ") + std::strerror(errno));
    }
    ~nameless_file() { close(descriptor_); }
    nameless_file(const nameless_file&) = delete;
    nameless_file& operator=(const nameless_file&) = delete;

    int descriptor() const { return descriptor_; }
    /// What processes of this one call it.
    std::string name() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
    std::string content() const {
        std::string text;
        std::array<char, 65536> part;
        for (ssize_t size;
             (size = pread(descriptor_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
            text.append(part.data(), static_cast<std::size_t>(size));
        return text;
    }

private:
    int descriptor_;
};

/// Runs `optimize` of this program. Throws user_error with what it says if it writes nothing.
written_schedule write_schedule(const std::string& file, const common_options& options, bool retime,
                                std::uint64_t budget) {
    const nameless_file out, said, complaints;
    std::vector<std::string> words{"sfpusim", "optimize", file,
                                   "-o",      out.name(), "--json",
                                   "--quiet", "--budget", std::to_string(budget)};
    if (retime) words.emplace_back("--retime");
    if (!options.arch.empty()) words.insert(words.end(), {"--arch", options.arch});
    for (const std::string& setting : options.settings) words.insert(words.end(), {"--set", setting});
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (dup2(said.descriptor(), STDOUT_FILENO) >= 0 && dup2(complaints.descriptor(), STDERR_FILENO) >= 0)
            execv("/proc/self/exe", arguments.data());
        _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        throw user_error(std::string("no process for the optimiser: ") + std::strerror(errno));
    std::string text = out.content(), problem = complaints.content();
    while (!problem.empty() && problem.back() == '\n') problem.pop_back();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty())
        throw user_error(problem.empty() ? file + ": the optimiser gave no schedule" : problem);
    return {json::parse(said.content(), nullptr, false), std::move(text)};
}

point_result measured(const sweep& of, const point_id& id) {
    const sweep_kernel& files = of.kernels[id.kernel];
    const schedule_choice schedule = of.schedule_of(files);
    const common_options options = options_of(of, of.settings(id.point));
    point_result result = empty_result(schedule, "ok", "");
    std::string file = files.macro.empty() ? files.plain : files.macro, text;
    if (schedule == schedule_choice::keep) {
        text = read_file(file);
    } else {
        const bool retime = schedule == schedule_choice::retime;
        if (!retime && files.plain.empty())
            throw user_error(file + ": has no plain form, which schedule 'optimize' starts from");
        if (!retime) file = files.plain;
        written_schedule written = write_schedule(file, options, retime, of.budget);
        result["proved"] = written.answer.value("proved", false);
        result[result_parts::text] = written.text;
        text = std::move(written.text);
    }
    kernel_run kernel(assemble_kernel(text, file, options), options, std::nullopt);
    fill_with_random_data(kernel, data_seed);

    platform::core_runner runner;
    if (const auto binds = binding_of(runner, text, kernel, options,
                                      schedule == schedule_choice::keep ? file : written_kernel)) {
        const probe::steady_state_statistics& state = binds->steady_state;
        result["bound_cycles_per_row"] = binds->bound.cycles_per_row;
        result["bound_reason"] = binds->bound.reason;
        result["binds"] = state.binds;
        result["dependence_cycles_per_row"] = state.dependence_cycles_per_row;
        result["dependences"] = state.dependences;
        for (const auto& each : state.slots)
            result[result_parts::slots][each.resource] = {each.busy, each.blocked, each.idle};
    }

    if (kernel_picture picture = picture_of(runner, text, kernel, options); !picture.svg.empty())
        result[result_parts::picture] = {{"svg", std::move(picture.svg)},
                                         {"rows", picture.rows},
                                         {"from", picture.from_cycle},
                                         {"to", picture.to_cycle}};

    diagnostic_summary diagnostics(false);
    platform::run_request request = kernel.request();
    request.diagnostics = &diagnostics;
    if (of.seeds[id.seed]) request.bubbles = issue_jitter(*of.seeds[id.seed], words_of(request));
    const platform::run_result run = runner.run(request);
    const platform::dst_image dst = runner.dst();
    if (kernel.rows() != 0) result["cycles_per_row"] = rounded(kernel.cycles_per_row(run));
    fill_in_counters(result, run.counters, run.cycles_used);
    std::uint64_t hazards = 0;
    for (unsigned i = 0; i < report_count; ++i) hazards += diagnostics.of(static_cast<report_id>(i)).count;
    result["hazards"] = hazards;
    references known(runner, kernel, of);
    const std::optional<platform::dst_image> reference = known.of_kernel(files, schedule);
    if (!reference) result["valid"] = "unknown";
    else if (compare_outputs(kernel, *reference, dst).changed()) result["valid"] = "false";
    else result["valid"] = remarks_on(runner, kernel).touches_no_output ? "unknown" : "true";
    if (known.baseline_differs_from_chip()) result[result_parts::reference] = true;
    result[result_parts::chip] = long_name(kernel.kernel().arch);
    if (result["valid"] == "false" && !of.seeds[id.seed]) { // wrong even without bubbles
        result["verdict"] = analysis::to_string(analysis::lint_verdict::broken);
        return result;
    }
    analysis::lint_options lint;
    lint.schedules = lint_schedules;
    result["verdict"] = to_string(
        analysis::lint(runner, kernel.kernel(), kernel.request(), kernel.iterations(), lint).verdict);
    return result;
}

std::string content_or_fault(const std::string& file) {
    if (file.empty()) return "";
    try {
        return read_file(file);
    } catch (const user_error& problem) {
        return std::string("fault: ") + problem.what();
    }
}

} // namespace

std::vector<point_id> all_runs(const sweep& of) {
    std::vector<point_id> runs;
    for (std::size_t point = 0; point < of.points.size(); ++point)
        for (std::size_t kernel = 0; kernel < of.kernels.size(); ++kernel)
            for (std::size_t seed = 0; seed < of.seeds_of(of.kernels[kernel]).size(); ++seed)
                runs.push_back({point, kernel, seed});
    return runs;
}

std::string inputs_of(const sweep& of, const point_id& id) {
    static const std::string program = probe::fnv1a_64_hex(read_file("/proc/self/exe"));
    const sweep_kernel& files = of.kernels[id.kernel];
    const std::optional<std::uint64_t> seed = of.seeds_of(files)[id.seed];
    json inputs{{"program", program},
                {"name", files.file()}, // stands in messages
                {"macro", content_or_fault(files.macro)},
                {"plain", content_or_fault(files.plain)},
                {"arch", of.arch ? short_name(*of.arch) : ""},
                {"schedule", to_string(of.schedule_of(files))},
                {"seed", seed ? json(*seed) : json(nullptr)}};
    if (!files.firmware.empty()) { // not text
        const std::string content = content_or_fault(files.firmware);
        inputs["firmware"] = probe::fnv1a_64_hex(content) + probe::fnv1a_64_hex(content + "#");
    }
    if (of.schedule_of(files) != schedule_choice::keep) inputs["budget"] = of.budget;
    for (const parameter_value& each : of.baseline) inputs["baseline"][each.path] = each.value;
    for (const parameter_value& each : of.settings(id.point)) inputs["machine"][each.path] = each.value;
    return inputs.dump(-1, ' ', false, json::error_handler_t::replace);
}

point_result run_point(const sweep& of, const point_id& id) {
    const schedule_choice schedule = of.schedule_of(of.kernels[id.kernel]);
    try {
        return of.kernels[id.kernel].firmware.empty() ? measured(of, id) : run_firmware_point(of, id);
    } catch (const user_error& problem) {
        return empty_result(schedule, "failed", problem.what());
    } catch (const std::bad_alloc&) {
        return empty_result(schedule, "failed", "out of memory");
    }
}

point_result lost_point(schedule_choice schedule, const char* status, const std::string& error) {
    return empty_result(schedule, status, error);
}

json row_of(const sweep& of, const point_id& id, const point_result& result) {
    const std::optional<std::uint64_t> seed = of.seeds_of(of.kernels[id.kernel])[id.seed];
    json row{{"point", id.point},
             {"kernel", of.kernels[id.kernel].name},
             {"seed", seed ? json(*seed) : json(nullptr)}};
    parameters config;
    if (of.arch) config.arch = *of.arch;
    for (const parameter_value& each : of.settings(id.point)) set_parameter(config, each.path, each.value);
    for (const std::string& path : of.paths) row[path] = value_json(*find_parameter(path), config);
    row.update(result);
    row.erase(result_parts::text);
    row.erase(result_parts::picture);
    row.erase(result_parts::slots);
    row.erase(result_parts::chip);
    row.erase(result_parts::reference);
    row["cost"] = rounded(of.cost_of(config));
    return row;
}

} // namespace sfpu::cli
