#include <sfpu/platform/program_player.h>

#include "program_front_end.h"
#include "segment_player.h"
#include "thread_player.h"

namespace sfpu::platform {

struct program_player::parts {
    segment_player direct;
    program_front_end front_end;
    thread_player threads;
};

program_player::program_player(word_port& direct,
                               const std::array<frontend::surroundings*, isa::thread_count>& front_ends)
    : parts_(
          new parts{segment_player(direct), program_front_end(*front_ends[0]), thread_player(front_ends)}) {}
program_player::~program_player() = default;

cycles program_player::play(const run_request& request, run_result& result) {
    result.segments.clear();
    if (!request.threads.empty()) return parts_->threads.play(request);
    if (program_front_end::is_needed(request)) return parts_->front_end.play(request, result);
    parts_->direct.play(request, result);
    return {};
}

} // namespace sfpu::platform
