// The front end between a core's pushes and the words of its thread: MOP and REPLAY, with the place that each
// word comes from.
#pragma once

#include "thread_backend.h"

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/replay_expander.h>

#include <array>
#include <cstdint>

namespace sfpu::analysis {

class word_expander {
public:
    word_expander(const parameters& config, thread_backend& to, run_notes& notes);

    /// The core writes a word of the MOP expander's configuration.
    void set_mop_config(unsigned index, std::uint32_t value) { mop_.set_config(index, value); }
    /// The core pushes a word in a cycle; `first`: it is the first of that cycle. False if there are too
    /// many.
    bool push(std::uint32_t word, std::uint32_t pc, std::int64_t cycle, bool first);

    std::uint64_t pushes() const { return pushes_; }
    /// The cycle behind everything that was pushed, if the thread takes one word a cycle.
    std::int64_t idle_from() const { return free_; }

private:
    bool pass(std::uint32_t word, std::uint32_t pc, std::int64_t pushed);
    bool play(std::uint32_t replay, std::uint32_t pc, std::int64_t pushed);
    std::int64_t next_cycle(std::int64_t pushed);

    frontend::mop_expander mop_;
    frontend::replay_expander replay_;
    std::array<std::uint32_t, frontend::replay_expander::slots> recorded_at_{}; ///< pc, by slot
    thread_backend& to_;
    run_notes& notes_;
    std::int64_t dead_cycles_, start_cycles_; ///< behind a MOP; from a REPLAY to the first word that it plays
    std::int64_t free_ = 0;                   ///< when the expanders can emit a word
    std::uint64_t pushes_ = 0;
};

} // namespace sfpu::analysis
