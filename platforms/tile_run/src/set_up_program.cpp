#include "set_up_program.h"

namespace sfpu::platform {
namespace {

constexpr std::uint32_t set_up_words[]{0x8a00300a, 0x910000b1, 0xa3100010, 0xa3100200, 0xa3100040};

} // namespace

std::vector<std::uint32_t> set_up_program(std::uint32_t done) {
    constexpr std::uint32_t t0 = 5, t1 = 6, buffer = 0xffe40000;
    std::vector<std::uint32_t> code;
    const auto load = [&code](std::uint32_t to, std::uint32_t value) {
        const std::uint32_t upper = (value + 0x800) & 0xfffff000u;
        code.push_back(upper | to << 7 | 0x37);                            // lui
        code.push_back((value - upper) << 20 | to << 15 | to << 7 | 0x13); // addi
    };
    const auto store = [&code](std::uint32_t from, std::uint32_t base) {
        code.push_back(from << 20 | base << 15 | 2u << 12 | 0x23); // sw from, 0(base)
    };
    load(t0, buffer);
    for (const std::uint32_t each : set_up_words) {
        load(t1, each);
        store(t1, t0);
    }
    load(t0, done);
    load(t1, 1);
    store(t1, t0);
    code.push_back(jump_to_itself);
    return code;
}

} // namespace sfpu::platform
