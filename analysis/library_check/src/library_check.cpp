#include <sfpu/analysis/library_check.h>

#include "kernel_trial.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace sfpu::analysis {
namespace {

/// The rows of one header; nothing if the session ended it, as its processes may have been ended then.
std::optional<std::vector<library_row>> rows_of(const kernel_header& header, const library_request& request,
                                                const session& of) {
    if (request.known)
        if (auto known = request.known(header)) return known;
    const std::string folder = (std::filesystem::path(request.folder) / file_name_of(header)).string();
    std::vector<library_row> rows = try_header(header, request, folder, of);
    if (of.is_over()) return std::nullopt;
    if (request.finished) request.finished(header, rows);
    return rows;
}

} // namespace

std::string library_row::note() const {
    std::string text;
    for (const auto* list : {&remarks, &explanation})
        for (const std::string& each : *list) text += (text.empty() ? "" : "; ") + each;
    return text;
}

bool library_answer::any_difference() const {
    return std::any_of(rows.begin(), rows.end(), [](const library_row& row) { return row.differs(); });
}

std::string file_name_of(const kernel_header& header) {
    std::string name = header.name;
    std::replace(name.begin(), name.end(), '/', '.');
    return name;
}

library_answer check_library(const library_request& request, const session& of) {
    const std::vector<kernel_header>& headers = request.headers;
    std::vector<std::optional<std::vector<library_row>>> results(headers.size());
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < headers.size() && !of.is_over();) try {
                results[i] = rows_of(headers[i], request, of);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(failing);
                failure = std::current_exception();
                next = headers.size();
            }
    };
    std::vector<std::thread> workers;
    for (unsigned job = 1; job < request.jobs; ++job) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
    if (failure) std::rethrow_exception(failure);

    library_answer answer;
    answer.interrupted = of.is_over();
    for (auto& rows : results)
        if (rows) std::move(rows->begin(), rows->end(), std::back_inserter(answer.rows));
    return answer;
}

std::vector<chip_summary> summary_of(const std::vector<library_row>& rows) {
    std::vector<chip_summary> result;
    for (const architecture arch : all_architectures) {
        chip_summary chip;
        chip.arch = arch;
        std::set<std::string> headers, compile, record;
        std::map<lint_verdict, unsigned> verdicts;
        for (const library_row& row : rows) {
            if (row.arch != arch) continue;
            headers.insert(row.header);
            if (row.compiles) compile.insert(row.header);
            if (!row.function.empty()) ++chip.functions;
            if (!row.records) continue;
            record.insert(row.header);
            ++chip.functions_that_record;
            chip.direct_compared += row.direct_equals_recorded.has_value();
            chip.direct_equal += row.direct_equals_recorded.value_or(false);
            chip.macro_compared += row.macro_equals_plain.has_value();
            chip.macro_equal += row.macro_equals_plain.value_or(false);
            if (row.verdict) ++verdicts[*row.verdict];
        }
        if (headers.empty()) continue;
        chip.headers = headers.size();
        chip.headers_that_compile = compile.size();
        chip.headers_that_record = record.size();
        chip.verdicts.assign(verdicts.begin(), verdicts.end());
        result.push_back(std::move(chip));
    }
    return result;
}

} // namespace sfpu::analysis
