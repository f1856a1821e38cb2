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

slice_moves best_slice_moves() { return SFPU_BEST_OF(all_moves)(); }
slice_moves baseline_slice_moves() { return HWY_STATIC_DISPATCH(all_moves)(); }

} // namespace sfpu::dst
#endif
