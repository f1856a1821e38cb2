// A published file name; the names are all in one header here.
#pragma once

#include <sfpu/kernel_recorder/kernel.h>
