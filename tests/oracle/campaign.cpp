// Random programs on random machines: the model against the oracle.
//
// usage: random_machines [OPTION VALUE]...
//
//   --programs N    50000; ten times as many with SFPU_NIGHTLY in the environment
//   --machines N    500
//   --seed N        another sequence of machines and programs
//   --show N        findings that are made small and shown; 5
//   --percent N     how many of a machine's parameters are not those of a chip; 35. 0 tries the chips
//   --without TEXT  parameters whose path holds the text stay as on the chip; may be given several times
//
// Half of the programs have macros. What the model makes of one without is what its words make one after the
// other; of one with macros, what the same words make on the chip; unless the model reports a hazard. At the
// chips themselves no report excuses a program with macros.
#include "known_programs.h"
#include "random_trials.h"

#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sfpu;

struct counts {
    unsigned programs = 0, with_macros = 0, excused = 0, findings = 0;
};

void try_one(const oracle::trial& what, unsigned shown, platform::program_runner& runner, counts& so_far) {
    ++so_far.programs;
    if (what.has_macros) ++so_far.with_macros;
    const oracle::verdict found = oracle::judge(what, runner);
    if (found.is_excused) ++so_far.excused;
    if (found.silent_difference.empty()) return;
    if (++so_far.findings > shown) return;
    const oracle::trial small = oracle::shrunk(what, runner);
    fmt::print("{}\n\n", oracle::describe_trial(small, oracle::judge(small, runner).silent_difference));
    std::fflush(stdout);
}

struct options {
    unsigned programs = 50000, machines = 500, seed = 1, show = 5, percent = 35;
    std::vector<std::string> without;
};

parameters machine_of(const options& what, unsigned number) {
    parameters result = oracle::random_machine(what.seed * 1000003u + number, what.percent);
    parameters chip;
    chip.arch = result.arch;
    for (const parameter_row& row : parameter_table())
        for (const std::string& text : what.without)
            if (std::string(row.path).find(text) != std::string::npos) row.set(result, row.get(chip));
    return result;
}

int campaign(const options& what) {
    platform::core_runner runner;
    counts so_far;
    for (const oracle::trial& known : oracle::known_programs()) try_one(known, what.show, runner, so_far);
    for (unsigned number = 0; number < what.machines; ++number) {
        const parameters machine = machine_of(what, number);
        oracle::random_trials trials(what.seed * 7919u + number);
        for (unsigned i = number; i < what.programs; i += what.machines)
            try_one(trials.next(machine, i / what.machines % 2 == 1), what.show, runner, so_far);
    }
    fmt::print("{} programs, {} of them with macros, on {} machines of seed {}: {} with a report that warns, "
               "{} silent differences\n",
               so_far.programs, so_far.with_macros, what.machines, what.seed, so_far.excused,
               so_far.findings);
    return so_far.findings == 0 ? 0 : 1;
}

options parsed(int argc, char** argv) {
    options result;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc) throw std::invalid_argument(name + " needs a value");
        unsigned* const number = name == "--programs"   ? &result.programs
                                 : name == "--machines" ? &result.machines
                                 : name == "--seed"     ? &result.seed
                                 : name == "--show"     ? &result.show
                                 : name == "--percent"  ? &result.percent
                                                        : nullptr;
        if (number) *number = static_cast<unsigned>(std::stoul(argv[i + 1]));
        else if (name == "--without") result.without.emplace_back(argv[i + 1]);
        else throw std::invalid_argument("no option is called " + name);
    }
    if (std::getenv("SFPU_NIGHTLY") != nullptr) result.programs *= 10;
    if (result.machines == 0) throw std::invalid_argument("--machines 0: expected one or more");
    return result;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return campaign(parsed(argc, argv));
    } catch (const std::exception& failure) {
        fmt::print(stderr, "random_machines: {}\n", failure.what());
        return 2;
    }
}
