#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/recorded_function.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_listed = 12;

std::string list_of(const std::vector<function_parameter>& parameters) {
    std::string text;
    for (const function_parameter& p : parameters)
        text += (text.empty() ? "" : ", ") + p.type + (p.name.empty() ? "" : " ") + p.name;
    return text;
}

/// Whether a call by this name finds it: "scale", "sfpu::scale" and "ckernel::sfpu::scale" do.
bool is_called(const std::string& scoped, const std::string& name) {
    if (scoped.size() < name.size()) return false;
    const std::size_t from = scoped.size() - name.size();
    return scoped.compare(from, name.size(), name) == 0 &&
           (from == 0 || (from >= 2 && scoped.compare(from - 2, 2, "::") == 0));
}

bool takes(const function_declaration& d, std::size_t arguments) {
    std::size_t needed = 0, most = 0;
    for (const function_parameter& p : d.parameters) {
        if (is_vector_type(p.type)) continue;
        ++most;
        if (!p.has_default) ++needed;
    }
    return arguments == 0 || (needed <= arguments && arguments <= most);
}

std::string listed(const std::vector<declared_function>& functions, const std::vector<std::size_t>& which) {
    std::string text;
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (i == most_listed) return text + fmt::format("\n  and {} more", which.size() - i);
        const declared_function& each = functions[which[i]];
        text += fmt::format("\n  line {}: {}", each.line, each.signature());
    }
    return text;
}

} // namespace

std::string declared_function::signature() const {
    std::string text = declaration.name;
    if (!declaration.template_parameters.empty())
        text += "<" + list_of(declaration.template_parameters) + ">";
    return text + "(" + list_of(declaration.parameters) + ")";
}

std::vector<declared_function> declared_functions(const std::string& text) {
    const std::string plain = without_comments(text);
    scope_reader scopes(plain);
    std::vector<declared_function> result;
    unsigned line = 1;
    std::size_t counted = 0;
    for (function_declaration& each : function_declarations(text)) {
        if (each.body.empty()) continue;
        const std::string scope = scopes.at(each.at);
        if (!scope.empty()) each.name = scope + "::" + each.name;
        line += static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                 text.begin() + static_cast<std::ptrdiff_t>(each.at), '\n'));
        counted = each.at;
        result.push_back({std::move(each), line});
    }
    return result;
}

std::size_t chosen_function(const std::vector<declared_function>& functions, const std::string& wanted,
                            std::size_t arguments, const std::string& name) {
    const auto those = [&](const auto& test) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < functions.size(); ++i)
            if (test(functions[i])) found.push_back(i);
        return found;
    };
    const std::vector<std::size_t> all = those([](const auto&) { return true; });
    if (all.empty())
        throw user_error(shown_name(name) + ": no function found that issues instructions; expected one that "
                                            "returns nothing or a vector type and has a body");
    std::vector<std::size_t> found;
    if (wanted.empty()) {
        found = those([](const declared_function& each) {
            return each.declaration.name.find("init") == std::string::npos;
        });
        if (found.size() != 1 && all.size() != 1)
            throw user_error(fmt::format("{}: found {} functions, expected one; --function names it:{}",
                                         shown_name(name), all.size(), listed(functions, all)));
        return found.size() == 1 ? found.front() : all.front();
    }
    found = those([&](const declared_function& each) { return is_called(each.declaration.name, wanted); });
    if (found.empty())
        found = those([&](const declared_function& each) {
            return each.signature().find(wanted) != std::string::npos;
        });
    if (found.empty())
        throw user_error(fmt::format("{}: found no function '{}', expected one of:{}", shown_name(name),
                                     shown_name(wanted), listed(functions, all)));
    if (found.size() > 1) {
        std::vector<std::size_t> fitting;
        for (const std::size_t each : found)
            if (takes(functions[each].declaration, arguments)) fitting.push_back(each);
        const bool same = std::all_of(fitting.begin(), fitting.end(), [&](std::size_t each) {
            return functions[each].declaration.name == functions[fitting.front()].declaration.name;
        });
        if (fitting.size() == 1 || (!fitting.empty() && same && arguments != 0)) return fitting.front();
        throw user_error(fmt::format("{}: found {} functions '{}', expected one:{}", shown_name(name),
                                     found.size(), shown_name(wanted), listed(functions, found)));
    }
    return found.front();
}

} // namespace sfpu::analysis
