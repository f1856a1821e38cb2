#include "kernel_runner.h"
#include "protocol_checker.h"

#include <sfpu/platform/kernel_segments.h>

#include <fmt/format.h>

#include <systemc>
#include <tlm>

#include <stdexcept>

namespace sfpu::test {
namespace {

struct place {
    unsigned row, column;
};

/// The cell of a lane: four rows of eight columns, every other column.
place cell_of(unsigned address, unsigned lane) {
    return {(address & 0x3fcu) + lane / column_count, lane % column_count * 2 + (address >> 1 & 1u)};
}

/// Storage row of the upper half of a 32-bit cell; the lower half lies eight rows further.
unsigned upper_half_row(unsigned row) { return ((row & 0x1f8u) << 1) | (row & 0x207u); }

/// FP32 {sign, exponent, mantissa} to cell {sign, mantissa 22:16, exponent, mantissa 15:0}, and back.
std::uint32_t shuffled(std::uint32_t x) {
    return (x & 0x8000ffffu) | (x >> 16 & 0x7fu) << 24 | (x >> 23 & 0xffu) << 16;
}
std::uint32_t unshuffled(std::uint32_t cell) {
    return (cell & 0x8000ffffu) | (cell >> 24 & 0x7fu) << 16 | (cell >> 16 & 0xffu) << 23;
}

struct report_counter : diagnostic_sink {
    explicit report_counter(kernel_outcome& to) : outcome(to) {}
    void diagnose(const diagnostic& what) override {
        ++outcome.reports[describe(what.id).name];
        outcome.any_error = outcome.any_error || what.level == severity::error;
    }
    kernel_outcome& outcome;
};

void apply_settings(const isa::kernel& kernel, platform::run_request& request) {
    request.config.arch = kernel.arch;
    bool firmware_start = false;
    for (const isa::config_setting& setting : kernel.config) {
        if (setting.key == "firmware_start") firmware_start = setting.value == "true";
        else if (const auto problem = set_parameter(request.config, setting.key, setting.value))
            throw std::runtime_error(kernel.file + ": " + *problem);
    }
    request.state.reset(request.config.sfpu_lreg12_default);
    request.thread.reset(kernel.arch);
    if (firmware_start) request.state.flags = request.state.use_flags = all_lanes;
}

double cycles_per_row(const isa::kernel& kernel, const platform::run_result& result, unsigned iterations) {
    if (iterations < 2) return 0;
    const platform::run_result::segment_span& loop = result.segments[1];
    return static_cast<double>((loop.last - loop.first).count()) / (iterations - 1) /
           kernel.rows_per_iteration;
}

} // namespace

platform::sfpu_bench& shared_bench() {
    // Never destroyed: at the end of the process SystemC may be gone before them.
    static auto* const checkers = new checked_bindings(true);
    static auto* const bench = [] {
        tlm::tlm_global_quantum::instance().set(sc_core::sc_time(10, sc_core::SC_US)); // for speed
        return new platform::sfpu_bench(checkers);
    }();
    return *bench;
}

lanes dst_contents::get(unsigned address, cell_type type) const {
    lanes values;
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const auto [row, column] = cell_of(address, lane);
        if (type == cell_type::raw16) {
            values[lane] = cells[row][column];
        } else if (type == cell_type::bf16) {
            values[lane] = unshuffled(std::uint32_t{cells[row][column]} << 16);
        } else {
            const unsigned upper = upper_half_row(row);
            values[lane] = unshuffled(std::uint32_t{cells[upper][column]} << 16 | cells[upper + 8][column]);
        }
    }
    return values;
}

void dst_contents::put(unsigned address, cell_type type, const lanes& values) {
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const auto [row, column] = cell_of(address, lane);
        const std::uint32_t cell = type == cell_type::raw16 ? values[lane] : shuffled(values[lane]);
        if (type == cell_type::word32) {
            const unsigned upper = upper_half_row(row);
            cells[upper][column] = static_cast<std::uint16_t>(cell >> 16);
            cells[upper + 8][column] = static_cast<std::uint16_t>(cell);
        } else {
            cells[row][column] = static_cast<std::uint16_t>(type == cell_type::bf16 ? cell >> 16 : cell);
        }
    }
}

std::string difference(const dst_contents& found, const dst_contents& expected) {
    for (unsigned row = 0; row < found.cells.size(); ++row)
        for (unsigned column = 0; column < found.cells[row].size(); ++column)
            if (found.cells[row][column] != expected.cells[row][column])
                return fmt::format("storage row 0x{:x}, column {}: found {:04x}, expected {:04x}", row,
                                   column, found.cells[row][column], expected.cells[row][column]);
    return "";
}

unsigned rows_of(const isa::kernel& kernel, const run_options& options) {
    const unsigned rows = options.rows ? *options.rows : kernel.rows.value_or(0);
    if (rows == 0 || rows % kernel.rows_per_iteration != 0)
        throw std::runtime_error(fmt::format("{}: {} rows cannot be run", kernel.file, rows));
    return rows;
}

kernel_outcome run_kernel(const isa::kernel& kernel, const dst_contents& before, const run_options& options) {
    const unsigned iterations = rows_of(kernel, options) / kernel.rows_per_iteration;
    kernel_outcome outcome;
    report_counter counter(outcome);

    platform::run_request request;
    request.config = options.config;
    apply_settings(kernel, request);
    request.segments = platform::segments_of(kernel, iterations);
    request.bubbles = options.bubbles;
    for (unsigned row = 0; row < before.cells.size(); ++row) request.dst_rows[row] = before.cells[row];
    request.observer = options.observer;
    request.diagnostics = &counter;

    platform::sfpu_bench& bench = shared_bench();
    outcome.result = bench.run(request);
    outcome.dst.cells = bench.dst();
    outcome.state = bench.state();
    outcome.cycles_per_row = cycles_per_row(kernel, outcome.result, iterations);
    return outcome;
}

} // namespace sfpu::test
