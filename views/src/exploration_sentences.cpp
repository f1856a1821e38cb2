#include <sfpu/views/exploration_sentences.h>

#include "exploration_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace sfpu::views {
namespace {

using analysis::exploration_answer;
using analysis::exploration_findings;
using analysis::explored_point;
using analysis::known_range;
using analysis::machine_finding;
using analysis::parameter_finding;

constexpr double no_difference = 1e-9;

/// "1 kernel", "2 kernels"
std::string many(std::size_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}
std::string enumerated(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}
/// A number as people write it: whole ones without a point.
std::string shown_number(double value) {
    if (value == std::floor(value)) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, std::abs(value) < 1 ? 3 : 2);
}
/// Long texts, such as what is wrong with a kernel, stand elsewhere.
std::string cut_short(const std::string& text) {
    constexpr std::size_t most = 120;
    return text.size() > most ? text.substr(0, most - 3) + "..." : text;
}

bool is_above(double value, double limit) { return value > limit + no_difference; }

/// The sentences of one exploration.
class short_answer {
public:
    short_answer(const exploration_answer& answer, const exploration_findings& findings)
        : answer_(answer), of_(answer.what), findings_(findings), folder_(shared_folder(answer).size()) {}

    std::vector<std::string> say() && {
        say_which_is_fastest();
        say_what_binds();
        say_which_parameters_matter();
        say_what_is_wrong();
        say_what_is_proved();
        return std::move(said_);
    }

private:
    void say(const std::string& text) { said_.push_back(text + "."); }

    const machine_finding& machine(std::size_t index) const { return findings_.machines[index]; }
    std::string name_of(const machine_finding& which) const {
        return fmt::format("point {} ({})", which.point, changes_text(which.point));
    }
    std::string changes_text(std::size_t point) const {
        const parameters here = of_.configuration(point), baseline = of_.baseline_configuration();
        std::vector<std::string> changes;
        for (const parameter_row* row : of_.varied)
            if (row->text(here) != row->text(baseline))
                changes.push_back(
                    fmt::format("{} {} \u2192 {}", row->path, row->text(baseline), row->text(here)));
        return changes.empty() ? "the baseline's machine" : fmt::format("{}", fmt::join(changes, ", "));
    }
    /// "; 2 kernels faster and 1 as before"
    std::string gains(const machine_finding& which) const {
        if (findings_.kernels.size() < 2) return "";
        const std::size_t faster = which.faster(), slower = which.slower();
        std::vector<std::string> parts{many(faster, "kernel") + " faster",
                                       fmt::format("{} as before", which.compared - faster - slower)};
        if (slower) parts.push_back(fmt::format("{} slower", slower));
        return "; " + enumerated(parts);
    }
    static std::string times(double speed) { return fmt::format("{:.2f} times", speed); }
    /// What is known of a speed that is no single number.
    static std::string doubt(const machine_finding::speed& speed) {
        if (speed.known.is_exact()) return "";
        if (std::isinf(speed.known.most))
            return fmt::format(" That is not proved: the best schedules make it at least {} as fast.",
                               times(speed.known.least));
        return fmt::format(" That is not proved: the best schedules make it {:.2f} to {} as fast.",
                           speed.known.least, times(speed.known.most));
    }
    /// No other machine can be faster, whatever schedules are found.
    bool is_surely_fastest(const machine_finding& best) const {
        return std::all_of(findings_.ranked.begin(), findings_.ranked.end(), [&](std::size_t i) {
            return machine(i).point == best.point ||
                   !is_above(machine(i).mean->known.most, best.mean->known.least);
        });
    }

    void say_which_is_fastest() {
        if (findings_.parameters.empty()) return;
        if (!findings_.baseline) {
            say("The baseline's machine is not among the points, so that nothing is said here of gains");
            return;
        }
        const machine_finding& base = machine(*findings_.baseline);
        if (!base.compared) return;
        if (findings_.ranked.empty()) return;
        const machine_finding& best = machine(findings_.ranked[0]);
        if (is_above(best.mean->found, 1)) say_best(base, best);
        else say_that_none_is_faster(base);
    }
    void say_best(const machine_finding& base, const machine_finding& best) {
        const std::string average = base.compared > 1 ? fmt::format(" on average (geometric mean over {})",
                                                                    many(base.compared, "kernel"))
                                                      : "";
        const bool sure = is_surely_fastest(best) && best.mean->known.is_exact();
        said_.push_back(fmt::format(
            "The fastest machine{} is {}: {} as fast as the baseline's{}, at cost {}{}.{}",
            sure ? "" : " by the schedules that were found", name_of(best), times(best.mean->found), average,
            shown_number(best.cost), gains(best), doubt(*best.mean)));
        std::vector<std::size_t> cheap;
        for (const std::size_t i : findings_.ranked)
            if (machine(i).on_front && is_above(machine(i).mean->found, 1)) cheap.push_back(i);
        const auto first = std::min_element(cheap.begin(), cheap.end(), [&](std::size_t a, std::size_t b) {
            return machine(a).cost < machine(b).cost;
        });
        if (first == cheap.end() || machine(*first).point == best.point) return;
        const machine_finding& least = machine(*first);
        const bool cheaper_gain_nothing =
            std::all_of(findings_.ranked.begin(), findings_.ranked.end(), [&](std::size_t i) {
                return machine(i).cost >= least.cost || !is_above(machine(i).mean->known.most, 1);
            });
        said_.push_back(fmt::format("The least cost that gains anything{} is {}: {}, {} as fast{}.{}",
                                    cheaper_gain_nothing && is_above(least.mean->known.least, 1)
                                        ? ""
                                        : " by the schedules that were found",
                                    shown_number(least.cost), name_of(least), times(least.mean->found),
                                    gains(least), doubt(*least.mean)));
    }
    void say_that_none_is_faster(const machine_finding& base) {
        const std::string and_right =
            findings_.kernels.size() > 1 ? " and right for all kernels" : " and right";
        const machine_finding* hope = nullptr;
        for (const std::size_t i : findings_.ranked)
            if (is_above(machine(i).mean->known.most, hope ? hope->mean->known.most : 1)) hope = &machine(i);
        if (!hope) say("No machine is faster than the baseline's" + and_right);
        else
            say(fmt::format("No machine is faster than the baseline's{} by the schedules that were found. "
                            "That is not proved: {} may be {}",
                            and_right, name_of(*hope),
                            std::isinf(hope->mean->known.most)
                                ? "faster"
                                : "up to " + times(hope->mean->known.most) + " as fast"));
        const machine_finding* some = nullptr;
        for (const machine_finding& each : findings_.machines)
            if (each.faster() && (!some || each.faster() > some->faster() ||
                                  (each.faster() == some->faster() && each.cost < some->cost)))
                some = &each;
        if (!some) return;
        const std::size_t faster = some->faster(), missing = some->missing();
        say(fmt::format("On {} {} {} faster{}, at cost {}{}", name_of(*some), many(faster, "kernel"),
                        faster == 1 ? "is" : "are",
                        are_exact(*some) && are_exact(base) ? "" : " as far as schedules were found",
                        shown_number(some->cost),
                        missing ? fmt::format(", but {} {} no right results there", missing,
                                              missing == 1 ? "has" : "have")
                                : ""));
    }

    static bool are_exact(const machine_finding& which) {
        return std::all_of(which.results.begin(), which.results.end(),
                           [](const auto& each) { return !each || each->cycles.is_exact(); });
    }
    /// What binds the kernels on a machine, with how many each, the most frequent first.
    std::string tally(const machine_finding& which) const {
        std::map<std::string, std::size_t> counts;
        std::size_t runs = 0;
        for (const auto& each : which.results) {
            std::string names = each ? binder_of(answer_.points[each->run].result.binds) : "";
            if (names.empty()) continue;
            ++runs;
            for (std::size_t at; (at = names.find(" and ")) != std::string::npos;) names.replace(at, 5, ", ");
            for (std::size_t begin = 0, end; begin < names.size(); begin = end + 2) {
                end = std::min(names.find(", ", begin), names.size());
                ++counts[names.substr(begin, end - begin)];
            }
        }
        std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string text;
        for (const auto& [name, count] : order)
            text += (text.empty() ? "" : ", ") + name +
                    (runs < 2       ? ""
                     : text.empty() ? " (" + many(count, "kernel") + ")"
                                    : fmt::format(" ({})", count));
        return text;
    }
    void say_what_binds() {
        if (!findings_.baseline) return;
        const machine_finding& base = machine(*findings_.baseline);
        const std::string there = tally(base);
        if (there.empty()) return;
        std::string text = fmt::format("What binds{} on the baseline's machine: {}.",
                                       are_exact(base) ? "" : " the schedules that were found", there);
        if (!findings_.ranked.empty()) {
            const machine_finding& best = machine(findings_.ranked[0]);
            if (best.point != base.point && is_above(best.mean->found, 1))
                text += fmt::format(" On the fastest: {}.", tally(best));
        }
        said_.push_back(text);
    }

    void say_which_parameters_matter() {
        std::vector<parameter_finding> order = findings_.parameters;
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& a, const auto& b) { return a.found > b.found; });
        const std::string unit = findings_.per_row ? " cycles a row" : " cycles";
        const auto figure = [&](double value) {
            return range_text({value, value}, findings_.per_row) + unit;
        };
        const auto closed = [](const parameter_finding& each) {
            return fmt::format("{} of the {} schedules and runs that tell are proved", each.closed,
                               each.runs);
        };
        std::vector<std::string> sure, maybe, none, perhaps_none, silent;
        for (const parameter_finding& each : order) {
            const std::string path = of_.varied[each.parameter]->path;
            if (is_above(each.proved, 0))
                sure.push_back(is_above(each.found, each.proved)
                                   ? fmt::format("{} ({} at least, {} by the schedules that were found)",
                                                 path, figure(each.proved), figure(each.found))
                                   : fmt::format("{} (up to {})", path, figure(each.found)));
            else if (is_above(each.found, 0))
                maybe.push_back(fmt::format("{} (up to {} by the schedules that were found; {})", path,
                                            figure(each.found), closed(each)));
            else if (each.groups == 0) silent.push_back(path);
            else if (each.is_flat() && each.closed == each.runs) none.push_back(path);
            else if (each.is_flat()) perhaps_none.push_back(fmt::format("{} ({})", path, closed(each)));
        }
        if (!sure.empty()) say("What makes a difference: " + enumerated(sure));
        if (!maybe.empty()) say("What may make a difference, which is not proved: " + enumerated(maybe));
        if (!silent.empty())
            say(fmt::format("Of {} nothing can be said: no two runs with right results differ in {} alone",
                            enumerated(silent), silent.size() == 1 ? "it" : "one of them"));
        if (!none.empty()) say("What makes none, to any kernel: " + enumerated(none));
        if (!perhaps_none.empty())
            say("What makes none by the schedules that were found, which is not proved: " +
                enumerated(perhaps_none));
    }

    void say_what_is_wrong() {
        std::size_t wrong = 0, kept = 0, lucky = 0, failed = 0;
        std::string first_failure;
        std::vector<std::string> misled;
        for (const explored_point& each : answer_.points) {
            const analysis::point_result& result = each.result;
            const std::string name = of_.kernels[each.id.kernel].name.substr(folder_);
            if (result.reference_differs && std::find(misled.begin(), misled.end(), name) == misled.end())
                misled.push_back(name);
            if (result.status != analysis::point_status::ok) {
                if (failed++ == 0)
                    first_failure = result.error.empty() ? to_string(result.status) : result.error;
            } else if (result.valid == false) {
                ++wrong;
                kept += result.schedule == analysis::schedule_choice::keep;
            } else if (result.verdict == analysis::lint_verdict::broken) ++lucky;
        }
        const bool one = wrong == 1;
        if (wrong)
            say(fmt::format(
                "{} of {} compute{} something else than the baseline's machine, so that {} cycles "
                "mean nothing{}",
                many(wrong, "run"), answer_.points.size(), one ? "s" : "", one ? "its" : "their",
                kept == wrong ? ": words that are kept count on the latencies of the machine they "
                                "were written for"
                              : ""));
        if (!misled.empty())
            say(fmt::format("On the baseline's machine {} as kept compute{} something else than on the chip: "
                            "right results of kept words are those of the baseline's machine",
                            enumerated(misled), misled.size() == 1 ? "s" : ""));
        if (lucky)
            say(fmt::format("{} {} hazards, and right results by luck only", many(lucky, "run"),
                            lucky == 1 ? "has" : "have"));
        if (failed)
            say(fmt::format("{} failed; the first: {}", many(failed, "run"), cut_short(first_failure)));
    }
    void say_what_is_proved() {
        const std::size_t written = findings_.schedules, proved = findings_.proved;
        if (written == 0) return;
        if (proved == written)
            say(fmt::format("All {} are proved to be the shortest of their kind on their machine",
                            many(written, "schedule")));
        else
            say(fmt::format(
                "{} of {} {} proved to be the shortest of their kind on their machine; for the others "
                "the search ended at {} conflicts, and a shorter one may exist",
                proved, many(written, "schedule"), proved == 1 ? "is" : "are", of_.budget));
    }

    const exploration_answer& answer_;
    const analysis::sweep& of_;
    const exploration_findings& findings_;
    std::size_t folder_;
    std::vector<std::string> said_;
};

} // namespace

std::vector<std::string> short_answers_of(const exploration_answer& answer,
                                          const exploration_findings& findings) {
    return short_answer(answer, findings).say();
}

std::string binder_of(const std::string& binds) {
    if (binds.rfind("No resource binds", 0) == 0) return "nothing alone";
    std::size_t end = binds.size();
    for (const char* verb : {" binds", " bind", " is busiest", " are busiest"})
        end = std::min(end, binds.find(verb));
    std::string name = binds.substr(0, end);
    for (const char* word : {"The", "Issue", "Load", "Simple", "Round", "Store"})
        if (name.rfind(word, 0) == 0 &&
            !std::isalnum(static_cast<unsigned char>(name[std::string(word).size()])))
            name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
}

std::string held_text(const analysis::parameter_response& response) {
    std::vector<std::string> parts;
    for (const analysis::parameter_value& each : response.held)
        parts.push_back(fmt::format("{} = {}", each.row->path, each.text()));
    if (!parts.empty())
        return enumerated(parts) + (response.held_at_baseline ? ", as on the baseline's machine" : "");
    for (const parameter_row* each : response.best_over) parts.emplace_back(each->path);
    if (parts.empty()) return "";
    return "the best over " + enumerated(parts) + ": points differ in more than " + response.parameter->path;
}

std::string range_text(const known_range& cycles, bool per_row) {
    const auto text = [&](double value) { return fmt::format("{:.{}f}", value, per_row ? 2 : 0); };
    if (cycles.is_exact()) return text(cycles.most);
    return cycles.least > 0 ? text(cycles.least) + " to " + text(cycles.most)
                            : "at most " + text(cycles.most);
}

} // namespace sfpu::views
