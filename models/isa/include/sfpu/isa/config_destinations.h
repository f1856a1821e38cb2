// What the VD of an SFPCONFIG names, on both chips. 9 and 10 are other names of parts of LoadMacroConfig.
#pragma once

namespace sfpu::isa::config_destination_vd {

constexpr unsigned first_template = 0;                    ///< to 3; the words that macros put into sub-units
constexpr unsigned first_sequence = 4, last_sequence = 7; ///< the sequences of macros 0 to 3
constexpr unsigned misc = 8; ///< StoreMod0, UsesLoadMod0ForStore and UnitDelayKind
constexpr unsigned first_constant = 11, last_constant = 14; ///< L11 to L14
constexpr unsigned lane_config = 15;

} // namespace sfpu::isa::config_destination_vd
