#include "kernel_data.h"

#include <sfpu/common/random_source.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/platform/dst_filling.h>
#include <sfpu/platform/tensor_layout.h>

#include <algorithm>

namespace sfpu::cli {

void fill_with_random_data(kernel_run& kernel, std::uint64_t seed) {
    platform::run_request& request = kernel.request();
    random_source random(seed);
    platform::fill_dst(request, platform::dst_filling::mixture, random);
    for (const isa::tensor& input : kernel.kernel().inputs)
        for (unsigned row = 0; row < std::min(kernel.rows(), platform::most_places); ++row) {
            const platform::dst_slice slice =
                platform::slice_of_row(input.address, row, isa::has_wide_cells(input.type), request.thread);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                platform::write_cell(request.dst_rows, slice, lane, isa::random_cell(input.type, random));
        }
}

} // namespace sfpu::cli
