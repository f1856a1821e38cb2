#include <sfpu/analysis/kernel_compiler.h>

#include "tree_path.h"
#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

/// That of the build, which is where kernels of kernels/cpp are made.
fs::path kit_folder() {
    return fs::path(recorded_kernel_path("any")).parent_path().parent_path().parent_path() / "share" /
           "sfpu-tlm";
}

std::string message_of(const std::string& folder) {
    try {
        read_kernel_kit(folder);
    } catch (const user_error& error) {
        return error.what();
    }
    return "nothing is wrong";
}

kernel_source two_words() {
    return {"two", architecture::blackhole, {}, R"(#include <sfpu/kernel_recorder/program.h>
#include "ckernel_ops.h"
void sfpu_kernel(::sfpu::kernel_recorder::program_builder& kernel) {
    kernel.calculate(1, [] { TTI_SFPABS(0, 0, 1, 0); TTI_SFPNOP; });
})"};
}

TEST(kernel_kit, the_kit_of_the_build_has_folders_and_libraries_that_exist) {
    const kernel_kit kit = read_kernel_kit(kit_folder().string());
    EXPECT_FALSE(kit.folders.empty());
    for (const std::string& folder : kit.folders) EXPECT_TRUE(fs::is_directory(folder)) << folder;
    for (const std::string& library : kit.libraries)
        EXPECT_TRUE(library.front() == '-' || fs::exists(library)) << library;
}

TEST(kernel_kit, a_folder_without_a_kit_is_named) {
    const std::string message = message_of("/no/such/folder");
    EXPECT_NE(message.find("/no/such/folder/kernel_kit.json: not found"), std::string::npos) << message;
}

TEST(kernel_kit, a_library_that_is_missing_is_named) {
    const fs::path folder = fs::path(testing::TempDir()) / "kit_without_library";
    fs::create_directories(folder);
    std::ofstream(folder / "kernel_kit.json")
        << R"({"include": ["inc"], "libraries": ["libnone.a"], "options": []})";
    const std::string message = message_of(folder.string());
    EXPECT_NE(message.find((folder / "libnone.a").string() + ": not found"), std::string::npos) << message;
    std::ofstream(folder / "kernel_kit.json") << "[]";
    EXPECT_NE(message_of(folder.string()).find("is no JSON object"), std::string::npos);
    fs::remove_all(folder);
}

TEST(kernel_compiler, what_is_no_compiler_does_not_run) {
    EXPECT_FALSE(compiler_runs("no-such-compiler"));
    EXPECT_FALSE(compiler_runs("false"));
    EXPECT_TRUE(compiler_runs("true"));
}

TEST(kernel_compiler, a_missing_compiler_is_the_users_to_repair) {
    EXPECT_THROW(record_kernel(two_words(), {"no-such-compiler", {}, {}}), user_error);
}

TEST(kernel_compiler, an_ended_session_leaves_nothing) {
    session of;
    of.interrupted = [] { return true; };
    EXPECT_FALSE(record_kernel(two_words(), {"sleep", {}, {}}, of));
    session late;
    late.deadline = std::chrono::steady_clock::now();
    EXPECT_FALSE(record_kernel(two_words(), {"sleep", {}, {}}, late));
}

#ifndef SFPU_INSTRUMENTED // its compiler and flags are the build's
TEST(kernel_compiler, a_source_becomes_words_and_a_broken_one_says_why) {
    const kernel_tools tools{"c++", {}, read_kernel_kit(kit_folder().string())};
    ASSERT_TRUE(compiler_runs(tools.compiler)) << "c++ compiled this test";
    const auto recorded = record_kernel(two_words(), tools);
    ASSERT_TRUE(recorded);
    EXPECT_EQ(recorded->problem, "");
    EXPECT_NE(recorded->assembly.find("sfpabs"), std::string::npos) << recorded->assembly;
    EXPECT_EQ(recorded->pushed, 2u);
    EXPECT_EQ(recorded->computed, 0u);
    kernel_source broken = two_words();
    broken.text = "void sfpu_kernel() { nothing_like_it(); }";
    const auto refused = record_kernel(broken, tools);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->assembly, "");
    EXPECT_NE(refused->problem.find("nothing_like_it"), std::string::npos) << refused->problem;
}
#endif

TEST(kernel_compiler, pragmas_that_ask_for_unrolling_are_left_out_and_lines_stay) {
    EXPECT_EQ(without_unrolling("a\n  #pragma GCC unroll 8\nb\n"), "a\n\nb\n");
    EXPECT_EQ(without_unrolling("#pragma once\n"), "#pragma once\n");
}

} // namespace
} // namespace sfpu::analysis
