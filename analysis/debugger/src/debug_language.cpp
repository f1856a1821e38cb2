#include <sfpu/analysis/debug_language.h>

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace sfpu::analysis::debug {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The first word and what follows it.
std::pair<std::string, std::string> cut(const std::string& text) {
    const std::string line = trimmed(text);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    return {line.substr(0, end), trimmed(line.substr(end))};
}

std::int64_t number_of(const std::string& text, const char* what) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
        throw user_error(fmt::format("found '{}', expected {}, a number from 0 on", text, what));
    return value;
}

std::int64_t count_of(const std::string& text) {
    return text.empty() ? 1 : number_of(text, "how many cycles");
}

void nothing_after(const std::string& rest, const char* command) {
    if (!rest.empty())
        throw user_error(fmt::format("found '{}' after '{}', expected nothing", rest, command));
}

void something_after(const std::string& rest, const char* command) {
    if (rest.empty()) throw user_error(fmt::format("{}: found nothing, expected {}", command, target_forms));
}

/// The index of a command, or of what begins like one only.
std::size_t form_named(const std::string& word) {
    const std::vector<command_form>& forms = stepper::forms();
    std::vector<std::string> names;
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const std::string name = forms[i].name;
        if (word == name) return i;
        if (name.compare(0, word.size(), word) == 0) fitting.push_back(i);
        names.push_back(name);
    }
    // "s", "b", "r", "p", "w", "l", "h" and "q" are the first of the table
    if (!fitting.empty() && (fitting.size() == 1 || word.size() == 1)) return fitting.front();
    throw user_error(fmt::format("found '{}', expected one of {}{}", word, fmt::join(names, ", "),
                                 suggestion(word, names)));
}

} // namespace

const std::vector<command_form>& stepper::forms() {
    static const std::vector<command_form> all{
        {"step", "[N]", "go on by N cycles (1) and say what the last of them did"},
        {"back", "[N]", "go back by N cycles (1)"},
        {"run", "[PLACE]",
         "go on to the next change of what is watched, else to the end; PLACE: cycle N, row N, line N, "
         "hazard, "
         "start or end"},
        {"print", "WHAT [as TYPE]", "values as they are now"},
        {"watch", "[WHAT]", "let 'run' stop when it changes; without WHAT: list what is watched"},
        {"unwatch", "[WHAT]", "watch it no more; without WHAT: nothing"},
        {"who", "WHAT", "which instruction wrote the value of a lane, and when"},
        {"where", "", "the present cycle once more"},
        {"list", "[LINE]", "the source around what was issued last, or around a line"},
        {"hazards", "", "all diagnostics of the run, by cycle"},
        {"help", "[COMMAND]", "this table, or more on a command"},
        {"quit", "", "end; so does Ctrl-D"},
    };
    return all;
}

struct stepper::action {
    any_answer (stepper::*carry_out)(const std::string& rest);
    bool moves = false;
};

/// In the order of forms().
const std::vector<stepper::action>& stepper::actions() {
    static const std::vector<action> all{
        {&stepper::step, true}, {&stepper::back, true}, {&stepper::run, true}, {&stepper::print},
        {&stepper::watch},      {&stepper::unwatch},    {&stepper::who},       {&stepper::where},
        {&stepper::list},       {&stepper::hazards},    {&stepper::help},      {&stepper::quit}};
    return all;
}

any_answer stepper::execute(const std::string& line) {
    std::string text = trimmed(line);
    if (!text.empty() && text[0] == '#') return {};
    if (text.empty()) text = latest_;
    if (text.empty()) return {};
    const auto [word, rest] = cut(text);
    const action& wanted = actions()[form_named(word)];
    latest_ = wanted.moves ? text : "";
    return (this->*wanted.carry_out)(rest);
}

std::vector<std::string> stepper::completions(const std::string& typed) const {
    const std::size_t first = std::min(typed.find_first_not_of(' '), typed.size());
    const std::string line = typed.substr(first);
    const std::size_t blank = line.find(' ');
    std::vector<std::string> result;
    if (blank == std::string::npos) {
        for (const command_form& form : forms()) result.emplace_back(form.name);
        return result;
    }
    const std::string word = line.substr(0, blank);
    if (word[0] == 'r') return {"cycle", "row", "line", "hazard", "start", "end"};
    if (word[0] == 'h') return completions("");
    const std::string before = trimmed(line.substr(0, line.find_last_of(' ')));
    if (before.size() > 3 && before.compare(before.size() - 3, 3, " as") == 0) {
        result = {"hex", "hex16"};
        for (const isa::data_type type : isa::all_data_types) result.emplace_back(isa::to_string(type));
        return result;
    }
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg) result.push_back(fmt::format("L{}", lreg));
    for (const char* name : {"flags", "dst", "as"}) result.emplace_back(name);
    const isa::kernel& source = debugger_.kernel().kernel();
    for (const auto* list : {&source.inputs, &source.outputs})
        for (const isa::tensor& tensor : *list) result.push_back(tensor.name);
    return result;
}

any_answer stepper::step(const std::string& rest) { return debugger_.step(count_of(rest)); }
any_answer stepper::back(const std::string& rest) { return debugger_.back(count_of(rest)); }

any_answer stepper::run(const std::string& rest) {
    auto [word, argument] = cut(rest);
    if (word == "to") std::tie(word, argument) = cut(argument);
    if (word.empty()) return debugger_.run();
    if (word == "start") return debugger_.to_start();
    if (word == "end") return debugger_.to_end();
    if (word == "cycle") return debugger_.to_cycle(number_of(argument, "a cycle"));
    if (word == "row") return debugger_.to_row(number_of(argument, "a row"));
    if (word == "line") return debugger_.to_line(number_of(argument, "a line"));
    if (word == "hazard") return debugger_.to_diagnostic();
    throw user_error(
        fmt::format("found '{}', expected nothing or one of cycle N, row N, line N, hazard, start, end{}",
                    word, suggestion(word, {"cycle", "row", "line", "hazard", "start", "end"})));
}

any_answer stepper::print(const std::string& rest) {
    something_after(rest, "print");
    return debugger_.value_of(rest);
}

any_answer stepper::watch(const std::string& rest) {
    if (rest.empty()) return watches_answer{debugger_.watched()};
    debugger_.watch(rest);
    return watch_answer{rest};
}

any_answer stepper::unwatch(const std::string& rest) {
    if (rest.empty()) debugger_.unwatch_all();
    else debugger_.unwatch(rest);
    return {};
}

any_answer stepper::who(const std::string& rest) {
    something_after(rest, "who");
    return std::visit([](auto&& found) -> any_answer { return std::move(found); }, debugger_.who_wrote(rest));
}

any_answer stepper::where(const std::string& rest) {
    nothing_after(rest, "where");
    return debugger_.where();
}

any_answer stepper::list(const std::string& rest) {
    return rest.empty() ? debugger_.source_here() : debugger_.source_at(number_of(rest, "a line"));
}

any_answer stepper::hazards(const std::string& rest) {
    nothing_after(rest, "hazards");
    return debugger_.diagnostics();
}

any_answer stepper::help(const std::string& rest) {
    return help_answer{rest.empty() ? nullptr : &forms()[form_named(rest)]};
}

any_answer stepper::quit(const std::string& rest) {
    nothing_after(rest, "quit");
    ended_ = true;
    return {};
}

} // namespace sfpu::analysis::debug
