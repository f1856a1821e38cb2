#include <sfpu/memory/config_registers.h>

#include <algorithm>

namespace sfpu::memory {
namespace {

constexpr unsigned format_word = 0, alu_word = 1, dst_access_word = 3, regw_base_word = 6, sp_base_word = 7,
                   dest_access_cfg_word = 220;
/// Wormhole: where T0 to T2 begin, and which of them do.
constexpr unsigned reset_pc_word = 158, reset_pc_override_word = 161;
constexpr unsigned srcb_override_bit = 9, srcb_value_shift = 5, srcb_shift = 21, sfpu_fp32_bit = 30;
constexpr unsigned swizzle_32b_bit = 0, remap_addrs_bit = 1;

} // namespace

config_layout config_layout::of(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return {56 * 4, 64, 180, true, 68, 1};
    case architecture::wormhole: return {47 * 4, 52, 152, false, 57, 4};
    }
    __builtin_unreachable();
}

void config_registers::reset(architecture arch) {
    arch_ = arch;
    layout_ = config_layout::of(arch);
    words_.assign(banks * layout_.bank_words, 0);
}

config_registers::place config_registers::place_of(unsigned index) const {
    if (index < layout_.dual_base()) return place::bank;
    if (index < layout_.thread_base()) return place::dual;
    if (index >= layout_.words()) return place::outside;
    return (index - layout_.thread_base()) % layout_.thread_register_size == 0 ? place::thread
                                                                               : place::padding;
}

config_registers::thread_register config_registers::thread_register_of(unsigned index) const {
    const unsigned number = (index - layout_.thread_base()) / layout_.thread_register_size;
    return {number / layout_.thread_registers, number % layout_.thread_registers};
}

std::uint32_t config_registers::read(unsigned index) const {
    switch (place_of(index)) {
    case place::bank: return words_[index];
    case place::dual: return words_[index - layout_.dual_base()];
    default: return 0;
    }
}

bool config_registers::write(unsigned index, std::uint32_t value) {
    const place where = place_of(index);
    if (where != place::bank && where != place::dual) return false;
    const unsigned in_bank = index % layout_.bank_words;
    for (unsigned bank = 0; bank < banks; ++bank) {
        const bool addressed =
            where == place::dual || in_bank >= layout_.global_base || index / layout_.bank_words == bank;
        if (!addressed) continue;
        const auto begin = words_.begin() + bank * layout_.bank_words;
        if (in_bank == state_reset_word) std::fill(begin, begin + layout_.global_base, 0u);
        else begin[in_bank] = value;
    }
    return true;
}

bool config_registers::write_bits(unsigned bank, unsigned bank_word, std::uint32_t mask,
                                  std::uint32_t value) {
    if (bank_word >= layout_.bank_words) return false;
    for (unsigned each = 0; each < banks; ++each) {
        if (each != bank && bank_word < layout_.global_base) continue;
        std::uint32_t& word = words_[each * layout_.bank_words + bank_word];
        word = (word & ~mask) | (value & mask);
    }
    return true;
}

std::optional<std::uint32_t> config_registers::start_address(unsigned thread) const {
    switch (arch_) {
    case architecture::blackhole: return std::nullopt;
    case architecture::wormhole:
        if (!field(0, reset_pc_override_word, thread)) return std::nullopt;
        return word(0, reset_pc_word + thread);
    }
    __builtin_unreachable();
}

bool config_registers::has_meaning(architecture arch, unsigned bank_word) {
    switch (bank_word) {
    case format_word:
    case alu_word:
    case state_reset_word:
    case regw_base_word: return true;
    case dst_access_word:
    case sp_base_word:
    case dest_access_cfg_word: return describe(arch).has_dst_window;
    case reset_pc_word:
    case reset_pc_word + 1:
    case reset_pc_word + 2:
    case reset_pc_override_word: return !describe(arch).has_dst_window;
    default: return false;
    }
}

dst_access_control config_registers::dst_access(unsigned bank, unsigned thread) const {
    return decode_dst_access(word(bank, dst_access_word), thread);
}

isa::backend_configuration config_registers::backend(unsigned bank) const {
    isa::backend_configuration result;
    result.fp32_enabled = field(bank, alu_word, sfpu_fp32_bit);
    const bool override_srcb = field(bank, format_word, srcb_override_bit);
    result.srcb_format =
        (override_srcb ? word(bank, format_word) >> srcb_value_shift : word(bank, alu_word) >> srcb_shift) &
        15u;
    result.dest_regw_base = word(bank, regw_base_word) & 0xffffu;
    if (!describe(arch_).has_dst_window) return result;
    result.dest_sp_base = word(bank, sp_base_word) & 0xffffu;
    result.rows.remap_addrs = field(bank, dest_access_cfg_word, remap_addrs_bit);
    result.rows.swizzle_32b = field(bank, dest_access_cfg_word, swizzle_32b_bit);
    return result;
}

} // namespace sfpu::memory
