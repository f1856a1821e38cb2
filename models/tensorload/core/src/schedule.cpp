#include <sfpu/tensorload/schedule.h>

#include <algorithm>

namespace sfpu::tensorload {
namespace {

template <class F>
void for_each_register(std::uint32_t set, F f) {
    for (unsigned number = 0; set; ++number, set >>= 1)
        if (set & 1u) f(number);
}

} // namespace

void schedule::reset(unsigned queue_depth) {
    for (engine_state& engine : engines_) {
        engine.starts.set_capacity(queue_depth);
        engine.starts.clear();
        engine.free = engine.complete = cycles{};
    }
    written_ = {};
    read_ = {};
}

placement schedule::place(sub_engine engine, cycles at, std::uint32_t sources,
                          std::uint32_t destinations) const {
    const engine_state& state = lane(engine);
    placement where;
    // The queue is full until the oldest of the last `depth` instructions starts.
    where.issued = state.starts.full() ? std::max(at, state.starts.front()) : at;
    where.free = std::max(where.issued, state.free);
    where.start = where.free;
    for_each_register(sources | destinations,
                      [&](unsigned number) { where.start = std::max(where.start, written_[number]); });
    for_each_register(destinations,
                      [&](unsigned number) { where.start = std::max(where.start, read_[number]); });
    return where;
}

void schedule::commit(sub_engine engine, const placement& where, const cost& needs, std::uint32_t sources,
                      std::uint32_t destinations) {
    engine_state& state = engines_[static_cast<unsigned>(engine)];
    const cycles complete = where.start + needs.latency;
    state.starts.push_back(where.start);
    state.free = where.start + needs.occupancy;
    state.complete = std::max(state.complete, complete);
    for_each_register(sources, [&](unsigned number) { read_[number] = std::max(read_[number], complete); });
    for_each_register(destinations, [&](unsigned number) { written_[number] = complete; });
}

cycles schedule::drained(cycles at) const {
    for (const engine_state& engine : engines_) at = std::max(at, engine.complete);
    return at;
}

} // namespace sfpu::tensorload
