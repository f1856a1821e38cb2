// Programs without macros do on every machine what their words do one after the other, or something is said
// of it: random machines, random programs, against isa::lane_machine, which knows no time. Programs with
// macros do what they do on the chip, or something is said of it.
#include "lane_machine.h"
#include "random_program.h"

#include <sfpu/isa/table.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/engine.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using platform::engine;

parameters random_parameters(random_bits& random) {
    const auto one_in = [&](unsigned many) { return random.below(many) == 0; };
    const auto latency = [&](unsigned& of, unsigned many, unsigned least = 1) {
        if (one_in(many)) of = least + random.below(9 - least);
    };
    parameters result;
    if (one_in(4)) result.arch = architecture::wormhole;
    latency(result.latency_load, 3);
    latency(result.latency_simple, 3);
    latency(result.latency_mad, 3);
    latency(result.latency_round, 3);
    latency(result.latency_swap, 4, 2);
    latency(result.latency_shuffle, 4, 2);
    if (one_in(2)) result.sfpu_issue_width = 2;
    if (one_in(3)) result.sfpu_mad_units = 2;
    if (one_in(3)) result.dst_load_ports = 2;
    if (one_in(3)) result.dst_store_ports = 2;
    if (one_in(3)) result.sfpu_write_port_rule = false;
    if (one_in(4)) result.sfpu_auto_stall = one_in(2) ? stall_choice::on : stall_choice::off;
    if (one_in(3)) result.dst_store_load_visible = random.below(4);
    if (one_in(3)) result.dst_store_load_warn = random.below(3);
    if (one_in(4)) result.sfpu_write_order = 0x01234;
    return result;
}

/// Any word of the vector unit that is defined, but SFPLOADMACRO and writes of LaneConfig; addresses meet
/// often, counters move.
std::uint32_t random_word(random_bits& random, architecture arch) {
    for (;;) {
        const std::uint32_t kind = random.below(100), bits = random.next();
        if (kind < 4) return 0x8f000000u;
        if (kind < 6) return 0x38000000u | random.below(2) << 14; // INCRWC
        std::uint32_t word = (0x70u + bits % 0x2au) << 24 | (random.next() & 0xffff7fu);
        if (kind < 36) {
            const bool is_store = kind < 21;
            constexpr std::uint32_t modes[] = {4, 6, 4, 2, 3, 12, 14, 0};
            word = (is_store ? 0x72000000u : 0x70000000u) | random.below(8) << 20 | modes[bits % 8] << 16 |
                   random.below(4) << 1;
            word |= (random.below(2) * 3u) << isa::addr_mod_shift(arch);
        } else if (kind < 42) {
            word = 0x91000001u | (11 + random.below(4)) << 4 | (bits & 8); // a constant
        } else if (kind < 60) {
            constexpr std::uint32_t opcodes[] = {0x79, 0x77, 0x81, 0x96, 0x97, 0x90, 0x8e, 0x7b, 0x7c, 0x84};
            word = opcodes[bits % 10] << 24 | (random.next() & 0x07ff7fu);
        }
        const isa::instruction insn = isa::decode(word, arch);
        if (!insn.op || isa::classify(word, arch) != isa::word_kind::sfpu || insn.names_template()) continue;
        if (insn.is(isa::opcode::sfploadmacro) || insn.status == isa::definition::undefined) continue;
        if (insn.is(isa::opcode::sfpconfig) && insn.vd == 15) continue;
        return word;
    }
}

struct random_case {
    parameters config;
    std::vector<std::uint32_t> words;
    std::unique_ptr<lane_machine> start;
};

random_case make_case(std::uint64_t seed) {
    random_bits random(seed);
    random_case result;
    result.config = random_parameters(random);
    const architecture arch = result.config.arch;
    const unsigned count = 3 + random.below(22);
    for (unsigned i = 0; i < count; ++i) result.words.push_back(random_word(random, arch));
    result.start = std::make_unique<lane_machine>(isa::word_encoding(arch));
    result.start->thread.reset(arch);
    result.start->thread.set_addr_mod_dst(3, 2); // ADDR_MOD_3: Dst += 2
    randomise(*result.start, random);
    return result;
}

/// What the engine leaves, and how much it said that is no property of single words.
struct engine_run {
    bool is_different = false;
    std::uint64_t said = 0;
};

/// Diagnostics that are no property of single words.
std::uint64_t said_by(const probe::unit_counters& counters) {
    std::uint64_t result = 0;
    for (unsigned number = 0; number < report_count; ++number) {
        const auto id = static_cast<report_id>(number);
        const bool of_words = describe(id).kind == report_kind::isa ||
                              id == report_id::flags_stack_overflow || id == report_id::flags_stack_underflow;
        if (!of_words) result += counters.reports[number];
    }
    return result;
}

engine_run compare(const random_case& of, engine& on) {
    EXPECT_TRUE(of.config.problems().empty());
    on.reset(of.config);
    on.unit().state().start_from(of.start->state);
    for (auto& thread : on.unit().state().threads) thread = of.start->thread;
    on.unit().issue().push(0, reinterpret_cast<const unsigned char*>(of.words.data()),
                           static_cast<unsigned>(of.words.size()), cycles{});
    on.unit().drain();
    on.dst().settle();
    const auto sequential = std::make_unique<lane_machine>(*of.start);
    for (const std::uint32_t word : of.words) sequential->execute(word);

    const isa::vector_state& state = on.unit().state().vector;
    engine_run result;
    for (unsigned lreg = 0; lreg < isa::general_lregs + 8; ++lreg)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            result.is_different |= state.lreg[lreg].v[lane] != sequential->state.lreg[lreg].v[lane];
    for (unsigned lane = 0; lane < lane_count; ++lane)
        result.is_different |= state.prng.v[lane] != sequential->state.prng.v[lane];
    result.is_different |=
        state.flags != sequential->state.flags || state.use_flags != sequential->state.use_flags;
    dst::image left;
    on.dst().storage().copy_to(left);
    result.is_different |= left != sequential->dst;
    result.said = said_by(on.counters());
    return result;
}

std::string text_of(const std::vector<std::uint32_t>& words, const parameters& p) {
    std::string result;
    for (const std::uint32_t word : words) result += fmt::format(" {:08x}", word);
    return fmt::format("{} load {} simple {} mad {} round {} swap {} shuffle {} width {} mads {} loads {} "
                       "stores {} visible {} stall {}:{}",
                       p.arch == architecture::wormhole ? "wh" : "bh", p.latency_load, p.latency_simple,
                       p.latency_mad, p.latency_round, p.latency_swap, p.latency_shuffle, p.sfpu_issue_width,
                       p.sfpu_mad_units, p.dst_load_ports, p.dst_store_ports, p.dst_store_load_visible,
                       static_cast<int>(p.sfpu_auto_stall), result);
}

TEST(programs_without_macros, do_what_their_words_do_one_after_the_other_or_it_is_said) {
    engine on;
    unsigned different = 0, silent = 0, programs = 0, failures = 0;
    for (std::uint64_t seed = 1; seed <= case_count(4000) && failures < 5; ++seed) {
        const random_case each = make_case(seed);
        const engine_run found = compare(each, on);
        ++programs;
        different += found.is_different;
        silent += found.said == 0;
        if (!found.is_different || found.said != 0) continue;
        ++failures;
        ADD_FAILURE() << "program " << seed << ", " << text_of(each.words, each.config);
    }
    // Both happen: the diagnostics are needed, and they do not stand at everything.
    EXPECT_GT(different, programs / 10);
    EXPECT_GT(silent, programs / 10);
}

TEST(programs_without_macros, collide_or_arrive_late_as_the_latencies_say) {
    random_case given = make_case(1);
    given.config = parameters{};
    engine on;
    given.words = {0x86000910, 0x7c000210};
    const auto with_mad = [&](unsigned cycles) {
        given.config.latency_mad = cycles;
        (void)compare(given, on);
        const probe::unit_counters counters = on.counters();
        return std::make_pair(counters.reports[static_cast<unsigned>(report_id::hazard_write_collision)],
                              counters.reports[static_cast<unsigned>(report_id::hazard_late_write)]);
    };
    given.start->state.flags = all_lanes;
    using counts = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(with_mad(1), (counts{0, 0}));
    EXPECT_EQ(with_mad(2), (counts{1, 0}));
    EXPECT_EQ(with_mad(3), (counts{0, 1}));
}

TEST(programs_with_macros, do_on_every_machine_what_they_do_on_the_chip_or_it_is_said) {
    platform::core_runner on_chip, on_machine;
    random_programs programs(31);
    random_bits random(32);
    unsigned different = 0, silent = 0, failures = 0;
    const unsigned count = static_cast<unsigned>(case_count(1500));
    for (unsigned number = 0; number < count && failures < 5; ++number) {
        platform::run_request request = programs.next(20);
        parameters config = random_parameters(random);
        config.arch = request.config.arch;
        if (random.below(4) == 0) config.macro_slots = 1 + random.below(8);
        if (random.below(6) == 0) config.macro_delay_bits = 2;
        if (random.below(6) == 0) config.macro_templates = 2;
        // What the chips do here is open: both do the same.
        request.config.macro_firing_entry_outstanding = config.macro_firing_entry_outstanding =
            random.below(4) != 0;
        // Said of the chip as well: who comes first, and how soon behind a store.
        config.sfpu_write_order = request.config.sfpu_write_order;
        config.dst_store_load_visible = request.config.dst_store_load_visible;
        config.dst_store_load_warn = request.config.dst_store_load_warn;
        const platform::run_result expected = on_chip.run(request);
        request.config = config;
        const platform::run_result found = on_machine.run(request);
        bool is_different = on_chip.dst() != on_machine.dst();
        for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
            for (unsigned lane = 0; lane < lane_count; ++lane)
                is_different |= on_chip.state().lreg[lreg].v[lane] != on_machine.state().lreg[lreg].v[lane];
        // What is said of the chip as well explains nothing.
        const bool is_silent = found.counters.reports == expected.counters.reports;
        different += is_different;
        silent += is_silent;
        if (!is_different || !is_silent) continue;
        ++failures;
        ADD_FAILURE() << "program " << number << ", " << text_of(request.segments[0].words, config);
    }
    EXPECT_GT(different, count / 10);
    EXPECT_GT(silent, count / 20);
}

} // namespace
} // namespace sfpu::test
