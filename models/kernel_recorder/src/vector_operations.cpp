#include <sfpu/kernel_recorder/recorder.h>
#include <sfpu/kernel_recorder/vector/operations.h>

#include <sfpu/isa/table.h>

#include <optional>
#include <string>
#include <utility>

namespace sfpu::kernel_recorder::vector {
namespace {

using namespace isa::opcode;

constexpr unsigned lreg_0_0 = 9, lreg_1_0 = 10, lreg_minus_1_0 = 11;

const chip_description& chip() { return describe(current_graph().arch()); }

node instruction(unsigned opcode, unsigned mod, std::uint32_t fields = 0) {
    node n;
    n.word = opcode << 24 | fields | mod;
    return n;
}

/// Imm12 of a word, for numbers that fit.
bool fits_imm12(std::int64_t number) { return number >= -2048 && number <= 2047; }
std::uint32_t imm12(int number) { return (static_cast<std::uint32_t>(number) & 0xfffu) << 12; }

std::optional<std::uint32_t> constant_of(value v) {
    const node& n = current_graph().at(v);
    if (n.what == node_kind::constant) return n.word;
    return std::nullopt;
}

void need(value v, const char* what) {
    if (v == none)
        throw kernel_error(std::string(what) +
                           ": a vector variable is used that nothing was assigned to before");
}

} // namespace

graph& current_graph() { return current_recorder().graph(); }

graph& current_graph(architecture arch) {
    graph& found = current_graph();
    if (found.arch() != arch)
        throw kernel_error(std::string("a kernel compiled for ") + long_name(arch) +
                           " used a vector type in a recorder for " + long_name(found.arch()));
    return found;
}

held_value::held_value(value v) : value_(v) {
    recorder* const into = find_current_recorder();
    if (v == none || into == nullptr) return;
    session_ = into->graph_number();
    into->graph().retain(v);
}
held_value::held_value(const held_value& other) : held_value(other.value_) {}
held_value& held_value::operator=(const held_value& other) {
    if (this == &other) return *this;
    held_value copy(other);
    std::swap(value_, copy.value_);
    std::swap(session_, copy.session_);
    return *this;
}
held_value::~held_value() { let_go(); }

void held_value::let_go() {
    recorder* const from = find_current_recorder();
    if (session_ != 0 && from != nullptr && from->graph_number() == session_) from->graph().release(value_);
}

// --- floating point ----------------------------------------------------------------------------------------

held_value add(value a, value b) {
    need(a, "+"), need(b, "+");
    node n = instruction(sfpadd, 0);
    n.va = current_graph().constant_lreg(lreg_1_0);
    n.vb = a;
    n.vc = b;
    return held_value(current_graph().compute(n));
}

held_value subtract(value a, value b) {
    need(a, "-"), need(b, "-");
    if (constant_of(b)) return add(a, negate(b));
    if (chip().has_mad_negation) {
        node n = instruction(sfpadd, 2);
        n.va = current_graph().constant_lreg(lreg_1_0);
        n.vb = a;
        n.vc = b;
        return held_value(current_graph().compute(n));
    }
    const node& minuend = current_graph().at(a);
    const bool of_product = minuend.what == node_kind::compute && minuend.word >> 24 == sfpmul;
    if (of_product) return add(a, negate(b)); // one SFPMAD then
    return multiply_add(b, current_graph().constant_lreg(lreg_minus_1_0), a, 0);
}

held_value multiply(value a, value b) {
    need(a, "*"), need(b, "*");
    node n = instruction(sfpmul, 0);
    n.va = a;
    n.vb = b;
    n.vc = current_graph().constant_lreg(lreg_0_0);
    return held_value(current_graph().compute(n));
}

held_value multiply_add(value a, value b, value c, unsigned mod) {
    need(a, "multiply-add"), need(b, "multiply-add"), need(c, "multiply-add");
    node n = instruction(sfpmad, mod);
    n.va = a;
    n.vb = b;
    n.vc = c;
    return held_value(current_graph().compute(n));
}

held_value negate(value a) {
    if (const auto bits = constant_of(a)) return held_value(current_graph().constant(*bits ^ 0x80000000u));
    return unary(sfpmov, a, 1);
}

// --- integers ----------------------------------------------------------------------------------------------

namespace {
constexpr unsigned iadd_no_flags = 4, iadd_imm = 1, iadd_subtract = 2;

held_value add_immediate(value a, int imm) { return unary(sfpiadd, a, iadd_imm | iadd_no_flags, imm); }
std::optional<int> small_constant(value v, bool negated) {
    const auto bits = constant_of(v);
    if (!bits) return std::nullopt;
    const auto number = static_cast<std::int32_t>(negated ? 0u - *bits : *bits);
    if (!fits_imm12(number)) return std::nullopt;
    return number;
}
} // namespace

held_value add_integer(value a, value b) {
    need(a, "+"), need(b, "+");
    if (const auto imm = small_constant(b, false)) return add_immediate(a, *imm);
    if (const auto imm = small_constant(a, false)) return add_immediate(b, *imm);
    return binary(sfpiadd, b, a, iadd_no_flags);
}

held_value subtract_integer(value a, value b) {
    need(a, "-"), need(b, "-");
    if (const auto imm = small_constant(b, true)) return add_immediate(a, *imm);
    return binary(sfpiadd, b, a, iadd_subtract | iadd_no_flags); // VC - VB
}

namespace {
unsigned shift_mod(bool arithmetic) {
    if (arithmetic && !chip().has_shift_of_vc)
        throw kernel_error("Wormhole has no arithmetic shift; shift a vUInt or ask for a logical one");
    return arithmetic ? 2u : 0u;
}
} // namespace

held_value shift(value a, value amount, bool arithmetic) {
    need(a, "shift"), need(amount, "shift");
    if (const auto imm = small_constant(amount, false)) return shift(a, *imm, arithmetic);
    return binary(sfpshft, a, amount, shift_mod(arithmetic));
}

held_value shift(value a, int amount, bool arithmetic) {
    need(a, "shift");
    const unsigned mod = 1 | shift_mod(arithmetic);
    if (chip().has_shift_of_vc) return unary(sfpshft, a, mod | 4, amount);
    node n = instruction(sfpshft, mod, imm12(amount));
    n.vb = a;
    return held_value(current_graph().compute(n));
}

held_value bit_and(value a, value b) { return binary(sfpand, a, b, 0); }
held_value bit_or(value a, value b) { return binary(sfpor, a, b, 0); }
held_value bit_xor(value a, value b) { return binary(sfpxor, a, b, 0); }
held_value bit_not(value a) { return unary(sfpnot, a, 0); }

// --- fields and the like -----------------------------------------------------------------------------------

namespace {
constexpr unsigned sets_flags = 2 | 8; // of SFPLZ and SFPEXEXP
}

held_value unary(unsigned opcode, value a, unsigned mod, int imm) {
    const isa::row* row = isa::find_row(static_cast<std::uint8_t>(opcode), current_graph().arch());
    if (row == nullptr) throw kernel_error("this chip does not have the instruction that is used");
    need(a, row->mnemonic);
    if (!fits_imm12(imm) && (imm & ~0xfff) != 0)
        throw kernel_error(std::string(row->mnemonic) + ": the immediate is " + std::to_string(imm) +
                           ", expected twelve bits");
    if ((opcode == sfplz || opcode == sfpexexp) && (mod & sets_flags) != 0)
        throw kernel_error(std::string(row->mnemonic) + " that sets flags cannot be a value");
    node n = instruction(opcode, mod, imm12(imm));
    n.vc = a;
    return held_value(current_graph().compute(n));
}

held_value binary(unsigned opcode, value b, value c, unsigned mod) {
    const isa::row* row = isa::find_row(static_cast<std::uint8_t>(opcode), current_graph().arch());
    if (row == nullptr) throw kernel_error("this chip does not have the instruction that is used");
    need(b, row->mnemonic), need(c, row->mnemonic);
    node n = instruction(opcode, mod);
    n.vb = b;
    n.vc = c;
    return held_value(current_graph().compute(n));
}

held_value set_exponent(value a, int exponent) { return unary(sfpsetexp, a, 1, exponent & 0xfff); }

held_value set_mantissa(value a, unsigned mantissa) {
    if (mantissa <= 0xfff) return unary(sfpsetman, a, 1, static_cast<int>(mantissa));
    return binary(sfpsetman, current_graph().constant(mantissa), a, 0);
}

held_value multiply_24(value a, value b, unsigned mod) {
    if (!chip().has_compare_and_estimate) throw kernel_error("Wormhole has no SFPMUL24");
    need(a, "sfpmul24"), need(b, "sfpmul24");
    node n = instruction(sfpmul24, mod);
    n.va = a;
    n.vb = b;
    n.vc = current_graph().constant_lreg(lreg_0_0);
    return held_value(current_graph().compute(n));
}

namespace {
constexpr unsigned round_by_immediate = 8, integer_modes = 3u << 4;
/// Modes 4 and 5 shift by an immediate or by VB; the others have neither.
unsigned round_mod(unsigned mod, bool by_value) {
    return (integer_modes >> (mod & 7) & 1) && !by_value ? mod | round_by_immediate : mod;
}
} // namespace

held_value round(value a, unsigned mod, unsigned rounding, unsigned descale) {
    need(a, "sfpstochrnd");
    node n = instruction(sfpstochrnd, round_mod(mod, false), rounding << 21 | (descale & 31u) << 16);
    n.vc = a;
    return held_value(current_graph().compute(n));
}

held_value round_by(value a, value descale, unsigned mod, unsigned rounding) {
    need(a, "sfpstochrnd"), need(descale, "sfpstochrnd");
    node n = instruction(sfpstochrnd, round_mod(mod, true), rounding << 21);
    n.vb = descale;
    n.vc = a;
    return held_value(current_graph().compute(n));
}

held_value move_lanes(value a, unsigned mod) { return unary(sfpshft2, a, mod); }

held_value random() {
    constexpr unsigned from_special = 8, generator = 9;
    node n = instruction(sfpmov, from_special, generator << 8);
    n.keeps = true; // it moves the generator on
    return held_value(current_graph().compute(n));
}

held_value look_up(const value (&tables)[3], value x, unsigned mod) {
    node n = instruction(sfplut, 0, mod << 16);
    for (unsigned i = 0; i < 3; ++i) {
        need(tables[i], "lut");
        n.fixed[i] = tables[i];
    }
    need(x, "lut");
    n.fixed[3] = x;
    return held_value(current_graph().compute(n));
}

held_value look_up_fp32(const value* tables, unsigned table_count, value x, unsigned mod) {
    if (mod & 8)
        throw kernel_error(
            "lut2 with three 16-bit entries: this mode of SFPLUTFP32 writes the register that L7 names, "
            "a fault of the chips; use six entries");
    node n = instruction(sfplutfp32, mod, mod << 16);
    for (unsigned i = 0; i < table_count; ++i) {
        need(tables[i], "lut2");
        n.fixed[i < 3 ? i : i + 1] = tables[i];
    }
    need(x, "lut2");
    n.fixed[3] = x;
    return held_value(current_graph().compute(n));
}

void swap(value& a, value& b, unsigned mod) {
    need(a, "sfpswap"), need(b, "sfpswap");
    node n = instruction(sfpswap, mod);
    n.vb = a; // VB stands for VD here as in all instructions that read it
    n.vc = b;
    n.results = 2;
    const value both = current_graph().compute(n);
    a = current_graph().part(both, 0);
    b = current_graph().part(both, 1);
}

void transpose(value& a, value& b, value& c, value& d) {
    node n = instruction(sfptransp, 0);
    value* const all[] = {&a, &b, &c, &d};
    for (unsigned i = 0; i < 4; ++i) {
        need(*all[i], "sfptransp");
        n.fixed[i] = *all[i];
    }
    n.results = 4;
    const value four = current_graph().compute(n);
    for (unsigned i = 0; i < 4; ++i) *all[i] = current_graph().part(four, i);
}

// --- Dst ---------------------------------------------------------------------------------------------------

namespace {
node access(unsigned opcode, unsigned mod, unsigned addr_mod, unsigned address) {
    const architecture arch = current_graph().arch();
    if (address > 0x3ff || mod > 15 || addr_mod >= 1u << isa::addr_mod_width(arch))
        throw kernel_error("Dst address " + std::to_string(address) + ", mode " + std::to_string(mod) +
                           ", address modifier " + std::to_string(addr_mod) + ": one is out of range");
    node n = instruction(opcode, 0, mod << 16 | addr_mod << isa::addr_mod_shift(arch) | address);
    return n;
}
} // namespace

held_value load(unsigned mod, unsigned addr_mod, unsigned address) {
    node n = access(sfpload, mod, addr_mod, address);
    n.keeps = addr_mod != (1u << chip().addr_mod_width) - 1;
    return held_value(current_graph().compute(n));
}

void store(value v, unsigned mod, unsigned addr_mod, unsigned address) {
    node n = access(sfpstore, mod, addr_mod, address);
    n.va = v;
    current_graph().store(n);
}

// --- comparisons -------------------------------------------------------------------------------------------

condition compare_to_0(value a, comparison how) {
    need(a, "comparison");
    graph& g = current_graph();
    switch (how) {
    case comparison::equal: return g.test(a, relation::equal_0);
    case comparison::not_equal: return g.test(a, relation::not_0);
    case comparison::less: return g.test(a, relation::less_than_0);
    case comparison::at_least: return g.test(a, relation::at_least_0);
    case comparison::greater: return g.both(g.test(a, relation::at_least_0), g.test(a, relation::not_0));
    default: return g.either(g.test(a, relation::less_than_0), g.test(a, relation::equal_0));
    }
}

condition compare_float(value a, comparison how, value b) {
    if (constant_of(b) == std::uint32_t{0} || constant_of(b) == 0x80000000u) return compare_to_0(a, how);
    return compare_to_0(subtract(a, b), how);
}

condition compare_integer(value a, comparison how, value b) {
    if (constant_of(b) == std::uint32_t{0}) return compare_to_0(a, how);
    return compare_to_0(subtract_integer(a, b), how);
}

} // namespace sfpu::kernel_recorder::vector
