#include <sfpu/analysis/term_values.h>

#include <sfpu/isa/execution.h>
#include <sfpu/isa/table.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

constexpr std::uint32_t not_computed = 0xffffffffu;

std::uint32_t shifted_by(std::uint32_t value, std::uint32_t amount, bool arithmetic) {
    if (amount >> 31 == 0) return value << (amount & 31u);
    const std::uint32_t down = (0u - amount) & 31u;
    if (arithmetic) return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> down);
    return value >> down;
}

/// lane by lane
template <class F>
lanes by_lane(F f) {
    lanes result;
    for (unsigned n = 0; n < lane_count; ++n) result.v[n] = f(n);
    return result;
}

} // namespace

bool sign_magnitude_before(std::uint32_t a, std::uint32_t b) {
    const auto place = [](std::uint32_t word) {
        const auto magnitude = static_cast<std::int64_t>(word & 0x7fffffffu);
        return word >> 31 ? -magnitude - 1 : magnitude;
    };
    return place(a) < place(b);
}

std::uint32_t next_random_state(std::uint32_t state) {
    const std::uint32_t sum = state ^ state >> 1 ^ state >> 21 ^ state >> 31;
    return (~sum & 1u) << 31 | state >> 1;
}

lanes operator_values(const term_operator& by, architecture arch, const lanes* arguments) {
    // One for each thread: a state is large, and nothing of it lasts but what the operator reads.
    static thread_local isa::vector_state state;
    isa::write_set out;
    out.clear();
    isa::execution context(state, isa::word_encoding{arch}, out);
    context.enabled = context.acting = all_lanes;
    for (unsigned i = 0; i < by.count; ++i) {
        if (by.takes_random && i + 1u == by.count) state.prng = arguments[i];
        else state.lreg[by.reads[i]] = arguments[i];
    }
    by.insn.op->execute(context, by.insn);
    return out.count != 0 ? out.storage[out.entries[0].buffer] : lanes{};
}

const lanes& term_values::of(term which) {
    if (places_.size() < pool_.size()) places_.resize(pool_.size(), not_computed);
    std::vector<term> waiting{which};
    while (!waiting.empty()) {
        const term now = waiting.back();
        bool is_ready = true;
        if (places_[now] == not_computed)
            for (unsigned i = 0; i < pool_.at(now).count; ++i)
                if (const term below = pool_.argument(now, i); places_[below] == not_computed) {
                    waiting.push_back(below);
                    is_ready = false;
                }
        if (!is_ready) continue;
        waiting.pop_back();
        if (places_[now] != not_computed) continue;
        lanes value = computed(now);
        places_[now] = static_cast<std::uint32_t>(values_.size());
        values_.push_back(value);
    }
    return values_[places_[which]];
}

lanes term_values::computed(term which) {
    const term_pool::node& of = pool_.at(which);
    const auto word = [&](unsigned number, unsigned n) { return argument(which, number).v[n]; };
    switch (of.kind) {
    case term_kind::constant:
    case term_kind::truth: return broadcast(of.bits);
    case term_kind::variable: return variable_(pool_.variable_of(which));
    case term_kind::routed:
        return by_lane([&](unsigned n) {
            return (of.moved >= 0 ? word(0, n) << of.moved : word(0, n) >> -of.moved) & of.bits;
        });
    case term_kind::scaled: return by_lane([&](unsigned n) { return word(0, n) * of.bits; });
    case term_kind::shifted:
        return by_lane([&](unsigned n) { return shifted_by(word(0, n), word(1, n), false); });
    case term_kind::shifted_arithmetically:
        return by_lane([&](unsigned n) { return shifted_by(word(0, n), word(1, n), true); });
    case term_kind::random_step: return by_lane([&](unsigned n) { return next_random_state(word(0, n)); });
    case term_kind::chosen: return by_lane([&](unsigned n) { return word(0, n) ? word(1, n) : word(2, n); });
    case term_kind::applied: {
        lanes arguments[8];
        for (unsigned i = 0; i < of.count; ++i) arguments[i] = argument(which, i);
        return operator_values(pool_.operator_of(which), pool_.arch(), arguments);
    }
    case term_kind::is_zero: return by_lane([&](unsigned n) { return word(0, n) == 0; });
    case term_kind::is_less:
        return by_lane([&](unsigned n) { return sign_magnitude_before(word(0, n), word(1, n)); });
    case term_kind::negation: return by_lane([&](unsigned n) { return word(0, n) == 0; });
    case term_kind::either:
    case term_kind::both:
    case term_kind::differs:
    case term_kind::sum:
    case term_kind::all: return combined(which);
    }
    return {};
}

/// Kinds with any number of arguments.
lanes term_values::combined(term which) const {
    const term_pool::node& of = pool_.at(which);
    return by_lane([&](unsigned n) {
        const bool meets = of.kind == term_kind::both || of.kind == term_kind::all;
        std::uint32_t result = meets ? 0xffffffffu : of.bits;
        for (unsigned i = 0; i < of.count; ++i) {
            const std::uint32_t next = argument(which, i).v[n];
            switch (of.kind) {
            case term_kind::either: result |= next; break;
            case term_kind::differs: result ^= next; break;
            case term_kind::sum: result += next; break;
            default: result &= next; break;
            }
        }
        return result;
    });
}

} // namespace sfpu::analysis
