// From the source of a row to its instructions: addresses, lane flags.
#include "row_builder.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/other_units.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::optimizer {

using isa::instruction;
using isa::sub_unit;
namespace opcode = isa::opcode;

graph row_builder::build() {
    if (plain_.loop.empty()) throw row_error(0, "there is no .loop: a row is what stands in it");
    if (plain_.peeled_rows)
        throw row_error(0, "it has peeled rows (.peeled); a plain kernel does the same for every row");
    graph_.rows_per_iteration = plain_.rows_per_iteration;
    const unsigned rows = plain_.rows.value_or(32);
    graph_.rows = std::max(1u, rows / plain_.rows_per_iteration);
    follow_addresses();
    collect();
    find_random();
    follow_flags();
    rename();
    drop_unused();
    mark_effects();
    order_memory();
    look_through_dst();
    if (options_.spill) offer_spills();
    order_random();
    if (options_.exchange) find_chains();
    return std::move(graph_);
}

std::string not_of_a_row(std::uint32_t word, architecture arch) {
    const isa::other_unit_instruction& known =
        *isa::find_other_unit(static_cast<std::uint8_t>(word >> 24), arch);
    return fmt::format("{} is a word of {}; in a row stand the words of the vector unit themselves",
                       known.mnemonic, known.unit);
}

void row_builder::refuse(const isa::source_word& at, const std::string& why) const {
    throw row_error(at.line, isa::disassemble(at.word, words_) + ": " + why);
}

void row_builder::follow_addresses() {
    /// Words that the vector unit or its counters take, and by how much each moves the counter.
    using moves = std::vector<std::pair<isa::source_word, unsigned>>;
    const auto run = [&](const std::vector<isa::source_word>& words, std::vector<unsigned>* addresses) {
        const unsigned start = thread_.rwc.dst;
        moves made;
        for (const isa::source_word& each : words) {
            const isa::word_kind kind = isa::classify(each.word, words_.arch);
            if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end) continue;
            const instruction insn = isa::decode(each.word, words_);
            const unsigned before = thread_.rwc.dst;
            if (kind == isa::word_kind::front_end) {
                thread_.execute_front_end(insn);
            } else {
                const bool access =
                    insn.is(opcode::sfpload) || insn.is(opcode::sfpstore) || insn.is(opcode::sfploadmacro);
                if (!access || insn.names_template()) continue;
                if (addresses) addresses->push_back((insn.imm10 + thread_.rwc.dst - start) & 0x3ffu);
                thread_.apply_addr_mod(insn.addr_mod);
            }
            made.emplace_back(each, (thread_.rwc.dst - before) & 0x3ffu);
        }
        return made;
    };
    run(plain_.init, nullptr);
    start_ = thread_;
    const moves once = run(plain_.loop, &addresses_);
    const unsigned between = thread_.rwc.dst;
    const moves again = run(plain_.loop, nullptr);
    const auto as_signed = [](unsigned change) {
        return static_cast<int>(change) - (change >= 512 ? 1024 : 0);
    };
    for (std::size_t i = 0; i < once.size(); ++i)
        if (once[i].second != again[i].second)
            refuse(once[i].first,
                   fmt::format("it moves the Dst counter by {} in the first row and by {} in the "
                               "second; expected the same in every row",
                               as_signed(once[i].second), as_signed(again[i].second)));
    if (thread_.rwc.sp != start_.rwc.sp)
        throw row_error(plain_.loop.front().line,
                        "the row moves the stack pointer of Dst; expected the counter");
    graph_.step = as_signed((between - start_.rwc.dst) & 0x3ffu);
    if (addresses_.empty()) return;
    // Bit 0 of the address of an SFPLOADMACRO is bit 2 of its register. With an odd counter it carries into
    // bit 1.
    const auto odd = [&](const std::string& what) {
        throw row_error(plain_.loop.front().line,
                        what +
                            "; expected an even number, as bit 0 of the address of an SFPLOADMACRO belongs "
                            "to its register");
    };
    instruction none;
    none.imm10 = 0;
    const unsigned first = start_.counted_address(none);
    if (first & 1u) odd(fmt::format("the Dst counter with its offsets is {} in the first row", first));
    if (graph_.step & 1) odd(fmt::format("the row moves the Dst counter by {}", graph_.step));
}

void row_builder::collect() {
    for (const auto* part : {&plain_.init, &plain_.tail})
        for (const isa::source_word& each : *part)
            if (isa::classify(each.word, words_.arch) == isa::word_kind::sfpu &&
                isa::decode(each.word, words_).is(opcode::sfploadmacro))
                refuse(each, "a plain kernel has no macros");
    std::size_t access = 0;
    for (const isa::source_word& each : plain_.loop) {
        const isa::word_kind kind = isa::classify(each.word, words_.arch);
        if (kind == isa::word_kind::no_instruction) refuse(each, "this is no instruction");
        if (kind == isa::word_kind::other_unit) refuse(each, not_of_a_row(each.word, words_.arch));
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
    }
    if (plain_.tail.empty() && std::none_of(graph_.nodes.begin(), graph_.nodes.end(),
                                            [](const node& n) { return n.what == node::kind::store; }))
        throw row_error(plain_.loop.front().line, "the row stores nothing");
}

void row_builder::follow_flags() {
    constexpr unsigned sample_count = 16;
    std::vector<isa::vector_state> samples(sample_count);
    std::mt19937 numbers(7);
    for (isa::vector_state& state : samples) {
        state.flags = lanes_start_enabled_ ? all_lanes : static_cast<lane_mask>(0);
        state.use_flags = lanes_start_enabled_ ? all_lanes : 0;
    }
    const auto step = [&](const instruction& insn) {
        // Two comparisons with zero in one lane are rare among random data, and not in a kernel.
        for (isa::vector_state& state : samples) probe_.decide_flags(state, insn);
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
    std::vector<const node*> pushed; // by what is on the stack and was not before the row
    const node* popped = nullptr;    // took what was
    graph_.all_on.push_back(all_on());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        node& n = graph_.nodes[i];
        n.version = static_cast<unsigned>(graph_.flag_writers.size());
        n.reads_flags = effects_[i].predicated;
        n.crosses_lanes = effects_[i].crosses_lanes;
        if (!effects_[i].flags) continue;
        n.writes_flags = n.effect = true;
        instruction to_l16 = n.insn;
        to_l16.vd = isa::lreg_count - 1;
        n.flags_need_register = !probe_.effects(to_l16).flags;
        graph_.flag_writers.push_back(static_cast<int>(i));
        const unsigned before = samples[0].stack.depth();
        step(n.insn);
        graph_.all_on.push_back(all_on());
        const unsigned change = (samples[0].stack.depth() + 16 - before) % 16;
        if (change == 1) pushed.push_back(&n);
        else if (change == 15 && !pushed.empty()) pushed.pop_back();
        else if (change == 15) popped = &n;
    }
    if (samples[0].stack.depth() != depth) {
        const node& at = popped ? *popped : *pushed.back();
        refuse({at.insn.word, at.line}, popped ? "it pops lane flags that the row has not pushed"
                                               : "it pushes lane flags that the row does not pop");
    }
    if (!graph_.all_on.back()) graph_.all_on.front() = false;
    if (graph_.all_on.front() != graph_.all_on.back()) graph_.all_on.front() = graph_.all_on.back() = false;
}

void row_builder::run_init(isa::vector_state& state) {
    for (const isa::source_word& each : plain_.init) {
        if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) continue;
        const instruction insn = isa::decode(each.word, words_);
        if (insn.names_template() || insn.is(opcode::sfploadmacro)) continue;
        if (insn.is(opcode::sfpload)) probe_.randomise(state, insn.vd);
        else if (insn.unit != sub_unit::store) probe_.step(state, insn);
    }
}

isa::register_set row_builder::registers_named_by_l7(std::size_t at) {
    unsigned sometimes = 0, always = 15;
    constexpr unsigned trials = 40, whole_runs = 4;
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state;
        run_init(state);
        // L7 may change from row to row.
        for (unsigned row = 0; row < (trial < whole_runs ? graph_.rows : 1u); ++row)
            for (std::size_t i = 0; i < all_.size(); ++i) {
                const instruction& insn = all_[i];
                for (const std::uint32_t lane : state.lreg[7].v) {
                    if (i != at) break;
                    sometimes |= lane & 15u;
                    always &= lane;
                }
                if (insn.is(opcode::sfpload)) probe_.randomise(state, insn.vd);
                else if (insn.unit != sub_unit::store) probe_.step(state, insn);
            }
    }
    isa::register_set found = 0;
    for (unsigned r = 0; r < 16; ++r)
        if ((r & ~sometimes) == 0 && (always & ~r) == 0) found |= isa::only(r);
    return found & 0xffu ? found : 0u;
}

isa::register_set row_builder::results_named_by_l7(std::size_t at) {
    return registers_named_by_l7(at) & isa::general_registers;
}

std::uint32_t word_with(const form& how, const std::array<int, field_count>& registers) {
    std::uint32_t word = how.word;
    for (unsigned f = 0; f < field_count; ++f)
        if (how.slot[f] >= 0) word |= static_cast<std::uint32_t>(registers[f]) << how.slot[f];
    return word;
}

graph build_graph(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                  bool lanes_start_enabled, const graph_options& options) {
    return row_builder(plain, machine, thread, lanes_start_enabled, options).build();
}

} // namespace sfpu::optimizer
