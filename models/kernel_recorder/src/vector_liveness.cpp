#include "vector_liveness.h"

#include <sfpu/isa/table.h>

#include <algorithm>

namespace sfpu::kernel_recorder::vector {

liveness::liveness(const graph& values, const std::vector<step>& steps, architecture arch, bool keep_raw) {
    find_uses(values, steps);
    find_reserved(steps, arch, keep_raw);
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

/// Registers whose contents the kernel's own words or later functions need, behind each step.
void liveness::find_reserved(const std::vector<step>& steps, architecture arch, bool keep_raw) {
    const auto count = static_cast<std::uint32_t>(steps.size());
    reserved.assign(count, 0);
    clobbered.assign(count, 0);
    std::array<std::uint32_t, 8> first_raw, last_raw, last_pin;
    first_raw.fill(never), last_raw.fill(never), last_pin.fill(never);
    const auto reserve = [&](unsigned r, std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to && i < count; ++i) reserved[i] |= 1u << r;
    };
    std::array<bool, 8> last_raw_writes{}, first_raw_reads{};
    for (std::uint32_t i = 0; i < count; ++i) {
        const step& s = steps[i];
        if (s.what == step_kind::pinned_read || s.what == step_kind::pinned_write) {
            const unsigned r = s.lreg;
            if (s.what == step_kind::pinned_read) reserve(r, last_pin[r] == never ? 0 : last_pin[r], i);
            last_pin[r] = i;
            continue;
        }
        if (s.what != step_kind::raw_word) continue;
        if (isa::classify(s.word, arch) != isa::word_kind::sfpu) continue;
        const isa::instruction insn = isa::decode(s.word, arch);
        const registers reads = insn.use.reads & 0xffu, writes = insn.use.writes & 0xffu;
        clobbered[i] = writes;
        for (unsigned r = 0; r < 8; ++r) {
            if (!((reads | writes) >> r & 1)) continue;
            if (first_raw[r] == never) {
                first_raw[r] = last_pin[r] == never ? i : last_pin[r];
                first_raw_reads[r] = (reads >> r & 1) && last_pin[r] == never;
            }
            last_raw[r] = i;
            last_raw_writes[r] = writes >> r & 1;
            last_pin[r] = i;
        }
    }
    for (unsigned r = 0; r < 8; ++r) {
        if (last_raw[r] != never)
            reserve(r, first_raw_reads[r] ? 0 : first_raw[r],
                    last_raw_writes[r] && keep_raw ? count : last_raw[r]);
        // What was written to a pinned register last is for whoever comes next.
        if (last_pin[r] != never && steps[last_pin[r]].what == step_kind::pinned_write)
            reserve(r, last_pin[r], count);
    }
}

} // namespace sfpu::kernel_recorder::vector
