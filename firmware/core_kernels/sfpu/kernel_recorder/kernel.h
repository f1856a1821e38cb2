// The published names of the kernel headers for the core itself: functions of raw words compile with stock
// GCC for RISC-V and push their words, with the vendor's split between what stands in the instruction stream
// and what the core computes and stores.
//
// This folder comes before the recorder's headers: its recorder.h, encode.h and source_place.h stand for
// theirs, and what has no file here is theirs. Vector types are declared only: a function that uses them does
// not link, since which words they become the vendor's compiler decides. Nor does one that uses the MOP
// expander's templates compile. Files without an extension are what these headers need of the standard
// library, which a compiler for bare RISC-V may lack.
#pragma once

#include <sfpu/kernel_recorder/addr_mod.h>
#include <sfpu/kernel_recorder/arch.h>
#include <sfpu/kernel_recorder/library_names.h>
#include <sfpu/kernel_recorder/math.h>
#include <sfpu/kernel_recorder/modifiers.h>
#include <sfpu/kernel_recorder/names.h>
#include <sfpu/kernel_recorder/ops.h>
#include <sfpu/kernel_recorder/other_units.h>
#include <sfpu/kernel_recorder/replay.h>
#include <sfpu/kernel_recorder/vector_builtins.h>
#include <sfpu/kernel_recorder/vector_functions.h>
#include <sfpu/kernel_recorder/vector_registers.h>
#include <sfpu/kernel_recorder/vector_types.h>

#include <limits>

#if __has_include("cfg_defines.h")
#include "cfg_defines.h"
#endif
#if __has_include("sfpu/ckernel_sfpu_converter.h")
#include "sfpu/ckernel_sfpu_converter.h"
#endif
#if __has_include("sfpu/ckernel_sfpu_polyval.h")
#include "sfpu/ckernel_sfpu_polyval.h"
#endif
