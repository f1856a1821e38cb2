// The TensorLoad engine as a module: transactions on its sockets, their times, error responses, real memories
// behind it.
#include "forked.h"
#include "rig.h"

#include <sfpu/memory/dst_window.h>
#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/ram.h>
#include <sfpu/tensorload/tensorload_engine.h>
#include <sfpu/vector_unit/systemc_support.h>

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <functional>

namespace sfpu::test {
namespace {

namespace tl = tensorload;

constexpr std::uint32_t int8 = 2, int16 = 4, int32 = 8, bf16 = 0x200;
constexpr std::uint32_t shape(unsigned d0, unsigned d1, unsigned d2) { return d0 << 16 | d1 << 8 | d2; }

/// Answers everything, keeps a record of it.
class recording_target : public sc_core::sc_module {
public:
    struct record {
        tlm::tlm_command command;
        std::uint64_t address;
        unsigned length, streaming_width;
        bool has_byte_enables;
        std::int64_t cycle;
    };
    tlm_utils::simple_target_socket<recording_target, 32> tsock{"tsock"};
    std::vector<record> records;
    tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
    sc_core::sc_time added; ///< to the delay of each transaction
    bool waits = false;     ///< lets the annotated time pass

    explicit recording_target(const sc_core::sc_module_name& name) : sc_module(name) {
        tsock.register_b_transport(this, &recording_target::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        EXPECT_EQ(trans.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_GE(delay, sc_core::SC_ZERO_TIME);
        const auto cycle = (sc_core::sc_time_stamp() + delay).value() / period().value();
        records.push_back({trans.get_command(), trans.get_address(), trans.get_data_length(),
                           trans.get_streaming_width(), trans.get_byte_enable_ptr() != nullptr,
                           static_cast<std::int64_t>(cycle)});
        if (trans.is_read()) std::fill_n(trans.get_data_ptr(), trans.get_data_length(), records.size());
        trans.set_response_status(response);
        delay += added;
        if (waits) {
            sc_core::wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        }
    }
};

/// An engine between two targets that keep records.
struct recorded_engine {
    tl::tensorload_engine engine{"engine"};
    recording_target l1m{"l1m"}, l0m{"l0m"};
    checked_bindings checked;

    explicit recorded_engine(const parameters& config = {}, probe::reporter* reporter = nullptr) {
        checked.bind(engine.l1m_isock, l1m.tsock);
        checked.bind(engine.l0m_isock, l0m.tsock);
        start();
        engine.reset(config, nullptr, reporter);
    }
    void set_block(std::uint32_t type, std::uint32_t size) {
        EXPECT_TRUE(engine.write_csr(tl::csr::ttype, cycles{}, type));
        EXPECT_TRUE(engine.write_csr(tl::csr::tshape, cycles{}, size));
    }
    riscv::coprocessor_answer issue(const tl::instruction& insn, std::uint32_t scalar, std::int64_t at) {
        return engine.issue(tl::encode(insn), scalar, cycles{at});
    }
};

constexpr auto accepted = riscv::coprocessor_answer::outcome::accepted;

TEST(tensorload_engine, a_load_is_one_plain_read_for_each_slice) {
    in_child([] {
        recorded_engine rig;
        rig.set_block(int8, shape(4, 32, 4));
        ASSERT_EQ(rig.issue(tl::load(1, 2, 1), 0x1000, 0).result, accepted);
        ASSERT_EQ(rig.l1m.records.size(), 4u);
        for (unsigned i = 0; i < 4; ++i) {
            const recording_target::record& seen = rig.l1m.records[i];
            EXPECT_EQ(seen.command, tlm::TLM_READ_COMMAND);
            EXPECT_EQ(seen.address, 0x1080u + 128 * i);
            EXPECT_EQ(seen.length, 128u);
            EXPECT_EQ(seen.streaming_width, 128u);
            EXPECT_FALSE(seen.has_byte_enables);
            EXPECT_EQ(seen.cycle, 1 + 8 * i);
            EXPECT_EQ(rig.engine.core().tensor(1)[128 * i], i + 1);
        }
        EXPECT_TRUE(rig.l0m.records.empty());
    });
}

TEST(tensorload_engine, a_store_to_the_dst_window_is_one_write_for_each_element_at_its_bus_address) {
    in_child([] {
        recorded_engine rig;
        rig.set_block(bf16, shape(1, 8, 8));
        ASSERT_EQ(rig.issue(tl::store(1, 2, 0), 0x20, 0).result, accepted);
        ASSERT_EQ(rig.l0m.records.size(), 64u);
        for (unsigned i = 0; i < 64; ++i) {
            const recording_target::record& seen = rig.l0m.records[i];
            EXPECT_EQ(seen.command, tlm::TLM_WRITE_COMMAND);
            EXPECT_EQ(seen.address, 0xffbd8020u + 2 * i);
            EXPECT_EQ(seen.length, 2u);
            EXPECT_EQ(seen.streaming_width, 2u);
            EXPECT_EQ(seen.cycle, 1 + i / 32); // 64 bytes a cycle
        }
    });
}

TEST(tensorload_engine, raw_stores_are_bulk) {
    in_child([] {
        parameters config;
        config.tensorload.l0m_raw = true;
        recorded_engine rig(config);
        rig.set_block(bf16, shape(2, 8, 8));
        ASSERT_EQ(rig.issue(tl::store(1, 2, 0), 0, 0).result, accepted);
        ASSERT_EQ(rig.l0m.records.size(), 2u);
        EXPECT_EQ(rig.l0m.records[1].address, 0xffbd8080u);
        EXPECT_EQ(rig.l0m.records[1].length, 128u);
    });
}

TEST(tensorload_engine, on_wormhole_stores_use_the_space_of_loads) {
    in_child([] {
        parameters config;
        config.arch = architecture::wormhole;
        config.clock_period_ps = parameters{}.period_ps();
        recorded_engine rig(config);
        rig.set_block(int8, shape(1, 8, 8));
        ASSERT_EQ(rig.issue(tl::store(1, 2, 0), 0x2000, 0).result, accepted);
        ASSERT_EQ(rig.l0m.records.size(), 1u);
        EXPECT_EQ(rig.l0m.records[0].address, 0x2000u);
        EXPECT_EQ(rig.l0m.records[0].length, 64u);
    });
}

TEST(tensorload_engine, transactions_of_an_instruction_that_waits_have_the_time_of_its_start) {
    in_child([] {
        recorded_engine rig;
        rig.set_block(int8, shape(8, 32, 4));
        rig.issue(tl::load(1, 2, 0), 0, 0);
        rig.issue(tl::load(2, 2, 0), 0, 1);
        EXPECT_EQ(rig.l1m.records[8].cycle, 64 + 1);
        EXPECT_EQ(rig.engine.drained(cycles{}), cycles{64 + 73});
    });
}

TEST(tensorload_engine, cycles_count_from_the_reset) {
    in_child([] {
        recorded_engine rig;
        run_to(1000);
        rig.engine.reset(parameters{});
        rig.set_block(int8, shape(1, 4, 4));
        rig.issue(tl::load(1, 2, 0), 0, 10);
        EXPECT_EQ(rig.l1m.records[0].cycle, 1000 + 10 + 1);
    });
}

TEST(tensorload_engine, simulated_time_may_be_anywhere_up_to_the_hart_without_a_difference) {
    // The same program with time standing still and with time following the hart: same cycles, same answers.
    std::string seen[2];
    for (const bool follow : {false, true}) {
        const child_result result = run_in_child([&] {
            recorded_engine rig;
            rig.set_block(int8, shape(8, 32, 4));
            std::string line = "cycles:";
            std::int64_t at = 0;
            for (unsigned i = 0; i < 12; ++i) {
                if (follow) run_to(at);
                at = rig.issue(i % 3 ? tl::load(1 + i, 2, 0) : tl::store(i, 2, 0), 0, at).next.count();
                line += fmt::format(" {}", at);
            }
            for (const auto& record : rig.l1m.records) line += fmt::format(" {}", record.cycle);
            fmt::print("{} {}\n", line, rig.engine.drained(cycles{at}).count());
        });
        ASSERT_TRUE(result.passed()) << result.output;
        // Before that, SystemC may have warned that nothing happens in this time.
        seen[follow] = result.output.substr(result.output.find("cycles:"));
    }
    EXPECT_EQ(seen[0], seen[1]);
}

TEST(tensorload_engine, delay_that_a_target_adds_delays_the_instruction) {
    in_child([] {
        recorded_engine rig;
        rig.l1m.added = period() * 2.5; // counts as three cycles
        rig.set_block(int8, shape(8, 32, 4));
        rig.issue(tl::load(1, 2, 0), 0, 0);
        EXPECT_EQ(rig.l1m.records[1].cycle, 1 + 8 + 3);
        EXPECT_EQ(rig.engine.drained(cycles{}), cycles{73 + 8 * 3});
    });
}

/// Issues from a process, so that targets may wait.
class issuer : public sc_core::sc_module {
public:
    SFPU_HAS_PROCESS(issuer);
    std::function<void()> body;
    explicit issuer(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

private:
    void run() { body(); }
};

TEST(tensorload_engine, a_target_may_wait) {
    in_child([] {
        issuer hart("hart");
        tl::tensorload_engine engine("engine");
        recording_target l1m("l1m"), l0m("l0m");
        engine.l1m_isock.bind(l1m.tsock);
        engine.l0m_isock.bind(l0m.tsock);
        engine.reset(parameters{});
        l1m.waits = true;
        hart.body = [&] {
            EXPECT_TRUE(engine.write_csr(tl::csr::tshape, cycles{}, shape(8, 32, 4)));
            EXPECT_EQ(engine.issue(tl::encode(tl::load(1, 2, 0)), 0, cycles{0}).result, accepted);
        };
        sc_core::sc_start();
        ASSERT_EQ(l1m.records.size(), 8u);
        for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(l1m.records[i].cycle, 1 + 8 * i);
        EXPECT_EQ(engine.drained(cycles{}), cycles{73});
    });
}

struct diagnostic_list : diagnostic_sink {
    std::vector<diagnostic> all;
    void diagnose(const diagnostic& what) override { all.push_back(what); }
};

TEST(tensorload_engine, an_error_response_is_reported_and_shown_in_the_status) {
    in_child([] {
        diagnostic_list diagnostics;
        probe::reporter reporter;
        reporter.reset(&diagnostics, hazard_policy::warn, nullptr);
        recorded_engine rig({}, &reporter);
        rig.set_block(int8, shape(1, 4, 4));
        std::uint32_t status = 0;
        rig.l1m.response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        EXPECT_EQ(rig.issue(tl::load(1, 2, 0), 0x40, 0).result, accepted);
        ASSERT_TRUE(rig.engine.read_csr(tl::csr::tl_status, cycles{100}, status));
        EXPECT_EQ(status, 0x100u);
        ASSERT_EQ(diagnostics.all.size(), 1u);
        EXPECT_EQ(diagnostics.all[0].id, report_id::tensorload_bus_error);
        EXPECT_EQ(diagnostics.all[0].at, cycles{1});
        EXPECT_NE(diagnostics.all[0].message.find("load of 16 bytes at 0x00000040"), std::string::npos);
        for (const unsigned char byte : rig.engine.core().tensor(1)) ASSERT_EQ(byte, 0u);
    });
}

TEST(tensorload_engine, a_trap_sends_no_transaction) {
    in_child([] {
        recorded_engine rig;
        rig.set_block(int8, shape(4, 4, 4));
        const auto answer = rig.issue(tl::load(1, 2, 0), 0x180000 - 32, 0);
        EXPECT_EQ(answer.result, riscv::coprocessor_answer::outcome::trap);
        EXPECT_EQ(answer.cause, 5u);
        EXPECT_EQ(answer.value, 0x180000u);
        EXPECT_TRUE(rig.l1m.records.empty());
    });
}

TEST(tensorload_engine, two_engines_in_one_simulation_do_not_share_anything) {
    in_child([] {
        tl::tensorload_engine one("one"), other("other");
        recording_target targets[4]{recording_target{"a"}, recording_target{"b"}, recording_target{"c"},
                                    recording_target{"d"}};
        one.l1m_isock.bind(targets[0].tsock);
        one.l0m_isock.bind(targets[1].tsock);
        other.l1m_isock.bind(targets[2].tsock);
        other.l0m_isock.bind(targets[3].tsock);
        start();
        EXPECT_TRUE(one.write_csr(tl::csr::tshape, cycles{}, shape(1, 1, 8)));
        EXPECT_EQ(one.issue(tl::encode(tl::load(1, 2, 0)), 0, cycles{}).result, accepted);
        EXPECT_EQ(other.issue(tl::encode(tl::load(1, 2, 0)), 0, cycles{}).cause, 2u); // its tshape is zero
        EXPECT_TRUE(targets[2].records.empty());
        EXPECT_EQ(other.drained(cycles{}), cycles{});
    });
}

// --- real memories --------------------------------------------------------------------------------------

TEST(tensorload_engine, data_go_from_l1_through_registers_to_another_memory) {
    in_child([] {
        parameters config;
        config.tensorload.l0m = l0m_binding::sram;
        config.tensorload.l0m_base = 0;
        tl::tensorload_engine engine("engine");
        memory::l1_memory l1("l1", 0x180000);
        memory::ram sram("sram", 0x8000);
        checked_bindings checked;
        checked.bind(engine.l1m_isock, l1.tsock());
        checked.bind(engine.l0m_isock, sram.tsock);
        start();
        engine.reset(config);
        for (unsigned i = 0; i < 1024; ++i) l1.bytes().data()[0x3000 + i] = static_cast<unsigned char>(i * 3);
        EXPECT_TRUE(engine.write_csr(tl::csr::tshape, cycles{}, shape(8, 32, 4)));
        const auto next = engine.issue(tl::encode(tl::load(1, 2, 0)), 0x3000, cycles{}).next;
        engine.issue(tl::encode(tl::store(1, 2, 0)), 0x1000, next);
        EXPECT_EQ(engine.drained(cycles{}), cycles{73 + 19}); // neither memory adds anything
        for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(sram.bytes().data()[0x1000 + i], i * 3 % 256);
    });
}

TEST(tensorload_engine, narrow_writes_to_l1_take_five_cycles_each) {
    in_child([] {
        parameters config;
        config.tensorload.l0m = l0m_binding::l1;
        tl::tensorload_engine engine("engine");
        memory::l1_memory l1("l1", 0x180000, 2);
        checked_bindings checked;
        checked.bind(engine.l1m_isock, l1.tsock(0));
        checked.bind(engine.l0m_isock, l1.tsock(1));
        start();
        engine.reset(config);
        EXPECT_TRUE(engine.write_csr(tl::csr::tshape, cycles{}, shape(4, 2, 4))); // slices of 8 bytes
        engine.issue(tl::encode(tl::store(1, 2, 0)), 0x1000, cycles{});
        EXPECT_EQ(engine.core().last_cost().occupancy, cycles{4 * 5});
    });
}

struct fixed_view : memory::dst_view_source {
    view now;
    view view_of(unsigned) const override { return now; }
};

struct window_rig {
    tl::tensorload_engine engine{"engine"};
    memory::ram l1m{"l1m", 0x180000};
    dst_rig storage{"storage"};
    fixed_view views;
    memory::dst_window window{"window", storage.dst, views, 0};
    checked_bindings checked;

    window_rig() {
        checked.bind(engine.l1m_isock, l1m.tsock);
        checked.bind(engine.l0m_isock, window.riscv_tsock);
        start();
        parameters config;
        config.tensorload.l0m_base = 0; // bound without a bus
        engine.reset(config);
        storage.dst.reset(config, nullptr);
        window.reset(config);
    }
    void store(std::uint32_t type, memory::dst_format format, std::uint32_t size,
               const tl::tensor_register& data) {
        views.now.access.format = format;
        EXPECT_TRUE(engine.write_csr(tl::csr::ttype, cycles{}, type));
        EXPECT_TRUE(engine.write_csr(tl::csr::tshape, cycles{}, size));
        engine.core().set_tensor(1, data);
        EXPECT_EQ(engine.issue(tl::encode(tl::store(1, 2, 0)), 0, engine.drained(cycles{})).result, accepted);
    }
};

TEST(tensorload_engine, elements_stored_to_the_dst_window_can_be_read_back_through_it) {
    in_child([] {
        struct pairing {
            std::uint32_t type;
            memory::dst_format format;
            unsigned bytes;
        };
        window_rig rig;
        tl::tensor_register data;
        for (unsigned i = 0; i < data.size(); ++i)
            data[i] = static_cast<unsigned char>(i % 4 == 3 ? 0 : i % 100 + 1);
        for (const auto& [type, format, bytes] :
             {pairing{int16, memory::dst_format::int16, 2}, pairing{int32, memory::dst_format::int32, 4},
              pairing{bf16, memory::dst_format::bf16, 2}, pairing{int8, memory::dst_format::int8, 1}}) {
            rig.store(type, format, shape(2, 4, 8), data);
            for (unsigned i = 0; i < 64; ++i) {
                std::uint32_t value = 0, expected = 0;
                std::memcpy(&expected, data.data() + i * bytes, bytes);
                tlm::tlm_generic_payload trans;
                fill(trans, tlm::TLM_READ_COMMAND, i * bytes, &value, bytes);
                ASSERT_EQ(rig.engine.l0m_isock->transport_dbg(trans), bytes);
                ASSERT_EQ(value, expected) << memory::to_string(format) << " element " << i;
            }
        }
        std::uint32_t status = 0;
        ASSERT_TRUE(rig.engine.read_csr(tl::csr::tl_status, cycles{1000}, status));
        EXPECT_EQ(status, 0u);
    });
}

TEST(tensorload_engine, a_dst_window_of_another_element_size_is_a_bus_error) {
    in_child([] {
        window_rig rig;
        rig.store(int32, memory::dst_format::bf16, shape(1, 1, 8), {});
        std::uint32_t status = 0;
        ASSERT_TRUE(rig.engine.read_csr(tl::csr::tl_status, cycles{1000}, status));
        EXPECT_EQ(status, 0x100u);
        EXPECT_EQ(rig.engine.core().bus_errors(), 8u);
    });
}

TEST(tensorload_engine,
     data_lost_in_the_dst_window_are_an_error_under_that_policy_and_say_what_was_expected) {
    in_child([] {
        diagnostic_list diagnostics;
        probe::reporter reporter;
        window_rig rig;
        reporter.reset(&diagnostics, hazard_policy::error, nullptr);
        parameters config;
        config.tensorload.l0m_base = 0;
        rig.engine.reset(config, nullptr, &reporter);
        rig.window.reset(config, &reporter);
        rig.store(int8, memory::dst_format::fp32, shape(1, 1, 2), {});
        ASSERT_EQ(diagnostics.all.size(), 4u); // the window and the engine, for each element
        EXPECT_EQ(diagnostics.all[0].id, report_id::dst_window_access);
        EXPECT_NE(
            diagnostics.all[0].message.find("found format fp32 (4 bytes an element), expected int8 (5)"),
            std::string::npos)
            << diagnostics.all[0].message;
        EXPECT_EQ(diagnostics.all[1].id, report_id::tensorload_bus_error);
        EXPECT_EQ(diagnostics.all[1].level, severity::error);
        EXPECT_NE(diagnostics.all[1].message.find("store of 1 byte"), std::string::npos)
            << diagnostics.all[1].message;
    });
}

} // namespace
} // namespace sfpu::test
