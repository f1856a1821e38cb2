// The vector types of the vendor's kernel language, in namespace sfpi under their names: what a kernel does
// with them is recorded, or executed directly (docs/cpp-kernels.md).
//
// Types, operators and predication are here, Dst and registers in vector_registers.h, library functions in
// vector_functions.h, compiler built-ins in vector_builtins.h.
#pragma once

#include <sfpu/kernel_recorder/modifiers.h>
#include <sfpu/kernel_recorder/vector/operations.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sfpi {

namespace record = ::sfpu::kernel_recorder::vector;

#ifdef ARCH_BLACKHOLE
constexpr bool on_blackhole = true;
#else
constexpr bool on_blackhole = false;
#endif

/// How a type lies in Dst; Default is the usual one of the type.
enum class DataLayout { Default = 0, FSrcB, F32, F16a, F16b, I32, U32, U16, SM32, SM16, M32, LO16, HI16 };

enum class LRegs : std::uint8_t { LReg0, LReg1, LReg2, LReg3, LReg4, LReg5, LReg6, LReg7, LRegCount };

namespace impl_ {

/// Whoever copies a variable or makes one of a number tells where the kernel does: a copy is what operators
/// and functions take. So messages can name the lines of what is in registers.
using ::sfpu::kernel_recorder::source_place;
using ::sfpu::kernel_recorder::stand_at;

/// The graph, for code of this architecture.
inline record::graph& graph() { return record::current_graph(::sfpu::architecture::SFPU_KERNEL_ARCH); }

/// What the compiler's built-ins take and give: a value without a type.
using sfpu_t = record::held_value;

inline std::uint32_t bits_of(float number) {
    std::uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

inline sfpu_t made_constant(std::uint32_t bits, source_place place = {}) {
    stand_at(place);
    return sfpu_t(graph().constant(bits));
}

/// A variable. Assigning to it leaves lanes alone that predication has switched off; making one does not ask.
class vVal {
public:
    vVal() = default;
    vVal(const vVal&) = default;
    vVal(const sfpu_t& value) : value_(value) {}
    vVal& operator=(const vVal& other) {
        if (this != &other) value_ = sfpu_t(graph().assign(value_.get(), other.value_.get()));
        return *this;
    }

    const sfpu_t& get() const { return value_; }
    sfpu_t& get() { return value_; }
    record::value id() const { return value_.get(); }

protected:
    /// A copy that the kernel makes at `place`.
    vVal(source_place place, const vVal& other) : value_(other.value_) { stand_at(place); }

private:
    sfpu_t value_;
};

template <class T>
constexpr bool is_vector = std::is_base_of_v<vVal, std::decay_t<T>>;
template <class T>
using if_number = std::enable_if_t<std::is_arithmetic_v<T>, int>;
template <class T>
using if_integer = std::enable_if_t<std::is_integral_v<T>, int>;

} // namespace impl_

/// 16-bit literals: FP16 by its bits, BF16 by its bits or as a number, of which the upper half is taken.
class sFloat16a {
public:
    template <class T, impl_::if_integer<T> = 0>
    explicit sFloat16a(T bits) : bits_(static_cast<std::uint16_t>(bits)) {}
    /// The FP16 number nearest to zero of those beside `number`.
    explicit sFloat16a(float number);
    explicit sFloat16a(double number) : sFloat16a(static_cast<float>(number)) {}
    std::uint32_t get() const { return bits_; }

private:
    std::uint16_t bits_;
};
class sFloat16b {
public:
    template <class T, impl_::if_integer<T> = 0>
    explicit sFloat16b(T bits) : bits_(static_cast<std::uint16_t>(bits)) {}
    explicit sFloat16b(float number) : bits_(static_cast<std::uint16_t>(impl_::bits_of(number) >> 16)) {}
    explicit sFloat16b(double number) : sFloat16b(static_cast<float>(number)) {}
    std::uint32_t get() const { return bits_; }

private:
    std::uint16_t bits_;
};
using s2vFloat16a = sFloat16a;
using s2vFloat16b = sFloat16b;

class vInt;
class vUInt;
class vSMag;
class vBool;

class vFloat : public impl_::vVal {
public:
    using vVal::vVal;
    vFloat() = default;
    vFloat(const vFloat& other, impl_::source_place place = impl_::source_place::here())
        : vVal(place, other) {}
    vFloat& operator=(const vFloat&) = default;
    template <class T, impl_::if_number<T> = 0>
    vFloat(T number, impl_::source_place place = impl_::source_place::here())
        : vVal(impl_::made_constant(impl_::bits_of(static_cast<float>(number)), place)) {}
    vFloat(sFloat16b number) : vVal(impl_::made_constant(number.get() << 16)) {}
    vFloat(sFloat16a number);

    vFloat& operator+=(vFloat other) { return *this = vFloat(record::add(id(), other.id())); }
    vFloat& operator-=(vFloat other) { return *this = vFloat(record::subtract(id(), other.id())); }
    vFloat& operator*=(vFloat other) { return *this = vFloat(record::multiply(id(), other.id())); }
    vFloat operator++() { return *this += 1.0f; }
    vFloat operator--() { return *this -= 1.0f; }
    vFloat operator++(int) { return after(&vFloat::operator++); }
    vFloat operator--(int) { return after(&vFloat::operator--); }

private:
    vFloat after(vFloat (vFloat::*step)()) {
        const vFloat before = *this;
        (this->*step)();
        return before;
    }
};

namespace impl_ {

template <class Base, class Scalar>
class vNarrow : public Base {
public:
    vNarrow() = default;
    vNarrow(const vNarrow& other, source_place place = source_place::here())
        : Base(static_cast<const Base&>(other), place) {}
    vNarrow& operator=(const vNarrow&) = default;
    explicit vNarrow(const sfpu_t& value) : Base(value) {}
    explicit vNarrow(Scalar number) : Base(number) {}
    template <class T,
              std::enable_if_t<std::is_constructible_v<Scalar, T> && std::is_arithmetic_v<T>, int> = 0>
    explicit vNarrow(T number) : Base(Scalar(number)) {}
    explicit vNarrow(const vVal& value) : Base(value.get()) {}
};

/// Operations that signed and unsigned integers share. `V` is the type itself.
template <class V>
class vInteger : public vVal {
public:
    using vVal::vVal;
    vInteger() = default;
    vInteger(const vInteger&) = default;
    vInteger& operator=(const vInteger&) = default;
    template <class T, if_integer<T> = 0>
    vInteger(T number, source_place place = source_place::here())
        : vVal(made_constant(static_cast<std::uint32_t>(number), place)) {}

    V& operator+=(V other) { return self() = self() + other; }
    V& operator-=(V other) { return self() = self() - other; }
    V& operator&=(V other) { return self() = self() & other; }
    V& operator|=(V other) { return self() = self() | other; }
    V& operator^=(V other) { return self() = self() ^ other; }
    template <class T>
    V& operator<<=(T amount) {
        return self() = self() << amount;
    }
    template <class T>
    V& operator>>=(T amount) {
        return self() = self() >> amount;
    }
    V operator++() { return self() = V(record::add_integer(id(), V(1).id())); }
    V operator--() { return self() = V(record::subtract_integer(id(), V(1).id())); }
    V operator++(int) { return after(&vInteger::operator++); }
    V operator--(int) { return after(&vInteger::operator--); }

protected:
    vInteger(source_place place, const vInteger& other) : vVal(place, other) {}

private:
    V& self() { return static_cast<V&>(*this); }
    V after(V (vInteger::*step)()) {
        const V before = self();
        (this->*step)();
        return before;
    }
};

} // namespace impl_

class vInt : public impl_::vInteger<vInt> {
public:
    using vInteger::vInteger;
    vInt() = default;
    vInt(const vInt& other, impl_::source_place place = impl_::source_place::here())
        : vInteger(place, other) {}
    vInt& operator=(const vInt&) = default;
    vInt(const vUInt& other);
    vInt(const vSMag& bits); ///< older kernels keep what setsgn gives of an absolute value in one
    /// 1 where the condition holds, else 0.
    vInt(const vBool& where);
};

class vUInt : public impl_::vInteger<vUInt> {
public:
    using vInteger::vInteger;
    vUInt() = default;
    vUInt(const vUInt& other, impl_::source_place place = impl_::source_place::here())
        : vInteger(place, other) {}
    vUInt& operator=(const vUInt&) = default;
    vUInt(const vInt& other) : vInteger(other.get()) {}
    vUInt(const vSMag& bits); ///< older kernels keep what setsgn gives of a vUInt in one
};
inline vInt::vInt(const vUInt& other) : vInteger(other.get()) {}

/// Sign and magnitude: a container, without arithmetic.
class vSMag : public impl_::vVal {
public:
    vSMag() = default;
    vSMag(const vSMag& other, impl_::source_place place = impl_::source_place::here()) : vVal(place, other) {}
    vSMag& operator=(const vSMag&) = default;
    explicit vSMag(const impl_::sfpu_t& value) : vVal(value) {}
    explicit vSMag(const vVal& value) : vVal(value) {}
    template <class T, impl_::if_integer<T> = 0>
    explicit vSMag(T bits) : vVal(impl_::made_constant(static_cast<std::uint32_t>(bits))) {}
};
inline vInt::vInt(const vSMag& bits) : vInteger(bits.get()) {}
inline vUInt::vUInt(const vSMag& bits) : vInteger(bits.get()) {}

using vFloat16a = impl_::vNarrow<vFloat, sFloat16a>;
using vFloat16b = impl_::vNarrow<vFloat, sFloat16b>;
using vMag = impl_::vNarrow<vUInt, std::uint32_t>;
using vUInt16 = impl_::vNarrow<vMag, std::uint16_t>;
using vUInt8 = impl_::vNarrow<vUInt16, std::uint8_t>;
using vSMag16 = impl_::vNarrow<vSMag, std::uint32_t>;
using vSMag8 = impl_::vNarrow<vSMag16, std::uint32_t>;

/// The lanes in which something holds.
class vBool {
public:
    /// How two values compare, for the constructors that take them; operators say the same.
    enum Cond : std::uint8_t { EQ, NE, LT, GE, GT, LE };

    explicit vBool(record::condition which) : condition_(which) {}
    template <class A, class B, std::enable_if_t<impl_::is_vector<A>, int> = 0>
    vBool(Cond how, const A& a, const B& b);
    template <class V, std::enable_if_t<impl_::is_vector<V> && !std::is_base_of_v<vFloat, V>, int> = 0>
    vBool(const V& value) : condition_(record::compare_to_0(value.id(), record::comparison::not_equal)) {}
    record::condition id() const { return condition_; }

private:
    record::condition condition_;
};
inline vInt::vInt(const vBool& where) : vInteger(impl_::sfpu_t(impl_::graph().lanes_of(where.id()))) {}

inline vBool operator&&(const vBool& a, const vBool& b) { return vBool(impl_::graph().both(a.id(), b.id())); }
inline vBool operator||(const vBool& a, const vBool& b) {
    return vBool(impl_::graph().either(a.id(), b.id()));
}
inline vBool operator!(const vBool& a) { return vBool(impl_::graph().negation(a.id())); }

// --- floating point ----------------------------------------------------------------------------------------

inline vFloat operator+(vFloat a) { return a; }
inline vFloat operator-(vFloat a) { return vFloat(record::negate(a.id())); }
inline vFloat operator+(vFloat a, vFloat b) { return vFloat(record::add(a.id(), b.id())); }
inline vFloat operator-(vFloat a, vFloat b) { return vFloat(record::subtract(a.id(), b.id())); }
inline vFloat operator*(vFloat a, vFloat b) { return vFloat(record::multiply(a.id(), b.id())); }

#define SFPU_KERNEL_FLOAT_OPERATOR(symbol)                                                                   \
    template <class T, impl_::if_number<T> = 0>                                                              \
    vFloat operator symbol(vFloat a, T b) {                                                                  \
        return a symbol vFloat(static_cast<float>(b));                                                       \
    }                                                                                                        \
    template <class T, impl_::if_number<T> = 0>                                                              \
    vFloat operator symbol(T a, vFloat b) {                                                                  \
        return vFloat(static_cast<float>(a)) symbol b;                                                       \
    }
SFPU_KERNEL_FLOAT_OPERATOR(+)
SFPU_KERNEL_FLOAT_OPERATOR(-)
SFPU_KERNEL_FLOAT_OPERATOR(*)
#undef SFPU_KERNEL_FLOAT_OPERATOR

// --- integers ----------------------------------------------------------------------------------------------

namespace impl_ {
/// The type of an operation on two integers: unsigned if one is.
template <class A, class B>
struct common_integer {};
template <class T>
constexpr bool is_signed_vector = std::is_base_of_v<vInt, std::decay_t<T>>;
template <class T>
constexpr bool is_unsigned_vector = std::is_base_of_v<vUInt, std::decay_t<T>>;
template <class T>
constexpr bool is_mag_vector = std::is_base_of_v<vMag, std::decay_t<T>>;
template <class T>
constexpr bool is_integer_vector = is_signed_vector<T> || is_unsigned_vector<T>;
/// Adding a magnitude to an integer gives an integer.
template <class A, class B>
using common_t = std::conditional_t<(is_unsigned_vector<A> && !(is_mag_vector<A> && is_signed_vector<B>)) ||
                                        (is_unsigned_vector<B> && !(is_mag_vector<B> && is_signed_vector<A>)),
                                    vUInt, vInt>;
template <class A, class B>
using if_integers = std::enable_if_t<is_integer_vector<A> && is_integer_vector<B>, int>;
template <class A, class T>
using if_integer_and_number =
    std::enable_if_t<is_integer_vector<A> && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, int>;
template <class A>
using own_t = std::conditional_t<is_signed_vector<A>, vInt, vUInt>;
} // namespace impl_

#define SFPU_KERNEL_INTEGER_OPERATOR(symbol, operation)                                                      \
    template <class A, class B, impl_::if_integers<A, B> = 0>                                                \
    impl_::common_t<A, B> operator symbol(A a, B b) {                                                        \
        return impl_::common_t<A, B>(record::operation(a.id(), b.id()));                                     \
    }                                                                                                        \
    template <class A, class T, impl_::if_integer_and_number<A, T> = 0>                                      \
    impl_::own_t<A> operator symbol(A a, T b) {                                                              \
        return a symbol impl_::own_t<A>(static_cast<std::int64_t>(b));                                       \
    }                                                                                                        \
    template <class T, class B, impl_::if_integer_and_number<B, T> = 0>                                      \
    impl_::own_t<B> operator symbol(T a, B b) {                                                              \
        return impl_::own_t<B>(static_cast<std::int64_t>(a)) symbol b;                                       \
    }
SFPU_KERNEL_INTEGER_OPERATOR(+, add_integer)
SFPU_KERNEL_INTEGER_OPERATOR(-, subtract_integer)
SFPU_KERNEL_INTEGER_OPERATOR(&, bit_and)
SFPU_KERNEL_INTEGER_OPERATOR(|, bit_or)
SFPU_KERNEL_INTEGER_OPERATOR(^, bit_xor)
#undef SFPU_KERNEL_INTEGER_OPERATOR

inline vInt operator+(vInt a) { return a; }
inline vUInt operator+(vUInt a) { return a; }
inline vInt operator-(vInt a) { return vInt(0) - a; }
inline vUInt operator-(vUInt a) { return vUInt(0) - a; }
inline vInt operator~(vInt a) { return vInt(record::bit_not(a.id())); }
inline vUInt operator~(vUInt a) { return vUInt(record::bit_not(a.id())); }
inline vUInt operator&(vSMag a, unsigned b) { return vUInt(record::bit_and(a.id(), vUInt(b).id())); }

/// Bits of a magnitude are a magnitude.
inline vMag operator&(vMag a, vMag b) { return vMag(record::bit_and(a.id(), b.id())); }
inline vMag operator&(vMag a, unsigned b) { return a & vMag(b); }
inline vMag operator&(vMag a, int b) { return a & vMag(b); }

/// To the left both types shift alike; to the right vInt keeps its sign, on Blackhole only.
template <class A, class T, impl_::if_integer_and_number<A, T> = 0>
A operator<<(A a, T amount) {
    return A(record::shift(a.id(), static_cast<int>(amount), false));
}
template <class A, class T, impl_::if_integer_and_number<A, T> = 0>
A operator>>(A a, T amount) {
    return A(record::shift(a.id(), -static_cast<int>(amount), impl_::is_signed_vector<A>));
}
template <class A, class B, impl_::if_integers<A, B> = 0>
A operator<<(A a, B amount) {
    return A(record::shift(a.id(), amount.id(), false));
}
template <class A, class B, impl_::if_integers<A, B> = 0>
A operator>>(A a, B amount) {
    return A(record::shift(a.id(), (-impl_::own_t<B>(amount)).id(), impl_::is_signed_vector<A>));
}

// --- comparisons -------------------------------------------------------------------------------------------

#define SFPU_KERNEL_COMPARISON(symbol, how)                                                                  \
    inline vBool operator symbol(vFloat a, vFloat b) {                                                       \
        return vBool(record::compare_float(a.id(), record::comparison::how, b.id()));                        \
    }                                                                                                        \
    template <class T, impl_::if_number<T> = 0>                                                              \
    vBool operator symbol(vFloat a, T b) {                                                                   \
        return a symbol vFloat(static_cast<float>(b));                                                       \
    }                                                                                                        \
    template <class A, class B, impl_::if_integers<A, B> = 0>                                                \
    vBool operator symbol(A a, B b) {                                                                        \
        return vBool(record::compare_integer(a.id(), record::comparison::how, b.id()));                      \
    }                                                                                                        \
    template <class A, class T, impl_::if_integer_and_number<A, T> = 0>                                      \
    vBool operator symbol(A a, T b) {                                                                        \
        return a symbol impl_::own_t<A>(static_cast<std::int64_t>(b));                                       \
    }
SFPU_KERNEL_COMPARISON(==, equal)
SFPU_KERNEL_COMPARISON(!=, not_equal)
SFPU_KERNEL_COMPARISON(<, less)
SFPU_KERNEL_COMPARISON(>, greater)
SFPU_KERNEL_COMPARISON(<=, at_most)
SFPU_KERNEL_COMPARISON(>=, at_least)
#undef SFPU_KERNEL_COMPARISON

#define SFPU_KERNEL_TURNED_COMPARISON(symbol, turned)                                                        \
    template <class T, impl_::if_number<T> = 0>                                                              \
    vBool operator symbol(T a, vFloat b) {                                                                   \
        return b turned a;                                                                                   \
    }                                                                                                        \
    template <class T, class B, impl_::if_integer_and_number<B, T> = 0>                                      \
    vBool operator symbol(T a, B b) {                                                                        \
        return b turned a;                                                                                   \
    }
SFPU_KERNEL_TURNED_COMPARISON(==, ==)
SFPU_KERNEL_TURNED_COMPARISON(!=, !=)
SFPU_KERNEL_TURNED_COMPARISON(<, >)
SFPU_KERNEL_TURNED_COMPARISON(>, <)
SFPU_KERNEL_TURNED_COMPARISON(<=, >=)
SFPU_KERNEL_TURNED_COMPARISON(>=, <=)
#undef SFPU_KERNEL_TURNED_COMPARISON

inline vBool operator==(vSMag a, vSMag b) { return vUInt(a.get()) == vUInt(b.get()); }
inline vBool operator!=(vSMag a, vSMag b) { return vUInt(a.get()) != vUInt(b.get()); }
/// `b` is an integer, not bits.
inline vBool operator==(vSMag a, int b) {
    return vUInt(a.get()) == (b < 0 ? 0x80000000u - static_cast<unsigned>(b) : static_cast<unsigned>(b));
}
inline vBool operator!=(vSMag a, int b) { return !(a == b); }
/// `b` is bits.
inline vBool operator==(vSMag a, unsigned b) { return vUInt(a.get()) == b; }
inline vBool operator!=(vSMag a, unsigned b) { return vUInt(a.get()) != b; }

template <class A, class B, std::enable_if_t<impl_::is_vector<A>, int>>
vBool::vBool(Cond how, const A& a, const B& b)
    : vBool(how == EQ   ? a == b
            : how == NE ? a != b
            : how == LT ? a < b
            : how == GE ? a >= b
            : how == GT ? a > b
                        : a <= b) {}

// --- predication -------------------------------------------------------------------------------------------

namespace impl_ {
/// One v_if or v_block: what it has pushed is popped at its end.
class CC {
public:
    CC() = default;
    CC(const CC&) = delete;
    CC& operator=(const CC&) = delete;
    ~CC() {
        for (; depth_ > 0; --depth_) graph().pop();
    }
    CC& push(source_place place = source_place::here()) {
        stand_at(place);
        graph().push();
        ++depth_;
        return *this;
    }
    CC& otherwise(source_place place = source_place::here()) {
        stand_at(place);
        graph().complement();
        return *this;
    }
    void narrow(const vBool& to) { graph().narrow(to.id()); }
    /// What is popped stands at `place`.
    static void end(source_place place = source_place::here()) { stand_at(place); }

private:
    unsigned depth_ = 0;
};
} // namespace impl_

} // namespace sfpi

// clang-format off
// Each v_if has a variable of the same name, on purpose.
#define SFPU_KERNEL_CC \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    ::sfpi::impl_::CC sfpu_kernel_cc; _Pragma("GCC diagnostic pop")
#define v_if(...)     { SFPU_KERNEL_CC sfpu_kernel_cc.push().narrow(__VA_ARGS__); {
#define v_elseif(...) } sfpu_kernel_cc.otherwise().push().narrow(__VA_ARGS__); {
#define v_else        } sfpu_kernel_cc.otherwise(); {
#define v_endif       } sfpu_kernel_cc.end(); }
#define v_block       { SFPU_KERNEL_CC sfpu_kernel_cc.push();
#define v_and(...)    sfpu_kernel_cc.narrow(__VA_ARGS__)
#define v_endblock    sfpu_kernel_cc.end(); }
// clang-format on
