#include "reordering.h"

#include <map>

namespace sfpu::analysis {
namespace {

class search {
public:
    search(const execution_trace& before, const execution_trace& after) : before_(before), after_(after) {
        for (std::size_t i = 0; i < after.steps.size(); ++i)
            index_after_[after.steps[i].key()] = static_cast<int>(i);
        for (std::size_t i = 0; i < before.steps.size(); ++i)
            index_before_[before.steps[i].key()] = static_cast<int>(i);
    }

    std::optional<reordering> run(resource slice) {
        compare(nobody, before_.last_writer[slice], after_.last_writer[slice]);
        while (!open_.empty()) {
            const int consumer = open_.back();
            open_.pop_back();
            follow(consumer);
        }
        if (!found_) return std::nullopt;
        return explain(*found_);
    }

private:
    /// A read (or, with nobody as consumer, the final contents) that another step provides than before. All
    /// are indices into `before`, `producer_after` too; it is nobody if there is no such step.
    struct changed_read {
        int consumer, producer_before, producer_after;
        cycles at;
    };

    const execution_step& step(int index) const { return before_.steps[static_cast<std::size_t>(index)]; }
    /// The step in `after` that is the same instruction, or null.
    const execution_step* twin(int index) const {
        const auto found = index_after_.find(step(index).key());
        return found == index_after_.end() ? nullptr : &after_.steps[static_cast<std::size_t>(found->second)];
    }
    int original(int index_in_after) const {
        if (index_in_after == nobody) return nobody;
        const auto found = index_before_.find(after_.steps[static_cast<std::size_t>(index_in_after)].key());
        return found == index_before_.end() ? nobody : found->second;
    }

    void compare(int consumer, int producer_before, int producer_in_after) {
        const int producer_after = original(producer_in_after);
        if (producer_before == producer_after) {
            if (producer_before != nobody && !visited_[producer_before]) {
                visited_[producer_before] = true;
                open_.push_back(producer_before);
            }
            return;
        }
        const cycles at =
            consumer == nobody ? after_.steps.back().event.end + one_cycle : twin(consumer)->event.begin;
        if (!found_ || at < found_->at) found_ = {consumer, producer_before, producer_after, at};
    }

    void follow(int consumer) {
        const execution_step* same = twin(consumer);
        for (const auto& [what, by] : step(consumer).reads)
            for (const auto& [what_after, by_after] : same->reads)
                if (what == what_after) compare(consumer, by, by_after);
    }

    static bool sees(const execution_step& consumer, const execution_step& producer) {
        return producer.event.end < consumer.event.begin;
    }

    reordering explain(const changed_read& read) const {
        const execution_step* lost = read.producer_before == nobody ? nullptr : &step(read.producer_before);
        const execution_step* gained = read.producer_after == nobody ? nullptr : &step(read.producer_after);
        if (lost && is_gone(read.producer_before)) return explain_missing(read.producer_before);
        if (read.consumer != nobody) {
            const execution_step& consumer = step(read.consumer);
            if (gained && !sees(consumer, *gained)) return pair(*gained, consumer);
            if (lost && !sees(*twin(read.consumer), *twin(read.producer_before)))
                return pair(*lost, consumer);
        }
        if (lost && gained) return pair(*gained, *lost);
        return {lost ? lost : gained, nullptr};
    }

    bool is_gone(int index) const {
        const execution_step* same = twin(index);
        return !same || same->event.discarded;
    }

    /// A producer that no longer executes: discarded by a scheduled instruction, or forgotten.
    reordering explain_missing(int index) const {
        const execution_step& lost = step(index);
        if (const execution_step* same = twin(index)) {
            for (const execution_step& other : after_.steps)
                if (other.scheduled() && other.event.unit == lost.event.unit &&
                    other.event.begin == same->event.begin)
                    return {&other, &lost};
            return {&lost, nullptr};
        }
        for (const probe::forgotten_event& event : after_.forgotten) {
            if (event.word != lost.event.word || event.unit != lost.event.unit) continue;
            for (const execution_step& other : after_.steps)
                if (other.is_load() && other.event.begin == event.at) return {&lost, &other};
        }
        return {&lost, nullptr};
    }

    static reordering pair(const execution_step& producer, const execution_step& other) {
        if (!producer.scheduled() && other.scheduled()) return {&other, &producer};
        return {&producer, &other};
    }

    const execution_trace& before_;
    const execution_trace& after_;
    std::map<std::uint64_t, int> index_before_, index_after_;
    std::map<int, bool> visited_;
    std::vector<int> open_;
    std::optional<changed_read> found_;
};

} // namespace

std::optional<reordering> find_reordering(const execution_trace& before, const execution_trace& after,
                                          resource slice) {
    return search(before, after).run(slice);
}

} // namespace sfpu::analysis
