#include <sfpu/optimizer/free_rows.h>

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/other_units.h>
#include <sfpu/isa/table.h>
#include <sfpu/optimizer/dataflow.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace sfpu::optimizer {
namespace {

namespace opcode = isa::opcode;

/// Whether two graphs say the same of their nodes, in the same order, whatever lines and registers these come
/// from.
class graph_comparison {
public:
    graph_comparison(const graph& a, const graph& b) : a_(a), b_(b) {}

    bool same() const {
        if (std::tie(a_.step, a_.rows, a_.carried, a_.flag_writers, a_.all_on, a_.tail_copies) !=
                std::tie(b_.step, b_.rows, b_.carried, b_.flag_writers, b_.all_on, b_.tail_copies) ||
            a_.nodes.size() != b_.nodes.size() || a_.values.size() != b_.values.size())
            return false;
        return std::equal(a_.nodes.begin(), a_.nodes.end(), b_.nodes.begin(), same_node) &&
               std::equal(a_.values.begin(), a_.values.end(), b_.values.begin(), same_value) &&
               std::equal(a_.constants.begin(), a_.constants.end(), b_.constants.begin(), b_.constants.end(),
                          same_constant);
    }

private:
    static bool same_node(const node& a, const node& b) {
        return std::tie(a.what, a.address, a.mode, a.writes_flags, a.reads_flags, a.version,
                        a.more_lanes_allowed, a.reads_by_number, a.writes_by_number, a.fixed_operands) ==
                   std::tie(b.what, b.address, b.mode, b.writes_flags, b.reads_flags, b.version,
                            b.more_lanes_allowed, b.reads_by_number, b.writes_by_number, b.fixed_operands) &&
               // The word of an access has the address before the counter is added.
               (a.what != node::kind::operation || a.forms.front().word == b.forms.front().word) &&
               a.forms.front().operand_of == b.forms.front().operand_of &&
               std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                          same_operand) &&
               std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                          same_result);
    }
    static bool same_operand(const operand& a, const operand& b) {
        return std::tie(a.value, a.constant, a.distance) == std::tie(b.value, b.constant, b.distance);
    }
    static bool same_result(const result& a, const result& b) {
        return std::tie(a.value, a.where, a.index, a.merge) == std::tie(b.value, b.where, b.index, b.merge);
    }
    static bool same_value(const value& a, const value& b) {
        return std::tie(a.node, a.index, a.pinned, a.live_out) ==
               std::tie(b.node, b.index, b.pinned, b.live_out);
    }
    static bool same_constant(const hoisted_constant& a, const hoisted_constant& b) {
        return std::tie(a.lreg, a.bits) == std::tie(b.lreg, b.bits);
    }

    const graph &a_, &b_;
};

/// The first rows of a loop as a loop.
class row_cutter {
public:
    row_cutter(const isa::kernel& plain, const isa::thread_state& thread) : plain_(plain), start_(thread) {
        move(plain.init, start_);
    }

    /// The first of so many equal parts, which moves the Dst counter by its part of what the loop moves it.
    /// Nothing if the loop can have no such parts.
    std::optional<isa::kernel> first_of(unsigned parts) const {
        const auto words = static_cast<std::size_t>(
            std::count_if(plain_.loop.begin(), plain_.loop.end(), [&](const auto& w) { return works(w); }));
        if (words == 0 || words % parts != 0) return std::nullopt;
        isa::kernel cut = plain_;
        cut.rows_per_iteration = plain_.rows_per_iteration / parts;
        cut.loop.clear();
        std::size_t taken = 0;
        for (const isa::source_word& each : plain_.loop) {
            if (works(each) && taken++ == words / parts) break;
            cut.loop.push_back(each);
        }
        const int whole = moved_by(plain_.loop);
        if (whole % static_cast<int>(parts) != 0) return std::nullopt;
        const int missing = whole / static_cast<int>(parts) - moved_by(cut.loop);
        if (missing < 0 || missing > furthest) return std::nullopt;
        advance(cut.loop, static_cast<unsigned>(missing));
        return cut;
    }

private:
    static constexpr int furthest = 120; // more than a few words would take

    bool works(const isa::source_word& each) const {
        return isa::classify(each.word, plain_.words.arch) != isa::word_kind::front_end &&
               !isa::decode(each.word, plain_.words).is(opcode::sfpnop);
    }
    void move(const std::vector<isa::source_word>& words, isa::thread_state& thread) const {
        for (const isa::source_word& each : words) {
            const isa::word_kind kind = isa::classify(each.word, plain_.words.arch);
            if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end) continue;
            const isa::instruction insn = isa::decode(each.word, plain_.words);
            if (kind == isa::word_kind::front_end) thread.execute_front_end(insn);
            else if ((insn.is(opcode::sfpload) || insn.is(opcode::sfpstore)) && !insn.names_template())
                thread.apply_addr_mod(insn.addr_mod);
        }
    }
    int moved_by(const std::vector<isa::source_word>& words) const {
        isa::thread_state after = start_;
        move(words, after);
        const unsigned change = (after.rwc.dst - start_.rwc.dst) & 0x3ffu;
        return static_cast<int>(change) - (change >= 512 ? 1024 : 0);
    }
    static void advance(std::vector<isa::source_word>& words, unsigned distance) {
        constexpr unsigned most = 15, shift = 14; // of a word
        for (; distance > 0; distance -= std::min(distance, most)) {
            isa::source_word word = words.back();
            word.word = std::uint32_t{opcode::incrwc} << 24 | std::min(distance, most) << shift;
            words.push_back(word);
        }
    }

    const isa::kernel& plain_;
    isa::thread_state start_;
};

} // namespace

isa::kernel unrolled(const isa::kernel& plain, unsigned iterations) {
    isa::kernel found = plain;
    for (unsigned more = 1; more < iterations; ++more)
        found.loop.insert(found.loop.end(), plain.loop.begin(), plain.loop.end());
    found.rows_per_iteration *= iterations;
    return found;
}

isa::kernel rolled_up(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                      bool lanes_start_enabled) {
    const unsigned rows = plain.rows_per_iteration;
    if (rows == 1) return plain;
    graph_options how;
    how.exchange = how.through_dst = false;
    const auto graph_of = [&](const isa::kernel& kernel) {
        return build_graph(kernel, machine, thread, lanes_start_enabled, how);
    };
    try {
        const graph whole = graph_of(plain);
        const row_cutter cutter(plain, thread);
        for (unsigned parts = rows; parts > 1; --parts) {
            if (rows % parts != 0) continue;
            const std::optional<isa::kernel> part = cutter.first_of(parts);
            if (part && graph_comparison(graph_of(unrolled(*part, parts)), whole).same()) return *part;
        }
    } catch (const row_error&) {
        // What cannot be understood is left as it is: who schedules it says what is wrong.
    }
    return plain;
}

} // namespace sfpu::optimizer
