#include "compared_constants.h"

#include <sfpu/isa/machine.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>

namespace sfpu::analysis {
namespace {

namespace by = isa::dst_mode;

/// Modes of stores that make cells of an operand: each takes the bits of a register for something else.
std::vector<unsigned> modes_of(const compared_operand& operand) {
    using isa::data_type;
    if (!operand.type)
        return operand.wide ? std::vector<unsigned>{by::int32, by::lo16, by::hi16}
                            : std::vector<unsigned>{by::uint16, by::hi16_only, by::bf16, by::fp16};
    switch (*operand.type) {
    case data_type::bf16: return {by::bf16, by::hi16_only};
    case data_type::f16: return {by::fp16};
    case data_type::sm16: return {by::int16};
    case data_type::i16:
    case data_type::u16: return {by::uint16};
    case data_type::i8:
    case data_type::u8: return {by::int8, by::int8_comp};
    default: return {by::int32};
    }
}

std::uint32_t float_of(double number) {
    const auto rounded = static_cast<float>(number);
    std::uint32_t bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

/// The word, and what it is if it was converted between integers and FP32.
std::vector<std::uint32_t> readings_of(std::uint32_t word) {
    std::vector<std::uint32_t> found{word, word ^ 0x80000000u, 0u - word};
    const auto as_signed = static_cast<std::int32_t>(word);
    found.push_back(float_of(as_signed));
    found.push_back(float_of(word));
    float number;
    std::memcpy(&number, &word, sizeof number);
    if (std::isfinite(number) && std::fabs(number) < 2147483648.0f)
        found.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(number)));
    found.push_back(word << 16);
    found.push_back(word >> 16);
    return found;
}

} // namespace

std::vector<std::uint32_t> constants_of(const platform::run_request& request) {
    std::set<std::uint32_t> found;
    std::array<std::uint32_t, 16> loaded{}; // by register, as if they came in order
    const isa::word_encoding encoding = isa::make_machine(request.config).encoding();
    for (const platform::program_segment& segment : request.segments)
        for (const std::uint32_t word : segment.words) {
            if (isa::classify(word, request.config.arch) != isa::word_kind::sfpu) continue;
            const isa::instruction insn = isa::decode(word, encoding);
            const auto imm = static_cast<std::uint32_t>(insn.imm);
            found.insert({imm, imm << 16});
            if (!insn.is(isa::opcode::sfploadi)) continue;
            std::uint32_t& now = loaded[insn.vd & 15u];
            if (insn.mod == 8) now = imm << 16 | (now & 0xffffu);
            else if (insn.mod == 10) now = (now & 0xffff0000u) | imm;
            else if (insn.mod == 0) now = imm << 16;
            else if (insn.mod == 1)
                now = (imm & 0x8000u) << 16 | ((imm >> 10 & 0x1fu) + 112u) << 23 | (imm & 0x3ffu) << 13;
            else now = insn.mod == 4 && (imm & 0x8000u) ? imm | 0xffff0000u : imm;
            found.insert(now);
        }
    return {found.begin(), found.end()};
}

std::vector<std::uint32_t> cells_of_constants(const compared_operand& operand,
                                              const std::vector<std::uint32_t>& constants,
                                              architecture arch) {
    std::set<std::uint32_t> cells;
    const isa::slice_conversions& conversions = isa::slice_conversions_of(arch);
    const std::vector<unsigned> modes = modes_of(operand);
    const auto take = [&](std::uint32_t word) {
        for (const unsigned mode : modes) {
            lanes cell;
            conversions.store[mode](broadcast(word), cell);
            const std::uint32_t made = operand.wide ? cell[0] : cell[0] & 0xffffu;
            const bool is_value =
                !operand.type ||
                isa::cell_of_value(*operand.type, isa::value_of_cell(*operand.type, made)) == made;
            if (is_value) cells.insert(made);
        }
    };
    for (const std::uint32_t constant : constants)
        for (const std::uint32_t word : readings_of(constant)) {
            take(word);
            take(word + 1);
            take(word - 1);
            if (operand.wide) continue;
            take(word + 0x10000u); // of a type that only keeps the upper half
            take(word - 0x10000u);
        }
    return {cells.begin(), cells.end()};
}

} // namespace sfpu::analysis
