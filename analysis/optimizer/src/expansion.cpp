#include <sfpu/optimizer/expansion.h>

#include "expansion_row.h"
#include "row_words.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sfpu::optimizer {
namespace {

using isa::instruction;
namespace opcode = isa::opcode;

/// Writes the instructions of a row as plain ones, in registers of their own.
class plain_writer {
public:
    plain_writer(const isa::kernel& kernel, const std::string& source, const row_record& row, unsigned rows,
                 const isa::machine& machine, const isa::machine& other, const isa::thread_state& thread)
        : kernel_(kernel), row_(row), rows_(rows), machine_(machine), other_(other), thread_(thread) {
        std::istringstream stream(source);
        for (std::string line; std::getline(stream, line);) source_.push_back(line.substr(0, line.find(';')));
    }

    expanded_kernel write() {
        head();
        line(".init");
        for (const std::size_t w : row_.init_words) {
            const std::uint32_t word = kernel_.init[w].word;
            line("    " + isa::disassemble(word, kernel_.words));
            if (isa::classify(word, kernel_.arch) == isa::word_kind::front_end)
                thread_.execute_front_end(isa::decode(word, kernel_.words));
        }
        choose_modifiers();
        line(kernel_.rows_per_iteration > 1 ? fmt::format(".loop {}", kernel_.rows_per_iteration) : ".loop");
        find_last_uses();
        for (position_ = 0; position_ < row_.instructions.size(); ++position_) translate();
        if (!step_)
            for (unsigned rest = row_.step; rest > 0; rest -= std::min(rest, 15u))
                line(fmt::format("    incrwc 0, {}, 0, 0", std::min(rest, 15u)));
        tail();
        out_.span = row_.span;
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(const row_instruction& at, const std::string& why) const {
        const isa::source_word& word = kernel_.loop[at.at.first];
        throw row_error(word.line, isa::disassemble(word.word, kernel_.words) + ": " + why);
    }

    void line(const std::string& text) {
        out_.text += text + "\n";
        ++lines_;
    }

    void head() {
        line(fmt::format(".arch {}", short_name(kernel_.arch)));
        for (const isa::config_setting& setting : kernel_.config)
            line(fmt::format(".config {}, {}", setting.key, setting.value));
        line(fmt::format(".rows {}", rows_));
        for (const isa::named_value& each : kernel_.definitions)
            if (each.line <= source_.size()) line(trimmed(source_[each.line - 1]));
    }

    void choose_modifiers() {
        const unsigned modes = 1u << isa::addr_mod_width(kernel_.arch);
        for (unsigned m = modes; m-- > 0;) {
            isa::thread_state after = thread_;
            after.apply_addr_mod(m);
            if (thread_.still_modifiers() >> m & 1u) stay_ = stay_.value_or(m);
            else if (!step_ && after.rwc.dst_cr == thread_.rwc.dst_cr && after.rwc.sp == thread_.rwc.sp &&
                     ((after.rwc.dst - thread_.rwc.dst) & 0x3ffu) == row_.step)
                step_ = m;
        }
        if (!stay_) throw row_error(0, "every address modifier moves the Dst counter");
        if (row_.step == 0) step_ = stay_;
        else if (!step_ && row_.step > 60)
            throw row_error(0, "no address modifier moves the Dst counter from iteration to iteration");
        instruction none;
        none.imm10 = 0;
        origin_ = thread_.counted_address(none);
        for (std::size_t i = 0; i < row_.instructions.size(); ++i) {
            const instruction& insn = row_.instructions[i].what->insn;
            if (insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro) || insn.is(opcode::sfpstore))
                last_access_ = i;
        }
    }

    /// The code behind the loop that is no part of rows: the same words, and the Dst counter where it would
    /// be without the others.
    void tail() {
        if (row_.tail_words.empty()) return;
        line(".tail");
        isa::thread_state with_all = thread_, alone = thread_;
        auto next = row_.tail_words.begin();
        for (std::size_t w = 0; w < kernel_.tail.size() && next != row_.tail_words.end(); ++w) {
            const std::uint32_t word = kernel_.tail[w].word;
            const instruction insn = isa::decode(word, kernel_.words);
            const bool front_end = isa::classify(word, kernel_.arch) == isa::word_kind::front_end,
                       access = insn.is(opcode::sfpload) || insn.is(opcode::sfpstore) ||
                                insn.is(opcode::sfploadmacro);
            if (*next == w) {
                const unsigned address = (insn.imm10 + with_all.rwc.dst - alone.rwc.dst) & 0x3ffu;
                line("    " + isa::disassemble(access ? (word & ~0x3ffu) | address : word, kernel_.words));
                if (!front_end) wait(insn);
                if (front_end) alone.execute_front_end(insn);
                if (access) alone.apply_addr_mod(insn.addr_mod);
                ++next;
            }
            if (front_end) with_all.execute_front_end(insn);
            if (access) with_all.apply_addr_mod(insn.addr_mod);
        }
    }

    void find_last_uses() {
        for (std::size_t i = 0; i < row_.instructions.size(); ++i) {
            const row_instruction& row = row_.instructions[i];
            for (unsigned f = 0; f < field_count; ++f)
                if (row.use.reads[f]) last_use_[row.fields[f]] = i;
            for (const auto& [lreg, value] : row.fixed) {
                last_use_[value] = i;
                must_[value] = lreg;
            }
            for (const auto& each : row.kept) last_use_[each.second] = i;
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                if (isa::contains(row.use.fixed_writes, r)) must_[{row.at, r}] = r;
        }
        for (const read_value& left : row_.left_behind) {
            must_[left] = home_[left] = left.lreg;
            last_use_[left] = row_.instructions.size();
        }
    }
    /// What it left in the row before is what it overwrites.
    bool is_its_own(const row_instruction& at, const read_value& value) const {
        return value.from == at.at && row_.left_behind.count(value) != 0;
    }

    unsigned register_of(const row_instruction& at, const read_value& value) const {
        if (!value.from) return value.lreg;
        const auto found = home_.find(value);
        if (found == home_.end()) refuse(at, fmt::format("it reads L{} before that is written", value.lreg));
        return found->second;
    }

    /// Whether a register holds something that is read behind this instruction, or by it.
    bool taken(unsigned lreg, bool by_it) const {
        if (isa::contains(row_.constants, lreg)) return true;
        for (const auto& [value, at] : home_) {
            if (at != lreg) continue;
            const auto use = last_use_.find(value);
            if (use != last_use_.end() && use->second + (by_it ? 1 : 0) > position_) return true;
        }
        return scratch_ == lreg;
    }

    unsigned free_register(const row_instruction& at, unsigned preferred, bool by_it) const {
        const auto wanted = [&](unsigned r) {
            return std::any_of(must_.begin(), must_.end(),
                               [&](const auto& each) { return each.second == r; });
        };
        if (preferred < isa::general_lregs && !taken(preferred, by_it)) return preferred;
        for (const bool any : {false, true})
            for (unsigned r = isa::general_lregs; r-- > 0;)
                if (!taken(r, by_it) && (any || !wanted(r))) return r;
        refuse(at, "as plain code the row needs more than eight registers");
    }

    /// The register of an operand that the instruction overwrites: its own, or that of a copy.
    unsigned overwritten(const row_instruction& at, const read_value& value, unsigned preferred) {
        const unsigned lreg = register_of(at, value);
        if (is_its_own(at, value)) return lreg;
        const auto use = last_use_.find(value);
        if (value.from && use != last_use_.end() && use->second <= position_ && scratch_ != lreg) return lreg;
        const unsigned copy = free_register(at, preferred, true);
        line(fmt::format("    sfpmov 0, L{}, L{}, 0", lreg, copy));
        scratch_ = copy;
        return copy;
    }

    void note(const row_instruction& row) {
        kept_place place;
        place.line = lines_;
        place.unit = row.what->insn.unit;
        place.issued = !row.what->scheduled;
        if (row.what->insn.is(opcode::sfploadmacro)) place.macro = row.what->insn.macro_index;
        place.time = static_cast<unsigned>(row.what->begin - row_.begin);
        if (row.host) {
            const auto host = line_of_.find({*row.host, issued_unit});
            if (host == line_of_.end())
                refuse(row, fmt::format("its {} is scheduled in one row and computes for the next",
                                        row.what->insn.op->mnemonic));
            place.parent_line = host->second;
        }
        line_of_[row.at] = lines_;
        out_.places.push_back(place);
    }

    /// The last operand of a load as the source writes it, if the address is the same.
    std::string address_text(const row_instruction& row, unsigned address) const {
        const isa::source_word& word = kernel_.loop[row.at.first];
        if (word.line > 0 && word.line <= source_.size()) {
            const std::string& written = source_[word.line - 1];
            const std::size_t comma = written.rfind(',');
            const std::string text = comma == std::string::npos ? "" : trimmed(written.substr(comma + 1));
            const instruction there = isa::decode(word.word, kernel_.words);
            const unsigned last = there.is(opcode::sfploadmacro) ? there.imm10 & ~1u : there.imm10;
            if (last == address && still_means(kernel_, text, last)) return text;
        }
        return fmt::format("{:#x}", address);
    }

    void access(const row_instruction& row) {
        const instruction& insn = row.what->insn;
        const bool store = insn.is(opcode::sfpstore);
        const unsigned address = (row.address - origin_) & 0x3ffu;
        unsigned lreg = insn.vd;
        if (store) {
            if (row.use.reads[vd]) lreg = register_of(row, row.fields[vd]);
            if (lreg >= 12) lreg = overwritten(row, row.fields[vd], 0); // SFPSTORE of such a register is none
        } else {
            const auto kept = row.kept.find(lreg);
            if (row.use.reads[vd]) lreg = overwritten(row, row.fields[vd], lreg);
            else if (kept != row.kept.end()) lreg = overwritten(row, kept->second, lreg);
            else lreg = free_register(row, lreg, false);
        }
        const unsigned mode = position_ == last_access_ && step_ ? *step_ : *stay_;
        const std::uint32_t word = (store ? 0x72000000u : 0x70000000u) | lreg << 20 |
                                   static_cast<std::uint32_t>(insn.mod) << 16 |
                                   mode << isa::addr_mod_shift(kernel_.arch) | address;
        const std::string text = isa::disassemble(word, kernel_.words);
        line("    " + text.substr(0, text.rfind(',') + 2) + address_text(row, address));
        note(row);
        if (!store) settle({row.at, insn.vd}, lreg);
    }

    /// Not every machine waits for a result by itself.
    void wait(const instruction& insn) {
        const unsigned latency = std::max(isa::latency_of(insn, machine_), isa::latency_of(insn, other_));
        for (unsigned cycle = 1; cycle < latency; ++cycle) line("    sfpnop");
    }

    void settle(const read_value& value, unsigned lreg) {
        const auto must = must_.find(value);
        if (must != must_.end() && must->second != lreg) {
            line(fmt::format("    sfpmov 0, L{}, L{}, 0", lreg, must->second));
            lreg = must->second;
        }
        home_[value] = lreg;
        scratch_.reset();
    }

    /// The word of a scheduled instruction as one that may be issued.
    std::uint32_t issuable_word(const row_instruction& row) const {
        const instruction& insn = row.what->insn;
        // The immediate of SFPSHFT2 takes the place of its VB.
        if (insn.is(opcode::sfpshft2) && insn.mod == 6) {
            const std::uint32_t amount = insn.word & 0x00fff000u;
            return 0x7a000000u | amount | (describe(kernel_.arch).has_shift_of_vc ? 5u : 1u);
        }
        return insn.word;
    }

    /// An instruction that becomes one of the plain row.
    struct translated {
        std::uint32_t word = 0;
        form how;
        std::array<read_value, field_count> operands;
        std::array<bool, field_count> reads{};
        std::array<int, field_count> registers{};
        std::optional<unsigned> result; ///< the register that the result has to take
    };

    void translate() {
        const row_instruction& row = row_.instructions[position_];
        scratch_.reset();
        const instruction& insn = row.what->insn;
        if (insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro) || insn.is(opcode::sfpstore))
            return access(row);
        if (insn.latency == isa::latency_class::swap) return swap(row);

        translated it = with_operands(row);
        tie_result(row, it);
        choose_result(row, it);
        for (const auto& [lreg, value] : row.fixed)
            if (register_of(row, value) != lreg)
                refuse(row, fmt::format("it reads L{}, which is taken", lreg));
        line("    " + isa::disassemble(word_with(it.how, it.registers), kernel_.words));
        note(row);
        wait(it.how.insn);
        if (row.use.writes[vd] && isa::writable(insn.vd)) settle({row.at, insn.vd}, *it.result);
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(row.use.fixed_writes, r)) {
                if (isa::contains(row_.constants, r)) refuse(row, fmt::format("it overwrites L{}", r));
                home_[{row.at, r}] = r;
            }
    }

    translated with_operands(const row_instruction& row) {
        translated it;
        it.word = issuable_word(row);
        it.how = make_form(it.word, machine_);
        it.operands = row.fields;
        it.reads = row.use.reads;
        if (it.word != row.what->insn.word) {
            // What was VB is shifted.
            const unsigned source = describe(kernel_.arch).has_shift_of_vc ? vc : vb;
            it.operands[source] = row.fields[vb];
            it.reads = {};
            it.reads[source] = true;
        }
        instruction given = row.what->insn;
        for (const unsigned f : {va, vb, vc, vd}) {
            it.registers[f] = it.how.slot[f] >= 0 ? field_of(given, f) & 15 : 0;
            if (!it.reads[f]) continue;
            it.registers[f] = static_cast<int>(register_of(row, it.operands[f]));
            if (f != vd && it.how.wired[f] >= 0 && it.how.wired[f] != it.registers[f])
                refuse(row, "as it is scheduled it has no issued form");
        }
        return it;
    }

    /// Operands that stand where the result goes.
    void tie_result(const row_instruction& row, translated& it) {
        const unsigned given = row.what->insn.vd;
        const auto tie = [&](const read_value& value) {
            if (it.result) refuse(row, "two of its operands would be overwritten");
            it.result = row.use.writes[vd] ? overwritten(row, value, given) : register_of(row, value);
            return static_cast<int>(*it.result);
        };
        if (it.how.vb_is_vd && it.reads[vb]) it.registers[vb] = tie(it.operands[vb]);
        if (it.how.vc_is_vd && it.reads[vc]) it.registers[vc] = tie(it.operands[vc]);
        if (it.reads[vd]) it.registers[vd] = tie(it.operands[vd]);
        if (row.kept.empty()) return;
        const read_value& kept = row.kept.begin()->second;
        if (it.result && (!kept.from || register_of(row, kept) != *it.result))
            refuse(row, "it keeps lanes of one register and overwrites another");
        if (!it.result) it.result = overwritten(row, kept, given);
    }

    void choose_result(const row_instruction& row, translated& it) {
        const unsigned given = row.what->insn.vd;
        const bool writes = row.use.writes[vd];
        if (writes && given < 17 && isa::writable(given)) {
            const auto must = must_.find({row.at, given});
            if (!it.result && must != must_.end()) it.result = must->second;
            if (!it.result) it.result = free_register(row, given, false);
            it.registers[vd] = static_cast<int>(*it.result);
        } else if (it.result) {
            it.registers[vd] = static_cast<int>(*it.result);
        } else {
            it.registers[vd] = writes ? 9 : 0; // lost, as it was; a VD of 12 and above would name a template
        }
    }

    void swap(const row_instruction& row) {
        const instruction& insn = row.what->insn;
        const unsigned with = row.what->scheduled ? vb : vd; // what plays VD
        form how = make_form(insn.word, machine_);
        const unsigned d = row.what->scheduled ? insn.vb : insn.vd;
        std::array<int, field_count> registers{};
        const auto side = [&](unsigned f, unsigned lreg) {
            if (!row.use.reads[f]) return static_cast<int>(lreg);
            return static_cast<int>(isa::writable(lreg) ? overwritten(row, row.fields[f], lreg)
                                                        : register_of(row, row.fields[f]));
        };
        registers[vd] = side(with, d);
        const std::optional<unsigned> first = scratch_;
        registers[vc] = side(vc, insn.vc);
        if (first && scratch_ != first) refuse(row, "both of its operands are read again");
        line("    " + isa::disassemble(word_with(how, registers), kernel_.words));
        note(row);
        wait(how.insn);
        if (isa::writable(d)) settle({row.at, d}, static_cast<unsigned>(registers[vd]));
        if (isa::writable(insn.vc)) settle({row.at, insn.vc}, static_cast<unsigned>(registers[vc]));
    }

    const isa::kernel& kernel_;
    const row_record& row_;
    unsigned rows_;
    const isa::machine &machine_, &other_;
    isa::thread_state thread_;
    std::vector<std::string> source_;
    expanded_kernel out_;
    unsigned lines_ = 0, origin_ = 0;
    std::optional<unsigned> stay_, step_;
    std::size_t last_access_ = 0, position_ = 0;
    std::map<read_value, std::size_t> last_use_;
    std::map<read_value, unsigned> must_, home_;
    std::map<loop_place, unsigned> line_of_;
    std::optional<unsigned> scratch_; ///< register of a copy that the coming instruction overwrites
};

} // namespace

expanded_kernel expand_macros(const isa::kernel& kernel, const std::string& source,
                              const std::vector<executed_instruction>& record, unsigned rows,
                              const isa::machine& machine, const isa::machine& other,
                              const isa::thread_state& thread) {
    if (kernel.peeled_rows) throw row_error(0, "it has peeled rows (.peeled), which are not in its loop");
    const row_record row = find_row(kernel, record);
    return plain_writer(kernel, source, row, rows, machine, other, thread).write();
}

} // namespace sfpu::optimizer
