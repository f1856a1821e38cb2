#include "kernel_trial.h"

#include "call_program.h"
#include "kernel_behaviour.h"
#include "kernel_files.h"
#include "path_comparison.h"

#include <sfpu/platform/core_runner.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

namespace sfpu::analysis {
namespace {

bool mentions(const std::string& file, const char* word) {
    return text_if_any(file).find(word) != std::string::npos;
}

/// The first line, but for that of a text, that begins so; empty if none does.
std::string line_that_begins(const std::string& text, const std::string& begin) {
    const std::size_t at = text.find('\n' + begin);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at + 1) - at);
}

/// The first definition of a function in these files.
std::optional<function_declaration> function_in(const std::vector<std::string>& files,
                                                const std::string& name) {
    for (const std::string& file : files) {
        const std::string text = text_if_any(file);
        if (text.find(name) == std::string::npos) continue;
        for (const function_declaration& each : function_declarations(text))
            if (each.name == name && !each.body.empty()) return each;
    }
    return std::nullopt;
}

/// Macros of a function that is a part of others were set up by one of these, nobody knows which.
constexpr const char* only_a_part =
    "not judged alone: only other functions of the header call it, and what prepares its macros is theirs";

/// What the recorder says of a replay of nothing.
constexpr const char* empty_slot = "which nothing was loaded into";

class header_trial {
public:
    header_trial(const kernel_header& header, const library_request& request, const std::string& folder,
                 const session& of)
        : header_(header), request_(request), folder_(folder), limit_(of, request.seconds),
          compiler_(header, request.tools, folder, limit_) {}

    std::vector<library_row> run() {
        const kernel_functions functions = find_functions(text_if_any(header_.path), surroundings());
        calls_ = functions.calls;
        if (!build() && !compiler_.find_way()) return {row("", false, compiler_.problem())};
        const bool built = calls_.empty() || macro_ || build();
        std::vector<library_row> rows;
        for (const std::string& skipped : functions.skipped) {
            const std::size_t colon = skipped.find(':');
            rows.push_back(row(skipped.substr(0, colon), true, "not called" + skipped.substr(colon)));
        }
        if (calls_.empty() && rows.empty())
            rows.push_back(row("", true, "nothing to call: none of its functions works on vectors"));
        if (!built) rows.push_back(row("", true, "no call of its functions compiles: " + problem_));
        if (!macro_) return rows;
        may_have_plain_ = functions.has_plain_path ||
                          std::any_of(header_.library.begin(), header_.library.end(), [](const auto& other) {
                              return mentions(other, "DISABLE_SFPLOADMACRO");
                          });
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (macro_->has(i)) rows.push_back(try_call(i));
            else if (const std::string* failure = macro_->failure_of(i);
                     failure && !works(calls_[i].function))
                rows.push_back(row(calls_[i].call, true, "this call does not compile: " + *failure));
        return rows;
    }

private:
    /// Who calls the functions of the header, and what the headers that it may include define.
    header_surroundings surroundings() const {
        std::vector<std::string> texts;
        for (const std::string& file : header_.callers) texts.push_back(text_if_any(file));
        std::vector<std::string> others = header_.library;
        std::error_code ignored;
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(header_.path).parent_path(), ignored))
            if (entry.path().extension() == ".h") others.push_back(entry.path().string());
        std::sort(others.begin(), others.end());
        return {kernel_callers(texts),
                [others](const std::string& name) { return function_in(others, name); }};
    }
    /// The program of the calls. False if there are no calls, or if none of them compiles.
    bool build() {
        if (calls_.empty()) return false;
        auto program = std::make_unique<call_program>(compiler_, calls_, folder_, "macro", false);
        if (program->build()) macro_ = std::move(program);
        else problem_ = program->problem();
        return macro_ != nullptr;
    }
    /// That of their plain paths, which is compiled once it is needed; null if there is none.
    const call_program* plain() {
        if (may_have_plain_ && !plain_) {
            plain_ = std::make_unique<call_program>(compiler_, calls_, folder_, "plain", true);
            plain_->leave_out_as(*macro_);
            may_have_plain_ = plain_->build();
        }
        return may_have_plain_ ? plain_.get() : nullptr;
    }
    /// Whether some call of the function compiles.
    bool works(const std::string& function) const {
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (calls_[i].function == function && macro_->has(i)) return true;
        return false;
    }

    library_row row(const std::string& function, bool compiles, const std::string& reason) const {
        library_row result;
        result.header = header_.name;
        result.function = function;
        result.arch = header_.arch;
        result.compiles = compiles;
        result.reason = reason;
        if (const std::string note = compiler_.note(); !note.empty()) result.remarks.push_back(note);
        return result;
    }

    library_row try_call(std::size_t index) {
        const kernel_call& call = calls_[index];
        library_row result = row(call.call, true, "");
        std::string problem;
        std::optional<std::size_t> behind;
        auto files = macro_->record(index, problem);
        if (!files && problem.find(empty_slot) != std::string::npos) files = record_behind(index, behind);
        if (!files) {
            result.reason = "does not record: " + problem;
            return result;
        }
        result.records = true;
        const bool uses_macros = mentions(files->steady, "sfploadmacro");
        if (uses_macros || !call.published_of_macros) result.published = call.published;
        for (const std::string& each : files->warnings) result.remarks.push_back(each);
        if (behind)
            result.remarks.push_back("behind " + calls_[*behind].call +
                                     ", whose words it plays from the replay buffer");
        if (request_.schedule) result.schedule = scheduled(index, *files, uses_macros);
        if (request_.record_only) return result;
        if (!macro_->has_init(index))
            result.remarks.emplace_back("without its init function, whose arguments are not known");
        if (!call.counts_rows) result.remarks.emplace_back("cycles of a call");
        const bool judged = !uses_macros || !call.is_part;
        if (!uses_macros) compare_with_direct(*macro_, index, behind, result);
        else if (!judged) result.remarks.emplace_back(only_a_part);
        else if (plain()) compare_with_plain(*plain(), index, *files, result);
        else result.remarks.emplace_back("no plain path to compare with");
        const kernel_behaviour& seen = behaviour(*files, uses_macros, judged);
        result.cycles_per_row = seen.cycles_per_row;
        result.verdict = seen.verdict;
        result.remarks.insert(result.remarks.end(), seen.notes.begin(), seen.notes.end());
        return result;
    }

    /// What the optimiser makes of a call: of its plain path, if it uses macros itself. Once for all calls of
    /// the same words.
    std::optional<library_schedule> scheduled(std::size_t index, const recorded_files& files,
                                              bool uses_macros) {
        std::string text = text_if_any(files.steady), problem;
        if (uses_macros) {
            const auto without =
                plain() && plain()->has(index) ? plain()->record(index, problem) : std::nullopt;
            if (!without || mentions(without->steady, "sfploadmacro")) return std::nullopt;
            text = text_if_any(without->steady);
        }
        const auto known = schedules_.find(text);
        if (known == schedules_.end() && limit_.of().is_over()) return std::nullopt;
        library_schedule found =
            known != schedules_.end()
                ? known->second
                : request_.schedule({header_, calls_[index].function, index, text}, limit_.of());
        if (uses_macros) found.macro = measured_alone(runner_, files.steady, limit_).cycles_per_row;
        schedules_.emplace(text, found);
        return found;
    }

    /// Records a call that plays from the replay buffer what another call of the header has loaded.
    std::optional<recorded_files> record_behind(std::size_t index, std::optional<std::size_t>& behind) const {
        for (std::size_t other = 0; other < calls_.size(); ++other) {
            if (other == index || !calls_[other].records_replay || !macro_->has(other)) continue;
            std::string ignored;
            if (auto files = macro_->record(index, ignored, other)) {
                behind = other;
                return files;
            }
        }
        return std::nullopt;
    }

    static void compare_with_direct(const call_program& program, std::size_t index,
                                    std::optional<std::size_t> behind, library_row& result) {
        const command_answer direct = program.compare_with_direct(index, behind);
        if (direct.code == 0 || direct.code == 2) result.direct_equals_recorded = direct.code == 0;
        if (direct.code == 0) return;
        std::string text = direct.problem.empty() ? direct.output + direct.complaints : direct.problem;
        std::replace(text.begin(), text.end(), '\n', ' ');
        result.remarks.push_back("direct execution: " + text);
    }

    void compare_with_plain(const call_program& program, std::size_t index, const recorded_files& macro,
                            library_row& result) {
        const auto remark = [&](const std::string& text) { result.remarks.push_back(text); };
        if (!program.has(index)) return remark("the plain path does not compile");
        std::string problem;
        const auto files = program.record(index, problem);
        if (!files) return remark("the plain path does not record: " + problem);
        if (mentions(files->steady, "sfploadmacro")) return remark("both paths use SFPLOADMACRO");
        compare_with_direct(program, index, std::nullopt, result);
        path_comparison found = compare_paths(runner_, macro, *files, limit_);
        result.macro_equals_plain = found.equal;
        if (found.equal == true) result.equality = to_string(found.strength);
        if (found.equal == false) result.explanation = std::move(found.explanation);
        for (const std::string& each : found.remarks) remark(each);
    }

    /// Once for all calls that record the same words. Where the steady state repeats whole calls they follow
    /// each other at once, which no caller does: such a kernel is judged with the steps between faces.
    const kernel_behaviour& behaviour(const recorded_files& files, bool uses_macros, bool judged) {
        const std::string words = text_if_any(files.steady), with_steps = text_if_any(files.faces);
        const auto key = std::pair(words + with_steps, judged);
        const auto known = behaviours_.find(key);
        if (known != behaviours_.end()) return known->second;
        const bool repeats_calls = line_that_begins(words, ".loop") == line_that_begins(with_steps, ".loop");
        const std::string& file = repeats_calls ? files.faces : files.steady;
        kernel_behaviour seen = judged ? behaviour_of(runner_, files.steady, file, uses_macros, limit_)
                                       : measured_alone(runner_, files.steady, limit_);
        return behaviours_.emplace(key, std::move(seen)).first->second;
    }

    const kernel_header& header_;
    const library_request& request_;
    std::string folder_;
    step_limit limit_;
    header_compiler compiler_;
    platform::core_runner runner_;
    std::vector<kernel_call> calls_;
    std::unique_ptr<call_program> macro_, plain_;
    std::string problem_; ///< why no call compiles
    bool may_have_plain_ = false;
    std::map<std::string, library_schedule> schedules_; ///< by the text of the plain call
    std::map<std::pair<std::string, bool>, kernel_behaviour>
        behaviours_; ///< by the texts of its files, and whether it is judged
};

} // namespace

std::vector<library_row> try_header(const kernel_header& header, const library_request& request,
                                    const std::string& folder, const session& of) {
    std::filesystem::create_directories(folder);
    return header_trial(header, request, folder, of).run();
}

} // namespace sfpu::analysis
