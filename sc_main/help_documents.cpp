#include "help_documents.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace sfpu::cli {
namespace {

/// Roff takes a line that begins with a dot or a quote for a request, and a backslash for an escape.
std::string roff(const std::string& text) {
    std::string result;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else result += c;
        begins = c == '\n';
    }
    return result;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    std::vector<const CLI::App*> all;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!sub->get_name().empty()) all.push_back(sub);
    return all;
}

/// Those without a group are not for users.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    std::vector<const CLI::Option*> all;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) all.push_back(option);
    return all;
}

std::string option_entry(const CLI::Option& option) {
    const std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
    const std::string type =
        option.get_items_expected_max() == 0 || option.get_positional() ? "" : option.get_type_name();
    return fmt::format(".TP\n.B {}{}\n{}\n", roff(names), type.empty() ? "" : " " + roff(type),
                       roff(option.get_description()));
}

std::string footer_entry(const CLI::App& app) {
    const std::string footer = app.get_footer();
    return footer.empty() ? "" : ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
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

std::string manual_page(const CLI::App& app, const std::string& version) {
    std::string text = fmt::format(
        ".TH SFPUSIM 1 \"\" \"SFPU\\-TLM {}\" \"User Commands\"\n.SH NAME\nsfpusim \\- {}\n"
        ".SH SYNOPSIS\n.B sfpusim\n.I COMMAND\n[\\fIOPERAND\\fR] [\\fIOPTIONS\\fR]\n.SH COMMANDS\n",
        roff(version), roff(app.get_description()));
    for (const CLI::App* command : commands_of(app))
        text += fmt::format(".TP\n.B {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::App* command : commands_of(app)) {
        text +=
            fmt::format(".SH sfpusim {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
        for (const CLI::Option* option : options_of(*command)) text += option_entry(*option);
        text += footer_entry(*command);
    }
    return text + ".SH EXIT STATUS\n0 success; 1 usage, unreadable input or bad configuration; 2 the answer "
                  "is no; 3 internal "
                  "error; 130 interrupted.\n";
}

std::string bash_completion(const CLI::App& app) {
    std::string names, cases;
    for (const CLI::App* command : commands_of(app)) {
        names += (names.empty() ? "" : " ") + command->get_name();
        std::string options;
        for (const CLI::Option* option : options_of(*command))
            for (const std::string& name : option->get_lnames())
                options += (options.empty() ? "--" : " --") + name;
        cases += fmt::format("        {}) options='{}' ;;\n", command->get_name(), options);
    }
    return fmt::format(
        "# Completion of sfpusim for bash, made by 'sfpusim help bash-completion'.\n"
        "_sfpusim() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} command='' options='' i\n"
        "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        "        if [[ ${{COMP_WORDS[i]}} != -* ]]; then command=${{COMP_WORDS[i]}}; break; fi\n"
        "    done\n"
        "    if [[ -z $command || $command == help ]]; then\n"
        "        COMPREPLY=($(compgen -W '{} help --help --version' -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    case $command in\n{}"
        "    esac\n"
        "    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
        "}}\n"
        "complete -o filenames -F _sfpusim sfpusim\n",
        names, cases);
}

} // namespace sfpu::cli
