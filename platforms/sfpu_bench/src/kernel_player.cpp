#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn: the same in SystemC 2.3.4 and 3.0

#include "kernel_player.h"

#include <algorithm>

namespace sfpu::platform {
namespace {

/// Repetitions are strung together up to this many words, so that the cost of a transaction is shared.
constexpr std::size_t burst_words = 1024;

} // namespace

kernel_player::kernel_player(const sc_core::sc_module_name& name, vector_unit& unit)
    : sc_module(name), insn_isock("insn_isock"), unit_(unit), front_end_(insn_isock, unit),
      threads_(insn_isock, unit), lifeline_(std::make_shared<lifeline>()) {
    insn_isock.bind(*this);
    trans_.set_command(tlm::TLM_WRITE_COMMAND);
    trans_.set_address(0);
    trans_.set_streaming_width(4);
    lifeline_->owner = this;
}

kernel_player::~kernel_player() {
    lifeline_->owner = nullptr;
    lifeline_->started.notify(sc_core::SC_ZERO_TIME);
}

void kernel_player::end_of_elaboration() {
    sc_core::sc_spawn_options options;
    options.set_stack_size(0x100000); // sanitizers need room
    const auto process = [line = lifeline_] {
        for (;;) {
            sc_core::wait(line->started);
            if (!line->owner) return;
            try {
                line->owner->play();
            } catch (const sc_core::sc_unwind_exception&) {
                throw;
            } catch (...) {
                // Want of memory, for example: out of a process it would end the simulation for good.
                line->owner->failure_ = std::current_exception();
            }
        }
    };
    sc_core::sc_spawn(process, "play", &options);
}

void kernel_player::start(const run_request& request, run_result& result) {
    request_ = &request;
    result_ = &result;
    failure_ = nullptr;
    lifeline_->started.notify(sc_core::SC_ZERO_TIME);
}

void kernel_player::play() {
    delay_ = sc_core::SC_ZERO_TIME;
    period_ = sc_core::sc_time(static_cast<double>(request_->config.period_ps()), sc_core::SC_PS);
    result_->segments.clear();
    if (!request_->threads.empty()) {
        threads_.play(*request_);
        wait(threads_.time_used());
    } else if (program_front_end::is_needed(*request_)) {
        front_end_.play(*request_, *result_);
        wait(front_end_.time_used());
    } else {
        play_directly();
    }
    unit_.drain();
}

void kernel_player::play_directly() {
    words_played_ = 0;
    for (const program_segment& segment : request_->segments) {
        result_->segments.emplace_back();
        play_segment(segment, result_->segments.back());
    }
    if (delay_ != sc_core::SC_ZERO_TIME) synchronize();
}

/// The first and the last repetition are pushes of their own, because their start is a result.
void kernel_player::play_segment(const program_segment& segment, run_result::segment_span& span) {
    if (segment.words.empty() || segment.repeat == 0) return;
    const auto play_timed = [&](cycles& start) {
        start_ = &start;
        push_with_bubbles(segment.words);
    };
    play_timed(span.first);
    span.last = span.first;
    if (segment.repeat == 1) return;

    std::uint64_t middle = segment.repeat - 2;
    if (words_played_ < request_->bubbles.size()) {
        for (; middle != 0 && words_played_ < request_->bubbles.size(); --middle)
            push_with_bubbles(segment.words);
    }
    const std::size_t length = segment.words.size();
    const std::uint64_t per_burst = std::max<std::uint64_t>(1, burst_words / length);
    burst_.clear();
    for (std::uint64_t i = 0; i < std::min(per_burst, middle); ++i)
        burst_.insert(burst_.end(), segment.words.begin(), segment.words.end());
    while (middle != 0 && !(request_->stop && request_->stop(segment.repeat - middle))) {
        const std::uint64_t now = std::min(per_burst, middle);
        push(burst_.data(), static_cast<std::size_t>(now) * length);
        middle -= now;
    }
    play_timed(span.last);
}

void kernel_player::push_with_bubbles(const std::vector<std::uint32_t>& words) {
    std::size_t begin = 0;
    while (begin < words.size()) {
        const std::vector<unsigned>& bubbles = request_->bubbles;
        if (words_played_ < bubbles.size()) delay_ += period_ * static_cast<double>(bubbles[words_played_]);
        std::size_t end = begin + 1; // up to the next word with bubbles before it
        for (std::size_t index = words_played_ + 1; end < words.size(); ++end, ++index)
            if (index < bubbles.size() && bubbles[index] != 0) break;
        push(&words[begin], end - begin);
        begin = end;
    }
}

void kernel_player::push(const std::uint32_t* words, std::size_t count) {
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    // At least one word; more only as far as the quantum reaches. With two issue slots the words go together at every
    // quantum: which of them share a cycle is known only when the one behind is at hand.
    std::size_t most = 1;
    if (request_->config.sfpu_issue_width > 1) most = count;
    else if (quantum != sc_core::SC_ZERO_TIME)
        most += static_cast<std::size_t>(quantum.value() / period_.value());
    if (request_->words_per_push != 0) most = std::min<std::size_t>(most, request_->words_per_push);
    while (count != 0) {
        const std::size_t now = std::min(count, most);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(words)));
        trans_.set_data_length(static_cast<unsigned>(now * 4));
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        insn_isock->b_transport(trans_, delay_);
        sc_assert(trans_.is_response_ok()); // the platform's own wiring
        if (start_) *start_ = unit_.issue().issue_of_push();
        start_ = nullptr;
        words += now;
        count -= now;
        words_played_ += now;
        if (delay_ >= quantum) synchronize();
    }
}

void kernel_player::synchronize() {
    wait(delay_);
    delay_ = sc_core::SC_ZERO_TIME;
}

} // namespace sfpu::platform
