// What TensorLoad instructions do, in two steps: check all, then act.
//
// A check reads the instruction, the CSRs and the scalar operand and gives a plan, or the reason for a trap.
// Acting on a plan cannot fail. Sources are arguments, so a destination may be a source. Source:
// tensorload.md A4, A5.
#pragma once

#include <sfpu/tensorload/block.h>
#include <sfpu/tensorload/csr_file.h>
#include <sfpu/tensorload/encoding.h>

#include <boost/container/static_vector.hpp>

#include <variant>
#include <vector>

namespace sfpu::tensorload {

/// Why an instruction traps, in the order of the checks.
enum class refusal : std::uint8_t {
    undefined_encoding,
    element_type,  ///< ttype names no type, several, or one that this instruction does not support
    block_shape,   ///< a size is zero, or the block does not fit a tensor register
    slice_count,   ///< more slices or positions than a mask has bits
    slice_width,   ///< the slices together do not fit a tensor register
    mask_invalid,  ///< a mask that is needed was never written
    too_many,      ///< tl.concat of more positions than the result has
    dimensions,    ///< tl.xpose: not the size of two registers, or D0 is odd
    same_register, ///< tl.xpose of a register with itself
    load_fault,    ///< a slice is misaligned or outside of its space
    store_fault,
};
const char* describe(refusal why);
/// The RISC-V cause: 2 (illegal instruction), 5 (load access fault) or 7 (store access fault).
std::uint32_t cause_of(refusal why);

struct trap {
    refusal why{};
    std::uint32_t address = 0; ///< faults: the first bad slice
};
template <class Plan>
using checked = std::variant<Plan, trap>;

/// Where the slices of loads or stores may be.
struct memory_space {
    std::uint32_t base = 0; ///< added to offsets to give bus addresses
    std::uint64_t size = 0; ///< bytes
};

struct slice {
    unsigned place = 0;       ///< number in the block
    std::uint32_t offset = 0; ///< in the memory space
};
struct transfer_plan {
    unsigned slices = 0; ///< D0, whether enabled or not
    unsigned width = 0;  ///< bytes of a slice
    unsigned element_bytes = 1;
    boost::container::static_vector<slice, 32> enabled; ///< in ascending places
};
/// tl.load, tl.mload, tl.store, tl.mstore. Slices must be aligned to the element and lie in `space`.
checked<transfer_plan> check_transfer(const instruction& insn, const csr_file& csrs, std::uint32_t base,
                                      const memory_space& space, const tensorload_parameters& config);

struct add_plan {
    unsigned bits = 8;
};
checked<add_plan> check_addi(const csr_file& csrs, const tensorload_parameters& config);
/// Every element plus the addend, clamped to the element's range.
tensor_register add(const tensor_register& source, int addend, const add_plan& plan);

/// One position of a concatenation: coordinate `at` of the first source or of the second.
struct position {
    bool second = false;
    unsigned at = 0;
};
struct concat_plan {
    block_shape from, to; ///< differ along the axis under concat_grow only
    unsigned axis = 0;
    boost::container::static_vector<position, 64> picked;
};
checked<concat_plan> check_concat(const instruction& insn, const csr_file& csrs,
                                  const tensorload_parameters& config);
/// Changes the result's block; what was behind it stays.
void concatenate(tensor_register& result, const tensor_register& a, const tensor_register& b,
                 const concat_plan& plan);

struct merge_plan {
    block_shape shape;
    unsigned axis = 0;
    std::uint32_t mask = 0;
};
checked<merge_plan> check_merge(const instruction& insn, const csr_file& csrs,
                                const tensorload_parameters& config);
void merge(tensor_register& result, const tensor_register& a, const tensor_register& b,
           const merge_plan& plan);

struct xpose_plan {
    std::array<unsigned, 4> size{}; ///< d0 to d3 of the source
    unsigned p = 0, q = 1;
    unsigned element_bits = 8;
};
/// Not for no-ops, which are never checked.
checked<xpose_plan> check_xpose(const instruction& insn, const csr_file& csrs, std::uint32_t dimensions,
                                const tensorload_parameters& config);
/// Element i of the result is element gather(plan)[i] of the source.
std::vector<std::uint16_t> gather(const xpose_plan& plan);
/// The tensor's first half is in `a`, its second half in `b`, before and after.
void transpose(tensor_register& a, tensor_register& b, const std::vector<std::uint16_t>& from,
               unsigned element_bits);

} // namespace sfpu::tensorload
