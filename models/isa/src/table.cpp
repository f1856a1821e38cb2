// Builds the instruction table once for each vector instruction set and picks the best at run time.
//
// Highway's foreach_target.h includes this file again for every instruction set, each time with another
// HWY_NAMESPACE and another code generation target. The semantics are plain lane loops; see
// semantics/lanewise-inl.h.
#include <sfpu/common/vector_targets.h>
#include <sfpu/isa/execution.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>

#include "data_sheet.h"
#include "row_parts.h"
#include "row_texts.h"
#include "semantics/approximation_tables.h"
#include "semantics/fma.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "table.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "rows-inl.h"

#if HWY_ONCE
namespace sfpu::isa {

namespace {

struct table {
    std::vector<const row*> rows;
    std::array<const row*, 256> by_opcode{};

    explicit table(std::vector<const row*> semantics) : rows(std::move(semantics)) {
        std::sort(rows.begin(), rows.end(), [](const row* a, const row* b) { return a->opcode < b->opcode; });
        for (const row* r : rows) by_opcode[r->opcode] = r;
    }
};
const table& the_table() {
    static const table instance(SFPU_BEST_OF(table_rows)());
    return instance;
}

} // namespace

const std::vector<const row*>& instruction_table() { return the_table().rows; }

const std::vector<const row*>& baseline_instruction_table() {
    static const table instance(HWY_STATIC_DISPATCH(table_rows)());
    return instance.rows;
}

const row* find_row(std::uint8_t opcode, architecture arch) {
    const row* found = the_table().by_opcode[opcode];
    return found && (found->on_wormhole || describe(arch).has_compare_and_estimate) ? found : nullptr;
}

const row* find_row(const std::string& mnemonic) {
    for (const row* r : the_table().rows)
        if (mnemonic == r->mnemonic) return r;
    return nullptr;
}

const slice_conversions& slice_conversions_of(architecture arch) {
    return SFPU_BEST_OF(slice_conversions_of)(arch);
}
const slice_conversions& baseline_slice_conversions_of(architecture arch) {
    return HWY_STATIC_DISPATCH(slice_conversions_of)(arch);
}

const char* vector_target() {
    return hwy::TargetName(vectors::has_avx2() && (HWY_TARGETS & HWY_AVX2) ? HWY_AVX2 : HWY_STATIC_TARGET);
}

} // namespace sfpu::isa
#endif
