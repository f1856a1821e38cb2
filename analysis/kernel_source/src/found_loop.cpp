#include "found_loop.h"

#include <sfpu/kernel_recorder/repetitions.h>

#include <sfpu/isa/instruction.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace sfpu::analysis {
namespace {

using kernel_recorder::repetition;
using word_list = std::vector<std::uint32_t>;

constexpr std::uint32_t address_bits = 0x3fe; ///< bit 0 selects nothing, or belongs to the register
constexpr unsigned address_count = 0x400;

bool loads(std::uint32_t word) {
    return word >> 24 == isa::opcode::sfpload || word >> 24 == isa::opcode::sfploadmacro;
}
bool may_store(std::uint32_t word) {
    return word >> 24 == isa::opcode::sfpstore || word >> 24 == isa::opcode::sfploadmacro;
}
bool uses_address(std::uint32_t word) { return loads(word) || may_store(word); }

/// How many of the first words are of a kind.
std::vector<std::uint32_t> counted(const word_list& words, bool (*is_of_kind)(std::uint32_t)) {
    std::vector<std::uint32_t> result(words.size() + 1);
    for (std::size_t i = 0; i < words.size(); ++i) result[i + 1] = result[i] + (is_of_kind(words[i]) ? 1 : 0);
    return result;
}

class loop_search {
public:
    explicit loop_search(const word_list& words)
        : words_(words), stores_(counted(words, may_store)), accesses_(counted(words, uses_address)) {}

    /// The whole periods of a repetition that hold most. Where several do, an iteration begins with a load.
    std::optional<found_loop> best_of(const repetition& one) const {
        std::optional<found_loop> best;
        const std::size_t covered = one.count() * one.period;
        for (std::size_t begin = one.begin; begin + covered <= one.end; ++begin) {
            found_loop now{begin, one.period, one.count(), 0, 0, 0};
            now.stores = stores_[now.end()] - stores_[begin];
            now.accesses = accesses_[now.end()] - accesses_[begin];
            const auto worth = [&](const found_loop& of) {
                return std::tuple(of.stores, of.accesses, loads(words_[of.begin]));
            };
            if (!best || worth(now) > worth(*best)) best = now;
        }
        return best && is_worth_a_loop(*best) ? best : std::nullopt;
    }
    static bool is_better(const found_loop& a, const std::optional<found_loop>& b) {
        if (!b) return true;
        const auto worth = [](const found_loop& of) {
            return std::tuple(of.stores, of.accesses, of.length * of.count, SIZE_MAX - of.length);
        };
        return worth(a) > worth(*b);
    }

private:
    /// Whether it is no accident among other work: it holds a quarter of the stores, or of what there is.
    bool is_worth_a_loop(const found_loop& one) const {
        constexpr std::size_t least_part = 4;
        if (stores_.back() != 0) return one.stores * least_part >= stores_.back();
        if (accesses_.back() != 0) return one.accesses * least_part >= accesses_.back();
        return one.length * one.count * least_part >= words_.size();
    }

    const word_list& words_;
    std::vector<std::uint32_t> stores_, accesses_;
};

/// `b` - `a` of two addresses, as the smaller way round.
int distance(std::uint32_t a, std::uint32_t b) {
    const int way = static_cast<int>((b - a) & (address_count - 1));
    return way < static_cast<int>(address_count / 2) ? way : way - static_cast<int>(address_count);
}

std::uint32_t without_address(std::uint32_t word) { return uses_address(word) ? word & ~address_bits : word; }

/// Whether the second word is the first one, `step` addresses further if it has an address.
bool follows(std::uint32_t first, std::uint32_t second, int step) {
    if (without_address(first) != without_address(second)) return false;
    return !uses_address(first) || distance(first & address_bits, second & address_bits) == step;
}

/// Words as elements of which those are equal that step together: each with the distance of its address from
/// that of the access before.
std::vector<std::uint64_t> stepping_elements(const word_list& words) {
    std::vector<std::uint64_t> elements(words.size());
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        elements[i] = without_address(words[i]);
        if (!uses_address(words[i])) continue;
        const std::uint32_t address = words[i] & address_bits;
        elements[i] |= std::uint64_t{(address - before) & (address_count - 1)} << 32;
        before = address;
    }
    return elements;
}

/// The stretch as far as words really step, which is longer in front: the first access has no other before
/// it from which its distance is what it is in later iterations.
std::optional<std::pair<repetition, int>> stepping_stretch(const word_list& words, repetition one) {
    std::size_t access = one.begin;
    while (access < one.end && !uses_address(words[access])) ++access;
    if (access + one.period >= one.end) return std::nullopt;
    const int step = distance(words[access] & address_bits, words[access + one.period] & address_bits);
    if (step == 0) return std::nullopt;
    for (std::size_t i = one.begin; i + one.period < one.end; ++i)
        if (!follows(words[i], words[i + one.period], step)) return std::nullopt;
    for (std::size_t i = 0; i < one.period && one.begin > 0; ++i, --one.begin)
        if (!follows(words[one.begin - 1], words[one.begin - 1 + one.period], step)) break;
    return std::pair(one, step);
}

} // namespace

std::optional<found_loop> find_equal_iterations(const word_list& words) {
    const loop_search search(words);
    std::optional<found_loop> best;
    for (const repetition& one :
         kernel_recorder::repetitions_of(std::vector<std::uint64_t>(words.begin(), words.end())))
        if (const auto now = search.best_of(one); now && loop_search::is_better(*now, best)) best = now;
    if (best && !kernel_recorder::is_repeated(words, best->begin, best->length, best->count))
        return std::nullopt;
    return best;
}

std::optional<found_loop> find_stepping_iterations(const word_list& words,
                                                   const std::optional<found_loop>& than) {
    const loop_search search(words);
    std::optional<found_loop> best;
    const auto holds_more = [&](const found_loop& one) {
        return !than || std::tuple(one.stores, one.accesses) > std::tuple(than->stores, than->accesses);
    };
    std::vector<repetition> found = kernel_recorder::repetitions_of(stepping_elements(words));
    for (const repetition& one : found) {
        const repetition widest{one.begin - std::min(one.begin, one.period), one.end, one.period};
        const auto bound = search.best_of(widest);
        if (!bound || !holds_more(*bound) || !loop_search::is_better(*bound, best)) continue;
        const auto stretch = stepping_stretch(words, one);
        if (!stretch) continue;
        auto now = search.best_of(stretch->first);
        if (!now || !holds_more(*now) || !loop_search::is_better(*now, best)) continue;
        now->step = stretch->second;
        best = now;
    }
    return best;
}

} // namespace sfpu::analysis
