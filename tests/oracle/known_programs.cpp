#include "known_programs.h"

#include "random_trials.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace sfpu::oracle {
namespace {

struct program {
    architecture arch;
    std::vector<std::pair<const char*, const char*>> parameters;
    std::vector<std::uint32_t> words;
    macro_memory macro = {}; ///< without a sequence: the program has no macros
};

constexpr auto bh = architecture::blackhole, wh = architecture::wormhole;

const std::vector<program>& table() {
    static const std::vector<program> programs{
        // Loads that do not see a store yet, and are farther than store_load_warn from it.
        {bh, {{"dst.store_load_visible", "3"}}, {0x72040000, 0x8f000000, 0x70140000}},
        {wh, {{"dst.store_load_visible", "2"}, {"dst.store_load_warn", "0"}}, {0x72440000, 0x70240000}},
        // Random numbers in another order, in a rounding mode that does not look at them.
        {bh, {{"sfpu.issue_width", "2"}, {"sfpu.write_port_rule", "false"}}, {0x90000651, 0x8e1b1012}},
        // A template that the second word of a cycle reads.
        {bh, {{"sfpu.issue_width", "2"}}, {0x8e5e62f1, 0x7c000378}},
        // Results under way.
        {bh, {{"sfpu.latency.load", "2"}}, {0x70140000, 0x84011900}},
        {bh, {{"sfpu.latency.mad", "3"}}, {0x86000910, 0x7c000210}},
        {wh, {{"sfpu.latency.load", "3"}}, {0x71311e87, 0x7b001300}},
        // A delay that the machine does not have.
        {bh,
         {{"macro.delay_bits", "2"}},
         {0x93040000, 0x8f000000},
         {{0x7d000414, 0, 0, 0}, {0x2c, 0, 0, 0}, 0}},
        // The second word of a cycle comes earlier against what is scheduled.
        {bh,
         {{"sfpu.issue_width", "2"}},
         {0x93360000, 0x7c000120},
         {{0x7f002111, 0x84021110, 0x94001225, 0}, {0x2bc61d00, 0, 0, 0}, 0x506}},
        {wh,
         {{"sfpu.issue_width", "2"}},
         {0x93434001, 0x8f000000, 0x38000000, 0x75177440},
         {{0x7900175a, 0x84065250, 0x8e31564d, 0}, {0, 0x00fe1d00, 0, 0}, 0x8f3}},
        // An SFPLOADMACRO that the chip holds: what it schedules reads a result under way.
        {bh,
         {{"sfpu.latency.shuffle", "3"}, {"sfpu.auto_stall", "false"}},
         {0x94000652, 0x93440001},
         {{0x76a6a161, 0x86024540, 0x94006124, 0}, {0, 0x0000c500, 0, 0}, 0xfc2}},
        // A template is read in the cycle in which it is written.
        {bh,
         {},
         {0x93242006, 0x8f000000, 0x8f000000, 0x8f000000, 0x8e1201e1},
         {{0x7c000938, 0x86043260, 0x8e536006, 0}, {0xe346051c, 0, 0, 0}, 0xfc6}},
    };
    return programs;
}

} // namespace

std::vector<trial> known_programs() {
    std::vector<trial> result;
    for (const program& each : table()) {
        parameters machine;
        machine.arch = each.arch;
        for (const auto& [path, value] : each.parameters)
            if (const auto problem = set_parameter(machine, path, value)) throw std::runtime_error(*problem);
        const bool has_macros = each.macro.sequences != std::array<std::uint32_t, 4>{};
        trial made = random_trials(1).next(machine, has_macros);
        made.words = each.words;
        made.words.insert(made.words.end(), 10, 0x8f000000u);
        made.idle.clear();
        made.start.config = {};
        made.start.config.macro.fill(each.macro);
        result.push_back(made);
    }
    return result;
}

} // namespace sfpu::oracle
