// Orders that must hold: through the lane flags and through Dst, and where the loop begins.
#include "rule_writer.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace sfpu::optimizer {

namespace {

/// What executes under which version of the lane flags.
class flag_order : rule_writer {
public:
    explicit flag_order(formula_state& of) : rule_writer(of), writers_(of.row.flag_writers) {}

    void keep() {
        if (writers_.empty()) return;
        begin(group::lane_flags);
        order_writers();
        find_slots_with_lanes_off();
        for (const event& e : events_) {
            const node& n = node_of(e);
            if (!e.host_only && n.reads_flags && !n.writes_flags) keep_version(e);
        }
    }

private:
    std::size_t count() const { return writers_.size(); }
    /// The event that makes the change of this number.
    const event& writer(std::size_t change) const {
        for (const event& e : events_)
            if (e.node == writers_[change] && !e.host_only && !e.is_load) return e;
        return events_.front();
    }
    const event& first() const { return writer(0); }
    const event& last() const { return writer(count() - 1); }

    void order_writers() {
        for (std::size_t j = 0; j + 1 < count(); ++j)
            for (int x = 0; x < horizon_; ++x) add({-at(writer(j), x), from(writer(j + 1), x + 1)});
        for (int x = 0; x < horizon_; ++x) add({-at(first(), x), -from(last(), x + interval_)});
    }

    /// Slots in which some lanes may be off.
    void find_slots_with_lanes_off() {
        off_.reserve(static_cast<std::size_t>(interval_));
        for (int s = 0; s < interval_; ++s) off_.push_back(make());
        for (std::size_t j = 1; j <= count(); ++j) {
            if (graph_.all_on[j]) continue;
            const event& a = writer(j - 1);
            for (int x = 0; x < horizon_ + interval_; ++x) {
                const literal until = j < count() ? from(writer(j), x) : from(first(), x - interval_);
                add({from(a, x), -until, off_[static_cast<unsigned>(x % interval_)]});
            }
        }
    }

    void keep_version(const event& e) {
        const node& n = node_of(e);
        const unsigned j = n.version;
        const literal anywhere = graph_.all_on[j] ? always : n.more_lanes_allowed ? make() : never;
        for (int x = 0; x < horizon_; ++x) {
            if (anywhere != never) add({-anywhere, -at(e, x), -off_[static_cast<unsigned>(x % interval_)]});
            if (anywhere == always) continue;
            // t(writer j) < t <= t(writer j + 1); version 0 is what the last writer of the row before left.
            if (j > 0) add({anywhere, -at(writer(j - 1), x), -e.used, from(e, x + 1)});
            else add({anywhere, -at(last(), x), -e.used, from(e, x - interval_ + 1)});
            if (j < count()) add({anywhere, -at(writer(j), x), -from(e, x + 1)});
            else add({anywhere, -at(first(), x), -from(e, x + interval_ + 1)});
        }
    }

    const std::vector<int>& writers_;
    std::vector<literal> off_;
};

class memory_and_frame : rule_writer {
public:
    explicit memory_and_frame(formula_state& of) : rule_writer(of) {}

    void keep_memory() {
        begin(group::dst_order);
        for (const memory_order& order : graph_.memory) {
            const node& one = graph_.nodes[static_cast<unsigned>(order.first)];
            const int delta = order.store_to_load            ? static_cast<int>(machine_.store_load_visible)
                              : one.what == node::kind::load ? 0
                                                             : 1;
            for (const event& a : events_) {
                if (a.node != order.first || a.host_only) continue;
                for (const event& b : events_) {
                    if (b.node != order.second || b.host_only) continue;
                    // What was put aside in this row.
                    if (order.rows == 0 && order.store_to_load && one.optional) add({-b.used, a.used});
                    for (int x = 0; x < horizon_; ++x) {
                        const int earliest = x + delta - order.rows * interval_;
                        if (earliest > 0) add({-at(a, x), -b.used, from(b, earliest)});
                    }
                }
            }
        }
    }

    void keep_frame() {
        begin(group::definition);
        state_.frame = one_of(static_cast<unsigned>((horizon_ + interval_ - 1) / interval_));
        state_.macros_in_frame = make();
        begin(group::effects);
        for (const event& e : events_) {
            const node& n = node_of(e);
            if (e.host_only) continue;
            if (n.effect) begin_in_frame(e, {});
            else {
                spare_carried_registers(e);
                lose_nothing(e);
            }
        }
    }

private:
    /// Whatever `when` allows (negated conditions) is issued in the frame, or by a load that is. `rule` is
    /// where that comes from, if it is no effect.
    void begin_in_frame(const event& e, const std::vector<literal>& when,
                        std::optional<clause_site> rule = {}) {
        const auto clause = [&](std::initializer_list<literal> more, int x) {
            std::vector<literal> all = when;
            for (const literal each : more) all.push_back(each);
            add_frame(all, x);
            return all;
        };
        for (int x = 0; x < horizon_; ++x) {
            if (e.is_load) {
                add(clause({-at(e, x)}, x), rule.value_or(clause_site::here()));
                continue;
            }
            add(clause({-e.issued, -at(e, x)}, x), rule.value_or(clause_site::here()));
            for (std::size_t k = 0; k < loads_.size(); ++k)
                add(clause({-e.parent[k], -at(event_at(loads_[k]), x)}, x),
                    rule.value_or(clause_site::here()));
        }
    }
    /// That a cycle of the row is in a stage where effects may begin.
    void add_frame(std::vector<literal>& clause, int x) const {
        const int stage = x / interval_;
        for (int first = std::max(0, stage - static_cast<int>(limits_.peeled)); first <= stage; ++first)
            clause.push_back(state_.frame[static_cast<unsigned>(first)]);
    }

    /// Rows that are none leave what was carried to the first row, and what the last one leaves.
    void spare_carried_registers(const event& e) {
        for (const int index : e.instances)
            for (const auto& of_row : instance_at(index).lreg)
                for (unsigned r = 0; r < isa::general_lregs; ++r)
                    if (isa::contains(graph_.carried, r) && of_row[r] != never)
                        begin_in_frame(e, {-of_row[r]}, clause_site::here());
    }

    /// Nor does anything go to L16 for them, where nobody would take it.
    void lose_nothing(const event& e) {
        if (e.is_load || node_of(e).what != node::kind::operation) return;
        for (int x = 0; x < horizon_; ++x) {
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                std::vector<literal> clause{-e.parent[k], -e.l16, -at(event_at(loads_[k]), x)};
                add_frame(clause, x);
                {
                    const implied it(*this, spare::nothing_looks_lost);
                    add(clause);
                }
                const implied it(*this, spare::nothing_for_none);
                clause[1] = -state_.macros_in_frame;
                add(clause);
            }
        }
    }
};

} // namespace

void keep_flags(formula_state& of) { flag_order(of).keep(); }
void keep_memory(formula_state& of) { memory_and_frame(of).keep_memory(); }
void keep_frame(formula_state& of) { memory_and_frame(of).keep_frame(); }

} // namespace sfpu::optimizer
