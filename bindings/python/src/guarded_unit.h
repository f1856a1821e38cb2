// A vector unit that Python threads may share: calls of one unit come one after the other, those of others
// beside them.
#pragma once

#include "call_gate.h"
#include "unit.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::python {

/// Work on the unit touches no Python objects: they may let other threads run, which may ask for the same
/// unit.
class guarded_unit {
public:
    guarded_unit(const std::string& arch, const std::vector<std::pair<std::string, std::string>>& settings)
        : unit_(arch, settings) {}
    explicit guarded_unit(const unit& other) : unit_(other) {}

    /// Short work keeps Python's lock, unless another thread uses the unit: getting the lock back takes
    /// milliseconds where Python threads compute.
    template <class Work>
    void briefly(Work work) {
        if (!mutex_.try_lock()) return at_length(work);
        const std::lock_guard<std::mutex> lock(mutex_, std::adopt_lock);
        work(unit_);
    }
    /// Other Python threads run during long work.
    template <class Work>
    void at_length(Work work) {
        without_python_lock([&] {
            const passage inside;
            const std::lock_guard<std::mutex> lock(mutex_);
            work(unit_);
        });
    }

    std::unique_ptr<guarded_unit> copy() {
        std::unique_ptr<guarded_unit> result;
        briefly([&](const unit& original) { result = std::make_unique<guarded_unit>(original); });
        return result;
    }

    /// Never changes.
    const parameters& config() const { return unit_.config(); }

private:
    struct passage {
        passage() { gate().enter(); }
        ~passage() { gate().leave(); }
        passage(const passage&) = delete;
        passage& operator=(const passage&) = delete;
    };

    std::mutex mutex_;
    unit unit_;
};

} // namespace sfpu::python
