// The CSRs of the TensorLoad engine. Source: tensorload.md A3.
#pragma once

#include <sfpu/common/tensorload_parameters.h>

#include <array>
#include <cstdint>

namespace sfpu::tensorload {

namespace csr {
constexpr unsigned ttype = 0x800, tshape = 0x801;
/// Shared names: a write goes to the load and the store register, a read gives the load register.
constexpr unsigned tmask_ls = 0x802, tmask_load_stride = 0x805, tmask_load_width = 0x806;
constexpr unsigned tmask_concat_1 = 0x803, tmask_concat_2 = 0x804;
constexpr unsigned load_mask = 0x810, store_mask = 0x811;
constexpr unsigned load_width = 0x812, store_width = 0x813;
constexpr unsigned load_stride = 0x814, store_stride = 0x815; ///< un-indexed: a write fills all 32 entries
constexpr unsigned load_stride_0 = 0x840, store_stride_0 = 0x860;
constexpr unsigned tl_status = 0xcc0; ///< read-only
} // namespace csr

/// The registers of one direction, loads or stores.
struct transfer_csrs {
    std::uint32_t mask = 0; ///< bit i is slice i
    bool mask_valid = false;
    std::uint32_t width = 0;                 ///< of a slice; 0: natural
    std::uint32_t stride = 1;                ///< what was last written to the un-indexed register
    std::array<std::uint32_t, 32> strides{}; ///< memory slice of block slice i
};

/// Masks are invalid until they are written. Bits that do not exist are dropped and read as zero.
class csr_file {
public:
    csr_file() { reset(tensorload_parameters{}); }
    void reset(const tensorload_parameters& config);

    /// False if there is no such register; tl_status, which is not stored, is not here.
    bool read(unsigned number, std::uint32_t& value) const;
    bool write(unsigned number, std::uint32_t value);

    std::uint32_t ttype = 0, tshape = 0;
    transfer_csrs load, store;
    std::array<std::uint32_t, 2> concat_mask{};
    std::array<bool, 2> concat_mask_valid{};

    /// Bits 0 to 3: load mask, store mask, concat masks 1 and 2 have been written.
    unsigned valid_bits() const;

private:
    void set_stride(transfer_csrs& to, std::uint32_t value) const;
    stride_fill fill_ = stride_fill::scaled;
};

} // namespace sfpu::tensorload
