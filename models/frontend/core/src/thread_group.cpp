#include <sfpu/frontend/thread_group.h>

#include <sfpu/frontend/thread_pipeline.h>

#include <algorithm>
#include <array>

namespace sfpu::frontend {

bool thread_group::has(unsigned thread) const {
    return std::any_of(members_.begin(), members_.end(),
                       [thread](const thread_pipeline* member) { return member->thread() == thread; });
}

void thread_group::advance(cycles end) {
    issue_until(end);
    for (thread_pipeline* member : members_) member->has_come_to(end);
}

void thread_group::run_to_end() {
    issue_until(forever);
    for (thread_pipeline* member : members_) member->come_to_end();
}

void thread_group::issue_until(cycles end) {
    do {
        if (thread_pipeline* only = only_active(end)) {
            const std::uint64_t before = only->counters().words_out;
            only->run(end);
            if (only->counters().words_out != before) arbiter_.issued(only->thread());
            return;
        }
    } while (issue_next(end));
}

/// The only member that has anything to do before `end`, if there is only one: nobody competes with it.
thread_pipeline* thread_group::only_active(cycles end) {
    thread_pipeline* found = nullptr;
    for (thread_pipeline* member : members_) {
        if (member->is_quiet_before(end)) continue;
        if (found) return nullptr;
        found = member;
    }
    return found;
}

/// Lets the next word pass, or time up to where one could. False if none passes before `end`.
bool thread_group::issue_next(cycles end) {
    std::array<slot_offer, isa::thread_count> offers;
    cycles first = end;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        offers[i] = members_[i]->offer_before(end);
        first = std::min(first, offers[i].issues);
    }
    // Nothing passes before that cycle, so the waits can be judged up to there.
    bool is_new = false;
    for (thread_pipeline* member : members_) is_new |= member->judge_wait(first);
    if (is_new) return true;
    if (first >= end) return false;

    std::array<timing::issue_candidate, isa::thread_count> candidates;
    std::array<std::size_t, isa::thread_count> member_of{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (!offers[i].is_open || offers[i].issues > first) continue;
        candidates[count] = {members_[i]->thread(), offers[i].issues};
        member_of[count++] = i;
    }
    if (count == 0) return true; // a wait could have ended here, and has not
    const std::size_t chosen = arbiter_.choose(candidates.data(), count);
    const std::size_t winner = member_of[chosen];
    arbiter_.issued(candidates[chosen].thread);

    cycles limit = end; // of what the winner may issue in one go
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (i == winner) continue;
        members_[i]->judge_wait_of(first); // it does not see what passes in that cycle
        if (offers[i].is_open && offers[i].at <= first) members_[i]->lose_slot(offers[i], first);
        limit = std::min(limit, members_[i]->sees_every_issue() ? first : offers[i].at);
    }
    members_[winner]->step_gate(std::max(limit, first + one_cycle));
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (i != winner) members_[i]->another_has_issued(first);
    return true;
}

cycles thread_group::next_action(cycles now) {
    cycles next = forever;
    for (thread_pipeline* member : members_) next = std::min(next, member->next_action(now));
    return next;
}

} // namespace sfpu::frontend
