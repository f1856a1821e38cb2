#include <sfpu/optimizer/emit.h>

#include "row_words.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sfpu::optimizer {
namespace {

using isa::sub_unit;
namespace opcode = isa::opcode;

/// How many SFPNOPs let so many cycles pass before the next word. With two issue slots the first and the last
/// may share the cycles of their neighbours.
unsigned waiting_words(const isa::machine& machine, unsigned cycles) {
    if (machine.issue_width == 1 || cycles == 0) return cycles;
    return machine.load_ports > 1 ? 2 * cycles + 3 : cycles + 2;
}

class writer {
public:
    /// `by_names`: in the words of the source, its lines and names.
    writer(const graph& of, const schedule& found, const isa::kernel& plain, const std::string& source,
           const isa::machine& machine, const isa::machine& written_for, const isa::thread_state& thread,
           bool by_names)
        : graph_(of), found_(found), plain_(plain), source_(lines_of(source)), machine_(machine),
          written_for_(written_for), words_(machine.encoding()), thread_(thread), by_names_(by_names),
          rows_(of, found, plain, source_, words_,
                by_names ? source_names(of, plain, source_) : source_names()) {}

    emitted_kernel write(const std::vector<std::pair<std::string, std::string>>& machine_settings,
                         const std::vector<std::string>& remarks) {
        machine_settings_ = machine_settings;
        words_.arch = plain_.arch;
        choose_address_modes();
        for (const std::string& remark : remarks) text_ += remark.empty() ? ";\n" : "; " + remark + "\n";
        text_ += ";\n";
        text_ += pipeline_table(graph_, found_, rows_, machine_) + "\n";
        head();
        setup();
        loop();
        const unsigned tail = drain();
        constexpr std::uint32_t sfpmov_of_all_lanes = std::uint32_t{opcode::sfpmov} << 24 | 2u;
        for (const auto& [constant, lreg] : graph_.tail_copies)
            plain_word(sfpmov_of_all_lanes | constant << 8 | lreg << 4);
        plain_words(plain_.tail);
        return {text_, lead_words_, tail};
    }

private:
    void line(std::uint32_t word, const std::string& last_operand = {}, const std::string& remark = {}) {
        raw(with_operand(word, last_operand), remark);
    }
    std::string with_operand(std::uint32_t word, const std::string& last_operand) const {
        const std::string text = rows_.names().in(isa::disassemble(word, words_));
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
        wait(waits_behind(word));
    }
    unsigned waits_behind(std::uint32_t word) const {
        const unsigned here = latency(word, machine_), there = latency(word, written_for_);
        // With two issue slots an SFPNOP of the plain kernel may wait for nothing.
        if (machine_.issue_width > 1) return here - 1;
        return here > there ? here - there : 0;
    }
    void source_line(const std::string& line) {
        const std::size_t end = std::min(line.find(';'), line.size());
        raw(trimmed(line.substr(0, end)), end == line.size() ? "" : trimmed(line.substr(end + 1)));
    }
    /// A section of the plain kernel, as it is written there where its lines can stay.
    void plain_words(const std::vector<isa::source_word>& words) {
        for (std::size_t at = 0, end = 0; at < words.size(); at = end) {
            while (end < words.size() && words[end].line == words[at].line) ++end;
            const auto first = words.begin() + static_cast<std::ptrdiff_t>(at),
                       last = words.begin() + static_cast<std::ptrdiff_t>(end);
            const bool stays = std::none_of(first, last, [&](const isa::source_word& each) {
                return sets_up_macros(each.word) || waits_behind(each.word) > 0;
            });
            if (by_names_ && stays && first->line > 0 && first->line <= source_.size()) {
                source_line(source_[first->line - 1]);
                since_configured_ += static_cast<unsigned>(end - at);
                continue;
            }
            for (auto each = first; each != last; ++each)
                if (!sets_up_macros(each->word)) plain_word(each->word);
        }
    }
    /// The plain kernel has no macros: what it set up for some would take the place of what this one needs.
    bool sets_up_macros(std::uint32_t word) const {
        if (isa::classify(word, plain_.arch) != isa::word_kind::sfpu) return false;
        const isa::instruction insn = isa::decode(word, words_);
        return insn.names_template() ||
               (insn.is(isa::opcode::sfpconfig) && insn.vd <= isa::config_destination_vd::misc);
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
        std::optional<unsigned> stay, step;
        // Rather a step of each row with a modifier that the kernel has than one of all together.
        const int rows = static_cast<int>(graph_.rows_per_iteration);
        const std::vector<issued_item> items = rows_.items();
        const auto accesses = std::count_if(items.begin(), items.end(),
                                            [&](const issued_item& each) { return rows_.is_access(each); });
        for (const int steps : {1, rows}) {
            if (graph_.step % steps != 0 || steps > accesses || step) continue;
            // Two words that both move the counter share no cycle.
            if (machine_.issue_width > 1 && steps > 1) continue;
            steps_ = static_cast<unsigned>(steps);
            for (unsigned m = modes; m-- > 0;) {
                isa::thread_state after = thread_;
                after.apply_addr_mod(m);
                if (after.rwc.dst_cr != thread_.rwc.dst_cr && graph_.step != 0 &&
                    after.rwc.dst == thread_.rwc.dst)
                    continue;
                if (after.rwc.sp != thread_.rwc.sp) continue;
                const unsigned change = (after.rwc.dst - thread_.rwc.dst) & 0x3ffu;
                if (change == 0 && !stay && (thread_.still_modifiers() >> m & 1u)) stay = m;
                if (change == (static_cast<unsigned>(graph_.step / steps) & 0x3ffu) && change != 0 && !step)
                    step = m;
            }
        }
        own_modes_ = !stay || (graph_.step != 0 && !step);
        if (own_modes_) {
            stay = modes - 1;
            step = modes - 2;
        }
        if (own_modes_ || graph_.step == 0) steps_ = 1;
        modes_ = {*stay, graph_.step == 0 ? *stay : *step};
    }

    /// The words of one cycle, and the SFPNOPs that keep it apart from the next. Returns how many they are.
    unsigned issue(const std::vector<placed_item>& cycle) {
        const bool two = machine_.issue_width > 1, two_loads = two && machine_.load_ports > 1;
        const bool load = !cycle.empty() && rows_.is_load(cycle[0].item);
        unsigned written = 0;
        const auto write = [&](const std::string& text) {
            raw(text, two && written % 2 == 1 ? "in the same cycle" : "");
            ++written;
        };
        // An SFPNOP is a word of the load sub-unit: where one load goes in a cycle, it begins another.
        const bool nop_first = cycle.empty() || (two && cycle.size() == 1 && !load);
        if (nop_first) write("sfpnop");
        for (const placed_item& each : cycle) {
            const row_words::written_word what = rows_.word_of(each, modes_);
            write(with_operand(what.word, what.address));
        }
        while (two_loads && written < 2) write("sfpnop");
        return written;
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
        if (found_.peeled > 0)
            text_ += fmt::format(".peeled {}\n", found_.peeled * graph_.rows_per_iteration);
        text_ += fmt::format(".expect cycles_per_row {}\n\n",
                             static_cast<double>(found_.interval) / graph_.rows_per_iteration);
        for (const isa::named_value& each : plain_.definitions)
            if (each.line <= source_.size()) text_ += trimmed(source_[each.line - 1]) + "\n";
        if (!plain_.definitions.empty()) text_ += "\n";
    }

    /// A word of the set-up as text, and SFPNOPs until its result is there.
    void set_up(const std::string& text, unsigned latency, const std::string& remark = {}) {
        raw(text, remark);
        ++since_configured_;
        wait(latency - 1);
    }
    void load(unsigned lreg, std::uint32_t bits) {
        constexpr std::uint32_t sfploadi = std::uint32_t{opcode::sfploadi} << 24;
        set_up(fmt::format("sfploadi L{}, LOWER, {:#06x}", lreg, bits & 0xffffu),
               latency(sfploadi, machine_));
        set_up(fmt::format("sfploadi L{}, UPPER, {:#06x}", lreg, bits >> 16), latency(sfploadi, machine_));
    }
    void load_l0(std::uint32_t bits) { load(0, bits); }
    /// Directives leave no room for SFPNOPs between their words.
    bool has_dense_set_up() const {
        constexpr std::uint32_t sfploadi = std::uint32_t{opcode::sfploadi} << 24,
                                sfpconfig = std::uint32_t{opcode::sfpconfig} << 24;
        return latency(sfploadi, machine_) == 1 && latency(sfpconfig, machine_) == 1;
    }
    /// Template or sequence `number`, or Misc, from L0.
    static std::vector<std::uint32_t>
    words_through_l0(std::uint32_t bits, unsigned first, unsigned number,
                     isa::extended_index::part part = isa::extended_index::part::whole) {
        const std::uint32_t config =
            isa::extended_index{number & 4u, part}.immediate() << 8 | (first + (number & 3u)) << 4;
        constexpr std::uint32_t lower = std::uint32_t{opcode::sfploadi} << 24 | 10u << 16,
                                upper = std::uint32_t{opcode::sfploadi} << 24 | 8u << 16;
        return {lower | (bits & 0xffffu), upper | bits >> 16,
                std::uint32_t{opcode::sfpconfig} << 24 | config};
    }
    /// A part of the set-up as a directive, if there is one for it. Returns whether there is.
    bool directive(const std::vector<std::uint32_t>& words) {
        const std::string text = has_dense_set_up() ? setup_directive(words, words_) : "";
        if (!text.empty()) raw(text);
        return !text.empty();
    }
    /// A constant, behind which nothing of L0 is known.
    void set_constant(const hoisted_constant& each) {
        const std::string remark = fmt::format("L{} = {:#x}", each.lreg, each.bits);
        if (has_dense_set_up()) {
            raw(fmt::format(".constant L{}, {:#x}", each.lreg, each.bits));
        } else if (each.lreg < isa::general_lregs) {
            load(each.lreg, each.bits);
        } else {
            load_l0(each.bits);
            configure(fmt::format("L{}", each.lreg), remark);
        }
    }
    /// SFPCONFIG from L0.
    void configure(const std::string& what, const std::string& remark = {}) {
        constexpr std::uint32_t sfpconfig = std::uint32_t{opcode::sfpconfig} << 24;
        set_up(fmt::format("sfpconfig 0, {}, 0", what), latency(sfpconfig, machine_), remark);
    }

    void setup() {
        text_ += ".init\n";
        for (const hoisted_constant& each : graph_.constants) {
            if (each.lreg < isa::general_lregs) continue; // behind the plain kernel's own words
            if (!is_read(each.lreg)) continue;            // half of another one
            set_constant(each);
        }
        for (std::size_t t = 0; t < found_.templates.size(); ++t)
            if (found_.templates[t] != 0) set_template(t);
        const std::uint32_t misc = set_sequences();
        const bool any_macro = found_.macros_used() > 0;
        if (any_macro) set_misc(misc);
        since_configured_ = 0;
        plain_words(plain_.init);
        for (const hoisted_constant& each : graph_.constants)
            if (each.lreg < isa::general_lregs) set_constant(each);
        if (own_modes_) address_modes();
        // An SFPLOADMACRO comes so many words behind a write of Misc (T21).
        if (any_macro)
            for (; since_configured_ + 1 < machine_.config_distance; ++since_configured_) raw("sfpnop");
        if (machine_.issue_width > 1) {
            raw("nop", "what follows begins a cycle");
            raw("sfpnop");
        }
        begin_first_rows();
    }

    /// Whether something of the schedule or behind it reads a constant register.
    bool is_read(unsigned lreg) const {
        const auto reads = [&](const operand& o) {
            return o.value < 0 && o.constant == static_cast<int>(lreg);
        };
        return std::any_of(found_.operations.begin(), found_.operations.end(),
                           [&](const placed_operation& o) {
                               const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
                               return std::any_of(n.operands.begin(), n.operands.end(), reads);
                           }) ||
               std::any_of(graph_.tail_copies.begin(), graph_.tail_copies.end(),
                           [&](const auto& copy) { return copy.first == lreg; });
    }

    void set_template(std::size_t t) {
        const std::uint32_t word = found_.templates[t];
        const isa::instruction insn = isa::decode(word, words_);
        const std::string remark = fmt::format("template {}", t);
        if (insn.op->has_backdoor && t < 4 && !found_.template_needs_vd[t]) {
            const unsigned at = insn.op->format == isa::layout::mod0_address ? 20 : 4;
            const std::uint32_t through = (word & ~(15u << at)) | (12u + static_cast<unsigned>(t)) << at;
            const std::string text = is_taken_alike(t) ? template_directive(through, takes_vb(t), words_)
                                                       : setup_directive({through}, words_);
            if (text.empty()) raw(isa::disassemble(through, words_), remark);
            else raw(rows_.names().in(text));
        } else if (!directive(words_through_l0(word, isa::config_destination_vd::first_template,
                                               static_cast<unsigned>(t)))) {
            load_l0(word);
            configure(fmt::format("TEMPLATE{}", t), remark + ": " + isa::disassemble(word, words_));
        }
    }

    /// Returns the contents of Misc.
    std::uint32_t set_sequences() {
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
        return misc;
    }

    void set_misc(std::uint32_t misc) {
        constexpr std::uint32_t immediate = std::uint32_t{opcode::sfpconfig} << 24 |
                                            std::uint32_t{isa::config_destination_vd::misc} << 4 | 1u;
        if (misc > 0xffffu) {
            if (directive(words_through_l0(misc, isa::config_destination_vd::misc, 0))) return;
            load_l0(misc);
            configure("MISC", "delays count instructions");
        } else if (!directive({immediate | misc << 8})) {
            raw(fmt::format("sfpconfig {:#x}, MISC, 1", misc), "delays count instructions");
        }
    }
    /// Whether the loads of all macros that use a template give its VB.
    bool takes_vb(std::size_t t) const {
        for (const std::array<macro_entry, 4>& macro : found_.macros)
            for (const macro_entry& entry : macro)
                if (entry.used && entry.instruction_template == static_cast<int>(t) && !entry.vb_is_loaded)
                    return false;
        return true;
    }
    /// Whether the loads of all macros that use a template give the same operand.
    bool is_taken_alike(std::size_t t) const {
        std::set<bool> ways;
        for (const std::array<macro_entry, 4>& macro : found_.macros)
            for (const macro_entry& entry : macro)
                if (entry.used && entry.instruction_template == static_cast<int>(t))
                    ways.insert(entry.vb_is_loaded);
        return ways.size() == 1;
    }

    /// What rows do before the iteration in which their effects are issued.
    void begin_first_rows() {
        const int lead = static_cast<int>(last_frame() * found_.interval);
        std::map<int, std::vector<std::pair<issued_item, int>>> early;
        for (const issued_item& item : rows_.items())
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
            rows_.put_in_order(cycle);
            lead_words_ += issue(cycle);
        }
    }

    static std::uint32_t bytes_of(const std::array<std::uint16_t, 4>& half) {
        std::uint32_t bytes = 0;
        for (unsigned u = 0; u < 4; ++u) bytes |= static_cast<std::uint32_t>(isa::byte_of(half[u])) << 8 * u;
        return bytes;
    }
    bool sequence_directive(unsigned macro, const std::array<std::uint16_t, 4>& half) {
        constexpr unsigned first = isa::config_destination_vd::first_sequence;
        using part = isa::extended_index::part;
        if (!words_.wide_sequences()) return directive(words_through_l0(bytes_of(half), first, macro));
        std::vector<std::uint32_t> all;
        for (const unsigned u : {0u, 2u}) {
            const auto one = words_through_l0(half[u] | static_cast<std::uint32_t>(half[u + 1]) << 16, first,
                                              macro, u == 0 ? part::lower : part::upper);
            // An upper half of zeros is there already.
            for (std::size_t i = 0; i < one.size(); ++i)
                if (u == 0 || i != 1 || half[3] != 0 || half[1] != 0) all.push_back(one[i]);
        }
        return directive(all);
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
        if (sequence_directive(macro, half)) return;
        text_ += fmt::format("    ; m{}: {}\n", macro, what);
        if (!words_.wide_sequences()) {
            const std::uint32_t bytes = bytes_of(half);
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
        raw(fmt::format("setc16 {}, {}", first + more + modes_.stay, 0),
            fmt::format("ADDR_MOD_{}: stay", modes_.stay));
        ++since_configured_;
        if (graph_.step != 0) {
            raw(fmt::format("setc16 {}, {}", first + more + modes_.step, graph_.step & 0x3ff),
                fmt::format("ADDR_MOD_{}: Dst += {}", modes_.step, graph_.step));
            ++since_configured_;
        }
    }

    void loop() {
        text_ += found_.rows * graph_.rows_per_iteration > 1
                     ? fmt::format("\n.loop {}\n", found_.rows * graph_.rows_per_iteration)
                     : "\n.loop\n";
        const std::vector<issued_item> all = rows_.items();
        for (unsigned row = 0; row < found_.rows; ++row) {
            std::vector<std::vector<placed_item>> slots(found_.interval);
            for (const issued_item& item : all) {
                const int ahead =
                    static_cast<int>(last_frame()) - static_cast<int>(item.time / found_.interval);
                const int copy = ((static_cast<int>(row) + ahead) % static_cast<int>(found_.rows) +
                                  static_cast<int>(found_.rows)) %
                                 static_cast<int>(found_.rows);
                slots[item.time % found_.interval].push_back({item, static_cast<unsigned>(copy), ahead});
            }
            std::vector<placed_item*> accesses;
            for (std::vector<placed_item>& cycle : slots) {
                rows_.put_in_order(cycle);
                for (placed_item& each : cycle)
                    if (rows_.is_access(each.item)) accesses.push_back(&each);
            }
            step_with_last(accesses);
            for (const std::vector<placed_item>& cycle : slots) issue(cycle);
        }
    }

    /// The last accesses of an iteration move the counter.
    void step_with_last(const std::vector<placed_item*>& accesses) const {
        if (graph_.step == 0) return;
        const std::size_t steps = std::min<std::size_t>(steps_, accesses.size());
        for (std::size_t k = 0; k < steps; ++k) {
            placed_item& each = *accesses[accesses.size() - steps + k];
            each.steps = true;
            each.advanced = static_cast<int>(k) * graph_.step / static_cast<int>(steps_);
        }
    }

    unsigned drain() {
        const int interval = static_cast<int>(found_.interval);
        int cycles = 0;
        std::map<int, std::vector<placed_item>> late; // by cycle
        for (const issued_item& item : rows_.items())
            for (int k = 1;; ++k) {
                const int at = static_cast<int>(item.time) - (static_cast<int>(found_.frame) + k) * interval;
                if (at < 0) break;
                const int copies = static_cast<int>(found_.rows), ahead = static_cast<int>(found_.peeled) - k;
                late[at].push_back({item, static_cast<unsigned>((ahead % copies + copies) % copies), ahead});
                cycles = std::max(cycles, at + 1);
            }
        // Rows that are none were begun, too: what their loads scheduled must not stay outstanding.
        for (const placed_operation& o : found_.operations) {
            if (o.issued) continue;
            unsigned begun = found_.loads[static_cast<unsigned>(o.parent)].time / found_.interval;
            if (found_.peeled > 0) begun = std::min(begun, found_.frame); // by the last row
            cycles =
                std::max(cycles, static_cast<int>(o.time) - static_cast<int>((begun + 1) * found_.interval));
        }
        // The plain kernel's own tail reads what the last row left, on slow machines a while later.
        if (!plain_.tail.empty())
            cycles +=
                2 + static_cast<int>(*std::max_element(machine_.latency.begin(), machine_.latency.end()));
        if (cycles == 0 && plain_.tail.empty() && found_.peeled == 0) return 0;
        text_ += "\n.tail\n";
        unsigned words = 0;
        for (int at = 0; at < cycles; ++at) {
            std::vector<placed_item>& cycle = late[at];
            rows_.put_in_order(cycle);
            words += issue(cycle);
        }
        return words + count_peeled_rows();
    }
    /// The Dst counter stands behind all rows.
    unsigned count_peeled_rows() {
        constexpr unsigned most = 15, shift = 14; // of a word
        unsigned words = 0;
        for (unsigned left = found_.peeled * static_cast<unsigned>(graph_.step); left > 0; ++words) {
            const unsigned some = std::min(left, most);
            line(std::uint32_t{opcode::incrwc} << 24 | some << shift);
            left -= some;
        }
        return words;
    }
    /// The last stage of a row in which effects are issued: the loop begins with that of the first row.
    unsigned last_frame() const { return found_.frame + found_.peeled; }

    const graph& graph_;
    const schedule& found_;
    const isa::kernel& plain_;
    std::vector<std::string> source_;
    const isa::machine &machine_, &written_for_;
    std::vector<std::pair<std::string, std::string>> machine_settings_;
    isa::word_encoding words_;
    isa::thread_state thread_;
    bool by_names_;
    row_words rows_;
    row_address_modes modes_;
    bool own_modes_ = false; ///< the set-up defines them
    unsigned steps_ = 1;     ///< accesses of an iteration that move the Dst counter
    unsigned since_configured_ = 0, lead_words_ = 0;
    std::string text_;
};

bool same_words(const std::vector<isa::source_word>& one, const std::vector<isa::source_word>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const isa::source_word& a, const isa::source_word& b) { return a.word == b.word; });
}
/// Whether a kernel in the names of its source says what it is to say: a name may have two meanings.
bool has_same_words(const std::string& one, const std::string& other, const isa::machine& machine) {
    const isa::assembly a = isa::assemble(one, "", machine.encoding()),
                        b = isa::assemble(other, "", machine.encoding());
    return a.ok() && b.ok() && same_words(a.program.init, b.program.init) &&
           same_words(a.program.loop, b.program.loop) && same_words(a.program.tail, b.program.tail);
}

} // namespace

emitted_kernel emit(const graph& of, const schedule& found, const isa::kernel& plain,
                    const std::string& source, const isa::machine& machine, const isa::machine& written_for,
                    const isa::thread_state& thread,
                    const std::vector<std::pair<std::string, std::string>>& machine_settings,
                    const std::vector<std::string>& remarks) {
    const auto written = [&](bool by_names) {
        return writer(of, found, plain, source, machine, written_for, thread, by_names)
            .write(machine_settings, remarks);
    };
    emitted_kernel named = written(true), safe = written(false);
    return has_same_words(named.text, safe.text, machine) ? named : safe;
}

} // namespace sfpu::optimizer
