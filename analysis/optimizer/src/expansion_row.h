// The instructions that compute the rows of one iteration of a macro kernel, found in the record of a run.
#pragma once

#include "row_builder.h"

#include <sfpu/optimizer/expansion.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sfpu::optimizer {

/// An instruction of the loop: the issued word, and the sub-unit that it was scheduled on; `issued_unit` for
/// the word itself.
using loop_place = std::pair<std::size_t, unsigned>;
constexpr unsigned issued_unit = 8;

/// What a register held when it was read: the result of an instruction of these rows, or, without one, what
/// stood in it before the loop.
struct read_value {
    std::optional<loop_place> from;
    unsigned lreg = 0;

    friend bool operator<(const read_value& a, const read_value& b) {
        return std::pair(a.from, a.lreg) < std::pair(b.from, b.lreg);
    }
    friend bool operator==(const read_value& a, const read_value& b) {
        return a.from == b.from && a.lreg == b.lreg;
    }
};

struct row_instruction {
    loop_place at;
    const executed_instruction* what = nullptr; ///< in the iteration that was looked at
    field_use use;
    bool partial = false;                       ///< some of its lanes are off at times
    std::array<read_value, field_count> fields; ///< by field that it reads
    std::map<unsigned, read_value> fixed;       ///< by register that it reads whatever its fields say
    std::map<unsigned, read_value> kept; ///< by register that it writes in part: what stays in the rest
    unsigned address = 0;                ///< loads and stores: beyond the iteration's counter, in iteration 0
    std::optional<std::size_t> host;     ///< scheduled: the loop word that scheduled it
};

struct row_record {
    std::vector<row_instruction> instructions; ///< in an order in which they may be issued one by one
    isa::register_set constants = 0;           ///< that are read and that the loop does not write
    std::set<read_value> left_behind;    ///< in their registers, for the next row or the code behind the loop
    std::vector<std::size_t> tail_words; ///< that compute something of their own, in order
    std::vector<std::size_t> init_words; ///< that set up what the loop reads, in order
    unsigned step = 0;                   ///< of the Dst address from iteration to iteration
    std::int64_t begin = 0;              ///< cycle of the first instruction
    unsigned span = 0;                   ///< cycles
};

row_record find_row(const isa::kernel& kernel, const std::vector<executed_instruction>& record);

} // namespace sfpu::optimizer
