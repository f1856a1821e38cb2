#include <sfpu/frontend/slot_offer.h>

#include <algorithm>

namespace sfpu::frontend {

slot_offer offer_of(pipeline_state& pipeline, cycles end) {
    slot_offer result;
    const cycles free = pipeline.issue.free();
    if (pipeline.plays_in_bursts()) {
        result.word = pipeline.replay.expander().next();
        result.index = pipeline.replay.index();
        result.at = std::max({pipeline.replay.free(), pipeline.gate_fifo.room(), free});
        result.is_open = true;
    } else if (!pipeline.gate_fifo.empty()) {
        const queued_word& head = pipeline.gate_fifo.front();
        result.word = head.word;
        result.index = head.index;
        const wait_gate::opening opening = pipeline.gate.opens(head.word, std::max(head.at, free));
        result.at = opening.at;
        result.is_open = opening.is_certain;
    }
    const bool goes = result.is_open && result.at < end;
    result.issues = goes ? pipeline.context.around().issue_cycle(result.word, result.at) : result.at;
    return result;
}

} // namespace sfpu::frontend
