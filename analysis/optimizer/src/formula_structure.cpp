// Schedules of a given structure, for retiming, or without macros.
#include "rule_writer.h"

#include <algorithm>
#include <cstdlib>

namespace sfpu::optimizer {

namespace {

class structure_rules : rule_writer {
public:
    structure_rules(formula_state& of, const structure& kept) : rule_writer(of), kept_(kept) {}

    void keep() {
        begin(group::definition);
        if (limits_.slack) stay_near(static_cast<int>(*limits_.slack));
        for (std::size_t k = 0; k < loads_.size(); ++k) keep_load(k);
        for (const int index : operations_) keep_operation(event_at(index));
    }

private:
    const kept_place* place_of(const event& e) const {
        const auto found = std::find_if(kept_.begin(), kept_.end(),
                                        [&](const kept_place& each) { return each.line == node_of(e).line; });
        return found == kept_.end() ? nullptr : &*found;
    }

    void stay_near(int cycles) {
        for (const event& e : events_)
            if (const kept_place* const place = place_of(e); place && !e.host_only)
                for (int x = 0; x < horizon_; ++x)
                    if (std::abs(x - static_cast<int>(place->time)) > cycles) add({-at(e, x)});
    }

    /// Numbers of macros mean nothing; which loads start the same one does.
    void keep_load(std::size_t k) {
        const event& load = event_at(loads_[k]);
        const kept_place* const place = place_of(load);
        if (load.host_only || !place) {
            add({-load.used});
            return;
        }
        add({place->macro < 0 ? load.macro.back() : -load.macro.back()});
        for (std::size_t j = 0; j < k; ++j) {
            const event& other = event_at(loads_[j]);
            const kept_place* const there = place_of(other);
            if (!there || other.host_only || place->macro < 0 || there->macro < 0) continue;
            for (unsigned m = 0; m < machine_.macros; ++m) {
                if (place->macro == there->macro) add({-load.macro[m], other.macro[m]});
                else add({-load.macro[m], -other.macro[m]});
            }
        }
    }

    void keep_operation(const event& e) {
        const kept_place* const place = place_of(e);
        if (!place || place->issued) {
            add({e.issued});
        } else {
            std::vector<literal> parent;
            for (std::size_t k = 0; k < loads_.size(); ++k)
                if (node_of(event_at(loads_[k])).line == place->parent_line) parent.push_back(e.parent[k]);
            add(parent);
        }
        if (!place) return;
        const std::vector<form>& forms = node_of(e).forms;
        for (std::size_t a = 0; a < forms.size(); ++a)
            if (forms[a].unit != place->unit) add({-e.alternative[a]});
    }

    const structure& kept_;
};

class no_macros : rule_writer {
public:
    explicit no_macros(formula_state& of) : rule_writer(of) {}

    void issue_everything() {
        begin(group::definition);
        for (const int load : loads_) add({event_at(load).macro.back()});
        for (const int operation : operations_) {
            const event& e = event_at(operation);
            add({-e.used, e.issued});
        }
    }
};

class short_issue : rule_writer {
public:
    explicit short_issue(formula_state& of) : rule_writer(of) {}

    void keep_early() {
        begin(group::definition);
        const int end = static_cast<int>(limits_.issued_within);
        for (const event& e : events_) add({-e.used, -e.issued, -from(e, end)});
    }
};

} // namespace

void keep_structure(formula_state& of, const structure& kept) { structure_rules(of, kept).keep(); }
void issue_everything(formula_state& of) { no_macros(of).issue_everything(); }
void issue_early(formula_state& of) { short_issue(of).keep_early(); }

} // namespace sfpu::optimizer
