// Runs one target by libFuzzer: fuzz_libfuzzer --target=NAME [options of libFuzzer] [folders]
//   fuzz_libfuzzer --list                 the names of all targets
//   fuzz_libfuzzer --tested TARGET...     whether these are all that there are
//   fuzz_libfuzzer --seeds=NAME FOLDER    writes the seeds of a target, and dictionary.txt beside the folder
#include "fuzz_target.h"

#include <systemc>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

const sfpu::fuzz::target* chosen = nullptr;

const sfpu::fuzz::target& target_of(const std::string& name) {
    if (const sfpu::fuzz::target* found = sfpu::fuzz::find_target(name)) return *found;
    std::fprintf(stderr, "fuzz: found '%s', expected one of:", name.c_str());
    for (const sfpu::fuzz::target& each : sfpu::fuzz::targets()) std::fprintf(stderr, " %s", each.name);
    std::fprintf(stderr, "\n");
    std::exit(1);
}

void write_seeds(const sfpu::fuzz::target& of, const std::string& folder) {
    unsigned number = 0;
    for (const std::string& seed : of.seeds())
        std::ofstream(folder + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
    std::ofstream dictionary(folder + "/../dictionary.txt");
    for (const std::string& token : sfpu::fuzz::tokens()) dictionary << '"' << token << "\"\n";
}

} // namespace

/// Nothing of SystemC's own main is used.
int sc_main(int, char*[]) { return 0; }

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    const std::string first = *argc > 1 ? (*argv)[1] : "";
    if (first == "--list") {
        for (const sfpu::fuzz::target& each : sfpu::fuzz::targets()) std::printf("%s\n", each.name);
        std::exit(0);
    }
    if (first == "--tested")
        std::exit(sfpu::fuzz::all_tested(std::vector<std::string>(*argv + 2, *argv + *argc)) ? 0 : 1);
    if (first.compare(0, 8, "--seeds=") == 0 && *argc == 3) {
        write_seeds(target_of(first.substr(8)), (*argv)[2]);
        std::exit(0);
    }
    chosen = &target_of(first.compare(0, 9, "--target=") == 0 ? first.substr(9) : first);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    chosen->run({reinterpret_cast<const char*>(data), size});
    return 0;
}
