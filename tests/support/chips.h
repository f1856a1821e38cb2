// The two chips by their short names, for tests that go over both.
#pragma once

#include <sfpu/common/types.h>

namespace sfpu::test {

constexpr architecture bh = architecture::blackhole, wh = architecture::wormhole;
constexpr architecture both[] = {bh, wh};

} // namespace sfpu::test
