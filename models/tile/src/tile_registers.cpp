// What registers of a tile hold, by name.
#include <sfpu/tile/tile.h>

#include "tile_parts.h"

#include <fmt/format.h>

#include <cstring>

namespace sfpu {
namespace {

void add_vector_unit(std::vector<tile_register>& to, const isa::vector_state& state) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            to.push_back({fmt::format("L{} lane {}", lreg, lane), state.lreg[lreg].v[lane]});
    to.push_back({"lane flags", state.flags});
    to.push_back({"use of lane flags", state.use_flags});
}

void add_gprs(std::vector<tile_register>& to, unsigned thread, const memory::ram& gprs) {
    constexpr unsigned count = 64;
    for (unsigned number = 0; number < count; ++number) {
        std::uint32_t value = 0;
        std::memcpy(&value, gprs.bytes().data() + 4 * std::size_t{number}, sizeof value);
        to.push_back({fmt::format("T{} GPR {}", thread, number), value});
    }
}

void add_configuration(std::vector<tile_register>& to, const memory::config_registers& from) {
    for (unsigned bank = 0; bank < memory::config_registers::banks; ++bank)
        for (unsigned word = 0; word < from.layout().bank_words; ++word)
            to.push_back({fmt::format("config {} word {}", bank, word), from.word(bank, word)});
}

} // namespace

std::vector<tile_register> tile::registers() const {
    std::vector<tile_register> all;
    add_vector_unit(all, parts_->sfpu.state().vector);
    for (unsigned thread = 0; thread < parts_->cores.size(); ++thread)
        add_gprs(all, thread, parts_->cores[thread]->gprs());
    add_configuration(all, parts_->registers.config());
    parts_->for_each_core([&](unsigned core) {
        constexpr unsigned count = 32;
        for (unsigned number = 1; number < count; ++number)
            all.push_back({fmt::format("{} x{}", core == b_core ? "B" : fmt::format("T{}", core), number),
                           parts_->hart(core).core().reg(number)});
    });
    return all;
}

void tile::set_jitter(const std::optional<riscv::push_jitter>& how) {
    parts_->for_each_core([&](unsigned core) { parts_->hart(core).core().set_jitter(how); });
}

riscv::jitter_counters tile::jitter() const {
    riscv::jitter_counters all;
    parts_->for_each_core([&](unsigned core) { all += parts_->hart(core).core().jitter(); });
    return all;
}

} // namespace sfpu
