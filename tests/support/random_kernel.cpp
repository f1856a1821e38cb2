// Small random kernels.
#include "random_choice.h"
#include "schedule_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sfpu::test {

std::string random_kernel(std::mt19937& numbers, architecture chip, unsigned instructions, bool with_flags,
                          bool may_lose) {
    const bool bh = chip == architecture::blackhole;
    const char *step = bh ? "ADDR_MOD_6" : "ADDR_MOD_2", *stay = bh ? "ADDR_MOD_7" : "ADDR_MOD_3";
    const char* modes[] = {"INT32", "FP32", "INT32", "UINT16"};
    const char* mode = modes[below(numbers, may_lose ? 4 : 3)];
    std::string text = fmt::format(
        ".arch {}\n.rows 12\n.equ x, 0x00\n.equ y, 0x40\n.equ out, 0x80\n.equ "
        "more, 0xc4\n.equ before, 0xc2\n.init\n    sfploadi L7, USHORT, 5\n{}{}.loop\n",
        bh ? "bh" : "wh",
        bh ? "    setc16 34, 2\n    setc16 35, 0\n" : "    setc16 2, 1\n    setc16 29, 2\n    setc16 30, 0\n",
        with_flags ? "    sfpencc 3, 0, 0, 10\n" : "");
    const unsigned loads = 1 + (instructions > 2 && one_in(numbers, 2) ? 1u : 0u);
    std::vector<unsigned> live;
    for (unsigned i = 0; i < loads; ++i) {
        text += fmt::format("    sfpload L{}, {}, {}, {}\n", i, mode, stay, i ? "y" : "x");
        live.push_back(i);
    }
    struct choice {
        const char* format; ///< a, b: operands; d: destination; s: a number
        enum : std::uint8_t { writes, changes_d, changes_only_d } how;
        bool waits;              ///< on some chip
        bool loses;              ///< so much of an operand that another one may give the same
        bool is_float = false;   ///< loses small integers
        bool may_cancel = false; ///< the result of two such may not depend on the operand, as that of x + ~x
    };
    using c = choice;
    constexpr choice choices[] = {
        {"sfpabs 0, L{a}, L{d}, 0", c::writes, false, true},
        {"sfpnot 0, L{a}, L{d}, 0", c::writes, false, false, false, true},
        {"sfpiadd {s}, L{a}, L{d}, 5", c::writes, false, false},
        {"sfplz 0, L{a}, L{d}, 0", c::writes, false, true},
        {"sfpshft2 L{a}, L{b}, L{d}, 5", c::writes, false, true},
        {"sfpstochrnd 0, 0, L0, L{a}, L{d}, 1", c::writes, false, true},
        {"sfpmad L{a}, L{b}, L{a}, L{d}, 0", c::writes, true, false, true},
        {"sfpadd L10, L{a}, L{b}, L{d}, 0", c::writes, true, false, true},
        {"sfpmul L{a}, L{b}, L9, L{d}, 0", c::writes, true, true},
        {"sfpshft2 0, L{a}, L{d}, 3", c::writes, true, false},
        {"sfpiadd 0, L{a}, L{d}, 4", c::changes_d, false, false, false, true},
        {"sfpxor 0, L{a}, L{d}, 0", c::changes_d, false, false, false, true},
        {"sfpand 0, L{a}, L{d}, 0", c::changes_d, false, true},
        {"sfpsetsgn 0, L{a}, L{d}, 0", c::changes_d, false, false},
        {"sfpsetman 0, L{a}, L{d}, 0", c::changes_d, false, true},
        {"sfpswap 0, L{a}, L{d}, 0", c::changes_d, true, true},
        {"sfpswap 0, L{a}, L{d}, 1", c::changes_d, true, true},
        {"sfpmuli 0x4000, L{d}, 0", c::changes_only_d, true, false, true},
        {"sfpshft {s}, L{d}, L{d}, 1", c::changes_only_d, false, true},
    };
    const unsigned body = instructions > loads + 1 ? instructions - loads - 1 : 0;
    const unsigned flagged_from = with_flags ? below(numbers, body) : body;
    std::set<const char*> used;
    bool has_canceller = false;
    const auto some = [&] { return live[below(numbers, live.size())]; };
    // Some kernels are all for one sub-unit.
    const char* const favourites[] = {"", "", "", "", "sfpm", "sfps"};
    const std::string favourite = favourites[below(numbers, std::size(favourites))];
    for (unsigned i = 0, trials = 0; i < body && trials < 80; ++trials) {
        const choice& one = choices[below(numbers, std::size(choices))];
        const unsigned a = some(), b = some();
        const unsigned d = one.how == c::writes && !with_flags ? below(numbers, 6) : some();
        // What changes its own operand, or the same twice, would let wrong schedules be right by chance.
        if (trials < 40 && std::string(one.format).rfind(favourite, 0) != 0) continue;
        const bool loses =
            one.loses || (one.is_float && mode != std::string("FP32")) || (one.may_cancel && has_canceller);
        if ((loses && !may_lose) || (one.how == c::changes_d && a == d) || !used.insert(one.format).second)
            continue;
        has_canceller |= one.may_cancel;
        if (i++ == flagged_from) {
            const unsigned on = some(), condition = 2 * below(numbers, 4);
            // Hardly any lane is zero, so that what is for these alone, or for the others, hardly matters.
            text += fmt::format("    sfpsetcc 0, L{}, L0, {}\n", on, may_lose ? condition : condition & 4u);
        }
        const int number = static_cast<int>(below(numbers, 20)) - 9;
        const int immediate = number == 0 && !may_lose ? 11 : number; // to add 0 is to copy
        text += "    " +
                fmt::format(fmt::runtime(one.format), fmt::arg("a", a), fmt::arg("b", b), fmt::arg("d", d),
                            fmt::arg("s", immediate)) +
                "\n";
        if (one.waits) text += "    sfpnop\n";
        // The latest result is stored.
        live.erase(std::remove(live.begin(), live.end(), d), live.end());
        live.push_back(d);
    }
    if (with_flags && body > 0) text += "    sfpencc 0, L0, L0, 0\n";
    // Nobody sees whether a value was stored where it came from, in lanes that are off neither.
    const char* targets[] = {"out", "x", loads > 1 ? "y" : "out"};
    const char* target = targets[below(numbers, body > 0 && !with_flags ? 3 : 1)];
    const auto access = [&](const char* what, unsigned lreg, const char* mod, const char* address) {
        text += fmt::format("    {} L{}, {}, {}, {}\n", what, lreg, mode, mod, address);
    };
    unsigned ending = below(numbers, with_flags ? 1 : 7);
    // These have one themselves.
    if (has_canceller && !may_lose && ending > 1) ending = 0;
    switch (ending) {
    case 1: // two results
        access("sfpstore", live.back(), stay, target);
        access("sfpstore", live.front(), step, "more");
        break;
    case 2: // what is stored comes back
        access("sfpstore", live.back(), stay, target);
        access("sfpload", 6, stay, target);
        text += "    sfpnot 0, L6, L6, 0\n";
        access("sfpstore", 6, step, "more");
        break;
    case 3: // what the row before stored
        access("sfpload", 6, stay, "before");
        text += fmt::format("    sfpxor 0, L6, L{}, 0\n", live.back());
        access("sfpstore", live.back(), step, "more");
        break;
    case 4: // a sum over the rows
        text += fmt::format("    sfpiadd 0, L{}, L7, 4\n", live.back());
        access("sfpstore", 7, step, "more");
        break;
    default: access("sfpstore", live.back(), step, target); break;
    }
    return text;
}

} // namespace sfpu::test
