// Values that pass from one iteration of a loop to a later one: how fast the loop could be if nothing else
// held it.
#pragma once

#include <sfpu/probe/observer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sfpu::probe {

/// An instruction that makes a value which the next step's instruction reads.
struct dependence_step {
    std::int64_t word =
        0; ///< place in the loop of the issued word, 0 is the first; of its SFPLOADMACRO if it is scheduled
    isa::instruction insn;
    std::string value; ///< where the next step finds it: "L3", "Dst"
    std::int64_t cycles =
        0; ///< from the cycle in which the instruction executes to the first that can read the value
};

/// A chain of values that leads from an instruction back to itself in a later iteration.
struct dependence_cycle {
    std::vector<dependence_step> steps; ///< empty if no value passes from iteration to iteration
    std::int64_t cycles = 0;            ///< of all steps
    std::int64_t iterations = 1;        ///< that it spans

    /// The iteration can take no fewer cycles, whatever the order of its instructions.
    double cycles_per_iteration() const {
        return static_cast<double>(cycles) / static_cast<double>(iterations);
    }
};

/// Watches a run of a loop and finds the chain that takes the most cycles for an iteration: the critical
/// cycle of its dependences. Values travel through L0 to L7, L16 and Dst, each half of a register and each
/// lane by itself: SFPLOADI UPPER leaves the other half, SFPTRANSP and SFPSHFT2 move lanes, and disabled
/// lanes keep what they hold. A value that never reaches Dst, lane flags or the configuration counts only if
/// the whole run stores nothing. Lane flags, constants and address counters are left out. So are values that
/// an instruction reads or writes through an indirect operand: the chain that is found takes no more than the
/// true one.
class dependence_watch : public pipeline_observer {
public:
    /// The loop's words are `words` from `first_word` on, `iterations` times. `store_to_load`: cycles from a
    /// store to the first load that sees it.
    dependence_watch(std::int64_t first_word, std::int64_t words, std::int64_t iterations,
                     std::int64_t store_to_load);
    ~dependence_watch() override;
    dependence_watch(const dependence_watch&) = delete;
    dependence_watch& operator=(const dependence_watch&) = delete;

    void executed(const execution_event& event) override;

    /// After a run of some dozen iterations, so that the chain that decides has overtaken those that begin
    /// later.
    dependence_cycle critical_cycle() const;

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::probe
