// Compiled and linked while configuring. The message tells the version also if linking fails afterwards.
#include <systemc>

#define SFPU_TEXT_(x) #x
#define SFPU_TEXT(x) SFPU_TEXT_(x)
#pragma message("sfpu-systemc-version " SFPU_TEXT(SC_VERSION_MAJOR) "." SFPU_TEXT(                           \
    SC_VERSION_MINOR) "." SFPU_TEXT(SC_VERSION_PATCH))

int sc_main(int, char*[]) { return 0; }
