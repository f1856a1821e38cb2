#include <sfpu/kernel_recorder/repetitions.h>

#include <algorithm>
#include <tuple>

// Every repetition has a Lyndon root: a part of one period that is smaller than all its rotations, in the
// order of the elements or in the opposite one. So the longest Lyndon words that begin at each element, in
// both orders, are candidates for a period, which two longest common extensions then stretch.
// Source: Bannai, I, Inenaga, Nakashima, Takeda, Tsuruta, "The runs theorem", 2017.

namespace sfpu::kernel_recorder {
namespace {

/// Arithmetic modulo the prime 2^61 - 1.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t reduced(std::uint64_t a) {
    a = (a & prime) + (a >> 61);
    return a >= prime ? a - prime : a;
}
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return reduced(a + b); }
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t low32 = 0xffffffffu;
    const std::uint64_t a1 = a >> 32, a0 = a & low32, b1 = b >> 32, b0 = b & low32;
    // 2^64 is 8 here, and 2^32 times the middle is split where the prime ends.
    const std::uint64_t middle = reduced(a1 * b0 + reduced(a0 * b1));
    const std::uint64_t high = reduced(a1 * b1 * 8);
    const std::uint64_t shifted = reduced((middle >> 29) + ((middle << 32) & prime));
    return sum(sum(high, shifted), reduced(a0 * b0));
}

/// Compares parts of a sequence.
class part_comparison {
public:
    explicit part_comparison(const std::vector<std::uint64_t>& sequence)
        : sequence_(sequence), hash_(sequence.size() + 1), power_(sequence.size() + 1) {
        constexpr std::uint64_t base = 0x1b873593c2b2ae35u & prime;
        power_[0] = 1;
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            hash_[i + 1] = sum(product(hash_[i], base), reduced(reduced(sequence[i]) + 1));
            power_[i + 1] = product(power_[i], base);
        }
    }

    /// How many elements from `a` on, and from `b` on, are the same.
    std::size_t common_behind(std::size_t a, std::size_t b) const {
        return longest(sequence_.size() - std::max(a, b),
                       [&](std::size_t from, std::size_t to) { return same(a + from, b + from, to - from); });
    }
    /// How many in front of `a` and `b`.
    std::size_t common_before(std::size_t a, std::size_t b) const {
        return longest(std::min(a, b),
                       [&](std::size_t from, std::size_t to) { return same(a - to, b - to, to - from); });
    }

private:
    /// The longest length up to `limit` of which all is the same; `same_between(from, to)` compares a part.
    template <class Same>
    static std::size_t longest(std::size_t limit, Same same_between) {
        std::size_t length = 0, step = 1;
        while (length + step <= limit && same_between(length, length + step)) {
            length += step;
            step *= 2;
        }
        for (; step != 0; step /= 2)
            if (length + step <= limit && same_between(length, length + step)) length += step;
        return length;
    }
    bool same(std::size_t a, std::size_t b, std::size_t length) const {
        return length == 1 ? sequence_[a] == sequence_[b] : part(a, length) == part(b, length);
    }
    std::uint64_t part(std::size_t from, std::size_t length) const {
        return sum(hash_[from + length], prime - product(hash_[from], power_[length]));
    }

    const std::vector<std::uint64_t>& sequence_;
    std::vector<std::uint64_t> hash_, power_; ///< of the first i elements; base to the i
};

/// By element: where the longest Lyndon word that begins there ends. `reversed`: in the opposite order.
std::vector<std::size_t> ends_of_lyndon_words(const std::vector<std::uint64_t>& sequence,
                                              const part_comparison& parts, bool reversed) {
    const std::size_t size = sequence.size();
    std::vector<std::size_t> ends(size);
    const auto is_smaller = [&](std::size_t a, std::size_t b) { // of what begins there; an end is smallest
        const std::size_t common = parts.common_behind(a, b);
        if (b + common >= size) return false;
        return reversed ? sequence[a + common] > sequence[b + common]
                        : sequence[a + common] < sequence[b + common];
    };
    for (std::size_t i = size; i-- > 0;) {
        std::size_t end = i + 1;
        while (end < size && is_smaller(i, end)) end = ends[end];
        ends[i] = end;
    }
    return ends;
}

} // namespace

std::vector<repetition> repetitions_of(const std::vector<std::uint64_t>& sequence) {
    std::vector<repetition> found;
    const part_comparison parts(sequence);
    for (const bool reversed : {false, true}) {
        const std::vector<std::size_t> ends = ends_of_lyndon_words(sequence, parts, reversed);
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const std::size_t period = ends[i] - i;
            const std::size_t begin = i - parts.common_before(i, ends[i]);
            const std::size_t end =
                ends[i] < sequence.size() ? ends[i] + parts.common_behind(i, ends[i]) : ends[i];
            if (end - begin >= 2 * period) found.push_back({begin, end, period});
        }
    }
    const auto key = [](const repetition& one) { return std::tuple(one.begin, one.period, one.end); };
    std::sort(found.begin(), found.end(),
              [&](const repetition& a, const repetition& b) { return key(a) < key(b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sfpu::kernel_recorder
