// The two templates of the MOP expander: run() issues the words that the expander would make of a MOP.
#pragma once

#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>

namespace ckernel {

/// The double loop of the MOP expander: run() issues what the expander would.
class ckernel_template {
public:
    ckernel_template(std::uint32_t outer, std::uint32_t inner) : outer_(outer), inner_(inner) {}
    ckernel_template(std::uint32_t outer, std::uint32_t inner, std::uint32_t op)
        : outer_(outer), inner_(inner), op0_(op), last_inner_(op), last_outer_(op) {}
    ckernel_template(std::uint32_t outer, std::uint32_t inner, std::uint32_t op0, std::uint32_t op1)
        : outer_(outer), inner_(inner), op0_(op0), op1_(op1), last_inner_(op1), last_outer_(op1) {}
    void set_loop_op0(std::uint32_t op) { op0_ = op; }
    void set_loop_op1(std::uint32_t op) { op1_ = op; }
    void set_end_ops(std::uint32_t first, std::uint32_t second) { end0_ = first, end1_ = second; }
    void set_end_op(std::uint32_t op) { set_end_ops(op, nop); }
    void set_start_op(std::uint32_t op) { start_ = op; }
    void set_last_inner_loop_instr(std::uint32_t op) { last_inner_ = op; }
    void set_last_outer_loop_instr(std::uint32_t op) { last_outer_ = op; }
    void program() const { programmed() = *this; }
    static void
    run(::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) {
        ::sfpu::kernel_recorder::stand_at(at);
        const ::sfpu::kernel_recorder::single_push mop;
        programmed().issue();
    }
    void program_and_run(
        ::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) const {
        program();
        run(at);
    }

private:
    static constexpr std::uint32_t nop = TT_OP_NOP;
    static ckernel_template& programmed() {
        thread_local ckernel_template latest(0, 0);
        return latest;
    }
    static void issue_unless_nop(std::uint32_t word) {
        if (word >> 24 != nop >> 24) SFPU_KERNEL_ISSUE(word);
    }
    void issue() const {
        const std::uint32_t count = inner_ * (op1_ == nop ? 1 : 2);
        for (std::uint32_t outer = 0; outer < outer_; ++outer) {
            issue_unless_nop(start_);
            for (std::uint32_t i = 0; i < count; ++i) {
                if (i + 1 == count) SFPU_KERNEL_ISSUE(outer + 1 == outer_ ? last_outer_ : last_inner_);
                else SFPU_KERNEL_ISSUE(op1_ != nop && (i & 1) ? op1_ : op0_);
            }
            issue_unless_nop(end0_);
            if (end0_ != nop) issue_unless_nop(end1_);
        }
    }

    std::uint32_t outer_, inner_, start_ = nop, op0_ = nop, op1_ = nop, last_inner_ = nop, last_outer_ = nop,
                                  end0_ = nop, end1_ = nop;
};

/// The masked loop of the MOP expander. An iteration issues A0 (with a halo A1 to A3 behind it) and then B,
/// if there is one; where its bit of the mask is set, the two words that skip stand for them.
class ckernel_unpack_template {
public:
    ckernel_unpack_template(bool with_b, bool with_halo, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                            std::uint32_t a3, std::uint32_t skip_a, std::uint32_t b, std::uint32_t skip_b)
        : with_b_(with_b), with_halo_(with_halo), a_{a0, a1, a2, a3}, skip_a_(skip_a), b_(b),
          skip_b_(skip_b) {}
    static ckernel_unpack_template lA(std::uint32_t a, std::uint32_t skip_a) {
        return {false, false, a, 0, 0, 0, skip_a, 0, 0};
    }
    static ckernel_unpack_template lB(std::uint32_t b, std::uint32_t skip_b) { return lA(b, skip_b); }
    static ckernel_unpack_template lBA(std::uint32_t a, std::uint32_t skip_a, std::uint32_t b,
                                       std::uint32_t skip_b) {
        return {true, false, a, 0, 0, 0, skip_a, b, skip_b};
    }
    static ckernel_unpack_template loopx1instr(std::uint32_t word, std::uint32_t skip = TT_OP_NOP) {
        return lA(word, skip);
    }
    static ckernel_unpack_template loopx2instr(std::uint32_t first, std::uint32_t second,
                                               std::uint32_t skip_first = TT_OP_NOP,
                                               std::uint32_t skip_second = TT_OP_NOP) {
        return lBA(first, skip_first, second, skip_second);
    }

    void program() const { programmed() = *this; }
    /// Bit i of the mask skips iteration i.
    static void
    run(std::uint8_t count, std::uint32_t mask = 0,
        ::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) {
        ::sfpu::kernel_recorder::stand_at(at);
        const ::sfpu::kernel_recorder::single_push mop;
        for (unsigned i = 0; i < count; ++i) programmed().issue(i < 32 && (mask >> i & 1) != 0);
    }
    void program_and_run(
        std::uint8_t count, std::uint32_t mask = 0,
        ::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) const {
        program();
        run(count, mask, at);
    }

private:
    static ckernel_unpack_template& programmed() {
        thread_local ckernel_unpack_template latest(false, false, TT_OP_NOP, 0, 0, 0, TT_OP_NOP, 0, 0);
        return latest;
    }
    void issue(bool skipped) const {
        for (unsigned i = 0; i < (with_halo_ && !skipped ? 4 : 1); ++i)
            SFPU_KERNEL_ISSUE(skipped ? skip_a_ : a_[i]);
        if (with_b_) SFPU_KERNEL_ISSUE(skipped ? skip_b_ : b_);
    }

    bool with_b_, with_halo_;
    std::uint32_t a_[4], skip_a_, b_, skip_b_;
};

} // namespace ckernel
