// Where the operands and results of an instruction stand: in a register of its own fields, of its template,
// or in the one that the load of its macro names (T14).
#include "rule_writer.h"

#include <algorithm>

namespace sfpu::optimizer {

namespace {

/// The rules of one operation.
class operand_places : rule_writer {
public:
    operand_places(formula_state& of, event& e) : rule_writer(of), e_(e), n_(node_of(e)), loaded_(rows_) {}

    void write_all() {
        find_loaded_register();
        for (const auto& [j, reg] : n_.fixed_operands) in_register({}, j, reg);
        for (std::size_t k = 0; k < n_.results.size(); ++k) place_result(k);
        const bool store = n_.what == node::kind::store;
        if (!store && !has_destination()) {
            const implied it(*this, spare::bits_without_meaning);
            add({-e_.l16});
        }
        for (std::size_t a = 0; a < n_.forms.size(); ++a) {
            begin(group::definition);
            if (store) place_stored_value(n_.forms[a], -e_.alternative[a]);
            else place_operands_of(n_.forms[a], -e_.alternative[a]);
        }
    }

private:
    bool has_destination() const {
        return !n_.results.empty() && n_.results[0].where == result::place::destination;
    }
    const registers_of& lreg_of_result(std::size_t k) const {
        return instances_[static_cast<unsigned>(e_.instances[k])].lreg;
    }
    const registers_of& lreg_of_operand(int j) const { return e_.reads_from[static_cast<unsigned>(j)]; }
    const operand& operand_at(int j) const { return n_.operands[static_cast<unsigned>(j)]; }

    /// The register of the load that schedules the operation.
    void find_loaded_register() {
        begin(group::definition);
        for (unsigned p = 0; p < rows_; ++p) {
            loaded_[p].fill(never);
            for (unsigned r = 0; r < place_count; ++r) {
                if (r == l16 || (r == extra && limits_.registers == isa::general_lregs)) continue;
                loaded_[p][r] = make();
                for (std::size_t k = 0; k < loads_.size(); ++k) {
                    const instance& v = instance_at(event_at(loads_[k]).instance);
                    add({-e_.parent[k], -v.lreg[p][r], loaded_[p][r]});
                }
            }
            const implied it(*this, spare::one_of_each);
            at_most_one({loaded_[p].begin(), loaded_[p].end()});
        }
    }

    void place_result(std::size_t k) {
        const result& out = n_.results[k];
        if (out.where == result::place::tied) equal({}, lreg_of_operand(out.index), lreg_of_result(k));
        if (out.merge >= 0) equal({}, lreg_of_operand(out.merge), lreg_of_result(k));
        if (out.where != result::place::destination) return;
        for (unsigned p = 0; p < rows_; ++p) {
            const auto& lreg = lreg_of_result(k)[p];
            // Scheduled results go to the loaded register or to L16, and only they go there.
            for (unsigned r = 0; r < place_count; ++r)
                if (r != l16) add({e_.issued, e_.l16, -loaded_[p][r], lreg[r]});
            add({-e_.l16, lreg[l16]});
            add({e_.l16, -lreg[l16]});
        }
    }

    /// `other`: the form is not taken.
    void place_stored_value(const form& f, literal other) {
        const literal issued = e_.issued;
        const int j = f.operand_of[vd];
        if (j < 0) return; // zeros
        if (operand_at(j).value < 0 && operand_at(j).constant >= 8) {
            add({other, issued}); // only a template could name it
            // Issued, a VD of 12 and above writes a template.
            if (operand_at(j).constant >= 12) add({other});
            return;
        }
        const registers_of& reads = lreg_of_operand(j);
        add({other, issued, e_.in_template.back()});
        state_.distinguished |= isa::only(0);
        for (unsigned p = 0; p < rows_; ++p) {
            add({other, issued, -e_.l16, reads[p][l16]});
            add({other, e_.l16, -reads[p][l16]});
            add({other, issued, e_.l16, -e_.vb, reads[p][0]}); // SFPSTORE of selector 3 has VD 0
        }
        in_loaded({other, issued, e_.l16, e_.vb}, j);
    }

    void place_operands_of(const form& f, literal other) {
        const literal issued = e_.issued, scheduled = -e_.issued;
        if (f.can_schedule) be_in_a_template(f, other);
        const int of_va = f.operand_of[va], of_vb = f.operand_of[vb], of_vc = f.operand_of[vc];
        if (of_va >= 0 && f.can_schedule) in_template({other, issued}, of_va, va);
        if (of_vb >= 0) {
            if (f.can_schedule) {
                in_loaded({other, issued, -e_.vb}, of_vb);
                if (f.wired[vb] >= 0) in_register({other, issued, e_.vb}, of_vb, f.wired[vb]);
                else in_template({other, issued, e_.vb}, of_vb, f.template_has_vb ? vb : vd);
            }
            if (f.wired[vb] >= 0) in_register({other, scheduled}, of_vb, f.wired[vb]);
        }
        if (of_vc >= 0 && f.can_schedule) {
            in_template({other, issued, -e_.vb}, of_vc, f.template_has_vc ? vc : vd);
            in_loaded({other, issued, e_.vb}, of_vc);
        }
        if (of_vb < 0 && of_vc < 0) {
            const implied it(*this, spare::bits_without_meaning);
            add({other, -e_.vb});
        }
        if (f.vb_is_vd) tie_to_result(of_vb, {other, scheduled});
        if (f.vc_is_vd) tie_to_result(of_vc, {other, scheduled});
        // A result that is lost in a constant cannot go elsewhere: macros write what they load.
    }

    void be_in_a_template(const form& f, literal other) {
        const auto& classes = state_.classes;
        const auto c =
            static_cast<std::size_t>(std::find(classes.begin(), classes.end(), f.word) - classes.begin());
        begin(group::templates);
        for (unsigned t = 0; t < machine_.templates; ++t)
            add({other, -e_.in_template[t], state_.template_class[t][c]});
        begin(group::definition);
        add({other, e_.issued, -e_.in_template.back()});
    }

    /// Issued: an operand that stands where the result goes.
    void tie_to_result(int j, const std::vector<literal>& when, clause_site site = clause_site::here()) {
        if (j < 0) return;
        if (operand_at(j).value < 0) {
            // The result takes the place of a constant: lost in L8 and above, and others must stay. A VD
            // of 12 and above names a template.
            if (!n_.results.empty() || operand_at(j).constant >= 12) add(when, site);
            return;
        }
        if (has_destination()) equal(when, lreg_of_operand(j), lreg_of_result(0), site);
    }

    /// Two are one register.
    void equal(std::vector<literal> when, const registers_of& a, const registers_of& b,
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
    }

    /// The operand stands in the loaded register.
    void in_loaded(const std::vector<literal>& when, int j, clause_site site = clause_site::here()) {
        if (operand_at(j).value < 0 && operand_at(j).constant >= 8) {
            add(when, site);
            return;
        }
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned r = 0; r < place_count; ++r) {
                if (loaded_[p][r] == never) continue;
                std::vector<literal> clause = when;
                clause.push_back(-loaded_[p][r]);
                clause.push_back(lreg_of_operand(j)[p][r]);
                add(clause, site);
            }
    }

    /// The operand stands in the register that a field of the template names.
    void in_template(const std::vector<literal>& when, int j, unsigned f,
                     clause_site site = clause_site::here()) {
        const operand& o = operand_at(j);
        const registers_of& reads = lreg_of_operand(j);
        const group kept = current_group();
        begin(group::templates);
        for (unsigned t = 0; t < machine_.templates; ++t) {
            const auto& named = state_.template_field[t][f];
            std::vector<literal> clause = when;
            clause.push_back(-e_.in_template[t]);
            if (o.value < 0) {
                clause.push_back(named[static_cast<unsigned>(o.constant)]);
                add(clause, site);
                continue;
            }
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < place_count; ++r) {
                    if (r == l16 || reads[p][r] == never) continue;
                    std::vector<literal> each = clause;
                    each.push_back(-reads[p][r]);
                    each.push_back(named[number_in_template(r)]);
                    add(each, site);
                }
        }
        begin(kept);
    }

    /// The operand stands in the register of this number.
    void in_register(const std::vector<literal>& when, int j, int reg,
                     clause_site site = clause_site::here()) {
        const operand& o = operand_at(j);
        if (o.value < 0) {
            if (o.constant != reg) add(when, site);
            return;
        }
        if (reg < static_cast<int>(isa::general_lregs))
            state_.distinguished |= isa::only(static_cast<unsigned>(reg));
        for (unsigned p = 0; p < rows_; ++p) {
            std::vector<literal> clause = when;
            clause.push_back(reg < 8 ? lreg_of_operand(j)[p][static_cast<unsigned>(reg)] : never);
            add(clause, site);
        }
    }

    event& e_;
    const node& n_;
    registers_of loaded_;
};

/// A load that leaves lanes or halves of a register alone goes to the register that holds them.
class lanes_of_loads : rule_writer {
public:
    explicit lanes_of_loads(formula_state& of) : rule_writer(of) {}

    void keep() {
        begin(group::definition);
        for (const int index : loads_) {
            const event& e = event_at(index);
            if (e.host_only) continue;
            for (const result& out : node_of(e).results) {
                if (out.merge < 0) continue;
                const registers_of &reads = e.reads_from[static_cast<unsigned>(out.merge)],
                                   &writes = instance_at(e.instance).lreg;
                for (unsigned p = 0; p < rows_; ++p)
                    for (unsigned r = 0; r < place_count; ++r) {
                        add({-reads[p][r], writes[p][r]});
                        add({reads[p][r], -writes[p][r]});
                    }
            }
        }
    }
};

} // namespace

void place_operands(formula_state& of) {
    for (const int index : of.operations)
        operand_places(of, of.events[static_cast<unsigned>(index)]).write_all();
}
void keep_lanes_of_loads(formula_state& of) { lanes_of_loads(of).keep(); }

} // namespace sfpu::optimizer
