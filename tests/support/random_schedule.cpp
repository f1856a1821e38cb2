// Schedules of small kernels that nobody has proved.
#include "random_choice.h"
#include "schedule_lab.h"

#include <algorithm>
#include <map>
#include <set>

namespace sfpu::test {
namespace {

using namespace optimizer;
using isa::sub_unit;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

const node& node_of(const schedule_lab& lab, int index) { return lab.graph().nodes[at(index)]; }
unsigned unit_of(const schedule_lab& lab, const placed_operation& o) {
    return static_cast<unsigned>(node_of(lab, o.node).forms[o.how].unit);
}

/// The words of templates without their registers, in order: what the formula numbers.
std::vector<std::uint32_t> classes_of(const graph& of) {
    std::set<std::uint32_t> words;
    for (const node& n : of.nodes)
        for (const form& f : n.forms)
            if (f.can_schedule && f.unit != sub_unit::store) words.insert(f.word);
    return {words.begin(), words.end()};
}
std::size_t class_of(const graph& of, const std::vector<std::uint32_t>& classes, std::uint32_t word) {
    if (word == 0) return classes.size();
    for (const node& n : of.nodes)
        for (const form& f : n.forms) {
            std::uint32_t fields = 0;
            for (const int shift : f.slot)
                if (shift >= 0) fields |= 15u << shift;
            const auto known = std::find(classes.begin(), classes.end(), f.word);
            if ((word & ~fields) == f.word && known != classes.end())
                return static_cast<std::size_t>(known - classes.begin());
        }
    return classes.size();
}

void keep_ties(const schedule_lab& lab, schedule& candidate) {
    for (placed_operation& o : candidate.operations) {
        if (!o.issued) continue;
        const node& n = node_of(lab, o.node);
        const form& f = n.forms[o.how];
        const bool destination = !n.results.empty() && n.results[0].where == result::place::destination;
        for (const auto& [j, reg] : n.fixed_operands)
            for (unsigned& lreg : o.operand_lreg[at(j)]) lreg = static_cast<unsigned>(reg);
        for (const auto& [is_vd, which] : {std::pair{f.vb_is_vd, vb}, {f.vc_is_vd, vc}}) {
            const int j = f.operand_of[which];
            if (is_vd && destination && j >= 0 && n.operands[at(j)].value >= 0)
                o.operand_lreg[at(j)] = o.result_lreg[0];
        }
        for (std::size_t k = 0; k < n.results.size(); ++k) {
            const result& out = n.results[k];
            if (out.where == result::place::tied) o.result_lreg[k] = o.operand_lreg[at(out.index)];
            if (out.where == result::place::fixed)
                for (unsigned& lreg : o.result_lreg[k]) lreg = static_cast<unsigned>(out.index);
        }
    }
}

/// What the tables say of scheduled instructions.
void follow_tables(const schedule_lab& lab, schedule& candidate) {
    for (placed_operation& o : candidate.operations) {
        if (o.issued) continue;
        const placed_load& parent = candidate.loads[at(o.parent)];
        if (parent.macro < 0) continue;
        macro_entry& entry = candidate.macros[at(parent.macro)][unit_of(lab, o)];
        if (!entry.used) continue;
        const node& n = node_of(lab, o.node);
        const form& f = n.forms[o.how];
        // Bits that mean nothing to the instruction.
        if (n.what != node::kind::store) {
            if (n.results.empty()) entry.l16 = false;
            if (f.operand_of[vb] < 0 && f.operand_of[vc] < 0) entry.vb_is_loaded = false;
        }
        o.delay = entry.delay;
        o.instruction_template = entry.instruction_template;
        o.vb_is_loaded = entry.vb_is_loaded;
        o.to_l16 = entry.l16;
        o.time = parent.time + 1 + o.delay;
    }
}

/// Loads in the formula's order.
void order_loads(schedule& candidate) {
    std::vector<std::size_t> order(candidate.loads.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        const placed_load &a = candidate.loads[x], &b = candidate.loads[y];
        return std::tuple(a.host_only, a.node, a.time) < std::tuple(b.host_only, b.node, b.time);
    });
    std::vector<placed_load> loads;
    std::vector<int> moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        moved[order[i]] = static_cast<int>(i);
        loads.push_back(candidate.loads[order[i]]);
        const bool again = i > 0 && loads[i - 1].node == loads[i].node && !loads[i].host_only;
        loads[i].copy = again ? loads[i - 1].copy + 1 : 0;
    }
    candidate.loads = std::move(loads);
    for (placed_operation& o : candidate.operations)
        if (o.parent >= 0) o.parent = moved[at(o.parent)];
}

/// Macros in the order of their first use.
void order_macros(schedule& candidate) {
    std::vector<int> macro(candidate.macros.size(), -1);
    std::vector<std::array<macro_entry, 4>> macros(candidate.macros.size());
    std::vector<bool> load_mode(candidate.macros.size(), false);
    int next = 0;
    for (placed_load& l : candidate.loads) {
        if (l.macro < 0) continue;
        int& to = macro[at(l.macro)];
        if (to < 0) {
            to = next++;
            macros[at(to)] = candidate.macros[at(l.macro)];
            load_mode[at(to)] = candidate.store_takes_load_mode[at(l.macro)];
        }
        l.macro = to;
    }
    candidate.macros = std::move(macros);
    candidate.store_takes_load_mode = std::move(load_mode);
}

/// Templates in the order of their instructions; what nobody uses is none.
void order_templates(const schedule_lab& lab, schedule& candidate) {
    const std::vector<std::uint32_t> classes = classes_of(lab.graph());
    std::set<int> used;
    for (const auto& of_macro : candidate.macros)
        for (const macro_entry& entry : of_macro)
            if (entry.used) used.insert(entry.instruction_template);
    std::vector<std::size_t> by_class(candidate.templates.size());
    for (std::size_t t = 0; t < by_class.size(); ++t) {
        by_class[t] = t;
        if (!used.count(static_cast<int>(t))) candidate.templates[t] = 0;
    }
    std::stable_sort(by_class.begin(), by_class.end(), [&](std::size_t x, std::size_t y) {
        return class_of(lab.graph(), classes, candidate.templates[x]) <
               class_of(lab.graph(), classes, candidate.templates[y]);
    });
    std::vector<std::uint32_t> templates;
    std::vector<bool> needs_vd;
    std::vector<int> place(by_class.size());
    for (std::size_t t = 0; t < by_class.size(); ++t) {
        templates.push_back(candidate.templates[by_class[t]]);
        needs_vd.push_back(candidate.template_needs_vd[by_class[t]]);
        place[by_class[t]] = static_cast<int>(t);
    }
    candidate.templates = std::move(templates);
    candidate.template_needs_vd = std::move(needs_vd);
    for (auto& of_macro : candidate.macros)
        for (macro_entry& entry : of_macro)
            if (entry.used && entry.instruction_template >= 0)
                entry.instruction_template = place[at(entry.instruction_template)];
}

/// Time begins with the first load or instruction.
void begin_at_once(schedule& candidate) {
    unsigned first = ~0u;
    for (const placed_load& l : candidate.loads) first = std::min(first, l.time);
    for (const placed_operation& o : candidate.operations) first = std::min(first, o.time);
    // A frame before that would have the effects of rows that are none: nothing keeps it.
    const unsigned stages = std::min(first / candidate.interval, candidate.frame);
    candidate.frame -= stages;
    candidate.last_time = 0;
    for (placed_load& l : candidate.loads) {
        l.time -= stages * candidate.interval;
        candidate.last_time = std::max(candidate.last_time, l.time);
    }
    for (placed_operation& o : candidate.operations) {
        o.time -= stages * candidate.interval;
        candidate.last_time = std::max(candidate.last_time, o.time);
    }
}

} // namespace

void normalise(const schedule_lab& lab, schedule& candidate) {
    follow_tables(lab, candidate);
    keep_ties(lab, candidate);
    order_loads(candidate);
    order_macros(candidate);
    order_templates(lab, candidate);
    follow_tables(lab, candidate);
    begin_at_once(candidate);
}

namespace {

/// Two issue slots: cycles of two words of which an instruction may have to be the first, without a full
/// cycle before them in the first and last rows too.
std::string pairs_not_considered(const schedule_lab& lab, const schedule& candidate) {
    if (lab.machine().issue_width < 2) return {};
    const unsigned interval = candidate.interval;
    for (const placed_operation& o : candidate.operations) {
        if (!o.issued) continue;
        for (const placed_load& l : candidate.loads) {
            if (l.time % interval != o.time % interval) continue;
            const auto reads_it = [&](const std::vector<unsigned>& lregs) {
                return std::any_of(lregs.begin(), lregs.end(), [&](unsigned r) {
                    return std::count(l.lreg.begin(), l.lreg.end(), r) != 0;
                });
            };
            if (std::any_of(o.operand_lreg.begin(), o.operand_lreg.end(), reads_it))
                return "instructions beside a load that replaces what they read";
        }
        for (const placed_operation& other : candidate.operations) {
            if (&other == &o || !other.issued || other.time % interval != o.time % interval) continue;
            const unsigned from = std::min(o.time, other.time), to = std::max(o.time, other.time);
            const bool full = from % interval != 0 &&
                              std::any_of(candidate.operations.begin(), candidate.operations.end(),
                                          [&](const placed_operation& each) {
                                              return each.issued &&
                                                     (each.time + 1) % interval == from % interval &&
                                                     each.time + 1 >= from && each.time + 1 <= to;
                                          });
            if (!full) return "two instructions behind a cycle that is not full";
        }
    }
    return {};
}

} // namespace

std::string not_considered(const schedule_lab& lab, const schedule& candidate) {
    if (const std::string pairs = pairs_not_considered(lab, candidate); !pairs.empty()) return pairs;
    const graph& of = lab.graph();
    const std::vector<std::uint32_t> classes = classes_of(of);
    unsigned entries = 0, scheduled = 0;
    for (const memory_order& order : of.memory)
        if (order.store_to_load && order.rows == 0 && !of.nodes[at(order.second)].optional)
            return "values that are stored, and read without loading them";
    for (const placed_load& l : candidate.loads) {
        if (l.copy > 0 && candidate.rows > 1) return "rows of an iteration that read different copies";
        if (l.host_only && !of.flag_writers.empty()) return "loads for nobody that write some lanes only";
        if (l.macro < 0) continue;
        for (const macro_entry& entry : candidate.macros[at(l.macro)]) {
            entries += entry.used;
            if (entry.used && entry.delay >= lab.machine().slots) return "delays as long as there are slots";
        }
    }
    for (const placed_operation& o : candidate.operations) {
        const node& n = node_of(lab, o.node);
        const unsigned begins = o.issued ? o.time : candidate.loads[at(o.parent)].time;
        const bool in_frame = begins / candidate.interval == candidate.frame;
        if (!in_frame && (n.effect || (!o.issued && o.to_l16))) return "effects of more than one stage";
        if (o.issued) continue;
        const placed_load& parent = candidate.loads[at(o.parent)];
        if (parent.macro < 0) continue;
        const macro_entry& entry = candidate.macros[at(parent.macro)][unit_of(lab, o)];
        if (!entry.used) continue;
        const std::size_t known =
            entry.instruction_template < 0
                ? classes.size()
                : class_of(of, classes, candidate.templates[at(entry.instruction_template)]);
        const form& f = n.forms[o.how];
        scheduled += n.what == node::kind::store || (known < classes.size() && classes[known] == f.word);
    }
    return entries != scheduled ? "macros that do more than the row asks for" : "";
}

namespace {

/// Makes a schedule node by node, in the order of the plain row.
class careless_scheduler {
public:
    careless_scheduler(std::mt19937& numbers, const schedule_lab& lab, const formula_limits& limits)
        : numbers_(numbers), lab_(lab), graph_(lab.graph()), machine_(lab.machine()), limits_(limits) {}

    schedule make() {
        made_.interval = limits_.interval;
        made_.rows = limits_.rows;
        made_.templates.assign(machine_.templates, 0);
        made_.template_needs_vd.assign(machine_.templates, true);
        made_.macros.resize(machine_.macros);
        made_.store_takes_load_mode.assign(machine_.macros, true);
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what == node::kind::load) place_load(static_cast<int>(i), false);
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what != node::kind::load) place(static_cast<int>(i));
        choose_frame();
        normalise(lab_, made_);
        return made_;
    }

private:
    struct home {
        unsigned ready = 0;
        std::vector<unsigned> lreg; ///< by row
    };

    std::vector<unsigned> any_register() {
        std::vector<unsigned> lregs;
        for (unsigned row = 0; row < limits_.rows; ++row) {
            const unsigned r = below(numbers_, 8);
            lregs.push_back(one_in(numbers_, 4) && row > 0 ? lregs[0] : r);
        }
        return lregs;
    }

    int place_load(int index, bool host_only) {
        placed_load l;
        l.node = index;
        l.host_only = host_only;
        l.time = free_time(below(numbers_, limits_.interval + 2));
        l.lreg = any_register();
        const node& n = graph_.nodes[at(index)];
        if (!host_only) {
            const int v = n.results[0].value;
            if (graph_.values[at(v)].pinned >= 0)
                for (unsigned& r : l.lreg) r = static_cast<unsigned>(graph_.values[at(v)].pinned);
            for (std::size_t j = 0; j < n.operands.size(); ++j)
                if (n.results[0].merge == static_cast<int>(j) && homes_.count(n.operands[j].value))
                    l.lreg = homes_[n.operands[j].value].lreg;
            homes_[v] = {l.time + machine_.latency[static_cast<unsigned>(isa::result_class::load)], l.lreg};
        }
        made_.loads.push_back(l);
        issued_.insert(l.time % limits_.interval);
        return static_cast<int>(made_.loads.size()) - 1;
    }

    /// A cycle from there on whose issue slot is free, mostly.
    unsigned free_time(unsigned from) {
        for (unsigned k = 0; k < limits_.interval; ++k)
            if (issued_.count((from + k) % limits_.interval) < machine_.issue_width) return from + k;
        return from;
    }

    void place(int index) {
        const node& n = graph_.nodes[at(index)];
        placed_operation o;
        o.node = index;
        o.how = one_in(numbers_, 2) ? 0 : below(numbers_, n.forms.size());
        const form& f = n.forms[o.how];
        unsigned ready = 0;
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            const operand& each = n.operands[j];
            std::vector<unsigned> lreg(limits_.rows,
                                       each.constant >= 0 ? static_cast<unsigned>(each.constant) : 0);
            if (each.value >= 0 && homes_.count(each.value)) {
                lreg = homes_[each.value].lreg;
                if (each.distance == 0) ready = std::max(ready, homes_[each.value].ready);
            }
            o.operand_lreg.push_back(lreg);
        }
        if (one_in(numbers_, 8) && ready > 0) --ready;
        ready += below(numbers_, 3) * below(numbers_, 2);
        if (n.effect || n.reads_flags) {
            ready = std::max(ready, last_effect_);
            if (n.writes_flags) last_effect_ = ready + 1;
        }
        for (const result& out : n.results) {
            o.result_lreg.push_back(any_register());
            const int pinned = graph_.values[at(out.value)].pinned;
            if (pinned >= 0)
                for (unsigned& r : o.result_lreg.back()) r = static_cast<unsigned>(pinned);
            if (out.merge >= 0) o.result_lreg.back() = o.operand_lreg[at(out.merge)];
            if (out.where == result::place::tied) o.result_lreg.back() = o.operand_lreg[at(out.index)];
        }
        const bool scheduled = f.can_schedule && !one_in(numbers_, 4) && schedule_by_load(n, f, o, ready);
        if (!scheduled) {
            o.issued = true;
            o.time = free_time(ready);
            issued_.insert(o.time % limits_.interval);
            // An operand that stands where the result goes.
            for (const auto& [is_vd, which] : {std::pair{f.vb_is_vd, vb}, {f.vc_is_vd, vc}}) {
                const int j = f.operand_of[which];
                if (is_vd && j >= 0 && !n.results.empty() &&
                    n.results[0].where == result::place::destination && n.operands[at(j)].value >= 0)
                    o.result_lreg[0] = o.operand_lreg[at(j)];
            }
        }
        for (std::size_t k = 0; k < n.results.size(); ++k)
            homes_[n.results[k].value] = {o.time + f.latency, o.result_lreg[k]};
        if (n.what == node::kind::store) last_effect_ = std::max(last_effect_, o.time);
        made_.operations.push_back(o);
    }

    bool schedule_by_load(const node& n, const form& f, placed_operation& o, unsigned ready) {
        const int parent = some_parent(n, f, o, ready);
        if (parent < 0) return false;
        placed_load& l = made_.loads[at(parent)];
        if (l.macro < 0) {
            int free = 0;
            for (const placed_load& each : made_.loads) free = std::max(free, each.macro + 1);
            if (free == static_cast<int>(machine_.macros)) return false;
            l.macro = free;
        }
        macro_entry entry;
        entry.used = true;
        entry.delay = std::min(ready > l.time ? ready - l.time - 1 : 0u, machine_.longest_delay());
        entry.vb_is_loaded = f.operand_of[vb] >= 0 && one_in(numbers_, 2);
        if (n.what == node::kind::store) {
            const bool from_l16 =
                !n.operands.empty() && n.operands[0].value >= 0 && o.operand_lreg[0][0] == isa::macro_lreg;
            entry.l16 = from_l16;
            entry.vb_is_loaded = !from_l16 && one_in(numbers_, 3);
        } else {
            const bool destination = !n.results.empty() && n.results[0].where == result::place::destination;
            entry.l16 = destination && one_in(numbers_, 2);
            if (!put_in_template(f, o, entry)) return false;
            if (destination)
                o.result_lreg[0] = entry.l16 ? std::vector<unsigned>(limits_.rows, isa::macro_lreg) : l.lreg;
        }
        made_.macros[at(l.macro)][static_cast<unsigned>(f.unit)] = entry;
        o.issued = false;
        o.parent = parent;
        o.delay = entry.delay;
        o.instruction_template = entry.instruction_template;
        o.vb_is_loaded = entry.vb_is_loaded;
        o.to_l16 = entry.l16;
        o.time = l.time + 1 + entry.delay;
        return true;
    }

    /// A load whose macro has room on the sub-unit, -1 if there is none.
    int some_parent(const node& n, const form& f, const placed_operation& o, unsigned ready) {
        const bool store = n.what == node::kind::store;
        std::vector<int> parents;
        for (std::size_t i = 0; i < made_.loads.size(); ++i) {
            const placed_load& l = made_.loads[i];
            const node& ln = graph_.nodes[at(l.node)];
            if (store && ln.address != n.address) continue;
            if (ln.address & 1u) continue;
            const bool taken = l.macro >= 0 && made_.macros[at(l.macro)][static_cast<unsigned>(f.unit)].used;
            if (!taken && l.time < ready + machine_.longest_delay()) parents.push_back(static_cast<int>(i));
        }
        if (store && parents.empty() && (n.address & 1u) == 0 && !has_load_of(n.address) &&
            !n.operands.empty())
            parents.push_back(place_load(o.node, true));
        return parents.empty() ? -1 : parents[below(numbers_, parents.size())];
    }

    /// A template of this instruction, with a field that holds each operand that does not stand in the loaded
    /// register. False if there is none left.
    bool put_in_template(const form& f, const placed_operation& o, macro_entry& entry) {
        std::array<int, field_count> fields{};
        for (const unsigned which : {va, vb, vc}) {
            const int j = f.operand_of[which];
            if (j < 0) continue;
            const bool loaded = which != va && entry.vb_is_loaded == (which == vb);
            if (loaded) continue;
            const bool has = which == va || (which == vb ? f.template_has_vb : f.template_has_vc);
            fields[has ? which : static_cast<unsigned>(vd)] =
                static_cast<int>(o.operand_lreg[at(j)][0] & 15u);
        }
        const std::uint32_t word = word_with(f, fields);
        std::size_t t = 0;
        while (t < made_.templates.size() && made_.templates[t] != word && made_.templates[t] != 0) ++t;
        if (t == made_.templates.size()) return false;
        made_.templates[t] = word;
        entry.instruction_template = static_cast<int>(t);
        return true;
    }

    bool has_load_of(unsigned address) const {
        return std::any_of(made_.loads.begin(), made_.loads.end(),
                           [&](const placed_load& l) { return graph_.nodes[at(l.node)].address == address; });
    }

    /// The stage in which most of the effects begin.
    void choose_frame() {
        std::map<unsigned, unsigned> votes;
        for (const placed_operation& o : made_.operations)
            if (node_of(lab_, o.node).effect)
                ++votes[(o.issued ? o.time : made_.loads[at(o.parent)].time) / limits_.interval];
        unsigned most = 0;
        for (const auto& [stage, count] : votes)
            if (count > most) {
                most = count;
                made_.frame = stage;
            }
    }

    std::mt19937& numbers_;
    const schedule_lab& lab_;
    const graph& graph_;
    const isa::machine& machine_;
    const formula_limits& limits_;
    schedule made_;
    std::map<int, home> homes_;      ///< by value
    std::multiset<unsigned> issued_; ///< slots
    unsigned last_effect_ = 0;
};

} // namespace

schedule random_schedule(std::mt19937& numbers, const schedule_lab& lab, const formula_limits& limits) {
    return careless_scheduler(numbers, lab, limits).make();
}

namespace {

/// Changes one thing in a schedule.
class disturbance {
public:
    disturbance(std::mt19937& numbers, const schedule_lab& lab, const formula_limits& limits, schedule& of)
        : numbers_(numbers), lab_(lab), limits_(limits), of_(of) {}

    /// False if it is not done this time.
    bool try_once() {
        placed_operation* const o = some_issued();
        macro_entry* const entry = some_entry();
        switch (below(numbers_, 12)) {
        case 0:
        case 1: return move(some_load().time);
        case 2: return o && move(o->time);
        case 3: return entry && delay_more(*entry);
        case 4: return entry && delay_less(*entry);
        case 5: return other_register(some_load().lreg);
        case 6:
            return o && !o->result_lreg.empty() &&
                   other_register(o->result_lreg[below(numbers_, o->result_lreg.size())]);
        case 7: return o && !o->operand_lreg.empty() && other_operand(*o);
        case 8: return entry && turn_vb(*entry);
        case 9: return entry && turn_l16(*entry);
        case 10: return entry && entry->instruction_template >= 0 && other_field(*entry);
        default: return move_frame();
        }
    }

private:
    bool move(unsigned& time) {
        const unsigned by = 1 + below(numbers_, 3);
        if (one_in(numbers_, 2)) {
            if (time < by) return false;
            time -= by;
        } else {
            if (time + by >= limits_.horizon) return false;
            time += by;
        }
        return true;
    }
    placed_load& some_load() { return of_.loads[below(numbers_, of_.loads.size())]; }
    placed_operation* some_issued() {
        std::vector<placed_operation*> issued;
        for (placed_operation& o : of_.operations)
            if (o.issued) issued.push_back(&o);
        return issued.empty() ? nullptr : issued[below(numbers_, issued.size())];
    }
    macro_entry* some_entry() {
        std::vector<macro_entry*> entries;
        for (auto& of_macro : of_.macros)
            for (macro_entry& entry : of_macro)
                if (entry.used) entries.push_back(&entry);
        return entries.empty() ? nullptr : entries[below(numbers_, entries.size())];
    }
    bool delay_more(macro_entry& entry) {
        if (entry.delay >= lab_.machine().longest_delay()) return false;
        ++entry.delay;
        return true;
    }
    static bool delay_less(macro_entry& entry) {
        if (entry.delay == 0) return false;
        --entry.delay;
        return true;
    }
    bool other_register(std::vector<unsigned>& lregs) {
        unsigned& one = lregs[below(numbers_, lregs.size())];
        if (one >= 8) return false;
        const unsigned to = below(numbers_, 8);
        if (one_in(numbers_, 2)) one = to;
        else std::fill(lregs.begin(), lregs.end(), to);
        return true;
    }
    bool other_operand(placed_operation& o) {
        const std::size_t j = below(numbers_, o.operand_lreg.size());
        return node_of(lab_, o.node).operands[j].value >= 0 && other_register(o.operand_lreg[j]);
    }
    static bool turn_vb(macro_entry& entry) {
        const bool store = entry.instruction_template < 0;
        entry.vb_is_loaded = !entry.vb_is_loaded;
        return !(store && entry.l16);
    }
    static bool turn_l16(macro_entry& entry) {
        entry.l16 = !entry.l16;
        if (entry.instruction_template < 0) entry.vb_is_loaded = false;
        return true;
    }
    bool other_field(const macro_entry& entry) {
        const auto t = at(entry.instruction_template);
        const std::vector<std::uint32_t> classes = classes_of(lab_.graph());
        const std::size_t known = class_of(lab_.graph(), classes, of_.templates[t]);
        if (known == classes.size()) return false;
        bool done = false;
        for (const node& n : lab_.graph().nodes)
            for (const form& f : n.forms) {
                const unsigned which = below(numbers_, field_count);
                if (done || f.word != classes[known] || f.slot[which] < 0) continue;
                of_.templates[t] &= ~(15u << f.slot[which]);
                of_.templates[t] |= below(numbers_, 8) << f.slot[which];
                done = true;
            }
        return done;
    }
    bool move_frame() {
        if (one_in(numbers_, 2)) ++of_.frame;
        else if (of_.frame > 0) --of_.frame;
        else return false;
        return of_.frame < (limits_.horizon + limits_.interval - 1) / limits_.interval;
    }

    std::mt19937& numbers_;
    const schedule_lab& lab_;
    const formula_limits& limits_;
    schedule& of_;
};

} // namespace

bool disturb(std::mt19937& numbers, const schedule_lab& lab, const formula_limits& limits,
             schedule& candidate) {
    if (candidate.loads.empty()) return false;
    disturbance one(numbers, lab, limits, candidate);
    bool done = false;
    for (unsigned trial = 0; trial < 30 && !done; ++trial) done = one.try_once();
    std::fill(candidate.template_needs_vd.begin(), candidate.template_needs_vd.end(), true);
    normalise(lab, candidate);
    return done && candidate.last_time < limits.horizon;
}

} // namespace sfpu::test
