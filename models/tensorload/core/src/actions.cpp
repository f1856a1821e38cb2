// What instructions do to registers once nothing can trap.
#include <sfpu/tensorload/semantics.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sfpu::tensorload {
namespace {

template <class Element>
void add_elements(tensor_register& data, int addend) {
    using limits = std::numeric_limits<Element>;
    for (std::size_t at = 0; at < data.size(); at += sizeof(Element)) {
        Element element;
        std::memcpy(&element, data.data() + at, sizeof element);
        const std::int64_t sum = std::int64_t{element} + addend;
        element = static_cast<Element>(std::clamp<std::int64_t>(sum, limits::min(), limits::max()));
        std::memcpy(data.data() + at, &element, sizeof element);
    }
}

unsigned add_nibble(unsigned nibble, int addend) {
    const int element = static_cast<int>(nibble ^ 8u) - 8;
    return static_cast<unsigned>(std::clamp(element + addend, -8, 7)) & 15u;
}

void add_nibbles(tensor_register& data, int addend) {
    for (unsigned char& pair : data) {
        const unsigned low = add_nibble(pair & 15u, addend), high = add_nibble(pair >> 4, addend);
        pair = static_cast<unsigned char>(high << 4 | low);
    }
}

/// Calls f(outer) for each combination of the coordinates outside of an axis.
template <class F>
void for_each_outer(const block_shape& shape, unsigned axis, F f) {
    const std::uint64_t count = shape.elements() / shape.size[axis] / shape.run(axis);
    for (std::uint64_t outer = 0; outer < count; ++outer) f(outer);
}

/// Index of the first element with the given coordinate of an axis.
std::size_t index_of(const block_shape& shape, unsigned axis, std::uint64_t outer, unsigned coordinate) {
    return static_cast<std::size_t>((outer * shape.size[axis] + coordinate) * shape.run(axis));
}

} // namespace

tensor_register add(const tensor_register& source, int addend, const add_plan& plan) {
    tensor_register result = source;
    switch (plan.bits) {
    case 4: add_nibbles(result, addend); break;
    case 8: add_elements<std::int8_t>(result, addend); break;
    case 16: add_elements<std::int16_t>(result, addend); break;
    default: add_elements<std::int32_t>(result, addend); break;
    }
    return result;
}

void concatenate(tensor_register& result, const tensor_register& a, const tensor_register& b,
                 const concat_plan& plan) {
    const unsigned axis = plan.axis, bits = plan.to.element_bits;
    const std::size_t run = plan.to.run(axis);
    const auto taken = static_cast<unsigned>(plan.picked.size());
    const tensor_register first = a, second = b; // the result may be one of them
    for_each_outer(plan.to, axis, [&](std::uint64_t outer) {
        for (unsigned r = 0; r < plan.to.size[axis]; ++r) {
            const std::size_t to = index_of(plan.to, axis, outer, r);
            if (r >= taken) {
                clear_elements(result.data(), to, run, bits);
                continue;
            }
            const position& from = plan.picked[r];
            copy_elements(result.data(), to, (from.second ? second : first).data(),
                          index_of(plan.from, axis, outer, from.at), run, bits);
        }
    });
}

void merge(tensor_register& result, const tensor_register& a, const tensor_register& b,
           const merge_plan& plan) {
    const unsigned axis = plan.axis, bits = plan.shape.element_bits;
    const std::size_t run = plan.shape.run(axis);
    const tensor_register first = a, second = b; // the result may be one of them
    for_each_outer(plan.shape, axis, [&](std::uint64_t outer) {
        for (unsigned r = 0; r < plan.shape.size[axis]; ++r) {
            const std::size_t at = index_of(plan.shape, axis, outer, r);
            const tensor_register& from = plan.mask >> r & 1u ? first : second;
            copy_elements(result.data(), at, from.data(), at, run, bits);
        }
    });
}

std::vector<std::uint16_t> gather(const xpose_plan& plan) {
    std::array<std::size_t, 4> stride{1, 1, 1, 1};
    for (unsigned axis = 3; axis > 0; --axis) stride[axis - 1] = stride[axis] * plan.size[axis];
    std::array<unsigned, 4> size = plan.size;
    std::swap(size[plan.p], size[plan.q]);
    std::swap(stride[plan.p], stride[plan.q]);

    std::vector<std::uint16_t> from;
    from.reserve(std::size_t{size[0]} * size[1] * size[2] * size[3]);
    for (unsigned i = 0; i < size[0]; ++i)
        for (unsigned j = 0; j < size[1]; ++j)
            for (unsigned k = 0; k < size[2]; ++k)
                for (unsigned l = 0; l < size[3]; ++l)
                    from.push_back(static_cast<std::uint16_t>(i * stride[0] + j * stride[1] + k * stride[2] +
                                                              l * stride[3]));
    return from;
}

void transpose(tensor_register& a, tensor_register& b, const std::vector<std::uint16_t>& from,
               unsigned element_bits) {
    std::array<unsigned char, 2 * register_bytes> source{}, result{};
    std::copy(a.begin(), a.end(), source.begin());
    std::copy(b.begin(), b.end(), source.begin() + register_bytes);
    if (element_bits == 8) {
        for (std::size_t i = 0; i < from.size(); ++i) result[i] = source[from[i]];
    } else {
        for (std::size_t i = 0; i < from.size(); ++i)
            copy_elements(result.data(), i, source.data(), from[i], 1, element_bits);
    }
    std::copy_n(result.begin(), register_bytes, a.begin());
    std::copy_n(result.begin() + register_bytes, register_bytes, b.begin());
}

} // namespace sfpu::tensorload
