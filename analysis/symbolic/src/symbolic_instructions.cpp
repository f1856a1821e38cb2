// Instructions on terms: what each reads, computes and writes. What words become is in word_functions.cpp,
// lane flags in symbolic_flags.cpp.
#include "symbolic_unit.h"

#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <fmt/format.h>

namespace sfpu::analysis {

namespace opcode = isa::opcode;

/// Whether the word goes to a template: then it is not executed.
bool symbolic_unit::writes_template(const instruction& insn) {
    return insn.names_template() &&
           !(configuration_[0] >> isa::lane_configuration::disable_backdoor_load & 1u);
}

/// The order of two instructions on one sub-unit, or of two that use random numbers, is not in the events.
void symbolic_unit::check_units(const instruction& insn) {
    const unsigned unit = 1u << static_cast<unsigned>(insn.unit);
    if (units_seen_ & unit) give_up("a sub-unit executes two instructions in one cycle");
    units_seen_ |= unit;
    if (!isa::effects_of(insn, pool_.arch()).uses_random) return;
    if (random_seen_) give_up("two instructions use random numbers in one cycle");
    random_seen_ = true;
}

void symbolic_unit::execute(const probe::execution_event& event, unsigned mode, const dst_slice& slice) {
    const instruction& insn = event.insn;
    if (event.unit == isa::sub_unit::front_end || event.discarded || !event.takes_effect || !unknown.empty())
        return;
    move_to(event.begin);
    check_units(insn);
    if (writes_template(insn)) return;
    event_ = &event;
    open_ = nullptr;
    if (insn.status == isa::definition::undefined)
        return give_up(fmt::format("a modifier of {} that is not defined", insn.op->mnemonic));
    enabled_ = enabled_lanes();
    knows_its_lane |= (insn.use.reads & uneven_) != 0;
    constexpr std::size_t most_terms = std::size_t{1} << 24;
    if (pool_.size() > most_terms) return give_up("its terms are too large");
    switch (insn.op->opcode) {
    case opcode::sfpload:
    case opcode::sfploadmacro: return load(insn, mode, slice);
    case opcode::sfpstore: return put(insn, mode, slice);
    case opcode::sfploadi: return load_immediate(insn);
    case opcode::sfpmad:
    case opcode::sfpadd:
    case opcode::sfpmul:
    case opcode::sfpaddi:
    case opcode::sfpmuli:
    case opcode::sfpmul24:
    case opcode::sfplut:
    case opcode::sfplutfp32: return execute_mad(insn);
    case opcode::sfpmov: return execute_move(insn);
    case opcode::sfpswap: return execute_exchange(insn);
    case opcode::sfptransp: return execute_transposition();
    default: break;
    }
    if (insn.is(opcode::sfpshft2) && insn.mod < 5) return execute_shuffle(insn);
    if (!execute_flags(insn)) execute_words(insn);
}

// --- words -------------------------------------------------------------------------------------------------

void symbolic_unit::execute_words(const instruction& insn) {
    bool is_known = true;
    const lane_terms words = by_lane([&](unsigned lane) {
        const term word =
            simple_word(pool_, insn, {no_term, lreg_[insn.vb][lane], lreg_[insn.vc][lane], random_[lane]});
        is_known = is_known && word != no_term;
        return word;
    });
    if (!is_known) return give_up(fmt::format("{} is not known on terms", insn.op->mnemonic));
    if (isa::effects_of(insn, pool_.arch()).uses_random) step_random(enabled_);
    write_result(insn.vd, words);
    write_word_flags(insn, words);
}

/// The random numbers before; the generators take a step where the condition holds.
lane_terms symbolic_unit::step_random(const lane_terms& where) {
    uses_random = true;
    const lane_terms before = random_;
    random_ = by_lane([&](unsigned lane) {
        return pool_.choose(where[lane], pool_.step_random(before[lane]), before[lane]);
    });
    return before;
}

void symbolic_unit::execute_mad(const instruction& insn) {
    constexpr unsigned negate_va = 1, negate_vc = 2, indirect_va = 4, indirect_vd = 8;
    const bool looks_up = insn.is(opcode::sfplut) || insn.is(opcode::sfplutfp32);
    const bool has_immediate = insn.is(opcode::sfpaddi) || insn.is(opcode::sfpmuli);
    const bool is_integer = insn.is(opcode::sfpmul24);
    const bool negates = describe(pool_.arch()).has_mad_negation && !is_integer;
    const auto turned = [&](term word, bool yes) {
        return yes ? pool_.xor_of(word, pool_.constant(0x80000000u)) : word;
    };
    const auto named_by_l7 = [&](unsigned lane, unsigned lreg) {
        const term number = pool_.keep(lreg_[7][lane], 15u);
        if (lreg & ~pool_.at(number).possible) return pool_.truth(false);
        return pool_.zero(pool_.subtract(number, pool_.constant(lreg)));
    };
    const auto multiplicand = [&](unsigned lane) {
        if (!(insn.mod & indirect_va)) return lreg_[insn.va][lane];
        term word = lreg_[15][lane];
        for (unsigned lreg = 15; lreg-- != 0;)
            word = pool_.choose(named_by_l7(lane, lreg), lreg_[lreg][lane], word);
        return word;
    };
    knows_its_lane |= (insn.mod & indirect_va) != 0; // L15 is one of those that it may read
    const lane_terms words = by_lane([&](unsigned lane) {
        if (looks_up) {
            term registers[7];
            for (unsigned lreg = 0; lreg < 7; ++lreg) registers[lreg] = lreg_[lreg][lane];
            return looked_up(pool_, insn, registers);
        }
        const term vc = turned(lreg_[insn.vc][lane], negates && (insn.mod & negate_vc));
        if (has_immediate) {
            const term imm = pool_.constant(static_cast<std::uint32_t>(insn.imm) << 16);
            if (insn.is(opcode::sfpmuli)) return multiplied_added(pool_, imm, vc, pool_.constant(0));
            return multiplied_added(pool_, imm, pool_.constant(0x3f800000u), vc);
        }
        const term vb = lreg_[insn.vb][lane];
        if (is_integer) return multiplied_24(pool_, multiplicand(lane), vb, vc, insn.mod & 1);
        const auto with = [&](term va) {
            return multiplied_added(pool_, turned(va, negates && (insn.mod & negate_va)), vb, vc);
        };
        // One of two: each with its own sum, of which the other kernel may have one.
        const bool is_one_of_two =
            (insn.mod & indirect_va) && pool_.at(pool_.keep(lreg_[7][lane], 15u)).possible <= 1;
        if (is_one_of_two)
            return pool_.choose(named_by_l7(lane, 1), with(lreg_[1][lane]), with(lreg_[0][lane]));
        return with(multiplicand(lane));
    });
    if (!(insn.mod & indirect_vd) || insn.vd == isa::macro_lreg) return write_result(insn.vd, words);
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        write_result(lreg, words, by_lane([&](unsigned lane) {
                         return pool_.both_hold(enabled_[lane], named_by_l7(lane, lreg));
                     }));
}

// --- moves -------------------------------------------------------------------------------------------------

void symbolic_unit::execute_move(const instruction& insn) {
    const unsigned mod = insn.mod & ~4u;
    const lane_terms where = mod == 2 ? all_of(pool_.truth(true)) : enabled_;
    if (!(mod & 8)) {
        const term flip = pool_.constant((mod & 1) ? 0x80000000u : 0u);
        return write_result(
            insn.vd, by_lane([&](unsigned lane) { return pool_.xor_of(lreg_[insn.vc][lane], flip); }), where);
    }
    if (insn.vc == 9) return write_result(insn.vd, step_random(where), where);
    if (insn.vc < 9) return give_up("SFPMOV reads templates, sequences or Misc");
    write_result(insn.vd, by_lane([&](unsigned lane) {
                     return pool_.constant(insn.vc == 15 ? configuration_[lane % column_count] : 0u);
                 }),
                 where);
}

void symbolic_unit::execute_exchange(const instruction& insn) {
    static constexpr lane_mask minimum_to_vd[16] = {0,           0xffffffffu, 0x0000ffffu,
                                                    0x00ff00ffu, 0xff0000ffu, 0x000000ffu,
                                                    0x0000ff00u, 0x00ff0000u, 0xff000000u};
    const unsigned d = insn.scheduled() ? insn.vb : insn.vd, c = insn.vc;
    if (c == d) return;
    if (event_->end <= event_->begin) return give_up("SFPSWAP takes one cycle");
    expect_lanes_apart(minimum_to_vd[insn.mod] == 0 || minimum_to_vd[insn.mod] == 0xffffffffu);
    exchanges_.push_back({event_->end, c, d, by_lane([&](unsigned lane) {
                              if (insn.mod == 0) return enabled_[lane];
                              const term less = pool_.less(lreg_[c][lane], lreg_[d][lane]);
                              const bool is_minimum = minimum_to_vd[insn.mod] >> lane & 1u;
                              return pool_.both_hold(enabled_[lane], is_minimum ? less : pool_.negate(less));
                          })});
}

void symbolic_unit::execute_transposition() {
    expect_lanes_apart(false);
    for (unsigned base = 0; base < isa::general_lregs; base += 4)
        for (unsigned lreg = 0; lreg < 4; ++lreg)
            write_result(
                base + lreg, by_lane([&](unsigned lane) {
                    return lreg_[base + lane / column_count][lreg * column_count + lane % column_count];
                }));
}

void symbolic_unit::execute_shuffle(const instruction& insn) {
    expect_lanes_apart(false);
    const term none = pool_.constant(0);
    const auto copy_down = [&](const lane_terms& last) {
        for (unsigned lreg = 0; lreg < 3; ++lreg) write_result(lreg, lreg_[lreg + 1]);
        write_result(3, last);
    };
    const auto rotated = [&](unsigned lane) { return lreg_[insn.vc][(lane & ~7u) | ((lane + 7u) & 7u)]; };
    switch (insn.mod) {
    case 0: return copy_down(all_of(none));
    case 1: return copy_down(by_lane([&](unsigned lane) { return lane < 24 ? lreg_[0][lane + 8] : none; }));
    case 2:
    case 3: {
        const lane_terms turned = by_lane(rotated);
        if (insn.vd < 12) shuffle_source_ = lreg_[insn.vc];
        if (insn.mod == 2) return copy_down(turned);
        return write_result(insn.vd, turned);
    }
    default: {
        const bool zero = describe(pool_.arch()).has_defined_shuffle_right;
        return write_result(insn.vd, by_lane([&](unsigned lane) {
                                if (lane % column_count != 0) return rotated(lane);
                                return zero ? none : shuffle_source_[lane + 7];
                            }));
    }
    }
}

} // namespace sfpu::analysis
