// A pipeline log for the viewer Konata: Kanata log format, version 0004.
//
// Every instruction that executed, was discarded or was held is one instruction of the log:
//
//   I   thread 0 is issued, thread 1 is scheduled by a macro; the simulator's id is the word's index, for a
//       scheduled instruction that of its SFPLOADMACRO
//   L   type 0 is "text [kernel row]", type 1 (shown under the mouse) is origin, cycle, word and Dst address
//   S,E lane 0: "Is" while a word is held and for front-end words, then one stage for the latency in the
//       sub-unit: "XLd", "XSi", "XMa", "XRo" or "XSt". Konata takes stages with an X in their name for
//       execution and draws arrows between them only. Lane 1: "stl" while a word is held
//   W   the consumer reads an LReg that the producer wrote last, or is scheduled by it
//   R   type 0 in the cycle in which the result becomes visible; type 1 for discarded instructions
//
// Of a tile the instructions of hart n are thread 2 + n, in stage "Ex" from issue until the next may follow;
// their events must have been put in order (time_order.h).
//
// Cycles are those of the model: the file starts with the first cycle of the window. Instructions in flight
// at its end are retired there.
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>

namespace sfpu::traces {

class konata_writer : public probe::pipeline_observer {
public:
    /// `out` must outlive the writer. Output is buffered; failures show in the stream's state after finish().
    konata_writer(std::ostream& out, const probe::trace_options& options);
    /// Ends the file if finish() has not: `out` is still there.
    ~konata_writer() override;
    konata_writer(const konata_writer&) = delete;
    konata_writer& operator=(const konata_writer&) = delete;

    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    void acted(const probe::activity_event& event) override;
    void simulation_ended() override { finish(); }

    /// Retires all instructions up to and including cycle `last` and ends the file. Later events are ignored.
    void finish(cycles last);
    /// The same with the last cycle that an event reached.
    void finish();

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::traces
