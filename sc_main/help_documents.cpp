#include "help_documents.h"

#include <map>
#include <utility>

namespace sfpu::cli {
namespace {

/// Those without a group are not for users.
std::vector<views::program_help::option> options_of(const CLI::App& app) {
    std::vector<views::program_help::option> all;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        const bool takes_nothing = option->get_items_expected_max() == 0 || option->get_positional();
        all.push_back({option->get_positional() ? option->get_name(true) : option->get_name(false, true),
                       option->get_lnames(), takes_nothing ? "" : option->get_type_name(),
                       option->get_description()});
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
        {"info", "  sfpusim info --params\n  sfpusim info --explain write-collision"},
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
