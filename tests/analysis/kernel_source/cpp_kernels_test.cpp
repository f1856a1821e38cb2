// Functions of C++ files as kernels. Compilers and the recorder's kit are those of the build.
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/text_files.h>

#include "tree_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

constexpr const char* clip_source = R"(#pragma once
#include "sfpi.h"
namespace mine {
inline void clip_init() { sfpi::vConstFloatPrgm0 = 2.0f; }
template <bool DOUBLE, int ITERATIONS>
inline void calculate_clip() {
    for (int d = 0; d < ITERATIONS; ++d) {
        sfpi::vFloat x = sfpi::dst_reg[0];
        v_if(x > sfpi::vConstFloatPrgm0) {
            x = x * 0.5f;
        }
        v_endif;
        if (DOUBLE)
            x = x + x;
        sfpi::dst_reg[0] = x;
        sfpi::dst_reg++;
    }
}
inline void shift(unsigned amount) {
    TTI_SFPLOAD(0, 4, 7, 0);
    TT_SFPSHFT(amount, 0, 0, 1);
    TTI_SFPSTORE(0, 4, 7, 0);
    TTI_INCRWC(0, 2, 0, 0);
}
} // namespace mine
)";

class cpp_kernels : public testing::Test {
protected:
    cpp_kernels() {
        request_.form = kernel_form::cpp;
        request_.tools.kit =
            read_kernel_kit((fs::path(recorded_kernel_path("any")).parent_path().parent_path().parent_path() /
                             "share" / "sfpu-tlm")
                                .string());
        fs::create_directories(folder_);
    }
    ~cpp_kernels() override { fs::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    kernel_text translated(const std::string& name, const std::string& text) const {
        return translate_kernel(text, name, request_, machine_choice{});
    }
    isa::kernel recorded(const std::string& name, const std::string& text) {
        latest_ = translated(name, text);
        return assemble_kernel(latest_.text, latest_.name, machine_choice{});
    }
    std::string refusal(const std::string& name, const std::string& text) const {
        try {
            translated(name, text);
        } catch (const user_error& error) {
            return error.what();
        }
        return "nothing is wrong";
    }

    /// Lines of C++ in the order in which words come from them.
    static std::vector<unsigned> lines_of(const isa::kernel& kernel,
                                          const std::vector<isa::source_word>& section) {
        std::vector<unsigned> lines;
        for (const isa::source_word& word : section) {
            const unsigned line = word.origin ? kernel.origins[word.origin - 1].line : 0;
            if (lines.empty() || lines.back() != line) lines.push_back(line);
        }
        return lines;
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    source_request request_;
    kernel_text latest_;
};

TEST_F(cpp_kernels, a_function_is_recorded_with_the_lines_that_issue_its_words) {
    request_.function = "calculate_clip";
    request_.template_arguments = "true";
    const std::string name = file("clip.h", clip_source);
    const isa::kernel kernel = recorded(name, clip_source);
    EXPECT_EQ(latest_.function, "mine::calculate_clip<true, 8>()");
    EXPECT_EQ(latest_.told.back(), "it was prepared by mine::clip_init()");
    EXPECT_EQ(kernel.rows_per_iteration, 1u);
    EXPECT_EQ(lines_of(kernel, kernel.loop), (std::vector<unsigned>{8, 9, 10, 12, 14, 15, 16}));
    // What callers do has no line, 2.0f is the init function's, and 0.5f moves in front of the loop.
    EXPECT_EQ(lines_of(kernel, kernel.init), (std::vector<unsigned>{0, 4, 0, 10}));
    for (const isa::word_origin& each : kernel.origins) EXPECT_EQ(each.file, name);
}

// The text of this one is no file; its path names the chip.
TEST_F(cpp_kernels, arguments_includes_definitions_and_data_are_the_callers) {
    fs::create_directories(folder_ / "elsewhere");
    std::ofstream(folder_ / "elsewhere" / "amounts.h")
        << "inline unsigned doubled(unsigned a) { return 2 * a; }\ninline void nop() {\n    TTI_SFPNOP;\n}\n";
    const std::string text = "#include \"sfpi.h\"\n#include \"amounts.h\"\n"
                             "void shift(unsigned amount) {\n    for (int d = 0; d < ROWS; ++d) {\n"
                             "        TT_SFPSHFT(doubled(amount), 0, 0, 1);\n        nop();\n    }\n}\n";
    request_.arguments = {"3"};
    request_.folders = {(folder_ / "elsewhere").string()};
    request_.definitions = {"ROWS=4"};
    request_.inputs = {{"x", 0x40, isa::data_type::i32}};
    const isa::kernel kernel = recorded("tt_llk_wormhole_b0/shift.h", text);
    EXPECT_EQ(kernel.arch, architecture::wormhole);
    EXPECT_EQ(latest_.function, "shift(3)");
    ASSERT_EQ(kernel.loop.size(), 2u) << "four equal rows are one of the loop";
    EXPECT_EQ(kernel.loop[0].word, 0x7a006001u);
    EXPECT_EQ(lines_of(kernel, kernel.loop), (std::vector<unsigned>{5, 3}));
    EXPECT_EQ(kernel.origins[kernel.loop[0].origin - 1].file, "tt_llk_wormhole_b0/shift.h");
    EXPECT_EQ(kernel.origins[kernel.loop[1].origin - 1].file, (folder_ / "elsewhere" / "amounts.h").string());
    ASSERT_EQ(kernel.inputs.size(), 1u);
    EXPECT_EQ(kernel.inputs[0].address, 0x40u);
}

TEST_F(cpp_kernels, a_function_of_values_works_on_rows_of_dst) {
    const std::string text = "#include \"sfpi.h\"\nstatic sfpi::vFloat tripled(sfpi::vFloat x) {\n"
                             "    return x * 3.0f;\n}\n";
    const isa::kernel kernel = recorded(file("tripled.cpp", text), text);
    EXPECT_EQ(kernel.rows_per_iteration, 1u);
    // Load and store are of the call, which stands where the function does.
    EXPECT_EQ(lines_of(kernel, kernel.loop), (std::vector<unsigned>{2, 3, 2}));
}

TEST_F(cpp_kernels, mistakes_are_told_with_their_place) {
    const auto told = [&](const std::string& text) { return refusal(file("f.h", text), text); };
    const std::string place = (folder_ / "f.h").string() + ":";
    EXPECT_EQ(told("#include \"sfpi.h\"\nvoid f() {\n    TTI_SFPNOP;\n    nonsense(3);\n}\n")
                  .rfind(place + "4:5: ", 0),
              0u);
    EXPECT_EQ(told("#include \"none.h\"\nvoid f() {}\n"), place + "1:10: none.h: No such file or directory");
    EXPECT_EQ(told("#include \"sfpi.h\"\nvoid f() {\n    TTI_SFPMAD(77, 0, 0, 0, 0);\n}\n"),
              place + "2: f() cannot be recorded: SFPMAD: operand lreg_src_a is 77, expected 0 to 15");
    request_.arguments = {"1"};
    EXPECT_EQ(told("void f() {}\n"), place + "1: f(): it takes 0 arguments that are no vectors, found 1");
    request_.template_arguments = "1";
    EXPECT_EQ(told("void f(int) {}\n"), place + "1: f(int): it takes 0 template arguments, found 1");
}

TEST_F(cpp_kernels, a_source_that_describes_its_kernel_needs_no_name) {
    const std::string name = tree_path("kernels/cpp/mul32_macro.cpp");
    const isa::kernel kernel = recorded(name, read_file(name));
    const isa::kernel ours = load_kernel(tree_path("kernels/mul32_macro.s"), machine_choice{});
    EXPECT_EQ(kernel.expected_cycles_per_row, 8.0);
    ASSERT_EQ(kernel.loop.size(), ours.loop.size());
    for (std::size_t i = 0; i < ours.loop.size(); ++i) EXPECT_EQ(kernel.loop[i].word, ours.loop[i].word);
    EXPECT_EQ(kernel.origins[kernel.loop[0].origin - 1].file, tree_path("kernels/cpp/mul32_macro.h"));
}

TEST_F(cpp_kernels, functions_that_are_not_meant_are_listed) {
    const auto told = [&](const char* function) {
        request_.function = function;
        return refusal("clip.h", clip_source);
    };
    EXPECT_EQ(told(""), "clip.h: found 3 functions, expected one; --function names it:"
                        "\n  line 4: mine::clip_init()"
                        "\n  line 6: mine::calculate_clip<bool DOUBLE, int ITERATIONS>()"
                        "\n  line 19: mine::shift(unsigned amount)");
    EXPECT_EQ(told("clip"), "clip.h: found 2 functions 'clip', expected one:"
                            "\n  line 4: mine::clip_init()"
                            "\n  line 6: mine::calculate_clip<bool DOUBLE, int ITERATIONS>()");
    EXPECT_EQ(told("nothing").rfind("clip.h: found no function 'nothing', expected one of:\n  line 4: ", 0),
              0u);
    EXPECT_EQ(refusal("empty.h", "int x;\n").rfind("empty.h: no function found that issues", 0), 0u);
}

TEST_F(cpp_kernels, info_lists_signatures) {
    const auto found = functions_of(clip_source, "clip.h", request_);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].name, "mine::calculate_clip<bool DOUBLE, int ITERATIONS>()");
    EXPECT_EQ(found[2].symbol, "mine::shift");
}

TEST_F(cpp_kernels, what_is_missing_is_named) {
    const std::string text = "#include \"sfpi.h\"\nvoid f() { TTI_SFPNOP; }\n";
    request_.tools.compiler = "no-such-compiler";
    EXPECT_EQ(refusal("f.h", text).rfind("no-such-compiler: not found", 0), 0u);
    request_.tools.kit = {};
    EXPECT_EQ(refusal("f.h", text).rfind("f.h: C++ needs the headers and libraries", 0), 0u);
}

TEST_F(cpp_kernels, no_program_outlasts_its_time_or_its_session) {
    const std::string text = "#include \"sfpi.h\"\nvoid f() { for (volatile int i = 0; i < 1; i = 0) {} }\n";
    session ended;
    ended.interrupted = [] { return true; };
    EXPECT_THROW(translate_kernel(text, "f.h", request_, machine_choice{}, ended), user_error);
    const fs::path sleeper = folder_ / "compiler";
    std::ofstream(sleeper) << "#!/bin/sh\n[ \"$1\" = --version ] || exec sleep 20\n";
    fs::permissions(sleeper, fs::perms::owner_all);
    request_.tools.compiler = sleeper.string();
    request_.seconds = 0.1;
    EXPECT_NE(refusal("f.h", text).find("not finished after 0.1 seconds"), std::string::npos);
}

TEST_F(cpp_kernels, hostile_text_is_read_in_one_pass) {
    const auto many = [](const char* what, std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) text += what;
        return text;
    };
    for (const char* what :
         {"void a(", "{void a(){", "> void a() {} ", "/*//////*/void a();", "\"", "#\\", "namespace a {"})
        functions_of(many(what, 1 << 20), "many.h", request_);
    EXPECT_THROW(functions_of(many("{", (16 << 20) + 1), "many.h", request_), user_error);
}

TEST(function_scopes, namespaces_and_classes_around_a_place_are_its_scope) {
    const std::string text =
        "#define BRACE {\nnamespace a::b { struct c : d { static void f(); }; namespace { int x = {1}; } "
        "void g() { if (x) { } } }\nvoid h();";
    scope_reader scopes(text);
    EXPECT_EQ(scopes.at(text.find("static")), "a::b::c");
    EXPECT_EQ(scopes.at(text.find("int x")), "a::b");
    EXPECT_EQ(scopes.at(text.find("void g")), "a::b");
    EXPECT_EQ(scopes.at(text.find("void h")), "");
}

} // namespace
} // namespace sfpu::analysis
