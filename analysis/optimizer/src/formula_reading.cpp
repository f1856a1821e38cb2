// The schedule of a model.
#include "rule_writer.h"

#include <algorithm>
#include <stdexcept>

namespace sfpu::optimizer {

std::vector<literal> formula_state::anywhere_else(const std::vector<bool>& model) const {
    std::vector<literal> clause;
    for (const event& e : events)
        for (const literal here : e.at)
            if (here > 0 && model[static_cast<unsigned>(here)]) clause.push_back(-here);
    return clause;
}

std::vector<bool> formula_state::anywhere(std::mt19937& random) const {
    std::vector<bool> values(static_cast<unsigned>(clauses.variables()) + 1);
    for (const event& e : events) {
        const auto time = static_cast<unsigned>(random()) % static_cast<unsigned>(horizon);
        for (unsigned x = 0; x <= time; ++x)
            if (e.from[x] > 0) values[static_cast<unsigned>(e.from[x])] = true;
        if (e.at[time] > 0) values[static_cast<unsigned>(e.at[time])] = true;
    }
    return values;
}

namespace {

class model_reader {
public:
    model_reader(const formula_state& of, const std::vector<bool>& model)
        : of_(of), model_(model), place_(of.loads.size(), -1) {}

    schedule read() {
        found_.interval = of_.limits.interval;
        found_.rows = of_.rows;
        found_.frame = static_cast<unsigned>(std::max(0, which(of_.frame)));
        found_.peeled = of_.limits.peeled;
        for (std::size_t k = 0; k < of_.loads.size(); ++k) read_load(k);
        found_.templates.assign(of_.machine.templates, 0);
        found_.template_needs_vd.assign(of_.machine.templates, false);
        found_.macros.resize(of_.machine.macros);
        for (unsigned m = 0; m < of_.machine.macros; ++m)
            found_.store_takes_load_mode.push_back(is(of_.takes_load_mode[m]));
        found_.store_mode =
            of_.store_modes.empty() ? 0 : of_.store_modes[static_cast<unsigned>(which(of_.store_mode))];
        for (const int index : of_.operations) read_operation(of_.events[static_cast<unsigned>(index)]);
        if (found_.peeled > 0) peel_no_more_than_needed();
        return std::move(found_);
    }

private:
    /// The stages in which effects begin are often fewer than may be.
    void peel_no_more_than_needed() {
        unsigned first = ~0u, last = 0;
        const auto begins = [&](unsigned time) {
            first = std::min(first, time / found_.interval);
            last = std::max(last, time / found_.interval);
        };
        const auto carries = [&](const std::vector<unsigned>& lregs) {
            return std::any_of(lregs.begin(), lregs.end(),
                               [&](unsigned r) { return isa::contains(of_.row.carried, r); });
        };
        for (const placed_load& load : found_.loads)
            if (!load.host_only &&
                (of_.row.nodes[static_cast<unsigned>(load.node)].effect || carries(load.lreg)))
                begins(load.time);
        for (const placed_operation& o : found_.operations) {
            const bool counts = of_.row.nodes[static_cast<unsigned>(o.node)].effect || o.to_l16 ||
                                std::any_of(o.result_lreg.begin(), o.result_lreg.end(), carries);
            if (counts) begins(o.issued ? o.time : found_.loads[static_cast<unsigned>(o.parent)].time);
        }
        if (first > last) return;
        found_.frame = first;
        found_.peeled = last - first;
    }

    bool is(literal each) const {
        if (each == always) return true;
        if (each == never) return false;
        return each > 0 ? static_cast<bool>(model_[static_cast<unsigned>(each)])
                        : !model_[static_cast<unsigned>(-each)];
    }
    /// The last literal that holds, -1 if none does.
    template <class Literals>
    int which(const Literals& literals) const {
        int found = -1;
        for (std::size_t i = 0; i < literals.size(); ++i)
            if (is(literals[i])) found = static_cast<int>(i);
        return found;
    }
    [[noreturn]] static void refuse() { throw std::logic_error("a model of the formula is no schedule"); }
    unsigned the_one(const std::vector<literal>& literals) const {
        const int found = which(literals);
        if (found < 0) refuse();
        return static_cast<unsigned>(found);
    }
    std::vector<unsigned> lregs(const formula_state::registers_of& of) const {
        std::vector<unsigned> found;
        for (const auto& of_row : of) {
            const int r = which(of_row);
            found.push_back(r == static_cast<int>(l16) ? isa::macro_lreg
                                                       : static_cast<unsigned>(std::max(r, 0)));
        }
        return found;
    }
    const formula_state::instance& instance_at(int index) const {
        return of_.instances[static_cast<unsigned>(index)];
    }

    void read_load(std::size_t k) {
        const formula_state::event& e = of_.events[static_cast<unsigned>(of_.loads[k])];
        if (!is(e.used)) return;
        placed_load load;
        load.node = e.node;
        load.host_only = e.host_only;
        load.copy = e.copy;
        load.time = the_one(e.at);
        const auto macro = static_cast<int>(the_one(e.macro));
        load.macro = macro == static_cast<int>(of_.machine.macros) ? -1 : macro;
        load.lreg = lregs(instance_at(e.instance).lreg);
        place_[k] = static_cast<int>(found_.loads.size());
        found_.last_time = std::max(found_.last_time, load.time);
        found_.loads.push_back(std::move(load));
    }

    void read_operation(const formula_state::event& e) {
        const node& n = of_.row.nodes[static_cast<unsigned>(e.node)];
        if (!is(e.used)) return;
        placed_operation o;
        o.node = e.node;
        o.time = the_one(e.at);
        o.how = the_one(e.alternative);
        o.issued = is(e.issued);
        found_.last_time = std::max(found_.last_time, o.time);
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            // The operand's own place among operands of a chain is that of what it reads.
            if (n.operands[j].value < 0)
                o.operand_lreg.emplace_back(of_.rows, static_cast<unsigned>(n.operands[j].constant));
            else o.operand_lreg.push_back(lregs(e.reads_from[j]));
        }
        for (const int i : e.instances) o.result_lreg.push_back(lregs(instance_at(i).lreg));
        if (!o.issued) read_scheduling(e, n.forms[o.how], o);
        found_.operations.push_back(std::move(o));
    }

    /// By which load it is scheduled, with which entry and template.
    void read_scheduling(const formula_state::event& e, const form& f, placed_operation& o) {
        o.parent = place_[the_one(e.parent)];
        if (o.parent < 0) refuse();
        const int macro = found_.loads[static_cast<unsigned>(o.parent)].macro;
        if (macro < 0) refuse();
        o.delay = the_one(e.delay);
        const int t = which(e.in_template);
        o.instruction_template = t == static_cast<int>(of_.machine.templates) ? -1 : t;
        o.vb_is_loaded = is(e.vb);
        o.to_l16 = is(e.l16);
        if (o.instruction_template >= 0)
            read_template(static_cast<unsigned>(o.instruction_template), f, o.vb_is_loaded);
        found_.macros[static_cast<unsigned>(macro)][number(f.unit)] = {true, o.instruction_template, o.delay,
                                                                       o.vb_is_loaded, o.to_l16};
    }

    void read_template(unsigned t, const form& f, bool vb_is_loaded) {
        std::array<int, field_count> fields{};
        for (unsigned each = 0; each < field_count; ++each)
            fields[each] = std::max(which(of_.template_field[t][each]), 0);
        found_.templates[t] = word_with(f, fields);
        const bool from_vd = vb_is_loaded ? f.operand_of[vc] >= 0 && !f.template_has_vc
                                          : f.operand_of[vb] >= 0 && !f.template_has_vb && f.wired[vb] < 0;
        if (from_vd) found_.template_needs_vd[t] = true;
    }

    const formula_state& of_;
    const std::vector<bool>& model_;
    std::vector<int> place_; ///< by load of the formula: its place in the schedule, -1 if it is not used
    schedule found_;
};

} // namespace

schedule formula_state::read(const std::vector<bool>& model) const {
    return model_reader(*this, model).read();
}

} // namespace sfpu::optimizer
