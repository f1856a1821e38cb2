#include "loop_rows.h"

#include <sfpu/isa/table.h>

#include <cstddef>
#include <optional>

namespace sfpu::analysis {
namespace {

constexpr int address_of_next_row = 2; ///< row r of an input stands at its address + 2 r

bool uses_dst(const isa::instruction& insn) {
    return insn.is(isa::opcode::sfpload) || insn.is(isa::opcode::sfpstore) ||
           insn.is(isa::opcode::sfploadmacro);
}
/// Bit 0 selects nothing, and in SFPLOADMACRO it belongs to the register.
int dst_address(const isa::instruction& insn) { return insn.imm10 & ~1; }

} // namespace

bool is_row_by_row(const isa::kernel& kernel) {
    const std::size_t rows = kernel.rows_per_iteration, words = kernel.loop.size();
    if (rows < 2 || words % rows != 0) return rows == 1;
    const std::size_t part = words / rows;
    for (std::size_t row = 1; row < rows; ++row) {
        std::optional<int> moved; // how far the part is from the first
        for (std::size_t i = 0; i < part; ++i) {
            const isa::instruction first = isa::decode(kernel.loop[i].word, kernel.words),
                                   now = isa::decode(kernel.loop[row * part + i].word, kernel.words);
            if (first.op != now.op || first.mod != now.mod) return false;
            if (!uses_dst(first)) continue;
            if (first.addr_mod != now.addr_mod) return false;
            const int distance = dst_address(now) - dst_address(first);
            if (distance != moved.value_or(distance)) return false;
            if (distance != 0 && distance != address_of_next_row * static_cast<int>(row)) return false;
            moved = distance;
        }
    }
    return true;
}

} // namespace sfpu::analysis
