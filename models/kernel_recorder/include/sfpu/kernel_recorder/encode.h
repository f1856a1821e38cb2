// Instruction words from the operands of the published macros, which are checked.
#pragma once

#include <sfpu/kernel_recorder/operand_fields.h>

#include <cstddef>
#include <cstdint>

namespace sfpu::kernel_recorder {

/// Throws kernel_error: the value does not fit the operand.
[[noreturn]] void refuse_operand(const char* macro, const operand_field& field, std::int64_t value);
/// Warns through the current recorder, if any. The vendor's macros add operands without masking them, so a
/// negative one silently gives another instruction there.
void note_negative_operand(const char* macro, const operand_field& field, std::int64_t value);
/// The same of a value whose upper bits go into the operand above.
void note_spilled_operand(const char* macro, const operand_field& field, std::int64_t value);

constexpr std::uint32_t place(const char* macro, const operand_field& field, std::int64_t value) {
    const std::int64_t limit = std::int64_t{1} << field.width;
    if (value >= limit << field.spills || value < (field.is_signed ? -limit / 2 : 0))
        refuse_operand(macro, field, value);
    if (value < 0) note_negative_operand(macro, field, value);
    if (value >= limit) {
        note_spilled_operand(macro, field, value);
        return static_cast<std::uint32_t>(value) << field.shift;
    }
    return (static_cast<std::uint32_t>(value) & static_cast<std::uint32_t>(limit - 1)) << field.shift;
}

/// The word of an instruction. In a constant expression an operand out of range does not compile.
template <std::size_t Count, typename... Values>
constexpr std::uint32_t encode(const char* macro, std::uint8_t opcode, const operand_field (&fields)[Count],
                               Values... values) {
    static_assert(sizeof...(Values) == Count, "wrong number of operands");
    const std::int64_t numbers[] = {static_cast<std::int64_t>(values)...};
    std::uint32_t word = std::uint32_t{opcode} << 24;
    for (std::size_t i = 0; i < Count; ++i) word += place(macro, fields[i], numbers[i]);
    return word;
}

} // namespace sfpu::kernel_recorder
