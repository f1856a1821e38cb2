// Where models send diagnostics: counts them, applies the hazard policy, passes them on.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>

namespace sfpu::probe {

class reporter {
public:
    /// Forgets all counts. Any of the listeners may be null.
    void reset(diagnostic_sink* sink, hazard_policy policy, pipeline_observer* observer) {
        listen(sink, policy, observer);
        counts_.fill(0);
    }
    /// Others listen from now on; counts stay.
    void listen(diagnostic_sink* sink, hazard_policy policy, pipeline_observer* observer) {
        sink_ = sink;
        policy_ = policy;
        observer_ = observer;
    }

    /// Reports one occurrence. `message` is a callable that returns the text; it is called only if somebody
    /// listens.
    template <class Message>
    void report(report_id id, cycles at, std::int64_t word, Message message) {
        ++counts_[static_cast<unsigned>(id)];
        if (!sink_ && !observer_) return;
        const report_row& row = describe(id);
        severity level = row.level;
        if (row.kind == report_kind::hazard) {
            if (policy_ == hazard_policy::off) return;
            if (policy_ == hazard_policy::error) level = severity::error;
        }
        const diagnostic what{at, word, id, level, message()};
        if (sink_) sink_->diagnose(what);
        if (observer_) observer_->diagnosed(what);
    }

    std::uint64_t count(report_id id) const { return counts_[static_cast<unsigned>(id)]; }
    const std::array<std::uint64_t, report_count>& counts() const { return counts_; }

private:
    diagnostic_sink* sink_ = nullptr;
    pipeline_observer* observer_ = nullptr;
    hazard_policy policy_ = hazard_policy::warn;
    std::array<std::uint64_t, report_count> counts_{};
};

} // namespace sfpu::probe
