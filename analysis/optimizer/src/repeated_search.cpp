#include "repeated_search.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sfpu::analysis {
namespace {

std::array<unsigned, 6> key_of(const optimizer::refutation& of) {
    return {of.interval, of.rows, of.horizon, of.copies, of.free_rows, of.peeled};
}

} // namespace

void learn(optimizer::search_result& known, optimizer::search_result later) {
    const auto is_known = [&](const optimizer::refutation& no) {
        return std::any_of(known.refuted.begin(), known.refuted.end(),
                           [&](const optimizer::refutation& each) { return key_of(each) == key_of(no); });
    };
    for (optimizer::refutation& each : later.refuted)
        if (!is_known(each)) known.refuted.push_back(std::move(each));
    const auto is_decided = [&](const optimizer::free_interval& open) {
        return std::none_of(later.open.begin(), later.open.end(), [&](const optimizer::free_interval& each) {
            return each.interval == open.interval && each.free_rows == open.free_rows;
        });
    };
    known.open.erase(std::remove_if(known.open.begin(), known.open.end(), is_decided), known.open.end());
    known.proved = later.proved;
    known.left_out = std::move(later.left_out);
}

} // namespace sfpu::analysis
