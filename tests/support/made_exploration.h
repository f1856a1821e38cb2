// Explorations made by hand: what ran where, and what came of it.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A kernel "k.s" whose schedule is looked for on each machine. A point is a number for each of the paths.
class made_exploration {
public:
    explicit made_exploration(const std::vector<std::string>& paths) {
        for (const std::string& path : paths) answer.what.varied.push_back(find_parameter(path));
        answer.what.name = "made.json";
        answer.what.seeds = {std::nullopt};
        answer.what.budget = 1000;
        add_kernel("k.s");
    }
    void add_kernel(const std::string& name) {
        answer.what.kernels.emplace_back();
        answer.what.kernels.back().name = answer.what.kernels.back().plain = name;
        answer.kernel_texts.emplace_back(".loop\n");
    }
    std::size_t add_point(const std::vector<std::uint64_t>& values) {
        answer.what.points.push_back(values);
        return answer.what.points.size() - 1;
    }
    /// Found `most` cycles a row; the search says that none takes fewer than `least`.
    point_result& add_run(std::size_t point, double least, double most, std::size_t kernel = 0) {
        point_result result;
        result.schedule = schedule_choice::optimize;
        result.cycles_per_row = most;
        result.least_cycles_per_row = least;
        result.proved = least == most;
        result.valid = true;
        result.binds = "Issue binds: 3 words a row.";
        answer.points.push_back({{point, kernel, 0}, result});
        return answer.points.back().result;
    }
    point_result& add(const std::vector<std::uint64_t>& values, double least, double most) {
        return add_run(add_point(values), least, most);
    }

    exploration_answer answer;
};

} // namespace sfpu::analysis
