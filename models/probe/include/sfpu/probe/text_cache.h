// The texts of instructions, for sinks that show many events.
#pragma once

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::probe {

/// Texts, each stored once and named by a small number. Disassembling an instruction costs about a
/// microsecond, so it is done once for each different one.
class text_cache {
public:
    using shape_function = std::string (*)(const isa::instruction&, const std::string& text);

    /// `shape`, if given, rewrites what the disassembler says of an instruction.
    explicit text_cache(const isa::word_encoding& words, shape_function shape = nullptr)
        : words_(words), shape_(shape) {}

    std::uint32_t index(const isa::instruction& insn) {
        const key wanted = key_of(insn);
        recent& place = recent_[key_hash{}(wanted) % recent_.size()];
        if (!place.known || !(place.instruction == wanted)) place = {wanted, look_up(wanted, insn), true};
        return place.text;
    }
    std::uint32_t add(std::string text) {
        longest_ = std::max(longest_, text.size());
        texts_.push_back(std::move(text));
        return static_cast<std::uint32_t>(texts_.size() - 1);
    }
    const std::string& operator[](std::size_t index) const { return texts_[index]; }
    std::size_t longest() const { return longest_; } ///< characters

private:
    /// The word and the fields that scheduling may override (T14).
    struct key {
        std::uint64_t encoded = 0;
        std::uint64_t fields = 0;
        friend bool operator==(const key& a, const key& b) {
            return a.encoded == b.encoded && a.fields == b.fields;
        }
    };
    struct recent {
        key instruction;
        std::uint32_t text = 0;
        bool known = false;
    };

    std::uint32_t look_up(const key& wanted, const isa::instruction& insn) {
        const auto [found, is_new] = by_instruction_.try_emplace(wanted, 0);
        if (is_new) {
            std::string text = isa::text(insn, words_);
            found->second = add(shape_ ? shape_(insn, text) : std::move(text));
        }
        return found->second;
    }
    struct key_hash {
        std::size_t operator()(const key& k) const {
            const std::uint64_t mixed = (k.encoded ^ (k.fields << 23 | k.fields >> 41)) * 0x9e3779b97f4a7c15u;
            return static_cast<std::size_t>(mixed ^ mixed >> 29);
        }
    };
    static key key_of(const isa::instruction& insn) {
        return {std::uint64_t{insn.word} | std::uint64_t{insn.imm10} << 32 |
                    std::uint64_t{insn.op->opcode} << 48 | std::uint64_t{insn.flags} << 56,
                std::uint64_t{insn.va} | std::uint64_t{insn.vb} << 8 | std::uint64_t{insn.vc} << 16 |
                    std::uint64_t{insn.vd} << 24 | std::uint64_t{insn.mod} << 32};
    }

    isa::word_encoding words_;
    shape_function shape_;
    std::vector<std::string> texts_;
    std::size_t longest_ = 0;
    std::array<recent, 256> recent_;                                  ///< by hash
    std::unordered_map<key, std::uint32_t, key_hash> by_instruction_; ///< for look-up only, never walked
};

} // namespace sfpu::probe
