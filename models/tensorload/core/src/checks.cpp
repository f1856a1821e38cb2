// Everything that can trap. The order of the checks is that of tensorload.md A5: type, shape and width, mask,
// dimensions, memory.
#include <sfpu/tensorload/semantics.h>

namespace sfpu::tensorload {
namespace {

constexpr unsigned mask_bits = 32;
constexpr unsigned xpose_bytes = 2 * register_bytes;

/// Block check: a type that may be moved, and a shape that fits. Gives the type.
std::variant<element_type, trap> check_type(const csr_file& csrs, type_support needed,
                                            const tensorload_parameters& config) {
    const std::optional<element_type> type = element_type_of(csrs.ttype, config);
    if (!type || type->support < needed) return trap{refusal::element_type};
    if (needed == type_support::all && !type->is_integer()) return trap{refusal::element_type};
    return *type;
}

std::variant<block_shape, trap> check_block(const csr_file& csrs, const tensorload_parameters& config) {
    const auto type = check_type(csrs, type_support::move, config);
    if (const trap* why = std::get_if<trap>(&type)) return *why;
    const block_shape shape = shape_of(csrs.tshape, std::get<element_type>(type).bits);
    if (!shape.is_valid()) return trap{refusal::block_shape};
    return shape;
}

std::uint64_t slice_width(std::uint32_t csr, const block_shape& shape, width_unit unit) {
    if (csr == 0) return (std::uint64_t{shape.run(0)} * shape.element_bits + 7) / 8;
    return unit == width_unit::bytes ? csr : (std::uint64_t{csr} * shape.element_bits + 7) / 8;
}

bool enabled(std::uint32_t mask, unsigned place) { return mask >> place & 1u; }

} // namespace

const char* describe(refusal why) {
    switch (why) {
    case refusal::undefined_encoding: return "no TensorLoad instruction";
    case refusal::element_type: return "ttype names no type that this instruction supports";
    case refusal::block_shape: return "tshape has a size of zero or does not fit a tensor register";
    case refusal::slice_count: return "more than 32 slices or positions";
    case refusal::slice_width: return "the slices do not fit a tensor register";
    case refusal::mask_invalid: return "a mask that is needed was never written";
    case refusal::too_many: return "more valid positions than the result has";
    case refusal::dimensions: return "the dimensions do not make two registers, or D0 is odd";
    case refusal::same_register: return "both operands are the same register";
    case refusal::load_fault: return "a slice to load is misaligned or outside of the memory";
    case refusal::store_fault: return "a slice to store is misaligned or outside of the memory";
    }
    return "?";
}

std::uint32_t cause_of(refusal why) {
    switch (why) {
    case refusal::load_fault: return 5;
    case refusal::store_fault: return 7;
    default: return 2;
    }
}

checked<transfer_plan> check_transfer(const instruction& insn, const csr_file& csrs, std::uint32_t base,
                                      const memory_space& space, const tensorload_parameters& config) {
    const transfer_csrs& direction = insn.is_load() ? csrs.load : csrs.store;
    const auto block = check_block(csrs, config);
    if (const trap* why = std::get_if<trap>(&block)) return *why;
    const block_shape& shape = std::get<block_shape>(block);
    if (shape.size[0] > mask_bits) return trap{refusal::slice_count};
    const std::uint64_t width = slice_width(direction.width, shape, config.width);
    if (shape.size[0] * width > register_bytes) return trap{refusal::slice_width};
    if (insn.is_masked() && !direction.mask_valid) return trap{refusal::mask_invalid};

    transfer_plan plan;
    plan.slices = shape.size[0];
    plan.width = static_cast<unsigned>(width);
    plan.element_bytes = shape.element_bits < 8 ? 1 : shape.element_bits / 8; // 4-bit elements share a byte
    const auto slices = static_cast<std::uint32_t>(insn.immediate);
    for (unsigned i = 0; i < plan.slices; ++i) {
        if (insn.is_masked() && !enabled(direction.mask, i)) continue;
        const std::uint32_t offset = base + (direction.strides[i] + slices) * plan.width;
        const bool inside = offset + std::uint64_t{plan.width} <= space.size;
        if (offset % plan.element_bytes != 0 || !inside)
            return trap{insn.is_load() ? refusal::load_fault : refusal::store_fault, offset};
        plan.enabled.push_back({i, offset});
    }
    return plan;
}

checked<add_plan> check_addi(const csr_file& csrs, const tensorload_parameters& config) {
    const auto type = check_type(csrs, type_support::all, config);
    if (const trap* why = std::get_if<trap>(&type)) return *why;
    return add_plan{std::get<element_type>(type).bits};
}

checked<concat_plan> check_concat(const instruction& insn, const csr_file& csrs,
                                  const tensorload_parameters& config) {
    const auto block = check_block(csrs, config);
    if (const trap* why = std::get_if<trap>(&block)) return *why;
    concat_plan plan;
    plan.from = plan.to = std::get<block_shape>(block);
    plan.axis = insn.p;
    const std::uint32_t positions = plan.from.size[plan.axis];
    if (positions > mask_bits) return trap{refusal::slice_count};
    if (!csrs.concat_mask_valid[0] || !csrs.concat_mask_valid[1]) return trap{refusal::mask_invalid};
    for (const bool second : {false, true})
        for (unsigned at = 0; at < positions; ++at)
            if (enabled(csrs.concat_mask[second], at)) plan.picked.push_back({second, at});
    if (plan.picked.size() > positions) {
        plan.to.size[plan.axis] = static_cast<std::uint32_t>(plan.picked.size());
        if (!config.concat_grow || !plan.to.is_valid()) return trap{refusal::too_many};
    }
    return plan;
}

checked<merge_plan> check_merge(const instruction& insn, const csr_file& csrs,
                                const tensorload_parameters& config) {
    const auto block = check_block(csrs, config);
    if (const trap* why = std::get_if<trap>(&block)) return *why;
    const block_shape& shape = std::get<block_shape>(block);
    if (shape.size[insn.p] > mask_bits) return trap{refusal::slice_count};
    if (!csrs.concat_mask_valid[0]) return trap{refusal::mask_invalid};
    return merge_plan{shape, insn.p, csrs.concat_mask[0]};
}

checked<xpose_plan> check_xpose(const instruction& insn, const csr_file& csrs, std::uint32_t dimensions,
                                const tensorload_parameters& config) {
    xpose_plan plan;
    if (config.xpose_elem_from_ttype) {
        const auto type = check_type(csrs, type_support::move, config);
        if (const trap* why = std::get_if<trap>(&type)) return *why;
        plan.element_bits = std::get<element_type>(type).bits;
    }
    plan.p = insn.p;
    plan.q = insn.q;
    std::uint64_t elements = 1;
    for (unsigned axis = 0; axis < plan.size.size(); ++axis) {
        plan.size[axis] = dimensions >> 8 * axis & 0xffu;
        elements *= plan.size[axis];
    }
    if (elements * plan.element_bits != 8 * xpose_bytes || plan.size[0] % 2 != 0)
        return trap{refusal::dimensions};
    if (insn.a == insn.b && insn.a != 0) return trap{refusal::same_register};
    return plan;
}

} // namespace sfpu::tensorload
