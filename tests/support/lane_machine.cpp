#include "lane_machine.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace sfpu::test {
std::uint32_t random_bits::operand() {
    static constexpr std::uint32_t corners[] = {0,          1,          0x7f,       0xff,       0xffff,
                                                0x7fffff,   0x800000,   0xffffff,   0x3f800000, 0x7f7fffff,
                                                0x7f800000, 0x7f800001, 0x7fffffff, 0x80000000, 0x80000001,
                                                0xbf800000, 0xff800000, 0xffffffff};
    switch (below(4)) {
    case 0: return corners[below(sizeof corners / sizeof *corners)];
    case 1: return (next() & 0x807fffffu) | (118 + below(20)) << 23; // FP32 of moderate size
    case 2: return next() >> below(32);
    default: return next();
    }
}

std::uint64_t case_count(std::uint64_t normally) {
    return std::getenv("SFPU_NIGHTLY") != nullptr ? normally * 100 : normally;
}

void randomise(lane_machine& machine, random_bits& random) {
    isa::vector_state& state = machine.state;
    for (unsigned r = 0; r < isa::general_lregs; ++r)
        for (std::uint32_t& lane : state.lreg[r].v) lane = random.operand();
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        state.lreg[isa::macro_lreg][lane] = random.operand();
        state.prng[lane] = random.next();
        state.shuffle_source[lane] = random.operand();
    }
    state.flags = random.next();
    state.use_flags = random.next() | random.next();
    state.stack = {};
    for (unsigned n = random.below(4); n > 0; --n) state.stack.push({random.next(), random.next()});
}

namespace {

/// Words as they stand in memory: this code is not optimised, and is asked for each of many cases.
template <class T>
bool same_bytes(const T& a, const T& b) {
    static_assert(std::has_unique_object_representations_v<T>);
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The first lane that differs; lane_count: none.
unsigned first_different(const lanes& a, const lanes& b) {
    if (same_bytes(a, b)) return lane_count;
    unsigned lane = 0;
    while (a[lane] == b[lane]) ++lane;
    return lane;
}

} // namespace

std::string difference(const lane_machine& a, const lane_machine& b) {
    for (unsigned r = 0; r < isa::lreg_count; ++r)
        if (const unsigned lane = first_different(a.state.lreg[r], b.state.lreg[r]); lane < lane_count)
            return "L" + std::to_string(r) + " lane " + std::to_string(lane);
    if (const unsigned lane = first_different(a.state.prng, b.state.prng); lane < lane_count)
        return "prng lane " + std::to_string(lane);
    if (!same_bytes(a.state.shuffle_source, b.state.shuffle_source)) return "shuffle source";
    if (a.state.flags != b.state.flags) return "lane flags";
    if (a.state.use_flags != b.state.use_flags) return "use lane flags";
    if (a.state.stack.depth() != b.state.stack.depth()) return "flag stack depth";
    for (unsigned n = 0; n < a.state.stack.held(); ++n)
        if (a.state.stack.from_bottom(n).flags != b.state.stack.from_bottom(n).flags ||
            a.state.stack.from_bottom(n).use_flags != b.state.stack.from_bottom(n).use_flags)
            return "flag stack entry " + std::to_string(n);
    for (unsigned column = 0; column < column_count; ++column) {
        if (a.state.config.column(column) != b.state.config.column(column)) return "lane configuration";
        if (!(a.state.macro[column] == b.state.macro[column])) return "macro configuration";
    }
    return same_bytes(a.dst, b.dst) ? "" : "Dst";
}

} // namespace sfpu::test
