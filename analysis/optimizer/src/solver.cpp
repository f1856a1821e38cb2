#include <sfpu/optimizer/solver.h>

#include <cadical.hpp>

#include <algorithm>

namespace sfpu::optimizer {
namespace {

/// Steps of making a formula or handing it to the solver between two looks at the limits.
constexpr std::size_t steps_between_looks = 4096;

class limit_watcher : public CaDiCaL::Terminator {
public:
    limit_watcher(const solver_limits& limits, double start) : limits_(limits), start_(start) {}
    bool terminate() override {
        if (++asked_ % 64 != 0) return stop_;
        if (limits_.seconds > 0 && thread_seconds() - start_ > limits_.seconds) stop_ = true;
        if (limits_.terminated && limits_.terminated()) stop_ = true;
        return stop_;
    }

private:
    const solver_limits& limits_;
    double start_;
    unsigned asked_ = 0;
    bool stop_ = false;
};

/// Counts conflicts: each of them teaches a clause.
class conflict_counter : public CaDiCaL::Learner {
public:
    bool learning(int) override {
        ++count;
        return false;
    }
    void learn(int) override {}
    std::int64_t count = 0;
};

} // namespace

void clause_list::add(const std::vector<literal>& clause) {
    // The clause that says what `always` is, is the only one that keeps it.
    if (clauses_ > 0 && std::find(clause.begin(), clause.end(), always) != clause.end()) return;
    for (const literal each : clause)
        if (each != never) flat_.push_back(each);
    flat_.push_back(0);
    if (++clauses_ % steps_between_looks != 0) return;
    if (limits_.bytes > 0 && bytes() > limits_.bytes) throw out_of_budget(true);
    if (limits_.stopped && limits_.stopped()) throw out_of_budget(false);
}

struct solver::implementation {
    CaDiCaL::Solver cadical;
};

solver::solver(const clause_list& clauses, aim hope)
    : impl_(std::make_unique<implementation>()), variables_(clauses.variables()) {
    if (hope == aim::model) {
        // Measured on long rows: most variables of a schedule are false, and it is found in a few thousand
        // conflicts and not in tens of thousands. Refutations take longer this way.
        impl_->cadical.configure("sat");
        impl_->cadical.set("phase", 0);
    }
    impl_->cadical.set("quiet", 1);
    std::size_t steps = 0;
    const build_limits& limits = clauses.limits();
    for (const literal each : clauses.flat()) {
        impl_->cadical.add(each);
        if (++steps % (16 * steps_between_looks) == 0 && limits.stopped && limits.stopped())
            throw out_of_budget(false);
    }
}

solver::~solver() = default;

void solver::add(const std::vector<literal>& clause) {
    for (const literal each : clause) impl_->cadical.add(each);
    impl_->cadical.add(0);
}

void solver::prefer(const std::vector<bool>& values) {
    for (int v = 1; v <= variables_ && v < static_cast<int>(values.size()); ++v)
        impl_->cadical.phase(values[static_cast<std::size_t>(v)] ? v : -v);
}

solver_answer solver::solve(const std::vector<literal>& assumptions, const solver_limits& limits) {
    const double start = thread_seconds();
    CaDiCaL::Solver& cadical = impl_->cadical;
    for (const literal each : assumptions) cadical.assume(each);
    limit_watcher watcher(limits, start);
    conflict_counter counter;
    cadical.connect_terminator(&watcher);
    cadical.connect_learner(&counter);
    if (limits.conflicts > 0)
        cadical.limit("conflicts", static_cast<int>(std::min<std::int64_t>(limits.conflicts, 2'000'000'000)));
    solver_answer answer;
    const int status = cadical.solve();
    cadical.disconnect_terminator();
    cadical.disconnect_learner();
    answer.conflicts = counter.count;
    if (status == 10) {
        answer.result = outcome::satisfiable;
        answer.model.resize(static_cast<std::size_t>(variables_) + 1);
        for (int v = 1; v <= variables_; ++v) answer.model[static_cast<std::size_t>(v)] = cadical.val(v) > 0;
    } else if (status == 20) {
        answer.result = outcome::refuted;
        for (const literal each : assumptions)
            if (cadical.failed(each)) answer.needed.push_back(each);
    }
    answer.seconds = thread_seconds() - start;
    return answer;
}

solver_answer solve(const clause_list& clauses, const std::vector<literal>& assumptions,
                    const solver_limits& limits) {
    return solver(clauses).solve(assumptions, limits);
}

} // namespace sfpu::optimizer
