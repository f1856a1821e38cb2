// A program for one vector unit and its Dst, the state before it, and what a run of it gives.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/platform/dst_rows.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/unit_counters.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace sfpu::platform {

/// A segment of a program: words that are played `repeat` times.
struct program_segment {
    std::vector<std::uint32_t> words;
    std::uint64_t repeat = 1;
};

/// What the front end holds before the first word. Only programs with words for it look at this.
struct front_end_setup {
    std::array<std::uint32_t, 9> mop_config{};
    std::uint32_t mop_mask_hi = 0; ///< 16 bits
    std::array<unsigned, 8> semaphore_value{}, semaphore_max{};
};

/// One run: what to issue and the state before it. A program that holds words for the expanders or the wait
/// gate (MOP, MOP_CFG, REPLAY, STALLWAIT, SEM*) goes through them; what they make of a word keeps that word's
/// number.
struct run_request {
    parameters config;
    std::vector<program_segment> segments;
    std::vector<unsigned>
        bubbles; ///< idle cycles before issued word i; missing ones are 0. Words count over segments
    /// The thread of word i, 0 to 2; missing ones are 0. If there are any, words of different threads compete
    /// for the issue slot, bubbles count from the previous word of the same thread, and run_result::segments
    /// is not filled in.
    std::vector<std::uint8_t> threads;
    isa::vector_state state;   ///< construct, call reset(config.sfpu_lreg12_default), then change
    isa::thread_state thread;  ///< of all threads; call reset(config.arch) first
    front_end_setup front_end; ///< of all threads
    /// What threads begin with instead, by number; empty, or one for each. Semaphores are those of
    /// `front_end`.
    struct thread_start {
        isa::thread_state state;
        front_end_setup front_end;
    };
    std::vector<thread_start> thread_starts;

    const isa::thread_state& thread_of(unsigned number) const {
        return thread_starts.empty() ? thread : thread_starts[number].state;
    }
    const front_end_setup& front_end_of(unsigned number) const {
        return thread_starts.empty() ? front_end : thread_starts[number].front_end;
    }
    platform::dst_rows dst_rows; ///< what Dst holds at the start
    /// Asked now and then while a segment repeats, with how often it will have been played if the answer is
    /// true: then only its last repetition and the segments behind it follow. May be empty; not asked with
    /// `threads`.
    std::function<bool(std::uint64_t repetitions)> stop;
    bool asks_reach = false; ///< whether run_result::reach is worth a tenth of the time of loads and stores
    unsigned words_per_push = 0; ///< words in one transaction at most; 0: as many as the quantum allows
    probe::pipeline_observer* observer = nullptr;
    diagnostic_sink* diagnostics = nullptr;
    hazard_policy hazards = hazard_policy::warn;
};

/// Whether a run met what open questions of the timing contract are about. False is certain: under another
/// answer the run would have been the same. True is not, and stands everywhere if run_request::asks_reach is
/// false.
struct question_reach {
    bool delay_kind_scope = true;   ///< macro.delay_kind_scope
    bool mixed_kinds = true;        ///< macro.firing_entry_outstanding, macro.freeze_scope
    bool store_load_visible = true; ///< dst.store_load_visible
};

struct run_result {
    cycles first_issue{}; ///< cycle of the first word, counted from the start of the run
    cycles
        cycles_used{};   ///< first issued word to the last architectural effect, inclusive; 0 without effects
    cycles last_cycle{}; ///< the last cycle simulated, counted like first_issue
    probe::unit_counters counters;
    struct segment_span {
        cycles first{}; ///< cycle of the first word of the first repetition
        cycles last{};  ///< cycle of the first word of the last repetition
    };
    std::vector<segment_span> segments; ///< one for each segment of the request
    question_reach reach;
};

} // namespace sfpu::platform
