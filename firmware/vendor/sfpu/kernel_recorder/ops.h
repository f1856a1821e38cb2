// Only what vector types need: the macros of Tensix words are those of the vendor's library (sfpi.h here).
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/kernel_recorder/recorder.h>
