#include <sfpu/analysis/machine_order.h>

#include <algorithm>
#include <string>

namespace sfpu::analysis {
namespace {

/// Parameters of which more is never less.
constexpr const char* amounts[] = {"macro.count",    "macro.templates",  "macro.delay_bits",
                                   "macro.slots",    "sfpu.issue_width", "sfpu.mad_units",
                                   "dst.load_ports", "dst.store_ports"};

bool is_amount(const parameter_row& row) {
    return std::any_of(std::begin(amounts), std::end(amounts),
                       [&](const char* each) { return std::string(each) == row.path; });
}

} // namespace

bool contains(const parameters& larger, const parameters& smaller) {
    if (larger.arch != smaller.arch) return false;
    return std::all_of(parameter_table().begin(), parameter_table().end(), [&](const parameter_row& row) {
        const std::uint64_t one = row.get(larger), other = row.get(smaller);
        if (one == other) return true;
        if (is_amount(row)) return one > other;
        // A rule that only forbids.
        return std::string(row.path) == "sfpu.write_port_rule" && one == 0;
    });
}

} // namespace sfpu::analysis
