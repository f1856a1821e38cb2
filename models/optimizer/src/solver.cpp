#include <sfpu/optimizer/solver.h>

#include <cadical.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace sfpu::optimizer {
namespace {

using watch = std::chrono::steady_clock;

class limit_watcher : public CaDiCaL::Terminator {
public:
    limit_watcher(const solver_limits& limits, watch::time_point start) : limits_(limits), start_(start) {}
    bool terminate() override {
        if (++asked_ % 64 != 0) return stop_;
        if (limits_.seconds > 0 &&
            std::chrono::duration<double>(watch::now() - start_).count() > limits_.seconds)
            stop_ = true;
        // What others do on the machine takes no patience.
        if (limits_.cpu_seconds > 0 &&
            static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC > limits_.cpu_seconds)
            stop_ = true;
        if (limits_.terminated && limits_.terminated()) stop_ = true;
        return stop_;
    }

private:
    const solver_limits& limits_;
    watch::time_point start_;
    std::clock_t clock_ = std::clock();
    unsigned asked_ = 0;
    bool stop_ = false;
};

} // namespace

void clause_list::add(const std::vector<literal>& clause) {
    // The clause that says what `always` is, is the only one that keeps it.
    if (clauses_ > 0 && std::find(clause.begin(), clause.end(), always) != clause.end()) return;
    for (const literal each : clause)
        if (each != never) flat_.push_back(each);
    flat_.push_back(0);
    ++clauses_;
}

struct solver::implementation {
    CaDiCaL::Solver cadical;
};

solver::solver(const clause_list& clauses)
    : impl_(std::make_unique<implementation>()), variables_(clauses.variables()) {
    impl_->cadical.set("quiet", 1);
    for (const literal each : clauses.flat()) impl_->cadical.add(each);
}

solver::~solver() = default;

void solver::prefer(const std::vector<bool>& values) {
    for (int v = 1; v <= variables_ && v < static_cast<int>(values.size()); ++v)
        impl_->cadical.phase(values[static_cast<std::size_t>(v)] ? v : -v);
}

solver_answer solver::solve(const std::vector<literal>& assumptions, const solver_limits& limits) {
    const watch::time_point start = watch::now();
    CaDiCaL::Solver& cadical = impl_->cadical;
    for (const literal each : assumptions) cadical.assume(each);
    limit_watcher watcher(limits, start);
    cadical.connect_terminator(&watcher);
    if (limits.conflicts > 0)
        cadical.limit("conflicts", static_cast<int>(std::min<std::int64_t>(limits.conflicts, 2'000'000'000)));
    solver_answer answer;
    const int status = cadical.solve();
    cadical.disconnect_terminator();
    if (status == 10) {
        answer.result = outcome::satisfiable;
        answer.model.resize(static_cast<std::size_t>(variables_) + 1);
        for (int v = 1; v <= variables_; ++v) answer.model[static_cast<std::size_t>(v)] = cadical.val(v) > 0;
    } else if (status == 20) {
        answer.result = outcome::refuted;
        for (const literal each : assumptions)
            if (cadical.failed(each)) answer.needed.push_back(each);
    }
    answer.seconds = std::chrono::duration<double>(watch::now() - start).count();
    return answer;
}

solver_answer solve(const clause_list& clauses, const std::vector<literal>& assumptions,
                    const solver_limits& limits) {
    return solver(clauses).solve(assumptions, limits);
}

} // namespace sfpu::optimizer
