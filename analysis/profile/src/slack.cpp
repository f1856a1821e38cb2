#include "slack.h"

#include <sfpu/isa/machine.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

/// What an instruction touches and when, in cycles.
struct touching {
    const steady_event* event = nullptr;
    std::int64_t reads_from = 0, reads_to = 0; ///< SFPSWAP reads twice
    std::int64_t visible = 0;                  ///< first cycle that sees what it writes
    isa::register_set reads = 0, writes = 0;
    /// State that has one place, a bit each.
    enum : unsigned { flags = 1, configuration = 2, counters = 4, stack = 8, random = 16 };
    unsigned state_reads = 0, state_writes = 0;
    bool loads = false, stores = false;
};

touching touching_of(const steady_event& event, architecture arch) {
    const isa::word_effects effects = isa::effects_of(event.insn, arch);
    touching what;
    what.event = &event;
    what.reads_from = event.begin;
    what.reads_to = event.insn.latency == isa::latency_class::swap ? event.begin + 1 : event.begin;
    what.visible = event.end + 1;
    if (event.insn.names_template()) { // writes a template and nothing else
        what.state_writes = touching::configuration;
        return what;
    }
    what.reads = effects.reads;
    what.writes = effects.writes;
    const auto add = [&](bool reads, bool writes, unsigned which) {
        if (reads) what.state_reads |= which;
        if (writes) what.state_writes |= which;
    };
    const bool is_front_end = event.key.unit == isa::sub_unit::front_end;
    const bool issued = event.key.from == probe::origin::issued; // a scheduled store has its address (T6)
    add(effects.reads_flags, effects.writes_flags, touching::flags);
    add(effects.reads_config, effects.writes_config, touching::configuration);
    add(effects.uses_counters && issued,
        effects.uses_counters && issued && (is_front_end || event.moves_counters), touching::counters);
    add(effects.uses_stack, effects.uses_stack, touching::stack);
    add(effects.uses_random, effects.uses_random, touching::random);
    what.loads = effects.loads_dst;
    what.stores = effects.stores_dst;
    return what;
}

/// Whether two may touch the same cells: at the same address, or one the lower halves of the other's.
bool may_meet(const steady_event& a, const steady_event& b) {
    constexpr std::uint32_t row = 0x3fc, column = 2, halves_apart = 8;
    if ((a.dst_address & column) != (b.dst_address & column)) return false;
    const std::uint32_t first = std::min(a.dst_address & row, b.dst_address & row),
                        second = std::max(a.dst_address & row, b.dst_address & row);
    return first == second || second - first == halves_apart;
}

/// By how much `one` may come later for `other`'s sake.
class distance {
public:
    distance(const touching& one, const touching& other, std::int64_t store_to_load, bool stalls)
        : one_(one), other_(other), store_to_load_(store_to_load), stalls_(stalls) {}

    std::int64_t least(std::int64_t known) {
        found_ = known;
        if ((one_.writes & other_.reads) || (one_.state_writes & other_.state_reads))
            before(one_.visible, other_.reads_from);
        if ((one_.reads & other_.writes) || (one_.state_reads & other_.state_writes))
            before(one_.reads_to + 1, other_.visible);
        if ((one_.writes & other_.writes) || (one_.state_writes & other_.state_writes))
            before(one_.visible + 1, other_.visible), together(one_.visible, other_.visible);
        dst();
        if (is_issued(one_) && is_issued(other_)) holds();
        return found_;
    }

private:
    /// `needed` is to be no later than `at`, if it is so now.
    void before(std::int64_t needed, std::int64_t at) {
        if (needed <= at) found_ = std::min(found_, at - needed);
    }
    static bool is_issued(const touching& what) {
        return what.event->key.from == probe::origin::issued &&
               what.event->key.unit != isa::sub_unit::front_end;
    }
    /// What would be held behind it, had it come just before (T16).
    void holds() {
        const isa::instruction& insn = one_.event->insn;
        const bool keeps_all = insn.latency == isa::latency_class::swap ||
                               (stalls_ && insn.latency == isa::latency_class::shuffle);
        const bool keeps_readers = stalls_ && (insn.use.seen_writes & other_.event->insn.use.seen_reads) != 0;
        if (keeps_all || (keeps_readers && insn.latency == isa::latency_class::mad))
            before(one_.visible, other_.event->begin);
    }
    /// Which of two writes of one cycle wins, would change.
    void together(std::int64_t one, std::int64_t other) {
        if (one == other) found_ = 0;
    }
    void dst() {
        if (!(one_.stores || one_.loads) || !(other_.stores || other_.loads)) return;
        if (!one_.stores && !other_.stores) return;
        if (!may_meet(*one_.event, *other_.event)) return;
        const std::int64_t at = one_.event->begin, then = other_.event->begin;
        if (one_.stores && other_.loads) before(at + store_to_load_, then);
        if (one_.loads && other_.stores) before(at + 1, then + store_to_load_);
        if (one_.stores && other_.stores) before(at + 1, then), together(at, then);
    }

    const touching &one_, &other_;
    std::int64_t store_to_load_, found_ = 0;
    bool stalls_; ///< the machine waits for results
};

class slack_search {
public:
    slack_search(const steady_state& state, const parameters& config) : state_(state) {
        store_to_load_ = config.dst_store_load_visible;
        stalls_ = isa::make_machine(config).stalls_for_results;
        most_ = (state.cycles + state.period - 1) / state.period - 1;
        for (const steady_event& each : state.events) {
            if (each.held || !each.takes_effect) continue;
            all_.push_back(touching_of(each, config.arch));
            longest_ = std::max(longest_, each.end - each.begin + 1);
        }
    }

    instruction_slack found() const {
        instruction_slack result;
        const auto keep = [](auto& among, const auto& key, std::int64_t slack) {
            const auto [known, is_new] = among.try_emplace(key, slack);
            if (!is_new) known->second = std::min(known->second, slack);
        };
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const steady_event& event = *all_[i].event;
            if (!state_.in_period(event)) continue;
            keep(result.alone, event.key, slack_of(all_[i], false));
            if (!event.insn.is(isa::opcode::sfploadmacro)) continue;
            std::int64_t together = most_;
            for (std::size_t n = i; n < all_.size() && all_[n].event->begin <= event.begin + reach; ++n)
                if (all_[n].event->word == event.word) together = std::min(together, slack_of(all_[n], true));
            keep(result.with_scheduled, event.key.place, together);
        }
        return result;
    }

private:
    static constexpr std::int64_t reach = 1024; ///< cycles in which a macro has done all; more than enough

    /// `with_its_word`: all that its word does comes later with it.
    std::int64_t slack_of(const touching& one, bool with_its_word) const {
        std::int64_t slack = most_;
        const std::int64_t first = one.event->begin - longest_;
        auto other = std::partition_point(all_.begin(), all_.end(),
                                          [&](const touching& each) { return each.event->begin < first; });
        for (; other != all_.end() && other->event->begin <= one.event->end + 2 + store_to_load_ + most_;
             ++other) {
            if (slack == 0) break;
            if (other->event == one.event) continue;
            if (with_its_word && other->event->word == one.event->word) continue;
            slack = distance(one, *other, store_to_load_, stalls_).least(slack);
        }
        return slack;
    }

    const steady_state& state_;
    std::int64_t store_to_load_ = 1, most_ = 0, longest_ = 1;
    bool stalls_ = false;
    std::vector<touching> all_; ///< in the order of cycles
};

} // namespace

instruction_slack slack_of(const steady_state& state, const parameters& config) {
    return state.exists() ? slack_search(state, config).found() : instruction_slack{};
}

} // namespace sfpu::analysis
