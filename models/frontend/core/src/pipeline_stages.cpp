// The stages of thread_pipeline. A step moves one word (or one burst of a playback), if that happens before `end`.
#include <sfpu/frontend/thread_pipeline.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

constexpr unsigned largest_sure_count = replay_expander::slots; ///< documents disagree beyond it

} // namespace

// --- MOP expander ----------------------------------------------------------------------------------------------------

bool thread_pipeline::step_mop(cycles end) {
    const bool expands = mop_.pending();
    cycles at = mop_free_;
    if (!expands) {
        if (fifo_.empty() && !refill()) return step_b(end, end);
        const queued_word& head = fifo_.front();
        at = std::max(head.at, is_mop(head.word) ? mop_free_ : after_mop_);
        if (is_mop(head.word) || is_mop_cfg(head.word)) {
            if (at >= end) return step_b(end, end);
            take_in(at);
            return true;
        }
    }
    if (replay_fifo_.full()) return false;
    at = std::max(at, replay_fifo_room());
    if (step_b(end, at)) return true;
    if (at >= end) return false;
    mop_free_ = after_mop_ = at + one_cycle;
    if (expands) {
        const std::uint32_t word = mop_.take();
        ++counters_.mop_words;
        if (!mop_.pending()) end_mop(at);
        pass_mop_expander({word, false, mop_index_, at});
        return true;
    }
    queued_word word = fifo_.front();
    fifo_.pop_front();
    word.at = latest_intake_ = at;
    expander_words_ -= is_replay(word.word);
    if (!held_to_gate_) {
        release(word);
        word.held = false;
    }
    pass_mop_expander(word);
    return true;
}

/// Takes in a MOP or MOP_CFG. The first instruction of an expansion can follow in the same cycle.
void thread_pipeline::take_in(cycles at) {
    queued_word head = fifo_.front();
    fifo_.pop_front();
    latest_intake_ = at;
    release(head);
    --expander_words_;
    if (is_mop_cfg(head.word)) {
        mop_.set_mask_hi(head.word);
        mop_free_ = after_mop_ = at + one_cycle;
        return;
    }
    --waiting_mops_;
    ++counters_.mops;
    mop_.begin(head.word);
    mop_index_ = head.index;
    mop_begin_ = mop_free_ = at;
    if (!mop_.pending()) end_mop(at);
}

void thread_pipeline::end_mop(cycles at) {
    mop_free_ = at + one_cycle;
    after_mop_ = mop_free_ + dead_cycles_;
    if (observer_) publish("mop", "expand", mop_begin_, at, fmt::format("mop (word {})", mop_index_));
}

/// A word of the B core, if it goes before one that the T core would pass on at `t_core`.
bool thread_pipeline::step_b(cycles end, cycles t_core) {
    if (b_fifo_.empty() || replay_fifo_.full()) return false;
    const cycles at = next_b_cycle();
    if (at >= std::min(end, t_core)) return false;
    pass_b(at);
    return true;
}

cycles thread_pipeline::next_b_cycle() const { return std::max(b_fifo_.front().at, replay_fifo_room()); }

void thread_pipeline::pass_b(cycles at) {
    queued_word word = b_fifo_.front();
    b_fifo_.pop_front();
    word.at = at;
    replay_fifo_.push_back(word);
}

/// Into the FIFO before the replay expander, unless a word of the B core takes this cycle.
void thread_pipeline::pass_mop_expander(const queued_word& word) {
    if (b_fifo_.empty() || next_b_cycle() != word.at) {
        replay_fifo_.push_back(word);
        return;
    }
    ++counters_.collisions;
    around_->report(report_id::frontend_collision, word.at, word.index,
                    fmt::format("{} of the T core is lost: the B core pushes {} in the same cycle",
                                isa::disassemble(word.word, arch_),
                                isa::disassemble(b_fifo_.front().word, arch_)));
    release(word);
    pass_b(word.at);
}

// --- replay expander -------------------------------------------------------------------------------------------------

bool thread_pipeline::step_replay(cycles end) {
    if (replay_.playing()) return !plays_in_bursts() && step_playback(end);
    if (replay_fifo_.empty()) return false;
    queued_word head = replay_fifo_.front();
    const bool stays = replay_.loading() ? !replay_.executes() : is_replay(head.word);
    cycles at = std::max(head.at, replay_free_);
    if (!stays) {
        if (gate_fifo_.full()) return false;
        at = std::max(at, gate_fifo_room());
    }
    if (at >= end) return false;

    replay_fifo_.pop_front();
    left_replay_fifo_.add(at);
    replay_free_ = at + one_cycle;
    head.at = at;
    if (replay_.loading()) {
        replay_.store(head.word, is_plain(head.word));
        counters_.loaded_words += stays;
    } else if (stays) {
        begin_replay(head);
    }
    if (stays) release(head);
    else gate_fifo_.push_back(head);
    return true;
}

/// One word of a playback into the FIFO before the wait gate.
bool thread_pipeline::step_playback(cycles end) {
    if (!replay_.playing() || gate_fifo_.full()) return false;
    const cycles at = std::max(replay_free_, gate_fifo_room());
    if (at >= end) return false;
    gate_fifo_.push_back({replay_.next(), false, replay_index_, at});
    played(1, at);
    return true;
}

void thread_pipeline::begin_replay(const queued_word& head) {
    const unsigned count = replay_expander::count_field(head.word);
    if (count == 0 || count > largest_sure_count)
        around_->report(report_id::isa_undefined, head.at, head.index,
                        fmt::format("{}: documents disagree on what a count of {} means",
                                    isa::disassemble(head.word, arch_), count));
    replay_.begin(head.word);
    if (!replay_.playing()) return;
    if (!replay_.plays_loaded())
        around_->report(
            report_id::frontend_replay_unloaded, head.at, head.index,
            fmt::format("{} plays slots that nothing has loaded", isa::disassemble(head.word, arch_)));
    ++counters_.replays;
    replay_index_ = head.index;
    replay_begin_ = head.at;
    replay_free_ =
        head.at + replay_start_; // the first word follows in the same cycle unless a parameter says more
}

/// `count` words of a playback have left the expander, the last one in cycle `at`.
void thread_pipeline::played(unsigned count, cycles at) {
    replay_.skip(count);
    counters_.replay_words += count;
    replay_free_ = at + one_cycle;
    if (observer_ && !replay_.playing())
        publish("replay", "play", replay_begin_, at, fmt::format("replay (word {})", replay_index_));
}

// --- wait gate -------------------------------------------------------------------------------------------------------

/// Nothing between the replay buffer and the vector unit can hold the next word back or change its meaning.
bool thread_pipeline::plays_in_bursts() const {
    return replay_.playing() && gate_fifo_.empty() && !gate_.waits() && replay_.next_is_plain();
}

bool thread_pipeline::step_gate(cycles end) {
    if (plays_in_bursts()) return issue_burst(end);
    const bool waited = gate_.waits();
    if (!waited && (gate_fifo_.empty() || is_plain(gate_fifo_.front().word))) return issue_run(end);
    if (gate_fifo_.empty()) return false;
    const queued_word head = gate_fifo_.front();
    const cycles presented = std::max(head.at, gate_free_);
    if (presented >= end) return false;
    const cycles passes = gate_.may_pass(head.word, presented, end);
    if (passes >= end || !issues_before(end, head.word, passes)) return false;
    if (passes != presented) count_wait(head.word, presented, passes);

    // What a wait evaluates in the word's own cycle it must see before the word is issued.
    const cycles issues = waited ? around_->issue_cycle(head.word, passes) : passes;
    gate_.pass(head.word, issues, head.index);
    cycles issued;
    around_->issue({&head.word, 1, head.index, 0}, passes, forever, &issued);
    gate_fifo_.pop_front();
    left_gate_fifo_.add(issued);
    gate_free_ = issued + one_cycle;
    ++counters_.words_out;
    release(head);
    return true;
}

void thread_pipeline::count_wait(std::uint32_t word, cycles from, cycles until) {
    counters_.wait_gate_cycles += static_cast<std::uint64_t>((until - from).count());
    if (!observer_) return;
    if (is_for_mutex(word)) // a wait may have held it, too
        publish("wait_gate", "mutex", from, until - one_cycle, isa::disassemble(word, arch_));
    else
        publish("wait_gate", gate_.wait_word() >> 24 == isa::opcode::semwait ? "semwait" : "stallwait", from,
                until - one_cycle, isa::disassemble(gate_.wait_word(), arch_));
}

/// Whether the unit issues the word before `end` if it is offered at `at`.
bool thread_pipeline::issues_before(cycles end, std::uint32_t word, cycles at) const {
    if (shares_slot()) return around_->issue_cycle(word, at) < end; // others may have kept it waiting
    return at + longest_hold_ < end || around_->issue_cycle(word, at) < end;
}

/// Collects words that nothing can hold back but the unit, those behind the gate's head included: they are at the gate by
/// the time at which the unit can take them, if it takes one a cycle from the head's cycle on. A word may go through all
/// stages in one cycle, one word a cycle through each, and the place that a word leaves can be taken in the same cycle, so
/// that a FIFO is never too full for a word whose turn it is.
struct thread_pipeline::run_of_words {
    const unsigned most;
    const cycles gate_free, end;
    std::array<std::uint32_t, longest_run> words;
    unsigned count = 0;
    cycles start{}; ///< when the unit can take the first
    std::int64_t first_index = 0;
    unsigned index_step = 0;

    run_of_words(unsigned most_words, cycles free, cycles before)
        : most(most_words), gate_free(free), end(before) {}
    /// False if the run ends before this word, which is at the gate in cycle `at`.
    bool add(const queued_word& next, cycles at) {
        if (count < 2 && !begin_with(next, at)) return false;
        if (count == most_now_ || next.index != next_index_ || at > start + cycles{count} ||
            !is_plain(next.word))
            return false;
        next_index_ += index_step;
        words[count++] = next.word;
        return true;
    }

private:
    /// The first word says when the run starts, the second one how its words are numbered.
    bool begin_with(const queued_word& next, cycles at) {
        if (count == 0) {
            start = std::max(at, gate_free);
            first_index = next_index_ = next.index;
            if (end <= start) return false;
            most_now_ = static_cast<unsigned>(std::min<std::int64_t>(most, (end - start).count()));
            return true;
        }
        index_step = next.index != first_index;
        next_index_ = first_index + index_step;
        return true;
    }

    unsigned most_now_ = 0; ///< that are issued before `end`
    std::int64_t next_index_ = 0;
};

void thread_pipeline::collect(run_of_words& run) {
    for (std::size_t i = 0; i < gate_fifo_.size(); ++i)
        if (!run.add(gate_fifo_[i], gate_fifo_[i].at)) return;
    if (replay_.loading() || replay_.playing()) return;
    cycles leaves_replay = replay_free_;
    for (std::size_t i = 0; i < replay_fifo_.size(); ++i, leaves_replay += one_cycle) {
        const queued_word& word = replay_fifo_[i];
        leaves_replay = std::max(leaves_replay, word.at);
        if (is_replay(word.word) || !run.add(word, leaves_replay)) return;
    }
    if (mop_.pending() || !b_fifo_.empty()) return;
    cycles leaves_mop = after_mop_;
    for (std::size_t i = 0; i < fifo_.size(); ++i, leaves_mop += one_cycle, leaves_replay += one_cycle) {
        const queued_word& word = fifo_[i];
        leaves_mop = std::max(leaves_mop, word.at);
        leaves_replay = std::max(leaves_replay, leaves_mop);
        if (is_for_expander(word.word) || !run.add(word, leaves_replay)) return;
    }
}

/// Plain words from the FIFOs, `most` at most, those that are issued before `end`.
bool thread_pipeline::issue_run(cycles end, unsigned most) {
    run_of_words run(std::min(longest_run_, most), gate_free_, end);
    collect(run);
    if (run.count == 0) return false;
    std::array<cycles, longest_run> issued;
    const unsigned count = around_->issue({run.words.data(), run.count, run.first_index, run.index_step},
                                          run.start, end, issued.data());
    if (count == 0) return false;
    gate_.passed(run.words.data(), count, issued.data());
    pass_all_stages(issued.data(), count);
    counters_.words_out += count;
    departures_.come_true(count, issued[count - 1]);
    return true;
}

/// Whether the words that are there leave as the unit takes them, whatever happens until then, and nothing else makes room
/// for a push.
bool thread_pipeline::only_unit_holds() {
    if (shares_slot() || !held_to_gate_ || plays_in_bursts() || replay_.loading() || mop_.pending())
        return false;
    if (gate_.waits() || !b_fifo_.empty() || expander_words_ != 0) return false;
    for (std::size_t i = 0; i < replay_fifo_.size(); ++i)
        if (is_replay(replay_fifo_[i].word)) return false;
    return true;
}

/// Issues as many words as have to leave before there is room for a push, however late, if these are the only ones that
/// can make room: nobody looks before that. False if something else may, or if nothing was issued.
bool thread_pipeline::issue_until_room() {
    return only_unit_holds() && issue_run(forever, held_ - accept_limit_);
}

/// Finds out when the words that are there will be issued, if only the unit holds them and each takes a place of the first
/// FIFO.
void thread_pipeline::foresee_departures() {
    if (fifo_.size() + replay_fifo_.size() + gate_fifo_.size() != held_) return;
    run_of_words run(longest_run_, gate_free_, forever);
    collect(run);
    if (run.count == 0) return;
    departures_.fill([&](cycles* times) {
        return around_->foresee({run.words.data(), run.count, run.first_index, run.index_step}, run.start,
                                times);
    });
}

/// Something comes that may change what has been foreseen, or make room earlier: what has been told to those who push stays
/// true, the rest is forgotten.
void thread_pipeline::settle_departures() {
    if (const unsigned told = departures_.passed()) issue_run(forever, told);
    departures_.clear();
}

/// Takes the next words from wherever they are to the unit, which issued them in these cycles.
void thread_pipeline::pass_all_stages(const cycles* issued, unsigned count) {
    const cycles* const end = issued + count;
    gate_free_ = end[-1] + one_cycle;
    unsigned passed = 0;
    for (; passed < gate_fifo_.size() && issued != end; ++passed) {
        release(gate_fifo_[passed]);
        left_gate_fifo_.add(*issued++);
    }
    gate_fifo_.pop_front(passed);
    if (issued == end) return;

    cycles free = replay_free_;
    const auto leave_replay_expander = [&](cycles at) {
        at = std::max({at, free, gate_fifo_room()});
        left_replay_fifo_.add(at);
        free = at + one_cycle;
        left_gate_fifo_.add(*issued++);
    };
    for (passed = 0; passed < replay_fifo_.size() && issued != end; ++passed) {
        release(replay_fifo_[passed]);
        leave_replay_expander(replay_fifo_[passed].at);
    }
    replay_fifo_.pop_front(passed);
    if (issued != end) {
        passed = 0;
        while (issued != end) { // leave_replay_expander takes them
            const cycles at = std::max({fifo_[passed].at, after_mop_, replay_fifo_room()});
            after_mop_ = at + one_cycle;
            release(fifo_[passed++]);
            leave_replay_expander(at);
        }
        fifo_.pop_front(passed);
        mop_free_ = after_mop_;
        latest_intake_ = after_mop_ - one_cycle;
    }
    replay_free_ = free;
}

/// Words of a playback straight from the buffer, those that are issued before `end`.
bool thread_pipeline::issue_burst(cycles end) {
    cycles leaves = std::max(replay_free_, gate_fifo_room());
    const cycles at = std::max(leaves, gate_free_);
    if (at >= end) return false;
    std::array<cycles, replay_expander::slots> issued;
    const unsigned count =
        around_->issue({replay_.words(), replay_.plain_run(), replay_index_, 0}, at, end, issued.data());
    if (count == 0) return false;
    gate_.passed(replay_.words(), count, issued.data());
    // When each word left the expander, had it gone through the FIFO.
    for (unsigned i = 0; i < count; ++i) {
        leaves = std::max(i == 0 ? leaves : leaves + one_cycle, gate_fifo_room());
        left_gate_fifo_.add(issued[i]);
    }
    gate_free_ = issued[count - 1] + one_cycle;
    counters_.words_out += count;
    played(count, leaves);
    return true;
}

} // namespace sfpu::frontend
