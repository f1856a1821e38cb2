#include "resource_bound.h"

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <cmath>

namespace sfpu::cli {
namespace {

using isa::sub_unit;

constexpr sub_unit units[] = {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round,
                              sub_unit::store};
constexpr unsigned short_run = 16; ///< iterations

unsigned instances_of(sub_unit unit, const parameters& config) {
    switch (unit) {
    case sub_unit::load: return config.dst_load_ports;
    case sub_unit::mad: return config.sfpu_mad_units;
    case sub_unit::store: return config.dst_store_ports;
    case sub_unit::simple:
    case sub_unit::round:
    case sub_unit::front_end: break;
    }
    return 1;
}

} // namespace

std::optional<probe::bound_statistics> resource_bound_of(platform::sfpu_bench& bench, const std::string& text,
                                                         const kernel_run& kernel,
                                                         const common_options& options) {
    if (kernel.rows() == 0) return std::nullopt;
    const unsigned rows = short_run * kernel.kernel().rows_per_iteration;
    const auto counted = [&](unsigned these_rows) {
        const kernel_run run(assemble_kernel(text, kernel.kernel().file, options), options, these_rows);
        return bench.run(run.request()).counters;
    };
    const probe::unit_counters once = counted(rows), twice = counted(2 * rows);
    const parameters& config = kernel.request().config;

    probe::bound_statistics bound;
    const auto consider = [&](double needed, const std::string& reason) {
        constexpr double same = 1e-9;
        if (needed > bound.cycles_per_row + same) bound = {needed, reason};
        else if (needed > bound.cycles_per_row - same && needed > 0) bound.reason += "; " + reason;
    };
    const auto words = static_cast<double>(twice.words - once.words) / rows;
    const unsigned slots = config.sfpu_issue_width;
    consider(words / slots,
             fmt::format("issue: {:g} words a row{}", words, slots > 1 ? " in two slots" : ""));
    for (const sub_unit unit : units) {
        const auto i = static_cast<unsigned>(unit);
        const auto busy = static_cast<double>(twice.busy[i] - once.busy[i]) / rows;
        const unsigned instances = instances_of(unit, config);
        consider(busy / instances, fmt::format("{}: busy for {:g} cycles a row{}", isa::to_string(unit), busy,
                                               instances > 1 ? " in two instances" : ""));
    }
    bound.cycles_per_row = std::round(bound.cycles_per_row * 1e6) / 1e6;
    return bound;
}

} // namespace sfpu::cli
