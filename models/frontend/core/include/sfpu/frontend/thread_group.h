// The threads that share one vector unit: their pipelines compete for its one issue slot a cycle. Pure C++.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/timing/thread_arbiter.h>

#include <vector>

namespace sfpu::frontend {

class thread_pipeline;

/// Lets the pipelines pass words to the unit in the order of time, one a cycle (T22). A word that another
/// thread's word keeps from passing stays at its wait gate, so that everything behind it waits as well.
///
/// Whatever the pipelines get before a cycle must be known when the group is brought to that cycle.
class thread_group {
public:
    /// For thread_pipeline::join(); isa::thread_count at most.
    void add(thread_pipeline& member) { members_.push_back(&member); }
    /// Whether a member has this thread.
    bool has(unsigned thread) const;
    void reset(const parameters& config) { arbiter_.reset(config.issue_thread_order); }
    /// Takes over whose turn it is and whether others are expected; the members stay. For a group with
    /// members of the same threads, which take over the states of the other members.
    void take_state(const thread_group& other) {
        arbiter_ = other.arbiter_;
        expects_others_ = other.expects_others_;
    }

    /// Whether there is anybody to compete with, or somebody outside who acts in his own time.
    bool is_shared() const { return members_.size() > 1 || expects_others_; }
    /// Others than the core of a thread push its words, change semaphores, or look: nothing may be decided
    /// ahead of time. Before anything is pushed.
    void expect_others() { expects_others_ = true; }

    /// Issues everything of all threads that issues before `end`, and nothing that issues later.
    void advance(cycles end);
    /// The end of a program: everything that can issue does. What a wait holds for ever stays, and is
    /// reported.
    void run_to_end();

    /// The next cycle in which anything happens that does not come from outside; `forever` if nothing does.
    cycles next_action(cycles now);

private:
    void issue_until(cycles end);
    thread_pipeline* only_active(cycles end);
    bool issue_next(cycles end);

    std::vector<thread_pipeline*> members_;
    bool expects_others_ = false;
    timing::thread_arbiter arbiter_;
};

} // namespace sfpu::frontend
