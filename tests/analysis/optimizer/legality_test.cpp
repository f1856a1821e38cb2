// The formula of schedules against the machine: what one calls legal, the other does. Small random kernels,
// schedules that are models of the formula, that are nearly so, and that nobody asked the formula about.
#include "formula_state.h"
#include "schedule_lab.h"

#include <sfpu/optimizer/search.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

namespace sfpu::test {
namespace {

using optimizer::group;
using optimizer::schedule;

const machine_settings machines[] = {{},
                                     {},
                                     {},
                                     {{"macro.templates", "6"}},
                                     {{"macro.count", "6"}},
                                     {{"macro.delay_bits", "4"}, {"macro.slots", "16"}},
                                     {{"macro.slots", "4"}},
                                     {{"sfpu.latency.mad", "3"}},
                                     {{"sfpu.latency.mad", "1"}},
                                     {{"sfpu.latency.simple", "2"}},
                                     {{"sfpu.write_port_rule", "false"}},
                                     {{"sfpu.mad_units", "2"}},
                                     {{"dst.store_load_visible", "2"}},
                                     {{"sfpu.issue_width", "2"}}};
const machine_settings two_slots[] = {{{"sfpu.issue_width", "2"}},
                                      {{"sfpu.issue_width", "2"}},
                                      {{"sfpu.issue_width", "2"}, {"sfpu.mad_units", "2"}},
                                      {{"sfpu.issue_width", "2"}, {"dst.load_ports", "2"}},
                                      {{"sfpu.issue_width", "2"}, {"sfpu.latency.load", "2"}},
                                      {{"sfpu.issue_width", "2"}, {"sfpu.latency.mad", "3"}},
                                      {{"sfpu.issue_width", "2"}, {"sfpu.write_port_rule", "false"}}};

const machine_settings slow_units[] = {{{"sfpu.latency.swap", "3"}},
                                       {{"sfpu.latency.round", "2"}, {"sfpu.latency.swap", "3"}},
                                       {{"sfpu.latency.simple", "2"}, {"sfpu.latency.swap", "4"}},
                                       {{"sfpu.latency.shuffle", "3"}}};

unsigned many(unsigned usually) {
#ifdef SFPU_INSTRUMENTED
    usually = (usually + 3) / 4;
#endif
    return std::getenv("SFPU_NIGHTLY") ? usually * 50 : usually;
}

struct random_case {
    std::shared_ptr<const schedule_lab> lab; ///< null: the plain kernel is none that can be judged
    judged_limits limits;
};

/// Any machine, any with one issue slot, with two, with slow units of two cycles.
enum class issue : std::uint8_t { any, one, two, slow };

const machine_settings& machine_of(std::mt19937& numbers, issue slots) {
    if (slots == issue::two) return two_slots[numbers() % std::size(two_slots)];
    if (slots == issue::slow) return slow_units[numbers() % std::size(slow_units)];
    // The last of all machines has two issue slots.
    return machines[numbers() % (std::size(machines) - (slots == issue::one ? 1 : 0))];
}

/// `may_lose`: see random_kernel().
random_case case_of(std::mt19937& numbers, bool may_lose, issue slots = issue::any) {
    const auto chip = numbers() % 3 ? architecture::blackhole : architecture::wormhole;
    const bool flags = numbers() % 4 == 0;
    const unsigned size = 2 + numbers() % 4 + (flags ? 1 : 0);
    const std::string text = random_kernel(numbers, chip, size, flags, may_lose);
    random_case made;
    try {
        made.lab = std::make_shared<const schedule_lab>(text, machine_of(numbers, slots));
    } catch (const unusable_kernel&) {
        return made;
    }
    made.limits.interval =
        optimizer::lower_bound(made.lab->graph(), made.lab->machine()).interval + numbers() % 3;
    made.limits.rows = 1 + numbers() % 2;
    made.limits.horizon = optimizer::horizon_for(made.lab->graph(), made.limits.interval);
    made.limits.copies = flags ? 1 : 1 + numbers() % 2;
    return made;
}

std::string told(const schedule_lab& lab, const run_verdict& verdict) {
    return fmt::format("{}\n{}\n{}", lab.description(), verdict.kernel, verdict.why);
}

class both_ways : public testing::TestWithParam<issue> {};

TEST_P(both_ways, what_is_a_model_of_the_formula_is_right_on_the_machine) {
    unsigned drawn = 0;
    for (unsigned seed = 1; seed <= many(60); ++seed) {
        std::mt19937 numbers(seed);
        const random_case one = case_of(numbers, true, GetParam());
        if (!one.lab) continue;
        formula_judge judge(*one.lab, one.limits);
        for (unsigned i = 0; i < 8; ++i) {
            schedule model;
            if (!judge.draw(numbers, model)) break;
            ++drawn;
            const run_verdict verdict = one.lab->run(model);
            ASSERT_TRUE(verdict.legal) << "seed " << seed << "\n" << told(*one.lab, verdict);
            // What a model is read as is a model: else the other direction would prove nothing.
            normalise(*one.lab, model);
            ASSERT_TRUE(judge.allows(model)) << "seed " << seed << "\n" << told(*one.lab, verdict);
        }
    }
    EXPECT_GT(drawn, many(60) * 3);
}

TEST_P(both_ways, what_is_right_on_the_machine_is_a_model_of_the_formula) {
    std::map<std::string, unsigned> not_judged;
    unsigned legal = 0, illegal = 0, unexplained = 0;
    std::string first;
    for (unsigned seed = 1; seed <= many(50); ++seed) {
        std::mt19937 numbers(1000 + seed);
        const random_case one = case_of(numbers, false, GetParam());
        if (!one.lab) continue;
        formula_judge judge(*one.lab, one.limits);
        std::vector<schedule> candidates;
        for (unsigned i = 0; i < 16; ++i)
            candidates.push_back(random_schedule(numbers, *one.lab, one.limits));
        for (unsigned i = 0; i < 6; ++i) {
            schedule model;
            if (!judge.draw(numbers, model)) break;
            for (unsigned k = 0; k < 4; ++k) {
                candidates.push_back(model);
                bool changed = disturb(numbers, *one.lab, one.limits, candidates.back());
                if (changed && k % 2) changed = disturb(numbers, *one.lab, one.limits, candidates.back());
                if (!changed) candidates.pop_back();
            }
        }
        for (const schedule& candidate : candidates) {
            if (candidate.last_time >= one.limits.horizon) continue;
            const bool allowed = judge.allows(candidate);
            const run_verdict verdict = one.lab->run(candidate);
            ++(verdict.legal ? legal : illegal);
            if (allowed == verdict.legal) continue;
            ASSERT_FALSE(allowed) << "seed " << seed << ": the formula allows what is wrong\n"
                                  << told(*one.lab, verdict);
            const std::string reason = not_considered(*one.lab, candidate);
            if (!reason.empty()) {
                ++not_judged[reason];
                continue;
            }
            if (judge.allows_likewise(candidate)) continue;
            if (unexplained++ == 0)
                first = fmt::format("seed {}: the formula refuses what is right\n{}", seed,
                                    told(*one.lab, verdict));
        }
    }
    EXPECT_GT(legal, many(50));
    EXPECT_GT(illegal, many(50) * 2);
    // Data may hide a wrong operand by chance, as a multiplication does that makes small integers zero.
    EXPECT_LE(unexplained, legal / 1000) << first;
    // Exceptions stay exceptions.
    unsigned exceptions = 0;
    for (const auto& [reason, count] : not_judged) {
        exceptions += count;
        std::printf("%u times: %s\n", count, reason.c_str());
    }
    EXPECT_LT(exceptions, legal / 2);
}

INSTANTIATE_TEST_SUITE_P(legality, both_ways, testing::Values(issue::any, issue::two, issue::slow),
                         [](const auto& each) {
                             return each.param == issue::any   ? "any_machine"
                                    : each.param == issue::two ? "two_issue_slots"
                                                               : "slow_units_of_two_cycles";
                         });

TEST(legality, what_is_called_bubble_proof_is_right_with_bubbles) {
    unsigned drawn = 0, others_that_are_not = 0;
    for (unsigned seed = 1; seed <= many(60); ++seed) {
        std::mt19937 numbers(2000 + seed);
        random_case one = case_of(numbers, true, issue::one);
        if (!one.lab) continue;
        one.limits.bubble_proof = true;
        formula_judge proof(*one.lab, one.limits);
        one.limits.bubble_proof = false;
        formula_judge any(*one.lab, one.limits);
        for (unsigned i = 0; i < 5; ++i) {
            schedule model;
            if (any.draw(numbers, model))
                others_that_are_not += !one.lab->run_with_bubbles(model, numbers).legal;
            if (!proof.draw(numbers, model)) break;
            ++drawn;
            const run_verdict verdict = one.lab->run_with_bubbles(model, numbers);
            ASSERT_TRUE(verdict.legal) << "seed " << seed << "\n" << told(*one.lab, verdict);
        }
    }
    EXPECT_GT(drawn, many(60) * 2);
    EXPECT_GT(others_that_are_not, many(60) / 4) << "else bubbles matter to nobody";
}

// --- every group of constraints is needed ------------------------------------------------------------------

/// A random case and the numbers that are left for what is drawn. Each is made once: every constraint looks
/// at the same ones.
std::pair<random_case, std::mt19937> known_case(unsigned seed, issue slots) {
    static std::map<std::pair<unsigned, issue>, std::pair<random_case, std::mt19937>> known;
    const auto found = known.find({seed, slots});
    if (found != known.end()) return found->second;
    std::mt19937 numbers(seed);
    random_case made = case_of(numbers, true, slots);
    return known[{seed, slots}] = {std::move(made), numbers};
}

/// Looks for a model of the formula without some of its clauses, or with a broken one, that is wrong on the
/// machine, among the kernels of so many seeds. Returns the seed, 0 if there is none.
template <class LeaveOut>
unsigned shows_to_be_needed(LeaveOut&& leave_out, unsigned first, unsigned kernels,
                            issue slots = issue::any) {
    for (unsigned seed = first; seed < first + kernels; ++seed) {
        auto [one, numbers] = known_case(seed, slots);
        if (!one.lab) continue;
        leave_out(one.limits);
        formula_judge judge(*one.lab, one.limits);
        for (unsigned i = 0; i < 4; ++i) {
            schedule model;
            try {
                if (!judge.draw(numbers, model)) break;
            } catch (const std::logic_error&) { // what was found is no schedule at all
                return seed;
            }
            if (!one.lab->run(model).legal) return seed;
        }
    }
    return 0;
}

class every_group : public testing::TestWithParam<group> {};

TEST_P(every_group, is_needed) {
    // Where to begin saves time: sub-units meet rarely.
    const unsigned first = GetParam() == group::mad_unit ? 85 : GetParam() == group::round_unit ? 225 : 1;
    const unsigned seed =
        shows_to_be_needed([](judged_limits& limits) { limits.without = GetParam(); }, first, 400);
    EXPECT_NE(seed, 0u) << "without " << to_string(GetParam()) << " every model of the formula is right";
    RecordProperty("seed", static_cast<int>(seed));
}

std::vector<group> groups() {
    std::vector<group> all;
    for (unsigned g = 1; g < optimizer::group_count; ++g) all.push_back(static_cast<group>(g));
    return all;
}

INSTANTIATE_TEST_SUITE_P(legality, every_group, testing::ValuesIn(groups()), [](const auto& each_group) {
    std::string name = to_string(each_group.param);
    for (char& each : name)
        if (each == ' ') each = '_';
    return name;
});

// --- and every constraint ----------------------------------------------------------------------------------

TEST(legality, results_of_simple_and_round_in_one_cycle_are_kept_apart) {
    const schedule_lab lab(".arch bh\n.rows 12\n.equ x, 0x00\n.equ y, 0x40\n.equ out, 0x80\n.init\n"
                           "    setc16 34, 2\n    setc16 35, 0\n.loop\n"
                           "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n"
                           "    sfpabs 0, L0, L2, 0\n    sfpshft2 L1, L1, L3, 5\n    sfpxor 0, L2, L3, 0\n"
                           "    sfpstore L3, INT32, ADDR_MOD_6, out\n",
                           {});
    judged_limits limits;
    limits.interval = 4;
    limits.horizon = optimizer::horizon_for(lab.graph(), limits.interval);
    limits.without = group::write_port;
    formula_judge judge(lab, limits);
    std::mt19937 numbers(1);
    bool found = false;
    for (unsigned i = 0; i < 200 && !found; ++i) {
        schedule model;
        ASSERT_TRUE(judge.draw(numbers, model));
        found = lab.run(model).why.find("simple-round-conflict") != std::string::npos;
    }
    EXPECT_TRUE(found) << "T9 is not what the formula's clauses say";
}

/// Kernels for what random ones rarely have: loads that share a macro, stores of two modes, flags that each
/// version of somebody reads, exchanges beside multiplications.
const char* const rare_rows[] = {
    // Two loads with the same work in one macro.
    "    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpload L1, FP32, ADDR_MOD_7, y\n    sfpabs 0, L0, L2, 1\n"
    "    sfpabs 0, L1, L3, 1\n    sfpstore L2, FP32, ADDR_MOD_7, x\n    sfpstore L3, FP32, ADDR_MOD_6, y\n",
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpnot 0, L0, L2, 0\n"
    "    sfpstore L2, INT32, ADDR_MOD_7, x\n    sfpnot 0, L1, L3, 0\n    sfpxor 0, L2, L3, 0\n"
    "    sfpstore L3, INT32, ADDR_MOD_6, y\n",
    // Stores of two modes.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, FP32, ADDR_MOD_7, y\n    sfpnot 0, L0, L2, 0\n"
    "    sfpstore L2, FP32, ADDR_MOD_7, x\n    sfpabs 0, L1, L3, 1\n    sfpstore L3, INT32, ADDR_MOD_6, y\n",
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, FP32, ADDR_MOD_7, y\n    sfpstore L0, UINT16, "
    "ADDR_MOD_7, y\n"
    "    sfpstore L1, BF16, ADDR_MOD_6, x\n",
    // Flags.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfppushc 0, L0, L0, 0\n    sfpsetcc 0, L0, L0, 0\n"
    "    sfpnot 0, L0, L0, 0\n    sfpcompc 0, L0, L0, 0\n    sfpabs 0, L0, L0, 0\n    sfppopc 0, L0, L0, 0\n"
    "    sfpstore L0, INT32, ADDR_MOD_6, x\n",
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfppushc 0, L0, L0, 0\n    sfpsetcc 0, L0, L0, 0\n"
    "    sfploadi L0, USHORT, 7\n    sfppopc 0, L0, L0, 0\n    sfpstore L0, INT32, ADDR_MOD_6, x\n",
    // An exchange beside multiplications.
    "    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpload L1, FP32, ADDR_MOD_7, y\n    sfpmul L0, L0, L9, L2, "
    "0\n    sfpnop\n"
    "    sfpswap 0, L0, L1, 1\n    sfpnop\n    sfpmul L1, L2, L9, L1, 0\n    sfpnop\n"
    "    sfpstore L1, FP32, ADDR_MOD_6, x\n",
    // An exchange that issue waits for, and one whose operands a dead load would overwrite.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpnot 0, L0, L2, 0\n"
    "    sfpswap 0, L2, L1, 1\n    sfpnop\n    sfpiadd 5, L1, L3, 5\n    sfpxor 0, L2, L3, 0\n"
    "    sfpstore L3, INT32, ADDR_MOD_6, x\n",
    "    sfpload L1, INT32, ADDR_MOD_7, x\n    sfpload L2, INT32, ADDR_MOD_7, y\n    sfpswap 0, L2, L1, 1\n"
    "    sfpnop\n    sfpstore L2, INT32, ADDR_MOD_6, more\n",
    // What the row stores and loads again.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpnot 0, L0, L1, 0\n    sfpstore L1, INT32, ADDR_MOD_7, "
    "more\n"
    "    sfpabs 0, L0, L2, 0\n    sfpload L3, INT32, ADDR_MOD_7, more\n    sfpxor 0, L3, L2, 0\n"
    "    sfpstore L2, INT32, ADDR_MOD_6, x\n",
    // Shifts for either sub-unit, more for one load than for the other.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpshft 1, L0, L0, 1\n"
    "    sfpshft 1, L0, L0, 1\n    sfpshft 1, L1, L1, 1\n    sfpstore L0, INT32, ADDR_MOD_7, x\n"
    "    sfpstore L1, INT32, ADDR_MOD_6, y\n",
    // Results of both sub-units that are only stored.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpabs 0, L0, L2, 0\n"
    "    sfpshft2 L1, L1, L3, 5\n    sfpstore L2, INT32, ADDR_MOD_7, x\n    sfpstore L3, INT32, ADDR_MOD_6, "
    "y\n",
    // A field that is not used, but looked at: VB of a rounding to nearest.
    "    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpload L1, FP32, ADDR_MOD_7, y\n    sfpmul L0, L1, L9, L3, 0\n"
    "    sfpnop\n    sfpstochrnd 0, 0, L3, L1, L2, 1\n    sfpstore L3, FP32, ADDR_MOD_7, y\n"
    "    sfpstore L2, FP32, ADDR_MOD_6, x\n",
    // A shift for either sub-unit beside others.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpshft 3, L0, L0, 1\n"
    "    sfpshft 5, L1, L1, 1\n    sfpxor 0, L0, L1, 0\n    sfpstore L1, INT32, ADDR_MOD_6, x\n",
    // A load that may take the register of what is left behind the loop.
    "    sfpload L1, INT32, ADDR_MOD_7, x\n    sfpnot 0, L1, L0, 0\n    sfpstore L0, INT32, ADDR_MOD_6, x\n"
    ".tail\n    sfpstore L0, INT32, ADDR_MOD_7, more\n",
    // What is computed from it may do so, too.
    "    sfpload L1, INT32, ADDR_MOD_7, x\n    sfpnot 0, L1, L0, 0\n    sfpabs 0, L0, L2, 0\n"
    "    sfpstore L2, INT32, ADDR_MOD_6, x\n.tail\n    sfpstore L0, INT32, ADDR_MOD_7, more\n",
};

/// Another load than the one that schedules the store may schedule what it stores.
const char row_for_the_place_of_another_load[] =
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfpnot 0, L0, L2, 0\n"
    "    sfpstore L2, INT32, ADDR_MOD_7, y\n    sfpstore L1, INT32, ADDR_MOD_6, more\n";

/// One load and more to do than it can schedule: instructions share cycles.
const char* const rows_for_two_slots[] = {
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpiadd 3, L0, L1, 5\n    sfpmul24 L0, L0, L9, L2, 0\n    "
    "sfpnop\n"
    "    sfpiadd 5, L2, L3, 5\n    sfpmul24 L1, L3, L9, L4, 0\n    sfpnop\n    sfpiadd 7, L4, L5, 5\n"
    "    sfpmul24 L5, L3, L9, L0, 0\n    sfpnop\n    sfpiadd 0, L0, L1, 4\n"
    "    sfpstore L1, INT32, ADDR_MOD_6, x\n",
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpmul24 L0, L0, L9, L1, 0\n    sfpnop\n    sfpnot 0, L0, L2, "
    "0\n"
    "    sfpmul24 L2, L1, L9, L3, 0\n    sfpnop\n    sfpabs 0, L3, L4, 0\n    sfpmul24 L4, L0, L9, L5, 0\n"
    "    sfpnop\n    sfpiadd 2, L5, L6, 5\n    sfpshft2 L6, L2, L7, 5\n    sfpstore L7, INT32, ADDR_MOD_6, "
    "x\n",
    // Stores that are issued beside the load of another row.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpmul24 L0, L0, L9, L1, 0\n    sfpnop\n    sfpnot 0, L0, L2, "
    "0\n"
    "    sfpstore L0, INT32, ADDR_MOD_7, y\n    sfpmul24 L1, L2, L9, L3, 0\n    sfpnop\n"
    "    sfpstore L2, UINT16, ADDR_MOD_7, more\n    sfpstore L3, INT32, ADDR_MOD_6, x\n",
    // SFPLOADI is a word of the load sub-unit: not in the cycle of a load, nor behind one word that is no
    // load.
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfploadi L0, UPPER, 5\n    sfpstore L0, INT32, ADDR_MOD_6, "
    "x\n",
    "    sfpload L0, INT32, ADDR_MOD_7, x\n    sfpload L1, INT32, ADDR_MOD_7, y\n    sfploadi L0, UPPER, 5\n"
    "    sfpiadd 3, L0, L2, 5\n    sfpiadd 0, L1, L2, 4\n    sfpstore L2, INT32, ADDR_MOD_6, x\n",
};

std::string rare_kernel(const char* row) {
    return std::string(".arch bh\n.rows 12\n.equ x, 0x00\n.equ y, 0x40\n.equ more, 0xc4\n.init\n"
                       "    setc16 34, 2\n    setc16 35, 0\n    sfpencc 3, L0, L0, 10\n.loop\n") +
           row;
}

const schedule_lab& rare_lab(const char* row, const machine_settings& settings) {
    static std::map<std::pair<std::string, machine_settings>, std::unique_ptr<schedule_lab>> known;
    auto& lab = known[{row, settings}];
    if (!lab) lab = std::make_unique<schedule_lab>(rare_kernel(row), settings);
    return *lab;
}

/// The same for constraints of a site, among kernels that are written for them. Returns which one, 0 for
/// none.
unsigned rare_kernel_that_needs(const std::string& site, const std::vector<const char*>& kernels,
                                const std::vector<machine_settings>& on) {
    unsigned number = 0;
    for (const char* row : kernels) {
        ++number;
        for (const machine_settings& settings : on) {
            const schedule_lab& lab = rare_lab(row, settings);
            for (unsigned more = 0; more < 4; ++more) {
                judged_limits limits;
                limits.interval = optimizer::lower_bound(lab.graph(), lab.machine()).interval + more;
                limits.rows = 1 + more % 2;
                limits.horizon = optimizer::horizon_for(lab.graph(), limits.interval);
                limits.copies = 1;
                limits.broken_site = site;
                formula_judge judge(lab, limits);
                std::mt19937 numbers(more);
                for (unsigned i = 0; i < 12; ++i) {
                    schedule model;
                    try {
                        if (!judge.draw(numbers, model)) break;
                    } catch (const std::logic_error&) {
                        return number;
                    }
                    if (!lab.run(model).legal) return number;
                }
            }
        }
    }
    return 0;
}

const std::vector<const char*> rare_kernels{std::begin(rare_rows), std::end(rare_rows)};
const std::vector<machine_settings> rare_machines{{},
                                                  {{"macro.count", "1"}},
                                                  {{"sfpu.latency.round", "2"}},
                                                  {{"sfpu.mad_units", "2"}},
                                                  {{"sfpu.latency.swap", "3"}}};

TEST(legality, rare_kernels_have_right_models) {
#ifdef SFPU_INSTRUMENTED
    const std::vector<machine_settings> some{rare_machines.front()};
#else
    const std::vector<machine_settings>& some = rare_machines;
#endif
    EXPECT_EQ(rare_kernel_that_needs("", rare_kernels, some), 0u)
        << "that kernel has a model that is wrong on the machine";
}

/// Constraints on which words share a cycle, which only machines with two issue slots have.
bool is_of_pairs(const std::string& site) { return site.rfind("formula_pairs", 0) == 0; }

/// The sites of clauses in the formulas of random kernels and of those for rare constraints.
std::map<std::string, optimizer::spare> all_sites() {
    std::map<std::string, optimizer::spare> sites;
    const auto add = [&](const schedule_lab& lab, judged_limits limits) {
        limits.one_of_many = true;
        const optimizer::formula problem(lab.graph(), lab.machine(), limits);
        for (const auto& [site, role] : optimizer::formula_seam::sites(problem))
            sites[site.text()] = role.why;
    };
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 numbers(seed);
        if (const random_case one = case_of(numbers, true); one.lab) add(*one.lab, one.limits);
    }
    for (const char* row : rare_rows) {
        const schedule_lab lab(rare_kernel(row), {});
        judged_limits limits;
        limits.interval = 4;
        add(lab, limits);
    }
    return sites;
}

// Which constraints are spare ones, and why, stands in reason_of().
TEST(legality, every_constraint_is_needed_that_is_not_called_spare) {
    unsigned all = 0;
    for (const auto& [site, why] : all_sites()) {
        if (why != optimizer::spare::none || is_of_pairs(site)) continue;
        ++all;
#ifdef SFPU_INSTRUMENTED
        if (all % 12 != 0) continue; // the others take too long there
#endif
        if (rare_kernel_that_needs(site, rare_kernels, rare_machines) != 0) continue;
        const auto break_it = [&, broken = site](judged_limits& limits) { limits.broken_site = broken; };
        EXPECT_NE(shows_to_be_needed(break_it, 1, 200), 0u) << site << " is missed by nobody";
    }
    EXPECT_GT(all, 70u);
    std::printf("%u constraints\n", all);
}

TEST(legality, spare_constraints_only_refuse_what_others_refuse_or_what_is_alike) {
    std::set<std::string> reasons;
    unsigned number = 0;
    for (const auto& [site, why] : all_sites()) {
        if (why == optimizer::spare::none) continue;
        reasons.insert(optimizer::reason_of(why));
        ++number;
#ifdef SFPU_INSTRUMENTED
        if (number % 4 != 0) continue;
#endif
        const auto break_it = [&, broken = site](judged_limits& limits) { limits.broken_site = broken; };
        EXPECT_EQ(shows_to_be_needed(break_it, 1, many(8)), 0u) << site << " is needed after all";
    }
    EXPECT_GT(reasons.size(), 10u);
    std::printf("%u spare constraints\n", number);
}

// One spare constraint refuses what is right, because it looks wrong.
TEST(legality, results_that_no_row_takes_look_lost_to_the_linter) {
    std::string site;
    for (const auto& [each, why] : all_sites())
        if (why == optimizer::spare::nothing_looks_lost) {
            EXPECT_EQ(site, "") << "two of them";
            site = each;
        }
    const schedule_lab lab(rare_kernel(row_for_the_place_of_another_load), {});
    std::array<unsigned, 2> look_lost{}, drawn{};
    for (const bool broken : {false, true}) {
        judged_limits limits;
        limits.interval = optimizer::lower_bound(lab.graph(), lab.machine()).interval;
        limits.horizon = optimizer::horizon_for(lab.graph(), limits.interval);
        if (broken) limits.broken_site = site;
        formula_judge judge(lab, limits);
        std::mt19937 numbers(1);
        schedule model;
        while (drawn[broken] < 40 && judge.draw(numbers, model)) {
            ++drawn[broken];
            const run_verdict verdict = lab.run(model);
            ASSERT_TRUE(verdict.legal) << told(lab, verdict);
            look_lost[broken] += lab.hazards(verdict).count(report_id::hazard_l16_overwritten);
        }
    }
    EXPECT_EQ(drawn[0], 40u);
    EXPECT_EQ(look_lost[0], 0u);
    EXPECT_GT(look_lost[1], drawn[1] / 4);
}

TEST(legality, of_schedules_that_are_alike_one_stays) {
    unsigned possible = 0, impossible = 0;
    for (unsigned seed = 1; seed <= many(300); ++seed) {
        std::mt19937 numbers(3000 + seed);
        random_case one = case_of(numbers, true);
        if (!one.lab) continue;
        const auto decided = [&] {
            optimizer::solver_limits patience;
            patience.conflicts = 20'000;
            const optimizer::formula problem(one.lab->graph(), one.lab->machine(), one.limits);
            return optimizer::solve(problem.clauses(), {}, patience).result;
        };
        if (seed % 2) one.limits.interval = std::max(1u, one.limits.interval - 1);
        const optimizer::outcome of_all = decided();
        // It begins with another cycle of the loop, so that it may end one interval later.
        one.limits.one_of_many = true;
        one.limits.horizon += one.limits.interval - 1;
        const optimizer::outcome of_one = decided();
        if (of_all == optimizer::outcome::satisfiable) {
            ++possible;
            EXPECT_NE(of_one, optimizer::outcome::refuted) << "seed " << seed << "\n"
                                                           << one.lab->description();
        }
        impossible += of_one == optimizer::outcome::refuted;
    }
    EXPECT_GT(possible, many(300) / 4);
    EXPECT_GT(impossible, many(300) / 8);
}

TEST(legality, which_words_share_a_cycle_needs_every_constraint) {
    std::set<std::string> sites;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 numbers(seed);
        const random_case one = case_of(numbers, true, issue::two);
        if (!one.lab) continue;
        const formula_judge judge(*one.lab, one.limits);
        for (const auto& [site, role] : optimizer::formula_seam::sites(judge.formula()))
            if (is_of_pairs(site.text())) sites.insert(site.text());
    }
    ASSERT_GT(sites.size(), 5u);
    const std::vector<machine_settings> two{two_slots[0]};
    const std::vector<const char*> rows{std::begin(rows_for_two_slots), std::end(rows_for_two_slots)};
    EXPECT_EQ(rare_kernel_that_needs("", rows, two), 0u) << "it has a wrong model";
    [[maybe_unused]] unsigned number = 0;
    for (const std::string& site : sites) {
#ifdef SFPU_INSTRUMENTED
        if (++number % 4 != 0) continue; // the others take too long there
#endif
        if (rare_kernel_that_needs(site, rows, two) != 0) continue;
        const auto break_it = [&](judged_limits& limits) { limits.broken_site = site; };
        EXPECT_NE(shows_to_be_needed(break_it, 1, 600, issue::two), 0u) << site << " is missed by nobody";
    }
}

} // namespace
} // namespace sfpu::test
