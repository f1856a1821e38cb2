#include <sfpu/tensorload/csr_file.h>

namespace sfpu::tensorload {
namespace {

constexpr unsigned entries = 32;
constexpr std::uint32_t ttype_bits = 0xfffu, tshape_bits = 0xffffffu;
constexpr std::uint32_t ttype_at_reset = 0x2; // int8

bool is_entry(unsigned number, unsigned first) { return number >= first && number < first + entries; }

void set_mask(transfer_csrs& to, std::uint32_t value) {
    to.mask = value;
    to.mask_valid = true;
}

} // namespace

void csr_file::reset(const tensorload_parameters& config) {
    fill_ = config.stride;
    ttype = ttype_at_reset;
    tshape = 0;
    for (transfer_csrs* direction : {&load, &store}) {
        *direction = {};
        for (unsigned i = 0; i < entries; ++i) direction->strides[i] = i;
    }
    concat_mask = {};
    concat_mask_valid = {};
}

void csr_file::set_stride(transfer_csrs& to, std::uint32_t value) const {
    to.stride = value;
    for (unsigned i = 0; i < entries; ++i) to.strides[i] = fill_ == stride_fill::scaled ? i * value : value;
}

unsigned csr_file::valid_bits() const {
    return unsigned{load.mask_valid} | unsigned{store.mask_valid} << 1 | unsigned{concat_mask_valid[0]} << 2 |
           unsigned{concat_mask_valid[1]} << 3;
}

bool csr_file::read(unsigned number, std::uint32_t& value) const {
    switch (number) {
    case csr::ttype: value = ttype; return true;
    case csr::tshape: value = tshape; return true;
    case csr::tmask_ls:
    case csr::load_mask: value = load.mask; return true;
    case csr::store_mask: value = store.mask; return true;
    case csr::tmask_concat_1: value = concat_mask[0]; return true;
    case csr::tmask_concat_2: value = concat_mask[1]; return true;
    case csr::tmask_load_width:
    case csr::load_width: value = load.width; return true;
    case csr::store_width: value = store.width; return true;
    case csr::tmask_load_stride:
    case csr::load_stride: value = load.stride; return true;
    case csr::store_stride: value = store.stride; return true;
    default: break;
    }
    if (is_entry(number, csr::load_stride_0)) value = load.strides[number - csr::load_stride_0];
    else if (is_entry(number, csr::store_stride_0)) value = store.strides[number - csr::store_stride_0];
    else return false;
    return true;
}

bool csr_file::write(unsigned number, std::uint32_t value) {
    switch (number) {
    case csr::ttype: ttype = value & ttype_bits; return true;
    case csr::tshape: tshape = value & tshape_bits; return true;
    case csr::tmask_ls:
        set_mask(load, value);
        set_mask(store, value);
        return true;
    case csr::load_mask: set_mask(load, value); return true;
    case csr::store_mask: set_mask(store, value); return true;
    case csr::tmask_concat_1:
    case csr::tmask_concat_2:
        concat_mask[number - csr::tmask_concat_1] = value;
        concat_mask_valid[number - csr::tmask_concat_1] = true;
        return true;
    case csr::tmask_load_width: load.width = store.width = value; return true;
    case csr::load_width: load.width = value; return true;
    case csr::store_width: store.width = value; return true;
    case csr::tmask_load_stride:
        set_stride(load, value);
        set_stride(store, value);
        return true;
    case csr::load_stride: set_stride(load, value); return true;
    case csr::store_stride: set_stride(store, value); return true;
    default: break;
    }
    if (is_entry(number, csr::load_stride_0)) load.strides[number - csr::load_stride_0] = value;
    else if (is_entry(number, csr::store_stride_0)) store.strides[number - csr::store_stride_0] = value;
    else return false;
    return true;
}

} // namespace sfpu::tensorload
