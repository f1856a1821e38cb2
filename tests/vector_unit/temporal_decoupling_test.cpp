// Results and cycles do not depend on the global quantum.
#include "bench_record.h"
#include "forked.h"
#include "random_program.h"
#include "rig.h"

#include <sfpu/vector_unit/systemc_support.h>

#include <tlm_utils/tlm_quantumkeeper.h>

namespace sfpu::test {
namespace {

void set_quantum(const sc_core::sc_time& quantum) { tlm::tlm_global_quantum::instance().set(quantum); }

const std::vector<sc_core::sc_time>& other_quanta() {
    static const std::vector<sc_core::sc_time> quanta{period(), period() * 3.5, period() * 100,
                                                      sc_core::sc_time(1, sc_core::SC_SEC)};
    return quanta;
}

TEST(temporal_decoupling, random_programs_give_the_same_state_events_and_cycles_at_every_quantum) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(41);
        std::uint64_t scheduled = 0, discarded = 0, stalled = 0, forgotten = 0;
        for (unsigned i = 0; i < 80; ++i) {
            platform::run_request program = programs.next();
            if (i % 8 == 7) program.config.dst_store_load_visible = i % 3;
            set_quantum(sc_core::SC_ZERO_TIME);
            const bench_record exact = run(bench, program);
            for (const sc_core::sc_time& quantum : other_quanta()) {
                set_quantum(quantum);
                expect_same(exact, run(bench, program));
                ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i << ", quantum " << quantum;
            }
            const probe::unit_counters& counters = exact.result.counters;
            for (const std::uint64_t n : counters.scheduled) scheduled += n;
            for (const std::uint64_t n : counters.discarded) discarded += n;
            for (const std::uint64_t n : counters.stalls) stalled += n;
            forgotten += counters.macros_forgotten;
        }
        // The programs are worth comparing.
        EXPECT_GT(scheduled, 1000u);
        EXPECT_GT(discarded, 100u);
        EXPECT_GT(stalled, 100u);
        EXPECT_GT(forgotten, 100u);
    });
}

TEST(temporal_decoupling, two_issue_slots_share_the_same_words_at_every_quantum) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(44);
        std::int64_t saved = 0;
        for (unsigned i = 0; i < 40; ++i) {
            platform::run_request program = programs.next();
            set_quantum(sc_core::SC_ZERO_TIME);
            const cycles one_slot = run(bench, program).result.cycles_used;
            program.config.sfpu_issue_width = 2;
            const bench_record exact = run(bench, program);
            saved += (one_slot - exact.result.cycles_used).count();
            for (const sc_core::sc_time& quantum : other_quanta()) {
                set_quantum(quantum);
                expect_same(exact, run(bench, program));
                ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i << ", quantum " << quantum;
            }
        }
        EXPECT_GT(saved, 100); // words do go together
    });
}

TEST(temporal_decoupling, repeated_segments_give_the_same_spans_at_every_quantum) {
    in_child([] {
        platform::sfpu_bench bench;
        random_programs programs(42);
        for (unsigned i = 0; i < 10; ++i) {
            platform::run_request program = programs.next(13);
            program.segments.push_back(programs.next(7).segments.front());
            program.segments[0].repeat = 1 + i;
            program.segments[1].repeat = 300;
            set_quantum(sc_core::SC_ZERO_TIME);
            const bench_record exact = run(bench, program);
            EXPECT_EQ(exact.result.counters.words,
                      program.segments[0].words.size() * (1 + i) + program.segments[1].words.size() * 300);
            for (const sc_core::sc_time& quantum : other_quanta()) {
                set_quantum(quantum);
                expect_same(exact, run(bench, program));
                ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i << ", quantum " << quantum;
            }
        }
    });
}

TEST(temporal_decoupling, simulated_time_at_the_end_of_a_run_does_not_depend_on_the_quantum) {
    in_child([] {
        platform::sfpu_bench bench;
        const platform::run_request program = random_programs(43).next();
        std::vector<sc_core::sc_time> used;
        for (const sc_core::sc_time& quantum : {sc_core::SC_ZERO_TIME, period(), period() * 100}) {
            set_quantum(quantum);
            const sc_core::sc_time before = sc_core::sc_time_stamp();
            bench.run(program);
            used.push_back(sc_core::sc_time_stamp() - before);
        }
        EXPECT_EQ(used[0], used[1]);
        EXPECT_EQ(used[0], used[2]);
    });
}

// --- two decoupled initiators ------------------------------------------------------------------------------

/// Pushes bursts with gaps between them, synchronising when the global quantum is used up.
class decoupled_pusher : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<decoupled_pusher> isock{"isock"};

    decoupled_pusher(const sc_core::sc_module_name& name, unsigned seed) : sc_module(name), random_(seed) {
        SFPU_HAS_PROCESS(decoupled_pusher);
        SC_THREAD(play);
    }

private:
    void play() {
        tlm_utils::tlm_quantumkeeper keeper;
        keeper.reset();
        for (unsigned burst = 0; burst < 100; ++burst) {
            keeper.inc(time_of(static_cast<std::int64_t>(random_() % 9)));
            std::vector<std::uint32_t> words;
            for (std::size_t n = 1 + random_() % 5; n != 0; --n) words.push_back(word());
            fill(trans_, tlm::TLM_WRITE_COMMAND, 0, words.data(), static_cast<unsigned>(4 * words.size()));
            trans_.set_streaming_width(4);
            sc_core::sc_time delay = keeper.get_local_time();
            isock->b_transport(trans_, delay);
            EXPECT_TRUE(trans_.is_response_ok());
            keeper.set(delay);
            if (keeper.need_sync()) keeper.sync();
        }
        keeper.sync();
    }
    std::uint32_t word() {
        switch (random_() % 4) {
        case 0: return sfpmad(random_() % 8, random_() % 8, random_() % 8, random_() % 8);
        case 1: return sfploadmacro(0, random_() % 8, mode_int32, random_() % 16 * 4);
        case 2: return incrwc(random_() % 4);
        default: return sfploadi(random_() % 8, random_() % 0x10000);
        }
    }

    std::mt19937 random_;
    tlm::tlm_generic_payload trans_;
};

/// Prints all events of a simulation with two decoupled initiators.
void play_two_initiators(const sc_core::sc_time& quantum) {
    struct platform : sc_core::sc_module {
        dst::dst_memory dst{"dst"};
        vector_unit sfpu{"sfpu", 2};
        decoupled_pusher first{"first", 51}, second{"second", 52};
        checked_bindings checked;
        explicit platform(const sc_core::sc_module_name& name) : sc_module(name) {
            checked.bind(first.isock, sfpu.insn_tsock(0));
            checked.bind(second.isock, sfpu.insn_tsock(1));
            sfpu.dst_load_isock().bind(dst.load_tsock);
            sfpu.dst_store_isock().bind(dst.store_tsock);
            dst.attach(sfpu);
        }
    };
    set_quantum(quantum);
    platform top("top");
    event_log log;
    top.sfpu.reset(parameters{}, {&log, nullptr, hazard_policy::warn});
    for (isa::macro_configuration& column : top.sfpu.state().vector.macro)
        column.sequence[0] = store_after(2);
    ++top.sfpu.state().vector.macro_version;
    sc_core::sc_start();
    top.sfpu.catch_up(sc_core::sc_time(1, sc_core::SC_MS));
    for (const std::string& line : log.lines) std::puts(line.c_str());
}

TEST(temporal_decoupling, two_initiators_give_the_same_events_at_every_quantum) {
    const child_result exact = run_in_child([] { play_two_initiators(sc_core::SC_ZERO_TIME); });
    ASSERT_TRUE(exact.passed()) << exact.output;
    EXPECT_GT(exact.output.size(), 10000u);
    for (const int quantum_cycles : {1, 7, 100, 1000000}) {
        const child_result other = run_in_child([=] { play_two_initiators(time_of(quantum_cycles)); });
        EXPECT_TRUE(other.passed()) << other.output;
        EXPECT_TRUE(other.output == exact.output) << "quantum " << quantum_cycles << " cycles";
    }
}

} // namespace
} // namespace sfpu::test
