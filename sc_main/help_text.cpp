#include "help_text.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace sfpu::cli {
namespace {

constexpr std::size_t text_column = 26, least_width = 60, most_width = 120, usual_width = 80;
constexpr std::string_view own_group = "Options";

using option_list = std::vector<const CLI::Option*>;

/// "-o, --output OUT.s", "--rows N"; of choices "--color auto|always|never".
std::string heading_of(const CLI::Option& option) {
    std::string names;
    for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
    for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
    if (option.get_items_expected_max() == 0) return names;
    std::string type = option.get_type_name();
    type = type.substr(0, type.find(':')); // what a check adds stands in its message
    if (option.get_items_expected_min() == 0) type = "[" + type + "]";
    return names + " " + type;
}

std::string entry(std::string_view heading, const std::string& text, std::size_t width) {
    std::string line = fmt::format("  {}", heading);
    if (line.size() + 2 > text_column) line += "\n" + std::string(text_column, ' ');
    else line.resize(text_column, ' ');
    return line + wrapped(text, width - text_column, text_column) + "\n";
}

std::string description_of(const CLI::Option& option) {
    const std::string& value = option.get_default_str();
    return option.get_description() + (value.empty() ? "" : " (default " + value + ")");
}

option_list options_in(const CLI::App& app, std::string_view group) {
    option_list found;
    for (const CLI::Option* option : app.get_options())
        if (option->get_group() == group && option->nonpositional()) found.push_back(option);
    return found;
}

std::string group_text(const CLI::App& app, std::string_view group, std::size_t width) {
    std::string text = fmt::format("\n{}:\n", group);
    for (const CLI::Option* option : options_in(app, group))
        text += entry(heading_of(*option), description_of(*option), width);
    return text;
}

/// Only the names of a group.
std::string names_text(const CLI::App& app, std::string_view group, std::size_t width) {
    std::string names;
    for (const CLI::Option* option : options_in(app, group))
        names += " --" + fmt::format("{}", fmt::join(option->get_lnames(), " --"));
    return wrapped(fmt::format("{}:{}", group, names), width, 2) + "\n";
}

/// `info` tells about the machine then, `tile` takes programs of single cores.
bool works_without(const std::string& operand_of) { return operand_of == "info" || operand_of == "tile"; }

std::string usage_of(const CLI::App& app, const std::string& command) {
    std::string usage = "Usage: sfpusim";
    usage += command.empty() ? " COMMAND" : " " + command;
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional())
            usage += fmt::format(works_without(command) ? " [{}]" : " {}", option->get_name(true));
    return usage + " [OPTIONS]\n";
}

} // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string result;
    for (std::size_t room = width; !text.empty();) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!result.empty() && word.size() + 1 > room) {
            result += "\n" + std::string(indent, ' ');
            room = width;
        } else if (!result.empty()) {
            result += ' ';
            --room;
        }
        result += word;
        room -= std::min(room, word.size());
    }
    return result;
}

std::size_t help_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return usual_width;
    return std::clamp<std::size_t>(size.ws_col, least_width, most_width);
}

std::string help_text(const CLI::App& app, bool all, std::size_t width) {
    const bool is_program = app.get_parent() == nullptr;
    const std::string command = is_program ? "" : app.get_name();
    std::string text = wrapped(app.get_description(), width, 0) + "\n" + usage_of(app, command);
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional()) text += entry(option->get_name(true), option->get_description(), width);
    if (is_program) {
        text += "\nCommands:\n";
        for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
            text += entry(sub->get_name(), sub->get_description(), width);
    }
    text += group_text(app, own_group, width);
    const std::vector<std::string> groups = app.get_groups();
    bool first = true;
    for (const std::string& group : groups) {
        if (group.empty() || group == own_group || options_in(app, group).empty()) continue;
        if (first && !all) text += "\n";
        first = false;
        text += all ? group_text(app, group, width) : names_text(app, group, width);
    }
    const std::string more =
        is_program ? "'sfpusim COMMAND --help' explains a command, 'sfpusim --help --all' more options."
                   : fmt::format("'sfpusim {} --help --all' explains these.", command);
    if (!all) text += wrapped(more, width, 0) + "\n";
    return text + (app.get_footer().empty() ? "" : "\n" + app.get_footer() + "\n");
}

} // namespace sfpu::cli
