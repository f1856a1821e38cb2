#include <sfpu/analysis/steady_state.h>

#include <sfpu/probe/event_meaning.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sfpu::analysis {
namespace {

constexpr std::int64_t few_iterations = 32;
/// What a word schedules may execute some dozen words later, so that short loops run more often.
constexpr std::int64_t few_words = 256;
constexpr std::size_t few_repetitions = 8;
constexpr unsigned longest_period = 4; ///< a machine that issues two words a cycle pairs those of two rows

/// Keeps what the words of the loop do.
class loop_recorder : public probe::pipeline_observer {
public:
    loop_recorder(std::int64_t first_word, std::int64_t words, std::int64_t iterations)
        : first_word_(first_word), words_(words), end_(first_word + words * iterations) {}

    void executed(const probe::execution_event& event) override {
        if (!in_loop(event.word)) return;
        steady_event& kept = add(event.word, event.begin.count(), event.end.count());
        kept.key = key_of(event, kept.key.place);
        kept.insn = event.insn;
        kept.discarded = event.discarded;
        kept.takes_effect = event.takes_effect;
        kept.dst_address = event.dst_address;
    }
    void stalled(const probe::stall_event& event) override {
        if (in_loop(event.word)) add(event.word, event.at.count(), event.at.count()).held = event.cause;
    }
    void counters_changed(const probe::counters_event& event) override {
        const auto now = std::tuple(event.dst, event.dst_cr, event.sp);
        if (now != counters_) moves_.insert(event.at.count());
        counters_ = now;
    }

    /// All of them in the order of cycles.
    std::vector<steady_event> taken() {
        std::stable_sort(events_.begin(), events_.end(),
                         [](const steady_event& a, const steady_event& b) { return a.begin < b.begin; });
        for (steady_event& each : events_) each.moves_counters = moves_.count(each.begin) != 0;
        return std::move(events_);
    }

private:
    bool in_loop(std::int64_t word) const { return word >= first_word_ && word < end_; }
    steady_event& add(std::int64_t word, std::int64_t begin, std::int64_t end) {
        steady_event event;
        event.key.place = first_word_ + (word - first_word_) % words_;
        event.word = word;
        event.iteration = (word - first_word_) / words_;
        event.begin = begin;
        event.end = end;
        events_.push_back(event);
        return events_.back();
    }

    std::int64_t first_word_, words_, end_;
    std::vector<steady_event> events_;
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> counters_; ///< told also where they stay
    std::set<std::int64_t> moves_;                                     ///< cycles in which they change
};

/// What happens between the beginnings of two iterations, without what differs from iteration to iteration.
using happening = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, bool, unsigned, instruction_key>;
struct iteration_window {
    std::int64_t begin = 0, cycles = 0;
    std::vector<happening> what;

    bool is_as(const iteration_window& other) const { return cycles == other.cycles && what == other.what; }
};

/// Of all iterations but the last, behind which others words come.
std::vector<iteration_window> windows_of(const std::vector<steady_event>& events, std::int64_t iterations) {
    std::vector<std::int64_t> begins(static_cast<std::size_t>(iterations), -1);
    for (const steady_event& each : events) {
        std::int64_t& begin = begins[static_cast<std::size_t>(each.iteration)];
        if (!each.held && each.key.from == probe::origin::issued && begin < 0) begin = each.begin;
    }
    std::vector<iteration_window> windows;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        if (begins[i] < 0 || begins[i + 1] < 0) return {};
        windows.push_back({begins[i], begins[i + 1] - begins[i], {}});
    }
    auto window = windows.begin();
    for (const steady_event& each : events) {
        while (window != windows.end() && each.begin >= window->begin + window->cycles) ++window;
        if (window == windows.end()) break;
        if (each.begin < window->begin) continue;
        window->what.emplace_back(each.begin - window->begin, each.end - each.begin,
                                  each.iteration - (window - windows.begin()), each.discarded,
                                  each.takes_effect, each.held ? 1 + static_cast<unsigned>(*each.held) : 0,
                                  each.key);
    }
    for (iteration_window& each : windows) std::sort(each.what.begin(), each.what.end());
    return windows;
}

/// Windows each of which is as the one `period` behind it.
struct repetition {
    std::size_t first = 0, count = 0;
};
/// The longest. What executes in the first cycles, before the macros of earlier iterations have filled the
/// pipeline, may be alike, too, but not for so long.
repetition longest_repetition(const std::vector<iteration_window>& windows, unsigned period) {
    repetition longest, now;
    for (std::size_t i = 0; i + period < windows.size(); ++i) {
        if (!windows[i].is_as(windows[i + period])) now.count = 0;
        else if (now.count++ == 0) now.first = i;
        if (now.count > longest.count) longest = now;
    }
    return longest;
}

} // namespace

instruction_key key_of(const probe::execution_event& event, std::int64_t place) {
    const isa::instruction& insn = event.insn;
    return {place, event.from, event.unit, insn.word,
            insn.vb | unsigned{insn.vc} << 8 | unsigned{insn.vd} << 16 | unsigned{insn.mod} << 24};
}

std::int64_t steady_event::busy() const {
    if (held || discarded || key.unit == isa::sub_unit::front_end || insn.is(isa::opcode::sfpnop)) return 0;
    return probe::holds_unit(insn) ? end - begin + 1 : 1;
}

steady_state steady_state_of(platform::program_runner& runner, const kernel_run& kernel) {
    steady_state state;
    platform::run_request request = kernel.request();
    const auto first_word = static_cast<std::int64_t>(request.segments[0].words.size());
    const std::size_t words = request.segments[1].words.size();
    if (words == 0) state.unknown = "nothing is repeated";
    else if (words > most_profiled_words)
        state.unknown = fmt::format("an iteration has {} words, and loops of up to {} are looked at", words,
                                    most_profiled_words);
    if (!state.exists()) return state;

    const auto length = static_cast<std::int64_t>(words);
    const std::int64_t iterations = std::max(few_iterations, few_words / length);
    loop_recorder recorder(first_word, length, iterations);
    request.segments[1].repeat = static_cast<std::uint64_t>(iterations);
    request.observer = &recorder;
    request.diagnostics = nullptr;
    request.stop = nullptr;
    request.hazards = hazard_policy::off;
    runner.run(request);
    std::vector<steady_event> events = recorder.taken();
    const std::vector<iteration_window> windows = windows_of(events, iterations);
    for (state.period = 1; state.period <= longest_period; ++state.period) {
        const repetition found = longest_repetition(windows, state.period);
        if (found.count < few_repetitions) continue;
        const std::size_t reference = found.first + found.count / 2;
        state.first = static_cast<std::int64_t>(found.first);
        state.from = windows[found.first].begin;
        state.reference = windows[reference].begin;
        state.cycles = windows[reference + state.period].begin - state.reference;
        const auto earlier = [&](const steady_event& each) {
            return each.begin < state.reference - steady_state::cycles_before;
        };
        events.erase(events.begin(), std::partition_point(events.begin(), events.end(), earlier));
        state.events = std::move(events);
        return state;
    }
    state.unknown = fmt::format("no iteration of {} is as the one before", iterations);
    return state;
}

} // namespace sfpu::analysis
