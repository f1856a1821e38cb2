#include "versions.h"

#include <sfpu/views/run.h>

#include <systemc>

namespace sfpu::cli {

views::build_versions versions() { return {SFPU_TLM_VERSION, sc_core::sc_release(), views::compiler_name()}; }

} // namespace sfpu::cli
