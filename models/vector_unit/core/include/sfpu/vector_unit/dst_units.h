// The load and the store sub-unit, which reach Dst. Plain C++.
#pragma once

#include <sfpu/dst/slice_memory.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>
#include <sfpu/vector_unit/sub_units.h>

#include <array>
#include <cstdint>

namespace sfpu {

namespace detail {

/// By mode, whether a load or store moves 32-bit cells. Looking it up takes less than working it out.
template <class F>
constexpr std::array<bool, 16> by_mode(F f) {
    std::array<bool, 16> result{};
    for (unsigned mode = 0; mode < result.size(); ++mode) result[mode] = f(mode);
    return result;
}
inline constexpr std::array<bool, 16> loads_wide = by_mode(isa::dst_mode::load_is_32_bit),
                                      stores_wide = by_mode(isa::dst_mode::store_is_32_bit);

} // namespace detail

/// How a unit reaches its slice and cells, and moves them, by the interface of a Dst.
struct slices_by_memory {
    dst::slice_memory& memory;
    dst::slice& slice;
    lanes& values;

    dst::slice& access() const { return slice; }
    lanes& cells() const { return values; }
    void load() const { memory.load(slice, values); }
    void store() const { memory.store(slice, values); }
};

/// What the load and the store unit have in common: the way to Dst, and the conversions between cells and
/// lanes.
class dst_unit : public execution_unit {
public:
    /// `slice` and `cells`: where the unit says which cells it wants, and where they are.
    dst_unit(unit_state& state, isa::sub_unit unit, dst::slice_memory& memory, dst::slice& slice,
             lanes& cells);
    void reset();
    void move_to(dst::slice_memory& memory) { memory_ = &memory; }

protected:
    static unsigned dst_mode(const isa::instruction& insn, const isa::thread_state& thread) {
        return insn.mod != isa::dst_mode::srcb ? insn.mod : srcb_mode(thread);
    }
    /// It executes: if its mode is the configuration's, a change of that concerns it.
    void note(const unit_step& step, const isa::instruction& insn) {
        if (insn.mod == isa::dst_mode::srcb) state_.note_srcb(step.thread, step.at, step.word);
    }
    /// The slice of a Dst address, and whose access in which mode it is.
    static void aim(dst::slice& slice, unsigned address, lane_mask exchanged_columns, bool wide,
                    const isa::thread_state& thread, const unit_step& step) {
        const cycles at = step.at; // read both before either is written: then they move together
        const std::int64_t word = step.word;
        slice.at = at;
        slice.word = word;
        slice.row = address & ~3u;
        slice.odd_columns = (address & 2u) ? all_lanes : exchanged_columns;
        slice.wide = wide;
        slice.rows = thread.backend().rows;
    }

    dst::slice_memory* memory_;
    dst::slice& slice_;                         ///< of the latest access
    lanes& cells_;                              ///< its cells
    const isa::slice_conversions* conversions_; ///< of the architecture
    cycles one_access_{};                       ///< cycles from an access to that in which its result is due

private:
    [[gnu::noinline]] static unsigned srcb_mode(const isa::thread_state& thread);
};

/// SFPLOAD, SFPLOADI, SFPLOADMACRO and SFPNOP.
class load_unit : public dst_unit {
public:
    load_unit(unit_state& state, dst::slice_memory& memory, dst::slice& slice, lanes& cells)
        : dst_unit(state, isa::sub_unit::load, memory, slice, cells) {}

    void execute(unit_step& step) { execute(step, slices_by_memory{*memory_, slice_, cells_}); }
    /// The same if the caller knows the way to the same memory, slice and cells better.
    template <class Slices>
    void execute(unit_step& step, const Slices& slices);

private:
    bool all_lanes_load() const { return state_.vector.enabled_by_flags() == all_lanes; }
    [[gnu::noinline]] void load_otherwise(unit_step& step, const isa::instruction& insn);
    template <class Slices>
    void load(unit_step& step, const isa::instruction& insn, unsigned mode, const Slices& slices);
    [[gnu::noinline]] void publish_plain(const unit_step& step);
    void load_specially(unit_step& step, const isa::instruction& insn, unsigned mode);
    void load_immediate(unit_step& step, const isa::instruction& insn);
    void execute_semantics(unit_step& step, const isa::instruction& insn);
};

/// SFPSTORE.
class store_unit : public dst_unit {
public:
    store_unit(unit_state& state, dst::slice_memory& memory, dst::slice& slice, lanes& cells)
        : dst_unit(state, isa::sub_unit::store, memory, slice, cells) {}

    void execute(unit_step& step) { execute(step, slices_by_memory{*memory_, slice_, cells_}); }
    /// The same if the caller knows the way to the same memory, slice and cells better.
    template <class Slices>
    void execute(unit_step& step, const Slices& slices);

private:
    template <class Slices>
    void store(const unit_step& step, const isa::instruction& insn, unsigned mode, const Slices& slices);
    [[gnu::noinline]] void publish_plain(const unit_step& step, unsigned address);
    [[gnu::noinline]] void store_otherwise(unit_step& step, const isa::instruction& insn);
    void store_specially(unit_step& step, const isa::instruction& insn, unsigned mode);
};

/// Nearly all loads are plain and need no more than this.
template <class Slices>
inline void load_unit::load(unit_step& step, const isa::instruction& insn, unsigned mode,
                            const Slices& slices) {
    isa::thread_state& thread = *step.thread_state;
    const unsigned address = thread.counted_address(insn);
    step.dst_address = static_cast<std::uint16_t>(address);
    aim(slices.access(), address, 0, detail::loads_wide[mode], thread, step);
    slices.load();
    thread.apply_addr_mod(insn.addr_mod);
    lanes& target = state_.vector.lreg[insn.vd];
    conversions_->load[mode](slices.cells(), target, target);
    if (is_observed()) publish_plain(step);
}

template <class Slices>
[[gnu::always_inline]] inline void load_unit::execute(unit_step& step, const Slices& slices) {
    const isa::instruction& insn = *step.insn;
    if (step.form.simple() && all_lanes_load()) load(step, insn, insn.mod, slices);
    else load_otherwise(step, insn);
}

/// Nearly all stores need no more than this.
template <class Slices>
inline void store_unit::store(const unit_step& step, const isa::instruction& insn, unsigned mode,
                              const Slices& slices) {
    isa::thread_state& thread = *step.thread_state;
    unsigned address = step.dst_address;
    if (!insn.scheduled()) address = thread.counted_address(insn);
    aim(slices.access(), address, 0, detail::stores_wide[mode], thread, step);
    slices.access().lanes = state_.vector.enabled_by_flags();
    conversions_->store[mode](state_.vector.lreg[insn.vd], slices.cells());
    slices.store();
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
    if (is_observed()) publish_plain(step, address);
}

template <class Slices>
[[gnu::always_inline]] inline void store_unit::execute(unit_step& step, const Slices& slices) {
    const isa::instruction& insn = *step.insn;
    if (step.form.simple()) store(step, insn, insn.mod, slices);
    else store_otherwise(step, insn);
}

} // namespace sfpu
