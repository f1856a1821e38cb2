// Two searches of the same words.
#pragma once

#include <sfpu/optimizer/search.h>

namespace sfpu::analysis {

/// Adds what a later search, which found nothing shorter, refuted and decided.
void learn(optimizer::search_result& known, optimizer::search_result later);

} // namespace sfpu::analysis
