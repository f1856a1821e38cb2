// Runners on several threads at once give what one gives alone: they share nothing. The preset `tsan` runs
// this, too.
#include "kernel_file.h"
#include "lane_machine.h"
#include "random_program.h"
#include "random_requests.h"
#include "tree_path.h"
#include "whole_record.h"

#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/kernel_segments.h>

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sfpu::test {
namespace {

struct known_program {
    std::string name;
    platform::run_request request;
    listening how;
    whole_record expected;
};

class program_list {
public:
    std::vector<known_program> all;

    void add(const std::string& name, const platform::run_request& request) {
        const auto how = static_cast<listening>(all.size() % 3);
        all.push_back({name, request, how, record(alone_, request, how)});
    }

private:
    platform::core_runner alone_;
};

/// The kernels for the chip on random Dst contents; returns how many there are.
unsigned add_kernels(program_list& to, architecture arch) {
    std::set<std::string> files; // in the order of their names
    for (const auto& entry : std::filesystem::directory_iterator(tree_path("kernels")))
        if (entry.path().extension() == ".s") files.insert(entry.path().filename());
    random_bits random(5);
    unsigned count = 0;
    for (const std::string& file : files) {
        isa::kernel kernel;
        try {
            kernel = load_kernel(file, arch);
        } catch (const std::runtime_error&) {
            continue; // for the other chip
        }
        platform::run_request request;
        request.config.arch = arch;
        request.state.reset(request.config.sfpu_lreg12_default);
        request.thread.reset(arch);
        request.segments = platform::segments_of(kernel, 40);
        for (unsigned row = 0; row < 1024; ++row)
            for (std::uint16_t& cell : request.dst_rows[row])
                cell = static_cast<std::uint16_t>(random.next());
        to.add(fmt::format("{} on {}", file, short_name(arch)), request);
        ++count;
    }
    return count;
}

void add_random_programs(program_list& to) {
    random_programs programs(78);
    for (unsigned i = 0; i < case_count(30); ++i)
        to.add(fmt::format("program {} with macros and bubbles", i), programs.next());
    for (unsigned i = 0; i < case_count(30); ++i) {
        random_loops loops(160000 + i);
        to.add(fmt::format("program {} of loops", i), random_loop_request(loops, nullptr, false));
    }
    for (unsigned i = 0; i < case_count(30); ++i) {
        random_loops loops(170000 + i);
        front_end_words through(loops);
        to.add(fmt::format("program {} behind a front end", i), random_loop_request(loops, &through, i % 2));
    }
}

/// Every thread plays all programs, each with a runner of its own and from another one on, or all from the
/// first.
void play_on_threads(unsigned count, const std::vector<known_program>& programs, bool from_the_first) {
    std::atomic<unsigned> ready{0};
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < count; ++number)
        threads.emplace_back([&, number] {
            platform::core_runner runner;
            for (++ready; ready != count;) std::this_thread::yield();
            const std::size_t first = from_the_first ? 0 : number * programs.size() / count;
            for (std::size_t i = 0; i < programs.size(); ++i) {
                const known_program& program = programs[(first + i) % programs.size()];
                SCOPED_TRACE(fmt::format("thread {} of {}: {}", number, count, program.name));
                expect_same(program.expected, record(runner, program.request, program.how));
                if (testing::Test::HasFailure()) return;
            }
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(runners_on_threads, give_what_one_gives_alone) {
    program_list programs;
    for (const architecture arch : all_architectures) EXPECT_GE(add_kernels(programs, arch), 8u);
    add_random_programs(programs);
    for (const unsigned count : {2u, 3u, 4u})
        for (const bool from_the_first : {false, true}) play_on_threads(count, programs.all, from_the_first);
}

} // namespace
} // namespace sfpu::test
