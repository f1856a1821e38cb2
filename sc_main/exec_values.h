// Values of a request of the machine interface, as its messages name them.
#pragma once

#include <simdjson.h>

#include <string>

namespace sfpu::cli {

/// Never longer than a line, whatever the value holds.
std::string describe(const simdjson::dom::element& value);

} // namespace sfpu::cli
