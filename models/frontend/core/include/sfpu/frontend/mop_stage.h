// The first stage of a thread's pipeline: the MOP expander in time. Pure C++.
//
// Source: tt-isa-documentation, MOPExpander; tile.md K4.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/b_core_port.h>
#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/pipeline_context.h>
#include <sfpu/frontend/push_fifo.h>
#include <sfpu/frontend/stage_fifo.h>

#include <cstdint>

namespace sfpu::frontend {

/// Takes words from the first FIFO, expands MOPs, and passes on one word a cycle to the FIFO before the
/// replay expander. Words of the B core join behind it; one that passes in the same cycle as a word of the T
/// core takes its place, and that one is lost.
class mop_stage {
public:
    void reset(const parameters& config);

    /// Moves one word, of either core, if that happens before `end`. Whether it did. Only if is_expanding()
    /// or a word of the T core waits.
    bool step(cycles end, push_fifo& in, b_core_port& b_core, stage_fifo& out, pipeline_context& context);

    /// Whether a MOP is being expanded that has another word. Resolves loops up to it.
    bool is_expanding() { return expander_.pending(); }
    /// A core writes to the configuration in this cycle. Reported, once, if a MOP is under way.
    void set_config(unsigned index, std::uint32_t value, cycles at, const push_fifo& in,
                    const pipeline_context& context);
    std::uint32_t config(unsigned index) const { return expander_.config(index); }
    void set_mask_hi(std::uint32_t value) { expander_.set_mask_hi(value); }
    /// Gives up an expansion in this cycle.
    void abort(cycles at, const pipeline_context& context);

    /// The cycle in which the latest word was taken in.
    cycles latest_intake() const { return latest_intake_; }
    /// When it can take in a word that is no MOP.
    cycles free_for_words() const { return free_for_words_; }
    /// Words that are for no expander have passed, the last one in the cycle before this.
    void words_have_passed(cycles free) {
        free_ = free_for_words_ = free;
        latest_intake_ = free - one_cycle;
    }

private:
    void take_in(cycles at, push_fifo& in, pipeline_context& context);
    void end_expansion(cycles at, const pipeline_context& context);
    queued_word next_of_expansion(cycles at, pipeline_context& context);
    queued_word take_word(cycles at, push_fifo& in);

    mop_expander expander_;
    cycles dead_cycles_{1};
    std::int64_t index_ = -1; ///< of the MOP
    cycles begin_{};          ///< of the expansion
    cycles free_{};           ///< when the expander can emit, or take in a MOP
    cycles free_for_words_{}; ///< when it can take in a word that is no MOP
    cycles latest_intake_{-1};
    bool race_reported_ = false;
};

} // namespace sfpu::frontend
