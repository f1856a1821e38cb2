// The front end as a component: protocol, conservation, what its timing does not depend on.
#include "forked.h"
#include "front_end_rig.h"

#include <sfpu/vector_unit/systemc_support.h>

#include <numeric>
#include <random>

namespace sfpu::test {
namespace {

using words = std::vector<std::uint32_t>;
using payload = tlm::tlm_generic_payload;

// --- protocol ----------------------------------------------------------------------------------------------

template <class Spoil>
void expect_push_response(tlm::tlm_response_status expected, Spoil spoil) {
    in_child([=] {
        front_end_rig rig;
        start();
        rig.reset();
        rig.hart.prepare({sfploadi(0, 1)});
        spoil(rig.hart.trans);
        EXPECT_EQ(rig.hart.send(), expected);
        const bool accepted = expected == tlm::TLM_OK_RESPONSE;
        EXPECT_EQ(rig.front.counters().words_in, accepted ? 1u : 0u);
        EXPECT_EQ(rig.hart.delay, accepted ? period() : sc_core::SC_ZERO_TIME);
    });
}

TEST(front_end_port, accepts_a_word_at_address_0) {
    expect_push_response(tlm::TLM_OK_RESPONSE, [](payload&) {});
}
TEST(front_end_port, a_read_is_a_command_error) {
    expect_push_response(tlm::TLM_COMMAND_ERROR_RESPONSE, [](payload& t) { t.set_read(); });
}
TEST(front_end_port, another_address_is_an_address_error) {
    expect_push_response(tlm::TLM_ADDRESS_ERROR_RESPONSE, [](payload& t) { t.set_address(4); });
}
TEST(front_end_port, half_a_word_is_a_burst_error) {
    expect_push_response(tlm::TLM_BURST_ERROR_RESPONSE, [](payload& t) { t.set_data_length(2); });
}
TEST(front_end_port, a_streaming_width_is_whole_words_or_absent) {
    for (const unsigned width : {0u, 4u, 5u, 8u, 0xffffffffu}) // from 4 on it means nothing
        expect_push_response(tlm::TLM_OK_RESPONSE, [=](payload& t) { t.set_streaming_width(width); });
    for (const unsigned width : {1u, 2u, 3u})
        expect_push_response(tlm::TLM_BURST_ERROR_RESPONSE,
                             [=](payload& t) { t.set_streaming_width(width); });
}
TEST(front_end_port, byte_enables_are_refused) {
    static unsigned char enable = TLM_BYTE_ENABLED;
    expect_push_response(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
                         [](payload& t) { t.set_byte_enable_ptr(&enable); });
}

TEST(front_end_port, the_bus_pushes_words_at_any_aligned_address) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        std::uint32_t word = sfploadi(3, 0x1234);
        rig.bus.access(tlm::TLM_WRITE_COMMAND, 0x4000, &word, 4);
        EXPECT_EQ(rig.bus.trans.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.bus.access(tlm::TLM_WRITE_COMMAND, 2, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.bus.access(tlm::TLM_WRITE_COMMAND, 0, &word, 2), tlm::TLM_BURST_ERROR_RESPONSE);
        rig.front.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[3][0], 0x1234u);
    });
}
TEST(front_end_port, the_mop_configuration_is_write_only_and_has_nine_words) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        std::uint32_t word = 0;
        EXPECT_EQ(rig.mop_config.write(32, &word, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.mop_config.write(36, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.mop_config.write(2, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.mop_config.write(0, &word, 2), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.mop_config.read(0, &word, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
    });
}
TEST(front_end_port, the_synchronisation_space_has_two_checks_and_eight_semaphores) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        std::uint32_t word = 0;
        for (const std::uint64_t address : {coprocessor_done, mop_done, semaphore_0, semaphore_0 + 28}) {
            EXPECT_EQ(rig.sync.read(address, &word, 4), tlm::TLM_OK_RESPONSE) << address;
            EXPECT_EQ(rig.sync.write(address, &word, 4), tlm::TLM_OK_RESPONSE) << address;
        }
        EXPECT_EQ(rig.sync.write(0, &word, 4), tlm::TLM_OK_RESPONSE)
            << "a T core's write to the PC buffer is discarded";
        EXPECT_EQ(rig.sync.read(0, &word, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
        EXPECT_EQ(rig.sync.read(0x0c, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.sync.read(0x40, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.sync.read(semaphore_0, &word, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

// --- synchronisation ---------------------------------------------------------------------------------------

TEST(front_end_sync, the_done_check_returns_after_the_last_word_and_its_latency) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        rig.hart.push({sfpnop, sfpmad(1, 1, 1, 2)}); // issues in 1, busy in 1 and 2
        rig.share_time();
        rig.read_sync(coprocessor_done);
        EXPECT_EQ(rig.sync.delay, time_of(3));
        EXPECT_EQ(rig.sfpu.state().counters.instructions, 2u);
    });
}
TEST(front_end_sync, a_semaphore_is_posted_by_even_and_taken_by_odd_values) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 3; ++i) rig.sync.write(semaphore_0 + 8, &value, 4);
        EXPECT_EQ(rig.read_sync(semaphore_0 + 8), 3u);
        value = 1;
        rig.sync.write(semaphore_0 + 8, &value, 4);
        EXPECT_EQ(rig.read_sync(semaphore_0 + 8), 2u);
    });
}
TEST(front_end_sync, a_core_sees_a_post_of_the_thread_when_it_has_been_issued) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        rig.hart.push({sfpnop, sfpnop, sempost(1)}); // the post issues in 2
        EXPECT_EQ(rig.read_sync(semaphore_0), 0u);
        rig.sync.delay = time_of(2);
        EXPECT_EQ(rig.read_sync(semaphore_0), 0u);
        rig.sync.delay = time_of(3);
        EXPECT_EQ(rig.read_sync(semaphore_0), 1u);
    });
}
TEST(front_end_sync, stallwait_orders_a_post_behind_outstanding_macro_entries) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        for (isa::macro_configuration& column : rig.sfpu.state().vector.macro) {
            column.sequence[0] = store_after(6);
            column.misc = misc_counts_cycles;
        }
        ++rig.sfpu.state().vector.macro_version;
        // Issued in 0; its store executes in 7. The wait is met in 8, so the post passes in 9.
        rig.hart.push({sfploadmacro(0, 0, mode_uint16, 0), stallwait(2, 1u << 11), sempost(1)});
        rig.share_time();
        rig.sync.delay = time_of(9);
        EXPECT_EQ(rig.read_sync(semaphore_0), 0u);
        rig.sync.delay = time_of(10);
        EXPECT_EQ(rig.read_sync(semaphore_0), 1u);
    });
}
TEST(front_end_sync, a_read_of_dst_sees_what_was_pushed_before) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        rig.hart.push({sfploadi(0, 0x1234), sfpstore(0, mode_uint16, 0)});
        std::uint16_t cell = 0;
        rig.share_time();
        rig.memory.read(0, &cell, 2);
        EXPECT_EQ(cell, 0x1234u);
    });
}

/// A hart that pushes into a full FIFO behind a wait, and another one that ends the wait.
struct two_harts : sc_core::sc_module {
    front_end_rig& rig;
    sc_core::sc_time pushed, posted;
    SFPU_HAS_PROCESS(two_harts);
    two_harts(const sc_core::sc_module_name& name, front_end_rig& r) : sc_module(name), rig(r) {
        SC_THREAD(push);
        SC_THREAD(post);
    }
    void push() {
        rig.hart.push({semwait(block_everything, 1, while_zero)});
        rig.hart.push(words(40, sfpnop));
        wait(rig.hart.delay);
        pushed = sc_core::sc_time_stamp();
    }
    void post() {
        wait(time_of(1000));
        std::uint32_t even = 0;
        rig.sync.write(semaphore_0, &even, 4);
        posted = sc_core::sc_time_stamp();
    }
};

TEST(front_end_sync, a_push_behind_a_wait_sleeps_until_another_core_posts) {
    in_child([] {
        front_end_rig rig;
        two_harts harts("harts", rig);
        sc_core::sc_start();
        // Released in 1001, one word a cycle from then on: of the 40 words the 30th is accepted in 1002, the
        // last in 1012.
        EXPECT_EQ(harts.posted, time_of(1000));
        EXPECT_EQ(harts.pushed, time_of(1013));
        rig.front.drain();
        EXPECT_EQ(rig.sfpu.state().counters.words, 41u);
    });
}

/// Two front ends that share semaphores and mutexes and are in no group.
struct front_ends_that_share : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu", 2};
    frontend::sync_unit shared;
    frontend::front_end first{"first", sfpu, 0, &shared}, second{"second", sfpu, 1, &shared};
    word_pusher hart{"hart"}; ///< pushes to the first
    checked_bindings checked;
    explicit front_ends_that_share(const sc_core::sc_module_name& name) : sc_module(name) {
        checked.bind(hart.isock, first.push_tsock);
        checked.bind(first.insn_isock(), sfpu.insn_tsock(0));
        checked.bind(second.insn_isock(), sfpu.insn_tsock(1));
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
    }
};

TEST(front_end_sync, a_core_releases_a_thread_that_shares_its_semaphores) {
    in_child([] {
        front_ends_that_share platform("platform");
        memory_driver sync("sync");
        platform.checked.bind(sync.isock, platform.second.sync_tsock);
        start();
        platform.hart.push({semwait(block_everything, 1, while_zero), sfploadi(0, 7)});
        platform.first.pass_on(time_of(50));
        std::uint32_t even = 0;
        sync.delay = time_of(60);
        sync.write(semaphore_0, &even, 4);
        platform.first.pass_on(time_of(100));
        EXPECT_EQ(platform.first.pipeline().next_issue(), cycles{62}) << "met in 60, passes in 61";
    });
}

/// The second pushes into a full FIFO until the first has released a mutex.
struct mutex_holder_and_waiter : front_ends_that_share {
    word_pusher waiter{"waiter"};
    sc_core::sc_time pushed;
    SFPU_HAS_PROCESS(mutex_holder_and_waiter);
    explicit mutex_holder_and_waiter(const sc_core::sc_module_name& name) : front_ends_that_share(name) {
        checked.bind(waiter.isock, second.push_tsock);
        SC_THREAD(hold);
        SC_THREAD(push);
    }
    void hold() {
        hart.push({atgetm(0)});
        first.pass_on(time_of(5));
        wait(time_of(1000));
        hart.delay = sc_core::SC_ZERO_TIME;
        hart.push({atrelm(0)});
        first.pass_on(time_of(1005));
    }
    void push() {
        wait(time_of(10));
        waiter.push({atgetm(0)});
        waiter.push(words(40, sfpnop));
        wait(waiter.delay);
        pushed = sc_core::sc_time_stamp();
    }
};

TEST(front_end_sync, a_push_behind_a_mutex_sleeps_until_another_thread_has_released_it) {
    in_child([] {
        mutex_holder_and_waiter platform("platform");
        sc_core::sc_start();
        // Released in 1000, acquired in 1001, one word a cycle from then on. As above, but what waits takes a
        // place itself: of the 40 words the 29th is accepted in 1002, the last in 1013.
        EXPECT_EQ(platform.pushed, time_of(1014));
        platform.second.drain();
        platform.first.drain();
        EXPECT_EQ(platform.sfpu.state().counters.words, 43u);
    });
}

// --- status ------------------------------------------------------------------------------------------------

TEST(front_end_status, the_csrs_name_what_waits_and_what_is_busy) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        constexpr std::uint32_t lanes = 1u << 11 | 1u << 24, vector = 1u << 9;
        EXPECT_EQ(rig.front.status_csr(0xbc0, time_of(0)), lanes);
        EXPECT_EQ(rig.front.status_csr(0xbc1, time_of(0)), 0u);
        rig.hart.push({semwait(block_everything, 1, while_zero), sfpnop});
        EXPECT_EQ(rig.front.status_csr(0xbc0, time_of(5)), lanes | vector | vector << 13);
        EXPECT_EQ(rig.front.status_csr(0xbc1, time_of(5)), vector | vector << 11);
        EXPECT_EQ(rig.front.status_csr(0xbc2, time_of(5)), 0u);
    });
}
TEST(front_end_status, the_buffer_status_is_that_of_the_fifo_before_the_replay_expander) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        EXPECT_EQ(rig.front.instruction_buffer_status(time_of(0)), 0x77u);
        rig.hart.push({semwait(block_everything, 1, while_zero)});
        rig.hart.push(words(9, sfpnop)); // two before the gate, seven before the replay expander
        EXPECT_EQ(rig.front.instruction_buffer_status(time_of(20)), 0x67u);
        rig.hart.push({sfpnop});
        EXPECT_EQ(rig.front.instruction_buffer_status(time_of(30)), 0x66u);
    });
}

// --- conservation ------------------------------------------------------------------------------------------

/// A program whose instructions are SFPLOADIs with the numbers 0, 1, 2, ... in the order in which they must
/// issue.
class numbered_program {
public:
    words pushed;
    unsigned issued = 0; ///< how many numbers

    explicit numbered_program(std::uint32_t seed) : random_(seed) {
        while (issued < 400) add();
    }
    static words mop_words() {
        return {2, 2, 0x02000000, marker, 0x02000000, marker, 0x02000000, marker, marker};
    }
    static constexpr std::uint32_t marker = 0x71700000; ///< of a MOP: SFPLOADI L7, which has no number

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::uint32_t next() { return sfploadi(0, issued++); }
    void add() {
        switch (below(10)) {
        case 0: { // load with execution; the playback repeats numbers, which the test takes out again
            const unsigned count = 1 + below(20);
            pushed.push_back(replay(below(32), count, true, true));
            for (unsigned i = 0; i < count; ++i) pushed.push_back(next());
            break;
        }
        case 1: { // load without execution, then play once
            const unsigned count = 1 + below(20), index = below(32);
            pushed.push_back(replay(index, count, false, true));
            for (unsigned i = 0; i < count; ++i) pushed.push_back(next());
            pushed.push_back(replay(index, count, false, false));
            break;
        }
        case 2: pushed.push_back(mop(1)); break;
        case 3: pushed.push_back(stallwait(block_vector_unit, 1u << 11)); break;
        case 4: pushed.push_back(incrwc(2)); break;
        case 5: // a stall
            pushed.push_back(sfpmad(1, 2, 3, 4));
            pushed.push_back(sfpmad(4, 4, 4, 5));
            break;
        default: pushed.push_back(next()); break;
        }
    }

    std::mt19937 random_;
};

parameters random_depths(std::uint32_t seed) {
    std::mt19937 random(seed);
    parameters config;
    front_end_parameters& f = config.front_end;
    if (random() % 2) f.fifo_depth = 1 + static_cast<unsigned>(random() % 20);
    if (random() % 2) f.replay_fifo_depth = 1 + static_cast<unsigned>(random() % 8);
    if (random() % 2) f.gate_fifo_depth = 1 + static_cast<unsigned>(random() % 4);
    return config;
}

/// How a run reaches its end. The hart executes the same accesses at the same local times in all of them.
struct schedule {
    std::int64_t quantum = 0; ///< cycles that the hart runs ahead; 0: none
    bool looks = false;       ///< somebody else brings the front end to the present again and again
};

struct outcome {
    std::vector<immediate_log::entry> issued;
    std::vector<std::int64_t> accepted;
    std::uint64_t words = 0, stalls = 0, full = 0, waits = 0;
};

outcome run(const numbered_program& program, const parameters& config, const schedule& how) {
    outcome result;
    immediate_log log;
    front_end_rig rig;
    start();
    rig.reset(config, {&log, nullptr, hazard_policy::off});
    rig.configure_mop(numbered_program::mop_words());
    std::mt19937 random(7);
    for (std::size_t i = 0; i < program.pushed.size(); ++i) {
        // Gaps between pushes are the program's: some cycles after the previous one.
        if (i % 17 == 0) rig.hart.delay += time_of(static_cast<std::int64_t>(i % 40));
        rig.hart.push({program.pushed[i]});
        result.accepted.push_back(rig.hart.cycle());
        if (rig.hart.delay >= time_of(how.quantum)) {
            const std::int64_t until = rig.hart.cycle();
            run_to(until);
            rig.hart.delay = sc_core::SC_ZERO_TIME;
            if (how.looks && random() % 2) rig.front.catch_up(sc_core::sc_time_stamp());
        }
    }
    rig.front.drain();
    result.issued = log.entries;
    result.words = rig.sfpu.state().counters.words;
    for (const std::uint64_t cycles_held : rig.sfpu.state().counters.stalls) result.stalls += cycles_held;
    result.full = rig.front.counters().full_cycles;
    result.waits = rig.front.counters().wait_gate_cycles;
    EXPECT_TRUE(rig.front.pipeline().counters().words_out == result.words);
    return result;
}

TEST(front_end, issues_each_pushed_instruction_once_and_in_order) {
    for (std::uint32_t seed = 0; seed < 12; ++seed)
        in_child([=] {
            const numbered_program program(seed);
            const outcome result = run(program, random_depths(seed), {});
            std::vector<std::uint32_t> numbers;
            for (const auto& entry : result.issued)
                if (entry.immediate != 0) numbers.push_back(entry.immediate);
            std::vector<std::uint32_t> expected(program.issued - 1);
            std::iota(expected.begin(), expected.end(), 1u);
            EXPECT_EQ(numbers, expected) << "seed " << seed;
        });
}

/// Runs in a child each and compares what a parent can see of it: a line of text.
std::string text_of(const numbered_program& program, const parameters& config, const schedule& how) {
    const child_result result = run_in_child([&] {
        const outcome o = run(program, config, how);
        std::cout << "words " << o.words << " stalls " << o.stalls << " full " << o.full << " waits "
                  << o.waits;
        for (const auto& entry : o.issued) std::cout << " " << entry;
        for (const std::int64_t cycle : o.accepted) std::cout << " " << cycle;
    });
    EXPECT_TRUE(result.passed()) << result.how_it_ended() << result.output;
    return result.output;
}

TEST(front_end, results_and_times_do_not_depend_on_the_quantum) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const numbered_program program(seed);
        const parameters config = random_depths(seed);
        const std::string exact = text_of(program, config, {0, false});
        for (const std::int64_t quantum : {1, 10, 100, 100000})
            EXPECT_EQ(text_of(program, config, {quantum, false}), exact)
                << "seed " << seed << " quantum " << quantum;
    }
}
TEST(front_end, results_and_times_do_not_depend_on_who_looks) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const numbered_program program(seed);
        const parameters config = random_depths(seed);
        const std::string exact = text_of(program, config, {0, false});
        for (const std::int64_t quantum : {0, 7, 64})
            EXPECT_EQ(text_of(program, config, {quantum, true}), exact)
                << "seed " << seed << " quantum " << quantum;
    }
}

TEST(front_end, catch_up_passes_on_nothing_that_issues_later) {
    in_child([] {
        immediate_log log;
        front_end_rig rig;
        start();
        rig.reset({}, {&log, nullptr, hazard_policy::off});
        for (unsigned i = 0; i < 20; ++i) rig.hart.push({sfploadi(0, i)});
        for (std::int64_t cycle : {3, 4, 11}) {
            rig.front.catch_up(time_of(cycle));
            EXPECT_EQ(log.entries.size(), static_cast<std::size_t>(cycle));
        }
    });
}
TEST(front_end, steady_state_out_of_the_replay_buffer_is_one_instruction_a_cycle) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        rig.hart.push({replay(0, 10, true, true)});
        rig.hart.push(words(10, sfploadi(0, 1)));
        for (unsigned i = 0; i < 100; ++i) rig.hart.push({replay(0, 10, false, false)});
        rig.front.drain();
        EXPECT_EQ(rig.sfpu.state().counters.words, 1010u);
        EXPECT_EQ(rig.sfpu.cycles_used(), cycles{1010});
        EXPECT_EQ(rig.front.counters().replay_words, 1000u);
    });
}
TEST(front_end, events_carry_the_number_of_the_pushed_word) {
    in_child([] {
        event_log log;
        front_end_rig rig;
        start();
        rig.reset({}, {&log, nullptr, hazard_policy::off});
        rig.hart.push({replay(0, 1, true, true), sfpnop, replay(0, 1, false, false)});
        rig.front.drain();
        std::vector<std::string> executed;
        for (const std::string& line : log.lines)
            if (line.find("8f000000") != std::string::npos)
                executed.push_back(line.substr(line.find("word")));
        ASSERT_EQ(executed.size(), 2u);
        EXPECT_EQ(executed[0].substr(0, 6), "word 1");
        EXPECT_EQ(executed[1].substr(0, 6), "word 2");
    });
}
TEST(front_end, reset_equals_construction) {
    in_child([] {
        front_end_rig rig;
        start();
        rig.reset();
        std::uint32_t even = 0;
        rig.sync.write(semaphore_0, &even, 4);
        rig.configure_mop(words(9, sfpnop));
        rig.hart.push({replay(0, 4, false, true), sfpnop, 0x03001234,
                       semwait(block_everything, 2, while_zero), sfpnop});
        rig.front.drain();
        rig.reset();
        EXPECT_EQ(rig.read_sync(semaphore_0), 0u);
        EXPECT_EQ(rig.front.counters().words_in, 0u);
        rig.hart.delay = sc_core::SC_ZERO_TIME;
        rig.hart.push({sfploadi(0, 5)}); // neither loaded nor held
        rig.front.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 5u);
    });
}

// --- the B core --------------------------------------------------------------------------------------------

TEST(front_end_b_core, a_collision_loses_the_word_of_the_t_core_and_counts_it) {
    in_child([] {
        immediate_log log;
        front_end_rig rig;
        start();
        rig.reset({}, {&log, nullptr, hazard_policy::off});
        rig.hart.push({sfploadi(0, 1), sfploadi(0, 2), sfploadi(0, 3)});
        rig.b_hart.set_cycle(1);
        rig.b_hart.push({sfploadi(0, 9)});
        rig.front.drain();
        EXPECT_EQ(log.entries, (std::vector<immediate_log::entry>{{0, 1}, {1, 9}, {2, 3}}));
        EXPECT_EQ(rig.front.counters().collisions, 1u);
        EXPECT_EQ(rig.sfpu.state().reporter.count(report_id::frontend_collision), 1u);
    });
}

} // namespace
} // namespace sfpu::test
