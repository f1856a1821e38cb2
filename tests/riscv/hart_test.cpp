// The hart as a module: sockets, direct memory, temporal decoupling, what it publishes.
#include "forked.h"
#include "rig.h"
#include "riscv_words.h"

#include <sfpu/riscv/hart.h>

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <map>

namespace sfpu::test {
namespace {

using namespace rv;
using riscv::hart;

constexpr word ram_base = 0x80000000u, ram_bytes = 0x4000, device_base = 0xffb12000u, program_limit = 0x2000;

/// RAM of which every access takes `ram_delay`, and a device of one register that takes `device_delay` or
/// really waits.
class world : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<world, 32> bus_tsock{"bus_tsock"};
    tlm_utils::simple_target_socket_optional<world, 32> push_tsock{"push_tsock"};

    bool grants_dmi = true, grants_writes = true, device_waits = false;
    std::int64_t ram_delay = 0, device_delay = 0; ///< cycles
    std::array<unsigned char, ram_bytes> ram{};
    unsigned transports = 0;
    word device_value = 0;
    std::vector<std::pair<word, sc_core::sc_time>> device_writes, pushed;

    explicit world(const sc_core::sc_module_name& name) : sc_module(name) {
        bus_tsock.register_b_transport(this, &world::access);
        bus_tsock.register_get_direct_mem_ptr(this, &world::grant);
        push_tsock.register_b_transport(this, &world::push);
    }
    word at(word address) const {
        word value;
        std::memcpy(&value, &ram[address - ram_base], sizeof value);
        return value;
    }

private:
    void access(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        ++transports;
        const auto address = static_cast<word>(trans.get_address());
        const unsigned length = trans.get_data_length();
        unsigned char* place = nullptr;
        if (address >= ram_base && address - ram_base <= ram_bytes - length) {
            place = &ram[address - ram_base];
            delay += time_of(ram_delay);
        } else if (address == device_base && length == 4) {
            if (trans.is_write()) device_writes.emplace_back(0, sc_core::sc_time_stamp() + delay);
            if (device_waits) {
                wait(delay + time_of(device_delay));
                delay = sc_core::SC_ZERO_TIME;
            } else {
                delay += time_of(device_delay);
            }
            place = reinterpret_cast<unsigned char*>(&device_value);
        } else {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (trans.is_write()) std::memcpy(place, trans.get_data_ptr(), length);
        else std::memcpy(trans.get_data_ptr(), place, length);
        if (trans.is_write() && address == device_base) device_writes.back().first = device_value;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool grant(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
        if (!grants_dmi || trans.get_address() < ram_base || trans.get_address() >= ram_base + ram_bytes)
            return false;
        dmi.set_start_address(ram_base);
        dmi.set_end_address(ram_base + ram_bytes - 1);
        dmi.set_dmi_ptr(ram.data());
        dmi.set_granted_access(grants_writes ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                                             : tlm::tlm_dmi::DMI_ACCESS_READ);
        dmi.set_read_latency(time_of(ram_delay));
        dmi.set_write_latency(time_of(ram_delay));
        return true;
    }
    void push(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        word value;
        std::memcpy(&value, trans.get_data_ptr(), sizeof value);
        pushed.emplace_back(value, sc_core::sc_time_stamp() + delay);
        const bool well_formed = trans.is_write() && trans.get_address() == 0 &&
                                 trans.get_data_length() == 4 && trans.get_streaming_width() == 4;
        delay += period();
        trans.set_response_status(well_formed ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE);
    }
};

struct activity {
    cycles begin, end;
    std::string lane, kind, text;
};
struct activity_log : probe::pipeline_observer {
    std::vector<activity> events;
    void acted(const probe::activity_event& e) override {
        EXPECT_EQ(e.unit, probe::tile_unit::hart);
        events.push_back({e.begin, e.end, e.lane, e.kind, std::string(e.text)});
    }
};

struct hart_rig : riscv::hart_listener {
    world outside{"outside"};
    riscv::hart core{"hart"};
    activity_log log;
    std::vector<word> told;
    checked_bindings checked;

    explicit hart_rig(bool with_push_port = true) {
        checked.bind(core.bus_isock, outside.bus_tsock);
        if (with_push_port) checked.bind(core.tensix_isock, outside.push_tsock);
        core.set_listener(this);
    }
    void watched_store(word, unsigned, word value, cycles) override {
        told.push_back(value);
        if (value) core.stop();
    }
    /// Places a program at the beginning of RAM and starts over. x1 is an address of data, x2 the device, x3
    /// unmapped.
    void load(std::initializer_list<word> program, probe::pipeline_observer* observer = nullptr) {
        word address = 0;
        for (word bits : program) {
            std::memcpy(&outside.ram[address], &bits, sizeof bits);
            address += 4;
        }
        riscv::hart_setup setup;
        setup.reset_pc = ram_base;
        core.reset(parameters{}, setup, observer);
        core.core().set_reg(1, ram_base + program_limit);
        core.core().set_reg(2, device_base);
        core.core().set_reg(3, 0x70000000u);
        core.core().set_reg(5, 1);
        core.core().watch_stores(ram_base + program_limit, 8);
    }
    void run(std::int64_t most_cycles = 1000000) {
        core.set_cycle_limit(cycles{most_cycles});
        sc_core::sc_start(time_of(most_cycles + 1000));
    }
};

void set_quantum(const sc_core::sc_time& quantum) { tlm::tlm_global_quantum::instance().set(quantum); }

/// Stores 1 to the watched address.
constexpr word finish = sw(5, 1, 0);

TEST(hart_module, runs_a_program_to_the_watched_store_and_no_further) {
    in_child([] {
        hart_rig rig;
        rig.load({addi(6, 0, 42), sw(6, 1, 16), finish, addi(6, 0, 43)});
        rig.run();
        EXPECT_EQ(rig.core.state(), hart::outcome::stopped);
        EXPECT_EQ(rig.core.core().reg(6), 42u);
        EXPECT_EQ(rig.outside.at(ram_base + program_limit + 16), 42u);
        EXPECT_EQ(rig.outside.at(ram_base + program_limit), 1u);
        EXPECT_EQ(rig.told, std::vector<word>{1u});
    });
}

TEST(hart_module, stops_at_the_cycle_limit) {
    in_child([] {
        hart_rig rig;
        rig.load({jal(0, 0)});
        rig.run(1000);
        EXPECT_EQ(rig.core.state(), hart::outcome::cycle_limit);
        EXPECT_EQ(rig.core.core().now(), cycles{1000});
        EXPECT_EQ(rig.core.core().counters().instructions, 1000u);
    });
}

TEST(hart_module, tells_of_its_end_at_its_own_time) {
    for (const std::int64_t quantum : {1, 100000})
        in_child([quantum] {
            set_quantum(time_of(quantum));
            hart_rig rig;
            rig.load({jal(0, 0)});
            sc_core::sc_time told;
            sc_core::sc_spawn([&] {
                sc_core::wait(rig.core.ended_event());
                told = sc_core::sc_time_stamp();
                EXPECT_EQ(rig.core.state(), hart::outcome::cycle_limit);
            });
            rig.run(1234);
            EXPECT_EQ(told, time_of(1234)) << "quantum of " << quantum << " cycles";
        });
}

struct diagnostic_list : diagnostic_sink {
    std::vector<diagnostic> all;
    void diagnose(const diagnostic& what) override { all.push_back(what); }
};

TEST(hart_module, reports_misaligned_and_refused_accesses) {
    in_child([] {
        hart_rig rig;
        diagnostic_list found;
        probe::reporter reporter;
        reporter.reset(&found, hazard_policy::warn, nullptr);
        rig.load({lw(6, 1, 18), lw(6, 3, 0)});
        rig.core.reset(parameters{}, {0, ram_base, false}, nullptr, &reporter);
        rig.core.core().set_reg(1, ram_base + program_limit);
        rig.core.core().set_reg(3, 0x70000000u);
        rig.run();
        ASSERT_EQ(found.all.size(), 2u);
        EXPECT_EQ(found.all[0].id, report_id::hart_misaligned);
        EXPECT_EQ(found.all[0].level, severity::warning);
        EXPECT_EQ(found.all[0].message,
                  "hart 0: load of 4 bytes at 0x80002012, pc 0x80000000: done byte by byte");
        EXPECT_EQ(found.all[1].id, report_id::hart_bus_error);
        EXPECT_NE(found.all[1].message.find("load of 4 bytes at 0x70000000, pc 0x80000004"),
                  std::string::npos);
    });
}

TEST(hart_module, error_responses_are_access_faults) {
    in_child([] {
        hart_rig rig;
        const std::pair<word, word> cases[] = {
            {lw(6, 3, 0), 5u}, {sw(6, 3, 0), 7u}, {jalr(0, 3, 0), 1u}, {sw(6, 2, 4), 7u}};
        for (auto [bits, cause] : cases) {
            rig.load({bits, finish});
            rig.run(100);
            EXPECT_EQ(rig.core.state(), hart::outcome::trapped);
            EXPECT_EQ(rig.core.core().trap().cause, cause);
        }
    });
}

TEST(hart_module, tensix_words_go_to_their_port_one_a_transaction_at_the_cycle_of_the_instruction) {
    in_child([] {
        hart_rig rig;
        rig.load({nop, ttinsn(0x8f000000u), ttinsn(0x8f000001u), nop, ttinsn(0x8f000002u), finish});
        rig.run();
        const std::vector<std::pair<word, sc_core::sc_time>> expected{
            {0x8f000000u, time_of(1)}, {0x8f000001u, time_of(1)}, {0x8f000002u, time_of(3)}};
        EXPECT_EQ(rig.outside.pushed, expected);
        EXPECT_EQ(rig.core.state(), hart::outcome::stopped);
    });
}

TEST(hart_module, without_a_port_tensix_words_are_stores_on_the_bus) {
    in_child([] {
        hart_rig rig(false);
        rig.load({ttinsn(0x8f000000u), finish});
        rig.run();
        EXPECT_EQ(rig.core.state(), hart::outcome::trapped) << "nothing is mapped there";
        EXPECT_EQ(rig.core.core().trap().mtval, 0xffe40000u);
    });
}

TEST(hart_module, the_status_csrs_come_from_the_function) {
    in_child([] {
        hart_rig rig;
        sc_core::sc_time asked;
        rig.core.set_tensix_status([&](unsigned csr, const sc_core::sc_time& at) {
            asked = at;
            return csr + 1;
        });
        rig.load({nop, nop, csrrs(6, 0xbc0, 0), finish});
        rig.run();
        EXPECT_EQ(rig.core.core().reg(6), 0xbc1u);
        EXPECT_EQ(asked, time_of(2));
    });
}

// --- time and shortcuts ------------------------------------------------------------------------------------

/// A program with loads, stores, a device, multiplications, divisions and a loop.
const std::initializer_list<word> mixed_program{addi(7, 0, 50), // rounds
                                                lw(8, 1, 64),
                                                addi(8, 8, 7),
                                                sw(8, 1, 64),
                                                mul(9, 8, 8), //
                                                sw(9, 2, 0),
                                                lw(10, 2, 0),
                                                add(11, 11, 10),
                                                divu(12, 9, 7), //
                                                ttinsn(0x8f000000u),
                                                ttinsn(0x8f000001u),
                                                csrrs(13, 0xc00, 0),
                                                add(14, 14, 13), //
                                                amoadd(15, 1, 8) /* of the watched word, with 7 and more */,
                                                sw(0, 1, 0),
                                                addi(7, 7, -1),
                                                branch(1, 7, 0, -60),
                                                finish};

struct whole_run {
    std::vector<word> registers;
    cycles now;
    std::array<std::uint64_t, riscv::stall_cause_count> stalls;
    std::vector<std::pair<word, sc_core::sc_time>> device_writes, pushed;
    sc_core::sc_time ended;
};
struct run_options {
    bool dmi = true, dmi_writes = true, device_waits = false;
    std::int64_t ram_delay = 0, device_delay = 0;
    sc_core::sc_time quantum;
};

/// Runs the mixed program; listeners do not stop at the atomics' stores.
struct patient_rig : hart_rig {
    void watched_store(word, unsigned, word value, cycles) override {
        if (value == 1) core.stop();
    }
};
whole_run run_mixed(patient_rig& rig, const run_options& options) {
    set_quantum(options.quantum);
    world& w = rig.outside;
    w.ram.fill(0);
    w.device_value = 0;
    w.device_writes.clear();
    w.pushed.clear();
    w.grants_dmi = options.dmi, w.grants_writes = options.dmi_writes, w.device_waits = options.device_waits;
    w.ram_delay = options.ram_delay, w.device_delay = options.device_delay;
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    rig.load(mixed_program);
    rig.core.set_cycle_limit(cycles{100000});
    sc_core::sc_time ended;
    while (rig.core.state() == hart::outcome::running) {
        ended = sc_core::sc_time_stamp() - begin;
        sc_core::sc_start(time_of(1));
    }
    EXPECT_EQ(rig.core.state(), hart::outcome::stopped);
    whole_run result;
    for (unsigned i = 0; i < 32; ++i) result.registers.push_back(rig.core.core().reg(i));
    result.now = rig.core.core().now();
    result.stalls = rig.core.core().counters().stalls;
    for (auto [value, at] : w.device_writes) result.device_writes.emplace_back(value, at - begin);
    for (auto [value, at] : w.pushed) result.pushed.emplace_back(value, at - begin);
    result.ended = ended;
    return result;
}
void expect_equal(const whole_run& a, const whole_run& b) {
    EXPECT_EQ(a.registers, b.registers);
    EXPECT_EQ(a.now, b.now);
    EXPECT_EQ(a.stalls, b.stalls);
    EXPECT_EQ(a.device_writes, b.device_writes);
    EXPECT_EQ(a.pushed, b.pushed);
}

TEST(hart_module, direct_memory_gives_the_same_results_and_cycles_as_transactions) {
    in_child([] {
        patient_rig rig;
        for (std::int64_t ram_delay : {0, 1, 5}) {
            run_options direct, read_only, transactions;
            direct.ram_delay = read_only.ram_delay = transactions.ram_delay = ram_delay;
            read_only.dmi_writes = false;
            transactions.dmi = false;
            const whole_run expected = run_mixed(rig, transactions);
            const unsigned transports = rig.outside.transports;
            expect_equal(run_mixed(rig, direct), expected);
            EXPECT_LE(rig.outside.transports - transports, 100u) << "only the device is left";
            expect_equal(run_mixed(rig, read_only), expected);
        }
    });
}

TEST(hart_module, the_global_quantum_changes_neither_results_nor_cycles_nor_when_devices_see_them) {
    in_child([] {
        patient_rig rig;
        run_options options;
        options.device_delay = 3;
        const whole_run exact = run_mixed(rig, options);
        EXPECT_EQ(exact.ended, time_of(exact.now.count())) << "at quantum zero the hart ends at its own time";
        for (const sc_core::sc_time& quantum :
             {time_of(1), time_of(7), sc_core::sc_time(10, sc_core::SC_US)}) {
            options.quantum = quantum;
            expect_equal(run_mixed(rig, options), exact);
        }
    });
}

TEST(hart_module, a_device_that_waits_holds_the_hart_as_one_that_adds_to_the_delay) {
    in_child([] {
        patient_rig rig;
        run_options options;
        options.device_delay = 9;
        const whole_run annotated = run_mixed(rig, options);
        options.device_waits = true;
        const whole_run waited = run_mixed(rig, options);
        EXPECT_EQ(waited.device_writes.front(), annotated.device_writes.front());
        EXPECT_EQ(waited.device_writes.size(), annotated.device_writes.size());
        EXPECT_GE(waited.now, annotated.now);
    });
}

TEST(hart_module, revoked_direct_memory_is_given_up) {
    in_child([] {
        hart_rig rig;
        set_quantum(time_of(100));
        rig.load({lw(6, 1, 16), jal(0, -4)});
        rig.run(1000);
        const unsigned before = rig.outside.transports;
        rig.load({lw(6, 1, 16), jal(0, -4)});
        rig.outside.grants_dmi = false;
        rig.outside.bus_tsock->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
        rig.run(1000);
        EXPECT_GT(rig.outside.transports, before + 100);
    });
}

TEST(hart_module, two_harts_run_beside_each_other) {
    in_child([] {
        set_quantum(time_of(50));
        hart_rig one;
        world other_world{"other_world"};
        riscv::hart other{"other"};
        other.bus_isock.bind(other_world.bus_tsock);
        other.tensix_isock.bind(other_world.push_tsock);
        one.load({addi(6, 6, 1), jal(0, -4)});
        std::copy_n(one.outside.ram.begin(), 16, other_world.ram.begin());
        riscv::hart_setup setup;
        setup.reset_pc = ram_base;
        setup.hart_id = 1;
        other.reset(parameters{}, setup);
        other.set_cycle_limit(cycles{200});
        one.run(100);
        EXPECT_EQ(one.core.core().reg(6), 50u);
        EXPECT_EQ(other.core().reg(6), 100u);
    });
}

// --- reset -------------------------------------------------------------------------------------------------

/// Runs a program to its end from a reset at a moment at which the hart is busy with another one; what it was
/// busy with must not be seen again, however long simulated time goes on.
void expect_fresh_start(hart_rig& rig) {
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    rig.told.clear();
    rig.outside.device_waits = false;
    rig.load({addi(6, 0, 5), addi(6, 6, 2), finish});
    rig.run(20000);
    EXPECT_EQ(rig.told, (std::vector<word>{1}));
    EXPECT_EQ(rig.core.state(), hart::outcome::stopped);
    EXPECT_EQ(rig.core.core().reg(6), 7u);
    EXPECT_EQ(rig.core.core().now(), cycles{3}); // one instruction a cycle
    EXPECT_GT(sc_core::sc_time_stamp(), begin + time_of(15000));
}

TEST(hart_module, a_reset_ends_a_load_from_a_device_that_waits) {
    for (const int quantum_cycles : {0, 100})
        in_child([&] {
            set_quantum(time_of(quantum_cycles));
            hart_rig rig;
            rig.outside.device_delay = 5000;
            for (const word access : {lw(6, 2, 0), sw(6, 2, 0)}) {
                rig.outside.device_waits = true;
                rig.outside.device_writes.clear();
                rig.load({addi(6, 0, 9), access, addi(6, 6, 1), finish});
                sc_core::sc_start(time_of(300)); // the device answers in 5,000 cycles
                EXPECT_EQ(rig.core.state(), hart::outcome::running);
                expect_fresh_start(rig);
                EXPECT_EQ(rig.outside.device_value, 0u) << "the store was given up";
            }
        });
}

TEST(hart_module, a_reset_ends_waiting_and_parking) {
    for (const int quantum_cycles : {0, 100})
        in_child([&] {
            set_quantum(time_of(quantum_cycles));
            hart_rig rig;
            constexpr word wfi = 0x10500073;
            for (const std::initializer_list<word> program :
                 {std::initializer_list<word>{jal(0, 0)}, {wfi, jal(0, -4)}}) {
                rig.load(program);
                sc_core::sc_start(time_of(300));
                EXPECT_EQ(rig.core.state(), hart::outcome::running);
                expect_fresh_start(rig);
            }
        });
}

TEST(hart_module, another_process_may_reset_a_hart_that_sleeps_inside_an_access) {
    in_child([] {
        hart_rig rig;
        rig.outside.device_delay = 5000;
        rig.outside.device_waits = true;
        rig.load({lw(6, 2, 0), finish});
        sc_core::sc_spawn([&] {
            sc_core::wait(time_of(400));
            rig.outside.device_waits = false;
            rig.load({addi(6, 0, 3), finish});
        });
        rig.run(20000);
        EXPECT_EQ(rig.told, (std::vector<word>{1}));
        EXPECT_EQ(rig.core.core().reg(6), 3u);
        EXPECT_EQ(rig.core.core().now(), cycles{2});
    });
}

TEST(hart_module, at_quantum_zero_no_instruction_runs_ahead_of_the_start) {
    in_child([] {
        set_quantum(sc_core::SC_ZERO_TIME);
        hart_rig rig;
        for (unsigned run = 0; run < 2; ++run) {
            rig.outside.device_writes.clear();
            const sc_core::sc_time begin = sc_core::sc_time_stamp();
            rig.load({addi(6, 0, 1), addi(6, 6, 1), sw(6, 2, 0), finish});
            sc_core::sc_start(time_of(1)); // cycle 0 has happened
            EXPECT_LE(rig.core.core().now(), cycles{1}) << "run " << run;
            rig.run(1000);
            ASSERT_EQ(rig.outside.device_writes.size(), 1u);
            EXPECT_EQ(rig.outside.device_writes[0].second, begin + time_of(2));
        }
    });
}

// --- events ------------------------------------------------------------------------------------------------

TEST(hart_module, publishes_stalls_always_and_retired_instructions_on_request) {
    in_child([] {
        hart_rig rig;
        const std::initializer_list<word> program{lw(6, 1, 16), addi(7, 6, 1), ttinsn(0x8f000000u),
                                                  ttinsn(0x8f000000u), finish};
        rig.load(program, &rig.log);
        rig.run();
        ASSERT_EQ(rig.log.events.size(), 1u);
        EXPECT_EQ(rig.log.events[0].lane, "stall");
        EXPECT_EQ(rig.log.events[0].kind, "load-use");
        EXPECT_EQ(rig.log.events[0].begin, cycles{1});
        EXPECT_EQ(rig.log.events[0].end, cycles{1});
        rig.log.events.clear();
        rig.core.publish_retired(true);
        rig.load(program, &rig.log);
        rig.run();
        std::vector<std::string> texts;
        for (const activity& e : rig.log.events)
            if (e.lane == "retire") texts.push_back(e.text);
        EXPECT_EQ(texts, (std::vector<std::string>{"lw x6, 16(x1)", "addi x7, x6, 1",
                                                   ".ttinsn 0x8f000000 and 1 more", "sw x5, 0(x1)"}));
    });
}

} // namespace
} // namespace sfpu::test
