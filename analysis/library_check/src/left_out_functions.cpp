#include <sfpu/analysis/left_out_functions.h>

#include <sfpu/analysis/function_text.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Part of a text, from the first character to the one behind the last.
struct text_range {
    std::size_t begin = 0, end = 0;
    bool holds(std::size_t place) const { return begin <= place && place < end; }
};

/// A declaration outside of all function bodies.
struct declaration_text {
    text_range whole, body; ///< the body without its braces; empty if it has none
};

/// The lines of a preprocessed text by file: the places where they begin.
class marked_lines {
public:
    explicit marked_lines(const std::string& text) {
        std::string file;
        unsigned line = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            if (text.compare(at, 2, "# ") == 0) {
                const std::size_t open = text.find('"', at), close = text.find('"', open + 1);
                if (close < end) file = text.substr(open + 1, close - open - 1);
                line = static_cast<unsigned>(std::strtoul(text.c_str() + at + 2, nullptr, 10));
            } else {
                files_[file].push_back({line++, {at, end}});
            }
            at = end + 1;
        }
    }
    using numbered = std::pair<unsigned, text_range>;
    /// In the order of the text.
    const std::vector<numbered>& of(const std::string& file) const {
        static const std::vector<numbered> none;
        const auto found = files_.find(file);
        return found == files_.end() ? none : found->second;
    }

private:
    std::map<std::string, std::vector<numbered>> files_;
};

/// The place behind a string or character that begins here; the place itself if none does.
std::size_t behind_literal(const std::string& text, std::size_t at, std::size_t end) {
    const char quote = text[at];
    if (quote != '"' && quote != '\'') return at;
    if (quote == '\'' && at > 0 && is_word_character(text[at - 1])) return at; // 1'000
    for (std::size_t i = at + 1; i < end; ++i) {
        if (text[i] == '\\') ++i;
        else if (text[i] == quote) return i + 1;
    }
    return end;
}

/// Whether braces behind this text hold declarations.
bool opens_scope(const std::string& head) {
    std::string rest = head;
    for (std::size_t at; (at = rest.find_first_not_of(" \t\n")) != std::string::npos;) {
        rest.erase(0, at);
        if (rest.compare(0, 8, "template") != 0) break;
        int depth = 0;
        std::size_t i = rest.find('<');
        for (; i < rest.size(); ++i) {
            depth += rest[i] == '<' ? 1 : rest[i] == '>' ? -1 : 0;
            if (depth == 0) break;
        }
        rest.erase(0, std::min(i, rest.size()) + (i < rest.size() ? 1 : 0));
    }
    if (rest.find('(') != std::string::npos) return false;
    for (const std::string word :
         {"namespace", "struct", "class", "union", "enum", "extern", "inline namespace"})
        if (rest.compare(0, word.size(), word) == 0) return true;
    return false;
}

/// Finds declarations among the lines of one file.
class declaration_finder {
public:
    declaration_finder(const std::string& text, const std::vector<marked_lines::numbered>& lines)
        : text_(text) {
        for (const auto& [number, range] : lines)
            if (text[range.begin] != '#') read(range);
    }
    const std::vector<declaration_text>& found() const { return found_; }

private:
    void read(const text_range& line) {
        for (std::size_t at = line.begin; at < line.end;) {
            if (const std::size_t behind = behind_literal(text_, at, line.end); behind != at) {
                add(at, behind);
                at = behind;
                continue;
            }
            const char c = text_[at];
            if (depth_ > 0) in_body(c, at);
            else outside(c, at);
            ++at;
        }
        head_ += '\n';
    }
    void in_body(char c, std::size_t at) {
        depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (depth_ > 0) return;
        current_.body.end = at;
        if (!is_function_) return; // a list of values, and a semicolon behind it
        current_.whole.end = at + 1;
        finish();
    }
    void outside(char c, std::size_t at) {
        if (c == '{' && !opens_scope(head_)) {
            const std::size_t bracket = head_.rfind(')'), equals = head_.rfind('=');
            is_function_ = bracket != std::string::npos && (equals == std::string::npos || equals < bracket);
            current_.body.begin = at + 1;
            depth_ = 1;
        } else if (c == '{' || c == '}') {
            begin_anew();
        } else if (c == ';') {
            current_.whole.end = at + 1;
            finish();
        } else {
            add(at, at + 1);
        }
    }
    void add(std::size_t from, std::size_t to) {
        if (depth_ > 0) return;
        if (head_.find_first_not_of(" \t\n") == std::string::npos) current_.whole.begin = from;
        head_ += text_.substr(from, to - from);
    }
    void finish() {
        if (head_.find_first_not_of(" \t\n") != std::string::npos) found_.push_back(current_);
        begin_anew();
    }
    void begin_anew() {
        current_ = {};
        head_.clear();
    }

    const std::string& text_;
    std::vector<declaration_text> found_;
    declaration_text current_;
    std::string head_; ///< of the declaration so far, up to its body
    int depth_ = 0;    ///< of braces in a body
    bool is_function_ = false;
};

/// The name in front of the first bracket of arguments; empty if there is none.
std::string name_of(const std::string& declaration) {
    int angles = 0;
    for (std::size_t at = 0; at < declaration.size(); ++at) {
        angles += declaration[at] == '<' ? 1 : declaration[at] == '>' ? -1 : 0;
        if (declaration[at] != '(' || angles != 0) continue;
        std::size_t end = at;
        while (end > 0 && declaration[end - 1] == ' ') --end;
        std::size_t begin = end;
        while (begin > 0 && is_word_character(declaration[begin - 1])) --begin;
        const std::string name = declaration.substr(begin, end - begin);
        if (name != "__attribute__" && name != "requires") return name;
    }
    return {};
}

/// Blanks, but for ends of lines and lines of the preprocessor.
void blank(std::string& text, const text_range& range) {
    bool keep = false;
    for (std::size_t at = range.begin; at < range.end; ++at) {
        if (at == 0 || text[at - 1] == '\n') keep = text.compare(at, 2, "# ") == 0;
        if (!keep && text[at] != '\n') text[at] = ' ';
    }
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "\"";
}

} // namespace

left_out_source without_functions(const std::string& preprocessed, const std::vector<error_place>& errors) {
    left_out_source result{preprocessed, {}};
    const marked_lines lines(preprocessed);
    std::map<std::size_t, std::pair<std::size_t, std::string>> throwing; // by the place where a body begins
    std::vector<text_range> gone; // declarations of which nothing is left
    std::set<std::string> files;
    for (const error_place& each : errors) files.insert(each.file);
    for (const std::string& file : files) {
        const auto& of_file = lines.of(file);
        const std::vector<declaration_text> declarations = declaration_finder(preprocessed, of_file).found();
        for (const error_place& error : errors) {
            const auto line = std::find_if(of_file.begin(), of_file.end(),
                                           [&](const auto& each) { return each.first == error.line; });
            if (error.file != file || line == of_file.end()) continue;
            const text_range at = line->second;
            for (const declaration_text& each : declarations) {
                if (each.whole.begin >= at.end || each.whole.end <= at.begin) continue;
                const bool in_body =
                    each.body.begin != 0 && at.end > each.body.begin && !error.in_declaration;
                const std::string name =
                    name_of(preprocessed.substr(each.whole.begin, each.whole.end - each.whole.begin));
                if (std::find(result.functions.begin(), result.functions.end(), name) ==
                    result.functions.end())
                    result.functions.push_back(name);
                blank(result.text, in_body ? each.body : each.whole);
                if (in_body) throwing.emplace(each.body.begin, std::pair{each.body.end, error.reason});
                else gone.push_back(each.whole);
            }
        }
    }
    for (auto each = throwing.rbegin(); each != throwing.rend(); ++each) {
        const auto is_within = [&](const text_range& other) { return other.holds(each->first); };
        if (std::any_of(gone.begin(), gone.end(), is_within)) continue; // another error took it away
        result.text.insert(each->first, "throw ::sfpu::kernel_recorder::kernel_error(" +
                                            quoted("left out: " + each->second.second) + ");");
    }
    return result;
}

} // namespace sfpu::analysis
