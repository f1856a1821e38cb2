// The pipeline as a picture: sub-units as lanes, cycles as columns, and how long values live in registers.
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>
#include <string>

namespace sfpu::probe {

/// Collects events and draws them as SVG, from top to bottom:
///
///     heading    the title, a band that shows which kernel row the issued words belong to, cycle numbers
///     Issue      the index of the issued word, front-end words by name, held cycles hatched, diagnostics
///                as triangles
///     sub-units  a box for each instruction: name, what it reads, what it writes. Pale with an outline:
///                issued; solid: scheduled by a macro; struck out: discarded. A box is as wide as it keeps
///                others out; a line under it spans the latency of a pipelined instruction that lasts longer
///     registers  a bar for each value from the cycle in which it is visible to that of its last read, a dot
///                for each read; an open stub is a value that nobody read in this run. Values that share a
///                register, each in some lanes, stand below each other. Registers that are not used are left
///                out
///     legend     of what occurs
///
/// Arrows lead from an SFPLOADMACRO to what it scheduled, and from what is waited for to the cycles that are
/// held. Colours tell kernel rows apart. The full text of an instruction stands in its tooltip, and what lane
/// 0 got. One file serves light and dark screens and paper; viewers that know no media queries get the light
/// colours. Memory and the picture grow with the number of cycles: limit long runs by the options' window.
class svg_schedule : public pipeline_observer {
public:
    /// `title` is plain text, for example the kernel's file name.
    svg_schedule(const trace_options& options, std::string title);
    ~svg_schedule() override;
    svg_schedule(const svg_schedule&) = delete;
    svg_schedule& operator=(const svg_schedule&) = delete;

    void executed(const execution_event& event) override;
    void stalled(const stall_event& event) override;
    void forgotten(const forgotten_event& event) override;
    void diagnosed(const diagnostic& what) override;

    /// A line about the run, for the heading.
    void summarise(const std::string& text);
    /// Draws every cycle from the first to the last with an event. Call it once, after the run.
    void print(std::ostream& out);

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::probe
