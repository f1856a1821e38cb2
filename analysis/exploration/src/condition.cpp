#include <sfpu/analysis/condition.h>

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What a node of a condition does.
enum class condition_operation {
    number,
    path,
    negate,
    invert,
    multiply,
    divide,
    remainder,
    add,
    subtract,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either
};

namespace {

using operation = condition_operation;

struct binary_operator {
    std::string_view text;
    operation what;
    int precedence;
};

// Longer spellings stand before their beginnings.
constexpr std::array<binary_operator, 13> binary_operators{{{"||", operation::either, 1},
                                                            {"&&", operation::both, 2},
                                                            {"==", operation::equal, 3},
                                                            {"!=", operation::not_equal, 3},
                                                            {"<=", operation::less_equal, 4},
                                                            {">=", operation::greater_equal, 4},
                                                            {"<", operation::less, 4},
                                                            {">", operation::greater, 4},
                                                            {"+", operation::add, 5},
                                                            {"-", operation::subtract, 5},
                                                            {"*", operation::multiply, 6},
                                                            {"/", operation::divide, 6},
                                                            {"%", operation::remainder, 6}}};

} // namespace

struct condition::node {
    condition_operation what = condition_operation::number;
    std::int64_t number = 0;
    const parameter_row* row = nullptr;
    std::unique_ptr<node> left, right;

    /// Nothing if something is divided by zero.
    std::optional<std::int64_t> value(const parameters& config) const;
};

namespace {

using node = condition::node;

/// Wraps around instead of overflowing.
std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

class condition_parser {
public:
    explicit condition_parser(std::string_view text) : text_(text) {}

    std::unique_ptr<node> whole() {
        auto result = expression(1);
        if (at_ != text_.size()) fail("an operator or the end");
        return result;
    }

private:
    static constexpr unsigned most_parts =
        1000; // the tree of a chain of operators is as deep as the chain is long

    std::unique_ptr<node> expression(int precedence) {
        auto left = operand();
        for (;;) {
            const binary_operator* found = next_operator();
            if (!found || found->precedence < precedence) return left;
            at_ += found->text.size();
            left = compared(found->what, std::move(left), expression(found->precedence + 1));
        }
    }

    /// Names of choices get their meaning from the parameter that they are compared with.
    std::unique_ptr<node> compared(operation what, std::unique_ptr<node> left, std::unique_ptr<node> right) {
        auto result = std::make_unique<node>();
        result->what = what;
        result->left = std::move(left);
        result->right = std::move(right);
        return result;
    }

    std::unique_ptr<node> operand() {
        skip_blanks();
        if (++parts_ > most_parts)
            throw condition_error(fmt::format("found more than {} parts in a condition", most_parts), at_);
        if (++depth_ > 100) throw condition_error("found more than 100 nested parts in a condition", at_);
        auto result = std::make_unique<node>();
        if (accept("(")) {
            result = expression(1);
            skip_blanks();
            if (!accept(")")) fail("')'");
        } else if (accept("!") || accept("-")) {
            result->what = text_[at_ - 1] == '!' ? operation::invert : operation::negate;
            result->left = operand();
        } else if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            result->number = number();
        } else if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) {
            name(*result);
        } else {
            fail("a number, a parameter or '('");
        }
        --depth_;
        return result;
    }

    std::int64_t number() {
        std::int64_t value = 0;
        for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
            value = value * 10 + (text_[at_] - '0');
            if (value > 0xffffffff) fail("a number below 2 to the 32nd");
        }
        return value;
    }

    void name(node& result) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      text_[at_] == '.' || text_[at_] == '_'))
            ++at_;
        const std::string word(text_.substr(begin, at_ - begin));
        if (word == "true" || word == "false") {
            result.number = word == "true";
            return;
        }
        result.row = find_parameter(word);
        result.what = operation::path;
        if (result.row) {
            row_ = result.row;
            return;
        }
        // "issue.thread_order == fixed"
        if (row_)
            for (std::size_t i = 0; i < row_->choices.size(); ++i)
                if (row_->type == parameter_type::choice && row_->choices[i] == word) {
                    result.what = operation::number;
                    result.number = static_cast<std::int64_t>(i);
                    return;
                }
        std::vector<std::string> paths;
        for (const parameter_row& row : parameter_table()) paths.emplace_back(row.path);
        throw condition_error("unknown parameter '" + word + "'" + suggestion(word, paths), begin);
    }

    const binary_operator* next_operator() {
        skip_blanks();
        for (const binary_operator& each : binary_operators)
            if (text_.substr(at_, each.text.size()) == each.text) return &each;
        return nullptr;
    }
    bool accept(std::string_view expected) {
        if (text_.substr(at_, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string found =
            at_ < text_.size() ? "'" + std::string(text_.substr(at_, 10)) + "'" : "the end of the condition";
        throw condition_error("found " + found + ", expected " + expected, at_);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned depth_ = 0, parts_ = 0;
    const parameter_row* row_ = nullptr; ///< the parameter named last
};

} // namespace

std::optional<std::int64_t> condition::node::value(const parameters& config) const {
    if (what == operation::number) return number;
    if (what == operation::path) return static_cast<std::int64_t>(row->get(config));
    const auto a = left->value(config);
    if (!a) return a;
    if (what == operation::negate) return wrapped(0 - static_cast<std::uint64_t>(*a));
    if (what == operation::invert) return *a == 0;
    if (what == operation::both && *a == 0) return 0;
    if (what == operation::either && *a != 0) return 1;
    const auto b = right->value(config);
    if (!b) return b;
    const auto ua = static_cast<std::uint64_t>(*a), ub = static_cast<std::uint64_t>(*b);
    if (*b == 0 && (what == operation::divide || what == operation::remainder)) return std::nullopt;
    switch (what) {
    case operation::multiply: return wrapped(ua * ub);
    // The lowest number by -1 overflows.
    case operation::divide: return *b == -1 ? wrapped(0 - ua) : *a / *b;
    case operation::remainder: return *b == -1 ? 0 : *a % *b;
    case operation::add: return wrapped(ua + ub);
    case operation::subtract: return wrapped(ua - ub);
    case operation::less: return *a < *b;
    case operation::less_equal: return *a <= *b;
    case operation::greater: return *a > *b;
    case operation::greater_equal: return *a >= *b;
    case operation::equal: return *a == *b;
    case operation::not_equal: return *a != *b;
    case operation::both:
    case operation::either: return *b != 0;
    case operation::number:
    case operation::path:
    case operation::negate:
    case operation::invert: break; // done above
    }
    return std::nullopt;
}

condition::condition(const std::string& text) : root_(condition_parser(text).whole()) {}
condition::~condition() = default;
condition::condition(condition&&) noexcept = default;
condition& condition::operator=(condition&&) noexcept = default;

bool condition::holds(const parameters& config) const { return root_->value(config).value_or(0) != 0; }

} // namespace sfpu::analysis
