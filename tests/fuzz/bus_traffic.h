// Transactions of all kinds on every public target socket of the models.
#pragma once

#include <string_view>

namespace sfpu::fuzz {

void play_bus_traffic(std::string_view input);

} // namespace sfpu::fuzz
