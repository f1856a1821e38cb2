#include <sfpu/frontend/plain_runs.h>

#include "plain_run.h"

#include <sfpu/frontend/instruction_class.h>

#include <algorithm>
#include <array>

namespace sfpu::frontend {
namespace {

/// Removes the first words of a pipeline from the FIFOs, once the unit has issued them, and notes when each
/// would have left every FIFO if it had gone through all stages.
class run_removal {
public:
    run_removal(pipeline_state& pipeline, const cycles* issued, unsigned count)
        : all_(pipeline), next_(issued), end_(issued + count) {}

    void remove_all() {
        all_.issue.words_have_issued(end_[-1] + one_cycle);
        remove_from_gate_fifo();
        if (is_over()) return;
        leaves_replay_ = all_.replay.free();
        remove_from_replay_fifo();
        if (!is_over()) remove_from_first_fifo();
        all_.replay.words_have_passed(leaves_replay_);
    }

private:
    bool is_over() const { return next_ == end_; }

    void remove_from_gate_fifo() {
        std::size_t removed = 0;
        for (; removed < all_.gate_fifo.size() && !is_over(); ++removed) {
            all_.first_fifo.release(all_.gate_fifo[removed]);
            all_.gate_fifo.note_departure(*next_++);
        }
        all_.gate_fifo.pop_front(removed);
    }
    void remove_from_replay_fifo() {
        std::size_t removed = 0;
        for (; removed < all_.replay_fifo.size() && !is_over(); ++removed) {
            all_.first_fifo.release(all_.replay_fifo[removed]);
            all_.replay.note_passed(all_.replay_fifo[removed].word);
            leave_replay_expander(all_.replay_fifo[removed].at);
        }
        all_.replay_fifo.pop_front(removed);
    }
    void remove_from_first_fifo() {
        cycles leaves_mop = all_.mop.free_for_words();
        std::size_t removed = 0;
        while (!is_over()) { // leave_replay_expander() counts
            const queued_word& word = all_.first_fifo[removed++];
            const cycles at = std::max({word.at, leaves_mop, all_.replay_fifo.room()});
            leaves_mop = at + one_cycle;
            all_.first_fifo.release(word);
            all_.replay.note_passed(word.word);
            leave_replay_expander(at);
        }
        all_.first_fifo.pop_front(removed);
        all_.mop.words_have_passed(leaves_mop);
    }
    /// The next word, which came to the replay expander in this cycle.
    void leave_replay_expander(cycles came) {
        const cycles at = std::max({came, leaves_replay_, all_.gate_fifo.room()});
        all_.replay_fifo.note_departure(at);
        leaves_replay_ = at + one_cycle;
        all_.gate_fifo.note_departure(*next_++);
    }

    pipeline_state& all_;
    const cycles *next_, *const end_; ///< when the words were issued
    cycles leaves_replay_{};          ///< when the replay expander can pass on the next word
};

} // namespace

bool issue_run(pipeline_state& pipeline, cycles end, unsigned most) {
    plain_run run(std::min(pipeline.issue.longest(), most), pipeline.issue.free(), end);
    run.collect(pipeline);
    if (run.count() == 0) return false;
    std::array<cycles, longest_run> issued;
    const word_run words = run.words();
    const unsigned count = pipeline.context.around().issue(words, run.start(), end, issued.data());
    if (count == 0) return false;
    pipeline.gate.passed(words.words, count, issued.data());
    run_removal(pipeline, issued.data(), count).remove_all();
    pipeline.context.counters.words_out += count;
    pipeline.first_fifo.departures().come_true(count, issued[count - 1]);
    return true;
}

bool only_unit_holds(pipeline_state& pipeline) {
    if (!pipeline.first_fifo.held_to_gate() || pipeline.plays_in_bursts() || pipeline.replay.is_loading() ||
        pipeline.mop.is_expanding())
        return false;
    if (pipeline.gate.waits() || !pipeline.b_core.empty() || pipeline.first_fifo.has_expander_words())
        return false;
    for (std::size_t i = 0; i < pipeline.replay_fifo.size(); ++i)
        if (is_replay(pipeline.replay_fifo[i].word)) return false;
    return true;
}

void foresee_departures(pipeline_state& pipeline) {
    const std::size_t words =
        pipeline.first_fifo.size() + pipeline.replay_fifo.size() + pipeline.gate_fifo.size();
    if (words != pipeline.first_fifo.held()) return;
    plain_run run(pipeline.issue.longest(), pipeline.issue.free(), forever);
    run.collect(pipeline);
    if (run.count() == 0) return;
    pipeline.first_fifo.departures().fill(
        [&](cycles* times) { return pipeline.context.around().foresee(run.words(), run.start(), times); });
}

void settle_departures(pipeline_state& pipeline) {
    if (const unsigned told = pipeline.first_fifo.departures().passed()) issue_run(pipeline, forever, told);
    pipeline.first_fifo.departures().clear();
}

} // namespace sfpu::frontend
