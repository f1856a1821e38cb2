// Rules on formats and signs: what loads, stores and multiply-adds do beside their work, and moves that
// change nothing.
#include "rule_parts.h"

#include <algorithm>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;
namespace dst_mode = isa::dst_mode;

constexpr unsigned mode_field = 16;

/// The step with another Mod0.
step with_mode(const row& of, step s, unsigned mode) {
    s.insn = isa::decode((s.insn.word & ~(15u << mode_field)) | mode << mode_field, of.words());
    return s;
}

const step* defined_in_all_lanes(const row& of, value v) {
    const int at = of.definition_of(v);
    if (at < 0 || !of.all_on_before(static_cast<std::size_t>(at))) return nullptr;
    return &of.steps[static_cast<std::size_t>(at)];
}

/// A bitwise and with a constant: its other operand.
std::optional<value> masked_by(const row& of, const step& s, std::uint32_t mask) {
    if (!s.is(opcode::sfpand) || s.insn.mod != 0 || s.reads[vd] == no_value) return std::nullopt;
    if (of.constant_of(s.reads[vc]) == mask) return s.reads[vd];
    if (of.constant_of(s.reads[vd]) == mask) return s.reads[vc];
    return std::nullopt;
}
std::optional<value> shifted_by(const row& of, const step& s, int by) {
    if (s.is(opcode::sfpshft) && (s.insn.mod & 3) == 1 && s.insn.imm == by)
        return (s.insn.mod & 4) && describe(of.arch()).has_shift_of_vc ? s.reads[vc] : s.reads[vd];
    if (s.is(opcode::sfpshft2) && s.insn.mod == 5 &&
        of.constant_of(s.reads[vc]) == static_cast<std::uint32_t>(by))
        return s.reads[vb];
    return std::nullopt;
}

/// SFPSTORE takes its value from VD.
std::vector<site> store_format(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& store = of.steps[at];
        if (!store.is(opcode::sfpstore)) continue;
        const step* const made = defined_in_all_lanes(of, store.reads[vd]);
        if (!made) continue;
        std::optional<value> stored;
        unsigned mode = store.insn.mod;
        if (mode == dst_mode::bf16) stored = masked_by(of, *made, 0xffff0000u);
        if (mode == dst_mode::uint16) {
            stored = masked_by(of, *made, 0xffffu);
            if (!stored) {
                stored = shifted_by(of, *made, -16);
                if (stored) mode = dst_mode::hi16_only;
            }
        }
        if (!stored) continue;
        row changed = of;
        changed.steps[at] = with_mode(of, store, mode);
        changed.steps[at].reads[vd] = *stored;
        add_site(found, std::move(changed), store.line);
    }
    return found;
}

std::vector<site> load_format(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& s = of.steps[at];
        if (!of.all_on_before(at) || s.writes[vd] == no_value) continue;
        const auto source = shifted_by(of, s, 16);
        if (!source || !of.has_one_reader(*source)) continue;
        const step* const load = defined_in_all_lanes(of, *source);
        if (!load || !load->is(opcode::sfpload) || load->insn.mod != dst_mode::uint16) continue;
        row changed = of;
        const auto place = static_cast<std::size_t>(of.definition_of(*source));
        changed.steps[place] = with_mode(of, *load, dst_mode::hi16);
        changed.replace_readers(s.writes[vd], *source);
        changed.erase(at);
        add_site(found, std::move(changed), s.line);
    }
    return found;
}

// --- signs -------------------------------------------------------------------------------------------------

/// The value of which this one is the negative, by SFPMOV.
std::optional<value> negated_of(const row& of, value v) {
    const step* const s = defined_in_all_lanes(of, v);
    if (!s || !s->is(opcode::sfpmov) || s->insn.mod != 1) return std::nullopt;
    return s->reads[vc];
}

/// A multiply-add of a negated value negates it itself: by its modifier, or by the other factor's sign where
/// that is a constant.
std::vector<site> negate_in_place(const row& of) {
    std::vector<site> found;
    const bool has_modifier = describe(of.arch()).has_mad_negation;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& s = of.steps[at];
        if (!is_multiply_add(s) || (s.insn.mod & ~3u) || !s.fixed_reads.empty()) continue;
        for (const unsigned f : {va, vb, vc}) {
            const auto source = s.reads[f] == no_value ? std::nullopt : negated_of(of, s.reads[f]);
            if (!source) continue;
            row changed = of;
            step& now = changed.steps[at];
            now.reads[f] = *source;
            const unsigned other = f == va ? vb : va;
            const auto factor = f == vc ? std::nullopt : of.constant_of(s.reads[other]);
            const value turned = factor ? of.register_with(*factor ^ fp32_sign) : no_value;
            if (has_modifier)
                now.insn = isa::decode(s.insn.word ^ (f == vc ? negate_vc_bit : negate_va_bit), of.words());
            else if (turned != no_value && s.is(opcode::sfpmad)) now.reads[other] = turned;
            else continue;
            add_site(found, std::move(changed), s.line);
        }
    }
    return found;
}

// --- moves that are none -----------------------------------------------------------------------------------

/// 1 x + 0, x + 0 and x 1: x, where it is normal, infinite or +0.
std::vector<site> drop_identity(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto parts = parts_of_multiply_add(of, static_cast<int>(at));
        if (!parts || parts->negates_a || parts->negates_c) continue;
        const auto constant = [&](value v) { return of.constant_of(v); };
        value x = no_value;
        if (constant(parts->c) == 0u && constant(parts->a) == fp32_one) x = parts->b;
        else if (constant(parts->c) == 0u && constant(parts->b) == fp32_one) x = parts->a;
        else if (constant(parts->a) == 0u && constant(parts->b)) x = parts->c;
        else if (constant(parts->b) == 0u && constant(parts->a)) x = parts->c;
        if (x == no_value) continue;
        const auto is_finite = [&](value v) {
            const auto bits = constant(v);
            return !bits || (*bits & fp32_infinity) != fp32_infinity;
        };
        const value_facts known = of.facts_of(x);
        if (!known.is_normal_or_plus_zero() ||
            (x == parts->c && !(is_finite(parts->a) && is_finite(parts->b))))
            continue;
        row changed = of;
        changed.replace_readers(of.steps[at].writes[vd], x);
        changed.erase(at);
        add_site(found, std::move(changed), of.steps[at].line, known.assumed);
    }
    return found;
}

// --- powers of two -----------------------------------------------------------------------------------------

/// x times a power of two, where neither x nor the product is zero, denormal, infinite or a NaN.
std::vector<site> scale_exponent(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& s = of.steps[at];
        if (!of.all_on_before(at)) continue;
        value x = no_value;
        std::optional<std::uint32_t> factor;
        if (s.is(opcode::sfpmuli) && s.insn.mod == 0) {
            x = s.reads[vd];
            factor = static_cast<std::uint32_t>(s.insn.imm) << 16;
        } else if (const auto parts = parts_of_multiply_add(of, static_cast<int>(at));
                   parts && !parts->negates_a && !parts->negates_c && of.constant_of(parts->c) == 0u) {
            const auto a = of.constant_of(parts->a), b = of.constant_of(parts->b);
            if (a.has_value() == b.has_value()) continue;
            x = a ? parts->b : parts->a;
            factor = a ? a : b;
        }
        if (!factor || (*factor & 0x807fffffu) != 0) continue;
        const int by = static_cast<int>(*factor >> 23) - 127;
        const value_facts known = of.facts_of(x);
        const int least = static_cast<int>(known.least_exponent),
                  greatest = static_cast<int>(known.greatest_exponent);
        if (by < -126 || by == 0 || least < 1 || greatest > 254 || least + by < 1 || greatest + by > 254)
            continue;
        row changed = of;
        changed.erase(at);
        step_writer writer(changed, at, s.line);
        const value scaled = writer.of_vc(opcode::sfpdivp2, x, 1, by & 0xff);
        changed.replace_readers(s.writes[vd], scaled);
        add_site(found, std::move(changed), s.line);
    }
    return found;
}

} // namespace

const std::vector<rule> format_rules = {
    {"store-format", "a mask or shift of 16 bits before a store is the store's format",
     "AND 0xffff0000 and BF16, AND 0xffff and UINT16, SHFT -16 and UINT16", store_format},
    {"load-format", "a UINT16 load shifted up by 16 is a HI16 load", "nobody else reads what was loaded",
     load_format},
    {"negation-by-modifier", "a negated operand of SFPMAD is negated by it",
     "Blackhole; on Wormhole the other factor is a constant whose negative is in a register",
     negate_in_place},
    {"identity", "1 x + 0 and 0 + x are x", "x is no NaN, no denormal and not -0", drop_identity},
    {"power-of-two", "x times a power of two is SFPDIVP2",
     "neither x nor the product is zero, denormal, infinite or a NaN", scale_exponent},
};

} // namespace sfpu::rewriting
