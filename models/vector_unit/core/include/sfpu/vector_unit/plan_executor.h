// Executes plans: lets time pass. What executes in which cycle the planner has decided; here each instruction
// goes to its sub-unit, in its cycle, with its data. There is one executor; what differs is the link to the
// sub-units.
#pragma once

#include <sfpu/vector_unit/plan_context.h>

#include <cstdint>

namespace sfpu {

/// A link hands steps to sub-units, by direct calls or through sockets:
///  - receiver(isa::sub_unit): whoever hands steps to the unit, with
///    - unit_step& step(): the step that is handed over next, to be filled in. Its thread is that of the
/// latest take_thread(),
///      its Dst address is what the last step left there, or somebody wrote;
///    - void execute(): hands it over; the unit has executed it on return;
///  - constexpr bool executes_unheard; if true, also void execute_unheard(isa::sub_unit, const
/// isa::instruction&): executes a
///    step on registers (plan_step) of which nobody hears, without the rest of the step;
///  - void take_thread(std::uint8_t, isa::thread_state&): whose steps come from now on.
template <class Link>
class plan_executor : public plan_context {
public:
    explicit plan_executor(unit_state& state) : plan_context(state) {}

    Link link;

    void reset() {
        plan_context::reset();
        take_thread(0);
    }
    void continue_from(const plan_executor& other) {
        plan_context::continue_from(other);
        take_thread(0);
    }

    /// The plan begins in the cycle behind that of the plan before it, or later if nothing would have
    /// happened in between.
    void execute(const plan_order& order) {
        if (order.thread != thread_) take_thread(order.thread);
        begin(*order.plan);
        if (state_.observer || order.plan->has_reports) execute_steps<true>(order);
        else execute_steps<false>(order);
        finish(order);
    }

private:
    void take_thread(std::uint8_t thread) {
        thread_ = thread;
        link.take_thread(thread, state_.threads[thread]);
    }

    /// Hands an instruction to its sub-unit.
    [[gnu::always_inline]] void send(const timing::plan_step& step, cycles at, std::int64_t word) {
        const auto receiver = link.receiver(step.unit);
        unit_step& to = receiver.step();
        to.insn = step.insn;
        to.at = at;
        to.word = word;
        to.form = step.form;
        receiver.execute();
    }
    /// The same for a scheduled instruction of another thread's SFPLOADMACRO.
    [[gnu::noinline]] void send_for_other(const timing::plan_step& step, cycles at, const launch_origin& of,
                                          std::uint8_t thread) {
        take_thread(of.thread);
        send(step, at, of.word);
        take_thread(thread);
    }

    /// Executes the steps of a plan; `noted`: and says its notes, each before the step that it comes before.
    template <bool noted>
    void execute_steps(const plan_order& order);
    [[gnu::noinline]] void say_note(const timing::plan_note& note, const plan_order& from);

    std::uint8_t thread_ = 0; ///< whose instructions are being sent
};

template <class Link>
template <bool noted>
void plan_executor<Link>::execute_steps(const plan_order& order) {
    using action = timing::plan_step::action;
    const timing::plan& plan = *order.plan;
    const cycles start = order.at;
    const std::int64_t first_word = order.word, word_step = order.word_step;
    launch_origin* const origins = origins_.data();
    launch_origin* launched = origins + plan.origins_before;
    auto note = plan.notes.begin();
    std::uint32_t number = 0;
    for (const timing::plan_step& step : plan.steps) {
        if constexpr (noted)
            for (; note != plan.notes.end() && note->before <= number; ++note) say_note(*note, order);
        ++number;
        if constexpr (!noted && Link::executes_unheard) {
            if (step.what == action::on_registers) { // most are
                link.execute_unheard(step.unit, *step.insn);
                continue;
            }
        }
        const cycles at = start + cycles{step.at};
        if constexpr (noted) {
            if (step.form.direct()) publish_early(step, at, start);
            else publish_begin_once(at);
        }
        if (step.is_issued()) {
            send(step, at, first_word + step.origin * word_step);
            continue;
        }
        switch (step.what) {
        case action::on_registers:
        case action::issued: break;
        case action::launch: {
            const std::int64_t word = first_word + step.origin * word_step;
            send(step, at, word);
            *launched++ = {word, link.receiver(isa::sub_unit::load).step().dst_address, order.thread};
            break;
        }
        case action::scheduled: {
            const launch_origin& origin = origins[step.origin];
            if (step.unit == isa::sub_unit::store)
                link.receiver(isa::sub_unit::store).step().dst_address = origin.dst_address;
            if (origin.thread == thread_) send(step, at, origin.word);
            else send_for_other(step, at, origin, order.thread);
            break;
        }
        case action::commit: commit(at, step.ports()); break;
        case action::begin_cycle: state_.results.read_exchange(at, state_.vector); break;
        case action::front_end:
            execute_front_end(*step.insn, at, first_word + step.origin * word_step, order.thread);
            break;
        }
    }
    if constexpr (noted)
        for (; note != plan.notes.end(); ++note) say_note(*note, order);
}

template <class Link>
void plan_executor<Link>::say_note(const timing::plan_note& note, const plan_order& from) {
    say(note, from);
    if (note.what != timing::plan_note::kind::no_operation || !state_.observer) return;
    const note_source source = source_of(note, from);
    timing::plan_step step;
    step.insn = note.insn;
    step.unit = note.unit;
    take_thread(source.thread);
    send(step, from.at + cycles{note.at}, source.word);
    take_thread(from.thread);
}

} // namespace sfpu
