// What is known of values, and questions about steps.
#include "register_fields.h"

#include <sfpu/isa/word_effects.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;
namespace dst_mode = isa::dst_mode;

int row::definition_of(value v) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (std::find(steps[i].writes.begin(), steps[i].writes.end(), v) != steps[i].writes.end())
            return static_cast<int>(i);
        for (const auto& each : steps[i].fixed_writes)
            if (each.second == v) return static_cast<int>(i);
    }
    return -1;
}

std::vector<int> row::readers_of(value v) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].reads_value(v)) found.push_back(static_cast<int>(i));
    if (std::find(leaves.begin(), leaves.end(), v) != leaves.end())
        found.push_back(static_cast<int>(steps.size()));
    return found;
}

std::array<bool, field_count> row::operands_of(const step& s) const {
    return s.insn.unit == isa::sub_unit::front_end ? std::array<bool, field_count>{}
                                                   : meaning_of(s.insn, arch()).reads;
}

bool row::ignores_lanes(const step& s) const {
    const isa::instruction& insn = s.insn;
    return (insn.is(opcode::sfpmov) && insn.mod == 2) ||
           (insn.is(opcode::sfpload) && insn.mod == dst_mode::int32_all);
}

bool row::keeps_counter(const step& s) const { return still_ >> s.insn.addr_mod & 1; }

bool row::is_pure(const step& s) const {
    if (s.insn.unit == isa::sub_unit::front_end || changes_lanes(s)) return false;
    const isa::word_effects effects = isa::effects_of(s.insn, arch());
    if (effects.uses_random || effects.stores_dst || effects.writes_config || effects.writes_flags ||
        effects.uses_stack || effects.reads_config)
        return false;
    // A load that moves the counter does something else, too: see is_load_in_place().
    return !effects.loads_dst || s.insn.mod != dst_mode::int32_all;
}

void row::replace_readers(value old, value now, std::size_t from) {
    for (std::size_t i = from; i < steps.size(); ++i) {
        std::replace(steps[i].reads.begin(), steps[i].reads.end(), old, now);
        for (auto& each : steps[i].fixed_reads)
            if (each.second == old) each.second = now;
    }
    std::replace(leaves.begin(), leaves.end(), old, now);
}

step row::make_step(std::uint32_t word, const std::array<value, field_count>& reads, value result,
                    unsigned line) const {
    step s;
    s.insn = isa::decode(word, *words_);
    s.reads = reads;
    s.writes[vd] = result;
    s.line = line;
    return s;
}

value row::register_with(std::uint32_t bits) const {
    for (const int r : {9, 10, 11, 12, 13, 14, 8, 0, 1, 2, 3, 4, 5, 6, 7})
        if (constant_of(r) == bits) return r;
    return no_value;
}

value row::constant_value(std::uint32_t bits, std::size_t& at) {
    if (const value held = register_with(bits); held != no_value) return held;
    constexpr std::uint32_t loadi = 0x71000000u;
    const auto load = [&](unsigned mode, std::uint32_t half, value before) {
        step s = make_step(loadi | mode << 16 | (half & 0xffffu), {no_value, no_value, no_value, before},
                           new_value(), at < steps.size() ? steps[at].line : 0);
        insert(at++, s);
        return s.writes[vd];
    };
    if ((bits & 0xffffu) == 0) return load(0, bits >> 16, no_value);
    if (bits <= 0xffffu) return load(2, bits, no_value);
    if (bits >= 0xffff8000u) return load(4, bits, no_value);
    const value half = load(10, bits, no_value);
    // The first one leaves the upper half alone, which nobody has written: it is written next.
    steps[at - 1].insn = isa::decode(loadi | 2u << 16 | (bits & 0xffffu), *words_);
    return load(8, bits >> 16, half);
}

unsigned row::cost() const {
    const auto counts = [&](const step& s) {
        // A constant that all lanes get moves to a register for ever.
        const bool is_set_once = s.is(opcode::sfploadi) && constant_of(s.writes[vd]).has_value();
        return s.insn.unit != isa::sub_unit::front_end && !is_set_once;
    };
    return static_cast<unsigned>(std::count_if(steps.begin(), steps.end(), counts));
}

std::uint32_t row::without_registers(const step& s) const {
    const field_meaning fields =
        s.insn.unit == isa::sub_unit::front_end ? field_meaning{} : meaning_of(s.insn, arch());
    return word_with_registers(s.insn, fields, {0, 0, 0, 0});
}

std::string row::key() const {
    std::map<value, int> names;
    const auto name = [&](value v) {
        return v < first_result ? v : 100 + names.emplace(v, static_cast<int>(names.size())).first->second;
    };
    std::string made;
    for (const step& s : steps) {
        made += fmt::format("{:x}", without_registers(s));
        for (unsigned f = 0; f < field_count; ++f) made += fmt::format(",{}", name(s.reads[f]));
        for (const auto& each : s.fixed_reads) made += fmt::format(",{}:{}", each.first, name(each.second));
        made += '>';
        for (unsigned f = 0; f < field_count; ++f) made += fmt::format(",{}", name(s.writes[f]));
        for (const auto& each : s.fixed_writes) made += fmt::format(",{}:{}", each.first, name(each.second));
        made += ';';
    }
    for (const value v : leaves) made += fmt::format("/{}", name(v));
    return made;
}

// --- facts -------------------------------------------------------------------------------------------------

namespace {

value_facts of_constant(std::uint32_t bits) {
    value_facts known;
    known.constant = bits;
    known.possible = known.certain = bits;
    return known;
}

/// What the bits say of a value as FP32.
void add_float_facts(value_facts& known, const assumptions& assumed) {
    const std::uint32_t exponent_may = known.possible >> 23 & 255u, exponent_is = known.certain >> 23 & 255u;
    known.least_exponent = std::max(known.least_exponent, exponent_is);
    known.greatest_exponent = std::min(known.greatest_exponent, exponent_may);
    const bool has_fraction = known.possible & 0x7fffffu;
    if (known.greatest_exponent < 255 || !has_fraction) known.never_nan = true;
    if (known.least_exponent > 0 || !has_fraction) known.never_denormal = true;
    if (!(known.possible >> 31) || known.least_exponent > 0 || (known.certain & 0x7fffffffu))
        known.never_minus_zero = true;
    const auto assume = [&](bool& fact, bool given, const char* name) {
        if (fact || !given) return;
        fact = true;
        known.assumed += known.assumed.empty() ? name : std::string(", ") + name;
    };
    assume(known.never_nan, assumed.no_nan, "no-nan");
    assume(known.never_denormal, assumed.no_denormal, "no-denormal");
}

std::uint32_t possible_of_load(unsigned mode) {
    switch (mode) {
    case dst_mode::uint16:
    case dst_mode::lo16: return 0x0000ffffu;
    case dst_mode::hi16:
    case dst_mode::bf16: return 0xffff0000u;
    case dst_mode::fp16: return 0xffffe000u;
    case dst_mode::int8:
    case dst_mode::int8_comp: return 0x800003ffu;
    case dst_mode::int16: return 0x80007fffu;
    case dst_mode::zero: return 0;
    default: return 0xffffffffu;
    }
}

std::uint32_t shifted(std::uint32_t bits, int by) {
    return by >= 32 || by <= -32 ? 0u : by >= 0 ? bits << by : bits >> -by;
}

} // namespace

value_facts row::facts_of(value v) const {
    value_facts known;
    if (v >= 0 && v < first_result) {
        const bool changes = v < 8 && leaves[static_cast<std::size_t>(v)] != no_value;
        if (!changes && held_[static_cast<std::size_t>(v)])
            known = of_constant(*held_[static_cast<std::size_t>(v)]);
        add_float_facts(known, assumed_);
        return known;
    }
    const auto found = facts_.find(v);
    return found == facts_.end() ? known : found->second;
}

value_facts row::facts_of_result(const step& s) const {
    const isa::instruction& insn = s.insn;
    value_facts known;
    const value_facts c = s.reads[vc] == no_value ? value_facts{} : facts_of(s.reads[vc]);
    const value_facts d = s.reads[vd] == no_value ? value_facts{} : facts_of(s.reads[vd]);
    switch (insn.op->opcode) {
    case opcode::sfpload: known.possible = possible_of_load(insn.mod); break;
    case opcode::sfpand:
        if (s.reads[vd] != no_value && insn.op->implicit_vb) known.possible = c.possible & d.possible;
        break;
    case opcode::sfpshft:
        if ((insn.mod & 3) == 1) {
            const value_facts& of = (insn.mod & 4) && describe(arch()).has_shift_of_vc ? c : d;
            known.possible = shifted(of.possible, insn.imm);
            known.certain = shifted(of.certain, insn.imm);
        }
        break;
    case opcode::sfpshft2:
        if (insn.mod == 5 && c.constant) {
            const value_facts b = facts_of(s.reads[vb]);
            known.possible = shifted(b.possible, static_cast<int>(*c.constant));
            known.certain = shifted(b.certain, static_cast<int>(*c.constant));
        }
        break;
    case opcode::sfplz: known.possible = 0x3fu; break;
    case opcode::sfpexexp: known.possible = (insn.mod & 1) ? 0xffu : 0xffffffffu; break;
    case opcode::sfpabs:
        if (insn.mod & 1) known.possible = c.possible | 0x7fffffffu;
        break;
    case opcode::sfpmad:
    case opcode::sfpadd:
    case opcode::sfpmul:
    case opcode::sfpmuli:
    case opcode::sfpaddi: known.never_denormal = true; break;
    case opcode::sfparecip: known.never_denormal = insn.mod == 0; break;
    case opcode::sfpcast:
        if ((insn.mod & 3) != 0) break;
        known.never_nan = known.never_denormal = true;
        known.possible = 0x7fffffffu | (c.possible & 0x80000000u);
        break;
    case opcode::sfpsetexp:
        if (!(insn.mod & 1)) break;
        known.certain = (static_cast<std::uint32_t>(insn.imm) & 255u) << 23;
        known.possible = known.certain | (c.possible & 0x807fffffu);
        known.certain |= c.certain & 0x807fffffu;
        break;
    case opcode::sfpsetsgn:
        known.possible = c.possible | 0x80000000u;
        if (insn.mod & 1) {
            known.possible = insn.imm & 1 ? known.possible : known.possible & 0x7fffffffu;
            known.certain = c.certain & 0x7fffffffu;
        }
        known.never_nan = c.never_nan && c.assumed.empty();
        known.never_denormal = c.never_denormal && c.assumed.empty();
        break;
    default: break;
    }
    return known;
}

std::optional<std::uint32_t> row::constant_left_by(const step& s) const {
    if (s.writes[vd] == no_value || !is_pure(s) || s.is(opcode::sfpload) || s.is(opcode::sfpswap) ||
        !s.fixed_reads.empty())
        return std::nullopt;
    const field_meaning fields = meaning_of(s.insn, arch());
    std::array<std::uint32_t, field_count> held{};
    for (unsigned f = 0; f < field_count; ++f) {
        if (!fields.reads[f]) continue;
        const std::optional<std::uint32_t> bits = constant_of(s.reads[f]);
        if (!bits) return std::nullopt;
        held[f] = *bits;
    }
    isa::vector_state state;
    isa::instruction insn = s.insn;
    for (unsigned f = 0; f < field_count; ++f) {
        if (fields.place[f] >= 0) register_field(insn, f) = static_cast<std::uint8_t>(f);
        for (std::uint32_t& lane : state.lreg[f].v) lane = held[f];
    }
    if (insn.op->implicit_vb && fields.place[vb] < 0) insn.vb = insn.vd;
    if (insn.op->implicit_vc && fields.place[vc] < 0) insn.vc = insn.vd;
    state.use_flags = 0;
    isa::refresh(insn, arch());
    execute_step(state, insn, *words_);
    return state.lreg[vd].v[0];
}

void row::find_facts() {
    facts_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const step& s = steps[i];
        for (unsigned f = 0; f < field_count; ++f) {
            if (s.writes[f] == no_value) continue;
            value_facts known;
            if (f == vd && !s.is(opcode::sfpswap)) known = facts_of_result(s);
            if (f == vd)
                if (const std::optional<std::uint32_t> bits = constant_left_by(s)) known = of_constant(*bits);
            if (s.reads[f] != no_value && !operands_of(s)[f]) { // lanes that are off keep another value
                const value_facts kept = facts_of(s.reads[f]);
                if (known.constant != kept.constant) known.constant.reset();
                known.possible |= kept.possible;
                known.certain &= kept.certain;
                known.never_nan &= kept.never_nan;
                known.never_denormal &= kept.never_denormal;
                known.never_minus_zero &= kept.never_minus_zero;
            }
            add_float_facts(known, assumed_);
            facts_[s.writes[f]] = known;
        }
    }
}

} // namespace sfpu::rewriting
