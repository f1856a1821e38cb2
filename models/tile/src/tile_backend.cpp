#include "tile_backend.h"

#include <sfpu/isa/other_units.h>
#include <sfpu/memory/tile_map.h>

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace sfpu {
namespace {

constexpr std::uint32_t first_mmio = 0xffb11000u;
/// INSTRN_BUF_STATUS is what the front ends have not issued yet: it cannot be asked for by what they issue.
constexpr std::uint32_t instruction_buffer_status = memory::debug_registers_base + 0x0a8;

} // namespace

tile_backend::tile_backend(vector_unit& unit, memory::system_registers& registers, memory_access access,
                           word_index first_word_from)
    : unit_(unit), registers_(registers), access_(std::move(access)),
      first_word_from_(std::move(first_word_from)), units_(registers.config(), *this), state_(&unit.state()) {
    unit_.connect(this);
}

void tile_backend::reset(const parameters& config) {
    units_.reset(config.arch);
    reported_.reset();
}

bool tile_backend::execute(std::uint32_t word, std::uint8_t thread, cycles at, std::int64_t index) {
    if (thread >= gprs_.size()) return false;
    now_ = at;
    word_ = index;
    thread_ = thread;
    using outcome = memory::backend_result::outcome;
    const memory::backend_result result = units_.execute(word, thread);
    if (result.what == outcome::not_modelled) return false;
    if (result.what == outcome::done) return true;
    const std::uint32_t opcode = word >> 24;
    if (reported_[opcode]) return true;
    reported_.set(opcode);
    const isa::other_unit_instruction* const known =
        isa::find_other_unit(static_cast<std::uint8_t>(opcode), state_->config.arch);
    state_->reporter.report(
        result.what == outcome::undefined ? report_id::isa_undefined : report_id::isa_not_modelled, at, index,
        [&] {
            return fmt::format("{} ({:08x}) of thread {}: {}", known ? known->mnemonic : "a word", word,
                               thread, result.why);
        });
    return true;
}

std::uint32_t tile_backend::gpr(unsigned thread, unsigned number) const {
    std::uint32_t value = 0;
    std::memcpy(&value, gprs_[thread]->bytes().data() + 4 * std::size_t{number}, sizeof value);
    return value;
}
void tile_backend::set_gpr(unsigned thread, unsigned number, std::uint32_t value) {
    std::memcpy(gprs_[thread]->bytes().data() + 4 * std::size_t{number}, &value, sizeof value);
}

std::uint16_t tile_backend::thread_register(unsigned thread, unsigned number) const {
    return state_->threads[thread].config_register(number);
}

void tile_backend::configuration_written(unsigned bank_word) {
    for (unsigned bank = 0; bank < memory::config_registers::banks; ++bank)
        for (unsigned thread = 0; thread < isa::thread_count; ++thread)
            state_->change_backend(thread, bank, registers_.config().backend(bank), now_,
                                   thread == thread_ ? word_ : first_word_from_(thread, now_));
    registers_.report_written(bank_word, now_);
}

void tile_backend::change_backend(unsigned bank, const isa::backend_configuration& to, cycles at) {
    unit_state& state = unit_.state();
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        state.change_backend(thread, bank, to, at, first_word_from_(thread, at));
}

bool tile_backend::read(std::uint32_t address, unsigned char* data, unsigned bytes) {
    if (address == instruction_buffer_status || address >= memory::mop_config_base) return false;
    if (address >= memory::local_ram_base && address < first_mmio) return false;
    return access_(tlm::TLM_READ_COMMAND, address, data, bytes) == bytes;
}
bool tile_backend::write(std::uint32_t address, const unsigned char* data, unsigned bytes) {
    if (address >= memory::mop_config_base) return false;
    if (address >= memory::local_ram_base && address < first_mmio) return false;
    // A payload's data cannot be const; a write leaves them alone.
    return access_(tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(data), bytes) == bytes;
}

} // namespace sfpu
