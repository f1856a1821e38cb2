// Programs of single cores: how they begin and end, what they print, and what a debugger sees of them.
#include "forked.h"
#include "tile_platform.h"
#include "tile_programs.h"

#include <sfpu/analysis/tile_tensor.h>
#include <sfpu/platform/program_host.h>
#include <sfpu/tile/core_debugger.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace sfpu::test {
namespace {

constexpr unsigned a0 = 10, a1 = 11;
constexpr std::uint32_t tohost = 0x1000, fromhost = 0x1040, text_place = 0x2000;

/// A program at this address with some symbols.
riscv::elf_image program_at(std::uint32_t address, const program& code,
                            std::map<std::string, std::uint32_t, std::less<>> symbols = {}) {
    return riscv::elf_image::of_words(address, code.code, std::move(symbols));
}

struct printing_tile : checked_tile {
    explicit printing_tile(const parameters& config = {}) : checked_tile("tile", config) {
        set_console([this](unsigned core, std::string_view text) {
            printed += std::to_string(core) + ":" + std::string(text) + ";";
        });
        reset({});
    }
    void put(std::uint32_t address, const std::string& text) {
        EXPECT_TRUE(write(address, reinterpret_cast<const unsigned char*>(text.data()), text.size()));
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t value = 0;
        EXPECT_TRUE(read(address, reinterpret_cast<unsigned char*>(&value), 4));
        return value;
    }
    std::string printed;
};

// --- the host ----------------------------------------------------------------------------------------------

TEST(tile_host, letters_go_to_the_console_by_htif_and_odd_ones_do_not_end_the_program) {
    in_child([] {
        printing_tile dut;
        program p;
        p.li(s0, tohost).li(s1, 0x01010000);
        for (const char letter : std::string("ab")) // 'a' is odd: alone it would be a failure
            p << rv::addi(t0, x0, letter) << rv::sw(t0, s0, 0) << rv::sw(s1, s0, 4);
        p << rv::addi(t0, x0, 1) << rv::sw(t0, s0, 0) << rv::sw(x0, s0, 4);
        dut.load(program_at(0x4000, p.park(), {{"tohost", tohost}}));
        const tile_result result = dut.run(cycles{10'000});
        EXPECT_EQ(dut.printed, "0:a;0:b;");
        EXPECT_EQ(result.why, tile_result::outcome::ended);
        EXPECT_EQ(result.tohost, 1u);
    });
}

TEST(tile_host, a_system_call_prints_and_is_answered_and_another_one_ends_with_its_code) {
    in_child([] {
        printing_tile dut;
        dut.put(text_place, "hello");
        constexpr std::uint32_t block = 0x3000;
        const auto argument = [](program& p, unsigned number, std::uint32_t value) {
            p.li(t0, value).store(block + 8 * number, t0);
        };
        program p;
        argument(p, 0, 64), argument(p, 1, 1), argument(p, 2, text_place), argument(p, 3, 5);
        p.li(t0, block).store(tohost, t0);
        p.li(s0, fromhost).poll().load(s2, block).store(0x100, s2);
        argument(p, 0, 93), argument(p, 1, 3);
        p.li(t0, block).store(tohost, t0).park();
        dut.load(program_at(0x4000, p, {{"tohost", tohost}, {"fromhost", fromhost}}));
        const tile_result result = dut.run(cycles{10'000});
        EXPECT_EQ(dut.printed, "0:hello;");
        EXPECT_EQ(dut.word(0x100), 5u) << "bytes written";
        EXPECT_EQ(result.tohost, 3u * 2 + 1);
    });
}

TEST(tile_host, semihosting_prints_from_the_cores_own_ram_and_ends_the_program) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        printing_tile dut(config);
        const auto call = [](program& p, std::uint32_t operation, std::uint32_t parameter) {
            p.li(a0, operation).li(a1, parameter);
            p << word{0x01f01013} << rv::ebreak << word{0x40705013};
        };
        constexpr std::uint32_t local = 0xffb00100;
        program p;
        p.li(t0, 0x0000216f).store(local, t0); // "o!"
        call(p, 0x04, local);
        call(p, 0x09, local);
        p.store(0x100, a0);
        call(p, 0x18, 0x20026);
        dut.load(program_at(0x4000, p.park()), 1);
        const tile_result result = dut.run(cycles{10'000});
        EXPECT_EQ(dut.printed, "1:o!;");
        EXPECT_EQ(dut.word(0x100), 0u) << "no such handle";
        EXPECT_EQ(result.why, tile_result::outcome::ended);
        EXPECT_EQ(result.tohost, 1u);
        EXPECT_EQ(result.hart, 1u);
    });
}

TEST(tile_host, an_ebreak_without_the_marks_is_a_breakpoint) {
    in_child([] {
        printing_tile dut;
        program p;
        p.li(a0, 0x18).li(a1, 0x20026) << rv::ebreak;
        dut.load(program_at(0x4000, p.park()));
        EXPECT_EQ(dut.run(cycles{1000}).why, tile_result::outcome::trapped);
    });
}

TEST(tile_host, a_program_that_was_loaded_over_the_bus_ends_by_tohost) {
    in_child([] {
        tile_platform p;
        program code;
        code.li(t0, 7).store(tohost, t0).park();
        p.dut.watch_tohost(tohost);
        p.run([&](master& host) {
            host.copy_to(0x8000, code.code);
            p.boot(host, 0x8000); // its start resets the core, and leaves what is watched
            p.wait_for_end();
        });
        EXPECT_EQ(p.dut.exit_code(), 7u);
    });
}

// --- loaders -----------------------------------------------------------------------------------------------

constexpr std::uint32_t mailbox(unsigned core) { return 0x1ffb8 + 4 * core; }

/// In the layout of the vendor's tests: a word of data that the start-up code copies from L1.
riscv::elf_image test_of(unsigned core, std::uint32_t at, std::uint32_t data) {
    const std::uint32_t image = at + 0x1000;
    program p;
    p.load(t0, image).store(0xffb00000, t0); // what start-up code does
    p.load(t0, 0xffb00000) << rv::addi(t0, t0, 1);
    p.store(0x100 + 4 * core, t0).li(t0, 0xff).store(mailbox(core), t0).park();
    std::vector<riscv::elf_segment> segments(2);
    for (const word each : p.code)
        for (unsigned i = 0; i < 4; ++i)
            segments[0].bytes.push_back(static_cast<unsigned char>(each >> 8 * i));
    segments[0].address = segments[0].virtual_address = at;
    segments[0].size = static_cast<std::uint32_t>(segments[0].bytes.size());
    segments[1] = {0xffb00000, {static_cast<unsigned char>(data), 0, 0, 0}, 8, 0xffb00000};
    return riscv::elf_image::of_segments(
        at, segments, {{"__loader_init_start", image}, {"__loader_init_end", image + 0x1000}});
}

TEST(tile_loader, tests_of_the_vendors_library_get_their_data_by_l1_and_end_by_their_mailboxes) {
    for (const architecture arch : all_architectures)
        in_child([arch] {
            platform::core_programs programs;
            programs.of[0] = test_of(0, 0x6000, 20);
            programs.of[2] = test_of(2, 0x10000, 40);
            parameters config;
            config.arch = arch;
            config.hart.count = programs.t_cores(platform::loader_kind::llk);
            EXPECT_EQ(config.hart.count, 3u);
            printing_tile dut(config);
            platform::program_host host(dut, arch, platform::loader_kind::llk, programs);
            EXPECT_FALSE(host.waits_for().empty());
            const tile_result result = dut.run(cycles{1'000'000}, &host);
            EXPECT_EQ(result.why, tile_result::outcome::ended);
            EXPECT_EQ(result.tohost, 1u);
            EXPECT_EQ(dut.word(0x100), 21u);
            EXPECT_EQ(dut.word(0x108), 41u);
            EXPECT_EQ(dut.core(1)->held, true);
            EXPECT_EQ(result.host_waits_for, "");
        });
}

/// What core B of those tests does: counts commands, releases the threads at one of them.
riscv::elf_image b_of_tests(architecture arch) {
    constexpr std::uint32_t commands = 0x1ffc4, counted = 0x1ffcc, soft_reset = 0xffb121b0;
    program p;
    p.store(counted, x0);
    for (const unsigned number : {0u, 1u}) {
        p.li(s0, commands + 4 * number).poll();
        p.store(0x200 + 4 * number, t0);
        if (number == 1) {
            if (arch == architecture::wormhole)
                for (unsigned core = 0; core < 3; ++core)
                    p.load(t0, 0x16dff0 + 4 * core).store(0xffef0000 + 4 * (158 + core), t0);
            if (arch == architecture::wormhole) p.li(t0, 7).store(0xffef0000 + 4 * 161, t0);
            p.store(soft_reset, x0);
        }
        p.li(t0, number + 1).store(counted, t0);
    }
    return program_at(0, p.park());
}

TEST(tile_loader, core_b_is_told_to_reset_and_to_start_the_threads_that_begin_at_their_entry_points) {
    for (const architecture arch : all_architectures)
        in_child([arch] {
            platform::core_programs programs;
            programs.of[1] = test_of(1, 0xb000, 7); // no place at which the chip would begin by itself
            programs.of[platform::b_core_number] = b_of_tests(arch);
            parameters config;
            config.arch = arch;
            config.hart.count = programs.t_cores(platform::loader_kind::llk);
            config.hart.b_core = true;
            printing_tile dut(config);
            platform::program_host host(dut, arch, platform::loader_kind::llk, programs);
            EXPECT_EQ(dut.run(cycles{1'000'000}, &host).why, tile_result::outcome::ended);
            EXPECT_EQ(dut.word(0x104), 8u);
            EXPECT_EQ(dut.word(0x200), 2u) << "the threads are reset";
            EXPECT_EQ(dut.word(0x204), arch == architecture::wormhole ? 3u : 1u) << "and started";
        });
}

TEST(tile_loader, a_run_that_does_not_end_says_what_the_host_waits_for) {
    in_child([] {
        platform::core_programs programs;
        programs.of[0] = program_at(0x6000, program().park());
        printing_tile dut;
        platform::program_host host(dut, architecture::blackhole, platform::loader_kind::llk, programs);
        const tile_result result = dut.run(cycles{5000}, &host);
        EXPECT_EQ(result.why, tile_result::outcome::cycle_limit);
        EXPECT_EQ(result.host_waits_for, "the host waits for T0");
    });
}

TEST(tile_loader, firmware_of_metal_finds_its_data_where_the_program_of_b_says) {
    in_child([] {
        platform::core_programs programs;
        program t1_code, b;
        t1_code.load(t0, 0x9000).store(0x100, t0).park();
        std::vector<riscv::elf_segment> segments = program_at(0x7000, t1_code).segments();
        segments.push_back({0xffb00000, {9, 0, 0, 0}, 4, 0xffb00000});
        programs.of[1] = riscv::elf_image::of_segments(0x7000, segments);
        b.store(0xffb121b0, x0).li(s0, 0x100).poll().li(t0, 1).store(tohost, t0).park();
        programs.of[platform::b_core_number] =
            program_at(0x3000, b, {{"tohost", tohost}, {"trisc1_local_image", 0x9000}});
        parameters config = with_harts(3);
        config.hart.b_core = true;
        printing_tile dut(config);
        platform::program_host host(dut, architecture::blackhole, platform::loader_kind::metal, programs);
        EXPECT_EQ(dut.run(cycles{100'000}, &host).tohost, 1u);
        EXPECT_EQ(dut.word(0x100), 9u);
    });
}

// --- firmware of metal with the host in the place of B -----------------------------------------------------

/// A firmware in the manner of tt-metal's, with places and messages of its own.
namespace own_metal {
constexpr std::uint32_t run = 0x201, init = 7, init_buffers = 9, go = 5, done = 2;
constexpr std::uint32_t launch = 0x300, config_base = launch, kernel_offset = launch + 4,
                        arguments = launch + 0x10, buffer_offset = launch + 0x1c,
                        remote_buffer_offset = launch + 0x1e, buffer_mask = launch + 0x20,
                        first_remote = launch + 0x28;
constexpr std::uint32_t launch_number = 0x400, go_number = 0x404, go_message = 0x40b, go_go = 0x33;
constexpr std::uint32_t free_l1 = 0x8000, buffers = 8, next_buffer = 0x1000;

std::uint32_t received(architecture arch) {
    return arch == architecture::blackhole ? 0xffb40028 : 0xffb40010;
}
std::uint32_t acked(architecture arch) { return arch == architecture::blackhole ? 0xffb40020 : 0xffb4000c; }

constexpr word lbu(unsigned rd, unsigned rs1) { return rv::i_type(0x03, 4, rd, rs1, 0); }
constexpr word lhu(unsigned rd, unsigned rs1) { return rv::i_type(0x03, 5, rd, rs1, 0); }
constexpr word sb(unsigned rs2, unsigned rs1) { return rv::s_type(0, rs2, rs1, 0); }

riscv::elf_image firmware(unsigned core, architecture arch) {
    constexpr unsigned ra = 1;
    const std::uint32_t image = 0xc000 + 0x100 * core;
    program p;
    p.load(t0, image).store(0xffb00000, t0); // start-up code
    p.li(s0, run + core).li(s1, done) << sb(s1, s0);
    const int wait = p.here();
    p << lbu(t0, s0) << rv::addi(t1, x0, init_buffers);
    p << rv::branch(1, t0, t1, 0); // patched below
    const std::size_t not_buffers = p.code.size() - 1;
    for (const std::uint32_t counter : {received(arch), acked(arch)})
        for (std::uint32_t buffer = 0; buffer < buffers; ++buffer)
            p.store(counter + next_buffer * buffer, x0);
    p << sb(s1, s0);
    p.code[not_buffers] = rv::branch(1, t0, t1, p.here() - static_cast<int>(4 * not_buffers));
    p << rv::addi(t1, x0, go) << rv::branch(1, t0, t1, wait - p.here());
    p.load(t0, config_base).load(t1, kernel_offset + 4 * core) << rv::add(t0, t0, t1) << rv::jalr(ra, t0, 0);
    p << sb(s1, s0) << rv::jal(x0, wait - p.here());

    std::vector<riscv::elf_segment> segments = program_at(0x4000 + 0x1000 * core, p).segments();
    segments.push_back({0xffb00000, {static_cast<unsigned char>(20 + core), 0, 0, 0}, 4, 0xffb00000});
    return riscv::elf_image::of_segments(segments[0].address, segments,
                                         {{fmt::format("trisc{}_local_image", core), image},
                                          {"metal_free_l1", free_l1},
                                          {"metal_run", run},
                                          {"metal_run_init", init},
                                          {"metal_run_init_buffers", init_buffers},
                                          {"metal_run_go", go},
                                          {"metal_run_done", done},
                                          {"metal_launch_number", launch_number},
                                          {"metal_go_number", go_number},
                                          {"metal_go", go_message},
                                          {"metal_go_go", go_go},
                                          {"metal_kernel_config_base", config_base},
                                          {"metal_buffer_offset", buffer_offset},
                                          {"metal_remote_buffer_offset", remote_buffer_offset},
                                          {"metal_buffer_mask", buffer_mask},
                                          {"metal_first_remote_buffer", first_remote},
                                          {"metal_arguments", arguments},
                                          {"metal_kernel_offset", kernel_offset},
                                          {"metal_buffers", buffers},
                                          {"metal_received", received(arch)},
                                          {"metal_acked", acked(arch)},
                                          {"metal_next_buffer", next_buffer}});
}

constexpr std::uint32_t kernel_place(unsigned core) { return 0xc000 + 0x100 * core; } // over its data image
constexpr unsigned in = 3, out = 5;

/// Waits until the first register's value less that of the second is not zero, or is zero.
void await_difference(program& p, std::uint32_t more, std::uint32_t less, bool zero) {
    const int again = p.here();
    p.load(t0, more).load(t1, less) << rv::sub(t0, t0, t1);
    p << rv::branch(zero ? 1 : 0, t0, x0, again - p.here());
}
void count_up(program& p, std::uint32_t counter) {
    p.load(t0, counter) << rv::addi(t0, t0, 1);
    p.store(counter, t0);
}

/// Returns to the firmware.
riscv::elf_image kernel(unsigned core, program& p) {
    p << rv::jalr(x0, 1, 0);
    return program_at(kernel_place(core), p);
}

platform::core_programs programs(architecture arch) {
    platform::core_programs all;
    for (unsigned core = 0; core < 3; ++core) all.of[core] = firmware(core, arch);
    program reader, worker, writer;
    reader.repeat(s2, 5, [arch](program& p) { // five pages through two places
        await_difference(p, received(arch) + next_buffer * in, acked(arch) + next_buffer * in, false);
        count_up(p, acked(arch) + next_buffer * in);
    });
    all.kernels[0] = kernel(0, reader);
    worker.load(s2, config_base).li(s3, arguments + 4) << lhu(t0, s3) << rv::add(s2, s2, t0);
    worker << rv::lw(t0, s2, 4);
    worker.store(0x100, t0); // its second argument
    worker.load(s2, config_base).li(s3, buffer_offset) << lhu(t0, s3) << rv::add(s2, s2, t0);
    worker << rv::lw(t0, s2, 16 * out + 4);
    worker.store(0x104, t0); // bytes of a buffer
    worker.load(t0, 0xffb00000).store(0x108, t0);
    all.kernels[1] = kernel(1, worker);
    writer.repeat(s2, 3, [arch](program& p) {
        await_difference(p, received(arch) + next_buffer * out, acked(arch) + next_buffer * out, true);
        count_up(p, received(arch) + next_buffer * out);
    });
    all.kernels[2] = kernel(2, writer);
    using side = platform::circular_buffer::host_side;
    all.buffers = {{in, 0x10000, 2, 64, side::fills, 5}, {out, 0x11000, 1, 32, side::drains, 0}};
    all.arguments = {0x12345678, 0x89abcdef};
    return all;
}
} // namespace own_metal

TEST(metal_host, firmware_boots_and_kernels_run_by_messages_and_circular_buffers_to_their_end) {
    for (const architecture arch : all_architectures)
        in_child([arch] {
            const platform::core_programs programs = own_metal::programs(arch);
            parameters config = with_harts(3);
            config.arch = arch;
            printing_tile dut(config);
            platform::program_host host(dut, arch, platform::loader_kind::metal, programs);
            const tile_result result = dut.run(cycles{1'000'000}, &host);
            EXPECT_EQ(result.why, tile_result::outcome::ended) << result.host_waits_for;
            EXPECT_EQ(result.tohost, 1u);
            EXPECT_EQ(result.host_waits_for, "");
            EXPECT_EQ(dut.word(0x100), 0x89abcdefu);
            EXPECT_EQ(dut.word(0x104), 32u);
            EXPECT_EQ(dut.word(0x108), 21u) << "data of T1's firmware, which lay where its kernel does now";
            EXPECT_EQ(dut.word(own_metal::buffer_mask), 1u << own_metal::in | 1u << own_metal::out);
            EXPECT_EQ(dut.word(own_metal::acked(arch) + 0x1000 * own_metal::in), 5u);
            EXPECT_EQ(dut.word(own_metal::received(arch) + 0x1000 * own_metal::out), 3u);
        });
}

TEST(metal_host, a_kernel_that_wants_more_pages_than_come_says_that_it_is_waited_for) {
    in_child([] {
        platform::core_programs programs = own_metal::programs(architecture::blackhole);
        programs.buffers[0].filled = 4;
        printing_tile dut(with_harts(3));
        platform::program_host host(dut, architecture::blackhole, platform::loader_kind::metal, programs);
        const tile_result result = dut.run(cycles{50'000}, &host);
        EXPECT_EQ(result.why, tile_result::outcome::cycle_limit);
        EXPECT_EQ(result.host_waits_for, "the host waits for the kernel of T0");
    });
}

TEST(metal_host, what_cannot_be_launched_is_refused_with_what_was_expected) {
    in_child([] {
        const auto refusal = [](const std::function<void(platform::core_programs&)>& change) -> std::string {
            platform::core_programs programs = own_metal::programs(architecture::blackhole);
            change(programs);
            printing_tile dut(with_harts(3));
            try {
                platform::program_host host(dut, architecture::blackhole, platform::loader_kind::metal,
                                            programs);
            } catch (const load_error& error) {
                return error.what();
            }
            return "";
        };
        program p;
        p.park();
        EXPECT_EQ(refusal([](auto&) {}), "");
        EXPECT_NE(refusal([&p](auto& all) {
                      all.of = {program_at(0x4000, p), {}, {}, {}};
                  }).find("metal_free_l1"),
                  std::string::npos);
        EXPECT_NE(refusal([](auto& all) { all.of[1].reset(); }).find("kernel of T1: found no firmware"),
                  std::string::npos);
        EXPECT_NE(
            refusal([&p](auto& all) { all.kernels[2] = program_at(0x8010, p); }).find("segment at 0x8010"),
            std::string::npos);
        EXPECT_NE(refusal([](auto& all) { all.buffers[0].number = 8; }).find("circular buffer 8"),
                  std::string::npos);
    });
}

TEST(metal_host, counters_of_circular_buffers_are_storage_where_firmware_of_the_chip_has_them) {
    for (const architecture arch : all_architectures)
        in_child([arch] {
            parameters config = with_harts(1);
            config.arch = arch;
            printing_tile dut(config);
            for (const std::uint32_t counter : {own_metal::received(arch), own_metal::acked(arch)})
                for (const std::uint32_t buffer : {0u, 31u, 63u}) {
                    const std::uint32_t address = counter + 0x1000 * buffer;
                    program p;
                    p.li(t0, 77 + buffer).store(address, t0).load(t1, address).store(0x100, t1).park();
                    dut.reset({});
                    dut.load(program_at(0x4000, p), 0);
                    dut.run(cycles{500});
                    EXPECT_EQ(dut.word(0x100), 77 + buffer) << std::hex << address;
                }
        });
}

// --- Dst from outside --------------------------------------------------------------------------------------

TEST(tile_tensors, tiles_stand_face_by_face_in_both_views_of_dst_and_come_back) {
    using analysis::tile_tensor;
    for (const isa::data_type type : {isa::data_type::u16, isa::data_type::u32, isa::data_type::f32}) {
        tile_tensor tensor{type, {}};
        for (std::uint32_t i = 0; i < 2 * analysis::tile_elements; ++i)
            tensor.values.push_back(isa::has_wide_cells(type) ? 0x3f800000u + 77 * i : i);
        dst::image image{};
        put_tiles(image, tensor, 3);
        const analysis::tile_tensor back = analysis::tiles_of(image, type, 3, 2);
        EXPECT_EQ(back.values, tensor.values);
    }
    analysis::tile_tensor one{isa::data_type::u16, std::vector<std::uint32_t>(analysis::tile_elements)};
    one.values[17 * 32 + 20] = 5; // the lower right face, its row 1, column 4
    dst::image image{};
    put_tiles(image, one, 2);
    EXPECT_EQ(image[2 * 64 + 3 * 16 + 1][4], 5);
    EXPECT_EQ(analysis::l1_bytes(one)[2 * (3 * 256 + 16 + 4)], 5);
}

TEST(tile_tensors, sign_and_magnitude_in_l1_and_bf16_in_two_bytes) {
    analysis::tile_tensor t{isa::data_type::sm32, std::vector<std::uint32_t>(analysis::tile_elements)};
    t.values[0] = 0xffffffff; // -1
    EXPECT_EQ(static_cast<unsigned char>(analysis::l1_bytes(t)[3]), 0x80);
    EXPECT_EQ(analysis::l1_bytes(t)[0], 1);
    EXPECT_EQ(analysis::tiles_of_l1(analysis::l1_bytes(t), t.type).values, t.values);
    t.type = isa::data_type::bf16;
    t.values[0] = 0xbf800000; // -1
    EXPECT_EQ(analysis::l1_bytes(t).size(), 2u * analysis::tile_elements);
    EXPECT_EQ(static_cast<unsigned char>(analysis::l1_bytes(t)[1]), 0xbf);
    EXPECT_EQ(analysis::tiles_of_l1(analysis::l1_bytes(t), t.type).values, t.values);
}

TEST(tile_tensors, dst_is_filled_from_outside_on_both_chips_and_a_kernel_finds_it) {
    for (const architecture arch : all_architectures)
        in_child([arch] {
            parameters config;
            config.arch = arch;
            printing_tile dut(config);
            program p;
            p.push(sfpload(0, mode_uint16, 3, 0)).push(sfpnop).push(sfpstore(0, mode_uint16, 3, 8));
            p.li(t0, 1).store(0xffb10000, t0).park();
            dst::image image{};
            image[0][0] = 1234;
            dut.load(program_at(0x4000, p));
            dut.set_dst(image);
            dut.run(cycles{1000});
            EXPECT_EQ(dut.dst()[0][0], 1234);
            EXPECT_EQ(dut.dst()[8][0], 1234);
        });
}

// --- a debugger --------------------------------------------------------------------------------------------

/// 0x4000: three additions to s2, then around again.
riscv::elf_image counting_program() {
    program p;
    for (int i = 0; i < 3; ++i) p << rv::addi(s2, s2, 1);
    return program_at(0x4000, p << rv::jal(x0, -12));
}

TEST(tile_debugger, breakpoints_halt_before_their_instruction_and_are_passed_by_going_on) {
    for (const double quantum_us : {0.0, 1000.0})
        in_child([quantum_us] {
            set_quantum(sc_core::sc_time(quantum_us, sc_core::SC_US));
            printing_tile dut;
            dut.load(counting_program());
            core_debugger core(dut, 0);
            core.set_breakpoint(0x4008);
            for (unsigned round = 0; round < 3; ++round) {
                EXPECT_EQ(core.now(), core_debugger::state::running);
                dut.run(cycles{1000});
                EXPECT_EQ(core.now(), core_debugger::state::halted);
                EXPECT_EQ(core.pc(), 0x4008u);
                EXPECT_EQ(core.reg(s2), 3 * round + 2)
                    << "the instruction with the breakpoint has not executed";
                core.resume();
            }
            core.clear_breakpoint(0x4008);
            dut.run(cycles{1000});
            EXPECT_EQ(core.now(), core_debugger::state::ended) << "the cycle limit";
            EXPECT_GT(core.reg(s2), 20u);
        });
}

TEST(tile_debugger, a_core_that_halts_at_its_start_executes_one_instruction_a_step) {
    in_child([] {
        printing_tile dut;
        core_debugger core(dut, 0);
        EXPECT_EQ(core.now(), core_debugger::state::held);
        core.halt();
        dut.load(counting_program());
        EXPECT_EQ(core.now(), core_debugger::state::halted);
        for (unsigned step = 1; step <= 3; ++step) {
            core.step();
            dut.run(cycles{1000});
            EXPECT_EQ(core.now(), core_debugger::state::halted);
            EXPECT_EQ(core.pc(), 0x4000 + 4 * step);
            EXPECT_EQ(core.reg(s2), step);
            EXPECT_EQ(core.instructions(), step);
        }
    });
}

TEST(tile_debugger, what_it_changes_the_program_goes_on_with) {
    in_child([] {
        printing_tile dut;
        core_debugger core(dut, 0);
        core.halt();
        dut.load(counting_program());
        core.set_reg(s2, 100);
        core.set_reg(0, 5);
        EXPECT_EQ(core.reg(0), 0u);
        EXPECT_TRUE(core.set_csr(0x340, 0x1234)); // mscratch
        EXPECT_EQ(core.csr(0x340), 0x1234u);
        EXPECT_FALSE(core.set_csr(0xf14, 1)) << "mhartid is read-only";
        EXPECT_EQ(core.csr(0x123), std::nullopt);
        EXPECT_EQ(core.instruction_at(0x4000).substr(0, 4), "addi");
        const word by_ten = rv::addi(s2, s2, 10);
        EXPECT_TRUE(core.write(0x4004, reinterpret_cast<const unsigned char*>(&by_ten), 4));
        core.set_pc(0x4004);
        core.step();
        dut.run(cycles{1000});
        EXPECT_EQ(core.reg(s2), 110u);
        EXPECT_THROW(core_debugger(dut, 1), std::out_of_range);
        EXPECT_THROW(core.reg(32), std::out_of_range);
    });
}

TEST(tile_debugger, a_halted_core_stays_while_another_one_goes_on) {
    in_child([] {
        printing_tile dut(with_harts(2));
        core_debugger first(dut, 0);
        first.halt();
        dut.load(counting_program(), 0);
        program p;
        p.spin(50).li(t0, 1).store(tohost, t0).park();
        dut.load(program_at(0x6000, p, {{"tohost", tohost}}), 1);
        EXPECT_EQ(dut.run(cycles{10'000}).why, tile_result::outcome::ended);
        EXPECT_EQ(first.reg(s2), 0u);
    });
}

} // namespace
} // namespace sfpu::test
