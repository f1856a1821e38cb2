#include <sfpu/vector_unit/instruction_protocol.h>

#include <fmt/format.h>

namespace sfpu {

void instruction_sender::report_refusal() const {
    SC_REPORT_ERROR("/sfpu/issue/refused",
                    fmt::format("{}: an instruction for cycle {}: {}", socket.name(),
                                trans_.message.at.count(), trans_.get_response_string())
                        .c_str());
}

} // namespace sfpu
