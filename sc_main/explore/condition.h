// Conditions on parameters, as the `where` of a sweep has them: "sfpu.latency.mad <= macro.slots && dst.load_ports == 2".
#pragma once

#include <sfpu/common/parameters.h>

#include <memory>
#include <string>

namespace sfpu::cli {

/// An expression of integers, paths of parameters, names of choices after == and !=, and true and false, with the
/// operators of C and their precedence: ! - * / % + - < <= > >= == != && ||, and parentheses. Booleans count as 0 and 1;
/// a quotient is rounded towards zero, one by zero makes the whole condition false.
class condition {
public:
    /// Throws std::invalid_argument with what was found and what was expected.
    explicit condition(const std::string& text);
    ~condition();
    condition(condition&&) noexcept;
    condition& operator=(condition&&) noexcept;

    bool holds(const parameters& config) const;

    struct node;

private:
    std::unique_ptr<node> root_;
};

} // namespace sfpu::cli
