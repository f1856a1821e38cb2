// Small random kernels.
#include "random_choice.h"
#include "schedule_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sfpu::test {

namespace {

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

class kernel_writer {
public:
    kernel_writer(std::mt19937& numbers, architecture chip, bool with_flags, bool may_lose)
        : numbers_(numbers), bh_(chip == architecture::blackhole), with_flags_(with_flags),
          may_lose_(may_lose) {
        const char* modes[] = {"INT32", "FP32", "INT32", "UINT16"};
        mode_ = modes[below(numbers_, may_lose_ ? 4 : 3)];
    }

    std::string write(unsigned instructions) {
        text_ = fmt::format(".arch {}\n.rows 12\n.equ x, 0x00\n.equ y, 0x40\n.equ out, 0x80\n.equ "
                            "more, 0xc4\n.equ before, 0xc2\n.init\n    sfploadi L7, USHORT, 5\n{}{}.loop\n",
                            bh_ ? "bh" : "wh",
                            bh_ ? "    setc16 34, 2\n    setc16 35, 0\n"
                                : "    setc16 2, 1\n    setc16 29, 2\n    setc16 30, 0\n",
                            with_flags_ ? "    sfpencc 3, 0, 0, 10\n" : "");
        const unsigned loads = 1 + (instructions > 2 && one_in(numbers_, 2) ? 1u : 0u);
        for (unsigned i = 0; i < loads; ++i) {
            access("sfpload", i, stay(), i ? "y" : "x");
            live_.push_back(i);
        }
        const unsigned body = instructions > loads + 1 ? instructions - loads - 1 : 0;
        write_body(body);
        if (with_flags_ && body > 0) text_ += "    sfpencc 0, L0, L0, 0\n";
        // Nobody sees whether a value was stored where it came from, in lanes that are off neither.
        const char* targets[] = {"out", "x", loads > 1 ? "y" : "out"};
        write_end(targets[below(numbers_, body > 0 && !with_flags_ ? 3 : 1)]);
        return text_;
    }

private:
    const char* step() const { return bh_ ? "ADDR_MOD_6" : "ADDR_MOD_2"; }
    const char* stay() const { return bh_ ? "ADDR_MOD_7" : "ADDR_MOD_3"; }
    unsigned some() { return live_[below(numbers_, live_.size())]; }
    void access(const char* what, unsigned lreg, const char* mod, const char* address) {
        text_ += fmt::format("    {} L{}, {}, {}, {}\n", what, lreg, mode_, mod, address);
    }

    void write_body(unsigned body) {
        const unsigned flagged_from = with_flags_ ? below(numbers_, body) : body;
        std::set<const char*> used;
        // Some kernels are all for one sub-unit.
        const char* const favourites[] = {"", "", "", "", "sfpm", "sfps"};
        const std::string favourite = favourites[below(numbers_, std::size(favourites))];
        for (unsigned i = 0, trials = 0; i < body && trials < 80; ++trials) {
            const choice& one = choices[below(numbers_, std::size(choices))];
            const unsigned a = some(), b = some();
            const unsigned d = one.how == c::writes && !with_flags_ ? below(numbers_, 6) : some();
            // What changes its own operand, or the same twice, would let wrong schedules be right by chance.
            if (trials < 40 && std::string(one.format).rfind(favourite, 0) != 0) continue;
            const bool loses = one.loses || (one.is_float && mode_ != std::string("FP32")) ||
                               (one.may_cancel && has_canceller_);
            if ((loses && !may_lose_) || (one.how == c::changes_d && a == d) ||
                !used.insert(one.format).second)
                continue;
            has_canceller_ |= one.may_cancel;
            if (i++ == flagged_from) change_flags();
            write_instruction(one, a, b, d);
        }
    }

    void change_flags() {
        const unsigned on = some(), condition = 2 * below(numbers_, 4);
        // Hardly any lane is zero, so that what is for these alone, or for the others, hardly matters.
        text_ += fmt::format("    sfpsetcc 0, L{}, L0, {}\n", on, may_lose_ ? condition : condition & 4u);
    }

    void write_instruction(const choice& one, unsigned a, unsigned b, unsigned d) {
        const int number = static_cast<int>(below(numbers_, 20)) - 9;
        const int immediate = number == 0 && !may_lose_ ? 11 : number; // to add 0 is to copy
        text_ += "    " +
                 fmt::format(fmt::runtime(one.format), fmt::arg("a", a), fmt::arg("b", b), fmt::arg("d", d),
                             fmt::arg("s", immediate)) +
                 "\n";
        if (one.waits) text_ += "    sfpnop\n";
        // The latest result is stored.
        live_.erase(std::remove(live_.begin(), live_.end(), d), live_.end());
        live_.push_back(d);
    }

    void write_end(const char* target) {
        unsigned ending = below(numbers_, with_flags_ ? 1 : 7);
        // These have one themselves.
        if (has_canceller_ && !may_lose_ && ending > 1) ending = 0;
        switch (ending) {
        case 1: // two results
            access("sfpstore", live_.back(), stay(), target);
            access("sfpstore", live_.front(), step(), "more");
            break;
        case 2: // what is stored comes back
            access("sfpstore", live_.back(), stay(), target);
            access("sfpload", 6, stay(), target);
            text_ += "    sfpnot 0, L6, L6, 0\n";
            access("sfpstore", 6, step(), "more");
            break;
        case 3: // what the row before stored
            access("sfpload", 6, stay(), "before");
            text_ += fmt::format("    sfpxor 0, L6, L{}, 0\n", live_.back());
            access("sfpstore", live_.back(), step(), "more");
            break;
        case 4: // a sum over the rows
            text_ += fmt::format("    sfpiadd 0, L{}, L7, 4\n", live_.back());
            access("sfpstore", 7, step(), "more");
            break;
        default: access("sfpstore", live_.back(), step(), target); break;
        }
    }

    std::mt19937& numbers_;
    const bool bh_, with_flags_, may_lose_;
    const char* mode_ = nullptr;
    std::string text_;
    std::vector<unsigned> live_; ///< registers with values that nothing has stored
    bool has_canceller_ = false;
};

} // namespace

std::string random_kernel(std::mt19937& numbers, architecture chip, unsigned instructions, bool with_flags,
                          bool may_lose) {
    return kernel_writer(numbers, chip, with_flags, may_lose).write(instructions);
}

} // namespace sfpu::test
