// What every stage of a thread's pipeline needs beside words: whose they are, who takes them, who is told.
// Pure C++.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/pipeline_counters.h>
#include <sfpu/frontend/surroundings.h>
#include <sfpu/isa/word_encoding.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sfpu::frontend {

class pipeline_context {
public:
    pipeline_counters counters;

    /// The observer may be null.
    void reset(const parameters& config, unsigned thread, surroundings& around,
               probe::pipeline_observer* observer);
    /// Takes over everything but the surroundings and the observer.
    void take_state(const pipeline_context& other);

    unsigned thread() const { return thread_; }
    architecture arch() const { return arch_; }
    const isa::word_encoding& encoding() const { return encoding_; }
    surroundings& around() const { return *around_; }

    /// Whether anybody sees what publish() says.
    bool is_observed() const { return observer_ != nullptr; }
    /// Something went on from cycle `begin` to cycle `end`. Only if is_observed().
    void publish(const char* lane, const char* kind, cycles begin, cycles end, std::string_view text) const;
    void report(report_id id, cycles at, std::int64_t index, const std::string& message) const {
        around_->report(id, at, index, message);
    }

private:
    unsigned thread_ = 0;
    architecture arch_ = architecture::blackhole;
    isa::word_encoding encoding_ = architecture::blackhole;
    surroundings* around_ = nullptr;
    probe::pipeline_observer* observer_ = nullptr;
};

} // namespace sfpu::frontend
