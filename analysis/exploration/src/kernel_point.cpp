#include "kernel_point.h"

#include "rounded.h"

#include <sfpu/analysis/allowances.h>
#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/resource_bound.h>
#include <sfpu/common/random_source.h>
#include <sfpu/common/shown_name.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace sfpu::analysis {
namespace {

using point_time = std::chrono::steady_clock;

constexpr std::uint64_t data_seed = 1;   ///< of Dst, the same for all points so that results compare
constexpr unsigned lint_schedules = 50;  ///< random ones; single bubbles are tried everywhere
constexpr double jitter_rate = 0.3;      ///< of words that come late
constexpr unsigned longest_lateness = 8; ///< cycles

/// Thrown where a point is left because nobody waits for it any more.
struct point_given_up {};

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

/// How many diagnostics come that the kernel does not allow.
class diagnostic_count : public diagnostic_sink {
public:
    explicit diagnostic_count(const isa::kernel& of) : allowed_(of) {}
    void diagnose(const diagnostic& what) override { count += !allowed_.take(what.id); }
    std::uint64_t count = 0;

private:
    allowances allowed_;
};

/// One run of a kernel on a machine, step by step.
class kernel_point {
public:
    kernel_point(const sweep_inputs& inputs, const point_id& id, const point_tools& tools,
                 platform::program_runner& runner, const point_end& ends)
        : inputs_(inputs), of_(inputs.of()), id_(id), tools_(tools), runner_(runner), ends_(ends),
          machine_(of_.machine(id.point)) {
        result_.schedule = of_.schedule_of(inputs.kernel(id));
    }

    point_result run() {
        choose_words();
        run_words();
        if (no_schedule_ && !is_right()) throw user_error(*no_schedule_);
        if (!no_schedule_ && is_beaten_by_given_macro()) run_words();
        return std::move(result_);
    }

private:
    bool keeps_words() const { return result_.schedule == schedule_choice::keep; }
    bool is_right() const { return result_.valid == true && result_.verdict != lint_verdict::broken; }

    void run_words() {
        assemble();
        find_bottleneck();
        if (tools_.draw) result_.picture = tools_.draw(runner_, text_, *kernel_, machine_);
        judge();
        result_.chip = kernel_->kernel().arch;
    }
    void assemble() {
        kernel_.emplace(assemble_kernel(text_, file_, machine_), machine_, std::nullopt);
        fill_with_random_data(*kernel_, data_seed);
    }
    void judge() {
        const platform::dst_image dst = measure();
        compare_with_baseline(dst);
        judge_timing();
    }

    /// The macro form that stands beside the plain one is a schedule, too: if its results are right on this
    /// machine and it is faster than what was written, its words are those of the point.
    bool is_beaten_by_given_macro() {
        const file_content& macro = inputs_.macro(id_);
        if (result_.schedule != schedule_choice::optimize || macro.name.empty() || !result_.cycles_per_row)
            return false;
        kernel_point given(inputs_, id_, tools_, runner_, ends_);
        given.file_ = macro.name;
        try {
            given.text_ = macro.expect();
            given.assemble();
            given.measure();
            const std::optional<double> cycles = given.result_.cycles_per_row;
            if (!cycles || (is_right() && *cycles >= *result_.cycles_per_row)) return false;
            given.judge();
        } catch (const user_error&) {
            return false; // this machine cannot run it
        }
        if (!given.is_right()) return false;
        // Shorter than what the search calls the least: it left out what this one has.
        const std::optional<double> cycles = given.result_.cycles_per_row;
        if (result_.least_cycles_per_row > cycles) result_.least_cycles_per_row.reset();
        result_.proved = result_.proved && result_.least_cycles_per_row == cycles;
        if (result_.least_cycles_per_row != cycles) result_.proof = "open";
        result_.written.clear();
        file_ = given.file_;
        text_ = given.text_;
        return true;
    }

    std::function<bool(std::uint64_t)> stop_when_over() const {
        return [this](std::uint64_t) { return ends_.is_over(); };
    }
    void expect_time() const {
        if (ends_.is_over()) throw point_given_up();
    }

    void choose_words() {
        const file_content& kept = inputs_.kept(id_);
        file_ = kept.name;
        if (keeps_words()) {
            text_ = kept.expect();
            return;
        }
        const bool retime = result_.schedule == schedule_choice::retime;
        const std::string& plain = inputs_.kernel(id_).plain;
        if (!retime && plain.empty())
            throw user_error(shown_name(file_) +
                             ": has no plain form, which schedule 'optimize' starts from");
        if (!retime) file_ = plain;
        if (!tools_.write_schedule)
            throw user_error(
                shown_name(file_) +
                ": another schedule than 'keep' needs an optimizer, which the caller did not give");
        session caller;
        caller.interrupted = ends_.at.interrupted;
        caller.deadline = ends_.deadline;
        std::optional<written_schedule> written;
        try {
            const std::string& given = (retime ? inputs_.kept(id_) : inputs_.plain(id_)).expect();
            written = tools_.write_schedule({file_, given, machine_, retime, of_.budget, inputs_.known(id_)},
                                            caller);
        } catch (const user_error& problem) {
            if (retime || inputs_.macro(id_).name.empty()) throw;
            no_schedule_ = problem.what(); // unless the given one is right
            file_ = kept.name;
            text_ = kept.expect();
            return;
        }
        if (!written) throw point_given_up();
        result_.proved = written->proved;
        result_.proof = written->proof;
        result_.least_cycles_per_row = written->least_cycles_per_row;
        result_.written = written->text;
        equality_of_written_ = written->equality;
        text_ = std::move(written->text);
    }

    void find_bottleneck() {
        const bool are_given = result_.written.empty();
        const auto found = binding_of(runner_, text_, *kernel_, machine_, are_given ? file_ : written_kernel);
        expect_time();
        if (!found) return;
        const probe::steady_state_statistics& state = found->steady_state;
        result_.bound_cycles_per_row = found->bound.cycles_per_row;
        result_.bound_reason = found->bound.reason;
        result_.binds = state.binds;
        result_.dependence_cycles_per_row = state.dependence_cycles_per_row;
        result_.dependences = state.dependences;
        result_.resources.clear();
        for (const auto& each : state.slots)
            result_.resources.push_back({each.resource, each.busy, each.blocked, each.idle});
    }

    /// What the run leaves in Dst.
    platform::dst_image measure() {
        diagnostic_count diagnostics(kernel_->kernel());
        platform::run_request request = kernel_->request();
        request.diagnostics = &diagnostics;
        request.stop = stop_when_over();
        if (const auto seed = inputs_.seed(id_)) request.bubbles = issue_jitter(*seed, words_of(request));
        const platform::run_result run = runner_.run(request);
        expect_time();
        if (kernel_->rows() != 0) result_.cycles_per_row = rounded(kernel_->cycles_per_row(run));
        result_.counters = counters_of(run.counters, run.cycles_used);
        result_.hazards = diagnostics.count;
        return runner_.dst();
    }

    void compare_with_baseline(const platform::dst_image& dst) {
        const std::optional<platform::dst_image> reference = dst_of_reference();
        result_.valid.reset();
        if (reference && compare_outputs(*kernel_, *reference, dst).changed()) result_.valid = false;
        else if (reference && !remarks_on(runner_, *kernel_).touches_no_output) result_.valid = true;
        // Of words as they are, other data might tell the machines apart.
        result_.equality = result_.valid != true     ? ""
                           : result_.written.empty() ? "tested"
                                                     : equality_of_written_;
        expect_time();
    }

    /// What the kernel leaves on the baseline's machine, or its plain form where that machine cannot run the
    /// kernel. A schedule that was made for its machine is no less right if the baseline's is one on which
    /// these words are wrong: then what they leave on the chip.
    std::optional<platform::dst_image> dst_of_reference() {
        const bool plain_first =
            result_.schedule == schedule_choice::optimize; // what the schedule was made of
        const file_content &first = plain_first ? inputs_.plain(id_) : inputs_.macro(id_),
                           &second = plain_first ? inputs_.macro(id_) : inputs_.plain(id_);
        for (const file_content* file : {&first, &second}) {
            if (file->name.empty()) continue;
            std::optional<platform::dst_image> found = dst_after(*file, of_.baseline_machine());
            if (!found) continue;
            if (of_.baseline.empty()) return found;
            machine_choice chip = of_.baseline_machine();
            chip.values.clear();
            std::optional<platform::dst_image> on_chip = dst_after(*file, chip);
            result_.reference_differs = on_chip && compare_outputs(*kernel_, *on_chip, *found).changed();
            return result_.reference_differs && !keeps_words() ? on_chip : found;
        }
        return std::nullopt;
    }

    std::optional<platform::dst_image> dst_after(const file_content& file, const machine_choice& machine) {
        try {
            kernel_run other = on_other_machine(file.expect(), file.name, *kernel_, machine);
            other.request().stop = stop_when_over();
            runner_.run(other.request());
        } catch (const user_error&) {
            return std::nullopt; // that machine cannot run it
        }
        expect_time();
        return runner_.dst();
    }

    void judge_timing() {
        if (result_.valid == false && !inputs_.seed(id_)) { // wrong even without bubbles
            result_.verdict = lint_verdict::broken;
            return;
        }
        lint_options options;
        options.schedules = lint_schedules;
        options.interrupted = [this] { return ends_.is_over(); };
        result_.verdict =
            lint(runner_, kernel_->kernel(), kernel_->request(), kernel_->iterations(), options).verdict;
        expect_time();
    }

    const sweep_inputs& inputs_;
    const sweep& of_;
    const point_id& id_;
    const point_tools& tools_;
    platform::program_runner& runner_;
    const point_end& ends_;
    machine_choice machine_;
    std::string file_, text_;
    std::optional<kernel_run> kernel_;
    std::optional<std::string> no_schedule_; ///< why none was written where the given macro form runs instead
    std::string equality_of_written_;
    point_result result_;
};

} // namespace

bool point_end::is_over() const {
    return at.is_interrupted() || at.is_late() || point_time::now() >= deadline;
}

double point_end::seconds_left() const {
    const double left = std::chrono::duration<double>(deadline - point_time::now()).count();
    return std::max(left, 0.001);
}

std::optional<point_result> run_kernel_point(const sweep_inputs& inputs, const point_id& id,
                                             const point_tools& tools, platform::program_runner& runner,
                                             const point_end& ends) {
    const schedule_choice schedule = inputs.of().schedule_of(inputs.kernel(id));
    try {
        return kernel_point(inputs, id, tools, runner, ends).run();
    } catch (const point_given_up&) {
        return std::nullopt;
    } catch (const user_error& problem) {
        return lost_point(schedule, point_status::failed, problem.what());
    } catch (const std::bad_alloc&) {
        return lost_point(schedule, point_status::failed, "out of memory");
    }
}

} // namespace sfpu::analysis
