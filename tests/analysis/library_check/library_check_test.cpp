// The check of a library as a function. The scripts of `llk` compile and run kernels; compilers here are
// scripts of this test's own.
#include <sfpu/analysis/library_check.h>

#include "tree_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

class library_check : public testing::Test {
protected:
    library_check() {
        fs::create_directories(folder_);
        request_.headers = find_headers(tree_path("tests/data/llk"));
        request_.folder = (folder_ / "work").string();
        request_.tools.compiler = "false";
    }
    ~library_check() override { fs::remove_all(folder_); }

    std::string compiler(const std::string& script) const {
        const fs::path file = folder_ / "compiler";
        std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(file, fs::perms::owner_all);
        return file.string();
    }
    void only(const std::string& text) {
        request_.headers = wanted_headers(request_.headers, std::nullopt, text);
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    library_request request_;
};

library_row row_of(const std::string& header_name, architecture arch, const std::string& name) {
    library_row result;
    result.header = header_name;
    result.arch = arch;
    result.function = name;
    return result;
}

TEST_F(library_check, headers_are_found_by_chip_and_name) {
    EXPECT_EQ(request_.headers.size(), 9u);
    EXPECT_TRUE(std::is_sorted(request_.headers.begin(), request_.headers.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
    const auto wormhole = wanted_headers(request_.headers, architecture::wormhole, "");
    EXPECT_EQ(wormhole.size(), 2u);
    for (const kernel_header& each : wormhole) EXPECT_EQ(each.arch, architecture::wormhole);
    EXPECT_EQ(wanted_headers(request_.headers, architecture::blackhole, "half").size(), 1u);
    EXPECT_EQ(file_name_of(wormhole.front()), "wormhole.sfpu.ckernel_sfpu_early.h");
}

TEST_F(library_check, headers_know_the_includes_and_the_callers_of_the_checkout_that_they_belong_to) {
    const auto holds = [](const std::vector<std::string>& list, const std::string& end) {
        return std::any_of(list.begin(), list.end(), [&](const std::string& each) {
            return each.size() >= end.size() && each.compare(each.size() - end.size(), end.size(), end) == 0;
        });
    };
    for (const char* folder : {"tests/data/llk", "tests/data/llk/blackhole"}) {
        const kernel_header header = find_headers(tree_path(folder)).front();
        EXPECT_TRUE(holds(header.folders, "/llk/tt_metal/hw/inc")) << folder;
        EXPECT_TRUE(holds(header.callers, "/api/compute/called.h")) << folder;
        EXPECT_FALSE(holds(header.callers, "/api/quarter.h")) << folder;
    }
}

TEST_F(library_check, a_function_that_does_not_compile_is_left_out_and_the_rest_of_its_header_is_not) {
    // A header compiles once its function `calculate_broken` calls nothing that is missing; programs never
    // do.
    only("broken");
    const std::string header = request_.headers.front().path;
    request_.tools.compiler =
        compiler("expanded=; for each; do case $each in *.ii) expanded=$each;; esac; done\n"
                 "case \"$*\" in *' -E '*) echo '# 1 \"" +
                 header + "\"'; sed 's,//.*,,' '" + header +
                 "'; exit 0;; esac\n"
                 "case \"$*\" in *-fsyntax-only*) grep -q kernel_error \"$expanded\" && exit 0;; esac\n"
                 "echo \"" +
                 header + ":$(grep -n no_such_function '" + header +
                 "' | cut -d: -f1):1: error: no_such_function is missing\" >&2; exit 1");
    const library_answer answer = check_library(request_);
    ASSERT_EQ(answer.rows.size(), 1u);
    EXPECT_TRUE(answer.rows[0].compiles) << answer.rows[0].reason;
    EXPECT_NE(answer.rows[0].note().find("without functions that do not compile, at ckernel_sfpu_broken.h:8"),
              std::string::npos)
        << answer.rows[0].note();
}

TEST_F(library_check, a_header_that_does_not_compile_has_one_row_with_the_first_error) {
    only("broken");
    request_.tools.compiler =
        compiler("echo '/a/b.h:3:1: error: it is wrong' >&2; echo 'c.h:1:1: error: so is it' >&2; exit 1");
    const library_answer answer = check_library(request_);
    ASSERT_EQ(answer.rows.size(), 1u);
    EXPECT_EQ(answer.rows[0].header, "blackhole/sfpu/ckernel_sfpu_broken.h");
    EXPECT_FALSE(answer.rows[0].compiles);
    EXPECT_EQ(answer.rows[0].reason, "b.h:3:1: it is wrong");
    EXPECT_FALSE(answer.interrupted);
    EXPECT_FALSE(answer.any_difference());
}

TEST_F(library_check, a_compiler_that_hangs_is_ended_after_the_seconds_given) {
    only("broken");
    request_.seconds = 0.1;
    request_.tools.compiler = compiler("exec sleep 60");
    const library_answer answer = check_library(request_);
    ASSERT_EQ(answer.rows.size(), 1u);
    EXPECT_EQ(answer.rows[0].reason, "not finished after 0.1 seconds");
}

TEST_F(library_check, calls_whose_errors_end_in_their_lines_are_left_out_one_by_one) {
    // The header compiles; of the program of its calls each line is wrong that calls something, as GCC tells
    // it.
    only("wormhole/sfpu/ckernel_sfpu_half");
    request_.tools.compiler =
        compiler("case \"$*\" in *-fsyntax-only*) exit 0;; esac\n"
                 "for each; do case $each in */macro.cpp) source=$each;; esac; done\n"
                 "found=$(grep -n '^calculate_half.*;$' \"$source\" | cut -d: -f1)\n"
                 "[ -z \"$found\" ] && exit 0\n"
                 "for line in $found; do echo \"$source:$line:1:   required from here\" >&2; done\n"
                 "echo '/x/half.h:9:9: error: no such word' >&2; exit 1");
    const library_answer answer = check_library(request_);
    ASSERT_EQ(answer.rows.size(), 1u);
    EXPECT_EQ(answer.rows[0].reason, "no call of its functions compiles: half.h:9:9: no such word");
    EXPECT_TRUE(answer.rows[0].compiles);
}

TEST_F(library_check, rows_come_in_the_order_of_headers_whatever_the_number_of_jobs) {
    request_.jobs = 4;
    std::atomic<unsigned> finished{0};
    request_.known = [](const kernel_header& header) -> std::optional<std::vector<library_row>> {
        if (header.name.find("half") != std::string::npos) return std::nullopt;
        return std::vector<library_row>{row_of(header.name, header.arch, "first"),
                                        row_of(header.name, header.arch, "second")};
    };
    request_.finished = [&](const kernel_header& header, const std::vector<library_row>&) {
        EXPECT_NE(header.name.find("half"), std::string::npos) << "what is known is not tried";
        ++finished;
    };
    const library_answer answer = check_library(request_);
    EXPECT_EQ(finished, 2u);
    EXPECT_EQ(answer.rows.size(), 7u * 2 + 2);
    EXPECT_TRUE(std::is_sorted(answer.rows.begin(), answer.rows.end(),
                               [](const auto& a, const auto& b) { return a.header < b.header; }));
}

TEST_F(library_check, an_interruption_leaves_out_headers_that_were_not_tried_to_the_end) {
    std::atomic<unsigned> asked{0};
    session of;
    of.interrupted = [&] { return asked > 2; };
    request_.known = [&](const kernel_header& header) {
        ++asked;
        return std::vector<library_row>{row_of(header.name, header.arch, "f")};
    };
    const library_answer answer = check_library(request_, of);
    EXPECT_TRUE(answer.interrupted);
    EXPECT_EQ(answer.rows.size(), 3u);
}

TEST_F(library_check, an_exception_of_a_worker_reaches_the_caller) {
    request_.jobs = 3;
    request_.known = [](const kernel_header&) -> std::optional<std::vector<library_row>> {
        throw std::runtime_error("no room");
    };
    EXPECT_THROW(check_library(request_), std::runtime_error);
}

TEST(library_rows, a_note_is_remarks_and_explanation_on_one_line) {
    library_row one = row_of("h", architecture::blackhole, "f");
    EXPECT_EQ(one.note(), "");
    one.explanation = {"Because."};
    one.remarks = {"cycles of a call", "3 /sfpu/hazard/write-collision"};
    EXPECT_EQ(one.note(), "cycles of a call; 3 /sfpu/hazard/write-collision; Because.");
}

TEST(library_rows, only_a_comparison_that_was_made_can_differ) {
    library_row one;
    EXPECT_FALSE(one.differs());
    one.direct_equals_recorded = one.macro_equals_plain = true;
    EXPECT_FALSE(one.differs());
    one.macro_equals_plain = false;
    EXPECT_TRUE(one.differs());
    EXPECT_TRUE((library_answer{{one}, false}).any_difference());
}

TEST(library_rows, a_summary_counts_headers_once_and_functions_each) {
    library_row good = row_of("a.h", architecture::blackhole, "f");
    good.compiles = good.records = true;
    good.direct_equals_recorded = true;
    good.verdict = lint_verdict::robust;
    library_row other = good;
    other.function = "g";
    other.direct_equals_recorded.reset();
    other.macro_equals_plain = false;
    const library_row broken = row_of("b.h", architecture::blackhole, "");
    const std::vector<chip_summary> summary = summary_of({good, other, broken});
    ASSERT_EQ(summary.size(), 1u) << "a chip without rows has no summary";
    EXPECT_EQ(summary[0].headers, 2u);
    EXPECT_EQ(summary[0].headers_that_compile, 1u);
    EXPECT_EQ(summary[0].headers_that_record, 1u);
    EXPECT_EQ(summary[0].functions, 2u);
    EXPECT_EQ(summary[0].direct_compared, 1u);
    EXPECT_EQ(summary[0].direct_equal, 1u);
    EXPECT_EQ(summary[0].macro_compared, 1u);
    EXPECT_EQ(summary[0].macro_equal, 0u);
    ASSERT_EQ(summary[0].verdicts.size(), 1u);
    EXPECT_EQ(summary[0].verdicts[0].second, 2u);
}

} // namespace
} // namespace sfpu::analysis
