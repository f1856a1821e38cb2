// Reset equals construction, and nothing of a run is left for the next one.
#include "bench_record.h"
#include "forked.h"
#include "random_program.h"
#include "rig.h"

namespace sfpu::test {
namespace {

/// Words that leave traces in every part of the state.
std::vector<std::uint32_t> leave_traces() {
    return {0x8a00300au, // sfpencc: lane flags
            0x87000000u, // sfppushc: flag stack
            sfploadi(0, 0x30f),
            0x910000f0u, // sfpconfig from L0: LaneConfig
            0x840000c0u, // sfpmad with VD = 12: template 0
            0x8e000001u, // sfpstochrnd: PRNG
            0x94000002u, // sfpshft2 mode 2: source of the shuffle
            0xb2240005u,
            incrwc(5), // setc16, incrwc: thread state
            sfpstore(3, mode_int32, 8),
            sfploadmacro(1, 2, mode_int32, 0)};
}

TEST(reset, leaves_a_used_unit_as_it_was_constructed) {
    in_child([] {
        unit_rig used("used"), fresh("fresh");
        start();
        expect_same_rigs(used, fresh);
        random_programs programs(71);
        for (unsigned i = 0; i < 30; ++i) {
            const platform::run_request program = programs.next();
            used.sfpu.state().vector = program.state;
            used.port().delay = sc_core::SC_ZERO_TIME;
            used.port().push(leave_traces());
            used.port().push(
                program.segments.front().words); // not drained: entries and results stay under way
            EXPECT_NE(used.sfpu.state().counters.words, 0u);
            used.reset(parameters{});
            expect_same_rigs(used, fresh);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

TEST(reset, gives_lreg_12_the_configured_default) {
    in_child([] {
        unit_rig rig;
        start();
        parameters config;
        config.sfpu_lreg12_default = 0x37800000;
        rig.reset(config);
        EXPECT_EQ(rig.sfpu.state().vector.lreg[12][31], 0x37800000u);
    });
}

TEST(reset, a_program_gives_the_same_result_first_and_after_many_others) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(72);
        for (unsigned i = 0; i < 8; ++i) {
            const platform::run_request program = programs.next();
            const bench_record first = run(bench, program);
            for (unsigned other = 0; other < 15; ++other) {
                platform::run_request between = programs.next();
                between.config.dst_store_load_visible = other % 4;
                between.config.latency_mad = 2 + other % 3;
                if (other % 5 == 4) {
                    between.config.arch = architecture::wormhole;
                    between.thread.reset(between.config.arch);
                }
                bench.run(between);
            }
            const bench_record again = run(bench, program);
            expect_same(first, again);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

TEST(reset, the_position_that_a_load_captures_does_not_depend_on_earlier_loads) {
    // LaneConfig ENABLE_DEST_INDEX and CAPTURE_DEFAULT_DEST_INDEX; a ZERO load reads no cell but has a
    // position, too.
    in_child([] {
        unit_rig rig;
        start();
        const auto captured = [&](unsigned mode, const std::vector<std::uint32_t>& before) {
            rig.reset(parameters{});
            for (unsigned column = 0; column < column_count; ++column)
                rig.sfpu.state().vector.config.set_column(column, 0xc);
            rig.port().delay = sc_core::SC_ZERO_TIME;
            if (!before.empty()) rig.port().push(before);
            rig.port().push({sfpload(0, mode, 6)}); // odd columns of rows 4 to 7
            rig.sfpu.drain();
            return rig.sfpu.state().vector.lreg[4];
        };
        const lanes expected = captured(mode_int32, {});
        EXPECT_EQ(expected[0], 4u << 4 | 1u);
        EXPECT_TRUE(same(captured(mode_zero, {}), expected));
        EXPECT_TRUE(same(captured(mode_zero, {sfpload(1, mode_int32, 0)}), expected));
        EXPECT_TRUE(same(captured(mode_zero, {sfpload(1, mode_int32, 2)}), expected));
    });
}

/// Keeps of every SFPTRANSP whether its result was there.
struct result_log : probe::pipeline_observer {
    std::vector<bool> has_result;
    void executed(const probe::execution_event& e) override {
        if (e.insn.is(isa::opcode::sfptransp)) has_result.push_back(e.result != nullptr);
    }
};

TEST(reset, a_word_that_becomes_a_template_has_no_result_whatever_was_written_before) {
    // LaneConfig DISABLE_BACKDOOR_LOAD says of the same word whether it is an instruction or a template.
    in_child([] {
        unit_rig rig;
        start();
        result_log log;
        vector_unit::listeners to;
        to.observer = &log;
        const std::uint32_t word = 0x8c0000d0u; // SFPTRANSP with a VD of 13 changes registers or template 1
        constexpr std::uint32_t sfpconfig_lane_config = 0x910000f0u; // from L0
        const auto run = [&](std::uint32_t config_of_column_0) {
            rig.sfpu.state().vector.lreg[0] = {};
            rig.sfpu.state().vector.lreg[0].v[0] = config_of_column_0;
            log.has_result.clear();
            rig.port().push({sfpconfig_lane_config, sfpnop, word, sfpnop, sfpnop});
            return log.has_result;
        };
        constexpr std::uint32_t with_backdoor = 0, without_backdoor = 2;
        rig.reset(parameters{}, to);
        EXPECT_EQ(run(with_backdoor), std::vector<bool>{false});
        EXPECT_EQ(run(without_backdoor), std::vector<bool>{true});
        EXPECT_EQ(run(with_backdoor), std::vector<bool>{false});
        EXPECT_EQ(run(without_backdoor), std::vector<bool>{true});
        rig.sfpu.drain();
        parameters slow;
        slow.latency_mad = 8; // results are kept elsewhere
        rig.reset(slow, to);
        rig.port().delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(run(with_backdoor), std::vector<bool>{false});
    });
}

} // namespace
} // namespace sfpu::test
