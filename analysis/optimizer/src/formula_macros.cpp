// Templates and sequences, and which instruction is scheduled by which load.
#include "rule_writer.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

using isa::sub_unit;

namespace {

/// The contents of templates and sequences.
class table_maker : rule_writer {
public:
    explicit table_maker(formula_state& of) : rule_writer(of) {}

    void make_all() {
        begin(group::definition);
        find_classes_and_modes();
        for (unsigned t = 0; t < machine_.templates; ++t) make_template();
        order_templates();
        for (unsigned m = 0; m < machine_.macros; ++m) make_macro();
        order_macros();
    }

private:
    void find_classes_and_modes() {
        std::set<std::uint32_t> words;
        std::set<unsigned> modes;
        for (const node& n : graph_.nodes) {
            if (n.what == node::kind::store) modes.insert(n.mode);
            for (const form& f : n.forms)
                if (f.can_schedule && f.unit != sub_unit::store) words.insert(f.word);
        }
        state_.classes.assign(words.begin(), words.end());
        state_.store_modes.assign(modes.begin(), modes.end());
        state_.store_mode = one_of(static_cast<unsigned>(std::max<std::size_t>(1, modes.size())));
    }

    void make_template() {
        state_.template_class.push_back(one_of(static_cast<unsigned>(state_.classes.size()) + 1));
        std::array<std::vector<literal>, field_count> fields;
        const unsigned numbers = limits_.registers > isa::general_lregs ? number_in_template(extra) + 1 : 16;
        for (auto& of_field : fields) {
            for (unsigned r = 0; r < numbers; ++r) of_field.push_back(make());
            begin(group::templates);
            at_most_one(of_field);
            begin(group::definition);
        }
        state_.template_field.push_back(fields);
    }

    void order_templates() {
        const implied order(*this, spare::templates_in_order);
        const auto& class_of = state_.template_class;
        for (unsigned t = 1; t < machine_.templates; ++t)
            for (std::size_t a = 0; a <= state_.classes.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) add({-class_of[t - 1][a], -class_of[t][b]});
    }

    void make_macro() {
        std::array<entry_variables, 4> of_macro;
        for (entry_variables& entry : of_macro) {
            entry.has = make();
            entry.vb = make();
            entry.l16 = make();
            begin(group::macros);
            for (unsigned t = 0; t <= machine_.templates; ++t) entry.in_template.push_back(make());
            at_most_one(entry.in_template);
            for (unsigned d = 0; d < delays_; ++d) entry.delay.push_back(make());
            at_most_one(entry.delay);
            begin(group::definition);
        }
        state_.entries.push_back(of_macro);
        state_.takes_load_mode.push_back(make());
    }

    /// Macros in use come in the order of the loads that first use them.
    void order_macros() {
        for (unsigned m = 1; m < machine_.macros; ++m)
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                std::vector<literal> clause{-event_at(loads_[k]).macro[m]};
                for (std::size_t earlier = 0; earlier < k; ++earlier)
                    clause.push_back(event_at(loads_[earlier]).macro[m - 1]);
                clauses_.add(clause);
            }
    }
};

/// Each operation is issued, or scheduled by a load with an entry of its macro.
class scheduling_rules : rule_writer {
public:
    explicit scheduling_rules(formula_state& of) : rule_writer(of) {}

    void write_all() {
        for (const int index : operations_) {
            event& e = event_at(index);
            issue_or_schedule(e);
            if (!keep_to_forms(e)) continue;
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                start_with_load(e, k);
                if (node_of(e).what == node::kind::store) store_where_loaded(e, k);
                take_entries(e, k);
            }
        }
        // All loads of a macro share its sequence: each entry is an instruction of each of them, and only
        // one.
        for (std::size_t k = 0; k < loads_.size(); ++k)
            for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store})
                fill_entry(k, unit);
    }

private:
    void issue_or_schedule(event& e) {
        begin(group::definition);
        e.issued = make();
        e.vb = make();
        e.l16 = make();
        for (std::size_t k = 0; k < loads_.size(); ++k) e.parent.push_back(make());
        {
            const implied it(*this, spare::one_of_each);
            at_most_one(e.parent);
        }
        std::vector<literal> some = e.parent;
        some.push_back(e.issued);
        some.push_back(-e.used);
        add(some);
        for (const literal p : e.parent) add({-p, -e.issued});
        if (node_of(e).optional) {
            add({-e.issued, e.used});
            for (const literal p : e.parent) add({-p, e.used});
        }
        e.in_template = one_of(machine_.templates + 1);
        e.delay = one_of(delays_ + 1);
        {
            const implied it(*this, spare::bits_without_meaning);
            add({-e.issued, e.in_template.back()});
            add({-e.issued, e.delay.back()});
            add({-e.issued, -e.vb});
        }
        add({e.issued, -e.delay.back()});
        add({-e.issued, -e.l16});
    }

    /// Says whether some form can be scheduled.
    bool keep_to_forms(const event& e) {
        const std::vector<form>& forms = node_of(e).forms;
        bool can_be_scheduled = false;
        for (std::size_t a = 0; a < forms.size(); ++a) {
            if (!forms[a].can_schedule) add({-e.alternative[a], e.issued});
            if (!forms[a].can_issue) add({-e.alternative[a], -e.issued});
            can_be_scheduled |= forms[a].can_schedule;
        }
        return can_be_scheduled;
    }

    void start_with_load(const event& e, std::size_t k) {
        const event& load = event_at(loads_[k]);
        const literal p = e.parent[k];
        begin(group::definition);
        add({-p, -load.macro.back()}); // so that the load is used
        begin(group::delays);
        for (int x = 0; x < horizon_; ++x)
            for (unsigned d = 0; d < delays_; ++d)
                add({-p, -at(load, x), -e.delay[d], at(e, x + 1 + static_cast<int>(d))});
    }

    /// A scheduled store takes the address of the load, and its mode or the one that all share.
    void store_where_loaded(const event& e, std::size_t k) {
        const event& load = event_at(loads_[k]);
        const node &n = node_of(e), &loaded = node_of(load);
        const literal p = e.parent[k];
        begin(group::definition);
        if (loaded.address != n.address) add({-p});
        const auto& modes = state_.store_modes;
        const auto mode =
            static_cast<std::size_t>(std::find(modes.begin(), modes.end(), n.mode) - modes.begin());
        for (unsigned m = 0; m < machine_.macros; ++m) {
            const literal takes = state_.takes_load_mode[m];
            if (loaded.mode != n.mode) add({-p, -load.macro[m], -takes});
            add({-p, -load.macro[m], takes, state_.store_mode[mode]});
        }
    }

    /// A scheduled instruction has what the entry of its sub-unit says.
    void take_entries(const event& e, std::size_t k) {
        const event& load = event_at(loads_[k]);
        const std::vector<form>& forms = node_of(e).forms;
        for (std::size_t a = 0; a < forms.size(); ++a) {
            if (!forms[a].can_schedule) continue;
            begin(group::macros);
            for (unsigned m = 0; m < machine_.macros; ++m) {
                const entry_variables& entry = state_.entries[m][number(forms[a].unit)];
                const std::vector<literal> when{-e.parent[k], -e.alternative[a], -load.macro[m]};
                const auto then = [&](std::initializer_list<literal> more,
                                      clause_site site = clause_site::here()) {
                    std::vector<literal> clause = when;
                    clause.insert(clause.end(), more);
                    add(clause, site);
                };
                then({entry.has});
                for (unsigned t = 0; t <= machine_.templates; ++t)
                    then({-e.in_template[t], entry.in_template[t]});
                for (unsigned d = 0; d < delays_; ++d) then({-e.delay[d], entry.delay[d]});
                then({-e.vb, entry.vb});
                then({e.vb, -entry.vb});
                then({-e.l16, entry.l16});
                then({e.l16, -entry.l16});
            }
        }
    }

    /// A literal that says that the load schedules the event on the sub-unit, 0 if no form of it can be.
    literal scheduled_on(sub_unit unit, const event& e, std::size_t k) {
        const std::vector<form>& forms = node_of(e).forms;
        literal any = 0;
        for (std::size_t a = 0; a < forms.size(); ++a) {
            if (forms[a].unit != unit || !forms[a].can_schedule) continue;
            if (!any) any = make();
            {
                const implied it(*this, spare::entries_have_one_delay);
                add({any, -e.parent[k], -e.alternative[a]});
            }
            add({-any, e.parent[k]});
        }
        if (!any) return any;
        std::vector<literal> back{-any};
        for (std::size_t a = 0; a < forms.size(); ++a)
            if (forms[a].unit == unit && forms[a].can_schedule) back.push_back(e.alternative[a]);
        add(back);
        return any;
    }

    void fill_entry(std::size_t k, sub_unit unit) {
        std::vector<literal> placed;
        begin(group::definition);
        for (const int index : operations_)
            if (const literal here = scheduled_on(unit, event_at(index), k)) placed.push_back(here);
        begin(group::macros);
        {
            const implied it(*this, spare::entries_have_one_delay);
            at_most_one(placed);
        }
        for (unsigned m = 0; m < machine_.macros; ++m) {
            std::vector<literal> clause{-event_at(loads_[k]).macro[m], -state_.entries[m][number(unit)].has};
            clause.insert(clause.end(), placed.begin(), placed.end());
            add(clause);
        }
    }
};

} // namespace

void make_tables(formula_state& of) { table_maker(of).make_all(); }
void schedule_operations(formula_state& of) { scheduling_rules(of).write_all(); }

} // namespace sfpu::optimizer
