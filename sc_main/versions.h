// What this program was built from.
#pragma once

#include <sfpu/views/machine_pages.h>

namespace sfpu::cli {

views::build_versions versions();

} // namespace sfpu::cli
