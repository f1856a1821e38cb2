#include <sfpu/frontend/mop_stage.h>

#include <sfpu/frontend/instruction_class.h>
#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

/// A word of the T core goes on, unless a word of the B core takes this cycle.
void pass_on(const queued_word& word, push_fifo& in, b_core_port& b_core, stage_fifo& out,
             pipeline_context& context) {
    if (b_core.empty() || b_core.next_pass(out) != word.at) {
        out.push_back(word);
        return;
    }
    ++context.counters.collisions;
    context.report(report_id::frontend_collision, word.at, word.index,
                   fmt::format("{} of the T core is lost: the B core pushes {} in the same cycle",
                               isa::disassemble(word.word, context.arch()),
                               isa::disassemble(b_core.front().word, context.arch())));
    in.release(word);
    b_core.pass(word.at, out);
}

} // namespace

void mop_stage::reset(const parameters& config) {
    *this = {};
    dead_cycles_ = cycles{config.front_end.mop_dead_cycles};
}

bool mop_stage::step(cycles end, push_fifo& in, b_core_port& b_core, stage_fifo& out,
                     pipeline_context& context) {
    const bool expands = is_expanding();
    cycles at = free_;
    if (!expands) {
        const queued_word& head = in.front();
        at = std::max(head.at, is_mop(head.word) ? free_ : free_for_words_);
        if (is_mop(head.word) || is_mop_cfg(head.word)) {
            if (at >= end) return b_core.step(end, end, out);
            take_in(at, in, context);
            return true;
        }
    }
    if (out.full()) return false;
    at = std::max(at, out.room());
    if (b_core.step(end, at, out)) return true;
    if (at >= end) return false;
    free_ = free_for_words_ = at + one_cycle;
    pass_on(expands ? next_of_expansion(at, context) : take_word(at, in), in, b_core, out, context);
    return true;
}

/// Takes in a MOP or MOP_CFG. The first instruction of an expansion can follow in the same cycle.
void mop_stage::take_in(cycles at, push_fifo& in, pipeline_context& context) {
    const queued_word head = in.take_front();
    latest_intake_ = at;
    if (is_mop_cfg(head.word)) {
        expander_.set_mask_hi(head.word);
        free_ = free_for_words_ = at + one_cycle;
        return;
    }
    ++context.counters.mops;
    expander_.begin(head.word);
    index_ = head.index;
    begin_ = free_ = at;
    if (!is_expanding()) end_expansion(at, context);
}

queued_word mop_stage::take_word(cycles at, push_fifo& in) {
    queued_word word = in.take_front();
    word.at = latest_intake_ = at;
    return word;
}

queued_word mop_stage::next_of_expansion(cycles at, pipeline_context& context) {
    const queued_word result{expander_.take(), false, index_, at};
    ++context.counters.mop_words;
    if (!is_expanding()) end_expansion(at, context);
    return result;
}

void mop_stage::end_expansion(cycles at, const pipeline_context& context) {
    free_ = at + one_cycle;
    free_for_words_ = free_ + dead_cycles_;
    if (context.is_observed())
        context.publish("mop", "expand", begin_, at, fmt::format("mop (word {})", index_));
}

void mop_stage::abort(cycles at, const pipeline_context& context) {
    if (!is_expanding()) return;
    expander_.abort();
    end_expansion(at, context);
}

void mop_stage::set_config(unsigned index, std::uint32_t value, cycles at, const push_fifo& in,
                           const pipeline_context& context) {
    if ((is_expanding() || in.has_mops()) && !race_reported_) {
        race_reported_ = true;
        context.report(report_id::frontend_mop_config_race, at, index_,
                       fmt::format("word {} of the MOP configuration is written while {}", index,
                                   is_expanding() ? "a MOP is being expanded" : "a MOP waits in the FIFO"));
    }
    expander_.set_config(index, value);
}

} // namespace sfpu::frontend
