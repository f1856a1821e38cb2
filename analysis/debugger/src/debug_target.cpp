#include <sfpu/analysis/debug_target.h>

#include <sfpu/analysis/errors.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <charconv>

namespace sfpu::analysis::debug {
namespace {

std::string_view trimmed_view(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<unsigned> target_number(std::string_view text) {
    text = trimmed_view(text);
    int base = 10;
    if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
        base = 16;
        text.remove_prefix(2);
    }
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct range {
    unsigned first = 0, end = 0;
};
/// "3", "0:4", "0:", ":4", ":"
range parse_range(std::string_view text, unsigned size, const char* what) {
    const std::size_t colon = text.find(':');
    std::optional<unsigned> first, end;
    if (colon == std::string_view::npos) {
        first = target_number(text);
        if (first) end = *first + 1;
    } else {
        const std::string_view before = trimmed_view(text.substr(0, colon)),
                               after = trimmed_view(text.substr(colon + 1));
        first = before.empty() ? 0u : target_number(before);
        end = after.empty() ? size : target_number(after);
    }
    if (!first || !end || *first >= *end || *end > size)
        throw user_error(fmt::format("found '{}', expected {} like 3 or 0:4, below {}", text, what, size));
    return {*first, *end};
}

/// Takes "[...]" off the end; what stands in it, cut at commas.
std::vector<std::string_view> take_brackets(std::string_view& text) {
    std::vector<std::string_view> parts;
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos) return parts;
    if (text.back() != ']') throw user_error(fmt::format("found '{}', expected a ']' at the end", text));
    std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    for (std::size_t comma; (comma = inside.find(',')) != std::string_view::npos;
         inside.remove_prefix(comma + 1))
        parts.push_back(inside.substr(0, comma));
    parts.push_back(inside);
    text = trimmed_view(text.substr(0, open));
    return parts;
}

/// "L3", "l16"
std::optional<unsigned> lreg_named(std::string_view text) {
    if (text.size() < 2 || (text[0] != 'L' && text[0] != 'l')) return std::nullopt;
    const auto number = target_number(text.substr(1));
    return number && *number < isa::lreg_count ? number : std::nullopt;
}

/// What stands behind a target's name.
struct target_text {
    std::string_view name;
    std::vector<std::string_view> brackets; ///< cut at commas
    bool typed = false;
    std::optional<isa::data_type> type;
    bool wide = true;

    void at_most(std::size_t parts) const {
        if (brackets.size() > parts)
            throw user_error(
                fmt::format("found {} ranges in brackets, expected at most {}", brackets.size(), parts));
    }
    void take_lanes(target& into, std::size_t index) const {
        if (brackets.size() <= index) return;
        const range lanes = parse_range(brackets[index], lane_count, "lanes");
        into.first_lane = lanes.first;
        into.end_lane = lanes.end;
    }
};

target_text cut_target(std::string_view text) {
    target_text parts;
    text = trimmed_view(text);
    if (const std::size_t as = text.rfind(" as "); as != std::string_view::npos) {
        const std::string name(trimmed_view(text.substr(as + 4)));
        text = trimmed_view(text.substr(0, as));
        parts.typed = true;
        if (name == "hex16") {
            parts.wide = false;
        } else if (name != "hex") {
            parts.type = isa::find_data_type(name);
            if (!parts.type)
                throw user_error(fmt::format("found the type '{}', expected one of hex, hex16, {}", name,
                                             isa::data_type_names()));
            parts.wide = isa::has_wide_cells(*parts.type);
        }
    }
    parts.brackets = take_brackets(text);
    parts.name = text;
    return parts;
}

void take_register(target& result, const target_text& parts, unsigned lreg) {
    parts.at_most(1);
    result.lreg = lreg;
    result.name = fmt::format("L{}", lreg);
    if (!parts.wide)
        throw user_error("registers hold 32 bits: expected one of hex, f32, i32, u32, sm32 as their type");
    parts.take_lanes(result, 0);
}

void take_dst_address(target& result, const target_text& parts, const isa::thread_state& thread) {
    result.what = target::kind::dst;
    parts.at_most(1);
    const auto address = target_number(parts.name.substr(4));
    if (!address || *address > 0x3ff)
        throw user_error(
            fmt::format("found '{}', expected dst ADDRESS with an address of Dst, 0 to 0x3ff", parts.name));
    result.dst_rows = {slice_at(*address, parts.wide, thread.backend().rows)};
    parts.take_lanes(result, 0);
}

void take_tensor(target& result, target_text parts, const isa::tensor& tensor, const kernel_run& kernel) {
    parts.at_most(2);
    result.what = target::kind::dst;
    result.is_tensor = true;
    if (!parts.typed) {
        result.type = tensor.type;
        parts.wide = isa::has_wide_cells(tensor.type);
    }
    range rows{0, kernel.rows()};
    if (!parts.brackets.empty()) rows = parse_range(parts.brackets[0], kernel.rows(), "rows");
    result.first_row = rows.first;
    for (unsigned row = rows.first; row < rows.end; ++row)
        result.dst_rows.push_back(slice_of_row(tensor.address, row, parts.wide, kernel.request().thread));
    parts.take_lanes(result, 1);
}

} // namespace

target parse_target(std::string_view text, const kernel_run& kernel) {
    const target_text parts = cut_target(text);
    target result;
    result.type = parts.type;
    result.name = std::string(parts.name);
    if (const auto lreg = lreg_named(parts.name)) {
        take_register(result, parts, *lreg);
        return result;
    }
    if (parts.name == "flags") {
        parts.at_most(1);
        result.what = target::kind::flags;
        parts.take_lanes(result, 0);
        return result;
    }
    if (parts.name.substr(0, 4) == "dst ") {
        take_dst_address(result, parts, kernel.request().thread);
        return result;
    }
    const isa::kernel& source = kernel.kernel();
    std::vector<std::string> names{"L0", "flags", "dst"};
    for (const auto* list : {&source.outputs, &source.inputs})
        for (const isa::tensor& tensor : *list) {
            names.push_back(tensor.name);
            if (tensor.name == parts.name && result.dst_rows.empty())
                take_tensor(result, parts, tensor, kernel);
        }
    if (result.dst_rows.empty())
        throw user_error(fmt::format("found '{}', expected a register (L0 to L16), flags, dst ADDRESS, or "
                                     "the name of an .input or .output{}",
                                     parts.name, suggestion(parts.name, names)));
    return result;
}

std::uint32_t bits_of(const machine_state& state, const target& what, std::size_t row, unsigned lane) {
    switch (what.what) {
    case target::kind::lreg: return state.lreg[what.lreg].v[lane];
    case target::kind::flags: return state.flags >> lane & 1u;
    case target::kind::dst: break;
    }
    return read_cell(state.dst, what.dst_rows[row], lane);
}

bool differs(const machine_state& a, const machine_state& b, const target& what) {
    for (std::size_t row = 0; row < what.rows(); ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; ++lane)
            if (bits_of(a, what, row, lane) != bits_of(b, what, row, lane)) return true;
    return false;
}

} // namespace sfpu::analysis::debug
