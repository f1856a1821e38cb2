// The host in the place of tt-metal's firmware of B: boots that of the T cores and launches kernels by its
// messages.
#pragma once

#include <sfpu/platform/core_programs.h>
#include <sfpu/tile/tile.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::platform {

/// Where this version of tt-metal has what, and which numbers stand for what: by symbols of the firmware, so
/// that no fact of a version stands here (firmware/vendor/metal_layout.cpp).
struct metal_layout {
    std::uint32_t free_l1;                          ///< behind what firmware uses
    std::uint32_t run;                              ///< messages to T0 to T2, a byte each
    std::uint32_t init, init_buffers, run_go, done; ///< what may stand there
    std::uint32_t launch_number, go_number, go,
        go_go; ///< which message is valid; the byte that starts kernels
    std::uint32_t config_base, buffer_offset, remote_buffer_offset, buffer_mask, first_remote_buffer;
    std::uint32_t arguments, kernel_offset;     ///< of T0: two halves, a word; those of T1 and T2 follow
    std::uint32_t buffers;                      ///< how many there can be
    std::uint32_t received, acked, next_buffer; ///< counters of buffer 0; bytes to the next one's
};

class metal_host {
public:
    /// Checks the kernels and copies them. Throws load_error. Both outlive it.
    metal_host(tile& of, const core_programs& programs);

    /// What firmware is there has been copied; lets the coprocessor be set up.
    void begin();
    /// As of program_host.
    bool look();
    std::string waits_for() const;

private:
    enum class step : std::uint8_t { set_up, boot, buffers, kernels };

    void check_kernels() const;
    void place_kernels();
    void start_firmware();
    void launch();
    void describe_buffers(std::uint32_t at);
    void serve_buffers();
    bool firmware_is(std::uint32_t message, unsigned first, unsigned last);
    std::string cores_at_work() const;

    std::uint32_t get(std::uint32_t address, std::size_t bytes) const;
    void set(std::uint32_t address, std::uint32_t value, std::size_t bytes);

    tile& tile_;
    const core_programs& programs_;
    metal_layout layout_;
    std::vector<std::uint32_t> filled_; ///< pages that were handed over, by place in `programs_.buffers`
    step step_ = step::set_up;
};

} // namespace sfpu::platform
