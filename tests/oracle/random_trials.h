// Random programs, states and machines, weighted to what goes wrong: short distances, few registers, halves
// of registers, flags, and machines with latencies, units and rules of their own.
#pragma once

#include "trial.h"

#include "random_choice.h"

#include <random>

namespace sfpu::oracle {

/// Machines of both chips with other values for `percent` of the parameters of the vector unit; every eighth
/// is a chip.
parameters random_machine(std::uint32_t seed, unsigned percent = 35);

class random_trials {
public:
    explicit random_trials(std::uint32_t seed) : numbers_(seed) {}

    /// The next program, for this machine.
    trial next(const parameters& machine, bool has_macros);

private:
    unsigned pick(std::size_t end) { return test::below(numbers_, end); }
    bool chance(unsigned percent) { return pick(100) < percent; }
    bool blackhole() const { return trial_.machine.arch == architecture::blackhole; }

    // The state before the program.
    std::uint32_t value();
    void fill_state();
    void fill_macros();
    std::uint32_t template_of(unsigned unit);

    // Words.
    unsigned lreg();   ///< of the few that this program uses
    unsigned source(); ///< or a constant
    std::uint32_t fields(unsigned code, unsigned imm12, unsigned c, unsigned d, unsigned modifier) const;
    std::uint32_t access(unsigned code);
    std::uint32_t load_immediate();
    std::uint32_t mad();
    std::uint32_t simple();
    std::uint32_t flag_writer();
    std::uint32_t round();
    std::uint32_t swap();
    std::uint32_t shuffle();
    std::uint32_t random_number();
    std::uint32_t configure();
    std::uint32_t template_write();
    std::uint32_t front_end();
    std::uint32_t load_macro();
    std::uint32_t word();
    void add_branches(unsigned depth);
    void add_replay();

    std::mt19937 numbers_;
    trial trial_;
    unsigned registers_ = 8; ///< L0 to below this are used most
    unsigned first_register_ = 0;
    bool has_flags_ = true;
};

} // namespace sfpu::oracle
