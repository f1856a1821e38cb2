#include <sfpu/optimizer/dataflow.h>

#include "semantics_probe.h"

#include <sfpu/dst/dst_storage.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/timing/macro_program.h>

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace sfpu::optimizer {
namespace {

using isa::instruction;
using isa::sub_unit;
namespace opcode = isa::opcode;

std::uint8_t& field_of(instruction& insn, unsigned which) {
    switch (which) {
    case va: return insn.va;
    case vb: return insn.vb;
    case vc: return insn.vc;
    default: return insn.vd;
    }
}

instruction with_fields(instruction insn, const std::array<unsigned, field_count>& registers) {
    for (unsigned f = 0; f < field_count; ++f) field_of(insn, f) = static_cast<std::uint8_t>(registers[f]);
    return insn;
}

/// Which fields an instruction reads and writes, and which registers it reads and writes whatever its fields say.
struct field_use {
    std::array<bool, field_count> reads{}, writes{};
    isa::register_set fixed_reads = 0, fixed_writes = 0;
    bool indirect = false; ///< a register's contents say which register is meant
};

field_use use_of(const instruction& insn, architecture arch) {
    field_use found;
    // Constants in the fields: what is left of the general registers is read whatever the fields say.
    const isa::register_set constant_reads = insn.op->use(with_fields(insn, {11, 12, 13, 14}), arch).reads;
    found.indirect = (constant_reads & 0xff00u) == 0xff00u;
    if (found.indirect) return found;
    found.fixed_reads = constant_reads & isa::general_registers;
    for (unsigned f = 0; f < field_count; ++f) found.reads[f] = isa::contains(constant_reads, 11 + f);
    const isa::register_set one = insn.op->use(with_fields(insn, {1, 2, 3, 4}), arch).results(),
                            other = insn.op->use(with_fields(insn, {5, 6, 7, 0}), arch).results();
    if (one == other) {
        found.fixed_writes = one;
    } else {
        for (unsigned f = 0; f < field_count; ++f) found.writes[f] = isa::contains(one, 1 + f);
    }
    // SFPSWAP reads in its second cycle only if it always exchanges; what it writes it has read.
    if (insn.latency == isa::latency_class::swap)
        for (unsigned f = 0; f < field_count; ++f) found.reads[f] = found.writes[f];
    return found;
}

/// T14 for a form: which fields of its own the template has.
void add_template_fields(form& how, architecture arch) {
    if (how.unit != sub_unit::simple && how.unit != sub_unit::mad && how.unit != sub_unit::round) return;
    const instruction plain = with_fields(how.insn, {1, 2, 3, 4});
    const instruction b_loaded = timing::override_operands(plain, timing::sequence_entry{0x8000}, 5, arch),
                      c_loaded = timing::override_operands(plain, timing::sequence_entry{0}, 5, arch);
    how.template_has_vc = b_loaded.vc == 3;
    how.template_has_vb = c_loaded.vb == 2;
}

form make_form(std::uint32_t word, const isa::machine& machine) {
    const isa::word_encoding words = machine.encoding();
    form how;
    how.word = word;
    for (const isa::operand& each : isa::decode(word, words).op->operands) {
        if (!each.name || each.kind != isa::operand_kind::lreg) continue;
        const unsigned f = each.name[0] == 'a'   ? va
                           : each.name[0] == 'b' ? vb
                           : each.name[0] == 'c' ? vc
                                                 : vd;
        how.slot[f] = each.shift;
        how.word &= ~(15u << each.shift);
    }
    how.insn = isa::decode(how.word, words);
    how.unit = how.insn.unit;
    how.latency = isa::latency_of(how.insn, machine);
    const instruction probe = isa::decode(word_with(how, {0, 0, 0, 9}), words),
                      other = isa::decode(word_with(how, {0, 0, 0, 6}), words);
    how.vb_is_vd = how.slot[vb] < 0 && probe.vb == 9 && other.vb == 6;
    how.vc_is_vd = how.slot[vc] < 0 && probe.vc == 9 && other.vc == 6;
    for (const unsigned f : {va, vb, vc})
        if (how.slot[f] < 0 && !(f == vb && how.vb_is_vd) && !(f == vc && how.vc_is_vd))
            how.wired[f] = static_cast<int>(field_of(how.insn, f));
    how.can_schedule = how.unit == sub_unit::simple || how.unit == sub_unit::mad ||
                       how.unit == sub_unit::round || how.unit == sub_unit::store;
    if (how.insn.is(opcode::sfpconfig)) how.can_schedule = false;
    add_template_fields(how, machine.chip);
    return how;
}

/// Set of Dst storage cells, by row and parity of columns.
using cell_set = std::bitset<dst::row_count * 2>;
cell_set cells_of(unsigned address, bool wide, const dst_row_mapping& rows) {
    cell_set cells;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = (address & 0x3fcu) + i, parity = address >> 1 & 1u;
        if (!wide) {
            cells.set(dst::adjust16(row, rows.remap_addrs) * 2 + parity);
        } else {
            const unsigned at = dst::adjust32(row, rows.remap_addrs, rows.swizzle_32b) & 0x3ffu;
            cells.set(at * 2 + parity);
            cells.set(((at + 8) & 0x3ffu) * 2 + parity);
        }
    }
    return cells;
}

class builder {
public:
    builder(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
            bool lanes_start_enabled, const graph_options& options)
        : plain_(plain), machine_(machine), words_(plain.words), thread_(thread), options_(options),
          probe_(plain.words), lanes_start_enabled_(lanes_start_enabled) {}

    graph build() {
        if (plain_.loop.empty()) throw row_error(0, "there is no .loop: a row is what stands in it");
        if (machine_.issue_width != 1)
            throw row_error(
                0, "sfpu.issue_width is 2: schedules are written for machines that issue one word a cycle");
        graph_.rows_per_iteration = plain_.rows_per_iteration;
        const unsigned rows = plain_.rows.value_or(32);
        graph_.rows = std::max(1u, rows / plain_.rows_per_iteration);
        follow_addresses();
        collect();
        follow_flags();
        rename();
        drop_unused();
        mark_effects();
        order_memory();
        if (options_.exchange) find_chains();
        return std::move(graph_);
    }

private:
    [[noreturn]] void refuse(const isa::source_word& at, const std::string& why) const {
        throw row_error(at.line, isa::disassemble(at.word, words_) + ": " + why);
    }

    /// Dst addresses of the loop's accesses, and the counter's step.
    void follow_addresses() {
        const auto run = [&](const std::vector<isa::source_word>& words, std::vector<unsigned>* addresses) {
            const unsigned start = thread_.rwc.dst;
            for (const isa::source_word& each : words) {
                const isa::word_kind kind = isa::classify(each.word, words_.arch);
                if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end) continue;
                const instruction insn = isa::decode(each.word, words_);
                if (kind == isa::word_kind::front_end) {
                    thread_.execute_front_end(insn);
                    continue;
                }
                const bool access =
                    insn.is(opcode::sfpload) || insn.is(opcode::sfpstore) || insn.is(opcode::sfploadmacro);
                if (!access || insn.names_template()) continue;
                if (addresses) addresses->push_back((insn.imm10 + thread_.rwc.dst - start) & 0x3ffu);
                thread_.apply_addr_mod(insn.addr_mod);
            }
        };
        run(plain_.init, nullptr);
        const isa::thread_state at_start = thread_;
        start_ = thread_;
        run(plain_.loop, &addresses_);
        const unsigned first = thread_.rwc.dst;
        std::vector<unsigned> again;
        run(plain_.loop, &again);
        const unsigned step = (first - at_start.rwc.dst) & 0x3ffu;
        if (again != addresses_ || ((thread_.rwc.dst - first) & 0x3ffu) != step ||
            thread_.rwc.sp != at_start.rwc.sp)
            throw row_error(plain_.loop.front().line,
                            "the Dst address counter does not advance by the same amount every row");
        graph_.step = static_cast<int>(step >= 512 ? step - 1024 : step);
    }

    /// Instructions of the row, without those that only fill time or count.
    void collect() {
        std::size_t access = 0;
        for (const isa::source_word& each : plain_.loop) {
            const isa::word_kind kind = isa::classify(each.word, words_.arch);
            if (kind == isa::word_kind::no_instruction) refuse(each, "this is no instruction");
            if (kind == isa::word_kind::other_unit)
                refuse(each, "an instruction of another unit cannot stand in a row");
            const instruction insn = isa::decode(each.word, words_);
            if (kind == isa::word_kind::front_end) {
                if (insn.is(opcode::nop) || insn.is(opcode::incrwc) || insn.is(opcode::setrwc)) continue;
                refuse(each, "only INCRWC, SETRWC and NOP of the front end can stand in a row");
            }
            if (insn.is(opcode::sfpnop)) continue;
            if (insn.is(opcode::sfploadmacro)) refuse(each, "a plain row has no macros");
            if (insn.is(opcode::sfpconfig))
                refuse(each, "configuration cannot change within a row; it belongs in .init");
            if (insn.names_template())
                refuse(each, "it writes an instruction template; a plain row has no macros");
            if (insn.status == isa::definition::undefined) refuse(each, "its result is undefined");
            node n;
            n.line = each.line;
            n.insn = insn;
            if (insn.is(opcode::sfpload) || insn.is(opcode::sfpstore)) {
                n.what = insn.is(opcode::sfpload) ? node::kind::load : node::kind::store;
                n.mode = insn.mod;
                if (n.mode == isa::dst_mode::int32_all)
                    refuse(each, "INT32_ALL moves the stack pointer; rows are addressed by the Dst counter");
                n.address = addresses_[access++];
            }
            graph_.nodes.push_back(std::move(n));
            effects_.push_back(probe_.effects(insn));
            if (effects_.back().random)
                refuse(each, "it draws random numbers, which come in the order of the rows");
        }
        if (plain_.tail.empty() && std::none_of(graph_.nodes.begin(), graph_.nodes.end(),
                                                [](const node& n) { return n.what == node::kind::store; }))
            throw row_error(plain_.loop.front().line, "the row stores nothing");
    }

    /// Versions of the lane flags. Samples of the state show which of them leave every lane on.
    void follow_flags() {
        constexpr unsigned sample_count = 48;
        std::vector<isa::vector_state> samples(sample_count);
        std::mt19937 numbers(7);
        for (isa::vector_state& state : samples) {
            state.flags = lanes_start_enabled_ ? all_lanes : static_cast<lane_mask>(0);
            state.use_flags = lanes_start_enabled_ ? all_lanes : 0;
        }
        const auto step = [&](const instruction& insn) {
            for (isa::vector_state& state : samples) {
                probe_.randomise(state);
                probe_.execute_on(state, insn);
            }
        };
        const auto all_on = [&] {
            return std::all_of(samples.begin(), samples.end(),
                               [](const isa::vector_state& s) { return s.enabled() == all_lanes; });
        };
        for (const isa::source_word& each : plain_.init) {
            if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) continue;
            const instruction insn = isa::decode(each.word, words_);
            if (!insn.names_template() && insn.unit == sub_unit::simple && !insn.is(opcode::sfpconfig) &&
                probe_.effects(insn).flags)
                step(insn);
        }
        const unsigned depth = samples[0].stack.depth();
        graph_.all_on.push_back(all_on());
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            node& n = graph_.nodes[i];
            n.version = static_cast<unsigned>(graph_.flag_writers.size());
            n.reads_flags = effects_[i].predicated;
            if (!effects_[i].flags) continue;
            n.writes_flags = n.effect = true;
            graph_.flag_writers.push_back(static_cast<int>(i));
            step(n.insn);
            graph_.all_on.push_back(all_on());
        }
        if (samples[0].stack.depth() != depth)
            throw row_error(plain_.loop.front().line, "the flag stack does not end a row as it began it");
        if (!graph_.all_on.back()) graph_.all_on.front() = false;
        if (graph_.all_on.front() != graph_.all_on.back())
            graph_.all_on.front() = graph_.all_on.back() = false;
    }

    /// INDIRECT_VA: registers that the low bits of L7 can name at a place in the row, by trying values. A bit that is never
    /// set is taken for one that never is.
    isa::register_set registers_named_by_l7(std::size_t at) {
        unsigned bits = 0;
        for (unsigned trial = 0; trial < 40; ++trial) {
            isa::vector_state state;
            for (const isa::source_word& each : plain_.init) {
                if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) continue;
                const instruction insn = isa::decode(each.word, words_);
                const bool access = insn.unit == sub_unit::store || insn.is(opcode::sfpload);
                if (!access && !insn.names_template() && !insn.is(opcode::sfploadmacro))
                    probe_.step(state, insn);
            }
            for (std::size_t i = 0; i < at; ++i) {
                const instruction& insn = all_[i];
                if (insn.unit == sub_unit::store) continue;
                if (insn.is(opcode::sfpload)) probe_.randomise(state, insn.vd);
                else probe_.step(state, insn);
            }
            for (const std::uint32_t lane : state.lreg[7].v) bits |= lane & 15u;
        }
        isa::register_set found = 0;
        for (unsigned r = 0; r < 16; ++r)
            if ((r & ~bits) == 0) found |= isa::only(r);
        return found & 0xffu ? found : 0u;
    }

    bool partial(const node& n) const { return n.reads_flags && !graph_.all_on[n.version]; }

    int add_value(int node_index, int index) {
        value v;
        v.node = node_index;
        v.index = index;
        graph_.values.push_back(v);
        return static_cast<int>(graph_.values.size()) - 1;
    }

    /// Who holds what: registers become values.
    void rename() {
        isa::register_set written = 0, read_in_tail = 0;
        for (const node& n : graph_.nodes) written |= n.insn.use.results();
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

        for (const node& n : graph_.nodes) all_.push_back(n.insn);
        std::vector<node> kept;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            node n = graph_.nodes[i];
            const isa::source_word at{n.insn.word, n.line};
            field_use use = use_of(n.insn, words_.arch);
            if (n.insn.unit == sub_unit::mad &&
                (n.insn.use.writes & isa::general_registers) == isa::general_registers)
                refuse(at, "the contents of L7 say where its result goes, which is not known");
            if (use.indirect) {
                n.reads_by_number = true;
                instruction direct = n.insn;
                direct.mod = static_cast<std::uint8_t>(direct.mod & ~4u);
                use = use_of(direct, words_.arch);
                use.reads[va] = false;
                use.fixed_reads |= registers_named_by_l7(i) | isa::only(7);
                if ((use.fixed_reads & isa::general_registers) == isa::general_registers)
                    refuse(at, "the contents of L7 say what it reads, and nothing is known of them");
            }
            if (n.insn.latency == isa::latency_class::swap && field_of(n.insn, vc) == n.insn.vd) continue;
            const int index = static_cast<int>(kept.size());

            // Constants by SFPLOADI.
            if (n.insn.is(opcode::sfploadi) && !partial(n) && n.insn.vd < isa::general_lregs) {
                const bool half = use.reads[vd];
                if (!half || known[n.insn.vd]) {
                    const std::uint32_t bits = probe_.constant_of(n.insn, known[n.insn.vd].value_or(0));
                    const std::optional<unsigned> home = options_.hoist_constants
                                                             ? home_of(bits, homes, free_constants, n.line)
                                                             : std::nullopt;
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
                n.insn.vd < isa::general_lregs && now[n.insn.vc].distance == 0 &&
                now[n.insn.vc].value > -100) {
                now[n.insn.vd] = now[n.insn.vc];
                continue;
            }

            form how = make_form(n.insn.word, machine_);
            const bool swap = n.insn.latency == isa::latency_class::swap;
            n.reads_twice = swap;
            const auto add_operand = [&](unsigned reg) {
                n.operands.push_back(now[reg]);
                return static_cast<int>(n.operands.size()) - 1;
            };
            const bool keeps = !swap && use.reads[vd] && use.writes[vd]; // half loads
            for (const unsigned f : {va, vb, vc, vd}) {
                if (!use.reads[f] || (f == vd && keeps)) continue;
                // A swap's VD is what a macro takes as VB.
                how.operand_of[f == vd && swap ? static_cast<unsigned>(vb) : f] =
                    add_operand(field_of(n.insn, f));
            }
            if (swap) how.vb_is_vd = true;
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
                result out;
                out.where = where;
                out.index = place_index;
                out.value = add_value(index, static_cast<int>(n.results.size()));
                const bool already_kept = where == result::place::tied;
                if ((partial(n) || keeps) && !already_kept) {
                    n.operands.push_back(now[reg]);
                    out.merge = static_cast<int>(n.operands.size()) - 1;
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
            if (!isa::contains(read_in_tail & written, r) || now[r].value < 0) continue;
            graph_.values[static_cast<unsigned>(now[r].value)].pinned = static_cast<int>(r);
            graph_.values[static_cast<unsigned>(now[r].value)].live_out = true;
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

    std::optional<unsigned> home_of(std::uint32_t bits, std::map<std::uint32_t, unsigned>& homes,
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

    /// The ways to execute a node: the plain one first.
    std::vector<form> forms_of(const node& n, const form& plain) {
        std::vector<form> found{plain};
        const bool one_result = n.results.size() == 1 && n.results[0].where == result::place::destination;
        if (!one_result || n.what != node::kind::operation || !n.fixed_operands.empty() ||
            n.insn.unit == sub_unit::load)
            return found;
        // Operands in registers of their own; constants as they are.
        const auto concrete = [&](const form& how) {
            instruction insn = how.insn;
            for (const unsigned f : {va, vb, vc}) {
                const int j = how.operand_of[f];
                if (j < 0) continue;
                const operand& o = n.operands[static_cast<unsigned>(j)];
                const bool fixed = o.value < 0 && o.constant >= 8;
                field_of(insn, f) = static_cast<std::uint8_t>(fixed ? o.constant : j);
            }
            insn.vd = 7;
            return insn;
        };
        const instruction reference = concrete(plain);
        const auto offer = [&](form how) {
            if (!probe_.same(reference, concrete(how))) return;
            found.push_back(std::move(how));
        };
        // Another instruction for the same.
        const auto other = [&](std::uint32_t word, const std::array<int, field_count>& operands) {
            form how = make_form(word, machine_);
            how.operand_of = operands;
            offer(how);
        };
        const std::uint32_t imm12 = n.insn.word & 0x00fff000u;
        const auto& of = plain.operand_of;
        bool replaces_plain = false;
        if (n.insn.is(opcode::sfpshft) && (n.insn.mod & 3) == 1) {
            const int shifted = of[vb] >= 0 ? of[vb] : of[vc];
            if (describe(words_.arch).has_shift_of_vc && of[vb] >= 0) {
                other(0x7a000000u | imm12 | 5u, {-1, -1, shifted, -1});
                replaces_plain = found.size() > 1;
            }
            other(0x94000000u | imm12 | 6u, {-1, shifted, -1, -1});
        } else if (n.insn.is(opcode::sfpshft) && n.insn.mod == 0) {
            other(0x94000000u | 5u, {-1, of[vb], of[vc], -1});
        } else if (n.insn.is(opcode::sfpshft2) && n.insn.mod == 5) {
            other(0x7a000000u, {-1, of[vb], of[vc], -1});
        } else if (n.insn.is(opcode::sfpshft2) && n.insn.mod == 6) {
            if (describe(words_.arch).has_shift_of_vc) other(0x7a000000u | imm12 | 5u, {-1, -1, of[vb], -1});
            else other(0x7a000000u | imm12 | 1u, {-1, of[vb], -1, -1});
        } else if ((n.insn.is(opcode::sfpand) || n.insn.is(opcode::sfpor)) && n.insn.mod == 0 &&
                   describe(words_.arch).has_use_vb) {
            other((n.insn.word & 0xff000000u) | 1u, {-1, of[vb], of[vc], -1});
            replaces_plain = found.size() > 1;
        }
        if (replaces_plain) found.erase(found.begin());
        if (!options_.exchange) return found;
        // The same with operands exchanged.
        const std::size_t given = found.size();
        for (std::size_t i = 0; i < given; ++i) {
            std::vector<unsigned> fields;
            for (const unsigned f : {va, vb, vc})
                if (found[i].operand_of[f] >= 0) fields.push_back(f);
            if (fields.size() < 2) continue;
            std::vector<std::size_t> order(fields.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            while (std::next_permutation(order.begin(), order.end())) {
                form how = found[i];
                for (std::size_t k = 0; k < fields.size(); ++k)
                    how.operand_of[fields[k]] = found[i].operand_of[fields[order[k]]];
                offer(how);
            }
        }
        return found;
    }

    /// Where every reader of a value has the same lanes off, the old contents of those lanes do not matter.
    void drop_needless_merges() {
        for (bool again = true; again;) {
            again = false;
            for (node& n : graph_.nodes) {
                for (result& out : n.results) {
                    if (out.merge < 0 ||
                        n.insn.use.reads & n.insn.use.results() & isa::general_registers & half_(n))
                        continue;
                    bool needed = graph_.values[static_cast<unsigned>(out.value)].live_out;
                    for (const node& reader : graph_.nodes)
                        for (const operand& o : reader.operands)
                            if (o.value == out.value &&
                                (o.distance || !reader.reads_flags || reader.version != n.version))
                                needed = true;
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
    /// General registers, for loads that keep half of a register; else none.
    static isa::register_set half_(const node& n) {
        return n.what == node::kind::load || n.insn.is(opcode::sfploadi) ? isa::general_registers : 0u;
    }

    void drop_unused() {
        std::vector<bool> needed(graph_.nodes.size(), false);
        std::vector<int> work;
        const auto need = [&](int at) {
            if (at >= 0 && !needed[static_cast<unsigned>(at)]) {
                needed[static_cast<unsigned>(at)] = true;
                work.push_back(at);
            }
        };
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what == node::kind::store || graph_.nodes[i].writes_flags)
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

    void mark_effects() {
        for (node& n : graph_.nodes)
            if (n.what == node::kind::store) n.effect = true;
        for (bool again = true; again;) {
            again = false;
            for (node& n : graph_.nodes) {
                if (n.effect) continue;
                const bool carries = std::any_of(n.operands.begin(), n.operands.end(), [&](const operand& o) {
                    if (o.value < 0) return false;
                    const node& from =
                        graph_
                            .nodes[static_cast<unsigned>(graph_.values[static_cast<unsigned>(o.value)].node)];
                    return o.distance > 0 || (from.effect && !from.writes_flags);
                });
                const bool out = std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
                    return graph_.values[static_cast<unsigned>(r.value)].live_out ||
                           graph_.values[static_cast<unsigned>(r.value)].pinned >= 0;
                });
                if (carries || out) n.effect = again = true;
            }
        }
    }

    void order_memory() {
        const dst_row_mapping rows = start_.backend().rows;
        std::vector<int> accesses;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].what != node::kind::operation) accesses.push_back(static_cast<int>(i));
        const auto resolved = [&](unsigned mode) {
            return isa::resolve_srcb(mode, start_.backend().fp32_enabled, start_.backend().srcb_format);
        };
        const auto wide = [&](const node& n) {
            return n.what == node::kind::load ? isa::dst_mode::load_is_32_bit(resolved(n.mode))
                                              : isa::dst_mode::store_is_32_bit(resolved(n.mode));
        };
        const auto cells = [&](const node& n, unsigned row) {
            instruction insn = n.insn;
            insn.imm10 = static_cast<std::uint16_t>(n.address);
            isa::thread_state thread = start_;
            thread.rwc.dst = static_cast<unsigned>(static_cast<int>(thread.rwc.dst) +
                                                   graph_.step * static_cast<int>(row)) &
                             0x3ffu;
            return cells_of(thread.counted_address(insn), wide(n), rows);
        };
        std::vector<std::vector<cell_set>> touched;
        for (const int a : accesses) {
            std::vector<cell_set> of_rows;
            for (unsigned row = 0; row < graph_.rows; ++row)
                of_rows.push_back(cells(graph_.nodes[static_cast<unsigned>(a)], row));
            touched.push_back(std::move(of_rows));
        }
        for (std::size_t x = 0; x < accesses.size(); ++x) {
            for (std::size_t y = 0; y < accesses.size(); ++y) {
                const node &first = graph_.nodes[static_cast<unsigned>(accesses[x])],
                           &second = graph_.nodes[static_cast<unsigned>(accesses[y])];
                if (first.what != node::kind::store && second.what != node::kind::store) continue;
                std::set<int> distances;
                for (int i = 0; i < static_cast<int>(graph_.rows); ++i)
                    for (int j = i; j < static_cast<int>(graph_.rows); ++j) {
                        if ((i == j && x >= y) || distances.count(j - i)) continue;
                        if ((touched[x][static_cast<unsigned>(i)] & touched[y][static_cast<unsigned>(j)])
                                .any())
                            distances.insert(j - i);
                    }
                // A later row comes later anyway, so that near ones decide; the formula knows which are near.
                for (const int distance : distances)
                    graph_.memory.push_back(
                        {accesses[x], accesses[y], distance,
                         first.what == node::kind::store && second.what == node::kind::load});
            }
        }
    }

    /// Sums of three and more, which may be added in any order.
    void find_chains() {
        const auto uses_of = [&](int v) {
            std::vector<std::pair<int, int>> uses;
            for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
                for (std::size_t j = 0; j < graph_.nodes[i].operands.size(); ++j)
                    if (graph_.nodes[i].operands[j].value == v)
                        uses.emplace_back(static_cast<int>(i), static_cast<int>(j));
            return uses;
        };
        const auto links = [&](const node& n) {
            return n.what == node::kind::operation && n.operands.size() == 2 && n.results.size() == 1 &&
                   n.results[0].where == result::place::destination && n.results[0].merge < 0 &&
                   !n.writes_flags && n.forms.size() > 1 &&
                   n.operands[0].distance + n.operands[1].distance == 0;
        };
        const auto alike = [](const node& a, const node& b) {
            return a.forms[0].word == b.forms[0].word && a.version == b.version;
        };
        std::vector<bool> inner(graph_.nodes.size(), false);
        const auto inner_of = [&](const node& n, std::size_t j) {
            const int v = n.operands[j].value;
            if (v < 0) return -1;
            const int from = graph_.values[static_cast<unsigned>(v)].node;
            const node& source = graph_.nodes[static_cast<unsigned>(from)];
            if (!links(source) || !alike(source, n) || uses_of(v).size() != 1 ||
                graph_.values[static_cast<unsigned>(v)].live_out || source.effect != n.effect)
                return -1;
            return from;
        };
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (links(graph_.nodes[i]))
                for (std::size_t j = 0; j < 2; ++j)
                    if (const int from = inner_of(graph_.nodes[i], j); from >= 0)
                        inner[static_cast<unsigned>(from)] = true;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const node& root = graph_.nodes[i];
            if (!links(root) || inner[i]) continue;
            const form& how = root.forms[0];
            std::vector<unsigned> fields;
            for (const unsigned f : {va, vb, vc})
                if (how.operand_of[f] >= 0) fields.push_back(f);
            if (fields.size() != 2 || !probe_.reorders(how.insn, fields[0], fields[1])) continue;
            exchangeable_chain chain;
            std::vector<int> work{static_cast<int>(i)};
            while (!work.empty()) {
                const int at = work.back();
                work.pop_back();
                for (std::size_t j = 0; j < 2; ++j) {
                    const int from = inner_of(graph_.nodes[static_cast<unsigned>(at)], j);
                    if (from >= 0) work.push_back(from);
                    else chain.uses.emplace_back(at, static_cast<int>(j));
                }
            }
            if (chain.uses.size() > 2) graph_.chains.push_back(std::move(chain));
        }
    }

    const isa::kernel& plain_;
    const isa::machine& machine_;
    isa::word_encoding words_;
    isa::thread_state thread_, start_;
    graph_options options_;
    semantics_probe probe_;
    bool lanes_start_enabled_;
    graph graph_;
    std::vector<unsigned> addresses_;
    std::vector<observed_effects> effects_;
    std::map<int, int> writer_moved_;
    std::vector<instruction> all_; ///< of the row, in order
};

} // namespace

std::uint32_t word_with(const form& how, const std::array<int, field_count>& registers) {
    std::uint32_t word = how.word;
    for (unsigned f = 0; f < field_count; ++f)
        if (how.slot[f] >= 0) word |= static_cast<std::uint32_t>(registers[f]) << how.slot[f];
    return word;
}

graph build_graph(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                  bool lanes_start_enabled, const graph_options& options) {
    return builder(plain, machine, thread, lanes_start_enabled, options).build();
}

} // namespace sfpu::optimizer
