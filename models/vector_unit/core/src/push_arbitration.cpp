#include <sfpu/vector_unit/push_arbitration.h>

#include <sfpu/vector_unit/issue_core.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace sfpu {

void push_arbitration::reset(thread_order order) {
    arbiter_.reset(order);
    for (push_port& port : ports_) {
        port.queue.clear();
        port.watermark = port.counted_until = cycles{};
    }
}

void push_arbitration::continue_from(const push_arbitration& other) {
    ports_ = other.ports_;
    arbiter_ = other.arbiter_;
}

void push_arbitration::raise_watermark(unsigned port, cycles at) {
    ports_[port].watermark = std::max(ports_[port].watermark, at);
}

cycles push_arbitration::known_until(cycles end) const {
    for (const push_port& port : ports_)
        end = std::min(end, port.queue.empty() ? port.watermark : port.queue.front().earliest);
    return end;
}

void push_arbitration::add(unsigned port, const unsigned char* bytes, unsigned count, cycles at) {
    boost::circular_buffer<queued_word>& queue = ports_[port].queue;
    const timing::pushed_words words{bytes, count};
    for (unsigned i = 0; i < count; ++i) {
        if (queue.full()) queue.set_capacity(std::max<std::size_t>(64, 2 * queue.capacity()));
        // With two issue slots any two words may go together; one a cycle is what the words in front let them
        // do.
        queue.push_back({words[i], issue_.issue_width() > 1 ? at : at + cycles{i}});
    }
}

void push_arbitration::issue(bool more_may_come, cycles end) {
    while (find_candidates(more_may_come)) {
        const timing::issue_candidate& first =
            candidates_[arbiter_.choose(candidates_.data(), candidates_.size())];
        push_port& winner = ports_[first.thread];
        if (winner.queue.empty() || first.at >= end) return;
        hold_back_others(first.thread, first.at);
        arbiter_.issued(first.thread);
        issue_head(first.thread, first.at);
        winner.counted_until = issue_.next_free();
    }
}

/// Issues the first word of a port in this cycle, and the one behind it if both may go.
void push_arbitration::issue_head(unsigned port, cycles at) {
    boost::circular_buffer<queued_word>& queue = ports_[port].queue;
    const queued_word head = queue.front();
    std::array<std::uint32_t, isa::largest::issue_width> words{head.word};
    unsigned count = 1;
    while (count < issue_.issue_width() && count < queue.size() && queue[count].earliest <= at) {
        words[count] = queue[count].word;
        ++count;
    }
    unsigned char bytes[sizeof words];
    std::memcpy(bytes, words.data(), sizeof words);
    const cycles end = count == 1 ? forever : at + one_cycle;
    issue_.thread_ = static_cast<std::uint8_t>(port);
    queue.erase_begin(issue_.issue_words({bytes, count}, head.earliest, end, nullptr));
}

/// The ports that compete, by number: those with a word, and those that may still bring one. False if none
/// has a word.
bool push_arbitration::find_candidates(bool more_may_come) {
    candidates_.clear();
    bool any = false;
    for (unsigned number = 0; number < ports_.size(); ++number) {
        const push_port& port = ports_[number];
        if (!port.queue.empty()) {
            const queued_word& head = port.queue.front();
            begin_wait(number);
            candidates_.push_back({number, issue_.issue_cycle(head.word, head.earliest)});
            any = true;
        } else if (more_may_come) {
            candidates_.push_back({number, std::max(port.watermark, issue_.next_free())});
        }
    }
    return any;
}

/// A port's first word may have come too late to compete for cycles that it could have had.
void push_arbitration::begin_wait(unsigned number) {
    push_port& port = ports_[number];
    const cycles from = std::max(port.counted_until, port.queue.front().earliest);
    if (from < issue_.next_free())
        issue_.count_stall(probe::stall_cause::thread_slot, static_cast<std::uint8_t>(number), from,
                           issue_.next_free());
    port.counted_until = std::max(from, issue_.next_free());
}

void push_arbitration::hold_back_others(unsigned winner, cycles at) {
    for (unsigned number = 0; number < ports_.size(); ++number) {
        push_port& port = ports_[number];
        if (number == winner || port.queue.empty() || at < port.counted_until) continue;
        // Counted only: which words are there already depends on how far their senders have run ahead.
        issue_.count_hold(port.queue.front().word, static_cast<std::uint8_t>(number), port.counted_until,
                          at + one_cycle);
        port.counted_until = at + one_cycle;
    }
}

} // namespace sfpu
