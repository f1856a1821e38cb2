// The Configuration Unit and the Scalar Unit between the parts of a tile: words that the vector unit issues
// in order, GPRs that cores see at 0xFFE00000, configuration that they see at 0xFFEF0000.
#pragma once

#include <sfpu/memory/backend_units.h>
#include <sfpu/memory/ram.h>
#include <sfpu/memory/system_registers.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <bitset>
#include <cstddef>
#include <functional>
#include <vector>

namespace sfpu {

class tile_backend : public other_units, private memory::backend_surroundings {
public:
    /// Moves bytes by debug accesses; returns how many.
    using memory_access = std::function<std::size_t(tlm::tlm_command, std::uint64_t address,
                                                    unsigned char* data, std::size_t bytes)>;

    /// The index of the first word of a thread that is pushed in this cycle or later.
    using word_index = std::function<std::int64_t(unsigned thread, cycles at)>;

    /// Words of the unit are executed from now on.
    tile_backend(vector_unit& unit, memory::system_registers& registers, memory_access access,
                 word_index first_word_from);
    /// A core stores to the configuration in this cycle.
    void change_backend(unsigned bank, const isa::backend_configuration& to, cycles at);

    /// The GPRs of the next thread.
    void add_thread(memory::ram& gprs) { gprs_.push_back(&gprs); }
    void reset(const parameters& config);

private:
    bool execute(std::uint32_t word, std::uint8_t thread, cycles at, std::int64_t index) override;

    std::uint32_t gpr(unsigned thread, unsigned number) const override;
    void set_gpr(unsigned thread, unsigned number, std::uint32_t value) override;
    std::uint16_t thread_register(unsigned thread, unsigned number) const override;
    void configuration_written(unsigned bank_word) override;
    bool read(std::uint32_t address, unsigned char* data, unsigned bytes) override;
    bool write(std::uint32_t address, const unsigned char* data, unsigned bytes) override;

    vector_unit& unit_;
    memory::system_registers& registers_;
    memory_access access_;
    word_index first_word_from_;
    memory::backend_units units_;
    std::vector<memory::ram*> gprs_; ///< by thread
    cycles now_{};                   ///< of the word that is executed
    std::int64_t word_ = -1;         ///< its index
    unsigned thread_ = 0;            ///< its thread
    unit_state* state_ = nullptr;    ///< while one is: asking the unit would complete it
    std::bitset<256> reported_;      ///< opcodes that did not do all that they should
};

} // namespace sfpu
