// When TensorLoad instructions start: four sub-engines with queues, and a scoreboard of the tensor registers.
//
// Each sub-engine starts its instructions in program order. An instruction starts when its sub-engine is free
// and every earlier one that writes a register it uses, or reads a register it writes, is complete: no
// chaining. It leaves its queue in the cycle in which it starts, and another may enter in that cycle. Source:
// tensorload.md A8.
#pragma once

#include <sfpu/tensorload/encoding.h>
#include <sfpu/tensorload/timing.h>

#include <boost/circular_buffer.hpp>

#include <array>

namespace sfpu::tensorload {

struct placement {
    cycles issued{}; ///< enters the queue: after the cycle it was offered in if the queue was full
    cycles free{};   ///< its sub-engine could start it
    cycles start{};  ///< starts: later than `free` if it waits for registers
};

class schedule {
public:
    explicit schedule(unsigned queue_depth = 4) { reset(queue_depth); }
    void reset(unsigned queue_depth);

    /// Where an instruction goes that the hart offers in cycle `at`; registers as instruction::sources()
    /// gives them.
    placement place(sub_engine engine, cycles at, std::uint32_t sources, std::uint32_t destinations) const;
    void commit(sub_engine engine, const placement& where, const cost& needs, std::uint32_t sources,
                std::uint32_t destinations);

    /// Whether the sub-engine has anything that is not complete in cycle `at`.
    bool busy(sub_engine engine, cycles at) const { return lane(engine).complete > at; }
    /// The first cycle, at or after `at`, in which everything is complete.
    cycles drained(cycles at) const;

private:
    struct engine_state {
        boost::circular_buffer<cycles> starts; ///< of the last instructions, as many as the queue holds
        cycles free{};                         ///< the next instruction can start
        cycles complete{};                     ///< everything so far is complete
    };
    const engine_state& lane(sub_engine engine) const { return engines_[static_cast<unsigned>(engine)]; }

    std::array<engine_state, sub_engine_count> engines_;
    std::array<cycles, register_count> written_{}; ///< the last writer is complete
    std::array<cycles, register_count> read_{};    ///< all readers are complete
};

} // namespace sfpu::tensorload
