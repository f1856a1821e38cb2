// A vector unit as Python steps through it. Plain C++, without Python and without locks: see guarded_unit.h.
#pragma once

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

/// Keeps what happened.
class recorder : public probe::pipeline_observer, public diagnostic_sink {
public:
    std::vector<probe::execution_event> executions;
    std::vector<diagnostic> diagnostics;

    void executed(const probe::execution_event& event) override { executions.push_back(event); }
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

    /// Offers words from the present cycle on, one a cycle. Returns the cycles in which they are issued; the
    /// present is the one behind the last then.
    std::vector<std::int64_t> push(const std::vector<std::uint32_t>& words, unsigned thread);
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
    /// Changes state; only before the first push.
    isa::vector_state& initial_state();

    /// Raw storage in the present cycle.
    dst::dst_storage& storage();
    /// Cells of `rows` rows of data at an address, 32 each.
    std::vector<std::uint32_t> read(unsigned address, isa::data_type type, unsigned rows);
    void write(unsigned address, isa::data_type type, const std::vector<std::uint32_t>& cells);

    const parameters& config() const { return config_; }
    const recorder& recorded() const { return recorder_; }

private:
    platform::engine& mine() const;
    unit_listeners listeners() { return {&recorder_, &recorder_, hazard_policy::warn}; }
    void catch_up();

    std::unique_ptr<platform::engine> engine_; ///< null if closed
    parameters config_;
    recorder recorder_;
    std::int64_t cycle_ = 0, words_ = 0;
};

} // namespace sfpu::python
