// The fields of a request of the machine interface, beside the machine.
#pragma once

#include <sfpu/views/exec_protocol.h>

#include <simdjson.h>

namespace sfpu::views {

/// Reads them in the order in which one decides what another means. Throws request_error.
void read_fields(const simdjson::dom::object& given, exec_request& request);

} // namespace sfpu::views
