// What `optimize` believes of a schedule: nothing that simulation and `lint` do not say.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/analysis/equivalence.h>
#include <sfpu/common/report.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace sfpu::analysis {

/// What `lint` says of a kernel, with the options that the command has without any.
struct kernel_verdict {
    std::string name;             ///< "robust", "replay-only", "broken"
    std::string because;          ///< the first hazard that breaks it, or what bubbles do; empty if robust
    std::set<report_id> breaking; ///< ids of all hazards that break it
    bool survives_bubbles = true;

    bool robust() const { return name == "robust"; }
    /// Whether a kernel that was made of `source` is broken by nothing but what breaks that.
    bool broken_only_like(const kernel_verdict& source) const;
};
kernel_verdict verdict_of(platform::program_runner& runner, const kernel_run& kernel);

/// How much a comparison tries.
enum class thoroughness : std::uint8_t {
    candidate, ///< all pairs of extreme values, some random ones
    result,    ///< more random values, and every value of each operand of 16 bits or fewer
};

struct schedule_comparison {
    std::string difference;  ///< in words; empty if they are equal
    std::uint64_t cells = 0; ///< of 16 bits, that were compared
    bool exhaustive = false; ///< every value of all operands together was tried
    equivalence_verdict verdict = equivalence_verdict::tested; ///< of the schedule without bubbles
    bool interrupted = false;                                  ///< no difference was found by then
};
/// Compares as `equiv` does; `with_bubbles`: the schedule runs with idle cycles between its words, too.
/// `interrupted` is asked before each run: true ends the comparison.
schedule_comparison compare_schedule(platform::program_runner& runner, const kernel_run& reference,
                                     const kernel_run& schedule, thoroughness how, bool with_bubbles,
                                     const std::function<bool()>& interrupted = nullptr);

} // namespace sfpu::analysis
