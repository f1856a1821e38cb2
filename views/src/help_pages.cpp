#include <sfpu/views/help_pages.h>

#include <fmt/format.h>

namespace sfpu::views {
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

std::string option_entry(const program_help::option& option) {
    return fmt::format(".TP\n.B {}{}\n{}\n", roff(option.names),
                       option.type.empty() ? "" : " " + roff(option.type), roff(option.description));
}

} // namespace

std::string manual_page(const program_help& of) {
    std::string text = fmt::format(
        ".TH SFPUSIM 1 \"\" \"SFPU\\-TLM {}\" \"User Commands\"\n.SH NAME\nsfpusim \\- {}\n"
        ".SH SYNOPSIS\n.B sfpusim\n.I COMMAND\n[\\fIOPERAND\\fR] [\\fIOPTIONS\\fR]\n.SH COMMANDS\n",
        roff(of.version), roff(of.description));
    for (const program_help::command& command : of.commands)
        text += fmt::format(".TP\n.B {}\n{}\n", roff(command.name), roff(command.description));
    for (const program_help::command& command : of.commands) {
        text += fmt::format(".SH sfpusim {}\n{}\n", roff(command.name), roff(command.description));
        for (const program_help::option& option : command.options) text += option_entry(option);
        if (!command.footer.empty()) text += ".PP\n.nf\n" + roff(command.footer) + "\n.fi\n";
    }
    return text + ".SH EXIT STATUS\n0 success; 1 usage, unreadable input or bad configuration; 2 the answer "
                  "is no; 3 internal "
                  "error; 130 interrupted.\n";
}

std::string bash_completion(const program_help& of) {
    std::string names, cases;
    for (const program_help::command& command : of.commands) {
        names += (names.empty() ? "" : " ") + command.name;
        std::string options;
        for (const program_help::option& option : command.options)
            for (const std::string& name : option.long_names)
                options += (options.empty() ? "--" : " --") + name;
        cases += fmt::format("        {}) options='{}' ;;\n", command.name, options);
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

} // namespace sfpu::views
