#include <sfpu/vector_unit/issue_unit.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/vector_unit/macro_scheduler.h>
#include <sfpu/vector_unit/nonblocking_port.h>
#include <sfpu/vector_unit/push_payload.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace sfpu {

// --- push ports ----------------------------------------------------------------------------------------------------

class issue_unit::push_port : public tlm::tlm_fw_transport_if<> {
public:
    push_port(issue_unit& owner, unsigned index, const char* name)
        : socket(name), thread(static_cast<std::uint8_t>(index)), owner_(owner), index_(index) {
        socket.bind(*this);
    }

    ~push_port() override {
        if (four_phases_) four_phases_->close();
    }

    tlm::tlm_target_socket<32> socket;
    const std::uint8_t thread;
    boost::circular_buffer<queued_word> queue{64};
    cycles watermark{};
    cycles counted_until{}; ///< the stalls of its first word have been counted up to here

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override {
        const unsigned length = trans.get_data_length();
        auto* order = trans.get_extension<issue_order>();
        tlm::tlm_response_status status = check(trans);
        if (status == tlm::TLM_OK_RESPONSE && order && order->thread >= isa::thread_count)
            status = tlm::TLM_GENERIC_ERROR_RESPONSE;
        if (status != tlm::TLM_OK_RESPONSE) {
            trans.set_response_status(status);
            return;
        }
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        const cycles start = owner_.cycle_at(now + delay);
        const unsigned char* words = trans.get_data_ptr();
        const cycles done = order ? owner_.push_ordered(index_, words, length / 4, *order)
                                  : owner_.push(index_, words, length / 4, start);
        const sc_core::sc_time& until = owner_.time_of(done);
        if (until > now + delay) delay = until - now;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    static tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans) {
        const unsigned length = trans.get_data_length(), width = trans.get_streaming_width();
        const unsigned span = width == 0 ? length : std::min(length, width);
        const sc_dt::uint64 address = trans.get_address();
        const bool is_inside = address < push_window_bytes && span <= push_window_bytes - address;
        return is_inside && address % 4 == 0 ? check_push(trans) : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    /// Made when it is needed: most initiators only call b_transport.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (!four_phases_)
            four_phases_ = nonblocking_port::make(
                [this](tlm::tlm_generic_payload& pushed, sc_core::sc_time& after) {
                    b_transport(pushed, after);
                },
                [this](tlm::tlm_generic_payload& pushed, tlm::tlm_phase& next, sc_core::sc_time& after) {
                    return socket->nb_transport_bw(pushed, next, after);
                });
        return four_phases_->forward(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    issue_unit& owner_;
    unsigned index_;
    std::shared_ptr<nonblocking_port> four_phases_;
};

issue_unit::issue_unit(const sc_core::sc_module_name& name, lreg_file& lregs, macro_scheduler& next,
                       unsigned push_ports)
    : sc_module(name), scheduler("scheduler_isock"), lregs_(lregs), next_(next) {
    const unsigned ports = module_argument(*this, "push ports", push_ports, 1, isa::thread_count);
    for (unsigned port = 0; port < ports; ++port)
        ports_.push_back(
            std::make_unique<push_port>(*this, port, fmt::format("insn_tsock_{}", port).c_str()));
}

issue_unit::~issue_unit() = default;

tlm::tlm_target_socket<32>& issue_unit::insn_tsock(unsigned port) {
    return module_socket(*this, "push port", ports_, port).socket;
}

void issue_unit::reset(bool is_heard) {
    is_heard_ = is_heard;
    followed_ = nullptr;
    calm_ = 0;
    patience_ = look_at_ = least_patience;
    history_.clear();
    words_put_off_ = 0;
    planner_.reset(lregs_.machine);
    rules_known_ = false;
    arbiter_.reset(lregs_.config.issue_thread_order);
    held_words_.clear();
    for (auto& port : ports_) {
        port->queue.clear();
        port->watermark = port->counted_until = cycles{};
    }
    period_ =
        std::max(sc_core::sc_time(static_cast<double>(lregs_.machine.period_ps), sc_core::SC_PS),
                 sc_core::sc_get_time_resolution()); // never zero, see vector_unit::check_time_resolution()
    latest_cycle_ = next_free_ = cycles{};
    latest_time_ = epoch_;
    first_issue_ = cycles{-1};
    word_count_ = 0;
    thread_ = 0;
    word_step_ = 1;
    remembered_words_ = 0;
}

cycles issue_unit::cycle_at(const sc_core::sc_time& time) const {
    if (time == latest_time_) return latest_cycle_;
    if (time <= epoch_) return cycles{};
    const sc_dt::uint64 since = (time - epoch_).value(), period = period_.value();
    const sc_dt::uint64 whole = since / period;
    const cycles at{static_cast<std::int64_t>(std::min(whole, sc_dt::uint64{1} << 62))};
    return std::min(at + cycles{since - whole * period != 0}, last_cycle_);
}

void issue_unit::set_epoch(const sc_core::sc_time& epoch) {
    epoch_ = latest_time_ = epoch;
    latest_cycle_ = cycles{};
    constexpr sc_dt::uint64 margin = sc_dt::uint64{1} << 32, most = sc_dt::uint64{1} << 61;
    const sc_dt::uint64 left = (sc_core::sc_max_time() - epoch).value() / period_.value();
    last_cycle_ = cycles{static_cast<std::int64_t>(std::min(left > margin ? left - margin : 0, most))};
}

/// Mostly it is the cycle after the one that was asked for last: adding is cheaper than converting.
inline const sc_core::sc_time& issue_unit::time_of(cycles cycle) {
    if (cycle == latest_cycle_ + one_cycle) latest_time_ += period_;
    else if (cycle != latest_cycle_)
        latest_time_ = epoch_ + sc_core::sc_time::from_value(period_.value() *
                                                             static_cast<sc_dt::uint64>(cycle.count()));
    latest_cycle_ = cycle;
    return latest_time_;
}

/// Has a plan executed, and stands behind it.
[[gnu::always_inline]] inline void issue_unit::run(const timing::plan& plan, std::int64_t first_word) {
    instruction_extension& message = scheduler.message();
    message.plan = &plan;
    message.word_step = word_step_;
    message.at = planner_.now();
    message.word = first_word;
    message.thread = thread_;
    scheduler.send();
    if (plan.length != 0) {
        word_count_ += std::int64_t{plan.length} * word_step_;
        next_free_ = message.at + cycles{plan.duration};
        if (plan.number != 0) remembered_words_ += plan.length;
    }
    planner_.finished(plan, first_word);
    if (plan.changes_rules) sample_rules(plan.length != 0 ? plan.words[plan.length - 1] : 0, plan.changed_by);
}

/// Issues words one after the other, none before `start` and none in cycle `end` or later; returns how many. `issued`, if
/// not null, receives the cycle of each.
unsigned issue_unit::issue_all(timing::pushed_words words, cycles start, cycles end, cycles* issued) {
    return issue_words(words, start, end, issued);
}

[[gnu::always_inline]] inline unsigned issue_unit::issue_words(timing::pushed_words words, cycles start,
                                                               cycles end, cycles* issued) {
    const unsigned count = words.count;
    const timing::word_source source{thread_, static_cast<std::uint8_t>(word_step_)};
    while (words.count != 0) {
        const cycles offered = std::max(start, next_free_);
        if (end <= offered) break;
        take_rules();
        const bool has_held = !held_words_.empty();
        if (has_held) publish_held_words(words[0], offered);
        if (planner_.now() < offered) {
            let_pass(offered);
            take_rules();
        }
        const cycles begin = planner_.now();
        if (end <= begin) break;
        const timing::plan& plan = planner_.plan_words(words, (end - begin).count(), source, word_count_);
        if (plan.duration == 0) break;
        if (plan.length != 0) {
            const cycles first = begin + cycles{plan.issued_at[0]};
            if (words.count == count) issue_of_push_ = first;
            if (first_issue_.count() < 0) first_issue_ = first;
            if (offered < begin && !has_held) held_before(words[0], offered, begin);
            if (issued) {
                for (unsigned i = 0; i < plan.length; ++i) issued[i] = begin + cycles{plan.issued_at[i]};
                issued += plan.length;
            }
            words.drop(plan.length);
        }
        run(plan, word_count_);
        start = planner_.now();
    }
    return count - words.count;
}

// --- words that come one by one --------------------------------------------------------------------------------------

/// The next word of the plan that is followed has come, in time.
inline cycles issue_unit::accept_expected() {
    issue_of_push_ = followed_since_ + cycles{followed_->issued_at[accepted_]};
    next_free_ = issue_of_push_ + one_cycle;
    if (++accepted_ == followed_->length) complete_words();
    return next_free_;
}

/// Whether this word, alone and for this cycle, begins a plan that may be followed.
[[gnu::noinline]] bool issue_unit::begin_to_follow(std::uint32_t word, cycles at) {
    if (!puts_off()) return false;
    take_rules();
    calm_ = planner_.now() == std::max(at, next_free_) ? calm_ + 1 : 0;
    if (calm_ >= patience_) {
        followed_ = planner_.expected(word, {0, 1}, word_count_);
        if (!followed_ && calm_ >= look_at_) look_ahead(word);
        if (followed_) {
            accepted_ = 0;
            followed_since_ = planner_.now();
            if (first_issue_.count() < 0) first_issue_ = followed_since_ + cycles{followed_->issued_at[0]};
            return true;
        }
    }
    history_.add(word);
    return false;
}

/// Makes a plan of what comes with this word if the latest words repeat themselves. The longer what was expected did not
/// come, the more of them have to.
void issue_unit::look_ahead(std::uint32_t word) {
    const std::size_t period = history_.period(std::min<std::size_t>(patience_ / 2, history_.kept / 2));
    if (period != 0) {
        history_.go_on(period, most_coming, coming_);
        if (coming_.front() == word && coming_.size() >= fewest_coming)
            followed_ = planner_.expect({reinterpret_cast<const unsigned char*>(coming_.data()),
                                         static_cast<unsigned>(coming_.size())},
                                        {0, 1}, word_count_);
        if (followed_ && followed_->length < fewest_coming) followed_ = nullptr;
    }
    if (!followed_) look_at_ = calm_ + std::min(calm_, most_between_looks);
}

/// Executes the words that have come of the plan that is followed: by that plan or, if they are not all, by one of their
/// own. They are issued in the same cycles: a plan does not look ahead (with one issue slot).
[[gnu::noinline]] void issue_unit::complete_words() {
    const timing::plan& plan = *followed_;
    followed_ = nullptr;
    words_put_off_ += accepted_;
    history_.add(plan.words.data(), accepted_);
    ports_[0]->watermark = next_free_;
    if (accepted_ == plan.length) {
        patience_ = look_at_ = least_patience;
        run(plan, word_count_);
        return;
    }
    calm_ = 0;
    patience_ = look_at_ = std::min(2 * patience_, most_patience);
    unsigned char bytes[sizeof plan.words]; // the plan may be given up for the new one
    std::memcpy(bytes, plan.words.data(), 4 * std::size_t{accepted_});
    const cycles issue_of_push = issue_of_push_;
    next_free_ = followed_since_;
    issue_all({bytes, accepted_}, followed_since_, forever, nullptr);
    issue_of_push_ = issue_of_push;
}

[[gnu::always_inline]] inline cycles issue_unit::push(unsigned port, const unsigned char* bytes,
                                                      unsigned count, cycles start) {
    const timing::pushed_words words{bytes, count};
    if (followed_) {
        if (count == 1 && start <= next_free_ && words[0] == followed_->words[accepted_])
            return accept_expected();
        complete_words();
    }
    // Who pushes behind its watermark (somebody else's catch-up moved it) is made to wait: nothing is lost.
    cycles at = std::max(start, ports_[port]->watermark);
    if (ports_.size() == 1) {
        thread_ = 0;
        if (count != 1) history_.clear();
        else if (begin_to_follow(words[0], at)) return accept_expected();
        issue_words(words, at, forever, nullptr);
        at = next_free_;
        ports_[0]->watermark = at;
        return at;
    }
    push_port& from = *ports_[port];
    const unsigned width = lregs_.machine.issue_width;
    for (unsigned i = 0; i < count; ++i) {
        if (from.queue.full()) from.queue.set_capacity(2 * from.queue.capacity());
        // With two issue slots any two words may go together; one a cycle is what the words in front let them do.
        from.queue.push_back({words[i], width > 1 ? at : at + cycles{i}});
    }
    at += cycles{(count + width - 1) / width};
    raise_watermark(port, at);
    return at;
}

/// Words of a front end. It knows more than a watermark says: a word that comes behind it was held until then.
cycles issue_unit::push_ordered(unsigned port, const unsigned char* bytes, unsigned count,
                                issue_order& order) {
    complete();
    if (ports_.size() != 1) issue_queued(false, order.start + one_cycle);
    word_count_ = order.index;
    word_step_ = order.index_step;
    thread_ = ports_.size() == 1 ? order.thread : ports_[port]->thread;
    order.taken = issue_all({bytes, count}, order.start, order.end, order.issued);
    word_step_ = 1;
    if (order.taken == 0) return order.start;
    ports_[port]->watermark = std::max(ports_[port]->watermark, next_free_);
    return next_free_;
}

cycles issue_unit::issue_cycle(std::uint32_t word, cycles earliest) {
    complete();
    take_rules();
    const cycles offered = std::max(earliest, next_free_);
    timing::hold_cause cause;
    return offered + cycles{planner_.wait(planner_.library().decode(word).insn, offered, cause)};
}

unsigned issue_unit::foresee(const unsigned char* bytes, unsigned count, const issue_order& order) {
    complete();
    if (ports_.size() != 1 || !held_words_.empty() || !order.issued) return 0;
    const cycles offered = std::max(order.start, next_free_);
    if (planner_.now() != offered) return 0;
    take_rules();
    const timing::plan& plan =
        planner_.foresee({bytes, count}, {order.thread, order.index_step}, order.index);
    for (unsigned i = 0; i < plan.length; ++i) order.issued[i] = offered + cycles{plan.issued_at[i]};
    return plan.length;
}

void issue_unit::raise_watermark(unsigned port, cycles cycle) {
    complete();
    ports_[port]->watermark = std::max(ports_[port]->watermark, cycle);
    if (ports_.size() > 1) issue_queued(true);
}

/// Issues queued words in the order of T22, those that go before `end`; if more may come, only as long as no silent port
/// can still bring one that goes first.
void issue_unit::issue_queued(bool more_may_come, cycles end) {
    while (find_candidates(more_may_come)) {
        const timing::issue_candidate& first =
            candidates_[arbiter_.choose(candidates_.data(), candidates_.size())];
        push_port& winner = *ports_[first.thread];
        if (winner.queue.empty() || first.at >= end) return;
        hold_back_others(winner, first.at);
        arbiter_.issued(first.thread);
        thread_ = winner.thread;
        issue_head(winner, first.at);
        winner.counted_until = next_free_;
    }
}

/// Issues the first word of a port in this cycle, and the one behind it if both may go.
void issue_unit::issue_head(push_port& port, cycles at) {
    const queued_word head = port.queue.front();
    std::array<std::uint32_t, isa::largest::issue_width> words{head.word};
    unsigned count = 1;
    while (count < lregs_.machine.issue_width && count < port.queue.size() &&
           port.queue[count].earliest <= at) {
        words[count] = port.queue[count].word;
        ++count;
    }
    unsigned char bytes[sizeof words];
    std::memcpy(bytes, words.data(), sizeof words);
    const cycles end = count == 1 ? forever : at + one_cycle;
    port.queue.erase_begin(issue_all({bytes, count}, head.earliest, end, nullptr));
}

/// The ports that compete, by number: those with a word, and those that may still bring one. False if none has a word.
bool issue_unit::find_candidates(bool more_may_come) {
    candidates_.clear();
    bool any = false;
    for (unsigned number = 0; number < ports_.size(); ++number) {
        push_port& port = *ports_[number];
        if (!port.queue.empty()) {
            const queued_word& head = port.queue.front();
            begin_wait(port);
            candidates_.push_back({number, issue_cycle(head.word, head.earliest)});
            any = true;
        } else if (more_may_come) {
            candidates_.push_back({number, std::max(port.watermark, next_free_)});
        }
    }
    return any;
}

/// A port's first word may have come too late to compete for cycles that it could have had.
void issue_unit::begin_wait(push_port& port) {
    const cycles from = std::max(port.counted_until, port.queue.front().earliest);
    if (from < next_free_) count_stall(probe::stall_cause::thread_slot, port.thread, from, next_free_);
    port.counted_until = std::max(from, next_free_);
}

void issue_unit::hold_back_others(const push_port& winner, cycles at) {
    for (auto& port : ports_) {
        if (port.get() == &winner || port->queue.empty() || at < port->counted_until) continue;
        // Counted only: which words are there already depends on how far their senders have run ahead.
        count_hold(port->queue.front().word, port->thread, port->counted_until, at + one_cycle);
        port->counted_until = at + one_cycle;
    }
}

void issue_unit::hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from,
                           cycles until) {
    complete();
    const held_word held = count_hold(word, thread, from, until);
    if (lregs_.observer && held.from < held.until)
        held_words_.push_back({index, thread, held.cause, held.from, held.allowed, held.until});
}

/// Counts the cycles for which a word waits, by its own causes and then for the slot.
issue_unit::held_word issue_unit::count_hold(std::uint32_t word, std::uint8_t thread, cycles from,
                                             cycles until) {
    from = std::max(from, next_free_); // before that it was counted when other words were issued
    if (!(from < until)) return {};
    take_rules();
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, from, cause);
    const cycles allowed = std::min(from + cycles{wait}, until);
    count_stall(cause_of(cause), thread, from, allowed);
    count_stall(probe::stall_cause::thread_slot, thread, allowed, until);
    return {-1, thread, cause_of(cause), from, allowed, until};
}

void issue_unit::count_stall(probe::stall_cause cause, std::uint8_t thread, cycles from, cycles until) {
    lregs_.counters.count_stall(cause, thread, static_cast<std::uint64_t>((until - from).count()));
}

/// Publishes the cycles for which the next word, offered at `offered`, waits, and those for which it keeps others waiting.
void issue_unit::publish_held_words(std::uint32_t word, cycles offered) {
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, offered, cause);
    const cycles allowed = offered + cycles{wait};
    count_stall(cause_of(cause), thread_, offered, allowed);
    cycles first = offered, end = allowed;
    for (const held_word& other : held_words_) {
        first = std::min(first, other.from);
        end = std::max(end, other.until);
    }
    for (cycles at = first; at < end; ++at) {
        let_pass(at); // sub-units run first, so that the event stream stays in order
        next_.publish_begin_once(at);
        if (offered <= at && at < allowed)
            lregs_.observer->stalled({at, cause_of(cause), word_count_, thread_});
        for (const held_word& other : held_words_)
            if (other.from <= at && at < other.until)
                lregs_.observer->stalled({at,
                                          at < other.allowed ? other.cause : probe::stall_cause::thread_slot,
                                          other.index, other.thread});
    }
    held_words_.clear();
}

void issue_unit::drain() {
    complete();
    issue_queued(false);
    while (planner_.moves()) run(*planner_.plan_idle(planner_.now() + longest_idle_plan), -1);
    next_free_ = std::max(next_free_, planner_.now());
    if (!planner_.busy()) return;
    lregs_.reporter.report(report_id::macro_never_drained, planner_.now(), -1, [&] {
        std::string text = "still outstanding at the end:";
        for (const timing::scheduled_entry& entry : planner_.slots().entries())
            text += fmt::format(" {} on {} ({} to go, word {});",
                                isa::text(*entry.insn, lregs_.machine.encoding()), to_string(entry.unit),
                                entry.remaining, next_.origin(entry.origin).word);
        text.pop_back();
        return text;
    });
}

void issue_unit::advance_to(cycles end) {
    complete();
    cycles known = end;
    for (auto& port : ports_)
        known = std::min(known, port->queue.empty() ? port->watermark : port->queue.front().earliest);
    let_pass(known);
}

/// Executes what happens before the cycle without an issue.
void issue_unit::let_pass(cycles until) {
    if (until <= planner_.now()) return;
    take_rules();
    while (const timing::plan* plan = planner_.plan_idle(until)) run(*plan, -1);
}

// --- issue ---------------------------------------------------------------------------------------------------------

/// A word was offered for a cycle that has been let pass: it may have been held then.
void issue_unit::held_before(std::uint32_t word, cycles offered, cycles now) {
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, offered, cause);
    const cycles until = std::min(offered + cycles{wait}, now);
    if (until <= offered) return;
    const auto which = cause_of(cause);
    count_stall(which, thread_, offered, until);
    if (!lregs_.observer) return;
    for (cycles at = offered; at < until; ++at) lregs_.observer->stalled({at, which, word_count_, thread_});
}

/// What state says to the planner, where it may have changed. `after`: the word that was issued last; `changed_by`: the
/// only instruction that can have written LoadMacroConfig since it was sampled, if not null.
void issue_unit::sample_rules(std::uint32_t after, const isa::instruction* changed_by) {
    const isa::vector_state& state = lregs_.state;
    const isa::lane_configuration& lanes = state.config;
    const timing::rule_inputs& before = planner_.rules();
    timing::rule_inputs now;
    timing::instruction_library& library = planner_.library();
    const std::uint64_t writes = state.macro_version - macro_version_;
    if (!changed_by || !rules_known_ || writes > 1) now.configuration = library.number_of(state);
    else if (writes == 0) now.configuration = before.configuration;
    else now.configuration = library.number_after(before.configuration, *changed_by, state);
    macro_version_ = state.macro_version;
    now.backdoor_closed = lanes.lanes_with(isa::lane_configuration::disable_backdoor_load);
    now.lanes_ordinary = !lanes.any_of(~(1u << isa::lane_configuration::disable_backdoor_load));
    now.backdoor_changed = rules_known_ && after >> 24 == isa::opcode::sfpconfig &&
                           now.backdoor_closed != before.backdoor_closed;
    if (lregs_.machine.issue_width > 1) now.still_modifiers = lregs_.threads[thread_].still_modifiers();
    planner_.set_rules(now);
    rules_known_ = true;
}

void issue_unit::take_rules_anew() {
    if (planner_.library().is_full()) {
        forget_plans();
        return;
    }
    const bool backdoor_changed = planner_.rules().backdoor_changed;
    sample_rules(0, nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

void issue_unit::forget_plans() {
    complete();
    const bool backdoor_changed = planner_.rules().backdoor_changed;
    planner_.forget(lregs_.results.writers());
    sample_rules(0, nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

} // namespace sfpu
