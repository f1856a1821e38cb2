// A value waits in the cell that its row writes. That costs a store and a load; but each load can schedule
// instructions on every sub-unit, and brings the value to a register of its own.
#include "rule_parts.h"

#include <algorithm>
#include <utility>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;
namespace dst_mode = isa::dst_mode;

/// The cell that a row writes last, free from step `from` on: nobody loads what is there, or stores to it.
struct own_cell {
    std::size_t store = 0, from = 0;
    unsigned addr_mod = 0; ///< leaves the counter as it is
};

std::optional<own_cell> own_cell_of(const row& of) {
    own_cell found;
    bool knows_mode = false;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& s = of.steps[i];
        if (s.is(opcode::sfpload)) {
            // A later load may be of the same cell: formats overlap in ways that nobody looks at here.
            if (!of.keeps_counter(s)) return std::nullopt;
            found.from = i + 1;
            found.addr_mod = s.insn.addr_mod;
            knows_mode = true;
        } else if (s.is(opcode::sfpstore)) {
            if (found.store != 0 || !of.all_on_before(i)) return std::nullopt;
            found.store = i;
        } else if (s.insn.unit == isa::sub_unit::front_end && found.store == 0) {
            return std::nullopt; // the counter may move
        }
    }
    const bool is_free = found.store > found.from;
    return knows_mode && is_free ? std::optional<own_cell>(found) : std::nullopt;
}

/// A value, and who reads it out of the cell.
struct wait {
    value of = no_value;
    std::size_t stored = 0, reader = 0; ///< the steps before which it is stored, and loaded again
};

/// Longest first.
std::vector<wait> waits_in(const row& of, const own_cell& cell) {
    std::vector<wait> found;
    for (std::size_t i = 0; i < cell.store; ++i) {
        const step& s = of.steps[i];
        const value v = s.writes[vd];
        if (v == no_value || !of.is_pure(s) || s.is(opcode::sfpload) || of.constant_of(v)) continue;
        const std::size_t stored = std::max(cell.from, i + 1);
        for (const int reader : of.readers_of(v)) {
            const auto at = static_cast<std::size_t>(reader);
            if (at > stored && at < cell.store && of.all_on_before(stored) && of.all_on_before(at))
                found.push_back({v, stored, at});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const wait& a, const wait& b) { return a.reader - a.stored > b.reader - b.stored; });
    return found;
}

/// In the format of the row's own store if that keeps the value: accesses of one macro have one format.
unsigned mode_of(const row& of, const own_cell& cell, value v) {
    const unsigned stored = of.steps[cell.store].insn.mod;
    const bool keeps_denormals = of.arch() == architecture::wormhole || of.facts_of(v).never_denormal;
    const bool is_kept = stored == dst_mode::srcb || (stored == dst_mode::fp32 && keeps_denormals);
    return is_kept ? stored : dst_mode::int32;
}

std::vector<site> wait_in_own_cell(const row& of) {
    std::vector<site> found;
    const std::optional<own_cell> cell = own_cell_of(of);
    if (!cell) return found;
    for (const wait& each : waits_in(of, *cell)) {
        const step& last = of.steps[cell->store];
        const std::uint32_t access = mode_of(of, *cell, each.of) << 16 |
                                     cell->addr_mod << isa::addr_mod_shift(of.arch()) | last.insn.imm10;
        row changed = of;
        const value loaded = changed.new_value();
        changed.replace_readers(each.of, loaded, each.reader);
        const unsigned line = of.steps[each.reader].line;
        step store = changed.make_step(std::uint32_t{opcode::sfpstore} << 24 | access,
                                       {no_value, no_value, no_value, each.of}, no_value, line);
        step load = changed.make_step(std::uint32_t{opcode::sfpload} << 24 | access,
                                      {no_value, no_value, no_value, no_value}, loaded, line);
        changed.insert(each.reader, std::move(load));
        changed.insert(each.stored, std::move(store));
        add_site(found, std::move(changed), line);
    }
    return found;
}

} // namespace

const std::vector<rule> cell_rules = {
    {"wait-in-cell",
     "a value is stored where its row stores its result, and loaded again for its last readers",
     "nothing else is loaded or stored there from then on; all lanes are on, and no counter moves",
     wait_in_own_cell, true},
};

} // namespace sfpu::rewriting
