// What docs/hazards.md says of a diagnostic beside its meaning and explanation. The page is part of the program.
#pragma once

#include <sfpu/common/report.h>

#include <string>

namespace sfpu::cli {

extern const char* const hazard_page; ///< the whole page

struct hazard_help {
    std::string example; ///< lines of assembly, or a sentence where assembly alone does not provoke it
    bool is_assembly = false;
    std::string cure; ///< in general, a line
};

hazard_help help_for(const report_row& row);

} // namespace sfpu::cli
