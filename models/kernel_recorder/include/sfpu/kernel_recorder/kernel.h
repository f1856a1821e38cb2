// All published names, for sources that hold kernel functions. Define ARCH_BLACKHOLE or ARCH_WORMHOLE.
#pragma once

#include <sfpu/kernel_recorder/addr_mod.h>
#include <sfpu/kernel_recorder/arch.h>
#include <sfpu/kernel_recorder/library_names.h>
#include <sfpu/kernel_recorder/math.h>
#include <sfpu/kernel_recorder/modifiers.h>
#include <sfpu/kernel_recorder/mop_templates.h>
#include <sfpu/kernel_recorder/names.h>
#include <sfpu/kernel_recorder/ops.h>
#include <sfpu/kernel_recorder/other_units.h>
#include <sfpu/kernel_recorder/replay.h>
#include <sfpu/kernel_recorder/vector_builtins.h>
#include <sfpu/kernel_recorder/vector_functions.h>
#include <sfpu/kernel_recorder/vector_registers.h>
#include <sfpu/kernel_recorder/vector_types.h>

#include <limits>

// Headers of the kernel library that others of it use without saying so. The first gives configuration
// registers their addresses.
#if __has_include("cfg_defines.h")
#include "cfg_defines.h"
#endif
#if __has_include("sfpu/ckernel_sfpu_converter.h")
#include "sfpu/ckernel_sfpu_converter.h"
#endif
#if __has_include("sfpu/ckernel_sfpu_polyval.h")
#include "sfpu/ckernel_sfpu_polyval.h"
#endif
