// Delays in front of pushes, as the vendor's NOP injector puts them into a program to find races
// (tt-metal 53394, 56297). Pure C++.
#pragma once

#include <cstdint>
#include <unordered_set>

namespace sfpu::riscv {

/// Of the places in a program that push Tensix words, a quarter is chosen. Each of them is delayed by the
/// same number of NOPs whenever it executes: NOPs of the core, which hold the push while the front end goes
/// on, or Tensix NOPs in front of the word, which hold what comes behind them in the front end, too. Which
/// places, by which kind, and by how many follows from the seed, the core and the address, and from nothing
/// else.
struct push_jitter {
    static constexpr unsigned longest = 1000;

    std::uint64_t seed = 0;
    unsigned most = 100; ///< NOPs of one delay, 1 to `longest`; the vendor's goes up to 100
};

/// What was done.
struct jitter_counters {
    std::uint64_t places = 0, delays = 0; ///< in the programs; executed
    std::uint64_t core_nops = 0;          ///< a cycle each
    std::uint64_t tensix_nops = 0;        ///< words that were pushed

    jitter_counters& operator+=(const jitter_counters& other) {
        places += other.places;
        delays += other.delays;
        core_nops += other.core_nops;
        tensix_nops += other.tensix_nops;
        return *this;
    }
};

/// What stands in front of one push.
struct push_delay {
    unsigned core_nops = 0, tensix_nops = 0; ///< one of them is zero
};

/// The delays of one core. While a REPLAY records, or may do so out of a MOP, Tensix NOPs would be recorded
/// instead of the program's words: NOPs of the core take their place.
class push_delays {
public:
    static constexpr std::uint32_t nop = 0x02000000; ///< the Tensix word

    /// `core`: mhartid. `pushes_nops`: false for a core whose words enter behind the MOP expander.
    push_delays(const push_jitter& how, unsigned core, bool pushes_nops)
        : how_(how), core_(core), pushes_nops_(pushes_nops) {}

    bool is_delayed(std::uint32_t pc) const { return (mixed(pc) & 3u) == 0; }
    /// The push at this address executes.
    push_delay before(std::uint32_t pc);
    /// This word was pushed.
    void pushed(std::uint32_t word);
    /// A word of the MOP expander's configuration was written.
    void mop_configured(std::uint32_t word);

    const jitter_counters& counters() const { return counters_; }

private:
    std::uint64_t mixed(std::uint32_t pc) const;

    push_jitter how_;
    unsigned core_;
    bool pushes_nops_;
    unsigned to_record_ = 0;
    std::unordered_set<std::uint32_t> places_;
    jitter_counters counters_;
};

} // namespace sfpu::riscv
