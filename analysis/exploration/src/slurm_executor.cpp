#include "slurm_executor.h"

#include "isolated_executor.h"
#include "slurm_array.h"
#include "slurm_client.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/escapes.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <utility>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;
using wall_clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t usual_tasks = 200; ///< of an array, unless the user says how long tasks are
constexpr unsigned most_starts = 3;      ///< of a point whose tasks end before it does
/// In which no point began, one after another. A controller that comes back and has forgotten its latest jobs
/// gives their numbers again, and the node refuses these for a while; the pauses double, a minute in all.
constexpr unsigned most_vain_arrays = 6;
constexpr unsigned task_megabytes = 128; ///< that a task needs beside its point
constexpr milliseconds patience_with_killers{2000};
constexpr milliseconds glance{100};                                      ///< between looks at the results
constexpr milliseconds shortest_question{1000}, longest_question{15000}; ///< between questions to Slurm

/// For file names in sbatch's options.
std::string without_patterns(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '%' ? std::string("%%") : std::string(1, c);
    return result;
}

/// Whether sbatch could not reach Slurm, rather than was refused.
bool is_about_contact(const std::string& complaint) {
    for (const char* sign : {"Unable to contact", "timed out", "Connection refused", "Transport endpoint",
                             "Zero Bytes", "slurm_msg_sendto", "Unexpected message", "temporarily"})
        if (complaint.find(sign) != std::string::npos) return true;
    return false;
}

/// Slurm could not start it and will not try again by itself.
bool is_stuck(const queued_task& task) {
    return task.state == "PENDING" && task.why.find("launch failed") != std::string::npos;
}

class slurm_run {
public:
    explicit slurm_run(const slurm_work& work)
        : work_(work), sweep_(work.inputs.of()), store_(work.store), at_(work.at),
          output_(fs::absolute(work.folder).string()), folder_(output_ + "/slurm"), options_(work.options),
          all_(work.points.size()) {
        for (const point_id& id : work.points)
            missing_.push_back({id, point_store::key(work.inputs.text_of(id))});
        arrays_ = slurm_array::all_in(folder_);
    }

    bool run(std::string& array_left) {
        while (true) {
            gather();
            if (missing_.empty()) break;
            if (wall_clock::now() >= next_question_) look_after_arrays();
            if (is_over()) {
                if (!arrays_.empty()) array_left = arrays_.back().name();
                return false;
            }
            std::this_thread::sleep_for(glance);
        }
        remove_finished();
        return true;
    }

private:
    bool is_over() const { return at_.is_interrupted() || at_.is_late(); }

    using live_tasks = std::map<std::string, std::set<std::size_t>>; ///< by array

    /// Takes leave of the points that are recorded.
    void gather() {
        const auto recorded = [&](const array_point& each) { return store_.has(each.key); };
        const auto rest = std::stable_partition(missing_.begin(), missing_.end(),
                                                [&](const array_point& each) { return !recorded(each); });
        if (rest == missing_.end()) return;
        missing_.erase(rest, missing_.end());
        work_.listener.progress(all_ - missing_.size(), all_);
    }

    void ask_again_in(milliseconds pause) { next_question_ = wall_clock::now() + pause; }

    /// Asks Slurm which tasks are left, and submits the points that none of them has.
    void look_after_arrays() {
        const auto age = std::chrono::duration_cast<milliseconds>(wall_clock::now() - begin_);
        ask_again_in(std::clamp(age / 20, shortest_question, longest_question));
        std::vector<std::string> names;
        for (const slurm_array& each : arrays_) names.push_back(each.name());
        std::string problem;
        const auto queued = queued_tasks(names, at_, problem);
        if (!queued) return no_answer(problem);
        if (!names.empty()) answered_ = true;
        tell_what_waits(*queued);
        gather(); // a task that is not in the queue any more has recorded what it ever will
        live_tasks live;
        alive_known_ = true;
        alive_.clear();
        for (const queued_task& task : *queued) {
            if (is_stuck(task)) {
                ask_slurm({"scancel", fmt::format("{}_{}", task.job, task.task)}, at_);
                continue;
            }
            alive_.insert(task.array);
            if (task.state == "COMPLETING") continue; // has ended, though Slurm may take minutes to be sure
            live[task.array].insert(task.task);
        }
        std::vector<array_point> left = left_by(live);
        give_up_on_deadly_points(left);
        if (!left.empty() && !is_over()) submit(left);
    }

    /// The points that no task in the queue has.
    std::vector<array_point> left_by(const live_tasks& live) const {
        std::set<std::string> covered;
        for (const slurm_array& array : arrays_) {
            const auto found = live.find(array.name());
            if (found == live.end()) continue;
            for (const std::size_t task : found->second)
                if (task < array.tasks().size())
                    for (const array_point& each : array.tasks()[task]) covered.insert(each.key);
        }
        std::vector<array_point> left;
        for (const array_point& each : missing_)
            if (covered.insert(each.key).second) left.push_back(each); // equal points once
        return left;
    }

    /// Records a failure for points that were begun too often.
    void give_up_on_deadly_points(std::vector<array_point>& left) {
        std::map<std::string, unsigned> starts;
        for (const slurm_array& each : arrays_) each.count_starts(starts);
        begun_ = 0;
        for (const auto& [key, count] : starts) begun_ += count;
        const auto deadly = [&](const array_point& each) {
            const auto found = starts.find(each.key);
            return found != starts.end() && found->second >= most_starts;
        };
        for (const array_point& each : left)
            if (deadly(each))
                store_.record(
                    work_.inputs.text_of(each.id),
                    lost_point(sweep_.schedule_of(sweep_.kernels[each.id.kernel]), point_status::failed,
                               fmt::format("its Slurm task ended before it did, {} times", most_starts)));
        left.erase(std::remove_if(left.begin(), left.end(), deadly), left.end());
    }

    void submit(const std::vector<array_point>& points) {
        const std::size_t done = all_ - missing_.size() + begun_;
        vain_arrays_ = submitted_ && done == done_at_submission_ ? vain_arrays_ + 1 : 0;
        if (vain_arrays_ >= most_vain_arrays)
            throw user_error(
                fmt::format("Slurm has ended the tasks of {} arrays before a point began; the last "
                            "one says: {}",
                            vain_arrays_, last_words()));
        const slurm_array array = slurm_array::describe(folder_, sweep_, divided(points));
        const auto answer = ask_slurm(command_for(array), at_);
        if (answer && answer->code != 0 && (!answered_ || !is_about_contact(answer->complaints))) {
            array.remove();
            remove_empty_folder();
            throw user_error(answer->complaints);
        }
        // Without an answer it may have been taken all the same; the queue will say.
        arrays_.push_back(array);
        alive_.insert(array.name());
        if (!answer) return;
        if (answer->code != 0) return no_answer(answer->complaints);
        answered_ = submitted_ = true;
        done_at_submission_ = done;
        ask_again_in(shortest_question * (1u << vain_arrays_));
        work_.listener.submitted(answer->output.substr(0, answer->output.find_first_of(";\n")), points.size(),
                                 array.tasks().size());
    }

    /// Neighbours often take equally long, so they go to different tasks.
    std::vector<std::vector<array_point>> divided(const std::vector<array_point>& points) {
        if (!longest_array_) longest_array_ = longest_array(at_);
        const std::size_t most = std::max<std::size_t>(1, longest_array_);
        std::size_t tasks = std::min({points.size(), most, usual_tasks});
        if (options_.points_for_a_task) {
            const std::size_t length = *options_.points_for_a_task;
            tasks = std::min((points.size() + length - 1) / length, most);
        }
        std::vector<std::vector<array_point>> result(tasks);
        for (std::size_t i = 0; i < points.size(); ++i) result[i % tasks].push_back(points[i]);
        return result;
    }

    std::vector<std::string> command_for(const slurm_array& array) const {
        std::error_code error;
        if (work_.program.empty() || !fs::exists(work_.program, error))
            throw user_error("the file of this program has gone, so that no task could run it");
        std::string range = fmt::format("0-{}", array.tasks().size() - 1);
        if (options_.tasks_at_once) range += fmt::format("%{}", *options_.tasks_at_once);
        std::vector<std::string> words{"sbatch",
                                       "--parsable",
                                       "--job-name=" + array.name(),
                                       "--array=" + range,
                                       "--output=" + without_patterns(array.folder()) + "/%a.log",
                                       "--open-mode=append",
                                       "--chdir=" + fs::current_path().string(),
                                       "--ntasks=1",
                                       "--cpus-per-task=1",
                                       "--requeue"};
        if (sweep_.seconds) {
            const double minutes = *sweep_.seconds * static_cast<double>(array.tasks().front().size()) / 60;
            words.push_back(fmt::format("--time={}", static_cast<std::uint64_t>(std::ceil(minutes)) + 1));
        }
        if (sweep_.megabytes) words.push_back(fmt::format("--mem={}M", *sweep_.megabytes + task_megabytes));
        if (!options_.partition.empty()) words.push_back("--partition=" + options_.partition);
        if (!options_.account.empty()) words.push_back("--account=" + options_.account);
        words.insert(words.end(), options_.more.begin(), options_.more.end());
        words.push_back("--wrap=exec " + shell_word(work_.program) + " explore " +
                        shell_word(options_.sweep_file) + " --output " + shell_word(output_) +
                        " --slurm-task " + shell_word(array.name()));
        return words;
    }

    /// The end of the log of a task in the latest array.
    std::string last_words() const {
        if (arrays_.empty()) return "nothing";
        const slurm_array& array = arrays_.back();
        for (std::size_t task = 0; task < array.tasks().size(); ++task) {
            std::error_code ignored;
            if (!fs::exists(array.log_file(task), ignored)) continue;
            std::string text = read_file(array.log_file(task));
            while (!text.empty() && text.back() == '\n') text.pop_back();
            if (!text.empty()) return text.substr(text.find_last_of('\n') + 1);
        }
        return "nothing";
    }

    void no_answer(const std::string& problem) {
        if (is_over()) return;
        if (!answered_ && arrays_.empty()) throw user_error(problem);
        say("Slurm does not answer, waiting for it: " + problem);
    }
    void tell_what_waits(const std::vector<queued_task>& queued) {
        std::map<std::string, unsigned> reasons;
        for (const queued_task& task : queued)
            if (task.state == "PENDING") ++reasons[task.why];
        // With nothing running it is worth saying what the tasks wait for.
        std::string text;
        if (std::all_of(queued.begin(), queued.end(),
                        [](const queued_task& each) { return each.state == "PENDING"; }))
            for (const auto& [why, count] : reasons)
                if (why != "None" && why != "(null)" && why != "Resources" && why != "Priority")
                    text +=
                        fmt::format("{}{} tasks wait in the queue: {}", text.empty() ? "" : "; ", count, why);
        say(text);
    }
    /// Once, until something else is to be said.
    void say(const std::string& what) {
        if (what != said_ && !what.empty()) at_.tell(what);
        said_ = what;
    }

    /// Folders of arrays with nothing left to do.
    void remove_finished() {
        for (const slurm_array& array : arrays_) {
            const auto recorded = [&](const array_point& each) { return store_.has(each.key); };
            const auto done = [&](const std::vector<array_point>& task) {
                return std::all_of(task.begin(), task.end(), recorded);
            };
            if ((alive_known_ && alive_.count(array.name()) == 0) ||
                std::all_of(array.tasks().begin(), array.tasks().end(), done))
                array.remove();
        }
        remove_empty_folder();
    }
    void remove_empty_folder() const {
        std::error_code ignored;
        fs::remove(folder_, ignored); // fails if it is not empty
    }

    const slurm_work& work_;
    const sweep& sweep_;
    const point_store& store_;
    const session& at_;
    std::string output_, folder_;
    const slurm_options& options_;
    std::size_t all_, begun_ = 0, done_at_submission_ = 0, longest_array_ = 0;
    unsigned vain_arrays_ = 0;
    bool alive_known_ = false;
    bool answered_ = false;  ///< Slurm has been reached
    bool submitted_ = false; ///< an array, by this process
    std::vector<array_point> missing_;
    std::vector<slurm_array> arrays_;
    std::set<std::string> alive_; ///< arrays that have tasks in the queue, or may have
    std::string said_;
    const wall_clock::time_point begin_ = wall_clock::now();
    wall_clock::time_point next_question_ = begin_;
};

} // namespace

bool run_on_slurm(const slurm_work& work, std::string& array_left) { return slurm_run(work).run(array_left); }

bool run_slurm_task(const slurm_task& task, const session& at) {
    const slurm_array array = slurm_array::read(task.folder + "/slurm", task.array);
    const point_store store(task.folder + "/points");
    const sweep what = read_sweep(array.sweep_file(), task.sweep_file);
    const sweep_inputs inputs(what, task.tools);
    if (task.number >= array.tasks().size())
        throw user_error(fmt::format("{}: has no task {}", shown_name(array.folder()), task.number));
    for (const array_point& each : array.tasks()[task.number]) {
        if (store.has(each.key)) continue; // by this task, before Slurm began it again
        if (each.id.kernel >= what.kernels.size() || each.id.point >= what.points.size() ||
            each.id.seed >= what.seeds_of(what.kernels[each.id.kernel]).size() ||
            point_store::key(inputs.text_of(each.id)) != each.key)
            throw user_error("a kernel or this program has changed since the array was submitted");
        array.note_start(task.number, each.key);
        if (!run_isolated({inputs, task.tools, {each.id}, 1, at, [] {}, patience_with_killers}, store))
            return false;
    }
    return true;
}

} // namespace sfpu::analysis
