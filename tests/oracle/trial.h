// A program, the state before it and a machine: run by the model, and judged by the oracle.
#pragma once

#include "oracle_programs.h"

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>

#include <set>
#include <string>
#include <vector>

namespace sfpu::platform {
class program_runner;
}

namespace sfpu::oracle {

struct trial {
    parameters machine;
    surroundings around; ///< arch and lreg12_default are the machine's
    unit_state start;
    std::vector<std::uint32_t> words;
    std::vector<unsigned> idle; ///< cycles without issue before each word; missing ones are 0
    bool has_macros = false;
};

/// What the model made of a trial.
struct outcome {
    unit_state end;
    std::set<report_id> reports;
};
outcome run_on_model(const trial& what, platform::program_runner& runner);

/// What the same words leave behind by the oracle: one after the other without macros, on the chip with them.
unit_state expected_end(const trial& what);

/// Where two states differ first, or nothing.
std::string difference(const unit_state& found, const unit_state& expected);

/// Whether the report warns that the machine's timing can show in the results.
bool warns_of_timing(report_id id);

struct verdict {
    bool is_excused = false;       ///< the model warned
    std::string silent_difference; ///< how its answer differs from the oracle's without a warning, or nothing
};
verdict judge(const trial& what, platform::program_runner& runner);

/// The same trial with less in it that still has a silent difference: fewer words, fewer idle cycles, fewer
/// parameters that differ from the chip.
trial shrunk(trial what, platform::program_runner& runner);

/// Words, parameters beside those of the chip, and the difference.
std::string describe_trial(const trial& what, const std::string& difference);

} // namespace sfpu::oracle
