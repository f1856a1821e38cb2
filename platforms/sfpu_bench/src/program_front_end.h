// Plays programs that hold words for the front end: each word goes through the expanders and the wait gate.
#pragma once

#include <sfpu/frontend/thread_pipeline.h>
#include <sfpu/frontend/vector_unit_port.h>
#include <sfpu/platform/sfpu_bench.h>

#include <systemc>
#include <tlm>

namespace sfpu::platform {

/// The words stand in memory, as it were: one a cycle is offered to the MOP expander, the next one in the cycle after it
/// took the previous one in, or as many cycles later as there are bubbles before it.
class program_front_end {
public:
    program_front_end(tlm::tlm_initiator_socket<32>& socket, vector_unit& unit) : port_(socket, unit) {}

    /// Whether the program has words that the vector unit cannot take as they are.
    static bool is_needed(const run_request& request);
    /// Issues everything but what a wait holds for ever. Takes no simulated time.
    void play(const run_request& request, run_result& result);
    /// The time that the program took, from its begin to its last issue.
    sc_core::sc_time time_used() const {
        return port_.time_of(pipeline_.next_issue()) - port_.time_of(cycles{});
    }

private:
    /// Remembers the first issue of a repetition.
    class recording_port : public frontend::vector_unit_port {
    public:
        using vector_unit_port::vector_unit_port;
        unsigned issue(const frontend::word_run& run, cycles start, cycles end, cycles* issued) override;
        bool waiting_for_first = false;
        cycles first{};
    };

    /// Returns the cycle of the first issue, that of the next one if there is none.
    cycles play_once(const std::vector<std::uint32_t>& words, const std::vector<unsigned>& bubbles);

    recording_port port_;
    frontend::sync_unit semaphores_;
    frontend::thread_pipeline pipeline_;
    std::size_t words_played_ = 0;
};

} // namespace sfpu::platform
