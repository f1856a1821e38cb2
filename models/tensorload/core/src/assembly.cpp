// Assembly text of TensorLoad instructions.
#include <sfpu/tensorload/encoding.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace sfpu::tensorload {
namespace {

/// The operands that follow a mnemonic.
enum class form : std::uint8_t { transfer, addition, two_sources, exchange };

struct mnemonic_row {
    const char* name; ///< without the axes
    operation op;
    form operands;
    unsigned axes; ///< digits behind the last dot
    const char* usage;
};
constexpr mnemonic_row mnemonics[] = {
    {"tl.load", operation::load, form::transfer, 0, "tl.load tlD, slices(xB)"},
    {"tl.mload", operation::mload, form::transfer, 0, "tl.mload tlD, slices(xB)"},
    {"tl.store", operation::store, form::transfer, 0, "tl.store tlS, slices(xB)"},
    {"tl.mstore", operation::mstore, form::transfer, 0, "tl.mstore tlS, slices(xB)"},
    {"tl.addi", operation::addi, form::addition, 0, "tl.addi tlD, tlS, immediate"},
    {"tl.concat", operation::concat, form::two_sources, 1, "tl.concat.axis tlD, tlA, tlB"},
    {"tl.merge", operation::merge, form::two_sources, 1, "tl.merge.axis tlD, tlA, tlB"},
    {"tl.xpose", operation::xpose, form::exchange, 2, "tl.xpose.pq tlA, tlB, xN"},
};

std::string_view trimmed(std::string_view word) {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!word.empty() && is_space(word.front())) word.remove_prefix(1);
    while (!word.empty() && is_space(word.back())) word.remove_suffix(1);
    return word;
}

std::vector<std::string_view> split_operands(std::string_view list) {
    std::vector<std::string_view> operands;
    for (list = trimmed(list); !list.empty();) {
        const std::size_t comma = list.find(',');
        operands.push_back(trimmed(list.substr(0, comma)));
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 1);
        if (trimmed(list).empty()) operands.emplace_back(); // "tl1," ends with an operand that is missing
    }
    return operands;
}

std::optional<int> parse_integer(std::string_view digits) {
    const bool negative = !digits.empty() && digits.front() == '-';
    if (negative) digits.remove_prefix(1);
    const bool hexadecimal = digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X";
    if (hexadecimal) digits.remove_prefix(2);
    std::uint16_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
    if (digits.empty() || error != std::errc{} || rest != end) return std::nullopt;
    return negative ? -int{value} : int{value};
}

/// Reads operands; the first problem is kept.
struct operand_reader {
    std::string problem, warning;

    void fail(std::string message) {
        if (problem.empty()) problem = std::move(message);
    }
    unsigned number(std::string_view word, std::string_view prefix) {
        const std::string_view digits =
            word.substr(0, prefix.size()) == prefix ? word.substr(prefix.size()) : "";
        unsigned value = register_count;
        const char* end = digits.data() + digits.size();
        const auto [rest, error] = std::from_chars(digits.data(), end, value);
        if (!digits.empty() && error == std::errc{} && rest == end && value < register_count) return value;
        fail(fmt::format("found '{}', expected {}0 to {}31", word, prefix, prefix));
        return 0;
    }
    unsigned tensor(std::string_view word) { return number(word, "tl"); }
    unsigned scalar(std::string_view word) { return number(word, "x"); }
    int immediate(std::string_view word) {
        const std::optional<int> value = parse_integer(word);
        if (!value) fail(fmt::format("found '{}', expected a number from -128 to 127", word));
        else if (*value < -128 || *value > 127)
            warning = fmt::format("{} is outside -128 to 127, {} is used", *value,
                                  int{static_cast<std::int8_t>(*value)});
        return value.value_or(0);
    }
    /// "slices(xB)"
    void address(std::string_view word, int& slices, unsigned& base) {
        const std::size_t open = word.find('(');
        if (open == std::string_view::npos || word.back() != ')') {
            fail(fmt::format("found '{}', expected slices(xB)", word));
            return;
        }
        slices = open == 0 ? 0 : immediate(trimmed(word.substr(0, open)));
        base = scalar(trimmed(word.substr(open + 1, word.size() - open - 2)));
    }
};

/// The row of a mnemonic, and the digits of its axes.
const mnemonic_row* find(std::string_view mnemonic, std::string_view& axes) {
    for (const mnemonic_row& row : mnemonics) {
        const std::string_view name = row.name;
        axes = {};
        if (row.axes == 0 && mnemonic == name) return &row;
        if (row.axes == 0 || mnemonic.substr(0, name.size()) != name) continue;
        axes = mnemonic.substr(name.size());
        if (axes.size() == row.axes + 1 && axes.front() == '.') {
            axes.remove_prefix(1);
            return &row;
        }
    }
    return nullptr;
}

unsigned operand_count(form operands) { return operands == form::transfer ? 2 : 3; }

instruction read_instruction(const mnemonic_row& row, std::string_view axes,
                             const std::vector<std::string_view>& operands, operand_reader& reader) {
    const char last_axis = row.op == operation::xpose ? '3' : '2';
    for (const char axis : axes)
        if (axis < '0' || axis > last_axis)
            reader.fail(fmt::format("found axis '{}', expected 0 to {}", axis, last_axis));
    const auto axis = [&](unsigned place) { return static_cast<unsigned>(axes[place] - '0'); };

    switch (row.operands) {
    case form::transfer: {
        int slices = 0;
        unsigned base = 0;
        const unsigned tensor = reader.tensor(operands[0]);
        reader.address(operands[1], slices, base);
        switch (row.op) {
        case operation::load: return load(tensor, base, slices);
        case operation::mload: return mload(tensor, base, slices);
        case operation::store: return store(tensor, base, slices);
        default: return mstore(tensor, base, slices);
        }
    }
    case form::addition: {
        const unsigned destination = reader.tensor(operands[0]), source = reader.tensor(operands[1]);
        return addi(destination, source, reader.immediate(operands[2]));
    }
    case form::two_sources: {
        const unsigned destination = reader.tensor(operands[0]);
        const unsigned a = reader.tensor(operands[1]), b = reader.tensor(operands[2]);
        return row.op == operation::concat ? concat(axis(0), destination, a, b)
                                           : merge(axis(0), destination, a, b);
    }
    case form::exchange: break;
    }
    const unsigned a = reader.tensor(operands[0]), b = reader.tensor(operands[1]);
    return xpose(axis(0), axis(1), a, b, reader.scalar(operands[2]));
}

} // namespace

std::string text(const instruction& insn) {
    const unsigned d = insn.destination, a = insn.a, b = insn.b, x = insn.scalar, p = insn.p, q = insn.q;
    const int immediate = insn.immediate;
    switch (insn.op) {
    case operation::load: return fmt::format("tl.load tl{}, {}(x{})", d, immediate, x);
    case operation::mload: return fmt::format("tl.mload tl{}, {}(x{})", d, immediate, x);
    case operation::store: return fmt::format("tl.store tl{}, {}(x{})", a, immediate, x);
    case operation::mstore: return fmt::format("tl.mstore tl{}, {}(x{})", a, immediate, x);
    case operation::addi: return fmt::format("tl.addi tl{}, tl{}, {}", d, a, immediate);
    case operation::concat: return fmt::format("tl.concat.{} tl{}, tl{}, tl{}", p, d, a, b);
    case operation::merge: return fmt::format("tl.merge.{} tl{}, tl{}, tl{}", p, d, a, b);
    case operation::xpose: return fmt::format("tl.xpose.{}{} tl{}, tl{}, x{}", p, q, a, b, x);
    }
    return "?";
}

std::string disassemble(std::uint32_t word, const tensorload_parameters& config) {
    if (const std::optional<instruction> insn = decode(word, config)) {
        std::string line = text(*insn);
        if (assemble(line).word == word) return line;
    }
    return fmt::format(".word 0x{:08x}", word);
}

assembled assemble(std::string_view line) {
    line = trimmed(line);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view mnemonic = line.substr(0, end);
    std::string_view axes;
    const mnemonic_row* row = find(mnemonic, axes);
    if (!row)
        return {
            std::nullopt,
            fmt::format("found '{}', expected tl.load, tl.mload, tl.store, tl.mstore, tl.addi, tl.concat.0 "
                        "to .2, tl.merge.0 to .2 or tl.xpose.pq",
                        mnemonic)};
    const std::vector<std::string_view> operands = split_operands(line.substr(end));
    if (operands.size() != operand_count(row->operands))
        return {std::nullopt, fmt::format("found {} operands, expected {}", operands.size(), row->usage)};
    operand_reader reader;
    const instruction insn = read_instruction(*row, axes, operands, reader);
    if (!reader.problem.empty()) return {std::nullopt, reader.problem};
    return {encode(insn), reader.warning};
}

} // namespace sfpu::tensorload
