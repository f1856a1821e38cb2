#include "compared_operands.h"

#include <sfpu/analysis/tensor_layout.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Index of a word in the loop, and the iteration; nothing for other words.
struct loop_position {
    std::size_t word, iteration;
};
std::optional<loop_position> position_of(std::int64_t word, const platform::run_request& request) {
    const std::size_t before = request.segments[0].words.size(), length = request.segments[1].words.size();
    const auto index = static_cast<std::size_t>(word);
    if (word < 0 || length == 0 || index < before || index - before >= length * request.segments[1].repeat)
        return std::nullopt;
    return loop_position{(index - before) % length, (index - before) / length};
}

} // namespace

raw_cell_list cells_of(const dst_slice& slice, unsigned lane) {
    const unsigned row = slice.row_of(lane), column = slice.column_of(lane);
    return {{row * 16 + column, (row + lower_half_distance) % 1024 * 16 + column}, slice.wide ? 2u : 1u};
}

bool raw_cell_set::contains(const dst_slice& slice) const {
    for (unsigned lane = 0; lane < lane_count; ++lane)
        for (const unsigned cell : cells_of(slice, lane))
            if (marked_[cell]) return true;
    return false;
}
void raw_cell_set::add(const dst_slice& slice) {
    for (unsigned lane = 0; lane < lane_count; ++lane)
        for (const unsigned cell : cells_of(slice, lane)) marked_[cell] = true;
}

std::vector<compared_operand> operands_of(const std::vector<dst_access>& accesses, bool stores,
                                          const equivalence_side& side) {
    std::map<std::size_t, compared_operand> by_word;
    for (const dst_access& each : accesses) {
        const auto at = position_of(each.word, *side.request);
        if (each.is_store != stores || !at) continue;
        compared_operand& one = by_word[at->word];
        if (one.slices.size() != at->iteration) continue;
        if (one.slices.empty()) one.address = each.address;
        one.type = each.type;
        one.wide = each.slice.wide;
        one.slices.push_back(each.slice);
    }
    std::vector<compared_operand> found;
    for (auto& [word, one] : by_word)
        if (one.slices.size() == side.request->segments[1].repeat) found.push_back(std::move(one));
    const unsigned per_row = static_cast<unsigned>(found.size()) / side.kernel->rows_per_iteration;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (per_row && found.size() % side.kernel->rows_per_iteration == 0)
            found[i].row_in_iteration = static_cast<unsigned>(i) / per_row;
    return found;
}

std::string name_of(const compared_operand& found) {
    return fmt::format("dst[0x{:03x}]", found.address & 0x3feu);
}

std::vector<compared_operand> found_inputs(const std::vector<dst_access>& accesses,
                                           const equivalence_side& side) {
    raw_cell_set stored;
    std::vector<dst_access> loads;
    for (const dst_access& each : accesses) {
        if (each.is_store) stored.add(each.slice);
        else if (!stored.contains(each.slice)) loads.push_back(each);
    }
    std::vector<compared_operand> inputs;
    raw_cell_set taken;
    for (compared_operand& one : operands_of(loads, false, side)) {
        raw_cell_set own;
        const bool overlaps = std::any_of(one.slices.begin(), one.slices.end(), [&](const dst_slice& slice) {
            const bool again = taken.contains(slice) || own.contains(slice);
            own.add(slice);
            return again;
        });
        if (overlaps) continue; // the same operand once more, or another view of it
        for (const dst_slice& slice : one.slices) taken.add(slice);
        one.name = name_of(one);
        inputs.push_back(std::move(one));
    }
    return inputs;
}

std::string place_taken(const equivalence_side& side, const std::vector<isa::tensor>& tensors,
                        const dst_slice& slice) {
    raw_cell_set wanted;
    wanted.add(slice);
    for (const isa::tensor& one : tensors)
        for (unsigned row = 0; row < side.rows; ++row)
            if (wanted.contains(
                    slice_of_row(one.address, row, isa::has_wide_cells(one.type), side.request->thread)))
                return fmt::format("row {} of {}", row, one.name);
    return "";
}

} // namespace sfpu::analysis
