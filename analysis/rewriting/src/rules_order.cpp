// Rules on SFPGT and SFPLE, which compare in the order of sign and magnitude, as SFPSWAP does: every number,
// NaN and denormal with every other one.
#include "register_fields.h"
#include "rule_parts.h"

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

constexpr unsigned set_flags = 1, set_vd = 8; // modifiers of SFPGT and SFPLE

/// "a is behind b", or that it is not.
struct ordered {
    value a = no_value, b = no_value;
    bool holds = true;
};

std::optional<ordered> ordered_in(const row& of, condition on) {
    condition_node node = of.node_of(on);
    ordered found;
    if (node.what == condition_node::kind::negation) {
        found.holds = false;
        node = of.node_of(node.a);
    }
    if (node.what != condition_node::kind::greater) return std::nullopt;
    found.a = node.a;
    found.b = node.b;
    return found;
}

/// Whether a step moves this value to its result.
bool moves(const row& of, const step& s, value v) {
    if (s.is(opcode::sfpmov) && s.insn.mod == 0 && s.reads[vc] == v) return true;
    const auto moved = moved_constant(of, s);
    return moved && moved == of.constant_of(v);
}

/// The row in which what `make` writes stands for a predicated write.
template <class Make>
void replace_chosen(std::vector<site>& found, const row& of, const predicated_write& write, const ordered& by,
                    Make make) {
    const auto place = open_place(of, write.at, {by.a, by.b});
    if (!place) return;
    row changed = of;
    const unsigned line = of.steps[write.at].line;
    step_writer writer(changed, *place, line);
    const value made = make(writer);
    changed.erase(write.at + changed.steps.size() - of.steps.size());
    changed.replace_readers(write.result, made);
    add_site(found, std::move(changed), line);
}

/// if (a > b) a = b, and its kind.
std::vector<site> exchange_by_order(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto write = predicated_write_at(of, at);
        const auto by = write ? ordered_in(of, write->on) : std::nullopt;
        if (!by) continue;
        const bool replaces_a = write->old == by->a, replaces_b = write->old == by->b;
        if (replaces_a == replaces_b || is_constant_register(write->old)) continue;
        const value other = replaces_a ? by->b : by->a;
        if (!moves(of, of.steps[at], other)) continue;
        // a > b: a becomes the lesser one, b the greater one; a <= b: the other way round.
        const bool greater = replaces_b == by->holds;
        replace_chosen(found, of, *write, *by,
                       [&](step_writer& writer) { return writer.exchanged(write->old, other, greater); });
    }
    return found;
}

/// One of two constants, one of which is +0, by a mask of ones.
std::vector<site> choose_by_order(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const auto write = predicated_write_at(of, at);
        const auto by = write ? ordered_in(of, write->on) : std::nullopt;
        if (!by) continue;
        auto yes = moved_constant(of, of.steps[at]), no = of.constant_of(write->old);
        if (!yes || !no || *yes == *no || (*yes != 0 && *no != 0)) continue;
        const bool asks_greater = by->holds == (*no == 0);
        const std::uint32_t kept = *no == 0 ? *yes : *no;
        replace_chosen(found, of, *write, *by, [&](step_writer& writer) {
            const value mask =
                writer.of_vd_vc(asks_greater ? opcode::sfpgt : opcode::sfple, by->a, by->b, set_vd);
            return kept == 0xffffffffu ? mask : writer.of_vd_vc(opcode::sfpand, mask, writer.constant(kept));
        });
    }
    return found;
}

// --- comparisons by subtraction ----------------------------------------------------------------------------

bool is_test(const row& of, std::size_t at, unsigned asked, value tested) {
    if (at >= of.steps.size()) return false;
    const step& s = of.steps[at];
    return s.is(opcode::sfpsetcc) && (s.insn.mod & 9) == 0 && (s.insn.mod & 6) == asked &&
           s.reads[vc] == tested && of.lanes_before(at).use == always;
}

/// The next lesser one in the order of sign and magnitude, of a number that is no zero.
std::uint32_t number_before(std::uint32_t bits) { return bits & fp32_sign ? bits + 1 : bits - 1; }

/// SFPSETCC of x - k: SFPGT or SFPLE of x and k. `difference` is not needed any more then.
void compare_at(std::vector<site>& found, const row& of, std::size_t at, value difference) {
    constexpr unsigned negative = 0, not_negative = 4, not_zero = 2;
    const bool asks_less = is_test(of, at, negative, difference);
    if (!asks_less && !is_test(of, at, not_negative, difference)) return;
    const bool asks_greater = !asks_less && is_test(of, at + 1, not_zero, difference);
    if (of.readers_of(difference).size() != (asks_greater ? 2 : 1)) return;
    const auto by = comparison_by_difference(of, {difference, 0, order::less, difference});
    std::string assumed;
    if (!by || !difference_tells_order(by->with) || !is_no_negative_nan(of, by->of, assumed)) return;
    const auto place = open_place(of, at, {});
    if (!place) return;
    row changed = of;
    const unsigned line = of.steps[at].line;
    step_writer writer(changed, *place, line);
    // A constant stands in VC, as in VD most of them are none: x < k is x <= the number before k.
    const value k = writer.constant(asks_greater ? by->with : number_before(by->with));
    const std::size_t test = at + changed.steps.size() - of.steps.size();
    changed.steps[test] = changed.make_step(word_of(asks_less ? opcode::sfple : opcode::sfpgt, set_flags),
                                            {no_value, no_value, k, by->of}, no_value, line);
    if (asks_greater) changed.erase(test + 1);
    add_site(found, std::move(changed), line, assumed);
}

std::vector<site> compare_by_order(const row& of) {
    std::vector<site> found;
    if (of.arch() != architecture::blackhole) return found;
    for (std::size_t at = 0; at < of.steps.size(); ++at)
        if (of.steps[at].is(opcode::sfpsetcc)) compare_at(found, of, at, of.steps[at].reads[vc]);
    return found;
}

} // namespace

const std::vector<rule> order_rules = {
    {"minimum-by-order", "if (a > b) a = b by SFPGT or SFPLE and its kind is SFPSWAP",
     "always, NaNs, denormals and zeros too: both compare as sign and magnitude", exchange_by_order},
    {"constant-by-order", "one of two constants by SFPGT or SFPLE is their SET_VD and SFPAND",
     "the other constant is +0", choose_by_order},
    {"comparison-by-order", "SFPSETCC of x - k is SFPGT or SFPLE of x and k or the number before it",
     "Blackhole; k is normal and at least 2^-102, x is no negative NaN; nobody else reads the difference",
     compare_by_order},
};

} // namespace sfpu::rewriting
