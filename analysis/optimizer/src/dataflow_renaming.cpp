// Who holds what: registers become values.
#include "row_builder.h"

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::optimizer {

using isa::instruction;
namespace opcode = isa::opcode;

/// Goes through the row and keeps for each register what stands in it: a value, or a constant.
class row_builder::renaming {
public:
    explicit renaming(row_builder& in) : in_(in), graph_(in.graph_) {}

    void rename_all() {
        find_registers();
        find_free_constants();
        unchanging_ = in_.set_to_one_constant();
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) rename(i);
        graph_.nodes = std::move(kept_);
        for (int& writer : graph_.flag_writers) writer = in_.writer_moved_.at(writer);
        for (node& n : graph_.nodes)
            for (operand& o : n.operands)
                if (o.value <= left_in) o = left_by_row_before(n, static_cast<unsigned>(left_in - o.value));
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(read_in_tail_, r)) keep_for_tail(r);
        reserve();
    }

private:
    /// In place of a value: what the row before left is not known before the end.
    static constexpr int left_in = -100;
    /// What an exchange puts into a constant register, which keeps its own.
    static constexpr int lost = -200;

    /// A node that is being renamed.
    struct renamed {
        std::size_t at = 0; ///< in the plain row
        node n;
        field_use use;
        form how;
        bool swap = false, half = false; ///< `half`: it keeps half of its VD
    };

    void find_registers();
    void find_free_constants();
    isa::register_set read_by(const std::vector<isa::source_word>& words) const;
    void rename(std::size_t at);
    field_use use_of_node(std::size_t at, node& n);
    bool is_constant(std::size_t at, const field_use& use);
    std::uint32_t completed(std::size_t at, std::uint32_t bits) const;
    bool is_kept_by_lanes(std::size_t at) const;
    std::optional<unsigned> home_of(std::uint32_t bits, unsigned line);
    bool is_copy(const node& n);
    void add_operands(renamed& it);
    void add_swap_operands(renamed& it);
    int add_operand(renamed& it, unsigned reg) const;
    void add_results(renamed& it);
    void add_result(renamed& it, unsigned reg, result::place where, int place_index);
    operand left_by_row_before(const node& reader, unsigned reg);
    void keep_for_tail(unsigned reg);
    void reserve();

    row_builder& in_;
    graph& graph_;
    isa::register_set written_ = 0, read_in_tail_ = 0, unchanging_ = 0, carried_ = 0;
    std::array<operand, isa::lreg_count> now_{}, after_{}; ///< before and behind the node that is renamed
    std::array<std::optional<std::uint32_t>, isa::lreg_count> known_{};
    std::map<std::uint32_t, unsigned> homes_; ///< of hoisted constants
    isa::register_set free_constants_ = isa::programmable_constants;
    std::vector<node> kept_;
};

void row_builder::rename() {
    for (const node& n : graph_.nodes) all_.push_back(n.insn);
    renaming(*this).rename_all();
    drop_needless_merges();
}

void row_builder::renaming::find_registers() {
    for (std::size_t i = 0; i < in_.all_.size(); ++i) {
        const instruction& insn = in_.all_[i];
        written_ |= writes_by_number(insn) ? in_.results_named_by_l7(i) : insn.use.results();
    }
    for (const isa::source_word& each : in_.plain_.tail) {
        if (isa::classify(each.word, in_.words_.arch) != isa::word_kind::sfpu) continue;
        const instruction insn = isa::decode(each.word, in_.words_);
        if (insn.is(opcode::sfploadmacro) || insn.names_template())
            in_.refuse(each, "a plain kernel has no macros");
        read_in_tail_ |= insn.use.reads | insn.use.results();
    }
    written_ &= isa::general_registers;
    for (unsigned r = 0; r < isa::lreg_count; ++r) {
        if (isa::contains(written_, r)) {
            now_[r].value = left_in - static_cast<int>(r);
            now_[r].distance = 1;
        } else {
            now_[r].constant = static_cast<int>(r);
        }
    }
}

isa::register_set row_builder::renaming::read_by(const std::vector<isa::source_word>& words) const {
    isa::register_set set = 0;
    for (const isa::source_word& each : words)
        if (isa::classify(each.word, in_.words_.arch) == isa::word_kind::sfpu)
            set |= isa::decode(each.word, in_.words_).use.reads;
    return set;
}

void row_builder::renaming::find_free_constants() {
    free_constants_ &= ~(read_by(in_.plain_.loop) | read_by(in_.plain_.tail));
    for (const isa::source_word& each : in_.plain_.init) {
        if (isa::classify(each.word, in_.words_.arch) != isa::word_kind::sfpu) continue;
        const instruction insn = isa::decode(each.word, in_.words_);
        if (insn.is(opcode::sfpconfig)) free_constants_ &= ~insn.use.writes;
    }
}

void row_builder::renaming::rename(std::size_t at) {
    renamed it;
    it.at = at;
    it.n = graph_.nodes[at];
    node& n = it.n;
    it.use = use_of_node(at, n);
    it.swap = n.insn.latency == isa::latency_class::swap;
    if (it.swap && field_of(n.insn, vc) == n.insn.vd) return;
    if (is_constant(at, it.use) || is_copy(n)) return;
    it.how = make_form(n.insn.word, in_.machine_);
    it.half = !it.swap && it.use.reads[vd] && it.use.writes[vd];
    n.reads_until_result = it.swap;
    add_operands(it);
    add_results(it);
    n.forms = in_.forms_of(n, it.how);
    if (n.writes_flags) in_.writer_moved_[static_cast<int>(at)] = static_cast<int>(kept_.size());
    kept_.push_back(std::move(n));
}

/// With the registers that L7 names in place of those that depend on it.
field_use row_builder::renaming::use_of_node(std::size_t at, node& n) {
    field_use use = use_of(n.insn, in_.words_.arch);
    if (writes_by_number(n.insn)) {
        n.writes_by_number = true;
        use.fixed_writes = in_.results_named_by_l7(at);
    }
    if (!use.indirect) return use;
    n.reads_by_number = true;
    instruction direct = n.insn;
    direct.mod = static_cast<std::uint8_t>(direct.mod & ~4u);
    const isa::register_set results = use.fixed_writes;
    use = use_of(direct, in_.words_.arch);
    if (n.writes_by_number) use.fixed_writes = results;
    use.reads[va] = false;
    use.fixed_reads |= in_.registers_named_by_l7(at) | isa::only(7);
    return use;
}

/// A constant by SFPLOADI that stands in a register for ever is no instruction of the row any more.
bool row_builder::renaming::is_constant(std::size_t at, const field_use& use) {
    const node& n = graph_.nodes[at];
    const unsigned reg = n.insn.vd;
    if (!n.insn.is(opcode::sfploadi) || in_.partial(n) || reg >= isa::general_lregs) {
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(n.insn.use.results(), r)) known_[r].reset();
        return false;
    }
    const bool half = use.reads[vd];
    if (half && !known_[reg]) return false;
    const std::uint32_t bits = in_.probe_.constant_of(n.insn, known_[reg].value_or(0));
    known_[reg] = bits;
    if (!in_.options_.hoist_constants || is_kept_by_lanes(at)) return false;
    const std::uint32_t whole = completed(at, bits);
    std::optional<unsigned> home = home_of(whole, n.line);
    if (!home && isa::contains(unchanging_, reg)) {
        home = homes_[whole] = reg;
        graph_.constants.push_back({reg, whole, n.line});
    }
    if (!home) return false;
    now_[reg] = {};
    now_[reg].constant = static_cast<int>(*home);
    return true;
}

/// What another SFPLOADI behind this one makes of its bits before anybody reads them: both halves need
/// one home.
std::uint32_t row_builder::renaming::completed(std::size_t at, std::uint32_t bits) const {
    const unsigned reg = graph_.nodes[at].insn.vd;
    for (std::size_t i = at + 1; i < graph_.nodes.size(); ++i) {
        const node& next = graph_.nodes[i];
        const bool reads = isa::contains(next.insn.use.reads, reg),
                   writes = isa::contains(next.insn.use.results(), reg);
        if (!reads && !writes) continue;
        if (!reads || !next.insn.is(opcode::sfploadi) || in_.partial(next)) break;
        bits = in_.probe_.constant_of(next.insn, bits);
    }
    return bits;
}

/// Whether lanes that are off keep it in its register while others get something else: then it has to be
/// there.
bool row_builder::renaming::is_kept_by_lanes(std::size_t at) const {
    const unsigned reg = graph_.nodes[at].insn.vd;
    for (std::size_t i = at + 1; i < graph_.nodes.size(); ++i) {
        const node& next = graph_.nodes[i];
        if (!isa::contains(next.insn.use.results(), reg)) continue;
        const bool completes = next.insn.is(opcode::sfploadi) && isa::contains(next.insn.use.reads, reg);
        if (in_.partial(next) || !completes) return in_.partial(next);
    }
    return false;
}

/// A register that can hold a constant for ever, if there is one left.
std::optional<unsigned> row_builder::renaming::home_of(std::uint32_t bits, unsigned line) {
    if (bits == 0) return 9u;
    if (bits == 0x3f800000u) return 10u;
    if (const auto known = homes_.find(bits); known != homes_.end()) return known->second;
    for (const unsigned r : {12u, 13u, 14u, 11u}) {
        if (!isa::contains(free_constants_, r)) continue;
        free_constants_ &= ~isa::only(r);
        homes_[bits] = r;
        graph_.constants.push_back({r, bits, line});
        return r;
    }
    return std::nullopt;
}

/// A move of a value of this row: both registers stand for it.
bool row_builder::renaming::is_copy(const node& n) {
    if (!in_.options_.drop_moves || !n.insn.is(opcode::sfpmov) || n.insn.mod != 0 || in_.partial(n) ||
        n.insn.vd >= isa::general_lregs || now_[n.insn.vc].distance != 0 || now_[n.insn.vc].value <= left_in)
        return false;
    now_[n.insn.vd] = now_[n.insn.vc];
    return true;
}

void row_builder::renaming::add_operands(renamed& it) {
    if (it.swap) add_swap_operands(it);
    for (const unsigned f : {va, vb, vc, vd}) {
        if (it.swap || !it.use.reads[f] || (f == vd && it.half)) continue;
        it.how.operand_of[f] = add_operand(it, field_of(it.n.insn, f));
    }
    for (unsigned r = 0; r < isa::general_lregs; ++r) {
        if (!isa::contains(it.use.fixed_reads, r)) continue;
        if (now_[r].constant >= 0 && now_[r].constant != static_cast<int>(r))
            in_.refuse({it.n.insn.word, it.n.line}, "it reads a register whose constant stands elsewhere");
        const int j = add_operand(it, r);
        if (it.n.operands.back().constant < 0) it.n.fixed_operands.emplace_back(j, static_cast<int>(r));
    }
}

/// Its VD is what a macro takes as VB. A register that the loop only reads must not lose its contents: they
/// move to a constant register. What would be lost in a constant register stays if the operands change
/// places.
void row_builder::renaming::add_swap_operands(renamed& it) {
    const node& n = it.n;
    for (const unsigned reg : {n.insn.vd, n.insn.vc})
        if (const auto bits = in_.constant_of_init(now_[reg]); bits && in_.options_.hoist_constants)
            if (const auto home = home_of(*bits, n.line)) now_[reg].constant = static_cast<int>(*home);
    const auto is_lost = [&](unsigned reg) {
        return reg < isa::general_lregs && in_.read_later(it.at, reg) &&
               now_[reg].constant >= static_cast<int>(isa::general_lregs);
    };
    unsigned of_vd = n.insn.vd, of_vc = n.insn.vc;
    const bool kept_by_turning =
        (is_lost(of_vd) && now_[of_vc].constant < 0 && !in_.read_later(it.at, of_vc)) ||
        (is_lost(of_vc) && now_[of_vd].constant < 0 && !in_.read_later(it.at, of_vd));
    if ((kept_by_turning || in_.options_.turn_swaps) && !in_.partial(n) &&
        in_.probe_.may_exchange_sides(n.insn))
        std::swap(of_vd, of_vc);
    it.how.operand_of[vb] = add_operand(it, of_vd);
    it.how.operand_of[vc] = add_operand(it, of_vc);
    it.how.vb_is_vd = true;
}

int row_builder::renaming::add_operand(renamed& it, unsigned reg) const {
    if (now_[reg].value == lost)
        in_.refuse({it.n.insn.word, it.n.line}, "it reads what a constant was exchanged for");
    it.n.operands.push_back(now_[reg]);
    return static_cast<int>(it.n.operands.size()) - 1;
}

void row_builder::renaming::add_results(renamed& it) {
    after_ = now_;
    if (it.swap) {
        add_result(it, it.n.insn.vd, result::place::tied, it.how.operand_of[vb]);
        add_result(it, it.n.insn.vc, result::place::tied, it.how.operand_of[vc]);
    } else if (it.use.fixed_writes) {
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(it.use.fixed_writes, r))
                add_result(it, r, result::place::fixed, static_cast<int>(r));
    } else if (it.use.writes[vd]) {
        add_result(it, it.n.insn.vd, result::place::destination, 0);
    }
    now_ = after_;
}

void row_builder::renaming::add_result(renamed& it, unsigned reg, result::place where, int place_index) {
    if (reg >= isa::general_lregs) return; // lost in a constant
    const bool tied = where == result::place::tied;
    after_[reg] = {};
    if (tied &&
        it.n.operands[static_cast<unsigned>(place_index)].constant >= static_cast<int>(isa::general_lregs)) {
        after_[reg].value = lost;
        return;
    }
    result out;
    out.where = where;
    out.index = place_index;
    out.value = in_.add_value(static_cast<int>(kept_.size()), static_cast<int>(it.n.results.size()));
    // L7 names one register in some lanes, another one in others.
    const bool some_lanes = it.n.writes_by_number && (it.use.fixed_writes & ~isa::only(reg)) != 0;
    if ((in_.partial(it.n) || it.half || some_lanes) && !tied) out.merge = add_operand(it, reg);
    it.n.results.push_back(out);
    after_[reg].value = out.value;
}

operand row_builder::renaming::left_by_row_before(const node& reader, unsigned reg) {
    operand o = now_[reg];
    o.distance = 1;
    if (o.value == lost)
        throw row_error(reader.line, fmt::format("it reads what L{} was exchanged for", reg));
    if (o.value <= left_in) { // nobody wrote it after all
        o = {};
        o.constant = static_cast<int>(reg);
        return o;
    }
    if (o.value < 0)
        throw row_error(reader.line, fmt::format("L{} of the row before is a constant here", reg));
    carried_ |= isa::only(reg);
    graph_.values[static_cast<unsigned>(o.value)].pinned = static_cast<int>(reg);
    return o;
}

/// What the code behind the loop reads stays where it is, or is copied there.
void row_builder::renaming::keep_for_tail(unsigned reg) {
    if (now_[reg].value == lost)
        throw row_error(0, fmt::format("the code behind the loop reads what L{} was exchanged for", reg));
    if (!isa::contains(written_, reg)) return;
    if (const int constant = now_[reg].constant; constant >= 0) {
        if (constant != static_cast<int>(reg))
            graph_.tail_copies.emplace_back(static_cast<unsigned>(constant), reg);
        if (constant < static_cast<int>(isa::general_lregs))
            graph_.reserved |= isa::only(static_cast<unsigned>(constant));
        return;
    }
    if (now_[reg].value < 0) return;
    value& last = graph_.values[static_cast<unsigned>(now_[reg].value)];
    if (last.live_out)
        throw row_error(
            0, fmt::format("the code behind the loop reads one value in L{} and L{}", last.pinned, reg));
    last.pinned = static_cast<int>(reg);
    last.live_out = true;
    carried_ |= isa::only(reg);
}

/// Registers that values must not take.
void row_builder::renaming::reserve() {
    graph_.carried = carried_;
    graph_.reserved |= carried_ | (read_in_tail_ & ~written_ & isa::general_registers);
    for (const node& n : graph_.nodes)
        for (const operand& o : n.operands)
            if (o.value < 0 && o.constant < static_cast<int>(isa::general_lregs))
                graph_.reserved |= isa::only(static_cast<unsigned>(o.constant));
}

} // namespace sfpu::optimizer
