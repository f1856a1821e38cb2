// Kernels on terms against the model: what the terms of a program are worth for other data is what the model
// computes of those.
#include "random_program.h"

#include <sfpu/analysis/symbolic_execution.h>
#include <sfpu/analysis/term_values.h>
#include <sfpu/isa/table.h>
#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using namespace analysis;

constexpr unsigned lower_half = 8 * 16;

#ifdef SFPU_INSTRUMENTED
constexpr std::uint32_t most_seeds = 10;
#else
constexpr std::uint32_t most_seeds = 40;
#endif

void randomise(platform::run_request& request, std::mt19937& random) {
    const auto bits = [&] {
        const std::uint32_t any = random();
        // Zeros, small integers and numbers of moderate size, beside any bits.
        switch (random() % 4) {
        case 0: return any & 7u;
        case 1: return 0x3f800000u ^ (any & 0x80ffffffu);
        default: return any;
        }
    };
    for (unsigned row = 0; row < 1024; ++row)
        for (std::uint16_t& cell : request.dst_rows[row]) cell = static_cast<std::uint16_t>(random());
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v) lane = bits();
    for (std::uint32_t& lane : request.state.lreg[isa::macro_lreg].v) lane = bits();
    for (std::uint32_t& lane : request.state.prng.v) lane = random();
    for (std::uint32_t& lane : request.state.shuffle_source.v) lane = random();
}

std::uint32_t given(const platform::run_request& request, const term_variable& of) {
    const unsigned lane = of.place % lane_count;
    const auto cell = [&](unsigned at) { return std::uint32_t{(*request.dst_rows.find(at / 16))[at % 16]}; };
    switch (of.kind) {
    case variable_kind::dst: return cell(of.place) << 16 | cell(of.place + lower_half);
    case variable_kind::lreg: return request.state.lreg[of.place / lane_count][lane];
    case variable_kind::random: return request.state.prng[lane];
    case variable_kind::shuffle_source: return request.state.shuffle_source[lane];
    case variable_kind::input: break;
    }
    ADD_FAILURE() << "a variable that nobody made";
    return 0;
}

/// Cells in which terms made of one run are something else than the model computes of other data.
unsigned wrong_cells(platform::core_runner& runner, platform::run_request request, const term_pool& pool,
                     const symbolic_run& run, std::mt19937& random) {
    randomise(request, random);
    runner.run(request);
    term_values values(pool, [&](const term_variable& of) { return broadcast(given(request, of)); });
    unsigned wrong = 0;
    for (unsigned at = 0; at < symbolic_cells; ++at) {
        const std::uint32_t computed = runner.dst()[at / 16][at % 16];
        const term here = run.cells[at];
        const std::uint32_t expected =
            here == no_term ? (*request.dst_rows.find(at / 16))[at % 16] : values.of(here)[0];
        wrong += computed != expected;
    }
    return wrong;
}

constexpr std::uint32_t all_lanes_on = 0x8a00300au; // sfpencc 3, L0, L0, 10

void store_registers(std::vector<std::uint32_t>& words) {
    words.insert(words.end(), {0x8f000000u, 0x8f000000u, all_lanes_on, 0x8f000000u});
    for (std::uint32_t lreg = 0; lreg < isa::general_lregs; ++lreg)
        words.push_back(0x72000000u | lreg << 20 | 4u << 16 | (0x100u + 8 * lreg));
}

TEST(symbolic_execution, terms_of_macro_programs_are_what_the_model_computes_of_any_data) {
    platform::core_runner runner;
    std::mt19937 random(7);
    for (std::uint32_t seed = 1; seed <= most_seeds; ++seed) {
        random_programs programs(seed);
        platform::run_request request = programs.next(50);
        store_registers(request.segments[0].words);
        term_pool pool(request.config.arch);
        const symbolic_run run = run_on_terms(runner, request, pool);
        ASSERT_EQ(run.unknown, "") << "seed " << seed;
        EXPECT_EQ(wrong_cells(runner, request, pool, run, random), 0u) << "seed " << seed;
    }
}

/// A word of an instruction that computes, any of its fields. `depth`: of the flag stack.
std::uint32_t computing_word(std::mt19937& random, architecture arch) {
    while (true) {
        const std::uint32_t word = (0x70u + random() % 0x2au) << 24 | (random() & 0xffffffu);
        if (isa::classify(word, arch) != isa::word_kind::sfpu) continue;
        isa::instruction insn = isa::decode(word, arch);
        const bool is_other = insn.is(isa::opcode::sfpconfig) || insn.is(isa::opcode::sfploadmacro) ||
                              insn.is(isa::opcode::sfpnop);
        if (is_other || insn.names_template() || insn.status == isa::definition::undefined) continue;
        if (insn.is(isa::opcode::sfpmov) && (insn.mod & 8) && insn.vc < 9) continue;
        return word;
    }
}

void expect_right_terms_of_any_instruction(architecture arch) {
    platform::core_runner runner;
    std::mt19937 random(static_cast<std::uint32_t>(arch) + 11);
    for (unsigned number = 0; number < 60; ++number) {
        platform::run_request request;
        request.config.arch = arch;
        request.state.reset();
        request.thread.reset(arch);
        platform::program_segment segment;
        for (unsigned i = 0; i < 25; ++i) {
            segment.words.push_back(computing_word(random, arch));
            if (random() % 2) segment.words.push_back(0x8f000000u); // results arrive, and not
        }
        store_registers(segment.words);
        request.segments = {segment};
        randomise(request, random);
        term_pool pool(arch);
        const symbolic_run run = run_on_terms(runner, request, pool);
        ASSERT_EQ(run.unknown, "") << "program " << number;
        EXPECT_EQ(wrong_cells(runner, request, pool, run, random), 0u) << "program " << number;
    }
}

TEST(symbolic_execution, terms_of_every_instruction_are_what_blackhole_computes) {
    expect_right_terms_of_any_instruction(architecture::blackhole);
}
TEST(symbolic_execution, terms_of_every_instruction_are_what_wormhole_computes) {
    expect_right_terms_of_any_instruction(architecture::wormhole);
}

/// The same variable of another lane.
term_variable in_lane(term_variable of, unsigned lane) {
    if (of.kind == variable_kind::dst) of.place += lane / column_count * 16 + lane % column_count * 2;
    else of.place += lane;
    return of;
}

/// Cells of a lane that are not what the terms of the first one are for that lane's data.
unsigned wrong_cells_of_lane(const platform::core_runner& runner, const platform::run_request& request,
                             const term_pool& pool, const symbolic_run& run, unsigned lane) {
    term_values values(pool,
                       [&](const term_variable& of) { return broadcast(given(request, in_lane(of, lane))); });
    unsigned wrong = 0;
    for (unsigned at = 0; at < symbolic_cells; ++at) {
        const bool is_of_first_lane = at / 16 % 4 == 0 && at % 16 < 2;
        if (!is_of_first_lane) {
            wrong += run.cells[at] != no_term;
            continue;
        }
        const unsigned here = in_lane({variable_kind::dst, at}, lane).place;
        const std::uint32_t expected = run.cells[at] == no_term
                                           ? (*request.dst_rows.find(here / 16))[here % 16]
                                           : values.of(run.cells[at])[0];
        wrong += runner.dst()[here / 16][here % 16] != expected;
    }
    return wrong;
}

TEST(symbolic_execution, the_first_lane_stands_for_each_or_has_no_terms) {
    platform::core_runner runner;
    for (const architecture arch : all_architectures) {
        std::mt19937 random(static_cast<std::uint32_t>(arch) + 3);
        unsigned stands = 0, knows_its_lane = 0;
        for (unsigned number = 0; number < 150; ++number) {
            platform::run_request request;
            request.config.arch = arch;
            request.state.reset();
            request.thread.reset(arch);
            platform::program_segment segment;
            for (unsigned i = 0; i < 10; ++i) {
                segment.words.push_back(computing_word(random, arch));
                if (random() % 2) segment.words.push_back(0x8f000000u);
            }
            store_registers(segment.words);
            request.segments = {segment};
            randomise(request, random);
            term_pool pool(arch);
            const symbolic_run run = run_on_terms(runner, request, pool, {}, computed_lanes::first);
            if (!run.unknown.empty()) {
                EXPECT_EQ(run.unknown, "its lanes do not do the same") << "program " << number;
                continue;
            }
            ++stands;
            knows_its_lane += run.knows_its_lane;
            for (const unsigned lane : {0u, 5u, 18u, 31u})
                EXPECT_EQ(wrong_cells_of_lane(runner, request, pool, run, lane), 0u)
                    << "program " << number << ", lane " << lane;
        }
        EXPECT_GT(stands, 20u);
        EXPECT_GT(knows_its_lane, 0u) << "L15 is read now and then";
    }
}

TEST(symbolic_execution, what_moves_between_lanes_needs_all_of_them) {
    platform::core_runner runner;
    const auto unknown = [&](const std::vector<std::uint32_t>& words) {
        platform::run_request request;
        request.state.reset();
        request.thread.reset(request.config.arch);
        request.segments = {{words, 1}};
        term_pool pool(request.config.arch);
        return run_on_terms(runner, request, pool, {}, computed_lanes::first).unknown;
    };
    const std::string apart = "its lanes do not do the same";
    EXPECT_EQ(unknown({0x8c000000u}), apart) << "sfptransp 0, L0, L0, 0";
    EXPECT_EQ(unknown({0x94000013u}), apart) << "sfpshft2 0, L0, L1, 3";
    EXPECT_EQ(unknown({0x92000012u}), apart) << "sfpswap 0, L0, L1, 2: one half of the lanes";
    EXPECT_EQ(unknown({0x92000011u}), "") << "sfpswap 0, L0, L1, 1: all lanes";
    EXPECT_EQ(unknown({0x910000b0u}), apart) << "sfpconfig 0, L11, 0: a column's value for all its lanes";
    EXPECT_EQ(unknown({0x71020001u, 0x8f000000u, 0x910000b0u}), "") << "behind sfploadi L0, USHORT, 1";
}

TEST(symbolic_execution, an_interrupted_run_has_no_terms) {
    platform::core_runner runner;
    platform::run_request request;
    request.state.reset();
    request.thread.reset(request.config.arch);
    request.segments = {{{0x7000e000u, 0x8f000000u, 0x7200e004u}, 1}};
    term_pool pool(request.config.arch);
    const auto run = [&](bool interrupted) {
        return run_on_terms(runner, request, pool, {}, computed_lanes::all, [=] { return interrupted; })
            .unknown;
    };
    EXPECT_EQ(run(false), "");
    EXPECT_NE(run(true), "");
}

TEST(symbolic_execution, configuration_that_depends_on_data_has_no_terms) {
    platform::core_runner runner;
    const auto run = [&](const std::vector<std::uint32_t>& words) {
        platform::run_request request;
        request.state.reset();
        request.thread.reset(request.config.arch);
        request.segments = {{words, 1}};
        term_pool pool(request.config.arch);
        return run_on_terms(runner, request, pool).unknown;
    };
    const std::uint32_t to_sequence = 0x91000040u, to_constant = 0x910000b0u; // sfpconfig 0, ..., 0
    EXPECT_NE(run({to_sequence}), "") << "L0 is unknown at the start";
    EXPECT_EQ(run({0x71020001u, 0x8f000000u, to_sequence}), "") << "sfploadi L0, USHORT, 1";
    EXPECT_EQ(run({to_constant}), "") << "a constant register is a register";
}

} // namespace
} // namespace sfpu::test
