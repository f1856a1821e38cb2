// What a tile is made of, how its program ends, and how it is connected to the outside.
#pragma once

#include <sfpu/tile/tile.h>

#include "host_services.h"
#include "tile_backend.h"
#include "tile_core.h"

#include <sfpu/memory/absent_registers.h>
#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/tile_control.h>
#include <sfpu/vector_unit/nonblocking_port.h>

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <limits>
#include <optional>

namespace sfpu {

/// Brings the front ends of all cores to a time, and with them the vector unit and what TensorLoad engines
/// write to Dst. A write takes its turn among the words: those of earlier cycles are issued before it.
class all_front_ends : public dst::lagging_model, public frontend::timed_writes {
public:
    explicit all_front_ends(vector_unit& unit) : unit_(unit) {}
    void add(frontend::front_end& one) { members_.push_back(&one); }
    /// An engine that keeps its writes.
    void add(tensorload::tensorload_engine& one) { engines_.push_back(&one); }
    /// All hand on their words before the vector unit is brought there: that moves the watermarks of all its
    /// ports.
    cycles catch_up(const sc_core::sc_time& until) override;
    void complete() override { unit_.complete(); }
    /// Everything that is issued or written happens, however late.
    void hand_on_all();

    cycles next() const override;
    void write_until(cycles at) override;

private:
    enum class activity : std::uint8_t { none, brings_to_a_write, writes_between_words };
    void write_before(cycles end);
    void write_first();
    tensorload::tensorload_engine* first_to_write() const;

    vector_unit& unit_;
    std::vector<frontend::front_end*> members_;
    std::vector<tensorload::tensorload_engine*> engines_;
    activity now_ = activity::none;
    sc_core::sc_time writing_at_; ///< of the write that is being done
};

struct tile::parts {
    parts(tile& of, const parameters& wanted, socket_binder* by);
    ~parts() {
        processes->owner = nullptr;
        four_phases->close();
    }
    parts(const parts&) = delete;
    parts& operator=(const parts&) = delete;

    static constexpr unsigned most_cores = 4;
    static constexpr cycles no_limit{std::numeric_limits<std::int64_t>::max()};

    /// Told by the hart of one core how the run ends.
    struct run_listener : riscv::hart_listener {
        parts& owner;
        unsigned core;
        run_listener(parts& all, unsigned number) : owner(all), core(number) {}
        void trapped(const riscv::unhandled_trap& trap) override { owner.end_by_trap(core, trap); }
        void watched_store(std::uint32_t address, unsigned, std::uint32_t, cycles at) override {
            owner.heard_store(core, address, at);
        }
        bool host_called(std::uint32_t operation, std::uint32_t parameter, std::uint32_t& result,
                         cycles at) override {
            return owner.host_called(core, operation, parameter, result, at);
        }
    };

    // Construction.
    template <class Initiator, class Target>
    void connect(Initiator& from, Target& to) {
        bind_sockets(binder, from, to);
    }
    void make_cores();
    void connect_registers();
    std::uint32_t status_of(unsigned core, unsigned csr, const sc_core::sc_time& at);
    void make_store_bus();
    bool stores_to_l1() const { return tensorload::store_binding(config) == l0m_binding::l1; }
    tlm::tlm_target_socket<32>& stores_of(unsigned core);
    /// One for the bus, then one for the loads of each engine, then one for the stores of each if they go to
    /// L1.
    unsigned l1_ports() const { return 1 + config.hart.count * (stores_to_l1() ? 2 : 1); }

    // Cores: 0 to 2 for T0 to T2, b_core for B.
    bool has_core(unsigned core) const { return core < cores.size() || (core == b_core && b); }
    riscv::hart& hart(unsigned core) { return core == b_core ? b->hart() : cores[core]->hart(); }
    const riscv::hart& hart(unsigned core) const { return core == b_core ? b->hart() : cores[core]->hart(); }
    template <class Action>
    void for_each_core(Action action) {
        for (unsigned core = 0; core < most_cores; ++core)
            if (has_core(core)) action(core);
    }
    void reset(const listeners& to);
    void start(unsigned core, std::uint32_t pc);
    void apply_soft_reset();
    void hold(unsigned core);
    void release(unsigned core);

    // The end of a program.
    void end_by_trap(unsigned core, const riscv::unhandled_trap& trap);
    void heard_store(unsigned core, std::uint32_t address, cycles at);
    void heard_completion(unsigned core, cycles at);
    void heard_tohost(unsigned core, cycles at);
    void end_by_word(unsigned core, std::uint32_t word, cycles at);
    bool host_called(unsigned core, std::uint32_t operation, std::uint32_t parameter, std::uint32_t& result,
                     cycles at);
    host_services host_of(unsigned core);
    void watch(unsigned core);
    std::optional<std::uint32_t> upper_half_to_come(unsigned core);
    void end_by_exit(std::uint32_t word, const sc_core::sc_time& time);
    void end(unsigned by, cycles at, bool stops_itself);
    unsigned core_of(unsigned initiator) const;
    cycles cycle_at(const sc_core::sc_time& time) const;

    // The outside.
    void connect_outside();
    bool is_outside_connected() const;
    void access(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    tlm::tlm_response_status judge(const tlm::tlm_generic_payload& trans) const;
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);
    void watch_reset();
    void watch_interrupts();
    void drive_interrupt();

    // Memory.
    void check_no_reset() const;
    void check_place(const riscv::elf_segment& segment, unsigned core) const;
    /// Where the outside sees what a core sees at an address.
    std::uint32_t place_of(std::uint32_t address, unsigned core) const;
    bool read_as(unsigned core, std::uint32_t address, unsigned char* data, std::size_t count);
    bool write_as(unsigned core, std::uint32_t address, const unsigned char* data, std::size_t count);
    std::optional<std::uint32_t> word_as(unsigned core, std::uint32_t address);
    void copy(const riscv::elf_image& program, unsigned core);
    std::size_t debug_access(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                             std::size_t count);

    tile& owner;
    socket_binder* const binder; ///< during construction; may be null
    parameters config;
    memory::tile_initiators ports;
    memory::bus bus;
    memory::l1_memory l1;
    memory::ram ram;
    memory::system_registers registers{"registers"};
    memory::tile_control control{"control"};
    memory::absent_registers absent;
    memory::core_queues queues{"queues"};
    dst::dst_memory dst{"dst"};
    vector_unit sfpu;
    all_front_ends front_ends{sfpu};
    tile_backend scalar_words; ///< of the Configuration Unit and the Scalar Unit
    frontend::sync_unit semaphores;
    frontend::front_end_group group;
    riscv::hart_turns turns;
    std::unique_ptr<memory::bus> store_bus; ///< TL.STORE to a place that the tile's own bus does not show
    std::unique_ptr<memory::ram> store_ram;
    std::vector<std::unique_ptr<tile_core>> cores;
    std::unique_ptr<tile_b_core> b;
    std::vector<std::unique_ptr<run_listener>> run_listeners;
    tlm_utils::simple_initiator_socket<parts, 32> debug_isock{"debug_isock"};
    const std::shared_ptr<nonblocking_port> four_phases;

    /// What the other processes of a tile share with it: SystemC cannot end those of one that is destroyed.
    struct lifeline {
        parts* owner;
        sc_core::sc_event soft_reset_written{"soft_reset_written"}, control_written{"control_written"};
    };
    const std::shared_ptr<lifeline> processes{new lifeline{this}};

    listeners heard_by;
    /// What ends the program of a core, and who hears what it prints.
    std::array<std::optional<std::uint32_t>, most_cores> tohost, fromhost;
    std::array<bool, most_cores> upper_half_is_void{}; ///< of tohost: of a request that has been served
    struct completion {
        std::uint32_t address = 0, value = 0, mask = 0;
        bool is_done = false;
    };
    std::array<std::optional<completion>, most_cores> completions;
    std::function<void(unsigned core, std::string_view text)> console;
    std::array<bool, most_cores> held{};
    std::uint32_t holds_asked = 0; ///< bits that were set in SOFT_RESET_0 since it was applied
    tile_status status;
    bool ended = false;
    cycles limit = no_limit; ///< of each hart
    bool is_in_reset = false;
    unsigned resets = 0;
    std::optional<unsigned> outside_turn; ///< of a tile that something is connected to
    sc_core::sc_time epoch;
    sc_core::sc_event done{"done"};
};

} // namespace sfpu
