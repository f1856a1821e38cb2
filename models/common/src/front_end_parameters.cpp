#include "parameter_rows.h"

namespace sfpu {

std::vector<parameter_row> front_end_parameter_rows() { return {}; }

} // namespace sfpu
