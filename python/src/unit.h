// A vector unit as Python steps through it.
#pragma once

#include "pool.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
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
    ~unit() { close(); }
    unit(const unit&) = delete;
    unit& operator=(const unit&) = delete;

    /// Gives the unit back; everything else throws afterwards.
    void close() noexcept;
    /// Everything as after construction.
    void reset();

    /// Offers words from the present cycle on, one a cycle. Returns the cycles in which they are issued; the present is
    /// the one behind the last then.
    std::vector<std::int64_t> push(const std::vector<std::uint32_t>& words, unsigned thread);
    /// Lets cycles pass in which nothing is offered.
    void wait(std::int64_t count);
    /// Lets cycles pass until nothing would change any more.
    void settle();
    /// The cycle in which the next word is offered.
    std::int64_t cycle() {
        mine();
        return cycle_;
    }

    const isa::vector_state& state();
    const isa::thread_state& thread(unsigned number);
    /// Changes state; only before the first push.
    isa::vector_state& initial_state();
    isa::thread_state& initial_thread(unsigned number);

    /// Raw storage in the present cycle.
    dst::dst_storage& storage();
    /// Cells of `rows` rows of data at an address, 32 each.
    std::vector<std::uint32_t> read(unsigned address, isa::data_type type, unsigned rows);
    void write(unsigned address, isa::data_type type, const std::vector<std::uint32_t>& cells);

    const parameters& config() const { return config_; }
    const recorder& recorded() const { return recorder_; }
    std::string text(const isa::instruction& insn);

private:
    slot& mine();
    sc_core::sc_time time_of(std::int64_t cycle) const;
    void catch_up();

    slot* slot_ = nullptr;
    parameters config_;
    recorder recorder_;
    std::int64_t cycle_ = 0, words_ = 0;
};

} // namespace sfpu::python
