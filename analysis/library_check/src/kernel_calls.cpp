#include <sfpu/analysis/kernel_calls.h>

#include "guessed_values.h"

#include <sfpu/analysis/function_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace sfpu::analysis {
namespace {

using template_arguments = std::map<std::string, std::string>; ///< values of template parameters

struct template_instance {
    std::string name; ///< with template arguments
    template_arguments values;
};

/// All combinations of template arguments, at most `tried_instances`. Those at the end that have a default
/// keep it.
std::vector<template_instance> instances(const function_declaration& d, const std::string& text) {
    std::vector<std::pair<std::string, template_arguments>> lists{{"", {}}};
    std::size_t needed = 0; // a default in front of an argument that is needed has to be written too
    for (std::size_t i = 0; i < d.template_parameters.size(); ++i)
        if (!d.template_parameters[i].has_default && !contains(d.template_parameters[i].type, "..."))
            needed = i + 1;
    for (std::size_t i = 0; i < needed; ++i) {
        const function_parameter& p = d.template_parameters[i];
        const std::vector<std::string> values = template_values(p, d.body, text);
        std::vector<std::pair<std::string, template_arguments>> longer;
        for (const auto& [list, bound] : lists)
            for (const std::string& value : values) {
                if (longer.size() >= tried_instances) break;
                template_arguments more = bound;
                more[p.name] = value;
                longer.emplace_back(list.empty() ? value : list + ", " + value, more);
            }
        lists = longer;
    }
    std::vector<template_instance> result;
    result.reserve(lists.size());
    for (const auto& [list, bound] : lists)
        result.push_back({d.template_parameters.empty() ? d.name : d.name + "<" + list + ">", bound});
    return result;
}

/// A loop over rows of Dst.
std::string row_loop(const std::string& row, unsigned rows) {
    return fmt::format("for (int sfpu_row = 0; sfpu_row < {}; ++sfpu_row) {{ ", rows) + row +
           " sfpi::dst_reg++; }";
}

bool has_count(const std::vector<function_parameter>& parameters) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [](const function_parameter& p) { return is_count(p.name); });
}
/// The template argument that counts rows, if there is one.
std::string count_among(const template_arguments& values) {
    for (const auto& [name, value] : values)
        if (is_count(name)) return value;
    return {};
}

/// What is passed for a parameter that is no vector; nothing if no value is known.
std::optional<std::string> value_for(const function_parameter& p, const std::string& type,
                                     const std::string& body, unsigned rows) {
    if (contains(type, "*") || contains(type, "(")) return std::nullopt; // a pointer, or a function
    const std::string plain = plain_type(type);
    if (contains(type, "array<")) return plain + "{}";
    if (plain != "bool" && plain != "float" && !is_integer_type(type)) return std::nullopt;
    return number_for({type, p.name, false, false}, body, rows);
}

/// The call of an template_instance as an expression and as a statement; nothing if some argument is not
/// known.
struct written_call {
    std::string call, statement;
    bool by_rows = false; ///< a function of values
    std::string count;    ///< the argument that counts rows, if there is one and it is written
};
std::optional<written_call> write_call(const function_declaration& d, const template_instance& chosen,
                                       std::string& problem, unsigned called_rows = 8,
                                       const std::vector<std::string>& given = {}) {
    std::string count = count_among(chosen.values);
    std::size_t used = 0, vectors = 0, others = 0; // of `given`, and of variables
    const bool counts = has_count(d.template_parameters) || has_count(d.parameters);
    bool changes_vectors = false, takes_vectors = false;
    for (const function_parameter& p : d.parameters) {
        const bool vector = is_vector_type(with_words_replaced(p.type, chosen.values));
        takes_vectors = takes_vectors || vector;
        changes_vectors = changes_vectors || (vector && contains(p.type, "&") && !p.is_const);
    }
    const bool gives_vector = is_vector_type(with_words_replaced(d.result, chosen.values));
    if (d.result != "void" && !gives_vector) {
        problem = "it works on numbers, not on vectors";
        return std::nullopt;
    }
    const bool by_rows = gives_vector || changes_vectors || (takes_vectors && !counts);
    std::string list, shown, variables, result;
    for (const function_parameter& p : d.parameters) {
        if (p.has_default && used == given.size()) break;
        const std::string type = with_words_replaced(p.type, chosen.values), plain = plain_type(type);
        const bool reference = contains(p.type, "&") && !p.is_const;
        std::string value, text;
        if (is_vector_type(type) && by_rows) {
            value = fmt::format("sfpu_v{}", vectors);
            variables += fmt::format("sfpi::{} {} = sfpi::dst_reg[{}]; ", plain, value, 32 * vectors++);
            if (reference && result.empty()) result = value;
            text = "dst";
        } else if (is_vector_type(type)) {
            value = text = plain == "vFloat" ? "sfpi::vFloat(1.0f)" : "sfpi::" + plain + "(1)";
        } else {
            const auto known =
                used < given.size() ? std::optional(given[used++]) : value_for(p, type, d.body, called_rows);
            if (!known) {
                problem = "no value is known for the parameter `" + p.type + " " + p.name + "`";
                return std::nullopt;
            }
            value = text = *known;
            if (reference && !contains(type, "array<")) {
                value = fmt::format("sfpu_n{}", others++);
                variables += fmt::format("{} {} = {}; ", type.substr(0, type.find('&')), value, text);
            }
        }
        if (is_count(p.name)) count = text;
        list += (list.empty() ? "" : ", ") + value;
        shown += (shown.empty() ? "" : ", ") + text;
    }
    if (used < given.size()) {
        problem = fmt::format("it takes {} arguments that are no vectors, found {}", used, given.size());
        return std::nullopt;
    }
    const std::string call = chosen.name + "(" + list + ")";
    written_call written{chosen.name + "(" + shown + ")", variables + call + ";", by_rows, count};
    if (!by_rows) return written;
    std::string row = gives_vector ? "sfpi::dst_reg[0] = " + call + ";" : call + ";";
    if (!gives_vector && !result.empty()) row += " sfpi::dst_reg[0] = " + result + ";";
    written.statement = row_loop(variables + row, called_rows);
    return written;
}

/// The template arguments that are wished for; defaults at the end stay as far as nothing is known of them.
std::optional<template_instance> wished_instance(const function_declaration& d, const std::string& text,
                                                 const call_wishes& wishes, std::string& problem) {
    std::vector<std::string> arguments;
    std::size_t needed = 0;
    for (const function_parameter& p : d.template_parameters) {
        const std::string name = lower_case(p.name), type = plain_type(p.type);
        std::string value;
        if (is_integer_type(p.type) && is_count(p.name)) value = std::to_string(wishes.rows);
        else if (type == "bool" && contains(name, "approx")) value = wishes.approximate ? "true" : "false";
        else if (type == "bool" && (contains(name, "fp32") || contains(name, "dest_acc")))
            value = wishes.wide_dst ? "true" : "false";
        else if (type == "InstrModLoadStore" && !p.has_default) value = "InstrModLoadStore::" + wishes.mode;
        if (!value.empty() || !p.has_default) needed = arguments.size() + 1;
        if (value.empty() && type == "bool") value = "false";
        if (value.empty())
            if (const auto some = template_values(p, d.body, text); !some.empty()) value = some.front();
        arguments.push_back(value);
    }
    template_instance chosen{d.name, {}};
    std::string list;
    for (std::size_t i = 0; i < needed; ++i) {
        if (arguments[i].empty()) {
            problem = "no value is known for the template parameter `" + d.template_parameters[i].type + " " +
                      d.template_parameters[i].name + "`";
            return std::nullopt;
        }
        list += (list.empty() ? "" : ", ") + arguments[i];
        chosen.values[d.template_parameters[i].name] = arguments[i];
    }
    if (!d.template_parameters.empty()) chosen.name += "<" + list + ">";
    return chosen;
}

/// Template arguments as a caller gives them, and the rows if they come next and have a default.
std::optional<template_instance> given_instance(const function_declaration& d, const std::string& given,
                                                unsigned rows, std::string& problem) {
    const std::vector<function_parameter>& parameters = d.template_parameters;
    std::vector<std::string> values = comma_separated(given);
    const bool is_open = !parameters.empty() && contains(parameters.back().type, "...");
    if (values.size() > parameters.size() && !is_open) {
        problem = fmt::format("it takes {} template arguments, found {}", parameters.size(), values.size());
        return std::nullopt;
    }
    if (values.size() < parameters.size() && is_count(parameters[values.size()].name))
        values.push_back(std::to_string(rows));
    template_instance chosen{d.name, {}};
    std::string list;
    for (std::size_t i = 0; i < values.size(); ++i) {
        list += (list.empty() ? "" : ", ") + values[i];
        if (i < parameters.size()) chosen.values[parameters[i].name] = values[i];
    }
    chosen.name += "<" + list + ">";
    return chosen;
}

// --- what prepares a function --------------------------------------------------------------------

/// The name without underscores, "calculate" and "init".
std::string stem(std::string name, bool with_sfpu) {
    if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
    for (const char* word : {"calculate", "init", with_sfpu ? "" : "sfpu"})
        for (std::size_t found; *word && (found = name.find(word)) != std::string::npos;)
            name.erase(found, std::string(word).size());
    name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
    return name;
}
bool is_init(const std::string& scoped) {
    const std::size_t scope = scoped.rfind("::");
    const std::string name = scope == std::string::npos ? scoped : scoped.substr(scope + 2);
    return contains(name, "init") && !contains(name, "init_flag");
}
/// Whether `begin` may be short for what the name begins with: of `exponential` exp is, and of `asinh` asin
/// is not. What is left of a word has three letters.
bool may_stand_for(const std::string& begin, const std::string& name) {
    if (begin.empty() || name.compare(0, begin.size(), begin) != 0) return false;
    std::size_t letters = begin.size();
    while (letters < name.size() && std::isalpha(static_cast<unsigned char>(name[letters])) != 0) ++letters;
    return begin.size() == name.size() || letters >= begin.size() + 3;
}

/// How many template parameters of an init function have the names of the function's.
std::size_t shared_parameters(const function_declaration& init, const function_declaration& function) {
    return static_cast<std::size_t>(std::count_if(
        init.template_parameters.begin(), init.template_parameters.end(), [&](const function_parameter& p) {
            return std::any_of(function.template_parameters.begin(), function.template_parameters.end(),
                               [&](const function_parameter& own) { return own.name == p.name; });
        }));
}

/// The init function of the same name. Else, of those whose name the function's begins with or is without
/// "sfpu", the one that shares most template parameters with it, and of these the one of the longest name.
/// Else the only one.
const function_declaration* init_for(const function_declaration& d,
                                     const std::vector<function_declaration>& all) {
    const function_declaration *best = nullptr, *only = nullptr;
    unsigned count = 0;
    std::tuple<bool, std::size_t, std::size_t> best_rank{};
    for (const function_declaration& candidate : all) {
        if (!is_init(candidate.name)) continue;
        only = &candidate;
        ++count;
        std::size_t rank = 0;
        bool same = false;
        for (const bool with_sfpu : {false, true}) {
            const std::string name = stem(d.name, with_sfpu), other = stem(candidate.name, with_sfpu);
            if (!may_stand_for(other, name)) continue;
            rank = 2 * (other == name ? 1000 : other.size()) + (with_sfpu ? 1 : 0);
            same = with_sfpu && other == name;
        }
        const std::tuple found{same, shared_parameters(candidate, d), rank};
        if (rank > 0 && found > best_rank) {
            best = &candidate;
            best_rank = found;
        }
    }
    return best ? best : count == 1 ? only : nullptr;
}

/// The call of an init function. Template arguments are those given; else those of the same name as the
/// function's are the function's.
std::string init_call(const function_declaration& init, const template_arguments& of_function,
                      const std::vector<std::string>& given, const std::string& text) {
    std::size_t needed = 0; // a default in front of an argument that is needed has to be written too
    for (std::size_t i = 0; i < init.template_parameters.size(); ++i)
        if (!init.template_parameters[i].has_default || of_function.count(init.template_parameters[i].name) ||
            (i < given.size() && !given[i].empty()))
            needed = i + 1;
    template_instance chosen{init.name, {}};
    std::string list;
    for (std::size_t i = 0; i < needed; ++i) {
        const function_parameter& p = init.template_parameters[i];
        const auto same = of_function.find(p.name);
        const std::vector<std::string> some = template_values(p, init.body, text);
        std::string value = i < given.size() ? given[i] : "";
        if (value.empty() && same != of_function.end()) value = same->second;
        if (value.empty() && !some.empty()) value = some.front();
        if (value.empty()) return {};
        list += (list.empty() ? "" : ", ") + value;
        chosen.values[p.name] = value;
    }
    if (!init.template_parameters.empty()) chosen.name += "<" + list + ">";
    std::string problem;
    const auto written = write_call(init, chosen, problem);
    return written && !written->by_rows ? written->statement : std::string();
}

/// A number, a truth value or an enumerator.
bool is_literal(const std::string& argument) {
    if (!std::all_of(argument.begin(), argument.end(),
                     [](char c) { return is_word_character(c) || c == ':' || c == '.'; }))
        return false;
    return argument == "true" || argument == "false" || contains(argument, "::") ||
           (!argument.empty() && std::isdigit(static_cast<unsigned char>(argument[0])) != 0);
}

/// The values that a caller's arguments have in an instance; empty texts for arguments without one.
std::map<std::string, std::string> values_of(const kernel_use& use, const function_declaration& d,
                                             const template_arguments& chosen) {
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < use.arguments.size() && i < d.template_parameters.size(); ++i)
        if (const auto value = chosen.find(d.template_parameters[i].name); value != chosen.end())
            values[use.arguments[i]] = value->second;
    return values;
}

/// Whether a caller that writes literals could call this instance.
bool fits(const kernel_use& use, const function_declaration& d, const template_arguments& chosen) {
    for (const auto& [argument, value] : values_of(use, d, chosen)) {
        const std::string last = argument.substr(argument.rfind(':') + 1);
        if (is_literal(argument) && value != argument && value != last && !ends_with(value, "::" + last))
            return false;
    }
    return true;
}

struct found_init {
    std::string call;
    std::optional<function_declaration> function;
    bool callers_say = false;
};

/// As those who call the function prepare it; if nobody does, as names tell.
found_init find_init(const function_declaration& d, const std::vector<function_declaration>& all,
                     const template_arguments& chosen, const std::string& text,
                     const header_surroundings& around) {
    std::vector<kernel_use> uses = around.callers.uses_of(d.name);
    if (uses.empty()) {
        const function_declaration* init = init_for(d, all);
        if (!init) return {};
        return {init_call(*init, chosen, {}, text), *init, false};
    }
    const auto fitting =
        std::find_if(uses.begin(), uses.end(), [&](const kernel_use& use) { return fits(use, d, chosen); });
    const kernel_use& use = fitting == uses.end() ? uses.front() : *fitting;
    const auto values = values_of(use, d, chosen);
    const auto own = [&](const std::string& name) -> std::optional<function_declaration> {
        for (const function_declaration& each : all)
            if (each.name == name && !each.body.empty()) return each;
        return std::nullopt;
    };
    const auto other = [&](const std::string& name) -> std::optional<function_declaration> {
        // These are part of every program.
        if (!around.elsewhere || name == "_init_sfpu_config_reg" || name == "init_prng_seed")
            return std::nullopt;
        return around.elsewhere(name);
    };
    for (const bool here : {true, false}) {
        std::vector<function_declaration> candidates;
        std::vector<std::vector<std::string>> arguments;
        for (const mentioned_function& each : use.preparation) {
            const auto init = here ? own(each.name) : other(each.name);
            if (!init || std::any_of(candidates.begin(), candidates.end(),
                                     [&](const auto& known) { return known.name == init->name; }))
                continue;
            candidates.push_back(*init);
            arguments.push_back(each.arguments);
        }
        if (candidates.empty()) continue;
        // Of several, which are for kernels of one family, the name decides.
        const function_declaration* init = init_for(d, candidates);
        if (!init) return {};
        std::vector<std::string> given;
        for (const std::string& argument : arguments[static_cast<std::size_t>(init - candidates.data())]) {
            const auto value = values.find(argument);
            given.push_back(value != values.end()  ? value->second
                            : is_literal(argument) ? argument
                                                   : std::string());
        }
        return {init_call(*init, chosen, given, text), *init, true};
    }
    return {"", std::nullopt, true};
}

std::optional<double> published_for(const function_declaration& d,
                                    const std::optional<function_declaration>& init) {
    const auto only = [](const function_declaration& f) -> std::optional<double> {
        if (f.published.empty() || f.published_is_doubtful) return std::nullopt;
        const bool same = std::all_of(f.published.begin(), f.published.end(),
                                      [&](double value) { return value == f.published.front(); });
        return same ? std::optional<double>(f.published.front()) : std::nullopt;
    };
    if (!d.published.empty()) return only(d);
    return init ? only(*init) : std::nullopt;
}

bool uses_macros(const function_declaration& d) { return contains(d.body, "LOADMACRO"); }

/// Whether an init function has the name of the function.
bool is_own_init(const std::optional<function_declaration>& init, const function_declaration& d) {
    return init && stem(init->name, true) == stem(d.name, true);
}

/// Whether another function of the header calls this one.
bool is_named_by_others(const function_declaration& d, const std::vector<function_declaration>& all) {
    return std::any_of(all.begin(), all.end(), [&](const function_declaration& other) {
        if (other.name == d.name) return false;
        for (std::size_t at = other.body.find(d.name); at != std::string::npos;
             at = other.body.find(d.name, at + 1)) {
            const std::size_t end = at + d.name.size();
            if (!is_word_character(other.body[at - 1]) &&
                (end == other.body.size() || !is_word_character(other.body[end])))
                return true;
        }
        return false;
    });
}

kernel_call kernel_call_of(const function_declaration& d, const written_call& written, unsigned rows) {
    kernel_call call;
    call.function = d.name;
    call.call = written.call;
    call.statement = written.statement;
    call.rows = rows;
    call.records_replay = contains(d.body, "lltt::record") || contains(d.body, "load_replay_buf") ||
                          contains(d.body, "REPLAY(");
    return call;
}

} // namespace

std::optional<kernel_call> call_as_wished(const std::string& source, const std::string& function,
                                          const call_wishes& wishes, std::string& problem,
                                          const header_surroundings& around) {
    const std::string text = without_comments(source);
    const std::vector<function_declaration> all = function_declarations(source);
    const auto found = std::find_if(all.begin(), all.end(), [&](const function_declaration& d) {
        return d.name == function && !d.body.empty();
    });
    problem = "there is no such function with a body";
    if (found == all.end()) return std::nullopt;
    const auto chosen = wished_instance(*found, text, wishes, problem);
    if (!chosen) return std::nullopt;
    const auto written = write_call(*found, *chosen, problem, wishes.rows);
    if (!written) return std::nullopt;
    kernel_call call = kernel_call_of(*found, *written, wishes.rows);
    call.init = find_init(*found, all, chosen->values, text, around).call;
    call.published.reset();
    return call;
}

std::optional<kernel_call> call_as_given(const std::string& source,
                                         const std::vector<function_declaration>& all, std::size_t function,
                                         const given_arguments& given, std::string& problem) {
    const function_declaration& called = all[function];
    const std::string text = without_comments(source);
    call_wishes wishes;
    const auto chosen = given.template_arguments.empty()
                            ? wished_instance(called, text, wishes, problem)
                            : given_instance(called, given.template_arguments, wishes.rows, problem);
    if (!chosen) return std::nullopt;
    const auto written = write_call(called, *chosen, problem, wishes.rows, given.arguments);
    if (!written) return std::nullopt;
    const bool counts = !written->count.empty() &&
                        written->count.find_first_not_of("0123456789") == std::string::npos &&
                        written->count.size() < 6;
    const unsigned rows = written->by_rows ? wishes.rows
                          : counts         ? static_cast<unsigned>(std::stoul(written->count))
                                           : 0;
    kernel_call call = kernel_call_of(called, *written, rows);
    if (!is_init(called.name)) call.init = find_init(called, all, chosen->values, text, {}).call;
    call.counts_rows = rows != 0;
    return call;
}

kernel_functions find_functions(const std::string& source, const header_surroundings& around) {
    const std::string text = without_comments(source);
    kernel_functions result;
    result.has_plain_path = contains(text, "DISABLE_SFPLOADMACRO");
    const std::vector<function_declaration> all = function_declarations(source);
    std::set<std::string> seen;
    for (const function_declaration& d : all) {
        if (is_init(d.name)) continue;
        const std::vector<template_instance> some = instances(d, text);
        if (some.empty()) result.skipped.push_back(d.name + ": no template argument is known");
        bool counts = false;
        for (const auto* parameters : {&d.template_parameters, &d.parameters})
            for (const function_parameter& p : *parameters) counts = counts || is_count(p.name);
        const bool is_part = is_named_by_others(d, all);
        std::string problem;
        bool any = false;
        for (const template_instance& one : some) {
            const auto written = write_call(d, one, problem);
            if (!written) continue;
            any = true;
            if (!seen.insert(written->call).second) continue;
            const bool rows_known = counts || written->by_rows;
            const found_init init = find_init(d, all, one.values, text, around);
            kernel_call call = kernel_call_of(d, *written, rows_known ? 8u : 1u);
            call.counts_rows = rows_known;
            call.published = published_for(d, init.function);
            call.published_of_macros = uses_macros(d) || (init.function && uses_macros(*init.function));
            call.has_callers = init.callers_say;
            call.is_part = is_part && !init.callers_say && !is_own_init(init.function, d);
            // What other functions prepare says nothing of a part of them alone.
            if (!call.is_part) call.init = init.call;
            result.calls.push_back(std::move(call));
        }
        if (!any && !some.empty()) result.skipped.push_back(d.name + ": " + problem);
    }
    return result;
}

} // namespace sfpu::analysis
