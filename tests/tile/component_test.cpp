// The tile as a component of somebody else's platform: booting, reset, pins, the memory outside, B and T
// cores together.
#include "forked.h"
#include "tile_platform.h"
#include "tile_programs.h"
#include "tree_path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace sfpu::test {
namespace {

constexpr unsigned mstatus = 0x300, mie = 0x304, mtvec = 0x305, mcause = 0x342;
// No constants: the process that starts the children must not have made an sc_time.
sc_core::sc_time microseconds(double count) { return sc_core::sc_time(count, sc_core::SC_US); }
constexpr double quanta_us[] = {0, 1000};

/// Ends the program with a word.
program& end_with(program& p, std::uint32_t word) { return p.li(t0, word).store(at::exit_code, t0).park(); }

TEST(tile_component, a_master_loads_a_core_through_the_target_socket_and_releases_it) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            tile_platform p;
            program code;
            end_with(code.li(t0, 42).store(0x100, t0), 1);
            p.run([&](master& host) {
                EXPECT_EQ(host.load(at::soft_reset), all_held);
                EXPECT_EQ(p.dut.status().now, tile_status::state::held);
                host.copy_to(0x8000, code.code);
                sc_core::wait(microseconds(1));
                EXPECT_EQ(host.load(0x100), 0u) << "the core is held";
                p.boot(host, 0x8000);
                p.wait_for_end();
                EXPECT_EQ(host.load(0x100), 42u);
                EXPECT_EQ(host.load(at::exit_code), 1u);
            });
            EXPECT_EQ(p.dut.exit_code(), 1u);
        });
}

TEST(tile_component, without_override_t_cores_begin_where_the_chip_lets_them) {
    in_child([] {
        parameters config;
        config.hart.count = 3;
        tile_platform p(config);
        const std::uint32_t starts[] = {0x6000, 0xa000, 0xe000};
        p.run([&](master& host) {
            for (unsigned core = 0; core < 3; ++core) {
                program code;
                host.copy_to(starts[core], (code << rv::csrrs(t0, mhartid, x0) << rv::addi(t0, t0, 1))
                                               .store(0x100 + 4 * core, t0)
                                               .park()
                                               .code);
            }
            host.store(at::soft_reset, all_held & ~(7 * bit_t0));
            sc_core::wait(microseconds(1));
            for (unsigned core = 0; core < 3; ++core) EXPECT_EQ(host.load(0x100 + 4 * core), core + 1);
        });
    });
}

TEST(tile_component, wormhole_has_its_start_addresses_in_the_configuration) {
    in_child([] {
        parameters config;
        config.arch = architecture::wormhole;
        tile_platform p(config);
        p.run([&](master& host) {
            program code;
            host.copy_to(0x4000, end_with(code, 3).code);
            host.store(at::config + 4 * 158, 0x4000);
            host.store(at::config + 4 * 161, 1);
            host.store(at::soft_reset, all_held & ~bit_t0);
            p.wait_for_end();
        });
        EXPECT_EQ(p.dut.exit_code(), 3u);
    });
}

/// Stores 1, 2, ... for ever.
std::vector<std::uint32_t> counting(std::uint32_t address) {
    program code;
    code.li(s0, address).li(t0, 0);
    code.for_ever([](program& q) { q << rv::addi(t0, t0, 1) << rv::sw(t0, s0, 0); });
    return code.code;
}

TEST(tile_component, a_core_that_is_held_stands_still_and_begins_anew_when_it_is_released) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            tile_platform p;
            p.run([&](master& host) {
                host.copy_to(0x6000, counting(0x200));
                host.store(at::soft_reset, all_held & ~bit_t0);
                sc_core::wait(microseconds(10));
                host.store(at::soft_reset, all_held);
                const std::uint32_t then = host.load(0x200);
                EXPECT_GT(then, 1000u);
                sc_core::wait(microseconds(10));
                EXPECT_EQ(host.load(0x200), then);
                host.store(at::soft_reset, all_held & ~bit_t0);
                sc_core::wait(microseconds(1));
                const std::uint32_t anew = host.load(0x200);
                EXPECT_GT(anew, 0u);
                EXPECT_LT(anew, then) << "its registers are zero again";
            });
        });
}

TEST(tile_component, leaving_its_reset_clears_a_core_s_data_ram_unless_that_is_turned_off) {
    in_child([] {
        tile_platform p;
        program code;
        (code << rv::lui(s0, 0xffb00000) << rv::lw(t0, s0, 8)).store(0x100, t0).park();
        p.run([&](master& host) {
            constexpr std::uint32_t t0_ram = 0xffb18000; // the documented alias
            host.copy_to(0x6000, code.code);
            for (const std::uint32_t keep : {1u, 0u}) {
                host.store(at::disable_reset, keep);
                host.store(t0_ram + 8, 77);
                host.store(at::soft_reset, all_held & ~bit_t0);
                sc_core::wait(microseconds(1));
                host.store(at::soft_reset, all_held);
                EXPECT_EQ(host.load(0x100), keep ? 77u : 0u);
            }
        });
    });
}

/// Waits for an interrupt with wfi; its handler notes when it began and why, and ends the program.
std::vector<word> interrupted_program(unsigned enabled) {
    program p;
    p.li(t0, 0x7000) << rv::csrrw(x0, mtvec, t0);
    p.li(t0, enabled) << rv::csrrw(x0, mie, t0);
    p.li(t0, 8) << rv::csrrs(x0, mstatus, t0);
    p.for_ever([](program& q) { q << rv::wfi << rv::addi(s2, s2, 1); });
    return p.code;
}
std::vector<word> interrupt_handler() {
    program p;
    p.stamp(0x300);
    (p << rv::csrrs(t0, mcause, x0)).store(0x304, t0).store(0x308, s2);
    return end_with(p, 1).code;
}

TEST(tile_component, an_interrupt_wakes_a_core_in_its_cycle_at_every_quantum) {
    for (const double quantum : quanta_us)
        for (const unsigned number : {3u, 7u, 11u})
            in_child([&] {
                set_quantum(microseconds(quantum));
                tile_platform p;
                p.run([&](master& host) {
                    host.copy_to(0x6000, interrupted_program(1u << number));
                    host.copy_to(0x7000, interrupt_handler());
                    host.store(at::soft_reset, all_held & ~bit_t0);
                    // 10 cycles into the wait; 741 ps a cycle
                    sc_core::wait(sc_core::sc_time(741 * 10000, sc_core::SC_PS) - sc_core::sc_time_stamp());
                    (number == 3 ? p.software : number == 7 ? p.timer : p.external).write(true);
                    p.wait_for_end();
                    EXPECT_EQ(host.load(0x304), 0x80000000u | number);
                    EXPECT_EQ(host.load(0x308), 0u) << "the handler comes before what follows wfi";
                    // four cycles into the handler, two for the first instructions that read the clock
                    const std::uint32_t began = host.load(0x300);
                    EXPECT_GE(began, 10000u);
                    EXPECT_LE(began, 10006u);
                });
            });
}

TEST(tile_component, an_interrupt_ends_a_loop_that_makes_no_access_in_its_cycle) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            tile_platform p;
            program code;
            code.li(t0, 0x7000) << rv::csrrw(x0, mtvec, t0);
            code.li(t0, 1u << 7) << rv::csrrw(x0, mie, t0);
            code.li(t0, 8) << rv::csrrs(x0, mstatus, t0);
            code.park();
            p.run([&](master& host) {
                host.copy_to(0x6000, code.code);
                host.copy_to(0x7000, interrupt_handler());
                host.store(at::soft_reset, all_held & ~bit_t0);
                sc_core::wait(sc_core::sc_time(741 * 5000, sc_core::SC_PS) - sc_core::sc_time_stamp());
                p.timer.write(true);
                p.wait_for_end();
                EXPECT_GE(host.load(0x300), 5000u);
                EXPECT_LE(host.load(0x300), 5012u);
            });
        });
}

TEST(tile_component, programs_raise_the_interrupt_output_and_each_other_s_software_interrupts) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        tile_platform p(config);
        program first;
        end_with(first.li(t0, 1)
                     .store(at::interrupt_out, t0)
                     .li(t0, 2)
                     .store(at::software_interrupt, t0)
                     .spin(1000),
                 1);
        p.run([&](master& host) {
            host.copy_to(0x6000, first.code);
            host.copy_to(0xa000, interrupted_program(1u << 3));
            program handler;
            host.copy_to(0x7000, (handler << rv::csrrs(t0, mhartid, x0)).store(0x100, t0).park().code);
            host.store(at::soft_reset, all_held & ~(bit_t0 | bit_t1));
            p.wait_for_end();
            EXPECT_TRUE(p.interrupt_out.read());
            EXPECT_EQ(host.load(0x100), 1u);
            host.store(at::interrupt_out, 0);
            sc_core::wait(sc_core::SC_ZERO_TIME);
            sc_core::wait(sc_core::SC_ZERO_TIME);
            EXPECT_FALSE(p.interrupt_out.read());
        });
    });
}

TEST(tile_component, cores_reach_the_memory_outside_and_nothing_else) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            tile_platform p;
            program code;
            code.li(t0, 0x7000) << rv::csrrw(x0, mtvec, t0);
            code.load(t0, at::shared + 0x10) << rv::addi(t0, t0, 1);
            code.store(at::shared + 0x14, t0).load(t0, 0x50000000).park(); // nothing is there
            program handler;
            (handler << rv::csrrs(t0, mcause, x0)).store(0x100, t0);
            p.run([&](master& host) {
                p.shared.bytes().data()[0x10] = 41;
                host.copy_to(0x6000, code.code);
                host.copy_to(0x7000, end_with(handler, 1).code);
                host.store(at::soft_reset, all_held & ~bit_t0);
                p.wait_for_end();
                EXPECT_EQ(host.load(0x100), 5u) << "a load access fault";
                EXPECT_EQ(p.shared.bytes().data()[0x14], 42);
                std::uint32_t value = 0;
                EXPECT_EQ(host.access(tlm::TLM_READ_COMMAND, at::shared, &value, 4),
                          tlm::TLM_ADDRESS_ERROR_RESPONSE)
                    << "the target socket does not lead out again";
            });
        });
}

TEST(tile_component, b_boots_a_t_core_and_speaks_with_it_through_mailboxes_and_its_pc_buffer) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            parameters config;
            config.hart.b_core = true;
            tile_platform p(config);
            program b;
            b.li(t0, all_held & ~(bit_b | bit_t0)).store(at::soft_reset, t0);
            b.li(t0, 7).store(at::mailboxes + 0x1000, t0).li(t0, 9).store(at::pc_buffer, t0);
            b.load(t0, at::pc_buffer) << rv::addi(t0, t0, 0); // until T0 waits for another word
            b.stamp(0x400).load(t0, at::mailboxes + 0x1000).store(0x404, t0);
            end_with(b << rv::csrrs(t0, mhartid, x0), 1);
            program t;
            t.load(s0, at::mailboxes).load(s1, at::pc_buffer) << rv::add(s0, s0, s1);
            t.store(at::mailboxes, s0).spin(2000).load(t0, at::pc_buffer) << rv::addi(t0, t0, 0);
            t.park();
            p.run([&](master& host) {
                host.copy_to(0, b.code);
                host.copy_to(0x6000, t.code);
                host.store(at::soft_reset, all_held & ~bit_b);
                p.wait_for_end();
                EXPECT_EQ(host.load(0x404), 16u);
                EXPECT_GT(host.load(0x400), 4000u) << "two cycles for each of 2000 rounds";
                EXPECT_EQ(host.load(at::mailboxes + 0x1004), 0u) << "no more words from T0";
            });
        });
}

TEST(tile_component, a_master_outside_stands_for_the_b_core) {
    in_child([] {
        tile_platform p;
        program t;
        t.load(s0, at::mailboxes).load(s1, at::pc_buffer) << rv::add(s0, s0, s1);
        t.store(at::mailboxes, s0).park();
        p.run([&](master& host) {
            host.copy_to(0x6000, t.code);
            host.store(at::soft_reset, all_held & ~bit_t0);
            host.store(at::mailboxes + 0x1000, 30);
            host.store(at::pc_buffer, 4);
            EXPECT_EQ(host.load(at::mailboxes + 0x1000), 34u) << "waits for it";
        });
    });
}

TEST(tile_component, b_pushes_behind_the_mop_expanders_of_all_threads) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        config.hart.b_core = true;
        tile_platform p(config);
        program b;
        b.li(t0, 0x71020000 | 5).store(at::push, t0); // SFPLOADI L0, USHORT 5
        b.li(t0, 0x71120000 | 6)
            .store(at::push + 0x10000, t0)
            .push(0x71220000 | 7); // L1 by thread 1, L2 by .ttinsn
        b.spin(100);
        end_with(b, 1);
        p.run([&](master& host) {
            host.copy_to(0, b.code);
            host.store(at::soft_reset, all_held & ~bit_b);
            p.wait_for_end();
            host.load(at::done_check); // brings the vector unit to the present
        });
        EXPECT_EQ(p.dut.vector_unit_counters().instructions, 3u);
    });
}

// --- reset -------------------------------------------------------------------------------------------------

/// What can be seen of a tile: every byte that debug accesses show, all counters, and what a program does to
/// it.
struct picture {
    std::vector<unsigned char> bytes;
    std::vector<std::uint64_t> where; ///< address of each byte
    std::string counters;
    sfpu::dst::image dst{};
    sc_core::sc_time took;

    void take(sfpu::tile& of, master& by) {
        const memory::address_map map = of.outside_map();
        for (const memory::region& region : map.regions())
            for (std::uint64_t at = region.base; at <= region.last() && at < region.base + 0x2000; at += 4) {
                std::array<unsigned char, 4> word{};
                const unsigned moved = by.debug(tlm::TLM_READ_COMMAND, at, word.data(), 4);
                bytes.push_back(static_cast<unsigned char>(moved));
                if (at != at::wall_clock) bytes.insert(bytes.end(), word.begin(), word.end());
                where.resize(bytes.size(), at);
            }
        for (const probe::counter_group& group : of.counters())
            for (const auto& [name, count] : group.counters)
                counters += group.name + " " + name + " " + std::to_string(count) + "\n";
        counters += std::to_string(of.vector_unit_counters().instructions);
        dst = of.dst();
    }
};
void expect_same(const picture& a, const picture& b) {
    const auto [first, second] =
        std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
    EXPECT_TRUE(a.bytes == b.bytes) << "from address " << std::hex
                                    << a.where[static_cast<std::size_t>(first - a.bytes.begin())]
                                    << " on: " << +*first << ", then " << +*second;
    EXPECT_EQ(a.counters, b.counters);
    EXPECT_TRUE(a.dst == b.dst);
    EXPECT_EQ(a.took, b.took);
}

/// Uses a bit of everything.
program busy_program() {
    program code;
    code.li(t0, 3)
        .store(0x100, t0)
        .store(0xffb00010, t0)
        .store(at::config + 12, t0)
        .store(at::mop_config, t0);
    code.store(at::semaphores, x0).push(0x71020000 | 5).push(0x72060003).push(0x92000000);
    code.store(0x80000100, t0).li(t0, 1).store(at::interrupt_out, t0).stamp(0x104);
    return end_with(code, 1), code;
}

TEST(tile_component, reset_during_a_simulation_gives_the_state_of_construction) {
    for (const double quantum : quanta_us)
        for (const bool by_pin : {true, false})
            in_child([&] {
                set_quantum(microseconds(quantum));
                parameters config;
                config.hart.b_core = true;
                tile_platform p(config);
                p.run([&](master& host) {
                    // So long after the reset begins what is compared.
                    const sc_core::sc_time later(741 * 1000, sc_core::SC_PS);
                    picture fresh, used, after_reset, again;
                    const auto use = [&](picture& after) {
                        const sc_core::sc_time begin = sc_core::sc_time_stamp();
                        host.copy_to(0x6000, busy_program().code);
                        host.store(at::soft_reset, all_held & ~bit_t0);
                        p.wait_for_end();
                        after.took = sc_core::sc_time_stamp() - begin;
                        sc_core::wait(later);
                        after.take(p.dut, host);
                    };
                    sc_core::wait(later);
                    fresh.take(p.dut, host);
                    use(used);
                    EXPECT_FALSE(fresh.bytes == used.bytes);
                    EXPECT_TRUE(p.interrupt_out.read());
                    if (by_pin) p.rst.write(true);
                    else p.dut.reset();
                    sc_core::wait(later / 2);
                    p.rst.write(false);
                    sc_core::wait(later / 2);
                    after_reset.take(p.dut, host);
                    expect_same(fresh, after_reset);
                    EXPECT_FALSE(p.interrupt_out.read());
                    use(again);
                    expect_same(used, again);
                });
            });
}

TEST(tile_component, an_access_that_waits_when_the_tile_is_reset_is_answered) {
    for (const bool in_phases : {false, true})
        in_child([=] {
            tile_platform p;
            p.run([&](master& host) {
                sc_core::sc_spawn([&] {
                    sc_core::wait(microseconds(5));
                    p.rst.write(true);
                    sc_core::wait(microseconds(1));
                    p.rst.write(false);
                });
                std::uint32_t value = 0;
                const std::uint32_t address = at::mailboxes + 0x1000; // nobody ever writes there
                EXPECT_EQ(in_phases ? host.send_in_phases(tlm::TLM_READ_COMMAND, address, &value, 4)
                                    : host.access(tlm::TLM_READ_COMMAND, address, &value, 4),
                          tlm::TLM_GENERIC_ERROR_RESPONSE);
                EXPECT_EQ(sc_core::sc_time_stamp(), microseconds(5));
                EXPECT_EQ(host.store(0x100, 1), tlm::TLM_GENERIC_ERROR_RESPONSE) << "the pin is still high";
                EXPECT_EQ(host.debug(tlm::TLM_READ_COMMAND, 0x100, &value, 4), 0u);
                sc_core::wait(microseconds(2));
                EXPECT_EQ(host.store(0x100, 1), tlm::TLM_OK_RESPONSE);
            });
        });
}

TEST(tile_component, two_tiles_do_not_disturb_each_other) {
    in_child([] {
        tile_platform a({}, "a"), b({}, "b");
        std::array<sc_core::sc_time, 2> took;
        std::array<std::uint32_t, 2> cycle{};
        const auto use = [&](tile_platform& p, master& host, unsigned index, unsigned delay) {
            sc_core::wait(delay * microseconds(1));
            const sc_core::sc_time begin = sc_core::sc_time_stamp();
            host.copy_to(0x6000, busy_program().code);
            host.store(at::soft_reset, all_held & ~bit_t0);
            p.wait_for_end();
            took[index] = sc_core::sc_time_stamp() - begin;
            sc_core::wait((20 - delay) * microseconds(1));
            cycle[index] = host.load(0x104);
        };
        a.host.program = [&](master& host) { use(a, host, 0, 0); };
        b.host.program = [&](master& host) { use(b, host, 1, 0); };
        sc_core::sc_start();
        EXPECT_EQ(took[0], took[1]);
        EXPECT_EQ(cycle[0], cycle[1]);
        EXPECT_TRUE(a.dut.dst() == b.dut.dst());
    });
}

TEST(tile_component, a_function_loads_each_core_with_a_program_of_its_own) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        config.hart.b_core = true;
        tile_platform p(config);
        const auto note = [](std::uint32_t value, std::uint32_t where) {
            program code;
            return code.li(t0, value).store(where, t0).park().code;
        };
        p.dut.load(riscv::elf_image::of_words(0x1000, note(1, 0x100)), 0);
        p.dut.load(riscv::elf_image::of_words(0x2000, note(2, 0x104)), 1);
        p.dut.load(riscv::elf_image::of_words(0x3000, note(3, 0x108)), sfpu::tile::b_core);
        EXPECT_THROW(p.dut.load(riscv::elf_image::of_words(0x3000, note(3, 0x108)), 2), std::out_of_range);
        EXPECT_THROW(p.dut.load(riscv::elf_image::of_words(0x90000000, note(3, 0x108)), 1), load_error);
        p.run([&](master& host) {
            sc_core::wait(microseconds(1));
            for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(host.load(0x100 + 4 * i), i + 1);
            EXPECT_EQ(host.load(at::soft_reset), all_held & ~(bit_b | bit_t0 | bit_t1));
        });
    });
}

TEST(tile_component, the_page_about_integration_has_the_map_of_the_target_socket) {
    in_child([] {
        parameters config;
        config.hart.count = 3;
        config.hart.b_core = true;
        const sfpu::tile dut("tile", config);
        std::ifstream file(tree_path("docs/integration.md"));
        std::ostringstream page;
        page << file.rdbuf();
        const std::string table = dut.outside_map().table();
        EXPECT_NE(page.str().find(table), std::string::npos) << table;
    });
}

TEST(tile_component, stores_to_tohost_end_a_program_that_others_have_loaded) {
    in_child([] {
        tile_platform p;
        p.dut.watch_tohost(0x500);
        p.run([&](master& host) {
            program code;
            host.copy_to(0x6000, code.li(t0, 5).store(0x500, t0).park().code);
            host.store(at::soft_reset, all_held & ~bit_t0);
            p.wait_for_end();
        });
        EXPECT_EQ(p.dut.exit_code(), 5u);
    });
}

TEST(tile_component, a_store_to_exit_ends_the_program_of_every_core_and_the_status_says_whose_it_was) {
    for (const unsigned who : {1u, sfpu::tile::b_core, sfpu::tile::outside})
        in_child([&] {
            parameters config;
            config.hart.count = 2;
            config.hart.b_core = true;
            tile_platform p(config);
            p.dut.watch_tohost(0x500); // they have two ways to end
            p.run([&](master& host) {
                program code;
                host.copy_to(0x6000, counting(0x200));
                host.copy_to(0xa000, who == 1 ? end_with(code.spin(1000), 9).code : counting(0x204));
                program boss;
                host.copy_to(0,
                             who == sfpu::tile::b_core ? end_with(boss.spin(1000), 9).code : counting(0x208));
                host.store(at::soft_reset, all_held & ~(bit_t0 | bit_t1 | bit_b));
                sc_core::wait(microseconds(1));
                if (who == sfpu::tile::outside) host.store(at::exit_code, 9);
                p.wait_for_end();
                const std::uint32_t then = host.load(0x200);
                // Three cores write to one bank, five cycles each: 90 rounds in a microsecond.
                EXPECT_GT(then, 80u);
                sc_core::wait(microseconds(1));
                EXPECT_EQ(host.load(0x200), then) << "T0 stands still";
            });
            EXPECT_EQ(p.dut.status().core, who);
            EXPECT_EQ(p.dut.exit_code(), 9u);
        });
}

TEST(tile_component, direct_access_that_ends_while_a_core_waits_for_its_turn_is_not_used) {
    for (const double quantum : quanta_us)
        in_child([&] {
            set_quantum(microseconds(quantum));
            tile_platform p;
            program code;
            code.li(s0, at::shared).li(s1, 0x200);
            code.for_ever([](program& q) {
                q << rv::lw(t0, s0, 0) << rv::addi(t0, t0, 1) << rv::sw(t0, s0, 4) << rv::sw(t0, s1, 0);
            });
            p.run([&](master& host) {
                host.copy_to(0x6000, code.code);
                host.store(at::soft_reset, all_held & ~bit_t0);
                for (std::uint32_t round = 1; round < 200; ++round) {
                    p.shared.reset(); // takes back what the core has, in whatever it is
                    std::memcpy(p.shared.bytes().data(), &round, sizeof round);
                    sc_core::wait(sc_core::sc_time(60'000 + 137 * round, sc_core::SC_PS));
                    std::uint32_t copied = 0;
                    std::memcpy(&copied, p.shared.bytes().data() + 4, sizeof copied);
                    EXPECT_EQ(copied, round + 1);
                    EXPECT_EQ(host.load(0x200), round + 1);
                }
            });
        });
}

TEST(tile_component, a_program_is_not_loaded_during_a_reset) {
    in_child([] {
        tile_platform p;
        program code;
        end_with(code, 3);
        const riscv::elf_image image = riscv::elf_image::of_words(0x6000, code.code);
        p.rst.write(true);
        p.run([&](master&) {
            sc_core::wait(microseconds(1));
            EXPECT_THROW(p.dut.load(image), load_error);
            EXPECT_THROW(p.dut.load(image, 0), load_error);
            p.rst.write(false);
            sc_core::wait(microseconds(1));
            EXPECT_EQ(p.dut.status().now, tile_status::state::held);
            p.dut.load(image);
            p.wait_for_end();
        });
        EXPECT_EQ(p.dut.exit_code(), 3u);
    });
}

} // namespace
} // namespace sfpu::test
