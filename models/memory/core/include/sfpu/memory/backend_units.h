// The Configuration Unit and the Scalar Unit (ThCon) of a tile: what their words do to the backend
// configuration, to the 64 GPRs of each thread, to L1 and to registers. Plain C++.
//
// A word takes effect in the cycle in which it is issued: the cycles in which a GPR or a configuration word
// is not there yet are not modelled. How long words occupy the units and hold their thread says
// sfpu/frontend/backend_times.h.
//
// Source: tt-isa-documentation, ConfigurationUnit, BackendConfiguration and the pages of the instructions.
#pragma once

#include <sfpu/memory/config_registers.h>

#include <cstdint>
#include <string>

namespace sfpu::memory {

/// What the units reach beside the configuration.
class backend_surroundings {
public:
    virtual ~backend_surroundings() = default;
    /// GPR `number`, 0 to 63, of a thread.
    virtual std::uint32_t gpr(unsigned thread, unsigned number) const = 0;
    virtual void set_gpr(unsigned thread, unsigned number, std::uint32_t value) = 0;
    /// A thread configuration register, as SETC16 writes it.
    virtual std::uint16_t thread_register(unsigned thread, unsigned number) const = 0;
    /// A word was written, in one bank or in both.
    virtual void configuration_written(unsigned bank_word) = 0;
    /// Moves bytes of L1, or of registers from 0xFFB00000 on. False if nothing is there.
    virtual bool read(std::uint32_t address, unsigned char* data, unsigned bytes) = 0;
    virtual bool write(std::uint32_t address, const unsigned char* data, unsigned bytes) = 0;
};

/// What became of a word.
struct backend_result {
    enum class outcome : std::uint8_t {
        done,
        not_modelled, ///< nothing executes it
        in_part,      ///< it did what this model has of it; `why` says what it has not
        undefined,    ///< nothing happened: the documents do not say what does
    };
    outcome what = outcome::done;
    std::string why; ///< for people, unless it is done
};

class backend_units {
public:
    /// Both have to outlive it.
    backend_units(config_registers& registers, backend_surroundings& around)
        : registers_(registers), around_(around) {}
    void reset(architecture arch) { arch_ = arch; }

    /// Whether it executes words of this opcode.
    static bool has(std::uint8_t opcode, architecture arch);
    backend_result execute(std::uint32_t word, unsigned thread);

private:
    // The Configuration Unit.
    backend_result write_bits(std::uint32_t word, unsigned thread);
    backend_result write_from_gpr(std::uint32_t word, unsigned thread);
    backend_result read_to_gpr(std::uint32_t word, unsigned thread);
    backend_result shift_and_mask(std::uint32_t word, unsigned thread);
    backend_result write_from_stream(std::uint32_t word, unsigned thread);
    // The Scalar Unit.
    backend_result set_gpr(std::uint32_t word, unsigned thread);
    backend_result set_from_packers(std::uint32_t word, unsigned thread);
    backend_result compute(std::uint32_t word, unsigned thread);
    backend_result load_or_store(std::uint32_t word, unsigned thread);
    backend_result move_l1(std::uint32_t word, unsigned thread, bool stores);
    backend_result store_register(std::uint32_t word, unsigned thread);
    backend_result write_thcon(std::uint32_t word, unsigned thread);
    backend_result swap(std::uint32_t word, unsigned thread);
    backend_result increment(std::uint32_t word, unsigned thread);
    backend_result compare_and_set(std::uint32_t word, unsigned thread);
    backend_result move_pointer(std::uint32_t word, unsigned thread);

    unsigned bank_of(unsigned thread) const;
    backend_result write_config(unsigned thread, unsigned bank_word, std::uint32_t value);
    backend_result write_config(unsigned thread, unsigned bank_word, unsigned gpr, unsigned words);
    std::uint32_t half(unsigned thread, unsigned number) const;
    void set_half(unsigned thread, unsigned number, std::uint32_t value);
    /// The offset of an access with its increment, which is then done.
    std::uint32_t take_offset(std::uint32_t word, unsigned thread);
    bool read_word(std::uint32_t address, std::uint32_t& value);
    bool write_word(std::uint32_t address, std::uint32_t value);

    architecture arch_ = architecture::blackhole;
    config_registers& registers_;
    backend_surroundings& around_;
};

} // namespace sfpu::memory
