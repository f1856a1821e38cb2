// What is handed from stage to stage of the vector unit: plans to the executor, steps of a plan to the
// sub-units.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/timing/plan.h>

#include <cstdint>

namespace sfpu {

/// A plan to be executed.
struct plan_order {
    const timing::plan* plan = nullptr;
    cycles at{};             ///< the cycle in which it begins
    std::int64_t word = -1;  ///< index of its first word
    unsigned word_step = 1;  ///< from the word of an instruction to that of the next
    std::uint8_t thread = 0; ///< whose words they are
};

/// Whoever executes plans, or has them executed.
class plan_sink {
public:
    virtual void execute(const plan_order& order) = 0;

protected:
    ~plan_sink() = default;
};

/// One instruction for a sub-unit.
struct unit_step {
    const isa::instruction* insn = nullptr;
    cycles at{};                               ///< the cycle in which it executes
    std::int64_t word = -1;                    ///< index of the issued word, of the SFPLOADMACRO if scheduled
    isa::thread_state* thread_state = nullptr; ///< of `thread`
    std::uint8_t thread = 0;                   ///< whose word that is
    timing::execution_form form;
    std::uint16_t dst_address = 0; ///< in: slice of a scheduled store; out: slice of a load
};

} // namespace sfpu
