// What the model says of every (opcode, modifier) pair of the vector unit: the source of `sfpusim info --isa`
// and of docs/isa.md. It follows from the instruction table.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/instruction.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::isa {

/// "defined", "non-contractual" or "undefined".
const char* to_string(definition status);

/// One modifier of one SFP* opcode on one architecture. Its other fields are taken as the documentation
/// recommends them; what depends on them stands in special_cases().
struct catalogue_row {
    architecture arch;
    const row* op;             ///< opcode, mnemonic, sub-unit, operands
    unsigned modifier;         ///< 0 to 15
    std::string modifier_name; ///< documented name or names without prefix; empty if there is none
    definition status;
    unsigned ignored_bits; ///< bits of the modifier that are set, but have no meaning and no effect
    std::string text;      ///< semantics in one line; for pairs that are not defined, what the model does
    std::string page;      ///< path in the repository tt-isa-documentation
};

/// All pairs: Blackhole, then Wormhole, each in the order of opcode and modifier.
std::vector<catalogue_row> catalogue();

/// Something undefined, unpredictable, non-contractual or unsupported that depends on more than the modifier.
struct special_case {
    const char* instruction;
    const char* category; ///< "undefined", "unpredictable", "non-contractual" or "unsupported"
    const char* condition;
    const char* behaviour;       ///< what the model does
    std::optional<report_id> id; ///< the diagnostic; none where the model cannot tell
};
const std::vector<special_case>& special_cases();

} // namespace sfpu::isa
