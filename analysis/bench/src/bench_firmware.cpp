#include "bench_firmware.h"

#include "bench_kernels.h"
#include "riscv_code.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/memory/tile_map.h>
#include <sfpu/riscv/encode.h>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

namespace rv = riscv::encode;
using tensix_words = std::vector<std::uint32_t>;

constexpr unsigned zero = 0, t0 = 5, t1 = 6, t2 = 7, s0 = 8, s1 = 9, a0 = 10, s2 = 18, s3 = 19, t3 = 28;
constexpr auto program_base = static_cast<std::uint32_t>(memory::ram_base);
constexpr auto instruction_push = static_cast<std::uint32_t>(memory::instruction_push_base);
constexpr auto pc_buffer = static_cast<std::uint32_t>(memory::pc_buffer_base);
constexpr std::uint32_t coprocessor_done = pc_buffer + 4, mop_expander_done = pc_buffer + 8;

tensix_words assembled(const std::string& text) {
    const isa::assembly result = isa::assemble(text, "firmware of bench", architecture::blackhole);
    if (!result.ok()) throw std::logic_error(result.errors.front().to_string());
    tensix_words found;
    for (const isa::source_word& each : result.program.loop) found.push_back(each.word);
    return found;
}

/// ADDR_MOD_6 steps to the next row, ADDR_MOD_7 stays.
tensix_words address_modifiers() { return assembled("setc16 34, 2\nsetc16 35, 0\n"); }

/// Loads a word for synchronisation, behind a store to it if told so. The hart waits for the answer because
/// it needs the value.
void wait_for(riscv_code& code, std::uint32_t address, bool stores) {
    code.set(t0, address);
    if (stores) code << rv::sw(zero, t0, 0);
    code << rv::lw(t1, t0, 0) << rv::andi(zero, t1, 0);
}

/// Waits for the coprocessor, reports success, and has the words that the program is told.
void finish(riscv_code& code) {
    wait_for(code, coprocessor_done, true);
    code.set(a0, 1).address_of(t0, "tohost");
    code.label("end") << rv::sw(a0, t0, 0) << rv::sw(zero, t0, 4);
    code.jump("end");
    code.label("blocks") << 1;
    code.label("rest") << 0;
    code.align(64).label("tohost") << 0 << 0;
}

constexpr std::uint32_t replay_load = 0x04000201; // 32 words from slot 0
constexpr std::uint32_t replay_play = 0x04000200; // the same
constexpr std::uint32_t replay_none = 0x04000000; // plus the count in bits 9:4
constexpr std::uint32_t mop_loops = 0x01800000, nop = 0x02000000, dst_zero = 0x37000004;

/// TensorLoad instructions have the major opcode custom-2.
constexpr std::uint32_t custom_2 = 0x5b;
constexpr std::uint32_t tl_load(unsigned tl, unsigned address, int offset) {
    return rv::i_type(custom_2, 0, address, tl, offset);
}
constexpr std::uint32_t tl_store(unsigned tl, unsigned address, int offset) {
    return rv::i_type(custom_2, 2, address, tl, offset);
}
/// The axes 1 and 2 of four, whose lengths a register holds.
constexpr std::uint32_t tl_xpose_12(unsigned to, unsigned from, unsigned shape) {
    return rv::r_type(0x60 | 2 << 2 | 1, 3, shape, to, from, custom_2);
}

/// Dst has 32-bit cells for thread 0. TensorLoad moves blocks of 256 int32, which a store spreads over 16
/// rows of Dst.
void set_up_memories(riscv_code& code) {
    code.set(t0, static_cast<std::uint32_t>(memory::config_base) + 12);
    code << rv::sw(zero, t0, 0) << rv::lw(t1, t0, 0);
    code.set(t0, 0x008) << rv::csrrw(zero, 0x800, t0);
    code.set(t0, 0x100110) << rv::csrrw(zero, 0x801, t0);
    code.set(s0, 0x10000);    // the source, in L1
    code.set(s1, 0x7000);     // the target: rows of Dst that the kernel does not use
    code.set(s2, 0x08100802); // [2, 8, 16, 8] bytes
}

/// A MOP is 32 replays: one outer, 32 inner iterations.
void configure_mop(riscv_code& code) {
    wait_for(code, mop_expander_done, false);
    code.set(t0, static_cast<std::uint32_t>(memory::mop_config_base));
    code.address_of(t1, "mop_config").set(t2, 9);
    code.label("configure") << rv::lw(t3, t1, 0) << rv::sw(t3, t0, 0);
    code << rv::addi(t1, t1, 4) << rv::addi(t0, t0, 4) << rv::addi(t2, t2, -1);
    code.branch(riscv_code::not_equal, t2, zero, "configure");
}

/// `rest` words from the beginning of the replay buffer.
void play_rest(riscv_code& code) {
    code.load_from(s3, "rest");
    code.set(t0, instruction_push).set(t1, replay_play).set(t2, 32);
    code.label("play").branch(riscv_code::less, s3, t2, "last");
    code << rv::sw(t1, t0, 0) << rv::addi(s3, s3, -32);
    code.jump("play");
    code.label("last").branch(riscv_code::equal, s3, zero, "played");
    code << rv::slli(s3, s3, 4);
    code.set(t1, replay_none) << rv::or_(t1, t1, s3) << rv::sw(t1, t0, 0);
    code.label("played");
}

} // namespace

bench_firmware tile_firmware() {
    const tensix_words set_up = assembled(fmt::format(bench_kernels::mul32_macro_set_up, 23)),
                       row = assembled(bench_kernels::mul32_macro_row),
                       tail = assembled("sfpnop\nsfpnop\nsfpnop\n");
    constexpr unsigned rows_of_replay = 4, replays = 32;
    riscv_code code(program_base);
    set_up_memories(code);
    code.push({dst_zero}).push(address_modifiers()).push(set_up).push({replay_load});
    for (unsigned i = 0; i < rows_of_replay; ++i) code.push(row);
    configure_mop(code);
    code.load_from(s3, "blocks").branch(riscv_code::equal, s3, zero, "no_block");
    code.label("next_block") << tl_load(1, s0, 0) << tl_load(2, s0, 16) << tl_xpose_12(1, 2, s2)
                             << tl_store(1, s1, -1536);
    code.push({dst_zero, mop_loops}) << rv::addi(s3, s3, -1);
    code.branch(riscv_code::not_equal, s3, zero, "next_block");
    code.label("no_block");
    play_rest(code);
    code.push(tail) << rv::fence;
    finish(code);
    code.label("mop_config") << 1 << replays << nop << nop << nop << replay_play << nop << replay_play
                             << replay_play;
    return {code.image(), set_up.size() + tail.size(), rows_of_replay * row.size() * replays};
}

bench_firmware push_firmware(bool by_store) {
    const tensix_words row = assembled(bench_kernels::mul32_row);
    constexpr unsigned rows = 8, first_of_row = 10; // of the registers that hold the words of a row
    riscv_code code(program_base);
    code.push(address_modifiers());
    code.load_from(t1, "blocks").load_from(t2, "rest");
    code << rv::slli(t2, t2, 2); // bytes of code
    for (unsigned i = 0; by_store && i < row.size(); ++i) code.set(first_of_row + i, row[i]);
    if (by_store) code.set(t0, instruction_push);
    code.address_of(t3, "block_end") << rv::sub(t3, t3, t2);
    code.branch(riscv_code::equal, t1, zero, "rest_of_block");
    code.label("block");
    for (unsigned i = 0; i < rows; ++i) {
        if (!by_store) code.push(row);
        for (unsigned w = 0; by_store && w < row.size(); ++w) code << rv::sw(first_of_row + w, t0, 0);
    }
    code.label("block_end") << rv::addi(t1, t1, -1);
    code.branch(riscv_code::less, zero, t1, "block");
    code.branch(riscv_code::less, t1, zero, "done"); // that was the rest
    code.label("rest_of_block").set(t1, 0) << rv::jalr(zero, t3, 0);
    code.label("done");
    finish(code);
    return {code.image(), 0, rows * row.size()};
}

} // namespace sfpu::analysis
