#include "path_comparison.h"

#include "kernel_files.h"
#include <sfpu/analysis/compiler_messages.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/path_difference.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace sfpu::analysis {
namespace {

constexpr unsigned compared_seeds = 4;

/// A number as JSON writes it: 3.0, not 3.
std::string number_text(const typed_value& value) {
    if (!value.type) return value.text();
    const double number = isa::number_of_cell(*value.type, value.cell);
    if (!std::isfinite(number)) return value.text();
    if (!isa::is_floating(*value.type) && !(number == 0 && std::signbit(number)))
        return fmt::format("{}", static_cast<std::int64_t>(number));
    const std::string text = fmt::format("{}", number);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string sentence_about(const output_difference& difference, const char* mode) {
    const std::string a = number_text(difference.a), b = number_text(difference.b);
    // Two NaNs differ in what their numbers do not show.
    const auto shown = [&](const std::string& text, const typed_value& value) {
        return a == b ? fmt::format("{} ({})", text, bits_text(value)) : text;
    };
    return fmt::format("In a {} Dst, {}, row {}{}: the macro path gives {}, the plain path {}.", mode,
                       difference.output, difference.row ? std::to_string(*difference.row) : "null",
                       difference.lane ? fmt::format(", lane {}", *difference.lane) : "",
                       shown(a, difference.a), shown(b, difference.b));
}

/// A reason, with the modes of Dst that show it.
struct mode_reason {
    std::string text;
    std::vector<const char*> modes;
};

class comparison_of_modes {
public:
    comparison_of_modes(platform::program_runner& runner, const step_limit& limit)
        : runner_(runner), limit_(limit) {}

    void compare(const std::string& macro_file, const std::string& plain_file, const char* mode) try {
        const isa::kernel macro = recorded_file(macro_file), plain = recorded_file(plain_file);
        equivalence_options how;
        how.seeds = compared_seeds;
        how.interrupted = limit_.begin();
        const equivalence_report report = compared(macro, plain, how);
        if (report.interrupted) return not_compared(mode, limit_.reason());
        if (!report.not_comparable.empty()) return not_compared(mode, report.not_comparable);
        (report.equal ? equal_in_ : different_in_).push_back(mode);
        if (report.equal) {
            if (report.verdict > found_.strength) found_.strength = report.verdict;
            return;
        }
        if (report.first_difference)
            found_.explanation.push_back(sentence_about(*report.first_difference, mode));
        how.nan_equal = how.ignore_signed_zero = true;
        how.interrupted = limit_.begin();
        if (compared(macro, plain, how).equal) add_reason("Only NaNs and signs of zeros differ.", mode);
        for (const std::string& each : difference_of_paths(runner_, macro, plain, limit_.begin()).sentences())
            add_reason(each, mode);
    } catch (const std::exception& error) {
        not_compared(mode, first_error(error.what()));
    }

    path_comparison result() {
        if (equal_in_.empty() && different_in_.empty()) return std::move(found_);
        found_.equal = different_in_.empty();
        if (different_in_.empty()) return std::move(found_);
        if (!equal_in_.empty())
            found_.explanation.push_back(fmt::format(
                "In a {} Dst both paths are equal: the kernel is written for that mode.", equal_in_.front()));
        else if (reasons_.empty()) found_.explanation.emplace_back("Nothing shows why.");
        for (const mode_reason& each : reasons_)
            found_.explanation.push_back(each.modes.size() == different_in_.size()
                                             ? each.text
                                             : fmt::format("In a {} Dst: {}", each.modes.front(), each.text));
        return std::move(found_);
    }

private:
    equivalence_report compared(const isa::kernel& macro, const isa::kernel& plain,
                                const equivalence_options& how) {
        return analysis::compare(runner_, macro, plain, machine_choice{}, std::nullopt, how);
    }
    void not_compared(const char* mode, const std::string& reason) {
        found_.remarks.push_back(fmt::format("{} Dst: not compared: {}", mode, reason));
    }
    void add_reason(const std::string& text, const char* mode) {
        const auto known = std::find_if(reasons_.begin(), reasons_.end(),
                                        [&](const mode_reason& each) { return each.text == text; });
        if (known != reasons_.end()) known->modes.push_back(mode);
        else reasons_.push_back({text, {mode}});
    }

    platform::program_runner& runner_;
    const step_limit& limit_;
    path_comparison found_;
    std::vector<const char*> equal_in_, different_in_;
    std::vector<mode_reason> reasons_;
};

} // namespace

path_comparison compare_paths(platform::program_runner& runner, const recorded_files& macro,
                              const recorded_files& plain, const step_limit& limit) {
    comparison_of_modes modes(runner, limit);
    modes.compare(macro.faces, plain.faces, "16-bit");
    modes.compare(macro.faces_wide, plain.faces_wide, "32-bit");
    return modes.result();
}

} // namespace sfpu::analysis
