// Whether the formula has a given program among its models.
#include "rule_writer.h"

#include <algorithm>

namespace sfpu::optimizer {

namespace {

/// What a program says of the variables.
class program_literals {
public:
    program_literals(const formula_state& state, const schedule& of) : state_(state), of_(of) {}

    std::vector<literal> all() {
        say(state_.frame, of_.frame);
        for (const int index : state_.loads) say_load(state_.events[static_cast<unsigned>(index)]);
        for (const int index : state_.operations) say_operation(state_.events[static_cast<unsigned>(index)]);
        for (unsigned t = 0; t < state_.machine.templates; ++t) say_template(t);
        bool common_mode = false;
        for (unsigned m = 0; m < state_.machine.macros; ++m) {
            if (!is_in_use(m)) continue;
            for (unsigned u = 0; u < 4; ++u) say_entry(of_.macros[m][u], state_.entries[m][u]);
            if (!of_.macros[m][number(isa::sub_unit::store)].used) continue;
            said_.push_back(of_.store_takes_load_mode[m] ? state_.takes_load_mode[m]
                                                         : -state_.takes_load_mode[m]);
            common_mode |= !of_.store_takes_load_mode[m];
        }
        if (common_mode) say_common_mode();
        // A literal that is always or never so is no assumption, but a contradiction is one.
        said_.erase(std::remove(said_.begin(), said_.end(), always), said_.end());
        return std::move(said_);
    }

private:
    void say(const std::vector<literal>& choice, std::size_t which) {
        said_.push_back(which < choice.size() ? choice[which] : never);
    }
    void say_registers(const formula_state::registers_of& choice, const std::vector<unsigned>& lreg) {
        for (unsigned p = 0; p < state_.rows; ++p)
            said_.push_back(lreg[p] < l16 ? choice[p][lreg[p]] : never);
    }
    const formula_state::instance& instance_at(int index) const {
        return state_.instances[static_cast<unsigned>(index)];
    }

    void say_load(const formula_state::event& e) {
        const auto placed = std::find_if(of_.loads.begin(), of_.loads.end(), [&](const placed_load& l) {
            return l.node == e.node && l.host_only == e.host_only && l.copy == e.copy;
        });
        if (placed == of_.loads.end()) {
            said_.push_back(-e.used);
            return;
        }
        say(e.at, placed->time);
        say(e.macro, placed->macro < 0 ? state_.machine.macros : static_cast<unsigned>(placed->macro));
        say_registers(instance_at(e.instance).lreg, placed->lreg);
    }

    void say_operation(const formula_state::event& e) {
        const node& n = state_.row.nodes[static_cast<unsigned>(e.node)];
        const auto placed = std::find_if(of_.operations.begin(), of_.operations.end(),
                                         [&](const placed_operation& o) { return o.node == e.node; });
        if (placed == of_.operations.end()) {
            said_.push_back(n.optional ? -e.used : never);
            return;
        }
        if (!placed->issued) {
            said_.push_back(-e.issued);
            return;
        }
        said_.push_back(e.issued);
        say(e.at, placed->time);
        say(e.alternative, placed->how);
        const form& f = n.forms[placed->how];
        for (const unsigned which : {va, vb, vc, vd}) {
            if (f.operand_of[which] < 0) continue;
            const auto j = static_cast<unsigned>(f.operand_of[which]);
            if (n.operands[j].value >= 0) say_registers(e.reads_from[j], placed->operand_lreg[j]);
        }
        for (std::size_t k = 0; k < n.results.size(); ++k)
            if (n.results[k].where == result::place::destination)
                say_registers(instance_at(e.instances[k]).lreg, placed->result_lreg[k]);
    }

    /// A form whose word the template has but for its register fields, and its class; null if there is none.
    std::pair<const form*, std::size_t> form_in_template(std::uint32_t word) const {
        for (const node& n : state_.row.nodes)
            for (const form& f : n.forms) {
                std::uint32_t fields = 0;
                for (const int shift : f.slot)
                    if (shift >= 0) fields |= 15u << shift;
                const auto known = std::find(state_.classes.begin(), state_.classes.end(), f.word);
                if (known != state_.classes.end() && (word & ~fields) == f.word)
                    return {&f, static_cast<std::size_t>(known - state_.classes.begin())};
            }
        return {nullptr, state_.classes.size()};
    }

    void say_template(unsigned t) {
        const std::uint32_t word = of_.templates[t];
        std::size_t which = state_.classes.size(); // none
        if (word != 0) {
            const auto [f, known] = form_in_template(word);
            which = known;
            if (f) {
                for (unsigned each = 0; each < field_count; ++each)
                    if (f->slot[each] >= 0) say(state_.template_field[t][each], word >> f->slot[each] & 15u);
            } else said_.push_back(never);
        }
        say(state_.template_class[t], which);
    }

    bool is_in_use(unsigned macro) const {
        return std::any_of(of_.loads.begin(), of_.loads.end(),
                           [&](const placed_load& l) { return l.macro == static_cast<int>(macro); });
    }

    void say_entry(const macro_entry& entry, const formula_state::entry_variables& variables) {
        said_.push_back(entry.used ? variables.has : -variables.has);
        if (!entry.used) return;
        say(variables.in_template, entry.instruction_template < 0
                                       ? state_.machine.templates
                                       : static_cast<unsigned>(entry.instruction_template));
        say(variables.delay, entry.delay);
        said_.push_back(entry.vb_is_loaded ? variables.vb : -variables.vb);
        said_.push_back(entry.l16 ? variables.l16 : -variables.l16);
    }

    void say_common_mode() {
        const auto& modes = state_.store_modes;
        say(state_.store_mode,
            static_cast<std::size_t>(std::find(modes.begin(), modes.end(), of_.store_mode) - modes.begin()));
    }

    const formula_state& state_;
    const schedule& of_;
    std::vector<literal> said_;
};

} // namespace

std::vector<literal> formula_state::literals_of(const schedule& of) const {
    return program_literals(*this, of).all();
}

} // namespace sfpu::optimizer
