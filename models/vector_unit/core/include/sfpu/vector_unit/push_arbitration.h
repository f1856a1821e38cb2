// Push ports of a vector unit: how far each has promised to be silent and, with several, the words that wait
// for the issue slot and which of them goes first (T22). Plain C++.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/timing/thread_arbiter.h>

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <vector>

namespace sfpu {

class issue_core;

class push_arbitration {
public:
    push_arbitration(issue_core& issue, unsigned ports) : issue_(issue), ports_(ports) {}

    void reset(thread_order order);
    void continue_from(const push_arbitration& other);

    unsigned ports() const { return static_cast<unsigned>(ports_.size()); }
    cycles watermark(unsigned port) const { return ports_[port].watermark; }
    void set_watermark(unsigned port, cycles at) { ports_[port].watermark = at; }
    void raise_watermark(unsigned port, cycles at);
    /// The earliest cycle in which a port may bring a word, or has one that waits; at most `end`.
    cycles known_until(cycles end) const;

    /// Words of a port that come from cycle `at` on.
    void add(unsigned port, const unsigned char* bytes, unsigned count, cycles at);
    /// Issues words that wait in the order of T22, those that go before `end`; if more may come, only as long
    /// as no silent port can still bring one that goes first.
    void issue(bool more_may_come, cycles end = forever);

private:
    struct queued_word {
        std::uint32_t word;
        cycles earliest;
    };
    struct push_port {
        boost::circular_buffer<queued_word> queue;
        cycles watermark{};
        cycles counted_until{}; ///< the stalls of its first word have been counted up to here
    };
    bool find_candidates(bool more_may_come);
    void begin_wait(unsigned port);
    void hold_back_others(unsigned winner, cycles at);
    void issue_head(unsigned port, cycles at);

    issue_core& issue_;
    std::vector<push_port> ports_; ///< port n brings the words of thread n
    timing::thread_arbiter arbiter_;
    std::vector<timing::issue_candidate> candidates_;
};

} // namespace sfpu
