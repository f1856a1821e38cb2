#include "function_run.h"

#include <sfpu/analysis/errors.h>

namespace sfpu::analysis {

pushed_kernel run_function(const riscv::elf_image&, std::uint32_t, const source_request&,
                           const machine_choice&, const session&) {
    throw user_error("functions with RISC-V instructions are not run yet");
}

} // namespace sfpu::analysis
