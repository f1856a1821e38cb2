// Points of a sweep as a job array of Slurm: the folder that describes it.
#pragma once

#include <sfpu/analysis/point.h>
#include <sfpu/analysis/sweep.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A point with the name under which its result is recorded.
struct array_point {
    point_id id;
    std::string key;
};

/// A folder FOLDER/NAME with the sweep as it was when the array was submitted, the points of each task, and
/// for each task what it wrote (N.log) and which points it began (N.started). NAME is the job's name, too, so
/// that the array is found in the queue whatever happened to who submitted it.
class slurm_array {
public:
    /// Describes an array that is to be submitted. Throws user_error if nothing can be written.
    static slurm_array describe(const std::string& folder, const sweep& of,
                                std::vector<std::vector<array_point>> tasks);
    /// All arrays of a folder that are described whole.
    static std::vector<slurm_array> all_in(const std::string& folder);
    /// The array of a task. Throws user_error if it is not described.
    static slurm_array read(const std::string& folder, const std::string& name);

    const std::string& name() const { return name_; }
    std::string folder() const { return parent_ + "/" + name_; }
    const std::vector<std::vector<array_point>>& tasks() const { return tasks_; }
    std::string sweep_file() const { return folder() + "/sweep.json"; }
    std::string log_file(std::size_t task) const;

    /// Notes that a task begins with a point. Throws user_error if that cannot be written.
    void note_start(std::size_t task, const std::string& key) const;
    /// How often each point was begun, by key.
    void count_starts(std::map<std::string, unsigned>& starts) const;
    void remove() const;

private:
    std::string file(std::size_t task, const char* kind) const;

    std::string parent_, name_;
    std::vector<std::vector<array_point>> tasks_;
};

} // namespace sfpu::analysis
