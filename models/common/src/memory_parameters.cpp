#include "parameter_rows.h"

namespace sfpu {

std::vector<parameter_row> memory_parameter_rows() { return {}; }

} // namespace sfpu
