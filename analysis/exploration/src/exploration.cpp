#include <sfpu/analysis/exploration.h>

#include "isolated_executor.h"
#include "shared_schedules.h"
#include "slurm_executor.h"
#include "sweep_inputs.h"
#include "thread_executor.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/point_store.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

/// Two sweeps into one folder would get in each other's way.
class folder_lock {
public:
    explicit folder_lock(const std::string& folder) {
        const std::string file = folder + "/lock";
        handle_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
        if (handle_ < 0) throw cannot_write(file);
        // Of this process alone: a child that outlives it for a moment must not keep the next sweep out.
        struct flock whole = {};
        whole.l_type = F_WRLCK;
        if (fcntl(handle_, F_SETLK, &whole) != 0)
            throw user_error(shown_name(folder) + ": another sweep is at work in this folder");
    }
    ~folder_lock() { close(handle_); }
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;

private:
    int handle_ = -1;
};

/// One call of explore().
class exploration {
public:
    exploration(const exploration_request& request, const session& at)
        : request_(request), at_(at), inputs_(request.what, request.tools), runs_(all_runs(request.what)),
          shared_(request.what) {
        if (request.folder.empty()) return;
        store_.emplace(request.folder + "/points");
        lock_ = std::make_unique<folder_lock>(request.folder);
    }

    exploration_answer run() {
        exploration_answer answer;
        find_missing(answer.known);
        if (request_.listener) request_.listener->begins(runs_.size(), answer.known);
        answer.interrupted = !(request_.slurm ? run_by_slurm(answer.array_left) : run_here(missing_)) ||
                             !begin_with_neighbours();
        for (std::size_t kernel = 0; kernel < request_.what.kernels.size(); ++kernel)
            answer.kernel_texts.push_back(inputs_.kept({0, kernel, 0}).text);
        if (!answer.interrupted) {
            answer.points = take_results();
            shared_.share_bounds(answer.points);
        }
        return answer;
    }

private:
    /// The same point may stand in a sweep twice: it runs once.
    void find_missing(std::size_t& known) {
        std::unordered_map<std::string, bool> is_known;
        for (const point_id& id : runs_) {
            const std::string inputs = inputs_.text_of(id);
            const auto [found, is_new] = is_known.try_emplace(point_store::key(inputs), false);
            if (is_new && !(found->second = has_good_result(inputs))) {
                // Followers of an array look for the file only; one that has come since is whole.
                if (request_.slurm && store_->has(found->first) && !has_good_result(inputs))
                    store_->forget(inputs);
                missing_.push_back(id);
            }
            known += found->second;
        }
    }

    bool has_good_result(const std::string& inputs) {
        if (!store_) return false;
        std::optional<point_result> found = store_->find(inputs);
        if (!found || (request_.retry_failed && found->status != point_status::ok)) return false;
        results_.insert_or_assign(point_store::key(inputs), std::move(*found));
        return true;
    }

    bool needs_process(const point_id& id) const {
        return request_.isolate || request_.what.megabytes || inputs_.kernel(id).is_firmware();
    }

    /// Processes first: they are copies of this one, which has one thread by then.
    bool run_here(const std::vector<point_id>& wanted) {
        std::vector<point_id> apart, together;
        for (const point_id& id : wanted) (needs_process(id) ? apart : together).push_back(id);
        if (!apart.empty() && !store_)
            throw user_error("points that run in processes of their own need a folder for their results");
        const unsigned jobs =
            request_.jobs ? request_.jobs : std::max(1u, std::thread::hardware_concurrency());
        const auto task = [&](const std::vector<point_id>& points) {
            return executor_task{inputs_, request_.tools, points, jobs, at_, [this] { finish_point(); }};
        };
        if (!apart.empty() && !run_isolated(task(apart), *store_)) return false;
        if (together.empty()) return true;
        return run_on_threads(task(together), [&](std::size_t index, point_result&& result) {
            const std::string inputs = inputs_.text_of(together[index]);
            if (store_) store_->record(inputs, result);
            results_.insert_or_assign(point_store::key(inputs), std::move(result));
        });
    }

    bool run_by_slurm(std::string& array_left) {
        if (!store_) throw user_error("points that Slurm runs need a folder for their results");
        exploration_listener nobody;
        return run_on_slurm({inputs_, missing_, *store_, request_.folder, request_.tools.program,
                             *request_.slurm, at_, request_.listener ? *request_.listener : nobody},
                            array_left);
    }

    /// Where a machine that another one contains has a shorter schedule, the larger one begins with that,
    /// until none is worse than what it contains. Each schedule is tried once.
    bool begin_with_neighbours() {
        std::set<std::pair<std::size_t, std::string>> tried;
        for (;;) {
            std::vector<std::size_t> again;
            std::vector<point_id> ids;
            const auto result = [this](std::size_t run) -> const point_result& {
                return result_of(runs_[run]);
            };
            std::vector<std::pair<std::size_t, std::string>> begin_with;
            for (const auto& [run, than] : shared_.better(runs_, result)) {
                const point_result& better = result(than);
                const std::string& text =
                    better.written.empty() ? inputs_.kept(runs_[than]).text : better.written;
                if (tried.emplace(run, text).second) begin_with.emplace_back(run, text);
            }
            if (begin_with.empty()) return true;
            std::vector<std::pair<std::string, point_result>> before;
            for (const auto& [run, text] : begin_with) {
                before.emplace_back(inputs_.known(runs_[run]), result(run));
                inputs_.set_known(runs_[run], text);
                if (!has_good_result(inputs_.text_of(runs_[run]))) ids.push_back(runs_[run]);
            }
            if (!ids.empty() && !run_here(ids)) return false;
            for (std::size_t i = 0; i < begin_with.size(); ++i) {
                const point_id& id = runs_[begin_with[i].first];
                if (is_no_worse(result_of(id), before[i].second)) continue;
                inputs_.set_known(id, before[i].first);
                results_.insert_or_assign(point_store::key(inputs_.text_of(id)), before[i].second);
            }
        }
    }
    static bool is_no_worse(const point_result& now, const point_result& before) {
        if (now.status != point_status::ok || now.valid == false) return false;
        return before.status != point_status::ok || !before.cycles_per_row ||
               now.cycles_per_row <= before.cycles_per_row;
    }

    /// What is known of a run by now.
    const point_result& result_of(const point_id& id) {
        const std::string inputs = inputs_.text_of(id), key = point_store::key(inputs);
        auto found = results_.find(key);
        if (found == results_.end()) { // a process has recorded it
            std::optional<point_result> recorded = store_ ? store_->find(inputs) : std::nullopt;
            if (!recorded) throw user_error(shown_name(request_.folder) + ": the result of a point has gone");
            found = results_.emplace(key, std::move(*recorded)).first;
        }
        return found->second;
    }

    void finish_point() {
        ++done_;
        if (request_.listener) request_.listener->progress(done_, std::max(done_, missing_.size()));
    }

    /// Each once, but for points that stand in the sweep twice: pictures are large.
    std::vector<explored_point> take_results() {
        std::unordered_map<std::string, std::size_t> uses;
        for (const point_id& id : runs_) ++uses[point_store::key(inputs_.text_of(id))];
        std::vector<explored_point> points;
        points.reserve(runs_.size());
        for (const point_id& id : runs_) {
            result_of(id);
            const std::string key = point_store::key(inputs_.text_of(id));
            point_result& found = results_.at(key);
            points.push_back({id, --uses[key] == 0 ? std::move(found) : found});
        }
        return points;
    }

    const exploration_request& request_;
    const session& at_;
    sweep_inputs inputs_;
    std::vector<point_id> runs_, missing_;
    shared_schedules shared_;
    std::optional<point_store> store_;
    std::unique_ptr<folder_lock> lock_;
    std::unordered_map<std::string, point_result> results_; ///< by the key of their inputs
    std::size_t done_ = 0;
};

} // namespace

std::size_t exploration_answer::failed() const {
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(),
                      [](const explored_point& each) { return each.result.status != point_status::ok; }));
}

std::size_t exploration_answer::invalid() const {
    return static_cast<std::size_t>(std::count_if(
        points.begin(), points.end(), [](const explored_point& each) { return each.result.valid == false; }));
}

exploration_answer explore(exploration_request request, const session& at) {
    exploration_answer answer = exploration(request, at).run();
    answer.what = std::move(request.what);
    return answer;
}

} // namespace sfpu::analysis
