#include <sfpu/vector_unit/issue_unit.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/vector_unit/macro_scheduler.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace sfpu {
namespace {

probe::stall_cause stall_cause_of(timing::hold_cause cause) {
    switch (cause) {
    case timing::hold_cause::swap: return probe::stall_cause::swap;
    case timing::hold_cause::shuffle: return probe::stall_cause::shuffle;
    default: return probe::stall_cause::mad_dependence;
    }
}

} // namespace

// --- push ports ----------------------------------------------------------------------------------------------------

class issue_unit::push_port : public tlm::tlm_fw_transport_if<> {
public:
    push_port(issue_unit& owner, unsigned index, const char* name)
        : socket(name), thread(static_cast<std::uint8_t>(index % isa::thread_count)), owner_(owner),
          index_(index) {
        socket.bind(*this);
    }

    tlm::tlm_target_socket<32> socket;
    const std::uint8_t thread;
    boost::circular_buffer<queued_word> queue{64};
    cycles watermark{};
    cycles counted_until{}; ///< the stalls of its first word have been counted up to here

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override {
        const unsigned length = trans.get_data_length();
        const tlm::tlm_response_status status = check(trans, length);
        if (status != tlm::TLM_OK_RESPONSE) {
            trans.set_response_status(status);
            return;
        }
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        const cycles start = owner_.cycle_at(now + delay);
        auto* order = trans.get_extension<issue_order>();
        const unsigned char* words = trans.get_data_ptr();
        const cycles done = order ? owner_.push_ordered(index_, words, length / 4, *order)
                                  : owner_.push(index_, words, length / 4, start);
        const sc_core::sc_time until =
            owner_.epoch_ +
            sc_core::sc_time::from_value(owner_.period_.value() * static_cast<sc_dt::uint64>(done.count()));
        if (until > now + delay) delay = until - now;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    static tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans, unsigned length) {
        if (!trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
        if (trans.get_address() != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (length == 0 || length % 4 != 0 || trans.get_streaming_width() != 4)
            return tlm::TLM_BURST_ERROR_RESPONSE;
        return tlm::TLM_OK_RESPONSE;
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        b_transport(trans, delay); // the same timing: the answer is complete at once
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    issue_unit& owner_;
    unsigned index_;
};

issue_unit::issue_unit(const sc_core::sc_module_name& name, lreg_file& lregs, macro_scheduler& next,
                       unsigned push_ports)
    : sc_module(name), scheduler("scheduler_isock"), lregs_(lregs), next_(next),
      cache_(std::make_unique<std::array<cached_word, cache_size>>()), latest_word_(cache_->data()) {
    for (unsigned port = 0; port < push_ports; ++port)
        ports_.push_back(
            std::make_unique<push_port>(*this, port, fmt::format("insn_tsock_{}", port).c_str()));
}

issue_unit::~issue_unit() = default;

tlm::tlm_target_socket<32>& issue_unit::insn_tsock(unsigned port) { return ports_.at(port)->socket; }

void issue_unit::reset() {
    rules_.reset(lregs_.config);
    arbiter_.reset(lregs_.config.issue_thread_order);
    held_words_.clear();
    for (auto& port : ports_) {
        port->queue.clear();
        port->watermark = port->counted_until = cycles{};
    }
    for (cached_word& entry : *cache_) { // decoding depends on the architecture
        entry.kind = word_class::empty;
        entry.next = nullptr;
    }
    latest_word_ = cache_->data();
    stretches_.clear();
    previous_ = nullptr;
    replayed_words_ = 0;
    period_ =
        std::max(sc_core::sc_time(static_cast<double>(lregs_.config.period_ps()), sc_core::SC_PS),
                 sc_core::sc_get_time_resolution()); // never zero, see vector_unit::check_time_resolution()
    next_free_ = cycles{};
    first_issue_ = cycles{-1};
    word_count_ = 0;
    thread_ = 0;
    backdoor_changed_at_ = cycles{-1};
}

cycles issue_unit::cycle_at(const sc_core::sc_time& time) const {
    if (time <= epoch_) return cycles{};
    const sc_dt::uint64 since = (time - epoch_).value(), period = period_.value();
    return cycles{static_cast<std::int64_t>((since + period - 1) / period)};
}

cycles issue_unit::push(unsigned port, const unsigned char* bytes, unsigned count, cycles start) {
    // Who pushes behind its watermark (somebody else's catch-up moved it) is made to wait: nothing is lost.
    cycles at = std::max(start, ports_[port]->watermark);
    const pushed_words words{bytes, count};
    if (ports_.size() == 1) {
        thread_ = 0;
        issue_all(words, at, forever, nullptr);
        at = next_free_;
        ports_[0]->watermark = at;
        return at;
    }
    push_port& from = *ports_[port];
    for (unsigned i = 0; i < count; ++i, ++at) {
        if (from.queue.full()) from.queue.set_capacity(2 * from.queue.capacity());
        from.queue.push_back({words[i], at});
    }
    raise_watermark(port, at);
    return at;
}

/// Words of a front end. It knows more than a watermark says: a word that comes behind it was held until then.
cycles issue_unit::push_ordered(unsigned port, const unsigned char* bytes, unsigned count,
                                issue_order& order) {
    if (ports_.size() != 1) issue_queued(false, order.start + one_cycle);
    word_count_ = order.index;
    word_step_ = 0;
    thread_ = ports_.size() == 1 ? order.thread : ports_[port]->thread;
    order.taken = issue_all({bytes, count}, order.start, order.end, order.issued);
    word_step_ = 1;
    if (order.taken == 0) return order.start;
    ports_[port]->watermark = std::max(ports_[port]->watermark, next_free_);
    return next_free_;
}

cycles issue_unit::issue_cycle(std::uint32_t word, cycles earliest) const {
    return rules_.preview(isa::decode(word, lregs_.config.arch), std::max(earliest, next_free_));
}

void issue_unit::raise_watermark(unsigned port, cycles cycle) {
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
        const queued_word head = winner.queue.front();
        winner.queue.pop_front();
        thread_ = winner.thread;
        issue(head.word, head.earliest);
        winner.counted_until = next_free_;
    }
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
            candidates_.push_back(
                {number, rules_.preview(look_up(head.word).insn, std::max(head.earliest, next_free_))});
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
    if (from < next_free_) count_stall(probe::stall_cause::thread_slot, from, next_free_);
    port.counted_until = std::max(from, next_free_);
}

void issue_unit::hold_back_others(const push_port& winner, cycles at) {
    for (auto& port : ports_) {
        if (port.get() == &winner || port->queue.empty() || at < port->counted_until) continue;
        hold_back(port->queue.front().word, -1, port->thread, port->counted_until, at + one_cycle);
        port->counted_until = at + one_cycle;
    }
}

void issue_unit::hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from,
                           cycles until) {
    from = std::max(from, next_free_); // before that it was counted when other words were issued
    if (!(from < until)) return;
    timing::issue_rules rules = rules_;
    timing::hold_cause cause;
    const cycles allowed = std::min(rules.may_issue(look_up(word).insn, from, cause), until);
    count_stall(stall_cause_of(cause), from, allowed);
    count_stall(probe::stall_cause::thread_slot, allowed, until);
    if (lregs_.observer) held_words_.push_back({index, thread, stall_cause_of(cause), from, allowed, until});
}

void issue_unit::drain() {
    issue_queued(false);
    next_.drain();
    next_free_ = std::max(next_free_, next_.now());
}

void issue_unit::advance_to(cycles end) {
    cycles known = end;
    for (auto& port : ports_)
        known = std::min(known, port->queue.empty() ? port->watermark : port->queue.front().earliest);
    advance_scheduler(known);
}

void issue_unit::advance_scheduler(cycles at) {
    if (at <= next_.now()) return;
    scheduler.message().insn = nullptr;
    scheduler.message().at = at;
    scheduler.send();
}

// --- issue ---------------------------------------------------------------------------------------------------------

/// Words mostly come in the order in which they came before.
inline const issue_unit::cached_word& issue_unit::decode(std::uint32_t word) {
    cached_word* entry = latest_word_->next;
    if (!entry || entry->word != word) {
        entry = &look_up(word);
        latest_word_->next = entry;
    }
    latest_word_ = entry;
    return *entry;
}

/// A word has four places that it may be in.
issue_unit::cached_word& issue_unit::look_up(std::uint32_t word) {
    constexpr unsigned ways = 4;
    const std::uint32_t first = ((word ^ (word >> 15)) * 0x2c1b3c6du) >> (32 - cache_bits);
    for (unsigned way = 0; way < ways; ++way) {
        cached_word& entry = (*cache_)[(first + way) % cache_size];
        if (entry.kind == word_class::empty) fill(entry, word);
        if (entry.word == word) return entry;
    }
    fill((*cache_)[first], word);
    return (*cache_)[first];
}

void issue_unit::fill(cached_word& entry, std::uint32_t word) const {
    entry.word = word;
    entry.insn = isa::decode(word, lregs_.config.arch);
    switch (isa::classify(word, lregs_.config.arch)) {
    case isa::word_kind::sfpu: entry.kind = word_class::sfpu; break;
    case isa::word_kind::front_end: entry.kind = word_class::front_end; break;
    default: entry.kind = word_class::not_modelled; break;
    }
    entry.needs_report = entry.insn.status != isa::definition::defined && !entry.insn.names_template();
    entry.is_ordinary = !entry.insn.names_template() && !entry.insn.is(isa::opcode::sfpconfig);
    entry.is_recordable = entry.kind == word_class::sfpu && entry.is_ordinary && !entry.needs_report;
}

// --- stretches -----------------------------------------------------------------------------------------------------

/// Issues words one after the other, none before `start` and none in cycle `end` or later; returns how many. `issued`, if
/// not null, receives the cycle of each.
unsigned issue_unit::issue_all(pushed_words words, cycles start, cycles end, cycles* issued) {
    const unsigned count = words.count;
    while (words.count != 0) {
        const unsigned done = issue_stretch(words, start, end, issued);
        if (done == 0) break;
        words.drop(done);
        if (issued) issued += done;
        start = next_free_;
    }
    return count - words.count;
}

/// Issues some of the words, from a recording if there is one that fits; returns how many.
unsigned issue_unit::issue_stretch(pushed_words words, cycles start, cycles end, cycles* issued) {
    const cycles at = std::max(start, next_free_);
    if (end <= at) return 0;
    if ((end - at).count() < words.count) words.count = static_cast<unsigned>((end - at).count());
    if (!may_be_recorded(words, at)) return issue_words(words, 1, start, end, issued);

    timing::situation now;
    const recorded_stretch* guess = expected(words);
    if (guess && at + guess->duration <= end) {
        const bool follows = previous_->next_follows && previous_end_ == at && previous_thread_ == thread_ &&
                             next_.now() == at;
        if (!follows) describe(at, now);
        if (follows || guess->before == now) {
            play(*guess, at, issued);
            return guess->length;
        }
    }
    std::uint64_t hash = 0;
    const unsigned length = measure_stretch(words, hash);
    if (length < shortest_stretch) return issue_words(words, std::max(length, 1u), start, end, issued);
    describe(at, now);
    const recorded_stretch* known = stretches_.find(hash, words, length, now);
    if (known && known->is_repeatable && at + known->duration <= end) {
        if (previous_) {
            previous_->next = known;
            previous_->next_number = known->number;
            previous_->next_follows = previous_end_ == at && previous_thread_ == thread_;
        }
        play(*known, at, issued);
    } else if (!known && stretches_.comes_again(hash) && end_of(words, length, at) <= end) {
        record(words, length, hash, now, at, issued);
    } else {
        return issue_words(words, length, start, end, issued);
    }
    return length;
}

/// Brings the scheduler to the cycle and finds out the situation.
void issue_unit::describe(cycles at, timing::situation& now) {
    advance_scheduler(at);
    now.clear();
    now.add(word_step_);
    now.add(thread_);
    rules_.describe(at, now);
    next_.describe(now);
}

/// Observers are told of every cycle, and LaneConfig is no part of a situation.
inline bool issue_unit::may_be_recorded(pushed_words words, cycles at) const {
    return words.count >= shortest_stretch && lregs_.is_ordinary() && next_.now() <= at;
}

/// The stretch that came after the previous one last time, if its words come again.
inline const recorded_stretch* issue_unit::expected(pushed_words words) const {
    const recorded_stretch* next = previous_ ? previous_->next : nullptr;
    return next && next->number == previous_->next_number && next->begins(words) ? next : nullptr;
}

/// How many words from the first on are to be one stretch, and their hash. A stretch that has to be cut ends where the
/// first word comes again, if it does: then a loop is cut alike however many repetitions a push has.
unsigned issue_unit::measure_stretch(pushed_words words, std::uint64_t& hash) {
    constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;
    unsigned length = 0, whole_loops = 0;
    std::uint64_t hash_of_loops = 0;
    for (hash = multiplier; length < words.count; ++length) {
        const std::uint32_t word = words[length];
        if (word == words[0]) {
            whole_loops = length;
            hash_of_loops = hash;
        }
        if (length == recorded_stretch::capacity) {
            if (whole_loops < shortest_stretch) return length;
            hash = hash_of_loops;
            return whole_loops;
        }
        if (!decode(word).is_recordable) break;
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 29;
    }
    return length;
}

/// The same for the first `count` words, one by one.
unsigned issue_unit::issue_words(pushed_words words, unsigned count, cycles start, cycles end,
                                 cycles* issued) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t word = words[i];
        if (end != forever) {
            const cycles allowed = rules_.preview(decode(word).insn, std::max(start, next_free_));
            if (std::max(allowed, next_.now()) >= end) return i;
        }
        const cycles at = issue(word, start);
        if (issued) issued[i] = at;
        start = at + one_cycle;
    }
    return count;
}

/// The cycle after the last of some words, if the first came at `start`.
cycles issue_unit::end_of(pushed_words words, unsigned count, cycles start) {
    cycles at = std::max(start, next_free_);
    timing::issue_rules rules = rules_;
    for (unsigned i = 0; i < count; ++i) {
        const isa::instruction& insn = decode(words[i]).insn;
        timing::hold_cause cause;
        at = rules.may_issue(insn, at, cause);
        if (i == 0) at = std::max(at, next_.now());
        rules.issued(insn, at, 0);
        ++at;
    }
    return at;
}

void issue_unit::record(pushed_words words, unsigned length, std::uint64_t hash, const timing::situation& now,
                        cycles start, cycles* issued) {
    std::array<cycles, recorded_stretch::capacity> at;
    const unit_counters before = lregs_.counters;
    const std::int64_t first_word = word_count_;
    lregs_.counters.macro_max_outstanding = 0;
    next_.start_recording();
    issue_words(words, length, start, forever, at.data());
    if (issued) std::copy_n(at.begin(), length, issued);

    recorded_stretch& made = stretches_.make_room(hash);
    if (previous_ == &made) previous_ = nullptr;
    made.length = length;
    made.insns.resize(length);
    for (unsigned i = 0; i < length; ++i) {
        made.words[i] = words[i];
        made.insns[i] = isa::decode(words[i], lregs_.config.arch);
        made.issued_at[i] = static_cast<std::uint16_t>((at[i] - start).count());
    }
    made.before = now;
    made.duration = next_free_ - start;
    made.counted = lregs_.counters.since(before);
    made.recorded_at = start;
    made.recorded_word = first_word;
    made.rules = rules_;
    made.is_repeatable = next_.finish_recording(made);
    lregs_.counters.macro_max_outstanding =
        std::max(lregs_.counters.macro_max_outstanding, before.macro_max_outstanding);
}

void issue_unit::play(const recorded_stretch& what, cycles start, cycles* issued) {
    instruction_extension& message = scheduler.message();
    message.stretch = &what;
    message.word_step = word_step_;
    message.at = start;
    message.word = word_count_;
    message.thread = thread_;
    scheduler.send();
    message.stretch = nullptr;
    lregs_.counters.add(what.counted);
    next_free_ = start + what.duration;
    rules_.resume(what.rules, next_free_, start - what.recorded_at, word_count_ - what.recorded_word);
    if (first_issue_.count() < 0) first_issue_ = start + cycles{what.issued_at[0]};
    word_count_ += std::int64_t{what.length} * word_step_;
    replayed_words_ += what.length;
    previous_ = const_cast<recorded_stretch*>(&what);
    previous_end_ = next_free_;
    previous_thread_ = thread_;
    if (!issued) return;
    for (unsigned i = 0; i < what.length; ++i) issued[i] = start + cycles{what.issued_at[i]};
}

// --- one word ------------------------------------------------------------------------------------------------------

/// Issues one word in the first cycle from `earliest` on that the rules allow; returns that cycle.
cycles issue_unit::issue(std::uint32_t word, cycles earliest) {
    const cached_word& cached = decode(word);
    const isa::instruction& insn = cached.insn;
    const cycles free = std::max(earliest, next_free_);
    timing::hold_cause cause;
    const cycles allowed = rules_.may_issue(insn, free, cause);
    const cycles at = std::max(allowed, next_.now());
    if (allowed != free) count_stall(stall_cause_of(cause), free, allowed);
    if (lregs_.observer && (allowed != free || !held_words_.empty())) publish_stalls(free, allowed, cause);
    if (first_issue_.count() < 0) first_issue_ = at;
    const std::int64_t index = word_count_;
    word_count_ += word_step_;
    next_free_ = at + one_cycle;
    execute(cached, at, index);
    return at;
}

/// What an issued word does.
void issue_unit::execute(const cached_word& cached, cycles at, std::int64_t word) {
    const isa::instruction& insn = cached.insn;
    ++lregs_.counters.words;
    if (cached.needs_report) report_definition(cached, at, word);
    if (cached.kind != word_class::sfpu) {
        execute_front_end(cached, at, word);
        return;
    }
    ++lregs_.counters.instructions;
    if (cached.is_ordinary) {
        if (rules_.may_be_hazard(insn, at)) check_hazards(insn, at, word);
        send(insn, at, word);
        remember(insn, at, word);
    } else {
        issue_configuring(insn, at, word);
    }
    if (lregs_.observer && (insn.unit == isa::sub_unit::load || insn.unit == isa::sub_unit::store))
        publish_counters(at);
}

void issue_unit::send(const isa::instruction& insn, cycles at, std::int64_t word) {
    instruction_extension& message = scheduler.message();
    message.insn = &insn;
    message.at = at;
    message.word = word;
    message.thread = thread_;
    scheduler.send();
}

/// For the rules on what may follow; only results that take more than a cycle matter to them.
void issue_unit::remember(const isa::instruction& insn, cycles at, std::int64_t word) {
    if (insn.latency < isa::latency_class::mad) return;
    rules_.issued(insn, at, word);
    if (scheduler.message().discarded) rules_.was_discarded();
}

/// SFPCONFIG, and instructions with a VD of 12 and above: what these do depends on DISABLE_BACKDOOR_LOAD or changes it.
void issue_unit::issue_configuring(const isa::instruction& insn, cycles at, std::int64_t word) {
    const auto closed = [&] {
        return lregs_.state.config.lanes_with(isa::lane_configuration::disable_backdoor_load);
    };
    const lane_mask closed_before = closed();
    const bool to_template = insn.names_template() && closed_before != all_lanes;
    if (insn.names_template() && at == backdoor_changed_at_ + one_cycle && at.count() > 0)
        lregs_.reporter.report(report_id::hazard_laneconfig_neighbour, at, word, [&] {
            return fmt::format("{} directly after a change of DISABLE_BACKDOOR_LOAD",
                               isa::disassemble(insn.word, lregs_.config.arch));
        });
    if (!to_template) check_hazards(insn, at, word);
    send(insn, at, word);
    if (!to_template) remember(insn, at, word);
    if (closed_before != closed()) backdoor_changed_at_ = at;
}

void issue_unit::count_stall(probe::stall_cause cause, cycles from, cycles until) {
    lregs_.counters.stalls[static_cast<unsigned>(cause)] +=
        static_cast<std::uint64_t>((until - from).count());
}

/// Those of the word that is issued next, which was held in these cycles, and of the words that it keeps waiting.
void issue_unit::publish_stalls(cycles from, cycles until, timing::hold_cause cause) {
    cycles first = from, end = until;
    for (const held_word& other : held_words_) {
        first = std::min(first, other.from);
        end = std::max(end, other.until);
    }
    for (cycles at = first; at < end; ++at) {
        advance_scheduler(at); // sub-units run first, so that the event stream stays in order
        if (from <= at && at < until)
            lregs_.observer->stalled({at, stall_cause_of(cause), word_count_, thread_});
        for (const held_word& other : held_words_)
            if (other.from <= at && at < other.until)
                lregs_.observer->stalled({at,
                                          at < other.allowed ? other.cause : probe::stall_cause::thread_slot,
                                          other.index, other.thread});
    }
    held_words_.clear();
}

void issue_unit::check_hazards(const isa::instruction& insn, cycles at, std::int64_t word) {
    next_.spoil_recording(); // a report belongs to one place of the program
    timing::issue_rules::unprotected_read found;
    if (rules_.reads_too_early(insn, at, found)) {
        lregs_.reporter.report(report_id::hazard_unprotected_read, at, word, [&] {
            return fmt::format("{} reads L{} before {} (word {}) has written it",
                               isa::text(insn, lregs_.config.arch), found.lreg,
                               isa::disassemble(found.producer, lregs_.config.arch), found.producer_word);
        });
    }
    if (rules_.forbidden_after_shuffle(insn, at)) {
        lregs_.reporter.report(report_id::hazard_shft2_neighbour, at, word, [&] {
            return fmt::format("{} directly after a two-cycle SFPSHFT2", isa::text(insn, lregs_.config.arch));
        });
    }
}

void issue_unit::report_definition(const cached_word& cached, cycles at, std::int64_t word) {
    const bool undefined = cached.insn.status == isa::definition::undefined;
    lregs_.reporter.report(
        undefined ? report_id::isa_undefined : report_id::isa_non_contractual, at, word, [&] {
            return fmt::format("{}: modifier {} {}", cached.insn.op->mnemonic, cached.insn.mod,
                               undefined ? "has no defined meaning"
                                         : "or operand relies on what current silicon does");
        });
}

void issue_unit::execute_front_end(const cached_word& cached, cycles at, std::int64_t word) {
    // What executes in this cycle still sees the old counters and configuration.
    advance_scheduler(at + one_cycle);
    if (cached.kind == word_class::not_modelled) {
        ++lregs_.not_modelled[static_cast<std::uint8_t>(cached.word >> 24)];
        lregs_.reporter.report(report_id::isa_not_modelled, at, word, [&] {
            return fmt::format("{:08x} belongs to another Tensix unit", cached.word);
        });
        return;
    }
    if (!lregs_.threads[thread_].execute_front_end(cached.insn))
        lregs_.reporter.report(report_id::frontend_config_index, at, word, [&] {
            return fmt::format("SETC16 to thread configuration register {}", cached.word >> 16 & 0xff);
        });
    if (cached.insn.latency != isa::latency_class::none) next_.note_effect(at);
    if (!lregs_.observer) return;
    probe::execution_event event;
    event.begin = event.end = at;
    event.unit = isa::sub_unit::front_end;
    event.insn = cached.insn;
    event.word = word;
    event.thread = thread_;
    event.takes_effect = cached.insn.latency != isa::latency_class::none;
    lregs_.observer->executed(event);
    publish_counters(at);
}

void issue_unit::publish_counters(cycles at) {
    const isa::address_counters& rwc = lregs_.threads[thread_].rwc;
    lregs_.observer->counters_changed({at, rwc.dst, rwc.dst_cr, rwc.sp, thread_});
}

} // namespace sfpu
