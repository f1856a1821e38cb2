// Who made the value that an instruction reads, and which SFPLOADMACRO scheduled it: the arrows of pictures.
#pragma once

#include <sfpu/isa/state.h>
#include <sfpu/probe/observer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sfpu::probe {

/// The registers in which values travel: bits 0 to 7 are L0 to L7, bit 8 is L16. Constants are left out.
using register_set = std::uint16_t;
constexpr unsigned tracked_registers = isa::general_lregs + 1;
constexpr unsigned l16_index = isa::general_lregs;

/// LReg number of a tracked register.
constexpr unsigned lreg_of(unsigned index) { return index == l16_index ? isa::macro_lreg : index; }

struct register_access {
    register_set reads = 0, writes = 0;
};

/// What the instruction of an event reads and writes. Nothing if it has no effect (SFPNOP, discarded) or only
/// becomes an instruction template.
register_access registers_of(const execution_event& event);

/// Lanes in which the event writes its registers.
lane_mask written_lanes(const execution_event& event);

/// Rank among writes that become visible together, the highest wins: the default of sfpu.write_order (T2a).
unsigned write_rank(const isa::instruction& insn);

/// Follows the values of the registers. `Mark` is what a picture wants to know again about whoever wrote one.
/// A write in some lanes leaves the older value in the others, so that a register can hold several. Events
/// must come in the order of their begin cycles, as the stream has them.
template <class Mark>
class value_tracker {
public:
    /// Calls use(index, mark&) for the values that stand in any lane of the registers at the start of cycle
    /// `at` (T2, T3), for each register the newest first.
    template <class Use>
    void read(register_set registers, cycles at, Use use) {
        for_each(registers, [&](unsigned index) {
            lane_mask open = all_lanes;
            for (value& v : values_[index]) {
                if (v.visible_from > at) continue;
                if (v.lanes & open) use(index, v.mark);
                open &= ~v.lanes;
            }
        });
    }

    /// The event writes the registers. `gone(index, mark&)` gets the values that nobody can read any more.
    template <class Gone>
    void write(register_set registers, const execution_event& event, const Mark& mark, Gone gone) {
        const value written{event.end + one_cycle, write_rank(event.insn), written_lanes(event), mark};
        if (written.lanes == 0) return;
        for_each(registers, [&](unsigned index) {
            std::vector<value>& values = values_[index];
            drop_replaced(index, event.begin, gone);
            const auto is_older = [&](const value& v) { return !v.newer_than(written); };
            values.insert(std::find_if(values.begin(), values.end(), is_older), written);
        });
    }
    void write(register_set registers, const execution_event& event, const Mark& mark) {
        write(registers, event, mark, [](unsigned, Mark&) {});
    }

    /// All values that were not gone yet.
    template <class Use>
    void rest(Use use) {
        for (unsigned index = 0; index < tracked_registers; ++index)
            for (value& v : values_[index]) use(index, v.mark);
    }

private:
    struct value {
        cycles visible_from;
        unsigned rank;
        lane_mask lanes;
        Mark mark;
        bool newer_than(const value& other) const {
            return std::pair(visible_from.count(), rank) > std::pair(other.visible_from.count(), other.rank);
        }
    };

    template <class Body>
    static void for_each(register_set registers, Body body) {
        for (unsigned index = 0; registers != 0;
             ++index, registers = static_cast<register_set>(registers >> 1))
            if (registers & 1) body(index);
    }

    /// Drops what stands in no lane any more at the start of cycle `at`.
    template <class Gone>
    void drop_replaced(unsigned index, cycles at, Gone gone) {
        std::vector<value>& values = values_[index];
        lane_mask open = all_lanes;
        std::size_t count = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool is_visible = values[i].visible_from <= at;
            const bool stays = !is_visible || (values[i].lanes & open);
            if (is_visible) open &= ~values[i].lanes;
            if (!stays) gone(index, values[i].mark);
            else if (count++ != i) values[count - 1] = std::move(values[i]);
        }
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(count), values.end());
    }

    /// The newest first; a few each: what is visible, and what is on its way.
    std::array<std::vector<value>, tracked_registers> values_;
};

/// Finds the SFPLOADMACRO of a scheduled instruction by its word.
template <class Mark>
class macro_tracker {
public:
    void launch(std::int64_t word, const Mark& mark) { place_of(word) = {word, mark}; }

    /// Null if the macro was launched before tracking began.
    const Mark* find(std::int64_t word) const {
        const entry& known = recent_[static_cast<std::uint64_t>(word) % recent_.size()];
        return known.word == word ? &known.mark : nullptr;
    }

private:
    struct entry {
        std::int64_t word = -1;
        Mark mark{};
    };
    entry& place_of(std::int64_t word) { return recent_[static_cast<std::uint64_t>(word) % recent_.size()]; }

    /// By word. A delay has at most five bits, and at most two words are issued in a cycle, so that at most
    /// 64 words are issued before an entry executes (T1, T10).
    std::array<entry, 128> recent_;
};

} // namespace sfpu::probe
