#include "compiler_text.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/gnu_syntax.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

bool is_gnu_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_label_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$';
}

std::string_view gnu_trimmed(std::string_view text) {
    while (!text.empty() && is_gnu_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_gnu_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The next word of a directive's arguments: up to a blank or a comma, or what stands in quotes.
std::string_view next_argument(std::string_view& rest) {
    while (!rest.empty() && (is_gnu_blank(rest.front()) || rest.front() == ',')) rest.remove_prefix(1);
    if (rest.empty()) return {};
    if (rest.front() == '"') {
        const std::size_t end = std::min(rest.find('"', 1), rest.size());
        const std::string_view quoted = rest.substr(1, end - 1);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return quoted;
    }
    std::size_t end = 0;
    while (end < rest.size() && !is_gnu_blank(rest[end]) && rest[end] != ',') ++end;
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

std::optional<unsigned> small_number(std::string_view text) {
    if (text.empty() || text.size() > 7) return std::nullopt;
    unsigned number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    return number;
}

class compiler_text_reader {
public:
    compiler_text read(std::string_view content) {
        while (!content.empty()) {
            const std::size_t end = std::min(content.find('\n'), content.size());
            ++line_;
            take_line(content.substr(0, end));
            content.remove_prefix(std::min(end + 1, content.size()));
        }
        close_function();
        keep_functions();
        return std::move(text_);
    }

private:
    void take_line(std::string_view line) {
        const std::size_t hash = comment_of(line);
        const std::string_view comment = line.substr(hash);
        std::string_view code = line.substr(0, hash);
        while (!code.empty()) {
            const std::size_t end = statement_end(code);
            take_statement(code.substr(0, end), comment, line.data());
            code.remove_prefix(std::min(end + 1, code.size()));
        }
    }

    static std::size_t unquoted(std::string_view text, char wanted) {
        bool quoted = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\\' && quoted) ++i;
            else if (text[i] == '"') quoted = !quoted;
            else if (text[i] == wanted && !quoted) return i;
        }
        return text.size();
    }
    static std::size_t comment_of(std::string_view line) { return unquoted(line, '#'); }
    static std::size_t statement_end(std::string_view code) { return unquoted(code, ';'); }

    void take_statement(std::string_view text, std::string_view comment, const char* line_begin) {
        text = gnu_trimmed(text);
        for (;;) { // labels
            std::size_t end = 0;
            while (end < text.size() && is_label_character(text[end])) ++end;
            if (end == 0 || end == text.size() || text[end] != ':') break;
            take_label(text.substr(0, end));
            text = gnu_trimmed(text.substr(end + 1));
        }
        if (text.empty()) return;
        gnu_statement one{text, gnu_trimmed(comment), line_,
                          static_cast<std::size_t>(text.data() - line_begin) + 1, place_};
        if (one.is_directive()) take_directive(one);
        text_.statements.push_back(one);
    }

    void take_label(std::string_view label) {
        const bool is_local = label.substr(0, 2) == ".L" || (label[0] >= '0' && label[0] <= '9');
        if (is_local) return;
        close_function();
        constexpr std::size_t most_labels = 1000000;
        if (text_.functions.size() == most_labels)
            throw user_error(
                fmt::format("line {}: found more than {} labels, expected fewer", line_, most_labels));
        const std::string symbol(label);
        text_.functions.push_back({symbol, demangled_name(symbol), line_, text_.statements.size(), 0, 0});
        is_open_ = true;
    }
    void close_function() {
        if (is_open_) text_.functions.back().end = text_.statements.size();
        is_open_ = false;
    }

    void take_directive(const gnu_statement& one) {
        const std::string_view name = one.mnemonic();
        std::string_view rest = one.text.substr(name.size());
        if (name == ".file") take_file(rest);
        else if (name == ".loc") take_location(rest);
        else if (name == ".size") close_function();
        else if (name == ".type") {
            const std::string_view symbol = next_argument(rest), kind = next_argument(rest);
            if (kind == "@function" || kind == "STT_FUNC" || kind == "%function") typed_.emplace(symbol);
        } else if (name == ".attribute" && next_argument(rest) == "arch") {
            text_.arch = isa::gnu_architecture(rest);
        }
    }

    /// `.file 1 "kernel.h"`, `.file 1 "/folder" "kernel.h"`
    void take_file(std::string_view rest) {
        const auto number = small_number(next_argument(rest));
        if (!number) return;
        std::string folder(next_argument(rest));
        const std::string file(next_argument(rest));
        if (file.empty()) files_[*number] = folder;
        else files_[*number] = file.front() == '/' ? file : folder + '/' + file;
    }
    /// `.loc 1 31 5 is_stmt 1`
    void take_location(std::string_view rest) {
        const auto number = small_number(next_argument(rest)), line = small_number(next_argument(rest));
        const auto file = number ? files_.find(*number) : files_.end();
        if (file == files_.end() || !line || *line == 0) {
            place_ = 0;
            return;
        }
        text_.places.push_back({file->second, *line});
        place_ = static_cast<unsigned>(text_.places.size());
    }

    /// Labels of data are no functions: where types are given they say so, else instructions do.
    void keep_functions() {
        const auto is_other = [&](gnu_function& each) {
            bool has_instruction = false;
            for (std::size_t i = each.begin; i < each.end; ++i) {
                has_instruction = has_instruction || !text_.statements[i].is_directive();
                each.words += isa::is_gnu_tensix(text_.statements[i].mnemonic());
            }
            return typed_.empty() ? !has_instruction : typed_.count(each.symbol) == 0;
        };
        auto& all = text_.functions;
        all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
    }

    compiler_text text_;
    std::map<unsigned, std::string> files_;
    std::set<std::string, std::less<>> typed_;
    unsigned line_ = 0, place_ = 0;
    bool is_open_ = false;
};

} // namespace

std::string_view gnu_statement::mnemonic() const {
    std::size_t end = 0;
    while (end < text.size() && !is_gnu_blank(text[end])) ++end;
    return text.substr(0, end);
}

compiler_text read_compiler_text(std::string_view content) { return compiler_text_reader().read(content); }

} // namespace sfpu::analysis
