#include "slurm_array.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr auto name_start = "sfpusim-";

/// Arrays of several people and folders share one queue.
std::string new_name() {
    std::random_device chance;
    return fmt::format("{}{:08x}{:08x}", name_start, chance(), chance());
}

} // namespace

slurm_array slurm_array::describe(const std::string& folder, const sweep& of,
                                  std::vector<std::vector<array_point>> tasks) {
    slurm_array array;
    array.parent_ = folder;
    array.name_ = new_name();
    array.tasks_ = std::move(tasks);
    std::error_code error;
    fs::create_directories(array.folder(), error);
    if (error) throw user_error(shown_name(array.folder()) + ": cannot be made: " + error.message());
    json list = json::array();
    for (const auto& task : array.tasks_) {
        list.push_back(json::array());
        for (const array_point& each : task)
            list.back().push_back({each.id.point, each.id.kernel, each.id.seed, each.key});
    }
    try {
        write_file(array.sweep_file(), of.text);
        write_file(array.folder() + "/tasks.json", list.dump() + "\n"); // last: the description is whole
    } catch (const user_error&) {
        array.remove();
        throw;
    }
    return array;
}

slurm_array slurm_array::read(const std::string& folder, const std::string& name) {
    slurm_array array;
    array.parent_ = folder;
    array.name_ = name;
    const std::string file = array.folder() + "/tasks.json";
    const std::string text = read_file(file);
    check_nesting(file, text);
    check_keys(file, text);
    const json list = json::parse(text, nullptr, false);
    const auto is_point = [](const json& each) {
        return each.is_array() && each.size() == 4 && each[0].is_number_unsigned() &&
               each[1].is_number_unsigned() && each[2].is_number_unsigned() && each[3].is_string();
    };
    const auto is_task = [&](const json& task) {
        return task.is_array() && std::all_of(task.begin(), task.end(), is_point);
    };
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_task))
        throw user_error(shown_name(file) + ": is no list of tasks");
    for (const json& task : list) {
        array.tasks_.emplace_back();
        for (const json& each : task) array.tasks_.back().push_back({{each[0], each[1], each[2]}, each[3]});
    }
    return array;
}

std::vector<slurm_array> slurm_array::all_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().compare(0, std::string(name_start).size(), name_start) == 0)
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::vector<slurm_array> arrays;
    for (const std::string& name : names) {
        try {
            arrays.push_back(read(folder, name));
        } catch (const user_error&) {
            fs::remove_all(fs::path(folder) / name, ignored); // was never submitted
        }
    }
    return arrays;
}

std::string slurm_array::file(std::size_t task, const char* kind) const {
    return fmt::format("{}/{}.{}", folder(), task, kind);
}
std::string slurm_array::log_file(std::size_t task) const { return file(task, "log"); }

void slurm_array::note_start(std::size_t task, const std::string& key) const {
    const std::string name = file(task, "started");
    std::ofstream stream(name, std::ios::app);
    stream << key << '\n' << std::flush;
    if (!stream) throw cannot_write(name);
}

void slurm_array::count_starts(std::map<std::string, unsigned>& starts) const {
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        std::ifstream stream(file(task, "started"));
        for (std::string key; std::getline(stream, key);) ++starts[key];
    }
}

void slurm_array::remove() const {
    std::error_code ignored;
    fs::remove_all(folder(), ignored);
}

} // namespace sfpu::analysis
