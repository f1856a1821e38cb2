// Firmware on the harts of a tile, as bytes say.
#pragma once

#include <string_view>

namespace sfpu::fuzz {

void run_firmware(std::string_view input);

} // namespace sfpu::fuzz
