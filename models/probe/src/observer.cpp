#include <sfpu/probe/observer.h>

namespace sfpu::probe {

const char* to_string(stall_cause cause) {
    switch (cause) {
    case stall_cause::mad_dependence: return "mad-dependence";
    case stall_cause::swap: return "swap";
    case stall_cause::shuffle: return "shuffle";
    case stall_cause::count: break;
    }
    return "?";
}

} // namespace sfpu::probe
