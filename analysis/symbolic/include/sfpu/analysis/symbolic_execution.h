// Runs a kernel on terms: what every cell of Dst holds behind it, as a function of what Dst, the registers
// and the random number generators held before.
//
// The model runs the kernel once, on some data. Which instruction executes in which cycle depends on no data,
// so the events of that run hold for all; each is executed on terms, lane by lane, by rules T2 to T8. Where
// something would depend on data (configuration from an unknown register or under unknown flags), or is not
// known here, there is no answer but why.
#pragma once

#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/analysis/terms.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Cells of raw storage, by row * 16 + column.
constexpr unsigned symbolic_cells = 1024 * 16;

/// Whether the cells of each lane are of no other lane in any other slice of which this holds.
inline bool has_own_cells(const dst_slice& slice) { return slice.row % 4 == 0; }

/// What is computed: every lane; or the first one, which stands for all where each lane does the same with
/// cells, registers and flags of its own. A run in which they do not has no answer then. A constant that
/// differs by lane is any value.
enum class computed_lanes : std::uint8_t { all, first };

struct symbolic_run {
    std::string unknown;     ///< why there is no answer, or empty
    std::vector<term> cells; ///< what each cell holds, bits 15:0; no_term where nothing was stored
    bool uses_random = false;
    bool order_matters = false;     ///< sfpu.write_order decided what some register holds
    bool knows_its_lane = false;    ///< a constant that differs by lane was read
    platform::question_reach reach; ///< what open questions of the timing contract it met
};

/// What a cell of Dst holds at the start when nobody says something else: a half of the variable of its pair.
term initial_cell(term_pool& pool, unsigned cell);

/// The start state is that of the request: constant registers, flags and configuration as they are there; L0
/// to L7, L16, Dst, and the random number generators unknown. `start`: what cells hold at the start where
/// that is not initial_cell(), else no_term; may be empty.
///
/// The terms are compared with what the model computed of the request's data; where they differ, that is
/// why there is no answer. `interrupted` is asked at each instruction: true ends it without an answer.
symbolic_run run_on_terms(platform::program_runner& runner, const platform::run_request& request,
                          term_pool& pool, const std::vector<term>& start = {},
                          computed_lanes which = computed_lanes::all,
                          const std::function<bool()>& interrupted = nullptr);

} // namespace sfpu::analysis
