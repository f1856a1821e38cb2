// The stream of pipeline events that waveforms, tables, statistics and hazard reports listen to.
//
// Events carry absolute cycles and arrive in non-decreasing order of their begin cycle, whatever the temporal
// decoupling; in which order those of one cycle come is not promised, since it depends on who looks in
// between. A model without observers pays one null check.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/state.h>
#include <sfpu/probe/early_results.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sfpu::probe {

enum class origin : std::uint8_t { issued, macro };

/// One instruction in one sub-unit (or, for front-end words, in the issue stage).
struct execution_event {
    cycles begin{}; ///< the cycle in which it executes (reads its operands)
    cycles end{};   ///< the last cycle of its latency: its effect is visible in end + 1
    isa::sub_unit unit{};
    origin from = origin::issued;
    isa::instruction insn;
    std::int64_t word = -1;    ///< index of the issued word; for a scheduled one, that of its SFPLOADMACRO
    std::uint8_t thread = 0;   ///< whose word that is
    bool discarded = false;    ///< issued, but a scheduled instruction took its place (T13)
    bool takes_effect = false; ///< has an architectural effect: not SFPNOP, NOP or a discarded one
    std::uint32_t dst_address = 0; ///< loads and stores: resolved Dst address (row group and column parity)
    lane_mask lanes = 0;           ///< lanes that were enabled; of a store, those that it wrote

    // Values, valid during the call only. Null where there are none, and where events have been put in order
    // (time_order.h).
    const sfpu::lanes* result =
        nullptr; ///< for the first register that it writes; of SFPSWAP it is not known yet
    const sfpu::lanes* cells =
        nullptr; ///< loads and stores: what they read or wrote of Dst, a raw cell a lane
};

/// Everything of the cycles before `at` has happened and nothing of `at`. What is shown has been so since the
/// event before, and the cycle behind it.
struct cycle_event {
    cycles at{};
    const isa::vector_state* state = nullptr; ///< valid during the call; its registers may be ahead of time
    const early_results* early = nullptr;     ///< if they are

    /// A register as an instruction of this cycle reads it.
    const lanes& lreg(unsigned which) const {
        const lanes* const held = early ? early->find(which) : nullptr;
        return held ? *held : state->lreg[which];
    }
};

/// `thread_slot`: a word of another thread was issued in that cycle (T22).
enum class stall_cause : std::uint8_t { mad_dependence, swap, shuffle, thread_slot };
constexpr unsigned stall_cause_count = static_cast<unsigned>(stall_cause::thread_slot) + 1;
const char* to_string(stall_cause cause); ///< "mad-dependence", "swap", "shuffle", "thread-slot"

/// A cycle in which a word was held.
struct stall_event {
    cycles at{};
    stall_cause cause{};
    std::int64_t word = -1;
    std::uint8_t thread = 0; ///< whose word it is
};

/// What is outstanding after a cycle: for each of Simple, MAD, Round, Store bit r is set if an entry has r
/// ticks left.
struct slots_event {
    cycles at{};
    std::array<std::uint32_t, isa::scheduled_units> outstanding{};
};

struct forgotten_event {
    cycles at{};
    isa::sub_unit unit{};
    isa::instruction insn;
    std::int64_t word = -1;
    std::uint8_t thread = 0; ///< of the SFPLOADMACRO
};

/// Address counters of a thread after a cycle that changed them.
struct counters_event {
    cycles at{};
    std::uint32_t dst = 0, dst_cr = 0, sp = 0;
    std::uint8_t thread = 0;
};

/// What else in a tile can be busy. The vector unit has events of its own.
enum class tile_unit : std::uint8_t { hart, front_end, tensorload, memory };
const char* to_string(tile_unit unit); ///< "hart", "front-end", "tensorload", "memory"

/// Something that a unit around the vector unit did, or that held it up, in a stretch of cycles. Events of
/// one lane arrive in order; those of different units need not, since each model runs ahead on its own.
struct activity_event {
    cycles begin{};
    cycles end{}; ///< the last cycle, inclusive
    tile_unit unit{};
    std::uint8_t instance = 0; ///< which hart or thread
    const char* lane = "";  ///< part of the unit, a literal: "load", "compute", "mop", "wait_gate", "retire"
    const char* kind = "";  ///< a literal for statistics: "busy", or the cause of a stall
    std::string_view text;  ///< for people; valid during the call only
    std::uint64_t flow = 0; ///< not 0: events with the same number belong to one instruction
};

class pipeline_observer {
public:
    virtual ~pipeline_observer() = default;
    /// Before the first step of each cycle in which an instruction executes, SFPNOP and words of the front
    /// end included, or a result arrives, and at the end of a program.
    virtual void cycle_begins(const cycle_event&) {}
    virtual void executed(const execution_event&) {}
    virtual void stalled(const stall_event&) {}
    virtual void slots_changed(const slots_event&) {}
    virtual void forgotten(const forgotten_event&) {}
    virtual void counters_changed(const counters_event&) {}
    virtual void diagnosed(const diagnostic&) {}
    virtual void acted(const activity_event&) {}
    /// The simulation has ended, by sc_stop() say: no event comes any more, and a file can be ended. May
    /// be told more than once; not told if the observer or the models are destroyed before.
    virtual void simulation_ended() {}
};

/// Fans one stream out to many observers.
class observer_list : public pipeline_observer {
public:
    void add(pipeline_observer& observer) { observers_.push_back(&observer); }
    void clear() { observers_.clear(); }
    bool empty() const { return observers_.empty(); }

    void cycle_begins(const cycle_event& e) override {
        for (auto* o : observers_) o->cycle_begins(e);
    }
    void executed(const execution_event& e) override {
        for (auto* o : observers_) o->executed(e);
    }
    void stalled(const stall_event& e) override {
        for (auto* o : observers_) o->stalled(e);
    }
    void slots_changed(const slots_event& e) override {
        for (auto* o : observers_) o->slots_changed(e);
    }
    void forgotten(const forgotten_event& e) override {
        for (auto* o : observers_) o->forgotten(e);
    }
    void counters_changed(const counters_event& e) override {
        for (auto* o : observers_) o->counters_changed(e);
    }
    void diagnosed(const diagnostic& e) override {
        for (auto* o : observers_) o->diagnosed(e);
    }
    void acted(const activity_event& e) override {
        for (auto* o : observers_) o->acted(e);
    }
    void simulation_ended() override {
        for (auto* o : observers_) o->simulation_ended();
    }

private:
    std::vector<pipeline_observer*> observers_;
};

} // namespace sfpu::probe
