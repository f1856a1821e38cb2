// The pipeline as a timeline for Perfetto, in its own format: TracePackets in protobuf encoding, compressed.
// docs/trace-formats.md has the packets.
//
// One process, "SFPU", with a thread for issue and one for each sub-unit. Slices of a thread must nest, but a
// MAD starts in every cycle and lasts two: what overlaps goes to a further thread of the same sub-unit, "MAD
// (2)".
//
//   slices    one for each instruction in a sub-unit, for its latency, named by its mnemonic; category
//             "issued", "scheduled" or "discarded"; args cycle, word, row (if known), origin ("issued" or
//             "macro"), text and, if it accesses Dst, dst. What a lane got, as bits: result (of the first
//             register that it writes) and cell (raw, of Dst), where the lane was enabled; of SFPSWAP there
//             is none. On thread "Issue": every issued word and every held cycle ("stall: cause")
//   arrows    category "macro" from an SFPLOADMACRO to each instruction that it schedules, category "data"
//             from the writer of an LReg to its reader, named by the register
//   counters  at the start of a cycle: "outstanding" (macro entries by sub-unit), "rwc" (address counters),
//             "ipc" (instructions with an effect that begin in the 16 cycles from this one on, per cycle)
//   instants  diagnostics, on thread "Hazards"
//
// A second process, "Tile", has a thread for each lane of what surrounds the vector unit, "hart0 retire" or
// "tensorload load": a slice for each activity, named by its text, category "busy" or the cause of a stall,
// and arrows of category "tile" between activities of one instruction. Its events need not be in order.
//
// Time: a microsecond of the file is a nanosecond of the model, so one cycle lasts period_ps / 1000
// microseconds. Perfetto keeps whole nanoseconds and a cycle is less than one, so real time would round
// slices away.
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>

namespace sfpu::traces {

class perfetto_writer : public probe::pipeline_observer {
public:
    /// `out` must outlive the writer. Output is buffered; failures show in the stream's state after finish().
    /// `value_lane`: of which lane instructions show values.
    perfetto_writer(std::ostream& out, const probe::trace_options& options, unsigned value_lane = 0);
    /// Ends the file if finish() has not: `out` is still there.
    ~perfetto_writer() override;
    perfetto_writer(const perfetto_writer&) = delete;
    perfetto_writer& operator=(const perfetto_writer&) = delete;

    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    void slots_changed(const probe::slots_event& event) override;
    void counters_changed(const probe::counters_event& event) override;
    void diagnosed(const diagnostic& what) override;
    void acted(const probe::activity_event& event) override;
    void simulation_ended() override { finish(); }

    /// Ends the file. Later events are ignored.
    void finish();

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::traces
