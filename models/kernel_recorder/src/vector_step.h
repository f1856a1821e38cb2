// The steps that a graph is lowered to: one instruction each, or a copy, with values instead of registers.
#pragma once

#include <sfpu/kernel_recorder/vector/graph.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::kernel_recorder::vector {

enum class step_kind : std::uint8_t {
    instruction,
    constant,     ///< `made` becomes the bits `word` here, and not only where it is needed
    merge,        ///< `made` is va with vb in the enabled lanes
    pinned_read,  ///< `made` is what register `lreg` holds
    pinned_write, ///< register `lreg` becomes va
    raw_word,
};

struct step {
    step_kind what = step_kind::instruction;
    std::uint8_t lreg = 0;
    lane_state state = 0;
    std::uint32_t word = 0; ///< without the registers
    value va = none, vb = none, vc = none;
    value vd = none; ///< what VD holds before the instruction
    std::array<value, 7> fixed{};
    value made = none;                 ///< what VD holds afterwards
    value made_vc = none;              ///< SFPSWAP: what VC holds afterwards
    std::array<value, 4> made_fixed{}; ///< SFPTRANSP: what L0 to L3 hold afterwards
    source_place place;                ///< in the kernel's source
    value overwrites = none;           ///< `made` goes where this is and keeps its other lanes
};

/// Steps of the nodes from first() on. The graph has been simplified. New values may be added to the graph.
/// With `tests_late` what is computed for a condition only is computed where it is tested, in the lanes that
/// are left there.
std::vector<step> lower(graph& what, bool tests_late);

/// A word for the instruction stream, with whether it was the kernel's own.
struct placed_word {
    std::uint32_t word;
    bool raw;
    source_place place; ///< in the kernel's source
};

/// Gives values registers, from one piece of a function to the next.
class register_allocator {
public:
    explicit register_allocator(architecture arch) : arch_(arch) { home_.fill(none); }

    /// Words of the nodes from first() on, in their order if eight registers suffice for it, else in one that
    /// needs fewer. kernel_error if there is none. Values that variables hold stay. New values may be added
    /// to the graph.
    std::vector<placed_word> allocate(graph& values);

    /// Whether a register holds a variable, or a constant that is taken to be there.
    bool hold_values() const;
    /// Constants in the registers that a word writes, or in all, are not there any more.
    void overwritten(std::uint32_t word);
    void forget_constants();

private:
    friend class allocation;

    architecture arch_;
    std::array<value, 8> home_;             ///< by register: the value in it
    std::array<bool, 8> constant_{};        ///< whether it is one that can be loaded again
    std::array<lane_state, 8> loaded_in_{}; ///< of constants: lanes that were loaded
};

/// Sends words on, with the SFPNOPs that the chip needs between dependent ones.
class emitter {
public:
    explicit emitter(architecture arch) : arch_(arch) {}

    template <class Sink>
    void emit(const std::vector<placed_word>& words, Sink sink) {
        for (const placed_word& w : words) {
            if (needs_nop_before(w)) sink(nop, w.place);
            sink(w.word, w.place);
        }
    }

private:
    static constexpr std::uint32_t nop = 0x8f000000u;
    bool needs_nop_before(const placed_word& next);

    architecture arch_;
    std::uint32_t late_ = 0;        ///< registers whose value is not there in the next cycle
    bool blocks_neighbour_ = false; ///< the next word has to be SFPNOP
    bool last_raw_ = true;
};

} // namespace sfpu::kernel_recorder::vector
