// Address modifiers: what a load or store does to the counters afterwards. set() issues the SETC16 words,
// whose registers differ between the architectures.
#pragma once

#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>

namespace ckernel {

struct addr_mod_t {
    struct addr_mod_src_t {
        std::uint8_t incr = 0, clr = 0, cr = 0;

        constexpr std::uint16_t val() const {
            return static_cast<std::uint16_t>((incr & 0x3f) | (cr & 1) << 6 | (clr & 1) << 7);
        }
    };
    struct addr_mod_dest_t {
        std::int16_t incr = 0;
        std::uint8_t clr = 0, cr = 0, c_to_cr = 0;

        constexpr std::uint16_t val() const {
            return static_cast<std::uint16_t>((incr & 0x3ff) | (cr & 1) << 10 | (clr & 1) << 11 |
                                              (c_to_cr & 1) << 12);
        }
    };
    struct addr_mod_fidelity_t {
        std::uint8_t incr = 0, clr = 0;

        constexpr std::uint16_t val() const {
            return static_cast<std::uint16_t>((incr & 3) | (clr & 1) << 2);
        }
    };
    struct addr_mod_bias_t {
        std::uint8_t incr = 0, clr = 0;

        constexpr std::uint16_t val() const {
            return static_cast<std::uint16_t>((incr & 15) | (clr & 1) << 4);
        }
    };

    addr_mod_src_t srca = {}, srcb = {};
    addr_mod_dest_t dest = {};
    addr_mod_fidelity_t fidelity = {};
    addr_mod_bias_t bias = {};
    addr_mod_src_t pack_ysrc = {}, pack_ydst = {}; ///< of the packer: not written by set()

    /// Writes entry `mod_index`, 0 to 7. On Wormhole instructions name entries 4 to 7 as ADDR_MOD_0 to
    /// ADDR_MOD_3, once math::set_addr_mod_base() was called.
    void set(std::uint8_t mod_index,
             ::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) const {
        if (mod_index > 7)
            SFPU_KERNEL_REFUSE("addr_mod_t::set: there are entries 0 to 7, found " +
                               std::to_string(mod_index));
#ifdef ARCH_BLACKHOLE
        const unsigned sources = 12u + mod_index, destination = 28u + mod_index, biases = 47u + mod_index;
#else
        const unsigned sources = 7u + 2u * mod_index, destination = 23u + mod_index, biases = 48u + mod_index;
#endif
        ::sfpu::kernel_recorder::stand_at(at);
        TT_SETC16(sources, srca.val() | srcb.val() << 8);
        TT_SETC16(destination, dest.val() | fidelity.val() << 13);
        TT_SETC16(biases, bias.val());
    }
};

} // namespace ckernel
