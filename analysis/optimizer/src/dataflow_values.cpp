// Values and constants of registers: which are set once, read later, merged, or used by nobody.
#include "row_builder.h"

#include <sfpu/isa/table.h>

#include <algorithm>

namespace sfpu::optimizer {

using isa::instruction;
namespace opcode = isa::opcode;

namespace {

/// General registers, for loads that keep half of a register; else none.
isa::register_set half_of(const node& n) {
    return n.what == node::kind::load || n.insn.is(opcode::sfploadi) ? isa::general_registers : 0u;
}

/// Whether lanes that are off have the operand in a result.
bool hands_on(const node& n, int operand) {
    return std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
        return r.merge == operand || (r.where == result::place::tied && r.index == operand);
    });
}

} // namespace

int row_builder::add_value(int node_index, int index) {
    value v;
    v.node = node_index;
    v.index = index;
    graph_.values.push_back(v);
    return static_cast<int>(graph_.values.size()) - 1;
}

isa::register_set row_builder::set_to_one_constant() {
    if (!graph_.all_on[0]) return 0;
    std::array<std::optional<std::uint32_t>, isa::general_lregs> constant{};
    isa::register_set found = isa::general_registers;
    for (const node& n : graph_.nodes) {
        const isa::register_set results = n.insn.use.results();
        for (unsigned r = 0; r < isa::general_lregs; ++r) {
            if (isa::contains(n.insn.use.reads, r) && !constant[r]) found &= ~isa::only(r);
            if (!isa::contains(results, r)) continue;
            if (!n.insn.is(opcode::sfploadi) || partial(n) || isa::contains(n.insn.use.reads, r)) {
                found &= ~isa::only(r);
                continue;
            }
            const std::uint32_t bits = probe_.constant_of(n.insn, 0);
            if (constant[r].value_or(bits) != bits) found &= ~isa::only(r);
            constant[r] = bits;
        }
    }
    return found;
}

bool row_builder::read_later(std::size_t at, unsigned lreg) const {
    const std::size_t count = graph_.nodes.size();
    for (std::size_t k = 1; k <= count; ++k) {
        const node& n = graph_.nodes[(at + k) % count];
        if (isa::contains(n.insn.use.reads, lreg)) return true;
        if (isa::contains(n.insn.use.results(), lreg)) return partial(n);
        if (at + k + 1 != count) continue;
        for (const isa::source_word& each : plain_.tail) // behind the last row
            if (isa::classify(each.word, words_.arch) == isa::word_kind::sfpu &&
                isa::contains(isa::decode(each.word, words_).use.reads, lreg))
                return true;
    }
    return false;
}

std::optional<std::uint32_t> row_builder::constant_of_init(const operand& o) {
    if (o.value >= 0 || o.constant < 0 || o.constant >= static_cast<int>(isa::general_lregs))
        return std::nullopt;
    for (const hoisted_constant& each : graph_.constants)
        if (static_cast<int>(each.lreg) == o.constant) return each.bits;
    std::optional<std::uint32_t> found;
    for (unsigned trial = 0; trial < 2; ++trial) {
        isa::vector_state state;
        probe_.randomise(state);
        run_init(state);
        for (const std::uint32_t lane : state.lreg[o.constant].v) {
            if (found && *found != lane) return std::nullopt;
            found = lane;
        }
    }
    return found;
}

void row_builder::drop_needless_merges() {
    for (bool again = true; again;) {
        again = false;
        for (node& n : graph_.nodes) {
            for (result& out : n.results) {
                if (out.merge < 0 || n.writes_by_number ||
                    n.insn.use.reads & n.insn.use.results() & isa::general_registers & half_of(n))
                    continue;
                bool needed = graph_.values[static_cast<unsigned>(out.value)].live_out;
                for (const node& reader : graph_.nodes)
                    for (std::size_t k = 0; k < reader.operands.size(); ++k) {
                        if (reader.operands[k].value != out.value) continue;
                        if (reader.operands[k].distance || !reader.reads_flags || reader.crosses_lanes ||
                            reader.version != n.version || hands_on(reader, static_cast<int>(k)))
                            needed = true;
                    }
                if (needed) continue;
                // The operand stays in the list, as one that nobody reads.
                operand& o = n.operands[static_cast<unsigned>(out.merge)];
                o = {};
                o.constant = 9;
                out.merge = -1;
                n.more_lanes_allowed = !n.writes_flags && !n.uses_random;
                again = true;
            }
        }
    }
}

void row_builder::drop_unused() {
    std::vector<bool> needed(graph_.nodes.size(), false);
    std::vector<int> work;
    const auto need = [&](int at) {
        if (at >= 0 && !needed[static_cast<unsigned>(at)]) {
            needed[static_cast<unsigned>(at)] = true;
            work.push_back(at);
        }
    };
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].what == node::kind::store || graph_.nodes[i].writes_flags ||
            graph_.nodes[i].uses_random || (options_.keep_loads && graph_.nodes[i].what == node::kind::load))
            need(static_cast<int>(i));
    for (const value& v : graph_.values)
        if (v.live_out) need(v.node);
    while (!work.empty()) {
        const int at = work.back();
        work.pop_back();
        for (const operand& o : graph_.nodes[static_cast<unsigned>(at)].operands)
            if (o.value >= 0) need(graph_.values[static_cast<unsigned>(o.value)].node);
    }
    std::vector<int> moved(graph_.nodes.size(), -1), value_moved(graph_.values.size(), -1);
    std::vector<node> nodes;
    std::vector<value> values;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        if (!needed[i]) continue;
        moved[i] = static_cast<int>(nodes.size());
        for (result& out : graph_.nodes[i].results) {
            value v = graph_.values[static_cast<unsigned>(out.value)];
            v.node = moved[i];
            value_moved[static_cast<unsigned>(out.value)] = static_cast<int>(values.size());
            out.value = static_cast<int>(values.size());
            values.push_back(v);
        }
        nodes.push_back(std::move(graph_.nodes[i]));
    }
    for (node& n : nodes)
        for (operand& o : n.operands)
            if (o.value >= 0) o.value = value_moved[static_cast<unsigned>(o.value)];
    for (int& writer : graph_.flag_writers) writer = moved[static_cast<unsigned>(writer)];
    graph_.nodes = std::move(nodes);
    graph_.values = std::move(values);
}

} // namespace sfpu::optimizer
