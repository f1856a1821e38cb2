// Old name, until 0.3: this header is <sfpu/platform/sfpu_lint.h> now.
#pragma once

#include <sfpu/platform/sfpu_lint.h>
