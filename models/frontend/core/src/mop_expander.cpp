#include <sfpu/frontend/mop_expander.h>

#include <sfpu/isa/instruction.h>

namespace sfpu::frontend {
namespace {

constexpr bool is_nop(std::uint32_t word) { return word >> 24 == isa::opcode::nop; }
constexpr unsigned loop_count(std::uint32_t word) { return word & 127u; }

/// Configuration words of template 0.
constexpr unsigned flags = 1, insn_b = 2, insn_a0 = 3, insn_a1 = 4, insn_a2 = 5, insn_a3 = 6,
                   insn_skip_a0 = 7, insn_skip_b = 8;
/// Configuration words of template 1.
constexpr unsigned outer_loops = 0, inner_loops = 1, start_op = 2, end_op_0 = 3, end_op_1 = 4, loop_op = 5,
                   loop_op_1 = 6, loop_last_of_all = 7, loop_last = 8;

} // namespace

void mop_expander::begin(std::uint32_t mop) {
    outer_ = inner_ = 0;
    if (!(mop >> 23 & 1)) {
        mask_ = mask_hi_ << 16 | (mop & 0xffff);
        outer_count_ = (mop >> 16 & 127u) + 1;
        has_b_ = config_[flags] & 1;
        has_a123_ = config_[flags] & 2;
        step_ = mask_ & 1 ? step::skip_a0 : step::a0;
        return;
    }
    outer_count_ = loop_count(config_[outer_loops]);
    inner_count_ = loop_count(config_[inner_loops]) * (is_nop(config_[loop_op_1]) ? 1 : 2);
    // A fault of the hardware that software may meet.
    if (outer_count_ == 1 && is_nop(config_[start_op]) && inner_count_ == 0 && !is_nop(config_[end_op_0]))
        outer_count_ += 128;
    step_ = outer_count_ ? step::start : step::none;
}

/// Goes on to a step that emits something; false at the end of the expansion.
bool mop_expander::seek() {
    while (step_ != step::none && !exists()) advance();
    return step_ != step::none;
}

bool mop_expander::exists() const {
    switch (step_) {
    case step::none: return false;
    case step::a1:
    case step::a2:
    case step::a3: return has_a123_;
    case step::b:
    case step::skip_b: return has_b_;
    case step::a0:
    case step::skip_a0: return true;
    case step::start: return !is_nop(config_[start_op]);
    case step::inner: return inner_ < inner_count_;
    case step::end0: return !is_nop(config_[end_op_0]);
    case step::end1: return !is_nop(config_[end_op_0]) && !is_nop(config_[end_op_1]);
    }
    return false;
}

std::uint32_t mop_expander::take() {
    std::uint32_t word = 0;
    switch (step_) {
    case step::none: break;
    case step::a0: word = config_[insn_a0]; break;
    case step::a1: word = config_[insn_a1]; break;
    case step::a2: word = config_[insn_a2]; break;
    case step::a3: word = config_[insn_a3]; break;
    case step::b: word = config_[insn_b]; break;
    case step::skip_a0: word = config_[insn_skip_a0]; break;
    case step::skip_b: word = config_[insn_skip_b]; break;
    case step::start: word = config_[start_op]; break;
    case step::inner: word = inner_body(); break;
    case step::end0: word = config_[end_op_0]; break;
    case step::end1: word = config_[end_op_1]; break;
    }
    advance();
    return word;
}

std::uint32_t mop_expander::inner_body() const {
    if (inner_ + 1 == inner_count_) return config_[outer_ + 1 == outer_count_ ? loop_last_of_all : loop_last];
    const bool second = (inner_ & 1) && !is_nop(config_[loop_op_1]);
    return config_[second ? loop_op_1 : loop_op];
}

void mop_expander::advance() {
    switch (step_) {
    case step::none: break;
    case step::a0: step_ = step::a1; break;
    case step::a1: step_ = step::a2; break;
    case step::a2: step_ = step::a3; break;
    case step::a3: step_ = step::b; break;
    case step::skip_a0: step_ = step::skip_b; break;
    case step::b:
    case step::skip_b: next_masked(); break;
    case step::start: step_ = step::inner; break;
    case step::inner:
        if (inner_ < inner_count_) ++inner_;
        if (inner_ >= inner_count_) step_ = step::end0;
        break;
    case step::end0: step_ = step::end1; break;
    case step::end1: next_outer(); break;
    }
}

void mop_expander::next_masked() {
    mask_ >>= 1;
    step_ = ++outer_ == outer_count_ ? step::none : mask_ & 1 ? step::skip_a0 : step::a0;
}

void mop_expander::next_outer() {
    inner_ = 0;
    step_ = ++outer_ == outer_count_ ? step::none : step::start;
}

} // namespace sfpu::frontend
