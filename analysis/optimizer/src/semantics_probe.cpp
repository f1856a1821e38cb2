#include "semantics_probe.h"

#include <sfpu/isa/results.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sfpu::optimizer {
namespace {

constexpr unsigned trials = 40;
constexpr std::uint32_t extremes[] = {
    0u,          1u,          0x80000000u, 0x7fffffffu, 0xffffffffu, 0x3f800000u, 0xbf800000u, 0x7f800000u,
    0xff800000u, 0x7fc00000u, 0x00800000u, 0x007fffffu, 0x7f7fffffu, 0x00ffffffu, 0x0000ffffu, 0x40490fdbu};

bool same_lanes(const isa::write_set& a, const isa::write_set& b) {
    if (a.count != b.count || a.exchange_count || b.exchange_count) return false;
    for (unsigned i = 0; i < a.count; ++i) {
        if (a.entries[i].lreg != b.entries[i].lreg || a.entries[i].mask != b.entries[i].mask) return false;
        const lanes &x = a.storage[a.entries[i].buffer], &y = b.storage[b.entries[i].buffer];
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if ((a.entries[i].mask >> lane & 1u) && x.v[lane] != y.v[lane]) return false;
    }
    return true;
}

bool same_flags(const isa::vector_state& a, const isa::vector_state& b) {
    if (a.flags != b.flags || a.use_flags != b.use_flags || a.stack.depth() != b.stack.depth()) return false;
    for (unsigned i = 0; i < a.stack.held(); ++i)
        if (a.stack.from_bottom(i).flags != b.stack.from_bottom(i).flags ||
            a.stack.from_bottom(i).use_flags != b.stack.from_bottom(i).use_flags)
            return false;
    return true;
}

lanes random_register(std::mt19937& numbers) {
    lanes drawn;
    const bool extreme = numbers() % 3 == 0;
    for (std::uint32_t& lane : drawn.v)
        lane = extreme || numbers() % 4 == 0
                   ? extremes[numbers() % (sizeof extremes / sizeof *extremes)]
                   : static_cast<std::uint32_t>(numbers()) >> (numbers() % 4 == 0 ? numbers() % 32 : 0);
    return drawn;
}

/// Drawn once: most questions want thousands of registers, and take any of these.
const std::vector<lanes>& random_registers() {
    static const std::vector<lanes> drawn = [] {
        constexpr unsigned count = 1024;
        std::mt19937 numbers(count);
        std::vector<lanes> all;
        for (unsigned i = 0; i < count; ++i) all.push_back(random_register(numbers));
        return all;
    }();
    return drawn;
}

} // namespace

isa::write_set& semantics_probe::execute(isa::vector_state& state, const isa::instruction& insn) {
    out_.clear();
    isa::execution context(state, words_, out_);
    context.enabled = state.enabled();
    context.acting = all_lanes;
    insn.op->execute(context, insn);
    return out_;
}

void semantics_probe::execute_on(isa::vector_state& state, const isa::instruction& insn) {
    execute(state, insn);
}

void semantics_probe::decide_flags(isa::vector_state& state, const isa::instruction& insn) {
    constexpr unsigned draws = 24;
    std::vector<isa::vector_state> drawn(draws, state);
    for (isa::vector_state& each : drawn) {
        randomise(each);
        execute_on(each, insn);
    }
    state = drawn.front();
    isa::flag_entry top = state.stack.top();
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const lane_mask bit = lane_mask{1} << lane;
        // The first draw of each way to decide: lane flag and top of the stack, on or off.
        std::array<const isa::vector_state*, 4> ways{};
        for (const isa::vector_state& each : drawn) {
            const unsigned way = (each.flags & bit ? 1u : 0u) | (each.stack.top().flags & bit ? 2u : 0u);
            if (!ways[way]) ways[way] = &each;
        }
        const isa::vector_state* chosen = nullptr;
        while (!chosen) chosen = ways[numbers_() % ways.size()];
        state.flags = (state.flags & ~bit) | (chosen->flags & bit);
        state.use_flags = (state.use_flags & ~bit) | (chosen->use_flags & bit);
        top.flags = (top.flags & ~bit) | (chosen->stack.top().flags & bit);
        top.use_flags = (top.use_flags & ~bit) | (chosen->stack.top().use_flags & bit);
    }
    if (!state.stack.empty()) state.stack.replace_top(top);
}

void semantics_probe::step(isa::vector_state& state, const isa::instruction& insn) {
    isa::write_results(state, execute(state, insn));
}

void semantics_probe::randomise(isa::vector_state& state, unsigned lreg) {
    const std::vector<lanes>& known = random_registers();
    state.lreg[lreg] = known[numbers_() % known.size()];
}

void semantics_probe::randomise(isa::vector_state& state) {
    for (const unsigned reg : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 11u, 12u, 13u, 14u}) randomise(state, reg);
}

observed_effects semantics_probe::effects(const isa::instruction& insn) {
    observed_effects found;
    if (insn.unit == isa::sub_unit::store) return {false, true, false};
    if (insn.is(isa::opcode::sfpload) || insn.is(isa::opcode::sfploadmacro)) return {false, true, false};
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state;
        randomise(state);
        state.use_flags = trial % 4 ? all_lanes : static_cast<lane_mask>(numbers_());
        state.flags = static_cast<lane_mask>(numbers_());
        for (unsigned i = 0; i < 3; ++i)
            state.stack.push({static_cast<lane_mask>(numbers_()), static_cast<lane_mask>(numbers_())});
        const isa::vector_state before = state;
        const lane_mask on = state.enabled();
        isa::vector_state other = before;
        for (std::uint32_t& lane : other.prng.v) lane = static_cast<std::uint32_t>(numbers_());
        const isa::write_set out = execute(state, insn);
        if (!same_flags(before, state)) found.flags = true;
        if (!out.exchange_count && !same_lanes(out, execute(other, insn))) found.random = true;
        for (unsigned i = 0; i < out.count; ++i)
            if ((out.entries[i].mask & ~on) == 0) found.predicated = true;
        if (out.exchange_count) found.predicated = true;
    }
    if (found.flags) found.predicated = true;
    found.crosses_lanes = crosses_lanes(insn);
    return found;
}

bool semantics_probe::crosses_lanes(const isa::instruction& insn) {
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state, other;
        randomise(state);
        randomise(other);
        // All but one lane are the same.
        const unsigned changed = numbers_() % lane_count;
        isa::vector_state of_changed = state;
        for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
            of_changed.lreg[lreg].v[changed] = other.lreg[lreg].v[changed];
        const isa::write_set a = execute(state, insn);
        const isa::write_set& b = execute(of_changed, insn);
        if (a.exchange_count || b.exchange_count || a.count != b.count) continue;
        for (unsigned i = 0; i < a.count; ++i)
            for (unsigned lane = 0; lane < lane_count; ++lane)
                if (lane != changed &&
                    a.storage[a.entries[i].buffer].v[lane] != b.storage[b.entries[i].buffer].v[lane])
                    return true;
    }
    return false;
}

std::uint32_t semantics_probe::constant_of(const isa::instruction& insn, std::uint32_t before) {
    isa::vector_state state;
    for (std::uint32_t& lane : state.lreg[insn.vd].v) lane = before;
    const isa::write_set& out = execute(state, insn);
    return out.storage[out.entries[0].buffer].v[0];
}

bool semantics_probe::same(const isa::instruction& a, const isa::instruction& b) {
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state;
        randomise(state);
        isa::vector_state of_a = state, of_b = state;
        const isa::write_set first = execute(of_a, a);
        if (!same_lanes(first, execute(of_b, b)) || !same_flags(of_a, of_b)) return false;
    }
    return true;
}

bool semantics_probe::may_exchange_sides(const isa::instruction& insn) {
    isa::instruction with = insn;
    with.vc = 0;
    with.vd = 1;
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state;
        randomise(state);
        isa::vector_state other = state;
        std::swap(other.lreg[0], other.lreg[1]);
        step(state, with);
        step(other, with);
        for (unsigned lreg = 0; lreg < 2; ++lreg)
            for (unsigned lane = 0; lane < lane_count; ++lane)
                if (state.lreg[lreg].v[lane] != other.lreg[lreg].v[lane]) return false;
    }
    return true;
}

bool semantics_probe::reorders(const isa::instruction& insn, unsigned first, unsigned second) {
    const auto fields = [&](unsigned x, unsigned y) {
        isa::instruction with = insn;
        std::uint8_t* of[] = {&with.va, &with.vb, &with.vc};
        *of[first] = static_cast<std::uint8_t>(x);
        *of[second] = static_cast<std::uint8_t>(y);
        with.vd = 7;
        return with;
    };
    for (unsigned trial = 0; trial < trials; ++trial) {
        isa::vector_state state;
        randomise(state);
        isa::write_set result[2];
        for (unsigned order = 0; order < 2; ++order) {
            isa::vector_state now = state;
            const isa::write_set inner = execute(now, fields(0, order ? 2 : 1));
            if (inner.count != 1) return false;
            now.lreg[3] = inner.storage[inner.entries[0].buffer];
            result[order] = execute(now, fields(3, order ? 1 : 2));
        }
        if (!same_lanes(result[0], result[1])) return false;
    }
    return true;
}

} // namespace sfpu::optimizer
