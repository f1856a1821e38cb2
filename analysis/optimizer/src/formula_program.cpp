// Whether the formula has a given program among its models.
#include "formula_parts.h"

#include <algorithm>

namespace sfpu::optimizer {

std::vector<literal> formula::literals_of(const schedule& of) const {
    std::vector<literal> said;
    const auto say = [&](const std::vector<literal>& choice, std::size_t which) {
        said.push_back(which < choice.size() ? choice[which] : never);
    };
    const auto say_register = [&](const registers_of& choice, unsigned row, unsigned lreg) {
        said.push_back(lreg < l16 ? choice[row][lreg] : never);
    };
    say(frame_, of.frame);
    for (const int li : loads_) {
        const event& e = events_[static_cast<unsigned>(li)];
        const auto placed = std::find_if(of.loads.begin(), of.loads.end(), [&](const placed_load& l) {
            return l.node == e.node && l.host_only == e.host_only && l.copy == e.copy;
        });
        if (placed == of.loads.end()) {
            said.push_back(-e.used);
            continue;
        }
        say(e.at, placed->time);
        say(e.macro, placed->macro < 0 ? machine_.macros : static_cast<unsigned>(placed->macro));
        for (unsigned p = 0; p < rows_; ++p)
            say_register(instances_[static_cast<unsigned>(e.instance)].lreg, p, placed->lreg[p]);
    }
    bool common_mode = false;
    for (const int oi : operations_) {
        const event& e = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        const auto placed = std::find_if(of.operations.begin(), of.operations.end(),
                                         [&](const placed_operation& o) { return o.node == e.node; });
        if (placed == of.operations.end()) {
            said.push_back(n.optional ? -e.used : never);
            continue;
        }
        if (!placed->issued) {
            said.push_back(-e.issued);
            continue;
        }
        said.push_back(e.issued);
        say(e.at, placed->time);
        say(e.alternative, placed->how);
        const form& f = n.forms[placed->how];
        for (const unsigned which : {va, vb, vc, vd}) {
            const int j = f.operand_of[which];
            if (j < 0 || n.operands[static_cast<unsigned>(j)].value < 0) continue;
            for (unsigned p = 0; p < rows_; ++p)
                say_register(e.reads_from[static_cast<unsigned>(j)], p,
                             placed->operand_lreg[static_cast<unsigned>(j)][p]);
        }
        for (std::size_t k = 0; k < n.results.size(); ++k)
            if (n.results[k].where == result::place::destination)
                for (unsigned p = 0; p < rows_; ++p)
                    say_register(instances_[static_cast<unsigned>(e.instances[k])].lreg, p,
                                 placed->result_lreg[k][p]);
    }
    for (unsigned t = 0; t < machine_.templates; ++t) {
        const std::uint32_t word = of.templates[t];
        std::size_t which = classes_.size();
        for (const node& n : graph_.nodes)
            for (const form& f : n.forms) {
                if (word == 0 || which != classes_.size()) continue;
                std::uint32_t fields = 0;
                for (const int shift : f.slot)
                    if (shift >= 0) fields |= 15u << shift;
                const auto known = std::find(classes_.begin(), classes_.end(), f.word);
                if (known == classes_.end() || (word & ~fields) != f.word) continue;
                which = static_cast<std::size_t>(known - classes_.begin());
                for (unsigned each = 0; each < field_count; ++each)
                    if (f.slot[each] >= 0) say(template_field_[t][each], word >> f.slot[each] & 15u);
            }
        if (word != 0 && which == classes_.size()) said.push_back(never);
        say(template_class_[t], which);
    }
    for (unsigned m = 0; m < machine_.macros; ++m) {
        const bool in_use = std::any_of(of.loads.begin(), of.loads.end(),
                                        [&](const placed_load& l) { return l.macro == static_cast<int>(m); });
        if (!in_use) continue;
        for (unsigned u = 0; u < 4; ++u) {
            const macro_entry& entry = of.macros[m][u];
            const entry_variables& variables = entries_[m][u];
            said.push_back(entry.used ? variables.has : -variables.has);
            if (!entry.used) continue;
            say(variables.in_template, entry.instruction_template < 0
                                           ? machine_.templates
                                           : static_cast<unsigned>(entry.instruction_template));
            say(variables.delay, entry.delay);
            said.push_back(entry.vb_is_loaded ? variables.vb : -variables.vb);
            said.push_back(entry.l16 ? variables.l16 : -variables.l16);
        }
        if (!of.macros[m][number(isa::sub_unit::store)].used) continue;
        said.push_back(of.store_takes_load_mode[m] ? takes_load_mode_[m] : -takes_load_mode_[m]);
        common_mode |= !of.store_takes_load_mode[m];
    }
    if (common_mode)
        say(store_mode_,
            static_cast<std::size_t>(std::find(store_modes_.begin(), store_modes_.end(), of.store_mode) -
                                     store_modes_.begin()));
    // A literal that is always or never so is no assumption, but a contradiction is one.
    said.erase(std::remove(said.begin(), said.end(), always), said.end());
    return said;
}

} // namespace sfpu::optimizer
