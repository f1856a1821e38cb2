#include <sfpu/analysis/kernel_values.h>

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace sfpu::analysis {

user_error unknown_tensor(const kernel_run& kernel, const char* asked, const std::string& name,
                          const std::vector<std::string>& known, const char* directive) {
    const std::string& file = kernel.kernel().file;
    if (known.empty())
        return user_error(fmt::format("{}: {} {}: the kernel declares nothing; add '{} {}, ADDRESS, TYPE' to "
                                      "assembly, or say '--{}-at {}=ADDRESS:TYPE' of any kernel",
                                      file, asked, name, directive, name, directive + 1, name));
    return user_error(fmt::format("{}: {}: found '{}', expected one of {}{}", file, asked, name,
                                  fmt::join(known, ", "), suggestion(name, known)));
}

const isa::tensor& find_tensor(const kernel_run& kernel, const std::vector<isa::tensor>& among,
                               const std::string& name, const char* asked, const char* directive) {
    const auto found =
        std::find_if(among.begin(), among.end(), [&](const auto& each) { return each.name == name; });
    if (found != among.end()) return *found;
    std::vector<std::string> names;
    for (const isa::tensor& each : among) names.push_back(each.name);
    throw unknown_tensor(kernel, asked, name, names, directive);
}

dst_slice slice_of(const kernel_run& kernel, const isa::tensor& tensor, unsigned row) {
    return slice_of_row(tensor.address, row, isa::has_wide_cells(tensor.type), kernel.request().thread);
}

void check_places(const kernel_run& kernel, const std::vector<const isa::tensor*>& tensors) {
    if (kernel.rows() == 0)
        throw user_error(kernel.kernel().file +
                         ": the kernel has no rows (.loop, .rows, --rows), so it has no data");
    struct owner {
        const isa::tensor* tensor = nullptr;
        unsigned row = 0;
        std::string text() const { return fmt::format("row {} of {}", row, tensor->name); }
    };
    std::vector<std::array<owner, 2>> taken(
        std::tuple_size_v<platform::dst_image>); // by row of storage, columns even or odd
    for (const isa::tensor* input : tensors)
        for (unsigned row = 0; row < kernel.rows(); ++row) {
            const dst_slice slice = slice_of(kernel, *input, row);
            for (unsigned lane = 0; lane < lane_count; lane += 8)
                for (unsigned half = 0; half < (slice.wide ? 2u : 1u); ++half) {
                    owner& known = taken[slice.row_of(lane) + half * lower_half_distance][slice.odd];
                    const owner now{input, row};
                    if (!known.tensor) known = now;
                    else
                        throw user_error(
                            fmt::format("{}: {} lies where {} does; Dst has place for {} rows of type {}",
                                        kernel.kernel().file, now.text(), known.text(),
                                        most_places / (isa::has_wide_cells(input->type) ? 2 : 1),
                                        isa::to_string(input->type)));
                }
        }
}

void put_cells(kernel_run& kernel, const isa::tensor& tensor, const std::vector<std::uint32_t>& cells) {
    platform::dst_rows& dst = kernel.request().dst_rows;
    for (unsigned row = 0; row < kernel.rows(); ++row) {
        const dst_slice slice = slice_of(kernel, tensor, row);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            write_cell(dst, slice, lane, cells[row * lane_count + lane]);
    }
}

std::vector<std::uint32_t> cells_of(const kernel_run& kernel, const platform::dst_image& dst,
                                    const isa::tensor& tensor) {
    std::vector<std::uint32_t> cells;
    cells.reserve(std::size_t{kernel.rows()} * lane_count);
    for (unsigned row = 0; row < kernel.rows(); ++row) {
        const dst_slice slice = slice_of(kernel, tensor, row);
        for (unsigned lane = 0; lane < lane_count; ++lane) cells.push_back(read_cell(dst, slice, lane));
    }
    return cells;
}

} // namespace sfpu::analysis
