// Plays a program: which words go to the unit when. Counts cycles; who takes the words is behind interfaces.
// Plain C++.
#pragma once

#include <sfpu/frontend/surroundings.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/platform/program.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sfpu::platform {

/// Takes words that go straight to the unit, one a cycle, as a replay buffer pushes them.
class word_port {
public:
    /// The next word comes so many cycles later than it would.
    virtual void wait(unsigned bubbles) = 0;
    /// Words that follow each other. `start`, if not null, receives the cycle in which the first was issued.
    virtual void push(const std::uint32_t* words, std::size_t count, cycles* start) = 0;

protected:
    ~word_port() = default;
};

class program_player {
public:
    /// `front_ends`: where the front end of each thread issues its words, by thread.
    program_player(word_port& direct,
                   const std::array<frontend::surroundings*, isa::thread_count>& front_ends);
    ~program_player();
    program_player(const program_player&) = delete;
    program_player& operator=(const program_player&) = delete;

    /// Issues everything but what a wait holds for ever, and fills in the spans of the segments. The unit has
    /// been reset: it stands at cycle 0. Returns the cycle behind the last issue of words that did not go
    /// through the word_port, 0 if all did.
    cycles play(const run_request& request, run_result& result);

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace sfpu::platform
