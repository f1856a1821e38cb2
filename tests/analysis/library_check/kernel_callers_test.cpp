// Who calls the kernels of a library, what prepares them, and functions that are left out of a source.
#include <sfpu/analysis/kernel_calls.h>
#include <sfpu/analysis/left_out_functions.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

// --- callers
// ---------------------------------------------------------------------------------------------------

constexpr const char* compute_api = R"(
ALWI void wave_tile_init() { MATH(UNARY_INIT_FN(wave, ckernel::sfpu::init_of_hills, (APPROX, DST_ACCUM_MODE))); }
ALWI void wave_tile(uint32_t idst) {
    MATH(UNARY_CALL(DST_ACCUM_MODE, calculate_waveh, (APPROX, DST_ACCUM_MODE, 8 /*rows*/), idst));
}
ALWI void up_tile_init() { MATH((llk_math_up_init<APPROX>())); }
ALWI void up_tile(uint32_t idst) { MATH((llk_math_up<APPROX, true>(idst))); }
ALWI void down_tile_init() { MATH((llk_math_down_init<APPROX>())); }
ALWI void down_tile(uint32_t idst) { MATH((llk_math_up<APPROX, false>(idst))); }
ALWI void flat_tile_init() { MATH(UNARY_INIT(flat)); }
ALWI void flat_tile(uint32_t idst) { MATH(UNARY_CALL(DST_ACCUM_MODE, calculate_flat, (8), idst)); }
template <uint32_t FROM>
ALWI void cast_tile_init() {
    if constexpr (FROM == 0) MATH(UNARY_INIT_FN(cast, sfpu::init_up, (APPROX)));
    else if constexpr (FROM == 1) MATH(UNARY_INIT_FN(cast, sfpu::init_cast_two, (APPROX)));
    else MATH(UNARY_INIT_FN(cast, sfpu::init_cast_one, (APPROX)));
}
template <uint32_t FROM>
ALWI void cast_tile(uint32_t idst) {
    if constexpr (FROM == 1) MATH(UNARY_CALL(DST_ACCUM_MODE, calculate_cast_two, (APPROX, 8), idst));
    else MATH(UNARY_CALL(DST_ACCUM_MODE, calculate_cast_one, (APPROX, 8), idst));
}
ALWI void lonely_tile(uint32_t idst) { MATH(UNARY_CALL(DST_ACCUM_MODE, calculate_lonely, (8), idst)); }
)";
constexpr const char* hill_wrappers = R"(
template <bool APPROXIMATE, bool UP> inline void llk_math_up(uint dst) { _run_(sfpu::calculate_slope<UP, APPROXIMATE>, dst); }
template <bool APPROXIMATE> inline void llk_math_up_init() { _init_(sfpu::init_up<APPROXIMATE>); }
template <bool APPROXIMATE> inline void llk_math_down_init() { _init_(sfpu::init_down<APPROXIMATE>); }
)";
constexpr const char* hill_kernels = R"(
template <bool A, bool WIDE> inline void init_of_hills() {}
inline void wave_init() {}
template <bool A, bool WIDE, int ITERATIONS> inline void calculate_waveh() { hill_body(); }
inline void hill_body() { TTI_SFPLOADMACRO(0, 0, 0, 0); }
template <bool A> inline void init_up() {}
template <bool A> inline void init_down() {}
template <bool UP, bool A> inline void calculate_slope() {}
template <bool B> inline void init_cast_one() {}
template <bool B> inline void init_cast_two() {}
template <bool A, int ITERATIONS> inline void calculate_cast_one() {}
template <bool A, int ITERATIONS> inline void calculate_cast_two() {}
inline void flat_init() {}
template <int ITERATIONS> inline void calculate_flat() {}
)";

std::string init_of(const std::string& call, const header_surroundings& around) {
    for (const kernel_call& each : find_functions(hill_kernels, around).calls)
        if (each.call == call) return each.init;
    return "there is no such call";
}

const header_surroundings with_callers{kernel_callers({compute_api, hill_wrappers}), nullptr};

TEST(kernel_callers, a_kernel_has_the_init_of_those_who_call_it_with_the_arguments_that_they_share) {
    EXPECT_EQ(init_of("calculate_waveh<true, false, 8>()", with_callers), "init_of_hills<true, false>();");
    EXPECT_EQ(init_of("calculate_waveh<false, true, 8>()", with_callers), "init_of_hills<false, true>();");
}

TEST(kernel_callers, what_stands_between_them_is_followed_and_the_one_that_writes_the_instance_counts) {
    EXPECT_EQ(init_of("calculate_slope<true, false>()", with_callers), "init_up<false>();");
    EXPECT_EQ(init_of("calculate_slope<false, true>()", with_callers), "init_down<true>();");
}

TEST(kernel_callers,
     of_several_init_functions_of_a_family_the_name_decides_and_the_arguments_are_the_callers) {
    EXPECT_EQ(init_of("calculate_cast_one<false, 8>()", with_callers), "init_cast_one<false>();");
    EXPECT_EQ(init_of("calculate_cast_two<true, 8>()", with_callers), "init_cast_two<true>();");
}

TEST(kernel_callers, a_kernel_that_callers_prepare_with_nothing_of_its_own_has_no_init) {
    EXPECT_EQ(init_of("calculate_flat<8>()", with_callers), "");
    EXPECT_EQ(init_of("calculate_flat<8>()", {}), "flat_init();") << "nobody else knows better";
}

TEST(kernel_callers, without_callers_a_name_is_short_for_another_if_three_letters_of_the_word_are_left) {
    EXPECT_EQ(init_of("calculate_waveh<true, true, 8>()", {}), "") << "wave is not short for waveh";
    const auto calls = find_functions("inline void wav_init() {}\ninline void x_init() {}\n"
                                      "inline void calculate_wavelet() {}\ninline void calculate_wav_of() {}")
                           .calls;
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_EQ(calls[0].init, "wav_init();");
    EXPECT_EQ(calls[1].init, "") << "wavof reads like another word";
}

TEST(kernel_callers, without_an_init_beside_them_say_nothing) {
    EXPECT_TRUE(with_callers.callers.uses_of("calculate_lonely").empty());
    EXPECT_EQ(with_callers.callers.uses_of("calculate_flat").size(), 1u);
}

TEST(kernel_callers, what_only_other_functions_of_the_header_call_is_a_part) {
    for (const kernel_call& each : find_functions(hill_kernels, with_callers).calls)
        EXPECT_EQ(each.is_part, each.function == "hill_body") << each.call;
}

TEST(kernel_callers, published_cycles_of_a_function_with_macros_are_marked_so) {
    const auto calls =
        find_functions("// 2 cycles per row\ninline void f() { TTI_SFPLOADMACRO(0, 0, 0, 0); }\n"
                       "// 3 cycles per row\ninline void g() { TTI_SFPNOP; }\n")
            .calls;
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_TRUE(calls[0].published == 2.0 && calls[0].published_of_macros);
    EXPECT_TRUE(calls[1].published == 3.0 && !calls[1].published_of_macros);
}

// --- functions left out
// ----------------------------------------------------------------------------------------

constexpr const char* preprocessed = R"(# 1 "/tmp/header.cpp"
# 1 "/lib/other.h" 1
int other() {
    return 1; }
# 2 "/tmp/header.cpp" 2
# 1 "/lib/kernel.h" 1
namespace ckernel {
enum class E : int { a = '{', b };
struct point { int x; int twice() const {
    return missing(x); } };
constexpr int table[] = {1, 2, 3};
template <int N = 3>
inline void first(int n = 4) {
    const char* text = "}";
# 8 "/lib/kernel.h"
    if (n) { lost(N); }
}
inline void second() { first(); }
UNKNOWN void third() {
    first();
}
inline void fourth() { second(); }
}
)";

unsigned lines_of(const std::string& text) {
    return static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
}
bool text_has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(left_out_functions, a_body_with_an_error_throws_the_reason_and_the_rest_stays_in_its_lines) {
    const left_out_source found =
        without_functions(preprocessed, {{"/lib/kernel.h", 8, "'lost' was not \"declared\""}});
    EXPECT_EQ(found.functions, std::vector<std::string>{"first"});
    EXPECT_EQ(lines_of(found.text), lines_of(preprocessed));
    EXPECT_FALSE(text_has(found.text, "lost(N)"));
    EXPECT_TRUE(text_has(found.text, R"(kernel_error("left out: 'lost' was not \"declared\"");)"))
        << found.text;
    for (const char* kept : {"table[] = {1, 2, 3}", "inline void first(int n = 4) {", "# 8 \"/lib/kernel.h\"",
                             "inline void second() { first(); }", "return missing(x);"})
        EXPECT_TRUE(text_has(found.text, kept)) << kept << found.text;
}

TEST(left_out_functions, a_declaration_with_an_error_in_front_of_its_body_goes_as_a_whole) {
    const left_out_source found = without_functions(preprocessed, {{"/lib/kernel.h", 11, "UNKNOWN"}});
    EXPECT_EQ(found.functions, std::vector<std::string>{"third"});
    EXPECT_FALSE(text_has(found.text, "third"));
    EXPECT_TRUE(text_has(found.text, "inline void fourth() { second(); }"));
    EXPECT_TRUE(text_has(found.text, "inline void second() { first(); }"));
    EXPECT_FALSE(text_has(found.text, "kernel_error"));
}

TEST(left_out_functions, a_line_with_a_whole_function_loses_the_body_first_and_then_all_of_it) {
    const left_out_source body = without_functions(preprocessed, {{"/lib/kernel.h", 14, "second"}});
    EXPECT_TRUE(text_has(body.text, "inline void fourth() {throw "));
    const left_out_source all = without_functions(preprocessed, {{"/lib/kernel.h", 14, "second", true}});
    EXPECT_FALSE(text_has(all.text, "fourth"));
    EXPECT_EQ(all.functions, std::vector<std::string>{"fourth"});
}

TEST(left_out_functions, what_is_gone_as_a_whole_throws_nothing_for_another_error_in_it) {
    const left_out_source both = without_functions(
        preprocessed, {{"/lib/kernel.h", 14, "second"}, {"/lib/kernel.h", 14, "second", true}});
    EXPECT_FALSE(text_has(both.text, "fourth"));
    EXPECT_FALSE(text_has(both.text, "throw ")) << both.text;
}

TEST(left_out_functions, members_are_functions_too_and_other_files_with_the_same_line_are_not_meant) {
    const left_out_source found = without_functions(preprocessed, {{"/lib/kernel.h", 4, "missing"}});
    EXPECT_EQ(found.functions, std::vector<std::string>{"twice"});
    EXPECT_TRUE(text_has(found.text, "struct point { int x; int twice() const {"));
    EXPECT_TRUE(text_has(found.text, "int other() {\n    return 1; }"));
    EXPECT_EQ(without_functions(preprocessed, {{"/lib/none.h", 4, "missing"}}).text, preprocessed);
    EXPECT_EQ(without_functions(preprocessed, {{"/lib/kernel.h", 400, "missing"}}).text, preprocessed);
}

} // namespace
} // namespace sfpu::analysis
