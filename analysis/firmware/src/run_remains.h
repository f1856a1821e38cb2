// What two runs of firmware leave behind, compared.
#pragma once

#include <sfpu/analysis/jitter.h>
#include <sfpu/common/report.h>
#include <sfpu/platform/core_programs.h>
#include <sfpu/platform/dst_rows.h>
#include <sfpu/tile/tile_register.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct run_remains {
    bool succeeded = false;
    std::uint32_t tohost = 0;
    std::string ending; ///< in words
    cycles cycles_run{};
    platform::dst_image dst{};
    std::vector<unsigned char> l1;
    std::vector<tile_register> registers;
    std::array<std::uint64_t, report_count> reports{};            ///< how often each diagnostic came
    std::array<std::string, platform::b_core_number + 1> printed; ///< by core
};

jitter_answer compare_runs(const run_remains& without, const run_remains& with);

} // namespace sfpu::analysis
