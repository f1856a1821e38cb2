#include <sfpu/analysis/function_text.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string trimmed(std::string text) {
    while (!text.empty() && is_space(text.back())) text.pop_back();
    std::size_t start = 0;
    while (start < text.size() && is_space(text[start])) ++start;
    return text.substr(start);
}

/// Parts between commas that stand in no bracket.
std::vector<std::string> parts(const std::string& list) {
    std::vector<std::string> result;
    std::string part;
    int depth = 0;
    for (char c : list) {
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            result.push_back(trimmed(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!trimmed(part).empty()) result.push_back(trimmed(part));
    return result;
}

/// Removes a word wherever it stands alone.
bool remove_word(std::string& text, const std::string& word) {
    bool any = false;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const std::size_t end = at + word.size();
        if ((at > 0 && is_word_character(text[at - 1])) ||
            (end < text.size() && is_word_character(text[end]))) {
            at = end;
            continue;
        }
        text.erase(at, word.size());
        any = true;
    }
    return any;
}

function_parameter parsed(std::string text) {
    function_parameter result;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) {
        result.has_default = true;
        text = text.substr(0, equals);
    }
    for (std::size_t open; (open = text.find("[[")) != std::string::npos;) {
        const std::size_t close = text.find("]]", open);
        if (close == std::string::npos) break;
        text.erase(open, close + 2 - open);
    }
    result.is_const = remove_word(text, "const");
    remove_word(text, "volatile");
    text = trimmed(text);
    std::size_t at = text.size();
    while (at > 0 && is_word_character(text[at - 1])) --at;
    result.name = text.substr(at);
    result.type = trimmed(text.substr(0, at));
    if (result.type.empty() || result.type.back() == ':') { // no name
        result.type = text;
        result.name.clear();
    }
    if (result.type == "unsigned" && result.name == "int")
        result = {"unsigned", "", result.has_default, result.is_const};
    return result;
}

std::size_t skip_space(const std::string& text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

/// Which bracket of a kind closes which, found in one pass: a text may have a million that nothing closes.
class bracket_pairs {
public:
    bracket_pairs(const std::string& text, char left, char right) : end_(text.size()) {
        std::vector<std::size_t> open;
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] == left) {
                open.push_back(pairs_.size());
                pairs_.emplace_back(at, end_);
            } else if (text[at] == right && !open.empty()) {
                pairs_[open.back()].second = at;
                open.pop_back();
            }
        }
    }
    /// The place of the bracket that closes the one at `open`, or the end.
    std::size_t closing(std::size_t open) const {
        const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair(open, std::size_t{0}));
        return found != pairs_.end() && found->first == open ? found->second : end_;
    }

private:
    std::size_t end_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

/// What stands in front of a function's result type: qualifiers are stepped over.
constexpr std::size_t longest_template_head = 4096;
struct template_head {
    bool is_template = false;
    std::string list;
    std::size_t begin; ///< of the declaration
};
template_head head_before(const std::string& text, std::size_t before) {
    std::size_t at = before;
    while (at > 0) {
        while (at > 0 && is_space(text[at - 1])) --at;
        std::size_t start = at;
        while (start > 0 && is_word_character(text[start - 1])) --start;
        static const std::set<std::string> qualifiers{"inline",      "static", "constexpr",
                                                      "sfpi_inline", "ALWI",   "const"};
        if (qualifiers.count(text.substr(start, at - start)) == 0) break;
        at = start;
    }
    if (at == 0 || text[at - 1] != '>') return {false, "", at};
    int depth = 0;
    std::size_t open = at;
    while (open > 0 && at - open < longest_template_head) {
        --open;
        if (text[open] == '>') ++depth;
        if (text[open] == '<' && --depth == 0) break;
    }
    std::size_t word = open;
    while (word > 0 && is_space(text[word - 1])) --word;
    if (word < 8 || text.compare(word - 8, 8, "template") != 0) return {false, "", at};
    return {true, text.substr(open + 1, at - open - 2), word - 8};
}

constexpr std::size_t longest_comments = 65536; ///< that are searched for what they state
/// Cycles a row that comments state: "3 cycles per input row", "throughput of 3c/32".
void find_published(const std::string& comments, function_declaration& function) {
    std::string text; // on one line, without the marks of comments
    for (char c : comments)
        if (is_space(c) || c == '/' || c == '*') {
            if (c == '/') text += '/';
            else if (!text.empty() && text.back() != ' ') text += ' ';
        } else {
            text += c;
        }
    for (std::size_t at; (at = text.find("//")) != std::string::npos;) text.replace(at, 2, " ");
    std::string single;
    for (char c : text)
        if (c != ' ' || single.empty() || single.back() != ' ') single += c;
    for (const char* unit :
         {" cycles per input row", " cycle per input row", " cycles per row", " cycle per row", "c/32"})
        for (std::size_t at = single.find(unit); at != std::string::npos; at = single.find(unit, at + 1)) {
            std::size_t start = at;
            while (start > 0 && (is_digit(single[start - 1]) || single[start - 1] == '.')) --start;
            if (start == at) continue;
            function.published.push_back(std::strtod(single.substr(start, at - start).c_str(), nullptr));
            if (start >= 3 && single.compare(start - 3, 3, "or ") == 0) function.published_is_doubtful = true;
        }
}

constexpr std::size_t longest_list = 4096; ///< of arguments, in characters

/// The place of the bracket that closes the one at `open`, or behind what is looked at.
std::size_t closing_nearby(const std::string& text, std::size_t open) {
    const char left = text[open], right = left == '(' ? ')' : '>';
    const std::size_t end = std::min(text.size(), open + longest_list);
    int depth = 0;
    for (std::size_t at = open; at < end; ++at) {
        if (text[at] == left) ++depth;
        if (text[at] == right && --depth == 0) return at;
    }
    return end;
}

} // namespace

std::vector<std::string> bracketed_list_behind(const std::string& text, std::size_t place) {
    std::size_t open = skip_space(text, place);
    if (open < text.size() && text[open] == ',') open = skip_space(text, open + 1);
    if (open >= text.size() || (text[open] != '(' && text[open] != '<')) return {};
    const std::size_t close = closing_nearby(text, open);
    return parts(text.substr(open + 1, close - open - 1));
}

std::string with_words_replaced(std::string text, const std::map<std::string, std::string>& words) {
    std::string replaced;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word_character(text[end])) ++end;
        const auto found = words.find(text.substr(at, end - at));
        replaced +=
            found == words.end() ? text.substr(at, std::max<std::size_t>(end - at, 1)) : found->second;
        at = std::max(end, at + 1);
    }
    return replaced;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string plain_type(const std::string& type) {
    std::string plain = type;
    while (!plain.empty() && (is_space(plain.back()) || plain.back() == '&')) plain.pop_back();
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos || plain.find('<') != std::string::npos ? plain
                                                                               : plain.substr(colons + 2);
}

bool is_vector_type(const std::string& type) {
    static const std::set<std::string> types{"vFloat", "vInt", "vUInt", "vSMag", "vMag", "vUInt16"};
    return types.count(plain_type(type)) != 0;
}

std::string without_comments(const std::string& text) {
    std::string result = text;
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < result.size(); ++i)
            if (result[i] != '\n') result[i] = ' ';
    };
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) {
            const std::size_t end = std::min(text.find('\n', i), text.size());
            blank(i, end);
            i = end;
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            const std::size_t after = end == std::string::npos ? text.size() : end + 2;
            blank(i, after);
            i = after;
        } else {
            ++i;
        }
    }
    return result;
}

std::vector<std::string> comma_separated(const std::string& list) { return parts(list); }

std::vector<function_declaration> function_declarations(const std::string& source) {
    const std::string text = without_comments(source);
    std::string comments = source; // what without_comments() takes away
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!is_space(text[i])) comments[i] = ' ';
    const bracket_pairs round(text, '(', ')'), curly(text, '{', '}');
    std::vector<function_declaration> result;
    std::size_t previous_end = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_word_character(text[at])) {
            ++at;
            continue;
        }
        std::size_t type_end = at;
        while (type_end < text.size() && is_word_character(text[type_end])) ++type_end;
        const std::string type = text.substr(at, type_end - at);
        std::size_t type_begin = at;
        at = type_end;
        const std::size_t name = skip_space(text, type_end);
        std::size_t name_end = name;
        while (name_end < text.size() && is_word_character(text[name_end])) ++name_end;
        const std::size_t open = skip_space(text, name_end);
        if (name == type_end || name == name_end || open >= text.size() || text[open] != '(') continue;
        if (type_begin >= 6 && text.compare(type_begin - 6, 6, "sfpi::") == 0) type_begin -= 6;
        const template_head head = head_before(text, type_begin);
        function_declaration d;
        d.name = text.substr(name, name_end - name);
        d.at = type_begin;
        d.result = type;
        for (const std::string& part : parts(head.list)) d.template_parameters.push_back(parsed(part));
        bool of_template_type = false;
        for (const function_parameter& p : d.template_parameters)
            of_template_type =
                of_template_type || ((p.type == "typename" || p.type == "class") && p.name == type);
        if (type != "void" && !is_vector_type(type) && !of_template_type) continue;
        if (head.is_template && d.template_parameters.empty()) continue; // a full specialisation
        const std::size_t close = round.closing(open);
        const std::size_t body = skip_space(text, close + 1);
        if (body >= text.size() || (text[body] != '{' && !(text[body] == ';' && head.is_template))) continue;
        const std::size_t end = text[body] == '{' ? curly.closing(body) : body;
        for (const std::string& part : parts(text.substr(open + 1, close - open - 1)))
            if (part != "void") d.parameters.push_back(parsed(part));
        if (text[body] == '{') d.body = text.substr(body, end - body);
        const std::size_t behind =
            std::max(std::min(previous_end, head.begin), end - std::min(end, longest_comments));
        find_published(comments.substr(behind, end - behind), d);
        previous_end = end;
        at = end;
        result.push_back(d);
    }
    return result;
}

} // namespace sfpu::analysis
