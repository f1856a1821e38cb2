// Conditions on parameters, as the `where` of a sweep has them: "sfpu.latency.mad <= macro.slots &&
// dst.load_ports == 2".
#pragma once

#include <sfpu/common/parameters.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace sfpu::analysis {

/// What is wrong with a condition: what was found and what was expected, at which character.
class condition_error : public std::invalid_argument {
public:
    condition_error(const std::string& problem, std::size_t offset)
        : std::invalid_argument(problem), offset_(offset) {}
    /// Characters of the condition before what was found.
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

/// An expression of integers, paths of parameters, names of choices after == and !=, and true and false, with
/// the operators of C, their precedence, and their order from the left: ! - * / % + - < <= > >= == != && ||,
/// and parentheses. Booleans count as 0 and 1; a quotient is rounded towards zero, one by zero makes the
/// whole condition false.
class condition {
public:
    /// Throws condition_error.
    explicit condition(const std::string& text);
    ~condition();
    condition(condition&&) noexcept;
    condition& operator=(condition&&) noexcept;

    bool holds(const parameters& config) const;

    struct node;

private:
    std::unique_ptr<node> root_;
};

} // namespace sfpu::analysis
