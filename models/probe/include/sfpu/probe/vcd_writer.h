// A waveform of the pipeline in VCD, the format that every waveform viewer reads.
//
// It is written from pipeline events, which carry their own cycles, so it is exact under temporal decoupling. Cycle c
// lasts from c periods to c + 1 periods after time 0, one time unit is a picosecond. Signals under `sfpu`:
//
//   load, simple, mad, round, store
//     text       the newest instruction in the sub-unit, until the last cycle of its latency
//     vd         its VD (5 bits; 16 is L16), x when idle
//     origin     0 issued, 1 scheduled by a macro, x when idle
//     busy       something other than SFPNOP is in flight
//     row        its kernel row, x when idle or unknown
//     discarded  high for one cycle: an issued instruction was discarded for a scheduled one (T13)
//   issue
//     text, word   the word issued in this cycle and its index; the index of the held word during a stall
//     stalled, stall_cause
//   macro
//     simple, mad, round, store  bit r is set if an entry with r ticks left was outstanding when the cycle began
//     outstanding                how many there are in all
//   dst
//     load_address, load_active, store_address, store_active   the two ports of Dst, 32 lanes an access
//   counters
//     dst, dst_cr, sp   address counters at the start of the cycle, x until they first change
//     row               kernel row of the latest issued word
//     cycle             the cycle number
//
// and, if trace_options lists lanes of a tile, under `tile` a scope for each, "hart0_retire" or "tensorload_load":
//   text, busy   the newest activity (a stall is named by its cause), and whether there is one
// Events of a tile must have been put in order (time_order.h).
//
// Texts are GTKWave's `string` variables. They hold no blanks: "sfpmul24 L0, L1" is written "sfpmul24_L0,L1", and
// nothing is "-".
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>

namespace sfpu::probe {

class vcd_writer : public pipeline_observer {
public:
    /// `out` must outlive the writer. Output is buffered; failures show in the stream's state after finish().
    vcd_writer(std::ostream& out, const trace_options& options);
    ~vcd_writer() override;
    vcd_writer(const vcd_writer&) = delete;
    vcd_writer& operator=(const vcd_writer&) = delete;

    void executed(const execution_event& event) override;
    void stalled(const stall_event& event) override;
    void slots_changed(const slots_event& event) override;
    void counters_changed(const counters_event& event) override;
    void acted(const activity_event& event) override;

    /// Writes all cycles up to and including `last` and ends the file. Later events are ignored.
    void finish(cycles last);

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::probe
