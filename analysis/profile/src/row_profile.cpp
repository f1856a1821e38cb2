#include <sfpu/analysis/row_profile.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sfpu::analysis {
namespace {

using isa::sub_unit;

constexpr std::uint64_t short_run = 16; ///< iterations; the other run has twice as many

unsigned instances_of(sub_unit unit, const parameters& config) {
    switch (unit) {
    case sub_unit::load: return config.dst_load_ports;
    case sub_unit::mad: return config.sfpu_mad_units;
    case sub_unit::store: return config.dst_store_ports;
    case sub_unit::simple:
    case sub_unit::round:
    case sub_unit::front_end: break;
    }
    return 1;
}

/// Which words wait when, and what their sub-units do meanwhile.
class wait_watch : public probe::pipeline_observer {
public:
    wait_watch(std::int64_t first_word, std::int64_t words, std::uint64_t iterations)
        : first_word_(first_word), words_(words),
          end_(first_word + words * static_cast<std::int64_t>(iterations)),
          units_(static_cast<std::size_t>(words), sub_unit::front_end) {}

    void executed(const probe::execution_event& event) override {
        if (event.from == probe::origin::issued && in_loop(event.word))
            units_[place_of(event.word)] = event.unit;
        if (event.discarded || event.unit == sub_unit::front_end || event.insn.is(isa::opcode::sfpnop))
            return;
        const bool keeps_others_out = event.insn.latency == isa::latency_class::swap ||
                                      event.insn.latency == isa::latency_class::shuffle;
        const std::int64_t last = keeps_others_out ? event.end.count() : event.begin.count();
        for (std::int64_t at = event.begin.count(); at <= last; ++at) ++busy_[{event.unit, at}];
    }
    void stalled(const probe::stall_event& event) override {
        if (in_loop(event.word)) waits_.emplace_back(event.word, event.at.count());
    }

    const std::vector<sub_unit>& units() const { return units_; }
    /// Cycles by place in the loop, of all iterations.
    std::map<std::int64_t, double> held() const {
        std::map<std::int64_t, double> result;
        for (const auto& [word, at] : waits_) ++result[static_cast<std::int64_t>(place_of(word))];
        return result;
    }
    /// Cycles in which a word waits for a sub-unit one instance of which does nothing.
    double blocked(sub_unit unit, unsigned instances) const {
        double result = 0;
        for (const auto& [word, at] : waits_)
            if (units_[place_of(word)] == unit && works_in(unit, at) < instances) ++result;
        return result;
    }
    /// Cycles of all instances of a sub-unit: two that work in the same cycle count twice.
    double busy(sub_unit unit) const {
        double result = 0;
        for (const auto& [where, instances] : busy_)
            if (where.first == unit) result += instances;
        return result;
    }

private:
    unsigned works_in(sub_unit unit, std::int64_t at) const {
        const auto found = busy_.find({unit, at});
        return found == busy_.end() ? 0 : found->second;
    }
    bool in_loop(std::int64_t word) const { return word >= first_word_ && word < end_; }
    std::size_t place_of(std::int64_t word) const {
        return static_cast<std::size_t>((word - first_word_) % words_);
    }

    std::int64_t first_word_, words_, end_;
    std::vector<sub_unit> units_;
    std::map<std::pair<sub_unit, std::int64_t>, unsigned> busy_; ///< how many instances work in a cycle
    std::vector<std::pair<std::int64_t, std::int64_t>> waits_;   ///< word, cycle
};

} // namespace

double row_profile::all_held() const { return std::accumulate(held.begin(), held.end(), 0.0); }

row_profile profile_of(platform::program_runner& runner, platform::run_request request,
                       unsigned rows_per_iteration, bool watched) {
    const auto words_of = [&](std::size_t segment) {
        return static_cast<std::int64_t>(request.segments[segment].words.size());
    };
    const double rows = static_cast<double>(short_run) * rows_per_iteration;
    request.diagnostics = nullptr;
    request.hazards = hazard_policy::off; // relaxed runs break rules, and nobody looks at their results
    const auto run = [&](std::uint64_t iterations, probe::pipeline_observer* observer) {
        request.segments[1].repeat = iterations;
        request.observer = observer;
        return runner.run(request);
    };
    wait_watch first(words_of(0), words_of(1), short_run), second(words_of(0), words_of(1), 2 * short_run);
    probe::dependence_watch dependences(words_of(0), words_of(1), 2 * short_run,
                                        request.config.dst_store_load_visible);
    probe::observer_list both;
    both.add(second);
    both.add(dependences);
    const platform::run_result once = run(short_run, watched ? &first : nullptr);
    const platform::run_result twice = run(2 * short_run, watched ? &both : nullptr);

    row_profile profile;
    // Between first words, not between ends: what is still under way then may be more after one run than
    // after the other.
    profile.cycles = static_cast<double>((twice.segments[1].last - once.segments[1].last).count()) / rows;
    profile.words = static_cast<double>(twice.counters.words - once.counters.words) / rows;
    profile.issue_slots = request.config.sfpu_issue_width;
    for (const sub_unit unit : reported_units) {
        const auto i = static_cast<unsigned>(unit);
        profile.units[i].instances = instances_of(unit, request.config);
        profile.units[i].busy = static_cast<double>(twice.counters.busy[i] - once.counters.busy[i]) / rows;
        if (!watched) continue;
        const unsigned instances = profile.units[i].instances;
        profile.units[i].blocked = (second.blocked(unit, instances) - first.blocked(unit, instances)) / rows;
        // The counters tell whether the sub-unit works, not how much of it.
        if (instances > 1) profile.units[i].busy = (second.busy(unit) - first.busy(unit)) / rows;
    }
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        profile.held[cause] =
            static_cast<double>(twice.counters.stalls[cause] - once.counters.stalls[cause]) / rows;
    if (!watched) return profile;
    profile.unit_of_word = second.units();
    profile.held_at = second.held();
    for (const auto& [place, count] : first.held()) profile.held_at[place] -= count;
    for (auto& [place, count] : profile.held_at) count /= rows;
    profile.dependences = dependences.critical_cycle();
    return profile;
}

} // namespace sfpu::analysis
