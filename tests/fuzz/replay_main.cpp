// Plays a target's seeds, its corpus and mutations of both, always the same ones.
//
//   fuzz_replay TARGET [INPUTS [RANDOM_SEED]]   INPUTS mutated ones; what the table says without
//   fuzz_replay TARGET FILE...                  these inputs only
//   fuzz_replay --tested TARGET...              whether these are all that there are
//
// With SFPU_FUZZ_SECONDS=N in the environment the first form plays mutated ones for N seconds of processor
// time, another sequence each time; it says which.
//
// An input that ends the program is kept as fuzz-TARGET.input in the working directory.
#include "address_sanitizer.h"
#include "fuzz_target.h"
#include "tree_path.h"

#include <systemc>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>

#ifdef SFPU_HAS_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace sfpu::fuzz {
namespace {

constexpr std::size_t longest_input = 8192;

std::string current;
std::string kept_name;

void keep_input() {
    if (kept_name.empty()) return;
    std::ofstream(kept_name, std::ios::binary) << current;
    std::fprintf(stderr, "the input is in %s\n", kept_name.c_str());
    kept_name.clear();
}
void keep_input_of_signal(int number) {
    keep_input();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

/// Bytes that mean something, some repeated and some lost, pieces of other inputs.
class mutator {
public:
    mutator(std::vector<std::string> inputs, std::uint32_t seed)
        : inputs_(std::move(inputs)), random_(seed) {}

    std::string next() {
        std::string bytes = inputs_[pick(inputs_.size())];
        if (bytes.size() > longest_input) bytes = piece_of(bytes);
        for (std::size_t count = 1 + pick(6); count != 0; --count) change(bytes);
        return bytes;
    }

private:
    std::size_t pick(std::size_t below) { return below == 0 ? 0 : random_() % below; }
    std::string piece_of(const std::string& bytes) {
        const std::size_t begin = pick(bytes.size());
        return bytes.substr(begin, 1 + pick(std::min(bytes.size() - begin, longest_input)));
    }
    void change(std::string& bytes) {
        static const std::vector<std::string> words = tokens();
        const std::size_t place = pick(bytes.size() + 1);
        switch (pick(8)) {
        case 0:
            if (!bytes.empty()) bytes[pick(bytes.size())] = static_cast<char>(random_());
            break;
        case 1:
            if (!bytes.empty()) bytes[pick(bytes.size())] ^= static_cast<char>(1u << pick(8));
            break;
        case 2: bytes.erase(place, pick(1 + bytes.size() / 4)); break;
        case 3: bytes.insert(place, words[pick(words.size())]); break;
        case 4:
            bytes.insert(place, piece_of(inputs_[pick(inputs_.size())]).substr(0, longest_input / 4));
            break;
        case 5: bytes.insert(place, bytes.substr(place, pick(64))); break;
        case 6: bytes.insert(place, 1 + pick(4), "\0\xff\n\"[{(,-0"[pick(10)]); break;
        case 7: {
            constexpr const char* numbers[] = {
                "0", "-1", "4294967295", "4294967296", "0x80000000", "18446744073709551616", "1e999"};
            bytes.insert(place, numbers[pick(std::size(numbers))]);
            break;
        }
        }
        if (bytes.size() > longest_input) bytes.resize(longest_input);
    }

    std::vector<std::string> inputs_;
    std::mt19937 random_;
};

void play(const target& of, std::string input) {
    current = std::move(input);
    of.run(current);
}

std::string content_of(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

bool is_number(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

int replay(const target& of, const std::vector<std::string>& arguments) {
    if (!arguments.empty() && !is_number(arguments[0])) {
        for (const std::string& name : arguments) play(of, content_of(name));
        return 0;
    }
    std::vector<std::string> inputs = of.seeds();
    std::error_code none;
    for (const auto& each :
         std::filesystem::directory_iterator(tree_path("tests/fuzz/corpus/" + std::string(of.name)), none))
        inputs.push_back(content_of(each.path().string()));
    std::sort(inputs.begin(), inputs.end());
    inputs.emplace_back();
    for (const std::string& each : inputs) play(of, each);
#ifdef SFPU_INSTRUMENTED
    std::size_t count = of.test_inputs / 5;
#else
    std::size_t count = of.test_inputs;
#endif
    std::uint32_t seed = 1;
    double until = 0;
    if (!arguments.empty()) count = std::stoul(arguments[0]);
    else if (const char* const seconds = std::getenv("SFPU_FUZZ_SECONDS")) {
        until = processor_seconds() + std::stod(seconds);
        count = std::numeric_limits<std::size_t>::max();
        seed = std::random_device()();
        std::fprintf(stderr, "%s: random sequence %u\n", of.name, seed);
    } else if (std::getenv("SFPU_NIGHTLY")) count *= 100;
    if (arguments.size() > 1) seed = static_cast<std::uint32_t>(std::stoul(arguments[1]));
    mutator mutated(inputs, seed);
    std::size_t played = 0;
    while (played < count && (until == 0 || processor_seconds() < until)) {
        play(of, mutated.next());
        ++played;
    }
    std::fprintf(stderr, "%s: %zu seeds and %zu mutated inputs of random sequence %u\n", of.name,
                 inputs.size(), played, seed);
    return 0;
}

} // namespace
} // namespace sfpu::fuzz

int sc_main(int argc, char* argv[]) {
    using namespace sfpu::fuzz;
    if (argc > 1 && std::string(argv[1]) == "--tested")
        return all_tested(std::vector<std::string>(argv + 2, argv + argc)) ? 0 : 1;
    const target* chosen = argc > 1 ? find_target(argv[1]) : nullptr;
    if (!chosen) {
        std::fprintf(stderr, "usage: fuzz_replay TARGET [INPUTS [RANDOM_SEED] | FILE...]\ntargets:");
        for (const target& each : targets()) std::fprintf(stderr, " %s", each.name);
        std::fprintf(stderr, "\n");
        return 1;
    }
    kept_name = std::string("fuzz-") + chosen->name + ".input";
    for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGALRM})
        std::signal(number, keep_input_of_signal);
#ifdef SFPU_HAS_ADDRESS_SANITIZER
    __sanitizer_set_death_callback(keep_input);
#endif
    try {
        return replay(*chosen, std::vector<std::string>(argv + 2, argv + argc));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fuzz_replay: uncaught exception: %s\n", error.what());
        keep_input();
        return 1;
    }
}

int main(int argc, char* argv[]) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
