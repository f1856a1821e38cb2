#include "setup_words.h"

#include "word_form.h"

#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sfpu::isa {

const std::array<const char*, macro_units> macro_unit_names{"simple", "mad", "round", "store"};

namespace {

enum : unsigned { floatb = 0, floata = 1, ushort_mode = 2, short_mode = 4, upper_mode = 8, lower_mode = 10 };
constexpr unsigned value_is_immediate = 1;

constexpr std::uint32_t loadi(unsigned lreg, unsigned mode, std::uint32_t immediate) {
    return std::uint32_t{opcode::sfploadi} << 24 | lreg << 20 | mode << 16 | (immediate & 0xffffu);
}
constexpr std::uint32_t config(unsigned vd, std::uint32_t immediate, unsigned mod) {
    return std::uint32_t{opcode::sfpconfig} << 24 | immediate << 8 | vd << 4 | mod;
}
/// SFPCONFIG of template or sequence `number` from L0.
constexpr std::uint32_t config_number(unsigned vd, unsigned number, extended_index::part part) {
    return config(vd + number % 4, extended_index{number >= 4 ? 4u : 0u, part}.immediate(), 0);
}

std::uint32_t byte_of_part(const macro_part& part) {
    return (part.vb ? 0x80u : 0u) | (part.l16 ? 0x40u : 0u) | part.delay << 3 | part.selector;
}
std::uint32_t half_of_part(const macro_part& part) {
    return (part.vb ? 0x8000u : 0u) | (part.l16 ? 0x4000u : 0u) | part.delay << 8 | part.selector;
}
macro_part part_of_half(std::uint32_t half) {
    return {half & 0xfu, half >> 8 & 0x1fu, (half & 0x8000u) != 0, (half & 0x4000u) != 0};
}

std::string text_of(unsigned unit, const macro_part& part) {
    std::string text;
    if (part.selector >= macro_part::first_template)
        text = fmt::format("template={}", part.selector - macro_part::first_template);
    else if (part.selector == macro_part::nop) text = "nop";
    else if (unit != 3 || part.selector != macro_part::store)
        text = fmt::format("selector={}", part.selector);
    text += fmt::format("{}delay={}", text.empty() ? "" : ", ", part.delay);
    if (part.vb) text += ", vb";
    if (part.l16) text += ", l16";
    return fmt::format("{}=({})", macro_unit_names[unit], text);
}

std::string list_of(const std::vector<std::string>& items) {
    return items.size() == 1 ? items.front() : fmt::format("({})", fmt::join(items, ", "));
}

std::string misc_text(std::uint32_t misc, const word_encoding& encoding) {
    const word_form& store = *find_form(opcode::sfpstore, encoding.arch);
    std::string text = ".misc store_mode=" + mode_text(store.modes, misc & 15u);
    std::vector<std::string> as_loaded, counting;
    for (unsigned macro = 0; macro < 8; ++macro)
        if (misc >> macro_configuration::load_mod_bit(macro) & 1u) as_loaded.push_back(std::to_string(macro));
    for (unsigned unit = 0; unit < 8; ++unit)
        if (misc >> macro_configuration::delay_kind_bit(unit) & 1u)
            counting.push_back(unit < 4 ? macro_unit_names[unit] : std::to_string(unit));
    if (!as_loaded.empty()) text += ", load_mode=" + list_of(as_loaded);
    if (!counting.empty()) text += ", count_instructions=" + list_of(counting);
    return text;
}

/// Whether .misc can say it: no bits without a meaning, no macros that the machine does not have.
bool has_misc_text(std::uint32_t misc, const word_encoding& encoding) {
    if (misc & ~encoding.misc_mask()) return false;
    for (unsigned macro = encoding.macros; macro < macro_configuration::capacity; ++macro)
        if ((macro < 4 || encoding.wide_macro_index()) &&
            (misc >> macro_configuration::load_mod_bit(macro) & 1u))
            return false;
    return true;
}

/// The instruction of a template write through the backdoor, with "_" for its destination.
std::optional<setup_text> find_template(std::uint32_t word, const word_encoding& encoding) {
    const word_form* form = find_form(static_cast<std::uint8_t>(word >> 24), encoding.arch);
    const row* op = find_row(static_cast<std::uint8_t>(word >> 24), encoding.arch);
    if (!form || !op || !op->has_backdoor) return std::nullopt;
    const std::string text = disassemble(word, encoding);
    if (text.front() == '.') return std::nullopt;
    const std::size_t first = text.find(' ');
    std::string rebuilt = text.substr(0, first);
    std::optional<unsigned> number;
    std::size_t begin = first;
    for (std::size_t i = 0; i < form->operands.size(); ++i) {
        const std::size_t end = std::min(text.find(',', begin + 1), text.size());
        std::string operand = text.substr(begin + 1, end - begin - 1);
        if (is_destination_register(form->operands[i])) {
            const auto vd = static_cast<unsigned>(extract(form->operands[i], word, encoding));
            if (vd < backdoor_vd) return std::nullopt;
            number = vd - backdoor_vd;
            if (*number >= encoding.templates) return std::nullopt;
            operand = operand.front() == ' ' ? " _" : "_";
        }
        rebuilt += (i ? "," : " ") + operand;
        begin = end;
    }
    if (!number) return std::nullopt;
    return setup_text{fmt::format(".template {}, {}", *number, rebuilt), 1};
}

/// What SFPLOADIs and an SFPCONFIG do with L0.
struct through_l0 {
    std::uint32_t value = 0;
    std::size_t words = 0;
    unsigned vd = 0;
    extended_index index;
};
std::optional<through_l0> find_through_l0(const std::vector<std::uint32_t>& words, std::size_t at,
                                          std::optional<std::uint16_t> upper) {
    through_l0 found;
    const auto has = [&](std::uint32_t kind) {
        return at + found.words < words.size() && (words[at + found.words] & 0xffff0000u) == kind;
    };
    if (!has(loadi(0, lower_mode, 0))) return std::nullopt;
    found.value = words[at + found.words++] & 0xffffu;
    if (has(loadi(0, upper_mode, 0))) found.value |= words[at + found.words++] << 16;
    else if (upper) found.value |= std::uint32_t{*upper} << 16;
    else return std::nullopt;
    if (at + found.words >= words.size()) return std::nullopt;
    const std::uint32_t last = words[at + found.words++];
    if (last >> 24 != opcode::sfpconfig || (last & 0xfu)) return std::nullopt;
    found.vd = last >> 4 & 0xfu;
    found.index = extended_index::of(last >> 8 & 0xffffu);
    return found;
}

} // namespace

void setup_writer::load(std::uint32_t value, words& to) {
    const auto upper = static_cast<std::uint16_t>(value >> 16);
    to.push_back(loadi(0, lower_mode, value));
    if (upper != 0 || upper_ != upper) to.push_back(loadi(0, upper_mode, upper));
    upper_ = upper;
}

setup_writer::words setup_writer::template_words(unsigned number, std::uint32_t word) {
    words result;
    load(word, result);
    result.push_back(config_number(0, number, extended_index::part::whole));
    return result;
}

setup_writer::words setup_writer::macro_words(unsigned number, const macro_parts& parts,
                                              const word_encoding& encoding) {
    words result;
    if (!encoding.wide_sequences()) {
        std::uint32_t value = 0;
        for (unsigned unit = 0; unit < macro_units; ++unit) value |= byte_of_part(parts[unit]) << 8 * unit;
        load(value, result);
        result.push_back(
            config_number(config_destination_vd::first_sequence, number, extended_index::part::whole));
        return result;
    }
    for (const auto part : {extended_index::part::lower, extended_index::part::upper}) {
        const unsigned first = part == extended_index::part::lower ? 0 : 2;
        load(half_of_part(parts[first]) | half_of_part(parts[first + 1]) << 16, result);
        result.push_back(config_number(config_destination_vd::first_sequence, number, part));
    }
    return result;
}

setup_writer::words setup_writer::misc_words(std::uint32_t misc, const word_encoding& encoding) {
    if (!encoding.wide_macro_index()) return {config(config_destination_vd::misc, misc, value_is_immediate)};
    words result; // an immediate would leave the bits of the further macros as they are
    load(misc, result);
    result.push_back(config(config_destination_vd::misc, 0, 0));
    return result;
}

std::vector<std::uint32_t> constant_words(unsigned lreg, std::uint32_t bits) {
    const unsigned through = lreg < 8 ? lreg : 0;
    const std::uint32_t upper = bits >> 16, lower = bits & 0xffffu;
    std::vector<std::uint32_t> words;
    if (upper == 0) words = {loadi(through, ushort_mode, lower)};
    else if (upper == 0xffffu && (lower & 0x8000u)) words = {loadi(through, short_mode, lower)};
    else if (lower == 0) words = {loadi(through, floatb, upper)};
    else if (const auto half = floata_immediate(bits)) words = {loadi(through, floata, *half)};
    else words = {loadi(through, floatb, upper), loadi(through, lower_mode, lower)};
    if (lreg >= 8) words.push_back(config(lreg, 0, 0));
    return words;
}

namespace {

/// What the words of a set-up that begins at one of them would be as a line. The words are made again and
/// compared, so that no text stands for other words.
class setup_finder {
public:
    setup_finder(const std::vector<std::uint32_t>& words, std::size_t at, setup_writer& writer,
                 const word_encoding& encoding)
        : words_(words), at_(at), writer_(writer), encoding_(encoding) {}

    std::optional<setup_text> find() {
        if (auto found = find_template(words_[at_], encoding_)) return found;
        const std::uint32_t word = words_[at_];
        if (word >> 24 == opcode::sfpconfig &&
            (word & 0xffu) == (config_destination_vd::misc << 4 | value_is_immediate))
            return misc(word >> 8 & 0xffffu);
        const auto first = find_through_l0(words_, at_, writer_.known_upper());
        if (!first) return std::nullopt;
        if (first->vd == config_destination_vd::misc && encoding_.wide_macro_index() &&
            has_misc_text(first->value, encoding_))
            return misc(first->value);
        if (first->vd >= config_destination_vd::misc) return std::nullopt;
        const unsigned number = first->vd % 4 + first->index.plus_four;
        return first->vd < config_destination_vd::first_sequence ? written_template(*first, number)
                                                                 : macro(*first, number);
    }

private:
    std::optional<setup_text> accept(const setup_writer& trial, const setup_writer::words& made,
                                     std::string text) {
        const bool matches =
            at_ + made.size() <= words_.size() &&
            std::equal(made.begin(), made.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_));
        if (!matches) return std::nullopt;
        writer_ = trial;
        return setup_text{std::move(text), made.size()};
    }

    std::optional<setup_text> misc(std::uint32_t value) {
        if (!has_misc_text(value, encoding_)) return std::nullopt;
        setup_writer trial = writer_;
        const auto made = trial.misc_words(value, encoding_);
        return accept(trial, made, misc_text(value, encoding_));
    }

    std::optional<setup_text> written_template(const through_l0& first, unsigned number) {
        if (number >= encoding_.templates || first.index.which != extended_index::part::whole)
            return std::nullopt;
        const auto opcode_of_word = static_cast<std::uint8_t>(first.value >> 24);
        const word_form* form = find_form(opcode_of_word, encoding_.arch);
        const std::string text = disassemble(first.value, encoding_);
        if (!form || text.front() == '.') return std::nullopt;
        const row* op = find_row(opcode_of_word, encoding_.arch);
        if (!op || op->unit == sub_unit::front_end) return std::nullopt;
        if (number < chip_templates && op->has_backdoor) return std::nullopt; // .template would be one word
        setup_writer trial = writer_;
        const auto made = trial.template_words(number, first.value);
        return accept(trial, made, fmt::format(".template {}, {}", number, text));
    }

    std::optional<macro_parts> parts_of(const through_l0& first) const {
        macro_parts parts;
        if (!encoding_.wide_sequences()) {
            for (unsigned unit = 0; unit < macro_units; ++unit)
                parts[unit] = part_of_half(half_word_of(static_cast<std::uint8_t>(first.value >> 8 * unit)));
            return parts;
        }
        const auto second =
            find_through_l0(words_, at_ + first.words, static_cast<std::uint16_t>(first.value >> 16));
        if (!second) return std::nullopt;
        for (unsigned unit = 0; unit < macro_units; ++unit)
            parts[unit] = part_of_half((unit < 2 ? first.value : second->value) >> 16 * (unit % 2) & 0xffffu);
        return parts;
    }

    std::optional<setup_text> macro(const through_l0& first, unsigned number) {
        if (number >= encoding_.macros) return std::nullopt;
        const auto parts = parts_of(first);
        if (!parts) return std::nullopt;
        std::string text = fmt::format(".macro {}", number);
        for (unsigned unit = 0; unit < macro_units; ++unit) {
            const macro_part& part = (*parts)[unit];
            if (part == macro_part{}) continue;
            if (part.delay >> encoding_.delay_bits) return std::nullopt;
            if (part.selector >= macro_part::first_template + encoding_.templates) return std::nullopt;
            text += ", " + text_of(unit, part);
        }
        setup_writer trial = writer_;
        const auto made = trial.macro_words(number, *parts, encoding_);
        return accept(trial, made, std::move(text));
    }

    const std::vector<std::uint32_t>& words_;
    const std::size_t at_;
    setup_writer& writer_;
    const word_encoding& encoding_;
};

} // namespace

std::optional<setup_text> find_setup(const std::vector<std::uint32_t>& words, std::size_t at,
                                     setup_writer& writer, const word_encoding& encoding) {
    return setup_finder(words, at, writer, encoding).find();
}

std::optional<std::uint32_t> encode_float(double number, unsigned exponent_bits, unsigned mantissa_bits) {
    const std::uint32_t sign = std::signbit(number) ? 1u << (exponent_bits + mantissa_bits) : 0u;
    const std::uint32_t infinity = ((1u << exponent_bits) - 1u) << mantissa_bits;
    if (std::isnan(number)) return std::nullopt;
    if (std::isinf(number)) return sign | infinity;
    if (number == 0) return sign;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(number), &exponent); // 0.5 to 1
    const auto all = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int biased = exponent - 1 + bias;
    // Bits of `all` below the last one that is kept; more of them for subnormal numbers.
    const int dropped = 52 - static_cast<int>(mantissa_bits) + (biased < 1 ? 1 - biased : 0);
    if (dropped > 54) return sign;
    const std::uint64_t kept = all >> dropped, rest = all & ((std::uint64_t{1} << dropped) - 1u),
                        half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1u)) ? 1u : 0u);
    // A mantissa that rounds up to the next power of two carries into the exponent by itself.
    const std::uint64_t result =
        rounded + (static_cast<std::uint64_t>(biased < 1 ? 0 : biased - 1) << mantissa_bits);
    if (result >= infinity) return std::nullopt;
    return sign | static_cast<std::uint32_t>(result);
}

std::optional<std::uint16_t> floata_immediate(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 23 & 0xffu;
    if ((bits & 0x1fffu) || exponent < 112 || exponent > 143) return std::nullopt;
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | (exponent - 112) << 10 |
                                      (bits >> 13 & 0x3ffu));
}

} // namespace sfpu::isa
