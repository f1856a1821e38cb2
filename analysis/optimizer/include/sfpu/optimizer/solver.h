// The satisfiability solver behind an interface of our own.
#pragma once

#include <sfpu/common/thread_time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace sfpu::optimizer {

/// Variables are numbered from 1; a negative literal is the negated variable.
using literal = int;

/// A formula is not made to its end. `memory`: it would be too large, and so would every larger one.
class out_of_budget : public std::runtime_error {
public:
    explicit out_of_budget(bool too_large)
        : std::runtime_error(too_large ? "the formula is too large" : "the time is up"), memory(too_large) {}
    bool memory;
};

/// What making a formula may take.
struct build_limits {
    std::size_t bytes = 0;         ///< of the formula and of a solver that has read it, estimated; 0: any
    std::function<bool()> stopped; ///< asked now and then; may be empty
};

/// Clauses, one behind the other.
class clause_list {
public:
    clause_list() { add({always}); }

    /// A literal that is true, and by its negative one that is false.
    static constexpr literal always = 1, never = -1;

    /// From now on more than that throws out_of_budget.
    void keep_within(build_limits limits) { limits_ = std::move(limits); }
    const build_limits& limits() const { return limits_; }
    /// What so much takes here and in a solver, in bytes: measured, and rounded up.
    static constexpr std::size_t bytes_of(std::size_t variables, std::size_t clauses, std::size_t literals) {
        return variables * bytes_a_variable + clauses * bytes_a_clause + literals * bytes_a_literal;
    }
    std::size_t bytes() const {
        return bytes_of(static_cast<std::size_t>(variables_), clauses_, flat_.size());
    }

    literal make_variable() { return ++variables_; }
    void add(const std::vector<literal>& clause);

    int variables() const { return variables_; }
    std::size_t clauses() const { return clauses_; }
    /// Each clause ends with 0.
    const std::vector<literal>& flat() const { return flat_; }

private:
    static constexpr std::size_t bytes_a_variable = 300, bytes_a_clause = 72, bytes_a_literal = 20;

    int variables_ = 1;
    std::size_t clauses_ = 0;
    std::vector<literal> flat_;
    build_limits limits_;
};

enum class outcome : std::uint8_t { satisfiable, refuted, unknown };

struct solver_limits {
    double seconds = 0;               ///< of CPU of the calling thread; 0: none
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
    /// Throws out_of_budget if the limits of the clauses say so.
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
