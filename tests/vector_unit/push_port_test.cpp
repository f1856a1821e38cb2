// The push port of the vector unit: responses, annotated delays, bursts, four phases.
#include "forked.h"
#include "random_program.h"
#include "rig.h"

#include <numeric>

namespace sfpu::test {
namespace {

// --- responses ---------------------------------------------------------------------------------------------

/// Sends one word after `spoil` has changed the payload; nothing may be issued and no time may pass if it is
/// refused.
template <class Spoil>
void expect_response(tlm::tlm_response_status expected, Spoil spoil) {
    in_child([=] {
        unit_rig rig;
        start();
        rig.port().prepare({sfploadi(0, 0x1234)});
        spoil(rig.port().trans);
        EXPECT_EQ(rig.port().send(), expected);
        const bool accepted = expected == tlm::TLM_OK_RESPONSE;
        EXPECT_EQ(rig.sfpu.state().counters.words, accepted ? 1u : 0u);
        EXPECT_EQ(rig.port().delay, accepted ? period() : sc_core::SC_ZERO_TIME);
    });
}
using payload = tlm::tlm_generic_payload;

TEST(push_port, a_word_written_to_address_0_is_accepted) {
    expect_response(tlm::TLM_OK_RESPONSE, [](payload&) {});
}
TEST(push_port, a_read_is_a_command_error) {
    expect_response(tlm::TLM_COMMAND_ERROR_RESPONSE, [](payload& t) { t.set_read(); });
}
TEST(push_port, an_ignore_command_is_a_command_error) {
    expect_response(tlm::TLM_COMMAND_ERROR_RESPONSE,
                    [](payload& t) { t.set_command(tlm::TLM_IGNORE_COMMAND); });
}
TEST(push_port, every_word_of_the_window_takes_pushes) {
    for (const unsigned address : {4u, 0x1000u, 0xfffcu})
        expect_response(tlm::TLM_OK_RESPONSE, [=](payload& t) { t.set_address(address); });
}
TEST(push_port, an_address_between_words_or_behind_the_window_is_an_address_error) {
    for (const unsigned address : {1u, 2u, 6u, 0xfffdu, 0x10000u})
        expect_response(tlm::TLM_ADDRESS_ERROR_RESPONSE, [=](payload& t) { t.set_address(address); });
}
TEST(push_port, the_highest_address_is_an_address_error) {
    expect_response(tlm::TLM_ADDRESS_ERROR_RESPONSE, [](payload& t) { t.set_address(~0ull); });
}
TEST(push_port, byte_enables_are_refused) {
    expect_response(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, [](payload& t) {
        static unsigned char enables[4] = {0xff, 0xff, 0xff, 0xff};
        t.set_byte_enable_ptr(enables);
        t.set_byte_enable_length(4);
    });
}
TEST(push_port, a_length_that_is_no_multiple_of_four_is_a_burst_error) {
    static std::array<unsigned char, 8> bytes{};
    for (const unsigned length : {1u, 2u, 3u, 5u, 0xfffffffdu})
        expect_response(tlm::TLM_BURST_ERROR_RESPONSE, [=](payload& t) {
            t.set_data_ptr(bytes.data());
            t.set_data_length(length);
        });
}
TEST(push_port, an_empty_push_is_a_burst_error) {
    expect_response(tlm::TLM_BURST_ERROR_RESPONSE, [](payload& t) { t.set_data_length(0); });
}
TEST(push_port, a_streaming_width_that_cuts_a_word_is_a_burst_error) {
    for (const unsigned width : {1u, 2u, 3u})
        expect_response(tlm::TLM_BURST_ERROR_RESPONSE, [=](payload& t) { t.set_streaming_width(width); });
}

/// Pushes three words to an address with a streaming width; how many were issued, and what the answer was.
void expect_three_words(std::uint64_t address, unsigned width, tlm::tlm_response_status expected) {
    in_child([=] {
        unit_rig rig;
        start();
        rig.port().prepare({sfploadi(0, 1), sfploadi(1, 2), sfploadi(2, 3)});
        rig.port().trans.set_address(address);
        rig.port().trans.set_streaming_width(width);
        EXPECT_EQ(rig.port().send(), expected) << width;
        rig.sfpu.drain();
        for (unsigned lreg = 0; lreg < 3; ++lreg)
            EXPECT_EQ(rig.sfpu.state().vector.lreg[lreg][0], expected == tlm::TLM_OK_RESPONSE ? lreg + 1 : 0u)
                << width;
    });
}
TEST(push_port, a_burst_streams_goes_on_from_word_to_word_or_both) {
    for (const unsigned width : {0u, 4u, 8u, 12u, 13u, 16u, 0xffffffffu})
        expect_three_words(8, width, tlm::TLM_OK_RESPONSE);
    for (const unsigned width : {1u, 2u, 5u, 6u, 10u, 11u})
        expect_three_words(8, width, tlm::TLM_BURST_ERROR_RESPONSE);
}
TEST(push_port, a_burst_over_the_end_of_the_window_is_an_address_error) {
    expect_three_words(0xfff8, 12, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    expect_three_words(0xfff8, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    expect_three_words(0xfff8, 8, tlm::TLM_OK_RESPONSE);
    expect_three_words(0xfff4, 12, tlm::TLM_OK_RESPONSE);
}

TEST(push_port, random_payloads_get_the_documented_response_and_errors_change_nothing) {
    in_child([] {
        unit_rig rig;
        start();
        std::mt19937 random(21);
        const auto pick = [&](auto... choices) {
            const std::array<unsigned, sizeof...(choices)> all{static_cast<unsigned>(choices)...};
            return all[random() % all.size()];
        };
        payload& trans = rig.port().trans;
        std::array<unsigned char, 64> data{};
        for (unsigned at = 3; at < data.size(); at += 4) data[at] = 0x8f; // words of SFPNOP
        std::array<unsigned char, 4> enables{};
        enables.fill(TLM_BYTE_ENABLED);
        std::uint64_t words = 0;
        std::array<unsigned, 8> seen{};
        for (unsigned i = 0; i < 4000; ++i) {
            const auto command = static_cast<tlm::tlm_command>(pick(0, 1, 1, 1, 1, 2));
            const std::uint64_t address =
                random() % 8 ? pick(0, 0, 4, 0x100, 0xfff8, 0xfffc) : pick(1, 2, 0xfffe, 0x10000, ~0u);
            const unsigned length = pick(0, 1, 3, 4, 4, 8, 12, 62, 64);
            const unsigned width = pick(0, 1, 2, 4, 4, 6, 8, length, length, length + 1, ~0u);
            const bool has_enables = random() % 8 == 0, has_data = random() % 8 != 0;
            fill(trans, command, address, has_data ? data.data() : nullptr, length);
            trans.set_streaming_width(width);
            if (has_enables) {
                trans.set_byte_enable_ptr(enables.data());
                trans.set_byte_enable_length(4);
            }
            const unsigned needs = width == 0 || width > length ? length : width;
            const bool cuts = length % 4 != 0 || (needs != length && width % 4 != 0);
            const tlm::tlm_response_status expected =
                address % 4 != 0 || address >= 0x10000 || address + needs > 0x10000
                    ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                : command != tlm::TLM_WRITE_COMMAND ? tlm::TLM_COMMAND_ERROR_RESPONSE
                : has_enables                       ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                : length == 0 || cuts               ? tlm::TLM_BURST_ERROR_RESPONSE
                : !has_data                         ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                    : tlm::TLM_OK_RESPONSE;
            const sc_core::sc_time before = rig.port().delay;
            EXPECT_EQ(i % 16 ? rig.port().send() : rig.port().send_in_phases(), expected)
                << i << ": command " << command << ", address " << address << ", length " << length
                << ", width " << width << ", enables " << has_enables << ", data " << has_data;
            if (expected == tlm::TLM_OK_RESPONSE) words += length / 4;
            else if (i % 16) {
                EXPECT_EQ(rig.port().delay, before) << i;
            }
            EXPECT_EQ(rig.sfpu.state().counters.words, words) << i;
            ++seen[static_cast<unsigned>(1 - static_cast<int>(expected))];
            ASSERT_FALSE(testing::Test::HasFailure());
        }
        for (const tlm::tlm_response_status each :
             {tlm::TLM_OK_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
              tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE})
            EXPECT_GT(seen[static_cast<unsigned>(1 - static_cast<int>(each))], 20u) << each;
    });
}

TEST(push_port, offers_neither_dmi_nor_debug_access) {
    in_child([] {
        unit_rig rig;
        start();
        tlm::tlm_dmi dmi;
        rig.port().prepare({sfploadi(0, 1)});
        EXPECT_FALSE(rig.port().isock->get_direct_mem_ptr(rig.port().trans, dmi));
        EXPECT_EQ(rig.port().isock->transport_dbg(rig.port().trans), 0u);
        EXPECT_EQ(rig.sfpu.state().counters.words, 0u);
    });
}

TEST(push_port, an_ignorable_extension_is_ignored) {
    struct note : tlm::tlm_extension<note> {
        tlm_extension_base* clone() const override { return new note(*this); }
        void copy_from(const tlm_extension_base&) override {}
    };
    in_child([] {
        unit_rig rig;
        start();
        note extension;
        rig.port().trans.set_extension(&extension);
        EXPECT_EQ(rig.port().push({sfploadi(0, 1)}), tlm::TLM_OK_RESPONSE);
        rig.port().trans.clear_extension(&extension);
        EXPECT_EQ(rig.sfpu.state().counters.words, 1u);
    });
}

// --- delays ------------------------------------------------------------------------------------------------

TEST(push_port, the_delay_covers_the_cycle_after_the_last_word_was_accepted) {
    in_child([] {
        unit_rig rig;
        start();
        EXPECT_EQ(rig.port().push({sfploadi(0, 1), sfploadi(1, 2), sfploadi(2, 3)}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.port().delay, time_of(3));
        rig.port().push({sfpnop});
        EXPECT_EQ(rig.port().delay, time_of(4));
    });
}

TEST(push_port, the_delay_includes_stalls) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().push({sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4)}); // T16: the second waits a cycle
        EXPECT_EQ(rig.port().delay, time_of(3));
        rig.port().push({sfpswap(0, 1)}); // waits for nothing
        EXPECT_EQ(rig.port().delay, time_of(4));
        rig.port().push({sfploadi(5, 0)}); // T16: only SFPNOP may follow a swap at once
        EXPECT_EQ(rig.port().delay, time_of(6));
    });
}

TEST(push_port, a_bubble_in_the_annotated_time_satisfies_a_stall) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().push({sfpmad(0, 1, 2, 3)});
        rig.port().delay += period();
        rig.port().push({sfpmad(3, 1, 2, 4)});
        EXPECT_EQ(rig.port().delay, time_of(3));
        EXPECT_EQ(rig.sfpu.state().counters.stalls, decltype(probe::unit_counters::stalls){});
    });
}

TEST(push_port, a_time_between_two_cycles_counts_as_the_later_one) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().delay = time_of(4) + sc_core::sc_time(1, sc_core::SC_PS);
        rig.port().push({sfpnop});
        EXPECT_EQ(rig.port().delay, time_of(6));
        EXPECT_EQ(rig.sfpu.issue().first_issue(), cycles{5});
    });
}

TEST(push_port, simulated_time_and_annotated_delay_add_up) {
    in_child([] {
        unit_rig rig;
        start();
        run_to(10);
        rig.port().delay = time_of(5);
        rig.port().push({sfpnop});
        EXPECT_EQ(rig.sfpu.issue().first_issue(), cycles{15});
        EXPECT_EQ(rig.port().delay, time_of(6));
        rig.port().delay = sc_core::SC_ZERO_TIME; // an initiator that forgot its local time is made to wait
        rig.port().push({sfpnop});
        EXPECT_EQ(rig.port().cycle(), 17);
    });
}

TEST(push_port, cycle_0_is_the_time_of_the_reset) {
    in_child([] {
        unit_rig rig;
        start();
        run_to(1000);
        rig.reset(parameters{});
        rig.port().delay = time_of(2);
        rig.port().push({sfploadi(0, 7)});
        EXPECT_EQ(rig.sfpu.issue().first_issue(), cycles{2});
        EXPECT_EQ(rig.port().delay, time_of(3));
    });
}

TEST(push_port, the_clock_period_is_that_of_the_architecture_or_the_parameter) {
    in_child([] {
        unit_rig rig;
        start();
        parameters config;
        const auto delay_of_one_word = [&] {
            rig.reset(config);
            rig.port().delay = sc_core::SC_ZERO_TIME;
            rig.port().push({sfpnop});
            return rig.port().delay;
        };
        EXPECT_EQ(delay_of_one_word(), sc_core::sc_time(741, sc_core::SC_PS));
        config.arch = architecture::wormhole;
        EXPECT_EQ(delay_of_one_word(), sc_core::sc_time(1, sc_core::SC_NS));
        config.clock_period_ps = 1250;
        EXPECT_EQ(delay_of_one_word(), sc_core::sc_time(1250, sc_core::SC_PS));
    });
}

// --- bursts and phases -------------------------------------------------------------------------------------

struct run_record {
    std::vector<std::string> events;
    sc_core::sc_time took;
    isa::vector_state state;
    isa::thread_state thread;
    std::int64_t cycles_used = 0;
    std::vector<unsigned char> dst;
};

/// Resets the rig and runs a program in bursts whose lengths `length` gives, sent by `send`.
template <class Length, class Send>
run_record recorded_run(unit_rig& rig, const platform::run_request& program, Length length, Send send) {
    event_log log;
    const sc_core::sc_time reset_at = sc_core::sc_time_stamp();
    rig.reset(program.config, {&log, nullptr, hazard_policy::warn});
    rig.sfpu.state().start_from(program.state);
    rig.sfpu.state().threads.fill(program.thread);
    rig.port().delay = sc_core::SC_ZERO_TIME;
    const std::vector<std::uint32_t>& words = program.segments.front().words;
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.size(), begin + length());
        rig.port().prepare({words.begin() + begin, words.begin() + end});
        send(rig.port());
        begin = end;
    }
    rig.sfpu.drain();
    rig.dst.settle();
    run_record record{log.lines,
                      sc_core::sc_time_stamp() + rig.port().delay - reset_at,
                      rig.sfpu.state().vector,
                      rig.sfpu.state().threads[0],
                      rig.sfpu.cycles_used().count(),
                      {}};
    const unsigned char* bytes = rig.dst.storage().data();
    record.dst.assign(bytes, bytes + dst::bytes);
    rig.sfpu.reset(parameters{}); // the log ends here
    return record;
}

void expect_same(const run_record& a, const run_record& b) {
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(a.took, b.took);
    EXPECT_EQ(a.cycles_used, b.cycles_used);
    expect_same_state(a.state, b.state);
    expect_same_thread(a.thread, b.thread);
    EXPECT_TRUE(a.dst == b.dst);
}

void send_blocking(word_pusher& port) { EXPECT_EQ(port.send(), tlm::TLM_OK_RESPONSE); }
void send_with_four_phases(word_pusher& port) { EXPECT_EQ(port.send_in_phases(), tlm::TLM_OK_RESPONSE); }

TEST(push_port, a_burst_is_the_same_as_its_words_pushed_one_by_one) {
    in_child([] {
        unit_rig rig;
        start();
        random_programs programs(11);
        std::mt19937 random(12);
        for (unsigned i = 0; i < 60; ++i) {
            const platform::run_request program = programs.next();
            const run_record single = recorded_run(
                rig, program, [] { return 1u; }, send_blocking);
            expect_same(single, recorded_run(
                                    rig, program, [] { return 1000u; }, send_blocking));
            expect_same(single, recorded_run(
                                    rig, program, [&] { return 1 + random() % 7; }, send_blocking));
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

TEST(push_port, four_phases_take_the_cycles_of_blocking_transport) {
    in_child([] {
        unit_rig rig;
        start();
        random_programs programs(13);
        for (unsigned i = 0; i < 60; ++i) {
            const platform::run_request program = programs.next();
            const auto length = [n = 0u]() mutable { return 1 + n++ % 5; };
            expect_same(recorded_run(rig, program, length, send_blocking),
                        recorded_run(rig, program, length, send_with_four_phases));
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i;
        }
    });
}

TEST(push_port, a_request_ends_when_the_unit_has_taken_the_words) {
    in_child([] {
        unit_rig rig;
        start();
        const auto expect_end = [&](std::vector<std::uint32_t> words, std::int64_t cycle) {
            rig.port().prepare(std::move(words));
            EXPECT_EQ(rig.port().send_in_phases(), tlm::TLM_OK_RESPONSE);
            ASSERT_EQ(rig.port().phases.size(), 2u);
            EXPECT_EQ(rig.port().phases[0].first, tlm::END_REQ);
            EXPECT_EQ(rig.port().phases[0].second, time_of(cycle));
            EXPECT_EQ(rig.port().phases[1].first, tlm::BEGIN_RESP);
            EXPECT_EQ(rig.port().phases[1].second, time_of(cycle));
        };
        expect_end({sfpnop}, 1);
        expect_end({sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4)}, 4); // T16: the second waits a cycle
        expect_end({sfpswap(0, 1), sfploadi(5, 0)}, 7);          // only SFPNOP may follow a swap at once
        rig.port().delay = time_of(10);
        expect_end({sfpnop}, 18);
    });
}

TEST(push_port, two_ports_are_served_at_the_same_time) {
    in_child([] {
        unit_rig rig("rig", 2);
        start();
        for (unsigned port = 0; port < 2; ++port) {
            rig.port(port).prepare({sfploadi(port, port + 1), sfpnop});
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            EXPECT_EQ(rig.port(port).isock->nb_transport_fw(rig.port(port).trans, phase, rig.port().delay),
                      tlm::TLM_ACCEPTED);
        }
        sc_core::sc_start();
        for (unsigned port = 0; port < 2; ++port) {
            ASSERT_EQ(rig.port(port).phases.size(), 2u);
            EXPECT_EQ(rig.port(port).phases[1].second, time_of(2));
        }
        rig.sfpu.drain();
        for (unsigned port = 0; port < 2; ++port) EXPECT_EQ(rig.sfpu.state().vector.lreg[port][0], port + 1);
    });
}

TEST(push_port, a_refused_request_gets_its_phases_and_the_error) {
    in_child([] {
        unit_rig rig;
        start();
        rig.port().prepare({sfpnop});
        rig.port().trans.set_address(2);
        EXPECT_EQ(rig.port().send_in_phases(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(rig.sfpu.state().counters.words, 0u);
    });
}

TEST(push_port, a_unit_may_be_destroyed_behind_its_four_phases) {
    in_child([] {
        auto pusher = std::make_unique<unit_rig>("first");
        unit_rig other("other");
        start();
        pusher->port().prepare({sfpnop});
        EXPECT_EQ(pusher->port().send_in_phases(), tlm::TLM_OK_RESPONSE);
        pusher.reset();
        other.port().prepare({sfpnop});
        EXPECT_EQ(other.port().send_in_phases(), tlm::TLM_OK_RESPONSE);
    });
}

TEST(push_port, words_are_little_endian) {
    in_child([] {
        unit_rig rig;
        start();
        std::array<unsigned char, 4> bytes{0xef, 0xbe, 0x22, 0x71}; // sfploadi L2, USHORT, 0xbeef
        fill(rig.port().trans, tlm::TLM_WRITE_COMMAND, 0, bytes.data(), 4);
        rig.sfpu.state().vector.use_flags = 0;
        EXPECT_EQ(rig.port().send(), tlm::TLM_OK_RESPONSE);
        rig.sfpu.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], 0xbeefu);
    });
}

// --- nothing is lost ---------------------------------------------------------------------------------------

TEST(push_port, a_push_behind_a_catch_up_waits_for_it_and_is_not_lost) {
    // A Dst access of an initiator whose local time is ahead moves the watermark: the word is issued then,
    // not dropped.
    in_child([] {
        unit_rig rig;
        start();
        std::uint32_t word = 0;
        rig.memory.delay = time_of(100);
        EXPECT_EQ(rig.memory.read(0, &word, 4), tlm::TLM_OK_RESPONSE);
        rig.port().delay = time_of(40);
        EXPECT_EQ(rig.port().push({sfploadi(0, 0x77)}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.sfpu.issue().first_issue(), cycles{100});
        EXPECT_EQ(rig.port().delay, time_of(101));
        rig.sfpu.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 0x77u);
    });
}

TEST(push_port, a_push_after_a_drain_is_not_lost) {
    in_child([] {
        unit_rig rig;
        start();
        rig.set_macro(0, store_after(7), misc_counts_cycles);
        rig.port().push({sfploadmacro(0, 0, mode_int32, 0)});
        rig.sfpu.drain(); // runs ahead to the end of the store
        EXPECT_EQ(rig.port().push({sfploadi(0, 0x55), sfpnop}), tlm::TLM_OK_RESPONSE);
        rig.sfpu.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[0][0], 0x55u);
    });
}

} // namespace
} // namespace sfpu::test
