// Rules by the file that has them.
#pragma once

#include <sfpu/analysis/rewriting.h>

namespace sfpu::rewriting {

extern const std::vector<rule> lane_rules, value_rules, exchange_rules, order_rules, sum_rules, format_rules,
    cell_rules;

/// Adds a changed row if it makes sense.
void add_site(std::vector<site>& to, row changed, unsigned line, std::string assumed = {});

/// Whether a step is a load that leaves the address counter as it is.
bool may_be_dropped(const row& of, const step& s);

} // namespace sfpu::rewriting
