#include <sfpu/analysis/json_nesting.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sfpu::analysis {
namespace {

/// Walks over a text that a parser has accepted.
class json_walk {
public:
    explicit json_walk(std::string_view text) : text_(text) {}

    /// Of the deepest part of the path that there is.
    std::size_t find(std::string_view path) {
        skip_blanks();
        std::size_t found = at_;
        while (!path.empty() && at_ < text_.size()) {
            const bool element = path[0] == '[';
            if (!(element ? enter_element(path) : enter_member(path, found))) break;
            if (element) found = at_;
        }
        return found;
    }

private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    /// Without its quotes; a key with escapes is found by nobody.
    std::string_view skip_string() {
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        const std::size_t end = std::min(at_, text_.size());
        at_ = std::min(end + 1, text_.size());
        return text_.substr(begin, end - begin);
    }
    void skip_value() {
        unsigned depth = 0;
        do {
            skip_blanks();
            const char c = next();
            if (c == '"') {
                skip_string();
            } else if (c == '{' || c == '[') {
                ++depth;
                ++at_;
            } else if (c == '}' || c == ']') {
                if (depth == 0) return;
                --depth;
                ++at_;
            } else {
                at_ = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
            }
        } while (depth != 0 && at_ < text_.size());
    }
    /// "[2].rest" leaves ".rest" and stands at the element.
    bool enter_element(std::string_view& path) {
        std::uint64_t index = 0;
        const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
        const auto length = static_cast<std::size_t>(end - path.data());
        if (next() != '[' || error != std::errc{} || length >= path.size() || path[length] != ']')
            return false;
        ++at_;
        skip_blanks();
        for (; index != 0 && next() != ']' && at_ < text_.size(); --index) {
            skip_value();
            skip_blanks();
        }
        path.remove_prefix(length + 1);
        return next() != ']';
    }
    /// Keys have dots in them, so the path begins with the key that it is a longer form of.
    bool enter_member(std::string_view& path, std::size_t& found) {
        if (path[0] == '.') path.remove_prefix(1);
        if (next() != '{') return false;
        ++at_;
        for (skip_blanks(); next() == '"'; skip_blanks()) {
            const std::size_t begin = at_;
            const std::string_view key = skip_string();
            skip_blanks();
            const bool fits =
                path.substr(0, key.size()) == key &&
                (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
            if (fits) {
                found = begin;
                path.remove_prefix(key.size());
                return true;
            }
            skip_value();
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

std::size_t offset_in_json(std::string_view json, std::string_view path) {
    return json_walk(json).find(path);
}

} // namespace sfpu::analysis
