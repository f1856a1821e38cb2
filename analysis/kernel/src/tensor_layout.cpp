#include <sfpu/analysis/tensor_layout.h>

#include <sfpu/dst/dst_storage.h>

#include <fmt/format.h>

#include <array>
#include <tuple>

namespace sfpu::analysis {

dst_slice slice_at(unsigned address, bool wide, const dst_row_mapping& mapping) {
    const unsigned row = address & 0x3fcu;
    return {wide ? dst::adjust32(row, mapping.remap_addrs, mapping.swizzle_32b)
                 : dst::adjust16(row, mapping.remap_addrs),
            (address >> 1 & 1u) != 0, wide};
}

dst_slice slice_of_row(unsigned address, unsigned row, bool wide, const isa::thread_state& thread) {
    isa::instruction load;
    load.imm10 = static_cast<std::uint16_t>((address + 2 * row) & 0x3ffu);
    return slice_at(thread.counted_address(load), wide, thread.backend().rows);
}

std::optional<shared_place> first_shared_place(unsigned address, unsigned rows, bool wide,
                                               const isa::thread_state& thread) {
    constexpr unsigned nobody = ~0u;
    std::array<std::array<unsigned, 2>, std::tuple_size_v<platform::dst_image>> owner{};
    for (auto& halves : owner) halves.fill(nobody);
    for (unsigned row = 0; row < rows; ++row) {
        const dst_slice slice = slice_of_row(address, row, wide, thread);
        for (unsigned lane = 0; lane < lane_count; lane += 8)
            for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
                unsigned& known = owner[slice.row_of(lane) + half * lower_half_distance][slice.odd];
                if (known != nobody) return shared_place{row, known};
                known = row;
            }
    }
    return std::nullopt;
}

std::string to_text(const shared_place& what, isa::data_type type) {
    return fmt::format("row {} lies where row {} does; Dst has place for {} rows of type {}", what.row,
                       what.earlier, most_places / (isa::has_wide_cells(type) ? 2 : 1), isa::to_string(type));
}

std::uint32_t read_cell(const platform::dst_image& dst, const dst_slice& slice, unsigned lane) {
    const unsigned row = slice.row_of(lane), column = slice.column_of(lane);
    const std::uint32_t upper = dst[row][column];
    return slice.wide ? upper << 16 | dst[row + lower_half_distance][column] : upper;
}

void write_cell(platform::dst_rows& dst, const dst_slice& slice, unsigned lane, std::uint32_t cell) {
    const unsigned row = slice.row_of(lane), column = slice.column_of(lane);
    dst[row][column] = static_cast<std::uint16_t>(slice.wide ? cell >> 16 : cell);
    if (slice.wide) dst[row + lower_half_distance][column] = static_cast<std::uint16_t>(cell);
}

} // namespace sfpu::analysis
