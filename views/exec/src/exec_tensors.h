// Typed arrays of the machine interface: `inputs` of a request, which go to Dst, and `outputs`, which come
// from it.
#pragma once

#include <sfpu/views/exec_protocol.h>

#include <simdjson.h>

#include <string>

namespace sfpu::views {

/// Read the field of that name. All that decides where rows lie (`config`) and the raw Dst must be in the
/// request by then. Throw request_error.
void read_inputs(const simdjson::dom::element& value, exec_request& request);
void read_outputs(const simdjson::dom::element& value, exec_request& request);

/// `,"outputs":{"y":[[32 values], ...]}`; values that JSON has no number for are "inf", "-inf" and "nan".
void append_outputs(std::string& out, const exec_request& request, const platform::dst_image& dst);

} // namespace sfpu::views
