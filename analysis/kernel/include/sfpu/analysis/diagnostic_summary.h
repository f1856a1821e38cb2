// What a run reported, counted by kind.
#pragma once

#include <sfpu/analysis/allowances.h>
#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/probe/unit_counters.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// How often each diagnostic came, and its first occurrence. Strict: what leaves something undone is an
/// error. What the kernel allows counts apart, and as nothing else.
class diagnostic_summary : public diagnostic_sink {
public:
    explicit diagnostic_summary(bool strict = false, allowances allowed = {})
        : strict_(strict), allowed_(std::move(allowed)) {}

    struct entry {
        std::uint64_t count = 0;
        diagnostic first;
    };

    void diagnose(const diagnostic& what) override;

    const entry& of(report_id id) const { return entries_[static_cast<unsigned>(id)]; }
    bool any() const;
    bool any_error() const { return errors_ != 0; }
    const std::vector<allowed_diagnostic>& allowed() const { return allowed_.all(); }

private:
    std::array<entry, report_count> entries_;
    std::uint64_t errors_ = 0;
    bool strict_;
    allowances allowed_;
};

/// Issued words of other Tensix units, by mnemonic; "opcode 3f" for those that no unit has.
std::vector<std::pair<std::string, std::uint64_t>> not_modelled_words(const probe::unit_counters& counters,
                                                                      architecture arch);

} // namespace sfpu::analysis
