#include <sfpu/views/firmware.h>

#include <gtest/gtest.h>

namespace sfpu::views {
namespace {

analysis::firmware_answer hundred_cycles() {
    analysis::firmware_answer answer;
    answer.file = "program.elf";
    answer.arch = architecture::blackhole;
    answer.succeeded = true;
    answer.ending = "success (tohost 1)";
    answer.result.why = platform::tile_result::outcome::ended;
    answer.result.cycles_run = cycles{100};
    return answer;
}

TEST(firmware_text, a_hart_is_busy_in_the_cycles_in_which_it_is_not_stalled) {
    analysis::firmware_answer answer = hundred_cycles();
    probe::counter_group hart{
        "hart0", {{"cycles", 100}, {"stalled", 40}, {"instructions", 55}, {"tensix_words", 5}}, {}};
    hart.groups.push_back({"stalls", {{"load", 40}}, {}});
    answer.parts.push_back(hart);
    const std::string text = to_text(answer, {"statistics x.json"});
    EXPECT_NE(text.find("hart0                          60    60.0%  55 instructions, 5 Tensix words\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  load                         40    40.0%  stalled\n"), std::string::npos) << text;
    EXPECT_NE(text.find("hazards        none\nwrote statistics x.json\n"), std::string::npos) << text;
}

TEST(firmware_text, a_failure_is_the_ending_and_the_first_error_of_each_kind) {
    analysis::firmware_answer answer = hundred_cycles();
    EXPECT_TRUE(failure_lines(answer).empty());
    answer.succeeded = false;
    answer.ending = "failure 3 (tohost 0x7)";
    diagnostic error;
    error.id = report_id::hazard_unprotected_read;
    error.level = severity::error;
    error.at = cycles{12};
    error.message = "too soon";
    answer.diagnostics.diagnose(error);
    answer.diagnostics.diagnose(error);
    EXPECT_EQ(
        failure_lines(answer),
        (std::vector<std::string>{"program.elf: failure 3 (tohost 0x7)",
                                  "program.elf: error: cycle 12: /sfpu/hazard/unprotected-read: too soon"}));
    EXPECT_FALSE(answer.ok());
}

} // namespace
} // namespace sfpu::views
