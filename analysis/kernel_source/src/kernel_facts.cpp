#include <sfpu/analysis/kernel_facts.h>

#include <sfpu/isa/table.h>

namespace sfpu::analysis {

kernel_facts facts_of(const kernel_run& kernel) {
    const isa::kernel& source = kernel.kernel();
    kernel_facts facts;
    facts.is_chosen = true;
    facts.arch = source.arch;
    facts.rows = kernel.rows();
    facts.rows_per_iteration = source.rows_per_iteration;
    facts.peeled_rows = source.peeled_rows;
    facts.iterations = source.loop.empty() ? 0 : kernel.iterations();
    facts.init = source.init.size();
    facts.loop = source.loop.size();
    facts.tail = source.tail.size();
    for (const auto* section : {&source.init, &source.loop, &source.tail})
        for (const isa::source_word& each : *section) {
            const isa::instruction insn = isa::decode(each.word, source.words);
            ++facts.instructions[insn.op->mnemonic];
            if (insn.is(isa::opcode::sfploadmacro)) ++facts.macros[insn.macro_index];
        }
    facts.inputs = source.inputs;
    facts.outputs = source.outputs;
    facts.settings = source.config;
    facts.has_gaps = source.has_gaps();
    return facts;
}

} // namespace sfpu::analysis
