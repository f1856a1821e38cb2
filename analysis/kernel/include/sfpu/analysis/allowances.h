// The diagnostics that a kernel says are meant, by `.allow`.
#pragma once

#include <sfpu/isa/assembler.h>

#include <cstdint>
#include <vector>

namespace sfpu::analysis {

/// What a kernel allows, and how often it came.
struct allowed_diagnostic {
    isa::allowance what;
    std::uint64_t count = 0;
};

class allowances {
public:
    allowances() = default;
    explicit allowances(const isa::kernel& of);

    /// Whether the diagnostic is meant. Such are counted, unless `counts` is false.
    bool take(report_id id, bool counts = true);
    /// In the order of the file, those that never came included.
    const std::vector<allowed_diagnostic>& all() const { return all_; }

private:
    std::vector<allowed_diagnostic> all_;
};

} // namespace sfpu::analysis
