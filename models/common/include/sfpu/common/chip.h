// What tells the chips apart: one description for each, found through one switch.
#pragma once

#include <cstdint>

namespace sfpu {

/// The chips of which the vector unit is modelled.
enum class architecture : std::uint8_t { blackhole, wormhole };
inline constexpr architecture all_architectures[] = {architecture::blackhole, architecture::wormhole};

/// The differences between chips that the models ask for. Each field is a question that any chip can answer,
/// so that nobody has to know which chip he is working on.
struct chip_description {
    const char* short_name; ///< as used on the command line and in files
    const char* long_name;
    const char* page_tree; ///< folder of the ISA documentation

    unsigned period_ps; ///< clock period in picoseconds

    // --- timing of the vector unit

    /// MAD dependences and two-cycle SFPSHFT2 hold issue back until their results are there (T16, T17).
    bool stalls_for_results;
    /// T8: whether every issued Simple or Round instruction disturbs a two-cycle SFPSHFT2 in its second
    /// cycle; if not, only those do that write a result through the port which both share.
    bool all_issues_disturb_shuffles;

    // --- words of the vector unit

    unsigned addr_mod_shift, addr_mod_width; ///< the address mode field of loads and stores
    /// SFPLE, SFPGT, SFPMUL24, SFPARECIP; MOVDBGB2D and CFGSHIFTMASK of other units
    bool has_compare_and_estimate;
    bool has_mad_negation;          ///< SFPMAD and its kind: MOD1_NEGATE_VA and NEGATE_VC
    bool has_use_vb;                ///< SFPAND and SFPOR: MOD1_USE_VB, with a VB of their own
    bool has_shift_of_vc;           ///< SFPSHFT: MOD1_ARITHMETIC and ARG_IMM_USE_VC
    bool has_pushc_operations;      ///< SFPPUSHC: modifiers that change the top of the flag stack
    bool has_integer_casts;         ///< SFPCAST: modes 2 and 3
    bool has_zero_rounding;         ///< SFPSTOCHRND: rounding mode 2
    bool has_defined_shuffle_right; ///< SFPSHFT2: mode SUBVEC_SHFLSHR1 works as its name says

    // --- thread configuration registers, by number; 0 if there is none

    unsigned thread_registers;         ///< how many
    unsigned addr_mod_dst_register;    ///< first of eight: ADDR_MOD_DST_SEC0
    unsigned addr_mod_bias_register;   ///< first of eight: ADDR_MOD_BIAS_SEC0
    unsigned addr_mod_base_register;   ///< ADDR_MOD_SET_Base: address modes n + 4
    unsigned stack_increment_register; ///< SFPU_STACK_Incr
    unsigned stack_address_mask;       ///< bits of the stack pointer that reach an ordinary Dst address

    // --- the front end

    unsigned push_width;        ///< words that one cycle can push together
    unsigned fifo_accept_limit; ///< words held at which pushes are still taken; 0: one less than the depth
    unsigned
        fifo_depth_of_others; ///< words that the FIFOs of threads 1 and 2 hold; that of thread 0 holds 32
    bool semwait_blocks_sync_only; ///< a SEMWAIT waits only for waits that block the Sync Unit
    std::uint32_t mutexes;         ///< those that exist; bit i is number i
    bool held_to_gate; ///< a pushed word counts as held until it leaves the wait gate, not the FIFO

    // --- the tile

    std::uint32_t l1_bytes, local_ram_bytes;
    bool has_dst_window;         ///< harts reach Dst, and the backend configuration says how
    bool has_hart_extensions;    ///< Zaamo, Zba, Zbb
    bool pipelines_multiply;     ///< other instructions may follow a multiplication at once
    bool fuses_tensix_words;     ///< up to four adjacent .ttinsn in one cycle
    unsigned mispredict_penalty; ///< cycles
    bool rounds_addresses_down;  ///< a misaligned load or store is done at the aligned address below
    unsigned far_loads;          ///< loads of latency N, 5 or more, that issue in N - 1 cycles; 0: no bound
    unsigned icache_bytes, icache_bytes_of_t1; ///< instruction caches; 0: not known
};

namespace chips {

inline constexpr chip_description blackhole = [] {
    chip_description c{};
    c.short_name = "bh";
    c.long_name = "Blackhole";
    c.page_tree = "BlackholeA0";
    c.period_ps = 741; // 1.35 GHz
    c.stalls_for_results = true;
    c.all_issues_disturb_shuffles = true;
    c.addr_mod_shift = 13;
    c.addr_mod_width = 3;
    c.has_compare_and_estimate = true;
    c.has_mad_negation = true;
    c.has_use_vb = true;
    c.has_shift_of_vc = true;
    c.has_pushc_operations = true;
    c.has_integer_casts = true;
    c.has_zero_rounding = true;
    c.has_defined_shuffle_right = true;
    c.thread_registers = 55;
    c.addr_mod_dst_register = 28;
    c.addr_mod_bias_register = 47;
    c.addr_mod_base_register = 0;
    c.stack_increment_register = 36;
    c.stack_address_mask = 3;
    c.push_width = 4;
    c.fifo_accept_limit = 28;
    c.fifo_depth_of_others = 32;
    c.mutexes = 0x1d;
    c.held_to_gate = true;
    c.l1_bytes = 0x180000;
    c.local_ram_bytes = 4096;
    c.has_dst_window = true;
    c.has_hart_extensions = true;
    c.pipelines_multiply = true;
    c.fuses_tensix_words = true;
    c.mispredict_penalty = 4;
    return c;
}();

inline constexpr chip_description wormhole = [] {
    chip_description c{};
    c.short_name = "wh";
    c.long_name = "Wormhole";
    c.page_tree = "WormholeB0";
    c.period_ps = 1000; // 1 GHz
    c.addr_mod_shift = 14;
    c.addr_mod_width = 2;
    c.thread_registers = 56;
    c.addr_mod_dst_register = 23;
    c.addr_mod_bias_register = 48;
    c.addr_mod_base_register = 2;
    c.stack_increment_register = 0;
    c.stack_address_mask = 0;
    c.push_width = 1;
    c.fifo_depth_of_others = 16;
    c.semwait_blocks_sync_only = true;
    c.mutexes = 0xfd;
    c.l1_bytes = 0x170000;
    c.local_ram_bytes = 2048;
    c.mispredict_penalty = 2;
    c.rounds_addresses_down = true;
    c.far_loads = 4;
    c.icache_bytes = 2048;
    c.icache_bytes_of_t1 = 512;
    return c;
}();

} // namespace chips

/// The description of a chip. A chip that is not described here does not compile.
constexpr const chip_description& describe(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return chips::blackhole;
    case architecture::wormhole: return chips::wormhole;
    }
    __builtin_unreachable();
}

constexpr const char* short_name(architecture arch) { return describe(arch).short_name; }
constexpr const char* long_name(architecture arch) { return describe(arch).long_name; }

} // namespace sfpu
