#include <sfpu/vector_unit/instruction_protocol.h>

#include <fmt/format.h>

namespace sfpu {

void instruction_sender::report_refusal() const {
    const instruction_extension& message = trans_.message;
    const cycles at = message.step.insn ? message.step.at : message.order.at;
    SC_REPORT_ERROR("/sfpu/issue/refused", fmt::format("{}: an instruction for cycle {}: {}", socket.name(),
                                                       at.count(), trans_.get_response_string())
                                               .c_str());
}

} // namespace sfpu
