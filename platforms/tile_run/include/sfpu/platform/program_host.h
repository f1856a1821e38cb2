// The host of a tile in the boot conventions of the vendor's programs.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/platform/core_programs.h>
#include <sfpu/tile/tile.h>

#include <cstdint>
#include <memory>
#include <string>

namespace sfpu::platform {

class metal_host;

/// The host of a tile: fills its memory, starts cores, and answers what their start-up code waits for.
class program_host {
public:
    /// The tile has been reset, and outlives it. Throws load_error if a program does not fit.
    program_host(tile& of, architecture arch, loader_kind loader, const core_programs& programs);
    program_host(program_host&& other) noexcept;
    ~program_host();

    /// Simulated time between two looks of a host that still waits for something.
    static constexpr cycles between_looks{256};

    /// Does what is due; true when nothing is left to be done.
    bool look();
    /// What it waits for, in words; empty if for nothing.
    std::string waits_for() const;

private:
    enum class step : std::uint8_t { b_starts, threads_reset, threads_start, set_up, over };

    void place(unsigned core);
    void begin_llk();
    void begin_without_b();
    void set_start_addresses();
    void command(std::uint32_t number, std::uint32_t value);
    void start_threads();
    std::uint32_t word(std::uint32_t address);
    void set_word(std::uint32_t address, std::uint32_t value);

    tile& tile_;
    architecture arch_;
    loader_kind loader_;
    const core_programs& programs_;
    step step_ = step::over;
    std::unique_ptr<metal_host> metal_; ///< of kernels of tt-metal
};

} // namespace sfpu::platform
