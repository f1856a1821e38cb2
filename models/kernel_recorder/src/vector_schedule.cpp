#include "vector_schedule.h"

#include "vector_liveness.h"

#include <sfpu/isa/instruction.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sfpu::kernel_recorder::vector {
namespace {

using namespace isa::opcode;
using position = std::size_t;
using position_list = std::vector<position>;

std::uint32_t opcode_of(const step& s) { return s.word >> 24; }

bool is_store(const step& s) { return s.what == step_kind::instruction && opcode_of(s) == sfpstore; }

/// What nothing passes: words of the kernel's own and registers that it names, and whatever changes lanes,
/// constants, the address counter or all registers.
bool is_barrier(const graph& values, const step& s) {
    switch (s.what) {
    case step_kind::constant:
    case step_kind::merge: return false;
    case step_kind::instruction:
        if (s.made_fixed[0] != none) return true;
        if (s.made != none) return values.at(s.made).keeps;
        return !is_store(s) && s.made_vc == none;
    default: return true;
    }
}
/// A load that does nothing else.
bool is_load(const graph& values, const step& s) {
    return s.what == step_kind::instruction && opcode_of(s) == sfpload && s.made != none &&
           !values.at(s.made).keeps;
}

std::vector<position_list> uses_of(const graph& values, const std::vector<step>& steps) {
    std::vector<position_list> uses(values.size());
    for (position i = 0; i < steps.size(); ++i)
        each_source(steps[i], [&](value v) {
            if (uses[v].empty() || uses[v].back() != i) uses[v].push_back(i);
        });
    for (value v = 1; v < values.size(); ++v)
        if (values.held(v)) uses[v].push_back(steps.size());
    return uses;
}

void replace(step& s, value before, value now) {
    for (value* v : {&s.va, &s.vb, &s.vc, &s.vd})
        if (*v == before) *v = now;
    for (value& v : s.fixed)
        if (v == before) v = now;
}

/// Steps between two uses of what was loaded for which a register is too precious.
constexpr position long_wait = 6;

/// Loads once more what is needed again much later, if Dst still holds it.
std::vector<step> with_reloads(graph& values, std::vector<step> steps) {
    std::vector<std::pair<position, step>> added;
    const auto uses = uses_of(values, steps);
    for (position i = 0; i < steps.size(); ++i) {
        if (!is_load(values, steps[i]) || steps[i].overwrites != none) continue;
        const step load = steps[i];
        const position_list& needed = uses[load.made];
        if (needed.empty() || needed.back() == steps.size()) continue; // a variable holds it
        value present = load.made;
        position last = i;
        for (position at = i + 1, next = 0; at < steps.size() && next < needed.size(); ++at) {
            step& s = steps[at];
            if (at == needed[next]) {
                // Lanes that a change leaves alone come from where the value was made.
                if (s.overwrites == load.made || (s.what == step_kind::merge && s.va == load.made)) break;
                if (at - last > long_wait && s.state == load.state && opcode_of(s) != sfpshft2) {
                    step again = load;
                    present = again.made = values.new_value(load.state);
                    added.emplace_back(at, again);
                }
                last = at;
                ++next;
                if (present != load.made) replace(s, load.made, present);
            }
            const bool moves_on = s.made != none && values.at(s.made).keeps; // the counter
            if (s.what == step_kind::raw_word || is_store(s) || moves_on) break;
        }
    }
    std::vector<step> result;
    std::stable_sort(added.begin(), added.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    auto next = added.begin();
    for (position i = 0; i < steps.size(); ++i) {
        for (; next != added.end() && next->first == i; ++next) result.push_back(next->second);
        result.push_back(steps[i]);
    }
    return result;
}

/// Orders the steps between two barriers anew, from the end backwards: next in front is always the step that
/// leaves the fewest values to be held, among those whose results are needed only behind it.
class list_scheduler {
public:
    list_scheduler(const graph& values, const std::vector<step>& steps)
        : values_(values), steps_(steps), users_(values.size(), 0), live_since_(values.size(), 0) {
        for (value v = 1; v < values.size(); ++v)
            if (values.held(v)) live_since_[v] = 1;
        for (value v = 1; v < values.size(); ++v) {
            const node_kind kind = values.at(v).what;
            has_register_.push_back(kind != node_kind::constant && kind != node_kind::constant_lreg);
        }
        for (const step& s : steps)
            if (s.what == step_kind::constant) has_register_[s.made] = true;
    }

    std::vector<step> run() {
        for (position end = steps_.size(); end > 0;) {
            position begin = end;
            while (begin > 0 && !is_barrier(values_, steps_[begin - 1])) --begin;
            if (begin == end) --begin; // the barrier alone
            order(begin, end);
            end = begin;
        }
        std::reverse(backwards_.begin(), backwards_.end());
        return std::move(backwards_);
    }

private:
    template <class Visit>
    void each_result(const step& s, Visit visit) const {
        for (value v : {s.made, s.made_vc})
            if (v != none) visit(v);
        for (value v : s.made_fixed)
            if (v != none) visit(v);
    }
    /// Those in registers, each once.
    std::vector<value> operands_of(const step& s) const {
        std::vector<value> operands;
        each_source(s, [&](value v) {
            if (has_register_[v] && std::find(operands.begin(), operands.end(), v) == operands.end())
                operands.push_back(v);
        });
        return operands;
    }

    struct candidate {
        position at = 0;
        bool done = false;
        std::vector<value> operands;
        unsigned waits_for = 0;       ///< stores and loads that have to stay behind it
        position_list waiting_for_it; ///< and in front of it, as indices
    };

    void order(position begin, position end) {
        std::vector<candidate> all;
        for (position i = begin; i < end; ++i) {
            candidate c;
            c.at = i;
            c.operands = operands_of(steps_[i]);
            for (value v : c.operands) ++users_[v];
            for (position other = 0; other < all.size(); ++other) {
                const bool ordered = (is_store(steps_[i]) && touches_dst(steps_[all[other].at])) ||
                                     (is_store(steps_[all[other].at]) && touches_dst(steps_[i]));
                if (!ordered) continue;
                c.waiting_for_it.push_back(other);
                ++all[other].waits_for;
            }
            all.push_back(c);
        }
        for (position placed = 0; placed < all.size(); ++placed) place(all, all[best(all)]);
    }
    bool touches_dst(const step& s) const { return is_store(s) || is_load(values_, s); }

    position best(const std::vector<candidate>& all) const {
        position found = all.size();
        int least = 0;
        std::size_t latest = 0;
        for (position i = all.size(); i-- > 0;) {
            const candidate& c = all[i];
            bool ready = !c.done && c.waits_for == 0;
            int more = 0;
            std::size_t since = 0;
            each_result(steps_[c.at], [&](value v) {
                ready = ready && users_[v] == 0;
                more -= live_since_[v] != 0;
                since = std::max(since, live_since_[v]);
            });
            if (!ready) continue;
            for (value v : c.operands) more += live_since_[v] == 0;
            if (found < all.size() && (more > least || (more == least && since <= latest))) continue;
            found = i;
            least = more;
            latest = since;
        }
        return found;
    }

    void place(std::vector<candidate>& all, candidate& c) {
        c.done = true;
        each_result(steps_[c.at], [&](value v) { live_since_[v] = 0; });
        for (value v : c.operands) {
            --users_[v];
            if (live_since_[v] == 0) live_since_[v] = backwards_.size() + 2;
        }
        for (position other : c.waiting_for_it) --all[other].waits_for;
        backwards_.push_back(steps_[c.at]);
    }

    const graph& values_;
    const std::vector<step>& steps_;
    std::vector<step> backwards_;
    std::vector<bool> has_register_{false}; ///< by value: not a constant that is loaded where it is needed
    std::vector<unsigned> users_; ///< by value: steps of the present piece that need it and are not placed
    std::vector<std::size_t> live_since_; ///< by value: 0, or when it came to be needed, counted from the end
};

} // namespace

std::vector<step> relieved(graph& values, std::vector<step> steps) {
    const std::vector<step> reloading = with_reloads(values, std::move(steps));
    return list_scheduler(values, reloading).run();
}

} // namespace sfpu::kernel_recorder::vector
