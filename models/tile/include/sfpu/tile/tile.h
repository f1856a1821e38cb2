// A Tensix tile: RISC-V harts, their front ends and TensorLoad engines, one vector unit with its Dst, L1, the
// bus. A component for platforms: docs/integration.md says how to connect it.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/common/systemc_version.h>
#include <sfpu/dst/dst_storage.h>
#include <sfpu/memory/address_map.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/trace_options.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/hart.h>
#include <sfpu/riscv/hart_ports.h>
#include <sfpu/riscv/push_jitter.h>
#include <sfpu/tile/tile_register.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu {

class core_debugger;
class socket_binder;

/// A program does not fit the memory map, or comes while the tile is in its reset. The message names the
/// segment and what is there instead.
class load_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where a tile's program stands.
struct tile_status {
    enum class state : std::uint8_t {
        held,    ///< every core is held by its reset
        running, ///< a core runs, or sleeps
        ended,   ///< the program stored a non-zero word to EXIT or to its symbol `tohost`
        trapped, ///< a trap without a handler
    };
    state now = state::held;
    /// Who ended it: 0 to 2 for T0 to T2, tile::b_core for B, tile::outside by a store to EXIT from there.
    unsigned core = 0;
    std::uint32_t exit_word = 0;     ///< what it stored; 1 means success
    riscv::unhandled_trap trap = {}; ///< if one ended it
    std::string trap_reason = {};    ///< what the TensorLoad engine says of it, if it refused the instruction
};

/// An ordinary module: it never starts or stops the simulation, and any number of tiles fit into one. All
/// sockets and ports may stay unbound. Which parts exist follows from the configuration, which is fixed.
///
/// After construction and after each reset all cores are held: SOFT_RESET_0 (0xFFB121B0) has their bits set.
/// Who clears a core's bit lets it begin at its start address (TRISC0_RESET_PC and the following; B begins at
/// 0). load() does the same from C++.
///
/// T cores execute as mhartid 0 to 2, the B core (hart.b_core) as 3. Wormhole has no Dst window; there
/// TL.STORE goes to L1 unless tensorload.l0m says otherwise.
class tile : public sc_core::sc_module {
public:
    using input = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using output = sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    /// Everything inside, at the tile's addresses (outside_map()). Base protocol: blocking, with four phases,
    /// debug, and direct access to memories. A blocking access is done in its own time: it waits for the
    /// annotated delay first, so that initiators must be threads. With four phases END_REQ comes when the
    /// access is done, for a push when the FIFO has taken the word.
    tlm_utils::simple_target_socket_optional<tile, 32> tsock{"tsock"};
    /// What cores access outside the tile's ranges: blocking, debug, direct access. Addresses from 0xFFB00000
    /// on never leave.
    tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> isock{
        "isock"};

    /// Active high. Its rising edge is reset(); while it is high, accesses are TLM_GENERIC_ERROR_RESPONSE.
    input rst{"rst"};
    /// Levels, to all cores; mie of each says which of them it takes.
    input external_interrupt{"external_interrupt"}, timer_interrupt{"timer_interrupt"},
        software_interrupt{"software_interrupt"};
    output interrupt_out{
        "interrupt_out"}; ///< the level of bit 0 of INTERRUPT_OUT (sfpu/memory/tile_control.h)

    static constexpr unsigned b_core = 3;  ///< its number among the cores
    static constexpr unsigned outside = 4; ///< none of them, in tile_status::core

    /// What listens; any may be null.
    struct listeners {
        probe::pipeline_observer* observer = nullptr;
        diagnostic_sink* diagnostics = nullptr;
        hazard_policy hazards = hazard_policy::warn;
        bool retired = false; ///< the observer wants every instruction of the harts
        /// Of these cycles, both inclusive.
        cycles retired_from{}, retired_to{std::numeric_limits<std::int64_t>::max()};
    };

    /// `binder` binds the sockets inside (sfpu/common/socket_binder.h), so that monitors of yours can stand
    /// between them; may be null.
    tile(const sc_core::sc_module_name& name, const parameters& config, socket_binder* binder = nullptr);
    ~tile() override;

    /// Everything as after construction, and cycle 0 is the present simulated time. Accesses that wait inside
    /// are answered with TLM_GENERIC_ERROR_RESPONSE, direct access is taken back.
    void reset(const listeners& to);
    /// With the listeners of before.
    void reset();

    /// Copies the segments to memory, as a debug access would, and lets all T cores start at the entry point.
    /// Stores to the symbol `tohost` end the program, if there is one. Throws load_error, with the memory
    /// unchanged.
    void load(const riscv::elf_image& program);
    /// The same for one core: 0 to 2, or b_core. What the program has at 0xFFB00000 goes to the data RAM of
    /// that core. Throws std::out_of_range if the tile has no such core.
    void load(const riscv::elf_image& program, unsigned core);
    /// Copies the segments and takes the symbols `tohost` and `fromhost`, as load() does, without starting
    /// the core. Throws load_error and std::out_of_range.
    void place(const riscv::elf_image& program, unsigned core);
    /// Lets a core begin at an address, as load() does, with what stands there. Throws std::out_of_range and
    /// load_error.
    void start_core(unsigned core, std::uint32_t pc);
    /// Stores of any core to this word end the program, as those to `tohost` do, whenever the core is
    /// started. For programs that others have loaded. `fromhost`: where the answers to requests go.
    void watch_tohost(std::uint32_t address, std::optional<std::uint32_t> fromhost = std::nullopt);
    /// Of this core, a store that leaves this value in the bits `mask` of the word at the address says that
    /// it is done, and stores to `tohost` are none of the tile's business. When all cores watched so are
    /// done, the program has ended with the word 1. Throws std::out_of_range.
    void watch_completion(unsigned core, std::uint32_t address, std::uint32_t value,
                          std::uint32_t mask = 0xffffffffu);
    bool is_complete(unsigned core) const;

    /// Who hears what programs print: by HTIF (a request in `tohost`) or by semihosting. It outlives resets.
    /// `text` lives for the call, in the process of the core.
    using console_function = std::function<void(unsigned core, std::string_view text)>;
    void set_console(console_function console);

    /// Notified when the program has ended or trapped, at that time. A core that leaves its reset later goes
    /// on.
    const sc_core::sc_event& done_event() const;
    tile_status status() const;
    /// The word with which the program ended; 0 while it has not.
    std::uint32_t exit_code() const { return status().exit_word; }

    // For whoever runs a program to its end.

    /// What a core does.
    struct core_state {
        bool held = false; ///< by its reset
        riscv::hart::outcome outcome{};
        std::uint32_t pc = 0; ///< of its next instruction
        cycles now{};         ///< since reset
    };
    /// 0 to 2, or b_core. Nothing if the tile has no such core.
    std::optional<core_state> core(unsigned number) const;
    /// No core goes on behind this cycle.
    void set_cycle_limit(cycles limit);
    /// Ends a program that has not ended: done_event() does not come any more.
    void give_up();
    /// Parts that lag behind simulated time act up to the present, so that observers hear of it.
    void catch_up();
    /// Executes what was put off; the last cycle in which the vector unit did anything.
    cycles settle();

    /// See riscv::hart: how many words at most a hart pushes in one transaction. Changes nothing but the
    /// speed.
    void set_longest_push(unsigned words);

    /// Delays what cores push (sfpu/riscv/push_jitter.h) from the next reset on, or not. It outlives resets.
    void set_jitter(const std::optional<riscv::push_jitter>& how);
    /// What that did, of all cores, since each of them left its reset.
    riscv::jitter_counters jitter() const;

    /// Memory as the target socket shows it, through debug accesses, without time or side effects. False if a
    /// part of the range is no memory; a read has then filled, and a write has changed, nothing of the rest.
    bool read(std::uint32_t address, unsigned char* data, std::size_t count);
    bool write(std::uint32_t address, const unsigned char* data, std::size_t count);
    dst::image dst() const;
    /// Fills Dst, on both chips, behind everything that has been issued up to the present.
    void set_dst(const dst::image& rows);

    /// LRegs and lane flags, GPRs of the threads, configuration, registers of the cores. Always the same ones
    /// in the same order.
    std::vector<tile_register> registers() const;

    /// All regions for all initiators of the tile's bus; number 0 is core T0.
    const memory::address_map& map() const;
    /// What the target socket shows.
    memory::address_map outside_map() const;

    /// Counters of the vector unit, as of a kernel's run.
    probe::unit_counters vector_unit_counters() const;
    /// Instructions that all harts have retired.
    std::uint64_t hart_instructions() const;
    /// Counters of everything else, in the form of the statistics file.
    std::vector<probe::counter_group> counters() const;
    /// The lanes under which parts of the tile publish activity.
    std::vector<probe::activity_lane> lanes() const;

private:
    friend class core_debugger;
    struct parts;

    void end_of_elaboration() override;
    void end_of_simulation() override;
    void start(unsigned core, std::uint32_t pc);
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);

    std::unique_ptr<parts> parts_;
};

} // namespace sfpu
