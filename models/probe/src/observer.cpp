#include <sfpu/probe/observer.h>

namespace sfpu::probe {

const char* to_string(stall_cause cause) {
    switch (cause) {
    case stall_cause::mad_dependence: return "mad-dependence";
    case stall_cause::swap: return "swap";
    case stall_cause::shuffle: return "shuffle";
    case stall_cause::thread_slot: return "thread-slot";
    }
    return "?";
}

const char* to_string(tile_unit unit) {
    switch (unit) {
    case tile_unit::hart: return "hart";
    case tile_unit::front_end: return "front-end";
    case tile_unit::tensorload: return "tensorload";
    case tile_unit::memory: return "memory";
    }
    return "?";
}

} // namespace sfpu::probe
