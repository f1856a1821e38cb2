// What a thread's pipeline offers when several compete for the issue slot of one vector unit. Pure C++.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/pipeline_state.h>

#include <cstdint>

namespace sfpu::frontend {

/// The word that would pass the wait gate next.
struct slot_offer {
    std::uint32_t word = 0;
    std::int64_t index = -1;
    cycles at = forever;     ///< it does not pass before
    bool is_open = false;    ///< and does then, unless the unit holds it
    cycles issues = forever; ///< when the unit would issue it, if it is open, else `at`
};

/// What stands at the wait gate once all words that get there before `end` have.
slot_offer offer_of(pipeline_state& pipeline, cycles end);

} // namespace sfpu::frontend
