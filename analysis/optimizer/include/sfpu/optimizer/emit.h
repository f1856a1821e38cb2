// A schedule as a kernel, in the form of those in kernels/.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/schedule.h>

#include <string>
#include <utility>
#include <vector>

namespace sfpu::optimizer {

struct emitted_kernel {
    std::string text;
    unsigned lead_words = 0; ///< at the end of .init: of rows that begin before the loop
    unsigned tail_words = 0; ///< behind the loop, without the plain kernel's own
};

/// `source` is the text of the plain kernel, for its names and its `.init`; `remarks` stand at the head.
/// `thread` is the state in which `.init` begins. `machine_settings` are the parameters that make `machine`
/// another one than the chip, path and value: a schedule is right for one machine, so the kernel says which.
/// `written_for` is the machine that the words of the plain `.init` and `.tail` are right on: where `machine`
/// takes longer, SFPNOPs follow them.
emitted_kernel emit(const graph& of, const schedule& found, const isa::kernel& plain,
                    const std::string& source, const isa::machine& machine, const isa::machine& written_for,
                    const isa::thread_state& thread,
                    const std::vector<std::pair<std::string, std::string>>& machine_settings,
                    const std::vector<std::string>& remarks);

} // namespace sfpu::optimizer
