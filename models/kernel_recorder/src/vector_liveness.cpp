#include "vector_liveness.h"

#include <sfpu/isa/table.h>

#include <algorithm>
#include <array>

namespace sfpu::kernel_recorder::vector {

liveness::liveness(const graph& values, const std::vector<step>& steps, architecture arch, bool keep_raw) {
    find_uses(values, steps);
    find_reserved(values, steps, arch, keep_raw);
}

void liveness::find_uses(const graph& values, const std::vector<step>& steps) {
    uses.resize(values.size());
    wish.assign(values.size(), 0);
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        const step& s = steps[i];
        each_source(s, [&](value v) { uses[v].push_back(i); });
        for (unsigned r = 0; r < s.fixed.size(); ++r)
            if (s.fixed[r] != none) wish[s.fixed[r]] |= 1u << r;
        if (s.what == step_kind::pinned_write) wish[s.va] |= 1u << s.lreg;
        if (s.what == step_kind::pinned_read) wish[s.made] |= 1u << s.lreg;
    }
    // Results that other values' registers become wish what those wish.
    for (std::uint32_t i = static_cast<std::uint32_t>(steps.size()); i-- > 0;) {
        const step& s = steps[i];
        const value kept = s.what == step_kind::merge ? s.va : s.overwrites != none ? s.overwrites : s.vd;
        if (kept != none && s.made != none && wish[kept] == 0) wish[kept] = wish[s.made];
    }
    for (value v = 1; v < values.size(); ++v)
        if (values.held(v)) uses[v].push_back(never);
}

namespace {

constexpr std::uint32_t upper_half = 8, lower_half = 10;

bool loads_half(const step& s, std::uint32_t half) {
    return s.what == step_kind::raw_word && s.word >> 24 == isa::opcode::sfploadi &&
           (s.word >> 16 & 15u) == half;
}
/// Two words that load both halves of a register: what it held before is of no use.
bool load_both_halves(const step& first, const step& second) {
    const bool halves = (loads_half(first, lower_half) && loads_half(second, upper_half)) ||
                        (loads_half(first, upper_half) && loads_half(second, lower_half));
    return halves && (first.word >> 20 & 15u) == (second.word >> 20 & 15u);
}

/// Lanes of a register whose contents somebody needs.
struct needed_lanes {
    bool all = false;
    std::vector<lane_state> states; ///< or those of these

    bool any() const { return all || !states.empty(); }
    void read(lane_state in) {
        if (std::find(states.begin(), states.end(), in) == states.end()) states.push_back(in);
    }
    /// Lanes that are off keep what they hold.
    void written(const graph& values, lane_state in) {
        if (in == 0) all = false; // what comes later is for the lanes of the function's start
        states.erase(
            std::remove_if(states.begin(), states.end(), [&](lane_state s) { return values.within(s, in); }),
            states.end());
    }
};

struct touched {
    registers reads = 0, writes = 0;
};
touched general_registers_of(const step& s, architecture arch) {
    if (s.what == step_kind::pinned_read) return {1u << s.lreg, 0};
    if (s.what == step_kind::pinned_write) return {0, 1u << s.lreg};
    if (s.what != step_kind::raw_word || isa::classify(s.word, arch) != isa::word_kind::sfpu) return {};
    const isa::instruction insn = isa::decode(s.word, arch);
    if (insn.names_template()) return {}; // it writes an instruction template and touches no register
    const isa::register_use use = insn.use;
    return {use.reads & isa::general_registers, use.writes & isa::general_registers};
}

} // namespace

/// Registers whose contents the kernel's own words or later functions need, behind each step: from the end
/// backwards.
void liveness::find_reserved(const graph& values, const std::vector<step>& steps, architecture arch,
                             bool keep_raw) {
    const std::size_t count = steps.size();
    reserved.assign(count, 0);
    clobbered.assign(count, 0);
    std::array<needed_lanes, 8> needed; // by register
    registers seen = 0;
    for (std::size_t i = count; i-- > 0;) { // what is written last stays
        const touched t = general_registers_of(steps[i], arch);
        const registers stays = steps[i].what == step_kind::pinned_write || keep_raw ? t.writes & ~seen : 0u;
        for (unsigned r = 0; r < needed.size(); ++r)
            if (stays >> r & 1) needed[r].all = true;
        seen |= t.reads | t.writes;
    }
    for (std::size_t i = count; i-- > 0;) {
        touched t = general_registers_of(steps[i], arch);
        if (steps[i].what == step_kind::raw_word) clobbered[i] = t.writes;
        if (i + 1 < count && load_both_halves(steps[i], steps[i + 1])) t.reads = 0;
        for (unsigned r = 0; r < needed.size(); ++r) {
            if (needed[r].any()) reserved[i] |= 1u << r;
            if (t.writes >> r & 1) needed[r].written(values, steps[i].state);
            if (t.reads >> r & 1) needed[r].read(steps[i].state);
        }
    }
}

} // namespace sfpu::kernel_recorder::vector
