#include <sfpu/dst/access_watch.h>

namespace sfpu::dst {

void access_watch::reset() {
    constexpr cycles long_ago{-1000000};
    for (auto* all : {&stored_, &loaded_})
        for (auto& half : *all) half.fill(long_ago);
    is_close_ = false;
}

void access_watch::load(const slice& access, lanes& data) {
    dst_core::place(access).for_each([&](unsigned half, unsigned group) {
        is_close_ |= access.at - stored_[half][group] <= farthest;
        loaded_[half][group] = access.at;
    });
    to_.load_here(access, data);
}

void access_watch::store(const slice& access, const lanes& data) {
    dst_core::place(access).for_each([&](unsigned half, unsigned group) {
        is_close_ |= loaded_[half][group] == access.at;
        stored_[half][group] = access.at;
    });
    to_.store_here(access, data);
}

} // namespace sfpu::dst
