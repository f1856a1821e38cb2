// What vector types are loaded from and stored to, in namespace sfpi: Dst in slices of 32 elements, registers
// that the kernel names, constant registers.
#pragma once

#include <sfpu/kernel_recorder/vector_types.h>

namespace sfpi {

// --- registers ---------------------------------------------------------------------------------------------

namespace impl_ {

/// One of L0 to L7 by its number: reading gives what it holds, writing sees to it that it holds that.
class vLReg {
public:
    constexpr explicit vLReg(unsigned lreg) : lreg_(lreg) {}
    constexpr int get() const { return static_cast<int>(lreg_); }
    template <class V, std::enable_if_t<is_vector<V>, int> = 0>
    operator V() const {
        return V(sfpu_t(graph().pinned(lreg_)));
    }
    operator sfpu_t() const { return sfpu_t(graph().pinned(lreg_)); }
    template <class V, std::enable_if_t<is_vector<V>, int> = 0>
    const vLReg& operator=(const V& value) const {
        graph().write_pinned(lreg_, value.id());
        return *this;
    }
    const vLReg& operator=(const vLReg& other) const {
        return *this = vUInt(sfpu_t(graph().pinned(other.lreg_)));
    }
    void in_use() const { *this = *this; }

private:
    unsigned lreg_;
};
struct LRegFile {
    constexpr vLReg operator[](LRegs which) const { return vLReg(static_cast<unsigned>(which)); }
};

/// One of the constant registers; 11 to 14 can be assigned to.
template <class V>
class vCReg {
public:
    constexpr explicit vCReg(unsigned lreg) : lreg_(lreg) {}
    constexpr int get() const { return static_cast<int>(lreg_); }
    operator V() const { return V(sfpu_t(graph().constant_lreg(lreg_))); }
    /// What the kernel assigns, and where.
    struct assigned {
        template <class T, std::enable_if_t<std::is_constructible_v<V, T>, int> = 0>
        assigned(const T& what, source_place place = source_place::here()) : value(placed(what, place)) {}
        V value;

    private:
        template <class T>
        static V placed(const T& what, source_place place) {
            stand_at(place);
            return V(what);
        }
    };
    void operator=(const assigned& what) const { graph().write_constant(lreg_, what.value.id()); }
    void operator=(const vCReg&) const = delete;

private:
    unsigned lreg_;
};

// An integer constant register in an expression is a vInt.
#define SFPU_KERNEL_CONSTANT_OPERATOR(symbol, result)                                                        \
    template <class B, std::enable_if_t<is_integer_vector<B> || std::is_integral_v<B>, int> = 0>             \
    result operator symbol(const vCReg<vInt>& a, const B& b) {                                               \
        return vInt(a) symbol b;                                                                             \
    }                                                                                                        \
    template <class A, std::enable_if_t<is_integer_vector<A> || std::is_integral_v<A>, int> = 0>             \
    result operator symbol(const A& a, const vCReg<vInt>& b) {                                               \
        return a symbol vInt(b);                                                                             \
    }
SFPU_KERNEL_CONSTANT_OPERATOR(+, vInt)
SFPU_KERNEL_CONSTANT_OPERATOR(-, vInt)
SFPU_KERNEL_CONSTANT_OPERATOR(&, vInt)
SFPU_KERNEL_CONSTANT_OPERATOR(|, vInt)
SFPU_KERNEL_CONSTANT_OPERATOR(^, vInt)
SFPU_KERNEL_CONSTANT_OPERATOR(==, vBool)
SFPU_KERNEL_CONSTANT_OPERATOR(!=, vBool)
SFPU_KERNEL_CONSTANT_OPERATOR(<, vBool)
SFPU_KERNEL_CONSTANT_OPERATOR(>, vBool)
SFPU_KERNEL_CONSTANT_OPERATOR(<=, vBool)
SFPU_KERNEL_CONSTANT_OPERATOR(>=, vBool)
#undef SFPU_KERNEL_CONSTANT_OPERATOR

} // namespace impl_

constexpr impl_::LRegFile l_reg{};

constexpr impl_::vCReg<vFloat> vConst0(CREG_IDX_0), vConst1(CREG_IDX_1), vConst0p8373(CREG_IDX_0P837300003),
    vConstNeg1(CREG_IDX_NEG_1);
constexpr impl_::vCReg<vFloat> vConstFloatPrgm0(12), vConstFloatPrgm1(13), vConstFloatPrgm2(14);
constexpr impl_::vCReg<vInt> vConstIntPrgm0(12), vConstIntPrgm1(13), vConstIntPrgm2(14);
constexpr impl_::vCReg<vInt> vConstTileId(CREG_IDX_TILEID);

// --- Dst ---------------------------------------------------------------------------------------------------

vInt smag_to_int(vSMag value);
vSMag int_to_smag(vInt value);

namespace impl_ {

constexpr unsigned no_mode = 99;
/// Mod0 of a load or store by layout, `usual` for Default; 99 if the chip has none.
constexpr unsigned dst_mode_of(DataLayout layout, unsigned usual) {
    switch (layout) {
    case DataLayout::FSrcB: return 0;
    case DataLayout::F32: return 3;
    case DataLayout::F16a: return 1;
    case DataLayout::F16b: return 2;
    case DataLayout::I32:
    case DataLayout::U32:
    case DataLayout::M32: return 4;
    case DataLayout::SM32: return on_blackhole ? no_mode : 12;
    case DataLayout::U16: return 6;
    case DataLayout::SM16: return 8;
    case DataLayout::LO16: return 9;
    case DataLayout::HI16: return 7;
    default: return usual;
    }
}

/// A slice of Dst.
template <DataLayout Layout = DataLayout::Default>
class vDReg {
public:
    constexpr explicit vDReg(unsigned address, int addr_mod = -1, source_place place = {})
        : address_(address), addr_mod_(addr_mod), place_(place) {}
    constexpr vDReg(const vDReg&) = default;
    constexpr unsigned get() const { return address_; }

    /// The same slice in another layout or with an address modifier.
    template <DataLayout New = DataLayout::Default>
    constexpr vDReg<New == DataLayout::Default ? Layout : New> mode(int addr_mod = -1) const {
        return vDReg < New == DataLayout::Default
                   ? Layout
                   : New > (address_, addr_mod >= 0 ? addr_mod : addr_mod_, place_);
    }

    operator vFloat() const { return vFloat(load(dst_mode_of(Layout, 0))); }
    operator vFloat16a() const { return vFloat16a(load(dst_mode_of(Layout, 1))); }
    operator vFloat16b() const { return vFloat16b(load(dst_mode_of(Layout, 2))); }
    operator vInt() const {
        if constexpr (on_blackhole && Layout == DataLayout::SM32) return smag_to_int(vSMag(load(4)));
        else return vInt(load(dst_mode_of(Layout, on_blackhole ? 4 : 12)));
    }
    operator vUInt() const { return vUInt(load(dst_mode_of(Layout, 4))); }
    operator vMag() const { return vMag(load(dst_mode_of(Layout, 4))); }
    operator vUInt16() const { return vUInt16(load(dst_mode_of(Layout, 6))); }
    operator vSMag() const {
        if constexpr (on_blackhole && Layout == DataLayout::I32) return int_to_smag(vInt(load(4)));
        else return vSMag(load(smag_mode()));
    }
    operator vSMag16() const { return vSMag16(load(8)); }

    void operator=(const vFloat& v) const { store(v, dst_mode_of(Layout, 0)); }
    void operator=(const vFloat16a& v) const { store(v, dst_mode_of(Layout, 1)); }
    void operator=(const vFloat16b& v) const { store(v, dst_mode_of(Layout, 2)); }
    void operator=(const vInt& v) const {
        if constexpr (on_blackhole && Layout == DataLayout::SM32) store(int_to_smag(v), 4);
        else store(v, dst_mode_of(Layout, on_blackhole ? 4 : 12));
    }
    void operator=(const vUInt& v) const { store(v, dst_mode_of(Layout, 4)); }
    void operator=(const vMag& v) const { store(v, dst_mode_of(Layout, 4)); }
    void operator=(const vUInt16& v) const { store(v, dst_mode_of(Layout, 6)); }
    void operator=(const vSMag& v) const {
        if constexpr (on_blackhole && Layout == DataLayout::I32) store(smag_to_int(v), 4);
        else store(v, smag_mode());
    }
    void operator=(const vSMag16& v) const { store(v, 8); }
    void operator=(const vDReg& other) const { *this = vFloat(other); }
    template <class T, if_number<T> = 0>
    void operator=(T number) const {
        *this = vFloat(static_cast<float>(number));
    }
    void operator=(sFloat16b number) const { *this = vFloat(number); }
    template <class V>
    void operator=(const vCReg<V>& constant) const {
        *this = V(constant);
    }
    void operator=(const vLReg& lreg) const { *this = vFloat(lreg); }

private:
    static constexpr unsigned smag_mode() {
        return Layout == DataLayout::I32 ? 12 : Layout == DataLayout::SM16 ? 8 : 4;
    }
    unsigned addr_mod() const {
        return addr_mod_ < 0 ? SFPLOAD_ADDR_MODE_NOINC : static_cast<unsigned>(addr_mod_);
    }
    record::held_value load(unsigned mod) const {
        graph().stand_at(place_);
        return record::load(mod, addr_mod(), address_);
    }
    void store(const vVal& v, unsigned mod) const {
        graph().stand_at(place_);
        record::store(v.id(), mod, addr_mod(), address_);
    }

    unsigned address_;
    int addr_mod_;
    source_place place_; ///< where the kernel names it
};

/// A number in brackets, and where it stands.
template <class Number>
struct placed_index {
    template <class T, std::enable_if_t<std::is_convertible_v<T, Number>, int> = 0>
    constexpr placed_index(T number, source_place at = source_place::here())
        : index(static_cast<Number>(number)), place(at) {}

    Number index;
    source_place place;
};

/// Dst, in slices of 32 elements from the address counter on. Counting up moves the counter.
struct DstRegFile {
    constexpr vDReg<> operator[](placed_index<int> which) const {
        return vDReg<>(static_cast<unsigned>(which.index) * SFP_DESTREG_STRIDE, -1, which.place);
    }
    void operator+=(placed_index<int> slices) const {
        stand_at(slices.place);
        TTI_INCRWC(0, static_cast<int>(SFP_DESTREG_STRIDE) * slices.index, 0, 0);
    }
};
/// Dst, and where the kernel names it.
struct placed_dst {
    constexpr placed_dst(const DstRegFile& dst, source_place at = source_place::here())
        : of(dst), place(at) {}

    const DstRegFile& of;
    source_place place;
};
inline void operator++(placed_dst dst) { dst.of += {1, dst.place}; }
inline void operator++(placed_dst dst, int) { dst.of += {1, dst.place}; }

} // namespace impl_

constexpr impl_::DstRegFile dst_reg{};

// A slice in an expression of its own is a vFloat.
namespace impl_ {
template <DataLayout L>
vFloat operator-(const vDReg<L>& a) {
    return -vFloat(a);
}
#define SFPU_KERNEL_SLICE_OPERATOR(symbol, result)                                                           \
    template <DataLayout L, class T, if_number<T> = 0>                                                       \
    result operator symbol(const vDReg<L>& a, T b) {                                                         \
        return vFloat(a) symbol b;                                                                           \
    }                                                                                                        \
    template <DataLayout L, class T, if_number<T> = 0>                                                       \
    result operator symbol(T a, const vDReg<L>& b) {                                                         \
        return a symbol vFloat(b);                                                                           \
    }                                                                                                        \
    template <DataLayout L, DataLayout M>                                                                    \
    result operator symbol(const vDReg<L>& a, const vDReg<M>& b) {                                           \
        const vFloat first(a), second(b);                                                                    \
        return first symbol second;                                                                          \
    }
SFPU_KERNEL_SLICE_OPERATOR(+, vFloat)
SFPU_KERNEL_SLICE_OPERATOR(-, vFloat)
SFPU_KERNEL_SLICE_OPERATOR(*, vFloat)
SFPU_KERNEL_SLICE_OPERATOR(==, vBool)
SFPU_KERNEL_SLICE_OPERATOR(!=, vBool)
SFPU_KERNEL_SLICE_OPERATOR(<, vBool)
SFPU_KERNEL_SLICE_OPERATOR(>, vBool)
SFPU_KERNEL_SLICE_OPERATOR(<=, vBool)
SFPU_KERNEL_SLICE_OPERATOR(>=, vBool)
#undef SFPU_KERNEL_SLICE_OPERATOR
} // namespace impl_

} // namespace sfpi
