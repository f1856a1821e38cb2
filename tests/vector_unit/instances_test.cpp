// The library inside somebody else's simulation: several instances, silence, names.
#include "forked.h"
#include "random_program.h"
#include "rig.h"

#include <array>
#include <numeric>

namespace sfpu::test {
namespace {

/// One program on one rig, played in pieces so that two rigs can take turns.
class piecewise_run {
public:
    piecewise_run(unit_rig& rig, const platform::run_request& program)
        : rig_(rig), words_(program.segments.front().words) {
        rig.reset(program.config, {&log, nullptr, hazard_policy::warn});
        rig.sfpu.state().start_from(program.state);
        rig.sfpu.state().threads.fill(program.thread);
        rig.port().delay = sc_core::SC_ZERO_TIME;
    }
    ~piecewise_run() { rig_.sfpu.reset(parameters{}); } // the log ends with the run

    bool done() const { return next_ == words_.size(); }
    void step(std::size_t count) {
        const std::size_t end = std::min(words_.size(), next_ + count);
        EXPECT_EQ(rig_.port().push({words_.begin() + next_, words_.begin() + end}), tlm::TLM_OK_RESPONSE);
        next_ = end;
    }
    void finish() {
        rig_.sfpu.drain();
        rig_.dst.settle();
        state = rig_.sfpu.state().vector;
        dst.assign(rig_.dst.storage().data(), rig_.dst.storage().data() + dst::bytes);
    }

    event_log log;
    isa::vector_state state;
    std::vector<unsigned char> dst;

private:
    unit_rig& rig_;
    std::vector<std::uint32_t> words_;
    std::size_t next_ = 0;
};

TEST(instances, two_vector_units_with_two_dst_do_not_disturb_each_other) {
    in_child([] {
        unit_rig left("left"), right("right");
        start();
        random_programs programs(61);
        std::mt19937 random(62);
        for (unsigned i = 0; i < 30; ++i) {
            platform::run_request a = programs.next(), b = programs.next();
            if (i % 3 == 2) b.config.dst_store_load_visible = 3;
            piecewise_run alone(left, a);
            while (!alone.done()) alone.step(1);
            alone.finish();

            piecewise_run first(left, a), second(right, b);
            while (!first.done() || !second.done()) {
                if (!first.done()) first.step(1 + random() % 3);
                if (!second.done()) second.step(1 + random() % 3);
            }
            second.finish();
            first.finish();
            EXPECT_EQ(first.log.lines, alone.log.lines);
            expect_same_state(first.state, alone.state);
            EXPECT_TRUE(first.dst == alone.dst);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

TEST(instances, the_two_architectures_run_side_by_side) {
    in_child([] {
        unit_rig blackhole("blackhole"), wormhole("wormhole");
        start();
        parameters config;
        config.arch = architecture::wormhole;
        wormhole.reset(config);
        const std::vector<std::uint32_t> words{sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4)};
        blackhole.port().push(words);
        wormhole.port().push(words);
        blackhole.sfpu.drain();
        wormhole.sfpu.drain();
        EXPECT_EQ(blackhole.sfpu.cycles_used(), cycles{4}); // T16: Blackhole waits
        EXPECT_EQ(wormhole.sfpu.cycles_used(), cycles{3});  // T17: Wormhole does not
    });
}

TEST(instances, construction_and_runs_print_nothing) {
    const child_result result = run_in_child([] {
        platform::sfpu_bench bench;
        unit_rig rig("rig", 3);
        random_programs programs(63);
        for (unsigned i = 0; i < 20; ++i) {
            bench.run(programs.next()); // full of hazards
            rig.reset(parameters{});
            rig.port(1).set_cycle(1000);
            rig.port(1).push(programs.next().segments.front().words);
            std::uint32_t word = 0;
            rig.memory.read(~0ull, &word, 4);
            rig.port(2).prepare({1});
            rig.port(2).trans.set_address(12);
            rig.port(2).send();
            rig.sfpu.drain();
        }
    });
    EXPECT_TRUE(result.passed());
    EXPECT_EQ(result.output, "");
}

TEST(instances, an_event_names_the_lanes_that_were_enabled_when_the_instruction_executed) {
    in_child([] {
        struct lane_log : probe::pipeline_observer {
            std::vector<lane_mask> lanes;
            void executed(const probe::execution_event& e) override { lanes.push_back(e.lanes); }
        } log;
        unit_rig rig;
        start();
        rig.reset(parameters{}, {&log, nullptr, hazard_policy::warn});
        for (unsigned lane = 0; lane < 16; ++lane) rig.sfpu.state().vector.lreg[1][lane] = 1;
        // SFPENCC enables flags, all set; SFPSETCC sets them where L1 is not 0; then any instruction.
        rig.port().push({0x8a00300au, 0x7b000102u, sfploadi(0, 1)});
        rig.sfpu.drain();
        EXPECT_EQ(log.lanes, (std::vector<lane_mask>{all_lanes, all_lanes, 0x0000ffffu}));
    });
}

TEST(instances, paths_of_sockets_are_those_that_scripts_know) {
    in_child([] {
        unit_rig rig("top", 2);
        start();
        for (const char* path : {"top.dst.load_tsock", "top.dst.store_tsock", "top.dst.mem_tsock",
                                 "top.sfpu.issue_unit.insn_tsock_0", "top.sfpu.issue_unit.insn_tsock_1",
                                 "top.sfpu.issue_unit.scheduler_isock",
                                 "top.sfpu.macro_scheduler.issue_tsock", "top.sfpu.load_unit.dst_load_isock",
                                 "top.sfpu.store_unit.dst_store_isock", "top.sfpu.load_unit.insn_tsock",
                                 "top.sfpu.simple_unit.insn_tsock", "top.sfpu.mad_unit.insn_tsock",
                                 "top.sfpu.round_unit.insn_tsock", "top.sfpu.store_unit.insn_tsock"})
            EXPECT_NE(sc_core::sc_find_object(path), nullptr) << path;
    });
}

} // namespace
} // namespace sfpu::test
