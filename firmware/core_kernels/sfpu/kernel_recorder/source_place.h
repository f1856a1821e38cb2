// A core does not know the lines of its program.
#pragma once

namespace sfpu::kernel_recorder {

struct source_place {
    static constexpr source_place here() { return {}; }
};

} // namespace sfpu::kernel_recorder
