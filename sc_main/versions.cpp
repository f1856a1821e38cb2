#include "versions.h"

#include <systemc>

namespace sfpu::cli {

views::build_versions versions() {
#if defined(__clang__)
    const char* const compiler = __VERSION__; // begins with the compiler's name
#else
    const char* const compiler = "GCC " __VERSION__;
#endif
    return {SFPU_TLM_VERSION, sc_core::sc_release(), compiler};
}

} // namespace sfpu::cli
