#include <sfpu/views/help_pages.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

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

/// For each list of values the patterns "COMMAND:--OPTION" of a shell's case that take it.
std::map<std::string, std::string> patterns_by_values(const program_help& of) {
    std::map<std::string, std::string> patterns;
    for (const program_help::command& command : of.commands)
        for (const program_help::option& option : command.options) {
            if (option.values.empty()) continue;
            std::string& known = patterns[fmt::format("{}", fmt::join(option.values, " "))];
            for (const std::string& name : option.long_names)
                known += fmt::format("{}{}:--{}", known.empty() ? "" : "|", command.name, name);
        }
    return patterns;
}

/// As a word of zsh's _describe, "NAME:TEXT" in quotes.
std::string described(const std::string& name, const std::string& text) {
    std::string word = name + ":";
    for (const char c : text.substr(0, text.find('\n')))
        if (c == '\'') word += "'\\''";
        else word += c;
    return "'" + word + "'";
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
    std::string names, cases, values;
    for (const program_help::command& command : of.commands) {
        names += (names.empty() ? "" : " ") + command.name;
        std::string options;
        for (const program_help::option& option : command.options)
            for (const std::string& name : option.long_names)
                options += (options.empty() ? "--" : " --") + name;
        cases += fmt::format("        {}) options='{}' ;;\n", command.name, options);
    }
    for (const auto& [list, patterns] : patterns_by_values(of))
        values += fmt::format("        {})\n            values='{}' ;;\n", patterns, list);
    return fmt::format(
        "# Completion of sfpusim for bash, made by 'sfpusim help bash-completion'.\n"
        "_sfpusim() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command='' "
        "options='' values='' i\n"
        "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        "        if [[ ${{COMP_WORDS[i]}} != -* ]]; then command=${{COMP_WORDS[i]}}; break; fi\n"
        "    done\n"
        "    if [[ -z $command || $command == help ]]; then\n"
        "        COMPREPLY=($(compgen -W '{} help --help --version' -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    case $command:$before in\n{}"
        "    esac\n"
        "    if [[ -n $values ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
        "        if [[ ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace 2>/dev/null; fi\n"
        "        return\n"
        "    fi\n"
        "    case $command in\n{}"
        "    esac\n"
        "    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
        "}}\n"
        "complete -o filenames -F _sfpusim sfpusim\n",
        names, values, cases);
}

std::string zsh_completion(const program_help& of) {
    std::string names, cases, values;
    for (const program_help::command& command : of.commands) {
        names += "            " + described(command.name, command.description) + "\n";
        cases += fmt::format("        {})\n            options=(\n", command.name);
        for (const program_help::option& option : command.options)
            for (const std::string& name : option.long_names)
                cases += "                " + described("--" + name, option.description) + "\n";
        cases += "            ) ;;\n";
    }
    for (const auto& [list, patterns] : patterns_by_values(of))
        values += fmt::format("        {})\n            values=({}) ;;\n", patterns, list);
    return fmt::format(
        "#compdef sfpusim\n"
        "# Completion of sfpusim for zsh, made by 'sfpusim help zsh-completion'.\n"
        "_sfpusim() {{\n"
        "    local -a commands options values\n"
        "    local command=''\n"
        "    integer i\n"
        "    for ((i = 2; i < CURRENT; ++i)); do\n"
        "        if [[ ${{words[i]}} != -* ]]; then command=${{words[i]}}; break; fi\n"
        "    done\n"
        "    if [[ -z $command || $command == help ]]; then\n"
        "        commands=(\n{}        )\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    case $command:${{words[CURRENT-1]}} in\n{}"
        "    esac\n"
        "    if (( ${{#values}} )); then\n"
        "        if [[ ${{values[1]}} == *= ]]; then compadd -S '' -a values; else compadd -a values; fi\n"
        "        return\n"
        "    fi\n"
        "    case $command in\n{}"
        "    esac\n"
        "    if [[ ${{words[CURRENT]}} == -* ]]; then _describe -o option options\n"
        "    else _files; fi\n"
        "}}\n"
        "_sfpusim \"$@\"\n",
        names, values, cases);
}

} // namespace sfpu::views
