#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sfpu::vectors {

bool has_avx2(); // vector_targets.h, which needs Highway

#if defined(__x86_64__)
namespace {

constexpr bool bit(std::uint32_t word, unsigned n) { return (word >> n) & 1u; }

bool look_at_processor() {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    const bool fma = bit(c, 12), keeps_registers = bit(c, 27), avx = bit(c, 28), f16c = bit(c, 29);
    if (!fma || !keeps_registers || !avx || !f16c) return false;
    std::uint32_t kept = 0, upper = 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(upper) : "c"(0));
    if (!bit(kept, 1) || !bit(kept, 2)) return false; // registers of 128 and of 256 bits
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    const bool bmi1 = bit(b, 3), avx2 = bit(b, 5), bmi2 = bit(b, 8);
    if (!__get_cpuid(0x80000001u, &a, &b, &c, &d)) return false;
    const bool lzcnt = bit(c, 5);
    return bmi1 && avx2 && bmi2 && lzcnt;
}

} // namespace

bool has_avx2() {
    static const bool found = look_at_processor();
    return found;
}
#else
bool has_avx2() { return false; }
#endif

} // namespace sfpu::vectors
