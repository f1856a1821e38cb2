// Kernels of `bench` that both its vector units and its tiles run: the 32-bit multiplication of
// kernels/mul32.s and kernels/mul32_macro.s. Addresses are numbers, since the loops have no inputs of their
// own.
#pragma once

#include <string_view>

namespace sfpu::analysis::bench_kernels {

inline constexpr const char* mul32_row = R"(
        sfpload L0, INT32, ADDR_MOD_7, 0
        sfpshft -23, L0, L2, 1|4
        sfpload L1, INT32, ADDR_MOD_7, 0x40
        sfpshft -23, L1, L3, 1|4
        sfpmul24 L1, L2, L9, L2, 0
        sfpmul24 L0, L3, L9, L3, 0
        sfpmul24 L0, L1, L9, L4, 1
        sfpmul24 L0, L1, L9, L0, 0
        sfpiadd 0, L2, L4, 4
        sfpiadd 0, L3, L4, 4
        sfpshft 23, L4, L4, 1
        sfpiadd 0, L4, L0, 4
        sfpstore L0, INT32, ADDR_MOD_6, 0x80
     )";

// m0 {SFPMUL24@1, SFPSHFT2@0}, m1 {SFPIADD@4, SFPMUL24@1, SFPSHFT2@0}, m2 {SFPIADD@4 to L16, SFPMUL24@1},
// m3 {SFPSHFT@0, store of L16@2}: eight cycles a row
inline constexpr const char* mul32_macro_row = R"(
        sfpload L0, INT32, ADDR_MOD_7, 0x40
        sfploadmacro 0, L1, INT32, ADDR_MOD_7, 0
        sfploadmacro 1, L2, INT32, ADDR_MOD_7, 0x40
        sfpload L0, INT32, ADDR_MOD_7, 0
        sfploadmacro 2, L3, INT32, ADDR_MOD_7, 0x40
        sfpmul24 L0, L3, L9, L4, 1
        sfpiadd 0, L1, L2, 4
        sfploadmacro 3, L4, INT32, ADDR_MOD_6, 0x80
     )";

/// The macros by instructions: templates through the backdoor, sequences, Misc. {0} is 23, the distance by
/// which the kernel shifts; other distances are other configurations.
inline constexpr std::string_view mul32_macro_set_up = R"(
        sfpshft2 -{0}, L0, L12, 6
        sfpmul24 L0, L0, L9, L13, 0
        sfpshft {0}, L2, L14, 1|4
        sfpiadd 0, L4, L15, 4
        sfploadi L0, LOWER, 0x8d00
        sfploadi L0, UPPER, 0x0084
        sfpconfig 0, SEQUENCE0, 0
        sfploadi L0, LOWER, 0x8da7
        sfpconfig 0, SEQUENCE1, 0
        sfploadi L0, LOWER, 0x8de7
        sfploadi L0, UPPER, 0x0000
        sfpconfig 0, SEQUENCE2, 0
        sfploadi L0, LOWER, 0x0086
        sfploadi L0, UPPER, 0x5300
        sfpconfig 0, SEQUENCE3, 0
        sfpconfig 0x0ff0, MISC, 1
        sfpnop
        sfpnop
     )";

} // namespace sfpu::analysis::bench_kernels
