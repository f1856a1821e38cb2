#include <sfpu/analysis/library_schedule.h>

#include <sfpu/analysis/library_check.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sfpu::analysis {
namespace {

constexpr unsigned least_long_row = 20, most_long_row = 120; // words

/// Counts one call.
void count_schedule(const library_schedule& of, schedule_summary& to, double& logarithms,
                    std::map<std::string, std::size_t>& reasons) {
    ++to.calls;
    if (of.status == "failed") {
        ++to.failed;
        ++reasons[kind_of_failure(of.reason)];
        return;
    }
    const double plain = of.plain.value_or(0), found = of.ours.value_or(plain);
    if (found > 0 && plain > 0) logarithms += std::log(plain / found);
    to.shorter += found < plain;
    if (of.words >= least_long_row && of.words <= most_long_row) {
        ++to.long_rows;
        to.long_with_macros += of.macros > 0;
    }
    if (!of.macro) return;
    ++to.with_library_macros;
    to.slower_than_library += found > *of.macro + 1e-9;
}

} // namespace

std::string kind_of_failure(const std::string& reason) {
    // "file.s:12: sfpconfig 0, L12, 0: configuration cannot change": places and words come first.
    std::string rest = reason;
    for (std::size_t colon = rest.find(": "); colon != std::string::npos; colon = rest.find(": ")) {
        const std::string head = rest.substr(0, colon);
        const bool is_place = head.find(".s") != std::string::npos || head.rfind("line ", 0) == 0;
        const bool is_word = head.rfind("sfp", 0) == 0 || head.rfind("setc16", 0) == 0 ||
                             head.rfind(".word", 0) == 0 || head.rfind("stallwait", 0) == 0;
        if (!is_place && !is_word) break;
        rest.erase(0, colon + 2);
    }
    return rest;
}

std::vector<schedule_summary> summary_of_schedules(const std::vector<library_row>& rows) {
    std::vector<schedule_summary> result;
    for (const architecture arch : all_architectures) {
        schedule_summary chip;
        chip.arch = arch;
        double logarithms = 0;
        std::map<std::string, std::size_t> reasons;
        for (const library_row& row : rows)
            if (row.arch == arch && row.schedule) count_schedule(*row.schedule, chip, logarithms, reasons);
        if (chip.calls == 0) continue;
        if (chip.calls > chip.failed)
            chip.geometric_mean = std::exp(logarithms / static_cast<double>(chip.calls - chip.failed));
        chip.reasons.assign(reasons.begin(), reasons.end());
        std::stable_sort(chip.reasons.begin(), chip.reasons.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        result.push_back(std::move(chip));
    }
    return result;
}

} // namespace sfpu::analysis
