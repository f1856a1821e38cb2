#include <sfpu/probe/early_results.h>

#include <algorithm>

namespace sfpu::probe {

void early_results::reach(cycles at) {
    if (held_.empty()) return;
    const auto is_visible = [at](const held_value& each) { return each.visible <= at; };
    held_.erase(std::remove_if(held_.begin(), held_.end(), is_visible), held_.end());
    registers_ = 0;
    for (const held_value& each : held_) registers_ |= isa::only(each.lreg);
}

void early_results::clear() {
    held_.clear();
    registers_ = 0;
}

cycles early_results::next_visible() const {
    const auto sooner = [](const held_value& a, const held_value& b) { return a.visible < b.visible; };
    return std::min_element(held_.begin(), held_.end(), sooner)->visible;
}

const lanes* early_results::find_held(unsigned lreg) const {
    const auto is_its = [lreg](const held_value& each) { return each.lreg == lreg; };
    return &std::find_if(held_.begin(), held_.end(), is_its)->value;
}

} // namespace sfpu::probe
