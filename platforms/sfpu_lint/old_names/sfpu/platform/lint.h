// Old name, kept for one release: this header is <sfpu/platform/sfpu_lint.h> now.
#pragma once

#include <sfpu/platform/sfpu_lint.h>
