// The load unit converts cells itself where predication and LaneConfig change nothing, and otherwise leaves
// it to the semantics. Both ways must give the same.
#include "forked.h"
#include "rig.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

struct outcome {
    lanes lreg[isa::general_lregs];
    std::vector<std::uint16_t> cells;
    std::vector<std::string> events;
    std::uint64_t close = 0; ///< loads reported as too close to a store
};

/// Makes every load take the general way and has no other effect: positions are captured only if
/// ENABLE_DEST_INDEX is set, too.
constexpr std::uint32_t no_shortcut = 1u << isa::lane_configuration::capture_default_dest_index;

outcome outcome_of(unit_rig& rig, architecture arch, const std::vector<std::uint32_t>& words,
                   std::uint32_t lane_configuration, lane_mask flags, bool observed) {
    std::mt19937 random(1);
    parameters config;
    config.arch = arch;
    event_log log;
    vector_unit::listeners listeners;
    if (observed) listeners.observer = &log;
    rig.reset(config, listeners);
    isa::vector_state& state = rig.sfpu.state().vector;
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : state.lreg[lreg].v) lane = static_cast<std::uint32_t>(random());
    for (unsigned row = 0; row < 64; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            rig.dst.storage().set_cell(row, column, static_cast<std::uint16_t>(random()));
    state.config.set_column(3, lane_configuration);
    state.flags = flags;
    state.use_flags = all_lanes;
    rig.sfpu.state().threads[0].set_addr_mod_dst(1, 4);
    rig.port().delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(rig.port().push(words), tlm::TLM_OK_RESPONSE);
    rig.sfpu.drain();
    outcome result;
    std::copy(state.lreg, state.lreg + isa::general_lregs, result.lreg);
    for (unsigned row = 0; row < 128; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            result.cells.push_back(rig.dst.storage().cell(row, column));
    result.events = log.lines;
    result.close = rig.sfpu.state().reporter.count(report_id::dst_store_load_distance);
    return result;
}

void expect_same(const outcome& a, const outcome& b) {
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        EXPECT_TRUE(same(a.lreg[lreg], b.lreg[lreg])) << "L" << lreg;
    EXPECT_EQ(a.cells, b.cells);
    EXPECT_EQ(a.close, b.close);
}

/// Loads and stores of all modes in any order, some of them one cycle after a store of the same slice.
std::vector<std::uint32_t> random_words(std::mt19937& random, architecture arch) {
    std::vector<std::uint32_t> words;
    for (unsigned n = 0; n < 60; ++n) {
        const unsigned lreg = static_cast<unsigned>(random() % isa::general_lregs), mode = random() % 16u;
        const unsigned addr_mod = (random() % 4 == 0 ? 1u : 0u) << isa::addr_mod_shift(arch);
        const unsigned address = static_cast<unsigned>(random() % 8) * 2 | addr_mod;
        words.push_back(random() % 2 ? sfpload(lreg, mode, address) : sfpstore(lreg, mode, address));
    }
    return words;
}

void expect_no_difference(lane_mask flags) {
    in_child([=] {
        unit_rig rig;
        start();
        std::mt19937 random(2);
        std::uint64_t close = 0;
        for (const architecture arch : {architecture::blackhole, architecture::wormhole})
            for (unsigned n = 0; n < 40; ++n) {
                const std::vector<std::uint32_t> words = random_words(random, arch);
                const outcome shortly = outcome_of(rig, arch, words, 0, flags, false);
                expect_same(shortly, outcome_of(rig, arch, words, no_shortcut, flags, false));
                const outcome observed = outcome_of(rig, arch, words, 0, flags, true);
                expect_same(shortly, observed);
                EXPECT_EQ(observed.events, outcome_of(rig, arch, words, no_shortcut, flags, true).events);
                EXPECT_FALSE(observed.events.empty());
                close += shortly.close;
            }
        EXPECT_GT(close, 0u);
    });
}

TEST(loads_and_stores, give_the_same_with_and_without_the_shortcut) { expect_no_difference(all_lanes); }
TEST(loads_and_stores, give_the_same_with_masked_lanes) { expect_no_difference(0x5a3c0ff1u); }

} // namespace
} // namespace sfpu::test
