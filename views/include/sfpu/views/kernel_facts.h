// What a kernel consists of, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/kernel_facts.h>
#include <sfpu/views/page.h>

namespace sfpu::views {

page facts_page(const analysis::kernel_facts& facts);

} // namespace sfpu::views
