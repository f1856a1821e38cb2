#include <sfpu/vector_unit/sub_unit_modules.h>

#include <fmt/format.h>

#include <string>

namespace sfpu {

void slice_sender::report_refusal() const {
    const dst::slice_extension& slice = trans_.slice;
    const std::string text = fmt::format("{} answered {} to a slice of Dst rows {} to {}", socket.name(),
                                         trans_.get_response_string(), slice.row, slice.row + 3);
    SC_REPORT_ERROR("/sfpu/dst/refused", text.c_str());
}

} // namespace sfpu
