#include "found_loop.h"

#include <sfpu/isa/table.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

using word_list = std::vector<std::uint32_t>;
constexpr unsigned address_mask = 0x3ff;

/// Follows the addresses of a list of words.
class address_follower {
public:
    address_follower(const isa::thread_state& start, const isa::word_encoding& encoding)
        : thread_(start), encoding_(encoding) {}

    /// The address of a load or store, which does not count yet; nothing for other words.
    std::optional<unsigned> address_of(std::uint32_t word) const {
        if (!is_access(word)) return std::nullopt;
        return thread_.counted_address(isa::decode(word, encoding_));
    }
    void execute(std::uint32_t word) {
        switch (isa::classify(word, encoding_.arch)) {
        case isa::word_kind::front_end: thread_.execute_front_end(isa::decode(word, encoding_)); break;
        case isa::word_kind::sfpu:
            if (is_access(word)) thread_.apply_addr_mod(isa::decode(word, encoding_).addr_mod);
            break;
        default: break;
        }
    }

private:
    static bool is_access(std::uint32_t word) {
        const std::uint32_t code = word >> 24;
        return code == isa::opcode::sfpload || code == isa::opcode::sfpstore ||
               code == isa::opcode::sfploadmacro;
    }
    isa::thread_state thread_;
    const isa::word_encoding& encoding_;
};

/// Words whose addresses are not followed: those of the expanders, accesses by the stack pointer, stores to
/// templates.
bool cannot_be_followed(std::uint32_t word, const isa::word_encoding& encoding) {
    const std::uint32_t code = word >> 24;
    if (code == isa::opcode::mop || code == isa::opcode::mop_cfg || code == isa::opcode::replay) return true;
    if (code != isa::opcode::sfpload && code != isa::opcode::sfpstore && code != isa::opcode::sfploadmacro)
        return false;
    const isa::instruction insn = isa::decode(word, encoding);
    return insn.mod == isa::dst_mode::int32_all || insn.names_template();
}

unsigned used_modifiers(const word_list& words, const isa::word_encoding& encoding) {
    unsigned used = 0;
    for (const std::uint32_t word : words)
        if (isa::classify(word, encoding.arch) == isa::word_kind::sfpu) {
            const isa::instruction insn = isa::decode(word, encoding);
            if (insn.op->format == isa::layout::mod0_address) used |= 1u << insn.addr_mod;
        }
    return used;
}

/// The addresses of all words that have one, others 0.
std::vector<unsigned> addresses_of(const word_list& words, address_follower follower) {
    std::vector<unsigned> found;
    found.reserve(words.size());
    for (const std::uint32_t word : words) {
        found.push_back(follower.address_of(word).value_or(0));
        follower.execute(word);
    }
    return found;
}

/// Plays init and loop as `made` has it: whether addresses are those wanted. Then makes the tail fit.
bool fits(counted_loop& made, const word_list& words, const found_loop& found,
          const std::vector<unsigned>& wanted, address_follower follower) {
    for (std::size_t i = 0; i < found.end(); ++i) {
        const std::uint32_t word = i < found.begin ? words[i] : made.loop[(i - found.begin) % found.length];
        const auto address = follower.address_of(word);
        if (address && *address != wanted[i]) return false;
        follower.execute(word);
    }
    for (std::size_t i = found.end(); i < words.size(); ++i) {
        std::uint32_t word = words[i];
        if (const auto address = follower.address_of(word)) {
            const unsigned off = wanted[i] - *address;
            if (off & 1u) return false;
            word = (word & ~address_mask) | ((word + off) & address_mask);
        }
        follower.execute(word);
        made.tail.push_back(word);
    }
    return true;
}

} // namespace

std::optional<counted_loop> with_moving_counter(const word_list& words, const found_loop& found,
                                                const isa::thread_state& start,
                                                const isa::word_encoding& encoding) {
    if (std::any_of(words.begin(), words.end(),
                    [&](std::uint32_t word) { return cannot_be_followed(word, encoding); }))
        return std::nullopt;
    const std::vector<unsigned> wanted = addresses_of(words, address_follower(start, encoding));
    const unsigned used = used_modifiers(words, encoding), shift = isa::addr_mod_shift(encoding.arch),
                   first_entry = describe(encoding.arch).addr_mod_dst_register;
    constexpr unsigned made_entries = 8, upper_entries = 4;
    const address_follower any(start, encoding);
    std::size_t last = found.begin + found.length;
    while (!any.address_of(words[--last])) {
    }
    for (unsigned modifier = 1u << isa::addr_mod_width(encoding.arch); modifier-- > 0;) {
        if (used >> modifier & 1u) continue;
        // Wormhole's four modifiers name the lower or the upper four entries.
        for (unsigned entry = modifier; entry < made_entries; entry += upper_entries) {
            counted_loop made;
            isa::thread_state thread = start;
            thread.set_addr_mod_dst(entry, static_cast<std::uint16_t>(found.step & 0x3ff));
            for (unsigned i = 0; i < made_entries; ++i)
                made.addr_mod_dst[i] = thread.config_register(first_entry + i);
            made.addr_mod = modifier;
            for (std::size_t i = 0; i < found.length; ++i) made.loop.push_back(words[found.begin + i]);
            std::uint32_t& word = made.loop[last - found.begin];
            word = (word & ~(((1u << isa::addr_mod_width(encoding.arch)) - 1) << shift)) | modifier << shift;
            if (fits(made, words, found, wanted, address_follower(thread, encoding))) return made;
        }
    }
    return std::nullopt;
}

} // namespace sfpu::analysis
