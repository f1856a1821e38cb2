#include <sfpu/analysis/kernel_data.h>

#include <sfpu/analysis/text_files.h>

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/common/random_source.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/data_type.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sfpu::analysis {
namespace {

constexpr unsigned dst_rows = 1024, dst_columns = 16;
constexpr std::size_t dst_file_size = std::size_t{2} * dst_rows * dst_columns;

} // namespace

void load_dst(const std::string& file, platform::run_request& request) {
    const std::string bytes = read_input(file);
    if (bytes.size() != dst_file_size)
        throw user_error(fmt::format("{}: found {} bytes, expected {} (1024 rows of 16 cells of 16 bits)",
                                     shown_name(file), bytes.size(), dst_file_size));
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    for (unsigned row = 0; row < dst_rows; ++row) {
        std::array<std::uint16_t, dst_columns> cells{};
        for (unsigned column = 0; column < dst_columns; ++column) {
            const std::size_t at = (std::size_t{row} * dst_columns + column) * 2;
            cells[column] = static_cast<std::uint16_t>(byte(at) | byte(at + 1) << 8);
        }
        request.dst_rows[row] = cells;
    }
}

std::string dst_bytes(const platform::dst_image& dst) {
    std::string bytes;
    bytes.reserve(std::size_t{2} * dst.size() * dst[0].size());
    for (const auto& row : dst)
        for (const std::uint16_t cell : row) {
            bytes += static_cast<char>(cell & 0xff);
            bytes += static_cast<char>(cell >> 8);
        }
    return bytes;
}

void fill_with_random_data(kernel_run& kernel, std::uint64_t seed) {
    platform::run_request& request = kernel.request();
    random_source random(seed);
    fill_dst(request, dst_filling::mixture, random);
    for (const isa::tensor& input : kernel.kernel().inputs)
        for (unsigned row = 0; row < std::min(kernel.rows(), most_places); ++row) {
            const dst_slice slice =
                slice_of_row(input.address, row, isa::has_wide_cells(input.type), request.thread);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                write_cell(request.dst_rows, slice, lane, isa::random_cell(input.type, random));
        }
}

} // namespace sfpu::analysis
