#include "word_sweep.h"

#include <sfpu/platform/core_runner.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace sfpu::analysis {
namespace {

constexpr std::uint64_t all_words = std::uint64_t{1} << 32;

class sweeping {
public:
    explicit sweeping(const word_sweep& of) : of_(of), in_run_(of.input_a.elements()) {}

    void work() {
        platform::run_request a = of_.a, b = of_.b;
        platform::core_runner runner_a, runner_b; // one for each kernel: what was learned of words stays
        while (!is_over_) {
            const std::uint64_t first = next_.fetch_add(in_run_);
            if (first >= all_words) return;
            if (of_.interrupted && of_.interrupted()) {
                interrupted_ = is_over_ = true;
                return;
            }
            for (std::size_t element = 0; element < in_run_; ++element) {
                const auto lane = static_cast<unsigned>(element % lane_count);
                const auto value = static_cast<std::uint32_t>(first + element);
                write_cell(a.dst_rows, of_.input_a.slices[element / lane_count], lane, value);
                write_cell(b.dst_rows, of_.input_b.slices[element / lane_count], lane, value);
            }
            runner_a.run(a);
            runner_b.run(b);
            ++runs_;
            if (of_.differ(runner_a.dst(), runner_b.dst())) note(first);
        }
    }

    word_sweep::outcome result() const { return {first_, runs_, interrupted_}; }

private:
    void note(std::uint64_t first) {
        const std::lock_guard<std::mutex> lock(mutex_);
        first_ = std::min(first, first_.value_or(first));
        is_over_ = true;
    }

    const word_sweep& of_;
    const std::uint64_t in_run_;
    std::atomic<std::uint64_t> next_{0}, runs_{0};
    std::atomic<bool> is_over_{false}, interrupted_{false};
    std::mutex mutex_;
    std::optional<std::uint64_t> first_;
};

} // namespace

word_sweep::outcome word_sweep::run() const {
    sweeping shared(*this);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        others.emplace_back([&shared] { shared.work(); });
    shared.work();
    for (std::thread& each : others) each.join();
    return shared.result();
}

} // namespace sfpu::analysis
