// Lane flags, their stack, and configuration, on terms: see simple-inl.h for the same on data.
#include "symbolic_unit.h"

#include <sfpu/isa/table.h>

namespace sfpu::analysis {

namespace opcode = isa::opcode;

void symbolic_unit::set_flags(const lane_terms& where, const lane_terms& to) {
    next_flags_ =
        by_lane([&](unsigned lane) { return pool_.choose_condition(where[lane], to[lane], flags_[lane]); });
}

/// The flags that SFPIADD, SFPLZ and SFPEXEXP set beside their result.
void symbolic_unit::write_word_flags(const instruction& insn, const lane_terms& words) {
    if (insn.vd >= isa::general_lregs) return;
    const bool adds = insn.is(opcode::sfpiadd), counts = insn.is(opcode::sfplz);
    if (!adds && !counts && !insn.is(opcode::sfpexexp)) return;
    if (adds ? (insn.mod & 12) == 4 : !(insn.mod & 10)) return;
    const bool of_word = adds ? !(insn.mod & 4) : insn.mod & 2;
    const std::uint32_t counted = (insn.mod & 4) ? 0x7fffffffu : 0xffffffffu;
    set_flags(enabled_, by_lane([&](unsigned lane) {
                  term flag = flags_[lane];
                  if (of_word && counts)
                      flag = pool_.negate(pool_.zero(pool_.keep(lreg_[insn.vc][lane], counted)));
                  else if (of_word) flag = pool_.negative(words[lane]);
                  return (insn.mod & 8) ? pool_.negate(flag) : flag;
              }));
}

void symbolic_unit::set_condition(const instruction& insn) {
    set_flags(enabled_, by_lane([&](unsigned lane) {
                  const term word = lreg_[insn.vc][lane];
                  term flag = pool_.truth(false);
                  if (insn.mod & 8) return flag;
                  if (insn.mod & 1) flag = pool_.truth(insn.imm & 1);
                  else if ((insn.mod & 6) == 0) flag = pool_.negative(word);
                  else if ((insn.mod & 6) == 2) flag = pool_.negate(pool_.zero(word));
                  else if ((insn.mod & 6) == 4) flag = pool_.negate(pool_.negative(word));
                  else flag = pool_.zero(word);
                  return pool_.both_hold(flag, use_[lane]);
              }));
}

void symbolic_unit::enable_conditions(const instruction& insn) {
    if (insn.mod & 2) set_use(all_of(pool_.truth(insn.imm & 1)));
    else if (insn.mod & 1) set_use(by_lane([&](unsigned lane) { return pool_.negate(use_[lane]); }));
    next_flags_ = all_of(pool_.truth(!(insn.mod & 8) || (insn.imm & 2)));
}

/// The twelve operations of SFPPUSHC and SFPPOPC.
term symbolic_unit::boolean(unsigned mod, term a, term b) {
    const term not_a = pool_.negate(a), not_b = pool_.negate(b);
    switch (mod) {
    case 1: return b;
    case 2: return not_b;
    case 3: return pool_.both_hold(a, b);
    case 4: return pool_.either_holds(a, b);
    case 5: return pool_.both_hold(a, not_b);
    case 6: return pool_.either_holds(a, not_b);
    case 7: return pool_.both_hold(not_a, b);
    case 8: return pool_.either_holds(not_a, b);
    case 9: return pool_.both_hold(not_a, not_b);
    case 10: return pool_.either_holds(not_a, not_b);
    case 11: return pool_.unequal(a, b);
    default: return pool_.negate(pool_.unequal(a, b));
    }
}

void symbolic_unit::push_flags(const instruction& insn) {
    if (insn.mod == 0 || !describe(pool_.arch()).has_pushc_operations) {
        stack_.push({flags_, use_});
        return;
    }
    symbolic_flag_stack::entry top{flags_, use_};
    if (insn.mod == 13) {
        top.flags = by_lane([&](unsigned lane) { return pool_.negate(flags_[lane]); });
        next_flags_ = top.flags;
    }
    if (stack_.empty()) return;
    const lane_terms old = stack_.top().flags;
    if (insn.mod <= 12)
        top.flags = by_lane([&](unsigned lane) { return boolean(insn.mod, old[lane], flags_[lane]); });
    else if (insn.mod >= 14) top = {all_of(pool_.truth(insn.mod == 14)), all_of(pool_.truth(true))};
    stack_.replace_top(top);
}

void symbolic_unit::pop_flags(const instruction& insn) {
    symbolic_flag_stack::entry top{all_of(pool_.truth(false)), all_of(pool_.truth(false))};
    if (!stack_.empty()) top = stack_.top();
    if (insn.mod == 0) stack_.pop();
    else if (pool_.arch() == architecture::wormhole && stack_.depth() == isa::flag_stack::capacity)
        stack_.replace_bottom(top); // chip_semantics::pop_overwrites_bottom
    if (insn.mod <= 12) {
        set_use(top.use);
        next_flags_ = insn.mod == 0 ? top.flags : by_lane([&](unsigned lane) {
            return boolean(insn.mod, flags_[lane], top.flags[lane]);
        });
    } else if (insn.mod == 13) {
        next_flags_ = by_lane([&](unsigned lane) { return pool_.negate(flags_[lane]); });
    } else {
        set_use(all_of(pool_.truth(true)));
        next_flags_ = all_of(pool_.truth(insn.mod == 14));
    }
}

void symbolic_unit::complement_flags() {
    symbolic_flag_stack::entry top{all_of(pool_.truth(true)), all_of(pool_.truth(true))};
    if (!stack_.empty()) top = stack_.top();
    next_flags_ = by_lane([&](unsigned lane) {
        const term counts = pool_.both_hold(top.use[lane], use_[lane]);
        return pool_.both_hold(counts, pool_.both_hold(top.flags[lane], pool_.negate(flags_[lane])));
    });
}

/// SFPGT and SFPLE.
void symbolic_unit::compare(const instruction& insn) {
    const lane_terms holds = by_lane([&](unsigned lane) {
        const term before = pool_.less(lreg_[insn.vc][lane], lreg_[insn.vb][lane]);
        return insn.is(opcode::sfpgt) ? before : pool_.negate(before);
    });
    if (insn.mod & 8)
        write_result(insn.vd, by_lane([&](unsigned lane) {
                         return pool_.choose(holds[lane], pool_.constant(0xffffffffu), pool_.constant(0));
                     }));
    if ((insn.mod & 2) && !stack_.empty()) {
        symbolic_flag_stack::entry top = stack_.top();
        top.flags = by_lane([&](unsigned lane) {
            return (insn.mod & 4) ? pool_.either_holds(top.flags[lane], holds[lane])
                                  : pool_.both_hold(top.flags[lane], holds[lane]);
        });
        stack_.replace_top(top);
    }
    if (insn.mod & 1) set_flags(enabled_, holds);
}

bool symbolic_unit::execute_flags(const instruction& insn) {
    switch (insn.op->opcode) {
    case opcode::sfpsetcc: set_condition(insn); return true;
    case opcode::sfpencc: enable_conditions(insn); return true;
    case opcode::sfppushc: push_flags(insn); return true;
    case opcode::sfppopc: pop_flags(insn); return true;
    case opcode::sfpcompc: complement_flags(); return true;
    case opcode::sfpgt:
    case opcode::sfple: compare(insn); return true;
    case opcode::sfpconfig: configure(insn); return true;
    default: return false;
    }
}

// --- configuration -----------------------------------------------------------------------------------------

/// Macros, templates and LaneConfig decide what executes: what is written there must not depend on data.
void symbolic_unit::configure(const instruction& insn) {
    const unsigned destination = insn.vd;
    const bool by_immediate = insn.mod & 1;
    // Each lane takes what stands in its column of the first row.
    expect_lanes_apart(!(insn.mod & 8) && pool_.at(enabled_[0]).kind == term_kind::truth &&
                       (by_immediate || pool_.is_constant(lreg_[0][0])));
    lane_terms where = enabled_;
    if (insn.mod & 8)
        for (unsigned column = 0; column < column_count; ++column)
            if (!(insn.imm >> (2 * column) & 1)) where[column] = pool_.truth(false);
    if (destination >= 11 && destination <= 14) {
        const std::uint32_t defaults[4] = {isa::lreg11_default, machine_.lreg12_default, isa::lreg13_default,
                                           isa::lreg14_default};
        const auto value = [&](unsigned lane) {
            return by_immediate ? pool_.constant(defaults[destination - 11]) : lreg_[0][lane % column_count];
        };
        constants_.push_back({destination, by_lane(value),
                              by_lane([&](unsigned lane) { return where[lane % column_count]; })});
        return;
    }
    if (destination > 8 && destination != 15) return;
    for (unsigned column = 0; column < column_count; ++column) {
        if (pool_.at(where[column]).kind != term_kind::truth)
            return give_up("SFPCONFIG runs under lane flags that depend on data");
        const bool takes_l0 = destination < 4 || !by_immediate;
        if (pool_.at(where[column]).bits && takes_l0 && !pool_.is_constant(lreg_[0][column]))
            return give_up("SFPCONFIG takes a value that depends on data");
    }
    if (destination == 15) configure_lanes(insn);
}

void symbolic_unit::configure_lanes(const instruction& insn) {
    std::array<std::uint32_t, column_count> columns = configuration_;
    for (unsigned column = 0; column < column_count; ++column) {
        const bool is_chosen = !(insn.mod & 8) || (insn.imm >> (2 * column) & 1);
        if (!is_chosen || !pool_.at(enabled_[column]).bits) continue;
        const bool by_immediate = insn.mod & 1;
        const std::uint32_t value =
            (by_immediate ? static_cast<std::uint32_t>(insn.imm) : pool_.at(lreg_[0][column]).bits) &
            isa::lane_configuration::value_mask;
        const std::uint32_t old = columns[column];
        std::uint32_t next = value;
        if ((insn.mod & 6) == 2) next = old | value;
        else if ((insn.mod & 6) == 4) next = old & value;
        else if ((insn.mod & 6) == 6) next = old ^ value;
        if (by_immediate) next |= old & ~0xffffu;
        columns[column] = next & isa::lane_configuration::value_mask;
    }
    take_configuration(columns);
}

} // namespace sfpu::analysis
