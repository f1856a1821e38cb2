// The sockets of a tile: back-pressure in both ways of transport, every response, debug and direct access.
#include "forked.h"
#include "protocol_checker.h"
#include "tile_platform.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace sfpu::test {
namespace {

using tlm::tlm_response_status;

// No constant: the process that starts the children must not have made an sc_time.
sc_core::sc_time cycles(double count) { return sc_core::sc_time(741, sc_core::SC_PS) * count; }
// SFPSWAP L0, L1; SFPLOADI L2, 5 as UINT16; SFPSTORE L2 as UINT16 to row 0, address modifier 3
constexpr std::uint32_t sfpswap = 0x92000010, sfploadi = 0x71220005, sfpstore = 0x72266000;

// --- both ways of transport --------------------------------------------------------------------------------

enum class manner { blocking, four_phases };

/// Accesses in one of both ways, each with the time at which it was done.
struct timed_access {
    master& host;
    manner how;
    std::vector<std::uint64_t> seen{};

    void operator()(tlm::tlm_command command, std::uint32_t address, void* data, unsigned length) {
        EXPECT_EQ(how == manner::blocking ? host.access(command, address, data, length)
                                          : host.send_in_phases(command, address, data, length, false),
                  tlm::TLM_OK_RESPONSE);
        seen.push_back(sc_core::sc_time_stamp().value());
    }
    void write(std::uint32_t address, std::uint32_t value, unsigned length = 4) {
        (*this)(tlm::TLM_WRITE_COMMAND, address, &value, length);
    }
    std::uint32_t read(std::uint32_t address, unsigned length = 4) {
        std::uint32_t value = 0;
        (*this)(tlm::TLM_READ_COMMAND, address, &value, length);
        return value;
    }
    /// RISC_DEST_ACCESS_CTRL of thread 0: unsigned elements of 16 bits.
    void show_halfwords() { write(at::config + 12, 4u << 16 | 1u << 15); }
};

/// Pushes words, then looks at Dst, waits for the unit, and looks again; when each of that was done, and what
/// was read.
std::vector<std::uint64_t> push_words(master& host, manner how, const std::vector<std::uint32_t>& words) {
    timed_access access{host, how};
    for (const std::uint32_t each : words) access.write(at::push, each);
    access.show_halfwords();
    for (const std::uint32_t address : {at::dst_window, at::done_check, at::dst_window}) {
        const std::uint32_t value = access.read(address, address == at::done_check ? 4 : 2);
        access.seen.push_back(value & 0xffffu);
    }
    return access.seen;
}

/// Writes elements to Dst, has the unit double them, reads them back; when each of that was done, and what
/// was read.
std::vector<std::uint64_t> double_in_dst(master& host, manner how) {
    constexpr std::uint32_t load = 0x70066000, twice = 0x79000004, store = 0x72066004; // to rows 4 to 7
    timed_access access{host, how};
    access.show_halfwords();
    const auto place = [](unsigned row, unsigned lane) {
        return at::dst_window + 32 * (row + lane / 8) + 4 * (lane % 8);
    };
    for (unsigned lane = 0; lane < 32; ++lane) access.write(place(0, lane), 1000 + lane, 2);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(access.read(place(0, lane), 2), 1000 + lane);
    for (const std::uint32_t word : {load, twice, store}) access.write(at::push, word);
    access.read(at::done_check);
    for (unsigned lane = 0; lane < 32; ++lane) access.seen.push_back(access.read(place(4, lane), 2));
    return access.seen;
}

TEST(tile_transport, blocking_and_four_phases_take_the_same_cycles_and_a_full_fifo_holds_both) {
    in_child([] {
        std::vector<std::uint32_t> words(200, sfpswap); // two cycles each
        words.insert(words.end(), {sfploadi, sfpstore});
        tile_platform a({}, "a"), b({}, "b");
        std::vector<std::uint64_t> blocking, phased;
        a.host.program = [&](master& host) { blocking = push_words(host, manner::blocking, words); };
        b.host.program = [&](master& host) { phased = push_words(host, manner::four_phases, words); };
        sc_core::sc_start();
        EXPECT_EQ(blocking, phased);
        ASSERT_GT(blocking.size(), words.size());
        // The first 29 words find room at once, one a cycle; then each waits for one to issue, two cycles.
        EXPECT_EQ(blocking[20] - blocking[19], cycles(1).value());
        EXPECT_EQ(blocking[150] - blocking[140], cycles(20).value());
        EXPECT_EQ(blocking[blocking.size() - 5], 0u) << "not stored yet";
        EXPECT_EQ(blocking.back(), 5u);
    });
}

TEST(tile_transport, elements_of_dst_are_written_and_read_in_both_ways_in_the_same_cycles) {
    in_child([] {
        tile_platform a({}, "a"), b({}, "b");
        std::vector<std::uint64_t> blocking, phased;
        a.host.program = [&](master& host) { blocking = double_in_dst(host, manner::blocking); };
        b.host.program = [&](master& host) { phased = double_in_dst(host, manner::four_phases); };
        sc_core::sc_start();
        EXPECT_EQ(blocking, phased);
        ASSERT_EQ(blocking.size(), 1u + 32 + 32 + 3 + 1 + 2 * 32);
        for (unsigned lane = 0; lane < 32; ++lane)
            EXPECT_EQ(blocking[blocking.size() - 63 + 2 * lane], 2 * (1000 + lane)) << "lane " << lane;
        EXPECT_TRUE(a.dut.dst() == b.dut.dst());
    });
}

/// Two stores in four phases, the second as soon as the first has been taken. The response of each is ended
/// seven cycles after it came, in one of the ways that the base protocol allows.
class slow_to_end : public sc_core::sc_module {
public:
    enum class way { completed, updated, forward_from_inside, forward_later };
    tlm_utils::simple_initiator_socket<slow_to_end, 32> isock{"isock"};
    std::vector<double> responses; ///< the cycles in which they came
    std::array<std::uint32_t, 2> data{11, 22};

    slow_to_end(const sc_core::sc_module_name& name, way how) : sc_module(name), how_(how) {
        isock.register_nb_transport_bw(this, &slow_to_end::answer);
        for (unsigned i = 0; i < 2; ++i) fill(trans_[i], tlm::TLM_WRITE_COMMAND, 0x100 + 4 * i, &data[i], 4);
        sc_core::sc_spawn([this] { begin(0); });
        sc_core::sc_spawn_options started_by_it;
        started_by_it.spawn_method();
        started_by_it.set_sensitivity(&later_);
        started_by_it.dont_initialize();
        sc_core::sc_spawn([this] { end(sc_core::SC_ZERO_TIME); }, "ends", &started_by_it);
    }
    bool both_are_right() const {
        return trans_[0].is_response_ok() && trans_[1].is_response_ok() && responses.size() == 2;
    }

private:
    void begin(unsigned which) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        EXPECT_EQ(isock->nb_transport_fw(trans_[which], phase, delay), tlm::TLM_ACCEPTED);
    }
    void end(sc_core::sc_time delay) {
        tlm::tlm_phase phase = tlm::END_RESP;
        EXPECT_EQ(isock->nb_transport_fw(*ending_, phase, delay), tlm::TLM_COMPLETED);
    }
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) {
            if (&trans == &trans_[0]) begin(1);
            return tlm::TLM_ACCEPTED;
        }
        responses.push_back((sc_core::sc_time_stamp() + delay) / cycles(1));
        ending_ = &trans;
        if (how_ == way::forward_later) later_.notify(delay + cycles(7));
        if (how_ == way::forward_from_inside) end(delay + cycles(7));
        if (how_ == way::forward_later || how_ == way::forward_from_inside) return tlm::TLM_ACCEPTED;
        delay += cycles(7);
        phase = tlm::END_RESP;
        return how_ == way::completed ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
    }

    way how_;
    std::array<tlm::tlm_generic_payload, 2> trans_;
    tlm::tlm_generic_payload* ending_ = nullptr;
    sc_core::sc_event later_{"later"};
};

TEST(tile_transport, a_response_may_be_ended_in_each_way_and_the_next_one_waits_for_that) {
    for (const slow_to_end::way how :
         {slow_to_end::way::completed, slow_to_end::way::updated, slow_to_end::way::forward_from_inside,
          slow_to_end::way::forward_later})
        in_child([how] {
            sfpu::tile dut("tile", parameters{});
            protocol_checker checker("checker");
            checker.report = [](const std::string& breach) { ADD_FAILURE() << breach; };
            checker.legal_payloads = true;
            slow_to_end initiator("initiator", how);
            initiator.isock.bind(checker.tsock);
            checker.isock.bind(dut.tsock);
            sc_core::sc_start(cycles(100));
            ASSERT_TRUE(initiator.both_are_right()) << initiator.responses.size() << " responses";
            const double access = initiator.responses[0]; // the second one begins when the response has ended
            EXPECT_DOUBLE_EQ(initiator.responses[1], access + 7 + access);
            std::array<std::uint32_t, 2> found{};
            EXPECT_TRUE(dut.read(0x100, reinterpret_cast<unsigned char*>(found.data()), 8));
            EXPECT_EQ(found, initiator.data);
        });
}

TEST(tile_transport, a_request_before_the_end_of_the_one_before_it_is_an_error_and_does_nothing) {
    in_child([] {
        sfpu::tile dut("tile", parameters{});
        struct breaker : sc_core::sc_module {
            tlm_utils::simple_initiator_socket<breaker, 32> isock{"isock"};
            explicit breaker(const sc_core::sc_module_name& name) : sc_module(name) {
                isock.register_nb_transport_bw(this, &breaker::answer);
            }
            tlm::tlm_sync_enum answer(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
                ++responses;
                phase = tlm::END_RESP;
                return tlm::TLM_COMPLETED;
            }
            unsigned responses = 0;
        } initiator("initiator");
        initiator.isock.bind(dut.tsock);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        std::array<tlm::tlm_generic_payload, 2> trans;
        std::array<std::uint32_t, 2> data{1, 2};
        sc_core::sc_time delay;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        for (unsigned i = 0; i < 2; ++i) fill(trans[i], tlm::TLM_WRITE_COMMAND, 0x100 + 4 * i, &data[i], 4);
        EXPECT_EQ(initiator.isock->nb_transport_fw(trans[0], phase, delay), tlm::TLM_ACCEPTED);
        phase = tlm::BEGIN_REQ;
        EXPECT_EQ(initiator.isock->nb_transport_fw(trans[1], phase, delay), tlm::TLM_COMPLETED);
        EXPECT_EQ(trans[1].get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        phase = tlm::END_REQ; // not the initiator's to send: ignored
        EXPECT_EQ(initiator.isock->nb_transport_fw(trans[0], phase, delay), tlm::TLM_ACCEPTED);
        sc_core::sc_start(cycles(10));
        EXPECT_EQ(trans[0].get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(initiator.responses, 1u);
        std::array<std::uint32_t, 2> found{};
        EXPECT_TRUE(dut.read(0x100, reinterpret_cast<unsigned char*>(found.data()), 8));
        EXPECT_EQ(found[0], 1u);
        EXPECT_EQ(found[1], 0u);
    });
}

TEST(tile_transport, a_method_that_calls_the_blocking_transport_is_told_so_by_name_and_gets_an_error) {
    in_child([] {
        sc_core::sc_report_handler::set_actions("/sfpu/tile/no-thread", sc_core::SC_CACHE_REPORT);
        sfpu::tile dut("tile", parameters{});
        struct caller : sc_core::sc_module {
            tlm_utils::simple_initiator_socket<caller, 32> isock{"isock"};
            tlm::tlm_generic_payload trans;
            std::uint32_t data = 7;
            std::string told;
            explicit caller(const sc_core::sc_module_name& name) : sc_module(name) {
                SC_HAS_PROCESS(caller);
                SC_METHOD(call);
            }
            void call() {
                fill(trans, tlm::TLM_WRITE_COMMAND, 0x100, &data, 4);
                sc_core::sc_time delay(5, sc_core::SC_NS);
                isock->b_transport(trans, delay);
                // kept for each process
                if (const sc_core::sc_report* report = sc_core::sc_report_handler::get_cached_report())
                    told = report->get_msg();
            }
        } by("caller");
        by.isock.bind(dut.tsock);
        sc_core::sc_start(cycles(10));
        EXPECT_EQ(by.trans.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        const std::string what = "tile.tsock: b_transport was called by the method caller.call";
        EXPECT_NE(by.told.find(what), std::string::npos) << by.told;
        std::uint32_t found = 1;
        EXPECT_TRUE(dut.read(0x100, reinterpret_cast<unsigned char*>(&found), 4));
        EXPECT_EQ(found, 0u);
    });
}

TEST(tile_transport, the_push_port_takes_bursts_as_masters_send_them) {
    in_child([] {
        tile_platform p;
        p.run([&](master& host) {
            const auto push = [&](std::uint32_t address, std::vector<std::uint32_t> words, unsigned width) {
                tlm::tlm_generic_payload trans;
                fill(trans, tlm::TLM_WRITE_COMMAND, address, words.data(),
                     static_cast<unsigned>(4 * words.size()));
                trans.set_streaming_width(width);
                return host.send(trans);
            };
            std::uint64_t expected = 0;
            const auto expect_pushed = [&](unsigned count) {
                expected += count;
                host.load(at::done_check);
                EXPECT_EQ(p.dut.vector_unit_counters().instructions, expected);
            };
            const std::vector<std::uint32_t> two{sfploadi, sfpstore},
                four{sfploadi, sfpstore, sfpswap, sfpswap};
            EXPECT_EQ(push(at::push, two, 8), tlm::TLM_OK_RESPONSE) << "64 bits, incrementing";
            expect_pushed(2);
            EXPECT_EQ(push(at::push, four, 16), tlm::TLM_OK_RESPONSE);
            expect_pushed(4);
            EXPECT_EQ(push(at::push, two, 4), tlm::TLM_OK_RESPONSE) << "streaming";
            expect_pushed(2);
            EXPECT_EQ(push(at::push, two, 0), tlm::TLM_OK_RESPONSE) << "no streaming width";
            expect_pushed(2);
            EXPECT_EQ(push(at::push, two, ~0u), tlm::TLM_OK_RESPONSE) << "the largest streaming width";
            expect_pushed(2);
            EXPECT_EQ(push(at::push + 4, two, 8), tlm::TLM_OK_RESPONSE);
            expect_pushed(2);
            EXPECT_EQ(push(at::push + 0xfffc, two, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "over the end";
            EXPECT_EQ(push(at::push + 2, two, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
            EXPECT_EQ(push(at::push, two, 6), tlm::TLM_BURST_ERROR_RESPONSE);
            expect_pushed(0);
        });
    });
}

// --- responses ---------------------------------------------------------------------------------------------

/// A random payload, and the response that the documents promise for it.
struct trial {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint64_t address = 0;
    unsigned length = 4, width = 4, enables_length = 0;
    bool has_enables = false, has_data = true;
};

enum class kind { memory, words, config, absent, control, mop_config, semaphores, dst, push, none };
struct place {
    kind what;
    std::uint64_t first, last; ///< of the region
    std::uint64_t from, to;    ///< addresses to try
};
const std::array<place, 13> places{{
    {kind::memory, 0, 0x17ffff, 0x17ff00, 0x180020},
    {kind::memory, 0x80000000, 0x801fffff, 0x80000000, 0x80000100},
    {kind::memory, 0xffb18000, 0xffb18fff, 0xffb18f00, 0xffb19010},
    {kind::words, 0xffb12000, 0xffb12fff, 0xffb12228, 0xffb12240}, // start addresses
    {kind::config, 0xffef0000, 0xffefffff, 0xffef0010, 0xffef0080},
    {kind::absent, 0xffb11000, 0xffb11fff, 0xffb11ff0, 0xffb12000},
    {kind::control, 0xffb10000, 0xffb10fff, 0xffb10004, 0xffb10014}, // a store to EXIT would end the run
    {kind::mop_config, 0xffb80000, 0xffb80023, 0xffb80000, 0xffb80030},
    {kind::semaphores, 0xffe80004, 0xffe8ffff, 0xffe80014, 0xffe80048},
    {kind::dst, 0xffbd8000, 0xffbdffff, 0xffbdffe0, 0xffbe0004},
    {kind::memory, 0xffe00000, 0xffe00fff, 0xffe00000, 0xffe00020},
    {kind::push, 0xffe40000, 0xffe4ffff, 0xffe4fff0, 0xffe50004},
    {kind::none, 1, 0, 0xfffffffffffffff0u, 0xffffffffffffffffu},
}};

tlm_response_status expected_response(const trial& t, const place& p) {
    const bool is_read = t.command == tlm::TLM_READ_COMMAND;
    if (t.length == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (!t.has_data) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    const unsigned span = t.width == 0 ? t.length : std::min(t.length, t.width);
    if (t.address < p.first || t.address > p.last || span - 1 > p.last - t.address)
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (t.command == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    const bool is_aligned = t.address % 4 == 0, is_word = t.length == 4 && t.width >= 4;
    const bool is_narrow = (t.length == 1 || t.length == 2) && t.width >= t.length;
    switch (p.what) {
    case kind::memory:
        if (t.width == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
        return t.has_enables && t.enables_length == 0 ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                                      : tlm::TLM_OK_RESPONSE;
    case kind::words:
        if (t.has_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (!is_word) return tlm::TLM_BURST_ERROR_RESPONSE;
        return is_aligned ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case kind::config:
    case kind::absent:
        if (t.has_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (!is_word && !(is_narrow && (is_read || p.what == kind::absent)))
            return tlm::TLM_BURST_ERROR_RESPONSE;
        return t.address % t.length == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case kind::mop_config: // cannot be read
        if (is_read) return tlm::TLM_COMMAND_ERROR_RESPONSE;
        [[fallthrough]];
    case kind::control:
    case kind::semaphores:
        if (!is_aligned) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (p.what == kind::semaphores && t.address >= 0xffe80040) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (t.has_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (!is_word) return tlm::TLM_BURST_ERROR_RESPONSE;
        if (p.what == kind::semaphores && t.address < 0xffe80020) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (p.what == kind::control && t.address > 0xffb10008) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        return tlm::TLM_OK_RESPONSE;
    case kind::dst: // elements of 4 bytes, as after a reset
        if (t.has_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (!is_word) return tlm::TLM_BURST_ERROR_RESPONSE;
        return is_aligned ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case kind::push:
        if (!is_aligned) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (is_read) return tlm::TLM_COMMAND_ERROR_RESPONSE;
        if (t.has_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        return t.length % 4 == 0 && (t.width % 4 == 0 || t.width >= t.length) ? tlm::TLM_OK_RESPONSE
                                                                              : tlm::TLM_BURST_ERROR_RESPONSE;
    case kind::none: break;
    }
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

/// What errors must leave alone.
std::vector<unsigned char> image_around(master& host, const place& p) {
    std::vector<unsigned char> bytes;
    for (std::uint64_t at = p.from & ~std::uint64_t{3}; at < p.to && at >= p.from - 3; at += 4) {
        std::array<unsigned char, 4> word{};
        bytes.push_back(static_cast<unsigned char>(host.debug(tlm::TLM_READ_COMMAND, at, word.data(), 4)));
        bytes.insert(bytes.end(), word.begin(), word.end());
    }
    return bytes;
}

/// Random transactions with their data.
class random_trials {
public:
    const place* where = nullptr;
    trial t;
    std::array<unsigned char, 64> data{}, enables{};

    void next() {
        where = &places[random_() % places.size()];
        t.command = static_cast<tlm::tlm_command>(pick(0, 0, 1, 1, 2));
        t.address = where->from + random_() % (where->to - where->from);
        if (random_() % 4 != 0) t.address &= ~std::uint64_t{3};
        t.length = pick(0, 1, 2, 3, 4, 4, 4, 4, 8, 16, 60);
        t.width = pick(t.length, t.length, t.length, t.length + 4, 0, 4, 2);
        t.has_enables = random_() % 4 == 0;
        t.enables_length = t.has_enables ? pick(0, 1, 4) : 0;
        t.has_data = random_() % 16 != 0;
        for (unsigned char& byte : data) byte = static_cast<unsigned char>(random_());
        if (where->what == kind::push) // words of SFPNOP
            for (unsigned at = 0; at < data.size(); ++at) data[at] = at % 4 == 3 ? 0x8f : 0;
        for (unsigned char& byte : enables) byte = random_() % 2 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    void fill_in(tlm::tlm_generic_payload& trans) {
        fill(trans, t.command, t.address, t.has_data ? data.data() : nullptr, t.length);
        trans.set_streaming_width(t.width);
        if (!t.has_enables) return;
        trans.set_byte_enable_ptr(enables.data());
        trans.set_byte_enable_length(t.enables_length);
    }
    std::string text() const {
        return fmt::format("command {}, address {:#x}, length {}, width {}, enables {} {}, data {}",
                           static_cast<int>(t.command), t.address, t.length, t.width, t.has_enables,
                           t.enables_length, t.has_data);
    }

private:
    template <class... Choices>
    unsigned pick(Choices... choices) {
        const std::array<unsigned, sizeof...(choices)> all{static_cast<unsigned>(choices)...};
        return all[random_() % all.size()];
    }
    std::mt19937 random_{14};
};

#ifdef SFPU_INSTRUMENTED
constexpr unsigned trial_count = 1500;
#else
constexpr unsigned trial_count = 6000;
#endif

TEST(tile_transport, random_payloads_get_the_documented_response_and_errors_change_nothing) {
    in_child([] {
        tile_platform p;
        p.run([&](master& host) {
            random_trials trials;
            std::array<unsigned, 8> seen{};
            std::uint64_t words = 0;
            for (unsigned i = 0; i < trial_count; ++i) {
                trials.next();
                const trial& t = trials.t;
                const place& where = *trials.where;
                const std::vector<unsigned char> before = image_around(host, where);
                tlm::tlm_generic_payload trans;
                trials.fill_in(trans);
                const tlm_response_status expected = expected_response(t, where);
                EXPECT_EQ(host.send(trans), expected) << i << ": " << trials.text();
                const bool changes = expected == tlm::TLM_OK_RESPONSE && t.command == tlm::TLM_WRITE_COMMAND;
                if (!changes) {
                    EXPECT_EQ(image_around(host, where), before) << i << ": " << trials.text();
                }
                if (changes && where.what == kind::push) words += t.length / 4;
                const unsigned number = static_cast<unsigned>(-static_cast<int>(expected)) % 8;
                ++seen[expected == tlm::TLM_OK_RESPONSE ? 7 : number];
            }
            host.load(at::done_check);
            EXPECT_EQ(p.dut.vector_unit_counters().instructions, words);
            for (const unsigned number : {1u, 2u, 3u, 4u, 5u, 7u})
                EXPECT_GT(seen[number], 20u) << "response " << number;
        });
    });
}

TEST(tile_transport, random_payloads_take_the_same_cycles_and_get_the_same_answers_in_both_ways) {
    in_child([] {
        struct answer {
            tlm_response_status status;
            std::uint64_t time;
            std::array<unsigned char, 64> data;
            bool operator==(const answer& o) const {
                return status == o.status && time == o.time && data == o.data;
            }
        };
        tile_platform a({}, "a"), b({}, "b");
        const auto play = [](master& host, manner how) {
            std::vector<answer> answers;
            random_trials trials;
            for (unsigned i = 0; i < trial_count / 4; ++i) {
                trials.next();
                tlm::tlm_generic_payload trans;
                trials.fill_in(trans);
                const tlm_response_status status =
                    how == manner::blocking ? host.send(trans) : host.send_in_phases(trans);
                answers.push_back({status, sc_core::sc_time_stamp().value(), trials.data});
            }
            return answers;
        };
        std::vector<answer> blocking, phased;
        a.host.program = [&](master& host) { blocking = play(host, manner::blocking); };
        b.host.program = [&](master& host) { phased = play(host, manner::four_phases); };
        sc_core::sc_start();
        ASSERT_EQ(blocking.size(), phased.size());
        for (std::size_t i = 0; i < blocking.size(); ++i) ASSERT_TRUE(blocking[i] == phased[i]) << i;
        EXPECT_TRUE(a.dut.dst() == b.dut.dst());
    });
}

// --- debug and direct access -------------------------------------------------------------------------------

TEST(tile_transport, debug_and_direct_access_agree_with_transport_and_are_taken_back_by_reset) {
    in_child([] {
        tile_platform p;
        p.run([&](master& host) {
            std::mt19937 random(5);
            for (const std::uint32_t base : {0x1000u, 0x80001000u, 0xffb18100u, 0xffe00040u}) {
                tlm::tlm_dmi dmi;
                ASSERT_TRUE(host.direct(base, dmi)) << std::hex << base;
                EXPECT_TRUE(dmi.is_read_write_allowed());
                ASSERT_LE(dmi.get_start_address(), base);
                ASSERT_GE(dmi.get_end_address(), base + 63u);
                unsigned char* const bytes = dmi.get_dmi_ptr() + (base - dmi.get_start_address());
                for (unsigned i = 0; i < 16; ++i) {
                    const std::uint32_t address = base + 4 * i;
                    const auto value = static_cast<std::uint32_t>(random());
                    std::uint32_t other = 0;
                    switch (i % 3) { // written in one way, read in the others
                    case 0: EXPECT_EQ(host.store(address, value), tlm::TLM_OK_RESPONSE); break;
                    case 1: std::memcpy(bytes + 4 * i, &value, 4); break;
                    default:
                        other = value;
                        EXPECT_EQ(host.debug(tlm::TLM_WRITE_COMMAND, address, &other, 4), 4u);
                    }
                    EXPECT_EQ(host.load(address), value);
                    EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, address, &other, 4), 4u);
                    EXPECT_EQ(other, value);
                    std::memcpy(&other, bytes + 4 * i, 4);
                    EXPECT_EQ(other, value);
                }
            }
            tlm::tlm_dmi none;
            for (const std::uint32_t address :
                 {at::push, at::dst_window, at::soft_reset, at::mailboxes, 0x50000000u})
                EXPECT_FALSE(host.direct(address, none)) << std::hex << address;
            host.invalidated.clear();
            p.dut.reset();
            const auto is_taken_back = [&](std::uint64_t address) {
                return std::any_of(host.invalidated.begin(), host.invalidated.end(), [=](const auto& range) {
                    return range.first <= address && address <= range.second;
                });
            };
            for (const std::uint32_t address : {0x1000u, 0x80001000u, 0xffb18100u, 0xffb00100u})
                EXPECT_TRUE(is_taken_back(address)) << std::hex << address;
        });
    });
}

TEST(tile_transport, a_debugger_reads_everything_and_changes_nothing) {
    in_child([] {
        tile_platform p;
        p.run([&](master& host) {
            host.store(at::mailboxes, 17); // from B to B
            host.store(at::semaphores + 4, 0);
            host.store(at::mop_config + 8, 99);
            std::uint32_t value = 0;
            const auto look = [&](std::uint32_t address) {
                EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, address, &value, 4), 4u) << std::hex << address;
                return value;
            };
            for (unsigned i = 0; i < 3; ++i) {
                EXPECT_EQ(look(at::mailboxes), 17u);
                EXPECT_EQ(look(at::mailboxes + 4), 1u);
                EXPECT_EQ(look(at::semaphores + 4), 1u);
                EXPECT_EQ(look(at::mop_config + 8), 99u);
            }
            EXPECT_EQ(host.load(at::mailboxes), 17u);
            EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, at::mailboxes, &value, 4), 0u) << "empty";
            EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, at::push, &value, 4), 0u);
            EXPECT_EQ(host.debug(tlm::TLM_WRITE_COMMAND, at::push, &value, 4), 0u);
            EXPECT_EQ(p.dut.vector_unit_counters().instructions, 0u);
            std::array<unsigned char, 32> over{};
            EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, 0x17fff0, over.data(), 32), 16u)
                << "what there is of a range";
        });
    });
}

struct message_sink : diagnostic_sink {
    void diagnose(const diagnostic& what) override { messages.push_back(what.message); }
    std::vector<std::string> messages;
};

TEST(tile_transport, spaces_that_are_not_modelled_answer_and_are_named_once) {
    in_child([] {
        message_sink sink;
        tile_platform p;
        p.dut.reset({nullptr, &sink, hazard_policy::warn, false});
        p.run([&](master& host) {
            for (unsigned i = 0; i < 3; ++i) {
                EXPECT_EQ(host.store(0xffb11024, 0x3f), tlm::TLM_OK_RESPONSE); // TDMA clock gating
                EXPECT_EQ(host.load(0xffb20028), 0u);                          // NoC 0
            }
        });
        ASSERT_EQ(sink.messages.size(), 2u);
        EXPECT_NE(sink.messages[0].find("TDMA-RISC configuration register at offset 0x024"),
                  std::string::npos)
            << sink.messages[0];
        EXPECT_NE(sink.messages[1].find("NoC 0"), std::string::npos);
    });
}

TEST(tile_transport, two_registers_of_each_stream_keep_what_firmware_counts_in_them) {
    in_child([] {
        message_sink sink;
        tile_platform p;
        p.dut.reset({nullptr, &sink, hazard_policy::warn, false});
        p.run([&](master& host) {
            for (const std::uint32_t stream : {0u, 1u, 63u})
                for (const std::uint32_t offset : {0x20u, 0x28u}) {
                    const std::uint32_t address = 0xffb40000 + 0x1000 * stream + offset;
                    EXPECT_EQ(host.load(address), 0u);
                    EXPECT_EQ(host.store(address, 1000 * stream + offset), tlm::TLM_OK_RESPONSE);
                    EXPECT_EQ(host.load(address), 1000 * stream + offset);
                }
            EXPECT_EQ(host.store(0xffb40024, 5), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(host.load(0xffb40024), 0u) << "the next register is none";
            p.dut.reset({nullptr, &sink, hazard_policy::warn, false});
            EXPECT_EQ(host.load(0xffb40020), 0u) << "a reset clears them";
        });
        EXPECT_EQ(sink.messages.size(), 1u);
    });
}

} // namespace
} // namespace sfpu::test
