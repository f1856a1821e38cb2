// Two issue slots: which words may share a cycle, and in which order they access Dst.
#include <sfpu/timing/plan_builder.h>

#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;
namespace vd = isa::config_destination_vd;
using isa::instruction;
using isa::latency_class;
using isa::sub_unit;

bool uses_dst(const instruction& insn) {
    return insn.is(opcode::sfpload) || insn.is(opcode::sfpstore) || insn.is(opcode::sfploadmacro);
}

/// Whether two accesses of Dst through the same counters never meet, wherever the counters stand. Two of
/// 32-bit cells may if their addresses differ by a multiple of 256: some rows of that view are others as
/// well. Of cells of different widths, only the columns can be compared.
bool are_apart_in_dst(const instruction& store, const instruction& other) {
    namespace mode = isa::dst_mode;
    const unsigned distance = (store.imm10 - other.imm10) & 0x3ffu;
    if (distance % 4 == 2) return true; // even and odd columns
    const auto beyond_slice = [=](unsigned addresses) {
        return distance % addresses >= 2 && distance % addresses <= addresses - 2;
    };
    if (store.mod == mode::srcb || other.mod == mode::srcb)
        return store.mod == other.mod && beyond_slice(256);
    const bool wide = mode::store_is_32_bit(store.mod), other_wide = other.is(opcode::sfpstore)
                                                                         ? mode::store_is_32_bit(other.mod)
                                                                         : mode::load_is_32_bit(other.mod);
    return wide == other_wide && beyond_slice(wide ? 256 : 1024);
}

} // namespace

/// Two issue slots: whether the second word may go in the cycle of the first. It must find a unit free and
/// neither read nor write what the first writes; configuration, macros and the front end go alone or first.
bool plan_builder::may_share_issue(const issued_word& first, const library_word& second) const {
    const instruction &a = first.word->insn, &b = second.insn;
    const word_role role = role_of(b, state_.rules);
    if (second.kind != isa::word_kind::sfpu || role == word_role::template_write || b.is(opcode::sfpconfig) ||
        b.is(opcode::sfploadmacro))
        return false;
    hold_cause cause;
    if (issue_rules_.wait(state_.issue, b, role, 0, cause) != 0) return false;

    // A unit for it, beside what is scheduled and the first word.
    unsigned taken = 0;
    state_.slots.for_each_due([&](const scheduled_entry& entry) { taken += entry.unit == b.unit; });
    if (first.word->kind == isa::word_kind::sfpu) taken += a.unit == b.unit;
    if (taken >= machine_.units_of(b.unit)) return false;
    if (b.is(opcode::sfpnop)) return true;

    if (first.word->kind != isa::word_kind::sfpu) // counters and thread configuration
        return a.is(opcode::nop) || !uses_dst(b);
    if (a.latency == latency_class::swap || a.latency == latency_class::shuffle) return false;
    if (first.role == word_role::template_write && state_.rules.backdoor_closed == 0)
        return !b.is(opcode::sfpmov) || (b.mod & 8u) == 0; // which may read the template
    // LaneConfig changes what any word does; LoadMacroConfig matters to macros, and to SFPMOV on the same
    // unit.
    if (a.is(opcode::sfpconfig) && a.vd == vd::lane_config) return false;
    if (!isa::may_go_together(isa::effects_of(a, machine_.chip), isa::effects_of(b, machine_.chip)))
        return false;
    return !uses_dst(a) || !uses_dst(b) || may_share_dst(a, b);
}

bool plan_builder::moves_counters(const instruction& insn) const {
    return insn.mod == isa::dst_mode::int32_all || !(state_.rules.still_modifiers >> insn.addr_mod & 1);
}

/// The same for two accesses of Dst. What the first stores the second must neither load nor store.
bool plan_builder::may_share_dst(const instruction& first, const instruction& second) const {
    if (moves_counters(first)) return false;
    if (!first.is(opcode::sfpstore)) return true;
    if (second.mod == isa::dst_mode::int32_all) return false; // it has an address of another kind
    if (!state_.rules.lanes_ordinary) return false;           // lanes may exchange even and odd columns
    if (!are_apart_in_dst(first, second)) return false;
    // A load that moves the counters executes behind the store, but before scheduled stores, which come first
    // otherwise.
    bool stores_due = false;
    state_.slots.for_each_due(
        [&](const scheduled_entry& entry) { stores_due |= entry.unit == sub_unit::store; });
    return second.is(opcode::sfpstore) || !moves_counters(second) || !stores_due;
}

/// Two words that access Dst do so in their order: the second may move the counters by which the first finds
/// its slice.
void plan_builder::keep_word_order() {
    const auto accesses = [](const job& what) { return !what.scheduled && uses_dst(*what.insn); };
    const auto one = std::find_if(jobs_.begin(), jobs_.end(), accesses);
    if (one == jobs_.end()) return;
    const auto other = std::find_if(one + 1, jobs_.end(), accesses);
    if (other == jobs_.end() || one->origin < other->origin) return;
    if (one->unit == sub_unit::store || moves_counters(*one->insn)) std::rotate(one, other, other + 1);
}

} // namespace sfpu::timing
