#include <sfpu/analysis/exploration.h>

#include "sweep_files.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/views/exploration.h>

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <map>

#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

constexpr auto two_dozen_points =
    R"({"kernels": ["k.s"], "seeds": [1, 2], "parameters": {"sfpu.latency.mad": [1, 2, 3], "macro.slots": [4, 8, 6, 7]}})";

exploration_request request_of(const sweep_folder& folder, const std::string& text,
                               const std::string& output) {
    folder.write("k.s", timed_kernel(8));
    exploration_request request;
    request.what = folder.read(text);
    if (!output.empty()) request.folder = folder.place(output);
    request.jobs = 4;
    return request;
}

/// When each result was recorded.
std::map<std::string, fs::file_time_type> recorded(const sweep_folder& folder, const std::string& output) {
    std::map<std::string, fs::file_time_type> found;
    std::error_code ignored;
    for (const fs::directory_entry& each : fs::directory_iterator(folder.place(output + "/points"), ignored))
        if (each.path().extension() == ".json" && each.path().filename().string()[0] != '.')
            found[each.path().filename().string()] = fs::last_write_time(each.path(), ignored);
    return found;
}

TEST(exploration, four_threads_give_the_table_of_one) {
    const sweep_folder folder;
    exploration_request request = request_of(folder, two_dozen_points, "");
    const std::string four = views::to_csv(explore(request));
    request.jobs = 1;
    EXPECT_EQ(views::to_csv(explore(request)), four);
}

TEST(exploration, points_in_processes_give_the_table_of_threads) {
    const sweep_folder folder;
    exploration_request request = request_of(folder, two_dozen_points, "isolated");
    request.isolate = true;
    const std::string isolated = views::to_csv(explore(request));
    EXPECT_EQ(views::to_csv(explore(request_of(folder, two_dozen_points, ""))), isolated);
}

TEST(exploration, only_the_latency_that_the_kernel_is_written_for_gives_its_results) {
    const sweep_folder folder;
    const exploration_answer answer = explore(
        request_of(folder, R"({"kernels": ["k.s"], "parameters": {"sfpu.latency.mad": [1, 2, 3]}})", ""));
    ASSERT_EQ(answer.points.size(), 3u);
    EXPECT_EQ(answer.points[0].result.valid, true); // comes earlier, and nobody overwrites it
    EXPECT_EQ(answer.points[1].result.valid, true);
    EXPECT_EQ(answer.points[2].result.valid, false);        // is stored before it comes
    EXPECT_EQ(answer.points[1].result.cycles_per_row, 4.0); // four words a row
    EXPECT_EQ(answer.points[2].result.verdict, lint_verdict::broken);
    EXPECT_EQ(answer.invalid(), 1u);
    EXPECT_EQ(answer.failed(), 0u);
}

TEST(exploration, what_the_folder_holds_is_not_run_again) {
    const sweep_folder folder;
    EXPECT_EQ(explore(request_of(folder, two_dozen_points, "out")).known, 0u);
    const auto before = recorded(folder, "out");
    EXPECT_EQ(before.size(), 24u);
    EXPECT_EQ(explore(request_of(folder, two_dozen_points, "out")).known, 24u);
    EXPECT_EQ(recorded(folder, "out"), before);
}

TEST(exploration, another_kernel_machine_seed_or_baseline_is_another_point) {
    const sweep_folder folder;
    const auto known = [&](const std::string& text) {
        return explore(request_of(folder, text, "out")).known;
    };
    const std::string first = R"({"kernels": ["k.s"], "parameters": {"macro.slots": [8]}})";
    known(first);
    EXPECT_EQ(known(first), 1u);
    EXPECT_EQ(known(R"({"kernels": ["k.s"], "parameters": {"macro.slots": [7]}})"), 0u);
    EXPECT_EQ(known(R"({"kernels": ["k.s"], "seeds": [1], "parameters": {"macro.slots": [8]}})"), 0u);
    EXPECT_EQ(
        known(
            R"({"kernels": ["k.s"], "baseline": {"sfpu.latency.mad": 3}, "parameters": {"macro.slots": [8]}})"),
        0u);
    exploration_request changed = request_of(folder, first, "out");
    folder.write("k.s", timed_kernel(16));
    EXPECT_EQ(explore(changed).known, 0u);
    EXPECT_EQ(known(first), 1u); // the first kernel again
}

TEST(exploration, a_failure_is_kept_until_it_is_to_be_tried_again) {
    const sweep_folder folder;
    const std::string text = R"({"kernels": ["k.s", "missing.s"], "parameters": {"macro.slots": [8]}})";
    const exploration_answer first = explore(request_of(folder, text, "out"));
    EXPECT_EQ(first.failed(), 1u);
    EXPECT_NE(first.points[1].result.error.find("missing.s"), std::string::npos);
    EXPECT_EQ(explore(request_of(folder, text, "out")).known, 2u);
    exploration_request again = request_of(folder, text, "out");
    again.retry_failed = true;
    EXPECT_EQ(explore(again).known, 1u);
}

TEST(exploration, an_interrupted_sweep_goes_on_where_it_was) {
    const sweep_folder folder;
    struct after_five : exploration_listener {
        void progress(std::size_t done, std::size_t) override { is_enough = done >= 5; }
        std::atomic<bool> is_enough{false};
    } listener;
    exploration_request request = request_of(folder, two_dozen_points, "out");
    request.listener = &listener;
    session at;
    at.interrupted = [&] { return listener.is_enough.load(); };
    const exploration_answer stopped = explore(request, at);
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_TRUE(stopped.points.empty());
    const auto before = recorded(folder, "out");
    EXPECT_GE(before.size(), 5u);
    EXPECT_LT(before.size(), 24u);
    const exploration_answer rest = explore(request_of(folder, two_dozen_points, "out"));
    EXPECT_EQ(rest.known, before.size());
    auto after = recorded(folder, "out");
    for (const auto& [name, time] : before) EXPECT_EQ(after[name], time) << name;
    EXPECT_EQ(views::to_csv(rest), views::to_csv(explore(request_of(folder, two_dozen_points, ""))));
}

TEST(exploration, a_killed_sweep_goes_on_where_it_was) {
    const sweep_folder folder;
    const exploration_request request = request_of(folder, two_dozen_points, "out");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        explore(request);
        _exit(0);
    }
    while (recorded(folder, "out").size() < 3 && waitpid(child, nullptr, WNOHANG) == 0) usleep(200);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto before = recorded(folder, "out");
    const exploration_answer rest = explore(request);
    EXPECT_EQ(rest.known, before.size()); // each that was recorded is whole
    EXPECT_EQ(recorded(folder, "out").size(), 24u);
    EXPECT_EQ(views::to_csv(rest), views::to_csv(explore(request_of(folder, two_dozen_points, ""))));
}

TEST(exploration, a_point_that_takes_too_long_loses_no_other) {
    const sweep_folder folder;
    std::string slow = ".rows 100000000\n.loop\n";
    for (int i = 0; i < 16; ++i) slow += "sfpmad L0, L1, L2, L3, 0\nsfpmad L3, L1, L2, L0, 0\n";
    folder.write("slow.s", slow);
    for (const bool isolate : {false, true}) {
        exploration_request request = request_of(
            folder,
            R"({"kernels": ["slow.s", "k.s"], "limits": {"seconds": 3}, "parameters": {"macro.slots": [8]}})",
            "out" + std::to_string(isolate));
        request.isolate = isolate;
        const exploration_answer answer = explore(request);
        ASSERT_EQ(answer.points.size(), 2u);
        EXPECT_EQ(answer.points[0].result.status, point_status::timeout);
        EXPECT_EQ(answer.points[0].result.error, "not finished after 3 seconds");
        EXPECT_EQ(answer.points[1].result.status, point_status::ok) << answer.points[1].result.error;
    }
}

TEST(exploration, a_crash_of_a_point_in_a_process_is_its_result) {
    const sweep_folder folder;
    exploration_request request =
        request_of(folder, R"({"kernels": ["k.s"], "parameters": {"macro.slots": [8, 7]}})", "out");
    request.isolate = true;
    request.tools.draw = [](platform::program_runner&, const std::string&, const kernel_run& kernel,
                            const machine_choice&) -> kernel_picture {
        if (kernel.request().config.macro_slots == 7) std::raise(SIGKILL);
        return {};
    };
    const exploration_answer answer = explore(request);
    EXPECT_EQ(answer.points[0].result.status, point_status::ok);
    EXPECT_EQ(answer.points[1].result.status, point_status::failed);
    EXPECT_EQ(answer.points[1].result.error, "ended by signal 9 (Killed)");
}

TEST(exploration, other_schedules_need_somebody_who_writes_them) {
    const sweep_folder folder;
    const exploration_answer answer = explore(request_of(
        folder, R"({"kernels": [{"plain": "k.s", "macro": "k.s"}], "parameters": {"macro.slots": [8]}})",
        ""));
    EXPECT_EQ(answer.points[0].result.schedule, schedule_choice::optimize);
    EXPECT_EQ(answer.points[0].result.status, point_status::failed);
    EXPECT_NE(answer.points[0].result.error.find("needs an optimizer"), std::string::npos);
}

} // namespace
} // namespace sfpu::analysis
