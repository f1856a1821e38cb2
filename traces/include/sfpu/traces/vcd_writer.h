// A waveform of the pipeline in VCD, the format that every waveform viewer reads.
//
// It is written from pipeline events, which carry their own cycles, so it is exact under temporal decoupling.
// Cycle c lasts from c to c + 1 nanoseconds after time 0, whatever the clock, so that a viewer's axis counts
// cycles; a comment at the beginning gives the period. What nobody drives is z. `clock.clock` rises when a
// cycle begins. Signals under `sfpu`:
//
//   load, simple, mad, round, store
//     text       the newest instruction in the sub-unit, until the last cycle of its latency
//     vd         its VD (5 bits; 16 is L16), z when idle
//     origin     0 issued, 1 scheduled by a macro, z when idle
//     busy       something other than SFPNOP is in flight
//     row        its kernel row, z when idle or unknown
//     discarded  high for one cycle: an issued instruction was discarded for a scheduled one (T13)
//   issue
//     text, word   the word issued in this cycle and its index; the index of the held word during a stall
//     stalled, stall_cause
//   macro
//     simple, mad, round, store  bit r is set if an entry with r ticks left was outstanding when the cycle
//                                began
//     outstanding                how many there are in all
//   dst
//     load_address, load_active, store_address, store_active   the two ports of Dst, 32 lanes an access
//   lanes
//     flags, flags_in_use        LaneFlags and UseLaneFlagsForLaneEnable at the start of the cycle, a bit for
//                                each lane
//   lane0 (and others that are asked for)
//     L0 to L7, L11 to L14, L16  at the start of the cycle
//     load_data, store_data      the raw cells that the lane reads and writes in this cycle, by port
//   hazards
//     hazard, id                 an event for each diagnostic, and the latest one's name
//   counters
//     dst, dst_cr, sp   address counters at the start of the cycle, z until they first change
//     row               kernel row of the latest issued word
//     cycle             the cycle number
//
// and, if trace_options lists lanes of a tile, under `tile` a scope for each, "hart0_retire" or
// "tensorload_load":
//   text, busy   the newest activity (a stall is named by its cause), and whether there is one
// Events of a tile must have been put in order (time_order.h).
//
// Texts are GTKWave's `string` variables. They hold no blanks: "sfpmul24 L0, L1" is written "sfpmul24_L0,L1",
// and nothing is "-".
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>
#include <vector>

namespace sfpu::traces {

class vcd_writer : public probe::pipeline_observer {
public:
    /// `out` must outlive the writer. Output is buffered; failures show in the stream's state after finish().
    /// `value_lanes`: of which lanes it shows values.
    vcd_writer(std::ostream& out, const probe::trace_options& options,
               const std::vector<unsigned>& value_lanes = {});
    /// Ends the file if finish() has not: `out` is still there.
    ~vcd_writer() override;
    vcd_writer(const vcd_writer&) = delete;
    vcd_writer& operator=(const vcd_writer&) = delete;

    void cycle_begins(const probe::cycle_event& event) override;
    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    void slots_changed(const probe::slots_event& event) override;
    void counters_changed(const probe::counters_event& event) override;
    void diagnosed(const diagnostic& what) override;
    void acted(const probe::activity_event& event) override;
    void simulation_ended() override { finish(); }

    /// Writes all cycles up to and including `last` and ends the file. Later events are ignored.
    void finish(cycles last);
    /// The same with the last cycle that an event reached.
    void finish();

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::traces
