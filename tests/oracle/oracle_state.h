// The state of a vector unit, its Dst and the counters of one thread, as the oracle has it.
//
// The oracle is a second implementation of the vector unit: what instructions do one after the other, and
// when they do it on the chips. It is written from the pages of tt-isa-documentation and from the timing
// contract, and uses no code of the model but the name of the architecture.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::oracle {

constexpr unsigned lanes_of_register = 32, columns = 8, l16 = 16;
using lane_values = std::array<std::uint32_t, lanes_of_register>;

/// Flags of all lanes: bit i is lane i. Eight entries of stack behind a counter of four bits.
struct predication {
    std::uint32_t flags = 0, use_flags = 0;
    struct entry {
        std::uint32_t flags = 0, use_flags = 0;
    };
    std::array<entry, 8> stack{};
    unsigned size = 0;

    entry top() const { return size == 0 ? entry{} : stack[(size + 7) % 8]; }
};

/// LoadMacroConfig of one column.
struct macro_memory {
    std::array<std::uint32_t, 4> templates{}, sequences{};
    std::uint32_t misc = 0;
};

/// What SFPCONFIG and the backdoor write.
struct configuration {
    std::array<std::uint32_t, columns> lane{}; ///< LaneConfig, 18 bits
    std::array<macro_memory, columns> macro{};
};

struct address_counters {
    unsigned dst = 0, dst_cr = 0, sp = 0;
};

/// What no instruction of a program changes.
struct surroundings {
    architecture arch = architecture::blackhole;
    std::uint32_t lreg12_default = 0x3b000000u;
    std::array<std::uint16_t, 8> address_modifiers{}; ///< images of ADDR_MOD_DST
    unsigned modifier_base = 0;                       ///< Wormhole: 1 selects modifiers 4 to 7
    unsigned math_offset = 0, dst_base = 0, stack_base = 0, stack_increment = 0;
    bool fp32_enabled = false;
    unsigned srcb_format = 0;
    // Answers to the open questions of the timing contract.
    bool stalls_for_results = true;       ///< T16 holds words behind MAD and SFPSHFT2
    bool delay_kind_by_macro = false;     ///< else by sub-unit
    bool firing_entry_outstanding = true; ///< what executes in a cycle still decides what a tick is
    unsigned store_load_visible = 1;      ///< cycles from a store to the first load that sees it
};

struct unit_state {
    std::array<lane_values, 17> lreg{};
    predication lanes;
    configuration config;
    lane_values random{};   ///< the generators
    lane_values shuffled{}; ///< what the latest SFPSHFT2 in mode 2 or 3 saw
    std::array<std::array<std::uint16_t, 16>, 1024> dst{};
    address_counters counters;
};

/// What an instruction changes. Whoever computes it does not change the state.
struct effect {
    struct register_write {
        unsigned number = 0;
        std::uint32_t lanes = 0;
        lane_values values{};
    };
    struct cell_write {
        unsigned row = 0, column = 0;
        std::uint16_t value = 0;
    };
    std::vector<register_write> registers;
    std::vector<cell_write> cells;
    std::optional<predication> lanes;
    std::optional<configuration> config;
    std::uint32_t random_lanes = 0; ///< lanes whose generator steps once
    std::optional<lane_values> shuffled;
};

void apply(const effect& what, unit_state& to);

/// The generator's next state: the complement of the parity of bits 0, 1, 21 and 31 moves in from above.
std::uint32_t next_random(std::uint32_t state);

} // namespace sfpu::oracle
