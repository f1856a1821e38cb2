// As many searches at once as there are threads; the thread sanitizer runs this, too.
#include "tree_path.h"

#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/text_files.h>

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace sfpu::test {
namespace {

using analysis::optimize_answer;

/// A search that takes the same steps everywhere.
optimize_answer optimized_kernel(const std::string& kernel) {
    analysis::optimize_request request;
    request.name = "kernels/optimized/" + kernel;
    request.text = analysis::read_file(tree_path(request.name));
    request.conflicts = 50'000;
    return analysis::optimize(request);
}

/// What two searches of the same steps have in common: all but seconds.
void expect_same(const optimize_answer& a, const optimize_answer& b) {
    ASSERT_TRUE(a.best && b.best) << a.kernel;
    EXPECT_EQ(a.schedule, b.schedule) << a.kernel;
    EXPECT_EQ(a.best->cycles_per_row, b.best->cycles_per_row) << a.kernel;
    EXPECT_EQ(a.best->cells, b.best->cells) << a.kernel;
    EXPECT_EQ(a.proved, b.proved) << a.kernel;
    ASSERT_EQ(a.refuted.size(), b.refuted.size()) << a.kernel;
    for (std::size_t i = 0; i < a.refuted.size(); ++i) {
        EXPECT_EQ(a.refuted[i].cycles_per_row, b.refuted[i].cycles_per_row) << a.kernel;
        EXPECT_EQ(a.refuted[i].conflicts, b.refuted[i].conflicts) << a.kernel;
    }
}

TEST(optimizing, four_threads_find_what_one_finds) {
    const std::vector<std::string> kernels{"cube.s", "relu_wh.s", "clamp.s", "cube.s"};
    std::vector<optimize_answer> alone(kernels.size()), together(kernels.size());
    // Before any other search, so that they meet in what is made once for all.
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        threads.emplace_back([&, i] { together[i] = optimized_kernel(kernels[i]); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < kernels.size(); ++i) alone[i] = optimized_kernel(kernels[i]);
    for (std::size_t i = 0; i < kernels.size(); ++i) expect_same(alone[i], together[i]);
    expect_same(alone.front(), alone.back());
}

} // namespace
} // namespace sfpu::test
