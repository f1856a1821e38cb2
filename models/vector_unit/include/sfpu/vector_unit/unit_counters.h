// The counters of a vector unit and its Dst as one value, for all platforms.
#pragma once

#include <sfpu/probe/unit_counters.h>

namespace sfpu {

class vector_unit;
namespace dst {
class dst_memory;
}

probe::unit_counters counters_of(const vector_unit& unit, const dst::dst_memory& dst);

} // namespace sfpu
