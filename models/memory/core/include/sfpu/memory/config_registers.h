// The backend configuration space that RISC-V cores see at 0xFFEF0000: two banks, the copy that writes both,
// the thread registers. Plain C++.
//
// Source: tt-isa-documentation, BackendConfiguration; cfg_defines.h of the public kernel headers for field
// positions.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/memory/dst_format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::memory {

/// Sizes of the space, in 32-bit words.
struct config_layout {
    unsigned bank_words;           ///< of one of the two banks
    unsigned thcon_base;           ///< words from here to the global ones are those of THCON
    unsigned global_base;          ///< words from here on have one value for both banks
    bool dual_write;               ///< whether a copy follows that writes both banks
    unsigned thread_registers;     ///< of one thread
    unsigned thread_register_size; ///< words from one register to the next

    static config_layout of(architecture arch);

    unsigned dual_base() const { return 2 * bank_words; }
    unsigned thread_base() const { return (dual_write ? 3 : 2) * bank_words; }
    unsigned words() const { return thread_base() + 3 * thread_registers * thread_register_size; }
};

class config_registers {
public:
    static constexpr unsigned banks = 2;
    /// Word 4 of a bank: any write clears all words of the bank that are not global.
    static constexpr unsigned state_reset_word = 4;

    explicit config_registers(architecture arch = architecture::blackhole) { reset(arch); }
    void reset(architecture arch);

    const config_layout& layout() const { return layout_; }
    std::uint32_t word(unsigned bank, unsigned index) const {
        return words_[bank * layout_.bank_words + index];
    }

    /// What an index of the whole space names.
    enum class place : std::uint8_t { bank, dual, thread, padding, outside };
    place place_of(unsigned index) const;
    /// The thread and register behind an index at place::thread.
    struct thread_register {
        unsigned thread, number;
    };
    thread_register thread_register_of(unsigned index) const;

    /// Reads a bank or, through the copy, bank 0. Thread registers are not kept here and read as 0.
    std::uint32_t read(unsigned index) const;
    /// A RISC-V store. False if nothing can be written there: thread registers, padding, outside.
    bool write(unsigned index, std::uint32_t value);
    /// RMWCIB: bits of a word of one bank, or of both if it is global. It clears no bank. False if there
    /// is no such word.
    bool write_bits(unsigned bank, unsigned bank_word, std::uint32_t mask, std::uint32_t value);
    /// Whether models of this project look at a word of a bank.
    static bool has_meaning(architecture arch, unsigned bank_word);

    /// Where a T core begins when it leaves its reset, if the configuration says so (Wormhole:
    /// TRISC_RESET_PC_SEC0_PC and the following, TRISC_RESET_PC_OVERRIDE). Blackhole has debug registers for
    /// that.
    std::optional<std::uint32_t> start_address(unsigned thread) const;

    /// RISC_DEST_ACCESS_CTRL of a thread (Blackhole).
    dst_access_control dst_access(unsigned bank, unsigned thread) const;
    /// The part of the configuration that the vector unit and Dst look at. Wormhole: without the address
    /// remapping, whose place is not in the documents.
    isa::backend_configuration backend(unsigned bank) const;

private:
    bool field(unsigned bank, unsigned index, unsigned bit) const { return word(bank, index) >> bit & 1u; }

    architecture arch_{};
    config_layout layout_{};
    std::vector<std::uint32_t> words_; ///< both banks
};

} // namespace sfpu::memory
