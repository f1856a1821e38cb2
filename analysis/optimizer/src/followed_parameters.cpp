#include "followed_parameters.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

constexpr std::uint32_t half_mask = 0xffffu;

std::uint32_t half_of_argument(std::uint32_t argument, bool upper) {
    return (upper ? argument >> 16 : argument) & half_mask;
}

/// How a value follows a parameter, if it does: without a constant first.
std::optional<followed_half> how_it_follows(std::uint16_t one, const parameter_bits& of_one,
                                            std::uint16_t other, const parameter_bits& of_other,
                                            const std::vector<bool>& is_free) {
    std::optional<followed_half> found;
    for (std::size_t p = 0; p < is_free.size(); ++p) {
        if (!is_free[p]) continue;
        for (const bool upper : {true, false})
            for (const bool negative : {false, true}) {
                followed_half how{p, upper, negative, 0};
                how.added = static_cast<std::uint16_t>(one - how.value(of_one[p]));
                if (how.value(of_other[p]) != other) continue;
                if (how.added == 0 && !negative) return how;
                if (!found) found = how;
            }
    }
    return found;
}

[[noreturn]] void refuse_change(const isa::source_word& first, const isa::source_word& second,
                                const isa::kernel& of) {
    throw user_error(fmt::format(
        "line {} of the recording is '{}' for one value of the parameters and '{}' for another; expected "
        "16-bit immediates that follow a parameter to be all that changes. --args gives parameters "
        "that are to stay as they are",
        second.line, isa::disassemble(first.word, of.words), isa::disassemble(second.word, of.words)));
}

} // namespace

std::uint16_t followed_half::value(std::uint32_t argument) const {
    const std::uint32_t half = half_of_argument(argument, upper);
    return static_cast<std::uint16_t>(negative ? added - half : added + half);
}

std::string followed_half::text(const std::string& name) const {
    const std::string half = fmt::format("(static_cast<std::uint32_t>({}){})", name, upper ? " >> 16" : "");
    if (negative) return fmt::format("(({:#x}u - {}) & 0xffffu)", added, half);
    if (added != 0) return fmt::format("(({:#x}u + {}) & 0xffffu)", added, half);
    return fmt::format("({} & 0xffffu)", half);
}

std::optional<unsigned> immediate_shift(std::uint32_t word, architecture arch) {
    if (isa::classify(word, arch) != isa::word_kind::sfpu) return std::nullopt;
    switch (isa::find_row(static_cast<std::uint8_t>(word >> 24), arch)->format) {
    case isa::layout::mod0_imm16: return 0;
    case isa::layout::imm16: return 8;
    default: return std::nullopt;
    }
}

std::array<std::vector<isa::source_word>*, section_count> sections_of(isa::kernel& kernel) {
    return {&kernel.init, &kernel.loop, &kernel.tail};
}
std::array<const std::vector<isa::source_word>*, section_count> sections_of(const isa::kernel& kernel) {
    return {&kernel.init, &kernel.loop, &kernel.tail};
}

std::vector<followed_word> followed_words(const isa::kernel& first, const parameter_bits& of_first,
                                          const isa::kernel& second, const parameter_bits& of_second,
                                          const std::vector<bool>& is_free) {
    std::vector<followed_word> found;
    for (unsigned s = 0; s < section_count; ++s) {
        const auto &one = *sections_of(first)[s], &other = *sections_of(second)[s];
        if (one.size() != other.size() || first.rows_per_iteration != second.rows_per_iteration ||
            first.rows != second.rows)
            throw user_error(fmt::format(
                "a parameter decides how many words there are: {} and {} in {}; --args gives parameters that "
                "are to stay as they are",
                one.size(), other.size(),
                s == 0   ? ".init"
                : s == 1 ? ".loop"
                         : ".tail"));
        for (std::size_t i = 0; i < one.size(); ++i) {
            if (one[i].word == other[i].word) continue;
            const auto shift = immediate_shift(one[i].word, first.arch);
            if (!shift || ((one[i].word ^ other[i].word) & ~(half_mask << *shift)) != 0)
                refuse_change(one[i], other[i], second);
            const auto how = how_it_follows(immediate_of(one[i].word, *shift), of_first,
                                            immediate_of(other[i].word, *shift), of_second, is_free);
            if (!how) refuse_change(one[i], other[i], second);
            found.push_back({s, i, *how});
        }
    }
    return found;
}

std::vector<followed_word> words_with_values(const isa::kernel& kernel,
                                             const std::vector<followed_word>& followed,
                                             const parameter_bits& values) {
    std::vector<followed_word> found;
    for (unsigned s = 0; s < section_count; ++s) {
        const auto& words = *sections_of(kernel)[s];
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto shift = immediate_shift(words[i].word, kernel.arch);
            if (!shift) continue;
            const std::uint16_t here = immediate_of(words[i].word, *shift);
            const auto same = std::find_if(followed.begin(), followed.end(), [&](const followed_word& each) {
                return each.how.value(values[each.how.parameter]) == here;
            });
            if (same != followed.end()) found.push_back({s, i, same->how});
        }
    }
    return found;
}

isa::kernel with_values(isa::kernel kernel, const std::vector<followed_word>& followed,
                        const parameter_bits& values) {
    for (const followed_word& each : followed) {
        std::uint32_t& word = (*sections_of(kernel)[each.section])[each.at].word;
        const unsigned shift = *immediate_shift(word, kernel.arch);
        word = (word & ~(half_mask << shift)) |
               static_cast<std::uint32_t>(each.how.value(values[each.how.parameter])) << shift;
    }
    return kernel;
}

} // namespace sfpu::analysis
