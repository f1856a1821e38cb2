// Rules on lane flags.
#include "rule_table.h"

namespace sfpu::rewriting {

const std::vector<rule> lane_rules = {};

} // namespace sfpu::rewriting
