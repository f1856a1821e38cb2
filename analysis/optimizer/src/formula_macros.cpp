// Templates, sequences and what a scheduled instruction takes from them (T14).
#include "formula_parts.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

using isa::sub_unit;

void formula::tables() {
    begin(group::definition);
    std::set<std::uint32_t> words;
    std::set<unsigned> modes;
    for (const node& n : graph_.nodes) {
        if (n.what == node::kind::store) modes.insert(n.mode);
        for (const form& f : n.forms)
            if (f.can_schedule && f.unit != sub_unit::store) words.insert(f.word);
    }
    classes_.assign(words.begin(), words.end());
    store_modes_.assign(modes.begin(), modes.end());
    store_mode_ = one_of(static_cast<unsigned>(std::max<std::size_t>(1, store_modes_.size())));
    for (unsigned t = 0; t < machine_.templates; ++t) {
        template_class_.push_back(one_of(static_cast<unsigned>(classes_.size()) + 1));
        std::array<std::vector<literal>, field_count> fields;
        const unsigned numbers = limits_.registers > isa::general_lregs ? number_in_template(extra) + 1 : 16;
        for (auto& of_field : fields) {
            for (unsigned r = 0; r < numbers; ++r) of_field.push_back(make());
            begin(group::templates);
            at_most_one(of_field);
            begin(group::definition);
        }
        template_field_.push_back(fields);
    }
    {
        const implied order(*this, spare::templates_in_order);
        for (unsigned t = 1; t < machine_.templates; ++t)
            for (std::size_t a = 0; a <= classes_.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) add({-template_class_[t - 1][a], -template_class_[t][b]});
    }
    for (unsigned m = 0; m < machine_.macros; ++m) {
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
        entries_.push_back(of_macro);
        takes_load_mode_.push_back(make());
    }
    // Nor does the order of macros: those in use come in the order of the loads that first use them.
    for (unsigned m = 0; m < machine_.macros; ++m)
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            if (m == 0) continue;
            std::vector<literal> clause{-events_[static_cast<unsigned>(loads_[k])].macro[m]};
            for (std::size_t earlier = 0; earlier < k; ++earlier)
                clause.push_back(events_[static_cast<unsigned>(loads_[earlier])].macro[m - 1]);
            clauses_.add(clause);
        }
}

void formula::schedule_operations() {
    for (const int oi : operations_) {
        event& e = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        begin(group::definition);
        e.issued = make();
        e.vb = make();
        e.l16 = make();
        std::vector<literal> parents;
        for (std::size_t k = 0; k < loads_.size(); ++k) parents.push_back(make());
        e.parent = parents;
        {
            const implied it(*this, spare::one_of_each);
            at_most_one(parents);
        }
        std::vector<literal> some = parents;
        some.push_back(e.issued);
        some.push_back(-e.used);
        add(some);
        for (const literal p : parents) add({-p, -e.issued});
        if (n.optional) {
            add({-e.issued, e.used});
            for (const literal p : parents) add({-p, e.used});
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
        bool can_be_scheduled = false;
        for (std::size_t a = 0; a < n.forms.size(); ++a) {
            if (!n.forms[a].can_schedule) add({-e.alternative[a], e.issued});
            if (!n.forms[a].can_issue) add({-e.alternative[a], -e.issued});
            can_be_scheduled |= n.forms[a].can_schedule;
        }
        if (!can_be_scheduled) continue;
        const bool store = n.what == node::kind::store;
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            const event& l = events_[static_cast<unsigned>(loads_[k])];
            const node& ln = graph_.nodes[static_cast<unsigned>(l.node)];
            const literal p = e.parent[k];
            begin(group::definition);
            add({-p, -l.macro.back()}); // so that the load is used
            begin(group::delays);
            for (int x = 0; x < horizon_; ++x)
                for (unsigned d = 0; d < delays_; ++d)
                    add({-p, -at(l, x), -e.delay[d], at(e, x + 1 + static_cast<int>(d))});
            begin(group::definition);
            if (store) {
                if (ln.address != n.address) add({-p});
                for (unsigned m = 0; m < machine_.macros; ++m) {
                    if (ln.mode != n.mode) add({-p, -l.macro[m], -takes_load_mode_[m]});
                    const auto mode = static_cast<std::size_t>(
                        std::find(store_modes_.begin(), store_modes_.end(), n.mode) - store_modes_.begin());
                    add({-p, -l.macro[m], takes_load_mode_[m], store_mode_[mode]});
                }
            }
            for (std::size_t a = 0; a < n.forms.size(); ++a) {
                const form& f = n.forms[a];
                if (!f.can_schedule) continue;
                begin(group::macros);
                for (unsigned m = 0; m < machine_.macros; ++m) {
                    const entry_variables& entry = entries_[m][number(f.unit)];
                    const std::vector<literal> when{-p, -e.alternative[a], -l.macro[m]};
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
    }
    // All loads of a macro share its sequence: each entry is an instruction of each of them, and only one.
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        const event& l = events_[static_cast<unsigned>(loads_[k])];
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
            std::vector<literal> placed;
            begin(group::definition);
            for (const int oi : operations_) {
                const event& e = events_[static_cast<unsigned>(oi)];
                const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
                literal any = 0;
                for (std::size_t a = 0; a < n.forms.size(); ++a) {
                    if (n.forms[a].unit != unit || !n.forms[a].can_schedule) continue;
                    if (!any) any = make();
                    {
                        const implied it(*this, spare::entries_have_one_delay);
                        add({any, -e.parent[k], -e.alternative[a]});
                    }
                    add({-any, e.parent[k]});
                }
                if (!any) continue;
                std::vector<literal> back{-any};
                for (std::size_t a = 0; a < n.forms.size(); ++a)
                    if (n.forms[a].unit == unit && n.forms[a].can_schedule) back.push_back(e.alternative[a]);
                add(back);
                placed.push_back(any);
            }
            begin(group::macros);
            {
                const implied it(*this, spare::entries_have_one_delay);
                at_most_one(placed);
            }
            for (unsigned m = 0; m < machine_.macros; ++m) {
                std::vector<literal> clause{-l.macro[m], -entries_[m][number(unit)].has};
                clause.insert(clause.end(), placed.begin(), placed.end());
                add(clause);
            }
        }
    }
}

void formula::operand_rules(event& e) {
    const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
    const bool store = n.what == node::kind::store;
    // The register of the load that schedules the operation.
    registers_of loaded(rows_);
    begin(group::definition);
    for (unsigned p = 0; p < rows_; ++p) {
        loaded[p].fill(never);
        for (unsigned r = 0; r < place_count; ++r) {
            if (r == l16 || (r == extra && limits_.registers == isa::general_lregs)) continue;
            loaded[p][r] = make();
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                const event& l = events_[static_cast<unsigned>(loads_[k])];
                add({-e.parent[k], -instances_[static_cast<unsigned>(l.instance)].lreg[p][r], loaded[p][r]});
            }
        }
        const implied it(*this, spare::one_of_each);
        at_most_one({loaded[p].begin(), loaded[p].end()});
    }
    const auto lreg_of_result = [&](std::size_t k) -> const registers_of& {
        return instances_[static_cast<unsigned>(e.instances[k])].lreg;
    };
    const auto equal = [&](std::vector<literal> when, const registers_of& a, const registers_of& b,
                           clause_site site = clause_site::here()) {
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned r = 0; r < place_count; ++r) {
                if (a[p][r] == never && b[p][r] == never) continue;
                when.push_back(-a[p][r]);
                when.push_back(b[p][r]);
                add(when, site);
                when.resize(when.size() - 2);
                when.push_back(a[p][r]);
                when.push_back(-b[p][r]);
                add(when, site);
                when.resize(when.size() - 2);
            }
    };
    /// The operand stands in the loaded register.
    const auto in_loaded = [&](const std::vector<literal>& when, int j,
                               clause_site site = clause_site::here()) {
        if (n.operands[static_cast<unsigned>(j)].value < 0 &&
            n.operands[static_cast<unsigned>(j)].constant >= 8) {
            add(when, site);
            return;
        }
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned r = 0; r < place_count; ++r) {
                if (loaded[p][r] == never) continue;
                std::vector<literal> clause = when;
                clause.push_back(-loaded[p][r]);
                clause.push_back(e.reads_from[static_cast<unsigned>(j)][p][r]);
                add(clause, site);
            }
    };
    /// The operand stands in the register that a field of the template names.
    const auto in_template = [&](const std::vector<literal>& when, int j, unsigned f,
                                 clause_site site = clause_site::here()) {
        const operand& o = n.operands[static_cast<unsigned>(j)];
        const group kept = group_;
        begin(group::templates);
        for (unsigned t = 0; t < machine_.templates; ++t) {
            std::vector<literal> clause = when;
            clause.push_back(-e.in_template[t]);
            if (o.value < 0) {
                clause.push_back(template_field_[t][f][static_cast<unsigned>(o.constant)]);
                add(clause, site);
                continue;
            }
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < place_count; ++r) {
                    if (r == l16) continue;
                    if (e.reads_from[static_cast<unsigned>(j)][p][r] == never) continue;
                    std::vector<literal> each = clause;
                    each.push_back(-e.reads_from[static_cast<unsigned>(j)][p][r]);
                    each.push_back(template_field_[t][f][number_in_template(r)]);
                    add(each, site);
                }
        }
        begin(kept);
    };
    /// The operand stands in a register of this number.
    const auto in_register = [&](const std::vector<literal>& when, int j, int reg,
                                 clause_site site = clause_site::here()) {
        const operand& o = n.operands[static_cast<unsigned>(j)];
        if (o.value < 0) {
            if (o.constant != reg) add(when, site);
            return;
        }
        if (reg < static_cast<int>(isa::general_lregs))
            distinguished_ |= isa::only(static_cast<unsigned>(reg));
        for (unsigned p = 0; p < rows_; ++p) {
            std::vector<literal> clause = when;
            clause.push_back(reg < 8 ? e.reads_from[static_cast<unsigned>(j)][p][static_cast<unsigned>(reg)]
                                     : never);
            add(clause, site);
        }
    };

    for (const auto& [j, reg] : n.fixed_operands) in_register({}, j, reg);
    for (std::size_t k = 0; k < n.results.size(); ++k) {
        const result& out = n.results[k];
        if (out.where == result::place::tied)
            equal({}, e.reads_from[static_cast<unsigned>(out.index)], lreg_of_result(k));
        if (out.merge >= 0) equal({}, e.reads_from[static_cast<unsigned>(out.merge)], lreg_of_result(k));
        for (unsigned p = 0; p < rows_; ++p) {
            const auto& lreg = lreg_of_result(k)[p];
            if (out.where == result::place::destination) {
                // Scheduled results go to the loaded register or to L16, and only they go there.
                for (unsigned r = 0; r < place_count; ++r)
                    if (r != l16) add({e.issued, e.l16, -loaded[p][r], lreg[r]});
                add({-e.l16, lreg[l16]});
                add({e.l16, -lreg[l16]});
            }
        }
    }
    if (!store && (n.results.empty() || n.results[0].where != result::place::destination)) {
        const implied it(*this, spare::bits_without_meaning);
        add({-e.l16});
    }

    for (std::size_t a = 0; a < n.forms.size(); ++a) {
        const form& f = n.forms[a];
        const literal other = -e.alternative[a], issued = e.issued, scheduled = -e.issued;
        begin(group::definition);
        if (store) {
            const int j = f.operand_of[vd];
            if (j < 0) continue; // zeros
            const registers_of& reads = e.reads_from[static_cast<unsigned>(j)];
            const bool constant = n.operands[static_cast<unsigned>(j)].value < 0 &&
                                  n.operands[static_cast<unsigned>(j)].constant >= 8;
            if (constant) {
                add({other, issued}); // only a template could name it
                // Issued, a VD of 12 and above writes a template.
                if (n.operands[static_cast<unsigned>(j)].constant >= 12) add({other});
                continue;
            }
            add({other, issued, e.in_template.back()});
            distinguished_ |= isa::only(0);
            for (unsigned p = 0; p < rows_; ++p) {
                add({other, issued, -e.l16, reads[p][l16]});
                add({other, e.l16, -reads[p][l16]});
                add({other, issued, e.l16, -e.vb, reads[p][0]}); // SFPSTORE of selector 3 has VD 0
            }
            in_loaded({other, issued, e.l16, e.vb}, j);
            continue;
        }
        if (f.can_schedule) {
            for (unsigned t = 0; t < machine_.templates; ++t) {
                const auto c = static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), f.word) -
                                                        classes_.begin());
                begin(group::templates);
                add({other, -e.in_template[t], template_class_[t][c]});
                begin(group::definition);
            }
            add({other, issued, -e.in_template.back()});
        }
        const auto operand_in = [&](unsigned which) { return f.operand_of[which]; };
        bool vb_matters = false;
        if (const int j = operand_in(va); j >= 0 && f.can_schedule) in_template({other, issued}, j, va);
        if (const int j = operand_in(vb); j >= 0) {
            vb_matters = true;
            if (f.can_schedule) {
                in_loaded({other, issued, -e.vb}, j);
                if (f.wired[vb] >= 0) in_register({other, issued, e.vb}, j, f.wired[vb]);
                else in_template({other, issued, e.vb}, j, f.template_has_vb ? vb : vd);
            }
            if (f.wired[vb] >= 0) in_register({other, scheduled}, j, f.wired[vb]);
        }
        if (const int j = operand_in(vc); j >= 0) {
            vb_matters = true;
            if (f.can_schedule) {
                in_template({other, issued, -e.vb}, j, f.template_has_vc ? vc : vd);
                in_loaded({other, issued, e.vb}, j);
            }
        }
        if (!vb_matters) {
            const implied it(*this, spare::bits_without_meaning);
            add({other, -e.vb});
        }
        // Issued: an operand that stands where the result goes.
        const auto tie = [&](int j, clause_site site = clause_site::here()) {
            if (j < 0) return;
            if (n.operands[static_cast<unsigned>(j)].value < 0) {
                // The result takes the place of a constant: lost in L8 and above, and others must stay.
                if (!n.results.empty()) add({other, scheduled}, site);
                return;
            }
            if (!n.results.empty() && n.results[0].where == result::place::destination)
                equal({other, scheduled}, e.reads_from[static_cast<unsigned>(j)], lreg_of_result(0), site);
        };
        if (f.vb_is_vd) tie(operand_in(vb));
        if (f.vc_is_vd) tie(operand_in(vc));
        // A result that is lost in a constant cannot go elsewhere: macros write what they load.
    }
}

void formula::keep_lanes_of_loads() {
    // A load that leaves lanes or halves of a register alone goes to the register that holds them.
    begin(group::definition);
    for (const int li : loads_) {
        const event& e = events_[static_cast<unsigned>(li)];
        if (e.host_only) continue;
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        for (const result& out : n.results) {
            if (out.merge < 0) continue;
            const registers_of &reads = e.reads_from[static_cast<unsigned>(out.merge)],
                               &writes = instances_[static_cast<unsigned>(e.instance)].lreg;
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < place_count; ++r) {
                    add({-reads[p][r], writes[p][r]});
                    add({reads[p][r], -writes[p][r]});
                }
        }
    }
}

} // namespace sfpu::optimizer
