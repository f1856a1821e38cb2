#include "word_form.h"

#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sfpu::isa {
namespace {

using kind = operand_kind;
constexpr unsigned config_immediate_shift = 8;
/// Destinations of SFPCONFIG with all that an extended index can say.
constexpr unsigned destination_count = 16 * 8;

using name_table = std::map<std::string, value, std::less<>>;

/// A word that the expanders of the front end consume: assembled and listed, but never issued, so that it has
/// no row.
word_form consumed(std::uint8_t code, const char* mnemonic, operand_list operands) {
    return {code, mnemonic, true, std::move(operands), {}, nullptr};
}

/// Second spellings, those of the public macros.
operand_list alternative_operands(std::uint8_t code) {
    if (code == opcode::sfploadmacro)
        return {{"lreg_ind", kind::lreg, 20, 4},
                {"mode", kind::mode, 16, 4},
                {"addr_mod", kind::addr_mod, 0, 0},
                {"dst_addr", kind::number, 0, 10}};
    if (code == opcode::sfpnop) return operand_list(3, {"zero", kind::number, 0, 0});
    return {};
}

word_form form_of(const row& r) {
    word_form form{r.opcode, r.mnemonic, r.on_wormhole, {}, alternative_operands(r.opcode), r.modes};
    for (const operand& what : r.operands)
        if (what.name) form.operands.push_back(what);
    return form;
}

const std::vector<word_form>& all_forms() {
    static const std::vector<word_form> forms = [] {
        std::vector<word_form> result{
            consumed(opcode::mop, "mop",
                     {{"type", kind::number, 23, 1},
                      {"loop_count", kind::number, 16, 7},
                      {"mask_or_count", kind::number, 0, 16}}),
            consumed(opcode::mop_cfg, "mop_cfg", {{"mask_hi", kind::number, 0, 16}}),
            consumed(opcode::replay, "replay",
                     {{"start", kind::number, 14, 10},
                      {"length", kind::number, 4, 10},
                      {"execute_while_loading", kind::number, 1, 1},
                      {"load", kind::number, 0, 1}}),
        };
        // A row takes the place of its local form.
        for (const row* r : instruction_table()) {
            const auto same = [&](const word_form& form) { return form.opcode == r->opcode; };
            const auto found = std::find_if(result.begin(), result.end(), same);
            if (found != result.end()) *found = form_of(*r);
            else result.push_back(form_of(*r));
        }
        return result;
    }();
    return forms;
}

/// Where the operand stands on this architecture: the table leaves the address mode open.
operand located(operand what, architecture arch) {
    if (what.kind == kind::addr_mod) {
        what.shift = static_cast<std::uint8_t>(addr_mod_shift(arch));
        what.width = static_cast<std::uint8_t>(addr_mod_width(arch));
    }
    return what;
}

std::uint32_t place(const operand& where, std::int64_t number, const word_encoding& words) {
    const operand what = located(where, words.arch);
    const auto all = static_cast<std::uint32_t>(number);
    const std::uint32_t bits = all & ((1u << what.width) - 1u);
    switch (what.kind) {
    case kind::split_lreg: return (bits & 3u) << what.shift | bits >> 2;
    case kind::macro_dst: return (bits & ~1u) << what.shift;
    case kind::macro: return bits << what.shift | (all >> 2 & 1u) << wide_macro_index_shift;
    case kind::config_dest: // the extended index belongs to the immediate
        return bits << what.shift | (all >> 4) << config_immediate_shift;
    default: return bits << what.shift;
    }
}

name_table predefined() {
    name_table names;
    const auto add_register = [&](const std::string& name, unsigned lreg) { names[name] = {lreg, true, {}}; };
    for (unsigned lreg = 0; lreg < 16; ++lreg) add_register(fmt::format("L{}", lreg), lreg);
    for (unsigned lreg = 0; lreg < general_lregs; ++lreg) add_register(fmt::format("LREG{}", lreg), lreg);
    add_register("LCONST_0_8373", 8);
    add_register("LCONST_0", 9);
    add_register("LCONST_1", 10);
    add_register("LCONST_neg1", 11);
    add_register("LTILEID", 15);
    for (unsigned index = 0; index < 8; ++index)
        names[fmt::format("ADDR_MOD_{}", index)] = {index, false, {}};
    for (const row* r : instruction_table())
        for (const mode_name* mode = r->modes; mode && mode->name; ++mode)
            names[mode->name] = {mode->value, false, {}, mode->name};
    return names;
}

const name_table& predefined_names() {
    static const name_table names = predefined();
    return names;
}

} // namespace

const word_form* find_form(std::string_view mnemonic) {
    if (mnemonic == "sfp_stoch_rnd") mnemonic = "sfpstochrnd";
    for (const word_form& form : all_forms())
        if (form.mnemonic == mnemonic) return &form;
    return nullptr;
}

const word_form* find_form(std::uint8_t code, architecture arch) {
    for (const word_form& form : all_forms())
        if (form.opcode == code)
            return form.on_wormhole || describe(arch).has_compare_and_estimate ? &form : nullptr;
    return nullptr;
}

std::vector<std::string> all_mnemonics() {
    std::vector<std::string> names{"sfp_stoch_rnd"};
    for (const word_form& form : all_forms()) names.push_back(form.mnemonic);
    return names;
}

operand_range range_of(const operand& where, const word_encoding& words) {
    const operand what = located(where, words.arch);
    const std::int64_t limit = std::int64_t{1} << what.width;
    if (what.kind == kind::macro) return {0, words.macros - 1};
    return {what.kind == kind::signed_number ? -limit / 2 : 0, limit - 1};
}

std::string missing_in(const operand& what, std::int64_t number, const word_encoding& words) {
    const auto needs = [](const char* path, std::int64_t least) {
        return fmt::format("needs a machine with '.config {}, {}'", path, least);
    };
    if (what.kind == kind::macro && number >= words.macros && number < macro_configuration::capacity)
        return fmt::format("macro {} {}", number, needs("macro.count", number + 1));
    if (what.kind != kind::config_dest || number < 16) return {};
    const std::string name = config_destination(static_cast<unsigned>(number));
    if (name.empty()) return {};
    const unsigned vd = number & 15,
                   index = vd % 4 + index_of_destination(static_cast<unsigned>(number)).plus_four;
    if (vd < 4) return fmt::format("{} {}", name, needs("macro.templates", index + 1));
    if (index >= words.macros) return fmt::format("{} {}", name, needs("macro.count", index + 1));
    return fmt::format("{} {} or 'macro.delay_bits, 4': only then sequences have halves", name,
                       needs("macro.templates", 5));
}

std::uint32_t encode(const word_form& form, const operand_list& operands,
                     const std::vector<std::int64_t>& values, const word_encoding& words) {
    std::uint32_t word = std::uint32_t{form.opcode} << 24;
    for (std::size_t i = 0; i < operands.size(); ++i) word |= place(operands[i], values[i], words);
    // The stall logic looks for the modifier of SFPLUTFP32 where loads have theirs, so software writes it
    // twice.
    if (form.opcode == opcode::sfplutfp32) word |= (word & 15u) << 16;
    return word;
}

std::int64_t extract(const operand& where, std::uint32_t word, const word_encoding& words) {
    const operand what = located(where, words.arch);
    const std::uint32_t limit = 1u << what.width;
    const std::uint32_t bits = (word >> what.shift) & (limit - 1u);
    switch (what.kind) {
    case kind::split_lreg: return (bits & 3u) | (word & 1u) << 2;
    case kind::macro_dst: return bits & ~1u;
    case kind::macro: return macro_index_of(word, words.wide_macro_index());
    case kind::signed_number: return bits < limit / 2 ? std::int64_t{bits} : std::int64_t{bits} - limit;
    default: return bits;
    }
}

bool is_destination_register(const operand& what) {
    return what.kind == kind::lreg && (what.shift == 4 || what.shift == 20);
}

bool takes_register(const word_form& form, const operand& what) {
    switch (what.kind) {
    case kind::lreg:
    case kind::split_lreg:
    case kind::config_dest: return true;
    case kind::signed_number:
        return form.opcode == opcode::sfpand || form.opcode == opcode::sfpor ||
               form.opcode == opcode::sfpshft2 || form.opcode == opcode::sfparecip;
    default: return false;
    }
}

bool immediate_is_vb(std::uint8_t code, unsigned mod, architecture arch) {
    switch (code) {
    case opcode::sfpand:
    case opcode::sfpor: return describe(arch).has_use_vb && (mod & 1u);
    case opcode::sfpshft2: return mod == 5;  // SHFT_LREG
    case opcode::sfparecip: return mod == 1; // COND_RECIP
    default: return false;
    }
}

std::optional<value> find_predefined(std::string_view name) {
    const auto found = predefined_names().find(name);
    return found == predefined_names().end() ? std::nullopt : std::optional<value>(found->second);
}

std::vector<std::string> all_predefined() {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : predefined_names()) names.push_back(name);
    return names;
}

std::string_view without_prefix(std::string_view mode) {
    for (std::string_view mark : {"MOD0_", "MOD1_"}) {
        const std::size_t at = mode.find(mark);
        if (at == std::string_view::npos) continue;
        mode.remove_prefix(at + mark.size());
        break;
    }
    constexpr std::string_view format = "FMT_";
    if (mode.substr(0, format.size()) == format) mode.remove_prefix(format.size());
    return mode;
}

std::string config_destination(unsigned number) {
    static constexpr const char* names[16] = {"TEMPLATE0", "TEMPLATE1", "TEMPLATE2", "TEMPLATE3",
                                              "SEQUENCE0", "SEQUENCE1", "SEQUENCE2", "SEQUENCE3",
                                              "MISC",      nullptr,     nullptr,     "L11",
                                              "L12",       "L13",       "L14",       "LANECONFIG"};
    using part = extended_index::part;
    const unsigned vd = number & 15;
    if (number < 16) return names[vd] ? names[vd] : "";
    const extended_index index = index_of_destination(number);
    if (extended_destination(vd, index) != number) return {};
    if (vd < 4) return index.which == part::whole ? fmt::format("TEMPLATE{}", vd + index.plus_four) : "";
    if (vd >= 8) return {};
    const char* const half = index.which == part::lower   ? "_LOWER"
                             : index.which == part::upper ? "_UPPER"
                                                          : "";
    return fmt::format("SEQUENCE{}{}", vd - 4 + index.plus_four, half);
}

bool has_destination(unsigned number, const word_encoding& words) {
    if (number < 16) return true;
    if (config_destination(number).empty()) return false;
    const unsigned vd = number & 15;
    const extended_index index = index_of_destination(number);
    if (vd < 4) return vd + index.plus_four < words.templates;
    return vd - 4 + index.plus_four < std::max<unsigned>(words.macros, 4) &&
           (index.which == extended_index::part::whole || words.wide_sequences());
}

void split_destination(std::int64_t& immediate, std::int64_t& destination, unsigned mod,
                       const word_encoding& words) {
    if ((mod & 9) || !words.extended_index() || destination >= 8) return;
    const auto all = static_cast<std::uint32_t>(immediate);
    const extended_index index = extended_index::of(all);
    const unsigned number = extended_destination(static_cast<unsigned>(destination), index);
    if (number < 16 || !has_destination(number, words)) return;
    immediate = static_cast<std::int64_t>(all & 0xffffu & ~index.immediate());
    destination = number;
}

std::optional<value> find_local(const word_form& form, const operand& what, std::string_view name) {
    if (what.kind == kind::mode)
        for (const mode_name* mode = form.modes; mode && mode->name; ++mode)
            if (without_prefix(mode->name) == name) return value{mode->value, false, {}};
    if (what.kind == kind::config_dest)
        for (unsigned number = 0; number < destination_count; ++number)
            if (!name.empty() && name == config_destination(number)) return value{number, false, {}};
    return std::nullopt;
}

std::vector<std::string> all_local(const word_form& form, const operand& what) {
    std::vector<std::string> names;
    if (what.kind == kind::mode)
        for (const mode_name* mode = form.modes; mode && mode->name; ++mode)
            names.emplace_back(without_prefix(mode->name));
    if (what.kind == kind::config_dest)
        for (unsigned number = 0; number < destination_count; ++number)
            if (std::string destination = config_destination(number); !destination.empty())
                names.push_back(std::move(destination));
    return names;
}

bool has_mode(const word_form& form, std::string_view documented) {
    for (const mode_name* mode = form.modes; mode && mode->name; ++mode)
        if (mode->name == documented) return true;
    return false;
}

std::string instruction_with_mode(std::string_view name) {
    for (const word_form& form : all_forms())
        for (const mode_name* mode = form.modes; mode && mode->name; ++mode)
            if (mode->name == name || without_prefix(mode->name) == name) return form.mnemonic;
    return {};
}

std::vector<std::string> modes_like(const word_form& form, std::string_view name) {
    struct pair {
        std::string_view one, other;
    };
    // Of SFPLOADI, which has the number in the word, and of loads from Dst.
    static constexpr pair alike[] = {{"FLOATB", "SRCB"},    {"FLOATB", "BF16"}, {"FLOATA", "FP16"},
                                     {"USHORT", "UINT16"},  {"SHORT", "INT16"}, {"UPPER", "HI16_ONLY"},
                                     {"LOWER", "LO16_ONLY"}};
    const std::string_view wanted = without_prefix(name);
    std::vector<std::string> found;
    for (const mode_name* mode = form.modes; mode && mode->name; ++mode) {
        const std::string_view own = without_prefix(mode->name);
        bool is_like = own == wanted;
        for (const pair& each : alike)
            is_like = is_like || (each.one == wanted && each.other == own) ||
                      (each.other == wanted && each.one == own);
        if (is_like) found.emplace_back(own);
    }
    return found;
}

namespace {

/// Whether every named value of the modifier is a single bit (or zero), so that combinations read well as
/// `A|B`.
bool names_bits(const mode_name* modes) {
    for (; modes->name; ++modes)
        if (modes->value & (modes->value - 1)) return false;
    return true;
}

} // namespace

std::string mode_text(const mode_name* modes, unsigned mod) {
    if (!modes) return std::to_string(mod);
    for (const mode_name* mode = modes; mode->name; ++mode)
        if (mode->value == mod) return std::string(without_prefix(mode->name));
    if (mod == 0 || !names_bits(modes)) return std::to_string(mod);

    std::string combined;
    unsigned named = 0;
    for (const mode_name* mode = modes; mode->name; ++mode) {
        if (!(mode->value & mod)) continue;
        combined += (combined.empty() ? "" : "|") + std::string(without_prefix(mode->name));
        named |= mode->value;
    }
    return named == mod ? combined : std::to_string(mod);
}

} // namespace sfpu::isa
