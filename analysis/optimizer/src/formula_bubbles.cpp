// A bubble before the word of tick t: what is scheduled for t executes before it. Whatever counts on the
// word's being at least as early must not be there.
#include "rule_writer.h"

namespace sfpu::optimizer {

namespace {

class bubble_rules : rule_writer {
public:
    explicit bubble_rules(formula_state& of) : rule_writer(of) {}

    void write_all() {
        begin(group::dependences);
        find_slots();
        for (const int index : operations_) {
            const auto w = static_cast<std::size_t>(index);
            for (const int result : events_[w].instances) {
                const instance& written = instance_at(result);
                for (std::size_t i = 0; i < events_.size(); ++i)
                    if (!events_[i].host_only) keep_readers(w, written, i);
                keep_quick_writers(w, written);
            }
            keep_flags_and_dst(w);
        }
    }

private:
    void find_slots() {
        slot_.resize(events_.size());
        for (std::size_t i = 0; i < events_.size(); ++i) {
            for (int s = 0; s < period_; ++s) slot_[i].push_back(make());
            for (int x = 0; x < horizon_; ++x) add({-at(events_[i], x), slot_[i][slot_of(x)]});
        }
    }

    /// The slot of an event `rows` rows later than the one whose slot is s.
    literal shifted(std::size_t e, int s, int rows) const { return slot_[e][slot_of(s - rows * interval_)]; }

    void keep_readers(std::size_t w, const instance& written, std::size_t i) {
        for (unsigned pair = 0; pair < rows_ * rows_; ++pair)
            for (int s = 0; s < period_; ++s)
                for (const registers_of& lreg : events_[i].reads_from)
                    for (unsigned r = 0; r < place_count; ++r) {
                        const unsigned p = pair / rows_, row = pair % rows_;
                        if (written.lreg[p][r] == never || lreg[row][r] == never) continue;
                        keep_reader(w, i, s, static_cast<int>(row) - static_cast<int>(p),
                                    {-written.lreg[p][r], -lreg[row][r]});
                    }
    }

    /// The writer executes in slot s of its row, the reader reads `rows` rows later. `other_registers`: they
    /// are not in one register.
    void keep_reader(std::size_t w, std::size_t i, int s, int rows,
                     const std::array<literal, 2>& other_registers) {
        const event &writer = events_[w], &e = events_[i];
        const auto [one, other] = other_registers;
        const literal sw = -slot_[w][static_cast<unsigned>(s)];
        const int latency = static_cast<int>(longest_latency(node_of(writer)));
        for (int k = 0; k < latency; ++k) {
            const literal reads = -shifted(i, s + k, rows);
            // Scheduled writer: issued readers from its own cycle on, scheduled ones behind it.
            if (i != w) add({writer.issued, sw, -e.issued, reads, one, other});
            if (k > 0 && !e.is_load) add({writer.issued, sw, e.issued, reads, one, other});
            // Issued writer of two cycles: readers behind it, of either kind.
            if (k > 0) add({-writer.issued, sw, reads, one, other});
        }
    }

    /// Quick writers beside and behind a slow one: late, they would write after it.
    void keep_quick_writers(std::size_t w, const instance& written) {
        const unsigned latency = longest_latency(node_of(events_[w]));
        if (latency < 2) return;
        for (const instance& other : instances_) {
            if (static_cast<int>(w) == other.event || other.latency >= latency) continue;
            for (unsigned pair = 0; pair < rows_ * rows_; ++pair)
                for (int s = 0; s < period_; ++s)
                    for (unsigned r = 0; r < place_count; ++r) {
                        const unsigned p = pair / rows_, row = pair % rows_;
                        if (written.lreg[p][r] == never || other.lreg[row][r] == never) continue;
                        keep_quick_writer(
                            w, other, s, static_cast<int>(row) - static_cast<int>(p),
                            {-slot_[w][static_cast<unsigned>(s)], -written.lreg[p][r], -other.lreg[row][r]});
                    }
        }
    }

    void keep_quick_writer(std::size_t w, const instance& quick, int s, int rows,
                           const std::vector<literal>& not_both) {
        const event& writer = events_[w];
        const int latency = static_cast<int>(longest_latency(node_of(writer)));
        const auto i = static_cast<std::size_t>(quick.event);
        for (int k = 0; k + static_cast<int>(quick.latency) < latency; ++k) {
            std::vector<literal> clause = not_both;
            clause.push_back(-shifted(i, s + k, rows));
            if (k == 0) {
                clause.push_back(writer.issued);
                clause.push_back(events_[i].is_load ? never : -events_[i].issued);
            }
            add(clause);
        }
    }

    /// Whether they meet in the lane flags or in a cell of Dst.
    bool meets(const event& writer, const event& e) const {
        const node &written = node_of(writer), &n = node_of(e);
        if (written.writes_flags && n.reads_flags) return true;
        if (written.what != node::kind::store || n.what == node::kind::operation) return false;
        for (const memory_order& order : graph_.memory)
            if ((order.first == e.node && order.second == writer.node) ||
                (order.second == e.node && order.first == writer.node))
                return true;
        return false;
    }

    /// What is issued beside a change of lane flags or a store would see the new state.
    void keep_flags_and_dst(std::size_t w) {
        const event& writer = events_[w];
        if (!node_of(writer).writes_flags && node_of(writer).what != node::kind::store) return;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const event& e = events_[i];
            if (i == w || e.host_only || !meets(writer, e)) continue;
            for (int s = 0; s < interval_; ++s)
                for (int p = 0; p < static_cast<int>(rows_); ++p)
                    for (int q = 0; q < static_cast<int>(rows_); ++q)
                        add({writer.issued, -e.issued, -shifted(w, s, p), -shifted(i, s, q)});
        }
    }

    std::vector<std::vector<literal>> slot_; ///< by event: the slots of the period in which it executes
};

} // namespace

void survive_bubbles(formula_state& of) { bubble_rules(of).write_all(); }

} // namespace sfpu::optimizer
