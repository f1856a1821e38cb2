#include <sfpu/analysis/waiting_kernel.h>

#include <sfpu/common/parameters.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace sfpu::analysis {

std::string with_waits(const isa::kernel& kernel, const std::string& source, const isa::machine& machine,
                       const isa::machine& written_for,
                       const std::vector<std::pair<std::string, std::string>>& machine_settings) {
    const isa::word_encoding words = machine.encoding();
    std::map<unsigned, std::vector<std::uint32_t>> words_of; // by line
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *section) words_of[each.line].push_back(each.word);
    const auto waits = [&](std::uint32_t word) {
        if (isa::classify(word, kernel.arch) != isa::word_kind::sfpu) return 0u;
        const isa::instruction insn = isa::decode(word, words);
        const unsigned here = isa::latency_of(insn, machine), there = isa::latency_of(insn, written_for);
        // With two issue slots the first and the last SFPNOP may share the cycles of their neighbours.
        if (machine.issue_width > 1) return here == 1 ? 0 : machine.load_ports > 1 ? 2 * here + 1 : here + 1;
        return here > there ? here - there : 0u;
    };
    const auto is_machine_setting = [](const std::string& key) {
        return std::any_of(parameter_table().begin(), parameter_table().end(),
                           [&](const parameter_row& row) { return row.timing && key == row.path; });
    };
    std::set<unsigned> of_machine; // lines
    for (const isa::config_setting& each : kernel.config)
        if (is_machine_setting(each.key)) of_machine.insert(each.line);
    std::string text;
    for (const auto& [path, value] : machine_settings) text += fmt::format(".config {}, {}\n", path, value);
    std::istringstream lines(source);
    unsigned number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (of_machine.count(number)) continue;
        const auto found = words_of.find(number);
        if (found == words_of.end() || std::none_of(found->second.begin(), found->second.end(), waits)) {
            text += line + "\n";
            continue;
        }
        for (const std::uint32_t word : found->second) {
            text += "    " + isa::disassemble(word, words) + "\n";
            for (unsigned cycle = 0; cycle < waits(word); ++cycle) text += "    sfpnop\n";
        }
    }
    return text;
}

} // namespace sfpu::analysis
