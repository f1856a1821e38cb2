// The Dst window: where elements lie, sizes, errors, and what it sees of a vector unit that lags behind.
#include "forked.h"
#include "memory_rig.h"

#include <sfpu/memory/dst_window.h>

#include <array>
#include <random>

namespace sfpu::test {
namespace {

using memory::dst_format;

struct fixed_view : memory::dst_view_source {
    std::array<view, 3> of_thread{};
    view view_of(unsigned thread) const override { return of_thread[thread]; }
};

/// A vector unit with its Dst, and a window for each T core.
struct window_rig : unit_rig {
    fixed_view views;
    memory::dst_window t0{"t0", dst, views, 0}, t1{"t1", dst, views, 1}, t2{"t2", dst, views, 2};
    std::array<std::unique_ptr<bus_master>, 3> cores;

    explicit window_rig(const sc_core::sc_module_name& name = "rig") : unit_rig(name) {
        unsigned number = 0;
        for (memory::dst_window* window : {&t0, &t1, &t2}) {
            cores[number] = std::make_unique<bus_master>(fmt::format("core_{}", number).c_str());
            checked.bind(cores[number++]->isock, window->riscv_tsock);
        }
    }
    bus_master& core(unsigned thread = 0) { return *cores[thread]; }
    void reset(const parameters& config) {
        unit_rig::reset(config);
        for (memory::dst_window* window : {&t0, &t1, &t2}) window->reset(config, &sfpu.state().reporter);
    }
    void use(dst_format format, bool no_swizzle = false, bool unsigned_int = false) {
        for (auto& each : views.of_thread) each.access = {format, no_swizzle, unsigned_int};
    }
    std::uint64_t reports(report_id id) { return sfpu.state().reporter.count(id); }
};

template <class Body>
void with_rig(Body body) {
    in_child([&] {
        window_rig rig;
        start();
        rig.reset(parameters{});
        body(rig);
    });
}

TEST(dst_window, a_32_bit_element_lies_in_two_rows_that_are_eight_apart) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::fp32, true);
        for (const bool remap : {false, true})
            for (const bool swizzle : {false, true}) {
                rig.views.of_thread[0].remap_addrs = remap;
                rig.views.of_thread[0].swizzle_32b = swizzle;
                for (unsigned row = 0; row < 512; row += 7)
                    for (unsigned column = 0; column < 16; column += 3) {
                        rig.dst.storage().clear();
                        const unsigned address = (row * 16 + column) * 4;
                        ASSERT_EQ(rig.core().store<std::uint32_t>(address, 0x12345678), tlm::TLM_OK_RESPONSE);
                        const unsigned upper = dst::adjust32(row, remap, swizzle);
                        ASSERT_EQ(rig.dst.storage().cell(upper, column), 0x1234);
                        ASSERT_EQ(rig.dst.storage().cell(upper + 8, column), 0x5678);
                        ASSERT_EQ(rig.core().load<std::uint32_t>(address), 0x12345678u);
                    }
            }
    });
}

TEST(dst_window, narrow_elements_lie_in_the_order_of_the_16_bit_view) {
    with_rig([](window_rig& rig) {
        for (const bool remap : {false, true}) {
            rig.views.of_thread[0].remap_addrs = remap;
            for (unsigned element = 0; element < 1024 * 16; element += 53) {
                const unsigned row = dst::adjust16(element / 16, remap), column = element % 16;
                rig.use(dst_format::int16, true);
                ASSERT_EQ(rig.core().store<std::uint16_t>(element * 2, 0xabcd), tlm::TLM_OK_RESPONSE);
                ASSERT_EQ(rig.dst.storage().cell(row, column), 0xabcd);
                rig.use(dst_format::int8, true);
                ASSERT_EQ(rig.core().store<std::uint8_t>(element, 0x81), tlm::TLM_OK_RESPONSE);
                ASSERT_EQ(rig.dst.storage().cell(row, column), 0x81 << 5 | 16);
                ASSERT_EQ(rig.core().load<std::uint8_t>(element), 0x81);
            }
        }
    });
}

TEST(dst_window, each_thread_has_its_own_format) {
    with_rig([](window_rig& rig) {
        rig.views.of_thread[0].access = {dst_format::bf16, false, false};
        rig.views.of_thread[1].access = {dst_format::fp32, false, false};
        EXPECT_EQ(rig.core(0).store<std::uint16_t>(0, 0x3f80), tlm::TLM_OK_RESPONSE); // 1.0
        EXPECT_EQ(rig.core(1).load<std::uint32_t>(0), 0x3f800000u);
    });
}

TEST(dst_window, what_the_vector_unit_stores_as_fp32_is_what_a_core_loads) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::fp32);
        std::mt19937 random(8);
        lanes values;
        for (std::uint32_t& lane : values.v) lane = static_cast<std::uint32_t>(random());
        rig.sfpu.state().vector.lreg[1] = values;
        rig.port().push({sfpstore(1, 3 /* FP32 */, 0)});
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            rig.core().at_cycle(5);
            const unsigned element = lane / 8 * 16 + lane % 8 * 2; // even columns of four rows
            EXPECT_EQ(rig.core().load<std::uint32_t>(4 * element), values[lane]) << lane;
        }
    });
}

TEST(dst_window, t0_and_t1_move_one_element_of_the_right_size) {
    with_rig([](window_rig& rig) {
        const unsigned sizes[6] = {4, 4, 2, 2, 2, 1};
        std::array<unsigned char, 32> data{};
        for (unsigned format = 0; format < 6; ++format)
            for (const unsigned thread : {0u, 1u})
                for (const unsigned length : {1u, 2u, 4u, 8u, 16u})
                    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
                        rig.use(static_cast<dst_format>(format));
                        const std::uint64_t before = rig.reports(report_id::dst_window_access);
                        const bool right = length == sizes[format];
                        EXPECT_EQ(rig.core(thread).access(command, 64, data.data(), length),
                                  right ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE);
                        EXPECT_EQ(rig.reports(report_id::dst_window_access), before + !right);
                    }
    });
}

TEST(dst_window, t2_moves_several_elements_aligned_to_the_access) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::int16);
        std::array<std::int16_t, 8> values{1, -2, 3, -4, 5, -6, 7, -8}, back{};
        EXPECT_EQ(rig.core(2).access(tlm::TLM_WRITE_COMMAND, 32, values.data(), 16), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.dst.storage().cell(1, 1), 0x8002) << "sign and magnitude";
        EXPECT_EQ(rig.core(2).access(tlm::TLM_READ_COMMAND, 32, back.data(), 16), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(back, values);
        EXPECT_EQ(rig.core(2).load<std::uint16_t>(34), 0xfffe);
        EXPECT_EQ(rig.core(2).load_status<std::uint32_t>(34), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.core(2).load_status<std::uint8_t>(32), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.core(2).access(tlm::TLM_READ_COMMAND, 0, values.data(), 32),
                  tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST(dst_window, reserved_formats_are_an_error_and_are_reported) {
    with_rig([](window_rig& rig) {
        for (const dst_format format : {dst_format::reserved_6, dst_format::reserved_7}) {
            rig.use(format);
            EXPECT_EQ(rig.core().load_status<std::uint32_t>(0), tlm::TLM_BURST_ERROR_RESPONSE);
            EXPECT_EQ(rig.core().load_status<std::uint8_t>(0), tlm::TLM_BURST_ERROR_RESPONSE);
            std::uint32_t word = 0;
            EXPECT_EQ(rig.core().debug(tlm::TLM_READ_COMMAND, 0, &word, 4), 0u);
        }
        EXPECT_EQ(rig.reports(report_id::dst_window_access), 4u);
    });
}

TEST(dst_window, int8_ends_at_16_kib_and_the_others_at_32) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::int8);
        EXPECT_EQ(rig.core().load_status<std::uint8_t>(0x3fff), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.core().load_status<std::uint8_t>(0x4000), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        rig.use(dst_format::bf16);
        EXPECT_EQ(rig.core().load_status<std::uint16_t>(0x7ffe), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.core().load_status<std::uint16_t>(0x8000), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.core().load_status<std::uint16_t>(1), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "misaligned";
        EXPECT_EQ(rig.core().load_status<std::uint16_t>(~std::uint64_t{0}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST(dst_window, byte_enables_and_streaming_are_refused_and_nothing_is_moved) {
    with_rig([](window_rig& rig) {
        std::uint32_t word = 0xffffffff;
        unsigned char enable = TLM_BYTE_ENABLED;
        fill(rig.core().trans, tlm::TLM_WRITE_COMMAND, 0, &word, 4);
        rig.core().trans.set_byte_enable_ptr(&enable);
        rig.core().trans.set_byte_enable_length(1);
        rig.core().isock->b_transport(rig.core().trans, rig.core().delay);
        EXPECT_EQ(rig.core().trans.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        fill(rig.core().trans, tlm::TLM_WRITE_COMMAND, 0, &word, 4);
        rig.core().trans.set_streaming_width(2);
        rig.core().isock->b_transport(rig.core().trans, rig.core().delay);
        EXPECT_EQ(rig.core().trans.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0);
    });
}

TEST(dst_window, does_not_exist_on_wormhole_and_gives_no_direct_access) {
    with_rig([](window_rig& rig) {
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(rig.core().direct(0, dmi));
        EXPECT_TRUE(dmi.is_none_allowed());
        parameters config;
        config.arch = architecture::wormhole;
        rig.reset(config);
        EXPECT_EQ(rig.core().load_status<std::uint32_t>(0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

// --- time --------------------------------------------------------------------------------------------------

/// What a front end is for the window: holds words, one for each cycle from 0 on, until their time has come.
struct word_queue : dst::lagging_model {
    word_pusher& port;
    std::vector<std::uint32_t> words;
    std::size_t next = 0;
    std::vector<sc_core::sc_time> calls;
    word_queue(word_pusher& to, std::vector<std::uint32_t> held) : port(to), words(std::move(held)) {}
    cycles catch_up(const sc_core::sc_time& until) override {
        calls.push_back(until);
        for (; next < words.size() && time_of(static_cast<std::int64_t>(next)) < until; ++next) {
            port.set_cycle(static_cast<std::int64_t>(next));
            EXPECT_EQ(port.push({words[next]}), tlm::TLM_OK_RESPONSE);
        }
        return cycles{};
    }
};

TEST(dst_window, a_load_sees_exactly_the_stores_of_earlier_cycles) {
    with_rig([](window_rig& rig) {
        // Stores number i to row 0 in cycle 2i - 1: SFPLOADI in the cycle before.
        std::vector<std::uint32_t> words;
        for (unsigned i = 1; i <= 20; ++i) {
            words.push_back(sfploadi(0, i));
            words.push_back(sfpstore(0, mode_uint16, 0));
        }
        rig.use(dst_format::int16, true);
        word_queue front_end(rig.port(), words);
        rig.t0.attach(front_end);
        for (std::int64_t cycle = 0; cycle < 45; ++cycle) {
            rig.core().at_cycle(cycle);
            ASSERT_EQ(rig.core().load<std::uint16_t>(0), std::min<std::int64_t>(cycle / 2, 20)) << cycle;
        }
    });
}

TEST(dst_window, a_store_lands_between_the_stores_of_the_cycles_around_it) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::int16, true);
        // The vector unit stores 1 in cycle 1 and 2 in cycle 3; the core stores 77 in cycle 2, 3 or 4.
        for (const std::int64_t cycle : {2, 3, 4}) {
            rig.reset(parameters{});
            rig.port().delay = sc_core::SC_ZERO_TIME;
            word_queue front_end(rig.port(), {sfploadi(0, 1), sfpstore(0, mode_uint16, 0), sfploadi(0, 2),
                                              sfpstore(0, mode_uint16, 0)});
            memory::dst_window& window = cycle == 2 ? rig.t0 : cycle == 3 ? rig.t1 : rig.t2;
            window.attach(front_end); // each window is used once
            bus_master& core = rig.core(static_cast<unsigned>(cycle - 2));
            core.at_cycle(cycle);
            EXPECT_EQ(core.store<std::uint16_t>(0, 77), tlm::TLM_OK_RESPONSE);
            core.at_cycle(10);
            EXPECT_EQ(core.load<std::uint16_t>(0), cycle == 4 ? 77 : 2) << cycle;
        }
    });
}

TEST(dst_window, what_feeds_the_vector_unit_is_brought_to_the_time_first) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::int16, true);
        word_queue front_end(rig.port(), {sfploadi(0, 77), sfpstore(0, mode_uint16, 0)});
        rig.t0.attach(front_end);
        rig.core().at_cycle(9);
        EXPECT_EQ(rig.core().load<std::uint16_t>(0), 77);
        EXPECT_EQ(front_end.calls, std::vector<sc_core::sc_time>{time_of(9)});
        std::uint16_t cell = 0;
        run_to(20);
        EXPECT_EQ(rig.core().debug(tlm::TLM_READ_COMMAND, 0, &cell, 2), 2u);
        EXPECT_EQ(cell, 77);
        EXPECT_EQ(front_end.calls.back(), time_of(20));
    });
}

TEST(dst_window, a_store_that_is_not_visible_yet_is_not_seen) {
    with_rig([](window_rig& rig) {
        parameters config;
        config.dst_store_load_visible = 5;
        rig.reset(config);
        rig.use(dst_format::int16, true);
        rig.port().push({sfploadi(0, 9), sfpstore(0, mode_uint16, 0)}); // stores in cycle 1
        rig.core().at_cycle(5);
        EXPECT_EQ(rig.core().load<std::uint16_t>(0), 0);
        rig.core().at_cycle(6);
        EXPECT_EQ(rig.core().load<std::uint16_t>(0), 9);
    });
}

/// Reports of an SFPLOAD of row `row` that executes `distance` cycles after a core's store to row 0.
std::uint64_t reports_of_load(window_rig& rig, unsigned distance, unsigned row, unsigned settle = 4) {
    parameters config;
    config.memory.dst_window_settle = settle;
    rig.reset(config);
    rig.use(dst_format::int16);
    rig.core().at_cycle(100);
    EXPECT_EQ(rig.core().store<std::uint16_t>(0, 3), tlm::TLM_OK_RESPONSE);
    rig.port().set_cycle(100 + distance);
    EXPECT_EQ(rig.port().push({sfpload(2, mode_uint16, row)}), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], row == 0 ? 3u : 0u) << "the value is there in any case";
    return rig.reports(report_id::dst_window_write_distance);
}

TEST(dst_window, an_sfpload_of_the_block_needs_three_instructions_behind_a_store) {
    with_rig([](window_rig& rig) {
        for (unsigned distance = 0; distance < 8; ++distance) {
            EXPECT_EQ(reports_of_load(rig, distance, 0), distance < 4 ? 1u : 0u) << distance;
            EXPECT_EQ(reports_of_load(rig, distance, 4), distance < 4 ? 1u : 0u) << "the same 8 rows";
            EXPECT_EQ(reports_of_load(rig, distance, 8), 0u) << "the next 8 rows";
            EXPECT_EQ(reports_of_load(rig, distance, 0, 0), 0u);
            EXPECT_EQ(reports_of_load(rig, distance, 0, 6), distance < 6 ? 1u : 0u);
        }
    });
}

TEST(dst_window, adds_its_latency_only) {
    with_rig([](window_rig& rig) {
        rig.core().at_cycle(7);
        rig.core().load<std::uint32_t>(0);
        EXPECT_EQ(rig.core().cycles_since(7), 0);
        parameters config;
        config.memory.dst_window_latency = 3;
        rig.reset(config);
        rig.core().store<std::uint32_t>(0, 1);
        EXPECT_EQ(rig.core().cycles_since(7), 3);
    });
}

TEST(dst_window, debug_access_moves_whole_elements_and_is_no_store_that_must_settle) {
    with_rig([](window_rig& rig) {
        rig.use(dst_format::bf16);
        std::array<std::uint16_t, 4> values{0x3f80, 0xc000, 0x4040, 0x1234}, back{};
        EXPECT_EQ(rig.core().debug(tlm::TLM_WRITE_COMMAND, 4, values.data(), 7), 6u);
        EXPECT_EQ(rig.dst.storage().cell(0, 3), 0x8080) << "-2: exponent 128, mantissa 0";
        EXPECT_EQ(rig.core().debug(tlm::TLM_READ_COMMAND, 4, back.data(), 8), 8u);
        EXPECT_EQ(back, (std::array<std::uint16_t, 4>{0x3f80, 0xc000, 0x4040, 0}));
        EXPECT_EQ(rig.core().debug(tlm::TLM_READ_COMMAND, 0x7ffe, back.data(), 8), 2u);
        EXPECT_EQ(rig.core().debug(tlm::TLM_READ_COMMAND, 0x8000, back.data(), 8), 0u);
        rig.port().push({sfpload(2, mode_uint16, 0)});
        EXPECT_EQ(rig.reports(report_id::dst_window_write_distance), 0u);
    });
}

} // namespace
} // namespace sfpu::test
