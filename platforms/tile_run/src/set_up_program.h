// What core B does with the coprocessor before it starts the others, as a program of a core.
#pragma once

#include <cstdint>
#include <vector>

namespace sfpu::platform {

constexpr std::uint32_t jump_to_itself = 0x0000006f;

/// Lane flags on, -1 in L11, the semaphores; then a store of 1 to `done`, and a loop. Runs at any address.
std::vector<std::uint32_t> set_up_program(std::uint32_t done);

} // namespace sfpu::platform
