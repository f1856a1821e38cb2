// A RISC-V hart as a module.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/systemc_version.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/reporter.h>
#include <sfpu/riscv/hart_core.h>
#include <sfpu/riscv/hart_turns.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace sfpu::riscv {

/// Executes instructions in a thread of its own, ahead of simulated time by at most the global quantum.
/// Quantum zero: every instruction happens at its own time. All instructions execute at their exact cycles in
/// any case; what the quantum changes is when other models see them.
///
/// `bus_isock` fetches, loads and stores: 1, 2 or 4 bytes, aligned, the cycle of the access in the annotated
/// delay. Whatever the target adds to the delay is time of the access: added to the load latency of the
/// address region, to the occupation of the store queue (memory), or to the hart's own time (devices). DMI is
/// asked for and used where granted; its latencies are the time of one access. An error response is an access
/// fault. `tensix_isock` pushes Tensix words: writes of 4 bytes to address 0, streaming width 4. Words that
/// the hart fuses are transactions at the same time. If it stays unbound, the words are stores to 0xFFE40000
/// on `bus_isock`. Targets that answer a push_order, there or behind 0xFFE40000 of the bus, get several words
/// in one transaction.
///
/// Nothing runs before reset().
class hart : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<hart, 32> bus_isock;
    tlm_utils::simple_initiator_socket_optional<hart, 32> tensix_isock;

    hart(const sc_core::sc_module_name& name, coprocessor* unit = nullptr);
    ~hart() override;

    /// What is attached besides sockets: read-only values of the CSRs 0xBC0 and 0xBC1. Without one they read
    /// as zero.
    using status_function = std::function<std::uint32_t(unsigned csr, const sc_core::sc_time& at)>;
    void set_tensix_status(status_function status);

    /// Addresses, both ends inclusive.
    struct address_range {
        std::uint32_t first, last;
    };
    /// Among harts that see each other: loads, stores and status CSRs happen at their simulated time, each in
    /// its turn, except those of addresses that are private to this hart. Pushes and fetches run ahead still.
    /// Call it once.
    void share(hart_turns& turns, std::vector<address_range> private_addresses);
    /// For accesses on this hart's behalf that do not go through its sockets: waits, in its thread, until it
    /// may access what it shares at this cycle. False if the hart was stopped before that. Nothing happens if
    /// it shares nothing.
    bool synchronise(cycles at);

    /// Back to cycle zero, which begins now, and to the setup's reset address; the thread starts over. If it
    /// sleeps inside an access, that is given up: the thread leaves the target as any SystemC process that is
    /// reset, by an exception that destructors see and that a target must not keep. Call it outside the
    /// thread: before sc_start(), between two of them, or in another process. Observer and reporter may be
    /// null.
    void reset(const parameters& config, const hart_setup& setup,
               probe::pipeline_observer* observer = nullptr, probe::reporter* reporter = nullptr);

    /// The hart is held, as by a reset pin: it stops at once, in whatever it is, and start() begins anew.
    /// Call it outside the thread, like reset().
    void hold();
    /// Registers and counters as after reset(), cycles go on counting; executes from `pc` on. After reset(),
    /// which it needs once.
    void start(std::uint32_t pc);

    /// The pin of interrupt 3 (software), 7 (timer) or 11 (external).
    void set_interrupt(unsigned interrupt, bool pending);
    /// Somebody may raise interrupts: wfi waits for them, and while one could be taken the hart does not run
    /// ahead. Call it once.
    void expect_interrupts();

    /// The hart stops for good when it reaches this cycle (outcome::cycle_limit).
    void set_cycle_limit(cycles limit);
    /// Ends the run after the present instruction (outcome::stopped); for listeners.
    void stop();

    // For debuggers, outside the hart's thread. What is halted stays where it is in the program while
    // simulated time goes on.

    /// The hart halts (outcome::halted) before its next instruction: at once, or when the access that it
    /// waits in is over. One that is held halts when it is started, before its first instruction. A hart that
    /// runs ahead of simulated time halts where it has got to.
    void halt();
    /// A halted hart goes on; it does not stop at a breakpoint that it stands at.
    void resume();
    /// A halted hart executes one instruction when simulated time goes on (Tensix words that it pushes in one
    /// cycle are one), and halts again.
    void step();

    enum class outcome : std::uint8_t { running, stopped, trapped, cycle_limit, halted };
    outcome state() const;
    /// Notified when state() is no longer `running`, at the hart's own time.
    const sc_core::sc_event& ended_event() const;

    /// How many words at most go in one transaction, 1 to 64. Changes nothing but the speed.
    void set_longest_push(unsigned words);

    /// Whether retired instructions are published as well (lane "retire"). Stalls always are, if there is an
    /// observer.
    void publish_retired(bool wanted, cycles from = cycles{},
                         cycles to = cycles{std::numeric_limits<std::int64_t>::max()});

    hart_core& core();
    const hart_core& core() const;
    /// Told of traps without a handler and of watched stores (hart_core::watch_stores).
    void set_listener(hart_listener* listener);

private:
    class adapter;
    /// Processes live as long as the simulation: what is destroyed before its elaboration has none.
    void end_of_elaboration() override;
    void invalidate_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last);

    std::unique_ptr<adapter> adapter_;
};

} // namespace sfpu::riscv
