// What the semantics of an instruction see: state as it was at the start of the cycle, and a place for
// results.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/state.h>

#include <array>

namespace sfpu::isa {

/// Results for LRegs that become visible together, at the end of one cycle.
struct write_set {
    static constexpr unsigned capacity = 8;

    struct entry {
        std::uint8_t lreg;
        std::uint8_t buffer; ///< index into storage: its own index, or that of an earlier entry
        lane_mask mask;
    };
    unsigned count = 0;
    entry entries[capacity];

    /// SFPSWAP: in these lanes the pairs of registers are exchanged, read at the start of the committing
    /// cycle.
    struct exchange_pair {
        std::uint8_t c, d;
    };
    unsigned exchange_count = 0;
    exchange_pair exchange[2];
    lane_mask exchange_mask[2];
    lane_mask exchange_index_mask; ///< lanes in which L4 to L7 take no part as values (argmin and argmax)

    std::int64_t word = -1;            ///< index of the program word that wrote it, for diagnostics
    const instruction* insn = nullptr; ///< that instruction, as executed

    lanes storage[capacity];

    void clear() {
        count = exchange_count = 0;
        exchange_index_mask = 0;
    }
    /// Buffer for what lanes `mask` of a register will hold.
    lanes& add(unsigned lreg, lane_mask mask) {
        entries[count] = {static_cast<std::uint8_t>(lreg), static_cast<std::uint8_t>(count), mask};
        return storage[count++];
    }
    bool empty() const { return (count | exchange_count) == 0; }
    /// The registers that it writes, as bits.
    std::uint32_t lregs() const {
        if (count == 1 && exchange_count == 0) return 1u << entries[0].lreg;
        std::uint32_t result = 0;
        for (unsigned i = 0; i < count; ++i) result |= 1u << entries[i].lreg;
        for (unsigned i = 0; i < exchange_count; ++i) result |= 1u << exchange[i].c | 1u << exchange[i].d;
        return result;
    }
};

/// How the multiply-adds of some words were computed last, so that what failed is not tried again each time
/// (mad-inl.h). It decides how long they take, and nothing else.
struct multiply_add_habit {
    enum class way : std::uint8_t { none, like_sizes, unlike_sizes, anything } first = way::none;
    std::uint8_t times = 0; ///< how often that is still done before everything is tried again
};

/// The context of an execution; it may serve many, one after the other. A Dst slice is 32 raw cells: 16-bit
/// cells zero-extended, or 32-bit cells with the high half on top.
struct execution {
    vector_state& state;
    architecture arch;
    word_encoding words;   ///< for what SFPCONFIG and SFPMOV name
    write_set* out;        ///< empty at the start
    lane_mask enabled = 0; ///< LaneEnabled at the start of the cycle, without lanes diverted to the backdoor
    lane_mask acting = 0;  ///< lanes that execute at all: those not diverted to the backdoor
    bool direct =
        false; ///< nothing else happens in this cycle: full-width results may go straight to the LReg
    unsigned dst_mode = 0;        ///< loads: Mod0 with SRCB resolved
    const lanes* slice = nullptr; ///< loads: cells read
    unsigned dst_address = 0;     ///< loads: resolved address of the slice, for CAPTURE_DEFAULT_DEST_INDEX
    lane_mask odd_columns = 0;    ///< loads: lanes that read an odd column
    std::uint32_t lreg12_default = 0x3b000000u; ///< what SFPCONFIG by immediate gives L12
    std::uint32_t reports = 0;                  ///< bit per execution_report
    lanes scratch;                              ///< results of instructions whose VD is read-only
    std::array<multiply_add_habit, 16> habits{};

    execution(vector_state& s, const word_encoding& w, write_set& o)
        : state(s), arch(w.arch), words(w), out(&o) {}

    const lanes& reg(unsigned index) const { return state.lreg[index]; }

    /// Buffer for a full-width result of `lreg`, written in the enabled lanes at the end of the cycle.
    lanes& result(unsigned lreg) { return result(lreg, enabled); }
    lanes& result(unsigned lreg, lane_mask mask) {
        if (!writable(lreg)) return scratch;
        if (direct && mask == all_lanes) return state.lreg[lreg];
        return out->add(lreg, mask);
    }

    /// Words with other registers or modes mostly have one of their own.
    multiply_add_habit& habit_of(std::uint32_t word) {
        return habits[(word ^ word >> 4 ^ word >> 8) % habits.size()];
    }

    /// Changes LaneFlags in `where`.
    void set_flags(lane_mask where, lane_mask value) {
        state.flags = (state.flags & ~where) | (value & where);
    }
};

/// What semantics can complain about.
enum execution_report : std::uint32_t {
    stack_overflow = 1,
    stack_underflow = 2,
};

} // namespace sfpu::isa
