#include "llk_rows.h"

#include "own_kernel_kit.h"
#include "program.h"
#include "progress.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/views/library_check.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

std::string contents_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

std::uint64_t text_hash(const std::string& text, std::uint64_t from) {
    for (const unsigned char c : text) from = (from ^ c) * 0x100000001b3u;
    return from;
}

llk_rows::llk_rows(std::string folder, const std::vector<kernel_header>& headers, const kernel_tools& tools,
                   bool record_only, const std::string& more)
    : folder_(std::move(folder)), common_(text_hash("")) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(folder_) / "rows", error);
    if (error) throw user_error("llk: " + shown_name(folder_) + ": cannot be made: " + error.message());
    std::set<std::string> callers;
    for (const kernel_header& header : headers) { // any header may include any other
        common_ = text_hash(contents_of(header.path), common_);
        callers.insert(header.callers.begin(), header.callers.end());
    }
    for (const std::string& caller : callers) common_ = text_hash(contents_of(caller), common_);
    common_ = text_hash(tools.compiler, text_hash(contents_of(own_program()), common_));
    if (record_only) common_ = text_hash("record only", common_);
    common_ = text_hash(more, common_);
    for (const std::string& flag : tools.flags) common_ = text_hash(flag, common_);
}

std::string llk_rows::progress(std::size_t headers, bool with_schedules) const {
    const std::string text = fmt::format("llk: {} of {} headers", done_.load(), headers);
    return with_schedules ? text + fmt::format(", {} schedules", schedules_.load()) : text;
}

library_answer llk_rows::checked(library_request request, const session& of, bool wanted) {
    request.known = [this](const kernel_header& header) {
        auto found = find(header);
        done_ += found.has_value();
        return found;
    };
    request.finished = [this](const kernel_header& header, const std::vector<library_row>& found) {
        keep(header, found);
        ++done_;
    };
    const bool schedules = request.schedule != nullptr;
    if (schedules)
        request.schedule = [this, schedule = request.schedule](const plain_call& call,
                                                               const session& caller) {
            library_schedule found = schedule(call, caller);
            ++schedules_;
            return found;
        };
    const working_line shown([&] { return progress(request.headers.size(), schedules); }, wanted);
    return check_library(request, of);
}

std::string llk_rows::file_of(const kernel_header& header) const {
    return (std::filesystem::path(folder_) / "rows" / (file_name_of(header) + ".json")).string();
}

std::string llk_rows::key_of(const kernel_header& header) const {
    return fmt::format("{:016x}", text_hash(header.name, common_));
}

std::optional<std::vector<library_row>> llk_rows::find(const kernel_header& header) const {
    const json before = json::parse(contents_of(file_of(header)), nullptr, false);
    if (!before.is_object() || before.value("key", json()) != key_of(header)) return std::nullopt;
    return library_rows_of(before.value("rows", json()));
}

void llk_rows::keep(const kernel_header& header, const std::vector<library_row>& rows) {
    const std::lock_guard<std::mutex> lock(writing_);
    write_output(file_of(header), json({{"key", key_of(header)}, {"rows", to_json(rows)}}).dump(1) + "\n");
}

} // namespace sfpu::cli
