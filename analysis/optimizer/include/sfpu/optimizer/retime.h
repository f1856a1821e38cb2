// Other cycles, delays and registers for a schedule whose structure is given.
#pragma once

#include <sfpu/optimizer/expansion.h>
#include <sfpu/optimizer/search.h>

namespace sfpu::optimizer {

/// The shortest schedule that has the structure of `expanded`. `plain` is its text, assembled. What is
/// refuted and proved holds for schedules of that structure; there is none if `best` is empty and `open` too.
/// Throws row_error.
search_result retime(const isa::kernel& plain, const expanded_kernel& expanded, const isa::machine& machine,
                     const isa::thread_state& thread, bool lanes_start_enabled,
                     const search_options& options);

} // namespace sfpu::optimizer
