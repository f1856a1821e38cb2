// Variables of events, times and results.
#include "rule_writer.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

namespace {

bool is_even(unsigned address) { return (address & 1u) == 0; }

class event_maker : rule_writer {
public:
    explicit event_maker(formula_state& of) : rule_writer(of) {}

    void make_all() {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what == node::kind::load) make_load_with_copies(static_cast<int>(i));
        make_hosts_of_stores();
        begin(group::definition);
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what != node::kind::load) make_operation(static_cast<int>(i));
        begin_at_once();
    }

private:
    void make_times(event& e) {
        begin(group::definition);
        for (int x = 0; x < horizon_; ++x) {
            e.at.push_back(make());
            e.from.push_back(x == 0 ? e.used : make());
        }
        for (int x = 0; x < horizon_; ++x) {
            const literal here = e.at[static_cast<unsigned>(x)], since = from(e, x), later = from(e, x + 1);
            add({-here, since});
            add({-here, -later});
            add({here, -since, later});
            add({-later, since});
        }
    }

    void make_load(int node_index, bool host_only, unsigned copy, bool optional) {
        event e;
        e.node = node_index;
        e.is_load = true;
        e.host_only = host_only;
        e.copy = copy;
        if (optional) e.used = make();
        make_times(e);
        begin(group::definition);
        e.macro = one_of(machine_.macros + 1);
        add({e.used, e.macro.back()});
        if (!is_even(node_of(e).address)) add({e.macro.back()});
        if (host_only) {
            const implied it(*this, spare::unread_load_starts_a_macro);
            add({-e.used, -e.macro.back()});
        }
        loads_.push_back(static_cast<int>(events_.size()));
        events_.push_back(std::move(e));
    }

    void make_load_with_copies(int node_index) {
        const node& n = graph_.nodes[static_cast<unsigned>(node_index)];
        addresses_.insert(n.address);
        const bool single = std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
            return r.merge >= 0 || graph_.values[static_cast<unsigned>(r.value)].pinned >= 0;
        });
        for (unsigned copy = 0; copy < (single ? 1u : limits_.copies); ++copy)
            make_load(node_index, false, copy, copy > 0 || n.optional);
        // Copies in the order of time.
        begin(group::definition);
        const implied order(*this, spare::copies_in_order);
        for (std::size_t k = loads_.size(); k-- > 1;) {
            const event &a = event_at(loads_[k - 1]), &b = event_at(loads_[k]);
            if (b.node != node_index || a.node != b.node) break;
            add({-b.used, a.used});
            for (int x = 0; x < horizon_; ++x) add({-at(b, x), -from(a, x)});
        }
    }

    /// Loads whose value nobody reads, which give scheduled stores their addresses.
    void make_hosts_of_stores() {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const node& n = graph_.nodes[i];
            if (n.what == node::kind::store && is_even(n.address) && addresses_.insert(n.address).second)
                make_load(static_cast<int>(i), true, 0, true);
        }
    }

    void make_operation(int node_index) {
        event e;
        e.node = node_index;
        if (node_of(e).optional) e.used = make();
        make_times(e);
        e.alternative = one_of(static_cast<unsigned>(node_of(e).forms.size()));
        operations_.push_back(static_cast<int>(events_.size()));
        events_.push_back(std::move(e));
    }

    /// Time begins with the first load or instruction.
    void begin_at_once() {
        std::vector<literal> early;
        for (const event& e : events_)
            for (int x = 0; x < interval_; ++x) early.push_back(at(e, x));
        const implied all(*this, spare::begins_at_once);
        add(early);
    }

    std::set<unsigned> addresses_; ///< of loads
};

class instance_maker : rule_writer {
public:
    explicit instance_maker(formula_state& of) : rule_writer(of) {}

    void make_all() {
        begin(group::definition);
        state_.instances_of.resize(graph_.values.size());
        for (std::size_t index = 0; index < events_.size(); ++index) {
            event& e = events_[index];
            if (node_of(e).what == node::kind::store && !e.host_only) continue;
            const std::size_t results = e.host_only ? 1 : node_of(e).results.size();
            for (std::size_t k = 0; k < results; ++k) make_instance(e, static_cast<int>(index), k);
        }
    }

private:
    void make_instance(event& e, int event_index, std::size_t k) {
        instance v;
        v.event = event_index;
        v.result = static_cast<unsigned>(k);
        if (!e.host_only) v.value = node_of(e).results[k].value;
        choose_register(v, e, k);
        set_latency(v, e);
        const auto index = static_cast<int>(instances_.size());
        if (v.value >= 0) state_.instances_of[static_cast<unsigned>(v.value)].push_back(index);
        if (e.is_load) e.instance = index;
        e.instances.push_back(index);
        instances_.push_back(std::move(v));
    }

    /// The register that a result has to be in, -1 for any.
    int pinned_register(const event& e, std::size_t k) const {
        if (e.host_only) return -1;
        const result& out = node_of(e).results[k];
        if (out.where == result::place::fixed) return out.index;
        return graph_.values[static_cast<unsigned>(out.value)].pinned;
    }

    bool may_be_in_l16(const event& e, std::size_t k) const {
        if (e.host_only || e.is_load) return false;
        const node& n = node_of(e);
        const result& out = n.results[k];
        return out.where == result::place::destination && out.merge < 0 &&
               graph_.values[static_cast<unsigned>(out.value)].pinned < 0 &&
               n.forms[0].unit != isa::sub_unit::load && !n.flags_need_register;
    }

    void choose_register(instance& v, const event& e, std::size_t k) {
        const node& n = node_of(e);
        const int pinned = pinned_register(e, k);
        const bool in_l16 = may_be_in_l16(e, k);
        if (!e.host_only && (n.writes_by_number || n.reads_by_number))
            state_.distinguished = isa::general_registers;
        if (pinned >= 0) state_.distinguished |= isa::only(static_cast<unsigned>(pinned));
        // What takes a carried one begins where effects do: see keep_frame().
        const isa::register_set banned =
            graph_.reserved & ~(e.host_only ? isa::register_set{0} : graph_.carried);
        v.lreg.resize(rows_);
        for (auto& of_row : v.lreg) {
            std::vector<literal> choice;
            for (unsigned r = 0; r < place_count; ++r) {
                const bool can = r == l16      ? in_l16
                                 : pinned >= 0 ? static_cast<int>(r) == pinned
                                 : r == extra  ? limits_.registers > isa::general_lregs
                                               : !isa::contains(banned, r);
                of_row[r] = can ? make() : never;
                if (can) choice.push_back(of_row[r]);
            }
            clauses_.add(choice.empty() ? std::vector<literal>{never} : choice);
            at_most_one(choice);
        }
    }

    void set_latency(instance& v, const event& e) {
        if (e.is_load) {
            v.latency = machine_.latency[static_cast<unsigned>(isa::result_class::load)];
            return;
        }
        const std::vector<form>& forms = node_of(e).forms;
        v.latency = forms[0].latency;
        const bool same =
            std::all_of(forms.begin(), forms.end(), [&](const form& f) { return f.latency == v.latency; });
        if (same) return;
        for (const form& f : forms) v.latency = std::max(v.latency, f.latency);
        const int length = horizon_ + static_cast<int>(v.latency) + 1;
        for (int x = 0; x < length; ++x) v.visible.push_back(make());
        for (int x = 1; x < length; ++x)
            add({-v.visible[static_cast<unsigned>(x - 1)], v.visible[static_cast<unsigned>(x)]});
        for (int x = 0; x < horizon_; ++x)
            for (std::size_t a = 0; a < forms.size(); ++a) {
                const auto due = static_cast<unsigned>(x) + forms[a].latency;
                add({-at(e, x), -e.alternative[a], v.visible[due]});
                add({-at(e, x), -e.alternative[a], -v.visible[due - 1]});
            }
    }
};

} // namespace

void make_events(formula_state& of) { event_maker(of).make_all(); }
void make_instances(formula_state& of) { instance_maker(of).make_all(); }

} // namespace sfpu::optimizer
