#include "value_numbers.h"

#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::kernel_recorder {
namespace {

/// First elements of keys that are no instruction's; opcodes stand in the highest byte.
enum key_kind : std::uint32_t {
    initial = 1,
    constant_bits,
    half_of,
    merged,
    either,
    result_of,
    step_of,
    store_step,
    random_step,
    flags_step,
    product_with,
    sum_with
};

/// The bits that SFPLOADI gives a register in the modes that say all 32 of them.
std::optional<std::uint32_t> loaded_bits(const isa::instruction& insn) {
    const std::uint32_t imm = insn.word & 0xffffu, exponent = imm >> 10 & 31;
    switch (insn.mod) {
    case 0: return imm << 16; // BF16
    case 1:                   // FP16
        if (exponent == 0) return std::nullopt;
        return (imm & 0x8000u) << 16 | (exponent + 112) << 23 | (imm & 0x3ffu) << 13;
    case 2: return imm; // unsigned
    case 4: return imm | (imm >> 15) * 0xffff0000u;
    default: return std::nullopt;
    }
}
constexpr unsigned upper_half_mode = 8, lower_half_mode = 10;

/// The word without the registers that its operands name.
std::uint32_t without_registers(const isa::instruction& insn) {
    std::uint32_t word = insn.word;
    for (const isa::operand& each : insn.op->operands)
        if (each.name && each.kind == isa::operand_kind::lreg)
            word &= ~(((std::uint32_t{1} << each.width) - 1) << each.shift);
    return word;
}

unsigned field(std::uint32_t word, const isa::operand& of) {
    return word >> of.shift & ((1u << of.width) - 1);
}

/// The operand that names VD: the last register of all layouts but those of loads and stores, which have one.
const isa::operand* destination_operand(const isa::instruction& insn) {
    const isa::operand* found = nullptr;
    for (const isa::operand& each : insn.op->operands)
        if (each.name && each.kind == isa::operand_kind::lreg && field(insn.word, each) == insn.vd)
            found = &each;
    return found;
}

} // namespace

value_number value_table::number_of(const std::vector<std::uint32_t>& key) {
    return numbers_.emplace(key, static_cast<value_number>(numbers_.size())).first->second;
}

value_number value_table::constant(std::uint32_t bits) {
    const value_number number = number_of({constant_bits, bits});
    bits_.emplace(number, bits);
    return number;
}

std::optional<std::uint32_t> value_table::bits_of(value_number number) const {
    const auto found = bits_.find(number);
    return found == bits_.end() ? std::nullopt : std::optional(found->second);
}

value_number value_table::with_half(value_number before, bool upper, std::uint32_t bits) {
    const auto half_in = [&](const auto& known, unsigned shift) -> std::optional<std::uint32_t> {
        if (const auto all = bits_of(before)) return *all >> shift & 0xffffu;
        const auto found = known.find(before);
        return found == known.end() ? std::nullopt : std::optional(found->second);
    };
    if (const auto other = upper ? half_in(lower_half_, 0) : half_in(upper_half_, 16))
        return constant(upper ? bits << 16 | *other : *other << 16 | bits);
    const value_number made = number_of({half_of, upper ? 1u : 0u, bits, before});
    (upper ? upper_half_ : lower_half_).emplace(made, bits);
    return made;
}

value_number value_table::merge_of(value_number lanes, value_number made, value_number old) {
    for (auto below = merges_.find(old); below != merges_.end(); below = merges_.find(old)) {
        if (!is_within(below->second.lanes, lanes)) break; // else nothing is left of what was merged there
        old = below->second.old;
    }
    // One value in some lanes and another in all the rest: of what was there before nothing is left.
    const auto others = rests_.find(lanes);
    const auto below = merges_.find(old);
    if (others != rests_.end() && below != merges_.end() && below->second.lanes == others->second.without) {
        const auto [then_lanes, then_made, then_old] = below->second;
        const value_number both = number_of({either, then_lanes, then_made, lanes, made});
        return merge_of(others->second.of, both, then_old);
    }
    const value_number number = number_of({merged, lanes, made, old});
    merges_.emplace(number, merge{lanes, made, old});
    return number;
}

value_number value_table::seen_in(value_number lanes, value_number number) const {
    const auto found = merges_.find(number);
    return found != merges_.end() && is_within(lanes, found->second.lanes) ? found->second.made : number;
}

bool value_table::is_within(value_number narrow, value_number wide) const {
    constexpr unsigned most_steps = 64; // deeper nesting is not followed
    for (unsigned i = 0; i < most_steps; ++i) {
        if (narrow == wide) return true;
        const auto found = wider_.find(narrow);
        if (found == wider_.end()) return false;
        narrow = found->second;
    }
    return false;
}

numbered_state::numbered_state(value_table& table, architecture arch) : table_(&table), arch_(arch) {
    std::uint32_t count = 0;
    const auto fresh = [&] { return table.number_of({initial, count++}); };
    any_lanes_ = fresh();
    flags_ = fresh();
    random_ = fresh();
    counters_ = fresh();
    dst_ = fresh();
    table.set_within(flags_, any_lanes_);
    for (parts& each : registers_) each = {{any_lanes_, fresh()}};
}

value_number numbered_state::operand(unsigned lreg, bool all_lanes) const {
    const parts& of = registers_[lreg];
    if (all_lanes) return of.front().held;
    for (auto each = of.rbegin(); each != of.rend(); ++each)
        if (table_->is_within(flags_, each->lanes)) return table_->seen_in(flags_, each->held);
    return of.front().held;
}

value_number numbered_state::held(unsigned lreg) const { return operand(lreg, false); }

std::vector<value_number> numbered_state::all_but_registers() const {
    std::vector<value_number> result{flags_, random_, counters_, dst_};
    for (unsigned i = isa::general_lregs; i < isa::lreg_count; ++i)
        result.push_back(registers_[i].front().held);
    result.insert(result.end(), stack_.begin(), stack_.end());
    return result;
}

void numbered_state::write(unsigned lreg, value_number made) {
    parts& to = registers_[lreg];
    to.erase(std::remove_if(to.begin(), to.end(),
                            [&](const part& each) {
                                return each.lanes == flags_ || !table_->is_within(flags_, each.lanes);
                            }),
             to.end());
    for (part& each : to) each.held = table_->seen_in(each.lanes, table_->merge_of(flags_, made, each.held));
    to.push_back({flags_, made});
}

/// Whether the mode reads what the operand names: with a register there that no other operand names it is
/// among those read.
bool numbered_state::reads_operand(const isa::instruction& insn, const isa::operand& which) const {
    const unsigned given = field(insn.word, which);
    if (!isa::contains(insn.use.reads, given)) return false;
    for (unsigned candidate = 0; candidate < isa::general_lregs; ++candidate) {
        if (isa::contains(insn.use.reads, candidate)) continue;
        const std::uint32_t mask = ((1u << which.width) - 1) << which.shift;
        const isa::instruction other = isa::decode((insn.word & ~mask) | candidate << which.shift, arch_);
        return isa::contains(other.use.reads, candidate);
    }
    return true;
}

/// Of a product or a sum with a finite number: SFPMULI is SFPMUL of a constant, SFPADDI is SFPADD, and which
/// operand is the number makes no difference.
std::optional<std::vector<std::uint32_t>>
numbered_state::key_with_number(const isa::instruction& insn) const {
    const bool immediate = insn.is(isa::opcode::sfpmuli) || insn.is(isa::opcode::sfpaddi);
    const bool multiplies = insn.is(isa::opcode::sfpmuli) || insn.is(isa::opcode::sfpmul);
    constexpr unsigned zero_lreg = 9, one_lreg = 10;
    if (insn.mod != 0) return std::nullopt;
    value_number a, b;
    if (immediate) {
        a = table_->constant((insn.word >> 8 & 0xffffu) << 16);
        b = operand(insn.vd, false);
    } else if (insn.is(isa::opcode::sfpmul) && insn.vc == zero_lreg) {
        a = operand(insn.va, false);
        b = operand(insn.vb, false);
    } else if (insn.is(isa::opcode::sfpadd) && insn.va == one_lreg) {
        a = operand(insn.vb, false);
        b = operand(insn.vc, false);
    } else {
        return std::nullopt;
    }
    const auto is_finite = [&](value_number number) {
        constexpr std::uint32_t exponent = 0x7f800000u;
        const auto bits = table_->bits_of(number);
        return bits && (*bits & exponent) != exponent;
    };
    if (!is_finite(a) && !is_finite(b)) return std::nullopt;
    return std::vector<std::uint32_t>{multiplies ? product_with : sum_with, std::min(a, b), std::max(a, b)};
}

/// The instruction without its registers, what its operands hold, what else it reads.
std::vector<std::uint32_t> numbered_state::key_of(const isa::instruction& insn, bool all_lanes) const {
    if (auto with_number = key_with_number(insn)) return *with_number;
    const isa::word_effects effects = isa::effects_of(insn, arch_);
    std::vector<std::uint32_t> key{without_registers(insn)};
    isa::register_set others = effects.reads; // those that no operand names
    for (const isa::operand& each : insn.op->operands) {
        if (!each.name || each.kind != isa::operand_kind::lreg) continue;
        const unsigned lreg = field(insn.word, each);
        const bool is_read = reads_operand(insn, each);
        key.push_back(is_read ? operand(lreg, all_lanes) + 1 : 0);
        if (is_read) others &= ~isa::only(lreg);
    }
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (isa::contains(others, lreg)) {
            key.push_back(lreg);
            key.push_back(operand(lreg, all_lanes));
        }
    if (effects.uses_random) key.push_back(random_);
    return key;
}

value_number numbered_state::next(std::uint32_t kind, value_number before,
                                  const std::vector<std::uint32_t>& key) {
    std::vector<std::uint32_t> of{kind, before, flags_};
    of.insert(of.end(), key.begin(), key.end());
    return table_->number_of(of);
}

bool numbered_state::execute_stack(const isa::instruction& insn) {
    if (insn.mod != 0 || insn.imm != 0) return false;
    if (insn.is(isa::opcode::sfppushc)) {
        stack_.push_back(flags_);
        return true;
    }
    if (stack_.empty()) return false;
    if (insn.is(isa::opcode::sfppopc)) {
        flags_ = stack_.back();
        stack_.pop_back();
        return true;
    }
    const value_number made = table_->number_of({step_of, insn.word, flags_, stack_.back()});
    table_->set_rest(made, stack_.back(), flags_);
    flags_ = made;
    return true;
}

/// SFPLOADI; false in a mode that gives bits which are not known here.
bool numbered_state::load_constant(const isa::instruction& insn) {
    const bool upper = insn.mod == upper_half_mode;
    if (upper || insn.mod == lower_half_mode) {
        write(insn.vd, table_->with_half(operand(insn.vd, false), upper, insn.word & 0xffffu));
        return true;
    }
    const auto bits = loaded_bits(insn);
    if (bits) write(insn.vd, table_->constant(*bits));
    return bits.has_value();
}

bool numbered_state::execute(std::uint32_t word) {
    const isa::word_kind kind = isa::classify(word, arch_);
    if (kind == isa::word_kind::other_unit || kind == isa::word_kind::no_instruction) return false;
    const isa::instruction insn = isa::decode(word, arch_);
    if (insn.is(isa::opcode::sfpnop) || insn.is(isa::opcode::nop)) return true;
    if (kind == isa::word_kind::front_end) {
        counters_ = table_->number_of({step_of, word, counters_});
        return true;
    }
    const isa::word_effects effects = isa::effects_of(insn, arch_);
    const bool is_access = effects.loads_dst || effects.stores_dst;
    const bool any_register = !insn.is(isa::opcode::sfptransp) && // INDIRECT_VD
                              (insn.use.writes & isa::general_registers) == isa::general_registers;
    if (insn.is(isa::opcode::sfploadmacro) || effects.writes_config || effects.reads_config ||
        insn.names_template() || any_register || (is_access && insn.mod == isa::dst_mode::int32_all))
        return false;
    if (isa::reports_stack(insn)) return execute_stack(insn);
    if (effects.uses_stack) return false;
    if (insn.is(isa::opcode::sfploadi) && load_constant(insn)) return true;
    constexpr unsigned plain_move = 0, move_in_all_lanes = 2;
    if (insn.is(isa::opcode::sfpmov) && insn.mod == plain_move) {
        write(insn.vd, operand(insn.vc, false));
        return true;
    }
    if (insn.is(isa::opcode::sfpmov) && insn.mod == move_in_all_lanes) {
        registers_[insn.vd] = registers_[insn.vc];
        return true;
    }
    execute_operation(insn, effects);
    return true;
}

void numbered_state::execute_operation(const isa::instruction& insn, const isa::word_effects& effects) {
    std::vector<std::uint32_t> key = key_of(insn, effects.crosses_lanes);
    if (effects.crosses_lanes) key.push_back(flags_);
    if (effects.uses_counters) key.push_back(counters_);
    if (effects.loads_dst) key.push_back(dst_);
    const isa::operand* const destination = destination_operand(insn);
    std::vector<std::pair<unsigned, value_number>> results;
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (isa::contains(insn.use.writes, lreg)) {
            const std::uint32_t which = destination && lreg == insn.vd ? 0 : lreg == insn.vc ? 1 : 2 + lreg;
            std::vector<std::uint32_t> result{result_of, which};
            result.insert(result.end(), key.begin(), key.end());
            results.emplace_back(lreg, table_->number_of(result));
        }
    for (const auto& [lreg, number] : results) write(lreg, number);
    if (effects.stores_dst) dst_ = next(store_step, dst_, key);
    if (effects.uses_random) random_ = table_->number_of({random_step, random_, flags_});
    if (effects.uses_counters) counters_ = table_->number_of({step_of, without_registers(insn), counters_});
    if (effects.writes_flags) {
        const value_number made = next(flags_step, flags_, key);
        table_->set_within(made, insn.is(isa::opcode::sfpencc) ? any_lanes_ : flags_);
        flags_ = made;
    }
}

} // namespace sfpu::kernel_recorder
