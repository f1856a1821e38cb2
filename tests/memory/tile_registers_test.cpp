// The small register modules of a tile through their sockets: tile_control, absent_registers, core_queues.
#include "forked.h"
#include "memory_rig.h"
#include "tile_platform.h"

#include <sfpu/memory/absent_registers.h>
#include <sfpu/memory/core_queues.h>
#include <sfpu/memory/tile_control.h>

namespace sfpu::test {
namespace {

/// A payload that is no access to one word, and its response.
struct wrong_access {
    const char* what;
    void (*change)(tlm::tlm_generic_payload&);
    tlm::tlm_response_status response;
    bool anywhere =
        true; ///< wrong for absent_registers too, which take other sizes and do not know where a space ends
};
const std::vector<wrong_access> wrong_accesses{
    {"misaligned", [](auto& t) { t.set_address(2); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"outside", [](auto& t) { t.set_address(0x10000); }, tlm::TLM_ADDRESS_ERROR_RESPONSE, false},
    {"far outside", [](auto& t) { t.set_address(~sc_dt::uint64{3}); }, tlm::TLM_ADDRESS_ERROR_RESPONSE,
     false},
    {"with byte enables",
     [](auto& t) {
         static unsigned char enables[4] = {0xff, 0xff, 0xff, 0xff};
         t.set_byte_enable_ptr(enables);
         t.set_byte_enable_length(4);
     },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
    {"two bytes", [](auto& t) { t.set_data_length(2); }, tlm::TLM_BURST_ERROR_RESPONSE, false},
    {"two words", [](auto& t) { t.set_data_length(8); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"no bytes", [](auto& t) { t.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"streaming", [](auto& t) { t.set_streaming_width(2); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"no streaming width", [](auto& t) { t.set_streaming_width(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"no data pointer", [](auto& t) { t.set_data_ptr(nullptr); }, tlm::TLM_GENERIC_ERROR_RESPONSE},
};

/// Loads and stores that are wrong in each way get their response, in no time and with the data unchanged.
template <class Socket>
void expect_refusals(Socket& socket) {
    for (const wrong_access& wrong : wrong_accesses)
        for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
            std::array<std::uint32_t, 2> data{0x55, 0x66};
            tlm::tlm_generic_payload trans;
            fill(trans, command, 0, data.data(), 4);
            wrong.change(trans);
            sc_core::sc_time delay;
            socket->b_transport(trans, delay);
            EXPECT_EQ(trans.get_response_status(), wrong.response) << wrong.what;
            EXPECT_EQ(delay, sc_core::SC_ZERO_TIME) << wrong.what;
            EXPECT_EQ(data[0], 0x55u) << wrong.what;
        }
}

// --- tile_control ------------------------------------------------------------------------------------------

constexpr std::uint64_t exit_at = 0, interrupt_at = 4, software_at = 8;

struct control_rig : sc_core::sc_module {
    memory::tile_control control{"control"};
    bus_master master{"master"};
    checked_bindings checked;
    std::vector<std::pair<std::uint32_t, sc_core::sc_time>> exits;
    std::vector<sc_core::sc_time> changes;

    explicit control_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(master.isock, control.tsock);
        control.connect(
            {[this](std::uint32_t word, const sc_core::sc_time& at) { exits.emplace_back(word, at); },
             [this](const sc_core::sc_time& at) { changes.push_back(at); }});
    }
};

TEST(tile_control, a_word_that_is_not_zero_ends_the_program_at_the_time_of_the_store) {
    in_child([] {
        control_rig rig;
        start();
        rig.master.at_cycle(7);
        EXPECT_EQ(rig.master.store<std::uint32_t>(exit_at, 0), tlm::TLM_OK_RESPONSE);
        EXPECT_TRUE(rig.exits.empty());
        EXPECT_EQ(rig.master.store<std::uint32_t>(exit_at, 3), tlm::TLM_OK_RESPONSE);
        ASSERT_EQ(rig.exits.size(), 1u);
        EXPECT_EQ(rig.exits[0], std::pair(std::uint32_t{3}, time_of(7)));
        EXPECT_EQ(rig.master.load<std::uint32_t>(exit_at), 3u);
        EXPECT_TRUE(rig.changes.empty());
    });
}

TEST(tile_control, interrupts_change_at_the_time_of_the_store_and_reset_takes_them_back) {
    in_child([] {
        control_rig rig;
        start();
        rig.master.at_cycle(2);
        rig.master.store<std::uint32_t>(interrupt_at, 3); // bit 0 is the output
        rig.master.at_cycle(5);
        rig.master.store<std::uint32_t>(software_at, 0xa);
        EXPECT_EQ(rig.changes, (std::vector{time_of(2), time_of(5)}));
        EXPECT_TRUE(rig.control.interrupt_out());
        EXPECT_EQ(rig.control.software_interrupts(), 0xau);
        rig.control.reset();
        EXPECT_FALSE(rig.control.interrupt_out());
        EXPECT_EQ(rig.master.load<std::uint32_t>(interrupt_at), 0u);
        EXPECT_EQ(rig.master.load<std::uint32_t>(software_at), 0u);
    });
}

TEST(tile_control, wrong_accesses_get_the_documented_response_and_change_nothing) {
    in_child([] {
        control_rig rig;
        start();
        expect_refusals(rig.master.isock);
        EXPECT_EQ(rig.master.store<std::uint32_t>(12, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "no register";
        std::uint32_t data = 9;
        EXPECT_EQ(rig.master.access(tlm::TLM_IGNORE_COMMAND, exit_at, &data, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.control.interrupt_out(), false);
        EXPECT_EQ(rig.master.load<std::uint32_t>(exit_at), 0u);
        EXPECT_TRUE(rig.exits.empty() && rig.changes.empty());
    });
}

TEST(tile_control, debug_accesses_move_words_of_registers_and_nothing_else) {
    in_child([] {
        control_rig rig;
        start();
        std::uint32_t data = 1;
        EXPECT_EQ(rig.master.debug(tlm::TLM_WRITE_COMMAND, software_at, &data, 4), 4u);
        EXPECT_EQ(rig.control.software_interrupts(), 1u);
        data = 0;
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, software_at, &data, 4), 4u);
        EXPECT_EQ(data, 1u);
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, 12, &data, 4), 0u);
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, software_at, &data, 2), 0u);
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, software_at, nullptr, 4), 0u);
        EXPECT_EQ(rig.master.debug(tlm::TLM_IGNORE_COMMAND, software_at, &data, 4), 0u);
    });
}

// --- absent_registers --------------------------------------------------------------------------------------

struct absent_rig : sc_core::sc_module {
    memory::absent_registers absent{"absent", {{"noc", "NoC 0"}, {"pic", "interrupt controller"}}};
    bus_master noc{"noc_master"}, pic{"pic_master"};
    checked_bindings checked;
    probe::reporter reporter;

    explicit absent_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(noc.isock, absent.tsock(0));
        checked.bind(pic.isock, absent.tsock(1));
        absent.reset(parameters{}, &reporter);
    }
    std::uint64_t reports() const { return reporter.count(report_id::registers_not_modelled); }
};

TEST(absent_registers, loads_are_zero_stores_are_ignored_and_each_register_is_reported_once_for_each_space) {
    in_child([] {
        absent_rig rig;
        start();
        EXPECT_EQ(rig.noc.store<std::uint32_t>(8, 77), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.noc.load<std::uint32_t>(8), 0u);
        EXPECT_EQ(rig.noc.load<std::uint16_t>(10), 0u);
        EXPECT_EQ(rig.noc.load<std::uint8_t>(11), 0u);
        EXPECT_EQ(rig.reports(), 1u) << "all of them are one register";
        rig.pic.load<std::uint32_t>(8);
        rig.noc.load<std::uint32_t>(12);
        EXPECT_EQ(rig.reports(), 3u);
        rig.absent.reset(parameters{}, &rig.reporter);
        rig.noc.load<std::uint32_t>(8);
        EXPECT_EQ(rig.reports(), 4u) << "once again after a reset";
    });
}

TEST(absent_registers, wrong_accesses_get_the_documented_response_and_are_not_reported) {
    in_child([] {
        absent_rig rig;
        start();
        for (const wrong_access& wrong : wrong_accesses) {
            if (!wrong.anywhere) continue;
            std::array<std::uint32_t, 2> data{0x55, 0x66};
            fill(rig.noc.trans, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
            wrong.change(rig.noc.trans);
            rig.noc.isock->b_transport(rig.noc.trans, rig.noc.delay);
            EXPECT_EQ(rig.noc.trans.get_response_status(), wrong.response) << wrong.what;
            EXPECT_EQ(data[0], 0x55u) << wrong.what;
        }
        std::uint32_t data = 5;
        EXPECT_EQ(rig.noc.access(tlm::TLM_IGNORE_COMMAND, 0, &data, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.noc.debug(tlm::TLM_READ_COMMAND, 0, &data, 4), 0u);
        EXPECT_EQ(data, 5u);
        EXPECT_EQ(rig.reports(), 0u);
    });
}

// --- core_queues -------------------------------------------------------------------------------------------

// No constant: the process that starts the children must not have made an sc_time.
sc_core::sc_time nanoseconds(double count) { return sc_core::sc_time(count, sc_core::SC_NS); }
/// What a core sees of the mailboxes between it and a partner; bit 2 asks whether there is a word.
constexpr std::uint64_t with(unsigned partner) { return 0x1000 * partner; }
constexpr std::uint64_t asks = 4;

/// Core B, core T0, and B again at its end of T0's PCBuf.
struct queue_rig : sc_core::sc_module {
    memory::core_queues queues{"queues"};
    master b{"b"}, t0{"t0"}, b_at_pc_buffer{"b_at_pc_buffer"};
    checked_bindings checked;

    explicit queue_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(b.isock, queues.mailboxes_tsock(0));
        checked.bind(t0.isock, queues.mailboxes_tsock(1));
        checked.bind(b_at_pc_buffer.isock, queues.pc_buffer_tsock(0));
    }
    static double now() { return sc_core::sc_time_stamp() / nanoseconds(1); }
};

TEST(core_queues, a_mailbox_gives_the_partner_the_words_in_their_order) {
    in_child([] {
        queue_rig rig;
        rig.b.program = [&](master& b) {
            EXPECT_EQ(rig.t0.load(with(0) + asks), 0u);
            for (std::uint32_t word = 10; word < 14; ++word)
                EXPECT_EQ(b.store(with(1), word), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(b.load(with(1) + asks), 0u) << "the other direction is another mailbox";
            for (std::uint32_t word = 10; word < 14; ++word) {
                EXPECT_EQ(rig.t0.load(with(0) + asks), 1u);
                EXPECT_EQ(rig.t0.load(with(0)), word);
            }
            EXPECT_EQ(rig.t0.load(with(0) + asks), 0u);
        };
        sc_core::sc_start();
    });
}

TEST(core_queues, the_fifth_word_of_a_core_waits_and_so_does_a_load_without_a_word) {
    in_child([] {
        queue_rig rig;
        rig.b.program = [&](master& b) {
            for (std::uint32_t word = 0; word < 4; ++word) b.store(with(word % 2 ? 1 : 2), word);
            EXPECT_EQ(rig.now(), 0.0);
            b.store(with(1), 4); // four words to any partner are all that it may have
            EXPECT_EQ(rig.now(), 100.0);
            sc_core::wait(nanoseconds(100));
            b.store(with(1), 5);
        };
        rig.t0.program = [&](master& t0) {
            sc_core::wait(nanoseconds(100));
            for (const std::uint32_t word : {1u, 3u, 4u}) EXPECT_EQ(t0.load(with(0)), word);
            EXPECT_EQ(rig.now(), 100.0);
            EXPECT_EQ(t0.load(with(0)), 5u);
            EXPECT_EQ(rig.now(), 200.0);
        };
        sc_core::sc_start();
    });
}

TEST(core_queues, accesses_that_wait_when_everything_is_reset_are_answered_with_an_error) {
    in_child([] {
        queue_rig rig;
        unsigned answered = 0;
        const auto expect_error = [&](master& by, tlm::tlm_command command, std::uint64_t address) {
            std::uint32_t data = 0x55;
            EXPECT_EQ(by.access(command, address, &data, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(data, 0x55u);
            ++answered;
        };
        rig.t0.program = [&](master& t0) { expect_error(t0, tlm::TLM_READ_COMMAND, with(0)); };
        rig.b.program = [&](master& b) {
            for (std::uint32_t word = 0; word < 4; ++word) b.store(with(2), word);
            expect_error(b, tlm::TLM_WRITE_COMMAND, with(2));
        };
        rig.b_at_pc_buffer.program = [&](master& b) { expect_error(b, tlm::TLM_READ_COMMAND, 0); };
        sc_core::sc_start(nanoseconds(10));
        EXPECT_EQ(answered, 0u);
        rig.queues.reset();
        sc_core::sc_start(nanoseconds(10));
        EXPECT_EQ(answered, 3u);
    });
}

TEST(core_queues, a_core_that_is_reset_loses_the_words_that_it_wrote_and_a_t_core_its_pc_buffer) {
    in_child([] {
        queue_rig rig;
        rig.b.program = [&](master& b) {
            b.store(with(1), 1);
            rig.t0.store(with(0), 2);
            rig.b_at_pc_buffer.store(0, 3);
            rig.queues.core_reset_begins(0);
            rig.queues.core_reset_ends(0);
            EXPECT_EQ(rig.t0.load(with(0) + asks), 0u);
            EXPECT_EQ(b.load(with(1)), 2u) << "what T0 wrote stays";
            rig.b_at_pc_buffer.store(0, 4);
            std::uint32_t word = 0;
            EXPECT_TRUE(rig.queues.pop_pc_buffer(0, word));
            EXPECT_EQ(word, 4u);
        };
        sc_core::sc_start();
    });
}

TEST(core_queues, a_pc_buffer_holds_16_words_and_its_load_waits_until_the_core_waits_for_another_one) {
    in_child([] {
        queue_rig rig;
        unsigned idle_calls = 0;
        rig.queues.set_wait_until_idle([&](unsigned thread) {
            EXPECT_EQ(thread, 0u);
            ++idle_calls;
            sc_core::wait(nanoseconds(7));
        });
        rig.b_at_pc_buffer.program = [&](master& b) {
            for (std::uint32_t word = 0; word < 17; ++word) b.store(0, word);
            EXPECT_EQ(rig.now(), 100.0) << "the seventeenth waited";
            EXPECT_EQ(b.load(0), 0u);
            EXPECT_EQ(rig.now(), 307.0) << "for the core, then for its thread";
            b.store(0, 99);
        };
        rig.t0.program = [&](master&) { // the core's end, which has no socket
            std::uint32_t word = 0;
            sc_core::wait(nanoseconds(100));
            for (std::uint32_t expected = 0; expected < 17; ++expected) {
                EXPECT_TRUE(rig.queues.pop_pc_buffer(0, word));
                EXPECT_EQ(word, expected);
            }
            sc_core::wait(nanoseconds(200));
            EXPECT_TRUE(rig.queues.pop_pc_buffer(0, word));
            EXPECT_EQ(word, 99u);
        };
        sc_core::sc_start();
        EXPECT_EQ(idle_calls, 1u);
    });
}

TEST(core_queues, wrong_accesses_get_the_documented_response_and_debug_reads_take_nothing) {
    in_child([] {
        queue_rig rig;
        rig.b.program = [&](master& b) {
            expect_refusals(rig.t0.isock);
            expect_refusals(rig.b_at_pc_buffer.isock);
            EXPECT_EQ(rig.t0.load(with(0) + asks), 0u);
            std::uint32_t data = 5;
            EXPECT_EQ(rig.t0.debug(tlm::TLM_READ_COMMAND, with(0), &data, 4), 0u) << "there is no word";
            EXPECT_EQ(rig.t0.debug(tlm::TLM_WRITE_COMMAND, with(0), &data, 4), 0u);
            b.store(with(1), 6);
            for (int time = 0; time < 2; ++time) {
                EXPECT_EQ(rig.t0.debug(tlm::TLM_READ_COMMAND, with(0), &data, 4), 4u);
                EXPECT_EQ(data, 6u);
            }
            EXPECT_EQ(rig.t0.load(with(0)), 6u);
        };
        sc_core::sc_start();
    });
}

// --- the checker that stands in all of these ---------------------------------------------------------------

/// Does what the protocol forbids.
struct culprit : sc_core::sc_module {
    enum class crime { none, no_response, changes_address, changes_data, goes_back, moves_too_much };
    tlm_utils::simple_target_socket<culprit, 32> tsock{"tsock"};
    crime next = crime::none;

    explicit culprit(const sc_core::sc_module_name& name) : sc_module(name) {
        tsock.register_b_transport(this, &culprit::b_transport);
        tsock.register_transport_dbg(this, &culprit::transport_dbg);
    }
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        if (next != crime::no_response) trans.set_response_status(tlm::TLM_OK_RESPONSE);
        if (next == crime::changes_address) trans.set_address(trans.get_address() + 4);
        if (next == crime::changes_data) ++*trans.get_data_ptr();
        if (next == crime::goes_back) delay = sc_core::SC_ZERO_TIME;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) {
        return trans.get_data_length() + (next == crime::moves_too_much ? 1 : 0);
    }
};

TEST(protocol_checker, notices_each_breach_by_a_target_and_by_an_initiator) {
    in_child([] {
        using crime = culprit::crime;
        culprit target("target");
        bus_master initiator("initiator");
        protocol_checker checker("checker");
        std::vector<std::string> breaches;
        checker.report = [&](const std::string& breach) { breaches.push_back(breach); };
        checker.legal_payloads = true;
        initiator.isock.bind(checker.tsock);
        checker.isock.bind(target.tsock);
        start();
        const auto expect_breach = [&](const std::string& what) {
            EXPECT_EQ(breaches.size(), 1u) << what;
            if (!breaches.empty()) {
                EXPECT_NE(breaches.back().find(what), std::string::npos) << breaches.back();
            }
            breaches.clear();
        };
        std::uint32_t data = 1;
        for (const auto& [next, what] : {std::pair(crime::no_response, "ends without a response"),
                                         std::pair(crime::changes_address, "changed attributes"),
                                         std::pair(crime::changes_data, "changed attributes"),
                                         std::pair(crime::goes_back, "goes back in time")}) {
            target.next = next;
            initiator.delay = nanoseconds(5);
            initiator.access(tlm::TLM_WRITE_COMMAND, 0, &data, 4);
            expect_breach(what);
        }
        target.next = crime::moves_too_much;
        initiator.debug(tlm::TLM_READ_COMMAND, 0, &data, 4);
        expect_breach("moves more than it was asked for");

        target.next = crime::none;
        initiator.access(tlm::TLM_WRITE_COMMAND, 0, &data, 4);
        EXPECT_TRUE(breaches.empty());
        initiator.isock->b_transport(initiator.trans, initiator.delay); // its response is still there
        expect_breach("begins with a response");
        initiator.access(tlm::TLM_WRITE_COMMAND, 0, &data, 0);
        ASSERT_FALSE(breaches.empty());
        EXPECT_NE(breaches[0].find("without data"), std::string::npos);
        breaches.clear();
        tlm::tlm_phase phase = tlm::END_RESP;
        initiator.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        initiator.isock->nb_transport_fw(initiator.trans, phase, initiator.delay);
        ASSERT_FALSE(breaches.empty());
        EXPECT_NE(breaches[0].find("END_RESP without BEGIN_RESP"), std::string::npos);
    });
}

} // namespace
} // namespace sfpu::test
