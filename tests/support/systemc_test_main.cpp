// The main program of tests that link SystemC: they run inside sc_main, where modules may be created.
#include <gtest/gtest.h>

#include <systemc>

#include <cstdlib>

int sc_main(int argc, char* argv[]) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}

// Ours instead of SystemC's, because the banner must be off before SystemC starts.
int main(int argc, char* argv[]) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
