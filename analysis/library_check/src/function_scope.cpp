#include <sfpu/analysis/function_text.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr std::size_t deepest_scope = 64; ///< whose names are read

/// The name that a brace opens a namespace or a class of; nothing if it opens anything else. `head` is what
/// stands in front of it, behind the last brace or semicolon.
std::string opened_by(const std::string& head) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : head + ' ') {
        if (is_word_character(c) || c == ':') word += c;
        else if (!word.empty()) words.push_back(std::exchange(word, {}));
    }
    const auto is_head = [](const std::string& each) {
        return each == "namespace" || each == "struct" || each == "class";
    };
    const auto found = std::find_if(words.begin(), words.end(), is_head);
    if (found == words.end() || head.find('(') != std::string::npos || head.find('=') != std::string::npos)
        return {};
    const auto name = found + 1;
    return name == words.end() || *name == ":" ? std::string() : *name;
}

} // namespace

std::string scope_reader::at(std::size_t place) {
    for (; read_ < std::min(place, text_.size()); ++read_) {
        const char c = text_[read_];
        if (c == '#' || c == '"') { // directives and strings hold no braces that count
            const char end = c == '#' ? '\n' : '"';
            for (++read_; read_ < text_.size() && text_[read_] != end; ++read_)
                if (text_[read_] == '\\') ++read_;
            if (c == '#') head_ = std::min(read_, text_.size());
        } else if (c == '{') {
            open_.push_back(opened_by(text_.substr(head_, read_ - head_)));
            head_ = read_ + 1;
        } else if (c == '}') {
            if (!open_.empty()) open_.pop_back();
            head_ = read_ + 1;
        } else if (c == ';') {
            head_ = read_ + 1;
        }
    }
    std::string scope;
    for (std::size_t i = 0; i < std::min(open_.size(), deepest_scope); ++i)
        if (!open_[i].empty()) scope += (scope.empty() ? "" : "::") + open_[i];
    return scope;
}

} // namespace sfpu::analysis
