// Words of the published macros, for tests on both architectures: the macros of one need a translation unit
// of their own.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sfpu::test {

using operand_values = std::vector<std::int64_t>;

/// The three forms of one macro.
struct macro_words {
    std::uint32_t op;                    ///< of TT_OP_X
    std::vector<std::uint32_t> recorded; ///< issued by TT_X and then TTI_X
    std::vector<std::string> warnings;   ///< of the recorder
};

struct macro_case {
    unsigned operands;
    macro_words (*words)(const operand_values&);
};

/// What a translation unit that was compiled for one architecture knows of the published names.
struct published_names {
    std::map<std::string, macro_case> macros;             ///< by assembly mnemonic
    std::map<std::string, unsigned> documented_constants; ///< modifiers of the ISA documentation
    std::vector<std::uint32_t> addr_mod_words; ///< issued by addr_mod_t::set with every field in use
    std::uint32_t same_name;                   ///< issued by a function that both architectures have
};

const published_names& blackhole_names();
const published_names& wormhole_names();

} // namespace sfpu::test
