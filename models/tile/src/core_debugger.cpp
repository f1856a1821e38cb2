#include <sfpu/tile/core_debugger.h>

#include "tile_parts.h"

#include <sfpu/riscv/instruction_set.h>

#include <fmt/format.h>

#include <stdexcept>

namespace sfpu {
namespace {

void check_register(unsigned number) {
    if (number >= 32) throw std::out_of_range(fmt::format("there is no register x{}", number));
}

} // namespace

core_debugger::core_debugger(tile& of, unsigned core) : tile_(of), core_(core) {
    if (!of.parts_->has_core(core))
        throw std::out_of_range(fmt::format("{}: there is no core {}", of.name(), core));
}

riscv::hart& core_debugger::hart() const { return tile_.parts_->hart(core_); }

core_debugger::state core_debugger::now() const {
    using outcome = riscv::hart::outcome;
    if (tile_.parts_->held[core_]) return state::held;
    switch (hart().state()) {
    case outcome::running: return state::running;
    case outcome::halted: return state::halted;
    default: return state::ended;
    }
}

void core_debugger::halt() { hart().halt(); }
void core_debugger::resume() { hart().resume(); }
void core_debugger::step() { hart().step(); }
const sc_core::sc_event& core_debugger::stopped_event() const { return hart().ended_event(); }

void core_debugger::set_breakpoint(std::uint32_t address) { hart().core().set_breakpoint(address); }
void core_debugger::clear_breakpoint(std::uint32_t address) { hart().core().clear_breakpoint(address); }

std::uint32_t core_debugger::pc() const { return hart().core().pc(); }
void core_debugger::set_pc(std::uint32_t pc) { hart().core().set_pc(pc); }

std::uint32_t core_debugger::reg(unsigned number) const {
    check_register(number);
    return hart().core().reg(number);
}
void core_debugger::set_reg(unsigned number, std::uint32_t value) {
    check_register(number);
    hart().core().set_reg(number, value);
}

std::optional<std::uint32_t> core_debugger::csr(unsigned number) {
    std::uint32_t value = 0;
    if (!hart().core().read_csr(number, value)) return std::nullopt;
    return value;
}
bool core_debugger::set_csr(unsigned number, std::uint32_t value) {
    return hart().core().set_csr(number, value);
}

cycles core_debugger::cycle() const { return hart().core().now(); }
std::uint64_t core_debugger::instructions() const { return hart().core().counters().instructions; }

bool core_debugger::read(std::uint32_t address, unsigned char* data, std::size_t count) {
    return tile_.parts_->read_as(core_, address, data, count);
}
bool core_debugger::write(std::uint32_t address, const unsigned char* data, std::size_t count) {
    const bool is_written = tile_.parts_->write_as(core_, address, data, count);
    hart().core().forget_code();
    return is_written;
}

std::string core_debugger::instruction_at(std::uint32_t address) {
    const std::optional<std::uint32_t> word = tile_.parts_->word_as(core_, address);
    return word ? riscv::text(*word, address) : std::string();
}

} // namespace sfpu
