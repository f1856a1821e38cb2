#include <sfpu/memory/l1_banks.h>

#include <algorithm>
#include <iterator>

namespace sfpu::memory {

cycles l1_banks::occupy(unsigned bank, cycles at, cycles length) {
    std::vector<stretch>& busy = busy_[bank];
    // The first stretch that ends behind the cycle: mostly none.
    auto next = busy.end();
    while (next != busy.begin() && std::prev(next)->end > at) --next;
    cycles start = at;
    for (; next != busy.end() && next->begin < start + length; ++next) start = std::max(start, next->end);
    const cycles end = start + length;
    const bool joins_before = next != busy.begin() && std::prev(next)->end == start,
               joins_after = next != busy.end() && next->begin == end;
    if (joins_before && joins_after) {
        std::prev(next)->end = next->end;
        busy.erase(next);
    } else if (joins_before) {
        std::prev(next)->end = end;
    } else if (joins_after) {
        next->begin = start;
    } else {
        busy.insert(next, {start, end});
        if (busy.size() > stretches) busy.erase(busy.begin(), busy.begin() + stretches / 2);
    }
    return start;
}

} // namespace sfpu::memory
