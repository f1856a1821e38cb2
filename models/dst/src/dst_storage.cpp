// Highway's foreach_target.h includes this file again for every vector instruction set.
#include <sfpu/common/vector_targets.h>
#include <sfpu/dst/dst_storage.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dst_storage.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "slices-inl.h"

#if HWY_ONCE
namespace sfpu::dst {

HWY_EXPORT(read16);
HWY_EXPORT(read32);
HWY_EXPORT(write16);
HWY_EXPORT(write32);

void dst_storage::read16(unsigned row, lane_mask odd_columns, lanes& out) const {
    HWY_DYNAMIC_DISPATCH(read16)(&pairs_[row * pairs_per_row], odd_columns, out);
}

void dst_storage::write16(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
    HWY_DYNAMIC_DISPATCH(write16)(&pairs_[row * pairs_per_row], odd_columns, where, in);
}

void dst_storage::read32(unsigned row, lane_mask odd_columns, lanes& out) const {
    HWY_DYNAMIC_DISPATCH(read32)
    (&pairs_[row * pairs_per_row], &pairs_[(row + 8) * pairs_per_row], odd_columns, out);
}

void dst_storage::write32(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
    HWY_DYNAMIC_DISPATCH(write32)
    (&pairs_[row * pairs_per_row], &pairs_[(row + 8) * pairs_per_row], odd_columns, where, in);
}

} // namespace sfpu::dst
#endif
