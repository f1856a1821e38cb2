#include <sfpu/vector_unit/recorded_stretch.h>

#include <algorithm>

namespace sfpu {

void stretch_store::clear() {
    for (auto& set : stretches_)
        for (auto& stretch : set) stretch.reset();
    seen_.fill(0);
}

const recorded_stretch* stretch_store::find(std::uint64_t hash, pushed_words words, unsigned length,
                                            const timing::situation& now) const {
    for (const auto& stretch : stretches_[hash % sets])
        if (stretch && stretch->hash == hash && stretch->length == length && stretch->begins(words) &&
            stretch->before == now)
            return stretch.get();
    return nullptr;
}

bool stretch_store::comes_again(std::uint64_t hash) {
    std::uint64_t& latest = seen_[(hash >> 16) % seen_.size()];
    const bool again = latest == hash;
    latest = hash;
    return again;
}

recorded_stretch& stretch_store::make_room(std::uint64_t hash) {
    auto& set = stretches_[hash % sets];
    const auto number_of = [](const auto& stretch) { return stretch ? stretch->number : 0; };
    auto& place = *std::min_element(
        set.begin(), set.end(), [&](const auto& a, const auto& b) { return number_of(a) < number_of(b); });
    if (!place) place = std::make_unique<recorded_stretch>();
    place->number = next_number_++;
    place->hash = hash;
    place->next = nullptr;
    return *place;
}

} // namespace sfpu
