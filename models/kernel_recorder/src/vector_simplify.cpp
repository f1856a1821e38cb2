#include <sfpu/kernel_recorder/vector/graph.h>

#include <sfpu/isa/instruction.h>

namespace sfpu::kernel_recorder::vector {
namespace {

template <class Visit>
void each_tested(const graph& of, condition c, Visit visit) {
    const condition_node& n = of.at_condition(c);
    switch (n.what) {
    case condition_node::kind::test: visit(n.tested); break;
    case condition_node::kind::negation: each_tested(of, n.left, visit); break;
    default:
        each_tested(of, n.left, visit);
        each_tested(of, n.right, visit);
        break;
    }
}

template <class Visit>
void each_operand(const graph& of, const node& n, Visit visit) {
    if (n.what == node_kind::dead) return;
    for (value v : {n.va, n.vb, n.vc})
        if (v != none) visit(v);
    for (value v : n.fixed)
        if (v != none) visit(v);
    if (n.what == node_kind::narrow || n.what == node_kind::lanes_of) each_tested(of, n.cond, visit);
}

bool is_pure(const node& n) {
    switch (n.what) {
    case node_kind::undefined:
    case node_kind::constant:
    case node_kind::constant_lreg:
    case node_kind::pinned_read:
    case node_kind::part:
    case node_kind::merge:
    case node_kind::lanes_of: return true;
    case node_kind::compute: return !n.keeps;
    default: return false;
    }
}

std::uint32_t opcode_of(const node& n) { return n.word >> 24; }
constexpr std::uint32_t negate_product = 1, negate_addend = 2, negations = 3;

bool is_product(const graph& of, value v, lane_state state) {
    const node& n = of.at(v);
    return !of.carried(v) && n.what == node_kind::compute && opcode_of(n) == isa::opcode::sfpmul &&
           (n.word & 15u) == 0 && n.state == state;
}

/// SFPADD of a product that is used once becomes SFPMAD.
void fuse(graph& in, node& sum, const std::vector<std::uint32_t>& uses) {
    if (sum.what != node_kind::compute || opcode_of(sum) != isa::opcode::sfpadd) return;
    const std::uint32_t mod = sum.word & negations;
    const auto take = [&](value product, value addend, std::uint32_t modifier) {
        const node& p = in.at(product);
        sum.va = p.va;
        sum.vb = p.vb;
        sum.vc = addend;
        sum.word = std::uint32_t{isa::opcode::sfpmad} << 24 | modifier;
        in.at(product).what = node_kind::dead;
    };
    // VB + VC, or VB - VC
    const auto fusible = [&](value v) { return is_product(in, v, sum.state) && uses[v] == 1; };
    if (fusible(sum.vb)) take(sum.vb, sum.vc, mod);
    else if (fusible(sum.vc) && (mod & negate_addend)) take(sum.vc, sum.vb, negate_product);
    else if (fusible(sum.vc)) take(sum.vc, sum.vb, 0);
}

} // namespace

std::vector<std::uint32_t> count_uses(const graph& of) {
    std::vector<std::uint32_t> uses(of.size(), 0);
    for (value v = of.first(); v < of.size(); ++v)
        each_operand(of, of.at(v), [&](value operand) { ++uses[operand]; });
    for (value v = 1; v < of.size(); ++v)
        if (of.held(v)) ++uses[v];
    return uses;
}

void simplify(graph& what) {
    std::vector<std::uint32_t> uses = count_uses(what);
    const auto drop_unused = [&] {
        for (value v = what.size(); v-- > what.first();) {
            node& n = what.at(v);
            if (n.what == node_kind::dead || uses[v] != 0 || !is_pure(n)) continue;
            each_operand(what, n, [&](value operand) { --uses[operand]; });
            n.what = node_kind::dead;
        }
    };
    drop_unused();
    for (value v = what.first(); v < what.size(); ++v) fuse(what, what.at(v), uses);
}

} // namespace sfpu::kernel_recorder::vector
