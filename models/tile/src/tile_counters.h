// Counters of the parts of a tile as groups of the statistics file.
#pragma once

#include "tile_core.h"

#include <sfpu/memory/l1_memory.h>
#include <sfpu/probe/statistics.h>

namespace sfpu {

probe::counter_group hart_counters(const riscv::hart_core& hart);
probe::counter_group front_end_counters(const frontend::front_end& front_end);
probe::counter_group tensorload_counters(const tensorload::tensorload_core& engine);
probe::counter_group l1_counters(const memory::l1_memory& l1);

} // namespace sfpu
