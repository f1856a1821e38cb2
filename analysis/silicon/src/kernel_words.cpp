#include "kernel_words.h"

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace sfpu::analysis {
namespace {

constexpr auto idle = "nop"; ///< in the place of a cycle without a word

using word_list = std::vector<std::uint32_t>;

} // namespace

std::vector<std::uint32_t> words_of(const std::vector<std::string>& lines, const measurement& row) {
    if (lines.empty()) return {};
    std::string text = ".arch " + row.arch + "\n.loop\n";
    for (const std::string& line : lines) text += "    " + line + "\n";
    const isa::kernel assembled =
        assemble_kernel(text, "instructions for '" + row.kernel + "'", machine_choice{});
    word_list words;
    for (const isa::source_word& each : assembled.loop) words.push_back(each.word);
    return words;
}

std::string headers_of(const measured_kernel& kernel) {
    return fmt::format(R"(#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_addrmod.h"
#include "ckernel_ops.h"
#include "cmath_common.h"
#include "llk_defs.h"
#include "lltt.h"
#include "sfpi.h"
#include "{}"
using namespace ckernel;)",
                       kernel.header);
}

std::string assembly_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    std::string text = fmt::format(".arch {}\n.rows {}\n.loop {}\n", row.arch, tile_rows, tile_rows);
    const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) text += "    " + line + "\n";
    };
    add(around.begin);
    for (unsigned face = 0; face < kernel.faces; ++face) {
        const unsigned rows = kernel.rows ? kernel.rows : tile_rows / kernel.faces;
        for (unsigned each = 0; each < rows; ++each) add(kernel.assembly);
        add(std::vector<std::string>(kernel.core_cycles, idle));
        if (kernel.faces > 1) add(around.next_face);
    }
    add(around.end);
    return text;
}

std::string source_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    std::string body;
    const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::uint32_t word : words_of(lines, row))
            body += fmt::format("        SFPU_KERNEL_ISSUE({:#010x}u);\n", word);
    };
    add(around.begin);
    for (unsigned face = 0; face < kernel.faces; ++face) {
        body += fmt::format("        {};\n", kernel.call);
        add(std::vector<std::string>(kernel.core_cycles, idle));
        if (kernel.faces > 1) add(around.next_face);
    }
    add(around.end);
    return fmt::format(R"(#include <sfpu/kernel_recorder/program.h>
{}
void sfpu_kernel(::sfpu::kernel_recorder::program_builder& kernel) {{
    kernel.init([] {{
        addr_mod_t{{.dest = {{.incr = 0}}}}.set(ADDR_MOD_7);
        addr_mod_t{{.dest = {{.incr = 2}}}}.set(ADDR_MOD_6);
        using namespace ckernel::sfpu;
        {};
    }});
    kernel.calculate({}, [] {{
        using namespace ckernel::sfpu;
{}    }}, ::sfpu::kernel_recorder::drain::every_call);
}}
)",
                       headers_of(kernel), kernel.init, tile_rows, body);
}

std::optional<pushing_code> pushed_code(const isa::kernel& kernel) {
    constexpr unsigned slots = 32, loaded = 1;
    const auto replay = [](std::size_t start, std::size_t length, unsigned how) {
        return static_cast<std::uint32_t>(0x04000000 | start << 14 | length << 4 | how);
    };
    const auto instruction = [](std::uint32_t word) { return word << 2 | word >> 30; };
    pushing_code result;
    word_list recorded;
    for (std::size_t at = 0; at < kernel.loop.size();) {
        word_list played;
        do played.push_back(kernel.loop[at++].word);
        while (at < kernel.loop.size() && !kernel.loop[at].gap);
        if (played.size() == 1) {
            result.code.push_back(instruction(played[0]));
            continue;
        }
        auto found = std::search(recorded.begin(), recorded.end(), played.begin(), played.end());
        const auto start = static_cast<std::size_t>(found - recorded.begin());
        if (found == recorded.end()) recorded.insert(recorded.end(), played.begin(), played.end());
        if (recorded.size() > slots) return std::nullopt;
        result.code.push_back(instruction(replay(start, played.size(), 0)));
    }
    if (recorded.empty()) return result;
    result.setup.push_back(instruction(replay(0, recorded.size(), loaded)));
    for (const std::uint32_t word : recorded) result.setup.push_back(instruction(word));
    return result;
}

std::vector<std::uint32_t> code_of(const disassembled_code& where, const std::string& file) {
    const std::string text = read_file(file);
    std::vector<std::uint32_t> code;
    std::uint32_t next = where.from;
    for (std::size_t at = 0; at < text.size() && next < where.to;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at); // "    b358:\tc5000001   \tmnemonic"
        at = end + 1;
        char* rest = nullptr;
        const unsigned long address = std::strtoul(line.c_str(), &rest, 16);
        if (*rest != ':' || address != next) continue;
        code.push_back(static_cast<std::uint32_t>(std::strtoul(rest + 1, nullptr, 16)));
        next += 4;
    }
    if (next < where.to)
        throw input_error(fmt::format(
            "{}: no instruction at {:x}; expected all from {:x} to before {:x}, of four bytes each",
            shown_name(file), next, where.from, where.to));
    return code;
}

} // namespace sfpu::analysis
