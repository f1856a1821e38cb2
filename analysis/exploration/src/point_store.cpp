#include <sfpu/analysis/point_store.h>

#include "point_json.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/probe/statistics.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

#include <unistd.h>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

/// Tells a result that somebody or something has changed.
std::string check_of(const json& result) {
    return probe::fnv1a_64_hex(result.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace

point_store::point_store(std::string folder) : folder_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw user_error(shown_name(folder_) + ": cannot be made: " + error.message());
    if (::access(folder_.c_str(), W_OK) != 0) throw cannot_write(folder_);
}

std::string point_store::key(const std::string& inputs) {
    // Two hashes of 64 bits; the inputs stand in the file, too, so that even a collision gives no wrong
    // answer.
    return probe::fnv1a_64_hex(inputs) + probe::fnv1a_64_hex(inputs + "#");
}

std::string point_store::file_of(const std::string& key) const { return folder_ + "/" + key + ".json"; }

bool point_store::has(const std::string& key) const {
    std::error_code ignored;
    return std::filesystem::exists(file_of(key), ignored);
}

void point_store::forget(const std::string& inputs) const {
    std::error_code ignored;
    std::filesystem::remove(file_of(key(inputs)), ignored);
}

void point_store::remove_unfinished(const std::string& inputs) const {
    analysis::remove_unfinished(file_of(key(inputs)));
}

std::optional<point_result> point_store::find(const std::string& inputs) const {
    const std::string file = file_of(key(inputs));
    if (!std::filesystem::exists(file)) return std::nullopt;
    const std::string text = read_file(file);
    if (!nests_shallowly(text) || !has_few_keys(text)) return std::nullopt;
    const json document = json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("inputs") || document["inputs"] != inputs ||
        !document.contains("result") || !document.contains("check") ||
        document["check"] != check_of(document["result"]))
        return std::nullopt;
    return point_of(document["result"]);
}

void point_store::record(const std::string& inputs, const point_result& result) const {
    const json entry = json_of(result);
    write_file(file_of(key(inputs)),
               json{{"inputs", inputs}, {"result", entry}, {"check", check_of(entry)}}.dump(
                   -1, ' ', false, json::error_handler_t::replace) +
                   "\n");
}

} // namespace sfpu::analysis
