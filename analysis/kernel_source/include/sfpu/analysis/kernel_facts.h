// What a kernel consists of, without running it: `info KERNEL`.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/user_places.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Functions of a file, and which of them is the kernel.
struct kernel_facts {
    given_source given;
    std::vector<kernel_function> functions; ///< of the file; empty for forms without functions
    /// False: the file has more than one function and nobody said which; the rest is empty.
    bool is_chosen = false;

    architecture arch = architecture::blackhole;
    unsigned rows = 0, rows_per_iteration = 1, iterations = 0; ///< that a run takes
    unsigned peeled_rows = 0;                                  ///< of `rows`, in .init and .tail
    std::size_t init = 0, loop = 0, tail = 0;                  ///< words
    std::map<unsigned, std::size_t> macros;          ///< SFPLOADMACRO words in all sections, by macro
    std::map<std::string, std::size_t> instructions; ///< words in all sections, by mnemonic
    std::vector<isa::tensor> inputs, outputs;
    std::vector<isa::config_setting> settings; ///< `.config` directives
    bool has_gaps = false;                     ///< it says where idle cycles can stand
};

/// The facts of an assembled kernel; `given` and `functions` are the caller's.
kernel_facts facts_of(const kernel_run& kernel);

} // namespace sfpu::analysis
