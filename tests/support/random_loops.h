// Random programs for tests that run the same words in several ways: loops like those of kernels, so that
// plans are remembered, with changes in between of all that plans rest on.
#pragma once

#include "plain_rig.h"

#include <sfpu/common/parameters.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace sfpu::test {

/// How many random programs a test runs: nightly 30 times as many (SFPU_NIGHTLY), a third in instrumented
/// builds.
inline unsigned program_count(unsigned normally) {
#ifdef SFPU_INSTRUMENTED
    normally /= 3;
#endif
    return std::getenv("SFPU_NIGHTLY") != nullptr ? 30 * normally : normally;
}

/// Keeps a line for every diagnostic.
struct diagnostic_log : diagnostic_sink {
    std::vector<std::string> lines;
    void diagnose(const diagnostic& what) override {
        lines.push_back(fmt::format("{} {} word {}: {}", what.at.count(), describe(what.id).name, what.word,
                                    what.message));
    }
};

/// Compares two logs and shows where they part.
inline void expect_same_lines(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end() && y == b.end()) return;
    ADD_FAILURE() << "line " << x - a.begin() << " of " << a.size() << " and " << b.size() << " differs:\n"
                  << (x == a.end() ? "nothing" : *x) << "\n"
                  << (y == b.end() ? "nothing" : *y);
}

/// Loops like those of kernels, set up anew now and then: everything that rules depend on changes between
/// them.
class random_loops {
public:
    /// Macros count cycles only: entries that wait for instructions would hold a wait for an idle unit for
    /// ever.
    bool only_counts_cycles = false;

    explicit random_loops(std::uint32_t seed) : random_(seed) {}

    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
    bool chance(unsigned percent) { return pick(100) < percent; }

    parameters config() {
        parameters result;
        if (chance(25)) result.arch = architecture::wormhole;
        if (chance(25)) result.latency_mad = 1 + pick(8);
        if (chance(20)) result.latency_simple = 1 + pick(3);
        if (chance(20)) result.latency_round = 1 + pick(3);
        if (chance(20)) result.latency_load = 1 + pick(3);
        if (chance(30)) result.latency_swap = 2 + pick(7);
        if (chance(20)) result.latency_shuffle = 2 + pick(7);
        if (chance(20)) result.dst_store_load_visible = pick(4);
        if (chance(20)) result.dst_store_load_warn = pick(4);
        if (chance(20)) result.macro_firing_entry_outstanding = false;
        if (chance(20)) result.macro_freeze_scope = freeze_scope::own_unit;
        if (chance(20)) result.macro_slots = 1 + pick(4);
        if (chance(20)) result.macro_config_distance = pick(6);
        if (chance(20)) result.macro_delay_kind_scope = delay_scope::macro;
        if (chance(20)) result.sfpu_auto_stall = chance(50) ? stall_choice::on : stall_choice::off;
        if (chance(20)) result.sfpu_write_order = 0x01234;
        if (chance(20)) result.sfpu_mad_units = 2;
        if (chance(20)) result.dst_load_ports = 2;
        if (chance(20)) result.dst_store_ports = 2;
        if (chance(20)) result.sfpu_write_port_rule = false;
        if (chance(25)) { // sequences of half-words
            result.macro_delay_bits = 3 + pick(3);
            result.macro_templates = 4 + pick(5);
            result.macro_slots = 8 + pick(25);
        }
        if (chance(20)) result.macro_count = 5 + pick(4);
        arch_ = result.arch;
        macros_ = result.macro_count;
        templates_ = result.macro_templates;
        delays_ = 1u << result.macro_delay_bits;
        return result;
    }

    void fill(isa::vector_state& state) {
        for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
            for (std::uint32_t& lane : state.lreg[lreg].v)
                lane = chance(80) ? 0x3f000000u + (random_() & 0x80ffffffu) : random_();
        state.flags = random_();
        if (chance(30)) state.use_flags = all_lanes;
        state.macro.fill(macro());
        ++state.macro_version;
    }

    std::vector<std::uint32_t> loop() {
        std::vector<std::uint32_t> words(3 + pick(chance(20) ? 60 : 14));
        const bool has_macros = chance(60), has_flags = chance(20), is_uniform = chance(15);
        for (std::uint32_t& word : words) word = is_uniform ? mad() : next(has_macros, has_flags);
        if (chance(
                15)) // LoadMacroConfig changes all the time, in some columns or in all, also back and forth
            for (unsigned i = 0; i < 4; ++i) words[pick(static_cast<unsigned>(words.size()))] = reconfigure();
        return words;
    }
    /// Words between loops: they change what plans rest on.
    std::vector<std::uint32_t> interlude() {
        switch (pick(9)) {
        case 0: return {incrwc(pick(3))};
        case 1: return {sfpnop};
        case 2: return {sfploadi(0, macro().sequence[0] >> 16), 0x91000000u | (4 + pick(4)) << 4};
        case 3: return {config(15, pick(8), 1)};                    // LaneConfig, immediate
        case 4: return {config(8, misc() & 0xfff, 1)};              // MiscLoadMacroConfig
        case 5: return {config(15, chance(70) ? 0 : pick(256), 1)}; // often: lanes become ordinary again
        case 6:
            return {sfploadi(0, pick(4) << 12 | pick(3)),
                    config(15, pick(0x10000), 8)}; // row masks, by column
        case 7:
            return {chance(50) ? swap() | 0xc0u : shuffle() | 0xc0u, simple()}; // templates by the backdoor
        default: return {};
        }
    }

private:
    static std::uint32_t config(unsigned destination, unsigned imm, unsigned mode) {
        return 0x91000000u | imm << 8 | destination << 4 | mode;
    }
    std::uint32_t reconfigure() {
        switch (pick(6)) {
        case 0: return config(8, misc() & 0xfff, 1);
        case 1: return config(8, 1u << pick(8), 7);              // flips a bit of Misc that is no delay kind
        case 2: return config(4 + pick(4), pick(4), chance(50)); // a sequence
        case 3: return config(pick(4), pick(2), 0);              // a template
        case 4: return config(pick(8), pick(0x10000), 8);        // columns by mask
        default: return simple() | 0xc0u;                        // a template by the backdoor
        }
    }
    std::uint32_t dst_mode() { return chance(50) ? mode_int32 : mode_uint16; }
    std::uint32_t address() {
        const unsigned shift = arch_ == architecture::blackhole ? 13 : 14;
        return (chance(50) ? 3u << shift : 0u) | pick(32) << 1;
    }
    /// A register, now and then a template instead.
    std::uint32_t target() { return chance(3) ? 12 + pick(4) : pick(8); }
    std::uint32_t mad() {
        return (0x84u + pick(3)) << 24 | pick(16) << 16 | pick(16) << 12 | pick(16) << 8 | target() << 4 |
               (chance(5) ? 4u + pick(12) : 0u);
    }
    std::uint32_t simple() {
        constexpr std::array<std::uint32_t, 6> opcodes{0x79, 0x7a, 0x7d, 0x7e, 0x89, 0x90};
        const std::uint32_t opcode = opcodes[pick(6)];
        return opcode << 24 | pick(16) << 12 | pick(8) << 8 | target() << 4 |
               (opcode == 0x79 ? 4u : chance(50));
    }
    std::uint32_t round() { return 0x94000005u | pick(16) << 12 | pick(8) << 8 | target() << 4; }
    std::uint32_t swap() { return 0x92000000u | pick(16) << 8 | pick(12) << 4 | pick(3); }
    std::uint32_t shuffle() { return 0x94000002u | pick(8) << 8 | pick(8) << 4 | pick(3); }

    isa::macro_configuration macro() {
        isa::macro_configuration result;
        result.instruction_template = {chance(25) ? swap() & ~0x80u : simple(), mad(),
                                       chance(20) ? shuffle() : round(),
                                       chance(10) ? config(15, pick(8), 1) : simple()};
        for (unsigned i = 4; i < templates_; ++i)
            result.instruction_template[i] = chance(50) ? simple() : mad();
        const bool wide = templates_ > 4 || delays_ > 8;
        for (unsigned macro = 0; macro < macros_; ++macro)
            for (unsigned unit = 0; unit < 4; ++unit) {
                if (chance(60)) continue;
                const unsigned selector = unit == 3 ? 3 : chance(90) ? 4 + unit : 2 + pick(templates_ + 2);
                set_entry(result, macro, unit, selector, wide);
            }
        result.misc = misc();
        return result;
    }
    std::uint32_t misc() {
        constexpr std::uint32_t delay_kinds = 0xf0f00;
        const std::uint32_t result = pick(macros_ > 4 ? 1u << 20 : 1u << 12);
        return only_counts_cycles ? result & ~delay_kinds : result;
    }
    void set_entry(isa::macro_configuration& to, unsigned macro, unsigned unit, unsigned selector,
                   bool wide) {
        if (!wide) {
            to.sequence[macro] |= (pick(4) << 6 | pick(delays_) << 3 | selector) << (8 * unit);
        } else {
            std::uint32_t& half = unit < 2 ? to.sequence[macro] : to.sequence_upper[macro];
            half |= (pick(4) << 14 | pick(delays_) << 8 | selector) << (16 * (unit % 2));
        }
    }
    std::uint32_t next(bool has_macros, bool has_flags) {
        const unsigned kind = pick(100);
        if (has_macros && kind < 8) {
            const unsigned macro = pick(macros_);
            return sfploadmacro(macro & 3, pick(8), dst_mode(), address() & ~1u) | (macro >> 2) << 10;
        }
        if (has_flags && kind < 25) return 0x7b000000u | pick(2) << 12 | pick(8) << 8 | pick(7);
        if (kind < 35) return sfpload(pick(8), dst_mode(), address());
        if (kind < 45) return sfpstore(pick(8), dst_mode(), address());
        if (kind < 60) return mad();
        if (kind < 62) return swap();
        if (kind < 63) return shuffle();
        if (kind < 70) return sfpnop;
        if (kind < 71) return incrwc(pick(4));
        if (kind < 72) return 0xb2000000u | (12 + pick(8)) << 16 | pick(8);   // SETC16
        if (kind < 73) return (chance(50) ? 0x26u : 0x42u) << 24 | pick(256); // MVMUL, UNPACR: not modelled
        if (kind < 78) return sfploadi(pick(8), pick(0x10000));
        if (kind < 83) return round();
        return simple();
    }

    std::mt19937 random_;
    architecture arch_ = architecture::blackhole;
    unsigned macros_ = 4, templates_ = 4, delays_ = 8;
};

/// Pushes loops with changes in between.
template <class F>
void run_random_program(random_loops& loops, F push) {
    for (unsigned part = loops.pick(3); part < 3; ++part) {
        const std::vector<std::uint32_t> loop = loops.loop();
        if (const auto between = loops.interlude(); !between.empty()) push(between, 0);
        const unsigned usual = 1 + loops.pick(6);
        for (unsigned left = 8 + loops.pick(16); left != 0;) {
            std::vector<std::uint32_t> burst;
            for (unsigned now = std::min(left, loops.chance(75) ? usual : 1 + loops.pick(6)); now != 0;
                 --now, --left)
                burst.insert(burst.end(), loop.begin(), loop.end());
            push(burst, loops.chance(20) ? loops.pick(4) : 0);
            if (loops.chance(10)) push(loops.interlude(), 0);
        }
    }
}

} // namespace sfpu::test
