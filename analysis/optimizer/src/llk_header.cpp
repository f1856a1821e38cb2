#include <sfpu/analysis/llk_header.h>

#include <sfpu/analysis/chip_names.h>
#include <sfpu/analysis/errors.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/encode.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>
#include <string_view>

namespace sfpu::analysis {
namespace {

namespace formats = kernel_recorder::formats;
namespace opcode = isa::opcode;
using kernel_recorder::operand_field;

constexpr unsigned replay_slots = 32;
constexpr unsigned rows_of_a_face = 8; ///< what the library's functions work on at a call

struct format {
    const operand_field* fields = nullptr;
    std::size_t count = 0;
};
template <std::size_t Count>
format all_of(const operand_field (&fields)[Count]) {
    return {fields, Count};
}

/// The operands of an instruction's macro.
format format_of(const isa::instruction& insn, architecture arch) {
    switch (insn.op->opcode) {
    case opcode::sfplut: return all_of(formats::lut);
    case opcode::sfpconfig: return all_of(formats::config);
    case opcode::sfpmad:
    case opcode::sfpadd:
    case opcode::sfpmul:
    case opcode::sfpmul24: return all_of(formats::three_sources);
    case opcode::sfpcast: return all_of(formats::cast);
    case opcode::sfplutfp32: return all_of(formats::lut_fp32);
    case opcode::incrwc: return all_of(formats::increment_counters);
    case opcode::setrwc: return all_of(formats::set_counters);
    case opcode::setc16: return all_of(formats::set_config);
    case opcode::nop:
    case opcode::sfpnop: return {};
    default: break;
    }
    switch (insn.op->format) {
    case isa::layout::mod0_address:
        return isa::addr_mod_shift(arch) == 13 ? all_of(formats::blackhole::load_store)
                                               : all_of(formats::wormhole::load_store);
    case isa::layout::mod0_imm16: return all_of(formats::load_immediate);
    case isa::layout::imm16: return all_of(formats::imm16);
    case isa::layout::imm12: return all_of(formats::imm12);
    case isa::layout::stochrnd: return all_of(formats::stochastic_round);
    case isa::layout::front_end: break;
    }
    throw user_error(fmt::format("--llk: {} has no macro here", insn.op->mnemonic));
}

/// Modes of loads and stores that the library has a name for.
const char* mode_name(unsigned mode) {
    switch (mode) {
    case 0: return "InstrModLoadStore::DEFAULT";
    case 1: return "InstrModLoadStore::FP16A";
    case 2: return "InstrModLoadStore::FP16B";
    case 3: return "InstrModLoadStore::FP32";
    case 4: return "InstrModLoadStore::INT32";
    case 6: return "InstrModLoadStore::LO16";
    case 7: return "InstrModLoadStore::HI16";
    default: return nullptr;
    }
}

std::string operand_text(const isa::instruction& insn, const operand_field& field, std::uint32_t value) {
    const std::string name = field.name;
    if (name == "lreg_ind" && insn.is(opcode::sfploadmacro))
        return fmt::format("({} << 2) | {}", value >> 2, value & 3u);
    if (name.rfind("lreg", 0) == 0 && value < 8) return fmt::format("p_sfpu::LREG{}", value);
    if (name == "sfpu_addr_mode") return fmt::format("ADDR_MOD_{}", value);
    const bool access =
        insn.is(opcode::sfpload) || insn.is(opcode::sfpstore) || insn.is(opcode::sfploadmacro);
    if (name == "instr_mod0" && access)
        if (const char* mode = mode_name(value)) return mode;
    return field.width > 4 && value > 9 ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

class header_writer {
public:
    explicit header_writer(const llk_kernel& kernel)
        : kernel_(kernel), words_(*kernel.words), set_up_(words_.init.size() - kernel.lead_words) {
        const std::size_t length = words_.loop.size();
        const unsigned rows = words_.rows_per_iteration;
        if (length > replay_slots) return;
        // A REPLAY takes an issue slot of its core, too, so that it should not be for a word or two.
        constexpr unsigned enough = 8;
        recorded_ = 1;
        for (unsigned more = 2; recorded_ * length < enough && more * length <= replay_slots; ++more)
            if (rows_of_a_face > words_.peeled_rows &&
                (rows_of_a_face - words_.peeled_rows) % (more * rows) == 0)
                recorded_ = more;
    }

    std::string write() {
        for (const std::string& remark : kernel_.remarks)
            text_ += remark.empty() ? "//\n" : "// " + remark + "\n";
        text_ +=
            fmt::format("#pragma once\n\n#if !defined({0})\n#error \"this kernel is for {1}: expected {0}\"\n"
                        "#endif\n\n",
                        chip_macro(words_.arch), long_name(words_.arch));
        if (!kernel_.parameters.empty()) text_ += "#include <cstdint>\n\n";
        for (const char* name :
             {"ckernel_addrmod.h", "ckernel_instr_params.h", "ckernel_ops.h", "llk_defs.h", "lltt.h"})
            text_ += fmt::format("#include \"{}\"\n", name);
        text_ += "\nnamespace ckernel {\nnamespace sfpu {\n\n";
        init();
        calculate();
        text_ += "} // namespace sfpu\n} // namespace ckernel\n";
        return std::move(text_);
    }

private:
    void issue(const isa::source_word& word, const char* indent) {
        const auto computed = kernel_.immediates.find(&word);
        const std::string call = fmt::format(
            "{}{};", indent,
            call_of(word.word, computed == kernel_.immediates.end() ? std::string() : computed->second));
        text_ += fmt::format("{:<84} // {}\n", call, isa::disassemble(word.word, words_.words));
    }

    /// `immediate`: C++ of a 16-bit immediate that is known when the function runs; empty: the word's own.
    std::string call_of(std::uint32_t word, const std::string& immediate) const {
        const isa::word_kind kind = isa::classify(word, words_.arch);
        if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end)
            throw user_error(fmt::format("--llk: {:08x} is no word of the vector unit", word));
        const isa::instruction insn = isa::decode(word, words_.words);
        std::string name = insn.is(opcode::sfpstochrnd) ? "SFP_STOCH_RND" : insn.op->mnemonic;
        for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        const format how = format_of(insn, words_.arch);
        if (how.count == 0) return "TTI_" + name;
        std::uint32_t covered = std::uint32_t{insn.op->opcode} << 24;
        std::string operands;
        for (std::size_t i = 0; i < how.count; ++i) {
            const operand_field& field = how.fields[i];
            const std::uint32_t value = word >> field.shift & ((1u << field.width) - 1u);
            covered |= value << field.shift;
            const bool is_computed =
                !immediate.empty() && std::string_view(field.name).substr(0, 5) == "imm16";
            operands += (i ? ", " : "") + (is_computed ? immediate : operand_text(insn, field, value));
        }
        if (insn.is(opcode::sfplutfp32)) covered = kernel_recorder::repeat_modifier(covered);
        if (covered != word)
            throw user_error(fmt::format("--llk: {:08x} ({}) says more than the operands of TTI_{} do", word,
                                         isa::disassemble(word, words_.words), name));
        return fmt::format("{}_{}({})", immediate.empty() ? "TTI" : "TT", name, operands);
    }

    void init() {
        text_ += fmt::format("template <bool APPROXIMATION_MODE>\ninline void _init_{}_({}) {{\n",
                             kernel_.name, parameters());
        for (std::size_t i = 0; i < set_up_; ++i) issue(words_.init[i], "    ");
        if (recorded_ > 0) {
            text_ += fmt::format("\n    // The replay buffer: {} of .loop.\n    lltt::record(0, {});\n",
                                 recorded_ == 1 ? "an iteration" : fmt::format("{} iterations", recorded_),
                                 recorded_ * words_.loop.size());
            for (unsigned again = 0; again < recorded_; ++again)
                for (const isa::source_word& word : words_.loop) issue(word, "    ");
        }
        text_ += "}\n\n";
    }

    std::string parameters() const {
        std::string list;
        for (const llk_parameter& each : kernel_.parameters)
            list +=
                fmt::format("{}[[maybe_unused]] const {} {}", list.empty() ? "" : ", ", each.type, each.name);
        return list;
    }

    void calculate() {
        const unsigned step = words_.rows_per_iteration * std::max(1u, recorded_);
        const unsigned peeled = words_.peeled_rows;
        const bool fits = rows_of_a_face > peeled && (rows_of_a_face - peeled) % step == 0;
        text_ += fmt::format("// ITERATIONS: rows of 32 elements.\n"
                             "template <bool APPROXIMATION_MODE, int ITERATIONS = {}>\n"
                             "inline void _calculate_{}_({}) {{\n",
                             fits ? rows_of_a_face : peeled + step, kernel_.name, parameters());
        if (peeled > 0)
            text_ += fmt::format("    static_assert(ITERATIONS > {0} && (ITERATIONS - {0}) % {1} == 0,\n"
                                 "                  \"{0} rows begin before the loop or end behind it, which "
                                 "works on {1} at once\");\n",
                                 peeled, step);
        else if (step > 1)
            text_ += fmt::format(
                "    static_assert(ITERATIONS % {0} == 0, \"the loop works on {0} rows at once\");\n", step);
        if (kernel_.lead_words > 0) {
            text_ += "    // The first rows begin before the loop.\n";
            for (std::size_t i = set_up_; i < words_.init.size(); ++i) issue(words_.init[i], "    ");
        }
        text_ += fmt::format("#pragma GCC unroll 8\n    for (int d = 0; d < {}; d += {}) {{\n",
                             peeled > 0 ? fmt::format("ITERATIONS - {}", peeled) : "ITERATIONS", step);
        if (recorded_ > 0)
            text_ += fmt::format("        lltt::replay(0, {});\n", recorded_ * words_.loop.size());
        else
            for (const isa::source_word& word : words_.loop) issue(word, "        ");
        text_ += "    }\n";
        for (const isa::source_word& word : words_.tail) issue(word, "    ");
        text_ += "}\n\n";
    }

    const llk_kernel& kernel_;
    const isa::kernel& words_;
    std::size_t set_up_;
    unsigned recorded_ = 0; ///< iterations of the loop in the replay buffer; 0: it is too long
    std::string text_;
};

} // namespace

std::string llk_header(const llk_kernel& kernel) { return header_writer(kernel).write(); }

std::vector<std::string> head_of(const std::string& text) {
    std::vector<std::string> remarks;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line.rfind(';', 0) == 0;)
        remarks.push_back(line.size() > 2 ? line.substr(2) : "");
    return remarks;
}

std::string name_of_function(const std::string& call) {
    std::string name = call.substr(0, call.find_first_of("<("));
    if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
    while (!name.empty() && name.front() == '_') name.erase(0, 1);
    while (!name.empty() && name.back() == '_') name.pop_back();
    constexpr std::string_view verb = "calculate_";
    if (name.size() > verb.size() && name.compare(0, verb.size(), verb) == 0) name.erase(0, verb.size());
    return name.empty() ? name : llk_name(name);
}

std::string llk_name(const std::string& file) {
    std::string name = file.substr(file.find_last_of('/') + 1);
    name = name.substr(0, name.find('.'));
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name.empty() ? "kernel" : name;
}

} // namespace sfpu::analysis
