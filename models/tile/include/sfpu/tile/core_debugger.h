// A core of a tile for a debugger: where it is, what it holds, halting, steps, breakpoints.
#pragma once

#include <sfpu/tile/tile.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sfpu {

/// One core; any number of them may look at one tile, which must outlive them. It costs nothing while it is
/// not used. Call it while the core does not execute: between two calls of sc_start(), or in a process of
/// yours. Everything is of the moment to which the core has got: a core runs ahead of simulated time by up to
/// the global quantum (none, of a quantum of zero).
///
/// A halted core stays where it is in its program. Simulated time, other cores, and words that have been
/// pushed go on. The clock of a core that goes on is at the present simulated time at least.
class core_debugger {
public:
    /// `core`: 0 to 2 for T0 to T2, tile::b_core for B. Throws std::out_of_range if the tile lacks it.
    core_debugger(tile& of, unsigned core);

    /// Why a core does not run.
    enum class state : std::uint8_t {
        running, ///< or asleep in an access or in wfi
        halted,  ///< by halt(), by step(), or at a breakpoint
        held,    ///< by its reset
        ended,   ///< its program has ended or trapped, or its cycle limit has come
    };
    state now() const;

    /// The core halts before its next instruction; one that waits in an access, when that is over; one that
    /// is held by its reset, when it leaves that, before its first instruction.
    void halt();
    /// It goes on, past a breakpoint at which it stands. Nothing happens unless it is halted.
    void resume();
    /// It executes one instruction when simulated time goes on, and halts again. Tensix words that one cycle
    /// pushes together are one instruction (parameter hart.fuse_tensix_words), and so is a trap.
    void step();
    /// Notified when a core stops running, at its own time: halted, ended, trapped.
    const sc_core::sc_event& stopped_event() const;

    /// It halts before the instruction at this address, whenever it comes there. Breakpoints outlive resets.
    void set_breakpoint(std::uint32_t address);
    void clear_breakpoint(std::uint32_t address);

    /// Of its next instruction.
    std::uint32_t pc() const;
    void set_pc(std::uint32_t pc);
    /// x0 to x31; a write of x0 is lost. Throws std::out_of_range above.
    std::uint32_t reg(unsigned number) const;
    void set_reg(unsigned number, std::uint32_t value);
    /// As a program would read or write it; nothing, or false, where a program would trap.
    std::optional<std::uint32_t> csr(unsigned number);
    bool set_csr(unsigned number, std::uint32_t value);
    /// Cycles of the core since the tile's reset, and instructions that it has retired.
    cycles cycle() const;
    std::uint64_t instructions() const;

    /// Memory as the core sees it, its own data RAM at 0xFFB00000, without time or side effects. False if a
    /// part of it is no memory. Code that is written is seen at once.
    bool read(std::uint32_t address, unsigned char* data, std::size_t count);
    bool write(std::uint32_t address, const unsigned char* data, std::size_t count);
    /// The instruction at an address in the words of the assembler; empty if there is no memory.
    std::string instruction_at(std::uint32_t address);

private:
    riscv::hart& hart() const;

    tile& tile_;
    unsigned core_;
};

} // namespace sfpu
