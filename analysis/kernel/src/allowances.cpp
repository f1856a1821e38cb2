#include <sfpu/analysis/allowances.h>

#include <algorithm>

namespace sfpu::analysis {

allowances::allowances(const isa::kernel& of) {
    all_.reserve(of.allowed.size());
    for (const isa::allowance& each : of.allowed) all_.push_back({each});
}

bool allowances::take(report_id id, bool counts) {
    const auto known = std::find_if(all_.begin(), all_.end(),
                                    [id](const allowed_diagnostic& each) { return each.what.id == id; });
    if (known == all_.end()) return false;
    known->count += counts;
    return true;
}

} // namespace sfpu::analysis
