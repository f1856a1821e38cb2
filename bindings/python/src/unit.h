// A vector unit as Python steps through it. Plain C++, without Python and without locks: see guarded_unit.h.
#pragma once

#include "unit_log.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/platform/engine.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::python {

/// Keeps what executed.
class execution_recorder : public probe::pipeline_observer {
public:
    std::vector<probe::execution_event> executions;
    void executed(const probe::execution_event& event) override { executions.push_back(event); }
};
/// Keeps what was reported.
class diagnostic_recorder : public diagnostic_sink {
public:
    std::vector<diagnostic> diagnostics;
    void diagnose(const diagnostic& what) override { diagnostics.push_back(what); }
};

class unit {
public:
    /// Throws std::invalid_argument for parameters that are wrong.
    unit(const std::string& arch, const std::vector<std::pair<std::string, std::string>>& settings);
    /// Continues like the original, and has recorded what that has. Throws if the original is closed.
    unit(const unit& other);
    unit& operator=(const unit&) = delete;

    /// Gives memory back; everything else throws afterwards, but for what has been recorded.
    void close() noexcept { engine_.reset(); }
    /// Everything as after construction.
    void reset();

    /// Offers words from the present cycle on, one a cycle; `issued` has room for the cycles in which they
    /// are issued. The present is the one behind the last then.
    void push(std::vector<std::uint32_t> words, unsigned thread, cycles* issued);
    /// Lets cycles pass in which nothing is offered.
    void wait(std::int64_t count);
    /// Lets cycles pass until nothing would change any more.
    void settle();
    /// The cycle in which the next word is offered.
    std::int64_t cycle() const {
        mine();
        return cycle_;
    }

    const isa::vector_state& state();
    const isa::thread_state& thread(unsigned number);
    /// Only before the first push.
    void set_register(unsigned number, const lanes& values);

    /// Raw storage in the present cycle.
    const dst::dst_storage& storage();
    void set_storage(const platform::dst_image& image);
    /// Cells of `rows` rows of data at an address, 32 each.
    std::vector<std::uint32_t> read(unsigned address, isa::data_type type, unsigned rows);
    void write(unsigned address, isa::data_type type, const std::vector<std::uint32_t>& cells);

    const parameters& config() const { return config_; }
    const std::vector<diagnostic>& diagnostics() const { return reported_.diagnostics; }
    /// What executed before the present cycle, or before the unit was closed. The first call does again what
    /// was done since the call before, on an engine that is watched.
    const std::vector<probe::execution_event>& executions();

private:
    platform::engine& mine() const;
    void begin();
    void catch_up();
    /// Does it, and notes it.
    template <class Action>
    void act(Action action);

    std::unique_ptr<platform::engine> engine_;  ///< null if closed
    std::unique_ptr<platform::engine> watched_; ///< does later what `engine_` did; null until somebody looks
    unit_log log_;                              ///< what it has not done yet
    parameters config_;
    diagnostic_recorder reported_;
    execution_recorder executed_;
    std::int64_t cycle_ = 0, words_ = 0;
};

} // namespace sfpu::python
