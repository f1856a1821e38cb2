// The load and the store sub-unit, which reach Dst. Plain C++.
#pragma once

#include <sfpu/dst/slice_memory.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>
#include <sfpu/vector_unit/sub_units.h>

#include <cstdint>

namespace sfpu {

/// What the load and the store unit have in common: the way to Dst, and the conversions between cells and lanes.
class dst_unit : public execution_unit {
public:
    dst_unit(unit_state& state, isa::sub_unit unit, dst::slice_memory& memory);
    void reset();

protected:
    static unsigned dst_mode(const isa::instruction& insn, const isa::thread_state& thread) {
        return insn.mod != isa::dst_mode::srcb ? insn.mod : srcb_mode(thread);
    }
    /// The slice of a Dst address, and whose access in which mode it is.
    void aim(unsigned address, lane_mask exchanged_columns, bool wide, const isa::thread_state& thread,
             const unit_step& step) {
        const cycles at = step.at; // read both before either is written: then they move together
        const std::int64_t word = step.word;
        slice_.at = at;
        slice_.word = word;
        slice_.row = address & ~3u;
        slice_.odd_columns = (address & 2u) ? all_lanes : exchanged_columns;
        slice_.wide = wide;
        slice_.rows = thread.backend().rows;
    }

    dst::slice_memory& memory_;
    dst::slice slice_;                          ///< of the latest access
    lanes cells_;                               ///< its cells
    const isa::slice_conversions* conversions_; ///< of the architecture
    cycles one_access_{};                       ///< cycles from an access to that in which its result is due

private:
    [[gnu::noinline]] static unsigned srcb_mode(const isa::thread_state& thread);
};

/// SFPLOAD, SFPLOADI, SFPLOADMACRO and SFPNOP.
class load_unit : public dst_unit {
public:
    load_unit(unit_state& state, dst::slice_memory& memory) : dst_unit(state, isa::sub_unit::load, memory) {}

    void execute(unit_step& step);

private:
    bool is_plain(const unit_step& step, const isa::instruction& insn) const;
    void load(unit_step& step, const isa::instruction& insn, unsigned mode);
    [[gnu::noinline]] void publish_plain(const unit_step& step);
    [[gnu::noinline]] void load_specially(unit_step& step, const isa::instruction& insn, unsigned mode);
    [[gnu::noinline]] void load_immediate(unit_step& step, const isa::instruction& insn);
    void execute_semantics(unit_step& step, const isa::instruction& insn);
};

/// SFPSTORE.
class store_unit : public dst_unit {
public:
    store_unit(unit_state& state, dst::slice_memory& memory)
        : dst_unit(state, isa::sub_unit::store, memory) {}

    void execute(unit_step& step);

private:
    void store(unit_step& step, const isa::instruction& insn, unsigned mode);
    [[gnu::noinline]] void publish_plain(const unit_step& step);
    [[gnu::noinline]] void store_specially(unit_step& step, const isa::instruction& insn, unsigned mode);
};

} // namespace sfpu
