#include <sfpu/vector_unit/macro_scheduler.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu {
namespace {

constexpr std::size_t index_of(isa::sub_unit unit) { return static_cast<std::size_t>(unit); }

} // namespace

macro_scheduler::macro_scheduler(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sc_module(name), issue_tsock("issue_tsock"), simple("simple_isock"), mad("mad_isock"),
      round("round_isock"), store("store_isock"), load("load_isock"),
      lregs_(lregs), senders_{&simple, &mad, &round, &store, &load} {
    issue_tsock.bind(*this);
}

void macro_scheduler::reset() {
    take_thread(0);
    origins_.clear();
    last_effect_ = begun_ = cycles{-1};
    early_.clear();
}

/// From now on instructions are sent for this thread.
void macro_scheduler::take_thread(std::uint8_t thread) {
    thread_ = thread;
    for (instruction_sender* sender : senders_) {
        sender->message().thread = thread;
        sender->message().thread_state = &lregs_.threads[thread];
    }
}

/// Hands an instruction to its sub-unit.
inline void macro_scheduler::send(const timing::plan_step& step, cycles at, std::int64_t word) {
    instruction_sender& sender = *senders_[index_of(step.unit)];
    instruction_extension& message = sender.message();
    message.insn = step.insn;
    message.at = at;
    message.word = word;
    message.form = step.form;

    sender.send();
}

inline void macro_scheduler::commit(cycles at, timing::port_set ports) {
    if ((ports & (ports - 1)) == 0) lregs_.results.commit_one(at, ports, lregs_.state);
    else commit_several(at, ports);
}

void macro_scheduler::commit_several(cycles at, timing::port_set ports) {
    timing::write_back::collision found;
    lregs_.results.commit(at, ports, lregs_.state, found);
    if (found.loser) report_collision(found, at);
}

/// Executes the steps of a plan; `noted`: and says its notes, each before the step that it comes before.
template <bool noted>
[[gnu::always_inline]] inline void macro_scheduler::execute(const timing::plan& plan,
                                                            const instruction_extension& from) {
    using action = timing::plan_step::action;
    const cycles start = from.at;
    const std::int64_t first_word = from.word, word_step = from.word_step;
    launch_origin* const origins = origins_.data();
    launch_origin* launched = origins + plan.origins_before;
    auto note = plan.notes.begin();
    std::uint32_t number = 0;
    for (const timing::plan_step& step : plan.steps) {
        if constexpr (noted)
            for (; note != plan.notes.end() && note->before <= number; ++note) say(*note, from);
        ++number;
        const cycles at = start + cycles{step.at};
        if constexpr (noted) {
            if (step.form.direct) publish_early(step, at, start);
            else publish_begin_once(at);
        }
        if (step.what == action::issued) { // nearly all are
            send(step, at, first_word + step.origin * word_step);
            continue;
        }
        switch (step.what) {
        case action::issued: break;
        case action::launch: {
            const std::int64_t word = first_word + step.origin * word_step;
            send(step, at, word);
            *launched++ = {word, load.message().dst_address, from.thread};
            break;
        }
        case action::scheduled: {
            const launch_origin& origin = origins[step.origin];
            senders_[index_of(step.unit)]->message().dst_address = origin.dst_address;
            if (origin.thread != thread_) take_thread(origin.thread);
            send(step, at, origin.word);
            if (from.thread != thread_) take_thread(from.thread);
            break;
        }
        case action::commit: commit(at, step.ports); break;
        case action::begin_cycle: lregs_.results.read_exchange(at, lregs_.state); break;
        case action::front_end:
            execute_front_end(*step.insn, at, first_word + step.origin * word_step, from.thread);
            break;
        }
    }
    if constexpr (noted)
        for (; note != plan.notes.end(); ++note) say(*note, from);
}

[[gnu::always_inline]] inline void macro_scheduler::count(const timing::plan_counts& counts,
                                                          std::uint8_t thread) {
    probe::unit_counters& to = lregs_.counters;
    to.words += counts.words;
    to.instructions += counts.instructions;
    for (unsigned rest = counts.units; rest != 0; rest &= rest - 1) {
        const auto unit = static_cast<std::size_t>(__builtin_ctz(rest));
        to.issued[unit] += counts.issued[unit];
        to.busy[unit] += counts.busy[unit];
        if (counts.only_issued) continue;
        to.scheduled[unit] += counts.scheduled[unit];
        to.discarded[unit] += counts.discarded[unit];
    }
    if (counts.holds)
        for (std::size_t cause = 1; cause < counts.held.size(); ++cause)
            to.count_stall(cause_of(static_cast<timing::hold_cause>(cause)), thread, counts.held[cause]);
    if (counts.macros_launched == 0) return;
    to.macros_launched += counts.macros_launched;
    to.macros_forgotten += counts.macros_forgotten;
    to.macro_max_outstanding = std::max(to.macro_max_outstanding, counts.max_outstanding);
}

void macro_scheduler::b_transport(instruction_payload& trans, sc_core::sc_time&) {
    const instruction_extension& message = trans.message;
    if (!message.plan) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    const timing::plan& plan = *message.plan;
    if (message.thread != thread_) take_thread(message.thread);
    if (const std::size_t origins = plan.origins_before + plan.launches; origins_.size() < origins)
        origins_.resize(origins);
    if (lregs_.observer || plan.has_reports) execute<true>(plan, message);
    else execute<false>(plan, message);

    count(plan.counts, message.thread);
    if (plan.last_effect >= 0) last_effect_ = std::max(last_effect_, message.at + cycles{plan.last_effect});
    if (plan.origins.empty()) return;
    next_origins_.clear();
    for (const std::uint16_t origin : plan.origins) next_origins_.push_back(origins_[origin]);
    std::swap(origins_, next_origins_);
}

void macro_scheduler::send_idle(const timing::plan_step& step, cycles at, std::int64_t word) {
    send(step, at, word);
}

/// Words of the front end act on their thread; words of units that are not modelled do nothing.
void macro_scheduler::execute_front_end(const isa::instruction& insn, cycles at, std::int64_t word,
                                        std::uint8_t thread) {
    const architecture arch = lregs_.config.arch;
    if (isa::classify(insn.word, arch) != isa::word_kind::front_end) {
        ++lregs_.counters.not_modelled[static_cast<std::uint8_t>(insn.word >> 24)];
        lregs_.reporter.report(report_id::isa_not_modelled, at, word, [&] {
            return fmt::format("{:08x} belongs to another Tensix unit", insn.word);
        });
        return;
    }
    if (!lregs_.threads[thread].execute_front_end(insn))
        lregs_.reporter.report(report_id::frontend_config_index, at, word, [&] {
            return fmt::format("SETC16 to thread configuration register {}", insn.word >> 16 & 0xff);
        });
    if (!lregs_.observer) return;
    publish_begin_once(at);
    probe::execution_event event;
    event.begin = event.end = at;
    event.unit = isa::sub_unit::front_end;
    event.insn = insn;
    event.word = word;
    event.thread = thread;
    event.takes_effect = insn.latency != isa::latency_class::none;
    lregs_.observer->executed(event);
    publish_counters(at, thread);
}

/// Before a step of a plan that begins at `start` writes what is not due yet. An instruction executes in its cycle all the same; results
/// that were under way go to their registers before anything else.
void macro_scheduler::publish_early(const timing::plan_step& step, cycles at, cycles start) {
    const bool was_under_way = step.what == timing::plan_step::action::commit;
    publish_begin_once(was_under_way ? start : at);
    if (!lregs_.observer) return;
    const cycles visible =
        at + (was_under_way ? one_cycle : cycles{isa::latency_of(*step.insn, lregs_.machine)});
    if (visible <= begun_ + one_cycle) return;
    isa::register_set rest =
        was_under_way ? lregs_.results.registers(at, step.ports) : step.insn->use.results();
    for (; rest != 0; rest &= rest - 1) {
        const auto lreg = static_cast<unsigned>(__builtin_ctz(rest));
        early_.overwrites(lreg, lregs_.state.lreg[lreg], visible);
    }
}

/// Results that were written too early arrive in cycles of their own, if nothing else happens there.
void macro_scheduler::publish_begin(cycles at) {
    while (!early_.empty()) {
        const cycles due = early_.next_visible() - one_cycle;
        if (due >= at) break;
        if (begun_ < due) publish_state(due);
        early_.reach(due + one_cycle);
    }
    publish_state(at);
}

void macro_scheduler::publish_state(cycles at) {
    begun_ = at;
    early_.reach(at);
    lregs_.observer->cycle_begins({at, &lregs_.state, early_.empty() ? nullptr : &early_});
}

void macro_scheduler::publish_counters(cycles at, std::uint8_t thread) {
    const isa::address_counters& rwc = lregs_.threads[thread].rwc;
    lregs_.observer->counters_changed({at, rwc.dst, rwc.dst_cr, rwc.sp, thread});
}

} // namespace sfpu
