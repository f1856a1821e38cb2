// sc_object::trace: an integrator's own trace file works at quantum zero.
#include "forked.h"
#include "rig.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace sfpu::test {
namespace {

/// A new directory that is gone at the end of the test.
class scratch_directory {
public:
    scratch_directory() {
        std::string pattern = testing::TempDir() + "sfpu_trace_XXXXXX";
        if (mkdtemp(pattern.data())) path_ = pattern;
        EXPECT_FALSE(path_.empty());
    }
    ~scratch_directory() {
        for (const char* file : {"/wave.vcd", "/wave.fst"}) std::remove((path_ + file).c_str());
        rmdir(path_.c_str());
    }
    std::string file(const char* name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

/// Pushes one word a cycle, in step with simulated time.
void write_trace(const std::string& stem) {
    unit_rig rig("top");
    sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
    file->set_time_unit(1, sc_core::SC_PS);
    rig.sfpu.trace(file);
    start();
    for (const std::uint32_t word : {sfpnop, incrwc(3), sfploadi(0, 1), 0x8a003000u | 10, sfpnop, sfpnop}) {
        EXPECT_EQ(rig.port().push({word}), tlm::TLM_OK_RESPONSE);
        sc_core::sc_start(rig.port().delay);
        rig.port().delay = sc_core::SC_ZERO_TIME;
    }
    sc_core::sc_close_vcd_trace_file(file);
}

std::string content_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(trace, an_integrators_trace_file_shows_the_unit_at_quantum_zero) {
    const scratch_directory scratch;
    const child_result child = run_in_child([&] { write_trace(scratch.file("wave")); });
    EXPECT_TRUE(child.passed()) << child.output;
    const std::string vcd = content_of(scratch.file("wave.vcd"));
    for (const char* name : {"words", "instructions", "rwc_dst", "lane_flags"})
        EXPECT_NE(vcd.find(name), std::string::npos) << name << " is missing in\n" << vcd;
    for (unsigned cycle = 1; cycle < 6; ++cycle) // the count of words changes once a cycle
        EXPECT_NE(vcd.find("#" + std::to_string(cycle * parameters{}.period_ps()) + "\n"), std::string::npos)
            << cycle;
}

TEST(trace, a_waveform_viewers_converter_accepts_the_file) {
    ASSERT_EQ(std::system("command -v vcd2fst >/dev/null 2>&1"), 0) << "./setup --all installs it (gtkwave)";
    const scratch_directory scratch;
    const child_result child = run_in_child([&] { write_trace(scratch.file("wave")); });
    ASSERT_TRUE(child.passed()) << child.output;
    const std::string command =
        "vcd2fst " + scratch.file("wave.vcd") + " " + scratch.file("wave.fst") + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_FALSE(content_of(scratch.file("wave.fst")).empty());
}

} // namespace
} // namespace sfpu::test
