// Runs a graph on 32 lanes as it stands: values are kept for themselves, predication is a mask.
#pragma once

#include <sfpu/isa/lane_machine.h>
#include <sfpu/kernel_recorder/vector/graph.h>

#include <vector>

namespace sfpu::kernel_recorder::vector {

class direct_execution {
public:
    /// Executes the nodes from first() on. Dst, address counters, programmable and pinned registers are those
    /// of the machine, and so is the arithmetic.
    void run(const graph& what, isa::lane_machine& machine);

private:
    void run(const node& n, value at);
    lanes read(value v) const;
    lanes& made(value v);
    void set_lanes(lane_mask enabled);
    lane_mask lanes_where(condition c) const;
    void compute(const node& n, value at);
    void merge(const node& n, value at);
    void read_lanes(const node& n, value at);
    void write_register(const node& n);
    void write_constant(const node& n);
    void issue_raw(const node& n);
    void execute_alone(const node& n, lanes (&out)[4]);

    const graph* graph_ = nullptr;
    isa::lane_machine* machine_ = nullptr;
    std::vector<lanes> values_;
    std::vector<lane_mask> pushed_;
    lane_mask enabled_ = all_lanes;
};

} // namespace sfpu::kernel_recorder::vector
