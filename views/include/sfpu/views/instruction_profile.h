// A kernel's profile by instruction and by line, and what `schedule` says beside its table.
#pragma once

#include <sfpu/analysis/instruction_profile.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/simulation.h>
#include <sfpu/analysis/steady_state.h>
#include <sfpu/analysis/user_places.h>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sfpu::views {

/// A table with a line for each instruction, and one with a line for each line of C++ or of the file that the
/// words come from. `columns`: characters of a line at most, 80 or more; 0: as many as they need.
std::string to_text(const analysis::instruction_profile& profile, unsigned columns);
std::string to_json(const analysis::instruction_profile& profile);
nlohmann::ordered_json json_of(const analysis::instruction_profile& profile);

/// Which cycles a table of one iteration shows, or why it shows all: a line, and an empty one.
std::string steady_state_text(const analysis::steady_state& state, const analysis::kernel_run& kernel);

/// What `schedule --json` prints: the run, an iteration in steady state, the profile.
std::string schedule_json(const analysis::kernel_run& kernel, const analysis::simulation& run,
                          const analysis::steady_state& state, const analysis::instruction_profile& profile,
                          const analysis::given_source& given = {});

} // namespace sfpu::views
