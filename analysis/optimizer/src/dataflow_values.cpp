// Who holds what: registers become values.
#include "row_builder.h"

#include <sfpu/isa/table.h>

#include <fmt/format.h>

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

void row_builder::rename() {
    isa::register_set written = 0, read_in_tail = 0;
    for (const node& n : graph_.nodes) all_.push_back(n.insn);
    for (std::size_t i = 0; i < all_.size(); ++i)
        written |= writes_by_number(all_[i]) ? results_named_by_l7(i) : all_[i].use.results();
    for (const isa::source_word& each : plain_.tail) {
        if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) continue;
        const instruction insn = isa::decode(each.word, words_);
        if (insn.is(opcode::sfploadmacro) || insn.names_template())
            refuse(each, "a plain kernel has no macros");
        read_in_tail |= insn.use.reads | insn.use.results();
    }
    written &= isa::general_registers;

    // What the row before left is not known before the end.
    constexpr int left_in = -100;
    // What an exchange puts into a constant register, which keeps its own.
    constexpr int lost = -200;
    std::array<operand, isa::lreg_count> now{};
    for (unsigned r = 0; r < isa::lreg_count; ++r) {
        if (isa::contains(written, r)) {
            now[r].value = left_in - static_cast<int>(r);
            now[r].distance = 1;
        } else {
            now[r].constant = static_cast<int>(r);
        }
    }
    std::array<std::optional<std::uint32_t>, isa::lreg_count> known{};
    std::map<std::uint32_t, unsigned> homes; // of hoisted constants
    isa::register_set free_constants = isa::programmable_constants;
    const auto used_elsewhere = [&](const std::vector<isa::source_word>& words) {
        isa::register_set set = 0;
        for (const isa::source_word& each : words)
            if (isa::classify(each.word, words_.arch) == isa::word_kind::sfpu)
                set |= isa::decode(each.word, words_).use.reads;
        return set;
    };
    free_constants &= ~(used_elsewhere(plain_.loop) | used_elsewhere(plain_.tail));
    for (const isa::source_word& each : plain_.init) {
        if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) continue;
        const instruction insn = isa::decode(each.word, words_);
        if (insn.is(opcode::sfpconfig)) free_constants &= ~insn.use.writes;
    }

    const isa::register_set unchanging = set_to_one_constant();
    std::vector<node> kept;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        node n = graph_.nodes[i];
        const isa::source_word at{n.insn.word, n.line};
        field_use use = use_of(n.insn, words_.arch);
        if (writes_by_number(n.insn)) {
            n.writes_by_number = true;
            use.fixed_writes = results_named_by_l7(i);
        }
        if (use.indirect) {
            n.reads_by_number = true;
            instruction direct = n.insn;
            direct.mod = static_cast<std::uint8_t>(direct.mod & ~4u);
            const isa::register_set results = use.fixed_writes;
            use = use_of(direct, words_.arch);
            if (n.writes_by_number) use.fixed_writes = results;
            use.reads[va] = false;
            use.fixed_reads |= registers_named_by_l7(i) | isa::only(7);
        }
        if (n.insn.latency == isa::latency_class::swap && field_of(n.insn, vc) == n.insn.vd) continue;
        const int index = static_cast<int>(kept.size());

        // Constants by SFPLOADI.
        if (n.insn.is(opcode::sfploadi) && !partial(n) && n.insn.vd < isa::general_lregs) {
            const bool half = use.reads[vd];
            if (!half || known[n.insn.vd]) {
                const std::uint32_t bits = probe_.constant_of(n.insn, known[n.insn.vd].value_or(0));
                std::optional<unsigned> home =
                    options_.hoist_constants ? home_of(bits, homes, free_constants, n.line) : std::nullopt;
                if (!home && options_.hoist_constants && isa::contains(unchanging, n.insn.vd)) {
                    home = homes[bits] = n.insn.vd;
                    graph_.constants.push_back({n.insn.vd, bits, n.line});
                }
                known[n.insn.vd] = bits;
                if (home) {
                    now[n.insn.vd] = {};
                    now[n.insn.vd].constant = static_cast<int>(*home);
                    continue;
                }
            }
        } else {
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                if (isa::contains(n.insn.use.results(), r)) known[r].reset();
        }
        // Copies.
        if (options_.drop_moves && n.insn.is(opcode::sfpmov) && n.insn.mod == 0 && !partial(n) &&
            n.insn.vd < isa::general_lregs && now[n.insn.vc].distance == 0 && now[n.insn.vc].value > -100) {
            now[n.insn.vd] = now[n.insn.vc];
            continue;
        }

        form how = make_form(n.insn.word, machine_);
        const bool swap = n.insn.latency == isa::latency_class::swap;
        n.reads_until_result = swap;
        const auto add_operand = [&](unsigned reg) {
            if (now[reg].value == lost) refuse(at, "it reads what a constant was exchanged for");
            n.operands.push_back(now[reg]);
            return static_cast<int>(n.operands.size()) - 1;
        };
        const bool keeps = !swap && use.reads[vd] && use.writes[vd]; // half loads
        if (swap) {
            // Its VD is what a macro takes as VB. A register that the loop only reads must not lose its contents: they move
            // to a constant register. What would be lost in a constant register stays if the operands change places.
            for (const unsigned reg : {n.insn.vd, n.insn.vc})
                if (const auto bits = constant_of_init(now[reg]); bits && options_.hoist_constants)
                    if (const auto home = home_of(*bits, homes, free_constants, n.line))
                        now[reg].constant = static_cast<int>(*home);
            const auto is_lost = [&](unsigned reg) {
                return reg < isa::general_lregs && read_later(i, reg) &&
                       now[reg].constant >= static_cast<int>(isa::general_lregs);
            };
            unsigned of_vd = n.insn.vd, of_vc = n.insn.vc;
            const bool kept_by_turning =
                (is_lost(of_vd) && now[of_vc].constant < 0 && !read_later(i, of_vc)) ||
                (is_lost(of_vc) && now[of_vd].constant < 0 && !read_later(i, of_vd));
            if (kept_by_turning && !partial(n) && probe_.may_exchange_sides(n.insn)) std::swap(of_vd, of_vc);
            how.operand_of[vb] = add_operand(of_vd);
            how.operand_of[vc] = add_operand(of_vc);
            how.vb_is_vd = true;
        }
        for (const unsigned f : {va, vb, vc, vd}) {
            if (swap || !use.reads[f] || (f == vd && keeps)) continue;
            how.operand_of[f] = add_operand(field_of(n.insn, f));
        }
        for (unsigned r = 0; r < isa::general_lregs; ++r) {
            if (!isa::contains(use.fixed_reads, r)) continue;
            if (now[r].constant >= 0 && now[r].constant != static_cast<int>(r))
                refuse(at, "it reads a register whose constant stands elsewhere");
            const int j = add_operand(r);
            if (n.operands.back().constant < 0) n.fixed_operands.emplace_back(j, static_cast<int>(r));
        }

        // Results.
        std::array<operand, isa::lreg_count> after = now;
        const auto add_result = [&](unsigned reg, result::place where, int place_index) {
            if (reg >= isa::general_lregs) return; // lost in a constant
            if (where == result::place::tied && n.operands[static_cast<unsigned>(place_index)].constant >=
                                                    static_cast<int>(isa::general_lregs)) {
                after[reg] = {};
                after[reg].value = lost;
                return;
            }
            result out;
            out.where = where;
            out.index = place_index;
            out.value = add_value(index, static_cast<int>(n.results.size()));
            const bool already_kept = where == result::place::tied;
            // L7 names one register in some lanes, another one in others.
            const bool some_lanes = n.writes_by_number && (use.fixed_writes & ~isa::only(reg)) != 0;
            if ((partial(n) || keeps || some_lanes) && !already_kept) {
                out.merge = add_operand(reg);
            }
            n.results.push_back(out);
            after[reg] = {};
            after[reg].value = out.value;
        };
        if (swap) {
            add_result(n.insn.vd, result::place::tied, how.operand_of[vb]);
            add_result(n.insn.vc, result::place::tied, how.operand_of[vc]);
        } else if (use.fixed_writes) {
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                if (isa::contains(use.fixed_writes, r))
                    add_result(r, result::place::fixed, static_cast<int>(r));
        } else if (use.writes[vd]) {
            add_result(n.insn.vd, result::place::destination, 0);
        }
        now = after;
        n.forms = forms_of(n, how);
        if (n.writes_flags) writer_moved_[static_cast<int>(i)] = index;
        kept.push_back(std::move(n));
    }
    graph_.nodes = std::move(kept);
    for (int& writer : graph_.flag_writers) writer = writer_moved_.at(writer);

    // What the row before left, and what the code behind the loop reads.
    isa::register_set carried = 0;
    for (node& n : graph_.nodes) {
        for (operand& o : n.operands) {
            if (o.value > left_in) continue;
            const auto reg = static_cast<unsigned>(left_in - o.value);
            o = now[reg];
            o.distance = 1;
            if (o.value == lost)
                throw row_error(n.line, fmt::format("it reads what L{} was exchanged for", reg));
            if (o.value <= left_in) { // nobody wrote it after all
                o = {};
                o.constant = static_cast<int>(reg);
            } else if (o.value < 0) {
                throw row_error(n.line, fmt::format("L{} of the row before is a constant here", reg));
            } else {
                carried |= isa::only(reg);
                graph_.values[static_cast<unsigned>(o.value)].pinned = static_cast<int>(reg);
            }
        }
    }
    for (unsigned r = 0; r < isa::general_lregs; ++r) {
        if (isa::contains(read_in_tail, r) && now[r].value == lost)
            throw row_error(0, fmt::format("the code behind the loop reads what L{} was exchanged for", r));
        if (!isa::contains(read_in_tail & written, r)) continue;
        if (const int constant = now[r].constant; constant >= 0) {
            if (constant != static_cast<int>(r))
                graph_.tail_copies.emplace_back(static_cast<unsigned>(constant), r);
            if (constant < static_cast<int>(isa::general_lregs))
                graph_.reserved |= isa::only(static_cast<unsigned>(constant));
            continue;
        }
        if (now[r].value < 0) continue;
        value& last = graph_.values[static_cast<unsigned>(now[r].value)];
        if (last.live_out)
            throw row_error(
                0, fmt::format("the code behind the loop reads one value in L{} and L{}", last.pinned, r));
        last.pinned = static_cast<int>(r);
        last.live_out = true;
        carried |= isa::only(r);
    }
    graph_.carried = carried;
    graph_.reserved |= carried | (read_in_tail & ~written & isa::general_registers);
    for (const node& n : graph_.nodes)
        for (const operand& o : n.operands)
            if (o.value < 0 && o.constant < static_cast<int>(isa::general_lregs))
                graph_.reserved |= isa::only(static_cast<unsigned>(o.constant));
    drop_needless_merges();
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

std::optional<unsigned> row_builder::home_of(std::uint32_t bits, std::map<std::uint32_t, unsigned>& homes,
                                             isa::register_set& free_constants, unsigned line) {
    if (bits == 0) return 9u;
    if (bits == 0x3f800000u) return 10u;
    if (const auto known = homes.find(bits); known != homes.end()) return known->second;
    for (unsigned r = 12; r != 11; r = r == 14 ? 11 : r + 1) {
        if (!isa::contains(free_constants, r)) continue;
        free_constants &= ~isa::only(r);
        homes[bits] = r;
        graph_.constants.push_back({r, bits, line});
        return r;
    }
    if (isa::contains(free_constants, 11)) {
        free_constants &= ~isa::only(11);
        homes[bits] = 11;
        graph_.constants.push_back({11, bits, line});
        return 11u;
    }
    return std::nullopt;
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
                n.more_lanes_allowed = !n.writes_flags;
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
            (options_.keep_loads && graph_.nodes[i].what == node::kind::load))
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
