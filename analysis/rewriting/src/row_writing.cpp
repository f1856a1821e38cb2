// A row as words again: registers for values, and text around it.
#include "register_fields.h"

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;

/// Writes one row. Values that share a register because an instruction reads and writes it are a group.
class row_writer {
public:
    explicit row_writer(const row& of) : row_(of) {}

    std::optional<std::vector<std::uint32_t>> words() {
        copy_what_is_overwritten();
        copy_what_stays();
        if (!make_groups() || !pin_groups() || !colour()) return std::nullopt;
        return encoded();
    }

private:
    struct group {
        int start = 1 << 20, end = -1, wanted = -1, lreg = -1;
    };

    static bool is_free_to_change(const row& of, value v) {
        return v >= first_result || (v < 8 && of.leaves[static_cast<std::size_t>(v)] != no_value);
    }

    bool is_read_after(value v, std::size_t at) const {
        for (std::size_t i = at + 1; i < row_.steps.size(); ++i)
            if (row_.steps[i].reads_value(v)) return true;
        return std::find(row_.leaves.begin(), row_.leaves.end(), v) != row_.leaves.end();
    }

    /// Copies a value before step `at` in all lanes. The copy is what one field reads.
    value copied(value v, std::size_t& at) {
        constexpr std::uint32_t move_all = 0x7c000002u;
        step s = row_.make_step(move_all, {no_value, no_value, v, no_value}, row_.new_value(),
                                at < row_.steps.size() ? row_.steps[at].line : 0);
        const value made = s.writes[vd];
        row_.insert(at++, std::move(s));
        return made;
    }

    void copy_what_is_overwritten() {
        for (std::size_t i = 0; i < row_.steps.size(); ++i) {
            for (unsigned f = 0; f < field_count; ++f) {
                const step& s = row_.steps[i];
                const value v = s.reads[f];
                // VD of L12 and above names a template.
                const bool names_template = f == vd && s.is(opcode::sfpswap) && v >= 12 && v < first_result;
                if (v == no_value || (s.writes[f] == no_value && !names_template)) continue;
                unsigned twice = 0;
                for (unsigned g = 0; g < f; ++g) twice += s.reads[g] == v && s.writes[g] != no_value;
                if (is_free_to_change(row_, v) && !is_read_after(v, i) && !twice) continue;
                const value copy = copied(v, i);
                row_.steps[i].reads[f] = copy;
            }
            for (std::size_t k = 0; k < row_.steps[i].fixed_reads.size(); ++k) {
                const auto [lreg, v] = row_.steps[i].fixed_reads[k];
                const bool written = contains(row_.steps[i].fixed_writes, lreg);
                const bool is_there = v == static_cast<value>(lreg);
                const auto pinned = pins_.find(v);
                const bool may_be_there =
                    v >= first_result && (pinned == pins_.end() || pinned->second == lreg);
                if ((is_there || may_be_there) &&
                    !(written && (!is_free_to_change(row_, v) || is_read_after(v, i)))) {
                    if (v >= first_result) pins_[v] = lreg;
                    continue;
                }
                const value copy = copied(v, i);
                row_.steps[i].fixed_reads[k].second = copy;
                pins_[copy] = lreg;
            }
            for (const auto& [lreg, v] : row_.steps[i].fixed_writes) pins_[v] = lreg;
        }
    }

    static bool contains(const std::vector<std::pair<unsigned, value>>& all, unsigned lreg) {
        return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.first == lreg; });
    }

    void copy_what_stays() {
        std::set<value> taken;
        for (unsigned r = 0; r < 8; ++r) {
            const value v = row_.leaves[r];
            if (v == no_value || v == static_cast<value>(r)) continue;
            const auto pinned = pins_.find(v);
            const bool elsewhere = pinned != pins_.end() && pinned->second != r;
            std::size_t end = row_.steps.size();
            if (v < first_result || elsewhere || !taken.insert(v).second) row_.leaves[r] = copied(v, end);
            pins_[row_.leaves[r]] = r;
        }
    }

    int root(int g) {
        while (parent_[static_cast<std::size_t>(g)] != g) g = parent_[static_cast<std::size_t>(g)];
        return g;
    }
    int group_of(value v) {
        const auto [found, is_new] = number_.emplace(v, static_cast<int>(parent_.size()));
        if (is_new) {
            parent_.push_back(found->second);
            groups_.emplace_back();
        }
        return found->second;
    }
    void alive(value v, int from, int to) {
        group& g = groups_[static_cast<std::size_t>(group_of(v))];
        g.start = std::min(g.start, from);
        g.end = std::max(g.end, to);
    }
    bool has_register(value v) const { return v != no_value && !is_constant_register(v); }

    bool make_groups() {
        const int end = static_cast<int>(row_.steps.size()) + 1;
        for (int r = 0; r < 8; ++r) { // what nobody may take
            const bool is_free = isa::contains(row_.free_, static_cast<unsigned>(r)) &&
                                 row_.readers_of(static_cast<value>(r)).empty();
            if (row_.leaves[static_cast<std::size_t>(r)] == no_value && !is_free) alive(r, -1, end);
        }
        for (int i = 0; i < static_cast<int>(row_.steps.size()); ++i) {
            const step& s = row_.steps[static_cast<std::size_t>(i)];
            for (unsigned f = 0; f < field_count; ++f) {
                if (has_register(s.reads[f])) alive(s.reads[f], s.reads[f] < 8 ? -1 : i, i);
                if (has_register(s.writes[f])) alive(s.writes[f], i, i + 1);
                if (has_register(s.reads[f]) && has_register(s.writes[f]))
                    join(group_of(s.reads[f]), group_of(s.writes[f]));
            }
            for (const auto& [lreg, v] : s.fixed_reads)
                if (has_register(v)) alive(v, v < 8 ? -1 : i, i);
            for (const auto& [lreg, v] : s.fixed_writes) {
                alive(v, i, i + 1);
                for (const auto& [other, w] : s.fixed_reads)
                    if (other == lreg && has_register(w)) join(group_of(w), group_of(v));
            }
        }
        for (const value v : row_.leaves)
            if (has_register(v)) alive(v, v < 8 ? -1 : end, end);
        return true;
    }

    void join(int a, int b) {
        a = root(a);
        b = root(b);
        if (a != b) parent_[static_cast<std::size_t>(b)] = a;
    }

    bool pin_groups() {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const auto r = static_cast<std::size_t>(root(static_cast<int>(g)));
            groups_[r].start = std::min(groups_[r].start, groups_[g].start);
            groups_[r].end = std::max(groups_[r].end, groups_[g].end);
        }
        for (const auto& [v, number] : number_) {
            group& g = groups_[static_cast<std::size_t>(root(number))];
            int wanted = v < 8 ? v : -1;
            if (const auto pinned = pins_.find(v); pinned != pins_.end())
                wanted = static_cast<int>(pinned->second);
            if (wanted < 0) continue;
            if (g.wanted >= 0 && g.wanted != wanted) return false;
            g.wanted = wanted;
        }
        return true;
    }

    bool is_taken(const group& by, int lreg) const {
        return std::any_of(groups_.begin(), groups_.end(), [&](const group& g) {
            return g.lreg == lreg && by.start < g.end && g.start < by.end;
        });
    }

    bool colour() {
        std::vector<std::size_t> order;
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (root(static_cast<int>(g)) == static_cast<int>(g)) order.push_back(g);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const bool a_last = groups_[a].wanted < 0, b_last = groups_[b].wanted < 0;
            return std::make_tuple(a_last, groups_[a].start, a) <
                   std::make_tuple(b_last, groups_[b].start, b);
        });
        for (const std::size_t each : order) {
            group& g = groups_[each];
            const int first = g.wanted < 0 ? 0 : g.wanted, last = g.wanted < 0 ? 7 : g.wanted;
            for (int lreg = first; lreg <= last && g.lreg < 0; ++lreg)
                if (!is_taken(g, lreg)) g.lreg = lreg;
            if (g.lreg < 0) return false;
        }
        return true;
    }

    unsigned register_of(value v) {
        return static_cast<unsigned>(
            is_constant_register(v) ? v : groups_[static_cast<std::size_t>(root(group_of(v)))].lreg);
    }

    std::vector<std::uint32_t> encoded() {
        constexpr std::uint32_t nop = 0x8f000000u;
        std::vector<std::uint32_t> made;
        for (std::size_t i = 0; i < row_.steps.size(); ++i) {
            const step& s = row_.steps[i];
            if (s.insn.unit == isa::sub_unit::front_end) {
                made.push_back(s.insn.word);
                continue;
            }
            const field_meaning fields = meaning_of(s.insn, row_.arch());
            std::array<unsigned, field_count> registers{};
            for (unsigned f = 0; f < field_count; ++f) {
                if (fields.place[f] < 0) continue;
                registers[f] = s.insn.word >> fields.place[f] & 15u;
                if (s.reads[f] != no_value) registers[f] = register_of(s.reads[f]);
                else if (s.writes[f] != no_value) registers[f] = register_of(s.writes[f]);
            }
            made.push_back(word_with_registers(s.insn, fields, registers));
            if (waits(s, i)) made.push_back(nop);
        }
        return made;
    }

    /// Whether the next instruction must not follow at once.
    bool waits(const step& s, std::size_t at) {
        const isa::latency_class latency = isa::latency_of(*s.insn.op, s.insn.mod);
        if (latency == isa::latency_class::swap || latency == isa::latency_class::shuffle) return true;
        if (latency != isa::latency_class::mad) return false;
        if (at + 1 == row_.steps.size()) return true;
        const step& next = row_.steps[at + 1];
        for (const value v : s.writes) {
            if (v == no_value) continue;
            if (next.reads_value(v) || next.is(opcode::sfpswap)) return true;
            for (const value w : next.writes)
                if (w != no_value && register_of(v) == register_of(w)) return true;
        }
        return !s.fixed_writes.empty();
    }

    row row_;
    std::map<value, unsigned> pins_;
    std::map<value, int> number_;
    std::vector<int> parent_;
    std::vector<group> groups_;
};

namespace {

bool same_words(const std::vector<isa::source_word>& a, const std::vector<isa::source_word>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](const isa::source_word& x, const isa::source_word& y) { return x.word == y.word; });
}

/// The source with other lines where the words of its loop stand, and more words at the end of .init.
std::string spliced(const std::string& source, const isa::kernel& kernel, const std::string& set_up,
                    const std::string& loop) {
    std::set<unsigned> replaced;
    for (const isa::source_word& each : kernel.loop) replaced.insert(each.line);
    std::istringstream lines(source);
    std::string text;
    unsigned number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin != std::string::npos && line.compare(begin, 5, ".loop") == 0) text += set_up;
        if (replaced.count(number) == 0) text += line + "\n";
        else if (number == *replaced.begin()) text += loop;
    }
    return text;
}

std::vector<std::uint32_t> words_that_load(unsigned lreg, std::uint32_t bits) {
    if (lreg >= isa::general_lregs) { // SFPCONFIG takes L0
        std::vector<std::uint32_t> words = words_that_load(0, bits);
        words.push_back(std::uint32_t{opcode::sfpconfig} << 24 | lreg << 4);
        return words;
    }
    const std::uint32_t loadi = 0x71000000u | lreg << 20; // FLOATB is 0, UPPER 8, LOWER 10
    if ((bits & 0xffffu) == 0) return {loadi | bits >> 16};
    return {loadi | 10u << 16 | (bits & 0xffffu), loadi | 8u << 16 | bits >> 16};
}

/// Registers that words name: what they read, what they write, and what SFPCONFIG sets.
isa::register_set registers_named_by(const std::vector<isa::source_word>& words,
                                     const isa::word_encoding& encoding) {
    isa::register_set named = 0;
    for (const isa::source_word& each : words) {
        if (isa::classify(each.word, encoding.arch) != isa::word_kind::sfpu) continue;
        const isa::instruction insn = isa::decode(each.word, encoding);
        named |= insn.use.reads | insn.use.results();
        if (insn.is(opcode::sfpconfig)) named |= isa::only(insn.vd);
    }
    return named;
}

} // namespace

bool row::hold(unsigned lreg, std::uint32_t bits) {
    if (held_[lreg] == bits && leaves[lreg] == no_value) return true;
    const bool is_free = isa::contains(free_, lreg) && readers_of(static_cast<value>(lreg)).empty();
    if (!is_free || leaves[lreg] != no_value || start_.flags != always) return false;
    held_[lreg] = bits;
    free_ &= ~isa::only(lreg);
    set_up_.emplace_back(lreg, bits);
    return true;
}

bool row::move_constant() {
    const bool may_set = isa::contains(free_, 0u) && start_.flags == always;
    if (!may_set) return false;
    const isa::register_set behind = registers_named_by(kernel_->tail, words());
    const isa::register_set elsewhere = behind | registers_named_by(kernel_->init, words());
    const auto is_fixed = [&](value v) {
        return std::any_of(steps.begin(), steps.end(), [&](const step& s) {
            return std::any_of(s.fixed_reads.begin(), s.fixed_reads.end(),
                               [&](const auto& each) { return each.second == v; });
        });
    };
    const auto set_up_of = [&](unsigned lreg) {
        return std::find_if(set_up_.begin(), set_up_.end(),
                            [&](const auto& each) { return each.first == lreg; });
    };
    for (unsigned to = 11; to < 15; ++to) {
        if (isa::contains(elsewhere, to) || set_up_of(to) != set_up_.end()) continue;
        if (!readers_of(static_cast<value>(to)).empty()) continue;
        for (unsigned from = isa::general_lregs; from-- > 0;) {
            const auto there = static_cast<value>(from);
            if (!held_[from] || leaves[from] != no_value || isa::contains(behind, from)) continue;
            if (readers_of(there).empty() || is_fixed(there)) continue;
            replace_readers(there, static_cast<value>(to));
            held_[to] = held_[from];
            if (const auto own = set_up_of(from); own != set_up_.end()) set_up_.erase(own);
            set_up_.emplace_back(to, *held_[from]);
            free_ |= isa::only(from);
            return refresh();
        }
    }
    return false;
}

std::optional<std::string> row::text(const std::string& source) const {
    const std::optional<std::vector<std::uint32_t>> words = row_writer(*this).words();
    if (!words) {
        row roomier = *this;
        return roomier.move_constant() ? roomier.text(source) : std::nullopt;
    }
    isa::kernel changed = *kernel_;
    changed.loop.clear();
    std::string loop, set_up;
    for (const auto& [lreg, bits] : set_up_)
        for (const std::uint32_t word : words_that_load(lreg, bits)) {
            changed.init.push_back({word});
            set_up += "    " + isa::disassemble(word, *words_) + "\n";
        }
    for (const std::uint32_t word : *words) {
        changed.loop.push_back({word});
        loop += "    " + isa::disassemble(word, *words_) + "\n";
    }
    const std::string text = spliced(source, *kernel_, set_up, loop);
    const isa::assembly again = isa::assemble(text, kernel_->file, *words_);
    if (again.ok() && same_words(again.program.init, changed.init) &&
        same_words(again.program.loop, changed.loop) && same_words(again.program.tail, changed.tail) &&
        again.program.rows_per_iteration == changed.rows_per_iteration)
        return text;
    return isa::listing(changed);
}

} // namespace sfpu::rewriting
