#include <sfpu/analysis/smt_solver.h>

#include "operator_formula.h"
#include "term_formula.h"

#include <sfpu/analysis/term_values.h>
#include <sfpu/common/thread_time.h>

#include <z3++.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sfpu::analysis {
namespace {

/// Interrupts a context when the caller wants no answer any more.
class interruption {
public:
    interruption(z3::context& context, const std::function<bool()>& wanted) {
        if (wanted) watcher_ = std::thread([this, &context, &wanted] { watch(context, wanted); });
    }
    ~interruption() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            is_over_ = true;
        }
        wakes_.notify_all();
        if (watcher_.joinable()) watcher_.join();
    }
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;

private:
    void watch(z3::context& context, const std::function<bool()>& wanted) {
        constexpr std::chrono::milliseconds often{20};
        std::unique_lock<std::mutex> lock(mutex_);
        while (!wakes_.wait_for(lock, often, [&] { return is_over_; }))
            if (wanted()) context.interrupt();
    }

    std::mutex mutex_;
    std::condition_variable wakes_;
    bool is_over_ = false;
    std::thread watcher_;
};

/// Whether two terms are ever different, with operators as functions or as formulas of bits.
class question {
public:
    enum class operators : std::uint8_t { functions, formulas };

    question(const term_pool& pool, const solver_limits& limits, operators as)
        : pool_(pool), limits_(limits), operators_(context_, pool.arch()),
          formula_(pool, context_, as == operators::formulas ? &operators_ : nullptr),
          solver_(as == operators::formulas ? bit_solver() : z3::solver(context_)) {}

    /// Asks so many times at most, until the limit.
    term_difference answer(term a, term b, unsigned rounds, const thread_clock& spent) {
        // Making the formula takes time, too. z3 has no limit of CPU time of its own.
        const std::function<bool()> over = [&] {
            return spent.seconds() >= limits_.seconds || (limits_.interrupted && limits_.interrupted());
        };
        const interruption watched(context_, over);
        solver_.add(formula_.word(a) != formula_.word(b));
        for (const z3::expr& fact : operators_.facts()) solver_.add(fact);
        for (unsigned round = 0; round < rounds; ++round) {
            if (over()) break;
            z3::params parameters(context_);
            parameters.set("max_memory", limits_.megabytes);
            solver_.set(parameters);
            const z3::check_result result = solver_.check();
            if (result == z3::unsat) return {term_difference::kind::none, {}};
            if (result != z3::sat) break;
            if (!correct_operators()) return {term_difference::kind::some, values()};
        }
        return {};
    }

private:
    z3::solver bit_solver() {
        // Functions become words, words bits.
        return (z3::tactic(context_, "simplify") & z3::tactic(context_, "solve-eqs") &
                z3::tactic(context_, "simplify") & z3::tactic(context_, "ackermannize_bv") &
                z3::tactic(context_, "bit-blast") & z3::tactic(context_, "sat"))
            .mk_solver();
    }

    std::uint32_t value_in_model(const z3::model& model, const z3::expr& of) const {
        return static_cast<std::uint32_t>(model.eval(of, true).get_numeral_uint64());
    }

    /// Adds what products of mantissas are where the model takes them for something else; whether any.
    bool correct_products(const z3::model& model) {
        bool any = false;
        for (const operator_formula::product& each : operators_.products()) {
            const std::uint32_t a = value_in_model(model, each.a), b = value_in_model(model, each.b);
            const std::uint32_t right = operator_formula::cut_product(a, b);
            if (value_in_model(model, each.cut) == right) continue;
            any = true;
            solver_.add(operators_.cut_of(context_.bv_val(a, 32), context_.bv_val(b, 32)) ==
                        context_.bv_val(right, 32));
        }
        return any;
    }

    /// Adds what operators are where the model takes them for something else; whether there was any.
    bool correct_operators() {
        const z3::model model = solver_.get_model();
        bool any = correct_products(model);
        for (const term which : formula_.applied()) {
            const term_pool::node& of = pool_.at(which);
            lanes arguments[8];
            z3::expr_vector where(context_);
            for (unsigned i = 0; i < of.count; ++i) {
                const std::uint32_t value = value_in_model(model, formula_.word(pool_.argument(which, i)));
                arguments[i] = broadcast(value);
                where.push_back(context_.bv_val(value, 32));
            }
            const std::uint32_t right = operator_values(pool_.operator_of(which), pool_.arch(), arguments)[0];
            if (value_in_model(model, formula_.word(which)) == right) continue;
            any = true;
            solver_.add(formula_.function(of.bits, of.count)(where) == context_.bv_val(right, 32));
        }
        return any;
    }

    std::vector<std::pair<term, std::uint32_t>> values() {
        const z3::model model = solver_.get_model();
        std::vector<std::pair<term, std::uint32_t>> found;
        for (const term which : formula_.variables())
            found.emplace_back(which, value_in_model(model, formula_.word(which)));
        return found;
    }

    const term_pool& pool_;
    const solver_limits& limits_;
    z3::context context_;
    operator_formula operators_;
    term_formula formula_;
    z3::solver solver_;
};

} // namespace

term_difference smt_solver::difference(const term_pool& pool, term a, term b, const solver_limits& limits) {
    try {
        const thread_clock spent;
        constexpr unsigned few_rounds = 4, most_rounds = 200;
        const term_difference found =
            question(pool, limits, question::operators::functions).answer(a, b, few_rounds, spent);
        if (found.found != term_difference::kind::not_known) return found;
        return question(pool, limits, question::operators::formulas).answer(a, b, most_rounds, spent);
    } catch (const z3::exception&) { // interrupted, or out of memory
        return {};
    }
}

} // namespace sfpu::analysis
