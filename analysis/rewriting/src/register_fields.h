// Which register fields an instruction has, and what it does with them.
#pragma once

#include <sfpu/analysis/rewriting.h>
#include <sfpu/isa/state.h>

namespace sfpu::rewriting {

struct field_meaning {
    std::array<int, field_count> place{{-1, -1, -1, -1}}; ///< position in the word, -1 if it has none
    std::array<bool, field_count> reads{}, writes{};
    isa::register_set fixed_reads = 0, fixed_writes = 0; ///< whatever the fields say
    bool indirect = false;                               ///< a register's contents say which one is meant
};
field_meaning meaning_of(const isa::instruction& insn, architecture arch);

std::uint8_t& register_field(isa::instruction& insn, unsigned which);

/// The word of an instruction with registers in its fields.
std::uint32_t word_with_registers(const isa::instruction& insn, const field_meaning& fields,
                                  const std::array<unsigned, field_count>& registers);

/// Executes an instruction on a state, results included.
void execute_step(isa::vector_state& state, const isa::instruction& insn, const isa::word_encoding& words);

} // namespace sfpu::rewriting
