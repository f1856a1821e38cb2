// Random programs with words for the front end.
#pragma once

#include "random_loops.h"
#include "tensix_words.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sfpu::test {

using word_list = std::vector<std::uint32_t>;

/// A program of random_loops between words for the expanders and the wait gate. Nothing waits for ever:
/// semaphore 0 is waited for only after it was posted, and no macro waits for instructions.
class front_end_words {
public:
    explicit front_end_words(random_loops& loops) : loops_(loops) { loops.only_counts_cycles = true; }
    void set_architecture(architecture arch) {
        switch (arch) {
        case architecture::blackhole: vector_unit_idle_ = 1u << 11; break;
        case architecture::wormhole: vector_unit_idle_ = 1u << 14; break;
        }
    }

    /// Some words to push at once.
    word_list with_front_end(const word_list& burst) {
        word_list result;
        switch (loops_.pick(6)) {
        case 0: { // recorded while it is executed, then played twice
            const unsigned count = std::min<unsigned>(32, static_cast<unsigned>(burst.size()));
            result.push_back(replay(0, count, true, true));
            result.insert(result.end(), burst.begin(), burst.end());
            result.push_back(replay(0, count, false, false));
            result.push_back(replay(count / 2, count - count / 2, false, false));
            return result;
        }
        case 1:
            result = burst;
            result.push_back(mop(1));
            return result;
        case 2:
            result = burst;
            result.push_back(stallwait(block_vector_unit, vector_unit_idle_));
            result.insert(result.end(), burst.begin(), burst.end());
            return result;
        case 3:
            result = {sempost(1)};
            result.insert(result.end(), burst.begin(), burst.end());
            result.push_back(semwait(block_everything, 1, while_zero));
            result.push_back(semget(1));
            return result;
        default: return burst;
        }
    }

private:
    random_loops& loops_;
    unsigned vector_unit_idle_ = 0; ///< the bit of a STALLWAIT's condition
};

} // namespace sfpu::test
