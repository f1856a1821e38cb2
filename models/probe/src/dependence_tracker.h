// Who made the value that an instruction reads, and which SFPLOADMACRO scheduled it: the arrows of the pictures.
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

/// What the instruction of an event reads and writes. Nothing if it has no effect (SFPNOP, discarded) or only becomes
/// an instruction template. Lanes are not looked at: a register counts in whichever lanes it is used.
register_access registers_of(const execution_event& event, architecture arch);

/// Rank among writes that become visible together, the highest wins: the default of parameter sfpu.write_order (T2a).
unsigned write_rank(const isa::instruction& insn);

/// Follows the values of the registers. `Mark` is what a picture wants to know again about whoever wrote a value.
/// Events must come in the order of their begin cycles, as the stream has them.
template <class Mark> class value_tracker {
public:
    /// Calls use(index, mark&) for the value that each of the registers has at the start of cycle `at` (T2, T3).
    template <class Use> void read(register_set registers, cycles at, Use use) {
        for_each(registers, [&](unsigned index) {
            if (Mark* mark = current(index, at)) use(index, *mark);
        });
    }

    /// The event writes the registers. `gone(index, mark&)` gets the values that nobody can read any more.
    template <class Gone>
    void write(register_set registers, const execution_event& event, const Mark& mark, Gone gone) {
        for_each(registers, [&](unsigned index) {
            drop_replaced(index, event.begin, gone);
            values_[index].push_back({event.end + one_cycle, write_rank(event.insn), mark});
        });
    }
    void write(register_set registers, const execution_event& event, const Mark& mark) {
        write(registers, event, mark, [](unsigned, Mark&) {});
    }

    /// All values that were not gone yet.
    template <class Use> void rest(Use use) {
        for (unsigned index = 0; index < tracked_registers; ++index)
            for (value& v : values_[index]) use(index, v.mark);
    }

private:
    struct value {
        cycles visible_from;
        unsigned rank;
        Mark mark;
        bool newer_than(const value& other) const {
            return std::pair(visible_from.count(), rank) >= std::pair(other.visible_from.count(), other.rank);
        }
    };

    template <class Body> static void for_each(register_set registers, Body body) {
        for (unsigned index = 0; registers != 0; ++index, registers = static_cast<register_set>(registers >> 1))
            if (registers & 1) body(index);
    }

    /// The newest value that is visible in cycle `at`, or null.
    Mark* current(unsigned index, cycles at) {
        value* newest = nullptr;
        for (value& v : values_[index])
            if (v.visible_from <= at && (!newest || v.newer_than(*newest))) newest = &v;
        return newest ? &newest->mark : nullptr;
    }

    template <class Gone> void drop_replaced(unsigned index, cycles at, Gone gone) {
        Mark* const kept = current(index, at);
        std::vector<value>& values = values_[index];
        for (value& v : values)
            if (v.visible_from <= at && &v.mark != kept) gone(index, v.mark);
        std::size_t count = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool stays = values[i].visible_from > at || &values[i].mark == kept;
            if (stays && count != i) values[count] = values[i];
            count += stays;
        }
        values.resize(count);
    }

    /// A few each: the visible value and those on their way.
    std::array<std::vector<value>, tracked_registers> values_;
};

/// Finds the SFPLOADMACRO of a scheduled instruction by its word.
template <class Mark> class macro_tracker {
public:
    void launch(std::int64_t word, const Mark& mark) { recent_[next_++ % recent_.size()] = {word, mark}; }

    /// Null if the macro was launched before tracking began.
    const Mark* find(std::int64_t word) const {
        const auto match = [word](const entry& e) { return e.word == word; };
        const auto found = std::find_if(recent_.begin(), recent_.end(), match);
        return found == recent_.end() ? nullptr : &found->mark;
    }

private:
    struct entry {
        std::int64_t word = -1;
        Mark mark{};
    };
    /// A delay has three bits, so that at most eight words are issued before an entry executes (T1, T10).
    std::array<entry, 16> recent_;
    std::size_t next_ = 0;
};

} // namespace sfpu::probe
