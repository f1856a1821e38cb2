// What an instruction that was executed by itself leaves, for whoever asks what words do without their
// timing.
#pragma once

#include <sfpu/isa/execution.h>
#include <sfpu/isa/state.h>

#include <utility>

namespace sfpu::isa {

/// Writes the results of one instruction to the registers, in the lanes that it wrote.
inline void write_results(vector_state& state, const write_set& results) {
    for (unsigned i = 0; i < results.count; ++i)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (results.entries[i].mask >> lane & 1u)
                state.lreg[results.entries[i].lreg].v[lane] =
                    results.storage[results.entries[i].buffer].v[lane];
    for (unsigned i = 0; i < results.exchange_count; ++i)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (results.exchange_mask[i] >> lane & 1u)
                std::swap(state.lreg[results.exchange[i].c].v[lane],
                          state.lreg[results.exchange[i].d].v[lane]);
}

} // namespace sfpu::isa
