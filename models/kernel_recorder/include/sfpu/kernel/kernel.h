// All published names, for sources that hold kernel functions. Define ARCH_BLACKHOLE or ARCH_WORMHOLE.
#pragma once

#include <sfpu/kernel/addr_mod.h>
#include <sfpu/kernel/arch.h>
#include <sfpu/kernel/math.h>
#include <sfpu/kernel/modifiers.h>
#include <sfpu/kernel/names.h>
#include <sfpu/kernel/ops.h>
#include <sfpu/kernel/replay.h>
