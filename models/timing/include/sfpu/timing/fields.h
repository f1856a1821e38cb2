// Comparison and hash of plain values from one list of their fields.
//
// A value type befriends nothing and derives from nothing: it gives `fields_of`, made from a structured
// binding that names every member. A member that is added and not named does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace sfpu::timing {

/// Mixes the hash of one more field into `seed`.
inline void mix(std::uint64_t& seed, std::uint64_t value) {
    seed = (seed ^ value) * 0x9e3779b97f4a7c15u;
    seed ^= seed >> 29;
}

template <class T>
std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> hash_into(std::uint64_t& seed, T value) {
    mix(seed, static_cast<std::uint64_t>(value));
}
template <class T>
void hash_into(std::uint64_t& seed, const T* value) {
    mix(seed, reinterpret_cast<std::uintptr_t>(value));
}
/// Ranges: their elements, then how many they are.
template <class T>
auto hash_into(std::uint64_t& seed, const T& range) -> decltype(range.begin(), void()) {
    std::uint64_t count = 0;
    for (const auto& element : range) {
        hash_into(seed, element);
        ++count;
    }
    mix(seed, count);
}
/// Values with a list of fields.
template <class T>
auto hash_into(std::uint64_t& seed, const T& value) -> decltype(fields_of(value), void()) {
    std::apply([&](const auto&... field) { (hash_into(seed, field), ...); }, fields_of(value));
}

} // namespace sfpu::timing
