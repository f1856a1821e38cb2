// Two tiles in a platform of our own: an interconnect, a shared memory, a DMA initiator, a free-running
// timer, and an initiator that runs ahead of simulated time. Written from docs/integration.md.
#pragma once

#include <sfpu/tile/tile.h>

#include <systemc>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace vp {

/// Memory that several initiators share, 64 KiB.
class shared_memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<shared_memory, 32> tsock{"tsock"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(0x10000);

    explicit shared_memory(const sc_core::sc_module_name& name);

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
};

/// Addresses of the platform: the shared memory at 0x40000000, tile n's own addresses from (n + 1) << 32 on.
constexpr std::uint64_t shared_base = 0x40000000u, shared_bytes = 0x10000u;
constexpr std::uint64_t in_tile(unsigned tile, std::uint64_t address) {
    return (tile + 1ull) << 32 | address;
}

/// Routes by address; passes on direct access and its end.
class interconnect : public sc_core::sc_module {
public:
    tlm_utils::multi_passthrough_target_socket<interconnect, 32> tsock{"tsock"};
    tlm_utils::multi_passthrough_initiator_socket<interconnect, 32> isock{
        "isock"}; ///< shared memory, then the tiles

    explicit interconnect(const sc_core::sc_module_name& name);

private:
    /// The target and what to subtract from the address; -1 if there is none.
    int route(std::uint64_t address, std::uint64_t& base) const;
    void b_transport(int, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int, tlm::tlm_generic_payload& trans);
};

/// Copies blocks, 16 bytes a transaction.
class dma : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<dma, 32> isock{"isock"};

    explicit dma(const sc_core::sc_module_name& name);

    /// For other processes: copies and comes back when it is done.
    void copy(std::uint64_t from, std::uint64_t to, unsigned bytes);

private:
    void access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes);
};

/// Its output is high for the first half of each period.
class timer : public sc_core::sc_module {
public:
    sc_core::sc_out<bool> tick{"tick"};

    timer(const sc_core::sc_module_name& name, const sc_core::sc_time& period);

private:
    void run();
    sc_core::sc_time period_;
};

/// Counts in a word of the shared memory, ahead of simulated time by up to the global quantum.
class runner : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<runner, 32> isock{"isock"};
    std::uint32_t count = 0;

    explicit runner(const sc_core::sc_module_name& name);

private:
    void run();
};

/// Loads the tiles, boots them, and waits for their interrupts.
class board : public sc_core::sc_module {
public:
    sfpu::tile tile_a, tile_b;
    shared_memory memory{"memory"};
    interconnect bus{"bus"};
    dma mover{"mover"};
    timer ticks;
    runner ahead{"ahead"};
    tlm_utils::simple_initiator_socket<board, 32> isock{"isock"};
    sc_core::sc_signal<bool> tick{"tick"};
    std::array<sc_core::sc_signal<bool>, 2> finished;

    /// `kernels`: words for each tile.
    board(const sc_core::sc_module_name& name, std::array<std::vector<std::uint32_t>, 2> kernels);

    bool is_finished() const { return is_finished_; }
    /// The results of a tile's 16 elements, in the shared memory.
    std::array<std::uint16_t, 16> results(unsigned tile) const;
    /// The cause of the interrupt that a tile's core took.
    std::uint32_t cause(unsigned tile);

private:
    void host();
    void store(std::uint64_t address, std::uint32_t word);
    void load_program(unsigned tile);

    std::array<std::vector<std::uint32_t>, 2> kernels_;
    bool is_finished_ = false;
};

/// Operand i of tile n.
constexpr std::uint16_t operand(unsigned tile, unsigned i) {
    return static_cast<std::uint16_t>(100 * tile + 7 * i);
}

} // namespace vp
