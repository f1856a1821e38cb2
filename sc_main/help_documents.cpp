#include "help_documents.h"

#include <sfpu/analysis/bench.h>
#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/isa/table.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace sfpu::cli {
namespace {

std::vector<std::string> words_of(std::string_view text, std::string_view separator) {
    std::vector<std::string> words;
    for (std::size_t end = 0; end != std::string_view::npos;
         text.remove_prefix(std::min(end + separator.size(), text.size()))) {
        end = text.find(separator);
        words.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
    }
    return words;
}

/// What an option can be: what a check says, and what the tables of the program have.
std::vector<std::string> values_of(const CLI::Option& option) {
    std::vector<std::string> values;
    if (option.check_lname("arch"))
        for (const architecture arch : all_architectures) values.emplace_back(short_name(arch));
    else if (option.check_lname("hazards")) values = {"error", "warn", "off"};
    else if (option.check_lname("set"))
        for (const parameter_row& row : parameter_table()) values.push_back(std::string(row.path) + "=");
    else if (option.check_lname("explain"))
        for (unsigned id = 0; id < report_count; ++id) {
            const std::string_view name = describe(static_cast<report_id>(id)).name;
            values.emplace_back(name.substr(name.rfind('/') + 1));
        }
    else if (option.check_lname("kernel")) values = analysis::bench_kernel_names();
    else if (option.check_lname("isa"))
        for (const isa::row* row : isa::instruction_table()) values.emplace_back(row->mnemonic);
    else if (const std::string type = option.get_type_name(); type.find(" or ") != std::string::npos)
        values = words_of(std::string_view(type).substr(type.find(':') + 1), " or ");
    return values;
}

/// Those without a group are not for users.
std::vector<views::program_help::option> options_of(const CLI::App& app) {
    std::vector<views::program_help::option> all;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        const bool takes_nothing = option->get_items_expected_max() == 0 || option->get_positional();
        all.push_back({option->get_positional() ? option->get_name(true) : option->get_name(false, true),
                       option->get_lnames(), takes_nothing ? "" : option->get_type_name(),
                       option->get_description(), values_of(*option)});
    }
    return all;
}

} // namespace

std::string examples_of(const std::string& command) {
    static const std::map<std::string, std::string> examples{
        {"run", "  sfpusim run kernels/mul32_macro.s\n"
                "  sfpusim run kernels/mul32.s --set sfpu.latency.mad=3\n"
                "  sfpusim run kernels/mul32.s --input a=a.npy --input b=b.npy --output out=out.npy"},
        {"exec", "  echo '{\"words\": [\"71023f80\"]}' | sfpusim exec"},
        {"asm", "  sfpusim asm kernels/mul32.s -o mul32.hex"},
        {"disasm", "  sfpusim disasm mul32.hex"},
        {"equiv", "  sfpusim equiv kernels/optimized/square.s kernels/optimized/square_macro.s"},
        {"optimize", "  sfpusim optimize kernels/optimized/square.s -o square_macro.s"},
        {"explore", "  sfpusim explore sweep.json --output results"},
        {"llk",
         "  sfpusim llk tt-llk --arch bh --output report\n  sfpusim llk tt-llk --only typecast --json"},
        {"compare", "  sfpusim run kernels/mul32.s --stats a.json\n"
                    "  sfpusim run kernels/mul32_macro.s --stats b.json\n"
                    "  sfpusim compare a.json b.json"},
        {"silicon", "  sfpusim silicon\n  sfpusim silicon --json"},
        {"tile", "  sfpusim tile firmware.elf --max-cycles 1000000 --perfetto tile.pftrace"},
        {"bench", "  sfpusim bench --kernel mul32_macro --json"},
        {"info",
         "  sfpusim info --params\n  sfpusim info --isa sfpgt\n  sfpusim info --explain write-collision"},
    };
    const auto found = examples.find(command);
    return found == examples.end() ? "" : "Examples:\n" + found->second;
}

views::program_help help_of(const CLI::App& app, const std::string& version) {
    views::program_help help{app.get_description(), version, {}};
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!sub->get_name().empty())
            help.commands.push_back(
                {sub->get_name(), sub->get_description(), options_of(*sub), sub->get_footer()});
    return help;
}

} // namespace sfpu::cli
