// The one place that knows how SystemC versions differ.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>

/// In a class that registers processes, or in its constructor: what SC_HAS_PROCESS does in 2.3.4, without its
/// deprecation in 3.0, where nothing needs it.
#define SFPU_HAS_PROCESS(module) using SC_CURRENT_USER_MODULE [[maybe_unused]] = module
