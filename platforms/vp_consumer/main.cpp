// In one simulation: two vector units in surroundings of our own, a Blackhole that multiplies and a Wormhole
// that adds 256 pairs of numbers, and a board with two whole tiles.
#include "platform.h"
#include "tile.h"

#include <sfpu/isa/assembler.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

/// The body for each of eight slices of 32 cells; the addresses step by 2 (bit 1 picks the odd columns).
std::vector<std::uint32_t> assemble(const std::string& arithmetic, sfpu::architecture arch) {
    std::string text;
    for (unsigned slice = 0; slice < 8; ++slice) {
        const auto address = [&](unsigned row) { return std::to_string(row + 2 * slice) + "\n"; };
        text += "sfpload L0, UINT16, ADDR_MOD_3, " + address(vp::x_row);
        text += "sfpload L1, UINT16, ADDR_MOD_3, " + address(vp::y_row);
        text += arithmetic;
        text += "sfpstore L2, UINT16, ADDR_MOD_3, " + address(vp::result_row);
    }
    const sfpu::isa::assembly assembled = sfpu::isa::assemble(text, "program", arch);
    if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string());
    std::vector<std::uint32_t> words;
    for (const sfpu::isa::source_word& each : assembled.program.loop) words.push_back(each.word);
    return words;
}

sfpu::parameters chip(sfpu::architecture arch) {
    sfpu::parameters config;
    config.arch = arch;
    return config;
}

/// Prints one line; returns whether everything is as it should be.
template <class Operation>
bool judge(const vp::tile& tile, const vp::numbers& x, const vp::numbers& y, Operation expected) {
    unsigned right = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        right += tile.data_mover.results()[i] == static_cast<std::uint16_t>(expected(x[i], y[i]));
    const sfpu::unit_state& unit = tile.sfpu.state();
    const bool refused = tile.data_mover.dmi_was_refused();
    std::printf("%s (%s): %u of %zu results right, %lld cycles, %llu instructions, DMI %s\n", tile.name(),
                sfpu::long_name(unit.config.arch), right, x.size(),
                static_cast<long long>(tile.sfpu.cycles_used().count()),
                static_cast<unsigned long long>(unit.counters.instructions), refused ? "refused" : "granted");
    return right == x.size() && refused;
}

/// A kernel for the board: 16 elements of row 0 of Dst, even columns and odd ones, each with `arithmetic`
/// done.
std::vector<std::uint32_t> board_kernel(const std::string& arithmetic) {
    std::string text;
    for (const char* const address : {"0", "2"})
        text += std::string("sfpload L0, UINT16, ADDR_MOD_3, ") + address + "\n" + arithmetic +
                "sfpstore L0, UINT16, ADDR_MOD_3, " + address + "\n";
    const sfpu::isa::assembly assembled = sfpu::isa::assemble(text, "board", sfpu::architecture::blackhole);
    if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string());
    std::vector<std::uint32_t> words;
    for (const sfpu::isa::source_word& each : assembled.program.loop) words.push_back(each.word);
    return words;
}

bool judge(vp::board& board, unsigned tile, unsigned added) {
    unsigned right = 0;
    for (unsigned i = 0; i < 16; ++i) right += board.results(tile)[i] == vp::operand(tile, i) + added;
    const sfpu::tile& which = tile == 0 ? board.tile_a : board.tile_b;
    std::printf("%s: %u of 16 results right, exit code %u, interrupt cause %08x, the board %s\n",
                which.name(), right, which.exit_code(), board.cause(tile),
                board.is_finished() ? "finished" : "did not finish");
    return right == 16 && which.exit_code() == 1 && board.cause(tile) == 0x80000007u && board.is_finished();
}

bool simulate() {
    using sfpu::architecture;
    vp::numbers x{}, y{};
    for (unsigned i = 0; i < x.size(); ++i) {
        x[i] = static_cast<std::uint16_t>(i * 257u);
        y[i] = static_cast<std::uint16_t>(i * 40503u);
    }
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
    const vp::tile multiplier("multiplier", chip(architecture::blackhole),
                              assemble("sfpmul24 L0, L1, L9, L2, 0\n", architecture::blackhole), x, y);
    const vp::tile adder("adder", chip(architecture::wormhole),
                         assemble("sfpmov 0, L0, L2, 0\nsfpiadd 0, L1, L2, 4\n", architecture::wormhole), x,
                         y);
    vp::board board("board",
                    {board_kernel("sfpiadd 1, L0, L0, 5\n"), board_kernel("sfpiadd 9, L0, L0, 5\n")});
    sc_core::sc_start();
    const bool multiplied = judge(multiplier, x, y, [](unsigned a, unsigned b) { return a * b; });
    const bool added = judge(adder, x, y, [](unsigned a, unsigned b) { return a + b; });
    const bool board_is_right = judge(board, 0, 1) & judge(board, 1, 9) && board.ahead.count > 30;
    return multiplied && added && board_is_right;
}

} // namespace

int sc_main(int, char*[]) {
    try {
        return simulate() ? 0 : 1;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "vp_consumer: %s\n", problem.what());
        return 1;
    }
}
