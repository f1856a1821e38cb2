#include "kernel_words.h"

#include <sfpu/analysis/kernel_file.h>

#include <fmt/format.h>

namespace sfpu::analysis {
namespace {

constexpr auto idle = "nop"; ///< in the place of a cycle without a word

using word_list = std::vector<std::uint32_t>;

word_list words_of(const std::vector<std::string>& lines, const measurement& row) {
    if (lines.empty()) return {};
    std::string text = ".arch " + row.arch + "\n.loop\n";
    for (const std::string& line : lines) text += "    " + line + "\n";
    const isa::kernel assembled =
        assemble_kernel(text, "instructions for '" + row.kernel + "'", machine_choice{});
    word_list words;
    for (const isa::source_word& each : assembled.loop) words.push_back(each.word);
    return words;
}

} // namespace

std::string assembly_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    std::string text = fmt::format(".arch {}\n.rows {}\n.loop {}\n", row.arch, tile_rows, tile_rows);
    const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) text += "    " + line + "\n";
    };
    add(around.begin);
    for (unsigned face = 0; face < kernel.faces; ++face) {
        for (unsigned each = 0; each < tile_rows / kernel.faces; ++each) add(kernel.assembly);
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
#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_addrmod.h"
#include "ckernel_ops.h"
#include "cmath_common.h"
#include "llk_defs.h"
#include "lltt.h"
#include "sfpi.h"
#include "{}"
using namespace ckernel;
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
                       kernel.header, kernel.init, tile_rows, body);
}

} // namespace sfpu::analysis
