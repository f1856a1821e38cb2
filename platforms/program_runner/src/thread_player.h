// Plays programs whose words belong to several threads, which compete for the issue slot.
#pragma once

#include <sfpu/frontend/thread_group.h>
#include <sfpu/frontend/thread_pipeline.h>
#include <sfpu/platform/program.h>
#include <sfpu/timing/thread_arbiter.h>

#include <array>
#include <memory>
#include <vector>

namespace sfpu::platform {

/// The words of each thread are a stream of their own, in the order of the program. A program with words for
/// the expanders or the wait gate goes through a front end for each thread; any other goes straight to the
/// unit. In both cases a thread offers its next word in the cycle after its previous one was accepted, or as
/// many cycles later as there are bubbles before it.
class thread_player : private frontend::sync_unit::user {
public:
    /// `units`: where each thread issues its words.
    explicit thread_player(const std::array<frontend::surroundings*, isa::thread_count>& units);
    ~thread_player() override;

    /// Issues everything but what a wait holds for ever. Returns the cycle behind the last issue.
    cycles play(const run_request& request);

private:
    class stream;

    void bring_to(cycles at) override { group_.advance(at); }
    void semaphores_changed(cycles at) override;
    void fill_streams(const run_request& request);
    void play_through_front_ends(const run_request& request);
    void play_directly(const run_request& request);

    std::array<std::unique_ptr<stream>, isa::thread_count> streams_;
    frontend::sync_unit semaphores_;
    frontend::thread_group group_;
    cycles end_{}; ///< behind the last issue
};

} // namespace sfpu::platform
