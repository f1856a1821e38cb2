#include "pushed_kernel.h"

#include <sfpu/isa/disassembler.h>

namespace sfpu::analysis {

std::string rolled_assembly(const pushed_kernel& kernel, const source_request&, const machine_choice& machine,
                            std::vector<std::string>&) {
    std::string text = ".arch " + (machine.arch.empty() ? "bh" : machine.arch) + "\n";
    const isa::word_encoding encoding = demanded_architecture(machine).value_or(architecture::blackhole);
    for (const auto& [key, value] : kernel.settings) text += ".config " + key + ", " + value + "\n";
    for (const pushed_word& each : kernel.words) {
        if (!each.origin.file.empty()) text += isa::directive_text(each.origin) + "\n";
        if (each.gap) text += ".gap\n";
        text += isa::disassemble(each.word, encoding) + "\n";
    }
    return text;
}

} // namespace sfpu::analysis
