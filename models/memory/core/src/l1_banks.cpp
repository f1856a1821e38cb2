#include <sfpu/memory/l1_banks.h>

namespace sfpu::memory {

cycles l1_banks::occupy(unsigned bank, cycles at, cycles length) {
    stretch& busy = busy_[bank];
    const bool empty = busy.begin == busy.end;
    if (!empty && at + length <= busy.begin) {
        if (at + length == busy.begin) busy.begin = at;
        return at;
    }
    if (empty || at > busy.end) {
        busy = {at, at + length};
        return at;
    }
    const cycles start = busy.end;
    busy.end = start + length;
    return start;
}

} // namespace sfpu::memory
