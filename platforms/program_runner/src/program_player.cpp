#include <sfpu/platform/program_player.h>

#include "program_front_end.h"
#include "segment_player.h"
#include "thread_player.h"

namespace sfpu::platform {

/// Those that few programs need are made when one does.
struct program_player::parts {
    std::array<frontend::surroundings*, isa::thread_count> front_ends;
    segment_player direct;
    std::unique_ptr<program_front_end> front_end;
    std::unique_ptr<thread_player> threads;
};

program_player::program_player(word_port& direct,
                               const std::array<frontend::surroundings*, isa::thread_count>& front_ends)
    : parts_(new parts{front_ends, segment_player(direct), nullptr, nullptr}) {}
program_player::~program_player() = default;

cycles program_player::play(const run_request& request, run_result& result) {
    result.segments.clear();
    if (!request.threads.empty()) {
        if (!parts_->threads) parts_->threads = std::make_unique<thread_player>(parts_->front_ends);
        return parts_->threads->play(request);
    }
    if (program_front_end::is_needed(request)) {
        if (!parts_->front_end)
            parts_->front_end = std::make_unique<program_front_end>(*parts_->front_ends[0]);
        return parts_->front_end->play(request, result);
    }
    parts_->direct.play(request, result);
    return {};
}

} // namespace sfpu::platform
