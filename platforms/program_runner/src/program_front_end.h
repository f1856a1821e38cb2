// Plays programs that hold words for the front end: each word goes through the expanders and the wait gate.
#pragma once

#include <sfpu/frontend/thread_pipeline.h>
#include <sfpu/platform/program.h>

#include <string>
#include <vector>

namespace sfpu::platform {

/// What the front end of a thread holds before its first word, semaphores aside.
void set_up(frontend::thread_pipeline& pipeline, const front_end_setup& setup);
void set_up(frontend::sync_unit& semaphores, const front_end_setup& setup);

/// The words stand in memory, as it were: one a cycle is offered to the MOP expander, the next one in the
/// cycle after it took the previous one in, or as many cycles later as there are bubbles before it.
class program_front_end {
public:
    explicit program_front_end(frontend::surroundings& unit) : port_(unit) {}

    /// Whether the program has words that the vector unit cannot take as they are.
    static bool is_needed(const run_request& request);
    /// Issues everything but what a wait holds for ever. Returns the cycle behind the last issue.
    cycles play(const run_request& request, run_result& result);

private:
    /// Remembers the first issue of a repetition.
    class recording_port : public frontend::surroundings {
    public:
        explicit recording_port(frontend::surroundings& unit) : unit_(unit) {}

        unsigned issue(const frontend::word_run& run, cycles start, cycles end, cycles* issued) override;
        unsigned foresee(const frontend::word_run& run, cycles start, cycles* issued) override {
            return unit_.foresee(run, start, issued);
        }
        cycles issue_cycle(std::uint32_t word, cycles start) const override {
            return unit_.issue_cycle(word, start);
        }
        bool vector_unit_busy(cycles at) override { return unit_.vector_unit_busy(at); }
        bool vector_unit_moves(cycles at) override { return unit_.vector_unit_moves(at); }
        const isa::thread_state* thread_state() const override { return unit_.thread_state(); }
        void report(report_id id, cycles at, std::int64_t index, const std::string& message) override {
            unit_.report(id, at, index, message);
        }

        bool waiting_for_first = false;
        cycles first{};

    private:
        frontend::surroundings& unit_;
    };

    /// Returns the cycle of the first issue, that of the next one if there is none.
    cycles play_once(const std::vector<std::uint32_t>& words, const std::vector<unsigned>& bubbles);

    recording_port port_;
    frontend::sync_unit semaphores_;
    frontend::thread_pipeline pipeline_;
    std::size_t words_played_ = 0;
};

} // namespace sfpu::platform
