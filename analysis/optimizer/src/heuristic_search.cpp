#include "heuristic_search.h"

#include <sfpu/optimizer/solver.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>

namespace sfpu::optimizer {

heuristic_search::heuristic_search(const graph& of, const isa::machine& machine) : facts_(of, machine) {
    constexpr std::array<double, searches> heats{0.8, 1.3, 2, 3};
    for (unsigned seed = 1; seed <= searches; ++seed)
        chains_.push_back(std::make_unique<chain>(facts_, seed, heats[seed - 1]));
}

heuristic_search::answer heuristic_search::find(unsigned interval, const effort& within) {
    answer all;
    if (!usable() || interval > heuristic::slot_set::most) return all;
    const std::int64_t each = std::max<std::int64_t>(1, within.steps / static_cast<std::int64_t>(searches));
    // What the first of them finds is taken, so that those behind it need not go on.
    std::atomic<std::size_t> first_found{searches}, next{0};
    const std::size_t threads = std::min<std::size_t>(std::max(1u, within.jobs), searches);
    effort own = within; // those that follow each other on a thread share its time
    own.seconds /= static_cast<double>((searches + threads - 1) / threads);
    const auto work = [&] {
        for (std::size_t c = next++; c < chains_.size(); c = next++) {
            chain& one = *chains_[c];
            one.found.reset();
            one.steps = 0;
            one.seconds = 0;
            if (first_found < c) continue;
            search(one, interval, each, own, [&] { return first_found < c; });
            std::size_t known = first_found;
            while (one.found && c < known && !first_found.compare_exchange_weak(known, c)) {
            }
        }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    for (std::size_t c = 0; c < chains_.size() && !all.found; ++c) {
        all.steps += chains_[c]->steps;
        all.found = std::move(chains_[c]->found);
        if (all.found)
            for (std::size_t other = 0; other < chains_.size(); ++other)
                if (other != c) chains_[other]->best = chains_[c]->best;
    }
    for (const auto& one : chains_) all.seconds = std::max(all.seconds, one->seconds);
    return all;
}

/// Annealing: what is worse is taken now and then, and ever more seldom; then again from the best.
void heuristic_search::search(chain& of, unsigned interval, std::int64_t steps, const effort& within,
                              const std::function<bool()>& needless) const {
    constexpr std::int64_t steps_between_looks = 32, steps_a_round = 40'000;
    constexpr double last_heat = 0.3;
    const double first_heat = of.first_heat;
    const std::int64_t round = std::min<std::int64_t>(steps, steps_a_round);
    const double start = thread_seconds();
    heuristic::placement placement(facts_, interval);
    heuristic::plan now = of.best, next = now;
    int cost = placement.place(now), least = cost;
    for (; of.steps < steps && cost > 0; ++of.steps) {
        if (of.steps % steps_between_looks == 0) {
            if (needless() || (within.interrupted && within.interrupted())) break;
            if (within.seconds > 0 && thread_seconds() - start >= within.seconds) break;
        }
        if (of.steps % round == 0 && of.steps > 0) {
            now = of.best;
            cost = least;
        }
        next = now;
        if (!of.changer.change(next)) continue;
        const double heat = first_heat * std::pow(last_heat / first_heat,
                                                  static_cast<double>(of.steps) / static_cast<double>(steps));
        const auto most = static_cast<int>(cost - heat * std::log(std::max(of.changer.chance(), 1e-9)));
        const int changed = placement.place(next, most);
        if (changed > most) continue;
        std::swap(now, next);
        cost = changed;
        if (cost >= least) continue;
        least = cost;
        of.best = now;
    }
    if (cost == 0) {
        of.best = now;
        placement.place(now);
        of.found = placement.written();
    }
    of.seconds = thread_seconds() - start;
}

} // namespace sfpu::optimizer
