// Machines with two issue slots: which words share a cycle, and which cycles may follow each other. A cycle
// is full or ends with a word of the load sub-unit; the next one then begins with such a word, if only an
// SFPNOP.
#include "row_words.h"
#include "rule_writer.h"

#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::optimizer {

namespace {

bool names_registers_by_number(const node& n) { return n.reads_by_number || n.writes_by_number; }

class pair_rules : rule_writer {
public:
    explicit pair_rules(formula_state& of) : rule_writer(of), one_load_(of.machine.load_ports < 2) {}

    void write_all() {
        if (machine_.issue_width < 2) return;
        begin(group::issue_slots);
        find_slots();
        find_instructions();
        for (std::size_t i = 0; i < events_.size(); ++i)
            for (std::size_t j = i + 1; j < events_.size(); ++j) {
                if (one_load_ && is_of_load_unit(events_[i]) && is_of_load_unit(events_[j]))
                    continue; // never in one cycle
                for (unsigned p = 0; p < rows_; ++p)
                    for (unsigned q = 0; q < rows_; ++q) share_a_cycle(i, p, j, q);
            }
    }

private:
    /// Row p of one event and row q of another.
    struct event_pair {
        const event &a, &b;
        unsigned p = 0, q = 0;
        literal a_first = 0;                               ///< if both are issued in one cycle
        std::vector<std::pair<literal, literal>> together; ///< by slot: negated, that both are in it
    };

    bool is_of_load_unit(const event& e) const { return e.is_load || is_load_word(node_of(e)); }

    /// What may be issued, by slots of the period.
    void find_slots() {
        slot_.resize(events_.size());
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const event& e = events_[i];
            for (int s = 0; s < period_; ++s) slot_[i].push_back(make());
            for (int x = 0; x < horizon_; ++x) {
                std::vector<literal> clause{-at(e, x), slot_[i][slot_of(x)]};
                if (!e.is_load) clause.push_back(-e.issued);
                add(clause);
            }
        }
    }

    /// Some word that is none of the load sub-unit is issued in this cycle of the row.
    void find_instructions() {
        for (int x = 0; x < horizon_; ++x) {
            const literal some = make();
            std::vector<literal> clause{-some};
            for (const int index : operations_) {
                const event& e = event_at(index);
                if (is_load_word(node_of(e))) continue;
                const literal here = make();
                add({-here, at(e, x)});
                add({-here, e.issued});
                clause.push_back(here);
            }
            add(clause);
            instruction_at_.push_back(some);
        }
    }

    void share_a_cycle(std::size_t i, unsigned p, std::size_t j, unsigned q) {
        event_pair both{events_[i], events_[j], p, q, 0, {}};
        both.together.reserve(static_cast<std::size_t>(period_));
        const int between = (static_cast<int>(p) - static_cast<int>(q)) * interval_;
        for (int s = 0; s < period_; ++s)
            both.together.emplace_back(-slot_[i][static_cast<unsigned>(s)], -slot_[j][slot_of(s + between)]);
        both.a_first = make();
        if (names_registers_by_number(node_of(both.a)) || names_registers_by_number(node_of(both.b))) {
            forbid(both, {}); // which registers these are nobody knows beforehand
            return;
        }
        if (both.a.is_load && both.b.is_load) {
            forbid(both, {both.a.macro.back(), both.b.macro.back()}); // macros go first
            return;
        }
        use_other_registers(both);
        if (both.a.is_load || both.b.is_load) issue_beside_load(both);
        else issue_two_instructions(both);
    }

    /// They do not share a cycle `when` (negated conditions).
    void forbid(const event_pair& both, std::vector<literal> when, clause_site site = clause_site::here()) {
        when.resize(when.size() + 2);
        for (const auto& [one, other] : both.together) {
            *(when.end() - 2) = one;
            *(when.end() - 1) = other;
            add(when, site);
        }
    }

    /// The second does not use what the first writes.
    void use_other_registers(const event_pair& both) {
        const literal by_a = clash(both.a, both.p, both.b, both.q),
                      by_b = clash(both.b, both.q, both.a, both.p);
        for (const auto& [is_not_first, same] :
             {std::pair{-both.a_first, by_a}, std::pair{both.a_first, by_b}})
            if (same != never) forbid(both, {is_not_first, -same});
    }

    /// What `a` writes in row p and `b` reads or writes in row q is one register.
    literal clash(const event& a, unsigned p, const event& b, unsigned q) {
        literal both = never;
        const auto meet = [&](literal written, literal used) {
            if (written == never || used == never) return;
            if (both == never) both = make();
            add({-written, -used, both});
        };
        for (const int result : a.instances) {
            const auto& written = instance_at(result).lreg[p];
            for (unsigned r = 0; r < place_count; ++r) {
                if (r == l16) continue;
                for (const registers_of& reads : b.reads_from) meet(written[r], reads[q][r]);
                for (const int other : b.instances) meet(written[r], instance_at(other).lreg[q][r]);
            }
        }
        return both;
    }

    void issue_beside_load(const event_pair& both) {
        const event &load = both.a.is_load ? both.a : both.b, &other = both.a.is_load ? both.b : both.a;
        const literal load_first = both.a.is_load ? both.a_first : -both.a_first;
        forbid(both, {load_first, load.macro.back()});
        if (node_of(other).what == node::kind::store) {
            forbid(both, {load_first}); // else it depends on the addresses
            return;
        }
        keep_rules_of_first(both, other, load_first);
        follow_a_full_cycle(both, {load_first, -other.issued});
    }

    bool uses_random(const isa::instruction& insn) const {
        return isa::effects_of(insn, machine_.chip).uses_random;
    }

    void issue_two_instructions(const event_pair& both) {
        for (const form& f : node_of(both.a).forms)
            for (const form& g : node_of(both.b).forms)
                if (uses_random(f.insn) && uses_random(g.insn)) forbid(both, {});
        keep_rules_of_first(both, both.a, -both.a_first);
        keep_rules_of_first(both, both.b, both.a_first);
        if (both.p == both.q) follow_a_full_cycle(both, {-both.a.issued, -both.b.issued});
    }

    void keep_rules_of_first(const event_pair& both, const event& first, literal is_not_first) {
        const std::vector<form>& forms = node_of(first).forms;
        for (std::size_t f = 0; f < forms.size(); ++f)
            if (!can_go_first(forms[f].insn, machine_.chip))
                forbid(both, {is_not_first, -first.alternative[f]});
    }

    /// Two words of which the one that `when` allows stands first is no load: the cycle before must be full,
    /// in the first and last rows too.
    void follow_a_full_cycle(const event_pair& both, const std::vector<literal>& when) {
        if (!one_load_) return;
        for (int x = 0; x < horizon_; ++x)
            for (int y = x % interval_; y < horizon_; y += interval_) {
                std::vector<literal> clause = when;
                clause.push_back(-at(both.a, x));
                clause.push_back(-at(both.b, y));
                if (x % interval_ != 0)
                    for (int z = std::min(x, y); z <= std::max(x, y); z += interval_)
                        clause.push_back(instruction_at_[static_cast<unsigned>(z - 1)]);
                add(clause);
            }
    }

    const bool one_load_;
    std::vector<std::vector<literal>> slot_; ///< by event
    std::vector<literal> instruction_at_;    ///< by cycle of the row
};

} // namespace

void keep_pairs(formula_state& of) { pair_rules(of).write_all(); }

} // namespace sfpu::optimizer
