// Schedules of a given structure, for retiming, or without macros.
#include "formula_parts.h"

#include <algorithm>
#include <cstdlib>

namespace sfpu::optimizer {

void formula::keep_structure(const structure& kept) {
    begin(group::definition);
    const auto place_of = [&](const event& e) -> const kept_place* {
        const unsigned line = graph_.nodes[static_cast<unsigned>(e.node)].line;
        const auto found =
            std::find_if(kept.begin(), kept.end(), [&](const kept_place& each) { return each.line == line; });
        return found == kept.end() ? nullptr : &*found;
    };
    if (limits_.slack)
        for (const event& e : events_)
            if (const kept_place* const place = place_of(e); place && !e.host_only)
                for (int x = 0; x < horizon_; ++x)
                    if (std::abs(x - static_cast<int>(place->time)) > static_cast<int>(*limits_.slack))
                        add({-at(e, x)});
    // Numbers of macros mean nothing; which loads start the same one does.
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        const event& load = events_[static_cast<unsigned>(loads_[k])];
        const kept_place* const place = place_of(load);
        if (load.host_only || !place) {
            add({-load.used});
            continue;
        }
        add({place->macro < 0 ? load.macro.back() : -load.macro.back()});
        for (std::size_t j = 0; j < k; ++j) {
            const event& other = events_[static_cast<unsigned>(loads_[j])];
            const kept_place* const there = place_of(other);
            if (!there || other.host_only || place->macro < 0 || there->macro < 0) continue;
            for (unsigned m = 0; m < machine_.macros; ++m) {
                if (place->macro == there->macro) add({-load.macro[m], other.macro[m]});
                else add({-load.macro[m], -other.macro[m]});
            }
        }
    }
    for (const int oi : operations_) {
        const event& e = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        const kept_place* const place = place_of(e);
        if (!place || place->issued) {
            add({e.issued});
        } else {
            std::vector<literal> parent;
            for (std::size_t k = 0; k < loads_.size(); ++k)
                if (graph_.nodes[static_cast<unsigned>(events_[static_cast<unsigned>(loads_[k])].node)]
                        .line == place->parent_line)
                    parent.push_back(e.parent[k]);
            add(parent);
        }
        if (!place) continue;
        for (std::size_t a = 0; a < n.forms.size(); ++a)
            if (n.forms[a].unit != place->unit) add({-e.alternative[a]});
    }
}

void formula::issue_everything() {
    begin(group::definition);
    for (const int load : loads_) add({events_[static_cast<unsigned>(load)].macro.back()});
    for (const int operation : operations_) {
        const event& e = events_[static_cast<unsigned>(operation)];
        add({-e.used, e.issued});
    }
}

} // namespace sfpu::optimizer
