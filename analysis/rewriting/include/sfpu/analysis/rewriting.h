// Other instructions for a row: a plain row as a graph of values, and rules that give rows that compute the
// same.
//
// A row is the straight line of a kernel's .loop, in single assignment: each result is a value of its own, so
// that registers mean nothing until the row is written again. Whether a rule's condition was enough is not
// believed: whoever takes a rewritten row has to prove it equal to the given kernel as a whole.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/table.h>
#include <sfpu/isa/thread_state.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sfpu::rewriting {

/// What a register holds at some place of the row. 0 to 15: what that register held before the row; L8 to L15
/// never change in it. From `first_result` on: results, in no order.
using value = int;
constexpr value no_value = -1;
constexpr value first_result = 16;
constexpr bool is_constant_register(value v) { return v >= 8 && v < first_result; }

/// Register fields of an instruction.
enum field : unsigned { va, vb, vc, vd, field_count };

/// A condition on lanes. Equal conditions have one number.
using condition = int;
constexpr condition never = 0, always = 1;

/// What a condition says of a value, or how it is made of others.
struct condition_node {
    enum class kind : std::uint8_t {
        truth,    ///< `a` is 0 or 1
        negative, ///< bit 31 of value `a` is set
        zero,     ///< value `a`, of which bits `bits` count, is 0
        greater,  ///< value `a` is behind value `b` in the order of sign and magnitude
        unknown,  ///< number `a`
        negation, ///< of condition `a`
        both,     ///< conditions `a` and `b`
    } what = kind::truth;
    int a = 0, b = 0;
    std::uint32_t bits = 0xffffffffu;
};

/// Lane flags and their stack at a place of the row.
struct lane_state {
    condition flags = always, use = always;
    std::vector<std::pair<condition, condition>> stack; ///< flags and their use, the top last
    friend bool operator==(const lane_state& a, const lane_state& b) {
        return a.flags == b.flags && a.use == b.use && a.stack == b.stack;
    }
};

/// An instruction of the row.
struct step {
    isa::instruction insn; ///< its register fields mean nothing
    /// By field, what the register held before. A field that is written and no operand is read where lanes
    /// may be off, which keep what was there.
    std::array<value, field_count> reads{{no_value, no_value, no_value, no_value}};
    std::array<value, field_count> writes{{no_value, no_value, no_value, no_value}};
    /// Registers that the instruction means whatever its fields say, SFPLUT's L3 for example.
    std::vector<std::pair<unsigned, value>> fixed_reads, fixed_writes;
    unsigned line = 0; ///< of the source

    bool is(std::uint8_t opcode) const { return insn.is(opcode); }
    value result() const { return writes[vd]; }
    bool reads_value(value v) const;
};

/// What is known of the bits of a value, in every lane.
struct value_facts {
    std::optional<std::uint32_t> constant; ///< the same in all lanes
    std::uint32_t possible = 0xffffffffu;  ///< bits outside are 0
    std::uint32_t certain = 0;             ///< bits that are 1
    // As FP32:
    bool never_nan = false, never_denormal = false, never_minus_zero = false;
    /// Biased exponents that occur, at least and at most.
    unsigned least_exponent = 0, greatest_exponent = 255;
    std::string assumed; ///< which of the facts on FP32 only the user says: "no-nan", "no-denormal"
    bool is_normal_or_plus_zero() const { return never_nan && never_denormal && never_minus_zero; }
};

/// Whoever makes rows does not want any more of them.
struct rewriting_stopped {};

/// Facts that hold only if the user says so.
struct assumptions {
    bool no_nan = false, no_denormal = false;
};

class row {
public:
    /// Nothing if the row is of a kind that is not understood (indirect registers, configuration, macros):
    /// `why` then says which word. The first two have to outlive the row and its copies; `thread` is the
    /// state in which .init begins.
    static std::optional<row> read(const isa::kernel& kernel, const isa::word_encoding& words,
                                   const isa::thread_state& thread, bool lanes_start_enabled,
                                   const assumptions& assumed = {}, std::string* why = nullptr);

    std::vector<step> steps;
    std::array<value, 8> leaves{}; ///< by register: what has to be there behind the row, or no_value

    architecture arch() const { return words_->arch; }
    const isa::word_encoding& words() const { return *words_; }
    const assumptions& assumed() const { return assumed_; }

    // --- questions ---
    /// The step that leaves a value, or -1.
    int definition_of(value v) const;
    /// Steps that read a value, in order; a value that has to stay behind the row is read by
    /// `steps.size()`.
    std::vector<int> readers_of(value v) const;
    bool has_one_reader(value v) const { return readers_of(v).size() == 1; }
    /// Of instructions on lanes. `steps.size()`: behind the row.
    const lane_state& lanes_before(std::size_t at) const { return lanes_[at]; }
    /// Lanes that are on before a step.
    condition on_before(std::size_t at) const;
    bool all_on_before(std::size_t at) const { return on_before(at) == always; }
    condition conditions() const { return static_cast<condition>(conditions_.size()); } ///< numbers below
    const condition_node& node_of(condition c) const { return conditions_[static_cast<std::size_t>(c)]; }
    condition negation_of(condition c);
    condition both_of(condition a, condition b);
    /// Whether all lanes of `a` are among those of `b`.
    bool implies(condition a, condition b) const;
    /// Whether somebody reads a value in lanes that are not among these.
    bool reads_outside(value v, condition lanes) const { return matters_outside(v, lanes, 0); }
    value_facts facts_of(value v) const;
    /// What a step leaves in the lanes on which it acts, if that is a constant.
    std::optional<std::uint32_t> constant_left_by(const step& s) const;
    std::optional<std::uint32_t> constant_of(value v) const { return facts_of(v).constant; }
    /// A register that holds this constant for ever: L8 to L14, or one that .init sets; else no_value.
    value register_with(std::uint32_t bits) const;
    /// Whether a step does nothing but leave its results.
    bool is_pure(const step& s) const;
    /// Fields that are operands: read whatever the lanes are.
    std::array<bool, field_count> operands_of(const step& s) const;
    /// Whether results of a step go to all lanes although some may be off (SFPMOV ALL_LANES, SFPTRANSP).
    bool ignores_lanes(const step& s) const;
    bool changes_lanes(const step& s) const;
    /// The word with register fields of zero.
    std::uint32_t without_registers(const step& s) const;
    /// Whether a load or store leaves the address counter as it is.
    bool keeps_counter(const step& s) const;

    // --- changes; refresh() behind the last of them ---
    value new_value() { return next_value_++; }
    /// A step of this word, whose register fields are taken from the arrays. It has no merged lanes yet.
    step make_step(std::uint32_t word, const std::array<value, field_count>& reads, value result,
                   unsigned line) const;
    /// Puts a step before `at`.
    void insert(std::size_t at, step s) { steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), s); }
    void erase(std::size_t at) { steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at)); }
    /// Everybody who reads `old` from step `from` on reads `now` instead.
    void replace_readers(value old, value now, std::size_t from = 0);
    /// A value with these bits: a register that has them, or SFPLOADI before step `at`, which is then one or
    /// two further.
    value constant_value(std::uint32_t bits, std::size_t& at);
    /// Makes .init leave a constant in a general register, for ever. False if the register is in use.
    bool hold(unsigned lreg, std::uint32_t bits);
    /// Moves a constant that .init leaves in a general register to a constant register that nobody uses.
    /// False if there is none of either.
    bool move_constant();
    /// Lanes before each step, and which merges are still needed. False if the row makes no sense: a value is
    /// read before it is there, lanes that are off have nothing to keep, the stack is not as before. Throws
    /// rewriting_stopped.
    bool refresh();
    /// Asked by refresh() of this row and of its copies, as long as `wanted` lives.
    void stop_when(const std::weak_ptr<const std::function<bool()>>& wanted) { stopped_ = wanted; }

    /// The kernel with this row as its .loop: `source` is the text that it was read from. Nothing if
    /// registers do not suffice. SFPNOPs stand where a result takes longer.
    std::optional<std::string> text(const std::string& source) const;
    /// The same row has the same key, whatever its values are called.
    std::string key() const;
    /// Words that are issued: without SFPNOP, what only counts, and constants that all lanes get.
    unsigned cost() const;

private:
    friend class row_reader;
    friend class row_writer;
    friend class lane_analysis;

    condition make(const condition_node& node);
    condition new_unknown();
    void gather(condition c, std::vector<condition>& literals) const;
    void advance(lane_state& state, const step& s);
    void set_flags_where_on(lane_state& state, condition to);
    bool follow_lanes();
    bool matters_outside(value v, condition lanes, unsigned depth) const;
    void drop_needless_merges();
    bool values_are_there() const;
    void find_facts();
    value_facts facts_of_result(const step& s) const;

    const isa::kernel* kernel_ = nullptr;
    const isa::word_encoding* words_ = nullptr;
    assumptions assumed_;
    lane_state start_;
    std::array<std::optional<std::uint32_t>, 16> held_{};    ///< constants in registers before the row
    std::uint8_t still_ = 0;                                 ///< bit i: address modifier i moves no counter
    std::vector<std::pair<unsigned, std::uint32_t>> set_up_; ///< constants that .init does not leave yet
    isa::register_set free_ = 0; ///< general registers that the row may use without a reason
    std::vector<lane_state> lanes_;
    std::map<value, value_facts> facts_;
    std::vector<condition_node> conditions_;
    std::map<std::tuple<int, int, int, std::uint32_t>, condition> condition_numbers_;
    int next_value_ = first_result, next_unknown_ = 0;
    std::weak_ptr<const std::function<bool()>> stopped_;
};

/// A row that a rule has made of another.
struct site {
    row changed;
    unsigned line = 0;   ///< of the source, where the rule applies
    std::string assumed; ///< what it takes for granted ("no NaN"), if only the user says so
};

struct rule {
    const char* name;      ///< "outermost-push"
    const char* help;      ///< what becomes of what, in a line
    const char* condition; ///< when, in a line
    /// Every place where it applies, each as a row of its own, refreshed.
    std::vector<site> (*apply)(const row&);
    /// Makes a row longer, which only a schedule may make up for: rewritings_of() leaves it out.
    bool lengthens = false;
};
/// All rules, those on lane flags first.
const std::vector<rule>& rules();

/// How a row was made of the given one.
struct applied_rule {
    const rule* by = nullptr;
    unsigned line = 0;
    std::string assumed;
    std::shared_ptr<const row> made; ///< the row behind it
};
struct rewritten_row {
    row changed;
    std::vector<applied_rule> applied; ///< in order
};
struct rewriting_limits {
    unsigned rows = 400;             ///< that are looked at
    std::uint64_t work = 60'000'000; ///< pairs of instructions that rules look at, so that long rows end, too
    unsigned kept = 64;              ///< best ones by cost that are gone on from, in each round
    std::function<bool()> stopped;   ///< asked for each row; what was found by then is all
};
/// Rows that rules make of a row, of rules on them, and so on, each once, cheapest first. Without the row
/// itself.
std::vector<rewritten_row> rewritings_of(const row& given, const rewriting_limits& limits = {});
/// Rows that a rule that lengthens rows makes of one, what promises most first.
std::vector<rewritten_row> lengthened(const rewritten_row& from);

} // namespace sfpu::rewriting
