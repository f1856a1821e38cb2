// From the words of a row to values.
#include "register_fields.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/word_effects.h>

#include <fmt/format.h>

#include <random>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;

bool step::reads_value(value v) const {
    for (const value each : reads)
        if (each == v) return true;
    for (const auto& each : fixed_reads)
        if (each.second == v) return true;
    return false;
}

/// Reads a row, a word after the other.
class row_reader {
public:
    row_reader(const isa::kernel& kernel, const isa::word_encoding& words, const isa::thread_state& thread,
               const assumptions& assumed)
        : thread_(thread) {
        row_.kernel_ = &kernel;
        row_.words_ = &words;
        row_.assumed_ = assumed;
        row_.conditions_ = {{condition_node::kind::truth, 0}, {condition_node::kind::truth, 1}};
        for (unsigned r = 0; r < 16; ++r) now_[r] = static_cast<value>(r);
    }

    std::optional<row> read(bool lanes_start_enabled, std::string* why) {
        const isa::kernel& kernel = *row_.kernel_;
        for (const auto* part : {&kernel.init, &kernel.loop, &kernel.tail})
            for (const isa::source_word& each : *part) {
                const std::string problem = problem_of(each, part == &kernel.loop);
                if (problem.empty()) continue;
                if (why) *why = problem;
                return std::nullopt;
            }
        read_init(lanes_start_enabled);
        for (const isa::source_word& each : kernel.loop) take(each);
        if (const std::string problem = settle_leaves(); !problem.empty()) {
            if (why) *why = problem;
            return std::nullopt;
        }
        return std::move(row_);
    }

private:
    std::string problem_of(const isa::source_word& each, bool in_loop) const {
        const isa::word_encoding& words = *row_.words_;
        const isa::word_kind kind = isa::classify(each.word, words.arch);
        const auto refused = [&](const char* what) {
            return fmt::format("line {}: {}: {}", each.line, isa::disassemble(each.word, words), what);
        };
        if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end)
            return in_loop ? refused("this is no instruction of the vector unit") : "";
        const isa::instruction insn = isa::decode(each.word, words);
        if (insn.is(opcode::sfploadmacro)) return refused("macros schedule instructions");
        if (insn.is(opcode::sfpconfig) && insn.vd == 15) return refused("it sets LaneConfig");
        if (!in_loop || kind == isa::word_kind::front_end) return "";
        if (insn.is(opcode::sfpconfig) || insn.names_template()) return refused("it changes configuration");
        if (meaning_of(insn, words.arch).indirect) return refused("L7 says which register it means");
        if (insn.status == isa::definition::undefined) return refused("its result is undefined");
        return "";
    }

    /// What has to be in a register behind the row: what .tail or the next row reads. A lane that is off keeps
    /// what the row before left only if somebody reads it there.
    std::string settle_leaves() {
        const isa::register_set behind = read_behind();
        isa::register_set kept = behind;
        for (const row as_read = row_;;) {
            row_ = as_read;
            row_.leaves.fill(no_value);
            for (unsigned r = 0; r < 8; ++r)
                if (isa::contains(written_ & kept, r)) row_.leaves[r] = now_[r];
            if (!row_.refresh()) return "lane flags or values are not understood";
            isa::register_set read = 0;
            for (unsigned r = 0; r < 8; ++r)
                if (!row_.readers_of(static_cast<value>(r)).empty()) read |= isa::only(r);
            row_.free_ = isa::general_registers & ~read & ~behind;
            if ((read & ~kept) == 0) return "";
            kept |= read;
        }
    }

    /// Runs .init: which registers hold a constant, and the lane flags.
    void read_init(bool lanes_start_enabled) {
        isa::vector_state some, other;
        std::mt19937 numbers(1);
        for (unsigned r = 0; r < isa::lreg_count; ++r)
            for (unsigned lane = 0; lane < lane_count && r < isa::general_lregs; ++lane) {
                some.lreg[r].v[lane] = static_cast<std::uint32_t>(numbers());
                other.lreg[r].v[lane] = static_cast<std::uint32_t>(numbers());
            }
        for (isa::vector_state* state : {&some, &other})
            state->flags = state->use_flags = lanes_start_enabled ? all_lanes : lane_mask{0};
        row_.start_.flags = lanes_start_enabled ? always : never;
        row_.start_.use = lanes_start_enabled ? always : never;
        for (const isa::source_word& each : row_.kernel_->init) {
            const isa::word_kind kind = isa::classify(each.word, row_.words_->arch);
            if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end) continue;
            const isa::instruction insn = isa::decode(each.word, *row_.words_);
            if (kind == isa::word_kind::front_end) {
                thread_.execute_front_end(insn);
                continue;
            }
            if (insn.names_template() || insn.unit == isa::sub_unit::store) continue;
            if (insn.is(opcode::sfpload)) {
                for (unsigned lane = 0; lane < lane_count && insn.vd < isa::general_lregs; ++lane) {
                    some.lreg[insn.vd].v[lane] = static_cast<std::uint32_t>(numbers());
                    other.lreg[insn.vd].v[lane] = static_cast<std::uint32_t>(numbers());
                }
                continue;
            }
            execute_step(some, insn, *row_.words_);
            execute_step(other, insn, *row_.words_);
            if (isa::effects_of(insn, row_.words_->arch).writes_flags ||
                isa::effects_of(insn, row_.words_->arch).uses_stack) {
                step s;
                s.insn = insn;
                row_.advance(row_.start_, s);
            }
        }
        row_.still_ = thread_.still_modifiers();
        for (unsigned r = 0; r < 15; ++r) { // L15 counts lanes
            const std::uint32_t first = some.lreg[r].v[0];
            bool uniform = true;
            for (unsigned lane = 0; lane < lane_count; ++lane)
                uniform &= some.lreg[r].v[lane] == first && other.lreg[r].v[lane] == first;
            if (uniform) row_.held_[r] = first;
        }
    }

    void take(const isa::source_word& word) {
        const architecture arch = row_.words_->arch;
        isa::instruction insn = isa::decode(word.word, *row_.words_);
        if (insn.is(opcode::sfpnop) || insn.is(opcode::nop)) return;
        step s;
        s.insn = insn;
        s.line = word.line;
        const field_meaning fields = meaning_of(insn, arch);
        const bool merges = !row_.ignores_lanes(s);
        for (unsigned f = 0; f < field_count; ++f) {
            const unsigned lreg = register_field(insn, f);
            const bool written = fields.writes[f] && lreg < 8;
            if (lreg < 16 && (fields.reads[f] || (written && merges))) s.reads[f] = now_[lreg];
        }
        for (unsigned r = 0; r < 16; ++r) {
            const bool written = isa::contains(fields.fixed_writes, r) && r < 8;
            if (isa::contains(fields.fixed_reads, r) || (written && merges))
                s.fixed_reads.emplace_back(r, now_[r]);
        }
        for (unsigned f = 0; f < field_count; ++f) {
            const unsigned lreg = register_field(insn, f);
            if (!fields.writes[f] || lreg >= 8) continue;
            now_[lreg] = s.writes[f] = row_.new_value();
            written_ |= isa::only(lreg);
        }
        for (unsigned r = 0; r < 8; ++r)
            if (isa::contains(fields.fixed_writes, r)) {
                now_[r] = row_.new_value();
                s.fixed_writes.emplace_back(r, now_[r]);
                written_ |= isa::only(r);
            }
        row_.steps.push_back(std::move(s));
    }

    /// General registers that .tail reads before it writes them.
    isa::register_set read_behind() const {
        isa::register_set reads = 0, gone = 0;
        for (const isa::source_word& each : row_.kernel_->tail) {
            if (isa::classify(each.word, row_.words_->arch) != isa::word_kind::sfpu) continue;
            const isa::instruction insn = isa::decode(each.word, *row_.words_);
            reads |= insn.use.reads & ~gone;
            gone |= insn.use.results() & insn.use.reads ? 0u : insn.use.results();
        }
        return reads & isa::general_registers;
    }

    row row_;
    isa::thread_state thread_;
    std::array<value, 16> now_{};
    isa::register_set written_ = 0;
};

std::optional<row> row::read(const isa::kernel& kernel, const isa::word_encoding& words,
                             const isa::thread_state& thread, bool lanes_start_enabled,
                             const assumptions& assumed, std::string* why) {
    return row_reader(kernel, words, thread, assumed).read(lanes_start_enabled, why);
}

} // namespace sfpu::rewriting
