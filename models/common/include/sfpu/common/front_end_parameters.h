// Parameters of the front end: FIFOs, MOP and replay expanders, wait gate.
#pragma once

namespace sfpu {

/// Depths count words of 32 bits. 0 where the row says so: by architecture.
struct front_end_parameters {
    unsigned fifo_depth = 0; ///< before the MOP expander; 0: 32, on Wormhole 16 for threads 1 and 2
    unsigned fifo_accept_limit =
        0; ///< pushes are taken while no more than this are held; 0: 28, on Wormhole depth - 1
    unsigned push_width = 0; ///< words that one cycle can bring; 0: 4, on Wormhole 1
    unsigned replay_fifo_depth = 8;
    unsigned gate_fifo_depth = 2;
    unsigned mop_dead_cycles = 1;
    unsigned replay_count_zero = 64;
    unsigned replay_start_cycles = 0;
    unsigned wait_gate_lag = 1;
    unsigned wait_gate_matrix_lag = 0;     ///< more than wait_gate_lag, for waits that name the Matrix Unit
    unsigned matrix_busy_after_setrwc = 0; ///< cycles behind that of the word
    unsigned matrix_busy_after_copy = 0;
};

} // namespace sfpu
