// Rules T2, T2a, T3, T4 and T8: values on their way to registers, and who wins if two arrive together.
//
// When a result is due is the planner's business; here are the values.
#pragma once

#include <sfpu/isa/execution.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::timing {

/// Where a result comes from: one for each place in the write order (T2a). SFPSWAP and the two-cycle SFPSHFT2
/// share one.
enum class result_port : std::uint8_t { mad, second_mad, swap, shuffle, simple, round, load, second_load };
constexpr unsigned result_port_count = 8;
/// A set of ports, bit i is port i.
using port_set = std::uint8_t;
constexpr port_set only(result_port port) { return static_cast<port_set>(1u << static_cast<unsigned>(port)); }

/// The port through which an instruction's results go. `instance`: of the units of its kind.
constexpr result_port port_of(const isa::instruction& insn, unsigned instance) {
    if (insn.latency == isa::latency_class::swap) return result_port::swap;
    if (insn.latency == isa::latency_class::shuffle) return result_port::shuffle;
    if (insn.unit == isa::sub_unit::mad) return instance ? result_port::second_mad : result_port::mad;
    if (insn.unit == isa::sub_unit::round) return result_port::round;
    if (insn.unit == isa::sub_unit::simple) return result_port::simple;
    return instance ? result_port::second_load : result_port::load;
}

/// The order of ports that a write_order parameter stands for, first applied first.
std::array<result_port, result_port_count> port_order(write_order order);

/// Values under way. Every instruction reads the registers as they were at the start of its cycle (T2); its
/// results wait here until the end of the last cycle of its latency.
class write_back {
public:
    write_back() { reset(isa::make_machine({})); }
    void reset(const isa::machine& machine);

    /// The set for results that become visible at the end of cycle `commit`; it is empty.
    isa::write_set& open(result_port port, cycles commit) { return set(port, commit); }

    /// Writes a set whose registers nobody else reads or writes in the meantime, and empties it.
    static void write_now(isa::write_set& set, isa::vector_state& state) {
        if (set.count == 1 && set.entries[0].mask == all_lanes) {
            state.lreg[set.entries[0].lreg] = set.storage[0];
            set.clear();
        } else {
            write(set, state);
        }
    }

    /// Start of a cycle in which SFPSWAP writes: it reads its operands again, before anything of this cycle
    /// is written (T8).
    void read_exchange(cycles at, const isa::vector_state& state);

    /// Two results for the same lanes of one register in one cycle.
    struct collision {
        unsigned lreg = 0;
        const isa::write_set* loser = nullptr;
        const isa::write_set* winner = nullptr;
    };
    /// End of a cycle: writes what is due at `ports`, in the order of T2a. If two results met, `found.loser`
    /// is not null.
    void commit(cycles at, port_set ports, isa::vector_state& state, collision& found);
    /// The same for one port, where nothing can meet.
    void commit_one(cycles at, port_set port, isa::vector_state& state) {
        write_now(set(static_cast<result_port>(__builtin_ctz(port)), at), state);
    }

    /// The registers that results are due for at the end of a cycle.
    isa::register_set registers(cycles at, port_set ports) {
        isa::register_set result = 0;
        for (unsigned port = 0; port < result_port_count; ++port)
            if (ports >> port & 1u) result |= set(static_cast<result_port>(port), at).lregs();
        return result;
    }

    /// Who wrote the results that are under way, to be changed if the instructions move.
    std::vector<const isa::instruction**> writers() {
        std::vector<const isa::instruction**> result;
        for (isa::write_set& set : sets_)
            if (!set.empty()) result.push_back(&set.insn);
        return result;
    }

private:
    isa::write_set& set(result_port port, cycles commit) {
        return sets_[static_cast<unsigned>(port) * depth_ +
                     (static_cast<std::uint64_t>(commit.count()) & (depth_ - 1))];
    }
    static void write(isa::write_set& set, isa::vector_state& state);
    void find_collision(cycles at, port_set ports, collision& found);

    unsigned depth_ = 1; ///< a power of two, not below the longest latency
    std::vector<isa::write_set> sets_;
    std::array<result_port, result_port_count> order_{}; ///< first applied first
};

} // namespace sfpu::timing
