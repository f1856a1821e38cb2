// What two kernels are compared by: their inputs and outputs in Dst, declared or found by watching a run.
#pragma once

#include <sfpu/analysis/dst_accesses.h>
#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/data_type.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// An input or output: where its elements are. Declared ones have a slice for each row, those that were found
/// a slice for each iteration of the loop.
struct compared_operand {
    std::string name;
    std::optional<isa::data_type> type; ///< none: bits
    bool wide = false;
    std::vector<dst_slice> slices;
    bool declared = false;
    // Of those that were found:
    unsigned address = 0; ///< of the first slice
    unsigned row_in_iteration = 0;

    std::size_t elements() const { return slices.size() * lane_count; }
    unsigned bits() const { return wide ? 32 : 16; }
};

constexpr unsigned raw_cells = 1024 * 16;

/// The cells of raw storage, row times 16 plus column, that one lane of a slice has: one or two.
struct raw_cell_list {
    std::array<unsigned, 2> cell;
    unsigned count;
    const unsigned* begin() const { return cell.data(); }
    const unsigned* end() const { return cell.data() + count; }
};
raw_cell_list cells_of(const dst_slice& slice, unsigned lane);

class raw_cell_set {
public:
    bool contains(const dst_slice& slice) const;
    void add(const dst_slice& slice);

private:
    std::vector<bool> marked_ = std::vector<bool>(raw_cells);
};

/// The first row of the tensors that has a cell of the slice: "row 4 of q".
std::string place_taken(const equivalence_side& side, const std::vector<isa::tensor>& tensors,
                        const dst_slice& slice);

/// The accesses of a kind, by the word of the loop. Only words that touch Dst in every iteration, one slice
/// each.
std::vector<compared_operand> operands_of(const std::vector<dst_access>& accesses, bool stores,
                                          const equivalence_side& side);

/// Of one that was found: its address.
std::string name_of(const compared_operand& found);

/// Inputs of a kernel that declares none: what it loads before anything is stored there.
std::vector<compared_operand> found_inputs(const std::vector<dst_access>& accesses,
                                           const equivalence_side& side);

} // namespace sfpu::analysis
