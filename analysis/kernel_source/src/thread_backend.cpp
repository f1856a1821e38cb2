#include "thread_backend.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/other_units.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

namespace config_word {
constexpr std::uint32_t setdmareg = 0x45, streamwait = 0xa7;
} // namespace config_word

constexpr std::uint32_t opcode_of(std::uint32_t word) { return word >> 24; }

std::string semaphore_names(std::uint32_t word) {
    std::string names;
    for (unsigned i = 0; i < 8; ++i)
        if (word >> (2 + i) & 1) names += fmt::format("{}{}", names.empty() ? "" : ", ", i);
    return names.empty() ? "no semaphore" : (names.size() > 1 ? "semaphores " : "semaphore ") + names;
}

bool is_equal(const isa::backend_configuration& a, const isa::backend_configuration& b) {
    return a.fp32_enabled == b.fp32_enabled && a.srcb_format == b.srcb_format &&
           a.dest_regw_base == b.dest_regw_base && a.dest_sp_base == b.dest_sp_base &&
           a.rows.remap_addrs == b.rows.remap_addrs && a.rows.swizzle_32b == b.rows.swizzle_32b;
}

} // namespace

thread_backend::thread_backend(const parameters& config, run_notes& notes)
    : arch_(config.arch), notes_(notes), registers_(config.arch),
      config_known_(std::size_t{memory::config_registers::banks} * registers_.layout().bank_words) {
    units_.reset(config.arch);
}

bool thread_backend::take(std::uint32_t word, std::uint32_t pc, word_times times) {
    if (is_full()) return false;
    switch (isa::classify(word, arch_)) {
    case isa::word_kind::no_instruction:
        throw user_error(fmt::format("{}: pushes 0x{:08x}, expected an instruction of {}; --arch chooses "
                                     "another chip",
                                     notes_.place(pc), word, describe(arch_).long_name));
    case isa::word_kind::other_unit: leave_out(word, pc); return true;
    case isa::word_kind::sfpu:
        if (!at_first_word_) at_first_word_ = present();
        break;
    case isa::word_kind::front_end:
        if (opcode_of(word) == isa::opcode::semwait) {
            notes_.waits(pc, "SEMWAIT of " + semaphore_names(word));
            return true;
        }
        // CFG_STATE_ID, which chooses the bank
        if (opcode_of(word) == isa::opcode::setc16 && (word >> 16 & 0xffu) == 0) state_id_ = word & 1u;
        break;
    }
    pushed_word taken;
    taken.word = word;
    taken.origin.address = pc;
    taken.gap = can_be_late_;
    can_be_late_ = false;
    words_.push_back(std::move(taken));
    times_.push_back(times);
    return true;
}

// --- what other units do -----------------------------------------------------------------------------------

void thread_backend::count(left_out& among, const char* mnemonic, std::uint32_t pc) {
    if (among.count++ == 0) among.pc = pc;
    ++among.mnemonics[mnemonic];
}

void thread_backend::leave_out(std::uint32_t word, std::uint32_t pc) {
    const isa::other_unit_instruction& what =
        *isa::find_other_unit(static_cast<std::uint8_t>(opcode_of(word)), arch_);
    if (opcode_of(word) == config_word::streamwait) return notes_.waits(pc, "STREAMWAIT");
    count(configure(word, pc) ? carried_out_ : left_out_[what.unit], what.mnemonic, pc);
}

/// Words that write configuration, or the registers from which it is written. False for others.
bool thread_backend::configure(std::uint32_t word, std::uint32_t pc) {
    word_ = word;
    pc_ = pc;
    const isa::backend_configuration before = present();
    const memory::backend_result result = units_.execute(word, 0);
    if (result.what != memory::backend_result::outcome::done) return false;
    changed(before, pc);
    return true;
}

std::uint32_t thread_backend::gpr(unsigned, unsigned number) const {
    const std::uint32_t code = opcode_of(word_);
    if (!gprs_[number] && code != config_word::setdmareg) // which leaves the other half as it is
        notes_.assumes(pc_,
                       fmt::format("{} of GPR {}, which nobody has written",
                                   isa::find_other_unit(static_cast<std::uint8_t>(code), arch_)->mnemonic,
                                   number),
                       "0 is assumed");
    return gprs_[number].value_or(0);
}

void thread_backend::configuration_written(unsigned bank_word) {
    const memory::config_layout layout = registers_.layout();
    for (unsigned bank = 0; bank < memory::config_registers::banks; ++bank)
        if (bank == state_id_ || bank_word >= layout.global_base)
            config_known_[bank * layout.bank_words + bank_word] = true;
}

void thread_backend::store_config(unsigned index, std::uint32_t value, std::uint32_t pc) {
    const isa::backend_configuration before = present();
    if (!registers_.write(index, value)) {
        notes_.assumes(pc, fmt::format("a write to word {} of the configuration", index),
                       "nothing can be written there");
        return;
    }
    const unsigned bank_words = registers_.layout().bank_words;
    for (unsigned bank = 0; bank < memory::config_registers::banks; ++bank) {
        const bool writes = index >= registers_.layout().dual_base() || index / bank_words == bank;
        if (writes) config_known_[bank * bank_words + index % bank_words] = true;
    }
    changed(before, pc);
}

std::optional<std::uint32_t> thread_backend::load_config(unsigned index) const {
    if (index >= config_known_.size() || !config_known_[index]) return std::nullopt;
    return registers_.read(index);
}

void thread_backend::changed(const isa::backend_configuration& before, std::uint32_t pc) {
    if (at_first_word_ && !is_equal(before, present()))
        notes_.assumes(pc, "configuration that the vector unit looks at changes behind its first word",
                       "the kernel keeps what was before");
}

// --- what is left ------------------------------------------------------------------------------------------

std::vector<std::pair<std::string, std::string>> thread_backend::settings() const {
    const isa::backend_configuration found = at_first_word_.value_or(present()), reset;
    std::vector<std::pair<std::string, std::string>> settings;
    const auto flag = [&](const char* name, bool value, bool of_reset) {
        if (value != of_reset) settings.emplace_back(name, value ? "true" : "false");
    };
    const auto number = [&](const char* name, unsigned value, unsigned of_reset) {
        if (value != of_reset) settings.emplace_back(name, std::to_string(value));
    };
    flag("fp32_enabled", found.fp32_enabled, reset.fp32_enabled);
    number("srcb_format", found.srcb_format, reset.srcb_format);
    number("dest_regw_base", found.dest_regw_base, reset.dest_regw_base);
    number("dest_sp_base", found.dest_sp_base, reset.dest_sp_base);
    flag("remap_addrs", found.rows.remap_addrs, reset.rows.remap_addrs);
    flag("swizzle_32b", found.rows.swizzle_32b, reset.rows.swizzle_32b);
    return settings;
}

void thread_backend::tell(std::vector<std::string>& to) const {
    const auto sentence = [this](const left_out& what, const std::string& of, const char* outcome) {
        std::string names;
        for (const auto& [mnemonic, times] : what.mnemonics)
            names += fmt::format("{}{}{}", names.empty() ? "" : ", ", mnemonic,
                                 times > 1 ? fmt::format(" {} times", times) : "");
        return fmt::format("{} word{} of {} ({}) {} {}, and with {} a cycle of the thread: the first at {}",
                           what.count, what.count == 1 ? "" : "s", of, names, what.count == 1 ? "is" : "are",
                           outcome, what.count == 1 ? "it" : "each of them", notes_.place(what.pc));
    };
    if (carried_out_.count) to.push_back(sentence(carried_out_, "configuration", "carried out and left out"));
    for (const auto& [unit, what] : left_out_) to.push_back(sentence(what, unit, "left out"));
}

} // namespace sfpu::analysis
