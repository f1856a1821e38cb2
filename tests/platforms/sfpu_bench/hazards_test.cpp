// Every diagnostic has a program that provokes it and one, as much like it as can be, that does not.
#include "kernel_runner.h"

#include <sfpu/analysis/lint.h>
#include <sfpu/analysis/simulation.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

constexpr auto bh = architecture::blackhole;
constexpr auto wh = architecture::wormhole;

/// A hazard and its counterpart. Programs are assembly, issued once.
struct hazard_case {
    std::string name, id;
    architecture arch;
    std::string provoking, silent;
};
void PrintTo(const hazard_case& each, std::ostream* out) { *out << each.name; }

isa::kernel assembled(const std::string& text, architecture arch) {
    isa::assembly result = isa::assemble(text, "program", arch);
    if (!result.ok()) throw std::runtime_error(result.errors.front().to_string() + "\n" + text);
    return std::move(result.program);
}

/// Everything that the model reports about a program, and what only lint finds.
std::set<std::string> reports_of(const std::string& text, architecture arch) {
    const isa::kernel program = assembled(text, arch);
    run_options options;
    options.rows = 1;
    std::set<std::string> found;
    for (const auto& [id, count] : run_kernel(program, dst_contents{}, options).reports) found.insert(id);

    platform::run_request base;
    base.config.arch = arch;
    base.thread.reset(arch);
    analysis::lint_options lint;
    lint.schedules = 0;
    for (const analysis::lint_hazard& hazard : analysis::lint(shared_bench(), program, base, 1, lint).hazards)
        found.insert(describe(hazard.what.id).name);
    return found;
}

/// `body` after the set-up of macro 0. Template 0 is a Simple instruction, 1 one of Round, 2 one of MAD.
std::string with_macro(std::uint32_t sequence, unsigned misc, const std::string& body) {
    return fmt::format(R"(
    sfploadi    L0, USHORT, 0
    sfploadi    L1, USHORT, 1
    sfpcast     L0, L12, 0
    sfpshft2    -1, L0, L13, 6
    sfpmad      L1, L10, L1, L14, 0
    sfploadi    L0, LOWER, 0x{:04x}
    sfploadi    L0, UPPER, 0x{:04x}
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x{:x}, MISC, 1
)",
                       sequence & 0xffffu, sequence >> 16, misc) +
           body;
}

const std::string load_macro = "sfploadmacro 0, L0, INT32, 3, 0\n";
const std::string load_macro_2 = "sfploadmacro 0, L2, INT32, 3, 8\n";
const std::string drain = "sfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\n";

/// A reader directly behind an instruction that takes two cycles, and one cycle later.
hazard_case unprotected_read(const std::string& name, architecture arch, const std::string& reader,
                             const std::string& producer = "sfpmad L0, L1, L2, L3, 0\n") {
    return {"unprotected_read_" + name, "/sfpu/hazard/unprotected-read", arch, producer + reader + "\n",
            producer + "sfpnop\n" + reader + "\n"};
}

std::string repeated(const std::string& text, unsigned count) {
    std::string result;
    for (unsigned i = 0; i < count; ++i) result += text;
    return result;
}

const std::string counting_store = "setc16 34, 2\nsfpstore L0, INT32, 6, 0\n"; // ADDR_MOD_6: Dst += 2

/// A row of `where` behind its set-up with Misc 0x706: macro 0 chooses the lanes where the condition is zero
/// and stores, macro 2 restores all lanes (the words of tenstorrent/sfpi-gcc, MACRO_PLANNER).
std::string where_row(const std::string& row) {
    return R"(
    sfpsetcc    0, L0, L12, 6
    sfpencc     0, L0, L13, 0
    sfploadi    L0, LOWER, 0x0004
    sfploadi    L0, UPPER, 0x1300
    sfpconfig   0, SEQUENCE0, 0
    sfploadi    L0, LOWER, 0x0000
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE1, 0
    sfploadi    L0, LOWER, 0x0005
    sfpconfig   0, SEQUENCE2, 0
    sfpconfig   0x706, MISC, 1
    sfpencc     3, L0, L0, 10
    sfpnop
    sfpnop
)" + row + repeated("sfpnop\n", 4);
}

// Sequences: Store << 24 | Round << 16 | MAD << 8 | Simple; a byte is VB 0x80, L16 0x40, delay << 3,
// selector.
std::vector<hazard_case> make_cases() {
    return {
        {"upper_register_with_destination_indices", "/sfpu/isa/undefined", bh,
         "sfpconfig 4, LANECONFIG, 1\nsfpmov 0, L1, L4, 0\n",
         "sfpconfig 4, LANECONFIG, 1\nsfpmov 0, L1, L3, 0\n"},
        {"undefined_modifier", "/sfpu/isa/undefined", bh, "sfpshft2 0, L0, L1, 7\n",
         "sfpshft2 0, L0, L1, 6\n"},
        {"non_contractual_modifier", "/sfpu/isa/non-contractual", bh, "sfpswap 0, L0, L1, 10\n",
         "sfpswap 0, L0, L1, 1\n"},
        {"result_to_a_constant", "/sfpu/isa/constant-register", bh, "sfpmov 0, L1, L11, 0\n",
         "sfpmov 0, L1, L7, 0\n"},
        {"load_to_a_constant", "/sfpu/isa/constant-register", wh, "sfpload L12, INT32, 3, 0\n",
         "sfpload L7, INT32, 3, 0\n"},
        {"result_to_a_constant_or_a_template", "/sfpu/isa/constant-register", bh,
         "sfpconfig 2, LANECONFIG, 1\nsfpnop\nsfpabs 0, L1, L12, 0\n", "sfpabs 0, L1, L12, 0\n"},
        {"result_that_is_there_for_its_flags", "/sfpu/isa/constant-register", bh,
         "sfpiadd 1, L1, L9, ARG_IMM | CC_NONE\n", "sfpiadd 1, L1, L9, ARG_IMM\n"},
        {"exchange_of_constants", "/sfpu/isa/constant-register", bh, "sfpswap 0, L9, L10, 1\n",
         "sfpswap 0, L9, L1, 1\n"},
        {"sum_behind_a_24_bit_product", "/sfpu/isa/non-contractual", bh, "sfpmul24 L0, L1, L2, L3, 0\n",
         "sfpmul24 L0, L1, L9, L3, 0\n"},
        {"word_of_another_unit", "/sfpu/isa/not-modelled", bh, ".word 0x26000000\n", "nop\n"},
        {"unknown_configuration_register", "/sfpu/frontend/config-index", bh, "setc16 63, 0\n",
         "setc16 34, 0\n"},
        {"wait_for_a_unit_that_is_not_there", "/sfpu/frontend/idle-condition", bh,
         "stallwait 0x100, 1\nsfpnop\n", "stallwait 0x100, 0x800\nsfpnop\n"},
        {"semaphore_that_nobody_posts", "/sfpu/frontend/never-released", bh, "semwait 0x100, 1, 1\nsfpnop\n",
         "sempost 1\nsemwait 0x100, 1, 1\nsfpnop\n"},
        {"replay_of_empty_slots", "/sfpu/frontend/replay-unloaded", bh, "replay 0, 4, 0, 0\n",
         "replay 0, 1, 0, 1\nsfpnop\nreplay 0, 1, 0, 0\n"},
        {"record_within_seven_slots_of_a_store", "/sfpu/frontend/record-behind-store", bh,
         counting_store + repeated("sfpnop\n", 6) + "replay 0, 1, 0, 1\nsfpnop\n",
         counting_store + repeated("sfpnop\n", 7) + "replay 0, 1, 0, 1\nsfpnop\n"},
        {"record_behind_a_store_that_stays", "/sfpu/frontend/record-behind-store", bh,
         counting_store + "replay 0, 1, 0, 1\nsfpnop\n",
         "setc16 34, 2\nsetc16 35, 0\nsfpstore L0, INT32, 7, 0\nreplay 0, 1, 0, 1\nsfpnop\n"},
        {"record_that_executes_behind_a_store", "/sfpu/frontend/record-behind-store", bh,
         counting_store + "replay 0, 1, 0, 1\nsfpnop\n", counting_store + "replay 0, 1, 1, 1\nsfpnop\n"},
        {"record_behind_a_store_that_is_played", "/sfpu/frontend/record-behind-store", bh,
         "setc16 34, 2\nreplay 0, 1, 0, 1\nsfpstore L0, INT32, 6, 0\nreplay 0, 1, 0, 0\n"
         "replay 1, 1, 0, 1\nsfpnop\n",
         "setc16 34, 2\nreplay 0, 1, 0, 1\nsfpstore L0, INT32, 6, 0\nreplay 1, 1, 0, 1\nsfpnop\n"},
        {"record_behind_a_playback_that_begins_with_a_store", "/sfpu/frontend/record-behind-store", bh,
         "setc16 34, 2\nreplay 4, 7, 0, 1\nsfpstore L0, INT32, 6, 0\n" + repeated("sfpnop\n", 6) +
             "replay 4, 7, 0, 0\nreplay 0, 1, 0, 1\nsfpnop\n",
         "setc16 34, 2\nreplay 4, 8, 0, 1\nsfpstore L0, INT32, 6, 0\n" + repeated("sfpnop\n", 7) +
             "replay 4, 8, 0, 0\nreplay 0, 1, 0, 1\nsfpnop\n"},
        {"replay_of_a_slot_behind_the_recorded_ones", "/sfpu/frontend/replay-unloaded", wh,
         "replay 30, 3, 0, 1\nsfpnop\nsfpnop\nsfpnop\nreplay 31, 3, 0, 0\n",
         "replay 30, 3, 0, 1\nsfpnop\nsfpnop\nsfpnop\nreplay 31, 2, 0, 0\n"},

        {"discarded_by_macro", "/sfpu/issue/discarded-by-macro", bh,
         with_macro(0x00000004, 0, load_macro + "sfpabs 0, L1, L2, 0\n"),
         with_macro(0x00000004, 0, load_macro + "sfpnop\nsfpabs 0, L1, L2, 0\n")},

        unprotected_read("on_wormhole", wh, "sfpmov 0, L3, L4, 0"),
        unprotected_read("on_wormhole_after_shuffle", wh, "sfpstore L2, INT32, 3, 0",
                         "sfpshft2 0, L1, L2, 3\n"),
        unprotected_read("of_and_with_vb", bh, "sfpand L3, L4, L5, 1"),
        unprotected_read("of_or_with_vb", bh, "sfpor L3, L4, L5, 1"),
        unprotected_read("of_the_destination_of_iadd", bh, "sfpiadd 0, L4, L3, 4"),
        unprotected_read("of_the_destination_of_shft", bh, "sfpshft 0, L4, L3, 0"),
        unprotected_read("of_l0_by_config", bh, "sfpconfig 0, L12, 0", "sfpmad L1, L1, L2, L0, 0\n"),
        unprotected_read("of_swap_in_other_modes", bh, "sfpswap 0, L3, L4, 1"),
        unprotected_read("of_shft2_mode_2", bh, "sfpshft2 0, L3, L4, 2"),
        unprotected_read("of_shft2_mode_3", bh, "sfpshft2 0, L3, L4, 3"),
        unprotected_read("of_shft2_mode_4", bh, "sfpshft2 0, L3, L4, 4"),
        unprotected_read("of_shft2_mode_5", bh, "sfpshft2 L3, L4, L5, 5"),
        unprotected_read("of_shft2_mode_6", bh, "sfpshft2 L3, L0, L5, 6"),

        {"write_collision", "/sfpu/hazard/write-collision", bh,
         "sfpmad L0, L1, L2, L3, 0\nsfploadi L3, USHORT, 1\n",
         "sfpmad L0, L1, L2, L3, 0\nsfploadi L4, USHORT, 1\n"},
        {"simple_and_round_together", "/sfpu/hazard/simple-round-conflict", bh,
         with_macro(0x00850004, 0, load_macro + drain), with_macro(0x00850044, 0, load_macro + drain)},
        {"swap_neighbour", "/sfpu/hazard/swap-neighbour", bh,
         with_macro(0x008d0000, 0, load_macro + "sfpswap 0, L1, L2, 1\n" + drain),
         with_macro(0x00950000, 0, load_macro + "sfpswap 0, L1, L2, 1\n" + drain)},
        {"shft2_neighbour", "/sfpu/hazard/shft2-neighbour", bh,
         with_macro(0x0000000c, 0, load_macro + "sfpshft2 0, L1, L2, 3\n" + drain),
         with_macro(0x00000014, 0, load_macro + "sfpshft2 0, L1, L2, 3\n" + drain)},
        {"shft2_neighbour_on_wormhole", "/sfpu/hazard/shft2-neighbour", wh,
         "sfpshft2 0, L1, L2, 3\nsfpabs 0, L4, L5, 0\n",
         "sfpshft2 0, L1, L2, 3\nsfpnop\nsfpabs 0, L4, L5, 0\n"},
        // T21: Misc is written by the last word of the set-up.
        {"config_macro_distance_of_one_word", "/sfpu/hazard/config-macro-distance", bh,
         with_macro(0x00000004, 0, load_macro + drain),
         with_macro(0x00000004, 0, "sfpnop\nsfpnop\n" + load_macro + drain)},
        {"config_macro_distance_of_two_words", "/sfpu/hazard/config-macro-distance", wh,
         with_macro(0x00000004, 0, "sfpnop\n" + load_macro + drain),
         with_macro(0x00000004, 0, "sfpnop\nincrwc 0, 1, 0, 0\n" + load_macro + drain)},
        // T16: an SFPSWAP that is written as a template occupies nothing; one that executes does.
        {"swap_neighbour_but_of_no_template", "/sfpu/hazard/swap-neighbour", wh,
         with_macro(0x008d0000, 0, "sfpnop\nsfpnop\n" + load_macro + "sfpswap 0, L1, L2, 1\n" + drain),
         with_macro(0x008d0000, 0, "sfpnop\nsfpnop\n" + load_macro + "sfpswap 0, L1, L13, 1\n" + drain)},
        {"laneconfig_neighbour", "/sfpu/hazard/laneconfig-neighbour", bh,
         "sfpconfig 2, LANECONFIG, 1\nsfpcast L0, L12, 0\n",
         "sfpconfig 2, LANECONFIG, 1\nsfpnop\nsfpcast L0, L12, 0\n"},

        {"misc_left_armed", "/sfpu/hazard/misc-left-armed", wh,
         "sfpconfig 0x100, MISC, 1\nsfpnop\nsfpnop\nsfpload L0, INT32, 3, 0\nsfpstore L0, INT32, 3, 0\n",
         "sfpconfig 0x0ff, MISC, 1\nsfpnop\nsfpnop\nsfpload L0, INT32, 3, 0\nsfpstore L0, INT32, 3, 0\n"},
        {"misc_disarmed", "/sfpu/hazard/misc-left-armed", wh,
         "sfpconfig 0xf00, MISC, 1\nsfpload L0, INT32, 3, 0\nsfpnop\n",
         "sfpconfig 0xf00, MISC, 1\nsfpload L0, INT32, 3, 0\nsfpconfig 0, MISC, 1\n"},
        {"misc_armed_in_front_of_a_plain_loop", "/sfpu/hazard/misc-left-armed", wh,
         ".init\n" + with_macro(0x00000004, 0x100, "sfpnop\nsfpnop\n" + load_macro) +
             "sfpnop\n.loop\nsfpload L0, INT32, 3, 0\nsfpstore L0, INT32, 3, 0\n",
         ".init\n" + with_macro(0x00000004, 0x100, "sfpload L0, INT32, 3, 0\nsfpnop\n") + ".loop\n" +
             load_macro + "sfpnop\nsfpstore L0, INT32, 3, 0\n"},
        {"misc_armed_with_nothing_behind_it", "/sfpu/hazard/misc-left-armed", wh,
         "sfpconfig 0x200, MISC, 1\nsfpabs 0, L1, L2, 0\n", "sfpconfig 0x200, MISC, 1\nsfpnop\n"},

        {"l16_stored_too_late", "/sfpu/hazard/l16-overwritten", bh,
         with_macro(0x53000044, 0x300, load_macro + load_macro_2 + drain),
         with_macro(0x4b000044, 0x300, load_macro + load_macro_2 + drain)},
        {"l16_never_stored", "/sfpu/hazard/l16-overwritten", bh,
         with_macro(0x00000044, 0, load_macro + "sfpnop\n") +
             "sfploadi L0, LOWER, 0x0044\nsfploadi L0, UPPER, 0x4b00\nsfpconfig 0, SEQUENCE0, 0\n" +
             load_macro + drain,
         with_macro(0x4b000044, 0, load_macro + "sfpnop\n" + load_macro + drain)},
        {"lreg_overwritten_by_a_load", "/sfpu/hazard/lreg-overwritten", bh,
         with_macro(0x00000004, 0,
                    load_macro + "sfpnop\nsfploadi L0, USHORT, 1\nsfpstore L0, INT32, 3, 16\n"),
         with_macro(0x00000004, 0,
                    load_macro + "sfpnop\nsfpstore L0, INT32, 3, 16\nsfploadi L0, USHORT, 1\n")},
        // The load of the second row overwrites what the store of the first, which is too early, has not
        // read. Without that store the first row only fills a pipeline.
        {"lreg_stored_too_early_in_the_first_row", "/sfpu/hazard/lreg-overwritten", bh,
         with_macro(0x0000000c, 0,
                    load_macro + "sfpstore L0, INT32, 3, 16\nsfpnop\n" + load_macro +
                        "sfpnop\nsfpnop\nsfpstore L0, INT32, 3, 16\n"),
         with_macro(0x0000000c, 0,
                    load_macro + "sfpnop\nsfpnop\nsfpnop\n" + load_macro +
                        "sfpnop\nsfpnop\nsfpstore L0, INT32, 3, 16\n")},
        {"lreg_missed_by_its_own_macro", "/sfpu/hazard/lreg-overwritten",
         bh, // both before the next shift at t + 3
         with_macro(0x00950004, 0,
                    load_macro + "sfpnop\nsfpload L0, INT32, 3, 8\n" + drain + "sfpstore L0, INT32, 3, 16\n"),
         with_macro(0x00950004, 0,
                    load_macro + "sfpnop\nsfpload L2, INT32, 3, 8\n" + drain +
                        "sfpstore L0, INT32, 3, 16\n")},
        {"unwritten_read", "/sfpu/hazard/unwritten-read", bh, "sfpstore L3, INT32, 3, 0\n",
         "sfploadi L3, USHORT, 1\nsfpstore L3, INT32, 3, 0\n"},
        {"l16_stored_too_early", "/sfpu/hazard/unwritten-read", bh,
         with_macro(0x43000044, 0, load_macro + drain), with_macro(0x4b000044, 0, load_macro + drain)},

        {"store_load_distance", "/sfpu/dst/store-load-distance", bh,
         "sfpstore L0, INT32, 3, 0\nsfpload L1, INT32, 3, 0\n",
         "sfpstore L0, INT32, 3, 0\nsfpnop\nsfpload L1, INT32, 3, 0\n"},

        {"forgotten", "/sfpu/macro/forgotten", bh,
         with_macro(0x0000000c, 0,
                    "sfploadi L1, USHORT, 0x04\nsfpmov 0, L1, L0, 0\nsfpconfig 0, SEQUENCE1, 0\n") +
             load_macro + "sfploadmacro 1, L2, INT32, 3, 8\n",
         with_macro(0x0000000c, 0,
                    "sfploadi L1, USHORT, 0x04\nsfpmov 0, L1, L0, 0\nsfpconfig 0, SEQUENCE1, 0\n") +
             load_macro + "sfpnop\nsfploadmacro 1, L2, INT32, 3, 8\n"},
        {"late_write", "/sfpu/hazard/late-write", bh,
         ".config sfpu.latency.mad, 3\nsfpmul L0, L0, L9, L1, 0\nsfpmov 0, L2, L1, 0\n",
         ".config sfpu.latency.mad, 2\nsfpmul L0, L0, L9, L1, 0\nsfpmov 0, L2, L1, 0\n"},
        {"unprotected_read_of_a_slow_load", "/sfpu/hazard/unprotected-read", bh,
         ".config sfpu.latency.load, 2\nsfpload L1, INT32, 3, 0\nsfpmad L1, L1, L9, L0, 0\n",
         ".config sfpu.latency.load, 2\nsfpload L1, INT32, 3, 0\nsfpnop\nsfpmad L1, L1, L9, L0, 0\n"},
        {"other_than_chip", "/sfpu/macro/other-than-chip", bh, // MAD after 0 to L16, Store of L16 after 2
         ".config sfpu.latency.mad, 3\n" + with_macro(0x53004600, 0, load_macro + drain),
         ".config sfpu.latency.mad, 3\n" + with_macro(0x5b004600, 0, load_macro + drain)},
        {"never_drained", "/sfpu/macro/never-drained", bh, with_macro(0x0000001c, 0x100, load_macro),
         with_macro(0x0000001c, 0x100, load_macro + drain)},
        {"selector_one", "/sfpu/macro/selector-one", bh, with_macro(0x00000001, 0, load_macro),
         with_macro(0x00000004, 0, load_macro)},
        {"template_not_executable", "/sfpu/macro/template-not-executable", bh,
         with_macro(0x00000006, 0, load_macro), with_macro(0x00000600, 0, load_macro)},
        {"store_without_store", "/sfpu/macro/store-without-store", bh, with_macro(0x02000000, 0, load_macro),
         with_macro(0x03000000, 0, load_macro)},
        {"lanes_differ", "/sfpu/macro/lanes-differ", bh,
         with_macro(0x00000004, 0, "sfploadi L0, USHORT, 0\nsfpconfig 1, SEQUENCE0, 8\n" + load_macro),
         with_macro(0x00000004, 0, "sfploadi L0, USHORT, 0\nsfpconfig 0xffff, SEQUENCE0, 8\n" + load_macro)},
        {"slots_full", "/sfpu/macro/slots-full", bh,
         ".config macro.slots, 1\n" + with_macro(0x0000001c, 0, load_macro + load_macro_2 + drain),
         ".config macro.slots, 2\n" + with_macro(0x0000001c, 0, load_macro + load_macro_2 + drain)},
        {"beyond_machine", "/sfpu/macro/beyond-machine", bh,
         ".config macro.templates, 2\n" + with_macro(0x00000006, 0, load_macro),
         ".config macro.templates, 2\n" + with_macro(0x00000004, 0, load_macro)},
        {"stale_sequence", "/sfpu/macro/stale-configuration", bh, "sfpconfig 0, MISC, 1\n" + load_macro,
         with_macro(0x00000004, 0, load_macro)},
        {"stale_template", "/sfpu/macro/stale-configuration", bh, with_macro(0x00000007, 0, load_macro),
         with_macro(0x00000004, 0, load_macro)},
        {"stale_misc", "/sfpu/macro/stale-configuration", bh,
         "sfpcast L0, L12, 0\nsfploadi L0, USHORT, 4\nsfpconfig 0, SEQUENCE0, 0\n" + load_macro,
         "sfpcast L0, L12, 0\nsfploadi L0, USHORT, 4\nsfpconfig 0, SEQUENCE0, 0\nsfpconfig 0, MISC, 1\n" +
             load_macro},

        // Rules of the vendor's compiler. Macro 0 is launched at t.
        {"template_of_the_word_before", "/sfpu/macro/template-distance", bh,
         with_macro(0x00000004, 0, "sfpcast L0, L12, 0\n" + load_macro + drain),
         with_macro(0x00000004, 0, "sfpcast L0, L12, 0\nsfpnop\n" + load_macro + drain)},
        {"template_of_the_word_before_that_is_used", "/sfpu/macro/template-distance", wh,
         with_macro(0x00050000, 0, "sfpshft2 -1, L0, L13, 6\n" + load_macro + drain),
         with_macro(0x00000004, 0, "sfpshft2 -1, L0, L13, 6\n" + load_macro + drain)},
        // Simple executes at t + 2, and is outstanding up to then.
        {"misc_written_in_flight", "/sfpu/macro/configured-in-flight", bh,
         with_macro(0x0000000c, 0, load_macro + "sfpnop\nsfpconfig 0, MISC, 1\n"),
         with_macro(0x0000000c, 0, load_macro + "sfpnop\nsfpnop\nsfpconfig 0, MISC, 1\n")},
        {"sequence_written_in_flight", "/sfpu/macro/configured-in-flight", wh,
         with_macro(0x0000000c, 0, load_macro + "sfpconfig 0, SEQUENCE3, 0\n" + drain),
         with_macro(0x0000000c, 0, load_macro + "sfpconfig 0, L11, 0\n" + drain)},
        {"template_written_by_config_in_flight", "/sfpu/macro/configured-in-flight", bh,
         with_macro(0x0000000c, 0, load_macro + "sfpconfig 0, TEMPLATE3, 0\n" + drain),
         with_macro(0x0000000c, 0, load_macro + "sfpcast L0, L15, 0\n" + drain)},
        // MAD executes at t + 2.
        {"transpose_in_flight", "/sfpu/macro/lanes-move", bh,
         with_macro(0x00000e00, 0, load_macro + "sfpnop\nsfptransp 0, L0, L0, 0\n" + drain),
         with_macro(0x00000e00, 0, load_macro + "sfpnop\nsfpnop\nsfptransp 0, L0, L0, 0\n" + drain)},
        {"shuffle_in_flight", "/sfpu/macro/lanes-move", bh,
         with_macro(0x00000e00, 0, load_macro + "sfpshft2 0, L1, L2, 4\n" + drain),
         with_macro(0x00000e00, 0, load_macro + "sfpshft2 L3, L4, L5, 5\n" + drain)},
        {"shift_by_immediate_in_flight", "/sfpu/macro/lanes-move", wh,
         with_macro(0x00000e00, 0, load_macro + "sfpshft2 0, L1, L2, 0\n" + drain),
         with_macro(0x00000e00, 0, load_macro + "sfpshft2 1, L1, L2, 6\n" + drain)},
        {"transpose_as_a_template", "/sfpu/macro/lanes-move", bh,
         with_macro(0x00000004, 0, "sfptransp 0, L0, L12, 0\nsfpnop\n" + load_macro + drain),
         with_macro(0x00000004, 0, "sfptransp 0, L0, L15, 0\nsfpnop\n" + load_macro + drain)},
        {"shuffle_as_a_template", "/sfpu/macro/lanes-move", wh,
         with_macro(0x00050000, 0, "sfpshft2 0, L0, L13, 1\nsfpnop\n" + load_macro + drain),
         with_macro(0x00050000, 0, "sfpshft2 3, L0, L13, 6\nsfpnop\n" + load_macro + drain)},
        // The calendar that fails on silicon restores all lanes at t + 3, as the store goes; the one that is
        // shipped a cycle before.
        {"store_beside_the_flags_of_where", "/sfpu/macro/store-beside-flags", bh,
         where_row("sfploadmacro 0, L0, INT32, 7, 0\nsfploadmacro 1, L0, INT32, 7, 64\n"
                   "sfploadmacro 2, L0, INT32, 7, 128\nincrwc 0, 2, 0, 0\n"),
         where_row("sfploadmacro 0, L0, INT32, 7, 0\nsfploadmacro 2, L0, INT32, 7, 64\n"
                   "sfpload L0, INT32, 7, 128\nincrwc 0, 2, 0, 0\n")},
        {"store_beside_an_addition_with_flags", "/sfpu/macro/store-beside-flags", wh,
         with_macro(0x03000004, 0, "sfpiadd 1, L0, L12, 1\nsfpnop\n" + load_macro + drain),
         with_macro(0x03000004, 0, "sfpiadd 1, L0, L12, 5\nsfpnop\n" + load_macro + drain)},
        {"store_beside_an_addition_to_l16", "/sfpu/macro/store-beside-flags", wh,
         with_macro(0x03000004, 0, "sfpiadd 1, L0, L12, 1\nsfpnop\n" + load_macro + drain),
         with_macro(0x03000044, 0, "sfpiadd 1, L0, L12, 1\nsfpnop\n" + load_macro + drain)},
        // Store executes at t + 3: with the third word behind the SFPLOADMACRO.
        {"store_outstanding_at_the_end", "/sfpu/macro/drained-by-cycles", bh,
         with_macro(0x13000000, 0, load_macro + "sfpnop\nsfpnop\n"),
         with_macro(0x13000000, 0, load_macro + "sfpnop\nsfpnop\nsfpnop\n")},
        {"store_that_counts_words_at_the_end", "/sfpu/macro/drained-by-cycles", wh,
         with_macro(0x13000000, 0, load_macro), with_macro(0x13000000, 0x800, load_macro)},

        {"flag_stack_overflow", "/sfpu/flags/stack-overflow", bh, repeated("sfppushc 0, 0, 0, 0\n", 9),
         repeated("sfppushc 0, 0, 0, 0\n", 8)},
        {"flag_stack_underflow", "/sfpu/flags/stack-underflow", bh, "sfppopc 0, 0, 0, 0\n",
         "sfppushc 0, 0, 0, 0\nsfppopc 0, 0, 0, 0\n"},
    };
}

const std::vector<hazard_case>& cases() {
    static const std::vector<hazard_case> all = make_cases();
    return all;
}

TEST(misc_left_armed, is_no_hazard_on_blackhole) {
    const std::string armed = "sfpconfig 0x100, MISC, 1\nsfpnop\nsfpnop\nsfpload L0, INT32, 3, 0\n";
    EXPECT_EQ(reports_of(armed, bh).count("/sfpu/hazard/misc-left-armed"), 0u);
    EXPECT_EQ(reports_of(armed, wh).count("/sfpu/hazard/misc-left-armed"), 1u);
}

class every_hazard : public testing::TestWithParam<hazard_case> {};

TEST_P(every_hazard, is_reported_where_it_is) {
    EXPECT_EQ(reports_of(GetParam().provoking, GetParam().arch).count(GetParam().id), 1u);
}

TEST_P(every_hazard, is_not_reported_where_it_is_not) {
    EXPECT_EQ(reports_of(GetParam().silent, GetParam().arch).count(GetParam().id), 0u);
}

/// `run` uses the modules, `exec` the core.
TEST_P(every_hazard, is_counted_by_run_as_often_as_exec_reports_it) {
    for (const std::string& text : {GetParam().provoking, GetParam().silent}) {
        analysis::machine_choice machine;
        machine.arch = short_name(GetParam().arch);
        analysis::kernel_run kernel(assembled(text, GetParam().arch), machine, 1);
        const analysis::simulation run = analysis::simulate(shared_bench(), kernel, {}, analysis::session{});
        struct : diagnostic_sink {
            void diagnose(const diagnostic& what) override { ++count[static_cast<unsigned>(what.id)]; }
            std::array<std::uint64_t, report_count> count{};
        } reported;
        platform::core_runner core;
        platform::run_request request = kernel.request();
        request.diagnostics = &reported;
        core.run(request);
        for (unsigned id = 0; id < report_count; ++id) {
            const auto which = static_cast<report_id>(id);
            if (which == report_id::hazard_misc_left_armed) continue; // found in loops, which `exec` has not
            EXPECT_EQ(run.diagnostics.of(which).count, reported.count[id]) << describe(which).name << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(hazards, every_hazard, testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(report_ids, all_have_a_program_that_provokes_them) {
    std::set<std::string> provoked{
        describe(report_id::isa_unimplemented).name, // every instruction has semantics
        // Only a tile gives these: tests/memory/dst_window_test.cpp, system_registers_test.cpp.
        describe(report_id::dst_window_write_distance).name, describe(report_id::dst_window_access).name,
        describe(report_id::registers_not_modelled).name,
        describe(report_id::dst_format_changed).name,   // tests/tile/tile_backend_test.cpp
        describe(report_id::tensorload_bus_error).name, // tests/tensorload/tensorload_engine_test.cpp
        // Only other harts and configuration stores do these: tests/frontend/core/pipeline_test.cpp.
        describe(report_id::frontend_collision).name, describe(report_id::frontend_mop_config_race).name,
        // Only programs of several threads: tests/timing/plan_results_under_way_test.cpp, exec_threads.py.
        describe(report_id::macro_other_thread).name,
        // Only harts do these: tests/riscv/hart_test.cpp.
        describe(report_id::hart_misaligned).name, describe(report_id::hart_bus_error).name};
    for (const hazard_case& each : cases()) provoked.insert(each.id);
    for (unsigned id = 0; id < report_count; ++id) {
        const report_row& row = describe(static_cast<report_id>(id));
        if (row.kind == report_kind::remark) continue; // tests/analysis/kernel/kernel_remarks_test.cpp
        EXPECT_EQ(provoked.count(row.name), 1u) << row.name;
    }
}

} // namespace
} // namespace sfpu::test
