// The satisfiability solver behind an interface of our own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sfpu::optimizer {

/// Variables are numbered from 1; a negative literal is the negated variable.
using literal = int;

/// Clauses, one behind the other.
class clause_list {
public:
    clause_list() { add({always}); }

    /// A literal that is true, and by its negative one that is false.
    static constexpr literal always = 1, never = -1;

    literal make_variable() { return ++variables_; }
    void add(const std::vector<literal>& clause);

    int variables() const { return variables_; }
    std::size_t clauses() const { return clauses_; }
    /// Each clause ends with 0.
    const std::vector<literal>& flat() const { return flat_; }

private:
    int variables_ = 1;
    std::size_t clauses_ = 0;
    std::vector<literal> flat_;
};

enum class outcome : std::uint8_t { satisfiable, refuted, unknown };

struct solver_limits {
    double seconds = 0;               ///< by the clock; 0: none
    std::int64_t conflicts = 0;       ///< 0: any number; the same on a busy machine as on an idle one
    std::function<bool()> terminated; ///< asked now and then
};

struct solver_answer {
    outcome result = outcome::unknown;
    std::vector<bool> model;     ///< by variable
    std::vector<literal> needed; ///< assumptions that the refutation needs
    double seconds = 0;
    std::int64_t conflicts = 0;
};

solver_answer solve(const clause_list& clauses, const std::vector<literal>& assumptions,
                    const solver_limits& limits);

/// What is hoped for. Both are found by either, in other times.
enum class aim : std::uint8_t { refutation, model };

/// A solver that keeps what it learned of its clauses from one question to the next.
class solver {
public:
    explicit solver(const clause_list& clauses, aim hope = aim::refutation);
    ~solver();
    solver(const solver&) = delete;
    solver& operator=(const solver&) = delete;

    solver_answer solve(const std::vector<literal>& assumptions, const solver_limits& limits);
    /// One clause more.
    void add(const std::vector<literal>& clause);
    /// The value that each variable is given where nothing says otherwise, by variable.
    void prefer(const std::vector<bool>& values);

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
    int variables_;
};

} // namespace sfpu::optimizer
