// Instruction words from operands, as the vendor's macros make them: operands are added, unchecked, by the
// core if they are known at run time only.
#pragma once

#include <sfpu/kernel_recorder/operand_fields.h>

namespace sfpu::kernel_recorder {

template <decltype(sizeof 0) Count, typename... Values>
[[gnu::always_inline]] constexpr std::uint32_t
encode(const char*, std::uint8_t opcode, const operand_field (&fields)[Count], Values... values) {
    static_assert(sizeof...(Values) == Count, "wrong number of operands");
    unsigned at = 0;
    return ((std::uint32_t{opcode} << 24) + ... + (static_cast<std::uint32_t>(values) << fields[at++].shift));
}

} // namespace sfpu::kernel_recorder
