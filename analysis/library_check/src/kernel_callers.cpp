#include <sfpu/analysis/kernel_callers.h>

#include <cctype>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_wrappers = 4; ///< one in another
constexpr const char* init_suffix = "_init";

/// What a text names, in its order.
std::vector<mentioned_function> names_in_text(const std::string& text) {
    std::vector<mentioned_function> names;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_word_character(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && is_word_character(text[end])) ++end;
        if (std::isdigit(static_cast<unsigned char>(text[at])) == 0)
            names.push_back({text.substr(at, end - at), bracketed_list_behind(text, end)});
        at = end;
    }
    return names;
}

/// The functions of some headers, and what they name.
class named_functions {
public:
    explicit named_functions(const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
            for (function_declaration& each : function_declarations(text)) {
                if (each.body.empty()) continue;
                std::string name = each.name;
                parsed one{std::move(each), {}};
                one.names = names_in_text(one.function.body);
                if (functions_.emplace(name, std::move(one)).second) order_.push_back(std::move(name));
            }
    }
    /// In the order of the texts.
    const std::vector<std::string>& order() const { return order_; }
    bool has(const std::string& name) const { return functions_.count(name) != 0; }

    /// What a function names. What is defined here is replaced by what it names, with its parameters as they
    /// were given; nothing is replaced in itself.
    std::vector<mentioned_function> named_in(const std::string& function) {
        std::vector<mentioned_function> all;
        open_.insert(function);
        for (const mentioned_function& each : functions_.at(function).names) {
            const auto wrapper = functions_.find(each.name);
            if (wrapper == functions_.end() || open_.count(each.name) != 0 || open_.size() > most_wrappers) {
                all.push_back(each);
                continue;
            }
            std::map<std::string, std::string> given;
            const auto& parameters = wrapper->second.function.template_parameters;
            for (std::size_t i = 0; i < parameters.size() && i < each.arguments.size(); ++i)
                given[parameters[i].name] = each.arguments[i];
            for (mentioned_function& inner : named_in(each.name)) {
                for (std::string& argument : inner.arguments) argument = with_words_replaced(argument, given);
                all.push_back(std::move(inner));
            }
        }
        open_.erase(function);
        return all;
    }

private:
    struct parsed {
        function_declaration function;
        std::vector<mentioned_function> names;
    };
    std::vector<std::string> order_;
    std::map<std::string, parsed> functions_;
    std::set<std::string> open_; ///< functions that are being replaced
};

} // namespace

kernel_callers::kernel_callers(const std::vector<std::string>& texts) {
    named_functions functions(texts);
    for (const std::string& caller : functions.order()) {
        if (!functions.has(caller + init_suffix)) continue;
        std::vector<mentioned_function> preparation;
        for (mentioned_function& each : functions.named_in(caller + init_suffix))
            if (each.name.find("init") != std::string::npos) preparation.push_back(std::move(each));
        for (const mentioned_function& each : functions.named_in(caller))
            uses_[each.name].push_back({caller, each.arguments, preparation});
    }
}

std::vector<kernel_use> kernel_callers::uses_of(const std::string& kernel) const {
    const auto found = uses_.find(kernel);
    return found == uses_.end() ? std::vector<kernel_use>() : found->second;
}

} // namespace sfpu::analysis
