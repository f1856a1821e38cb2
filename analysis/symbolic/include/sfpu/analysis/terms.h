// Terms: what a register, a lane flag or a cell of Dst holds, as a function of what was there at the start.
//
// Terms are hash-consed: in one pool, equal terms have one number. They are built in a normal form, so that
// many terms that mean the same are the same term; two different terms may still mean the same. A term is a
// word of 32 bits or a condition, which is true or false. The normal form knows the bits of words; what it
// does not look into (multiply-adds, tables, rounding) is an operator.
#pragma once

#include <sfpu/common/chip.h>
#include <sfpu/isa/instruction.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sfpu::analysis {

/// Number of a term in its pool.
using term = std::uint32_t;
constexpr term no_term = 0xffffffffu;

enum class term_kind : std::uint8_t {
    constant, ///< a word: `bits`
    variable, ///< a word: number `bits`
    routed,   ///< a word: bits of argument 0, moved up by `moved` places, those of the mask `bits`
    either,   ///< a word: the or of the arguments and of `bits`
    both,     ///< a word: the and of the arguments
    differs,  ///< a word: the exclusive or of the arguments and of `bits`
    sum,      ///< a word: the sum of the arguments and of `bits`
    scaled,   ///< a word: argument 0 times `bits`
    shifted,  ///< a word: argument 0, shifted as SFPSHFT does by argument 1: up if that is not negative
    shifted_arithmetically, ///< the same, copies of the sign coming in from above
    random_step,            ///< a word: the random number generator behind argument 0
    chosen,                 ///< a word: argument 1 if condition 0 holds, else argument 2
    applied,                ///< a word: operator number `bits` of the arguments
    truth,                  ///< a condition: `bits` is 1 or 0
    is_zero,                ///< a condition on word 0
    is_less,                ///< a condition: word 0 before word 1 in the order of sign and magnitude
    negation,               ///< of a condition
    all,                    ///< all conditions hold
};

/// What variables stand for. Places: of Dst `storage row * 16 + column` of the upper half, whose variable has
/// the lower half, eight rows below, in its lower 16 bits; of an input that lies in other places in the two
/// kernels `input * 2^20 + element`; of registers `number * 32 + lane`; of the rest the lane.
enum class variable_kind : std::uint8_t { dst, input, lreg, random, shuffle_source };
struct term_variable {
    variable_kind kind;
    std::uint32_t place;
};

/// An instruction as a function of words: it reads argument i in the register `reads[i]`; the last one is
/// the random number if `takes_random`. Registers, modifier and immediate are those of `insn`.
struct term_operator {
    isa::instruction insn;
    std::uint8_t reads[8];
    std::uint8_t count = 0;
    bool takes_random = false;
};

class term_pool {
public:
    explicit term_pool(architecture arch);

    struct node {
        term_kind kind;
        std::int8_t moved = 0;
        std::uint16_t count = 0;    ///< of arguments
        std::uint32_t bits = 0;     ///< see term_kind
        std::uint32_t first = 0;    ///< argument, among all of the pool
        std::uint32_t possible = 0; ///< of a word: bits outside are 0
    };
    const node& at(term which) const { return nodes_[which]; }
    const term* arguments(term which) const { return &arguments_[nodes_[which].first]; }
    term argument(term which, unsigned number) const { return arguments_[nodes_[which].first + number]; }
    std::size_t size() const { return nodes_.size(); }
    architecture arch() const { return arch_; }
    const term_variable& variable_of(term which) const { return variables_[at(which).bits]; }
    const term_operator& operator_of(term which) const { return operators_[at(which).bits]; }

    bool is_constant(term which) const { return at(which).kind == term_kind::constant; }

    // Words.
    term constant(std::uint32_t value);
    term variable(variable_kind kind, std::uint32_t place);
    /// The bits of `mask`, of `of` shifted up by `up` (down if negative, zeros coming in), -31 to 31.
    term route(term of, int up, std::uint32_t mask = 0xffffffffu);
    term keep(term of, std::uint32_t mask) { return route(of, 0, mask); }
    term or_of(term a, term b);
    term and_of(term a, term b);
    term xor_of(term a, term b);
    term not_of(term a) { return xor_of(a, constant(0xffffffffu)); }
    term add(term a, term b);
    term subtract(term a, term b) { return add(a, scale(b, 0xffffffffu)); }
    term scale(term a, std::uint32_t by);
    term shift(term value, term amount);
    term shift_arithmetic(term value, term amount);
    term step_random(term state);
    term choose(term condition, term yes, term no);
    /// Constants are folded by the semantics of the instruction.
    term apply(const term_operator& by, const term* arguments);

    // Conditions.
    term truth(bool value);
    term zero(term word);
    term negative(term word) { return negate(zero(keep(word, 0x80000000u))); }
    term less(term a, term b);
    term negate(term condition);
    term both_hold(term a, term b);
    term either_holds(term a, term b) { return negate(both_hold(negate(a), negate(b))); }
    term unequal(term a, term b) { return choose_condition(a, negate(b), b); }
    /// A condition that is `yes` if the first one holds.
    term choose_condition(term condition, term yes, term no) {
        return either_holds(both_hold(condition, yes), both_hold(negate(condition), no));
    }

private:
    term make(node made, const term* arguments, std::size_t count);
    std::uint32_t operator_number(const term_operator& by);
    bool is_full_shift(term which) const;
    unsigned choices_of(term word, unsigned most) const;
    bool shorten(std::vector<term>& conditions);
    term computed_again(term which, const term* parts);
    term where_holds(term condition, term word);
    term decided(term condition, term choice);
    struct linear;
    void collect(term from, std::uint32_t factor, linear& into) const;
    term rebuilt(linear& from);
    term routed_parts(term from, int up, std::uint32_t mask);
    void gather(term from, std::vector<term>& pieces, std::uint32_t& bits) const;
    void grow_index();
    std::uint64_t hash_of(const node& made, const term* arguments) const;

    architecture arch_;
    std::vector<node> nodes_;
    std::vector<term> arguments_;
    std::vector<term> index_; ///< open addressing
    std::vector<term_variable> variables_;
    std::unordered_map<std::uint64_t, term> variable_terms_;
    std::unordered_map<std::uint64_t, term> known_routes_,
        known_zeros_; ///< of terms with parts to go through
    std::vector<term_operator> operators_;
};

} // namespace sfpu::analysis
