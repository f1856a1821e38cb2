// A plain kernel on a machine whose results come later than where it is written for.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>

#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// The text of a kernel without macros, with SFPNOPs behind each instruction whose result takes longer on
/// `machine` than on `written_for`. `source` is the kernel's text; `machine_settings` (path and value) say
/// which machine it is then for.
std::string with_waits(const isa::kernel& kernel, const std::string& source, const isa::machine& machine,
                       const isa::machine& written_for,
                       const std::vector<std::pair<std::string, std::string>>& machine_settings);

} // namespace sfpu::analysis
