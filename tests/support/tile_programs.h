// Programs for the harts of a tile, and runs of them at several quanta.
#pragma once

#include "checked_tile.h"
#include "riscv_words.h"
#include "tensix_words.h"

#include <tlm_utils/tlm_quantumkeeper.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace sfpu::test {

using tile = checked_tile;
using platform::tile_result;
using rv::word;

constexpr unsigned x0 = 0, t0 = 5, t1 = 6, t2 = 7, s0 = 8, s1 = 9, s2 = 18, s3 = 19;
constexpr unsigned cycle_csr = 0xb00, mhartid = 0xf14;
constexpr std::uint32_t ram = 0x80000000, code_stride = 0x1000;
constexpr std::uint32_t dst_window = 0xffbd8000, push_by_store = 0xffe40000, done_check = 0xffe80004,
                        mailbox_of_t1 = 0xffec2000, semaphores = 0xffe80020, mop_config = 0xffb80000;

// Tensix words.
using namespace tensix_words;
constexpr std::uint32_t sfpnop = 0x8f000000, mop_1 = mop(1);
constexpr std::uint32_t wait_for_unit_before_post = stallwait(block_sync_unit, 1u << 11);
constexpr std::uint32_t semwait_while_zero(unsigned mask) {
    return semwait(block_everything, mask, while_zero);
}
constexpr std::uint32_t semwait_while_full(unsigned mask) {
    return semwait(block_everything, mask, while_full);
}
constexpr std::uint32_t sfpload(unsigned lreg, unsigned mode, unsigned addr_mod, unsigned address) {
    return 0x70000000 | lreg << 20 | mode << 16 | addr_mod << 13 | address;
}
constexpr std::uint32_t sfpstore(unsigned lreg, unsigned mode, unsigned addr_mod, unsigned address) {
    return 0x72000000 | lreg << 20 | mode << 16 | addr_mod << 13 | address;
}
constexpr std::uint32_t sfploadi_ushort(unsigned lreg, unsigned value) {
    return 0x71000000 | lreg << 20 | 2u << 16 | value;
}
constexpr unsigned mode_uint16 = 6;

/// The program of one hart.
class program {
public:
    std::vector<word> code;

    program& operator<<(word w) {
        code.push_back(w);
        return *this;
    }
    program& operator<<(std::initializer_list<word> words) {
        code.insert(code.end(), words);
        return *this;
    }
    int here() const { return static_cast<int>(code.size()) * 4; }
    program& li(unsigned rd, std::uint32_t value) {
        return *this << rv::lui(rd, value + 0x800) << rv::addi(rd, rd, static_cast<int>(value << 20) >> 20);
    }
    program& push(std::uint32_t tensix) { return *this << rv::ttinsn(tensix); }
    /// Stores a register, whose value is ready, to an address.
    program& store(std::uint32_t address, unsigned value) { return li(t2, address) << rv::sw(value, t2, 0); }
    program& load(unsigned rd, std::uint32_t address) { return li(t2, address) << rv::lw(rd, t2, 0); }
    /// Counts down from a number in t1; two cycles a round, no access.
    program& spin(std::uint32_t rounds) {
        li(t1, rounds);
        return *this << rv::addi(t1, t1, -1) << rv::branch(1, t1, x0, -4);
    }
    /// Loads from the address in s0 to t0 until it is not zero.
    program& poll() { return *this << rv::lw(t0, s0, 0) << rv::branch(0, t0, x0, -4); }
    program& park() { return *this << rv::jal(x0, 0); }
    program& stamp(std::uint32_t address) {
        return (*this << rv::csrrs(s1, cycle_csr, x0)).store(address, s1);
    }
    /// Runs the body again and again.
    program& for_ever(const std::function<void(program&)>& body) {
        const int begin = here();
        body(*this);
        return *this << rv::jal(x0, begin - here());
    }
    program& repeat(unsigned counter, std::uint32_t times, const std::function<void(program&)>& body) {
        li(counter, times);
        const int begin = here();
        body(*this);
        *this << rv::addi(counter, counter, -1);
        return *this << rv::branch(1, counter, x0, begin - here());
    }
};

/// One ELF file for all harts: each jumps to its own page.
inline riscv::elf_image image_of(const std::vector<program>& harts) {
    std::vector<word> words{rv::csrrs(t0, mhartid, x0), rv::i_type(0x13, 1, t0, t0, 12),
                            rv::lui(t1, ram + code_stride), rv::add(t0, t0, t1), rv::jalr(x0, t0, 0)};
    for (const program& one : harts) {
        words.resize((words.size() * 4 + code_stride - 1) / code_stride * (code_stride / 4));
        words.insert(words.end(), one.code.begin(), one.code.end());
    }
    return riscv::elf_image::of_words(ram, words);
}

inline parameters with_harts(unsigned count) {
    parameters config;
    config.hart.count = count;
    return config;
}

/// What a run leaves behind.
struct outcome {
    tile_result result;
    std::vector<std::uint32_t> l1; ///< the first KiB
    sfpu::dst::image dst;
    std::uint64_t words = 0;
    std::array<std::uint64_t, probe::stall_cause_count> stalls{};
};
inline std::array<sc_core::sc_time, 3> quanta() {
    return {sc_core::SC_ZERO_TIME, sc_core::sc_time(1, sc_core::SC_MS), sc_core::sc_time(37, sc_core::SC_NS)};
}

inline outcome run(tile& t, const riscv::elf_image& image, std::int64_t limit,
                   const sc_core::sc_time& quantum) {
    tlm::tlm_global_quantum::instance().set(quantum);
    t.reset({});
    t.load(image);
    outcome result;
    result.result = t.run(cycles{limit});
    result.l1.resize(256);
    EXPECT_TRUE(t.read(0, reinterpret_cast<unsigned char*>(result.l1.data()), 1024));
    result.dst = t.dst();
    result.words = t.vector_unit_counters().words;
    result.stalls = t.vector_unit_counters().stalls;
    return result;
}

inline void expect_same(const outcome& a, const outcome& b, const std::string& what) {
    EXPECT_EQ(a.result.why, b.result.why) << what;
    EXPECT_EQ(a.result.last_cycle.count(), b.result.last_cycle.count()) << what;
    EXPECT_EQ(a.l1, b.l1) << what;
    EXPECT_TRUE(a.dst == b.dst) << what;
    EXPECT_EQ(a.words, b.words) << what;
    EXPECT_EQ(a.stalls, b.stalls) << what;
}

/// Runs it at all quanta, which must agree; returns what they agree on.
inline outcome run_at_all_quanta(const parameters& config, const std::vector<program>& harts,
                                 std::int64_t limit, const std::string& what = "") {
    tile t("tile", config);
    const riscv::elf_image image = image_of(harts);
    const outcome first = run(t, image, limit, quanta()[0]);
    for (const sc_core::sc_time& quantum : quanta())
        expect_same(first, run(t, image, limit, quantum), what + ", quantum " + quantum.to_string());
    return first;
}

} // namespace sfpu::test
