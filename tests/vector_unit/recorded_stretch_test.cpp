// What is issued from a recording does what the same words do when every cycle is worked out. A unit that is observed
// works out every cycle, so each program runs on an observed and on an unobserved unit.
#include "forked.h"
#include "rig.h"

#include <malloc.h>

#include <random>

namespace sfpu::test {
namespace {

/// Keeps a line for every diagnostic.
struct diagnostic_log : diagnostic_sink {
    std::vector<std::string> lines;
    void diagnose(const diagnostic& what) override {
        lines.push_back(fmt::format("{} {} word {}: {}", what.at.count(), describe(what.id).name, what.word,
                                    what.message));
    }
};

/// Loops like those of kernels: mostly without anything to complain of, so that there is something to record.
class random_loops {
public:
    explicit random_loops(std::uint32_t seed) : random_(seed) {}

    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
    bool chance(unsigned percent) { return pick(100) < percent; }

    parameters config() {
        parameters result;
        if (chance(25)) result.arch = architecture::wormhole;
        if (chance(20)) result.latency_mad = 2 + pick(4);
        if (chance(20)) result.latency_simple = 1 + pick(2);
        if (chance(20)) result.latency_load = 1 + pick(2);
        if (chance(20)) result.dst_store_load_visible = pick(4);
        if (chance(20)) result.macro_firing_entry_outstanding = false;
        if (chance(20)) result.macro_slots = 1 + pick(4);
        arch_ = result.arch;
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
        const bool has_macros = chance(50), has_flags = chance(20), is_uniform = chance(15);
        for (std::uint32_t& word : words) word = is_uniform ? mad() : next(has_macros, has_flags);
        return words;
    }
    /// Words between loops: they change what a recording rests on.
    std::vector<std::uint32_t> interlude() {
        switch (pick(6)) {
        case 0: return {incrwc(pick(3))};
        case 1: return {sfpnop};
        case 2: return {sfploadi(0, macro().sequence[0] >> 16), 0x91000000u | (4 + pick(4)) << 4};
        case 3: return {0x91000000u | pick(3) << 8 | 0xf0u | 1u};                   // LaneConfig, immediate
        case 4: return {0x91000000u | pick(16) << 16 | pick(16) << 8 | 0x80u | 1u}; // MiscLoadMacroConfig
        default: return {};
        }
    }

private:
    std::uint32_t dst_mode() { return chance(50) ? mode_int32 : mode_uint16; }
    std::uint32_t address() {
        const unsigned shift = arch_ == architecture::blackhole ? 13 : 14;
        return (chance(50) ? 3u << shift : 0u) | pick(32) << 1;
    }
    std::uint32_t mad() {
        return (0x84u + pick(3)) << 24 | pick(16) << 16 | pick(16) << 12 | pick(16) << 8 | pick(8) << 4 |
               (chance(5) ? 4u + pick(12) : 0u);
    }
    std::uint32_t simple() {
        constexpr std::array<std::uint32_t, 6> opcodes{0x79, 0x7a, 0x7d, 0x7e, 0x89, 0x90};
        const std::uint32_t opcode = opcodes[pick(6)];
        return opcode << 24 | pick(16) << 12 | pick(8) << 8 | pick(8) << 4 |
               (opcode == 0x79 ? 4u : chance(50));
    }
    std::uint32_t round() { return 0x94000005u | pick(16) << 12 | pick(8) << 8 | pick(8) << 4; }

    isa::macro_configuration macro() {
        isa::macro_configuration result;
        result.instruction_template = {simple(), mad(), round(), simple()};
        for (std::uint32_t& sequence : result.sequence) {
            sequence = 0;
            for (unsigned unit = 0; unit < 4; ++unit) {
                if (chance(60)) continue;
                const unsigned selector = unit == 3 ? 3 : 4 + unit;
                sequence |= (pick(4) << 6 | pick(8) << 3 | selector) << (8 * unit);
            }
        }
        result.misc = pick(4096);
        return result;
    }
    std::uint32_t next(bool has_macros, bool has_flags) {
        const unsigned kind = pick(100);
        if (has_macros && kind < 8) return sfploadmacro(pick(4), pick(8), dst_mode(), address() & ~1u);
        if (has_flags && kind < 25) return 0x7b000000u | pick(2) << 12 | pick(8) << 8 | pick(7);
        if (kind < 35) return sfpload(pick(8), dst_mode(), address());
        if (kind < 45) return sfpstore(pick(8), dst_mode(), address());
        if (kind < 60) return mad();
        if (kind < 62) return 0x92000000u | pick(16) << 8 | pick(12) << 4 | pick(3); // SFPSWAP
        if (kind < 63) return 0x94000003u | pick(8) << 8 | pick(8) << 4;             // SFPSHFT2, two cycles
        if (kind < 72) return sfpnop;
        if (kind < 77) return sfploadi(pick(8), pick(0x10000));
        if (kind < 82) return round();
        return simple();
    }

    std::mt19937 random_;
    architecture arch_ = architecture::blackhole;
};

/// A unit with what listens to it.
struct listening_rig {
    unit_rig rig;
    diagnostic_log diagnostics;

    explicit listening_rig(const char* name) : rig(name) {}
    void reset(const parameters& config, probe::pipeline_observer* observer) {
        diagnostics.lines.clear();
        rig.port().delay = sc_core::SC_ZERO_TIME;
        rig.reset(config, {observer, &diagnostics, hazard_policy::warn});
    }
};

void expect_same(const listening_rig& a, const listening_rig& b) {
    expect_same_rigs(a.rig, b.rig);
    EXPECT_EQ(a.diagnostics.lines, b.diagnostics.lines);
    EXPECT_EQ(a.rig.ports[0]->delay, b.rig.ports[0]->delay);
}

struct pair_of_units {
    listening_rig plain{"plain"}, observed{"observed"};
    probe::pipeline_observer nobody;

    void reset(const parameters& config, random_loops& loops) {
        plain.reset(config, nullptr);
        observed.reset(config, &nobody);
        isa::vector_state& state = plain.rig.sfpu.lregs().state;
        loops.fill(state);
        isa::vector_state& other = observed.rig.sfpu.lregs().state;
        const std::uint64_t version = other.macro_version;
        other = state;
        other.macro_version = version + 1;
        for (listening_rig* unit : {&plain, &observed})
            unit->rig.sfpu.lregs().threads[0].set_addr_mod_dst(3, 2);
    }
    void push(const std::vector<std::uint32_t>& words, unsigned idle = 0) {
        for (listening_rig* unit : {&plain, &observed}) {
            unit->rig.port().delay += period() * static_cast<double>(idle);
            ASSERT_EQ(unit->rig.port().push(words), tlm::TLM_OK_RESPONSE);
        }
    }
    void drain() {
        plain.rig.sfpu.drain();
        observed.rig.sfpu.drain();
    }
    std::uint64_t replayed() const { return plain.rig.sfpu.issue().replayed_words(); }
};

TEST(recorded_stretch, random_loops_end_as_they_do_without_recordings) {
    in_child([] {
        pair_of_units units;
        start();
        std::uint64_t words = 0, replayed = 0, with_macros = 0, with_stalls = 0, with_diagnostics = 0;
        for (unsigned program = 0; program < 1000; ++program) {
            random_loops loops(1000 + program);
            units.reset(loops.config(), loops);
            for (unsigned part = loops.pick(3); part < 3; ++part) {
                const std::vector<std::uint32_t> loop = loops.loop();
                if (const auto between = loops.interlude(); !between.empty()) units.push(between);
                const unsigned usual = 1 + loops.pick(6);
                for (unsigned left = 20 + loops.pick(30); left != 0;) {
                    std::vector<std::uint32_t> burst;
                    for (unsigned now = std::min(left, loops.chance(75) ? usual : 1 + loops.pick(6));
                         now != 0; --now, --left)
                        burst.insert(burst.end(), loop.begin(), loop.end());
                    units.push(burst, loops.chance(20) ? loops.pick(4) : 0);
                }
            }
            units.drain();
            expect_same(units.plain, units.observed);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << program;
            const unit_counters& counters = units.plain.rig.sfpu.lregs().counters;
            words += counters.words;
            replayed += units.replayed();
            if (units.replayed() == 0) continue;
            with_macros += counters.macros_launched != 0;
            for (const std::uint64_t stalls : counters.stalls) with_stalls += stalls != 0;
            with_diagnostics += !units.plain.diagnostics.lines.empty();
        }
        // The programs are worth comparing.
        EXPECT_GT(replayed, words / 4);
        EXPECT_GT(with_macros, 100u);
        EXPECT_GT(with_stalls, 100u);
        EXPECT_GT(with_diagnostics, 100u);
    });
}

TEST(recorded_stretch, all_but_the_first_repetitions_of_a_loop_are_replayed) {
    in_child([] {
        pair_of_units units;
        start();
        random_loops loops(1);
        units.reset(parameters{}, loops);
        const std::vector<std::uint32_t> loop{
            sfpload(0, mode_int32, 0), sfpmad(0, 1, 2, 3), sfpnop, sfpmad(3, 1, 2, 4), sfpnop,
            sfpstore(4, mode_int32, 0)};
        for (unsigned i = 0; i < 10; ++i) units.push(loop);
        EXPECT_EQ(units.replayed(), 8 * loop.size()); // seen once, recorded once
        units.drain();
        expect_same(units.plain, units.observed);
    });
}

TEST(recorded_stretch, nothing_is_replayed_while_somebody_observes) {
    in_child([] {
        pair_of_units units;
        start();
        random_loops loops(2);
        units.reset(parameters{}, loops);
        for (unsigned i = 0; i < 10; ++i) units.push({sfpnop, sfpnop, sfpnop, sfpnop});
        EXPECT_EQ(units.observed.rig.sfpu.issue().replayed_words(), 0u);
        EXPECT_NE(units.replayed(), 0u);
    });
}

TEST(recorded_stretch, a_stretch_with_a_diagnostic_is_never_replayed) {
    in_child([] {
        pair_of_units units;
        start();
        random_loops loops(3);
        parameters config;
        config.sfpu_auto_stall = stall_choice::off;
        units.reset(config, loops);
        for (unsigned i = 0; i < 10; ++i)
            units.push({sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4), sfpnop, sfpnop});
        EXPECT_EQ(units.replayed(), 0u);
        EXPECT_EQ(units.plain.rig.sfpu.lregs().reporter.count(report_id::hazard_unprotected_read), 10u);
    });
}

TEST(recorded_stretch, a_changed_macro_is_recorded_anew) {
    in_child([] {
        pair_of_units units;
        start();
        random_loops loops(4);
        units.reset(parameters{}, loops);
        for (listening_rig* unit : {&units.plain, &units.observed})
            unit->rig.set_macro(0, store_after(1), misc_counts_cycles | misc_load_mod_for_store);
        const std::vector<std::uint32_t> loop{sfploadmacro(0, 1, mode_int32, 0), sfpnop, sfpnop, sfpnop};
        for (unsigned i = 0; i < 6; ++i) units.push(loop);
        const std::uint64_t before = units.replayed();
        EXPECT_NE(before, 0u);
        // Sequence 0 now stores two cycles later: bits 31:16 of a word in L0, written by SFPCONFIG.
        units.push({sfploadi(0, 0), sfploadi(0, store_after(3) >> 16, 8), 0x91000040u});
        for (unsigned i = 0; i < 6; ++i) units.push(loop);
        EXPECT_GT(units.replayed(), before);
        units.drain();
        expect_same(units.plain, units.observed);
    });
}

/// Counts what malloc() has given away; nothing under a sanitizer, which has a malloc() of its own.
std::size_t heap_in_use() { return mallinfo2().uordblks; }

TEST(recorded_stretch, more_stretches_than_are_kept_give_the_same_results_in_less_than_4_mib) {
    in_child([] {
        const std::size_t before = heap_in_use();
        pair_of_units units;
        start();
        random_loops loops(5);
        units.reset(parameters{}, loops);
        std::vector<std::vector<std::uint32_t>> bodies(600);
        for (auto& body : bodies) body = loops.loop();
        for (unsigned round = 0; round < 3; ++round)
            for (const auto& body : bodies)
                for (unsigned i = 0; i < 4; ++i) units.push(body);
        units.drain();
        EXPECT_NE(units.replayed(), 0u);
        expect_same(units.plain, units.observed);
        constexpr std::size_t mib = 1024 * 1024;
        EXPECT_LT(heap_in_use() - before + sizeof units, 4 * mib) << "two units, each with its Dst";
    });
}

} // namespace
} // namespace sfpu::test
