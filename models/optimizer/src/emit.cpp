#include <sfpu/optimizer/emit.h>

#include "formula_parts.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace sfpu::optimizer {
namespace {

using isa::sub_unit;
namespace opcode = isa::opcode;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string without_comment(const std::string& line) {
    return trimmed(line.substr(0, line.find_first_of(";")));
}

/// How many SFPNOPs let so many cycles pass before the next word. With two issue slots the first and the last may share
/// the cycles of their neighbours.
unsigned waiting_words(const isa::machine& machine, unsigned cycles) {
    if (machine.issue_width == 1 || cycles == 0) return cycles;
    return machine.load_ports > 1 ? 2 * cycles + 3 : cycles + 2;
}

class writer {
public:
    writer(const graph& of, const schedule& found, const isa::kernel& plain, const std::string& source,
           const isa::machine& machine, const isa::machine& written_for, const isa::thread_state& thread)
        : graph_(of), found_(found), plain_(plain), source_(lines_of(source)), machine_(machine),
          written_for_(written_for), words_(machine.encoding()), thread_(thread) {}

    emitted_kernel write(const std::vector<std::pair<std::string, std::string>>& machine_settings,
                         const std::vector<std::string>& remarks) {
        machine_settings_ = machine_settings;
        words_.arch = plain_.arch;
        choose_address_modes();
        for (const std::string& remark : remarks) text_ += remark.empty() ? ";\n" : "; " + remark + "\n";
        text_ += ";\n";
        table();
        head();
        setup();
        loop();
        const unsigned tail = drain();
        for (const auto& [constant, lreg] : graph_.tail_copies)
            plain_word(0x7c000002u | constant << 8 | lreg << 4); // SFPMOV of all lanes
        for (const isa::source_word& word : plain_.tail) plain_word(word.word);
        return {text_, lead_words_, tail};
    }

private:
    void line(std::uint32_t word, const std::string& last_operand = {}, const std::string& remark = {}) {
        raw(with_operand(word, last_operand), remark);
    }
    std::string with_operand(std::uint32_t word, const std::string& last_operand) const {
        const std::string text = isa::disassemble(word, words_);
        return last_operand.empty() ? text : text.substr(0, text.rfind(", ") + 2) + last_operand;
    }
    void raw(const std::string& instruction, const std::string& remark = {}) {
        const std::size_t space = instruction.find(' ');
        std::string text = "    " + instruction;
        if (space != std::string::npos)
            text = fmt::format("    {:<11} {}", instruction.substr(0, space),
                               trimmed(instruction.substr(space)));
        if (!remark.empty()) text = fmt::format("{:<43} ; {}", text, remark);
        text_ += text + "\n";
    }

    unsigned latency(std::uint32_t word, const isa::machine& on) const {
        return isa::classify(word, plain_.arch) == isa::word_kind::sfpu
                   ? isa::latency_of(isa::decode(word, words_), on)
                   : 1;
    }
    /// A word outside of the loop of the plain kernel, and the SFPNOPs that this machine needs behind it.
    void plain_word(std::uint32_t word) {
        line(word);
        ++since_configured_;
        const unsigned here = latency(word, machine_), there = latency(word, written_for_);
        // With two issue slots an SFPNOP of the plain kernel may wait for nothing.
        if (machine_.issue_width > 1) wait(here - 1);
        else wait(here > there ? here - there : 0);
    }
    /// SFPNOPs between a word and one that reads its result so many cycles behind the next.
    void wait(unsigned cycles) {
        for (unsigned words = waiting_words(machine_, cycles); words > 0; --words) {
            raw("sfpnop");
            ++since_configured_;
        }
    }

    void choose_address_modes() {
        for (const isa::source_word& each : plain_.init) {
            const isa::word_kind kind = isa::classify(each.word, plain_.arch);
            const isa::instruction insn = isa::decode(each.word, words_);
            if (kind == isa::word_kind::front_end) thread_.execute_front_end(insn);
        }
        const unsigned modes = 1u << isa::addr_mod_width(plain_.arch);
        for (unsigned m = modes; m-- > 0;) {
            isa::thread_state after = thread_;
            after.apply_addr_mod(m);
            if (after.rwc.dst_cr != thread_.rwc.dst_cr && graph_.step != 0 &&
                after.rwc.dst == thread_.rwc.dst)
                continue;
            if (after.rwc.sp != thread_.rwc.sp) continue;
            const unsigned change = (after.rwc.dst - thread_.rwc.dst) & 0x3ffu;
            if (change == 0 && !stay_ && (thread_.still_modifiers() >> m & 1u)) stay_ = m;
            if (change == (static_cast<unsigned>(graph_.step) & 0x3ffu) && change != 0 && !step_) step_ = m;
        }
        own_modes_ = !stay_ || (graph_.step != 0 && !step_);
        if (own_modes_) {
            stay_ = modes - 1;
            step_ = modes - 2;
        }
        if (graph_.step == 0) step_ = stay_;
    }

    /// The address of a node as the source writes it, moved by whole rows.
    std::string address_text(const node& n, unsigned address) const {
        if (n.line > 0 && n.line <= source_.size()) {
            const std::string line = without_comment(source_[n.line - 1]);
            const std::size_t comma = line.rfind(',');
            if (comma != std::string::npos) {
                const std::string operand = trimmed(line.substr(comma + 1));
                const bool simple =
                    operand.find_first_of("+-*/|&()<> ") == std::string::npos && !operand.empty();
                const int more = static_cast<int>(address) - static_cast<int>(n.insn.imm10);
                if (simple && more == 0) return operand;
                if (simple && more > 0) return fmt::format("{} + {}", operand, more);
                if (simple && more < 0 && static_cast<int>(address) >= 0 && address < 0x400u && more > -512)
                    return fmt::format("{} - {}", operand, -more);
            }
        }
        return fmt::format("{:#x}", address);
    }

    unsigned moved_address(const node& n, int rows) const {
        return static_cast<unsigned>(static_cast<int>(n.address) + graph_.step * rows) & 0x3ffu;
    }

    /// What is issued in one cycle for one row.
    struct issued_item {
        unsigned time = 0;
        int load = -1, operation = -1;
    };
    std::vector<issued_item> items() const {
        std::vector<issued_item> all;
        for (std::size_t i = 0; i < found_.loads.size(); ++i)
            all.push_back({found_.loads[i].time, static_cast<int>(i), -1});
        for (std::size_t i = 0; i < found_.operations.size(); ++i)
            if (found_.operations[i].issued)
                all.push_back({found_.operations[i].time, -1, static_cast<int>(i)});
        return all;
    }

    const node& operation_of(const issued_item& item) const {
        return graph_
            .nodes[static_cast<unsigned>(found_.operations[static_cast<unsigned>(item.operation)].node)];
    }
    bool is_load(const issued_item& item) const { return item.load >= 0 || is_load_word(operation_of(item)); }

    bool is_access(const issued_item& item) const {
        return item.load >= 0 || operation_of(item).what == node::kind::store;
    }

    /// An item for one row: `copy` says which of the rotating rows, `rows` how far its addresses are ahead of the counter.
    struct placed_item {
        issued_item item;
        unsigned copy = 0;
        int rows = 0;
        bool steps = false; ///< moves the Dst counter
    };
    struct written_word {
        std::uint32_t word = 0;
        std::string address;
    };

    written_word word_of(const placed_item& placed) const {
        const issued_item& item = placed.item;
        const unsigned copy = placed.copy, mode = placed.steps ? *step_ : *stay_;
        if (item.load >= 0) {
            const placed_load& load = found_.loads[static_cast<unsigned>(item.load)];
            const node& n = graph_.nodes[static_cast<unsigned>(load.node)];
            const unsigned address = moved_address(n, placed.rows), reg = load.lreg[copy];
            std::uint32_t word;
            if (load.macro < 0) {
                word = 0x70000000u | reg << 20 | n.mode << 16 | mode << isa::addr_mod_shift(plain_.arch) |
                       address;
            } else {
                const auto macro = static_cast<unsigned>(load.macro);
                word = 0x93000000u | (macro & 3u) << 22 | (reg & 3u) << 20 | n.mode << 16 |
                       mode << isa::addr_mod_shift(plain_.arch) | address | reg >> 2;
                if (macro > 3) word |= 1u << isa::wide_macro_index_shift;
            }
            return {word, address_text(n, address)};
        }
        const placed_operation& o = found_.operations[static_cast<unsigned>(item.operation)];
        const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
        const form& f = n.forms[o.how];
        if (n.what == node::kind::store) {
            const unsigned address = moved_address(n, placed.rows);
            const unsigned reg = f.operand_of[vd] < 0
                                     ? n.insn.vd
                                     : o.operand_lreg[static_cast<unsigned>(f.operand_of[vd])][copy];
            const std::uint32_t word =
                0x72000000u | reg << 20 | n.mode << 16 | mode << isa::addr_mod_shift(plain_.arch) | address;
            return {word, address_text(n, address)};
        }
        return {issued_word(o, copy), {}};
    }

    /// Two issue slots: whether the machine lets the second word go in the cycle of the first.
    bool may_follow_at_once(const placed_item& first, const placed_item& second) const {
        const isa::instruction a = isa::decode(word_of(first).word, words_),
                               b = isa::decode(word_of(second).word, words_);
        return !b.is(opcode::sfploadmacro) && can_go_first(a) &&
               !(a.use.writes & (b.use.reads | b.use.writes));
    }

    /// The words of a cycle in their order: loads first if that may be.
    void put_in_order(std::vector<placed_item>& cycle) const {
        if (cycle.size() != 2) return;
        if (!is_load(cycle[0].item) && is_load(cycle[1].item)) std::swap(cycle[0], cycle[1]);
        if (!may_follow_at_once(cycle[0], cycle[1]) && may_follow_at_once(cycle[1], cycle[0]))
            std::swap(cycle[0], cycle[1]);
    }

    /// The words of one cycle, and the SFPNOPs that keep it apart from the next. Returns how many they are.
    unsigned issue(const std::vector<placed_item>& cycle) {
        const bool two = machine_.issue_width > 1, two_loads = two && machine_.load_ports > 1;
        const bool load = !cycle.empty() && is_load(cycle[0].item);
        unsigned written = 0;
        const auto write = [&](const std::string& text) {
            raw(text, two && written % 2 == 1 ? "in the same cycle" : "");
            ++written;
        };
        // An SFPNOP is a word of the load sub-unit: where one load goes in a cycle, it begins another.
        const bool nop_first = cycle.empty() || (two && cycle.size() == 1 && !load);
        if (nop_first) write("sfpnop");
        for (const placed_item& each : cycle) {
            const written_word what = word_of(each);
            write(with_operand(what.word, what.address));
        }
        while (two_loads && written < 2) write("sfpnop");
        return written;
    }

    std::uint32_t issued_word(const placed_operation& o, unsigned copy) const {
        const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
        const form& f = n.forms[o.how];
        std::array<int, field_count> registers{};
        for (const unsigned which : {va, vb, vc})
            if (f.operand_of[which] >= 0)
                registers[which] =
                    static_cast<int>(o.operand_lreg[static_cast<unsigned>(f.operand_of[which])][copy]);
        // Where an instruction reads no operand, the plain field stays.
        if (f.operand_of[va] < 0) registers[va] = n.insn.va;
        if (f.operand_of[vb] < 0) registers[vb] = n.insn.vb;
        if (f.operand_of[vc] < 0) registers[vc] = n.insn.vc;
        const bool swap = n.insn.latency == isa::latency_class::swap;
        if (swap) registers[vd] = registers[vb];
        else if (!n.results.empty() && n.results[0].where == result::place::destination)
            registers[vd] = static_cast<int>(o.result_lreg[0][copy]);
        else registers[vd] = n.insn.vd;
        return word_with(f, registers);
    }

    std::string register_list(const std::vector<unsigned>& lregs) const {
        std::string text;
        for (const unsigned r : lregs) {
            const std::string name = fmt::format("L{}", r);
            if (text.find(name) != std::string::npos && lregs.size() > 1 && lregs[0] == r) continue;
            text += (text.empty() ? "" : "/") + name;
        }
        return text;
    }

    std::string operation_text(const placed_operation& o) const {
        const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
        const form& f = n.forms[o.how];
        if (n.what == node::kind::store) {
            const std::string from = o.operand_lreg.empty() ? "0" : register_list(o.operand_lreg[0]);
            return fmt::format("[{}] = {}{}", address_text(n, n.address), from, o.issued ? " !" : "");
        }
        std::string operands;
        for (const unsigned which : {va, vb, vc})
            if (f.operand_of[which] >= 0)
                operands += (operands.empty() ? "" : ", ") +
                            register_list(o.operand_lreg[static_cast<unsigned>(f.operand_of[which])]);
        for (const auto& [j, reg] : n.fixed_operands)
            operands += fmt::format("{}L{}", operands.empty() ? "" : ", ", reg), (void)j;
        const bool immediate = f.slot[va] < 0 && f.insn.op->format == isa::layout::imm12 && f.insn.imm != 0;
        if (immediate) operands += fmt::format("{}{}", operands.empty() ? "" : ", ", f.insn.imm);
        std::string results;
        for (const std::vector<unsigned>& of_result : o.result_lreg)
            results += (results.empty() ? "" : ", ") + register_list(of_result);
        const std::string name = std::string(f.insn.op->mnemonic).substr(3);
        return fmt::format("{}{}{}({}){}", results, results.empty() ? "" : " = ", name, operands,
                           o.issued ? " !" : "");
    }

    void table() {
        std::vector<std::array<std::string, 5>> rows(found_.last_time + 1);
        for (const placed_load& load : found_.loads) {
            const node& n = graph_.nodes[static_cast<unsigned>(load.node)];
            std::string& cell = rows[load.time][4];
            cell = fmt::format("{} = {}", register_list(load.lreg),
                               load.host_only ? "." : address_text(n, n.address));
            if (load.macro >= 0) cell += fmt::format(" (m{})", load.macro);
        }
        for (const placed_operation& o : found_.operations) {
            const form& f = graph_.nodes[static_cast<unsigned>(o.node)].forms[o.how];
            std::string& cell = rows[o.time][static_cast<unsigned>(f.unit)];
            cell = operation_text(o);
        }
        constexpr unsigned order[] = {4, 0, 1, 2, 3};
        constexpr const char* names[] = {"Simple", "MAD", "Round", "Store", "Load"};
        std::array<std::size_t, 5> width{};
        for (unsigned u = 0; u < 5; ++u) {
            bool any = false;
            for (const auto& row : rows) {
                width[u] = std::max(width[u], row[u].size());
                any |= !row[u].empty();
            }
            width[u] = any ? std::max(width[u], std::string(names[u]).size()) : 0;
        }
        const auto print = [&](const std::string& first, const std::array<std::string, 5>& cells) {
            std::string text = ";  " + first;
            for (const unsigned u : order)
                if (width[u]) text += fmt::format(" | {:<{}}", cells[u], width[u]);
            while (text.back() == ' ') text.pop_back();
            text_ += text + "\n";
        };
        print(" t", {names[0], names[1], names[2], names[3], names[4]});
        for (std::size_t t = 0; t < rows.size(); ++t) print(fmt::format("{:>2}", t), rows[t]);
        text_ += fmt::format("; One row; the next begins {} cycle{} later. \"!\" is issued, all else but "
                             "loads is scheduled.\n",
                             found_.interval, found_.interval == 1 ? "" : "s");
        if (machine_.issue_width > 1) text_ += "; Up to two words go in a cycle.\n";
        if (found_.rows > 1)
            text_ +=
                fmt::format("; Registers of {} rows take turns: L0/L1 is L0 in one row and L1 in the next.\n",
                            found_.rows);
        if (std::any_of(found_.loads.begin(), found_.loads.end(),
                        [](const placed_load& l) { return l.host_only; }))
            text_ += "; A load of \".\" only names the address of the store.\n";
        for (const placed_operation& o : found_.operations)
            if (const node& n = graph_.nodes[static_cast<unsigned>(o.node)]; n.spills)
                text_ += fmt::format(
                    "; [{:#x}] holds a value of the row for a while; the plain kernel does not use it.\n",
                    n.address);
        text_ += "\n";
    }

    void head() {
        text_ += fmt::format(".arch {}\n", short_name(plain_.arch));
        // The machine is that of the schedule, not the one that the plain kernel names.
        const auto is_of_machine = [](const std::string& key) {
            return std::any_of(parameter_table().begin(), parameter_table().end(),
                               [&](const parameter_row& row) { return row.timing && key == row.path; });
        };
        for (const isa::config_setting& setting : plain_.config)
            if (!is_of_machine(setting.key))
                text_ += fmt::format(".config {}, {}\n", setting.key, setting.value);
        for (const auto& [path, value] : machine_settings_)
            text_ += fmt::format(".config {}, {}\n", path, value);
        if (plain_.rows) text_ += fmt::format(".rows {}\n", *plain_.rows);
        else if (graph_.rows_per_iteration * found_.rows > 1)
            text_ += fmt::format(".rows {}\n", graph_.rows * graph_.rows_per_iteration);
        text_ += fmt::format(".expect cycles_per_row {}\n\n",
                             static_cast<double>(found_.interval) / graph_.rows_per_iteration);
        bool any = false;
        for (const std::string& each : source_) {
            const std::string plain_line = without_comment(each);
            const bool names_something = plain_line.rfind(".equ", 0) == 0 ||
                                         plain_line.rfind(".input", 0) == 0 ||
                                         plain_line.rfind(".output", 0) == 0;
            if (names_something) {
                text_ += trimmed(each) + "\n";
                any = true;
            }
        }
        if (any) text_ += "\n";
    }

    /// A word of the set-up as text, and SFPNOPs until its result is there.
    void set_up(const std::string& text, unsigned latency, const std::string& remark = {}) {
        raw(text, remark);
        ++since_configured_;
        wait(latency - 1);
    }
    void load(unsigned lreg, std::uint32_t bits) {
        constexpr std::uint32_t sfploadi = 0x71000000u;
        set_up(fmt::format("sfploadi L{}, LOWER, {:#06x}", lreg, bits & 0xffffu),
               latency(sfploadi, machine_));
        set_up(fmt::format("sfploadi L{}, UPPER, {:#06x}", lreg, bits >> 16), latency(sfploadi, machine_));
    }
    void load_l0(std::uint32_t bits) { load(0, bits); }
    /// SFPCONFIG from L0.
    void configure(const std::string& what, const std::string& remark = {}) {
        constexpr std::uint32_t sfpconfig = 0x91000000u;
        set_up(fmt::format("sfpconfig 0, {}, 0", what), latency(sfpconfig, machine_), remark);
    }

    void setup() {
        text_ += ".init\n";
        for (const hoisted_constant& each : graph_.constants) {
            if (each.lreg < isa::general_lregs) continue; // behind the plain kernel's own words
            load_l0(each.bits);
            configure(fmt::format("L{}", each.lreg), fmt::format("L{} = {:#x}", each.lreg, each.bits));
        }
        const bool any_macro = found_.macros_used() > 0;
        for (std::size_t t = 0; t < found_.templates.size(); ++t) {
            const std::uint32_t word = found_.templates[t];
            if (word == 0) continue;
            const isa::instruction insn = isa::decode(word, words_);
            const std::string remark = fmt::format("template {}", t);
            if (insn.op->has_backdoor && t < 4 && !found_.template_needs_vd[t]) {
                const unsigned at = insn.op->format == isa::layout::mod0_address ? 20 : 4;
                raw(isa::disassemble((word & ~(15u << at)) | (12u + static_cast<unsigned>(t)) << at, words_),
                    remark);
            } else {
                load_l0(word);
                configure(fmt::format("TEMPLATE{}", t), remark + ": " + isa::disassemble(word, words_));
            }
        }
        std::uint32_t misc = found_.store_mode | 0xf00u;
        if (words_.wide_macro_index()) misc |= 0xf0000u;
        std::set<int> used;
        for (const placed_load& load : found_.loads)
            if (load.macro >= 0) used.insert(load.macro);
        for (const int m : used) {
            const auto macro = static_cast<unsigned>(m);
            if (found_.store_takes_load_mode[macro])
                misc |= 1u << isa::macro_configuration::load_mod_bit(macro);
            sequence(macro);
        }
        if (any_macro) {
            if (misc > 0xffffu) {
                load_l0(misc);
                configure("MISC", "delays count instructions");
            } else {
                raw(fmt::format("sfpconfig {:#x}, MISC, 1", misc), "delays count instructions");
            }
        }
        since_configured_ = 0;
        for (const isa::source_word& word : plain_.init) plain_word(word.word);
        for (const hoisted_constant& each : graph_.constants)
            if (each.lreg < isa::general_lregs) load(each.lreg, each.bits);
        if (own_modes_) address_modes();
        // An SFPLOADMACRO comes so many words behind a write of Misc (T21).
        if (any_macro)
            for (; since_configured_ + 1 < machine_.config_distance; ++since_configured_) raw("sfpnop");
        if (machine_.issue_width > 1) {
            raw("nop", "what follows begins a cycle");
            raw("sfpnop");
        }
        // What rows do before the iteration in which their effects are issued.
        const int lead = static_cast<int>(found_.frame * found_.interval);
        std::map<int, std::vector<std::pair<issued_item, int>>> early;
        for (const issued_item& item : items())
            for (int row = 0;; ++row) {
                const int at = static_cast<int>(item.time) + row * static_cast<int>(found_.interval);
                if (at >= lead) break;
                early[at].emplace_back(item, row);
            }
        if (lead > 0) text_ += "    ; the first rows begin before the loop\n";
        for (int at = early.empty() ? lead : early.begin()->first; at < lead; ++at) {
            std::vector<placed_item> cycle;
            for (const auto& [item, row] : early[at])
                cycle.push_back({item, static_cast<unsigned>(row) % found_.rows, row});
            put_in_order(cycle);
            lead_words_ += issue(cycle);
        }
    }

    void sequence(unsigned macro) {
        std::array<std::uint16_t, 4> half{};
        std::string what;
        for (unsigned u = 0; u < 4; ++u) {
            const macro_entry& entry = found_.macros[macro][u];
            if (!entry.used) continue;
            const unsigned selector =
                entry.instruction_template < 0 ? 3u : 4u + static_cast<unsigned>(entry.instruction_template);
            half[u] = static_cast<std::uint16_t>((entry.vb_is_loaded ? 0x8000u : 0u) |
                                                 (entry.l16 ? 0x4000u : 0u) | entry.delay << 8 | selector);
            const std::string name = isa::to_string(static_cast<sub_unit>(u));
            what += fmt::format("{}{} {} after {}{}", what.empty() ? "" : ", ", name,
                                selector == 3 ? "of the result" : fmt::format("template {}", selector - 4),
                                entry.delay,
                                !entry.l16 ? ""
                                : u == 3   ? " of L16"
                                           : " to L16");
        }
        text_ += fmt::format("    ; m{}: {}\n", macro, what);
        if (!words_.wide_sequences()) {
            std::uint32_t bytes = 0;
            for (unsigned u = 0; u < 4; ++u)
                bytes |= static_cast<std::uint32_t>(isa::byte_of(half[u])) << 8 * u;
            load_l0(bytes);
            configure(fmt::format("SEQUENCE{}", macro));
            return;
        }
        load_l0(half[0] | static_cast<std::uint32_t>(half[1]) << 16);
        configure(fmt::format("SEQUENCE{}_LOWER", macro));
        load_l0(half[2] | static_cast<std::uint32_t>(half[3]) << 16);
        configure(fmt::format("SEQUENCE{}_UPPER", macro));
    }

    void address_modes() {
        const auto& chip = describe(plain_.arch);
        const unsigned first = chip.addr_mod_dst_register;
        unsigned more = 0;
        if (chip.addr_mod_base_register) {
            raw(fmt::format("setc16 {}, 1", chip.addr_mod_base_register),
                "address modes name the upper entries");
            more = 4;
            ++since_configured_;
        }
        raw(fmt::format("setc16 {}, {}", first + more + *stay_, 0), fmt::format("ADDR_MOD_{}: stay", *stay_));
        ++since_configured_;
        if (graph_.step != 0) {
            raw(fmt::format("setc16 {}, {}", first + more + *step_, graph_.step & 0x3ff),
                fmt::format("ADDR_MOD_{}: Dst += {}", *step_, graph_.step));
            ++since_configured_;
        }
    }

    void loop() {
        text_ += found_.rows * graph_.rows_per_iteration > 1
                     ? fmt::format("\n.loop {}\n", found_.rows * graph_.rows_per_iteration)
                     : "\n.loop\n";
        const std::vector<issued_item> all = items();
        for (unsigned row = 0; row < found_.rows; ++row) {
            std::vector<std::vector<placed_item>> slots(found_.interval);
            for (const issued_item& item : all) {
                const int ahead =
                    static_cast<int>(found_.frame) - static_cast<int>(item.time / found_.interval);
                const int copy = ((static_cast<int>(row) + ahead) % static_cast<int>(found_.rows) +
                                  static_cast<int>(found_.rows)) %
                                 static_cast<int>(found_.rows);
                slots[item.time % found_.interval].push_back({item, static_cast<unsigned>(copy), ahead});
            }
            placed_item* last_access = nullptr;
            for (std::vector<placed_item>& cycle : slots) {
                put_in_order(cycle);
                for (placed_item& each : cycle)
                    if (is_access(each.item)) last_access = &each;
            }
            if (last_access && graph_.step != 0) last_access->steps = true;
            for (const std::vector<placed_item>& cycle : slots) issue(cycle);
        }
    }

    unsigned drain() {
        const int interval = static_cast<int>(found_.interval);
        int cycles = 0;
        std::map<int, std::vector<placed_item>> late; // by cycle
        for (const issued_item& item : items())
            for (int k = 1;; ++k) {
                const int at = static_cast<int>(item.time) - (static_cast<int>(found_.frame) + k) * interval;
                if (at < 0) break;
                const int copies = static_cast<int>(found_.rows);
                late[at].push_back({item, static_cast<unsigned>(((-k) % copies + copies) % copies), -k});
                cycles = std::max(cycles, at + 1);
            }
        // Rows that are none were begun, too: what their loads scheduled must not stay outstanding.
        for (const placed_operation& o : found_.operations) {
            if (o.issued) continue;
            const unsigned begun = found_.loads[static_cast<unsigned>(o.parent)].time / found_.interval;
            cycles =
                std::max(cycles, static_cast<int>(o.time) - static_cast<int>((begun + 1) * found_.interval));
        }
        // The plain kernel's own tail reads what the last row left, on slow machines a while later.
        if (!plain_.tail.empty())
            cycles +=
                2 + static_cast<int>(*std::max_element(machine_.latency.begin(), machine_.latency.end()));
        if (cycles == 0 && plain_.tail.empty()) return 0;
        text_ += "\n.tail\n";
        unsigned words = 0;
        for (int at = 0; at < cycles; ++at) {
            std::vector<placed_item>& cycle = late[at];
            put_in_order(cycle);
            words += issue(cycle);
        }
        return words;
    }

    const graph& graph_;
    const schedule& found_;
    const isa::kernel& plain_;
    std::vector<std::string> source_;
    const isa::machine &machine_, &written_for_;
    std::vector<std::pair<std::string, std::string>> machine_settings_;
    isa::word_encoding words_;
    isa::thread_state thread_;
    std::optional<unsigned> stay_, step_;
    bool own_modes_ = false;
    unsigned since_configured_ = 0, lead_words_ = 0;
    std::string text_;
};

} // namespace

emitted_kernel emit(const graph& of, const schedule& found, const isa::kernel& plain,
                    const std::string& source, const isa::machine& machine, const isa::machine& written_for,
                    const isa::thread_state& thread,
                    const std::vector<std::pair<std::string, std::string>>& machine_settings,
                    const std::vector<std::string>& remarks) {
    return writer(of, found, plain, source, machine, written_for, thread).write(machine_settings, remarks);
}

} // namespace sfpu::optimizer
