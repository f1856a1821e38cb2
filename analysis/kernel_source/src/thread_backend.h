// What becomes of a thread's words behind the expanders: those of the vector unit and of its front end are
// the kernel, configuration is carried out, the rest is left out and told.
#pragma once

#include "pushed_kernel.h"
#include "run_notes.h"

#include <sfpu/common/parameters.h>
#include <sfpu/common/types.h>
#include <sfpu/memory/backend_units.h>
#include <sfpu/memory/config_registers.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// When the core pushed a word, or what it was made from, and when the front end had it at the earliest.
struct word_times {
    std::int64_t pushed = 0, arrived = 0; ///< cycles
};

class thread_backend : private memory::backend_surroundings {
public:
    static constexpr std::size_t most_words = std::size_t{1} << 17;
    static constexpr unsigned gpr_count = 64; ///< of the thread

    thread_backend(const parameters& config, run_notes& notes);

    /// The core pushes in another cycle than before: with the next word of the kernel it can be late.
    void core_goes_on() { can_be_late_ = true; }
    /// A word leaves the expanders. Throws user_error if it is no instruction of the chip. False if there are
    /// too many.
    bool take(std::uint32_t word, std::uint32_t pc, word_times times);
    bool is_full() const { return words_.size() >= most_words; }

    /// A store of the core to the configuration space, by index of its words; a load from there. Nothing if
    /// nobody has written the word.
    void store_config(unsigned index, std::uint32_t value, std::uint32_t pc);
    std::optional<std::uint32_t> load_config(unsigned index) const;
    void store_gpr(unsigned index, std::uint32_t value) { gprs_[index] = value; }
    std::optional<std::uint32_t> load_gpr(unsigned index) const { return gprs_[index]; }

    std::vector<pushed_word>& words() { return words_; }
    const std::vector<word_times>& times() const { return times_; }
    /// Of the configuration at the first word of the vector unit, what is not as after reset.
    std::vector<std::pair<std::string, std::string>> settings() const;
    /// A sentence for each unit whose words were left out.
    void tell(std::vector<std::string>& to) const;

private:
    struct left_out {
        std::uint64_t count = 0;
        std::uint32_t pc = 0; ///< of the first
        std::map<std::string, std::uint64_t> mnemonics;
    };

    static void count(left_out& among, const char* mnemonic, std::uint32_t pc);
    void leave_out(std::uint32_t word, std::uint32_t pc);
    bool configure(std::uint32_t word, std::uint32_t pc);

    // What words of configuration reach. Memory is not among it: the function's core may write it meanwhile.
    std::uint32_t gpr(unsigned thread, unsigned number) const override;
    void set_gpr(unsigned, unsigned number, std::uint32_t value) override { gprs_[number] = value; }
    std::uint16_t thread_register(unsigned, unsigned number) const override {
        return static_cast<std::uint16_t>(number == 0 ? state_id_ : 0);
    }
    void configuration_written(unsigned bank_word) override;
    bool read(std::uint32_t, unsigned char*, unsigned) override { return false; }
    bool write(std::uint32_t, const unsigned char*, unsigned) override { return false; }

    void changed(const isa::backend_configuration& before, std::uint32_t pc);
    isa::backend_configuration present() const { return registers_.backend(state_id_); }

    architecture arch_;
    run_notes& notes_;
    memory::config_registers registers_;
    memory::backend_units units_{registers_, *this};
    std::uint32_t word_ = 0, pc_ = 0; ///< that is carried out
    std::vector<bool> config_known_;  ///< words of both banks that somebody has written
    std::array<std::optional<std::uint32_t>, gpr_count> gprs_{};
    unsigned state_id_ = 0;
    bool can_be_late_ = false;
    std::optional<isa::backend_configuration> at_first_word_;
    std::vector<pushed_word> words_;
    std::vector<word_times> times_;
    std::map<std::string, left_out> left_out_; ///< by unit
    left_out carried_out_;
};

} // namespace sfpu::analysis
