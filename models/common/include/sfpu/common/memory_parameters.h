// Parameters of memories outside the vector unit: L1, local RAM, plain RAM, the bus, the Dst window.
#pragma once

namespace sfpu {

/// Latencies of loads (8 cycles from L1, 2 from local RAM, ...) belong to who loads; what stands here are the
/// cycles that a memory adds on top of them.
struct memory_parameters {
    unsigned l1_bytes = 0; ///< 0: by architecture, 0x180000 or 0x170000
    unsigned l1_narrow_write = 5;
    bool l1_bank_conflicts = true;
    bool l1_dmi = true;

    unsigned ram_bytes = 0x200000;
    unsigned ram_latency = 0;
    unsigned local_ram_bytes = 0; ///< 0: by architecture, 4096 or 2048

    unsigned bus_latency = 0;
    unsigned register_latency = 0;

    unsigned dst_window_latency = 0;
    unsigned dst_window_settle = 4;
};

} // namespace sfpu
