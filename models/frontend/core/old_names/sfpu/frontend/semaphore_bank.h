// Old name, kept for one release: this header is <sfpu/frontend/sync_unit.h> now, and the class is sync_unit.
#pragma once

#include <sfpu/frontend/sync_unit.h>

namespace sfpu::frontend {
using semaphore_bank = sync_unit;
} // namespace sfpu::frontend
