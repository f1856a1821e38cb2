#include <sfpu/memory/backend_units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace sfpu::memory {
namespace {

using outcome = backend_result::outcome;

/// Opcodes, which the chips share.
namespace code {
enum : std::uint8_t {
    setdmareg = 0x45,
    flushdma = 0x46,
    reg2flop = 0x48,
    loadind = 0x49,
    adddmareg = 0x58,
    subdmareg = 0x59,
    muldmareg = 0x5a,
    bitwopdmareg = 0x5b,
    shiftdmareg = 0x5c,
    cmpdmareg = 0x5d,
    dmanop = 0x60,
    atincget = 0x61,
    atincgetptr = 0x62,
    atswap = 0x63,
    atcas = 0x64,
    storeind = 0x66,
    storereg = 0x67,
    loadreg = 0x68,
    wrcfg = 0xb0,
    rdcfg = 0xb1,
    rmwcib0 = 0xb3,
    rmwcib3 = 0xb6,
    streamwrcfg = 0xb7,
    cfgshiftmask = 0xb8,
};
} // namespace code

constexpr unsigned gpr_mask = 0x3f;
constexpr std::uint32_t registers_base = 0xffb00000, first_register = 0xffb11000, streams_base = 0xffb40000,
                        stream_bytes = 0x1000;
constexpr unsigned state_id_register = 0;
/// Blackhole: where SCRATCH_SEC0 to 3 stand, and the thread registers STREAM_ID_SYNC_SEC0 to 3.
constexpr unsigned scratch_word = 209, stream_id_register = 59;

constexpr std::uint32_t bits(std::uint32_t word, unsigned from, unsigned count) {
    return word >> from & ((1u << count) - 1u);
}
constexpr std::uint32_t rotated_right(std::uint32_t value, unsigned by) {
    return by % 32 == 0 ? value : value >> by % 32 | value << (32 - by % 32);
}

backend_result undefined(std::string why) { return {outcome::undefined, std::move(why)}; }
backend_result nothing_at(std::uint32_t address) {
    return undefined(fmt::format("there is nothing at {:#010x}", address));
}
/// Words of L1 that wait for another core: the thread would be held until it has come.
backend_result would_wait(const char* for_what) {
    return {outcome::in_part, fmt::format("it would wait until {}; this model goes on", for_what)};
}

} // namespace

bool backend_units::has(std::uint8_t opcode, architecture arch) {
    switch (opcode) {
    case code::setdmareg:
    case code::flushdma:
    case code::reg2flop:
    case code::loadind:
    case code::dmanop:
    case code::atincget:
    case code::atincgetptr:
    case code::atswap:
    case code::atcas:
    case code::storeind:
    case code::storereg:
    case code::loadreg:
    case code::wrcfg:
    case code::rdcfg: return true;
    // Wormhole: which thread registers select the streams is not in its public register descriptions.
    case code::streamwrcfg:
    case code::cfgshiftmask: return describe(arch).has_dst_window;
    default:
        return (opcode >= code::adddmareg && opcode <= code::cmpdmareg) ||
               (opcode >= code::rmwcib0 && opcode <= code::rmwcib3);
    }
}

backend_result backend_units::execute(std::uint32_t word, unsigned thread) {
    const auto opcode = static_cast<std::uint8_t>(word >> 24);
    if (!has(opcode, arch_)) return {outcome::not_modelled, {}};
    switch (opcode) {
    case code::wrcfg: return write_from_gpr(word, thread);
    case code::rdcfg: return read_to_gpr(word, thread);
    case code::streamwrcfg: return write_from_stream(word, thread);
    case code::cfgshiftmask: return shift_and_mask(word, thread);
    case code::setdmareg: return bits(word, 7, 1) ? set_from_packers(word, thread) : set_gpr(word, thread);
    case code::flushdma: // nothing is ever outstanding
    case code::dmanop: return {};
    case code::reg2flop: return write_thcon(word, thread);
    case code::loadind:
    case code::storeind:
    case code::storereg:
    case code::loadreg: return load_or_store(word, thread);
    case code::atincget: return increment(word, thread);
    case code::atincgetptr: return move_pointer(word, thread);
    case code::atswap: return swap(word, thread);
    case code::atcas: return compare_and_set(word, thread);
    default: return opcode >= code::rmwcib0 ? write_bits(word, thread) : compute(word, thread);
    }
}

// --- the Configuration Unit --------------------------------------------------------------------------------

unsigned backend_units::bank_of(unsigned thread) const {
    return around_.thread_register(thread, state_id_register) & 1u;
}

backend_result backend_units::write_config(unsigned thread, unsigned bank_word, std::uint32_t value) {
    const unsigned words = registers_.layout().bank_words;
    if (bank_word >= words)
        return undefined(fmt::format("configuration word {}, a bank has {}", bank_word, words));
    registers_.write(bank_of(thread) * words + bank_word, value);
    around_.configuration_written(bank_word);
    return {};
}

/// `words`: 1, or 4 at multiples of 4.
backend_result backend_units::write_config(unsigned thread, unsigned bank_word, unsigned gpr,
                                           unsigned words) {
    for (unsigned i = 0; i < words; ++i) {
        const unsigned to = (bank_word & ~(words - 1u)) + i;
        const unsigned from = (gpr & gpr_mask & ~(words - 1u)) + i;
        if (backend_result result = write_config(thread, to, around_.gpr(thread, from));
            result.what != outcome::done)
            return result;
    }
    return {};
}

/// RMWCIB0 to 3: bits of a byte.
backend_result backend_units::write_bits(std::uint32_t word, unsigned thread) {
    const unsigned shift = 8 * ((word >> 24) - code::rmwcib0), bank_word = bits(word, 0, 8);
    if (!registers_.write_bits(bank_of(thread), bank_word, bits(word, 16, 8) << shift,
                               bits(word, 8, 8) << shift))
        return undefined(
            fmt::format("configuration word {}, a bank has {}", bank_word, registers_.layout().bank_words));
    around_.configuration_written(bank_word);
    return {};
}

backend_result backend_units::write_from_gpr(std::uint32_t word, unsigned thread) {
    return write_config(thread, bits(word, 0, 11), bits(word, 16, 6), bits(word, 15, 1) ? 4 : 1);
}

backend_result backend_units::read_to_gpr(std::uint32_t word, unsigned thread) {
    const unsigned bank_word = bits(word, 0, 11), words = registers_.layout().bank_words;
    if (bank_word >= words)
        return undefined(fmt::format("configuration word {}, a bank has {}", bank_word, words));
    around_.set_gpr(thread, bits(word, 16, 6), registers_.word(bank_of(thread), bank_word));
    return {};
}

/// CFGSHIFTMASK: a word with a scratch word, masked and rotated.
backend_result backend_units::shift_and_mask(std::uint32_t word, unsigned thread) {
    const unsigned bank_word = bits(word, 0, 8), scratch = bits(word, 8, 2), rotate = bits(word, 10, 5);
    if (bank_word >= registers_.layout().bank_words)
        return undefined(fmt::format("configuration word {}", bank_word));
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{2} << bits(word, 15, 5)) - 1u);
    const std::uint32_t with =
        rotated_right(registers_.word(0, scratch_word + (scratch < 3 ? scratch : thread)) & mask, rotate);
    std::uint32_t value = registers_.word(bank_of(thread), bank_word);
    if (!bits(word, 23, 1)) value &= ~rotated_right(mask, rotate);
    switch (bits(word, 20, 3)) {
    case 0: value |= with; break;
    case 1: value &= with; break;
    case 2: value ^= with; break;
    case 3: value += with; break;
    case 4: value |= ~with; break;
    case 5: value &= ~with; break;
    case 6: value ^= ~with; break;
    default: value -= with; break;
    }
    return write_config(thread, bank_word, value);
}

backend_result backend_units::write_from_stream(std::uint32_t word, unsigned thread) {
    const unsigned stream = around_.thread_register(thread, stream_id_register + bits(word, 21, 2)) & 0x3fu;
    const std::uint32_t address = streams_base + stream * stream_bytes + 4 * bits(word, 11, 10);
    std::uint32_t value = 0;
    if (!read_word(address, value)) return nothing_at(address);
    return write_config(thread, bits(word, 0, 11), value);
}

// --- the Scalar Unit: GPRs ---------------------------------------------------------------------------------

std::uint32_t backend_units::half(unsigned thread, unsigned number) const {
    return around_.gpr(thread, number / 2) >> 16 * (number % 2) & 0xffffu;
}
void backend_units::set_half(unsigned thread, unsigned number, std::uint32_t value) {
    const unsigned shift = 16 * (number % 2);
    const std::uint32_t rest = around_.gpr(thread, number / 2) & ~(0xffffu << shift);
    around_.set_gpr(thread, number / 2, rest | (value & 0xffffu) << shift);
}

backend_result backend_units::set_gpr(std::uint32_t word, unsigned thread) {
    set_half(thread, bits(word, 0, 7), bits(word, 8, 16));
    return {};
}

/// What packers say of themselves. There are none, so all is zero.
backend_result backend_units::set_from_packers(std::uint32_t word, unsigned thread) {
    const unsigned first = bits(word, 1, 6);
    switch (bits(word, 22, 2)) {
    case 0: set_half(thread, bits(word, 0, 7), 0); break;
    case 1: around_.set_gpr(thread, first, 0); break;
    default:
        for (unsigned i = 0; i < 4; ++i) around_.set_gpr(thread, (first & 0x3cu) + i, 0);
        break;
    }
    if (bits(word, 11, 4) > 9) return {}; // zero on the chip, too
    return {outcome::in_part, "it reads the state of packers, which this model does not have: zero"};
}

/// ADDDMAREG and its family: the right operand is a GPR or an immediate.
backend_result backend_units::compute(std::uint32_t word, unsigned thread) {
    const std::uint32_t left = around_.gpr(thread, bits(word, 0, 6));
    const bool immediate = bits(word, 23, 1);
    const std::uint32_t right = immediate ? bits(word, 6, 6) : around_.gpr(thread, bits(word, 6, 6));
    const unsigned mode = bits(word, 18, 3);
    const auto unknown = [&] { return undefined(fmt::format("mode {}", mode)); };
    std::uint32_t value = 0;
    switch (word >> 24) {
    case code::adddmareg: value = left + right; break;
    case code::subdmareg: value = left - right; break;
    case code::muldmareg: value = (left & 0xffffu) * (right & 0xffffu); break;
    case code::bitwopdmareg:
        if (mode > 2) return unknown();
        value = mode == 0 ? left & right : mode == 1 ? left | right : left ^ right;
        break;
    case code::shiftdmareg:
        if (mode > 1) return unknown();
        value = mode == 0 ? left << (right & 31u) : left >> (right & 31u);
        break;
    default: // CMPDMAREG
        if (mode > 2) return unknown();
        value = mode == 0 ? left > right : mode == 1 ? left < right : left == right;
        break;
    }
    around_.set_gpr(thread, bits(word, 12, 6), value);
    return {};
}

/// REG2FLOP: configuration words of THCON, or address counters of unpackers and packers.
backend_result backend_units::write_thcon(std::uint32_t word, unsigned thread) {
    if (bits(word, 20, 2) != 0)
        return {outcome::not_modelled, "it writes address counters of unpackers and packers"};
    const unsigned base = registers_.layout().thcon_base, index = bits(word, 6, 7);
    if (base + index >= registers_.layout().global_base)
        return undefined(
            fmt::format("word {} of THCON, which has {}", index, registers_.layout().global_base - base));
    const unsigned words = bits(word, 22, 2) == 0 ? 4 : 1;
    return write_config(thread, base + (words == 4 ? index & ~3u : index), bits(word, 0, 6), words);
}

// --- the Scalar Unit: memory -------------------------------------------------------------------------------

bool backend_units::read_word(std::uint32_t address, std::uint32_t& value) {
    return around_.read(address, reinterpret_cast<unsigned char*>(&value), sizeof value);
}
bool backend_units::write_word(std::uint32_t address, std::uint32_t value) {
    return around_.write(address, reinterpret_cast<const unsigned char*>(&value), sizeof value);
}

std::uint32_t backend_units::take_offset(std::uint32_t word, unsigned thread) {
    static constexpr unsigned increments[] = {0, 2, 4, 16};
    const unsigned number = bits(word, 14, 7);
    const std::uint32_t offset = half(thread, number);
    set_half(thread, number, offset + increments[bits(word, 12, 2)]);
    return offset;
}

backend_result backend_units::load_or_store(std::uint32_t word, unsigned thread) {
    switch (word >> 24) {
    case code::loadind: return move_l1(word, thread, false);
    case code::storeind:
        if (bits(word, 23, 1)) return move_l1(word, thread, true);
        if (bits(word, 22, 1)) return store_register(word, thread);
        return {outcome::not_modelled, "it writes SrcA or SrcB"};
    default: break;
    }
    const std::uint32_t address = registers_base + 4 * bits(word, 0, 18);
    const unsigned gpr = bits(word, 18, 6);
    if (address < first_register) return undefined(fmt::format("address {:#010x}", address));
    if (word >> 24 == code::storereg)
        return write_word(address, around_.gpr(thread, gpr)) ? backend_result{} : nothing_at(address);
    std::uint32_t value = 0;
    if (!read_word(address, value)) return nothing_at(address);
    around_.set_gpr(thread, gpr, value);
    return {};
}

/// LOADIND, and STOREIND to L1: 16, 4, 2 or 1 bytes at 16 x GPR + offset.
backend_result backend_units::move_l1(std::uint32_t word, unsigned thread, bool stores) {
    const unsigned size = stores ? bits(word, 21, 2) : bits(word, 22, 2);
    const unsigned bytes = size == 0 ? 16u : 8u >> size;
    const unsigned gpr = size == 0 ? bits(word, 6, 6) & 0x3cu : bits(word, 6, 6);
    const std::uint32_t base = around_.gpr(thread, bits(word, 0, 6)) * 16;
    const std::uint32_t address = (base + take_offset(word, thread)) & ~(bytes - 1);
    std::array<std::uint32_t, 4> data{};
    const unsigned count = std::max(bytes / 4, 1u);
    for (unsigned i = 0; i < count; ++i) data[i] = around_.gpr(thread, gpr + i);
    auto* const raw = reinterpret_cast<unsigned char*>(data.data());
    if (!(stores ? around_.write(address, raw, bytes) : around_.read(address, raw, bytes)))
        return nothing_at(address);
    if (!stores)
        for (unsigned i = 0; i < count; ++i) around_.set_gpr(thread, gpr + i, data[i]);
    return {};
}

/// STOREIND to a register.
backend_result backend_units::store_register(std::uint32_t word, unsigned thread) {
    const std::uint32_t base = around_.gpr(thread, bits(word, 0, 6));
    const std::uint32_t value = around_.gpr(thread, bits(word, 6, 6));
    const std::uint32_t address = registers_base + ((base + (take_offset(word, thread) >> 4)) & 0x000ffffcu);
    if (address < first_register) return undefined(fmt::format("address {:#010x}", address));
    return write_word(address, value) ? backend_result{} : nothing_at(address);
}

/// ATSWAP: halfwords of 16 bytes.
backend_result backend_units::swap(std::uint32_t word, unsigned thread) {
    const std::uint32_t address = around_.gpr(thread, bits(word, 0, 6)) * 16;
    const unsigned gpr = bits(word, 6, 6);
    std::array<std::uint32_t, 4> data{};
    if (bits(word, 22, 1)) data[gpr & 3u] = around_.gpr(thread, gpr);
    else
        for (unsigned i = 0; i < 4; ++i) data[i] = around_.gpr(thread, (gpr & 0x3cu) + i);
    const auto* const raw = reinterpret_cast<const unsigned char*>(data.data());
    for (unsigned i = 0; i < 8; ++i)
        if (bits(word, 14 + i, 1) && !around_.write(address + 2 * i, raw + 2 * i, 2))
            return nothing_at(address);
    return {};
}

/// ATINCGET: a counter of 1 to 32 bits.
backend_result backend_units::increment(std::uint32_t word, unsigned thread) {
    const std::uint32_t address = around_.gpr(thread, bits(word, 0, 6)) * 16 + 4 * bits(word, 12, 2);
    const unsigned gpr = bits(word, 6, 6);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{2} << bits(word, 14, 5)) - 1u);
    std::uint32_t before = 0;
    if (!read_word(address, before)) return nothing_at(address);
    const std::uint32_t after = before + around_.gpr(thread, gpr);
    if (!write_word(address, (after & mask) | (before & ~mask))) return nothing_at(address);
    around_.set_gpr(thread, gpr, before);
    return {};
}

/// ATCAS
backend_result backend_units::compare_and_set(std::uint32_t word, unsigned thread) {
    const std::uint32_t address = around_.gpr(thread, bits(word, 0, 6)) * 16 + 4 * bits(word, 12, 2);
    std::uint32_t found = 0;
    if (!read_word(address, found)) return nothing_at(address);
    if (found != bits(word, 14, 4)) return would_wait("the word has the value that it compares with");
    return write_word(address, bits(word, 18, 4)) ? backend_result{} : nothing_at(address);
}

/// ATINCGETPTR: the read pointer (word 0) or the write pointer (word 1) of a FIFO.
backend_result backend_units::move_pointer(std::uint32_t word, unsigned thread) {
    const std::uint32_t base = around_.gpr(thread, bits(word, 0, 6)) * 16;
    const unsigned which = bits(word, 12, 2), width = bits(word, 14, 4);
    std::uint32_t read = 0, write = 0, before = 0;
    if (!read_word(base, read) || !read_word(base + 4, write) || !read_word(base + 4 * which, before))
        return nothing_at(base);
    const std::uint32_t filled = write - read, capacity = width ? 1u << (width - 1) : 0x8000u;
    if (which & 1u) {
        if (filled != 0 && filled % capacity == 0) return would_wait("the FIFO is not full");
    } else if (filled == 0) {
        return would_wait("the FIFO is not empty");
    }
    const std::uint32_t mask = (1u << width) - 1u;
    const std::uint32_t after = before + (bits(word, 22, 1) ? 0u : 1u << bits(word, 18, 4));
    if (!write_word(base + 4 * which, (after & mask) | (before & ~mask))) return nothing_at(base);
    around_.set_gpr(thread, bits(word, 6, 6), before);
    return {};
}

} // namespace sfpu::memory
