#include <sfpu/analysis/resource_bound.h>

#include <sfpu/analysis/row_profile.h>

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

namespace sfpu::analysis {
namespace {

using isa::sub_unit;
using probe::steady_state_statistics;

constexpr double same = 1e-9;                    ///< of cycles a row
constexpr std::size_t most_left_out = 64;        ///< words of a loop that are left out in turn
constexpr std::size_t most_of_dependences = 180; ///< characters: with their name in front a line of 200
constexpr auto issue = sub_unit::front_end;      ///< stands for the issue slots here

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

/// As it stands in sentences: "MAD", "load".
std::string title_of(sub_unit resource) {
    return resource == sub_unit::mad ? "MAD" : resource_name(resource);
}

std::string capital(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

/// "1 word", "1.5 words"
std::string counted(double number, const char* what) {
    return fmt::format("{:g} {}{}", number, what, number == 1 ? "" : "s");
}

/// A resource that a row needs for some cycles.
struct need {
    sub_unit resource;
    double cycles;
    std::string reason; ///< "8 words a row"
};

std::vector<need> needs_of(const row_profile& profile) {
    std::vector<need> needs{{issue, profile.words / profile.issue_slots,
                             fmt::format("{} a row{}", counted(profile.words, "word"),
                                         profile.issue_slots > 1 ? " in two slots" : "")}};
    for (const sub_unit unit : reported_units) {
        const row_profile::unit_share& share = profile.units[static_cast<unsigned>(unit)];
        needs.push_back({unit, share.busy / share.instances,
                         fmt::format("busy for {} a row{}", counted(share.busy, "cycle"),
                                     share.instances > 1 ? " in two instances" : "")});
    }
    return needs;
}

double most_needed(const std::vector<need>& needs) {
    double most = 0;
    for (const need& each : needs) most = std::max(most, each.cycles);
    return most;
}

double of_a_row(const probe::dependence_cycle& cycle, unsigned rows_per_iteration) {
    return cycle.steps.empty() ? 0 : cycle.cycles_per_iteration() / rows_per_iteration;
}

/// What binds in a profile: the resources that need all of its cycles, or else the order of its words.
struct verdict {
    std::vector<need> full; ///< empty: neither a resource nor the dependences
    bool dependences = false;

    std::string text() const {
        std::vector<std::string> names;
        for (const need& each : full) names.push_back(title_of(each.resource));
        if (dependences) names.emplace_back("the dependences between rows");
        if (names.empty()) return "the order of the words binds";
        return listed(names) + (names.size() > 1 || dependences ? " bind" : " binds");
    }
};

verdict verdict_on(const row_profile& profile, unsigned rows_per_iteration) {
    verdict result;
    for (need& each : needs_of(profile))
        if (each.cycles > profile.cycles - same && each.cycles > 0) result.full.push_back(std::move(each));
    result.dependences = !profile.dependences.steps.empty() &&
                         of_a_row(profile.dependences, rows_per_iteration) > profile.cycles - same;
    return result;
}

/// Tries what a kernel would gain.
class relaxer {
public:
    relaxer(platform::program_runner& runner, const kernel_run& run, const row_profile& profile)
        : runner_(runner), run_(run), profile_(profile), rows_(run.kernel().rows_per_iteration) {}

    void relax(sub_unit resource) {
        if (resource == issue) {
            leave_out(resource);
            if (profile_.issue_slots == 1) on_machine(resource_name(resource), "sfpu.issue_width", 2);
            return;
        }
        const char* more = resource == sub_unit::load    ? "dst.load_ports"
                           : resource == sub_unit::mad   ? "sfpu.mad_units"
                           : resource == sub_unit::store ? "dst.store_ports"
                                                         : nullptr;
        if (more && profile_.units[static_cast<unsigned>(resource)].instances == 1)
            on_machine(resource_name(resource), more, 2);
        else leave_out(resource);
    }

    void shorten_latencies() {
        for (const parameter_row& row : parameter_table()) {
            const std::string path = row.path;
            if (path.rfind("sfpu.latency.", 0) != 0) continue;
            const std::uint64_t now = row.get(run_.request().config);
            if (now > row.minimum) on_machine("order", path, now - 1);
        }
    }

    const std::vector<steady_state_statistics::relaxation>& found() const { return found_; }

private:
    void on_machine(const std::string& resource, const std::string& path, std::uint64_t value) {
        platform::run_request request = run_.request();
        find_parameter(path)->set(request.config, value);
        note(resource, fmt::format("{} = {}", path, value),
             profile_of(runner_, std::move(request), rows_, true));
    }

    std::string mnemonic_of(std::size_t word) const {
        const std::string text =
            isa::disassemble(run_.request().segments[1].words[word], run_.kernel().words);
        return text.substr(0, text.find(' '));
    }

    static double busy(const row_profile& profile, sub_unit resource) {
        return profile.units[static_cast<unsigned>(resource)].busy;
    }

    platform::run_request without(std::size_t word) const {
        platform::run_request request = run_.request();
        std::vector<std::uint32_t>& words = request.segments[1].words;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(word));
        return request;
    }

    /// Leaves out one word of the loop, in turn each that the resource works for, itself or what it
    /// schedules, and notes what gains most. Of equals it is the one that takes the least work along, so that
    /// what binds then is not what went with it.
    void leave_out(sub_unit resource) {
        const std::vector<std::uint32_t>& words = run_.request().segments[1].words;
        struct attempt {
            std::size_t word;
            row_profile profile;
            double work;
        };
        std::optional<attempt> best;
        for (std::size_t i = 0; i < std::min(words.size(), most_left_out) && words.size() > 1; ++i) {
            if (profile_.unit_of_word[i] == sub_unit::front_end) continue;
            const row_profile profile = profile_of(runner_, without(i), rows_, resource != issue);
            if (resource != issue && busy(profile, resource) > busy(profile_, resource) - same) continue;
            double work = 0;
            for (const row_profile::unit_share& share : profile.units) work += share.busy;
            const attempt now{i, profile, work};
            const auto rank = [](const attempt& a) { return std::pair(a.profile.cycles, -a.work); };
            if (!best || rank(now) < rank(*best)) best = now;
        }
        if (!best) return;
        const auto first = static_cast<std::int64_t>(run_.request().segments[0].words.size());
        note(resource_name(resource),
             fmt::format("one word{} ({} at {})", rows_ > 1 ? fmt::format(" in {} rows", rows_) : "",
                         mnemonic_of(best->word),
                         run_.location(first + static_cast<std::int64_t>(best->word))),
             profile_of(runner_, without(best->word), rows_, true));
    }

    void note(const std::string& resource, std::string change, const row_profile& profile) {
        found_.push_back(
            {resource, std::move(change), rounded(profile.cycles), verdict_on(profile, rows_).text()});
    }

    platform::program_runner& runner_;
    const kernel_run& run_;
    const row_profile& profile_;
    unsigned rows_;
    std::vector<steady_state_statistics::relaxation> found_;
};

std::string held_text(const row_profile& profile, const kernel_run& run) {
    if (profile.all_held() < same) return "";
    std::vector<std::string> causes;
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        if (profile.held[cause] > same)
            causes.emplace_back(probe::to_string(static_cast<probe::stall_cause>(cause)));
    std::string text = fmt::format(", and words are held for {:.2f} of them ({}", profile.all_held(),
                                   fmt::join(causes, ", "));
    const auto worst = std::max_element(profile.held_at.begin(), profile.held_at.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto first = static_cast<std::int64_t>(run.request().segments[0].words.size());
    if (worst != profile.held_at.end())
        text += fmt::format(", most at {}", run.location(first + worst->first));
    return text + ")";
}

/// What the sentence says of one relaxation. `it` is what is relaxed.
std::string gain_text(const steady_state_statistics::relaxation& tried, const std::string& it) {
    const bool of_the_machine = tried.change.find('=') != std::string::npos;
    return fmt::format("; relaxing {} {} {} gives {:.2f}, then {}", it, of_the_machine ? "with" : "by",
                       tried.change, tried.cycles_per_row, tried.then);
}

/// What is to be gained: all that was tried if a single resource binds, else the best.
std::string gains_text(const row_profile& profile, const verdict& found,
                       const std::vector<steady_state_statistics::relaxation>& tried) {
    if (tried.empty()) return "; nothing could be relaxed";
    std::string text;
    if (found.full.size() == 1 && !found.dependences) {
        for (const auto& each : tried) text += gain_text(each, "it");
        return text;
    }
    const auto best = std::min_element(tried.begin(), tried.end(), [](const auto& a, const auto& b) {
        return a.cycles_per_row < b.cycles_per_row - same;
    });
    if (best->cycles_per_row > profile.cycles - same)
        return found.full.empty() ? "; no latency less by one cycle gives fewer"
                                  : "; relaxing one of them alone gives nothing";
    return gain_text(*best, !found.full.empty() ? best->resource : found.dependences ? "them" : "it");
}

std::string sentence(const row_profile& profile, const verdict& found, const std::vector<need>& needs,
                     const kernel_run& run, const std::vector<steady_state_statistics::relaxation>& tried) {
    std::string text = capital(found.text());
    if (found.full.empty() && !found.dependences)
        text += fmt::format(": a row takes {:.2f} cycles though no resource needs more than {:.2f}{}",
                            profile.cycles, most_needed(needs), held_text(profile, run));
    else if (found.full.size() == 1 && !found.dependences) text += ": " + found.full[0].reason;
    else text += fmt::format(", with {:.2f} cycles a row", profile.cycles);
    return text + gains_text(profile, found, tried) + ".";
}

/// One line. Of a long chain the first steps stand there, and how many there are.
std::string dependence_text(const probe::dependence_cycle& cycle, unsigned rows_per_iteration,
                            const kernel_run& run) {
    if (cycle.steps.empty()) return "none: no value passes from row to row";
    const auto first = static_cast<std::int64_t>(run.request().segments[0].words.size());
    const auto rows = cycle.iterations * rows_per_iteration;
    const std::string end =
        rows == 1 ? " and again in the next row" : fmt::format(" and again {} rows later", rows);
    const auto rest = [&](std::size_t told) {
        const std::size_t left = cycle.steps.size() - told;
        return left == 0 ? "" : fmt::format(" {} {},", left, told == 0 ? "steps" : "more");
    };
    std::string text = fmt::format("{:.2f} cycles a row:", of_a_row(cycle, rows_per_iteration));
    for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
        const probe::dependence_step& step = cycle.steps[i];
        std::string longer = text + fmt::format(" {} ({}) to {} in {} cycle{},", step.insn.op->mnemonic,
                                                run.location(first + step.word), step.value, step.cycles,
                                                step.cycles == 1 ? "" : "s");
        if (longer.size() + rest(i + 1).size() + end.size() > most_of_dependences)
            return text + rest(i) + end;
        text = std::move(longer);
    }
    return text + end;
}

std::vector<steady_state_statistics::slot_stack> slots_of(const row_profile& profile) {
    std::vector<steady_state_statistics::slot_stack> slots;
    const auto add = [&](sub_unit resource, unsigned instances, double busy, double blocked) {
        const double all = profile.cycles * instances;
        blocked = std::min(blocked, all - busy);
        slots.push_back(
            {resource_name(resource), rounded(busy), rounded(blocked), rounded(all - busy - blocked)});
    };
    add(issue, profile.issue_slots, profile.words, profile.all_held() * profile.issue_slots);
    for (const sub_unit unit : reported_units) {
        const row_profile::unit_share& share = profile.units[static_cast<unsigned>(unit)];
        add(unit, share.instances, share.busy, share.blocked);
    }
    return slots;
}

} // namespace

bool bottleneck::is_busiest(isa::sub_unit resource) const {
    return std::find(busiest.begin(), busiest.end(), resource) != busiest.end();
}

bottleneck bottleneck_of(const row_profile& profile, unsigned rows_per_iteration) {
    const std::vector<need> needs = needs_of(profile);
    const verdict found = verdict_on(profile, rows_per_iteration);
    bottleneck result;
    result.busiest_cycles_per_row = rounded(most_needed(needs));
    for (const need& each : needs)
        if (each.cycles > 0 && each.cycles > most_needed(needs) - same)
            result.busiest.push_back(each.resource);
    result.resource_binds = !found.full.empty();
    result.recurrence_cycles_per_row = rounded(of_a_row(profile.dependences, rows_per_iteration));
    result.recurrence_binds = found.dependences;
    result.text = found.text();
    return result;
}

std::string resource_name(sub_unit resource) {
    return resource == issue ? "issue" : isa::to_string(resource);
}

std::optional<binding> binding_of(platform::program_runner& runner, const std::string& text,
                                  const kernel_run& kernel, const machine_choice& options,
                                  const std::string& name) {
    if (kernel.rows() == 0) return std::nullopt;
    const unsigned rows = kernel.kernel().rows_per_iteration;
    // The words of this run, without its data.
    const kernel_run run(assemble_kernel(text, name, options), options, kernel.kernel().peeled_rows + rows);
    if (run.request().segments[1].words.empty()) return std::nullopt;
    const row_profile profile = profile_of(runner, run.request(), rows, true);
    const std::vector<need> needs = needs_of(profile);

    binding result;
    probe::bound_statistics& bound = result.bound;
    for (const need& each : needs) {
        const std::string reason = resource_name(each.resource) + ": " + each.reason;
        if (each.cycles > bound.cycles_per_row + same) bound = {each.cycles, reason};
        else if (each.cycles > bound.cycles_per_row - same && each.cycles > 0) bound.reason += "; " + reason;
    }
    bound.cycles_per_row = rounded(bound.cycles_per_row);

    const verdict found = verdict_on(profile, rows);
    relaxer tries(runner, run, profile);
    for (const need& each : found.full) tries.relax(each.resource);
    if (found.full.empty() || found.dependences) tries.shorten_latencies();

    steady_state_statistics& state = result.steady_state;
    state.cycles_per_row = rounded(profile.cycles);
    state.binds = sentence(profile, found, needs, run, tries.found());
    state.slots = slots_of(profile);
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        if (profile.held[cause] > same)
            state.held.emplace_back(probe::to_string(static_cast<probe::stall_cause>(cause)),
                                    rounded(profile.held[cause]));
    state.relaxations = tries.found();
    state.dependence_cycles_per_row = rounded(of_a_row(profile.dependences, rows));
    state.dependences = dependence_text(profile.dependences, rows, run);
    return result;
}

} // namespace sfpu::analysis
