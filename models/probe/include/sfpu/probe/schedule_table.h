// The pipeline as a text table: one line a cycle, one column a sub-unit, as kernel authors write it in
// comments.
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>

namespace sfpu::probe {

/// Collects events and prints them as columns cycle, Load, Simple, MAD, Round, Store and, if there is
/// something to say, Notes. Columns are separated by two or more blanks, cells hold single blanks only, an
/// idle cell is ".":
///
///     *sfpiadd L1, ...   scheduled by SFPLOADMACRO
///     sfpload L0, ...[3] belongs to kernel row 3
///     ~sfpshft L1, ...~  issued, but discarded for the scheduled instruction beside it
///     sfpload L0, ...[3]{1}  a word of thread 1, if there is more than one
///     a + b              two instructions that began in the same cycle, on a machine with two such units
///     |                  second cycle of SFPSWAP or of a two-cycle SFPSHFT2
///
/// Notes hold stalls as "(stall: mad-dependence)", issued front-end words as "issue: incrwc ...", forgotten
/// macro entries as "forgotten: simple sfpiadd ..." and diagnostics as "warning: /sfpu/unit/condition". The
/// header is the first line, a legend the last.
struct table_style {
    /// Characters of a line at most, 80 or more. Cells are then cut, notes stand on lines of their own. 0:
    /// lines are as wide as their cells.
    unsigned columns = 0;
    bool colours = false; ///< by the escape sequences of terminals
    /// If not null, lines go there while the run goes on, so that memory does not grow with it. Columns may
    /// become wider where longer instructions come later. It must outlive the table.
    std::ostream* out = nullptr;
};

class schedule_table : public pipeline_observer {
public:
    explicit schedule_table(const trace_options& options, const table_style& style = {});
    ~schedule_table() override;
    schedule_table(const schedule_table&) = delete;
    schedule_table& operator=(const schedule_table&) = delete;

    void executed(const execution_event& event) override;
    void stalled(const stall_event& event) override;
    void forgotten(const forgotten_event& event) override;
    void diagnosed(const diagnostic& what) override;

    /// Prints every cycle from the first to the last with an event, or what table_style::out has not had yet.
    void print(std::ostream& out);

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::probe
