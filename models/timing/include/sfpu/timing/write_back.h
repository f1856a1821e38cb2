// Rules T2, T2a, T3, T4 and T8: when results become visible, and who wins if two arrive together.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/execution.h>
#include <sfpu/isa/state.h>
#include <sfpu/timing/schedule_recorder.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::timing {

/// Where a result comes from. SFPSWAP and the two-cycle SFPSHFT2 share a place in the write order (T2a).
enum class result_port : std::uint8_t { mad, swap, shuffle, simple, round, load };
constexpr unsigned result_port_count = 6;

/// The port through which an instruction's results go.
constexpr result_port port_of(const isa::instruction& insn) {
    if (insn.latency == isa::latency_class::swap) return result_port::swap;
    if (insn.latency == isa::latency_class::shuffle) return result_port::shuffle;
    if (insn.unit == isa::sub_unit::mad) return result_port::mad;
    if (insn.unit == isa::sub_unit::round) return result_port::round;
    return insn.unit == isa::sub_unit::simple ? result_port::simple : result_port::load;
}

/// Cycles from reading operands to the end of the cycle that writes, counted inclusively: 1 is the same cycle.
unsigned latency_of(result_port port, const parameters& config);
inline unsigned latency_of(const isa::instruction& insn, const parameters& config) {
    return latency_of(port_of(insn), config);
}

/// Results under way. Every instruction reads the registers as they were at the start of its cycle (T2); its results
/// wait here until the end of the last cycle of its latency.
class write_back {
public:
    static constexpr unsigned depth = 8; ///< the longest latency

    void reset(const parameters& config);

    /// Whether what becomes visible at the end of the cycle goes to other registers than an instruction writes.
    bool independent_of(const isa::instruction& insn, cycles at) const {
        return (due_[slot(at)].lregs & insn.use.results()) == 0;
    }

    /// The set for results that become visible at the end of cycle `commit`; it is empty.
    isa::write_set& open(result_port port, cycles commit) {
        return sets_[static_cast<unsigned>(port)][slot(commit)];
    }
    /// Says that the set is filled with what an instruction writes; `lregs` are the registers that it may write.
    void close(result_port port, cycles commit, std::uint32_t lregs) {
        due& then = due_[slot(commit)];
        then.ports |= 1u << static_cast<unsigned>(port);
        then.lregs |= lregs;
        if (last_ < commit) last_ = commit;
    }
    /// Writes a set whose registers nobody else reads or writes in the meantime, and empties it.
    static void write_now(isa::write_set& set, isa::vector_state& state) {
        if (set.count == 1 && set.entries[0].mask == all_lanes) {
            state.lreg[set.entries[0].lreg] = set.storage[0];
            set.clear();
        } else {
            write(set, state);
        }
    }

    /// Start of a cycle: SFPSWAP reads its operands again, before anything of this cycle is written (T8).
    void begin_cycle(cycles at, const isa::vector_state& state) {
        if (due_[slot(at)].ports & 1u << static_cast<unsigned>(result_port::swap)) read_exchange(at, state);
    }

    /// Two results for the same lanes of one register in one cycle.
    struct collision {
        unsigned lreg = 0;
        const isa::write_set* loser = nullptr;
        const isa::write_set* winner = nullptr;
    };
    /// End of a cycle: writes what is due in the order of T2a. If two results met, `found.loser` is not null.
    void commit(cycles at, isa::vector_state& state, collision& found) {
        const unsigned ports = due_[slot(at)].ports;
        due_[slot(at)] = {};
        if (ports != 0) apply(at, ports, state, found);
    }
    /// The same if results of at most one port are due, which cannot meet; false, and nothing is done, if of more.
    bool commit_one(cycles at, isa::vector_state& state) {
        const unsigned ports = due_[slot(at)].ports;
        if (ports == 0) return true;
        if ((ports & (ports - 1)) != 0) return false;
        due_[slot(at)] = {};
        write_now(sets_[first_port(ports)][slot(at)], state);
        return true;
    }

    /// Whether results are still on their way after the end of cycle `at`.
    bool pending_after(cycles at) const { return last_ > at; }
    /// Adds what is on its way at the start of cycle `now`.
    void describe(cycles now, situation& to) const;
    /// The same for a recording that starts now.
    std::vector<pending_result> pending(cycles now) const;

private:
    static unsigned slot(cycles at) { return static_cast<unsigned>(at.count()) % depth; }
    static unsigned first_port(unsigned ports) { return static_cast<unsigned>(__builtin_ctz(ports)); }
    void read_exchange(cycles at, const isa::vector_state& state);
    static void write(isa::write_set& set, isa::vector_state& state);
    void apply(cycles at, unsigned ports, isa::vector_state& state, collision& found);
    void find_collision(cycles at, unsigned ports, collision& found) const;

    std::array<std::array<isa::write_set, depth>, result_port_count> sets_;
    struct due {
        std::uint32_t ports = 0, lregs = 0; ///< a bit each
    };
    std::array<due, depth> due_{};                       ///< by commit cycle
    std::array<result_port, result_port_count> order_{}; ///< first applied first
    cycles last_{-1};
};

/// The order of ports that a write_order parameter stands for.
std::array<result_port, result_port_count> port_order(write_order order);

} // namespace sfpu::timing
